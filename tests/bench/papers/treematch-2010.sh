# SPDX-License-Identifier: BSD-3-Clause
# treematch-2010.sh - Jeannot and Mercier, Near-Optimal Placement of MPI Processes on Hierarchical NUMA Architectures, Euro-Par 2010.
# A part of scripts/experiments.
# shellcheck shell=bash disable=SC2154

# The machine of the experiments: four NUMA nodes of four sockets, six cores each, two of which share an L2 cache.
bertha="node:4 package:4 l2:3 core:2"

# Figure 1: the matrix. The paper has it as a picture; this one has all sums that it prints.
example_2010()
{
    cat <<'END'
8
0 1 1 1000
0 2 1 10
0 3 1 1
0 4 1 100
0 5 1 1
0 6 1 1
0 7 1 1
1 2 1 1000
1 3 1 1
1 4 1 1
1 5 1 100
1 6 1 1
1 7 1 1
2 3 1 1000
2 4 1 1
2 5 1 1
2 6 1 100
2 7 1 1
3 4 1 1
3 5 1 1
3 6 1 1
3 7 1 100
4 5 1 1000
4 6 1 10
4 7 1 1
5 6 1 1000
5 7 1 1
6 7 1 1000
END
}

# The example that the algorithm is explained with, on a tree of 2 x 3 x 2: groups, their values and matrices as `map -v' shows them.
figures_1_and_2()
{
    local example=$work/example tree="2 3 2" groups value entries
    example_2010 >"$example"
    "$reseat" map "$example" --tree "$tree" --method treematch -v >/dev/null 2>"$work/steps"
    groups=$(step_groups 1)
    row "Fig. 1" "groups of two" "(0,1) (2,3) (4,5) (6,7)" "$groups" "\"$groups\" == \"(0,1) (2,3) (4,5) (6,7)\"" \
        "the text has (5,6) for the last one, a slip"
    value=$(awk '/^$/ { step++ } step == 1 && / value [0-9]/ { sum += $NF } END { print sum + 0 }' "$work/steps")
    row "Fig. 1" "value of these groups, 1218 for (0,1)" 4872 "$value" "$value == 4872" "4872 follows from the matrix"
    entries=$(step_matrix 1)
    row "Fig. 2a" "the matrix between them" "0 1012 202 4 / 1012 0 4 202 / ..." "$entries" \
        "\"$entries\" == \"0 1012 202 4 / 1012 0 4 202 / 202 4 0 1012 / 4 202 1012 0\""
    groups=$(step_groups 2)
    row "Fig. 2b" "groups of three, with two artificial ones" "(0,1,4) (2,3,5)" "$groups" "\"$groups\" == \"(0,1,4) (2,3,5)\""
    entries=$(step_matrix 2)
    row "Fig. 2c" "between the two halves, TreeMatch" 412 "$entries" "\"$entries\" == \"0 412 / 412 0\""
    value=$(crossing "$example" "$tree" 1,0,0 --method packed)
    row "Fig. 1b" "the same, Packed" "worse" "$value" "$value == 1218" "1218 follows from the matrix"
    value=$(crossing "$example" "$tree" 1,0,0 --method roundrobin)
    row "Fig. 1b" "the same, Round Robin" "very poor" "$value" "$value == 6010" "6010 follows from the matrix"
}

# step_groups N: the groups of the Nth step, as (0,1) (2,3)
step_groups()
{
    awk -v n="$1" '/^$/ { step++ } step == n && / value [0-9]/ {
        sub(/^ *[0-9]*: /, ""); sub(/ +value.*/, ""); gsub(/[()]/, ""); gsub(/ +/, ",")
        text = text (text == "" ? "" : " ") "(" $0 ")" }
        END { print text }' "$work/steps"
}

# step_matrix N: the matrix between its groups, its rows divided by a stroke
step_matrix()
{
    awk -v n="$1" '/^$/ { step++ } step == n && /^ *[0-9]+ +[0-9 ]+$/ { $1 = $1; text = text (text == "" ? "" : " / ") $0 }
        END { print text }' "$work/steps"
}

