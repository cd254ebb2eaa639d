#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The examples of libtmap, built in C and in C++ with only the installed files and pkg-config, find the obvious
# mappings: partners share a node, so only the traffic of the row crosses. The installed command works, too, and no
# installed file refers to a file of the sources that is not installed. (Static libraries: static.sh.)
command -v pkg-config >/dev/null || { echo "no pkg-config"; exit 77; }
. "${srcdir:-.}/tests/lib.sh"
install_build "$work/root" >"$work/log" 2>&1 || { tail -20 "$work/log"; exit 1; }
lib=$(dirname "$(find "$work/root" -name libtmap.so | head -1)")
if ldd "$lib/libtmap.so" | grep -q -E 'lib(asan|ubsan)'; then echo "sanitized build"; exit 77; fi
export PKG_CONFIG_PATH="$lib/pkgconfig" LD_LIBRARY_PATH="$lib"
examples=$(dirname "$(find "$work/root" -path '*/examples/map.c')")
flags() # MODULE: of the staged installation alone; hwloc's are the system's
{
    pkg-config --define-variable=prefix="$(dirname "$(dirname "$(find "$work/root" -name tmap.h)")")" \
        --define-variable=libdir="$lib" --cflags --libs "$1" | sed "s|-L[^ ]*|-L$lib|g"
}
try() # MODULE EXAMPLE LINE COMPILER...
{
    module=$1 example=$2 line=$3
    shift 3
    # shellcheck disable=SC2046
    "$@" -Wall -Wextra -Werror -pedantic "$examples/$example.c" -x none -o "$work/$example" $(flags "$module") || exit 1
    "$work/$example" "pack:2 core:2 pu:1" >"$work/out" || exit 1
    grep -qx "$line" "$work/out" || { cat "$work/out"; echo "$*: not the mapping that was expected"; exit 1; }
    if ldd "$work/$example" | grep 'not found'; then exit 1; fi
    echo "$example: $*"
}
# shellcheck disable=SC2086
{
    try tmap map 'bytes between nodes: 30' ${CC:-cc} -std=c99
    try tmap-hwloc here 'outermost: 10' ${CC:-cc} -std=c99
    if command -v c++ >/dev/null; then
        try tmap map 'bytes between nodes: 30' c++ -std=c++11 -x c++
        try tmap-hwloc here 'outermost: 10' c++ -std=c++11 -x c++
    else
        echo "no C++ compiler"
    fi
}
if ldd "$work/map" | grep -E 'hwloc|tmap-hwloc'; then echo "libtmap needs hwloc"; exit 1; fi
[ "$(pkg-config --modversion tmap)" = "$(pkg-config --modversion tmap-hwloc)" ] || { echo "two versions"; exit 1; }
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
    "$moved/bin/reseat" map "$work/two" --tree 2 --method scotch >/dev/null || exit 1
    mkdir "$work/none"
    for library in $(ldd "$(find "$moved" -name reseat-scotch.so)" | awk '/libscotch/ { print $1 }'); do
        echo "not this one" >"$work/none/$library"
    done
    LD_LIBRARY_PATH=$work/none "$moved/bin/reseat" map "$work/two" --tree 2 >/dev/null ||
        { echo "the command does not start without libscotch"; exit 1; }
    LD_LIBRARY_PATH=$work/none "$moved/bin/reseat" map "$work/two" --tree 2 --method scotch 2>"$work/err" && exit 1
    [ "$(grep -c '^reseat map: there is no method scotch: ' "$work/err")" = 1 ] ||
        { cat "$work/err"; echo "that libscotch is missing is not said"; exit 1; }
fi
work_root=$moved
find "$work_root" -name 'reseat.1' | grep -q . || { echo "no manual is installed"; exit 1; }
for library in tmap tmap-hwloc; do
    page=$(find "$moved" -name $library.3)
    [ -f "$page" ] || { echo "no manual of lib$library is installed"; exit 1; }
    for name in $(nm -D --defined-only "$(find "$moved" -name lib$library.so)" | awk '{ print $3 }'); do
        grep -q "$name" "$page" || { echo "$page does not know $name"; exit 1; }
    done
    for name in $(grep -oE 'tmap_[a-z_]+' "$page" | sort -u); do
        grep -q "\b$name\b" "$src"/src/treematch/tmap*.h || { echo "$page knows $name, which is not there"; exit 1; }
    done
done
# Files that are named in what people read. Scripts are in the sources, as these pages say.
find "$moved" -type f \( -name '*.h' -o -name '*.[13]' -o -name '*.pc' -o -path '*/doc/*' \) -exec \
    sed 's/\\-/-/g' {} + | grep -oE '\b(doc|src|tests|examples|scripts|man)/[A-Za-z0-9_./-]*[A-Za-z0-9]' | sort -u >"$work/named"
while read -r name; do
    case $name in
    scripts/*) continue ;;
    man/*) name=man/man${name##*.}/${name#man/} ;;
    esac
    find "$moved" -path "*/$name*" | grep -q . || { echo "$name is named, and not installed"; exit 1; }
done <"$work/named"
