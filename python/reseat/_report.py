# SPDX-License-Identifier: BSD-3-Clause
"""Reports: what `reseat report --json` writes, whose numbers are those of its text and its page."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Dict, List, Optional


class CommandError(Exception):
    """What the command `reseat` refused, in one line, or that it is not there."""


class Report(Dict[str, object]):
    """The members of doc/report-json.md, as dictionaries, lists and numbers."""

    def __repr__(self) -> str:
        verdict = self.get("verdict")
        sentence = verdict.get("sentence") if isinstance(verdict, dict) else self.get("sentence")
        return f"<reseat.Report: {sentence}>"


def report(profile, other=None, **options) -> Report:
    """The report on a profile, or on what changes from it to another one.

    profile, other: Profile objects, whose files are read again, or paths; also what the command takes in their place,
    as a matrix or "stencil3d:8x8x8".
    options: those of `reseat report`, as tree="node:4 core:4", topology=path, method="greedy,treematch".

    Needs the command, below the prefix of this module or in PATH. Raises CommandError with the line that it prints.
    """
    command = _find_command()
    if command is None:
        raise CommandError("the command reseat is not there: install it in the prefix of this module, or put its "
                           "folder into PATH")
    files = [os.fsdecode(getattr(one, "path", one)) for one in (profile, other) if one is not None]
    words = [command, "report", "--json", "-", *_option_words(options), "--", *files]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").splitlines()
        raise CommandError(lines[0] if lines else f"{command} ended with status {done.returncode}")
    return Report(json.loads(done.stdout.decode("utf-8")))


def _option_words(options: Dict[str, object]) -> List[str]:
    words: List[str] = []
    for name, value in options.items():
        if value is not None:
            words.append(f"--{name.replace('_', '-')}={value}")
    return words


def _find_command() -> Optional[str]:
    """Below the prefix that this module is installed in, PREFIX/lib/pythonX.Y/site-packages/reseat, or in PATH."""
    for prefix in list(Path(__file__).resolve().parents)[3:5]:
        found = prefix / "bin" / "reseat"
        if found.is_file() and os.access(found, os.X_OK):
            return str(found)
    return shutil.which("reseat")
