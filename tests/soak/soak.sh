#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# soak.sh - many jobs under load, as users start them: watched, with a reordered world, with reordered topology calls,
# with ranks placed at launch. `make soak` (SOAK_JOBS=100): that many jobs of each kind and MPI, of 10 programs or
# more in turn. Each has to end in time, with the exit status and the lines (sorted, without times) that it has
# without reseat. Two processes keep the processors busy all the time. Prints TAP: one result for each MPI and kind.
. "${srcdir:-.}/tests/mpi/lib.sh"

jobs=${SOAK_JOBS:-${1:-100}}
reseat=$build/reseat
seconds=60
ranks=8

# name, source, arguments: programs that say at rank 0 what came out, the same in every order.
programs="
halo examples/halo.c -i 30 -b 4096
cart tests/mpi/programs/cart-and-graph.c cart
graph tests/mpi/programs/cart-and-graph.c graph
adjacent tests/mpi/programs/neighbor-lists.c adjacent weighted 2
foreign tests/mpi/programs/neighbor-lists.c foreign unweighted 2
collectives tests/mpi/programs/collectives.c
forms tests/mpi/programs/call-forms.c plain
files tests/mpi/programs/file-io.c FILE
hello tests/mpi/programs/two-messages-f08.f90
cxx tests/mpi/programs/two-messages.cc
python tests/programs/every.py"

# program NAME: its words, in $words.
program()
{
    words=$(echo "$programs" | sed -n "s|^$1 [^ ]* *||p" | sed "s|FILE|$work/file.$mpi|")
    case $1 in
        python) words="/usr/bin/python3 $src/tests/programs/every.py" ;;
        *) words="$work/$1.$mpi $words" ;;
    esac
}

# What is compared: no times, none of our lines, not how many processes have another rank now.
results() { grep -v '^reseat' "$1" | sed -E 's/[0-9]+\.[0-9]+ s//; s/(not |[0-9]+ )?moved//' | sort; }

# job KIND PROFILE: one job of $words, in $work/out; its exit status.
job()
{
    launcher="$(wrapper "$mpi" run) -n $ranks"
    case $1 in
        alone) set -- ;;
        watched) set -- "$reseat" profile -o "$2" -- ;;
        world) set -- env RESEAT_TOPOLOGY="node:2 core:4" RESEAT_MAPPING="$work/order" "$reseat" run "$2" -- ;;
        gain) set -- env RESEAT_TOPOLOGY="node:2 core:4" RESEAT_MIN_GAIN=0 "$reseat" run --scope world "$2" -- ;;
        graph) set -- env RESEAT_TOPOLOGY="node:2 core:4" RESEAT_MIN_GAIN=0 "$reseat" run --scope graph "$2" -- ;;
        placed) set -- env RESEAT_MIN_GAIN=0 "$reseat" run --placement launch "$2" -- ;;
    esac
    theirs=
    [ "$mpi" != mpich ] || theirs=$(yielding)
    # shellcheck disable=SC2086
    LD_PRELOAD="$theirs" timeout -k 5 $seconds "$@" $launcher $words >"$work/out" 2>"$work/err" </dev/null
}

make_programs()
{
    echo "$programs" | while read -r name source _; do
        case $source in
            '' | *.py) ;;
            *) compile "$mpi" "$src/$source" "$work/$name.$mpi" "-I$build/src -I." >"$work/compile" 2>&1 ||
                note <"$work/compile" ;;
        esac
    done
}

# What each program says alone; those that do not run here (no mpi4py for MPICH) are left out.
run_alone()
{
    usable=
    for name in $(echo "$programs" | awk '{ print $1 }'); do
        program "$name"
        if job alone && results "$work/out" >"$work/alone.$name.$mpi" && job watched "$work/$name.$mpi.reseat" &&
            [ -s "$work/$name.$mpi.reseat" ]; then
            usable="$usable $name"
        else
            echo "# $mpi: $name is left out: it fails, or leaves no profile"
        fi
    done
}

soak() # KIND
{
    bad=0 done=0
    while [ $done -lt "$jobs" ]; do
        for name in $usable; do
            [ $done -lt "$jobs" ] || break
            done=$((done + 1))
            program "$name"
            how=$1
            [ "$how" != world ] || [ $((done % 2)) = 0 ] || how=gain
            profile=$work/$name.$mpi.reseat
            [ "$how" != watched ] || profile=$work/again.reseat
            job "$how" "$profile"
            status=$?
            results "$work/out" >"$work/results"
            if [ $status != 0 ] || ! cmp -s "$work/results" "$work/alone.$name.$mpi"; then
                bad=$((bad + 1))
                echo "# $mpi $1 job $done, $name: exit status $status"
                diff "$work/alone.$name.$mpi" "$work/results" | head -5 | note
                tail -3 "$work/err" | note
            fi
        done
    done
    [ $bad = 0 ]
    ok $? "$mpi: $done jobs $1: no hang, no crash, no difference"
}

(while :; do :; done) &
busy="$!"
(while :; do :; done) &
busy="$busy $!"
# shellcheck disable=SC2064,SC2086
trap "kill $busy; rm -rf '$work'" EXIT
awk -v n=$ranks 'BEGIN { for (i = 0; i < n; i++) print i, (i * 3 + 5) % n }' >"$work/order"
for mpi in $mpis; do
    make_programs
    run_alone
    for kind in watched world graph placed; do
        soak $kind
    done
done
finish
