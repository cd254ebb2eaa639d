/* SPDX-License-Identifier: BSD-3-Clause */
/* hash.h - FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/): the same on every machine.
 */
#ifndef RESEAT_HASH_H
#define RESEAT_HASH_H

#include <stddef.h>
#include <stdint.h>

static const uint64_t reseat_hash_empty = UINT64_C(0xcbf29ce484222325);

/* The hash of the bytes hashed so far, followed by these. */
static inline uint64_t reseat_hash_add(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
