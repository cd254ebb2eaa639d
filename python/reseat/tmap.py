# SPDX-License-Identifier: BSD-3-Clause
"""libtmap for Python: map the roles of a parallel program to the slots of a topology tree.

A *role* is the work of a rank, the index of the matrix; a *slot* is a leaf of the tree, numbered from left to right. A
mapping is a list, slot_of[role]. What the library refuses is raised as TmapError (TmapValueError for arguments and
texts) with the library's own line. The manual tmap(3) has the details of each function.
"""

from __future__ import annotations

import ctypes
import operator
from array import array
from ctypes import byref, c_char_p, c_double, c_int, c_int32, c_size_t, c_ubyte, c_uint64, c_void_p
from dataclasses import dataclass
from typing import Any, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from reseat import _libtmap
from reseat._libtmap import LibraryNotFound, TmapError, TmapValueError, call, library
from reseat.profile import Traffic

__all__ = ["Cost", "Level", "LibraryNotFound", "Matrix", "TmapError", "TmapValueError", "Tree", "default_cost",
           "evaluate", "find_mapping", "is_valid", "keep_role", "lay_out", "link_loads", "lower_congestion", "methods",
           "version"]

EFFORTS = ("fast", "default", "strong")
OBJECTIVES = ("cost", "congestion")


def version() -> Tuple[int, int, int]:
    """The version of the library that was found."""
    number = library().tmap_version()
    return number // 65536, number // 256 % 256, number % 256


def methods() -> List[Tuple[str, str]]:
    """Name and one line of help of each mapping method; the first is the default."""
    found, name, text = [], c_char_p(), c_char_p()
    while library().tmap_method_describe(len(found), byref(name), byref(text)):
        found.append((name.value.decode(), text.value.decode()))
    return found


def default_cost(name: str) -> float:
    """The default distance of two slots whose paths part below an object of this kind ("node"); -1: unknown."""
    return library().tmap_level_default_cost(name.encode())


class _Handle:
    """An object of the library, which is destroyed with this one. Read-only: threads may share it."""

    _destroy = ""

    def __init__(self, handle: c_void_p) -> None:
        self._handle = handle
        self._destroy_function = getattr(library(), self._destroy)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._destroy_function(self._handle)
            self._handle = None

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        raise TypeError(f"a {type(self).__name__} of libtmap cannot be pickled")


class Matrix(_Handle):
    """The symmetric communication matrix of `roles` roles.

    `entries` are triples of source, target and weight, directed and in any order. The weight of the pair {i, j} is the
    sum of all entries (i, j) and (j, i); those of a role with itself do not count. Loads of links follow directions.
    """

    _destroy = "tmap_matrix_destroy"

    def __init__(self, roles: int, entries: Iterable[Tuple[int, int, int]]) -> None:
        listed = list(entries)
        packed = (_libtmap.Entry * len(listed))()
        for place, (source, target, weight) in zip(packed, listed):
            place.source, place.target = _int32(source, "a role"), _int32(target, "a role")
            place.weight = _in_range(weight, 0, 2**64 - 1, "a weight")
        handle = c_void_p()
        call(library().tmap_matrix_create_directed, byref(handle), _int32(roles, "the number of roles"), packed,
             len(listed))
        super().__init__(handle)

    @classmethod
    def from_traffic(cls, traffic: Traffic) -> "Matrix":
        """The matrix of what `Profile.traffic` gave."""
        return cls(traffic.ranks, traffic)

    @property
    def roles(self) -> int:
        """The number of roles."""
        return library().tmap_matrix_roles(self._handle)

    def __len__(self) -> int:
        """The number of pairs with traffic."""
        return library().tmap_matrix_pairs(self._handle)

    def total(self) -> int:
        """The sum of the weights of all pairs, each counted once."""
        return library().tmap_matrix_total(self._handle)

    def partners(self, role: int) -> Iterator[Tuple[int, int]]:
        """The roles that a role has traffic with, ascending, and the weight of the pair."""
        if not 0 <= role < self.roles:
            raise IndexError(f"no role {role} in a matrix of {self.roles}")
        at, partner, weight = c_size_t(), c_int32(), c_uint64()
        while library().tmap_matrix_next(self._handle, role, byref(at), byref(partner), byref(weight)):
            yield partner.value, weight.value


class Level(NamedTuple):
    """A level of a tree: what kind of object sits below it, and the distance of slots whose paths part there."""

    name: str
    cost: float


