/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * yaml.h - the part of YAML (https://yaml.org/spec/1.2.2/) in which Slurm's topology.yaml is
 * written: block mappings and sequences, scalars on one line, with or without quotes, and flow
 * collections of scalars on one line ({x: 4, y: 4}, [4, 16]). Anchors, tags, several documents and
 * scalars of several lines are refused.
 *
 * Nodes are in the order of the text. Node 0 is the root. A node has a key if it is in a mapping;
 * it has a value, or nodes below it, or neither.
 */
#ifndef RESEAT_YAML_H
#define RESEAT_YAML_H

#include <stddef.h>
#include <stdint.h>

#include "text/lines.h"

enum { YAML_MOST_NODES = 1 << 20 };

struct yaml_node {
    char *key;   /* NULL: an item of a sequence, or the root */
    char *value; /* NULL: none */
    size_t line;
    int indent;
    int32_t parent, first, next, last; /* first and last below it, next sibling; 0: none */
};

struct yaml {
    struct yaml_node *node;
    int32_t count;
};

/* 0, or -1 with the error of `lines`. Free it in any case. */
int yaml_read(struct yaml *yaml, struct lines *lines);
void yaml_free(struct yaml *yaml);

/* The node with this key below `node`; 0: none. */
int32_t yaml_find(const struct yaml *yaml, int32_t node, const char *key);
/* Its value; NULL: there is none. */
const char *yaml_value(const struct yaml *yaml, int32_t node, const char *key);

#endif
