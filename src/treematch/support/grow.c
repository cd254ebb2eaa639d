/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grow.c - structs that callers fill and that may become longer from version to version.
 *
 * The caller says how much it knows, so there are three cases: it knows as much as this version; less,
 * then the defaults stand behind what it knows; more, then what is too new has to be unused, 0, or
 * the caller would believe that it was heeded. (The kernel's openat2 and clone3 do it this way.)
 */
#include "treematch/internal.h"

/* No struct of ours will ever be so long: what says so has not been initialised. */
enum { MOST_BYTES = 4096 };

enum tmap_status tmap_struct_read(void *known, size_t size, size_t least, const void *given,
                                  const char *what, struct tmap_error *error)
{
    const unsigned char *bytes = given;
    size_t theirs;
    memcpy(&theirs, given, sizeof theirs);
    if (theirs < least || theirs > MOST_BYTES)
        return tmap_fail(error, TMAP_EINVAL, "struct %s has no size: it was not initialised", what);
    for (size_t i = size; i < theirs; i++)
        if (bytes[i] != 0)
            return tmap_fail(error, TMAP_ENOTSUP,
                             "struct %s says something that this version of libtmap does not know",
                             what);
    memcpy(known, given, theirs < size ? theirs : size);
    return TMAP_OK;
}
