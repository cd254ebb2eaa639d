/* SPDX-License-Identifier: BSD-3-Clause */
/* verdict.h - what verify has found out is kept beside the profile, for later runs: FILE.verdict. */
#ifndef RESEAT_VERDICT_H
#define RESEAT_VERDICT_H

enum { VERDICT_CHANGES = -2, VERDICT_UNREAD = 2 };

/* `by_graph`: it is of a job whose topology calls are reordered, and not the world. 0, or an exit
 * status after having complained. */
int keep_verdict(const char *profile, int verdict, int by_graph, const char *text);

/* 1 faster, -1 slower, 0 neither, or nothing is known that is newer than the profile;
 * VERDICT_CHANGES: the order changes results; a line for people in `text`. VERDICT_UNREAD: `text`
 * says why. */
int read_verdict(const char *profile, int by_graph, char text[512]);

#endif
