/* SPDX-License-Identifier: BSD-3-Clause */
/* rewrite.h - a launcher's command line, changed so that it obeys a mapping that was made into a file
 * (emit.h). */
#ifndef RESEAT_REWRITE_H
#define RESEAT_REWRITE_H

#include "cmd/cmd.h"
#include "cmd/emit.h"

/* Who says what the ranks are bound to. */
enum binding {
    BINDING_OURS,  /* the file or the words that name it */
    BINDING_NONE,  /* nobody: to nothing */
    BINDING_THEIRS /* the options that the user gave */
};

/* Whether a word is this option: -NAME, --NAME, and with its value behind `=` (*joined); Slurm's
 * options of one letter may have it right behind them. */
int rewrite_is_option(const char *word, const char *name, enum launcher kind, int *joined);

/*
 * Who lets Open MPI have more ranks than slots by a modifier of what rewrite_command() drops (--map-by
 * node:oversubscribe, PRTE_MCA_rmaps_default_mapping_policy) goes on doing so: in the words of
 * `use`, which are those of `format`. 0, or -1: out of memory.
 */
int rewrite_keep_oversubscription(const struct job *job, char **argv, const char *format,
                        enum binding binding, struct emit_use *use);

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
char **rewrite_command(const struct job *job, char **argv, const struct emit_use *use, enum binding binding,
            char *number);

#endif
