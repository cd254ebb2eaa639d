#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# month.sh FOLDER - what `reseat auto` gains and costs over a month: 40 batch jobs of a Slurm on the 4 nodes of
# scripts/cluster (root), each of 8 ranks on two nodes that the month's list draws, 50 Mbit/s each. Two programs (month.c):
#   waves   dealt in blocks, exchanges 1.5 MB a step with a rank on the other node: an order helps. From its 14th job on its
#           input names another rank. One of its jobs is told to end, one has a full disk, two run at the same moment on the
#           two halves of the cluster.
#   genes   dealt in turn (cyclic), works for 3 s and exchanges little with the other node: no order helps, though one is
#           predicted to. Built again after its 7th job. One of its jobs is killed with its batch script.
# Each job runs plainly, by `reseat run' with a profile that was there before (better; not genes), and by `reseat auto', in
# turn, in the same allocation. A job that fails or stands still for 30 s is run again: Open MPI 4.1 over TCP does at times,
# without us as well. month.tsv has each run; month-summary.tsv, for each program, the seconds of all jobs that were not
# killed: plain, by auto, and with the better of both orders always (in each phase); auto's excess over plain, and its share
# of what can be gained. Run by `make bench-month' in the build folder; it takes seven minutes. JOBS: only the first so many
# of the list; LOCK: a file to lock meanwhile, for 5 minutes at a time; OTHERWISE=1: other hosts; QUICK=1: 12 short jobs with
# all of these events, without the better order always (tests/cluster/month.tap).
set -u
. "${srcdir:-.}/tests/mpi/lib.sh"
folder=$1
cluster=$(cd "$src" && pwd)/scripts/cluster
RESEAT_CLUSTER=m$$
export RESEAT_CLUSTER OMPI_MCA_topo='^treematch' OMPI_MCA_btl=self,vader,tcp OMPI_MCA_btl_tcp_if_include=eth0
n=$RESEAT_CLUSTER-n
mkdir -p "$folder" "$work/disk"
unset RESEAT_VERBOSE
trap '"$cluster" down 9>&-; umount "$work/disk" 2>/dev/null; [ -n "${KEEP:-}" ] || rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
case $mpis in
    *openmpi*) ;;
    *) echo "month.sh: needs Open MPI" >&2; exit 77 ;;
esac

jobs=${JOBS:-40} ways="plain better auto" bytes=1500000 work_of_genes=300
[ -z "${QUICK:-}" ] || { jobs=${JOBS:-12} ways="plain auto" bytes=400000 work_of_genes=100; }

# ---- the list: `JOB PROGRAM PHASE NODES EVENT' ----

list()
{
    awk -v jobs="$jobs" -v quick="${QUICK:-0}" -v seed="${OTHERWISE:-7}" '
    function random(n) { seed = (seed * 16807) % 2147483647; return seed % n }
    BEGIN {
        event_of["waves", quick ? 3 : 6] = "ended"; event_of["waves", quick ? 4 : 9] = "full"
        event_of["waves", quick ? 7 : 20] = "with"; event_of["genes", quick ? 2 : 5] = "killed"
        for (job = 1; job <= jobs; job++) {
            a = random(4); b = (a + 1 + random(3)) % 4
            low = a < b ? a : b; high = a < b ? b : a
            program = job % 3 == 0 && event != "with" || job == 40 ? "genes" : "waves"
            number = ++of[program]
            phase = 1 + (program == "waves" ? number >= (quick ? 5 : 14) : number > (quick ? 2 : 7))
            if (event == "with") # the other half
                nodes = last == "0,1" ? "2,3" : last == "0,2" ? "1,3" : last == "0,3" ? "1,2" : last == "1,2" ? "0,3" : last == "1,3" ? "0,2" : "0,1"
            else
                nodes = low "," high
            event = (program, number) in event_of ? event_of[program, number] : "-"
            last = nodes
            print job, program, phase, nodes, event
        }
    }'
}

# words PROGRAM PHASE: sets `program' and `launcher'
words()
{
    case $1 in waves) program="$work/waves $work/waves.input" ;; *) program="$work/genes$2/genes $work/genes.input" ;; esac
    case $1 in waves) launcher="srun --mpi=pmix" ;; *) launcher="srun --mpi=pmix -m cyclic" ;; esac
}

# ---- the batch script, in an allocation: RESULTS JOB PROGRAM PHASE EVENT ----
cat >"$work/batch" <<'SCRIPT'
#!/bin/bash
once() # WAY
{
    case $1 in
        plain) $limit $launcher $program ;;
        better) $limit "$reseat" run "$profile" -- $launcher $program ;;
        auto) $limit "$reseat" auto -- $launcher $program ;;
    esac
}
full() { [ "$way-$event" != auto-full ] || dd if=/dev/zero of="$RESEAT_STORE/../fill" bs=1k >/dev/null 2>&1; }
not_full() { rm -f "$RESEAT_STORE/../fill"; }
limit="timeout -k 2 30"
[ "$title" != genes ] || ways="plain auto"
case $event in
    ended) ways=auto limit="timeout -k 9 0.5" ;;
    killed) ways=auto; { sleep 0.5; scancel "$SLURM_JOB_ID"; } & ;;
