# SPDX-License-Identifier: BSD-3-Clause
"""libtmap as ctypes sees it: where the libraries are, structs and prototypes of tmap.h and tmap-hwloc.h."""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import shutil
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_ubyte, c_uint64, \
    c_void_p
from pathlib import Path
from typing import Iterator, List

SONAME_NUMBER = 2  # of libtmap.so.N: newer libraries with the same number work
MAX_LEVELS = 32
NAME_SIZE = 32


class TmapError(Exception):
    """What libtmap refused, in one line; `status` is the number of tmap_status."""

    def __init__(self, text: str, status: int = 0) -> None:
        super().__init__(text)
        self.status = status


class TmapValueError(TmapError, ValueError):
    """An argument that is out of range, or a text that cannot be understood."""


class LibraryNotFound(TmapError, ImportError):
    """libtmap, or the part of it that reads hardware, is not installed where it is looked for."""


class Error(ctypes.Structure):
    _fields_ = [("text", c_char * 256)]


class Entry(ctypes.Structure):
    _fields_ = [("source", c_int32), ("target", c_int32), ("weight", c_uint64)]


class Level(ctypes.Structure):
    _fields_ = [("name", c_char * NAME_SIZE), ("cost", c_double), ("reserved", c_double * 3)]


class Options(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("method", c_char_p), ("effort", c_int), ("seed", c_uint64),
                ("seconds", c_double), ("pinned", POINTER(c_int32)), ("closed", POINTER(c_ubyte)),
                ("threads", c_int), ("reserved", c_int), ("objective", c_int), ("reserved_too", c_int),
                ("group_threshold", c_int32), ("buckets", c_int32)]


class Layout(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("text", c_char_p), ("closed", POINTER(c_ubyte)), ("oversubscribe", c_int),
                ("width_level", c_int), ("width", c_int32), ("reserved", c_int32)]


class Cost(ctypes.Structure):
    _fields_ = [("cost", c_double), ("hops", c_uint64), ("weight_at", c_uint64 * (MAX_LEVELS + 1)),
                ("pairs_at", c_uint64 * (MAX_LEVELS + 1)), ("reserved", c_uint64 * 8)]


# Results and parameters. The functions with the status c_int as result end with an error, which call() adds.
_HANDLE, _TEXT, _INT32S, _ERROR = c_void_p, c_char_p, POINTER(c_int32), POINTER(Error)
_PROTOTYPES = {
    "tmap_version": (c_int,),
    "tmap_status_text": (c_char_p, c_int),
    "tmap_matrix_create_directed": (c_int, POINTER(_HANDLE), c_int32, POINTER(Entry), c_size_t, _ERROR),
    "tmap_matrix_destroy": (None, _HANDLE),
    "tmap_matrix_roles": (c_int32, _HANDLE),
    "tmap_matrix_pairs": (c_size_t, _HANDLE),
    "tmap_matrix_total": (c_uint64, _HANDLE),
    "tmap_matrix_next": (c_int, _HANDLE, c_int32, POINTER(c_size_t), _INT32S, POINTER(c_uint64)),
    "tmap_tree_create_uniform": (c_int, POINTER(_HANDLE), c_int, _INT32S, POINTER(Level), _ERROR),
    "tmap_tree_create_from_paths": (c_int, POINTER(_HANDLE), c_int32, c_int, _INT32S, _INT32S, POINTER(Level), _INT32S,
                                    _ERROR),
    "tmap_tree_parse": (c_int, POINTER(_HANDLE), _TEXT, _ERROR),
    "tmap_tree_copy_with_costs": (c_int, POINTER(_HANDLE), _HANDLE, POINTER(c_double), c_int, _ERROR),
    "tmap_tree_destroy": (None, _HANDLE),
    "tmap_level_default_cost": (c_double, _TEXT),
    "tmap_tree_depth": (c_int, _HANDLE),
    "tmap_tree_slots": (c_int32, _HANDLE),
    "tmap_tree_capacity": (c_int64, _HANDLE),
    "tmap_tree_slot_capacity": (c_int32, _HANDLE, c_int32),
    "tmap_tree_objects": (c_int32, _HANDLE, c_int),
    "tmap_tree_ancestor": (c_int32, _HANDLE, c_int32, c_int),
    "tmap_tree_common_level": (c_int, _HANDLE, c_int32, c_int32),
    "tmap_tree_distance": (c_double, _HANDLE, c_int32, c_int32),
    "tmap_tree_hops": (c_int32, _HANDLE, c_int32, c_int32),
    "tmap_tree_level": (POINTER(Level), _HANDLE, c_int),
    "tmap_options_init": (None, POINTER(Options), c_size_t),
    "tmap_method_describe": (c_int, c_int, POINTER(c_char_p), POINTER(c_char_p)),
    "tmap_mapping_find": (c_int, _HANDLE, _HANDLE, POINTER(Options), _INT32S, _ERROR),
    "tmap_mapping_keep_role": (c_int, _HANDLE, _HANDLE, c_int32, c_int32, _INT32S, POINTER(c_int), _ERROR),
    "tmap_mapping_lower_congestion": (c_int, _HANDLE, _HANDLE, POINTER(Options), _INT32S, _ERROR),
    "tmap_mapping_is_valid": (c_int, _HANDLE, c_int32, _INT32S),
    "tmap_mapping_lay_out": (c_int, _HANDLE, POINTER(Layout), c_int32, _INT32S, _ERROR),
    "tmap_mapping_evaluate": (c_int, _HANDLE, _HANDLE, _INT32S, POINTER(Cost), _ERROR),
    "tmap_mapping_evaluate_levels": (c_int, _HANDLE, _HANDLE, _INT32S, POINTER(c_double), _ERROR),
    "tmap_mapping_evaluate_links": (c_int, _HANDLE, _HANDLE, _INT32S, c_int, POINTER(c_uint64), _ERROR),
}
_HARDWARE_PROTOTYPES = {
    "tmap_tree_create_from_hwloc": (c_int, POINTER(_HANDLE), _TEXT, c_int, _ERROR),
}
_ENOMEM, _EINVAL, _ESYNTAX = 1, 2, 3


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """libtmap, loaded once. Raises LibraryNotFound."""
    return _load("tmap", _PROTOTYPES)


