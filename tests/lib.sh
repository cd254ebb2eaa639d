# SPDX-License-Identifier: BSD-3-Clause
# lib.sh - what the scripts of all tests share. Sourced in the build folder; mpi/lib.sh and cmd/lib.sh build on it.
#
# Gives $src, $build and the command, $reseat, as absolute paths; an empty folder $work, which is removed at the end;
# and functions that print results in TAP, of which `finish` comes last.
# shellcheck shell=sh disable=SC2034

src=$(cd "${srcdir:-.}" && pwd)
build=$PWD
reseat=$build/reseat
work=$(mktemp -d "${TMPDIR:-/tmp}/reseat-test.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
tests=0

# ok STATUS NAME [FILE...]: one result; STATUS 0 is a pass. Of a failure, how the files begin.
ok()
{
    tests=$((tests + 1))
    if [ "$1" = 0 ]; then
        echo "ok $tests - $2"
        return
    fi
    echo "not ok $tests - $2"
    shift 2
    for file; do head -20 "$file" 2>/dev/null | note; done
}

# is NAME EXPECTED FOUND: pass when equal, else show both.
is()
{
    [ "$2" = "$3" ]
    ok $? "$1"
    [ "$2" = "$3" ] && return
    printf 'expected: %s\nfound:    %s\n' "$2" "$3" | note
    return 1
}

# same NAME EXPECTED-FILE FOUND-FILE: pass when equal, else show the first differences. What is expected cannot be
# nothing, which two programs print that did not start; /dev/null says that it is.
same()
{
    if [ "$2" != /dev/null ] && [ ! -s "$2" ]; then
        echo "there is nothing to compare with: $2" >"$work/diff"
    else
        diff "$2" "$3" >"$work/diff" 2>&1
    fi
    [ ! -s "$work/diff" ]
    ok $? "$1"
    head -20 "$work/diff" | note
}

skip() # NAME REASON
{
    tests=$((tests + 1))
    echo "ok $tests - $1 # SKIP $2"
}

# install_build FOLDER: make install below it. One test at a time: libtool links a library again for that, and moves that of
# the build folder aside meanwhile. Without the jobs of a make above, whose pipe is not open here.
install_build()
{
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL flock -o "$build/libdir.stamp" make install DESTDIR="$1"
}

# Standard input as remarks.
note()
{
    sed 's/^/# /'
}

finish()
{
    echo "1..$tests"
    exit 0
}

# Words as lines.
lines()
{
    printf '%s\n' "$@"
}

# crowded: a matrix of 8 ranks, plain, whose launch order is the cheapest of all on torus:4x2, with 74 on its busiest link;
# another has less there (52) for 1.014 x the cost.
crowded()
{
    echo 8
    printf '%s %s 1 %s\n' 0 1 13 0 6 19 0 7 14 1 2 10 1 3 19 1 5 35 1 6 22 1 7 31 2 5 11 2 6 14 3 5 16 3 7 15 4 5 19 \
        4 6 11 4 7 14 5 6 28 5 7 22 6 7 32
}
