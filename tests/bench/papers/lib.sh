# SPDX-License-Identifier: BSD-3-Clause
# lib.sh - what the parts of scripts/experiments share. Sourced by it, with $reseat, $data (tests/data), $work (an empty
# folder), $page (the page, which is written on), $pictures (a folder, or empty) and $quick (empty: everything).
# shellcheck shell=bash disable=SC2034,SC2154

# paper TITLE: begins a section of the page, with the text of standard input, and its table.
paper()
{
    {
        printf '\n## %s\n' "$1"
        cat
        printf '\n| | what | published | ours | as published |\n|---|---|---|---|---|\n'
    } >>"$page"
    echo "# $1"
}

# row FIGURE WHAT PUBLISHED OURS CONDITION [WHY]: a row of the table, and a line on standard output. CONDITION is an expression of
# awk that is true where ours is as published; with a ~ in front where only its direction is, not the amount; `differs' where it is
# known not to be as published, `unknown' where that depends on a number that the paper does not have, `-' where there is nothing
# to compare. WHY is a word about that.
row()
{
    local verdict=yes
    case $5 in
        differs) verdict=no ;;
        unknown) verdict='not known' ;;
        -) verdict=- ;;
        '~'*) verdict='in kind' ;;
    esac
    case $verdict in
        yes | in*) awk "BEGIN { exit !(${5#\~}) }" 2>/dev/null || verdict='no longer' ;;
    esac
    [ "$verdict" != "no longer" ] || failed=$((failed + 1))
    case $verdict in yes | in*) met=$((met + 1)) ;; esac
    local shown=$verdict
    [ "$verdict" != "no longer" ] || shown='**no longer**'
    [ "$shown" != - ] || shown=''
    printf '| %s | %s | %s | %s | %s |\n' "$1" "$2" "$3" "$4" "$shown${6:+${shown:+: }$6}" >>"$page"
    printf '%-10s %s: %s: published %s, ours %s\n' "$verdict" "$1" "$2" "$3" "$4"
}

# rows FIGURE MACHINE COSTS METRICS METHODS FILE...: what each method does with each matrix or pattern, as `reseat compare --tsv'
# has it: pattern machine method metric effort ranks cost hops seconds busiest map_seconds. `layout:LETTERS' is a method, too.
# COSTS: numbers, a file of timings, or empty. With $pictures, the folder FIGURE in it gets pictures.
rows()
{
    local figure=$1 machine=$2 costs=$3 metrics=$4 word methods='' layouts=''
    for word in $5; do
        case $word in
            layout:*) layouts=$layouts,${word#layout:} ;;
            *) methods=$methods,$word ;;
        esac
    done
    shift 5
    local kind=--costs
    [ ! -f "$costs" ] || kind=--timings
    [ -z "$pictures" ] || mkdir -p "$pictures/$figure"
    "$reseat" compare --tsv --tree "$machine" ${costs:+"$kind" "$costs"} --metric "${metrics// /,}" ${methods:+--method "${methods#,}"} \
        ${layouts:+--layout "${layouts#,}"} ${pictures:+--svg "$pictures/$figure"} "$@" | sed 1d
}

# ratios METHOD THAN COLUMN FILE...: of rows, what METHOD has in the column named COLUMN by what THAN has, a line for each case.
# Both 0: 1. Cases for which the two are not known are left out.
ratios()
{
    local method=$1 than=$2 column=$3
    shift 3
    awk -F '\t' -v a="$method" -v b="$than" -v name="$column" '
        BEGIN { n = split("pattern machine method metric effort ranks cost hops seconds busiest map_seconds", names, " ")
            for (i = 1; i <= n; i++) if (names[i] == name) c = i }
        $c != "-" { key = $1 FS $2 FS $4 FS $5; if (!(key in seen)) order[++cases] = key; seen[key] = 1; v[key, $3] = $c }
        END { for (i = 1; i <= cases; i++) { k = order[i]
            if (!((k, a) in v) || !((k, b) in v)) continue
            if (v[k, a] == v[k, b]) print 1; else if (v[k, b] > 0) printf "%.9g\n", v[k, a] / v[k, b] } }' "$@"
}

