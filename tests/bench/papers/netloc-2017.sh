# SPDX-License-Identifier: BSD-3-Clause
# netloc-2017.sh - Bordage, Foyer and Goglin, Netloc: a Tool for Topology-Aware Process Mapping, Euro-Par 2017 workshops.
# A part of scripts/experiments.
# shellcheck shell=bash disable=SC2154

# Plafrim 2: 4 leaf switches of 22 nodes, two processors with two NUMA nodes of 6 cores each.
plafrim2="switch:4 node:22 package:2 numa:2 core:6"

# The lines of section 5.1.
example_netloc()
{
    cat <<'END'
torus 3 4 1600 4 1600 4 1600 2 32 52
tree 1 4 800 1 0
node n129 tree 4 2 80 2 40 4 20 2 10 -1
tree 1 4 800 2 0 1
node n208 tree 4 2 80 2 40 4 20 2 10 -1
node n210 tree 4 2 80 2 40 4 20 2 10 -1
END
}

figure_5_netloc()
{
    local machine=$work/netloc parts same ranks
    example_netloc >"$machine"
    "$reseat" topo --topology "$machine" --to netloc >"$work/again"
    same=$(cmp -s "$machine" "$work/again" && echo the same || echo others)
    row "Section 5.1" "the six lines, read and written again" "these lines" "$same" "\"$same\" == \"the same\""
    for ranks in 96 48; do
        echo $ranks | awk '{ print; for (i = 0; i < $1; i++) print i, (i + 1) % $1, 1, 1000 }' >"$work/ring"
        "$reseat" map "$work/ring" --topology "$machine" --method recursive --output "$work/order" >/dev/null
        parts=$(awk '{ n[int($2 / 32)]++ } END { print n[0] + 0 "/" n[1] + n[2] + 0 }' "$work/order")
        row "Section 5.2" "$ranks ranks on the routers with one node and two" "one third, two thirds" "$parts" \
            "\"$parts\" == \"$((ranks / 3))/$((ranks * 2 / 3))\""
    done
}

# miniGhost's patterns: processes in a grid, each with its box of cells; stencils of two and three dimensions; all variables in
# one message or in one each. `X Y Z NX NY NZ DIMENSIONS VARIABLES MESSAGES', a line each.
minighost_cases()
{
    local grid box
    for grid in "4 4 6" "8 12 1" "2 4 12" "8 6 4" "4 4 12" "8 8 6" "16 24 1" "8 6 11"; do
        for box in "50 50 50" "100 100 100" "200 100 50" "20 20 200" "400 20 20"; do
            for dimensions in 2 3; do
                printf '%s %s %s\n' "$grid" "$box" "$dimensions 5 1" "$grid" "$box" "$dimensions 5 5" \
                    "$grid" "$box" "$dimensions 40 1" "$grid" "$box" "$dimensions 40 40"
            done
        done
    done
}

# minighost X Y Z NX NY NZ DIMENSIONS VARIABLES MESSAGES: 100 steps
minighost()
{
    echo "$*" | awk '{
        n = $1 * $2 * $3; face[0] = $5 * $6; face[1] = $4 * $6; face[2] = $4 * $5
        print n
        for (r = 0; r < n; r++) for (d = 0; d < 2 * $7; d++) {
            i = r % $1 + (d == 0) - (d == 1); j = int(r / $1) % $2 + (d == 2) - (d == 3); k = int(r / $1 / $2) + (d == 4) - (d == 5)
            if (i >= 0 && i < $1 && j >= 0 && j < $2 && k >= 0 && k < $3)
                print r, (k * $2 + j) * $1 + i, 100 * $9, 100 * $8 * 8 * face[int(d / 2)]
        } }'
}

# Its times are not published: InfiniBand QDR, Haswell.
plafrim2_timings()
{
    cat <<'END'
# reseat timings 1
level machine bytes 8 seconds 1.9e-06
level machine bytes 1048576 seconds 0.00034
level switch bytes 8 seconds 1.5e-06
level switch bytes 1048576 seconds 0.00033
level node bytes 8 seconds 8e-07
level node bytes 1048576 seconds 0.00025
level package bytes 8 seconds 5e-07
level package bytes 1048576 seconds 0.00018
level numa bytes 8 seconds 3.5e-07
level numa bytes 1048576 seconds 0.00013
card out ranks 24 bytes_per_second 3.2e9
memory pairs 6 bytes_per_second 3e10
END
}

