/* SPDX-License-Identifier: BSD-3-Clause */
/* inherit.h - the environment that programs started by a rank inherit. */
#ifndef RESEAT_INHERIT_H
#define RESEAT_INHERIT_H

/* Remove the variables that make a job one of ours, and nothing else: a job that a rank starts is
 * another job. (LD_PRELOAD has been removed before: preload.h.) */
void inherit_nothing(void);

#endif
