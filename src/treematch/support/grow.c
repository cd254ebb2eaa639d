/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grow.c - structs that callers fill and that may grow from version to version.
 *
 * The caller passes the size of the struct that it was compiled with. If that is this version's
 * size, all is known. If it is smaller, the missing members have their defaults. If it is larger,
 * the members that are too new must be 0, or else the caller would believe that they had an effect.
 * (The kernel's openat2 and clone3 work this way.)
 */
#include "treematch/support/support.h"

/* No struct of ours will ever be larger: one that says so is uninitialized. */
enum { MOST_BYTES = 4096 };

enum tmap_status tmap_struct_read(void *known, size_t size, size_t least, const void *given,
                                  const char *what, struct tmap_error *error)
{
    const unsigned char *bytes = given;
    size_t theirs;
    memcpy(&theirs, given, sizeof theirs);
    if (theirs < least || theirs > MOST_BYTES)
        return tmap_fail(error, TMAP_EINVAL, "struct %s has no size: it was not initialized", what);
    for (size_t i = size; i < theirs; i++)
        if (bytes[i] != 0)
            return tmap_fail(
                error, TMAP_ENOTSUP,
                "struct %s has a member set that this version of libtmap does not know", what);
    memcpy(known, given, theirs < size ? theirs : size);
    return TMAP_OK;
}
