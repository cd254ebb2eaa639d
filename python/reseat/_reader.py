# SPDX-License-Identifier: BSD-3-Clause
"""The reader of profiles, line by line (doc/design/0002-profile-format.md has the grammar).

It trusts nothing: each number is checked against what was declared before, and memory grows with what is in the file,
not with what a line promises. A line is divided into no more pieces than it may have: they take many times its size.
"""

from __future__ import annotations

import codecs
import ipaddress
import os
import re
from typing import BinaryIO, List, Optional, Tuple

from reseat.profile import KINDS, MOST, CallTime, Communicator, Profile, ProfileError, RankTime, Rows, Seat

MOST_RANKS = 1 << 24
MOST_INT = 2**31 - 1
MOST_REMARKS = 1 << 16
MOST_SECONDS = 10**9
MOST_CALL_KINDS = 64
MESSAGE_SIZES = 64
PHASES = 64
LONGEST_FIRST = 4096
LONGEST = 1 << 28
LONGEST_FUNCTION = 63
LONGEST_HOST = 255

CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\udc80-\udc9f]")
ESCAPE = re.compile(rb"\\x([0-9a-f]{2})")
DOMAIN = re.compile(r"([0-9]+) function=([^ ]+) parent=(-|[0-9]+) size=([0-9]+) first=([0-9]+) ordinal=([0-9]+)"
                    r" members=(.*)", re.DOTALL)
PART = re.compile(r"(p2p|coll|osc)(?: phase=(.*))?", re.DOTALL)
SECONDS = re.compile(r"([0-9]+)(?:\.([0-9]{1,6}))?")
CALL_KIND = re.compile(r"[a-z0-9_]{1,31}")
HOST = re.compile(r"[A-Za-z0-9_](?:-*[A-Za-z0-9_])*(?:\.[A-Za-z0-9_](?:-*[A-Za-z0-9_])*)*\.?")


def read(path) -> Profile:
    """See `reseat.read_profile`."""
    with open(path, "rb") as file:
        return _Reader(file, os.fsdecode(path) if not isinstance(path, int) else str(path)).read()


