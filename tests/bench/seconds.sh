#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# seconds.sh FOLDER - how far predicted seconds are from measured ones: 16 ranks on 4 nodes of scripts/cluster, whose cards
# have 1 Gbit/s and 100 Mbit/s. In turn, round by round, so that other load of the machine affects all alike; a job beside
# which other processes used more than a quarter of a processor is done once more. PARTS are:
#   cases    after `reseat measure', patterns are replayed in 6 orders each: by slot, by node, two random ones, the cheapest
#            by cost, and mapped by time; and two jobs of 8 ranks, packed, spread in pairs by hand, and mapped by time. A line
#            for each in seconds.tsv (predicted, median of what was measured, each round with the hundredths of a processor
#            that others used), and for each rate in seconds-summary.tsv: Spearman's correlation of predicted and measured
#            seconds, the median of |predicted - measured| / measured, and the median and worst regret: by how much the order
#            of a pattern that the model calls best is slower than the best measured.
#   program  examples/halo and its replay in 4 orders: seconds of both (seconds-program.tsv).
#   twice    `reseat measure' twice in a row: for each level the median and the largest difference of a size (seconds-twice.tsv).
# Run in the build folder by `make bench-seconds'; it takes half an hour. RATES, PATTERNS, ORDERS, ROUNDS, MPIS choose; SCALE is
# how often what a pattern has is sent (replay --scale); MACHINES is a folder of timings to take instead of measuring; LOCK is a
# file that is locked while a job runs.
set -u
. "${srcdir:-.}/tests/mpi/lib.sh"
folder=$1
cluster=$(cd "$src" && pwd)/scripts/cluster
RESEAT_CLUSTER=s$$
export RESEAT_CLUSTER
trap '"$cluster" down; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
mkdir -p "$folder"
patterns=${PATTERNS:-halo2d halo3d alltoall ring-small ring-large cliques hot sparse lammps lu npb-cg npb-ft masters alltoall-half halo-half}
orders=${ORDERS:-slot node random1 random2 cost time}

# ---- patterns: `source target messages bytes' behind the number of ranks ----

