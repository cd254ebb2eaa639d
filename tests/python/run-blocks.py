# SPDX-License-Identifier: BSD-3-Clause
"""Run the blocks of a page one after the other: those of `sh` succeed, those of `pycon` print what stands there.

Words behind `pycon` name the modules that a block needs; without them it is passed over. All pycon blocks share their
names. Usage: run-blocks.py PAGE
"""

import doctest
import re
import subprocess
import sys
from importlib.util import find_spec

BLOCK = re.compile(r"^```(sh|pycon)([a-z ]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run_session(text, names, title):
    """Errors of the examples of a block, as text."""
    found = []
    test = doctest.DocTestParser().get_doctest(text, {}, title, None, 0)
    test.globs = names
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=found.append, clear_globs=False)
    return "".join(found)


def main(path):
    """Run the blocks of a page; 0 if all are right."""
    with open(path, encoding="utf-8") as file:
        page = file.read()
    blocks, names, failed = BLOCK.findall(page), {}, 0
    for number, (language, modules, text) in enumerate(blocks, 1):
        title = f"block {number}: {text.splitlines()[0]}".replace("#", "")
        missing = [module for module in modules.split() if find_spec(module) is None]
        errors = ""
        if missing:
            title += f" # SKIP no {' and no '.join(missing)} here"
        elif language == "sh":
            done = subprocess.run(["sh", "-e", "-c", text], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, check=False, timeout=60)
            errors = f"status {done.returncode}: {done.stdout.decode()}" if done.returncode else ""
        else:
            errors = run_session(text, names, title)
        print("not ok" if errors else "ok", "-", title)
        for line in errors.splitlines():
            print("#", line)
        failed += bool(errors)
    return 0 if len(blocks) > 3 and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
