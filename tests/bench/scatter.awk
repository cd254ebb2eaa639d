# SPDX-License-Identifier: BSD-3-Clause
# scatter.awk - the TSV of simgrid.sh (machine, pattern, method, predicted and simulated seconds) as a picture (SVG): what is
# predicted over what is simulated, both logarithmic, a color for each machine, and the lines of equal and of double.
function log10(x) { return log(x) / log(10) }
function place(seconds) { return (log10(seconds) - low) / (high - low) * size }
function line(factor, style) # simulated is so many times what is predicted
{
    shift = log10(factor) / (high - low) * size
    printf("<path d=\"M%.1f %.1f L%.1f %.1f\" stroke=\"#888\"%s/>\n", left + (shift > 0 ? shift : 0), top + size + (shift < 0 ? shift : 0),
           left + size + (shift < 0 ? shift : 0), top + (shift > 0 ? shift : 0), style)
}

BEGIN {
    FS = "\t"
    left = 80; top = 40; size = 440
    split("#1b6ca8 #c8553d #588157 #8e5ea2 #b8860b #444444", color, " ")
}
/^#/ || $4 <= 0 || $5 <= 0 { next }
{
    if (!($1 in color_of)) { name[++machines] = $1; color_of[$1] = color[machines] }
    machine[++count] = $1; predicted[count] = $4; simulated[count] = $5; what[count] = $2 ", " $3
    for (i = 4; i <= 5; i++) {
        if (count == 1 && i == 4 || $i < least) least = $i
        if ($i > most) most = $i
    }
}
END {
    if (!count)
        exit 1 # nothing was simulated: there is no scale
    low = int(log10(least) - 1); high = int(log10(most)) # whole decades of less than a second
    if (log10(most) > high) high++
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"680\" height=\"540\" font-family=\"sans-serif\" font-size=\"12\">\n")
    print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
    printf("<text x=\"%d\" y=\"22\" font-size=\"15\">Predicted and simulated seconds, %s</text>\n", left, title)
    for (e = low; e <= high; e++)
        printf("<path d=\"M%.1f %d v%d M%d %.1f h%d\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
               left + place(10 ^ e), top, size, left, top + size - place(10 ^ e), size, left + place(10 ^ e), top + size + 18,
               label(e), left - 6, top + size - place(10 ^ e) + 4, label(e))
    line(1, ""); line(2, " stroke-dasharray=\"3 4\""); line(0.5, " stroke-dasharray=\"3 4\"")
    for (i = 1; i <= count; i++)
        printf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\" fill-opacity=\"0.7\"><title>%s on %s: %g s predicted, %g s simulated</title></circle>\n",
               left + place(simulated[i]), top + size - place(predicted[i]), color_of[machine[i]], what[i], machine[i], predicted[i], simulated[i])
    for (m = 1; m <= machines; m++)
        printf("<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"%s\"/><text x=\"%d\" y=\"%d\">%s</text>\n", left + size + 24, top + 10 + 20 * m,
               color[m], left + size + 34, top + 14 + 20 * m, name[m])
    printf("<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">simulated by SimGrid</text>\n", left + size / 2, top + size + 40)
    printf("<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">predicted</text>\n</svg>\n", top + size / 2)
}
function label(e) { return e < -3 ? 10 ^ (e + 6) " us" : e < 0 ? 10 ^ (e + 3) " ms" : 10 ^ e " s" }