# shellcheck disable=SC2016
generated='
function put(a, b, n, size) { if (a != b) print a, b, n, n * size }
function halo2d(    r, d, x, y) {
    for (r = 0; r < 16; r++) for (d = 0; d < 4; d++) {
        x = r % 4 + (d == 0) - (d == 1); y = int(r / 4) + (d == 2) - (d == 3)
        if (x >= 0 && x < 4 && y >= 0 && y < 4) put(r, 4 * y + x, 50, 20000)
    }
}
# 4 x 2 x 2, periodic in x: faces, edges, corners
function halo3d(    r, x, y, z, far, to) {
    for (r = 0; r < 16; r++) for (x = -1; x <= 1; x++) for (y = -1; y <= 1; y++) for (z = -1; z <= 1; z++) {
        far = (x != 0) + (y != 0) + (z != 0)
        if (int(r / 4) % 2 + y < 0 || int(r / 4) % 2 + y > 1 || int(r / 8) + z < 0 || int(r / 8) + z > 1) continue
        to = (r + x + 4) % 4 + int(r / 4) * 4 + 4 * y + 8 * z
        put(r, to, 100, far == 1 ? 16384 : far == 2 ? 1024 : 64)
    }
}
function alltoall(    a, b) { for (a = 0; a < 16; a++) for (b = 0; b < 16; b++) put(a, b, 40, 4096) }
function ring(n, size,    r) { for (r = 0; r < 16; r++) put(r, (r + 1) % 16, n, size) }
# ranks that have the same remainder, and a ring
function cliques(    a, b) {
    for (a = 0; a < 16; a++) for (b = 0; b < 16; b++) if (a % 4 == b % 4) put(a, b, 30, 65536); else if (b == (a + 1) % 16) put(a, b, 30, 2048)
}
# four ranks that are cheapest on one node, whose card then carries all that they send to the others
function masters(    a, b) {
    for (a = 0; a < 4; a++) for (b = 0; b < 16; b++) {
        if (b < 4) put(a, b, 44, 32768); else if (b % 4 == a) put(a, b, 40, 32768)
    }
}
# 8 ranks
function alltoall_half(    a, b) { for (a = 0; a < 8; a++) for (b = 0; b < 8; b++) put(a, b, 40, 32768) }
function halo_half(    r, d, x, y) {
    for (r = 0; r < 8; r++) for (d = 0; d < 4; d++) {
        x = int(r / 2) + (d == 0) - (d == 1); y = r % 2 + (d == 2) - (d == 3)
        if (x >= 0 && x < 4 && y >= 0 && y < 2) put(r, 2 * x + y, 60, 32768)
    }
}
function hot(    r) { for (r = 1; r < 16; r++) { put(r, 0, 60, 16384); put(0, r, 60, 1024) } }
# What ScaLAPACK sends to factorize a matrix of 1,024 rows in blocks of 32 on 4 x 4 processes: in each step the column that has
# the panel looks for pivots, rows are swapped, the panel goes along the rows and the row of blocks along the columns, each in a ring
function add(a, b, n, bytes) { if (a != b) { messages[a, b] += n; sum[a, b] += bytes } }
function lu(    k, part, r, q, i, key, f) {
    for (k = 0; k < 32; k++) {
        part = int((32 - k) * 32 / 4) * 8
        for (r = 0; r < 4; r++) for (i = 0; i < 3; i++) {
            add(4 * r + (k + i) % 4, 4 * r + (k + i + 1) % 4, 1, 32 * part)
            add(4 * ((k + i) % 4) + r, 4 * ((k + i + 1) % 4) + r, 1, 32 * part)
        }
        for (r = 0; r < 4; r++) for (q = 0; q < 4; q++) {
            add(4 * r + k % 4, 4 * q + k % 4, 16, 16 * 32)
            add(4 * (k % 4) + q, 4 * r + q, 6, 6 * part)
            add(4 * r + q, 4 * (k % 4) + q, 6, 6 * part)
        }
    }
    for (r = 0; r < 16; r++) for (q = 0; q < 16; q++) if ((r, q) in sum) print r, q, messages[r, q], sum[r, q]
}
function random(n) { state = (state * 16807) % 2147483647; return state % n }
function sparse(    r, k, to, seen) {
    state = 7
    for (r = 0; r < 16; r++) for (k = 0; k < 4; k++) {
        do to = random(16); while (to == r || (r, to) in seen)
        seen[r, to] = 1
        put(r, to, 20 + random(80), 256 * 2 ^ random(9))
    }
}
BEGIN {
    print p ~ /-half$/ ? 8 : 16
    if (p == "halo2d") halo2d(); if (p == "halo3d") halo3d(); if (p == "alltoall") alltoall()
    if (p == "ring-small") ring(2000, 64); if (p == "ring-large") ring(20, 262144); if (p == "cliques") cliques()
    if (p == "masters") masters(); if (p == "alltoall-half") alltoall_half(); if (p == "halo-half") halo_half()
    if (p == "hot") hot(); if (p == "sparse") sparse(); if (p == "lu") lu()
}'

# make_pattern NAME >FILE
make_pattern()
{
    case $1 in
        lammps) cat "$src/tests/data/lammps-lj32k-16.txt" ;;
        npb-*) cat "$src/tests/data/npb3.4-${1#npb-}.W-16.txt" ;;
        *) awk -v p="$1" "$generated" ;;
    esac
}

# ---- orders: `role slot' ----

# shuffled SEED
shuffled()
{
    awk -v state="$1" 'BEGIN {
        for (i = 0; i < 16; i++) slot[i] = i
        for (i = 15; i > 0; i--) { state = (state * 16807) % 2147483647; j = state % (i + 1); t = slot[i]; slot[i] = slot[j]; slot[j] = t }
        for (i = 0; i < 16; i++) print i, slot[i]
    }'
}

orders_of() # PATTERN
{
    case $1 in *-half) echo slot pairs time ;; *) echo "$orders" ;; esac
}