# Costs of mappings of the NAS kernels on Bertha, pair by pair of methods. The paper does not say how fast its levels are, so all is
# done with three sets of distances.
figure_3a()
{
    local files=("$data"/npb3.4-*.W-[1-6]*.txt) methods="treematch multilevel mpipp1 mpipp5 packed roundrobin" s against costs found
    [ -z "$quick" ] || files=("$data"/npb3.4-*.W-16.txt)
    for costs in 8,6,4,2 8,4,2,1 27,9,3,1; do
        rows "2010-3a/$costs" "$bertha" $costs size "$methods" "${files[@]}" >"$work/fig3a.$costs"
    done
    found=$(of_cost mpipp1 treematch 1)
    row "Fig. 3a" "MPIPP.1 by TreeMatch (distances 8 6 4 2, 8 4 2 1, 27 9 3 1): share above 1" "over 93 %" "$found" unknown "distances are not published"
    for costs in 8,6,4,2 27,9,3,1; do
        read -r -a s < <(ratios mpipp1 treematch cost "$work/fig3a.$costs" | statistics)
        row "Fig. 3a" "the same (${costs//,/ }): median, mean, least, most" "1.306, 1.387, 1, 2.232" "${s[3]}, ${s[4]}, ${s[5]}, ${s[6]}" \
            "~ ${s[3]} > 1.05 && ${s[4]} > 1.1 && ${s[5]} > 0.98 && ${s[6]} > 1.3" "the amounts follow from the speeds of the levels"
    done
    for against in mpipp5 packed roundrobin; do
        found=$(of_cost $against treematch 4)
        row "Fig. 3a" "$against by TreeMatch: mean" "$([ $against = mpipp5 ] && echo "a little above 1" || echo "above 1")" "$found" "$(every "$found" "x > 1")"
    done
    found=$(of_cost roundrobin packed 4)
    row "Fig. 3a" "Round Robin by Packed: mean" "above 1" "$found" "$(every "$found" "x > 1")" "here dealt out to the nodes; there in the order of the system"
    row "" "TreeMatch by our default: mean" "" "$(of_cost treematch multilevel 4)" - "not in the paper"
    [ -z "$quick" ] || return
    read -r -a s < <(ratios mpipp5 treematch map_seconds "$work/fig3a.8,6,4,2" | statistics)
    row "Fig. 3a" "time of MPIPP.5 by TreeMatch's: least, most" "above 1, up to 82" "${s[5]}, ${s[6]}" differs "an exchange is priced by its two rows"
}

of_cost() # METHOD THAN FIELD
{
    each "$1" "$2" cost "$3" "$work"/fig3a.{"8,6,4,2","8,4,2,1","27,9,3,1"}
}

# hierarchy ARITIES...: all pairs, ten times as much with each level that they share; renumbered.
hierarchy()
{
    echo "$@" | awk '{ n = 1; for (i = 1; i <= NF; i++) { n *= $i; a[i] = $i }
        for (r = 0; r < n; r++) name[r] = (r * 7 + 3) % n # 7 has no divisor of n, see below
        print n
        for (r = 0; r < n; r++) for (q = 0; q < r; q++) {
            size = n; weight = 1
            for (l = 1; l <= NF; l++) { size /= a[l]; if (int(r / size) != int(q / size)) break; weight *= 10 }
            print name[r], name[q], 1, weight } }'
}

# optimum ARITIES...: what the pattern above costs at best, with distances of 2, 4, ... from the leaves.
optimum()
{
    echo "$@" | awk '{ n = 1; for (i = 1; i <= NF; i++) n *= $i
        group = n; weight = 1
        for (l = 1; l <= NF; l++) { inner = group / $l; sum += n * (group - inner) / 2 * weight * 2 * (NF + 1 - l); group = inner; weight *= 10 }
        printf "%.0f\n", sum }'
}

# Random matrices with a clear hierarchy, on six trees.
figure_3b()
{
    local tree costs found best all=0 exact=0 packed=0
    for tree in "4 4 3 2" "20 4 3 2" "8 2 4" "4 8 2 2" "5 12" "16 2 2 2 2"; do
        [ -z "$quick" ] || [ "$tree" != "20 4 3 2" ] || continue
        # shellcheck disable=SC2086
        hierarchy $tree >"$work/hierarchy"
        # shellcheck disable=SC2086
        best=$(optimum $tree)
        costs=$(echo "$tree" | awk '{ for (i = NF; i > 0; i--) printf "%d%s", 2 * i, (i > 1 ? "," : "") }')
        all=$((all + 1))
        found=$(crossing "$work/hierarchy" "$tree" "$costs" --method treematch)
        awk -v f="$found" -v b="$best" 'BEGIN { exit !(f > 0 && f <= b * (1 + 1e-9)) }' && exact=$((exact + 1))
        found=$(crossing "$work/hierarchy" "$tree" "$costs" --method packed)
        awk -v f="$found" -v b="$best" 'BEGIN { exit !(f > b) }' && packed=$((packed + 1))
    done
    row "Fig. 3b" "hierarchies on trees: TreeMatch is optimal" "always" "$exact of $all" "$exact == $all" "planted, renumbered"
    row "Fig. 3b" "the same: Packed is worse" "yes" "$packed of $all" "$packed == $all"
}

