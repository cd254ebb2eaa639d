#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# contention.sh FOLDER - figure 2 of Zarrinchian, Soryani and Analoui (2012): how long the messages of their workloads wait,
# mapped by each method of `reseat simulate`. Called by `make bench` in the build folder; writes FOLDER/contention.tsv
# (workload, method, waiting seconds, makespan) and prints a table with the gain over the best other method of the paper.
# MESSAGES: at most so many of a pair (all: 2,000 of the synthetic ones, as published); SEED; SPEED: how many times as fast
# the real programs compute; KEEP: a folder for the workloads; WORKLOADS, METHODS: only these.
#
# The synthetic workloads are tables 2 to 5. The real ones, tables 6 to 9, are NPB kernels: recorded matrices of class W
# (tests/data) scaled to classes B and C. Messages go with the iterations (of LU also with the edge of the grid, a message
# for each plane), and the bytes of a message
#   BT, SP, MG  with a face of the grid           FT  with the volume        IS  with the keys
#   LU          with the edge                     CG  with the rows          EP  not at all
# For 25 ranks nothing was recorded, and LU does not run on them. BT and SP: each rank of a q x q grid, which wraps, sends to
# the six neighbors (+-1, 0), (0, +-1), (+1, -1), (-1, +1); messages and bytes are the mean of those with 16 and 36 ranks. LU:
# to the four neighbors in a grid that does not wrap, bytes 4/5 of those with 16 ranks. IS with 8: all to all, messages
# as with 16 ranks, four times the bytes. A program takes the operations that NPB counts for it, in 10^9, by ranks x
# the speed of a core of that time: 0.5 (IS 0.025, EP 0.015, CG 0.15) x 10^9 a second.
set -eu
out=$1
data=$(cd "${srcdir:-.}/tests/data" && pwd)
reseat=$PWD/reseat
mkdir -p "$out"
table=$PWD/$out/contention.tsv
case $out in /*) table=$out/contention.tsv ;; esac
work=${KEEP:-$(mktemp -d)}
[ -n "${KEEP:-}" ] || trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
mkdir -p "$work"
cd "$work"

# facts KERNEL CLASS: factors of messages and of bytes a message against class W, 10^9 operations, 10^9 a second and rank
facts()
{
    awk -v key="$1.$2" -v speed="${SPEED:-1}" '$1 == key { print $2, $3, $4, $5 * speed }' <<END
BT.B 1 18.06 702 0.5
BT.C 1 45.56 2866 0.5
SP.B 1 8.03 355 0.5
SP.C 1 20.25 1450 0.5
LU.B 2.576 3.091 499 0.5
MG.B 5 4 19.5 0.5
MG.C 5 16 156 0.5
CG.B 5 10.71 54.9 0.15
CG.C 5 21.43 143 0.15
FT.B 3.333 64 92 0.5
IS.B 1 32 0.336 0.025
IS.C 1 128 1.342 0.025
EP.B 1 1 2.147 0.015
EP.C 1 1 8.59 0.015
END
}

# pattern KERNEL RANKS: the matrix of class W, `source target messages bytes`
pattern()
{
    kernel=$(echo "$1" | tr '[:upper:]' '[:lower:]')
    case $1.$2 in
    BT.25 | SP.25)
        # the mean over all neighbors with much traffic
        awk 'FNR > 1 && $4 > 100000 { m[ARGIND] += $3; b[ARGIND] += $4; n[ARGIND]++ }
            FNR == 1 { file++ } FNR > 1 && $4 > 100000 { M[file] += $3; B[file] += $4; N[file]++ }
            END { M25 = (M[1] / N[1] + M[2] / N[2]) / 2; B25 = (B[1] / N[1] + B[2] / N[2]) / 2; q = 5
                split("1 -1 0 0 1 -1", dx); split("0 0 1 -1 -1 1", dy)
                for (x = 0; x < q; x++) for (y = 0; y < q; y++) for (k = 1; k <= 6; k++)
                    print x * q + y, (x + dx[k] + q) % q * q + (y + dy[k] + q) % q, M25, B25 }' \
            "$data/npb3.4-$kernel.W-16.txt" "$data/npb3.4-$kernel.W-36.txt" ;;
    LU.25)
        awk 'NR > 1 && $4 > 100000 { m += $3; b += $4; n++ }
            END { q = 5; split("1 -1 0 0", dx); split("0 0 1 -1", dy)
                for (x = 0; x < q; x++) for (y = 0; y < q; y++) for (k = 1; k <= 4; k++) {
                    i = x + dx[k]; j = y + dy[k]
                    if (i >= 0 && i < q && j >= 0 && j < q) print x * q + y, i * q + j, m / n, b / n * 4 / 5 } }' \
            "$data/npb3.4-lu.W-16.txt" ;;
    IS.8)
        awk 'NR > 1 { m += $3; b += $4; n++ } END { for (i = 0; i < 8; i++) for (j = 0; j < 8; j++)
            if (i != j) print i, j, m / n, 4 * b / n }' "$data/npb3.4-is.W-16.txt" ;;
    *) sed 1d "$data/npb3.4-$kernel.W-$2.txt" ;;
    esac
}

# job KERNEL CLASS RANKS: its line in a workload, and its matrix
job()
{
    read -r messages bytes operations speed <<END
$(facts "$1" "$2")
END
    { echo "$3"; pattern "$1" "$3" | awk -v m="$messages" -v b="$bytes" \
        '{ n = int($3 * m + 0.5); printf "%d %d %d %.0f\n", $1, $2, n, $4 / $3 * b * n }'; } >"$1.$2.$3"
    echo "profile $1.$2.$3 seconds=$(awk -v o="$operations" -v s="$speed" -v r="$3" 'BEGIN { print o / s / r }')"
}

# synthetic RANKS LENGTH RATE
synthetic()
{
    for p in alltoall bcast gather linear; do echo "pattern $p ranks=$1 length=$2 rate=$3 messages=2000"; done
}

real()
{
    while read -r ranks kernel class; do job "$kernel" "$class" "$ranks"; done
}

synthetic 64 64KB 100 >synt_1
synthetic 64 2MB 10 >synt_2
{ synthetic 32 2MB 10; synthetic 32 64KB 10; } >synt_3
{ synthetic 24 2MB 10; synthetic 24 64KB 10; } >synt_4
printf '%s\n' "25 SP C" "32 IS C" "32 FT B" "16 FT B" "16 IS C" "32 CG C" "8 IS B" "25 BT C" "16 CG B" | real >real_1
printf '%s\n' "8 IS B" "32 FT B" "32 IS C" "32 MG C" "32 CG C" "32 IS B" "32 MG B" "32 CG B" "16 BT C" | real >real_2
printf '%s\n' "25 BT B" "32 CG B" "32 EP B" "32 FT B" "32 IS B" "25 LU B" "32 MG B" "25 SP B" | real >real_3
printf '%s\n' "25 SP C" "32 CG C" "32 EP C" "32 MG C" | real >real_4

for workload in ${WORKLOADS:-synt_1 synt_2 synt_3 synt_4 real_1 real_2 real_3 real_4}; do
    for method in ${METHODS:-blocked cyclic drb contention multilevel best}; do
        "$reseat" simulate --workload $workload --method $method --messages "${MESSAGES:-0}" --seed "${SEED:-1}" --tsv |
            awk -F '\t' -v OFS='\t' -v w=$workload -v m=$method '{ v[$1] = $2 } END { print w, m, v["waiting_seconds"], v["makespan_seconds"] }'
    done
done >"$table"

# The gains: of contention over the best of the other three of the paper, and of ours over the best of all four.
awk -F '\t' '
    BEGIN { split("synt_1 5 synt_2 8 synt_3 29 synt_4 91 real_1 11 real_2 0 real_3 > real_4 0", p, " ")
        for (i = 1; i < 16; i += 2) published[p[i]] = p[i + 1]
        printf "%-8s %10s %10s %10s %10s %10s %10s  %s\n", "waits s", "blocked", "cyclic", "drb", "contention", "multilevel", "best", \
            "gain of contention, published; of best" }
    { w[$2] = $3 }
    $2 == "best" {
        other = w["blocked"]; if (w["cyclic"] < other) other = w["cyclic"]; if (w["drb"] < other) other = w["drb"]
        all = other < w["contention"] ? other : w["contention"]
        printf "%-8s %10.4g %10.4g %10.4g %10.4g %10.4g %10.4g  %+.1f %%, %s; %+.1f %%\n", $1, w["blocked"], w["cyclic"], w["drb"],
            w["contention"], w["multilevel"], w["best"], 100 * (1 - w["contention"] / other), published[$1], 100 * (1 - w["best"] / all)
    }' "$table"
