# SPDX-License-Identifier: BSD-3-Clause
"""What a profile says, as arrays.

`read_profile` gives a `Profile`: headers, seats, times, communicators with their rows. `Profile.traffic` adds rows up
to the directed matrix of a communicator, by metric, kind and phase. Columns are arrays of the standard library
(`array.array`), which numpy takes without copying.
"""

from __future__ import annotations

import bisect
from array import array
from dataclasses import dataclass, field
from typing import Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple

KINDS = ("p2p", "coll", "osc")
METRICS = ("size", "msg", "avg")
MOST = 2**64 - 1  # sums stop here, as those of the command do


class ProfileError(ValueError):
    """A file that is not a complete profile. One line: file, line number, reason."""


class Seat(NamedTuple):
    """Where a rank ran when the profile was recorded: numbers inside the host, -1 where there is none."""

    host: str
    package: int
    numa: int
    l3: int
    l2: int
    core: int
    pu: int


class RankTime(NamedTuple):
    """Seconds that a rank spent in a phase, and how many of them in MPI functions."""

    rank: int
    phase: int
    in_mpi: float
    all: float


class CallTime(NamedTuple):
    """The calls of all ranks of a kind of MPI function (p2p, wait, osc, file, other, or a collective as allreduce).

    `mean` and `most` are the seconds of a rank in them.
    """

    kind: str
    calls: int
    mean: float
    most: float


