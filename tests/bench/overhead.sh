#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# overhead.sh FOLDER - what recording costs, compared with an empty wrapper (empty.c), which every preloaded tool
# needs:
#   overhead.tsv      pingpong.c without a library, with the empty one, and with ours by both sources of collectives,
#                     and with the time in MPI, interleaved: the nanoseconds of a call without; the median of the ratios to the MPI library's own
#                     function in the same process (which has monitoring under both, so there is none for it), and of
#                     those to a run without (which differ more from run to run than what is measured)
#   instructions.tsv  for one message of a process to itself, three calls of which one is recorded: instructions less
#                     those without a library (callgrind's count does not vary from run to run), and the nanoseconds
#                     that it takes more than by the MPI library's own functions
# Run by `make bench` in the build folder.
set -u
. "${srcdir:-.}/tests/mpi/lib.sh"
folder=$1
pairs=${PAIRS:-9}
mkdir -p "$folder"
export OMPI_MCA_mpi_yield_when_idle=0 BUSY=1 # two ranks on two cores
export RESEAT_VERBOSE=0

# run MPI RANKS WAY PROGRAM...: WAY is plain, empty, model, time (the model, and the time in MPI) or monitoring.
run()
{
    mpi=$1 ranks=$2 way=$3
    shift 3
    [ "$mpi$BUSY" = mpich ] && yields=:$(yielding) || yields=
    case $way in
    plain) launch "$mpi" "$ranks" plain "$@" ;;
    empty) launch "$mpi" "$ranks" plain env LD_PRELOAD="$work/empty-$mpi.so$yields" "$@" ;;
    time) launch "$mpi" "$ranks" "RESEAT=profile RESEAT_TIME=yes RESEAT_COLLECTIVES=model RESEAT_FILE=$work/profile" "$@" ;;
    *) launch "$mpi" "$ranks" "RESEAT=profile RESEAT_COLLECTIVES=$way RESEAT_FILE=$work/profile" "$@" ;;
    esac 2>/dev/null
}

median()
{
    sort -n | awk '{ x[NR] = $1 } END { printf "%.3f", x[int((NR + 1) / 2)] }'
}

ways()
{
    [ "$1" = openmpi ] && echo "empty model time monitoring" || echo "empty model time"
}

for mpi in $mpis; do
    compile "$mpi" "$src/tests/bench/pingpong.c" "$work/pingpong-$mpi" || exit 1
    compile "$mpi" "$src/tests/bench/self.c" "$work/self-$mpi" || exit 1
    compile "$mpi" "$src/tests/bench/empty.c" "$work/empty-$mpi.so" "-O2 -D_GNU_SOURCE -shared -fPIC" || exit 1
done

printf 'mpi\tcall\tranks\tns_without\tway\tto_own\tto_run\n' >"$folder/overhead.tsv"
for mpi in $mpis; do
    for test in "send 2" "isend 2" "isend 4" "allreduce 2" "allreduce 4"; do
        kind=${test% *} n=${test#* }
        rm -f "$work"/to-own.* "$work"/to-run.* "$work"/ns
        OMPI_MCA_mpi_yield_when_idle=$((n > 2)) BUSY=$([ "$n" -gt 2 ] || echo 1) # MPICH would never yield by itself
        for _ in $(seq "$pairs"); do
            without=$(run "$mpi" "$n" plain "$work/pingpong-$mpi" "$kind")
            echo "$without" >>"$work/ns"
            for way in plain $(ways "$mpi"); do
                with=$without
                [ "$way" = plain ] || with=$(run "$mpi" "$n" "$way" "$work/pingpong-$mpi" "$kind")
                echo "$without $with" | awk -v own="$work/to-own.$way" -v run="$work/to-run.$way" '
                    NF == 6 { print $5 >>own; print $4 / $1 >>run }'
            done
        done
        for way in plain $(ways "$mpi"); do
            own=$(median <"$work/to-own.$way")
            [ "$way" = monitoring ] && own=-
            printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$mpi" "$kind" "$n" "$(median <"$work/ns")" "$way" \
                "$own" "$(median <"$work/to-run.$way")"
        done
    done
done | tee -a "$folder/overhead.tsv" |
    awk -F'\t' '{ print "# " $1 ", " $2 ", " $3 " ranks, " $4 " ns: " $5 " " $6 " x its own, " $7 " x a run without" }'

# instructions MPI WAY N: of one process that sends itself N messages.
instructions()
{
    run "$1" 1 "$2" valgrind --tool=callgrind --callgrind-out-file="$work/callgrind" "$work/self-$1" "$3" >/dev/null
    awk '/^summary:/ { print $2 }' "$work/callgrind"
}

each() # MPI WAY: for one message
{
    echo "$(instructions "$1" "$2" 40000) $(instructions "$1" "$2" 20000)" | awk '{ print ($1 - $2) / 20000 }'
}

printf 'mpi\tway\tinstructions\tns\n' >"$folder/instructions.tsv"
BUSY=1
for mpi in $mpis; do
    [ "${VALGRIND:-no}" != no ] || break
    base=$(each "$mpi" plain)
    for way in $(ways "$mpi"); do
        rm -f "$work/ns"
        for _ in $(seq "$pairs"); do
            run "$mpi" 1 "$way" "$work/pingpong-$mpi" self | awk 'NF == 3 { print $3 }' >>"$work/ns"
        done
        ns=$(median <"$work/ns")
        [ "$way" = monitoring ] && ns=-
        echo "$mpi $way $(each "$mpi" "$way") $base $ns" | awk '{ printf "%s\t%s\t%.1f\t%s\n", $1, $2, $3 - $4, $5 }'
    done
done | tee -a "$folder/instructions.tsv" |
    awk -F'\t' '{ print "# " $1 ", one message (3 calls), " $2 ": " $3 " instructions, " $4 " ns" }'
