# SPDX-License-Identifier: BSD-3-Clause
# browser.sh - for the tests of pages: headless Chromium. Sourced after cmd/lib.sh; a test that needs it ends here where it
# is not, and says so.
# shellcheck shell=sh
HOME=$work
export HOME

# browse LOG OPTIONS...: Chromium, which has a minute.
browse()
{
    log=$1
    shift
    timeout -k 5 60 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-background-networking \
        --disable-component-update --no-first-run --user-data-dir="$work/browser" --hide-scrollbars --enable-logging=stderr \
        --virtual-time-budget=5000 "$@" 2>"$log"
}

if ! command -v chromium >/dev/null; then
    skip "the page in a browser" "no chromium here"
    finish
fi
if ! browse log --dump-dom about:blank | grep -q '<body>'; then
    skip "the page in a browser" "chromium does not start here"
    finish
fi


# add_script PAGE SCRIPT...: a copy in which scripts of ours run too. Its policy, if it has one, is another; everything else is
# the same.
add_script()
{
    page=$1
    shift
    cat "$@" >"$work/added.js"
    awk -v policy="$(grep -o 'script-src[^;]*' "$page")" -v js="$work/added.js" '
        policy && (at = index($0, policy)) { $0 = substr($0, 1, at - 1) "script-src \047unsafe-inline\047" substr($0, at + length(policy)) }
        $0 == "</body>" { print "<script>"; while ((getline line <js) > 0) print line; print "</script>" }
        { print }' "$page"
}

# narrow PAGE: a page that has it in a frame of 400 pixels, for Chromium's own window has 500 at least; the results come up.
narrow()
{
    echo '<!DOCTYPE html><meta charset="utf-8"><title>narrow</title><body><script>addEventListener("load", () => setTimeout(() => {
        const inside = document.querySelector("iframe");
        const results = inside.contentDocument.getElementById("results");
        document.body.append(results || "none");
        inside.remove();
    }, 1000));</script>'
    printf '<iframe width="400" height="900" style="border:0" srcdoc="'
    sed 's/&/\&amp;/g; s/"/\&quot;/g' "$1"
    echo '"></iframe>'
}

# check_page PAGE SCRIPT LEAST: the checks of all pages and those of a script (at least so many together), in light and dark, at
# 1200 and at 400 pixels; and that the console is empty.
check_page()
{
    add_script "$1" "$src/tests/cmd/page-checks.js" "$2" >"$work/checked.html"
    narrow "$work/checked.html" >"$work/narrow.html"
    for case in "1200 checked 1" "400 narrow 1" "1200 checked 0" "400 narrow 0"; do
        # shellcheck disable=SC2086
        set -- "$1" "$2" "$3" $case
        case=$([ "$6" = 1 ] && echo "light, $4" || echo "dark, $4")
        for _ in 1 2 3; do # on a busy machine Chromium's window now and then gets the focus after its page
            browse log --dump-dom --window-size=1200,900 --blink-settings=preferredColorScheme="$6" "file://$work/$5.html" >dom
            sed -n '/<pre id="results">/,/<\/pre>/p' dom | grep -E '^(not )?ok ' >results
            ! grep -q '^not ok the window has the focus' results || continue
            break
        done
        count=$(wc -l <results)
        [ "$count" -ge "$3" ]
        ok $? "$case: the test has run to its end ($count)" log
        while read -r line; do
            case $line in
            ok*) ok 0 "$case: ${line#ok }" ;;
            *) ok 1 "$case: ${line#not ok }" ;;
            esac
        done <results
        is "$case: the console is empty" 0 "$(grep -c 'CONSOLE' log)"
    done
}

# check_print PAGE: it prints on A4, into page.pdf.
check_print()
{
    browse log --print-to-pdf="$work/page.pdf" "file://$work/$1" >/dev/null
    is "it prints" "%PDF" "$(head -c 4 page.pdf)"
    LC_ALL=C grep -aqE '/MediaBox *\[0 0 59[45][.0-9]* 84[12][.0-9]*\]' page.pdf
    ok $? "... on A4"
    if ! command -v pdftotext >/dev/null; then
        skip "what is on the paper" "no pdftotext here (poppler-utils)"
        return
    fi
    pdftotext -layout page.pdf printed
    pages=$(tr -cd '\f' <printed | wc -c)
    is "no page is blank" "$pages" "$(awk 'BEGIN { RS = "\f" } NF > 5 { n++ } END { print n }' printed)"
    # Of a table that is cut or squeezed a row is not on one line, with all of its cells.
    sed -n '/^<tr><th scope="row">.*class="number/p' "$1" | sed 's/<svg.*<\/svg>//; s/<[^>]*>/ /g; s/&[a-z]*;//g' | tr -d ' ' |
        awk 'length <= 60' | sort -u >cells # long names may take several lines
    tr -d ' ' <printed | sort -u >lines
    is "every row of a table is on one line" "" "$(comm -23 cells lines | head -3)"
}

# check_policy PAGE: a script that is not the page's does not run, and the console says so.
check_policy()
{
    sed 's|^</body>$|<script>document.title = "ran"</script>&|' "$1" >other.html
    browse log --dump-dom "file://$work/other.html" >dom
    is "another script is refused" "0 1" "$(grep -c '<title>ran<' dom) $(grep -c 'CONSOLE.*Content Security Policy' log)"
}
