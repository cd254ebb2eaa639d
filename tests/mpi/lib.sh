# SPDX-License-Identifier: BSD-3-Clause
# lib.sh - for the tests that run MPI jobs: compilers and launchers of each MPI, preloading, on top of tests/lib.sh. Sourced
# in the build folder. $programs and $libraries are the folders of what is compiled.

. "${srcdir:-.}/tests/lib.sh"
programs=$src/tests/mpi/programs libraries=$src/tests/mpi/libraries

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
# libfabric looks for network cards for a quarter of a second, half of what a job takes. both-passes.tap has all parts.
export OMPI_MCA_mtl=^ofi

# No phases are found where a loaded machine makes a job long (profiler/windows.h).
export RESEAT_WINDOW=10000

# The MPIs of this build.
mpis=
[ "${TEST_OPENMPI_CC:-no}" != no ] && mpis="$mpis openmpi"
[ "${TEST_MPICH_CC:-no}" != no ] && mpis="$mpis mpich"
# In the place of these, abi: programs of the standard ABI, or intel: those of Intel MPI, on libreseat-mpich.so; or static:
# those that have MPICH and libreseat-mpich.o in themselves.
mpis=${TEST_MPIS:-$mpis}
if [ "$mpis" = intel ]; then
    [ -x "$build/mpis/impi-devel/bin/mpicc" ] || { echo "1..0 # SKIP no Intel MPI (scripts/setup --tests)"; exit 0; }
    export I_MPI_ROOT="$build/mpis/impi-devel" I_MPI_FABRICS=shm I_MPI_FC=gfortran
    export I_MPI_THREAD_YIELD=2 # ranks that wait give their processor away
    export LD_LIBRARY_PATH="$I_MPI_ROOT/lib"
fi
[ -n "$mpis" ] || { echo "1..0 # SKIP built without MPI"; exit 0; }
# Nothing can be put in front of a static MPI or behind it, each rank has the library, and nothing of it is loaded later.
case "$mpis:${0##*/}" in
    static:all-or-none.tap | static:library-not-loaded.tap | static:one-rank-fails.tap | static:own-calls.tap | static:tools.tap | \
        static:tools-all.tap | static:standard-abi.tap | static:rank-variables.tap | static:replay.tap | static:doctor.tap)
        echo "1..0 # SKIP the programs have MPI and our library in themselves"
        exit 0
        ;;
esac

# built_for MPI: the MPI whose library of ours serves it.
built_for()
{
    echo "$1" | sed 's/intel\|static/mpich/'
}

# declares MPI FUNCTION: whether its mpi.h has it.
declares()
{
    grep -q "^#define DECLARES_$2 1" "$build/$(built_for "$1")/declared.h"
}

# header MPI: its mpi.h, preprocessed.
header()
{
    [ "$1" != intel ] || [ -e "$work/mpi-intel.i" ] ||
        echo '#include <mpi.h>' | $(wrapper intel cc) -E -P -x c - >"$work/mpi-intel.i"
    case $1 in intel) echo "$work/mpi-intel.i" ;; *) echo "$build/mpi-$(built_for "$1").i" ;; esac
}

# f08_of MPI: yes, if its module mpi_f08 can be used; else why not.
f08_of()
{
    case $1 in intel) echo "its mpi_f08 is for its own compiler" ;; *) echo yes ;; esac
}

# monitors MPI: whether it is watched by its own monitoring component; not an Open MPI in which that was not tried.
monitors()
{
    [ "$1" = openmpi ] && ! declares openmpi MPI_Abi_get_version
}

# PRRTE, which starts the ranks of Open MPI 5 and 6, has another name for it since 3.0.9, and warns of the old one.
case $mpis in
*openmpi*)
    if monitors openmpi; then
        export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
    else
        # It binds ranks where a file of hosts has slots for all of them, and refuses to if there are too few cores.
        export PRTE_MCA_mapby=:oversubscribe PRTE_MCA_bindto=:overload-allowed
    fi
    ;;
esac

# Open MPI 4.1's osc/rdma fails here with any program, and 5.0 has no osc/pt2pt.
case $mpis in *openmpi*) declares openmpi MPI_Session_init || export OMPI_MCA_osc=pt2pt,sm ;; esac

