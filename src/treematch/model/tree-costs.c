/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree-costs.c - the default distances.
 *
 * Two slots whose paths part below an object are as far apart as that kind of object is large.
 * Measured on real machines, messages between two nodes are 20 to 50 times dearer than inside
 * one; the steps inside a node are small beside that. So one byte kept off the network is worth
 * more than anything that can be won with that byte inside a node, and the steps inside a node
 * only decide between mappings that are equal outside. Of several levels of switches each one
 * crossed more costs the same.
 */
#include "treematch/internal.h"

static const struct {
    const char *name;
    double cost;
} defaults[] = {
    {"machine", 400}, {"switch", 200}, {"node", 10},    {"package", 8}, {"pack", 8}, {"socket", 8},
    {"die", 7},       {"numa", 6},     {"numanode", 6}, {"group", 6},   {"l5", 5},   {"l4", 5},
    {"l3", 4},        {"l2", 3},       {"l1", 2},       {"core", 2},    {"pu", 1},
};

double tmap_level_default_cost(const char *name)
{
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        if (strcmp(defaults[i].name, name) == 0)
            return defaults[i].cost;
    }
    return -1;
}

double tmap_switch_cost(int level, int levels)
{
    double inner = tmap_level_default_cost("switch"), outer = tmap_level_default_cost("machine");
    return inner + (outer - inner) * (levels - 1 - level) / levels;
}