# make_order ORDER PATTERN MACHINE
make_order()
{
    local last
    last=$(($(head -1 "$work/$2") - 1))
    case $1 in
        slot) seq 0 $last | awk '{ print $1, $1 }' ;;
        node) seq 0 $last | awk '{ print $1, 4 * ($1 % 4) + int($1 / 4) }' ;;
        pairs) seq 0 $last | awk '{ print $1, 4 * int($1 / 2) + $1 % 2 }' ;;
        random*) shuffled "${1#random}0007" ;;
        cost) "$reseat" map --tree "node:4 core:4" "$work/$2" --timings "$3" --output "$work/mapped" >/dev/null && cat "$work/mapped" ;;
        time) "$reseat" map --tree "node:4 core:4" "$work/$2" --timings "$3" --objective time --output "$work/mapped" >/dev/null && cat "$work/mapped" ;;
    esac
}

# predicted PATTERN ORDER MACHINE: seconds. Roles get the number of their slot.
predicted()
{
    awk 'NR == FNR { slot[$1] = $2; next } FNR == 1 { print 16; next } { print slot[$1], slot[$2], $3, $4 }' \
        "$work/$1.$2" "$work/$1" >"$work/moved"
    "$reseat" map --tree "node:4 core:4" "$work/moved" --timings "$3" --tsv |
        sed -n 's/^identity_predicted_seconds	//p'
}

# ---- jobs ----

# Processor time of processes that are there before and after a job, in hundredths of a second.
others()
{
    cat /proc/[0-9]*/stat 2>/dev/null |
        awk -v self=$$ '$1 != self { pid = $1; sub(/.*\) /, ""); print pid, $12 + $13 + $14 + $15 }'
}

# launcher NODES-OF-RANKS|slot
launcher()
{
    local all=
    [ "$1" = slot ] && all="-n 16"
    # shellcheck disable=SC2086
    "$cluster" launcher "$mpi" $all --by "$1" --timeout 100
}

# replay PATTERN ORDER SCALE: prints seconds.
replay()
{
    local list
    list=$(sort -n "$work/$1.$2" | awk '{ printf "%s%d", (NR > 1 ? "," : ""), $2 / 4 }')
    # shellcheck disable=SC2046
    "$reseat" replay --tsv --scale "$3" --runs 3 "$work/$1.profile" -- $(launcher "$list") 2>"$work/err" </dev/null |
        sed -n 's/^seconds	//p' | grep . || echo "seconds.sh: $1, $2: failed: $(tail -1 "$work/err")" >&2
}

exec 9>"${LOCK:-/dev/null}"
# alone COMMAND...: while nobody else has the lock.
alone()
{
    local status
    [ -z "${LOCK:-}" ] || flock 9
    "$@" 9>&-
    status=$?
    [ -z "${LOCK:-}" ] || flock -u 9
    return $status
}

