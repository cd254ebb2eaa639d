# SPDX-License-Identifier: BSD-3-Clause
# contention-2012.sh - Zarrinchian, Soryani and Analoui, A New Process Placement Algorithm in Multi-core Clusters Aimed to Reducing
# Network Interface Contention, 2012: its figures are in contention.sh (`make bench'). A part of scripts/experiments.
# shellcheck shell=bash disable=SC2154

# gain_of WORKLOAD METHOD FOLDER: in percent, over the best of the other three of the paper
gain_of()
{
    awk -F '\t' -v w="$1" -v m="$2" '$1 == w { v[$2] = $3 }
        END { best = v["blocked"]; if (v["cyclic"] < best) best = v["cyclic"]; if (v["drb"] < best) best = v["drb"]
            printf "%.1f\n", 100 * (1 - v[m] / best) }' "$3/contention.tsv"
}

waiting_of() # WORKLOAD METHOD FOLDER
{
    awk -F '\t' -v w="$1" -v m="$2" '$1 == w && $2 == m { print $3 }' "$3/contention.tsv"
}

contention_2012()
{
    local workload gain published why condition
    paper "Contention for the network card, 2012" <<'END'
G. Zarrinchian, M. Soryani, M. Analoui: *A New Process Placement Algorithm in Multi-core Clusters Aimed to Reducing Network
Interface Contention*, 2012. The machine of table 1 and the workloads of tables 2 to 9 by tests/bench/contention.sh; what the
paper leaves open, and which readings of it give other figures, is in doc/design/0013-contention.md. Gains of the paper's method
are over the best of blocked, cyclic and drb.
END
    WORKLOADS=${quick:+synt_4} METHODS=${quick:+blocked cyclic drb contention} srcdir=$source \
        sh "$source/tests/bench/contention.sh" "$work" >/dev/null
    while read -r workload published condition why; do
        [ -n "$(waiting_of "$workload" contention "$work")" ] || continue
        gain=$(gain_of "$workload" contention "$work")
        row "Fig. 2" "$workload: gain of the method" "${published//_/ }" "$gain %" "${condition/gain/$gain}" "$why"
        [ -n "$quick" ] || row "" "the same: gain of our best" "" "$(gain_of "$workload" best "$work") %" - "not in the paper"
    done <<'END'
synt_1 5_% (gain>2)&&(gain<9)
synt_2 8_% differs no reading of the paper gives 8 %
synt_3 29_% (gain>24)&&(gain<35)
synt_4 91_% ~gain>80 its cards keep up, so it hardly waits; the others wait longer with each of the 2,000 messages of a pair
END
    gain="$(at_messages 20), $(at_messages 200), $(gain_of synt_4 contention "$work")"
    row "Fig. 2" "synt_4: the same with 20, 200, 2,000 messages of a pair" "91 %" "${gain//,/ %,} %" "~ $(every "$gain" "x > 90")" "the paper says 2,000"
    row "Fig. 2" "synt_4: who is ahead" "New, Cyclic, Blocked" "$(order_of synt_4)" "\"$(order_of synt_4)\" == \"contention, cyclic, blocked\""
    [ -n "$quick" ] || real_2012
}

# at_messages N: the gain on synt_4 if each pair sends so many messages
at_messages()
{
    WORKLOADS=synt_4 METHODS="blocked cyclic drb contention" MESSAGES=$1 srcdir=$source \
        sh "$source/tests/bench/contention.sh" "$work/messages-$1" >/dev/null
    gain_of synt_4 contention "$work/messages-$1"
}

# The workloads of NAS kernels: when they send is not published, and depends on how fast the cores are.
real_2012()
{
    local workload published speed gain
    for speed in 0.6 0.8 1 1.2 1.5; do
        WORKLOADS="real_1 real_2 real_3 real_4" METHODS="blocked cyclic drb contention" SPEED=$speed srcdir=$source \
            sh "$source/tests/bench/contention.sh" "$work/speed-$speed" >/dev/null
    done
    while read -r workload published; do
        gain=''
        for speed in 0.6 0.8 1 1.2 1.5; do
            gain="$gain${gain:+, }$(gain_of "$workload" contention "$work/speed-$speed")"
        done
        row "Fig. 2" "$workload: gain of the method, on cores 0.6, 0.8, 1, 1.2, 1.5 times as fast as assumed" "$published" "${gain//,/ %,} %" unknown \
            "when messages are sent is not published, and decides it"
        row "" "$workload: gain of our best, on the cores assumed" "" "$(gain_of "$workload" best "$work") %" - "not in the paper"
    done <<'END'
real_1 11 %
real_2 as Cyclic
real_3 a little better than all
END
    gain=''
    for speed in 0.6 0.8 1 1.2 1.5; do
        gain="$gain${gain:+, }$(awk "BEGIN { printf \"%.2f\", $(waiting_of real_4 contention "$work/speed-$speed") / $(waiting_of real_4 blocked "$work/speed-$speed") }")"
    done
    row "Fig. 2" "real_4: waiting by Blocked's, on the same cores" "as Blocked" "$gain" "~ $(every "$gain" "x > 0.8 && x < 1.1")" "drb waits for less"
    row "" "real_4: gain of our best, on the cores assumed" "" "$(gain_of real_4 best "$work") %" - "not in the paper"
}

# order_of WORKLOAD: of three methods, by how long messages wait
order_of()
{
    awk -F '\t' -v w="$1" '$1 == w && ($2 == "blocked" || $2 == "cyclic" || $2 == "contention") { print $3, $2 }' "$work/contention.tsv" |
        sort -g | awk '{ printf "%s%s", (NR > 1 ? ", " : ""), $2 }'
}
