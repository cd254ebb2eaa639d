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
# Nothing but the module for it needs libscotch; a prefix that was moved as a whole works; no .la files.
if ldd "$bin" | grep scotch; then echo "the command needs libscotch"; exit 1; fi
if find "$work/root" -name '*.la' | grep .; then echo "installed, and for nobody"; exit 1; fi
moved="$work/moved"
mv "$(dirname "$(dirname "$bin")")" "$moved"
for module in "$moved"/lib*/reseat/libreseat-*.so "$moved"/lib*/*/reseat/libreseat-*.so; do
    [ -f "$module" ] || continue
    mpi=${module##*libreseat-} mpi=${mpi%.so}
    "$moved/bin/reseat" env run --mpi "$mpi" >"$work/out" || exit 1
    found=$(sed -n 's/.*LD_PRELOAD=//p' "$work/out" | tr -d "'" | head -1)
    [ "$(readlink -f "$found")" = "$(readlink -f "$module")" ] ||
        { echo "moved to $module, found in '$found'"; exit 1; }
done
if find "$moved" -name reseat-scotch.so | grep -q .; then
    printf '2\n0 1 1 5\n' >"$work/two"
    "$moved/bin/reseat" map --matrix "$work/two" --tree 2 --method scotch >/dev/null || exit 1
    mkdir "$work/none"
    for library in $(ldd "$(find "$moved" -name reseat-scotch.so)" | awk '/libscotch/ { print $1 }'); do
        echo "not this one" >"$work/none/$library"
    done
    LD_LIBRARY_PATH=$work/none "$moved/bin/reseat" map --matrix "$work/two" --tree 2 >/dev/null ||
        { echo "the command does not start without libscotch"; exit 1; }
    LD_LIBRARY_PATH=$work/none "$moved/bin/reseat" map --matrix "$work/two" --tree 2 --method scotch 2>"$work/err" && exit 1
    [ "$(grep -c '^reseat map: there is no method scotch: ' "$work/err")" = 1 ] ||
        { cat "$work/err"; echo "that libscotch is missing is not said"; exit 1; }
fi
work_root=$moved
find "$work_root" -name 'reseat.1' | grep -q . || { echo "no manual is installed"; exit 1; }
find "$work_root" -name 'tmap.3' | grep -q . || { echo "no manual of the library is installed"; exit 1; }
for name in $(nm -D --defined-only "$(find "$moved" -name libtmap.so)" | awk '{ print $3 }'); do
    grep -q "$name" "$src/man/tmap.3" || { echo "the manual does not know $name"; exit 1; }
done
