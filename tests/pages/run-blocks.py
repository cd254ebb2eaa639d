# SPDX-License-Identifier: BSD-3-Clause
"""Run the fenced blocks of a page as a reader would type them, in order, in this folder. What the fence says decides:

sh      typed into one shell, so that cd and export last; it ends with status 0 (`status=1`: with that one);
        `again`: once more if it then printed something else, for what a job that stands still for a minute decides
output  what the block of `sh` before it printed, line by line: blanks count as one, a line `...` is any lines, `...` in
        a line any text; `numbers`: numbers and their units are any others; `any-order`: as the ranks happened to print
pycon   a session of Python, as doctest takes it; all of a page share their names
others  are run by nobody: --listed has them, with the reason, and a block that is not there is a failure

Further words behind sh, output and pycon are what the block needs: modules of Python, or the words of --have. Without
them it is passed over.

usage: run-blocks.py [--have WORDS] [--path PATH] [--listed FILE] [--instead FILE] PAGE [NAME]
  --path PATH     that of the commands
  --listed FILE   lines PAGE<TAB>FIRST LINE OF THE BLOCK<TAB>REASON, in which a tab is \\t; those of PAGE = NAME (the
                  page's path) count, all of them
  --instead FILE  lines WRITTEN<TAB>TYPED: what is typed in the place of what is written, so that it takes less
"""

import argparse
import doctest
import os
import re
import signal
import subprocess
import sys
from importlib.util import find_spec

