/* SPDX-License-Identifier: BSD-3-Clause */
/* rewrite.h - rewrite a launcher's command line so that it follows a mapping in a file (emit.h). */
#ifndef RESEAT_REWRITE_H
#define RESEAT_REWRITE_H

#include "cmd/place/emit.h"
#include "cmd/job/job.h"

/* The origin of the binding of the ranks. */
enum binding {
    BINDING_OURS,  /* the file or the words that name it */
    BINDING_NONE,  /* nothing: they are not bound */
    BINDING_THEIRS /* the options that the user gave */
};

/*
 * If something that rewrite_command() drops (--map-by node:oversubscribe,
 * PRTE_MCA_rmaps_default_mapping_policy) allowed more ranks than slots, keep allowing it, in the
 * words of `use`. 0, or -1: out of memory.
 */
int rewrite_keep_oversubscription(const struct job *job, char **argv, enum binding binding,
                                  struct emit_use *use);

/* Checks that a command line can be changed. 0, or -1 with *error. */
int rewrite_check(const struct job *job, char **argv, struct reseat_error *error);

/*
 * The words before the program, for the probe: without those that redirect what the ranks write.
 * Returns their number, at most `most`.
 */
int rewrite_for_probe(const struct job *job, char **argv, char **words, int most);

/*
 * A copy of argv with the words of `use` after the launcher, and the number of ranks if it was
 * missing, but without what contradicts these: the user's options about hosts, order and, unless it
 * is BINDING_THEIRS, binding. The environment of this process is changed in the same way. The words
 * belong to `use`, to argv or to the caller's `number`. NULL: out of memory.
 */
char **rewrite_command(const struct job *job, char **argv, const struct emit_use *use,
                       enum binding binding, char *number);

#endif
