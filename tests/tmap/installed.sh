#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# examples/map.c, built with nothing but what `make install` leaves and pkg-config, finds the obvious
# mapping: partners share a node, so only the row crosses. The installed command works too.
command -v pkg-config >/dev/null || { echo "no pkg-config"; exit 77; }
src=$(cd "${srcdir:-.}" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/reseat-install.XXXXXX")
trap 'rm -rf "$work"' EXIT
make install DESTDIR="$work/root" >"$work/log" 2>&1 || { tail -20 "$work/log"; exit 1; }
lib=$(dirname "$(find "$work/root" -name libtmap.so | head -1)")
if ldd "$lib/libtmap.so" | grep -q -E 'lib(asan|ubsan)'; then echo "sanitized build"; exit 77; fi
export PKG_CONFIG_PATH="$lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$work/root" LD_LIBRARY_PATH="$lib"
# shellcheck disable=SC2046
${CC:-cc} -Wall -Werror -o "$work/map" "$src/examples/map.c" $(pkg-config --cflags --libs tmap) || exit 1
"$work/map" >"$work/out" || exit 1
cat "$work/out"
grep -qx 'bytes between nodes: 30' "$work/out" || { echo "not the mapping that was expected"; exit 1; }
bin=$(find "$work/root" -name reseat -type f -path '*bin*')
"$bin" --version | grep -q '^reseat ' || { echo "the installed command does not run"; exit 1; }
find "$work/root" -name 'reseat.1' | grep -q . || { echo "no manual is installed"; exit 1; }
find "$work/root" -name 'tmap.3' | grep -q . || { echo "no manual of the library is installed"; exit 1; }
for name in $(nm -D --defined-only "$lib/libtmap.so" | awk '{ print $3 }'); do
    grep -q "$name" "$src/man/tmap.3" || { echo "the manual does not know $name"; exit 1; }
done
