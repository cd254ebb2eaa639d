# SPDX-License-Identifier: BSD-3-Clause
# expect-report.awk - what `reseat report' has to say of a matrix, worked out from the matrix alone: how the first line
# begins, the line of the nodes, all traffic, the ten heaviest pairs.
#
#   awk -f expect-report.awk BEFORE AFTER MATRIX      BEFORE, AFTER: `rank host' a line; MATRIX: `source target msgs bytes'
#
# said_by_report (cmd/lib.sh) takes the same lines from what the command has printed.
function amount(value, unit,    i)
{
    for (i = 1; value >= 1000; i++)
        value /= 1000
    return sprintf(i > 1 ? "%.1f" : "%.0f", value) (i > 1 || unit ? " " : "") substr(" kMGTP", i, i > 1) unit
}
function change(was, is, unit)
{
    return amount(was, unit) (was == is ? "" : " -> " amount(is, unit))
}
FNR == 1 { file++ }
file == 1 { before[$1] = $2; next }
file == 2 { after[$1] = $2; next }
FNR == 1 { ranks = $1; next }
$1 != $2 {
    pair = $1 < $2 ? $1 " " $2 : $2 " " $1
    if (!(pair in weight))
        order[pairs++] = pair
    weight[pair] += $4
    all_msgs += $3
    all_bytes += $4
    if (before[$1] != before[$2]) {
        msgs_before += $3
        bytes_before += $4
    }
    if (after[$1] != after[$2]) {
        msgs_after += $3
        bytes_after += $4
    }
}
END {
    printf "A better order of the %d ranks would change what goes between nodes from %s to %s (%+.0f %%)\n", ranks, \
        amount(bytes_before, "B"), amount(bytes_after, "B"), 100 * (bytes_after / bytes_before - 1)
    print "between nodes", change(bytes_before, bytes_after, "B"), change(msgs_before, msgs_after)
    printf "MPI_COMM_WORLD %d %s in %s\n", ranks, amount(all_bytes, "B"), amount(all_msgs)
    for (k = 0; k < pairs; k++) {
        for (i = kept; i > 0 && weight[heaviest[i]] < weight[order[k]]; i--)
            if (i < 10)
                heaviest[i + 1] = heaviest[i]
        if (i < 10)
            heaviest[i + 1] = order[k]
        if (kept < 10)
            kept++
    }
    for (i = 1; i <= kept; i++) {
        split(heaviest[i], rank, " ")
        print heaviest[i], amount(weight[heaviest[i]], "B"), before[rank[1]] != before[rank[2]] ? "between nodes" : "inside"
    }
}
