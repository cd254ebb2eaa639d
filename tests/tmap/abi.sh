#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Existing programs keep working: the declarations, enumerators, sizes and offsets of members, and symbols of libtmap
# and libtmap-hwloc are those in abi.txt. `abi.sh --update`, in the build folder, rewrites it; what that means for
# -version-info: doc/design/0009-a-library-to-keep.md.
#   abi.sh [--update | HEADERS]       HEADERS: a folder with other headers than those of src/treematch
export LC_ALL=C
. "${srcdir:-.}/tests/lib.sh"
headers=$src/src/treematch
case ${1:-} in --update | '') ;; *) headers=$1 ;; esac
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
diff "$src/tests/tmap/abi.txt" "$work/abi" >"$work/diff" && { echo "$(wc -l <"$work/abi") lines, all as recorded"; exit 0; }
cat "$work/diff"
if grep -q '^<' "$work/diff"; then
    echo "the ABI is broken: programs that were built before need the lines with <"
else
    echo "the ABI has more than was recorded"
fi
echo "if that is meant: tests/tmap/abi.sh --update, and TMAP_ABI in Makefile.am (doc/design/0009-a-library-to-keep.md)"
exit 1
