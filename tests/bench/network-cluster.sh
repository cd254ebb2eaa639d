#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# network-cluster.sh FOLDER - what it is worth to know the shape of a network: 16 ranks on 8 nodes (scripts/cluster),
# launched in random order, on a star and on a ring, each in launch order, in the order that the library finds for a
# star (nothing is said of the network), and in the one that it finds for the ring (RESEAT_TOPOLOGY is a file of
# coordinates); in turn, so that other load of the machine affects all alike. Seconds of the exchanges alone (tests/cluster/neighbors.c),
# medians, and the ratio to the star's order (network-cluster.tsv). Run by `make bench` in the build folder, where the
# machine allows clusters. ROUNDS, RATE, NETWORKS, ORDERS and MPIS choose; PATTERN
# are the words of neighbors.
#
# Each rank exchanges three times as much with the second one after it as with the next. For a star it is best to put
# such partners on one node; on a ring it is better that the nodes follow the ranks, although more is sent between nodes.
set -u
. "${srcdir:-.}/tests/mpi/lib.sh"
folder=$1
cluster=$(cd "$src" && pwd)/scripts/cluster
read -ra pattern <<<"${PATTERN:-10 1:100000 2:300000}"
nodes=8 by=5,0,3,6,1,7,2,4,6,1,0,5,7,3,4,2
RESEAT_CLUSTER=w$$
export RESEAT_CLUSTER OMPI_MCA_topo='^treematch'
trap '"$cluster" down; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
mkdir -p "$folder"
{ echo "# torus $nodes"; for ((i = 0; i < nodes; i++)); do echo "$RESEAT_CLUSTER-n$i $i"; done; } >"$work/ring"

# timed ORDER: one job; its seconds go to the file $mpi.$network.ORDER.
timed()
{
    local command=("${launch[@]}" "$work/neighbors.$mpi" "${pattern[@]}")
    case $1 in
        launch) "${command[@]}" ;;
        star) "$reseat" run "$work/$mpi.profile" -- "${command[@]}" ;;
        ring) RESEAT_TOPOLOGY=$work/ring "$reseat" run "$work/$mpi.profile" -- "${command[@]}" ;;
    esac >"$work/out" 2>"$work/err" </dev/null
    awk '$2 == "s" { print $1 }' "$work/out" | grep . >>"$work/$mpi.$network.$1" ||
        echo "network-cluster.sh: $mpi, $network, $1: failed: $(tail -1 "$work/err")" >&2
}

median()
{
    sort -n "$1" | awk '{ t[NR] = $1 } END { print NR ? t[int((NR + 1) / 2)] : "nan" }'
}

printf 'mpi\tnetwork\torder\tjobs\tseconds\tratio\n' >"$folder/network-cluster.tsv"
for network in ${NETWORKS:-star ring}; do
    [ $network = ring ] && option=--ring || option=
    # shellcheck disable=SC2086
    "$cluster" up $nodes "${RATE:-50mbit}" $option 2>"$work/err" || {
        echo "network-cluster.sh: passed over: $(cat "$work/err")" >&2
        exit 0
    }
    for mpi in ${MPIS:-$mpis}; do
        [ -e "$work/neighbors.$mpi" ] ||
            compile "$mpi" "$src/tests/cluster/neighbors.c" "$work/neighbors.$mpi" || exit 1
        read -ra launch < <("$cluster" launcher "$mpi" --by $by --timeout 120 --until all)
        [ -e "$work/$mpi.profile" ] || "$reseat" profile -o "$work/$mpi.profile" -- "${launch[@]/#all/written}" \
            "$work/neighbors.$mpi" 1 "${pattern[@]:1}" >/dev/null 2>&1 </dev/null
        for ((round = 0; round < ${ROUNDS:-5}; round++)); do
            for order in ${ORDERS:-launch star ring}; do timed $order; done
        done
        for order in ${ORDERS:-launch star ring}; do
            file=$work/$mpi.$network.$order
            printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$mpi" $network $order "$(wc -l <"$file")" "$(median "$file")" \
                "$(awk -v a="$(median "$file")" -v b="$(median "${file%.*}.star")" 'BEGIN { printf "%.2f", a / b }')"
        done
    done
    "$cluster" down
done | tee -a "$folder/network-cluster.tsv"
