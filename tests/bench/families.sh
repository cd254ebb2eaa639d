#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# families.sh FOLDER - how far mappings are from the best that is known: families of graphs of 32 to 4,096 roles on trees of
# several shapes, renumbered at random, each with SEEDS seeds (default 2). The best known is the least cost of all methods,
# efforts, seeds and runs here, and of earlier ones with the same FOLDER (families-best.tsv). Of each effort of multilevel and
# each peer: geometric mean and worst of the cost over the best known, and processor time over Scotch's by number of roles.
# Exits with 1 if default costs more than Scotch by over 0.5 % in a case.
# Compare times within one run only. About three minutes; with QUICK=1, up to 1,024 roles and one seed, half of one.
#
# Run by hand: srcdir=.. sh ../tests/bench/families.sh bench (in the build folder).
set -eu
out=$1
bench=$PWD/tests/bench/bench
mkdir -p "$out"

cases()
{
    cat <<'END'
stencil2d9-shuffled	64	4 4 4/100,10,1
stencil3d27-shuffled	64	8 2 4
communities-shuffled	60	5 12
rmat-shuffled	64	8 2 4
transform-shuffled	32	4 2 4
holes-shuffled	96	4 4 3 2
geometric-shuffled	105	7 5 3
dragonfly-shuffled	216	6 6 6
communities-shuffled	256	16 2 8
mesh-shuffled	256	4 8 8/100,10,1
transform-shuffled	448	7 8 8
holes-shuffled	480	20 24
rmat-shuffled	512	16 2 4 2 2
stencil3d27-shuffled	512	4 2 4 2 8
geometric-shuffled	1024	4 8 32/100,10,1
mesh-shuffled	1024	8 16 2 4
communities-shuffled	1000	40 25
dragonfly-shuffled	1000	16 2 4 2 4
rmat-shuffled	1024	8 2 4 2 8
stencil3d7-shuffled	1000	16 2 4 2 8
holes-shuffled	1024	32 2 4 2 2
transform-shuffled	2048	64 8 4
stencil3d27-shuffled	4096	32 2 4 2 8
geometric-shuffled	4096	4 8 128/100,10,1
mesh-shuffled	4096	64 2 4 8
communities-shuffled	4096	16 16 16
rmat-shuffled	512	node:16 package:2 core:16
communities-shuffled	1024	node:32 package:2 core:16
geometric-shuffled	1024	node:8 package:2 core:64
holes-shuffled	1024	node:64 core:16
stencil3d7-shuffled	1728	node:54 package:2 core:16
geometric-shuffled	4096	node:64 package:2 core:32
END
}

# run NAME OPTIONS...: all cases; rows begin with the name and the seed of the pattern.
run()
{
    name=$1
    shift
    for seed in $(seq "$seeds"); do
        cases | awk -F'\t' -v most="$most" '$2 <= most { printf "%s%c%s%c%s%c", $1, 0, $2, 0, $3, 0 }' |
            xargs -0 "$bench" -g "$seed" "$@" | awk -F'\t' -v OFS='\t' -v name="$name" -v seed="$seed" \
            '!/^#/ && $1 != "pattern" { print name == "" ? $5 : name, seed, $1, $2, $4, $6, $7 }'
    done
}

seeds=${SEEDS:-2} most=4096
[ -z "${QUICK:-}" ] || seeds=1 most=1024
peers=treematch,greedy
"$bench" -m scotch ring 8 "2 4" | grep -q '^ring.*[0-9]$' && ! "$bench" -m scotch ring 8 "2 4" | grep -q 'nan' && peers=scotch,$peers
{
    run '' -r 3 -m "$peers"
    run default -r 3 -m multilevel
    run fast -r 3 -e 0 -m multilevel
    run strong -e 2 -m multilevel
    for other in 1 2 3 4; do run "default, other seed" -s "$other" -m multilevel; done
} >"$out/families.tsv"
touch "$out/families-best.tsv"
awk -F'\t' -v OFS='\t' '{ key = $2 OFS $3 OFS $4 OFS $5
        if (!(key in best) || $6 + 0 < best[key]) best[key] = $6 + 0 }
    END { for (key in best) print "best", key, best[key] }' "$out/families.tsv" "$out/families-best.tsv" |
    LC_ALL=C sort >"$out/families-best.tmp" && mv "$out/families-best.tmp" "$out/families-best.tsv"
awk -F'\t' '
    function class(roles) { return roles <= 64 ? 1 : roles <= 512 ? 2 : roles <= 2048 ? 3 : 4 }
    { key = $2 "\t" $3 "\t" $4 "\t" $5 }
    $1 == "best" { best[key] = $6; next }
    $1 == "scotch" { scotch[key] = $7; by_scotch[key] = $6 }
    {
        if (!($1 in count)) order[++methods] = $1
        ratio = best[key] > 0 ? $6 / best[key] : 1
        log_cost[$1] += log(ratio); count[$1]++
        if ($1 == "default" && by_scotch[key] > 0 && $6 > 1.005 * by_scotch[key]) above[key] = $6 / by_scotch[key]
        if (ratio > worst[$1]) { worst[$1] = ratio; of[$1] = $3 " " $4 " on " $5 }
        if (scotch[key] > 0 && $7 > 0) { c = class($4); log_time[$1, c] += log($7 / scotch[key]); times[$1, c]++ }
        # The same pattern by other seeds of the mapping.
        if ($1 ~ /^default/) { if (!(key in least) || $6 < least[key]) least[key] = $6; if ($6 > largest[key]) largest[key] = $6 }
    }
    END {
        split("64 512 2048 4096", most, " ")
        for (i = 1; i <= methods; i++) {
            m = order[i]
            printf "# %s: %d cases, cost / best known: geometric mean %.4f, worst %.4f (%s)", m, count[m], \
                exp(log_cost[m] / count[m]), worst[m], of[m]
            for (c = 1; c <= 4; c++)
                if (times[m, c]) printf "%s up to %d roles %.2f", c == 1 ? "; time / Scotch" : ",", most[c], exp(log_time[m, c] / times[m, c])
            print ""
        }
        for (key in least) if (least[key] > 0) { spread = largest[key] / least[key]; if (spread > widest) { widest = spread; at = key } }
        gsub("\t", " ", at)
        printf "# default with five seeds: the dearest is up to %.4f times the cheapest (%s)\n", widest, at
        for (key in above) { at = key; gsub("\t", " ", at); printf "# default costs %.4f times what Scotch does (%s)\n", above[key], at; dearer = 1 }
        exit dearer
    }' "$out/families-best.tsv" "$out/families.tsv" || status=1
echo "# written: $out/families.tsv families-best.tsv"
exit "${status:-0}"
