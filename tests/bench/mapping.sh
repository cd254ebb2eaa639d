#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mapping.sh FOLDER - the mapping methods side by side: generated patterns and matrices of real programs on
# several machines (mapping.tsv), and time over the number of roles (sweep.tsv, sweep.svg). Times are of
# the processor; compare them within one run only. About ten minutes; with QUICK=1 one.
#
# Run by `make bench` in the build folder.
set -eu
out=$1
bench=$PWD/tests/bench/bench
data=${srcdir:-.}/tests/data
mkdir -p "$out"

real_cases()
{
    for file in "$data"/*-16.txt; do
        printf '%s\n' "$file" - "node:4 package:2 core:2" "$file" - "8 2 4"
    done
    for file in "$data"/*-64.txt; do
        printf '%s\n' "$file" - "node:8 package:2 core:4" "$file" - "4 4 4/100,10,1" "$file" - "16 2 4"
    done
}

# as_arguments COMMAND...: a line of standard input for each further argument.
as_arguments()
{
    while read -r line; do set -- "$@" "$line"; done
    "$@"
}

methods=packed,roundrobin,random,treematch,greedy,multilevel
"$bench" -m scotch,packed >/dev/null 2>&1 -q && methods=scotch,$methods
"$bench" ${QUICK:+-q} -m $methods >"$out/mapping.tsv"
real_cases | as_arguments "$bench" -m $methods >"$out/real.tsv"
grep -h '^#' "$out/mapping.tsv" "$out/real.tsv"

sweep()
{
    for pattern in stencil2d5 stencil3d27 geometric rmat cliques; do
        for n in 16 24 32 48 64 96 128 192 256 384 512 768 1024 1536 2048 3072 4096 6144 8192 \
            12288 16384 24576 32768 49152 65536; do
            [ -z "${QUICK:-}" ] || [ $n -le 4096 ] || continue
            printf '%s\n' "$pattern" $n "node:$(((n + 15) / 16)) package:2 core:8"
        done
    done
}
sweep | as_arguments "$bench" -m treematch,multilevel >"$out/sweep.tsv"
awk -f "${srcdir:-.}/tests/bench/plot.awk" "$out/sweep.tsv" >"$out/sweep.svg"
# The largest step in time between neighbors in n, from a millisecond on.
awk -F'\t' '$5 == "multilevel" {
        if ($1 == pattern && before > 0.001 && $7 / before > step) { step = $7 / before; at = $1 " " $2 }
        pattern = $1; before = $7 }
    END { printf("# multilevel: largest step in time between neighbors in n (x 1.5 or x 1.33): %.1f, at %s\n", step, at) }' \
    "$out/sweep.tsv"
# All regular layouts of 64 nodes of 128 cores, for a halo of 8,192 ranks with diagonal neighbors.
awk 'BEGIN { x = 32; y = z = 16; print x * y * z
    for (i = 0; i < x; i++) for (j = 0; j < y; j++) for (k = 0; k < z; k++)
        for (a = -1; a <= 1; a++) for (b = -1; b <= 1; b++) for (c = -1; c <= 1; c++)
            if ((a || b || c) && i + a >= 0 && i + a < x && j + b >= 0 && j + b < y && k + c >= 0 && k + c < z)
                print (i * y + j) * z + k, ((i + a) * y + j + b) * z + k + c, 1, 1000 }' >"$out/halo.txt"
"$PWD/reseat" map "$out/halo.txt" --tree "node:64 package:2 numa:4 l3:4 core:4" --layouts --tsv >"$out/layouts.tsv"
awk -F'\t' '$1 == "layouts" { layouts = $2 } $1 == "layouts_seconds" { seconds = $2 } $1 == "layout" && !best { best = $2; share = $4 }
    END { printf("# %d layouts of 64 nodes of 128 cores priced for 8,192 ranks in %.2f s (wanted: 10); the best, %s, has %.0f %% of the gain\n",
        layouts, seconds, best, 100 * share) }' "$out/layouts.tsv"
# Dense patterns: time against reading the matrix, memory against its size.
dense=$(dirname "$bench")/dense
{
    "$dense" 4096 "32 16 2 4"
    [ -n "${QUICK:-}" ] || "$dense" 16384 "32 16 8 4" | tail -n 1
    [ -n "${QUICK:-}" ] || "$dense" 16384 "64 2 4 8 4" | tail -n 1
} >"$out/dense.tsv"
cat "$out/dense.tsv"
echo "# written: $out/mapping.tsv real.tsv sweep.tsv sweep.svg dense.tsv"
