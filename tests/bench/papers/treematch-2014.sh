# SPDX-License-Identifier: BSD-3-Clause
# treematch-2014.sh - Jeannot, Mercier and Tessier, Process Placement in Multicore Clusters: Algorithmic Issues and Practical
# Techniques, IEEE TPDS 2014. A part of scripts/experiments.
# shellcheck shell=bash disable=SC2154

# PlaFRIM: nodes of two sockets of four cores, 16 on a switch. plafrim RANKS: as many nodes as these take.
plafrim()
{
    local nodes=$((($1 + 7) / 8))
    [ $nodes -le 16 ] && echo "switch:1 node:$nodes package:2 core:4" || echo "switch:2 node:16 package:2 core:4"
}

# Its times are not published: InfiniBand QDR, Nehalem; cards and memories RATE times as fast as assumed.
plafrim_timings() # RATE
{
    cat <<END
# reseat timings 1
level machine bytes 8 seconds 2.2e-06
level machine bytes 1048576 seconds 0.00036
level switch bytes 8 seconds 1.8e-06
level switch bytes 1048576 seconds 0.00034
level node bytes 8 seconds 8e-07
level node bytes 1048576 seconds 0.0003
level package bytes 8 seconds 4e-07
level package bytes 1048576 seconds 0.00018
card out ranks 8 bytes_per_second $(awk -v x="$1" 'BEGIN { print 3.2e9 * x }')
memory pairs 4 bytes_per_second $(awk -v x="$1" 'BEGIN { print 1e10 * x }')
END
}

# Levels with many children become several levels.
section_4_1_1()
{
    local divided
    example_2010 >"$work/example"
    divided=$("$reseat" map "$work/example" --tree "4 4 1" --method treematch -v 2>&1 >/dev/null | sed -n 's/^tree: .* divided: \(.*\);.*/\1/p')
    row "Section 4.1.1" "arities 4, 4, 1, divided" "4, 2, 2, 1" "${divided// x/,}" "\"$divided\" == \"4 x 2 x 2 x 1\""
}

# Time to map dense graphs: the methods alone, on one thread.
figure_1_2014()
{
    local n seconds method patterns='' methods="treematch multilevel"
    has_scotch && methods="scotch $methods"
    for n in 64 128 256 512 1024 2048 4096; do patterns="$patterns dense:$n"; done
    # shellcheck disable=SC2086
    rows 2014-1 "128 16 2 4" '' size "$methods" $patterns >"$work/fig1"
    rows 2014-1-mpipp "128 16 2 4" '' size mpipp1 dense:64 dense:128 dense:256 >>"$work/fig1"
    for n in 64 128 256 512 1024 2048 4096; do
        local -A took=([scotch]=- [mpipp1]=-)
        while read -r method seconds; do took[$method]=$seconds; done < <(awk -F '\t' -v n="$n" '$6 == n { print $3, $11 }' "$work/fig1")
        case $n in
            128) seconds="Scotch 10 ms, TreeMatch 957 ms" ;;
            256) seconds="MPIPP.1 3,550 s" ;;
            2048 | 4096) seconds="TreeMatch is the fastest" ;;
            *) seconds='' ;;
        esac
        row "Fig. 1" "$n ranks, seconds" "$seconds" "Scotch ${took[scotch]}, TreeMatch ${took[treematch]}, MPIPP.1 ${took[mpipp1]}; our default ${took[multilevel]}" \
            "$(case $n.${took[scotch]} in
                128.*) echo differs ;;
                256.*) echo "~ ${took[mpipp1]} > 50 * ${took[treematch]}" ;;
                2048.[0-9]* | 4096.[0-9]*) echo "${took[treematch]} < ${took[scotch]}" ;;
                *) echo - ;;
            esac)" \
            "$(case $n in
                128) echo "TreeMatch is the faster one from 64 ranks on: groups are found with less work" ;;
                256) echo "the slowest by far; an exchange is priced by its two rows" ;;
                64 | 512 | 1024) echo "for comparison" ;;
            esac)"
    done
    figure_1_large_2014
}