BLOCK = re.compile(r"^( *)```([^\n`]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
NUMBER = r"[-+]?[0-9][0-9.]*(?:e[-+]?[0-9]+)?(?: ?(?:[kMGT]?B(?:/s)?|[kMG]|[mun]?s|%)(?![A-Za-z]))?"
SECONDS = 240


class Session:
    """One shell and one Python for all blocks of a page."""

    def __init__(self, instead):
        self.instead = instead
        self.names = {}
        self.printed = None
        self.again = None
        self.state = os.path.abspath(".typed")

    def typed(self, text):
        """What is typed where this is written."""
        for written, other in self.instead:
            text = text.replace(written, other)
        return text

    def shell(self, text, status):
        """Errors of a block of commands, as text; keeps what it printed. The state of the shell lasts in two files."""
        script = (f"cd \"$(cat '{self.state}.cwd' 2>/dev/null || pwd)\"\n"
                  f"[ ! -e '{self.state}.env' ] || . '{self.state}.env'\n"
                  f"trap 'export -p >{self.state}.env; pwd >{self.state}.cwd' EXIT\n{self.typed(text)}")
        done = subprocess.Popen(["sh", "-e", "-c", script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, start_new_session=True)
        try:
            out, _ = done.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(done.pid, signal.SIGKILL)
            out, _ = done.communicate()
            return f"not ended after {SECONDS} s:\n{out.decode(errors='replace')}"
        self.printed = out.decode(errors="replace")
        if done.returncode != status:
            return f"status {done.returncode} instead of {status}:\n{self.printed}"
        return ""

    def python(self, text, title):
        """Errors of the examples of a session, as text."""
        found = []
        test = doctest.DocTestParser().get_doctest(text, {}, title, None, 0)
        test.globs = self.names
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=found.append, clear_globs=False)
        return "".join(found)

    def compare(self, text, words):
        """What is shown and was not printed, as text."""
        if self.printed is None:
            return "no block of sh was run before this"
        shown = [line_pattern(line, "numbers" in words) for line in self.typed(text).splitlines() if line.strip()]
        lines = [" ".join(line.split()) for line in self.printed.splitlines() if line.strip()]
        missing = unordered(shown, lines) if "any-order" in words else ordered(shown, lines)
        return f"{missing}\nprinted was:\n{self.printed}" if missing else ""


def line_pattern(line, numbers):
    """A line as it is shown, and as a pattern; None: any lines."""
    line = " ".join(line.split())
    if line == "...":
        return line, None
    parts = []
    for part in line.split("..."):
        pieces = re.split(NUMBER, part) if numbers else [part]
        parts.append(NUMBER.join(re.escape(piece) for piece in pieces))
    return line, re.compile(".*".join(parts) + "$")


def unordered(shown, lines):
    """The first line that is shown and not among them."""
    for line, pattern in shown:
        if pattern and not any(pattern.match(one) for one in lines):
            return f"not printed: {line}"
    return ""


def ordered(shown, lines):
    """The first line that is shown where another one was printed."""
    at, skip = 0, False
    for line, pattern in shown:
        if not pattern:
            skip = True
            continue
        while skip and at < len(lines) and not pattern.match(lines[at]):
            at += 1
        if at == len(lines) or not pattern.match(lines[at]):
            return f"shown:   {line}\nprinted: {lines[at] if at < len(lines) else 'nothing more'}"
        at, skip = at + 1, False
    return "" if skip or at == len(lines) else f"printed, not shown: {lines[at]}"


def table(path, columns):
    """The rows of a file of columns with tabs between them."""
    if not path:
        return []
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    for row in rows:
        if len(row) != columns or not all(row):
            sys.exit(f"{path}: not {columns} columns: {row}")
    return rows


def run(session, language, words, text):
    """Errors of a block, as text; the words are those that are no requirements, too."""
    if language == "sh":
        session.again = text if "again" in words else None
        status = [int(word[len("status="):]) for word in words if word.startswith("status=")]
        return session.shell(text, status[0] if status else 0)
    if language == "output":
        errors = session.compare(text, words)
        if errors and session.again:
            print("# once more:", session.again.splitlines()[0])
            errors = session.shell(session.again, 0) or session.compare(text, words)
        return errors
    return session.python(text, "session")


def missing_words(language, words, have):
    """What a block needs and is not here."""
    words = [word for word in words if word not in ("again", "numbers", "any-order") and not word.startswith("status=")]
    if language == "pycon":
        return [word for word in words if word not in have and find_spec(word) is None]
    return [word for word in words if word not in have]


def main():
    """Run the blocks of a page, a line of TAP each; 0 if all are right."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--have", default="")
    parser.add_argument("--path", default=os.environ["PATH"])
    parser.add_argument("--listed")
    parser.add_argument("--instead")
    parser.add_argument("page")
    parser.add_argument("name", nargs="?")
    options = parser.parse_args()
    os.environ["PATH"] = options.path
    with open(options.page, encoding="utf-8") as file:
        page = file.read()
    session, failed, passed_over = Session(table(options.instead, 2)), 0, []
    reasons = {row[1]: row[2] for row in table(options.listed, 3) if row[0] == options.name}

    def result(title, errors):
        print("not ok" if errors else "ok", "-", title)
        for line in errors.splitlines():
            print("#", line)
        return bool(errors)

    for indent, info, text in BLOCK.findall(page):
        text = re.sub(f"^{indent}", "", text, flags=re.MULTILINE)
        language, *words = info.split() or [""]
        first = text.splitlines()[0].replace("\t", "\\t") if text else ""
        title = " ".join(f"{options.name or ''} {language or 'block'}: {first}".replace("#", "").split())
        if language not in ("sh", "output", "pycon"):
            if first in reasons:
                print(f"ok - {title} # SKIP {reasons.pop(first)}")
            else:
                failed += result(title, f"neither sh, output nor pycon, and not in {options.listed}")
            continue
        missing = missing_words(language, words, options.have.split())
        if language == "sh":
            passed_over = missing
        elif language == "output":
            missing = missing or passed_over
        if missing:
            print(f"ok - {title} # SKIP no {' and no '.join(missing)} here")
        else:
            failed += result(title, run(session, language, words, text))
    for first in reasons:
        failed += result(f"{options.name} has the block that is listed", f"there is none that begins: {first}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
