# SPDX-License-Identifier: BSD-3-Clause
# lib.sh - for the tests that type the blocks of pages: a folder like that of the sources, commands under the names that
# pages have for them, on top of tests/mpi/lib.sh. Sourced in the build folder.
# shellcheck shell=sh disable=SC2034

. "${srcdir:-.}/tests/mpi/lib.sh"
python=${TEST_PYTHON:-$(command -v python3 || echo :)}
if [ "$python" = : ]; then echo "1..0 # SKIP no Python here"; exit 0; fi
src=$(cd "$src" && pwd)
pages=${PAGES:-$(cd "$src" && ls README.md HACKING.md tests/README.md doc/*.md doc/design/*.md)} # PAGES=doc/tutorial.md: only that
unset LD_PRELOAD RESEAT RESEAT_FILE RESEAT_METRIC RESEAT_TOPOLOGY RESEAT_TIMINGS
export TMPDIR="$work/tmp"
mkdir -p "$TMPDIR"

# in_sources MPI: change to a new folder with what pages find in the sources, a program ./app and its profile; mpirun,
# the compilers and reseat are those of this build.
in_sources()
{
    here=$work/typed/$((typed = ${typed:-0} + 1))
    mkdir -p "$here/bin" && cd "$here" || exit 1
    export RESEAT_STORE="$here/store"
    ln -s "$src/examples" "$src/scripts" .
    ln -s "$reseat" bin/reseat
    ln -s "$(command -v "$(wrapper "$1" run)")" bin/mpirun
    ln -s "$(command -v "$(wrapper "$1" run)")" bin/mpiexec
    # Hydra looks for it beside itself.
    ln -s "$(dirname "$(command -v "$(wrapper "$1" run)")")/hydra_pmi_proxy" bin/hydra_pmi_proxy
    mpi4py "$1" && ln -s /usr/bin/python3 bin/python3
    for compiler in cc fort cxx; do
        printf '#!/bin/sh\nexec %s "$@"\n' "$(wrapper "$1" $compiler)" >"bin/mpi$compiler" && chmod +x "bin/mpi$compiler"
    done
    [ "$1" = openmpi ] || yielding >/dev/null
    [ -x "$work/app-$1" ] || compile "$1" "$src/examples/halo.c" "$work/app-$1"
    ln -s "$work/app-$1" app
    ln -s "$work/app-$1" halo
    "$reseat" convert --to profile -o hpcg.reseat "$src/tests/data/hpcg-16-64.txt"
    awk 'BEGIN { print 4; for (r = 0; r < 4; r++) print r, (r + 2) % 4, 10, 10000 }' >pairs
    "$reseat" convert --to profile -o nowhere pairs
    awk -v OFS='\t' '{ print } /^# ranks/ { for (r = 0; r < 4; r++) print "# seat: " r " host" int(r / 2) " 0 0 0 0 " r " " r }' \
        nowhere >app.reseat
    # What this machine has of other languages.
    languages=$(cd "$work" && echo 'end' >empty.f90 && bin=$here/bin && "$bin/mpifort" -o empty empty.f90 2>/dev/null && echo fortran
        echo 'int main() {}' >empty.cc && "$here/bin/mpicxx" -o empty empty.cc 2>/dev/null && echo c++
        mpi4py "$1" && echo mpi4py)
}

# Whether python3 has mpi4py for that MPI.
mpi4py()
{
    /usr/bin/python3 -c 'import sys
from mpi4py import MPI
sys.exit(sys.argv[1] not in MPI.Get_library_version().lower().replace(" ", ""))' "$1" 2>/dev/null
}

# type_page PAGE NAME HAVE [INSTEAD]: results of its blocks, whose names begin with NAME.
type_page()
{
    quiet=
    [ "$2" = mpich ] && quiet=$(yielding)
    instead=${4-$src/tests/pages/instead}
    grep "^$1	" "$instead" 2>/dev/null | cut -f2- >.instead
    env ${quiet:+LD_PRELOAD="$quiet"} "$python" "$src/tests/pages/run-blocks.py" --have "$3" --path "$here/bin:$PATH" \
        --listed "$src/tests/pages/not-run" --instead .instead "$src/$1" "$1" >.results 2>.errors
    status=$?
    sed "s|^\(not ok\|ok\) - |&${2:+$2: }|" .results
    tests=$((tests + $(grep -c -E '^(not )?ok ' .results)))
    { [ $status = 0 ] && [ ! -s .errors ]; } || grep -q '^not ok' .results
    ok $? "${2:+$2: }$1: it was read to its end" .errors
    cd "$work" || exit 1
}
