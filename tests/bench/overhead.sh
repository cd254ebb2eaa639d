#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# overhead.sh FOLDER - what recording costs a call: paired runs of pingpong.c without and with the library,
# interleaved, on two ranks; the median of the pairs' ratios (overhead.tsv). Run by `make bench` in the build
# folder.
set -u
. "${srcdir:-.}/tests/mpi/lib.sh"
folder=$1
pairs=${PAIRS:-9}
mkdir -p "$folder"
export OMPI_MCA_mpi_yield_when_idle=0 # two ranks on two cores
printf 'mpi\tcall\tns_without\tns_with\tratio\n' >"$folder/overhead.tsv"
for mpi in $mpis; do
    compile "$mpi" "$src/tests/bench/pingpong.c" "$work/pingpong" || exit 1
    for kind in send isend allreduce; do
        : >"$work/pairs"
        for _ in $(seq "$pairs"); do
            without=$(launch "$mpi" 2 plain "$work/pingpong" $kind 2>/dev/null)
            with=$(launch "$mpi" 2 "RESEAT=profile RESEAT_VERBOSE=0 RESEAT_FILE=$work/profile" \
                "$work/pingpong" $kind 2>/dev/null)
            echo "$without $with"
        done >"$work/pairs"
        sort -n "$work/pairs" | awk 'NF == 2 { print $2 / $1, $1, $2 }' | sort -n | awk -v mpi="$mpi" -v kind=$kind '
            { ratio[NR] = $1; a[NR] = $2; b[NR] = $3 }
            END { m = int((NR + 1) / 2); printf("%s\t%s\t%.1f\t%.1f\t%.3f\n", mpi, kind, a[m], b[m], ratio[m]) }'
    done
done | tee -a "$folder/overhead.tsv" | awk -F'\t' '{ print "# " $1 ", " $2 ": " $3 " ns without, " $4 " ns with recording, ratio " $5 }'