# The largest case, one method after the other: processor time, and memory beside the matrix of 2 GB.
figure_1_large_2014()
{
    local method
    local -A took memory
    has_scotch && make -s tests/bench/dense >/dev/null || return
    for method in scotch treematch; do
        read -r took[$method] memory[$method] < <(tests/bench/dense -m $method 16384 "128 16 2 4" | awk -F '\t' 'NR == 2 { print $5, $7 }')
    done
    row "Fig. 1" "16,384 ranks: processor time of Scotch by TreeMatch's" 7 \
        "$(awk "BEGIN { printf \"%.1f (%.1f s, %.1f s)\", ${took[scotch]} / ${took[treematch]}, ${took[scotch]}, ${took[treematch]} }")" \
        "~ ${took[scotch]} > 1.5 * ${took[treematch]}"
    row "" "the same: memory, times that of the matrix (2 GB)" "" "Scotch ${memory[scotch]}, TreeMatch ${memory[treematch]}" - "not in the paper"
}

# NAS kernels, placed by each method: seconds of the communication by TreeMatch's, for LU, CG and FT. RR is process i on the
# physical unit i: on such nodes these alternate between the sockets. Cards and memories are not published, so all is done with
# a quarter and four times of what is assumed, too; what is shown is in the middle.
figure_2_2014()
{
    local kernel ranks rate against s all methods="packed layout:scn mpipp1 mpipp5" range
    local -A median
    has_scotch && methods="$methods scotch-light scotch-heavy"
    for rate in 0.25 4 1; do
        plafrim_timings $rate >"$work/plafrim"
        for kernel in cg lu ft; do
            for ranks in 16 32 64; do
                rows "2014-2/$kernel-$ranks-$rate" "$(plafrim $ranks)" "$work/plafrim" "size msg" "treematch $methods" "$data/npb3.4-$kernel.W-$ranks.txt"
            done >"$work/fig2.$kernel.$rate"
        done
    done
    for against in $methods; do
        range='' all=1
        for kernel in cg lu ft; do
            read -r -a s < <(ratios "$against" treematch seconds "$work/fig2.$kernel.1" | statistics)
            median[$kernel]=$(each "$against" treematch seconds 3 "$work/fig2.$kernel".{0.25,1,4})
            all="$all && $(every "${median[$kernel]}" "x > 0.98")"
            range="$range${range:+; }$kernel ${s[3]} (${s[5]} to ${s[6]})"
        done
        case $against in
            mpipp5) row "Fig. 2" "$against by TreeMatch: median (least to most)" "above 1; CG most, FT least" "$range" unknown \
                    "by the model; above 1 at all rates, but at four times the rate CG gains less than LU" ;;
            mpipp1) row "Fig. 2" "$against by TreeMatch: median (least to most)" "above 1; CG most, FT least" "$range" "$all && $(falling)" \
                    "by the model; also with cards and memories of a quarter and four times the rate" ;;
            scotch*) row "Fig. 2" "$against by TreeMatch: median (least to most)" "above 1; CG most, FT least" "$range" differs \
                    "by the model both place these kernels equally well; that the two sets of weights do not differ is as published" ;;
            *) row "Fig. 2" "${against/layout:scn/RR} by TreeMatch: median (least to most)" "above 1; CG most, FT least" "$range" differs \
                    "LU gains most, and CG nothing: four fifths of its bytes stay within blocks of 8 ranks, the nodes of the launch order" ;;
        esac
    done
}

# The same kernels, sent in SimGrid's SMPI. Its nodes have no sockets, so RR is as packed there; each rate of cards and memories as above.
figure_2_simulated_2014()
{
    local kernel ranks rate against found methods="packed mpipp1 mpipp5"
    has_smpi || return
    has_scotch && methods="$methods scotch-light scotch-heavy"
    for rate in 0.25 1 4; do
        plafrim_timings $rate >"$work/plafrim"
        for kernel in cg lu ft; do
            for ranks in 16 32 64; do
                "$reseat" topo --tree "$(plafrim $ranks)" --to simgrid --timings "$work/plafrim" -o "$work/platform.xml"
                simulated "$work/platform.xml" 8 "$(plafrim $ranks)" "$work/plafrim" "treematch $methods" "$data/npb3.4-$kernel.W-$ranks.txt"
            done >"$work/smpi2.$kernel.$rate"
        done
    done
    for against in $methods; do
        found=''
        for kernel in cg lu ft; do
            found="$found${found:+; }$kernel $(each "$against" treematch seconds 3 "$work/smpi2.$kernel".{0.25,1,4}), most $(each "$against" treematch seconds 6 "$work/smpi2.$kernel".1)"
        done
        row "Fig. 2" "the same in SMPI: $against by TreeMatch, medians with cards and memories of a quarter, once and four times the rate, and the most" \
            "above 1; CG most, FT least" "$found" differs \
            "$(case $against in
                mpipp1) echo "FT loses 2 to 3 %, and LU gains most at a quarter of the rate and nothing at the rate" ;;
                mpipp5) echo "CG gains most and FT least at all rates, but FT loses" ;;
                packed) echo "as by the model, LU gains most and CG nothing; FT loses 1 to 4 %" ;;
                *) echo "as by the model, the same for CG and LU; FT loses 2 to 4 %" ;;
            esac)"
    done
}

