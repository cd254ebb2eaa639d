/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c - the command `reseat`: a table of subcommands. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/job/child.h"
#include "cmd/commands.h"
#include "cmd/shell/options.h"
#include "cmd/shell/progress.h"
#include "cmd/shell/spelling.h"
#include "config.h"
#include "text/printable.h"
#include "profile/settings.h"
#include "cmd/shell/complain.h"

#define JOB "-- LAUNCHER ARGUMENTS..."

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *operands; /* and options that cannot be left out; NULL: it is not shown */
    const char *help;
} commands[] = {
    {"profile", cmd_profile, JOB, "run a job and record who talks to whom"},
    {"run", cmd_run, "[FILE] " JOB, "run a job with its ranks in a better order"},
    {"verify", cmd_verify, "FILE " JOB,
     "run a job both ways, in turn, and report the measured gain, and whether it prints the same"},
    {"measure", cmd_measure, JOB, "measure how long messages take on the machine that a job gets"},
    {"replay", cmd_replay, "FILE " JOB,
     "send what a profile recorded, without computing, and print how long that takes"},
    {"report", cmd_report, "FILE [FILE]",
     "look at a profile, and at what a better order would gain"},
    {"doctor", cmd_doctor, "[FILE] " JOB, "why a job gets no better order; the program is not run"},
    {"map", cmd_map,
     "(--profile FILE | --matrix FILE | --workload FILE | --layout LETTERS --ranks N)",
     "map offline: matrix or layout, and tree in, mapping out"},
    {"compare", cmd_compare, "(PROFILE|MATRIX|PATTERN... | PROFILE " JOB ")",
     "mapping methods and layouts side by side, on all combinations of patterns and machines"},
    {"topo", cmd_topo, "[" JOB "]",
     "show a machine: of a job, of this node, or of a description; in the forms of other programs"},
    {"convert", cmd_convert, "FILE...",
     "change between profile, plain, mtx, mat, csv, scotch, metis; read Open MPI's monitoring"},
    {"merge", cmd_merge, "-o FILE PROFILE PROFILE...",
     "one profile of several runs, and how much they differ"},
    {"diff", cmd_diff, "FILE FILE", "how two profiles or matrices differ"},
    {"simulate", cmd_simulate, "(--workload FILE | --profile FILE)",
     "what messages wait for at network cards and memories, of one job or several"},
    {"env", cmd_env, "--mpi openmpi|mpich profile|run",
     "print the variables that srun, flux or a container need"},
    {"completions", cmd_completions, "bash|zsh|fish",
     "print what a shell needs to complete commands and options"},
    {"seat", cmd_seat, NULL, NULL},   /* for the probe: not shown */
    {"trial", cmd_trial, NULL, NULL}, /* for doctor: not shown */
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_usage(int command)
{
    printf("reseat %s ", commands[command].name);
    options_print_usage(stdout, commands[command].name, commands[command].operands);
    printf("%s\n", commands[command].operands);
}

static void help(void)
{
    printf("reseat %s - better seats for the ranks of an MPI job\n\n", PACKAGE_VERSION);
    for (int i = 0; i < COMMANDS && commands[i].help; i++) {
        printf("  ");
        print_usage(i);
        printf("      %s\n", commands[i].help);
    }
    printf("\nVariables that the ranks obey:\n");
    const struct reseat_setting_row *row;
    char values[RESEAT_VALUES_SIZE];
    for (int i = 0; (row = reseat_setting(i)); i++)
        printf("  %-16s %s (%s; default %s)\n", row->name, row->help,
               reseat_setting_values(row, values), row->standard);
    printf("\nExit status: 0, 1 trouble, 2 usage; profile and run: that of the job. All else: man "
           "reseat.\n");
}

const char *command_name(int index, const char **help)
{
    if (index >= COMMANDS || !commands[index].help)
        return NULL;
    *help = commands[index].help;
    return commands[index].name;
}

static int no_command(const char *name)
{
    struct spelling spelling = spelling_of(name);
    char shown[256], meant[64] = "";
    for (int i = 0; i < COMMANDS && commands[i].help; i++)
        spelling_try(&spelling, commands[i].name);
    if (spelling.best)
        snprintf(meant, sizeof meant, "did you mean %s? ", spelling.best);
    printable_copy(shown, sizeof shown, name);
    fprintf(stderr, "reseat: there is no command '%s'; %ssee reseat --help\n", shown, meant);
    return EXIT_USAGE;
}

/* The index of a command; COMMANDS: none. */
static int find_command(const char *name)
{
    int i = 0;
    while (i < COMMANDS && strcmp(name, commands[i].name) != 0)
        i++;
    return i;
}

/* `reseat help`, `reseat help COMMAND`; the same as --help. */
static int help_on(const char *name)
{
    int i = name ? find_command(name) : 0;
    if (i == COMMANDS || !commands[i].help)
        return no_command(name);
    if (!name) {
        help();
        return 0;
    }
    print_usage(i);
    printf("  %s; more in reseat(1)\n", commands[i].help);
    if (options_find(name, 0) >= 0)
        printf("\nOptions:\n");
    options_print(stdout, name);
    return 0;
}

/* Output may fail only now: returns `status`, or trouble. */
static int flush_output(const char *command, int status)
{
    errno = 0;
    if ((fflush(stdout) || ferror(stdout)) && !status)
        status = cli_fail(EXIT_TROUBLE, command, "standard output: %s", strerror(errno));
    return status;
}

/* Standard files that were closed when we were started must not be reused for files of ours. They
 * get a descriptor that commands do not inherit, and that cannot be read or written the usual
 * way. */
static void hold_standard_files(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

int main(int argc, char **argv)
{
    hold_standard_files();
    signal(SIGCHLD, SIG_DFL); /* if inherited as ignored, jobs would leave no status */
    if (argc < 2) {
        help();
        return EXIT_USAGE;
    }
    if (cli_is_help(argv[1]) || strcmp(argv[1], "help") == 0)
        return flush_output("help", help_on(cli_is_help(argv[1]) ? NULL : argv[2]));
    if (strcmp(argv[1], "--version") == 0) {
        printf("reseat %s\n", PACKAGE_VERSION);
        return flush_output("--version", 0);
    }
    int i = find_command(argv[1]);
    if (i == COMMANDS)
        return no_command(argv[1]);
    opterr = 0;
    outlive_file_limit();
    int status = commands[i].run(argc - 1, argv + 1);
    return flush_output(commands[i].name, status == EXIT_HELP ? help_on(commands[i].name) : status);
}
