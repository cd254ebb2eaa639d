/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c - the command `reseat`: a table of subcommands. */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "config.h"
#include "format/settings.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *usage;
    const char *help;
} commands[] = {
    {"profile", cmd_profile, "[-o FILE] [--mpi openmpi|mpich] [-v N] -- LAUNCHER ARGUMENTS...",
     "run a job and record who talks to whom"},
    {"run", cmd_run,
     "[--placement launch] [--scope S] [--mapping F] [--strategy S] [--metric M] [--pattern P] "
     "[--phase N] [--min-gain "
     "F] [--mpi openmpi|mpich] [-v N] FILE -- LAUNCHER "
     "ARGUMENTS... (--scope graph: FILE may be left out)",
     "run a job with its ranks in a better order"},
    {"verify", cmd_verify, "[--pairs N] [options of run] FILE -- LAUNCHER ARGUMENTS...",
     "run a job both ways, in turn, and tell the measured gain"},
    {"report", cmd_report,
     "[--metric M] [--phase N] [--tree T | --topology F] [--costs C,C,...] FILE",
     "look at a profile, and at what a better order would gain"},
    {"doctor", cmd_doctor, "[options of run] [FILE] -- LAUNCHER ARGUMENTS...",
     "why a job gets no better order; the program is not run"},
    {"map", cmd_map,
     "[--profile F [--phase N] | --matrix F] [--tree T | --topology F] [--costs C,C,...] [--metric "
     "M] "
     "[--method M] [--effort E] [--seed N] [--threads N] [--seconds N] [--emit FORMAT] [--hosts "
     "A,B,...] [--output F] [--tsv]",
     "map offline: matrix and tree in, mapping out"},
    {"convert", cmd_convert, "[--from F] [--to F] [--metric M] [--ranks N] [-o OUTPUT] FILE...",
     "change between profile, plain, mtx, mat, csv, scotch, metis; read Open MPI's monitoring"},
    {"merge", cmd_merge, "-o OUTPUT PROFILE PROFILE...",
     "one profile of several runs, and how much they differ"},
    {"diff", cmd_diff, "[--metric M] [--kind p2p|coll|osc] [--tsv] FILE FILE",
     "how two profiles or matrices differ"},
    {"env", cmd_env, "profile|run --mpi openmpi|mpich [-o FILE] [options of run]",
     "print the variables that srun, flux or a container need"},
    {"seat", cmd_seat, NULL, NULL}, /* for the probe: not shown */
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

int complain(int status, const char *command, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "reseat %s: %s\n", command, line);
    return status;
}

int complain_option(const char *command, int letter, char **argv)
{
    const char *word = argv[optind - 1];
    char one[3] = {'-', (char)optopt, '\0'};
    if (letter == ':')
        return complain(EXIT_USAGE, command, "%s needs a value", word);
    if (optopt && strncmp(word, "--", 2) != 0)
        word = one;
    return complain(EXIT_USAGE, command, "there is no option %s; see reseat %s --help", word,
                    command);
}

static void help(void)
{
    printf("reseat %s - better seats for the ranks of an MPI job\n\n", PACKAGE_VERSION);
    for (int i = 0; i < COMMANDS && commands[i].help; i++)
        printf("  reseat %s %s\n      %s\n", commands[i].name, commands[i].usage, commands[i].help);
    printf("\nVariables that the ranks obey:\n");
    const struct reseat_setting_row *row;
    for (int i = 0; (row = reseat_setting(i)); i++)
        printf("  %-16s %s (%s; default %s)\n", row->name, row->help, row->values, row->standard);
    printf("\nExit status: 0, 1 trouble, 2 usage; profile and run: that of the job. All else: man "
           "reseat.\n");
}

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        help();
        return argc < 2 ? EXIT_USAGE : 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("reseat %s\n", PACKAGE_VERSION);
        return 0;
    }
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(argv[1], commands[i].name) != 0)
            continue;
        if (argc > 2 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0) &&
            commands[i].help) {
            printf("reseat %s %s\n  %s; more in reseat(1)\n", commands[i].name, commands[i].usage,
                   commands[i].help);
            return 0;
        }
        opterr = 0;
        int status = commands[i].run(argc - 1, argv + 1);
        errno = 0;
        if ((fflush(stdout) || ferror(stdout)) && !status)
            status =
                complain(EXIT_TROUBLE, commands[i].name, "standard output: %s", strerror(errno));
        return status;
    }
    fprintf(stderr, "reseat: there is no command '%s'; see reseat --help\n", argv[1]);
    return EXIT_USAGE;
}