# LU on 64 ranks: TreeMatch gains more in SMPI than by the model. By the assumed timings a message waits for its whole latency after
# the one before; by timings that are measured on the simulated machine messages that are sent at once wait together. What is left is
# the part of the messages that is sent.
lu_simulated_2014()
{
    local scale found='' file=$data/npb3.4-lu.W-64.txt how="smpirun -platform platform.xml -hostfile nodes --log=root.thres:error"
    has_smpi || return
    plafrim_timings 1 >"$work/plafrim"
    rows 2014-2/lu-assumed "$(plafrim 64)" "$work/plafrim" size "treematch packed" "$file" >"$work/lu.assumed"
    "$reseat" topo --tree "$(plafrim 64)" --to simgrid --timings "$work/plafrim" -o "$work/platform.xml"
    "$reseat" topo --tree "$(plafrim 64)" --to hostfile -o "$work/nodes"
    # shellcheck disable=SC2086
    (cd "$work" && RESEAT_TOPOLOGY=$(plafrim 64) "$reseat" measure -o "$work/measured" -- $how -np 64 >/dev/null)
    rows 2014-2/lu-measured "$(plafrim 64)" "$work/measured" size "treematch packed" "$file" >"$work/lu.measured"
    for scale in 0.0058 0.0231 0.1 1; do
        simulated "$work/platform.xml" 8 "$(plafrim 64)" "$work/plafrim" "treematch packed" "$file" >"$work/lu.$scale"
        found="$found${found:+, }$(ratios packed treematch seconds "$work/lu.$scale" | awk '{ printf "%.4f", $1 }')"
    done
    for by in assumed measured; do ratios packed treematch seconds "$work/lu.$by"; done |
        awk '{ printf "%s%.4f", separator, $1; separator = ", " }' >"$work/lu.ratios"
    row "Fig. 2" "LU on 64 ranks, packed by TreeMatch: the model by assumed timings, by timings measured on the simulated machine; SMPI with 12,500, 50,000, 216,000 and all 2.2 million messages" \
        "above 1" "$(cat "$work/lu.ratios"); $found" "$(every "$(cat "$work/lu.ratios"), $found" "x > 1")" \
        "with assumed timings each message waits for its whole latency, as they do not say what several at once take; a part of the messages can make too much of the difference; with all of them the ratio is 5 % below that of the model by assumed timings, 13 % below that by measured ones"
}

# falling: the condition that CG gains more than LU, and LU more than FT, at each rate; by the medians of figure_2_2014
falling()
{
    awk -v cg="${median[cg]}" -v lu="${median[lu]}" -v ft="${median[ft]}" 'BEGIN { n = split(cg, c, ", "); split(lu, l, ", "); split(ft, f, ", ")
        for (i = 1; i <= n; i++) printf "%s%s > %s && %s > %s", (i > 1 ? " && " : ""), c[i], l[i], l[i], f[i] }'
}

