/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synthetic.h - a machine as a synthetic description for hwloc: "package:2 numa:2 core:4 pu:1". Levels
 * that hwloc has no type for (switches, nodes, levels without a name) are groups; costs are not in it.
 */
#ifndef RESEAT_SYNTHETIC_H
#define RESEAT_SYNTHETIC_H

#include <stdio.h>

#include "draw/view.h"

/* 0, or -1 with *error: the machine is not uniform, or has levels that hwloc does not take in this order;
 * the caller checks `file` for write errors. */
int draw_synthetic(FILE *file, const struct draw_view *view, struct reseat_error *error);

#endif
