#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh SECONDS - build the fuzz targets with clang's libFuzzer, AddressSanitizer and UBSan, and run each for
# that long; then the same for the command itself with command lines and files that are made up (commands.c).
# Inputs that were found are kept in fuzz/NAME, failures as fuzz/NAME-crash-*; `make fuzz` calls
# this in the build folder. Needs clang and its runtime (Debian: clang libclang-rt-14-dev).
set -eu
seconds=$1
src=${srcdir:-.}
mkdir -p fuzz
library=$(find "$src/src/treematch" -name '*.c' ! -path '*/adapters/*' | sort)
for target in "$src"/tests/fuzz/fuzz-*.c; do
    name=$(basename "$target" .c)
    name=${name#fuzz-}
    sources="$target $(echo "$src"/src/text/*.c "$src"/src/timings/*.c "$src"/src/network/*.c "$src"/src/profile/*.c "$src"/src/exchange/*.c "$src"/src/simulate/workload*.c "$src"/src/simulate/rates*.c)"
    case $name in layout | map | tree) sources=$target ;; esac
    # shellcheck disable=SC2086
    clang -g -O1 -D_GNU_SOURCE -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION -std=gnu11 -ffp-contract=off \
        -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -I"$src/src" -I"$src/tests" -o "fuzz/fuzz-$name" $sources \
        $library -lm
    mkdir -p "fuzz/$name"
    "fuzz/fuzz-$name" -max_total_time="$seconds" -max_len=1000 -timeout=20 -print_final_stats=1 \
        -artifact_prefix="fuzz/$name-" "fuzz/$name" >"fuzz/$name.log" 2>&1 ||
        { tail -40 "fuzz/$name.log"; exit 1; }
    echo "fuzz-$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "fuzz/$name.log") inputs, nothing found"
done

# ---- the command ----
mkdir -p fuzz/command
build=$PWD
(
    cd fuzz/command
    [ -f config.status ] || "$(cd "$build" && cd "$src" && pwd)/configure" --enable-sanitizers --with-mpi=no
    make reseat
) >fuzz/command.log 2>&1 || { tail -20 fuzz/command.log; exit 1; }
make tests/fuzz/commands >>fuzz/command.log 2>&1
ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=halt_on_error=1:exitcode=99:print_stacktrace=1 \
    tests/fuzz/commands fuzz/command/reseat "$seconds" "$(($(date +%s) % 1000000 * 1000))" >>fuzz/command.log 2>&1 ||
    { sed -n '/^not ok/,$p' fuzz/command.log; exit 1; }
sed -n 's/^ok 1 - /commands: /p' fuzz/command.log | tail -1
