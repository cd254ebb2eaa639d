#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# collectives.sh - the model of collectives against what the MPIs send, as the table of doc/collectives.md: of Open
# MPI by its monitoring, of MPICH by what it passes to UCX. In the build folder: srcdir=.. sh
# ../tests/bench/collectives.sh >table
. "${srcdir:-.}/tests/mpi/lib.sh"

# Sums and correlation of two files `source target msgs bytes`, over all pairs of two ranks.
compare() # RANKS SEEN SAID
{
    awk -v n="$1" '
        $1 == $2 { next }
        FILENAME == ARGV[1] { x[$1 " " $2] = $4 + 1e-6 * $3; all[$1 " " $2] }
        FILENAME == ARGV[2] { y[$1 " " $2] = $4 + 1e-6 * $3; all[$1 " " $2] }
        END {
            n *= n - 1
            for (k in all) { a = x[k]; b = y[k]; sx += a; sy += b; sxx += a * a; syy += b * b; sxy += a * b }
            varies = (n * sxx - sx * sx) * (n * syy - sy * sy)
            printf "%.2f | %.2f", sy / sx, (varies > 1e-9 * n * n * sxx * syy / (n * n) ? (n * sxy - sx * sy) / sqrt(varies) : 1)
        }' "$2" "$3"
}

echo "| collective | ranks | bytes | Open MPI: bytes | correlation | MPICH: bytes | correlation |"
echo "|---|---|---|---|---|---|---|"
for mpi in $mpis; do
    compile "$mpi" "$programs/collectives.c" "$work/collectives-$mpi" 2>/dev/null
done
cc -shared -fPIC -o "$work/oracle.so" "$libraries/ucp-oracle.c" 2>/dev/null
for collective in barrier bcast reduce allreduce gather gatherv scatter scatterv allgather allgatherv alltoall alltoallv \
    reduce_scatter reduce_scatter_block scan exscan; do
    for ranks in 6 8 13; do
        for bytes in 8 1000 20000 200000; do
            [ $collective = barrier ] && [ $bytes != 8 ] && continue
            line="| $collective | $ranks | $bytes |"
            for mpi in $mpis; do
                rm -f "$work"/o.* "$work/seen" "$work/said"
                launch "$mpi" $ranks "RESEAT=profile RESEAT_COLLECTIVES=model RESEAT_FILE=$work/said" \
                    "$work/collectives-$mpi" $collective $bytes >/dev/null 2>&1
                if [ "$mpi" = openmpi ]; then
                    launch "$mpi" $ranks "RESEAT=profile RESEAT_FILE=$work/seen" "$work/collectives-$mpi" \
                        $collective $bytes >/dev/null 2>&1
                    rows "$work/seen" 0 coll >"$work/seen.rows"
                else
                    launch "$mpi" $ranks plain env LD_PRELOAD="$work/oracle.so" UCP_ORACLE="$work/o" \
                        "$work/collectives-$mpi" $collective $bytes >/dev/null 2>&1
                    cat "$work"/o.* >"$work/seen.rows"
                fi
                rows "$work/said" 0 coll >"$work/said.rows"
                line="$line $(compare $ranks "$work/seen.rows" "$work/said.rows") |"
            done
            echo "$line"
        done
    done
done
