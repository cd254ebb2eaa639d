#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Existing programs keep working: the declarations, enumerators, sizes and offsets of members, and symbols of libtmap
# and libtmap-hwloc are those in abi.txt. `abi.sh --update`, in the build folder, rewrites it; what that means for
# -version-info: doc/design/0009-a-library-to-keep.md. They are also compared with those of the last release,
# abi-released.txt, which `abi.sh --release` writes: what is gone or has changed since needs a new soname, what has been
# added a higher age.
#   abi.sh [--update | --release | HEADERS]       HEADERS: a folder with other headers than those of src/treematch
# environment, for tests/tmap/abi-releases.sh: ABI_NOW and ABI_RELEASED, records in the place of what is built and of
# abi-released.txt
export LC_ALL=C
. "${srcdir:-.}/tests/lib.sh"
headers=$src/src/treematch
case ${1:-} in --update | --release | '') ;; *) headers=$1 ;; esac
released=${ABI_RELEASED:-$src/tests/tmap/abi-released.txt}

# compare_with_release RECORD: what programs that were built with the last release need is still there, or the soname
# says that it is not.
compare_with_release()
{
    [ -s "$released" ] || { echo "no $released"; return 1; }
    version=$(sed -n '1s/^# released with //p' "$released")
    case $version in
    '') echo "$released does not begin with '# released with VERSION'"; return 1 ;;
    'no release yet') return ;;
    esac
    grep -vE '^(#|soname |age )' "$released" | sort >"$work/then"
    grep -vE '^(#|soname |age )' "$1" | sort >"$work/now"
    comm -23 "$work/then" "$work/now" >"$work/gone"
    comm -13 "$work/then" "$work/now" >"$work/added"
    for lib in libtmap libtmap-hwloc; do
        soname_then=$(sed -n "s/^soname $lib\\.so\\.//p" "$released") soname_now=$(sed -n "s/^soname $lib\\.so\\.//p" "$1")
        age_then=$(sed -n "s/^age $lib //p" "$released") age_now=$(sed -n "s/^age $lib //p" "$1")
        for number in "$soname_then" "$soname_now" "$age_then" "$age_now"; do
            case $number in '' | *[!0-9]*) echo "no soname or age of $lib in a record"; return 1 ;; esac
        done
        [ "$soname_now" -le "$soname_then" ] || continue
        if [ -s "$work/gone" ] || [ "$soname_now" -lt "$soname_then" ]; then
            sed "s/^/gone since $version: /" "$work/gone"
            echo "$lib.so.$soname_now has no longer what programs built with $version need: it must be $lib.so.$((soname_then + 1))"
            return 1
        fi
        if [ -s "$work/added" ] && [ "$age_now" -le "$age_then" ]; then
            sed "s/^/added since $version: /" "$work/added"
            echo "$lib.so.$soname_now has more than that of $version: its age must be $((age_then + 1))"
            return 1
        fi
    done
}
if [ -n "${ABI_NOW:-}" ]; then
    compare_with_release "$ABI_NOW"
    exit
fi
command -v nm >/dev/null || { echo "no nm"; exit 77; }

# The record has a line for each thing that a program can depend on, so what is only added adds lines.
# Each declaration of our headers on one line, without comments, attributes and what the headers include.
printf '#include "tmap-hwloc.h"\n' | ${CC:-cc} -std=gnu11 -I"$headers" -E - >"$work/all" || exit 1
awk '
    /^# [0-9]+ "/ { ours = $3 ~ /\/tmap(-hwloc)?\.h"$/; next }
    ours { text = text " " $0 }
    END {
        gsub(/__attribute__\(\(visibility\("default"\)\)\)/, "", text)
        gsub(/[ \t]+/, " ", text)
        n = split(text, piece, "")
        for (i = 1; i <= n; i++) {
            line = line piece[i]
            deep += (piece[i] == "{") - (piece[i] == "}")
            if (piece[i] == ";" && deep == 0) { sub(/^ */, "", line); print line; line = "" }
        }
    }' "$work/all" >"$work/declarations"
