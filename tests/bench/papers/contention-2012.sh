# SPDX-License-Identifier: BSD-3-Clause
# contention-2012.sh - Zarrinchian, Soryani and Analoui, A New Process Placement Algorithm in Multi-core Clusters Aimed to Reducing
# Network Interface Contention, 2012: its figures are in contention.sh (`make bench'). A part of scripts/experiments.
# shellcheck shell=bash disable=SC2154

# gain_of WORKLOAD METHOD: in percent, over the best of the other three of the paper
gain_of()
{
    awk -F '\t' -v w="$1" -v m="$2" '$1 == w { v[$2] = $3 }
        END { best = v["blocked"]; if (v["cyclic"] < best) best = v["cyclic"]; if (v["drb"] < best) best = v["drb"]
            printf "%.1f\n", 100 * (1 - v[m] / best) }' "$work/contention.tsv"
}

waiting_of() # WORKLOAD METHOD
{
    awk -F '\t' -v w="$1" -v m="$2" '$1 == w && $2 == m { print $3 }' "$work/contention.tsv"
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
        [ -n "$(waiting_of "$workload" contention)" ] || continue
        gain=$(gain_of "$workload" contention)
        row "Fig. 2" "$workload: gain of the method" "${published//_/ }" "$gain %" "${condition/gain/$gain}" "$why"
        [ -n "$quick" ] || row "" "the same: gain of our best" "" "$(gain_of "$workload" best) %" - "not in the paper"
    done <<'END'
synt_1 5_% (gain>2)&&(gain<9)
synt_2 8_% differs no reading of the paper gives 8 %
synt_3 29_% (gain>24)&&(gain<35)
synt_4 91_% gain>80
real_1 11_% ~gain>5 the rates of messages are not published
real_2 as_Cyclic ~gain>-5 as above: ours is better than Cyclic
real_3 a_little_better_than_all ~gain>0 as above
END
    if [ -n "$(waiting_of real_4 blocked)" ]; then
        gain=$(awk "BEGIN { printf \"%.2f\", $(waiting_of real_4 contention) / $(waiting_of real_4 blocked) }")
        row "Fig. 2" "real_4: waiting by Blocked's" "as Blocked" "$gain" "$gain > 0.9 && $gain < 1.1" "drb waits for half of that"
    fi
    [ -n "$(waiting_of synt_4 blocked)" ] &&
        row "Fig. 2" "synt_4: who is ahead" "New, Cyclic, Blocked" "$(order_of synt_4)" "\"$(order_of synt_4)\" == \"contention, cyclic, blocked\""
}

# order_of WORKLOAD: of three methods, by how long messages wait
order_of()
{
    awk -F '\t' -v w="$1" '$1 == w && ($2 == "blocked" || $2 == "cyclic" || $2 == "contention") { print $3, $2 }' "$work/contention.tsv" |
        sort -g | awk '{ printf "%s%s", (NR > 1 ? ", " : ""), $2 }'
}
