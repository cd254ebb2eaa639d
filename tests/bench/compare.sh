#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# compare.sh FOLDER - 50 patterns x 4 machines x 8 methods by `reseat compare`: how long that takes,
# and how the costs of the methods compare. Called by `make bench` in the build folder; writes
# FOLDER/compare.tsv (the rows), FOLDER/compare-summary.tsv (the ratios of costs) and its charts, compare-*.svg.
set -u
folder=$1
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
patterns=()
sizes="64 128"
[ -n "${QUICK:-}" ] && sizes=64
for size in $sizes; do
    for name in stencil2d stencil2d9 stencil3d stencil3d27 stencil4d hypercube butterfly random rmat geometric mesh dense cliques; do
        patterns+=("$name:$size" "$name-shuffled:$size")
    done
done
patterns=("${patterns[@]:0:50}")
TIMEFORMAT='%R %U %S'
{ time ./reseat compare --tsv --seed 1 --summary "$folder/compare-summary.tsv" --svg "$work/charts" \
    --tree "node:16 core:8" --tree "node:8 package:2 numa:2 core:4" --tree "torus:4x4x2 core:4" --tree "dragonfly:4x4 core:8" \
    --method multilevel,treematch,greedy,recursive,packed,roundrobin,random --layout nsc "${patterns[@]}" >"$folder/compare.tsv"; } 2>"$work/time"
for chart in "$work"/charts/*.svg; do cp "$chart" "$folder/compare-${chart##*/}"; done
awk 'END { print "# " NR - 1 " rows" }' "$folder/compare.tsv"
awk '{ print "# " $1 " s, of the processor " $2 + $3 " s" }' "$work/time"
awk -F'\t' '$2 == "multilevel" { print "# " $1 " / " $2 ": median " $6 ", mean " $7 ", above 1 in " $4 }' "$folder/compare-summary.tsv"
