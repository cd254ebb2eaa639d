#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# job.sh FOLDER - what a whole job costs more: seconds from its launch to its end, without us, watched, and
# reordered, in turn, so that whatever else the machine does falls on all three; medians, and the middle half of the
# ratios to the same round's job without us (job.tsv). The program does next to nothing. Run by `make bench` in the build
# folder. ROUNDS and RANKS choose.
set -u
. "${srcdir:-.}/tests/mpi/lib.sh"
folder=$1
mkdir -p "$folder"
export LIMIT=100

# seconds WAY: of one job, in the file WAY.
seconds()
{
    case $1 in
        without) variables=plain ;;
        watched) variables="RESEAT=profile RESEAT_FILE=$work/profile" ;;
        reordered) variables="RESEAT=reorder RESEAT_SCOPE=world RESEAT_FILE=$work/profile" ;;
    esac
    begin=$EPOCHREALTIME
    launch "$mpi" "$ranks" "$variables" "$work/start" >/dev/null 2>&1 || echo "job.sh: $mpi, $ranks ranks, $1: failed" >&2
    echo "$begin $EPOCHREALTIME" | awk '{ printf "%.3f\n", $2 - $1 }' >>"$work/$1"
}

# quarter N FILE: the Nth quartile of its numbers.
quarter()
{
    sort -n "$2" | awk -v n="$1" '{ x[NR] = $1 } END { printf "%.3f", x[int((NR - 1) * n / 4 + 1.5)] }'
}

printf 'mpi\tranks\tjob\tseconds\tratio\tratio_low\tratio_high\n' >"$folder/job.tsv"
for mpi in $mpis; do
    compile "$mpi" "$src/tests/bench/start.c" "$work/start" || exit 1
    for ranks in ${RANKS:-1 4 16 64}; do
        [ "$mpi" = mpich ] && [ "$ranks" -gt 16 ] && continue
        export RESEAT_TOPOLOGY="node:4 core:$(((ranks + 3) / 4))"
        rm -f "$work/without" "$work/watched" "$work/reordered"
        for _ in $(seq "${ROUNDS:-11}"); do
            for way in without watched reordered; do seconds $way; done
        done
        for way in without watched reordered; do
            paste "$work/$way" "$work/without" | awk '{ print $1 / $2 }' >"$work/ratios"
            printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$mpi" "$ranks" $way "$(quarter 2 "$work/$way")" \
                "$(quarter 2 "$work/ratios")" "$(quarter 1 "$work/ratios")" "$(quarter 3 "$work/ratios")"
        done
    done
done | tee -a "$folder/job.tsv"
