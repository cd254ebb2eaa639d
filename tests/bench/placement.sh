#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# placement.sh FOLDER - a real program on a cluster of four nodes (network namespaces, 100 Mbit/s), launched by slot,
# by node and in random order, with and without another order behind MPI_COMM_WORLD, and placed at launch by
# `run --placement launch` and `map --emit`: seconds of LAMMPS' own loop, medians of interleaved runs, and their ratio
# to the best placement that has nothing of ours (placement.tsv). Needs root and lmp. Run by `make bench` in the build
# folder; QUICK=1: one round.
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
mkdir -p "$folder"
cp "$src/examples/melt.lmp" "$work"
cd "$work" || exit 1

declare -A by
by[slot]=slot by[node]=node by[random]=2,0,3,1,1,3,0,2,3,2,1,0,0,1,2,3
launch() # BY: sets line[]
{
    read -ra line <<<"$("$src/scripts/cluster" launcher openmpi -n 16 --by "$1" --timeout 60 --until Total)"
}
loop() # COMMAND...: seconds
{
    "$@" 2>/dev/null | sed -n 's/^Loop time of \([0-9.]*\) .*/\1/p'
}

launch node
"$reseat" profile -o melt.reseat -- "${line[@]}" lmp -in melt.lmp -log none >/dev/null 2>&1
# The hosts that map gives the ranks, as numbers of the nodes.
by[launch]=$("$reseat" map --profile melt.reseat --tree "node:4 core:4" --hosts 0,1,2,3 --emit openmpi 2>/dev/null | paste -sd,)
for ((i = 0; i < rounds; i++)); do
    for way in slot node random launch; do
        launch "${by[$way]}"
        loop "${line[@]}" lmp -in melt.lmp -log none >>"plain.$way"
        [ "$way" = launch ] && continue
        loop "$reseat" run melt.reseat -- "${line[@]}" lmp -in melt.lmp -log none >>"reseat.$way"
        loop "$reseat" run --placement launch melt.reseat -- "${line[@]}" lmp -in melt.lmp -log none >>"placed.$way"
    done
done
median() { sort -n "$1" | awk '{ t[NR] = $1 } END { print NR ? t[int((NR + 1) / 2)] : "nan" }'; }
best=$(for way in slot node; do median "plain.$way"; done | sort -n | head -1)
{
    printf 'launched\treseat\tseconds\tof_best\n'
    for way in slot node random; do
        printf '%s\tno\t%s\n%s\tworld\t%s\n%s\tlaunch\t%s\n' $way "$(median plain.$way)" \
            $way "$(median reseat.$way)" $way "$(median placed.$way)"
    done | awk -F'\t' -v best="$best" '{ printf "%s\t%s\t%s\t%.3f\n", $1, $2, $3, $3 / best }'
    printf 'map --emit\tno\t%s\n' "$(median plain.launch)" |
        awk -F'\t' -v best="$best" '{ printf "%s\t%s\t%s\t%.3f\n", $1, $2, $3, $3 / best }'
} >"$OLDPWD/$folder/placement.tsv"
sed 's/^/# /' "$OLDPWD/$folder/placement.tsv"
