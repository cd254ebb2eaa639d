#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# placement.sh FOLDER - real programs on a cluster of four nodes (network namespaces, 100 Mbit/s), launched by slot,
# by node and in random order, with and without another order by the preloaded library, and placed at launch by
# `run --placement launch` and `map --emit`: seconds that the programs tell themselves (LAMMPS' loop, the exchanges of
# examples/halo), medians of interleaved runs, and their ratio to the best placement that has nothing of ours
# (placement.tsv). Needs root, lmp, mpicc.openmpi. Run by `make bench` in the build folder; QUICK=1: one round.
folder=$1
rounds=${ROUNDS:-$([ "${QUICK:-0}" = 1 ] && echo 1 || echo 5)}
src=$(cd "${srcdir:-.}" && pwd)
reseat=$PWD/reseat
work=$(mktemp -d /tmp/reseat-placement.XXXXXX)
export RESEAT_CLUSTER=b$$ OMPI_MCA_topo='^treematch'
trap '"$src/scripts/cluster" down 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
command -v lmp >/dev/null || { echo "# placement: skipped, no lmp here"; exit 0; }
"$src/scripts/cluster" up 4 100mbit || { echo "# placement: skipped, no cluster here"; exit 0; }
command -v mpicc.openmpi >/dev/null || { echo "# placement: skipped, no Open MPI here"; exit 0; }
mkdir -p "$folder"
table=$(cd "$folder" && pwd)/placement.tsv
cp "$src/examples/melt.lmp" "$work"
cd "$work" || exit 1
mpicc.openmpi -O2 -o halo "$src/examples/halo.c" || exit 1

declare -A by
launch() # BY: sets line[]
{
    read -ra line <<<"$("$src/scripts/cluster" launcher openmpi -n 16 --by "$1" --timeout 60 --until "$last")"
}
seconds() # COMMAND...
{
    "$@" 2>/dev/null | sed -n "s/$time/\\1/p"
}
median() { sort -n "$1" | awk '{ t[NR] = $1 } END { print NR ? t[int((NR + 1) / 2)] : "nan" }'; }

# measure NAME PROGRAM...: adds to the table; $time has the seconds in what it prints, $last is in the last line.
measure()
{
    name=$1
    shift
    rm -f plain.* reseat.* placed.*
    by=([slot]=slot [node]=node [random]="2,0,3,1,1,3,0,2,3,2,1,0,0,1,2,3")
    launch node
    "$reseat" profile -o "$name.reseat" -- "${line[@]}" "$@" >/dev/null 2>&1
    # The hosts that map gives the ranks, as numbers of the nodes.
    by[launch]=$("$reseat" map "$name.reseat" --tree "node:4 core:4" --hosts 0,1,2,3 --emit openmpi 2>/dev/null |
        paste -sd,)
    for ((i = 0; i < rounds; i++)); do
        for way in slot node random launch; do
            launch "${by[$way]}"
            seconds "${line[@]}" "$@" >>"plain.$way"
            [ "$way" = launch ] && continue
            seconds "$reseat" run "$name.reseat" -- "${line[@]}" "$@" >>"reseat.$way"
            seconds "$reseat" run --placement launch "$name.reseat" -- "${line[@]}" "$@" >>"placed.$way"
        done
    done
    best=$(for way in slot node; do median "plain.$way"; done | sort -n | head -1)
    {
        for way in slot node random; do
            printf '%s\tno\t%s\n%s\tpreload\t%s\n%s\tlaunch\t%s\n' $way "$(median plain.$way)" \
                $way "$(median reseat.$way)" $way "$(median placed.$way)"
        done
        printf 'map --emit\tno\t%s\n' "$(median plain.launch)"
    } | awk -F'\t' -v name="$name" -v best="$best" '{ printf "%s\t%s\t%s\t%s\t%.3f\n", name, $1, $2, $3, $3 / best }' >>"$table"
}

printf 'program\tlaunched\treseat\tseconds\tof_best\n' >"$table"
time='^Loop time of \([0-9.]*\) .*' last=Total
measure melt lmp -in melt.lmp -log none
time='^halo: .* \([0-9.]*\) s$' last=halo:
measure halo ./halo -i 60 -b 400000
sed 's/^/# /' "$table"
