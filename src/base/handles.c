/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handles.c - open addressing with linear probing. A cell's key is published after its value, so a
 * reader that sees the key sees the value. A removed key stays, without a value, because MPI reuses
 * handles. When the table is half full, the keys that have values are copied to one of twice the
 * size. Readers may still be in the old one, so it is kept until handles_clear; all old tables
 * together are smaller than the newest.
 */
#include "base/handles.h"

#include <stdlib.h>

enum { FIRST_SIZE = 64 };

static void handles_place(struct handle_cells *cells, struct handle_cell *cell, uintptr_t key,
                          void *value)
{
    __atomic_store_n(&cell->value, value, __ATOMIC_RELEASE);
    if (cell->key == key)
        return;
    __atomic_store_n(&cell->key, key, __ATOMIC_RELEASE);
    cells->used++;
}

/* Replace the table with one that has room for another key. */
static struct handle_cells *handles_grow(struct handles *handles)
{
    struct handle_cells *old = handles->cells;
    size_t size = old ? 2 * old->size : FIRST_SIZE;
    struct handle_cells *cells = calloc(1, sizeof *cells + size * sizeof cells->cell[0]);
    if (!cells)
        return NULL;
    cells->size = size;
    cells->older = old;
    for (size_t i = 0; old && i < old->size; i++)
        if (old->cell[i].value)
            handles_place(cells, handles_probe(cells, old->cell[i].key), old->cell[i].key,
                          old->cell[i].value);
    __atomic_store_n(&handles->cells, cells, __ATOMIC_RELEASE);
    return cells;
}

void *handles_insert(struct handles *handles, uintptr_t key, void *value)
{
    pthread_mutex_lock(&handles->lock);
    struct handle_cells *cells = handles->cells;
    if (!cells || cells->used >= cells->size / 2)
        cells = handles_grow(handles);
    void *result = NULL;
    if (cells) {
        struct handle_cell *cell = handles_probe(cells, key);
        if (cell->key != key || !cell->value)
            handles_place(cells, cell, key, value);
        result = cell->value;
    }
    pthread_mutex_unlock(&handles->lock);
    return result;
}

void *handles_remove(struct handles *handles, uintptr_t key)
{
    void *value = NULL;
    pthread_mutex_lock(&handles->lock);
    if (handles->cells) {
        struct handle_cell *cell = handles_probe(handles->cells, key);
        if (cell->key == key) {
            value = cell->value;
            __atomic_store_n(&cell->value, NULL, __ATOMIC_RELEASE);
        }
    }
    pthread_mutex_unlock(&handles->lock);
    return value;
}

void handles_clear(struct handles *handles, void (*visit)(void *value))
{
    struct handle_cells *cells = handles->cells;
    handles->cells = NULL;
    for (size_t i = 0; cells && i < cells->size; i++)
        if (cells->cell[i].value && visit)
            visit(cells->cell[i].value);
    while (cells) {
        struct handle_cells *older = cells->older;
        free(cells);
        cells = older;
    }
}
