/* SPDX-License-Identifier: BSD-3-Clause */
/* commands.h - the subcommands of `reseat`. Each gets argv with its own name first, and returns the
 * exit status. */
#ifndef RESEAT_COMMANDS_H
#define RESEAT_COMMANDS_H

int cmd_profile(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_auto(int argc, char **argv);
int cmd_history(int argc, char **argv);
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
int cmd_simulate(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_completions(int argc, char **argv);
int cmd_seat(int argc, char **argv);
int cmd_trial(int argc, char **argv);

/* The commands that users see, in the order of --help, and what each is for; NULL: no more. main.c
 * has the table. */
const char *command_name(int index, const char **help);

#endif
