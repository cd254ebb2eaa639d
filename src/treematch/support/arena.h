/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arena.h - memory for recursive algorithms: allocated in any amount, and freed all at once back to
 * a mark. Blocks come from malloc and are kept for reuse.
 */
#ifndef TMAP_ARENA_H
#define TMAP_ARENA_H

#include <stddef.h>

struct tmap_block;

/* All zero is an empty arena. */
struct tmap_arena {
    struct tmap_block *first, *current;
    size_t used; /* of the current block */
};

struct tmap_mark {
    struct tmap_block *current;
    size_t used;
};

/* count elements of size bytes, uninitialized, aligned for any type; NULL: out of memory. Not NULL
 * for a count or size of 0. */
void *tmap_arena_take(struct tmap_arena *arena, size_t count, size_t size);
struct tmap_mark tmap_arena_mark(const struct tmap_arena *arena);
/* Everything allocated since the mark is gone; its blocks are kept for reuse. */
void tmap_arena_release(struct tmap_arena *arena, struct tmap_mark mark);
/* Give every second block that is kept and holds nothing to `other`, which is empty. */
void tmap_arena_share(struct tmap_arena *arena, struct tmap_arena *other);
void tmap_arena_fini(struct tmap_arena *arena);

#endif
