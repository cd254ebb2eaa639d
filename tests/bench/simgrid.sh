#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# simgrid.sh FOLDER [NODES] - the time model against a simulator that we did not write (SimGrid's SMPI): patterns on machines,
# each in six orders, predicted by timings that `reseat measure` found on the simulated machine, and replayed there
# (simgrid-N.tsv); and what follows, a table for doc/at-scale.md (simgrid-N.md) and its picture (simgrid-N.svg). NODES has four ranks each: 16 (default), 64, 256.
# PATTERNS, MACHINES: only these. LIMIT: seconds for the six orders of a pattern (600), after which it is left out, and said.
#
# Run by `make bench-simgrid` in the build folder: some minutes of one processor.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
nodes=${2:-16}
ranks=$((nodes * 4))
reseat=$PWD/reseat
tests=$(cd "${srcdir:-.}/tests" && pwd)
if ! command -v smpirun >/dev/null || [ ! -f .libs/reseat-replay-simgrid.so ]; then
    echo "bench-simgrid: no smpirun (libsimgrid-dev), or reseat was built without it"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
cd "$work"
unset RESEAT_MAPPING
methods=multilevel,treematch,greedy,packed,roundrobin,random
[ -z "${PATTERNS:-}" ] || echo "# only: $PATTERNS"

# ---- patterns: lines `source target messages bytes' ----
pattern() # NAME
{
    awk -v name="$1" -v n="$ranks" '
        function put(i, j, count, size) { if (i != j) print i, j, count, count * size }
        function grid(dims, a, b, c,   i, x, y, z) {
            for (i = 0; i < n; i++) {
                x = i % a; y = int(i / a) % b; z = int(i / a / b)
                if (x + 1 < a) { put(i, i + 1, 4, size); put(i + 1, i, 4, size) }
                if (y + 1 < b) { put(i, i + a, 4, size); put(i + a, i, 4, size) }
                if (z + 1 < c) { put(i, i + a * b, 4, size); put(i + a * b, i, 4, size) }
            }
        }
        function chance() { seed = (seed * 1103 + 12345) % 1048573; return seed }
        BEGIN {
            print n; seed = 7; size = 100000; k = n == 64 ? 8 : 16
            if (name == "halo2d") grid(2, k, n / k, 1)
            if (name == "halo3d") grid(3, n > 256 ? 8 : 4, n == 64 ? 4 : 8, n / (n == 64 ? 16 : n > 256 ? 64 : 32))
            if (name == "alltoall") for (i = 0; i < n; i++) for (j = 0; j < n; j++) put(i, j, 1, 16000)
            if (name == "ring") for (i = 0; i < n; i++) put(i, (i + 1) % n, 4, 1000000)
            if (name == "cliques") for (i = 0; i < n; i++) for (j = i % k; j < n; j += k) put(i, j, 2, 64000)
            if (name == "hot") for (i = 1; i < n; i++) { put(i, 0, 2, 64000); put(i, (i + 1) % n, 2, 8000) }
            if (name == "sparse") for (i = 0; i < n; i++) for (c = 0; c < 4; c++) put(i, chance() % n, 3, size)
            if (name == "butterfly") for (i = 0; i < n; i++) for (b = 1; b < n; b *= 2)
                put(i, int(i / b) % 2 ? i - b : i + b, 2, 64000)
        }' | awk 'NR == 1 { print; next } !(($1, $2) in seen) { seen[$1, $2] = 1; print }' >plain.txt
}
recorded() # NAME FILE: what was recorded on 64 ranks; on more, as many jobs side by side
{
    awk -v n="$ranks" 'NR == 1 { m = $1; print n; next }
        { for (k = 0; k < n; k += m) print $1 + k, $2 + k, $3, $4 }' "$tests/data/$2" >plain.txt
}
patterns="halo2d halo3d alltoall ring cliques hot sparse butterfly lammps lu cg"
make_pattern()
{
    case $1 in
        lammps) recorded lammps lammps-lj32k-64.txt ;;
        lu) recorded lu npb3.4-lu.W-64.txt ;;
        cg) recorded cg npb3.4-cg.W-64.txt ;;
        *) pattern "$1" ;;
    esac
    "$reseat" convert plain.txt --to profile -o "$1"
}

