/* SPDX-License-Identifier: BSD-3-Clause */
/* inherit.h - what the programs that a rank starts find in their environment. */
#ifndef RESEAT_INHERIT_H
#define RESEAT_INHERIT_H

/* Take out what makes a job one of ours, and nothing else: a job that a rank starts is not this
 * one. (LD_PRELOAD itself has gone before: preload.h.) */
void inherit_nothing(void);

#endif