@functools.lru_cache(maxsize=None)
def hardware_library() -> ctypes.CDLL:
    """libtmap-hwloc, loaded once, after libtmap, which it needs. Raises LibraryNotFound."""
    library()
    return _load("tmap-hwloc", _HARDWARE_PROTOTYPES)


def call(function, *arguments) -> None:
    """Call a function that returns a status and takes an error last; raise what it says."""
    error = Error()
    status = function(*arguments, byref(error))
    if status == 0:
        return
    text = error.text.decode("utf-8", "replace") or library().tmap_status_text(status).decode()
    if status == _ENOMEM:
        raise MemoryError(text)
    raise (TmapValueError if status in (_EINVAL, _ESYNTAX) else TmapError)(text, status)


def candidates(name: str) -> Iterator[str]:
    """Where a library may be: below the prefix of this module, where the loader looks, below that of the command."""
    file_name = f"lib{name}.so.{SONAME_NUMBER}"
    # PREFIX/lib/pythonX.Y/site-packages/reseat/_libtmap.py
    yield from _below(list(Path(__file__).resolve().parents)[3:5], file_name)
    yield file_name
    found = ctypes.util.find_library(name)
    if found and found.endswith(f".so.{SONAME_NUMBER}"):
        yield found
    command = shutil.which("reseat")
    if command:
        yield from _below([Path(command).resolve().parent.parent], file_name)


def _below(prefixes: List[Path], file_name: str) -> Iterator[str]:
    for prefix in prefixes:
        for pattern in ("lib*", "lib/*"):
            yield from sorted(str(path) for path in prefix.glob(f"{pattern}/{file_name}"))


def _load(name: str, prototypes) -> ctypes.CDLL:
    failed: List[str] = []
    for candidate in candidates(name):
        try:
            loaded = ctypes.CDLL(candidate)
            _declare(loaded, prototypes)
            return loaded
        except (OSError, AttributeError) as error:
            failed.append(str(error).splitlines()[0])
    raise LibraryNotFound(f"lib{name} cannot be loaded ({'; '.join(failed)}): install it in the prefix of this module "
                          "or of the command reseat in PATH, or put its folder into LD_LIBRARY_PATH")


def _declare(loaded: ctypes.CDLL, prototypes) -> None:
    for name, (result, *parameters) in prototypes.items():
        function = getattr(loaded, name)
        function.restype = result
        function.argtypes = parameters
