#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# large.sh FOLDER - what `reseat report --html` takes for 65,536 ranks with about 30 partners (large.tsv): a grid with
# diagonal neighbors, random partners, and partners in groups, renumbered at random or not, on nodes with two packages,
# with switches and without. Processor seconds are the least of ROUNDS (3), wall seconds and peak memory those of that
# run. With OLD=COMMAND, another build of reseat, both run in turn, and the ratio is the least of ours to the least of
# the other's. QUICK=1: one round, 4,096 ranks.
#
# Run by `make bench` in the build folder.
set -eu
mkdir -p "$1"
out=$(cd "$1" && pwd)
[ -x /usr/bin/time ] || { echo "# large.sh: needs /usr/bin/time (package time)"; exit 0; }
ranks=65536 nodes=512 rounds=${ROUNDS:-3}
[ -z "${QUICK:-}" ] || { ranks=4096 nodes=32 rounds=1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# pattern KIND SHUFFLED: as `reseat convert --from plain` reads it
pattern()
{
    awk -v kind="$1" -v shuffled="$2" -v n="$ranks" '
        function random(m) { state = state * 48271 % 2147483647; return int(state / 2147483647 * m) }
        function put(a, b, bytes) { print name[a], name[b], 10, bytes; print name[b], name[a], 10, bytes }
        function put_once(a, b, bytes,   pair) {
            pair = a < b ? a " " b : b " " a
            if (a != b && !(pair in seen)) { seen[pair]; put(a, b, bytes) }
        }
        BEGIN {
            state = 1; x = y = sqrt(n) / 8; z = 64; print n
            for (i = 0; i < n; i++) name[i] = i
            for (i = n - 1; i > 0 && shuffled; i--) { j = random(i + 1); t = name[i]; name[i] = name[j]; name[j] = t }
            for (r = 0; r < n && kind == "grid"; r++) {
                i = r % x; j = int(r / x) % y; k = int(r / x / y)
                for (a = -1; a <= 1; a++) for (b = -1; b <= 1; b++) for (c = 0; c <= 1; c++)
                    if ((c || b > 0 || (b == 0 && a > 0)) && i + a >= 0 && i + a < x && j + b >= 0 && j + b < y && k + c < z)
                        put(r, r + a + x * (b + y * c), 10 ^ (6 - (a != 0) - (b != 0) - (c != 0)))
            }
            for (r = 0; r < n && kind == "random"; r++)
                for (p = 0; p < 15; p++) put_once(r, random(n), 1000 + random(9000))
            for (r = 0; r < n && kind == "groups"; r++)
                for (p = 0; p < 15; p++) {
                    size = p < 9 ? 64 : p < 13 ? 128 : p < 14 ? 1024 : n
                    put_once(r, int(r / size) * size + random(size), size == 64 ? 9000 : 1000)
                }
        }' </dev/null
}

# measure NAME COMMAND PATTERN TREE: keep in $work/NAME what the run with the least processor time took
measure()
{
    /usr/bin/time -o "$work/time" -f '%U %S %e %M' "$2" report --html "$work/page" --tree "$4" "$work/$3.reseat"
    awk '{ printf "%.2f %.2f %.0f\n", $1 + $2, $3, $4 * 1.024 / 1000 }' "$work/time" >>"$work/$1"
    sort -n "$work/$1" | head -1 >"$work/least" && mv "$work/least" "$work/$1"
}

printf 'pattern\ttree\tcpu_seconds\twall_seconds\tmegabytes\told_cpu_seconds\tratio\n' >"$out/large.tsv"
for pattern in "grid 0" "grid 1" "random 0" "groups 0" "groups 1"; do
    name=${pattern% *}$([ "${pattern#* }" = 0 ] || echo -shuffled)
    # shellcheck disable=SC2086
    pattern $pattern >"$work/plain"
    ./reseat convert --from plain --to profile -o "$work/$name.reseat" "$work/plain" 2>/dev/null
    for tree in "node:$nodes package:2 core:64" "switch:16 node:$((nodes / 16)) package:2 core:64"; do
        rm -f "$work/new" "$work/old"
        for ((round = 0; round < rounds; round++)); do
            measure new ./reseat "$name" "$tree"
            [ -z "${OLD:-}" ] || measure old "$OLD" "$name" "$tree"
        done
        read -r cpu wall megabytes <"$work/new"
        [ -n "${OLD:-}" ] || echo - >"$work/old"
        read -r old _ <"$work/old"
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$tree" "$cpu" "$wall" "$megabytes" "$old" \
            "$(echo "$cpu $old" | awk '$2 > 0 { printf "%.2f", $1 / $2; next } { print "-" }')"
    done
    rm -f "$work/$name.reseat"
done | tee -a "$out/large.tsv" | sed 's/^/# /'
