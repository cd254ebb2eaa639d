#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# network.sh FOLDER - the mapping methods side by side on machines with networks, whole and with half of the nodes
# missing at random (network.tsv), and patterns of which the best mapping is known. Beside Scotch: `scotch` is the
# architecture that it predefines (tleaf, torus, mesh, sub) where there is one, `deco` always the whole graph. Times are
# of the processor, on one thread; compare them within one run only. Some minutes; with QUICK=1 one.
#
# Run by `make bench` in the build folder.
set -eu
out=$1
bench=$PWD/tests/bench/bench
data=${srcdir:-.}/tests/data
mkdir -p "$out"

# Roles for all slots: machine, level of the nodes, slots.
machines()
{
    cat <<'END'
torus:8x8x8	1	512
mesh:16x16	1	256
dragonfly:9x8 node:4	2	288
switch:4 node:22 core:24	2	2112
fatgraph:4x22 core:24	1	2112
torus:8x8x8 core:4	1	2048
mesh:16x16 core:8	1	2048
dragonfly:9x8 node:4 core:8	2	2304
END
}
patterns="stencil2d5 stencil2d9 stencil3d7 stencil3d27 hypercube cliques geometric mesh rmat planted:8,4,4"
[ -z "${QUICK:-}" ] || patterns="stencil2d5 stencil3d27 geometric rmat"

cases()
{
    machines | while IFS='	' read -r machine level slots; do
        for pattern in $patterns; do
            printf '%s\n' "$pattern-shuffled" "$slots" "$machine" \
                "$pattern-shuffled" $((slots / 2)) "$machine%$level"
        done
        for file in "$data"/*-64.txt; do
            printf '%s\n' "$file" - "$machine" "$file" - "$machine%$level"
        done
    done
}

# as_arguments COMMAND...: a line of standard input for each further argument.
as_arguments()
{
    while read -r line; do set -- "$@" "$line"; done
    "$@"
}

methods=multilevel,recursive,greedy,packed
"$bench" -m scotch,packed >/dev/null 2>&1 ring 4 4 && methods=scotch,deco,$methods
cases | as_arguments "$bench" -m "$methods" >"$out/network.tsv"

# Cost against Scotch's (the better of its two), with the geometric mean and the worst case of each kind of machine; time
# against the quicker of the two from 1,024 roles on.
awk -F'\t' -v OFS='\t' '
    function finish(   m, better, sooner, machine) {
        if (!("scotch" in cost)) return
        better = "deco" in cost && cost["deco"] < cost["scotch"] ? cost["deco"] : cost["scotch"]
        sooner = "deco" in time && time["deco"] < time["scotch"] ? time["deco"] : time["scotch"]
        machine = tree; sub(/%.*/, " half", machine)
        if (!(machine in number)) { number[machine] = ++machines; name[machines] = machine }
        for (m in cost) {
            if (cost[m] == "nan" || better == 0) continue
            ratio = cost[m] / better
            sum[machine, m] += log(ratio); all[m] += log(ratio); cases[machine, m]++; allcases[m]++
            if (ratio > worst[machine, m]) worst[machine, m] = ratio
            if (ratio > allworst[m]) allworst[m] = ratio
            if (roles >= 1024) { spent[m] += log(time[m] / sooner); timed[m]++ }
            if (m == "multilevel" && ratio > 1.02)
                above[++aboves] = sprintf("# above 1.02: %s, %d roles on %s: %.3f", pattern, roles, tree, ratio)
        }
        delete cost; delete time
    }
    $1 == "pattern" || /^#/ { next }
    $1 "\t" $4 != key { finish(); key = $1 "\t" $4; pattern = $1; roles = $2; tree = $4 }
    { cost[$5] = $6; time[$5] = $7 }
    END {
        finish()
        split("scotch deco multilevel recursive greedy packed", order, " ")
        for (i = 1; i <= machines; i++)
            for (k = 1; k <= 6; k++)
                if ((name[i], order[k]) in cases)
                    printf("# %s: %s: %d cases, cost / Scotch: geometric mean %.3f, worst %.3f\n", name[i], order[k],
                        cases[name[i], order[k]], exp(sum[name[i], order[k]] / cases[name[i], order[k]]),
                        worst[name[i], order[k]])
        for (k = 1; k <= 6; k++)
            if (order[k] in allcases)
                printf("# all: %s: %d cases, cost / Scotch: geometric mean %.3f, worst %.3f; time / Scotch from 1,024 roles: " \
                    "geometric mean %.3f\n", order[k], allcases[order[k]], exp(all[order[k]] / allcases[order[k]]),
                    allworst[order[k]], timed[order[k]] ? exp(spent[order[k]] / timed[order[k]]) : 0)
        for (i = 1; i <= aboves; i++) print above[i]
    }' "$out/network.tsv"

# What the best mapping is, is known: one hop a byte. (1,000 bytes a pair, 400 a hop.)
optima()
{
    for extents in 4x4x4 8x8x8 16x16 3x5x7; do
        slots=$(echo "$extents" | awk -F x '{ n = 1; for (i = 1; i <= NF; i++) n *= $i; print n }')
        printf '%s\n' "torus:$extents-shuffled" "$slots" "torus:$extents" \
            ring-shuffled "$slots" "torus:$extents"
    done
}
methods=${methods%,packed}
optima | as_arguments "$bench" -m "$methods" | tee "$out/optima.tsv" |
    awk -F'\t' '!/^#/ && $1 != "pattern" { printf("# %s on %s: %s: %.3f hops a byte\n", $1, $4, $5, $6 / 400000 / $3) }'
# A hierarchy below a torus: at most what it costs in its own order.
{
    "$bench" -m packed planted:64,4,4 1024 "torus:4x4x4 node:4 core:4"
    "$bench" -m multilevel planted:64,4,4-shuffled 1024 "torus:4x4x4 node:4 core:4"
} | awk -F'\t' '$5 == "packed" { own = $6 }
    $5 == "multilevel" { printf("# planted below a torus: %.4f of the cost of its own order\n", $6 / own) }'
echo "# written: $out/network.tsv optima.tsv"
