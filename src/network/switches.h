/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * switches.h - a file with the switches above the hosts of a cluster. Two forms:
 *
 *   Slurm's topology.conf (https://slurm.schedmd.com/topology.conf.html), lines of
 *       SwitchName=s0 Nodes=n[0-3]
 *       SwitchName=top Switches=s[0-1]
 *   where other parameters of a switch are ignored; a line that ends with \ continues;
 *
 *   a line for each host or list of hosts, with its switches from the nearest one upwards:
 *       n0 s0 top
 *       n[1-3] s0 top
 *
 * In both, # begins a comment. Switches form trees, and each host is below one switch.
 */
#ifndef RESEAT_SWITCHES_H
#define RESEAT_SWITCHES_H

#include <stdint.h>

#include "text/error.h"
#include "network/network.h"

struct reseat_switches;

/* 0, or -1 with *error that names file and line: the file cannot be read, a host or switch is below
 * two switches or a switch below itself, more than TMAP_SWITCH_LEVELS levels. */
int reseat_switches_read(struct reseat_switches **switches, const char *path,
                         struct reseat_error *error);
void reseat_switches_destroy(struct reseat_switches *switches);

/* The switches above `nodes` hosts; a name may have its domain in one place and lack it in the
 * other. 0, or -1 with *error that names a host missing in the file. */
int reseat_switches_above(const struct reseat_switches *switches, const char *const *hosts,
                          int32_t nodes, struct reseat_network *network,
                          struct reseat_error *error);

/* Both at once, for a file that is used only once; `hosts` NULL: of all in the file. */
int reseat_switches_of_file(const char *path, const char *const *hosts, int32_t nodes,
                            struct reseat_network *network, struct reseat_error *error);

/* Returns 1 if RESEAT_TOPOLOGY names a file, rather than a tree as text: it has a slash, or there
 * is a file of that name. */
int reseat_switches_is_path(const char *text);

#endif