# The same, again if other processes were busy meanwhile; then it counts if that was no worse.
measured()
{
    local start busy seconds
    for _ in 1 2; do
        others >"$work/before"
        start=${EPOCHREALTIME/./}
        seconds=$(replay "$@")
        others >"$work/after"
        busy=$(awk -v us=$((${EPOCHREALTIME/./} - start)) 'NR == FNR { t[$1] = $2; next } $1 in t { s += $2 - t[$1] }
            END { printf "%d", 1e6 * s / us }' "$work/before" "$work/after")
        [ "$busy" -gt 25 ] || break
    done
    [ -z "$seconds" ] || echo "$seconds $busy"
}

median()
{
    sort -n "$1" | awk '{ t[NR] = $1 } END { if (NR) printf "%.6g", (t[int((NR + 1) / 2)] + t[int(NR / 2 + 1)]) / 2; else print "nan" }'
}

# ---- cases ----

measure_machine() # RATE: to $machine
{
    machine=$folder/machine-$1
    if [ -n "${MACHINES:-}" ]; then
        machine=$MACHINES/machine-$1
        return
    fi
    # shellcheck disable=SC2046
    "$reseat" measure -o "$machine" -- $(launcher slot) >"$work/out" 2>&1 || {
        echo "seconds.sh: measure: $(tail -1 "$work/out")" >&2
        return 1
    }
}

prepare() # RATE
{
    local pattern order
    for pattern in $patterns; do
        make_pattern "$pattern" >"$work/$pattern"
        "$reseat" convert "$work/$pattern" --to profile -o "$work/$pattern.profile" || return 1
        for order in $(orders_of "$pattern"); do
            make_order "$order" "$pattern" "$machine" >"$work/$pattern.$order"
            predicted "$pattern" "$order" "$machine" >"$work/$pattern.$order.predicted"
            : >"$work/$pattern.$order.$1"
        done
    done
}

print_cases() # RATE
{
    local pattern order
    for pattern in $patterns; do
        for order in $(orders_of "$pattern"); do
            printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$mpi" "$pattern" "$order" "$scale" \
                "$(awk -v s="$scale" '{ printf "%.6g", s * $1 }' "$work/$pattern.$order.predicted")" \
                "$(median "$work/$pattern.$order.$1")" "$(awk '{ printf "%s%s/%s", (NR > 1 ? "," : ""), $1, $2 }' "$work/$pattern.$order.$1")"
        done
    done
}

# Rank correlation, ties get the mean of their ranks; errors; regret.
summary()
{
    awk -F '\t' '
    function ranks(x, r,    i, j, below, same) {
        for (i = 1; i <= n; i++) {
            below = same = 0
            for (j = 1; j <= n; j++) { below += x[j] < x[i]; same += x[j] == x[i] }
            r[i] = below + (same + 1) / 2
        }
    }
    function middle(x, n,    i, j, t) {
        for (i = 2; i <= n; i++) for (j = i; j > 1 && x[j - 1] > x[j]; j--) { t = x[j]; x[j] = x[j - 1]; x[j - 1] = t }
        return (x[int((n + 1) / 2)] + x[int(n / 2 + 1)]) / 2
    }
    $7 == "nan" { next }
    {
        n++; p[n] = $6; m[n] = $7; error[n] = ($6 > $7 ? $6 - $7 : $7 - $6) / $7
        if (!($3 in best) || $7 < best[$3]) best[$3] = $7
        if (!($3 in called) || $6 < called[$3]) { called[$3] = $6; got[$3] = $7 }
    }
    END {
        ranks(p, a); ranks(m, b)
        for (i = 1; i <= n; i++) { sa += a[i]; sb += b[i] }
        for (i = 1; i <= n; i++) { x = a[i] - sa / n; y = b[i] - sb / n; xy += x * y; xx += x * x; yy += y * y }
        for (k in best) { regret[++q] = got[k] / best[k] - 1; if (regret[q] > worst) { worst = regret[q]; which = k } }
        printf "cases\t%d\nspearman\t%.3f\nmedian_error\t%.3f\nmedian_regret\t%.3f\nworst_regret\t%.3f\t%s\n", n, xy / sqrt(xx * yy),
            middle(error, n), middle(regret, q), worst, which
    }'
}

# ---- the program itself ----

# hosts_of ORDER: the node of each rank.
hosts_of()
{
    make_order "$1" halo2d - | awk '{ printf "%s%d", (NR > 1 ? "," : ""), $2 / 4 }'
}

# program_seconds ORDER
program_seconds()
{
    # shellcheck disable=SC2046
    timeout 100 $(launcher "$(hosts_of "$1")") "$work/halo" -b 100000 -i 50 2>"$work/err" </dev/null |
        sed -n 's/^halo: .*, \([0-9.]*\) s$/\1/p'
}

replay_seconds() # ORDER
{
    # shellcheck disable=SC2046
    "$reseat" replay --tsv --scale 1 --runs 1 "$work/halo.profile" -- $(launcher "$(hosts_of "$1")") 2>"$work/err" </dev/null |
        sed -n 's/^seconds	//p'
}

against_program() # RATE
{
    local order round
    make_pattern halo2d >"$work/halo2d"
    compile "$mpi" "$src/examples/halo.c" "$work/halo" || return 1
    # shellcheck disable=SC2046
    alone "$reseat" profile -o "$work/halo.profile" -- $(launcher "$(hosts_of slot)") "$work/halo" -b 100000 -i 50 \
        >/dev/null 2>&1 </dev/null
    for order in slot node random1 random2; do rm -f "$work"/{program,replay}."$order"; done
    for ((round = 0; round < ${ROUNDS:-3}; round++)); do
        for order in slot node random1 random2; do
            alone program_seconds "$order" >>"$work/program.$order"
            alone replay_seconds "$order" >>"$work/replay.$order"
        done
    done
    for order in slot node random1 random2; do
        printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$mpi" "$order" "$(median "$work/program.$order")" "$(median "$work/replay.$order")"
    done | tee -a "$folder/seconds-program.tsv"
}

# ---- twice ----

measured_twice() # RATE
{
    local time
    for time in 1 2; do
        # shellcheck disable=SC2046
        alone "$reseat" measure -o "$work/$time" -- $(launcher slot) >"$work/out" 2>&1 </dev/null ||
            { echo "seconds.sh: measure: $(tail -1 "$work/out")" >&2; return 1; }
    done
    awk -v rate="$1" -v mpi="$mpi" '
        $1 == "level" || $1 == "exchange" || $1 == "card" || $1 == "memory" {
            key = value = ""
            for (i = 2; i <= NF && $i != "times"; i++)
                if ($i == "seconds" || $i == "bytes_per_second") value = $++i; else key = key " " $i
            name = $1 == "level" ? $1 " " $2 : $1 == "exchange" ? $1 " " $2 " " $4 : $1
            key = $1 key
        }
        !value { next }
        NR == FNR { first[key] = value; value = ""; next }
        key in first {
            d = first[key] / value - 1; d = d < 0 ? -d : d; all[name] = all[name] " " d
            if (d >= worst[name]) { worst[name] = d; which[name] = key }
            value = ""
        }
        function median(text,    x, n, i, j, t) {
            n = split(text, x, " ")
            for (i = 2; i <= n; i++) for (j = i; j > 1 && x[j - 1] + 0 > x[j] + 0; j--) { t = x[j]; x[j] = x[j - 1]; x[j - 1] = t }
            return (x[int((n + 1) / 2)] + x[int(n / 2 + 1)]) / 2
        }
        END { for (n in worst) printf "%s\t%s\t%s\t%.3f\t%.3f\t%s\n", rate, mpi, n, median(all[n]), worst[n], which[n] }' \
        "$work/1" "$work/2" |
        sort | tee -a "$folder/seconds-twice.tsv"
}

# ---- all ----

cases() # RATE
{
    local round pattern order
    alone measure_machine "$1" && prepare "$1" || return 1
    for ((round = 0; round < ${ROUNDS:-3}; round++)); do
        for pattern in $patterns; do
            for order in $(orders_of "$pattern"); do
                alone measured "$pattern" "$order" "$scale" >>"$work/$pattern.$order.$1"
            done
        done
    done
    print_cases "$1" >"$work/cases"
    tee -a "$folder/seconds.tsv" <"$work/cases"
    grep -v -e '-half	' "$work/cases" | summary | sed "s/^/$1	$mpi	/" | tee -a "$folder/seconds-summary.tsv"
}

: >"$folder/seconds-summary.tsv"
printf 'rate\tmpi\tpattern\torder\tscale\tpredicted\tmeasured\trounds\n' >"$folder/seconds.tsv"
printf 'rate\tmpi\torder\tprogram\treplay\n' >"$folder/seconds-program.tsv"
printf 'rate\tmpi\tlevel\tmedian\tlargest\twhere\n' >"$folder/seconds-twice.tsv"
for rate in ${RATES:-1gbit 100mbit}; do
    "$cluster" up 4 "$rate" 2>"$work/err" || { echo "seconds.sh: passed over: $(cat "$work/err")" >&2; exit 0; }
    case $rate in *gbit) scale=${SCALE:-3} ;; *) scale=${SCALE:-0.5} ;; esac
    for mpi in ${MPIS:-openmpi}; do
        for part in ${PARTS:-cases program twice}; do
            case $part in
                cases) cases "$rate" ;;
                program) against_program "$rate" ;;
                twice) measured_twice "$rate" ;;
            esac || exit 1
        done
    done
    "$cluster" down
done
