/* SPDX-License-Identifier: BSD-3-Clause */
/* hash.h - hashes of bytes, which are the same on every machine, and of words, for tables. */
#ifndef RESEAT_HASH_H
#define RESEAT_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/): of no bytes. */
static const uint64_t reseat_hash_empty = UINT64_C(0xcbf29ce484222325);

/* The hash of the bytes hashed so far, followed by these. */
static inline uint64_t reseat_hash_add(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Spread a word over the upper bits: multiply it by 2^64 over the golden ratio (Knuth, TAOCP 3,
 * 6.4). */
static inline uint64_t reseat_hash_word(uint64_t word)
{
    return word * UINT64_C(0x9e3779b97f4a7c15);
}

#endif
