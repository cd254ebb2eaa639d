#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The same mappings, byte by byte, from gcc and clang, without and with optimization, and twice in a row,
# the second time with three threads.
# ALL=1: both compilers at both levels.
. "${srcdir:-.}/tests/lib.sh"
sources="$src/tests/tmap/print-mappings.c $(echo "$src"/src/generate/*.c)
$(find "$src/src/treematch" -name '*.c' ! -path '*/adapters/*' | sort)"
built=0
for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "no $compiler"; continue; }
    levels=-O0
    [ $compiler = gcc ] || levels=-O3
    [ -z "${ALL:-}" ] || levels="-O0 -O3"
    for level in $levels; do
        # shellcheck disable=SC2086
        $compiler $level -std=gnu11 -D_GNU_SOURCE -ffp-contract=off -I"$src/src" -I"$src/tests" \
            -o "$work/print" $sources -lm -pthread || exit 1
        for round in 1 2; do
            "$work/print" $((round == 2 ? 3 : 0)) >"$work/out" || exit 1
            [ $built = 0 ] && cp "$work/out" "$work/first"
            cmp "$work/first" "$work/out" || { echo "$compiler $level, round $round: other mappings"; exit 1; }
            built=$((built + 1))
        done
    done
done
echo "$built runs, $(wc -l <"$work/first") mappings each: all the same"
[ $built -ge 2 ]
