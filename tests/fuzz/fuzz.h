/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz.h - for fuzz targets. Built with libFuzzer by `make fuzz`, and with standalone.c, which
 * feeds them made-up inputs, by `make check`.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Holds in every build: an abort is what the fuzzer sees. */
#define require(condition)                                                                        \
    ((condition) ? (void)0                                                                        \
                 : (fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition), \
                    abort()))

#endif
