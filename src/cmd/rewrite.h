/* SPDX-License-Identifier: BSD-3-Clause */
/* rewrite.h - a launcher's command line, rewritten so that it follows a mapping that was made into
 * a file (emit.h). */
#ifndef RESEAT_REWRITE_H
#define RESEAT_REWRITE_H

#include "cmd/emit.h"
#include "cmd/job.h"

/* Who says what the ranks are bound to. */
enum binding {
    BINDING_OURS,  /* the file or the words that name it */
    BINDING_NONE,  /* nobody: to nothing */
    BINDING_THEIRS /* the options that the user gave */
};

/*
 * Who lets the launcher have more ranks than slots by something that rewrite_command() drops
 * (--map-by node:oversubscribe, PRTE_MCA_rmaps_default_mapping_policy) goes on doing so: in the
 * words of `use`. 0, or -1: out of memory.
 */
int rewrite_keep_oversubscription(const struct job *job, char **argv, enum binding binding,
                                  struct emit_use *use);

/* Whether a command line can be changed. 0, or -1 with the reason in `why`. */
int rewrite_check(const struct job *job, char **argv, char why[256]);

/*
 * The words before the program, to start the probe: without those that have what the ranks write go
 * elsewhere. Returns how many of at most `most`.
 */
int rewrite_for_probe(const struct job *job, char **argv, char **words, int most);

/*
 * A copy of argv with the words of `use` behind the launcher, the number of ranks where it was not
 * there, and without what contradicts them: options of the user about hosts, order and, if it is
 * not theirs, binding. The environment of this process is changed in the same way. The words belong
 * to `use`, to argv or to the caller's `number`. NULL: out of memory.
 */
char **rewrite_command(const struct job *job, char **argv, const struct emit_use *use,
                       enum binding binding, char *number);

#endif
