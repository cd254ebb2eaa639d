#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# libtmap.so and libtmap-hwloc.so export tmap_* and nothing else, no name twice; the first depends only on libc and
# libm, the second also on the first and on hwloc.
command -v nm >/dev/null || { echo "no nm"; exit 77; }
for lib in .libs/libtmap.so .libs/libtmap-hwloc.so; do
    [ -f "$lib" ] || { echo "no $lib"; exit 77; }
    nm -D --defined-only "$lib" | grep -q . || { echo "nm cannot read $lib"; exit 1; }
    bad=$(nm -D --defined-only "$lib" | awk '$3 !~ /^tmap_/ { print $3 }')
    [ -z "$bad" ] || { echo "$lib exports, and should not: $bad"; exit 1; }
done
twice=$(nm -D --defined-only .libs/libtmap.so .libs/libtmap-hwloc.so | awk 'NF == 3 { print $3 }' | sort | uniq -d)
[ -z "$twice" ] || { echo "exported by both: $twice"; exit 1; }
if ldd .libs/libtmap.so 2>/dev/null | grep -q -E 'lib(asan|ubsan|tsan)'; then
    echo "sanitized: undefined symbols not looked at"
    exit 0
fi
own=$(nm -D --defined-only .libs/libtmap.so | awk '{ print $3 }')
for lib in .libs/libtmap.so .libs/libtmap-hwloc.so; do
    bad=$(nm -D --undefined-only "$lib" | awk '$1 != "w" && $2 !~ /@+GLIBC/ { print $2 }')
    if [ "$lib" = .libs/libtmap-hwloc.so ]; then
        bad=$(echo "$bad" | grep -v -x -F "$own" | grep -v '^hwloc_')
    fi
    [ -z "$bad" ] || { echo "$lib needs from somewhere else: $bad"; exit 1; }
    bad=$(nm -D --undefined-only "$lib" | awk '{ sub(/@.*/, "", $2); print $2 }' |
        grep -x -E '_?exit|abort|printf|puts|putchar|perror|getenv|secure_getenv|setlocale|qsort|rand|srand|time')
    [ -z "$bad" ] || { echo "$lib must not call: $bad"; exit 1; }
done
exit 0