# What can be had of runs on 96 cores: seconds of the communication, by the model. How fast a memory is for the cores that share it
# is not published, so all is done at a quarter of 10.5 GB/s to four times that.
figures_4_and_5()
{
    local against files rate share least most at="memories of 2.6, 5.2, 10.5, 21, 42 GB/s" why="by the model, with memories at these rates"
    for rate in 2.6 5.2 10.5 21 42; do
        bertha_timings "$rate" >"$work/bertha"
        rows "2010-5/$rate" "$bertha" "$work/bertha" size "treematch mpipp1 mpipp5 packed roundrobin" "$data"/npb3.4-*.W-[1-6]*.txt >"$work/fig5.$rate"
        grep -- '-64.txt	' "$work/fig5.$rate" >"$work/fig5b.$rate"
    done
    row "Fig. 4a, b" "NAS on Bertha, of whole runs" "0.9 to 1.3 from 32 ranks on" "not done" - "96 cores; their communication is in figure 5, and below in SMPI"
    files=$(echo "$work"/fig5.{2.6,5.2,10.5,21,42})
    for against in mpipp1 packed mpipp5 roundrobin; do
        share=$(not_below_1 "$against" "$files") least=$(of_seconds "$against" 5 "$files") most=$(of_seconds "$against" 6 "$files")
        case $against in
            mpipp1) row "Fig. 5a" "$against by TreeMatch, seconds, $at: share not below 1" "almost 75 %" "$share" unknown "$why" ;;
            packed) row "Fig. 5a" "$against by TreeMatch, seconds: share not below 1" "almost 75 %" "$share" "$(every "$share" "x > 0.65")" "$why" ;;
            roundrobin) row "Fig. 5a" "$against by TreeMatch, seconds: share not below 1" "almost 75 %" "$share" differs \
                "here dealt out to four nodes, and so to all memories; there in the order of the system's numbers" ;;
        esac
        case $against in
            packed) row "Fig. 5a" "$against by TreeMatch, seconds: least" "above 0.9" "$least" "$(every "$least" "x > 0.9")" "$why" ;;
            roundrobin) row "Fig. 5a" "$against by TreeMatch, seconds: least" 0.83 "$least" unknown "$why" ;;
            *) row "Fig. 5a" "$against by TreeMatch, seconds: least" "above 0.9" "$least" unknown "$why" ;;
        esac
        [ $against = roundrobin ] ||
            row "Fig. 5a" "$against by TreeMatch, seconds: most" "beyond 1.3" "$most" "~ $(every "$most" "x > 1.05")" "$why"
    done
    files=$(echo "$work"/fig5b.{2.6,5.2,10.5,21,42})
    row "Fig. 5b" "mpipp5 by TreeMatch, 64 ranks: share not below 1" "two thirds" "$(not_below_1 mpipp5 "$files")" unknown "$why"
    for against in mpipp1 packed; do
        least=$(of_seconds "$against" 5 "$files") most=$(of_seconds "$against" 6 "$files")
        row "Fig. 5b" "$against by TreeMatch, 64 ranks: least" "above 0.92" "$least" \
            "$([ $against = mpipp1 ] && echo unknown || every "$least" "x > 0.92")" "$why"
        row "Fig. 5b" "$against by TreeMatch, 64 ranks: most" "up to 1.2" "$most" "~ $(every "$most" "x > 1.03")" "$why"
    done
}

# The communication of figures 4 and 5 in SMPI, whose hosts are the sockets: what is a node of Bertha is a switch there, as fast as
# its card above. All but IS on 64 ranks, of which one order takes a minute.
figures_4_and_5_simulated()
{
    local against rate methods="mpipp1 packed mpipp5 roundrobin"
    has_smpi || return
    for rate in 2.6 10.5 42; do
        bertha_timings "$rate" >"$work/bertha"
        sed -n 's/^level package/level node/; s/^level node bytes \([0-9]*\) seconds \(8e-07\|0.0005\)$/level switch bytes \1 seconds \2/
            s/ranks 24/ranks 6/; /l2/!p' "$work/bertha" >"$work/sockets"
        "$reseat" topo --tree "switch:4 node:4 core:6" --to simgrid --timings "$work/sockets" |
            sed '/-up"/s/bandwidth="[^"]*"/bandwidth="3.1e10Bps"/' >"$work/platform.xml"
        simulated "$work/platform.xml" 6 "$bertha" "$work/bertha" "treematch $methods" \
            "$data"/npb3.4-{bt,cg,ep,ft,lu,mg,sp}.W-[1-6]*.txt "$data"/npb3.4-is.W-{16,32}.txt >"$work/smpi5a.$rate"
        grep -v -- '-16.txt	' "$work/smpi5a.$rate" >"$work/smpi4b.$rate"
        grep -- '-64.txt	' "$work/smpi5a.$rate" >"$work/smpi5b.$rate"
    done
    for against in $methods; do
        row "Fig. 4b" "$against by TreeMatch, 32 to 64 ranks, communication in SMPI, memories of 2.6, 10.5, 42 GB/s: least; most" \
            "0.9; 1.3" "$(of_smpi 4b "$against" 5); $(of_smpi 4b "$against" 6)" unknown "the communication of whole runs, which are not simulated; all but IS on 64 ranks"
    done
    for against in $methods; do
        figure_5_rows 5a "$against" "almost 75 %" "$([ "$against" = roundrobin ] && echo 0.83 || echo "above 0.9")" "beyond 1.3"
    done
    for against in $methods; do
        figure_5_rows 5b "$against" "$([ "$against" = mpipp5 ] && echo "two thirds")" "above 0.92" "up to 1.2"
    done
}

