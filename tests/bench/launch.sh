#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# launch.sh FOLDER - what `run --placement launch` costs a job: seconds of a short program of 16 ranks on four nodes
# (scripts/cluster) by itself, placed, and placed again as it was the last time; and of the steps that placing it
# adds: the launcher with nothing to start, with the probe, with the probe and what it reads of the machine. By mpirun
# and, where Slurm is, by srun in an allocation. Medians of interleaved runs (launch.tsv), with their ratio to the job
# by itself. Needs root and mpicc.openmpi. Run by `make bench` in the build folder; QUICK=1: two rounds.
folder=$1
rounds=${ROUNDS:-$([ "${QUICK:-0}" = 1 ] && echo 2 || echo 9)}
src=$(cd "${srcdir:-.}" && pwd)
cluster=$src/scripts/cluster
reseat=$PWD/reseat
work=$(mktemp -d /tmp/reseat-launch.XXXXXX)
export RESEAT_CLUSTER=l$$ OMPI_MCA_topo='^treematch' OMPI_MCA_btl=self,vader,tcp OMPI_MCA_btl_tcp_if_include=eth0
export OMPI_MCA_mpi_yield_when_idle=1 RESEAT_MIN_GAIN=0 RESEAT_VERBOSE=0
trap '"$cluster" down 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
command -v mpicc.openmpi >/dev/null || { echo "# launch: skipped, no Open MPI here"; exit 0; }
slurm=--slurm
command -v slurmctld >/dev/null || slurm=
"$cluster" up 4 1gbit $slurm || { echo "# launch: skipped, no cluster here"; exit 0; }
mkdir -p "$folder"
table=$(cd "$folder" && pwd)/launch.tsv
mpicc.openmpi -O2 -o "$work/job" "$src/tests/cluster/partners.c" || exit 1
cd "$work" || exit 1
# shellcheck disable=SC2016 # for the ranks
host='read -r name </proc/sys/kernel/hostname; echo $name'
# shellcheck disable=SC2016
pus='cpus=$(sed -n "s/^Cpus_allowed_list:[^0-9]*//p" /proc/self/status); echo "$(uname -n) $cpus $(getconf _NPROCESSORS_ONLN)"'

timed() # NAME COMMAND...
{
    local name=$1 start=$EPOCHREALTIME
    shift
    "$@" >out 2>&1 </dev/null || { echo "# launch: $name failed: $(tail -1 out)"; return; }
    echo "$EPOCHREALTIME $start" | awk '{ printf "%.3f\n", $1 - $2 }' >>"$name"
}
median() { sort -n "$1" | awk '{ t[NR] = $1 } END { print NR ? t[int((NR + 1) / 2)] : "nan" }'; }

# measure NAME COMMAND...: the launcher's words, inside of an allocation where there has to be one.
measure()
{
    name=$1
    shift
    for step in plain placed again nothing probe places; do : >"$step"; done
    "$reseat" profile -o profile -- "$@" ./job 8 >out 2>&1 || { echo "# launch: $(tail -1 out)"; exit 1; }
    for ((i = 0; i < rounds; i++)); do
        timed plain "$@" ./job 8
        rm -f profile.tried
        timed placed "$reseat" run --placement launch profile -- "$@" ./job 8
        timed again "$reseat" run --placement launch profile -- "$@" ./job 8
        timed nothing "$@" sh -c "$host"
        timed probe "$@" sh -c "$pus"
        timed places "$@" sh -c "$pus; $reseat seat 0 2"
    done
    for step in plain placed again nothing probe places; do
        printf '%s\t%s\t%s\t%s\n' "$name" $step "$(median $step)" "$(median plain)"
    done | awk -F'\t' '{ printf "%s\t%s\t%s\t%.2f\n", $1, $2, $3, $3 / $4 }' >>"$table"
}

printf 'launcher\twhat\tseconds\tof_plain\n' >"$table"
read -ra line <<<"$("$cluster" launcher openmpi -n 16 --by node --timeout 60)"
measure mpirun "${line[@]}"
if [ -n "$slurm" ]; then
    "$cluster" node 0 salloc -Q --no-shell -N4 --ntasks-per-node=4 && SLURM_JOB_ID=$("$cluster" node 0 squeue -h -o %A)
    export SLURM_JOB_ID
    measure srun "$cluster" exec --timeout 60 srun --mpi=pmix -n 16 -m cyclic
fi
sed 's/^/# /' "$table"
