#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# job.sh FOLDER - what recording and reordering cost a whole job: seconds from its launch to its end, and of processor
# time of all its processes; without us, watched, and reordered in turn, so that other load of the machine affects all
# three alike; medians, and the middle half of the ratios to the same round's job without us (job.tsv). The program
# does next to nothing. Three ways to have seats:
#   tree   four nodes from RESEAT_TOPOLOGY, ranks are not bound: the machine is not read;
#   bound  rank r is bound to PU r (round the machine), which is detected: hwloc reads the machine;
#   four   on the four nodes of a scripts/cluster (root), 1 Gbit/s.
# PROGRAM=FILE.c: instead of start.c; `empty' has only MPI_Init and MPI_Finalize, so that what remains is the start and the
# end. BUSY=1: MPICH waits as it does for users. Both for the start: BUSY=1 PROGRAM=empty RANKS="2 16 64" SEATS="tree four".
# Run by `make bench` in the build folder. ROUNDS, RANKS, SEATS and MPIS choose. To compare with another build of the library,
# LIBRARIES="other=FOLDER" has also the jobs with the one in FOLDER, `watched-other' and `reordered-other'.
set -u
. "${srcdir:-.}/tests/mpi/lib.sh"
folder=$1
mkdir -p "$folder"
export LIMIT="${LIMIT:-100}" OMPI_MCA_hwloc_base_binding_policy=none PRTE_MCA_hwloc_default_binding_policy=none
ways="without watched reordered"
cluster=$src/scripts/cluster
export RESEAT_CLUSTER=j$$ BUSY=${BUSY:-}
# shellcheck disable=SC2153
trap 'case ${SEATS:-} in *four*) "$cluster" down 2>/dev/null ;; esac; rm -rf "$work"' EXIT
for other in ${LIBRARIES:-}; do ways="$ways watched-${other%%=*} reordered-${other%%=*}"; done

source=$src/tests/bench/start.c argument=
export MEMORY=$work/memory
case ${PROGRAM:-} in
    empty) argument=empty ;;
    ?*) source=$PROGRAM ;;
esac

# library MPI: instead of lib.sh's.
library()
{
    echo "$libraries/libreseat-$1.so"
}

# shellcheck disable=SC2016 # for the ranks
printf '#!/bin/sh\nexec taskset -c $((${OMPI_COMM_WORLD_RANK:-$PMI_RANK} %% %d)) "$@"\n' "$(nproc)" >"$work/bind"
chmod +x "$work/bind"

# The job, where the seats are.
started()
{
    preload=
    [ "$variables" = plain ] || preload="LD_PRELOAD=$(library "$mpi") $variables"
    # shellcheck disable=SC2086
    case $seats in
        four) "$cluster" run "$mpi" -n "$ranks" --by node --timeout "$LIMIT" -- env MEMORY="$MEMORY" $preload $program ;;
        *) launch "$mpi" "$ranks" "$variables" $program ;;
    esac
}

# timed WAY: one job; its seconds go to the file WAY, those of the processors to WAY.cpu.
timed()
{
    case $1 in
        without) variables=plain ;;
        watched*) variables="RESEAT=profile RESEAT_FILE=$work/profile" ;;
        reordered*) variables="RESEAT=reorder RESEAT_SCOPE=world RESEAT_FILE=$work/talked" ;;
    esac
    libraries=$build/.libs
    for other in ${LIBRARIES:-}; do case $1 in *-"${other%%=*}") libraries=${other#*=} ;; esac; done
    program="$work/start $argument"
    [ "$seats" = bound ] && program="$work/bind $program"
    program="$low$program"
    rm -f "$MEMORY"
    TIMEFORMAT='%R %U %S'
    { time started >/dev/null 2>&1 || echo "job.sh: $mpi, $ranks ranks, $1: failed" >&3; } \
        3>&2 2>"$work/time"
    awk -v file="$work/$1" '{ print $1 >file ".now"; print $2 + $3 >file ".cpu.now" }' "$work/time"
    cat "$work/$1.now" >>"$work/$1"
    cat "$work/$1.cpu.now" >>"$work/$1.cpu"
    sort -n "$MEMORY" 2>/dev/null | tail -1 >>"$work/$1.memory"
}

# quarter N FILE: the Nth quartile of its numbers.
quarter()
{
    sort -n "$2" | awk -v n="$1" '{ x[NR] = $1 } END { printf "%.3f", x[int((NR - 1) * n / 4 + 1.5)] }'
}

# with_ratio FILE FILE-WITHOUT: median, ratio, its quartiles.
with_ratio()
{
    paste "$1" "$2" | awk '{ print $1 / $2 }' >"$work/ratios"
    printf '\t%s\t%s\t%s\t%s' "$(quarter 2 "$1")" "$(quarter 2 "$work/ratios")" "$(quarter 1 "$work/ratios")" \
        "$(quarter 3 "$work/ratios")"
}

printf 'mpi\tranks\tseats\tjob\tseconds\tratio\tratio_low\tratio_high\tcpu\tcpu_ratio\tcpu_low\tcpu_high\tmemory\n' >"$folder/job.tsv"
for mpi in ${MPIS:-$mpis}; do
    compile "$mpi" "$source" "$work/start" || exit 1
    compile "$mpi" "$src/tests/bench/start.c" "$work/talks" || exit 1
    for ranks in ${RANKS:-1 4 16 64}; do
        # So many ranks that wait leave their launcher, for which they wait, no processor.
        low=
        [ "$ranks" -lt 256 ] || low='nice -n 15 '
        [ -z "${RANKS:-}" ] && [ "$mpi" = mpich ] && [ "$ranks" -gt 16 ] && continue
        for seats in ${SEATS:-tree bound}; do
            unset RESEAT_TOPOLOGY
            [ "$seats" = tree ] && export RESEAT_TOPOLOGY="node:4 core:$(((ranks + 3) / 4))"
            for way in $ways; do rm -f "$work/$way" "$work/$way".*; done
            [ "$seats" = four ] && { "$cluster" up 4 1gbit >&2 || continue; }
            libraries=$build/.libs
            # shellcheck disable=SC2086
            launch "$mpi" "$ranks" "RESEAT=profile RESEAT_FILE=$work/talked" $low"$work/talks" >/dev/null 2>&1 ||
                echo "job.sh: $mpi, $ranks ranks: the job that is recorded failed" >&2
            for _ in $(seq "${ROUNDS:-11}"); do
                for way in $ways; do timed "$way"; done
            done
            [ "$seats" = four ] && "$cluster" down
            for way in $ways; do
                printf '%s\t%s\t%s\t%s' "$mpi" "$ranks" "$seats" "$way"
                with_ratio "$work/$way" "$work/without"
                with_ratio "$work/$way.cpu" "$work/without.cpu"
                printf '\t%.0f\n' "$(quarter 2 "$work/$way.memory")"
            done
        done
    done
done | tee -a "$folder/job.tsv"
