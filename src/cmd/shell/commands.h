/* SPDX-License-Identifier: BSD-3-Clause */
/* commands.h - what the subcommands of `reseat` share. */
#ifndef RESEAT_COMMANDS_H
#define RESEAT_COMMANDS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "network/location.h"
#include "network/machine.h"
#include "profile/profile.h"
#include "profile/settings.h"
#include "simulate/workload.h"
#include "treematch/tmap.h"

enum { EXIT_TROUBLE = 1, EXIT_USAGE = 2, EXIT_NO_PROFILE = 3 };

/* A subcommand: argv[0] is its name. Returns the exit status. */
int cmd_profile(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_measure(int argc, char **argv);
int cmd_env(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_map(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_topo(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_simulate(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_completions(int argc, char **argv);
int cmd_seat(int argc, char **argv);
int cmd_trial(int argc, char **argv);

/* The commands that users see, in the order of --help, and what each is for; NULL: no more. */
const char *command_name(int index, const char **help);

/* Print one line on standard error, `reseat COMMAND: ...`, with any control characters escaped
 * (printable.h); returns `status`, so that failing is one statement. */
int complain(int status, const char *command, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Report an error after getopt_long (with opterr = 0 and a `:` first) has returned `letter`, `?` or
 * `:`. Handles --help and -h for all commands, and then does not return. */
int complain_option(const char *command, int letter, char **argv);

/* Print a word that a shell reads as `text`: quoted only if necessary, and by printf if it has
 * control characters. */
void print_word(FILE *file, const char *text);

/* Parse "size", "msg" or "avg". 0, or -1. */
int parse_metric(const char *text, enum reseat_metric *metric);
/* The same, and "time". */
int parse_time_metric(const char *text, enum reseat_metric *metric);

/* Parse "cost", "congestion" or "time". 0, or -1. */
int parse_objective(const char *text, enum reseat_objective *objective);

/* Read a profile; `phase` (NULL: all) is the one whose traffic is kept. 0, or an exit status after
 * an error message, with *profile untouched. */
int load_profile(struct reseat_profile **profile, const char *path, const char *phase,
                 const char *command);

/* Parse --kind: "all" (-1), "p2p", "coll" or "osc". 0, or a usage status after an error message. */
int parse_kind(const char *text, int *kind, const char *command);

/* Keep one kind of the traffic that was read from `path`; -1: all. 0, or an exit status after an error
 * message. */
int keep_kind(struct reseat_profile *profile, const char *path, int kind, const char *command);

/* Read traffic in any form (exchange/exchange.h): `from` names the form; NULL: the file tells, or it
 * is plain. 0, or an exit status after an error message. */
int load_traffic(struct reseat_profile **profile, const char *const *paths, size_t count,
                 const char *from, enum reseat_metric metric, int32_t ranks, const char *command);

/* Whether a command may write `output` (NULL: nothing is written): the name is not too long, and it
 * is none of the files that are read, any of which may be NULL. 0, or a usage status after an error
 * message. */
int check_output_name(const char *output, const char *const *inputs, size_t count,
                      const char *command);

/* Read jobs; `output` (or NULL) may be none of the files that these come from. 0, or an exit status after an error message. */
int load_workload(struct reseat_workload **workload, const char *path, const char *output,
                  const char *command);

/* Whether save_text can put a file there, as far as that is known before long work. 0, or an exit status after an error
 * message. */
int check_output_folder(const char *output, const char *command);

/* Whether two outputs ("-": standard output) are one file, or will be: of what is written to both, only one would be
 * left, or one would be inside of the other. A device can take both. */
int outputs_are_one(const char *a, const char *b);

/* Replace a file by a text, completely or not at all; `path` NULL or "-": standard output. 0, or an
 * exit status after an error message. */
int save_text(const char *path, const char *text, size_t size, const char *command);

/* Whether --costs (NULL: not given) is a file with timings, and not numbers. */
int names_timings(const char *costs);

/* Check the values of --tree and --costs by themselves; NULL: not given. Only one of tree and
 * topology may be given. 0, or a usage status after an error message. */
int check_tree(const char *tree, const char *topology, const char *costs, const char *command);

/* Check a layout as far as that is possible without the machine. 0, or a status after an error
 * message. */
int check_layout(const char *layout, const char *command);

/*
 * The tree to map to: from `text` (arities or named levels), else from `topology` (an hwloc XML
 * file, a synthetic description, "this", or Netloc's lines), with `costs` ("C,C,..."; may be NULL;
 * a file with timings has no effect here).
 * *machine, if the caller wants it, gets what Netloc's lines say beyond the tree, without a tree;
 * NULL: it is something else. 0, or -1 with *error.
 */
int load_tree(struct tmap_tree **tree, struct reseat_machine **machine, const char *text,
              const char *topology, const char *costs, struct reseat_error *error);

/* What hwloc reads for such a --topology; NULL: this machine. */
const char *topology_source(const char *topology);

/* Replace the costs of a tree by "C,C,...". 0, or -1 with *error and the tree unchanged. */
int set_costs(struct tmap_tree **tree, const char *costs, struct reseat_error *error);

/* Whether --topology is a file with the network above hosts, and not a machine (load_tree). */
int names_switches(const char *topology);

/* Where the ranks of a profile that has seats ran, and the switches above their hosts by a file of
 * switches (NULL: none). *locations is allocated, as is what is in *network. 0, or -1 with *error. */
int seats_locations(const struct reseat_profile *profile, const char *switches,
                    struct reseat_location **locations, struct reseat_network *network,
                    struct reseat_error *error);

/* Number `index` of the methods of Scotch, by the weights of levels; NULL: there is none. */
const char *scotch_method(int index);

/* Like tmap_mapping_find, with those as well if the module with Scotch is available. `repairs`: what had to be changed
 * in its mapping, as a sentence; empty: nothing. */
enum { MAP_REPAIRS_SIZE = 128 };
enum tmap_status map_and_repair(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                                const struct tmap_options *options, int32_t *slot_of,
                                char repairs[MAP_REPAIRS_SIZE], struct tmap_error *error);

/* The same for `map`, which prints that. */
enum tmap_status map_by_method(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                               const struct tmap_options *options, int32_t *slot_of,
                               struct tmap_error *error);

/* Find a module of ours (library.c). 0, or -1: `where` lists the places that were searched. */
enum { LIBRARY_PATH_SIZE = 4096, LIBRARY_WHERE_SIZE = 3 * 4096 };
int locate_module(const char *name, char path[LIBRARY_PATH_SIZE], char where[LIBRARY_WHERE_SIZE]);

/* What the traffic of a pair crosses if the pair meets at a level ("between nodes"); returns `text`
 * or a text that stays valid. */
const char *level_crossing(const struct tmap_tree *tree, int level, char text[64]);

#endif
