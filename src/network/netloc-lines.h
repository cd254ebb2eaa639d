/* SPDX-License-Identifier: BSD-3-Clause */
/* netloc-lines.h - what netloc.c has read, for netloc-machine.c. */
#ifndef RESEAT_NETLOC_LINES_H
#define RESEAT_NETLOC_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "text/error.h"
#include "network/machine.h"

/* Type, sizes and costs of an element. */
struct netloc_form {
    enum tmap_shape_kind kind; /* TMAP_SHAPE_NONE: a tree; TMAP_SHAPE_GRAPH: alltoall */
    int dimensions;
    int32_t extent[TMAP_MAX_LEVELS];
    double cost[TMAP_MAX_LEVELS];
    size_t line; /* where it was first */
};

struct netloc_host {
    char *name;
    size_t form; /* index of host_form */
    size_t line;
    int32_t count;  /* of leaves */
    int32_t *index; /* of each; NULL: all are available */
};

struct netloc_text {
    const char *path;
    int depth;                                /* number of elements above a host */
    struct netloc_form form[TMAP_MAX_LEVELS]; /* by depth */
    int levels;                               /* of all these elements */
    struct netloc_form *host_form;
    size_t host_forms;
    struct netloc_host *host;
    size_t hosts;
    int32_t *above; /* by host, `levels` numbers each: which child is taken at each level */
    int64_t slots;
};

static inline int netloc_levels(const struct netloc_form *form)
{
    return form->kind == TMAP_SHAPE_NONE ? form->dimensions : 1;
}

/* Number of elements that there could be: at most 2^24 once the line has been read. */
static inline int64_t netloc_size(const struct netloc_form *form)
{
    int64_t size = 1;
    for (int d = 0; d < form->dimensions; d++)
        size *= form->extent[d];
    return size;
}

/* The child taken at each level of an element for one of its indices. */
static inline void netloc_split(const struct netloc_form *form, int32_t index, int32_t *child)
{
    if (form->kind != TMAP_SHAPE_NONE) {
        child[0] = index;
        return;
    }
    for (int d = form->dimensions - 1; d >= 0; d--) {
        child[d] = index % form->extent[d];
        index /= form->extent[d];
    }
}

/* The shape of an element that has one, in units of the cost of its first dimension. *link, which
 * the shape needs, is allocated, or NULL. 0, or -1: out of memory. */
int netloc_shape(struct tmap_shape *shape, struct tmap_link **link, const struct netloc_form *form);

/* 0, or -1 with *error; free it in any case. */
int netloc_text_read(struct netloc_text *text, const char *path, struct reseat_error *error);
void netloc_text_free(struct netloc_text *text);

/* Make the machine, which takes the names of the hosts. 0, or -1 with *error. */
int netloc_make_machine(struct reseat_machine **machine, struct netloc_text *text,
                        struct reseat_error *error);

#endif
