/* SPDX-License-Identifier: BSD-3-Clause */
/* switches-lines.h - what the lines of a file of switches (switches.h) say, for switches.c: who is
 * below whom. */
#ifndef RESEAT_SWITCHES_LINES_H
#define RESEAT_SWITCHES_LINES_H

#include <stddef.h>

#include "text/error.h"

/* A host or switch, the switch above it, and the line that says so. */
struct switches_link {
    char *child;
    const char *parent; /* one of the names below */
    size_t line;
    int is_host;
};

struct switches_links {
    struct switches_link *link; /* in the order of the file; repetitions are possible */
    size_t count;
    char **names; /* of switches that are above something; some are there twice */
    size_t names_count;
};

/* Append the links of a file to `links`, zeros at first. 0, or -1 with *error that names file and
 * line. */
int switches_links_read(struct switches_links *links, const char *path, struct reseat_error *error);
/* Also after a failure, and of zeros. */
void switches_links_free(struct switches_links *links);

#endif
