#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What abi.sh says of libraries that differ from those of the last release: records that were changed by hand in the
# place of the libraries.
. "${srcdir:-.}/tests/lib.sh"
failed=0
record=$src/tests/tmap/abi.txt
{ echo "# released with 1.2.3" && sed 's/^soname \(.*\)\.so\.[0-9]*/soname \1.so.4/; s/^age \(.*\) [0-9]*/age \1 7/' "$record"; } >"$work/released"

# expect STATUS LINE SED-SCRIPT: of the record of the release, changed so, abi.sh ends with STATUS and that line (none: '').
expect()
{
    sed "$3" "$work/released" >"$work/now"
    ABI_RELEASED=${4:-$work/released} ABI_NOW=$work/now sh "$src/tests/tmap/abi.sh" >"$work/out" 2>&1
    found="$? $(tail -n 1 "$work/out")"
    [ "$found" = "$1 $2" ] && { printf "%s: %s\n" "$3" "$found"; return; }
    printf '%s\nexpected: %s\nfound:    %s\n' "$3" "$1 $2" "$found"
    cat "$work/out"
    failed=1
}
function='symbol libtmap tmap_mapping_find$'
grep -q "$function" "$work/released" || { echo "the record has no tmap_mapping_find"; exit 1; }
gone="libtmap.so.4 has no longer what programs built with 1.2.3 need: it must be libtmap.so.5"
expect 0 '' ''
expect 1 "$gone" "/$function/d"
expect 1 "$gone" 's/^enumerator TMAP_EINVAL = .*/enumerator TMAP_EINVAL = 99/'
expect 1 "$gone" 's/at 8, /at 16, /'
expect 1 "libtmap-hwloc.so.4 has no longer what programs built with 1.2.3 need: it must be libtmap-hwloc.so.5" \
    "/$function/d; s/^soname libtmap.so.4/soname libtmap.so.5/"
expect 0 '' "/$function/d; s/^soname \\(.*\\)\\.so\\.4/soname \\1.so.5/; s/^age \\(.*\\) 7/age \\1 0/"
expect 1 "libtmap.so.4 has more than that of 1.2.3: its age must be 8" '$a symbol libtmap tmap_something_new'
expect 0 '' '$a symbol libtmap tmap_something_new
s/^age \(.*\) 7/age \1 8/'
expect 1 "libtmap.so.3 has no longer what programs built with 1.2.3 need: it must be libtmap.so.5" 's/^soname libtmap.so.4/soname libtmap.so.3/'
expect 1 "no soname or age of libtmap in a record" '/^age libtmap /d'
expect 1 "$work/nothing does not begin with '# released with VERSION'" '' "$(echo x >"$work/nothing"; echo "$work/nothing")"
expect 1 "no $work/missing" '' "$work/missing"
echo "# released with no release yet" >"$work/none"
expect 0 '' "/$function/d" "$work/none"
exit $failed
