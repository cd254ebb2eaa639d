#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Configured with static libraries, installed to a prefix of their own: `pkg-config --static` gives all that is needed
# to link with libtmap and libtmap-hwloc, with what the examples use and with all the rest, and the programs then run
# without either.
command -v pkg-config >/dev/null || { echo "no pkg-config"; exit 77; }
. "${srcdir:-.}/tests/lib.sh"
mkdir "$work/build" && cd "$work/build" || exit 1
{
    "$src/configure" --prefix="$work/prefix" --enable-static --disable-shared --with-mpi=no --without-scotch CFLAGS=-O1 &&
        make libtmap.la libtmap-hwloc.la && make install-libLTLIBRARIES install-includeHEADERS install-pkgconfigDATA
} >"$work/log" 2>&1 || { tail -20 "$work/log"; exit 1; }
export PKG_CONFIG_PATH="$work/prefix/lib/pkgconfig"
try() # MODULE EXAMPLE LINE COMPILER...
{
    module=$1 example=$2 line=$3
    shift 3
    # shellcheck disable=SC2046
    "$@" -Wall -Werror "$src/examples/$example.c" -x none -o "$work/$example" $(pkg-config --static --cflags --libs "$module") || exit 1
    "$work/$example" "pack:2 core:2 pu:1" >"$work/out" || exit 1
    grep -qx "$line" "$work/out" || { cat "$work/out"; echo "$*: not the mapping that was expected"; exit 1; }
    # shellcheck disable=SC2046
    "$@" "$src/examples/$example.c" -x none -o "$work/all" -Wl,--whole-archive "$work/prefix/lib/lib$module.a" \
        -Wl,--no-whole-archive $(pkg-config --static --cflags --libs "$module") || exit 1
    if ldd "$work/$example" 2>/dev/null | grep tmap; then echo "$example needs a shared library"; exit 1; fi
    echo "$example: $*"
}
# shellcheck disable=SC2086
{
    try tmap map 'bytes between nodes: 30' ${CC:-cc}
    try tmap map 'bytes between nodes: 30' ${CC:-cc} -static
    command -v c++ >/dev/null && try tmap map 'bytes between nodes: 30' c++ -x c++
    printf 'int main(void) { return 0; }\n' >"$work/empty.c"
    # shellcheck disable=SC2046
    if ${CC:-cc} -o "$work/empty" "$work/empty.c" $(pkg-config --static --libs-only-l hwloc) 2>"$work/log"; then
        try tmap-hwloc here 'outermost: 10' ${CC:-cc}
        command -v c++ >/dev/null && try tmap-hwloc here 'outermost: 10' c++ -x c++
    else
        grep -o 'cannot find .*' "$work/log" | head -1
        echo "what hwloc needs is not there: tmap-hwloc was not tried"
    fi
}
exit 0
