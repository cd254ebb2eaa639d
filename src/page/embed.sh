#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# embed.sh - files as arrays in a C header, each with its digest as a Content-Security-Policy names it.
#
#   embed.sh FILE... >HEADER      report.css: page_report_css[], page_report_css_digest ("sha256-...")
set -eu
echo '/* Made by src/page/embed.sh. */'
for file; do
    name=page_$(basename "$file" | tr -c 'a-z0-9\n' _)
    printf 'static const char %s[] = {\n' "$name"
    od -An -v -tu1 "$file" | sed -E 's/ *([0-9]+)/\1,/g'
    printf '0};\n'
    sha256sum <"$file" | awk -v name="$name" '
        # Base64 of a number in hexadecimal digits: 24 bits are 6 of these and 4 letters.
        {
            letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
            for (at = 1; at <= 64; at += 6) {
                part = substr($1, at, 6)
                filled = part substr("000000", 1, 6 - length(part))
                bits = 0
                for (i = 1; i <= 6; i++)
                    bits = 16 * bits + index("0123456789abcdef", substr(filled, i, 1)) - 1
                text = ""
                for (i = 0; i < 4; i++) {
                    text = substr(letters, bits % 64 + 1, 1) text
                    bits = int(bits / 64)
                }
                digest = digest substr(text, 1, length(part) == 6 ? 4 : 3)
            }
            print "static const char " name "_digest[] = \"sha256-" digest "=\";"
        }'
done
