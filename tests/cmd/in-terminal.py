# SPDX-License-Identifier: BSD-3-Clause
"""Run a command in a terminal of its own and print what it wrote there; ends with its status, 128 + the signal.

in-terminal.py [--size COLUMNSxROWS] [--out FILE] [--err FILE] [--screen] [--then WHEN WHAT]... COMMAND...
--out, --err: these go to a file instead. --then: after WHEN more seconds, or once that text has come, the terminal gets
another size (COLUMNSxROWS), is closed (hangup), or sends what these keys send (^C, ^Z); or the command gets a signal (TERM). --screen: print the lines as
they are on the screen at the end, without colors.
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time


def set_size(terminal, text):
    columns, rows = (int(number) for number in text.split("x"))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def parse(words):
    options = {"--size": "80x24", "--out": None, "--err": None, "--screen": False, "--then": []}
    while words and words[0].startswith("--"):
        option = words.pop(0)
        if option == "--screen":
            options[option] = True
        elif option == "--then":
            when = words.pop(0)
            options[option].append((float(when) if when[0].isdigit() else when.encode(), words.pop(0)))
        else:
            options[option] = words.pop(0)
    return options, words


def start(options, command):
    process, terminal = pty.fork()
    if process == 0:
        for ignored in signal.SIGINT, signal.SIGQUIT:  # by a shell in whose background we are
            signal.signal(ignored, signal.SIG_DFL)
        set_size(0, options["--size"])
        for descriptor, option in ((1, "--out"), (2, "--err")):
            if options[option]:
                os.dup2(os.open(options[option], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666), descriptor)
        os.execvp(command[0], command)
    return process, terminal


def happen(what, process, terminal):
    """Returns whether the terminal is still there."""
    if what == "hangup":
        os.close(terminal)
        return False
    if what[0] == "^":
        os.write(terminal, bytes([ord(what[1]) & 31]))
    elif what[0].isdigit():
        set_size(terminal, what)
    else:
        os.kill(process, getattr(signal, "SIG" + what))
    return True


def watch(process, terminal, events):
    """All that is written, until the last writer has left the terminal."""
    said, due, seen = b"", time.monotonic(), 0  # an event that waits for a text: in what came after the last event
    while True:
        is_timed = bool(events) and isinstance(events[0][0], float)
        wait = max(0.0, due + events[0][0] - time.monotonic()) if is_timed else 60.0
        is_due = not select.select([terminal], [], [], wait)[0]
        if is_due and not is_timed:
            raise SystemExit("in-terminal: nothing for a minute")
        if not is_due:
            try:
                piece = os.read(terminal, 65536)
            except OSError:
                return said
            if not piece:
                return said
            said += piece
            is_due = bool(events) and not is_timed and events[0][0] in said[seen:]
        if is_due:
            due, seen = due + events[0][0] if is_timed else time.monotonic(), len(said)
            if not happen(events.pop(0)[1], process, terminal):
                return said


def screen(text):
    """The lines at the end: a carriage return writes over a line, ESC [ K erases what follows."""
    lines = []
    for line in re.sub("\x1b\\[[0-9;]*m", "", text).split("\n"):
        shown, at = [], 0
        for piece in re.findall("\x1b\\[K|\r|[^\r]", line):
            if piece == "\r":
                at = 0
            elif piece == "\x1b[K":
                del shown[at:]
            else:
                shown[at:at + 1] = [piece]
                at += 1
        lines.append("".join(shown))
    return "\n".join(lines)


def main():
    options, command = parse(sys.argv[1:])
    process, terminal = start(options, command)
    said = watch(process, terminal, options["--then"]).decode(errors="replace").replace("\r\n", "\n")
    status = os.waitpid(process, 0)[1]
    sys.stdout.write(screen(said) if options["--screen"] else said)
    sys.exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))


main()