# Open MPI 5 ends what mpirun explains with a null character, which makes a file binary for grep and hides the start of
# the line that follows: these are removed from what tests have written before grep reads it. Not from other files, and
# in place: a job may still be writing to it.
if case $mpis in *openmpi*) declares openmpi MPI_Session_init ;; *) false ;; esac; then
    grep()
    {
        for grep_file; do
            case $grep_file:$PWD in
                "$work"/* | [!/-]*:"$work"*)
                    # shellcheck disable=SC2094
                    if [ -f "$grep_file" ] && command grep -qaP '\x00' "$grep_file"; then
                        grep_text=$(tr -d '\000' <"$grep_file"; echo .) && printf %s "${grep_text%.}" >"$grep_file"
                    fi
                    ;;
            esac
        done
        command grep "$@"
    }
fi

# wrapper MPI KIND: the command that belongs to the MPI's C compiler wrapper: mpicc.openmpi ->
# mpirun.openmpi, mpifort.openmpi, mpicxx.openmpi.
wrapper()
{
    case $1 in
        openmpi) cc=$TEST_OPENMPI_CC ;;
        abi) cc=$TEST_ABI_CC ;;
        intel) cc=$build/mpis/impi-devel/bin/mpicc ;;
        *) cc=$TEST_MPICH_CC ;;
    esac
    case $1.$2 in
        *.cc) echo "$cc" ;;
        intel.run) echo "${cc%cc}exec.hydra" ;;
        intel.fort) echo "${cc%cc}f90" ;;
        *.run) echo "$cc" | sed "s/mpicc\\([^/]*\\)\$/mpi$2\\1/; s/_abi\$//" ;;
        *) echo "$cc" | sed "s/mpicc\\([^/]*\\)\$/mpi$2\\1/" ;;
    esac
}

# compile MPI SOURCE PROGRAM: C, C++ or Fortran by the ending. declared.h says which functions the MPI has.
compile()
{
    case $2 in
        *.c) with=$(wrapper "$1" cc) ;;
        *.cc) with=$(wrapper "$1" cxx) ;;
        *) with=$(wrapper "$1" fort) ;;
    esac
    case $1$2 in
        intel*.c | intel*.cc) ;;
        intel*) with="$with -I$I_MPI_ROOT/include/mpi/gfortran/12.4.0" ;;
    esac
    ours="$build/.libs/libreseat-mpich.o @$build/.libs/libreseat-mpich.link"
    [ "$1" != static ] || { compile_static "$with" "$2" "$3" "$ours ${4:-}"; return; }
    # shellcheck disable=SC2086
    $with -O1 -I"$build/$(built_for "$1")" -o "$3" "$2" ${4:-}
}

# compile_static WRAPPER SOURCE PROGRAM OPTIONS: with the archives of MPICH.
compile_static()
{
    # shellcheck disable=SC2046
    set -- "$2" "$3" "$4" $("$1" -show | sed 's/ -l\(mpich[a-z]*\)/ -l:lib\1.a/g')
    from=$1 to=$2 with=$3 compiler=$4
    shift 4
    # shellcheck disable=SC2046,SC2086
    $compiler -O1 -I"$build/mpich" -o "$to" "$from" $with "$@" \
        $(pkg-config --static --libs mpich | sed 's/-lmpich //')
}

library()
{
    echo "$build/.libs/libreseat-$(built_for "$1").so"
}

# What makes ranks of MPICH that wait give their processor away; made at the first use. Intel MPI has a setting for it.
yielding()
{
    [ "$mpis" != intel ] || return 0
    [ -e "$work/yield.so" ] || "$TEST_MPICH_CC" -O1 -D_GNU_SOURCE -shared -fPIC -o "$work/yield.so" "$libraries/yield-while-waiting.c"
    echo "$work/yield.so"
}

# launch MPI RANKS "NAME=VALUE ..." PROGRAM ARGUMENTS...: run with the library preloaded and the
# variables set at the ranks; without it when the second word is `plain`. Time limit: LIMIT or 60 s, and again
# up to twice for MPICH, which hangs in MPI_Finalize at times, with us or without. BUSY=1: MPICH waits as it does.
# BEHIND: what is preloaded behind the library.
launch()
{
    mpi=$1 ranks=$2 variables=$3
    shift 3
    preload="$(library "$mpi")"
    [ "$mpi" = static ] && preload=
    [ "$variables" = plain ] && preload= variables=
    preload=$preload${BEHIND:+:$BEHIND}
    # as the command does for Fortran
    case $mpi$preload in intel*reseat*) preload="$preload:$I_MPI_ROOT/lib/libmpi.so.12" ;; esac
    case $mpi in mpich | static) [ -n "${BUSY:-}" ] || preload="$preload:$(yielding)" ;; esac
    set -- "$(wrapper "$mpi" run)" -n "$ranks" env ${preload:+LD_PRELOAD="${preload#:}"} $variables "$@"
    timeout -k 5 "${LIMIT:-60}" "$@"
    status=$?
    tries=1
    while [ "$status" = 124 ] && [ "$mpi" != intel ] && [ "$(built_for "$mpi")" = mpich ] && [ $tries -lt 3 ]; do
        tries=$((tries + 1))
        timeout -k 5 "${LIMIT:-60}" "$@"
        status=$?
    done
    return $status
}

# has_contexts MPI: whether its launcher starts `-n 1 PROGRAM : -n 1 PROGRAM`; mpirun of Open MPI 5.0.7 crashes.
has_contexts()
{
    [ "$1" = mpich ] || ! declares openmpi MPI_Session_init ||
        timeout -k 5 60 "$(wrapper "$1" run)" -n 1 true : -n 1 true >/dev/null 2>&1
}

# rows PROFILE DOMAIN p2p|coll|osc [PHASE]: `source target msgs bytes` of one part, sorted.
rows()
{
    awk -v want="$2" -v part="$3${4:+ phase=$4}" '
        /^# domain / { domain = $3; next }
        /^# (p2p|coll|osc)/ { kind = substr($0, 3); next }
        /^#/ { next }
        domain == want && kind == part { print $1, $2, $3, $4 }' "$1" | sort -n -k1,1 -k2,2
}

# leave_out_more WANT FOUND: Open MPI 5.0 forgets what was left at MPI_COMM_WORLD. What stands for it is freed, so that
# ours is told all the same.
leave_out_more()
{
    grep -q '^left over' "$1" || sed -i '/^left over: 1$/d' "$2"
}