@dataclass(repr=False)
class Rows:
    """The rows of a kind of traffic in a phase, as columns of equal length, ascending by source and target.

    `sizes` has the rows, by index, whose messages are of several sizes (a power of two and less than the next):
    messages and bytes of each size, ascending. Those of other rows are all of one.
    """

    kind: str
    phase: int
    source: array = field(default_factory=lambda: array("i"))
    target: array = field(default_factory=lambda: array("i"))
    messages: array = field(default_factory=lambda: array("Q"))
    bytes: array = field(default_factory=lambda: array("Q"))
    sizes: Dict[int, List[Tuple[int, int]]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<reseat.Rows: {self.kind}, phase {self.phase}, {len(self)} pairs>"

    def __len__(self) -> int:
        return len(self.source)

    def __iter__(self) -> Iterator[Tuple[int, int, int, int]]:
        """Source, target, messages and bytes of each row."""
        return zip(self.source, self.target, self.messages, self.bytes)


@dataclass(repr=False)
class Communicator:
    """A domain of the profile: MPI_COMM_WORLD, or a communicator with a topology, and what was sent in it.

    `members` are the ranks in the parent communicator as ranges, in the order of this communicator's ranks.
    """

    number: int
    function: str
    parent: Optional[int]
    size: int
    first: int
    ordinal: int
    members: Sequence[range]
    rows: List[Rows] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._begins = [0]
        for piece in self.members:
            self._begins.append(self._begins[-1] + len(piece))

    def __repr__(self) -> str:
        return f"<reseat.Communicator {self.number}: {self.function}, {self.size} ranks>"

    def rank_in_parent(self, rank: int) -> int:
        """The rank, in the parent communicator, of a rank of this one. Raises IndexError if there is none."""
        if not 0 <= rank < self.size:
            raise IndexError(f"no rank {rank} in a communicator of {self.size}")
        at = bisect.bisect_right(self._begins, rank) - 1
        return self.members[at][rank - self._begins[at]]


class Traffic:
    """What ranks send to each other, directed: an entry for each pair of ranks that does.

    `source`, `target` and `weight` are columns of equal length, ascending by source and target.
    """

    def __init__(self, ranks: int, weights: Dict[Tuple[int, int], int]) -> None:
        pairs = sorted(weights)
        self.ranks = ranks
        self.source = array("i", (pair[0] for pair in pairs))
        self.target = array("i", (pair[1] for pair in pairs))
        self.weight = array("Q", (weights[pair] for pair in pairs))

    def __repr__(self) -> str:
        return f"<reseat.Traffic: {self.ranks} ranks, {len(self)} pairs, {self.total()} in all>"

    def _repr_html_(self) -> str:
        """In a notebook: the map of reseat.heatmap."""
        from reseat.heatmap import to_svg
        return to_svg(self, unit="")

    def __len__(self) -> int:
        return len(self.source)

    def __iter__(self) -> Iterator[Tuple[int, int, int]]:
        """Source, target and weight of each pair."""
        return zip(self.source, self.target, self.weight)

    def total(self) -> int:
        """The sum of all weights."""
        return sum(self.weight)

    def to_lists(self) -> List[List[int]]:
        """The full matrix: a list of rows, each with a number for every rank."""
        table = [[0] * self.ranks for _ in range(self.ranks)]
        for source, target, weight in self:
            table[source][target] = weight
        return table

    def to_numpy(self):
        """The full matrix as an array of numpy (uint64). Needs numpy."""
        numpy = _need("numpy", "Traffic.to_numpy")
        table = numpy.zeros((self.ranks, self.ranks), dtype=numpy.uint64)
        table[numpy.asarray(self.source), numpy.asarray(self.target)] = numpy.asarray(self.weight)
        return table


@dataclass(repr=False)
class Profile:
    """A recorded run.

    `headers` are the pairs of key and value in the order of the file; a key can be there several times (`not_seen`).
    Values can hold anything that a command line can, control characters too: escape them before showing them.
    Bytes that are not UTF-8 are surrogates, as in `os.fsdecode`.
    """

    path: str
    ranks: int
    headers: List[Tuple[str, str]]
    seats: List[Seat]  # of all ranks, or none
    seconds: Optional[float]  # from MPI_Init to MPI_Finalize, if the profile knows
    times: List[RankTime]  # ascending by rank and phase, of all ranks, or none
    communicators: List[Communicator]  # the first is the world
    calls: List[CallTime] = field(default_factory=list)  # times by kind of call, in all phases, or none
    sampling_error: Optional[float] = None  # largest standard error of a rank's seconds in MPI, if they were sampled

    def __repr__(self) -> str:
        size = sum(sum(rows.bytes) for _, rows in self.rows())
        return f"<reseat.Profile {self.path!r}: {self.ranks} ranks, {size} bytes>"

    def _repr_html_(self) -> str:
        """In a notebook: what ran, and who sent how much to whom."""
        from html import escape
        from reseat.heatmap import to_svg
        program = self.header("program", "not known")
        words = "".join(char if char.isprintable() else "?" for char in program)
        hosts = len({seat.host for seat in self.seats})
        where = f" on {hosts} node{'s' * (hosts != 1)}" if hosts else ""
        return (f"<p>{escape(words)}: {self.ranks} ranks{where}</p>"
                + to_svg(self.traffic(), title="bytes in launch order"))

    def header(self, key: str, default: Optional[str] = None) -> Optional[str]:
        """The value of the first header with this key."""
        return next((value for name, value in self.headers if name == key), default)

    def phases(self) -> List[int]:
        """The phases that have rows, ascending; 0 is what was sent outside all phases."""
        return sorted({rows.phase for one in self.communicators for rows in one.rows if len(rows)})

    def rows(self) -> Iterator[Tuple[Communicator, Rows]]:
        """All rows, by communicator."""
        return ((one, rows) for one in self.communicators for rows in one.rows)

    def rank_in(self, communicator: int, above: int, rank: int) -> Optional[int]:
        """The rank, in communicator number `above`, of a rank of `communicator`; None if that is not below it."""
        at: Optional[int] = communicator
        while at is not None and at != above:
            rank = self.communicators[at].rank_in_parent(rank)
            at = self.communicators[at].parent
        return rank if at == above else None

    def traffic(self, metric: str = "size", *, kinds: Iterable[str] = KINDS, phase: Optional[int] = None,
                communicator: int = 0, below: bool = True, directed: bool = True) -> Traffic:
        """The traffic between the ranks of a communicator, by default the world.

        metric: "size" (bytes), "msg" (messages) or "avg" (bytes per message).
        kinds: which of "p2p", "coll" (collectives) and "osc" (one-sided).
        phase: only this one; None: all together.
        below: also what was sent in the communicators that were derived from this one.
        directed: False: both directions of a pair are one entry, from the smaller rank to the larger. The average is
        then that of both together, which is what `reseat map --metric avg` maps; other metrics map the same either way.
        """
        kinds = (kinds,) if isinstance(kinds, str) else tuple(kinds)
        if metric not in METRICS:
            raise ValueError(f"there is no metric {metric!r}: size, msg or avg")
        for kind in kinds:
            if kind not in KINDS:
                raise ValueError(f"there is no kind {kind!r}: p2p, coll or osc")
        if not 0 <= communicator < len(self.communicators):
            raise IndexError(f"no communicator {communicator} in a profile of {len(self.communicators)}")
        ranks_above = _RanksAbove(self.communicators, communicator)
        sums: Dict[Tuple[int, int], Tuple[int, int]] = {}
        for number in ranks_above.numbers if below else [communicator]:
            for rows in self.communicators[number].rows:
                if rows.kind in kinds and phase in (None, rows.phase):
                    _add_rows(sums, rows, ranks_above.of(number, set(rows.source).union(rows.target)))
        if not directed:
            sums = _join_directions(sums)
        weights = {pair: _weigh(min(messages, MOST), min(size, MOST), metric)
                   for pair, (messages, size) in sums.items()}
        return Traffic(self.communicators[communicator].size, weights)

    def message_sizes(self, kinds: Iterable[str] = KINDS) -> Optional[Dict[int, Tuple[int, int]]]:
        """Messages and bytes by size: under 1024 those of 1024 to 2047 bytes, under 0 the empty ones; ascending.

        None: the profile has only the mean size of each pair.
        """
        if self.header("sizes") is None:
            return None
        kinds = (kinds,) if isinstance(kinds, str) else tuple(kinds)
        sums: Dict[int, Tuple[int, int]] = {}
        for _, rows in self.rows():
            for at, (_, _, messages, size) in enumerate(rows if rows.kind in kinds else ()):
                for part in rows.sizes.get(at, [(messages, size)]):
                    least = 1 << (part[1] // part[0]).bit_length() >> 1
                    before = sums.get(least, (0, 0))
                    sums[least] = (before[0] + part[0], before[1] + part[1])
        return dict(sorted(sums.items()))

    def to_pandas(self):
        """All rows as a table of pandas: communicator, kind, phase, source, target, messages, bytes. Needs pandas."""
        pandas = _need("pandas", "Profile.to_pandas")
        columns: Dict[str, list] = {name: [] for name in ("communicator", "kind", "phase", "source", "target",
                                                          "messages", "bytes")}
        for one, rows in self.rows():
            columns["communicator"].extend([one.number] * len(rows))
            columns["kind"].extend([rows.kind] * len(rows))
            columns["phase"].extend([rows.phase] * len(rows))
            for name in ("source", "target", "messages", "bytes"):
                columns[name].extend(getattr(rows, name))
        return pandas.DataFrame(columns)


def read_profile(path) -> Profile:
    """Read a profile (a path as `open` takes it).

    Raises OSError if the file cannot be read, and ProfileError, with one line, if it is not a profile, torn, or
    inconsistent: whatever `reseat report` refuses.
    """
    from reseat._reader import read
    return read(path)


class _RanksAbove:
    """The ranks, in communicator number `above`, of the ranks of all communicators below it.

    A rank is translated from a communicator to its parent once, for all that were derived from that communicator, and
    not at all where both have the same numbers. So a long chain of communicators costs no more than its members.
    """

    def __init__(self, communicators: Sequence[Communicator], above: int) -> None:
        self._communicators = communicators
        self._above = above
        self._same_as = {above: above}  # the topmost communicator with the same numbers
        self._known: Dict[int, Dict[int, int]] = {}
        for one in communicators[above + 1:]:
            if one.parent in self._same_as:
                keeps_numbers = len(one.members) == 1 and one.members[0].start == 0
                self._same_as[one.number] = self._same_as[one.parent] if keeps_numbers else one.number
        self.numbers = list(self._same_as)  # of `above` and all below it

    def of(self, number: int, ranks: Iterable[int]) -> Dict[int, int]:
        """By rank of communicator `number`: the rank of `above`."""
        return {rank: self._rank(self._same_as[number], rank) for rank in ranks}

    def _rank(self, number: int, rank: int) -> int:
        passed: List[Tuple[int, int]] = []
        while number != self._above and rank not in self._known.setdefault(number, {}):
            passed.append((number, rank))
            rank = self._communicators[number].rank_in_parent(rank)
            number = self._same_as[self._communicators[number].parent]
        if number != self._above:
            rank = self._known[number][rank]
        for below, rank_below in passed:
            self._known[below][rank_below] = rank
        return rank


def _add_rows(sums: Dict[Tuple[int, int], Tuple[int, int]], rows: Rows, rank_above: Dict[int, int]) -> None:
    """Add rows to the sums of messages and bytes by pair of ranks."""
    for source, target, messages, size in rows:
        pair = rank_above[source], rank_above[target]
        before = sums.get(pair, (0, 0))
        sums[pair] = before[0] + messages, before[1] + size


def _join_directions(sums: Dict[Tuple[int, int], Tuple[int, int]]) -> Dict[Tuple[int, int], Tuple[int, int]]:
    joined: Dict[Tuple[int, int], Tuple[int, int]] = {}
    for (source, target), (messages, size) in sums.items():
        pair = min(source, target), max(source, target)
        before = joined.get(pair, (0, 0))
        joined[pair] = before[0] + messages, before[1] + size
    return joined


def _weigh(messages: int, size: int, metric: str) -> int:
    """A pair's weight; the average is rounded to the nearest, and at least 1 where there are bytes."""
    if metric == "msg":
        return messages
    if metric == "size":
        return size
    whole, rest = divmod(size, messages)
    return max(whole + (rest >= messages - messages // 2), 1 if size else 0)


def _need(module: str, user: str):
    """Import a module that is not always there."""
    from importlib import import_module
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(f"{user} needs {module}: install python3-{module} (Debian) or pip install {module}",
                          name=module) from error
