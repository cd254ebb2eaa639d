#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# programs.sh FOLDER - what our MPI programs cost:
#   replay.tsv    seconds that `reseat replay` takes for messages round a ring, those of a plain loop of sends (sends.c),
#                 and their ratio: medians of ROUNDS (7) jobs of each kind in turn, and the middle half of the ratios;
#   measure.tsv   seconds of `reseat measure` from its launch to its end, how many figures it writes, and how often the
#                 one that was measured least was, with 4 and 16 ranks (RANKS) on one and on four nodes.
# Run by `make bench` in the build folder. MPIS chooses.
set -u
. "${srcdir:-.}/tests/mpi/lib.sh"
folder=$1
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
export LIMIT=100

# quarter N FILE: the Nth quartile of its numbers.
quarter()
{
    sort -g "$2" | awk -v n="$1" '{ x[NR] = $1 } END { printf "%.9g", x[int((NR - 1) * n / 4 + 1.5)] }'
}

# ring RANKS MESSAGES BYTES: as a profile
ring()
{
    awk -v n="$1" -v m="$2" -v b="$3" 'BEGIN { print n; for (i = 0; i < n; i++) print i, (i + 1) % n, m, m * b }' >"$work/ring.txt"
    "$reseat" convert "$work/ring.txt" --to profile -o "$work/ring.reseat"
}

# replay RANKS MESSAGES BYTES: a line of the table.
replay()
{
    ring "$1" "$2" "$3"
    : >"$work/loop"
    : >"$work/replay"
    for _ in $(seq "${ROUNDS:-7}"); do
        launch "$mpi" "$1" plain "$work/sends" "$2" "$3" 3 2>/dev/null | sort -g | sed -n 2p >>"$work/loop"
        launch "$mpi" "$1" plain "$build/reseat-replay-$mpi" "$work/ring.reseat" -1 isend 1 0 1 3 2>/dev/null |
            sed -n 's/^reseat-replay seconds //p' | sort -g | sed -n 2p >>"$work/replay"
    done
    paste "$work/replay" "$work/loop" | awk 'NF == 2 { print $1 / $2 }' >"$work/ratio"
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%.3f\t%.3f\t%.3f\n' "$mpi" "$1" "$2" "$3" "$(quarter 2 "$work/replay")" "$(quarter 2 "$work/loop")" \
        "$(quarter 2 "$work/ratio")" "$(quarter 1 "$work/ratio")" "$(quarter 3 "$work/ratio")"
}

printf 'mpi\tranks\tmessages\tbytes\treplay_seconds\tloop_seconds\tratio\tratio_low\tratio_high\n' >"$folder/replay.tsv"
for mpi in ${MPIS:-$mpis}; do
    compile "$mpi" "$src/tests/bench/sends.c" "$work/sends" || exit 1
    for ranks in 2 4; do
        replay $ranks 10000 8
        replay $ranks 10000 1000
        replay $ranks 1000 100000
        replay $ranks 100 1000000
    done
done | tee -a "$folder/replay.tsv"

printf 'mpi\tranks\tnodes\tseconds\tfigures\tleast_times\n' >"$folder/measure.tsv"
for mpi in ${MPIS:-$mpis}; do
    quiet=
    [ "$mpi" = mpich ] && quiet=$(yielding)
    for ranks in ${RANKS:-4 16}; do
        for nodes in 1 4; do
            begin=$(date +%s.%N)
            RESEAT_TOPOLOGY="node:$nodes core:$((ranks / nodes))" timeout -k 5 200 env ${quiet:+LD_PRELOAD="$quiet"} \
                "$reseat" measure -o "$work/machine" -- "$(wrapper "$mpi" run)" -n "$ranks" >/dev/null 2>"$work/err" ||
                sed 's/^/# /' "$work/err" >&2
            awk -v OFS='\t' -v mpi="$mpi" -v ranks="$ranks" -v nodes="$nodes" -v begin="$begin" -v end="$(date +%s.%N)" '
                /^# figures/ { figures = $3 }
                { for (i = 1; i < NF; i++) if ($i == "times" && (least == "" || $(i + 1) < least)) least = $(i + 1) }
                END { print mpi, ranks, nodes, sprintf("%.1f", end - begin), figures, least }' "$work/machine"
            rm -f "$work/machine"
        done
    done
done | tee -a "$folder/measure.tsv"
