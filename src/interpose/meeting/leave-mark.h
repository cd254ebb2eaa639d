/* SPDX-License-Identifier: BSD-3-Clause */
/* leave-mark.h - a mark that the library was loaded, for the command that has started the job
 * (src/cmd/run/mark.h). */
#ifndef RESEAT_INTERPOSE_MARK_H
#define RESEAT_INTERPOSE_MARK_H

/* Leave it if the command has asked for one. One rank is enough: the one that prints messages. */
void mark_leave(void);

/* Once the ranks have a better order: add that to a mark that this process has left. */
void mark_reordered(void);

#endif