# Bytes as they are, not scaled down to what Scotch's integers hold: then the weights of levels do matter.
raw_loads_2014()
{
    local kernel ranks range=''
    for kernel in bt cg lu; do
        for ranks in 16 36 64; do
            # The sum of BT on 64 ranks does not fit, either.
            [ -e "$data/npb3.4-$kernel.W-$ranks.txt" ] && [ $kernel-$ranks != bt-64 ] || continue
            rows "2014-2/raw-$kernel-$ranks" "$(plafrim $ranks)" "$work/plafrim" size "scotch-light-raw scotch-heavy-raw" "$data/npb3.4-$kernel.W-$ranks.txt"
        done >"$work/raw.$kernel"
        range="$range${range:+; }$kernel $(ratios scotch-heavy-raw scotch-light-raw cost "$work/raw.$kernel" | awk '{ printf "%s%.2f", (NR > 1 ? ", " : ""), $1 }')"
    done
    row "Fig. 3c" "NAS kernels in the place of ZEUS, bytes handed to Scotch as they are: weights of 10 to 500 by 1 to 4, bytes x distance" "worse" "$range" \
        "~ $(awk -F '[ ,;]+' '{ for (i = 1; i <= NF; i++) if ($i > most) most = $i; print most + 0 }' <<<"${range//[a-z]/}") > 1.05" \
        "bytes x 660 are more than Scotch's integers hold; of figure 2 the paper says that weights make no difference there"
}

has_scotch()
{
    "$reseat" map "$data/npb3.4-cg.W-16.txt" --tree "2 2 4" --method scotch >/dev/null 2>&1
}

# ZEUS-MP/2 is not here, and its matrix is not published: a grid of three dimensions, which is how it divides its domain.
figure_3_2014()
{
    local ranks rate costs cost seconds
    for ranks in 64 128 256; do
        grid_3d "$ranks" >"$work/zeus-$ranks.txt"
        for costs in 4,3,2,1 8,4,2,1 27,9,3,1 660,160,60,10; do
            rows "2014-3/$ranks-$costs" "$(plafrim "$ranks")" "$costs" msg "treematch multilevel layout:scn" "$work/zeus-$ranks.txt" >"$work/fig3.$costs"
        done
        for rate in 0.25 1 4; do
            plafrim_timings $rate >"$work/plafrim"
            rows "2014-3/$ranks-$rate" "$(plafrim "$ranks")" "$work/plafrim" msg "treematch multilevel layout:scn layout:nsc" "$work/zeus-$ranks.txt" >"$work/fig3.$rate"
        done
        cost=$(each layout:scn treematch cost 3 "$work"/fig3.{"4,3,2,1","8,4,2,1","27,9,3,1","660,160,60,10"})
        seconds=$(each layout:scn treematch seconds 3 "$work"/fig3.{0.25,1,4})
        row "Fig. 3" "$ranks ranks: RR by TreeMatch, messages x distance (4 3 2 1, 8 4 2 1, 27 9 3 1, 660 160 60 10)" "above 1" "$cost" unknown \
            "the distances, and the matrix, are not published; here a 3D grid"
        row "Fig. 3" "$ranks ranks: RR by TreeMatch, seconds, cards and memories of a quarter, once and four times the rate" \
            "$([ "$ranks" = 256 ] && echo "1.36 (388.61 s, 285.62 s)" || echo "above 1")" "$seconds" "$([ "$ranks" = 128 ] && echo differs || echo unknown)" \
            "by the model: a grid in the order of its ranks suits RR and Packed; ZEUS is called very irregular"
        row "" "$ranks ranks: dealt node by node, by TreeMatch, seconds" "" "$(each layout:nsc treematch seconds 3 "$work"/fig3.{0.25,1,4})" - "another meaning of RR"
        row "" "$ranks ranks: RR by our default, seconds" "" "$(each layout:scn multilevel seconds 3 "$work"/fig3.{0.25,1,4})" - "not in the paper"
    done
    has_scotch || return
    plafrim_timings 1 >"$work/plafrim"
    rows 2014-3/scotch "$(plafrim 256)" "$work/plafrim" msg "scotch-light scotch-heavy" "$work/zeus-256.txt" >"$work/fig3.scotch"
    row "Fig. 3c" "256 ranks: Scotch with weights of 10 to 500 by Scotch with 1 to 4, seconds" "more than 2" \
        "$(each scotch-heavy scotch-light seconds 3 "$work/fig3.scotch")" differs \
        "by the model; a count of messages fits into Scotch's integers, and where bytes do not, weights matter: see the next row"
    raw_loads_2014
}

# The same in SMPI; its nodes have no sockets, so RR keeps the blocks of 8 ranks, and a decision inside each node changes nothing.
figures_3_and_4_simulated_2014()
{
    local ranks rate rates gain
    local -a found
    has_smpi || return
    for ranks in 64 128 256; do
        [ $ranks = 256 ] && rates=1 || rates="0.25 1 4"
        for rate in $rates; do
            plafrim_timings "$rate" >"$work/plafrim"
            "$reseat" topo --tree "$(plafrim $ranks)" --to simgrid --timings "$work/plafrim" -o "$work/platform.xml"
            simulated "$work/platform.xml" 8 "$(plafrim $ranks)" "$work/plafrim" "treematch multilevel layout:scn layout:nsc" "$work/zeus-$ranks.txt" >"$work/smpi3.$ranks.$rate"
        done
        found=()
        for rate in $rates; do found+=("$work/smpi3.$ranks.$rate"); done
        row "Fig. 3" "$ranks ranks, the same in SMPI: RR by TreeMatch, cards and memories of ${rates// /, } times the assumed rate" \
            "$([ $ranks = 256 ] && echo 1.36 || echo "above 1")" "$(each layout:scn treematch seconds 3 "${found[@]}")" \
            "$([ $ranks = 128 ] && echo differs || echo unknown)" "$([ $ranks = 256 ] || echo "as by the model but for four times the rate; ")the matrix is not published, here a 3D grid"
        row "" "$ranks ranks, the same: dealt node by node, by TreeMatch" "" "$(each layout:nsc treematch seconds 3 "${found[@]}")" - "another meaning of RR"
        row "" "$ranks ranks, the same: RR by our default" "" "$(each layout:scn multilevel seconds 3 "${found[@]}")" - "not in the paper"
    done
    gain=$(each multilevel layout:scn seconds 3 "$work"/smpi3.64.{0.25,1,4})
    row "Fig. 4" "centralized by RR in SMPI, seconds, at these rates" "0.88 (59 s, 67 s)" "$gain" "~ $(every "$gain" "x < 0.95")" "by our default; the paper has whole runs"
}

# grid_3d RANKS: 64, 128 or 256 ranks; faces, of a box of 64 x 64 x 64 cells a rank, a message for each of 8 fields, 100 times
grid_3d()
{
    awk -v n="$1" 'BEGIN {
        x = 4; y = n > 128 ? 8 : 4; z = n / x / y
        print n
        for (r = 0; r < n; r++) for (d = 0; d < 6; d++) {
            i = r % x + (d == 0) - (d == 1); j = int(r / x) % y + (d == 2) - (d == 3); k = int(r / x / y) + (d == 4) - (d == 5)
            if (i >= 0 && i < x && j >= 0 && j < y && k >= 0 && k < z) print r, (k * y + j) * x + i, 800, 800 * 64 * 64 * 8
        } }'
}