figure_5_rows() # FIGURE METHOD SHARE LEAST MOST: of which the last three are published
{
    local found which="all but IS on 64"
    local why="the rates are not published; no L2 caches there, and what passes between sockets passes no memory, so slow memories favor it"
    [ "$1" = 5a ] || which="64 ranks, without IS"
    row "Fig. $1" "$2 by TreeMatch, $which, in SMPI, memories of 2.6, 10.5, 42 GB/s: share not below 1" "$3" \
        "$(not_below_1 "$2" "$(echo "$work/smpi$1".{2.6,10.5,42})")" "$([ -n "$3" ] && echo unknown || echo -)" "$([ -n "$3" ] && echo "$why" || echo "not in the paper")"
    found=$(of_smpi "$1" "$2" 5)
    case $1.$2 in
        5a.mpipp1 | 5a.packed) row "Fig. $1" "the same: least" "$4" "$found" differs "at all three rates; no L2 caches there, and what passes between sockets passes no memory" ;;
        *) row "Fig. $1" "the same: least" "$4" "$found" unknown "$why" ;;
    esac
    found=$(of_smpi "$1" "$2" 6)
    case $1.$2 in
        5a.mpipp1 | 5a.roundrobin) row "Fig. $1" "the same: most" "$5" "$found" "~ $(every "$found" "x > 1.3")" "with slow memories EP on 16 ranks alone; the paper has several cases" ;;
        *) row "Fig. $1" "the same: most" "$5" "$found" unknown "$why" ;;
    esac
}

of_smpi() # FIGURE METHOD FIELD
{
    each "$2" treematch seconds "$3" "$work/smpi$1".{2.6,10.5,42}
}

of_seconds() # METHOD FIELD FILES
{
    # shellcheck disable=SC2086
    each "$1" treematch seconds "$2" $3
}

# not_below_1 METHOD FILES: shares, 1 for all
not_below_1()
{
    paste -d ' ' <(of_seconds "$1" 1 "$2" | tr ',' '\n') <(of_seconds "$1" 2 "$2" | tr ',' '\n') |
        awk '{ printf "%s%.3f", (NR > 1 ? ", " : ""), $1 + $2 }'
}

# Bertha's times are not published: what machines of that kind have. Its ranks share no network card, and memories are taken
# as fast as said, in GB/s.
bertha_timings() # RATE
{
    cat <<END
# reseat timings 1
level machine bytes 8 seconds 1.4e-06
level machine bytes 1048576 seconds 0.0008
level node bytes 8 seconds 8e-07
level node bytes 1048576 seconds 0.0005
level package bytes 8 seconds 5e-07
level package bytes 1048576 seconds 0.0003
level l2 bytes 8 seconds 3e-07
level l2 bytes 1048576 seconds 0.0002
card out ranks 24 bytes_per_second 3.1e10
memory pairs 3 bytes_per_second ${1}e9
END
}

treematch_2010()
{
    paper "TreeMatch, 2010" <<'END'
E. Jeannot, G. Mercier: *Near-Optimal Placement of MPI Processes on Hierarchical NUMA Architectures*, Euro-Par 2010. The NAS
kernels are recorded matrices of class W (tests/data), 16 to 64 ranks; the paper has classes A to D. Ratios are of the sums of
bytes x distance, those of figure 5 of predicted seconds (doc/design/0014-seconds.md) with assumed timings, and of what SimGrid's
SMPI takes to send the messages (at most 50,000 of them, scaled up).
END
    figures_1_and_2
    figure_3a
    figure_3b
    [ -z "$quick" ] || return 0
    figures_4_and_5
    figures_4_and_5_simulated
}
