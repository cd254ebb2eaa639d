/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * template.h - a page from its source, in which
 *
 *   {{name}}                    is replaced by what the part of this name writes
 *   {{#name}} ... {{/name}}     is only there if the part of this name holds
 *
 * The second may be inside of another of another name.
 */
#ifndef RESEAT_TEMPLATE_H
#define RESEAT_TEMPLATE_H

#include <stddef.h>
#include <stdio.h>

struct template_part {
    const char *name;
    void (*write)(FILE *file, const void *context);
    int (*holds)(const void *context);
};

/* Write the page. 0, or -1: the source names a part that there is not, or an end is missing; this much of it has
 * been written. The caller checks `file` for write errors. */
int template_write(FILE *file, const char *source, const struct template_part *part, size_t parts,
                   const void *context);

#endif