# ---- machines: name, tree, network or `griffon', the part of full width that links of switches have ----
machines()
{
    side=4 groups=4
    [ "$nodes" -eq 16 ] || { side=8; groups=8; }
    [ "$nodes" -le 64 ] || { side=16; groups=16; }
    echo "star node:$nodes,core:4 edr 1"
    echo "tapered switch:$side,node:$((nodes / side)),core:4 edr 0.5"
    echo "torus torus:${side}x$((nodes / side)),core:4 edr 1"
    echo "dragonfly node:$nodes,core:4 hdr 1"
    echo "graph dragonfly:${groups}x$((nodes / groups / 2)),node:2,core:4 hdr 1"
    echo "griffon switch:3,node:$(((nodes * 4 + 2) / 3)),core:1 griffon $(awk -v n=$(((nodes * 4 + 2) / 3)) 'BEGIN { print 10 / n }')"
}
# A cluster of Grid'5000 as SimGrid's own examples describe it: nodes at 1 Gbit/s and 24 us in three cabinets, which share
# links of 10 Gbit/s. A core each is used.
cat >griffon <<'END'
# reseat timings 1
level machine bytes 8 seconds 96e-6
level machine bytes 1000008 seconds 8096e-6
level switch bytes 8 seconds 48e-6
level switch bytes 1000008 seconds 8048e-6
level node bytes 8 seconds 1e-6
level node bytes 1000008 seconds 1001e-6
END
# Torus and dragonfly are SimGrid's own, with its routes: dimension by dimension; inside the group, to the other one, inside
# that. `graph' is a dragonfly as topo writes it, with an explicit route for each pair of up to 256 nodes.
own_cluster() # TOPOLOGY PARAMETERS RATE
{
    config=$(sed -n '/<config>/,/<\/config>/p' platform.xml)
    cat >platform.xml <<END
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
$config
  <cluster id="own" prefix="node" suffix="" radical="0-$((nodes - 1))" speed="1Gf" core="4" bw="$3" lat="500ns"
    sharing_policy="SPLITDUPLEX" loopback_bw="10GBps" loopback_lat="300ns" topology="$1" topo_parameters="$2"/>
</platform>
END
}
own_torus() # TREE; SimGrid's hosts vary fastest in the first dimension, ours in the last one
{
    extents=${1#torus:}
    extents=${extents%% *}
    own_cluster TORUS "$(echo "$extents" | tr x ,)" 12.5GBps
    echo "$extents" | awk -Fx '{ for (a = 0; a < $1; a++) for (b = 0; b < $2; b++) print "node" a + $1 * b ":4" }' >hosts
}
# Groups of one chassis each: with several, SimGrid 3.32 sends what stays in one of the later ones over a link to the first
# one as well.
own_dragonfly()
{
    side=2
    [ "$nodes" -eq 16 ] || side=4
    [ "$nodes" -le 64 ] || side=8
    own_cluster DRAGONFLY "$side,1;1,1;$((2 * side)),1;2" 25GBps
    seq 0 $((nodes - 1)) | sed 's/.*/node&:4/' >hosts
    tree=$PWD/platform.xml
}
make_machine() # NAME TREE RATES WIDTH
{
    tree=$(echo "$2" | tr , ' ')
    rates="--network $3"
    [ "$3" != griffon ] || rates="--timings griffon"
    # shellcheck disable=SC2086
    "$reseat" topo --tree "$tree" --to simgrid $rates |
        awk -v width="$4" '/<link id="switch-.*-up"/ { match($0, /bandwidth="[^"]*Bps/)
            rate = substr($0, RSTART + 11, RLENGTH - 14); sub(/bandwidth="[^"]*"/, "bandwidth=\"" rate * width "Bps\"") } { print }' >platform.xml
    "$reseat" topo --tree "$tree" --to hostfile >hosts
    [ "$1" != torus ] || own_torus "$tree"
    [ "$1" != dragonfly ] || own_dragonfly
    export RESEAT_TOPOLOGY="$tree"
    job="smpirun -platform platform.xml -hostfile hosts --log=root.thres:error --cfg=maxmin/precision:1e-3 -np $ranks"
    # shellcheck disable=SC2086
    "$reseat" measure -o "timings-$1" -- $job >/dev/null
}