class Tree(_Handle):
    """A topology tree from a text: "4 4 3 2", "node:4 package:2 core:8", "torus:4x4x4 core:8"."""

    _destroy = "tmap_tree_destroy"

    def __init__(self, text: str) -> None:
        handle = c_void_p()
        call(library().tmap_tree_parse, byref(handle), _bytes(text, "the text of a tree"))
        super().__init__(handle)

    @classmethod
    def _of(cls, handle: c_void_p) -> "Tree":
        tree = cls.__new__(cls)
        _Handle.__init__(tree, handle)
        return tree

    @classmethod
    def uniform(cls, arity: Sequence[int], levels: Optional[Sequence[Level]] = None) -> "Tree":
        """A tree in which all objects of a level have the same number of children, `arity` from the root."""
        handle = c_void_p()
        call(library().tmap_tree_create_uniform, byref(handle), len(arity), _int32s(arity, "an arity"),
             _levels(levels, len(arity)))
        return cls._of(handle)

    @classmethod
    def from_paths(cls, paths: Sequence[Sequence[int]], *, capacity: Optional[Sequence[int]] = None,
                   levels: Optional[Sequence[Level]] = None) -> Tuple["Tree", List[int]]:
        """Any tree, from the path of each leaf (which child is taken below each level); `capacity` says how many roles
        each leaf can hold. Returns the tree, and the slot of each path."""
        depth = len(paths[0]) if paths else 0
        if any(len(path) != depth for path in paths):
            raise TmapValueError("the paths of a tree are equally long")
        if capacity is not None and len(capacity) != len(paths):
            raise TmapValueError(f"{len(capacity)} capacities for {len(paths)} paths")
        handle, slot_of = c_void_p(), (c_int32 * len(paths))()
        steps = _int32s([step for path in paths for step in path], "a step of a path")
        call(library().tmap_tree_create_from_paths, byref(handle), len(paths), depth, steps,
             None if capacity is None else _int32s(capacity, "a capacity"), _levels(levels, depth), slot_of)
        return cls._of(handle), list(slot_of)

    @classmethod
    def from_hardware(cls, source: Optional[str] = None, *, cores_only: bool = False) -> "Tree":
        """The tree of this machine, of an hwloc XML file, or of a synthetic description ("pack:2 core:4 pu:2"). Slots
        are the PUs, or the cores. Needs libtmap-hwloc."""
        handle = c_void_p()
        call(_libtmap.hardware_library().tmap_tree_create_from_hwloc, byref(handle),
             None if source is None else _bytes(source, "a source"), int(cores_only))
        return cls._of(handle)

    def with_costs(self, costs: Sequence[float]) -> "Tree":
        """The same tree with other costs, one for each level, from the root."""
        handle = c_void_p()
        call(library().tmap_tree_copy_with_costs, byref(handle), self._handle, (c_double * len(costs))(*costs),
             len(costs))
        return self._of(handle)

    @property
    def depth(self) -> int:
        """The number of levels; the leaves are below the last."""
        return library().tmap_tree_depth(self._handle)

    @property
    def slots(self) -> int:
        """The number of leaves."""
        return library().tmap_tree_slots(self._handle)

    @property
    def capacity(self) -> int:
        """How many roles the whole tree can hold."""
        return library().tmap_tree_capacity(self._handle)

    def levels(self) -> List[Level]:
        """The levels, from the root."""
        found = (library().tmap_tree_level(self._handle, level).contents for level in range(self.depth))
        return [Level(one.name.decode("utf-8", "replace"), one.cost) for one in found]

    def objects(self, level: int) -> int:
        """How many objects a level has: 1 at level 0, `slots` at level `depth`."""
        return library().tmap_tree_objects(self._handle, _in_range(level, 0, self.depth, "the level"))

    def slot_capacity(self, slot: int) -> int:
        """How many roles a slot can hold."""
        return library().tmap_tree_slot_capacity(self._handle, self._slot(slot))

    def ancestor(self, slot: int, level: int) -> int:
        """The index, within its level, of the object of `level` that a slot is below."""
        level = _in_range(level, 0, self.depth, "the level")
        return library().tmap_tree_ancestor(self._handle, self._slot(slot), level)

    def common_level(self, a: int, b: int) -> int:
        """The level of the lowest common ancestor of two slots; `depth` when they are the same."""
        return library().tmap_tree_common_level(self._handle, self._slot(a), self._slot(b))

    def distance(self, a: int, b: int) -> float:
        """The distance of two slots; 0 when they are the same."""
        return library().tmap_tree_distance(self._handle, self._slot(a), self._slot(b))

    def hops(self, a: int, b: int) -> int:
        """How many links there are on the path between two slots."""
        return library().tmap_tree_hops(self._handle, self._slot(a), self._slot(b))

    def distances(self) -> List[array]:
        """The distances of all slots from each other, a row for each slot. Time and memory grow with the square."""
        function, handle, slots = library().tmap_tree_distance, self._handle, range(self.slots)
        return [array("d", (function(handle, a, b) for b in slots)) for a in slots]

    def _slot(self, slot: int) -> int:
        return _in_range(slot, 0, self.slots - 1, "the slot")