class _Reader:
    def __init__(self, file: BinaryIO, path: str) -> None:
        self.file = file
        self.path = path
        self.number = 0
        self.ranks = 0
        self.headers: List[Tuple[str, str]] = []
        self.remarks = 0
        self.seats: List[Seat] = []
        self.microseconds = 0
        self.times: List[Tuple[int, int, int, int]] = []  # rank, phase, microseconds in MPI and in all
        self.rank_time = 0
        self.error_of_times: Optional[int] = None
        self.calls: List[CallTime] = []
        self.communicators: List[Communicator] = []
        self.part: Optional[Rows] = None
        self.is_after_row = False  # which may have sizes
        self.count = 0
        self.ended = False

    # ---- the file ----

    def read(self) -> Profile:
        first = self.next_line(LONGEST_FIRST)
        if first is None:
            raise ProfileError(f"{_shown(self.path)}: is empty")
        if first.startswith(codecs.BOM_UTF8):
            first = first[len(codecs.BOM_UTF8):]
        if first != b"# reseat profile 1":
            raise self.error("written by a newer reseat: this one reads profiles of format 1"
                             if first.startswith(b"# reseat profile") else "not a reseat profile")
        line = self.next_line(LONGEST)
        while line is not None:
            if self.ended:
                raise self.error("something after the end")
            if line.startswith(b"# "):
                self.read_comment(line[2:])
            else:
                self.read_row(line)
            line = self.next_line(LONGEST)
        self.check_whole()
        return Profile(self.path, self.ranks, self.headers, self.seats,
                       self.microseconds / 1e6 if self.microseconds else None,
                       [RankTime(rank, phase, in_mpi / 1e6, all_ / 1e6) for rank, phase, in_mpi, all_ in self.times],
                       self.communicators, self.calls,
                       None if self.error_of_times is None else self.error_of_times / 1e6)

    def check_whole(self) -> None:
        if not self.ended:
            raise self.error("torn: the end is missing")
        if not self.communicators:
            raise self.error("no communicator")
        if self.seats and len(self.seats) != self.ranks:
            raise self.error("not every rank has a seat")
        if self.times and self.times[-1][0] != self.ranks - 1:
            raise self.error("not every rank has a time")

    def next_line(self, longest: int) -> Optional[bytes]:
        """The next line without its end; None: there are no more."""
        line = self.file.readline(longest + 1)
        if not line:
            return None
        self.number += 1
        if len(line) > longest:
            raise self.error(f"a line of more than {longest} bytes")
        if not line.endswith(b"\n"):
            raise self.error("torn: the last line is not complete")
        line = line[:-2] if line.endswith(b"\r\n") else line[:-1]
        bad = CONTROL.search(_text(line))
        if bad:
            raise self.error(f"a control character (0x{ord(bad.group()) & 0xff:02x})")
        return line

    def error(self, reason: str) -> ProfileError:
        return ProfileError(f"{_shown(self.path)}:{self.number}: {reason}")

    def integer(self, text, reason: str, most: int = MOST_INT) -> int:
        """A decimal number of ASCII digits, as str or bytes."""
        if not (text.isascii() and text.isdigit()) or len(text) > 20 or int(text) > most:
            raise self.error(reason)
        return int(text)

    # ---- lines that begin with "# " ----

    def read_comment(self, line: bytes) -> None:
        text = _text(line)
        if text.startswith("sizes "):
            self.read_sizes(text[6:])
            return
        self.is_after_row = False
        part = PART.fullmatch(text)
        if text.startswith("domain "):
            self.read_domain(text[7:])
        elif text.startswith("seat: "):
            self.read_seat(text[6:])
        elif text.startswith("seconds: "):
            self.read_duration(text[9:])
        elif text.startswith("mpi_seconds: "):
            self.read_time(text[13:])
        elif text.startswith("mpi_sampled: "):
            self.read_sampled(text[13:])
        elif text.startswith("mpi_calls: "):
            self.read_calls(text[11:])
        elif part:
            self.read_part(part.group(1), part.group(2))
        elif text.startswith("end "):
            if self.integer(text[4:], "another number of rows than promised", MOST) != self.count:
                raise self.error("another number of rows than promised")
            self.ended = True
        else:
            self.read_header(line)

    def read_header(self, line: bytes) -> None:
        self.remarks += 1
        if self.remarks > MOST_REMARKS:
            raise self.error("more headers and remarks than a profile can have")
        key, colon, value = line.partition(b": ")
        if not colon:
            return  # a remark
        restored = ESCAPE.sub(lambda escape: bytes([int(escape.group(1), 16)]), value)
        if b"\0" in restored:
            raise self.error("a header with an escaped NUL")
        self.headers.append((_text(key), _text(restored)))
        if key == b"ranks":
            ranks = self.integer(value, "the number of ranks cannot be read")
            if self.ranks or not ranks:
                raise self.error("the number of ranks cannot be read")
            if ranks > MOST_RANKS:
                raise self.error("more ranks than a profile can have")
            self.ranks = ranks

    def read_seat(self, text: str) -> None:
        words = text.split(" ", 8)
        if len(words) != 8:
            raise self.error("a seat that cannot be read")
        rank = self.integer(words[0], "a seat of no rank")
        if rank >= self.ranks:
            raise self.error("a seat of no rank")
        if rank != len(self.seats):
            raise self.error("seats are not in the order of the ranks")
        if not _is_host(words[1]):
            raise self.error(f"'{_shown(words[1][:100])}' is not a host name")
        place = [-1 if word == "-1" else self.integer(word, "a seat that cannot be read") for word in words[2:]]
        self.seats.append(Seat(words[1], *place))

    def read_seconds(self, text: str, reason: str) -> int:
        """Microseconds, from seconds with up to six decimals."""
        found = SECONDS.fullmatch(text)
        if not found:
            raise self.error(reason)
        whole = self.integer(found.group(1), reason, MOST_SECONDS)
        return whole * 10**6 + int((found.group(2) or "").ljust(6, "0"))

    def read_duration(self, text: str) -> None:
        if self.microseconds:
            raise self.error("the seconds of the job twice")
        self.microseconds = self.read_seconds(text, "the seconds of the job cannot be read")
        if not self.microseconds:
            raise self.error("the seconds of the job cannot be read")

    def read_time(self, text: str) -> None:
        reason = "a time that cannot be read"
        words = text.split(" ", 4)
        if len(words) != 4:
            raise self.error(reason)
        rank, phase = self.integer(words[0], reason), self.integer(words[1], reason, PHASES - 1)
        in_mpi, whole = self.read_seconds(words[2], reason), self.read_seconds(words[3], reason)
        last = self.times[-1] if self.times else (-1, 0)
        if not self.microseconds:
            raise self.error("a time before the seconds of the job")
        if rank >= self.ranks:
            raise self.error("a time of no rank")
        if phase <= last[1] if rank == last[0] else rank != last[0] + 1:
            raise self.error("times are not in the order of ranks and phases")
        if in_mpi > whole:
            raise self.error("a rank is longer in MPI than in the program")
        self.rank_time = whole + (self.rank_time if rank == last[0] else 0)
        if self.rank_time > self.microseconds:
            raise self.error("a rank takes longer than the job")
        self.times.append((rank, phase, in_mpi, whole))

    def read_sampled(self, text: str) -> None:
        if self.error_of_times is not None:
            raise self.error("the error of times twice")
        if not self.times:
            raise self.error("the error of times before them")
        self.error_of_times = self.read_seconds(text, "the error of times cannot be read")

    def read_calls(self, text: str) -> None:
        reason = "times of calls that cannot be read"
        words = text.split(" ", 4)
        if not self.times:
            raise self.error("times of calls before those of ranks")
        if len(words) != 4 or not CALL_KIND.fullmatch(words[0]):
            raise self.error(reason)
        calls = self.integer(words[1], reason, MOST)
        mean, most = self.read_seconds(words[2], reason), self.read_seconds(words[3], reason)
        if mean > most:
            raise self.error("a rank is longer in calls than the one that is longest")
        if any(one.kind == words[0] for one in self.calls):
            raise self.error("a kind of calls twice")
        if len(self.calls) == MOST_CALL_KINDS:
            raise self.error("more kinds of calls than a profile can have")
        self.calls.append(CallTime(words[0], calls, mean / 1e6, most / 1e6))

    # ---- communicators ----

    def read_domain(self, text: str) -> None:
        reason = "a communicator that cannot be read"
        found = DOMAIN.fullmatch(text)
        if not found or len(found.group(2)) > LONGEST_FUNCTION:
            raise self.error(reason)
        number, size, first, ordinal = (self.integer(found.group(at), reason) for at in (1, 4, 5, 6))
        parent = None if found.group(3) == "-" else self.integer(found.group(3), reason)
        if number != len(self.communicators):
            raise self.error("communicators are not numbered in order")
        if size < 1:
            raise self.error(reason)
        if (parent is None) != (number == 0) or (parent is not None and parent >= number):
            raise self.error("a communicator's parent has to come before it")
        if number == 0 and size != self.ranks:
            raise self.error("the first communicator is not the world of all ranks")
        most = size if parent is None else self.communicators[parent].size
        if size > most:
            raise self.error("a communicator larger than its parent")
        members = self.read_members(found.group(7), number, size, first, most)
        self.communicators.append(Communicator(number, found.group(2), parent, size, first, ordinal, members))
        self.part = None

    def read_members(self, text: str, number: int, size: int, first: int, most: int) -> List[range]:
        if text == "all":
            if size != most:
                raise self.error("only a communicator of its parent's size has all members")
            return [range(size)]
        if number == 0:
            raise self.error("the world's members are all")
        ranges, left = [], size
        for word in text.split(",", size):
            if left <= 0:
                raise self.error("more members than the size")
            low_text, dash, high_text = word.partition("-")
            low = self.integer(low_text, "members cannot be read")
            high = self.integer(high_text, "members cannot be read") if dash else low
            if high < low or high >= most:
                raise self.error("members outside the parent communicator")
            left -= high - low + 1
            ranges.append(range(low, high + 1))
        if left:
            raise self.error(f"{'fewer' if left > 0 else 'more'} members than the size")
        if ranges[0][0] != first:
            raise self.error("the first member is another one")
        by_start = sorted(ranges, key=lambda piece: piece.start)
        if any(after.start < before.stop for before, after in zip(by_start, by_start[1:])):
            raise self.error("a member twice")
        return ranges

    # ---- rows ----

    def read_part(self, kind: str, phase_text: Optional[str]) -> None:
        phase = 0
        if phase_text is not None:
            phase = self.integer(phase_text, "a phase that cannot be read", PHASES - 1)
            if not phase:
                raise self.error("a phase that cannot be read")
        last = self.part  # a part without rows is false
        before = (-1, -1) if last is None else (last.phase, KINDS.index(last.kind))
        if not self.communicators or (phase, KINDS.index(kind)) <= before:
            raise self.error("a part out of order")
        self.part = Rows(kind, phase)
        self.communicators[-1].rows.append(self.part)

    def read_row(self, line: bytes) -> None:
        if self.part is None:
            raise self.error("a row outside a communicator")
        words = line.split(b"\t", 5)
        if len(words) != 5:
            raise self.error("a row that cannot be read")
        whole, point, tenths = words[4].partition(b".")
        reason, rows = "a row that cannot be read", self.part
        source, target = self.integer(words[0], reason), self.integer(words[1], reason)
        messages, size = self.integer(words[2], reason, MOST), self.integer(words[3], reason, MOST)
        average = self.integer(whole, reason, MOST)
        if point:
            self.integer(tenths, reason, MOST)
        most = self.communicators[-1].size
        if source >= most or target >= most:
            raise self.error("a role outside the communicator")
        if not messages or average != size // messages:
            raise self.error("messages, bytes and average do not fit together")
        if len(rows) and (source, target) <= (rows.source[-1], rows.target[-1]):
            raise self.error("rows are not in order")
        rows.source.append(source)
        rows.target.append(target)
        rows.messages.append(messages)
        rows.bytes.append(size)
        self.count += 1
        self.is_after_row = True

    def read_sizes(self, text: str) -> None:
        """The messages of the row before, by size."""
        if not self.is_after_row:
            raise self.error("sizes without a row")
        self.is_after_row = False
        rows, parts, last = self.part, [], -1
        messages_left, bytes_left = rows.messages[-1], rows.bytes[-1]
        for word in text.split(", ", MESSAGE_SIZES + 1):
            reason = "sizes that cannot be read"
            messages, blank, size = word.partition(" ")
            part = (self.integer(messages, reason, MOST), self.integer(size, reason, MOST))
            if not part[0] or part[0] > messages_left or part[1] > bytes_left:
                raise self.error("sizes that are not those of the row")
            messages_left, bytes_left = messages_left - part[0], bytes_left - part[1]
            of_size = min((part[1] // part[0]).bit_length(), MESSAGE_SIZES - 1)
            if of_size <= last:
                raise self.error("sizes are not in order")
            last = of_size
            parts.append(part)
        if messages_left or bytes_left:
            raise self.error("sizes that are not those of the row")
        rows.sizes[len(rows) - 1] = parts


def _text(line: bytes) -> str:
    return line.decode("utf-8", "surrogateescape")


def _shown(text: str) -> str:
    """A text without control characters, so that an error is one line that a terminal can show."""
    return CONTROL.sub(lambda bad: f"\\x{ord(bad.group()) & 0xff:02x}", text.replace("\t", "\\x09"))


def _is_host(name: str) -> bool:
    if len(name) > LONGEST_HOST:
        return False
    if ":" in name and "%" not in name:
        try:
            ipaddress.IPv6Address(name)
            return True
        except ValueError:
            return False
    return HOST.fullmatch(name) is not None