[ -s "$work/declarations" ] || { echo "no declarations found"; exit 1; }

# A program that says what the compiler makes of the structs and enumerations.
awk '
    function say_enum(body,   i, n, word) {
        n = split(body, word, ",")
        for (i = 1; i <= n; i++) {
            sub(/=.*/, "", word[i]); gsub(/[ ]/, "", word[i])
            if (word[i] != "") printf "    printf(\"enumerator %s = %%d\\n\", (int)%s);\n", word[i], word[i]
        }
    }
    # One that begins with its size may become longer.
    function say_struct(name, body,   i, n, member, text) {
        if (body !~ /^ *size_t size;/)
            printf "    printf(\"struct %s: %%zu bytes\\n\", sizeof(struct %s));\n", name, name
        n = split(body, member, ";")
        for (i = 1; i <= n; i++) {
            text = member[i]; sub(/^ */, "", text)
            gsub(/\[[^]]*\]/, "", member[i]); sub(/ *$/, "", member[i])
            if (!match(member[i], /[A-Za-z_0-9]+$/)) continue
            member[i] = substr(member[i], RSTART)
            printf "    printf(\"struct %s: %s: at %%zu, %%zu bytes\\n\", offsetof(struct %s, %s), sizeof ((struct %s *)0)->%s);\n", \
                name, text, name, member[i], name, member[i]
        }
    }
    BEGIN { print "#include <stddef.h>\n#include <stdio.h>\n#include \"tmap-hwloc.h\"\nint main(void)\n{"
            print "    printf(\"a pointer: %zu bytes\\n\", sizeof(void *));" }
    match($0, /\{.*\}/) {
        body = substr($0, RSTART + 1, RLENGTH - 2)
        if ($1 == "enum") say_enum(body)
        if ($1 == "struct") say_struct($2, body)
    }
    END { print "    return 0;\n}" }' "$work/declarations" >"$work/layout.c"
${CC:-cc} -std=gnu11 -I"$headers" -o "$work/layout" "$work/layout.c" && "$work/layout" >"$work/layout.txt" || exit 1
grep -qx 'a pointer: 8 bytes' "$work/layout.txt" || { echo "recorded for 64-bit systems only"; exit 77; }

{
    echo "# The ABI of libtmap and libtmap-hwloc: see abi.sh. Written by it."
    for lib in libtmap libtmap-hwloc; do
        readelf -d ".libs/$lib.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/soname \1/p'
        readlink -f ".libs/$lib.so" | sed -n "s/.*\.so\.[0-9]*\.\([0-9]*\)\.[0-9]*\$/age $lib \1/p"
        nm -D --defined-only ".libs/$lib.so" | awk -v lib=$lib '{ print "symbol " lib " " $3 }' | sort
    done
    cat "$work/layout.txt"
    grep -v '{' "$work/declarations" | sort
} >"$work/abi"
grep -q '^symbol libtmap tmap_mapping_find$' "$work/abi" || { echo "the libraries cannot be read"; exit 1; }
if [ "${1:-}" = --update ]; then
    cp "$work/abi" "$src/tests/tmap/abi.txt"
    exit
fi
if diff "$src/tests/tmap/abi.txt" "$work/abi" >"$work/diff"; then
    echo "$(wc -l <"$work/abi") lines, all as recorded"
    if [ "${1:-}" = --release ]; then
        compare_with_release "$work/abi" || exit 1
        { echo "# released with $("$reseat" --version | awk '{ print $2 }')" && cat "$work/abi"; } >"$work/released" &&
            cp "$work/released" "$released"
        exit
    fi
    compare_with_release "$work/abi"
    exit
fi
cat "$work/diff"
if grep '^<' "$work/diff" | grep -qv '^< age '; then
    echo "the ABI is broken: programs that were built before need the lines with <"
else
    echo "the ABI has more than was recorded"
fi
echo "if that is meant: tests/tmap/abi.sh --update, and TMAP_ABI in Makefile.am (doc/design/0009-a-library-to-keep.md)"
exit 1
