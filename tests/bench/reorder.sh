#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# reorder.sh FOLDER - what the reordering itself takes: milliseconds of MPI_Init (scope world) and of
# MPI_Dist_graph_create_adjacent (scope graph) without and with us in turn, on however many processors this machine
# has; medians (reorder.tsv). MPICH at 16 ranks only. What the mapping alone takes up to
# 65,536 roles is in sweep.tsv (mapping.sh). Run by `make bench` in the build folder.
set -u
. "${srcdir:-.}/tests/mpi/lib.sh"
folder=$1
pairs=${PAIRS:-5}
mkdir -p "$folder"
export LIMIT=300

median()
{
    sort -n | awk '{ x[NR] = $1 } END { printf "%.1f", x[int((NR + 1) / 2)] }'
}

printf 'mpi\tranks\tstrategy\tscope\tms_without\tms_with\tms_reordering\n' >"$folder/reorder.tsv"
for mpi in $mpis; do
    compile "$mpi" "$src/tests/bench/start.c" "$work/start" || exit 1
    for n in 16 64 256; do
        [ "$mpi-$n" = mpich-64 ] && break
        export RESEAT_TOPOLOGY="node:$((n / 8)) package:2 core:4"
        launch "$mpi" $n "RESEAT=profile RESEAT_FILE=$work/profile RESEAT_VERBOSE=0" "$work/start" >/dev/null
        rounds=$pairs strategies="global twolevel"
        [ $n = 256 ] && rounds=1 strategies=global # MPI_Init alone takes a minute on two processors
        for strategy in $strategies; do
            for scope in world graph; do
                column=$([ $scope = world ] && echo 1 || echo 2)
                rm -f "$work"/ms.*
                for _ in $(seq "$rounds"); do
                    launch "$mpi" $n plain "$work/start" | cut -d' ' -f$column >>"$work/ms.without"
                    launch "$mpi" $n "RESEAT=reorder RESEAT_SCOPE=$scope RESEAT_STRATEGY=$strategy
                        RESEAT_FILE=$work/profile" "$work/start" 2>"$work/err" | cut -d' ' -f$column >>"$work/ms.with"
                    sed -n 's/^reseat: .*reordered.*, \([0-9.]*\) ms)$/\1/p' "$work/err" >>"$work/ms.own"
                done
                printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$mpi" $n $strategy $scope "$(median <"$work/ms.without")" \
                    "$(median <"$work/ms.with")" "$(median <"$work/ms.own")"
            done
        done
    done
done | tee -a "$folder/reorder.tsv" |
    awk -F'\t' '{ print "# " $1 ", " $2 " ranks, " $3 ", " $4 ": " $5 " ms without, " $6 " with, reordering " $7 }'
