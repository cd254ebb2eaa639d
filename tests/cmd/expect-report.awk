# SPDX-License-Identifier: BSD-3-Clause
# expect-report.awk - what `reseat report' has to say of a matrix, worked out from the matrix alone: how the first line
# begins, the line of the nodes, all traffic, the heaviest pairs: ten rows, one for all that read alike, under the first of them.
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
function change(was, is)
{
    return was (was == is ? "" : " -> " is)
}
function where(host, a, b)
{
    return host[a] != host[b] ? "between nodes" : "inside"
}
function comes_before(p, q,    a, b)
{
    split(p, a, " ")
    split(q, b, " ")
    return a[1] != b[1] ? a[1] + 0 < b[1] + 0 : a[2] + 0 < b[2] + 0
}
# One row comes before another: by what is to be read of the traffic, and then by the first pairs.
function heavier(row, other)
{
    if (amount(weight[first[row]], "B") == amount(weight[first[other]], "B"))
        return comes_before(first[row], first[other])
    return weight[first[row]] > weight[first[other]]
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
    print "between nodes", change(amount(bytes_before, "B"), amount(bytes_after, "B")), change(amount(msgs_before), amount(msgs_after))
    printf "MPI_COMM_WORLD %d %s in %s\n", ranks, amount(all_bytes, "B"), amount(all_msgs)
    for (k = 0; k < pairs; k++) {
        if (weight[order[k]] == 0)
            continue
        split(order[k], rank, " ")
        row = amount(weight[order[k]], "B") " " change(where(before, rank[1], rank[2]), where(after, rank[1], rank[2]))
        if (!(row in first) || comes_before(order[k], first[row]))
            first[row] = order[k]
        alike[row]++
    }
    for (; kept < 10; kept++) {
        best = ""
        for (row in first)
            if (best == "" || heavier(row, best))
                best = row
        if (best == "")
            exit
        print first[best], best (alike[best] > 1 ? ", and " alike[best] - 1 " alike" : "")
        delete first[best]
    }
}
