/* SPDX-License-Identifier: BSD-3-Clause */
/* generate-builder.c - see generate-builder.h. */
#include "generate/generate-builder.h"

#include <stdlib.h>

void generate_add(struct generate_builder *b, int64_t source, int64_t target, uint64_t weight)
{
    if (b->status != TMAP_OK || source == target)
        return;
    if (b->count == b->room) {
        size_t room = b->room * 2 + 1024;
        void *larger = b->count < GENERATE_MOST_ENTRIES / 2
                           ? realloc(b->entry, room * sizeof *b->entry)
                           : NULL;
        if (!larger) {
            b->status = b->count < GENERATE_MOST_ENTRIES / 2 ? TMAP_ENOMEM : TMAP_EOVERFLOW;
            return;
        }
        b->entry = larger;
        b->room = room;
    }
    b->entry[b->count++] = (struct tmap_entry){(int32_t)source, (int32_t)target, weight};
}
