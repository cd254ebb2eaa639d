# SPDX-License-Identifier: BSD-3-Clause
# with-tool.sh - for the tests with other tools: jobs with a tool before the library, behind it, or in the program.
# Sourced after lib.sh.

# with_tool MPI HOW TOOL "NAME=VALUE ..." PROGRAM ARGUMENTS...: 6 ranks; HOW says what is preloaded: `without` nothing,
# `alone` the tool, `none` the library, `behind` the library and then the tool, `before` the tool and then the library.
with_tool()
{
    mpi=$1 how=$2 tool=$3 variables=$4
    shift 4
    case $how in
        without) loaded= ;;
        alone) loaded=$tool ;;
        none) loaded=$(library "$mpi") ;;
        behind) loaded=$(library "$mpi"):$tool ;;
        before) loaded=$tool:$(library "$mpi") ;;
    esac
    [ "$mpi" = mpich ] && loaded=$loaded:$(yielding)
    # shellcheck disable=SC2086
    launch "$mpi" 6 plain env LD_PRELOAD="${loaded#:}" $variables "$@" >"$work/unsorted" 2>"$work/err"
    status=$?
    sort "$work/unsorted" >"$work/out" # launchers mix the lines of ranks
    return $status
}

# traffic PROFILE: all but the headers.
traffic()
{
    grep -vE '^# [a-z_]+:' "$1"
}
