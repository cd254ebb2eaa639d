#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# linked.sh - make of the objects of a preloaded library one object that is linked into programs (linked.c), and the
# options of the linker that go with it.
#
# usage: linked.sh MPI SOURCE OBJECT OPTIONS FILE.lo... FILE.la...    MPI as in the library's name; SOURCE is linked.c;
#        OBJECT and OPTIONS are written
# environment: CC, CPPFLAGS, LD, NM, OBJCOPY; LIBS: what the object needs
#
# PMPI_X becomes __wrap_PMPI_X, for --wrap: the MPI defines it as well. MPI_X keeps its name, since the MPI's is a weak
# one: then a shared library that calls it comes to ours, too. Nothing else is visible to the program.
set -eu
mpi=$1 source=$2 object=$3 options=$4
shift 4
folder=$object.tmp
rm -rf "$folder"
mkdir -p "$folder"
objects='' archives=''

# add FILE: a copy of it, without what is in it for optimization when linked (-ffat-lto-objects), with which objcopy
# renames nothing.
add()
{
    copy=$folder/$(echo "$1" | tr / _)
    $OBJCOPY --wildcard --remove-section='.gnu.lto_*' --remove-section='*.gnu.debuglto_*' "$1" "$copy"
}
for file; do
    case $file in
        *.lo)
            add "$(dirname "$file")/$(sed -n "s/^pic_object='\(.*\)'/\1/p" "$file")"
            objects="$objects $copy"
            ;;
        *.la)
            add ".libs/${file%.la}.a"
            archives="$archives $copy"
            ;;
    esac
done
# shellcheck disable=SC2086
$LD -r -o "$folder/all.o" $objects --start-group $archives --end-group

$NM "$folder/all.o" | awk '$2 ~ /[TW]/ && $3 ~ /^(PMPIX?|MPII)_|^PMIx_Commit$/ { print $3 }' | LC_ALL=C sort >"$folder/ours"
# Of those that have no wrapper, one is looked up all the same. What this MPI's header does not have may be absent.
grep -oE 'PMPIX?_[A-Za-z0-9_]+' "mpi-$mpi.i" | sort -u >"$folder/declared"
{ sed 's/.*/& __real_&/' "$folder/ours"; echo PMPI_Get_library_version PMPI_Get_library_version; } | LC_ALL=C sort |
    awk 'NR == FNR { declared[$1]; next }
        { print "ROW(" $1 ", " $2 ", " ($1 in declared ? "" : "__attribute__((weak))") ")" }' "$folder/declared" - \
        >"$folder/linked-functions.h"
{ sed 's/.*/& __wrap_&/' "$folder/ours"; echo dlsym linked_symbol; } >"$folder/names"
# shellcheck disable=SC2086
$CC $CPPFLAGS -O2 -fPIC -fvisibility=hidden -I"$folder" -DLINKED_MPI="\"$mpi\"" -fno-lto -c -o "$folder/linked.o" \
    "$source"
$OBJCOPY --redefine-syms="$folder/names" "$folder/all.o"
$LD -r -o "$folder/whole.o" "$folder/all.o" "$folder/linked.o"
$OBJCOPY --strip-debug --wildcard --keep-global-symbol='__wrap_*' --keep-global-symbol='MPI_*' \
    --keep-global-symbol='MPIX_*' --keep-global-symbol=getenv --keep-global-symbol=secure_getenv "$folder/whole.o"
mv "$folder/whole.o" "$object"
{ sed 's/.*/-Wl,--wrap=&/' "$folder/ours"; echo "$LIBS"; } >"$folder/options"
mv "$folder/options" "$options"
rm -rf "$folder"