@dataclass(frozen=True)
class Cost:
    """What a mapping costs. Lists are by level of the tree, from the root; those of weights and pairs have one more
    entry at the end, for roles on the same slot."""

    cost: float  # sum over pairs of weight x distance
    hops: int  # sum over pairs of weight x hops
    weight_at: List[int]  # weight of the pairs whose paths part at the level
    pairs_at: List[int]  # how many these are
    cost_at: List[float]  # the part of the level in the cost


def find_mapping(matrix: Matrix, tree: Tree, *, method: Optional[str] = None, effort: str = "default", seed: int = 0,
                 seconds: float = 0, pinned: Optional[Sequence[int]] = None, closed: Optional[Sequence[bool]] = None,
                 threads: int = 0, objective: str = "cost", group_threshold: int = 0,
                 buckets: int = 0) -> List[int]:
    """Map the roles of a matrix to the slots of a tree: slot_of[role].

    method: a name of `methods()`. effort: "fast", "default" or "strong". seconds: how long the method "best" goes on.
    pinned: by role, the slot where it must be, -1: any. closed: by slot, whether it takes no role. threads: how many
    may be used, which never changes the mapping. objective: "cost", or "congestion" for a low load of the busiest link.
    group_threshold, buckets: what the paper of the method "treematch" leaves to the user; 0: the default.
    """
    options = _options(matrix, tree, effort, pinned, closed)
    options.method = None if method is None else _bytes(method, "the name of a method")
    options.seed = _in_range(seed, 0, 2**64 - 1, "the seed")
    options.seconds = seconds
    options.threads = _int32(threads, "the number of threads")
    options.objective = _choice(objective, OBJECTIVES, "objective")
    options.group_threshold = _int32(group_threshold, "the threshold of groups")
    options.buckets = _int32(buckets, "the number of buckets")
    slot_of = (c_int32 * matrix.roles)()
    call(library().tmap_mapping_find, matrix._handle, tree._handle, byref(options), slot_of)
    return list(slot_of)


def lay_out(tree: Tree, layout: str, roles: int, *, closed: Optional[Sequence[bool]] = None,
            oversubscribe: bool = False, width_level: int = 0, width: int = 0) -> List[int]:
    """A regular mapping by letters, slot_of[role]: "cn" changes the core from role to role, then the node.

    The manual tmap(3) explains letters, lists and widths. Oversubscribed mappings are not valid for other functions.
    """
    roles = _in_range(roles, 0, 2**31 - 1, "the number of roles")
    description = _libtmap.Layout(ctypes.sizeof(_libtmap.Layout), _bytes(layout, "a layout"), _closed(closed, tree),
                                  int(oversubscribe), _int32(width_level, "the level"), _int32(width, "the width"))
    slot_of = (c_int32 * roles)()
    call(library().tmap_mapping_lay_out, tree._handle, byref(description), roles, slot_of)
    return list(slot_of)


def evaluate(matrix: Matrix, tree: Tree, slot_of: Sequence[int]) -> Cost:
    """What a mapping costs. Raises TmapValueError if it is not valid."""
    mapping, cost, cost_at = _mapping(matrix, slot_of), _libtmap.Cost(), (c_double * tree.depth)()
    call(library().tmap_mapping_evaluate, matrix._handle, tree._handle, mapping, byref(cost))
    call(library().tmap_mapping_evaluate_levels, matrix._handle, tree._handle, mapping, cost_at)
    levels = tree.depth + 1
    return Cost(cost.cost, cost.hops, cost.weight_at[:levels], cost.pairs_at[:levels], list(cost_at))


