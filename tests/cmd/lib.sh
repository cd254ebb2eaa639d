# SPDX-License-Identifier: BSD-3-Clause
# lib.sh - for the tests of the command: on top of tests/lib.sh, a clean environment, refusals and a fixture. Sourced
# in the build folder; it changes to the folder $work.
# shellcheck shell=sh disable=SC2034
. "${srcdir:-.}/tests/lib.sh"
data=$src/tests/data
cd "$work" || exit 1
unset LD_PRELOAD OMPI_MCA_mca_base_env_list RESEAT RESEAT_FILE RESEAT_METRIC RESEAT_PHASE RESEAT_VERBOSE

# refuses STATUS LINE ARGUMENTS...: exactly that line on standard error, nothing on standard output.
refuses()
{
    status=$1 line=$2
    shift 2
    timeout 10 "$reseat" "$@" </dev/null >out 2>err
    is "$(printf '%s' "$*" | tr -c '[:print:]' '?') -> $status" "$status $line" "$? $(cat err)$(cat out)"
}

# fixture: the profile of 16 ranks on four hosts in good.reseat.
fixture()
{
    awk -v OFS='\t' 'NR == 1 { n = $1; print "# reseat profile 1"; print "# ranks: " n; print "# program: fixture"
            for (r = 0; r < n; r++) print "# seat: " r " host" int(r * 7 % 16 / 4) " 0 0 0 0 " int(r / 4) " " int(r / 4)
            print "# domain 0 function=MPI_COMM_WORLD parent=- size=" n " first=0 ordinal=0 members=all"
            print "# p2p"; next }
        $3 > 0 { print $1, $2, $3, $4, int($4 / $3); k++ } END { print "# end " k }' \
        "$data/ember-halo3d-16.txt" >good.reseat
}

# short NUMBER...: as people get them, with five digits and a prefix.
short()
{
    printf '%s\n' "$@" | awk '{
        for (i = 0; $1 >= 999.995 && i < 6; i++)
            $1 /= 1000
        printf(i ? "%s%#.5g %s" : "%s%.5g%s", NR > 1 ? " " : "", $1, substr("kMGTPE", i, i > 0))
    }'
}

# plain_of FILE: a page without what keeps words on one line.
plain_of()
{
    sed 's/<span class="whole">\([^<]*\)<\/span>/\1/g' "$1"
}

# said_by_report: the numbers that a report in `out` has, in the lines of expect-report.awk, which knows of nodes only: rows of
# pairs that meet at different places inside of one are summed up.
said_by_report()
{
    tr -s ' ' <out | sed -n '1s/ %), .*/ %)/p; /^between nodes/s/ $//p
        s/^\(MPI_COMM_WORLD [0-9]* [0-9.]* k*M*G*B in [0-9.]*\( [kMGT]\)\{0,1\}\) .*/\1/p
        /^heaviest pairs/,/^$/s/^ \([0-9]* [0-9]* .*\)$/\1/p' |
        sed '/^[0-9]/s/between cores\|inside[^,>]*[^,> ]/inside/g' |
        awk '!/^[0-9]/ { print; next }
            {
                pair = $1 " " $2
                alike = /alike$/ ? $(NF - 1) + 1 : 1
                sub(/^[0-9]+ [0-9]+ /, "")
                sub(/, and [0-9]+ alike$/, "")
                if (!($0 in count)) { first[++rows] = pair; row[rows] = $0 }
                count[$0] += alike
            }
            END { for (i = 1; i <= rows; i++) print first[i], row[i] (count[row[i]] > 1 ? ", and " count[row[i]] - 1 " alike" : "") }'
}