# statistics: of the numbers of standard input, one line: how many, the share above 1, the share that is 1, median, mean, least,
# most. A quantile is on a straight line between the two nearest numbers. Without numbers they are all `-', which no condition meets.
statistics()
{
    sort -g | awk '{ x[++n] = $1; sum += $1; above += $1 > 1 + 1e-9; equal += $1 <= 1 + 1e-9 && $1 >= 1 - 1e-9 }
        function quantile(p,   at, i) { at = 1 + (n - 1) * p; i = int(at); return i < n ? x[i] + (at - i) * (x[i + 1] - x[i]) : x[n] }
        END { if (!n) print "0 - - - - - -"; else printf "%d %.4f %.4f %.4f %.4f %.4f %.4f\n", n, above / n, equal / n, quantile(0.5), sum / n, x[1], x[n] }'
}

# each METHOD THAN COLUMN FIELD FILE...: number FIELD of the statistics (from 0) of the ratios in each file, separated by commas.
each()
{
    local method=$1 than=$2 column=$3 field=$4 file all=''
    local -a s
    shift 4
    for file; do
        read -r -a s < <(ratios "$method" "$than" "$column" "$file" | statistics)
        all="$all${all:+, }${s[field]}"
    done
    echo "$all"
}

# every NUMBERS CONDITION: the condition of a row that holds for each of the numbers, separated by commas, as in `x > 1'.
every()
{
    awk -v all="$1" -v condition="$2" 'BEGIN { n = split(all, x, ", ")
        for (i = 1; i <= n; i++) { c = condition; gsub(/x/, x[i], c); printf "%s(%s)", (i > 1 ? " && " : ""), c } }'
}

# percent NUMBER: a share, for a person.
percent()
{
    awk -v x="$1" 'BEGIN { printf "%.1f %%", 100 * x }'
}

# crossing FILE TREE COSTS MAP-OPTIONS...: what of the traffic of a matrix counts with these costs.
crossing()
{
    local file=$1 tree=$2 costs=$3
    shift 3
    "$reseat" map "$file" --tree "$tree" --costs "$costs" --tsv "$@" | sed -n 's/^cost	//p'
}

# has_smpi: whether SimGrid's SMPI is there, and reseat's replay was built for it.
has_smpi()
{
    command -v smpirun >/dev/null && [ -f "$build/.libs/reseat-replay-simgrid.so" ]
}

# simulated PLATFORM CORES MACHINE TIMINGS METHODS FILE...: as `rows', with the seconds that SMPI takes to send a matrix once on a
# platform, whose hosts have CORES slots of MACHINE each. The same ranks on the same hosts are simulated once. $scale: the share of
# the messages that is sent; at most 50,000 otherwise.
simulated()
{
    local platform=$1 cores=$2 machine=$3 costs=$4 methods=$5 file method key how seconds
    shift 5
    mkdir -p "$work/simulated"
    for file; do
        "$reseat" convert "$file" --to profile -o "$work/simulated/profile" >/dev/null || return
        for method in $methods; do
            case $method in
                layout:*) how="--layout ${method#layout:}" ;;
                time) how="--objective time --metric size" ;;
                *) how="--method $method --metric size" ;;
            esac
            # shellcheck disable=SC2086
            "$reseat" map "$file" --tree "$machine" --timings "$costs" $how --output "$work/simulated/order" >/dev/null || continue
            sort -n "$work/simulated/order" | awk -v cores="$cores" '{ print "node" int($2 / cores) ":1" }' >"$work/simulated/hosts"
            key=$work/simulated/$(cat "$platform" "$file" "$work/simulated/hosts" | md5sum | cut -d ' ' -f 1)${scale:-}
            [ -s "$key" ] || "$reseat" replay ${scale:+--scale "$scale"} --tsv "$work/simulated/profile" -- smpirun -platform "$platform" \
                -hostfile "$work/simulated/hosts" --log=root.thres:error --cfg=maxmin/precision:1e-3 \
                -np "$(wc -l <"$work/simulated/hosts")" </dev/null >"$key" 2>/dev/null || true
            seconds=$(sed -n 's/^recorded_seconds	//p' "$key")
            printf '%s\t%s\t%s\tsize\tdefault\t-\t-\t-\t%s\t-\t-\n' "$file" "$machine" "$method" "${seconds:--}"
        done
    done
}