for name in ${PATTERNS:-$patterns}; do make_pattern "$name"; done
: >"$out/simgrid-$ranks.tsv"
machines | while read -r machine tree rates width; do
    [ -z "${MACHINES:-}" ] || case " $MACHINES " in *" $machine "*) ;; *) continue ;; esac
    make_machine "$machine" "$tree" "$rates" "$width"
    cp "timings-$machine" platform.xml hosts "$out" && mv "$out/platform.xml" "$out/$machine.xml" && mv "$out/hosts" "$out/$machine.hosts"
    for name in ${PATTERNS:-$patterns}; do
        # Receivers are ready in a replay, so nothing has to be sent before: SimGrid 3.32 has all messages that are in one list,
        # and searches it at the end of each.
        # shellcheck disable=SC2086
        timeout "${LIMIT:-600}" "$reseat" compare --replay --runs 1 --method "$methods" --timings "timings-$machine" --tsv "$name" \
            -- $job --cfg=smpi/send-is-detached-thresh:0 </dev/null 2>errors |
            awk -F'\t' -v OFS='\t' -v machine="$machine" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
                { print machine, $at["pattern"], $at["method"], $at["seconds"], $at["measured"] }' >cases
        if [ "$(grep -c '[0-9]$' cases)" = 6 ]; then
            cat cases >>"$out/simgrid-$ranks.tsv"
        else
            echo "# $name on $machine: not in ${LIMIT:-600} seconds, or the simulator gave up: $(tail -1 errors)"
        fi
    done
done

# ---- what follows ----
awk -F'\t' -v ranks="$ranks" '
    function rank_of(value, n, of,   i, j, less, same) {
        for (i = 1; i <= n; i++) {
            less = same = 0
            for (j = 1; j <= n; j++) { less += value[j] < value[i] * (1 - 1e-9); same += value[j] <= value[i] * (1 + 1e-9) && value[j] >= value[i] * (1 - 1e-9) }
            of[i] = less + (same + 1) / 2
        }
    }
    function spearman(n,   i, ma, mb, ab, aa, bb) {
        rank_of(a, n, ra); rank_of(b, n, rb)
        for (i = 1; i <= n; i++) { ma += ra[i] / n; mb += rb[i] / n }
        for (i = 1; i <= n; i++) { ab += (ra[i] - ma) * (rb[i] - mb); aa += (ra[i] - ma) ^ 2; bb += (rb[i] - mb) ^ 2 }
        return aa * bb > 0 ? ab / sqrt(aa * bb) : 1
    }
    function median(list, n,   i, j, t) {
        for (i = 2; i <= n; i++) for (j = i; j > 1 && list[j] < list[j - 1]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
        return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
    }
    { if (!($1 in cases)) machine[++machines] = $1
      k = ++cases[$1]; pattern[$1, k] = $2; predicted[$1, k] = $4; simulated[$1, k] = $5 }
    END {
        print "| machine, " ranks " ranks | Spearman, all orders of all patterns | of the orders of a pattern, median | error, median | largest | predicted best within 10 % | worst |"
        print "|---|---|---|---|---|---|---|"
        for (m = 1; m <= machines; m++) {
            name = machine[m]; n = cases[name]; errors = 0; largest = 0; within = 0; of = 0; good = 0; worst = 1
            for (k = 1; k <= n; k++) {
                a[k] = predicted[name, k]; b[k] = simulated[name, k]
                e[++errors] = a[k] > b[k] ? a[k] / b[k] - 1 : b[k] / a[k] - 1
                if (e[errors] > largest) { largest = e[errors]; at = pattern[name, k] }
            }
            all = spearman(n)
            for (k = 1; k <= n; k += 6) {
                best = pick = k; flat = 1
                for (i = k; i < k + 6; i++) {
                    if (predicted[name, i] < predicted[name, pick]) pick = i
                    if (simulated[name, i] < simulated[name, best]) best = i
                    a[i - k + 1] = predicted[name, i]; b[i - k + 1] = simulated[name, i]
                    if (simulated[name, i] > 1.05 * simulated[name, best] || simulated[name, k] > 1.05 * simulated[name, best]) flat = 0
                }
                if (!flat) w[++within] = spearman(6)
                ratio = simulated[name, pick] / simulated[name, best]
                of++; good += ratio <= 1.1
                if (ratio > worst) { worst = ratio; worst_at = pattern[name, k] }
            }
            printf "| %s | %.3f | %.2f | %.0f %% | %.0f %% (%s) | %d of %d | %s |\n", name, all, median(w, within), 100 * median(e, errors), \
                100 * largest, at, good, of, (worst > 1 ? sprintf("%.2f (%s)", worst, worst_at) : "1")
        }
    }' "$out/simgrid-$ranks.tsv" | tee "$out/simgrid-$ranks.md"
awk -v title="$ranks ranks" -f "$tests/bench/scatter.awk" "$out/simgrid-$ranks.tsv" >"$out/simgrid-$ranks.svg"