# Who decides: one process for all (centralized), or each node for what it has (partially distributed); launched round robin.
# All traffic counts, also what goes between nodes and so stays as it is where each node decides. Distances are not published.
figure_4_2014()
{
    local strategy costs change
    # A role that is launched round robin on nodes of 2 x 4 has the number of its slot.
    grid_3d 64 | awk 'function slot(r) { return int(r / 8) * 8 + r % 2 * 4 + int(r % 8 / 2) }
        NR == 1 { print; next } { print slot($1), slot($2), $3, $4 }' >"$work/dealt.txt"
    "$reseat" convert "$work/dealt.txt" --to profile -o "$work/dealt.reseat" >/dev/null
    for strategy in global node; do
        change=''
        for costs in 4,3,2,1 8,4,2,1 50,40,2,1 100,100,2,1; do
            change="$change${change:+, }$(RESEAT_STRATEGY=$strategy RESEAT_MIN_GAIN=0 "$reseat" report --tree "$(plafrim 64)" --costs $costs --metric msg --tsv "$work/dealt.reseat" |
                awk -F '\t' '{ v[$1] = $2 } END { printf "%.3f\n", v["cost"] / v["identity_cost"] }')"
        done
        case $strategy in
            global) row "Fig. 4" "centralized by RR, messages x distance (4 3 2 1, 8 4 2 1, 50 40 2 1, 100 100 2 1)" "0.88 (59 s, 67 s)" "$change" \
                "~ $(every "$change" "x < 0.95")" "by our default; the paper has whole runs" ;;
            node) row "Fig. 4" "partially distributed by RR, the same" "a little below 1, as Packed" "$change" "~ $(every "$change" "x <= 1 && x > 0.85")" \
                "each node keeps its ranks; where that gains less than half a percent the launch order stays; not in SMPI, whose nodes have no sockets" ;;
        esac
    done
}

treematch_2014()
{
    paper "TreeMatch, 2014" <<'END'
E. Jeannot, G. Mercier, F. Tessier: *Process Placement in Multicore Clusters: Algorithmic Issues and Practical Techniques*, IEEE
TPDS 2014. Table 2, from which the dividing of arities follows, and the limits of the fast grouping are values of a unit test
(tests/tmap/test-treematch.c). 64 to 256 real ranks on InfiniBand cannot be had here: figures 2 to 4 are predicted seconds of
the communication, with assumed timings, and what SimGrid's SMPI takes to send it (at most 50,000 messages of it, scaled up), while
the paper has times of whole runs. ParMETIS (not free, so not in Debian's main
archive) and Chaco (in no archive of it) are not compared.
END
    section_4_1_1
    [ -z "$quick" ] || return
    figure_1_2014
    figure_2_2014
    figure_2_simulated_2014
    lu_simulated_2014
    figure_3_2014
    figures_3_and_4_simulated_2014
    figure_4_2014
}