# Which share of the cases gains how much, against the orders that MPIs have without being told.
figure_4_netloc()
{
    local method=scotch default x cases
    plafrim2_timings >"$work/plafrim2"
    has_scotch || method=multilevel
    mkdir -p "$work/ghost"
    minighost_cases | while read -r x; do
        # shellcheck disable=SC2086
        minighost $x >"$work/ghost/$(echo "$x" | tr ' ' -).txt"
    done
    rows 2017-4 "$plafrim2" "$work/plafrim2" size "$method layout:scn layout:ncs" "$work"/ghost/*.txt >"$work/fig4"
    by_time "$work"/ghost/*.txt >>"$work/fig4"
    for default in layout:scn layout:ncs; do
        ratios $method $default seconds "$work/fig4" | awk '{ print 1 - $1 }' | sort -g >"$work/gains"
        cases=$(wc -l <"$work/gains")
        case $default in
            layout:scn) x="socket by socket (as Open MPI, by default)" ;;
            *) x="node by node" ;;
        esac
        row "Fig. 4" "$cases cases, against ranks dealt $x: gain at least 0 %" "92.5 %" "$(reaching 0)" unknown \
            "by the model, with $method, which does not know about network cards; at one set of assumed timings"
        row "Fig. 4" "the same: at least 10.1 %, 20 %, 30 %" "50 %, 24.9 %, 5.7 %" "$(reaching 0.101), $(reaching 0.2), $(reaching 0.3)" differs \
            "of the communication, which gains and loses more than the whole runs of the paper"
        row "Fig. 4" "the same: largest loss, largest gain" "3.6 %, 33.6 %" "$(percent "$(awk 'NR == 1 { print -$1 }' "$work/gains")"), $(percent "$(tail -1 "$work/gains")")" differs \
            "of the communication; where ranks lose, the network card of a node is what they wait for"
        ratios time $default seconds "$work/fig4" | awk '{ print 1 - $1 }' | sort -g >"$work/gains"
        row "" "the same by \`map --objective time\`: at least 0 %, 10.1 %, 20 %, 30 %" "" "$(reaching 0), $(reaching 0.101), $(reaching 0.2), $(reaching 0.3)" - "not in the paper"
    done
}

# A part of it in SMPI: each grid of processes with the box of 100 x 100 x 100 cells, in three dimensions, 5 variables in one message.
figure_4_simulated_netloc()
{
    local method=scotch default x
    has_smpi || return
    has_scotch || method=multilevel
    "$reseat" topo --tree "$plafrim2" --to simgrid --timings "$work/plafrim2" -o "$work/platform.xml"
    simulated "$work/platform.xml" 24 "$plafrim2" "$work/plafrim2" "$method layout:scn layout:ncs time" "$work"/ghost/*-100-100-100-3-5-1.txt >"$work/smpi4"
    for default in layout:scn layout:ncs; do
        [ $default = layout:scn ] && x="socket by socket" || x="node by node"
        ratios $method $default seconds "$work/smpi4" | awk '{ print 1 - $1 }' | sort -g >"$work/gains"
        row "Fig. 4" "$(wc -l <"$work/gains") of the cases in SMPI, against ranks dealt $x: gain at least 0 %, 10.1 %, 20 %, 30 %" "92.5 %, 50 %, 24.9 %, 5.7 %" \
            "$(reaching 0), $(reaching 0.101), $(reaching 0.2), $(reaching 0.3)" unknown "8 cases say little of 320: boxes of 100 x 100 x 100, 3D, 5 variables together; at one set of assumed timings"
        row "Fig. 4" "the same: least, largest gain" "-3.6 %, 33.6 %" "$(percent "$(head -1 "$work/gains")"), $(percent "$(tail -1 "$work/gains")")" differs \
            "of the communication, as above"
        ratios $method $default seconds <(grep -F -- -100-100-100-3-5-1.txt "$work/fig4") | awk '{ print 1 - $1 }' | sort -g >"$work/gains"
        row "" "the same cases by the model: least, largest gain" "" "$(percent "$(head -1 "$work/gains")"), $(percent "$(tail -1 "$work/gains")")" - "for comparison"
        ratios time $default seconds "$work/smpi4" | awk '{ print 1 - $1 }' | sort -g >"$work/gains"
        row "" "the same in SMPI by \`map --objective time\`: least, largest gain" "" "$(percent "$(head -1 "$work/gains")"), $(percent "$(tail -1 "$work/gains")")" - "not in the paper"
    done
}

# by_time FILE...: rows of what `reseat map --objective time' finds, as the method time
by_time()
{
    local file
    for file; do
        "$reseat" map "$file" --tree "$plafrim2" --timings "$work/plafrim2" --metric size --objective time --tsv |
            awk -F '\t' -v OFS='\t' -v file="$file" -v machine="$plafrim2" '{ v[$1] = $2 }
                END { print file, machine, "time", "size", "default", v["ranks"], v["cost"], v["hops"], v["predicted_seconds"], v["busiest_link"], v["seconds"] }'
    done
}

reaching() # GAIN
{
    percent "$(awk -v x="$1" '{ n += $1 >= x - 1e-9 } END { print n / NR }' "$work/gains")"
}

netloc_2017()
{
    paper "Netloc, 2017" <<'END'
C. Bordage, C. Foyer, B. Goglin: *Netloc: a Tool for Topology-Aware Process Mapping*, Euro-Par 2017 workshops. Figures 1 to 3 and
5 are pictures of machines, which `reseat topo --svg` draws. The runs of miniGhost on 88 nodes are predicted seconds of its
communication here, with assumed timings, and for 8 of the 320 cases what SimGrid's SMPI takes to send it (at most 50,000
messages, scaled up).
END
    figure_5_netloc
    [ -z "$quick" ] || return 0
    figure_4_netloc
    figure_4_simulated_netloc
}
