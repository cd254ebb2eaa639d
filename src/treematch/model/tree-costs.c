/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree-costs.c - the default distances.
 *
 * The distance of two slots whose paths part below an object grows with the size of that kind of
 * object. Measured on real machines, messages between nodes cost 20 to 50 times as much as inside a
 * node; the differences inside a node are small by comparison. So a byte kept off the network is
 * worth more than anything that the same byte can gain inside a node, and the levels inside a node
 * only decide between mappings that are equal outside. On a network of routers each hop costs as
 * much as the way between two switches. With several levels of switches, each one
 * more that is crossed adds the same cost.
 */
#include "treematch/model/objects.h"

static const struct {
    const char *name;
    double cost;
} defaults[] = {
    {"machine", 400}, {"switch", 200}, {"router", 200}, {"node", 10}, {"package", 8},
    {"pack", 8},      {"socket", 8},   {"die", 7},      {"numa", 6},  {"numanode", 6},
    {"group", 6},     {"l5", 5},       {"l4", 5},       {"l3", 4},    {"l2", 3},
    {"l1", 2},        {"core", 2},     {"pu", 1},
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
