# SPDX-License-Identifier: BSD-3-Clause
# plot.awk - the TSV of a sweep as a picture (SVG): time over the number of roles, both logarithmic, a
# line for each pattern and method.
function log10(x) { return log(x) / log(10) }
function x_of(n) { return left + (log10(n) - 1) / 4 * width }
function y_of(t) { return top + height - (log10(t) + 6) / 7.5 * height }

BEGIN {
    FS = "\t"
    left = 70; top = 40; width = 640; height = 420
    split("#1b6ca8 #c8553d #588157 #8e5ea2 #b8860b", color, " ")
}
NR == 1 || /^#/ { next }
{
    key = $5 "\t" $1
    if (!(key in line)) {
        keys[++count] = key
        if (!($1 in color_of)) color_of[$1] = color[++patterns]
    }
    line[key] = line[key] sprintf("%.1f,%.1f ", x_of($2), y_of($7 > 1e-6 ? $7 : 1e-6))
    end_x[key] = x_of($2)
}
END {
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"520\" font-family=\"sans-serif\" font-size=\"12\">\n")
    print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
    printf("<text x=\"%d\" y=\"22\" font-size=\"15\">Time to map, by number of roles (nodes of 2 x 8 cores)</text>\n", left)
    for (e = 1; e <= 5; e++)
        printf("<path d=\"M%.1f %d V%d\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n",
               x_of(10 ^ e), top, top + height, x_of(10 ^ e), top + height + 18, 10 ^ e)
    for (e = -6; e <= 1; e++)
        printf("<path d=\"M%d %.1f H%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
               left, y_of(10 ^ e), left + width, left - 6, y_of(10 ^ e) + 4,
               e < -3 ? 10 ^ (e + 6) " us" : e < 0 ? 10 ^ (e + 3) " ms" : 10 ^ e " s")
    printf("<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">roles</text>\n", left + width / 2, top + height + 40)
    for (k = 1; k <= count; k++) {
        split(keys[k], part, "\t")
        dash = part[1] == "multilevel" ? "" : " stroke-dasharray=\"5 4\""
        printf("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"%s/>\n", line[keys[k]],
               color_of[part[2]], dash)
        printf("<path d=\"M%d %d h24\" stroke=\"%s\" stroke-width=\"1.8\"%s/><text x=\"%d\" y=\"%d\">%s, %s</text>\n",
               left + 14, top + 2 + 16 * k, color_of[part[2]], dash, left + 44, top + 6 + 16 * k, part[2], part[1])
    }
    print "</svg>"
}