def is_valid(tree: Tree, slot_of: Sequence[int]) -> bool:
    """Whether a mapping puts each role on a slot that exists, and on none more than it can hold."""
    mapping = _int32s(slot_of, "a slot")
    return bool(library().tmap_mapping_is_valid(tree._handle, len(mapping), mapping))


def link_loads(matrix: Matrix, tree: Tree, slot_of: Sequence[int], level: int = 1) -> List[int]:
    """For each object of a level (1 .. depth), what the roles below it exchange with those elsewhere."""
    level = _in_range(level, 1, tree.depth, "the level")
    outside = (c_uint64 * tree.objects(level))()
    call(library().tmap_mapping_evaluate_links, matrix._handle, tree._handle, _mapping(matrix, slot_of), level,
         outside)
    return list(outside)


def keep_role(matrix: Matrix, tree: Tree, slot_of: Sequence[int], role: int, slot: int) -> Tuple[List[int], bool]:
    """A mapping that costs no more and has the role on the slot, where there is one; and whether it is there."""
    mapping, kept = _mapping(matrix, slot_of), c_int()
    call(library().tmap_mapping_keep_role, matrix._handle, tree._handle, _int32(role, "the role"),
         _int32(slot, "the slot"), mapping, byref(kept))
    return list(mapping), bool(kept.value)


def lower_congestion(matrix: Matrix, tree: Tree, slot_of: Sequence[int], *, effort: str = "default",
                     pinned: Optional[Sequence[int]] = None, closed: Optional[Sequence[bool]] = None) -> List[int]:
    """A mapping that has less on its busiest link, at a cost that is higher by 2 % at most."""
    mapping, options = _mapping(matrix, slot_of), _options(matrix, tree, effort, pinned, closed)
    call(library().tmap_mapping_lower_congestion, matrix._handle, tree._handle, byref(options), mapping)
    return list(mapping)


# ---- what the library is given ----

def _options(matrix: Matrix, tree: Tree, effort: str, pinned: Optional[Sequence[int]],
             closed: Optional[Sequence[bool]]) -> _libtmap.Options:
    options = _libtmap.Options()
    library().tmap_options_init(byref(options), ctypes.sizeof(options))
    options.effort = _choice(effort, EFFORTS, "effort")
    if pinned is not None:
        if len(pinned) != matrix.roles:
            raise TmapValueError(f"{len(pinned)} pinned slots for {matrix.roles} roles")
        options.pinned = _int32s(pinned, "a slot")
    options.closed = _closed(closed, tree)
    return options


def _closed(closed: Optional[Sequence[bool]], tree: Tree) -> Any:
    if closed is None:
        return None
    if len(closed) != tree.slots:
        raise TmapValueError(f"{len(closed)} entries of closed for {tree.slots} slots")
    return (c_ubyte * len(closed))(*(1 if one else 0 for one in closed))


def _mapping(matrix: Matrix, slot_of: Sequence[int]) -> Any:
    if len(slot_of) != matrix.roles:
        raise TmapValueError(f"a mapping of {len(slot_of)} roles for a matrix of {matrix.roles}")
    return _int32s(slot_of, "a slot")


def _levels(levels: Optional[Sequence[Level]], depth: int) -> Any:
    if levels is None:
        return None
    if len(levels) != depth:
        raise TmapValueError(f"{len(levels)} levels for a tree of depth {depth}")
    packed = (_libtmap.Level * depth)()
    for place, (name, cost) in zip(packed, levels):
        place.name = _bytes(name, "the name of a level")[:_libtmap.NAME_SIZE - 1]
        place.cost = cost
    return packed


def _bytes(text: str, what: str) -> bytes:
    """A text for the library, which would stop at a NUL."""
    if "\0" in text:
        raise TmapValueError(f"{what} with a NUL")
    return text.encode("utf-8", "surrogateescape")


def _in_range(number: Any, least: int, most: int, what: str) -> int:
    """A whole number, also of numpy; ctypes would cut off what is too large."""
    value = operator.index(number)
    if not least <= value <= most:
        raise TmapValueError(f"{what} is {value}, not {least} .. {most}")
    return value


def _int32(number: Any, what: str) -> int:
    return _in_range(number, -2**31, 2**31 - 1, what)


def _int32s(numbers: Sequence[int], what: str) -> Any:
    return (c_int32 * len(numbers))(*(_int32(number, what) for number in numbers))


def _choice(word: str, words: Sequence[str], what: str) -> int:
    if word not in words:
        raise TmapValueError(f"there is no {what} {word!r}: {', '.join(words)}")
    return words.index(word)
