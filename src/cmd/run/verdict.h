/* SPDX-License-Identifier: BSD-3-Clause */
/* verdict.h - the result of verify, kept next to the profile for later runs: FILE.verdict. */
#ifndef RESEAT_VERDICT_H
#define RESEAT_VERDICT_H

#include <limits.h>

enum { VERDICT_CHANGES = -2, VERDICT_UNREAD = 2 };

/* Where the verdict of a profile is. 0, or -1: the name would be too long. */
int verdict_path(const char *profile, char path[PATH_MAX]);

/* `by_graph`: for a job whose topology calls are reordered, not the world. 0, or an exit status
 * after an error message. */
int keep_verdict(const char *profile, int verdict, int by_graph, const char *text);

/* 1: faster, -1: slower, 0: neither, or no verdict that is newer than the profile; VERDICT_CHANGES:
 * the order changes results. `text` gets a line for the user. VERDICT_UNREAD: `text` tells why it
 * cannot be read. */
int read_verdict(const char *profile, int by_graph, char text[512]);

#endif
