# SPDX-License-Identifier: BSD-3-Clause
# lib.sh - sourced by scripts of this folder in the build folder: $src, $reseat, an empty folder $work that is left
# behind as the present one and goes away at the end, and tests in TAP. End with `echo "1..$tests"`.
# shellcheck shell=sh disable=SC2034
src=$(cd "${srcdir:-.}" && pwd)
reseat=$PWD/reseat
work=$(mktemp -d "${TMPDIR:-/tmp}/reseat-cmd.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
tests=0
unset LD_PRELOAD OMPI_MCA_mca_base_env_list RESEAT RESEAT_FILE RESEAT_METRIC RESEAT_PHASE RESEAT_VERBOSE

ok() # STATUS NAME
{
    tests=$((tests + 1))
    if [ "$1" = 0 ]; then echo "ok $tests - $2"; else echo "not ok $tests - $2"; fi
}

is() # NAME EXPECTED FOUND
{
    [ "$2" = "$3" ]
    ok $? "$1"
    [ "$2" = "$3" ] || printf 'expected: %s\nfound:    %s\n' "$2" "$3" | sed 's/^/# /'
}

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
        "$src/tests/data/ember-halo3d-16.txt" >good.reseat
}