esac
set -- $ways
for ((i = 0; $# > 1 && i < job % 3; i++)); do set -- "$2" ${3:+"$3"} "$1"; done
for way; do
    for try in 1 2 3; do
        full
        began=$(date +%s%N)
        once "$way" >out.$job.$way 2>err.$job.$way
        status=$?
        took=$((($(date +%s%N) - began) / 1000000))
        not_full
        [ $status != 0 ] && [ "$event" != ended ] || break
    done
    said=$(sed -n 's/^reseat[ a-z]*: \(job [0-9]* of [a-z]* on 8 ranks: \)*//p' err.$job.$way | head -1)
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%d.%03d\t%s\n' "$job" "$title" "$phase" "$event" "$way" "$status" $((took / 1000)) $((took % 1000)) \
        "$said" >>"$results"
done
SCRIPT

# set_input PHASE: of waves: the partner of a rank is another one in phase 2
set_input() { echo "100 $bytes $((2 + 2 * $1)) 3" >"$work/waves.input"; }

# submit JOB PROGRAM PHASE NODES EVENT: the number of the batch job
submit()
{
    words "$2" "$3"
    [ "$2" = genes ] || set_input "$3"
    job=$1 title=$2 phase=$3 event=$5 profile=$work/$2$3.profile results=$work/results program=$program launcher=$launcher reseat=$reseat ways=$ways \
        "$cluster" node 0 sbatch --parsable -N2 --ntasks-per-node=4 -w "${n}[$4]" -D "$work" -o "$work/batch.log" "$work/batch" 9>&-
}
queued() { "$cluster" node 0 squeue -h -o %i 9>&-; }
finished() # NUMBER...
{
    local all number
    for number; do
        while all=$(queued) && grep -qx "$number" <<<"$all"; do sleep 0.1; done
    done
}

exec 9>"${LOCK:-/dev/null}"
locked=0
take_turn() # the lock, or the right to go on with it
{
    [ -n "${LOCK:-}" ] || return 0
    if [ "$locked" != 0 ]; then
        [ $((SECONDS - locked)) -gt 280 ] || return 0
        flock -u 9
        sleep 2
    fi
    flock 9
    locked=$SECONDS
}

# ---- the month ----
for build in waves: genes1/genes:1 genes2/genes:2; do
    mkdir -p "$work/$(dirname "${build%:*}")"
    "$TEST_OPENMPI_CC" -O1 -rdynamic -DBUILD="${build#*:}+0" -o "$work/${build%:*}" "$src/tests/bench/month.c" || exit 1
done
echo "$work_of_genes 20000 1 10" >"$work/genes.input"
mount -t tmpfs -o size=1m,mode=700 none "$work/disk" || exit 77
export RESEAT_STORE=$work/disk/store
take_turn
"$cluster" up 4 50mbit --slurm 9>&- || exit
"$cluster" exec srun --mpi=list 2>&1 | grep -q pmix || { echo "month.sh: this Slurm has no PMIx" >&2; exit 77; }
phases=
case $ways in *better*) phases="waves1 waves2" ;; esac
for phase in $phases; do
    words "${phase%?}" "${phase#?????}"
    set_input "${phase#?????}"
    for _ in 1 2 3; do
        # shellcheck disable=SC2086
        "$cluster" exec --timeout 30 salloc -Q -N2 --ntasks-per-node=4 "$reseat" profile -o "$work/$phase.profile" -- $launcher $program \
            9>&- >"$work/log" 2>&1 && break
        note <"$work/log" >&2
    done
done
printf 'job\tprogram\tphase\tevent\tway\tstatus\tseconds\tsaid\n' >"$work/results"
while read -r job name phase nodes event; do
    take_turn
    numbers=$(submit "$job" "$name" "$phase" "$nodes" "$event" </dev/null)
    if [ "$event" = with ]; then
        read -r job name phase nodes event
        numbers="$numbers $(submit "$job" "$name" "$phase" "$nodes" "$event" </dev/null)"
    fi
    # shellcheck disable=SC2086
    finished $numbers
    cp "$work/results" "$folder/month.tsv"
done < <(list)
"$reseat" history >"$folder/month-history.txt"
"$reseat" history --json "$folder/month-history.json"

# ---- the summary ----
awk -F '\t' -v OFS='\t' '
function median(key,    v, k, i, j, t) {
    k = split(values[key], v, " ")
    for (i = 2; i <= k; i++) for (j = i; j > 1 && v[j - 1] + 0 > v[j] + 0; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
    return v[int((k + 1) / 2)] + 0
}
NR > 1 && $6 == 0 { seconds[$1, $5] = $7; program[$1] = $2; phase[$1] = $2 " " $3; values[$2 " " $3, $5] = values[$2 " " $3, $5] " " $7; last = $1 > last ? $1 : last }
END {
    print "program", "jobs", "plain", "auto", "best", "excess_percent", "gained_percent"
    for (job = 1; job <= last; job++)
        if ((job, "plain") in seconds && (job, "auto") in seconds) {
            best = (job, "better") in seconds && median(phase[job] SUBSEP "better") < median(phase[job] SUBSEP "plain") ? "better" : "plain"
            for (p = 1; p <= 2; p++) {
                name = p == 1 ? program[job] : "all"
                jobs[name]++; plain[name] += seconds[job, "plain"]; with[name] += seconds[job, "auto"]; always[name] += seconds[job, best]
            }
        }
    p = split("waves genes all", names, " ")
    for (i = 1; i <= p; i++) {
        name = names[i]
        if (name in jobs)
            printf "%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%s\n", name, jobs[name], plain[name], with[name], always[name], 100 * (with[name] / plain[name] - 1),
                always[name] < 0.95 * plain[name] ? sprintf("%.0f", 100 * (plain[name] - with[name]) / (plain[name] - always[name])) : "-"
    }
}' "$work/results" | tee "$folder/month-summary.tsv"
