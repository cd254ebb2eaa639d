#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# simulate.sh FOLDER - events a second of `reseat simulate`, and seconds of processor time that its methods take: of 64, 1,024
# and 4,096 ranks that all send to 63 others, 16 a node. Called by `make bench` in the build folder; writes
# FOLDER/simulate.tsv (ranks, method, events, seconds, millions of events a second). Seconds are those of the whole
# command, medians of ROUNDS (3). Methods that map fast are one line, blocked; best simulates many mappings.
set -u
folder=$1
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%U %S'

# timed WORKLOAD METHOD TREE: events and seconds, a line.
timed()
{
    { time ./reseat simulate --workload "$1" --method "$2" --tree "$3" --tsv >"$work/out"; } 2>"$work/time"
    awk -v seconds="$(awk '{ print $1 + $2 }' "$work/time")" '$1 == "events" { print $2, seconds }' "$work/out"
}

printf 'ranks\tmethod\tevents\tseconds\tmillion_a_second\n' >"$folder/simulate.tsv"
sizes="1 16 64"
[ -n "${QUICK:-}" ] && sizes="1 16"
for jobs in $sizes; do
    for _ in $(seq "$jobs"); do echo "pattern alltoall ranks=64 length=64KB rate=100 messages=$((320 / jobs))"; done >"$work/workload"
    for method in blocked contention drb multilevel best; do
        [ "$method" = best ] && [ "$jobs" -gt 1 ] && continue # minutes
        for _ in $(seq "${ROUNDS:-3}"); do
            timed "$work/workload" "$method" "node:$((4 * jobs)) package:4 core:4"
        done | sort -n -k2 | awk -v jobs="$jobs" -v method="$method" -v OFS='\t' '{ events[NR] = $1; seconds[NR] = $2 }
            END { m = int((NR + 1) / 2); s = seconds[m]
                print 64 * jobs, method, events[m], s, (s > 0 ? sprintf("%.2f", events[m] / s / 1e6) : "-") }'
    done
done | tee -a "$folder/simulate.tsv"
