#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# libtmap.so exports tmap_* and nothing else, and needs nothing but libc and libm.
lib=.libs/libtmap.so
[ -f "$lib" ] || { echo "no $lib"; exit 77; }
command -v nm >/dev/null || { echo "no nm"; exit 77; }
nm -D --defined-only "$lib" | grep -q . || { echo "nm cannot read $lib"; exit 1; }
bad=$(nm -D --defined-only "$lib" | awk '$3 !~ /^tmap_/ { print $3 }')
[ -z "$bad" ] || { echo "exported, and should not be: $bad"; exit 1; }
if ldd "$lib" 2>/dev/null | grep -q -E 'lib(asan|ubsan|tsan)'; then
    echo "sanitized: undefined symbols not looked at"
    exit 0
fi
bad=$(nm -D --undefined-only "$lib" | awk '
    $1 == "w" || $2 ~ /@+GLIBC/ { next }
    { print $2 }')
[ -z "$bad" ] || { echo "needed from somewhere else than libc and libm: $bad"; exit 1; }
bad=$(nm -D --undefined-only "$lib" | awk '{ sub(/@.*/, "", $2); print $2 }' |
    grep -x -E '_?exit|abort|printf|puts|putchar|perror|getenv|secure_getenv|setlocale|qsort|rand|srand|time')
[ -z "$bad" ] || { echo "libtmap must not call: $bad"; exit 1; }
exit 0
