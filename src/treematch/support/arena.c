/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arena.c - a list of blocks, filled in order. Invariant: blocks after `current` are empty.
 */
#include "treematch/support/arena.h"

#include <stdint.h>
#include <stdlib.h>

enum { ALIGNMENT = 16, BLOCK = 1 << 18 };

struct tmap_block {
    struct tmap_block *next;
    size_t size;
};

static size_t header_size(void)
{
    return (sizeof(struct tmap_block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static struct tmap_block *new_block(size_t size)
{
    if (size > SIZE_MAX - header_size())
        return NULL;
    struct tmap_block *block = malloc(header_size() + size);
    if (block) {
        block->next = NULL;
        block->size = size;
    }
    return block;
}

/* Put a block that holds `size` after the current one: the next one if it is large enough, else a
 * new one, and a next one that is too small is freed. */
static struct tmap_block *next_block(struct tmap_arena *arena, size_t size)
{
    struct tmap_block **link = arena->current ? &arena->current->next : &arena->first;
    while (*link && (*link)->size < size) {
        struct tmap_block *small = *link;
        *link = small->next;
        free(small);
    }
    if (!*link)
        *link = new_block(size > BLOCK ? size : BLOCK);
    return *link;
}

void *tmap_arena_take(struct tmap_arena *arena, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - ALIGNMENT) / size)
        return NULL;
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!arena->current || arena->current->size - arena->used < bytes) {
        struct tmap_block *block = next_block(arena, bytes);
        if (!block)
            return NULL;
        arena->current = block;
        arena->used = 0;
    }
    void *memory = (char *)arena->current + header_size() + arena->used;
    arena->used += bytes;
    return memory;
}

struct tmap_mark tmap_arena_mark(const struct tmap_arena *arena)
{
    return (struct tmap_mark){arena->current, arena->used};
}

void tmap_arena_release(struct tmap_arena *arena, struct tmap_mark mark)
{
    arena->current = mark.current;
    arena->used = mark.used;
}

void tmap_arena_share(struct tmap_arena *arena, struct tmap_arena *other)
{
    struct tmap_block *kept = arena->current ? arena->current->next : arena->first;
    struct tmap_block **end = &other->first;
    while (kept && kept->next) {
        struct tmap_block *given = kept->next;
        kept->next = given->next;
        kept = given->next;
        given->next = NULL;
        *end = given;
        end = &given->next;
    }
}

void tmap_arena_fini(struct tmap_arena *arena)
{
    while (arena->first) {
        struct tmap_block *block = arena->first;
        arena->first = block->next;
        free(block);
    }
    arena->current = NULL;
    arena->used = 0;
}
