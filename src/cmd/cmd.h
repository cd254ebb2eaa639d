/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd.h - what the subcommands of `reseat` share. */
#ifndef RESEAT_CMD_H
#define RESEAT_CMD_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "format/network.h"
#include "format/profile.h"
#include "treematch/tmap.h"

enum { EXIT_TROUBLE = 1, EXIT_USAGE = 2, EXIT_NO_PROFILE = 3 };

/* A subcommand: argv[0] is its name. Returns the exit status. */
int cmd_profile(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_env(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_map(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_seat(int argc, char **argv);

/* One line on standard error, `reseat COMMAND: ...`, whatever is in the arguments (printable.h);
 * returns `status`, so that failing is one statement. */
int complain(int status, const char *command, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* After getopt_long (with opterr = 0 and a `:` first) returned `letter`, `?` or `:`: say so. Does
 * not return from --help and -h, which no command has to know. */
int complain_option(const char *command, int letter, char **argv);

/* A word that a shell reads as `text`: with quotes only where it needs them, and by printf where a
 * terminal would obey it. */
void print_word(FILE *file, const char *text);

/* "size", "msg", "avg". 0, or -1. */
int parse_metric(const char *text, enum reseat_metric *metric);

/* Read a profile; `phase` (may be NULL) is the one whose traffic is kept. 0, or an exit status
 * after having complained. */
int load_profile(struct reseat_profile **profile, const char *path, const char *phase,
                 const char *command);

/* Read traffic in any form (format/exchange.h): `from` names it, NULL: the file tells, or it is
 * plain. 0, or an exit status after having complained. */
int load_traffic(struct reseat_profile **profile, const char *const *paths, size_t count,
                 const char *from, enum reseat_metric metric, int32_t ranks, const char *command);

/* Whether a command can write `output` (NULL: nothing is): it has a name that is not too long,
 * and is none of the files that are read, of which any may be NULL. 0, or a usage status after
 * having complained. */
int check_output_name(const char *output, const char *const *inputs, size_t count,
                      const char *command);

/* Put a text in the place of a file, whole or not at all; `path` NULL or "-": standard output.
 * 0, or an exit status after having complained. */
int save_text(const char *path, const char *text, size_t size, const char *command);

/* What --tree and --costs say, as far as that can be wrong by itself; NULL: they are not there.
 * Only one of tree and topology can be. 0, or a usage status after having complained. */
int check_tree(const char *tree, const char *topology, const char *costs, const char *command);

/*
 * The tree to map to: from `text` (arities or named levels), else from `topology` (an hwloc XML
 * file, a synthetic description or "this"), with `costs` ("C,C,...", may be NULL). 0, or -1 with
 * *error.
 */
int load_tree(struct tmap_tree **tree, const char *text, const char *topology, const char *costs,
              struct tmap_error *error);

/* Put costs "C,C,..." in the place of a tree's own. 0, or -1 with *error and the tree as it was. */
int set_costs(struct tmap_tree **tree, const char *costs, struct tmap_error *error);

/* Whether --topology is a file of switches (format/switches.h), and nothing for hwloc. */
int names_switches(const char *topology);

/* What a file of switches says is above `count` hosts. 0, or -1 with *error. */
int find_network(struct reseat_network *network, const char *file, const char *const *hosts,
                 int32_t count, struct tmap_error *error);

/* The tree of the seats that a profile recorded, below the switches of a file (NULL: none);
 * slot_of_rank (ranks entries) is allocated. 0, or -1 with *error. */
int seats_tree(const struct reseat_profile *profile, const char *switches, struct tmap_tree **tree,
               int32_t **slot_of_rank, struct tmap_error *error);

/*
 * The best of the method (NULL: the default one and the simple ones) by predicted cost, never
 * dearer than `launch`, which may be NULL; *name tells who won ("launch order" for launch). With a
 * method named, that method alone. slot_of has one entry a role.
 */
int best_mapping(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                 const struct tmap_options *options, const int32_t *launch, int32_t *slot_of,
                 const char **name, struct tmap_error *error);

/*
 * The command line of `run`, or of `verify` when `pairs` is not NULL; *command is the job. Then
 * place_prepared finds the places if that is to be done at launch, and run_prepared runs the job,
 * with the ranks in a better order or as it is, and returns its exit status. With changes the
 * environment of this process. Last, clean_up_prepared. 0, or an exit status after having
 * complained.
 */
int prepare_run(int argc, char **argv, int *pairs, char ***command);
int place_prepared(const char *name, char **command);
/* 0: the places are found, and they are those that the ranks have without us. */
int prepared_moves(void);
int run_prepared(const char *name, char **command, int with);
void clean_up_prepared(void);

/* Run some command like run_prepared, without input, and with all its output in `answer`
 * (child.h), which says too how long it may take. Returns its exit status, 128 + the signal that
 * ended it, or -1 with errno; EINTR: a signal asks us to end. */
struct answer;
int ask_prepared(const char *name, char **command, int with, struct answer *answer);

/* What verify has found out is kept beside the profile, for later runs (verify.c). keep: 0, or an
 * exit status after having complained. read: 1 faster, -1 slower, 0 neither, or nothing is known
 * that is newer than the profile; VERDICT_CHANGES: the order changes results; a line for people in
 * `text`. VERDICT_UNREAD: `text` says why. */
enum { VERDICT_CHANGES = -2, VERDICT_UNREAD = 2 };
int keep_verdict(const char *profile, int verdict, const char *text);
int read_verdict(const char *profile, char text[512]);
/* What verify and run do where an order changes what a job prints. */
enum output_differs { OUTPUT_DIFFERS_FAIL, OUTPUT_DIFFERS_WARN, OUTPUT_DIFFERS_IGNORE };
enum output_differs prepared_output_differs(void);
/* Whether topology calls are to be reordered, and not the world. */
int prepared_is_by_graph(void);
/* One more variable for the ranks. */
void prepared_add(const char *name, const char *value);
/* For jobs that get the library: say before them what is certain to keep it out of the program, and
 * have one of the ranks that get it leave a mark. After one that has ended well: whether none has,
 * with the reason in `why`, of REASON_SIZE. The mark is removed by clean_up_prepared. */
void mark_prepared(const char *name, char **command);
int is_prepared_missing(char **command, char *why);
/* The profile of prepare_run; NULL: topology calls are reordered by their own edges. */
const char *prepared_profile(void);

/* The command line of `doctor`: run_prepared then runs what it is given like `run` would. *profile
 * may be NULL. 0, or an exit status after having complained. */
struct job;
struct reseat_settings;
int prepare_doctor(int argc, char **argv, const char **profile, struct job *job, char ***command);

/* Whether the launcher can hand on the variables of prepare_doctor. 0, or -1 with `why`. */
int prepared_variables_fit(char why[512]);

/* The settings that the ranks get; `warn` as of reseat_settings_read. */
void prepared_settings(struct reseat_settings *settings,
                       void (*warn)(void *context, const char *line), void *context);

/* Where a module of ours is (library.c). 0, or -1: `where` says in which places it is not. */
enum { LIBRARY_PATH_SIZE = 4096, LIBRARY_WHERE_SIZE = 3 * 4096 };
int locate_module(const char *name, char path[LIBRARY_PATH_SIZE], char where[LIBRARY_WHERE_SIZE]);

/*
 * A job that is started with the mapping in a file for its launcher and nothing preloaded; in any
 * trouble, or without a gain, as it is. create asks the launcher, writes the file and says what
 * will be; `settings` are those of the ranks, and it and the others have to last as long as the
 * placement. 0, or an exit status after having complained of a command line that cannot be placed
 * (rewrite.h). moves: whether ranks get other places than by themselves. run may be called many
 * times and returns what run_plainly does. destroy removes the file.
 */
struct placement;
int placement_create(struct placement **placement, const char *name, const struct job *job,
                     char **command, const char *profile, const struct reseat_settings *settings);
int placement_moves(const struct placement *placement);
int placement_run(const struct placement *placement);
void placement_destroy(struct placement *placement);

#endif
