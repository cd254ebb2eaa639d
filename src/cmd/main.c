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
#include "cmd/doctor.h"
#include "cmd/shell/options.h"
#include "cmd/shell/spelling.h"
#include "cmd/shell/terminal.h"
#include "config.h"
#include "text/printable.h"
#include "profile/settings.h"
#include "cmd/shell/complain.h"

#define JOB "-- LAUNCHER ARGUMENTS..."

/* The first screen has those for a job; `reseat help all` has the others, too. */
enum command_group { FOR_A_JOB, LABORATORY, PLUMBING, COMMAND_GROUPS };

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    enum command_group group;
    const char *operands; /* and options that cannot be left out; NULL: it is not shown */
    const char *example;  /* lines; of those for a job the first is on the first screen */
    const char *help;
} commands[] = {
    {"profile", cmd_profile, FOR_A_JOB, JOB,
     "reseat profile -- mpirun ./app\n"
     "reseat profile -o app.reseat -- srun -n 64 ./app",
     "run a job and record which ranks communicate"},
    {"report", cmd_report, FOR_A_JOB, "[FILE [FILE]]",
     "reseat report\n"
     "reseat report --html app.html app.reseat\n"
     "reseat report monday.reseat friday.reseat\n"
     "reseat report stencil3d:8x8x8 --tree \"node:16 core:32\"",
     "show a profile, and what a better order gains"},
    {"run", cmd_run, FOR_A_JOB, "[FILE] " JOB,
     "reseat run -- mpirun ./app\n"
     "reseat run app.reseat -- srun -n 64 ./app",
     "run a job with its ranks in a better order"},
    {"verify", cmd_verify, FOR_A_JOB, "[FILE] " JOB,
     "reseat verify -- mpirun ./app\n"
     "reseat verify --replay app.reseat -- mpirun -n 64",
     "run a job both ways in turn, and compare"},
    {"doctor", cmd_doctor, FOR_A_JOB, "[[FILE] " JOB "]",
     "reseat doctor -- mpirun ./app\n"
     "reseat doctor",
     "why a job gets no better order"},
    {"auto", cmd_auto, FOR_A_JOB, JOB,
     "reseat -- mpirun ./app\n"
     "reseat auto --any-arguments -- srun -n 64 ./app 1e-3",
     "learn from job to job which order is faster"},
    {"history", cmd_history, FOR_A_JOB, "[PROGRAM]",
     "reseat history\n"
     "reseat history --html app.html app",
     "what auto has learned"},
    {"map", cmd_map, LABORATORY, "[FILE | --workload FILE | --layout LETTERS --ranks N]",
     "reseat map app.reseat --tree \"node:4 core:16\"\n"
     "reseat map app.reseat --emit slurm -o hostfile",
     "map without a job: matrix or layout, and tree in, mapping out"},
    {"compare", cmd_compare, LABORATORY, "([FILE|PATTERN...] | [FILE] " JOB ")",
     "reseat compare --tree \"node:8 core:8\" app.reseat stencil3d:4x4x4\n"
     "reseat compare app.reseat -- mpirun -n 64 ./app",
     "mapping methods and layouts side by side, on all combinations of patterns and machines"},
    {"simulate", cmd_simulate, LABORATORY, "[FILE | --workload FILE]", "reseat simulate app.reseat",
     "how long messages wait at network cards and memories, of one job or several"},
    {"replay", cmd_replay, LABORATORY, "[FILE] " JOB, "reseat replay app.reseat -- mpirun -n 64",
     "send what a profile recorded, without computing, and print how long that takes"},
    {"measure", cmd_measure, LABORATORY, JOB, "reseat measure -o machine -- mpirun -n 64",
     "measure how long messages take on the machine that a job gets"},
    {"topo", cmd_topo, LABORATORY, "[FILE] [" JOB "]",
     "reseat topo\n"
     "reseat topo --svg machine.svg -- mpirun -n 64 ./app",
     "show a machine: of a job, of this node, or of a description; in the forms of other programs"},
    {"convert", cmd_convert, PLUMBING, "FILE...", "reseat convert app.reseat -o app.mtx",
     "change between profile, plain, mtx, mat, csv, scotch, metis; read Open MPI's monitoring"},
    {"merge", cmd_merge, PLUMBING, "-o FILE PROFILE PROFILE...",
     "reseat merge -o all.reseat monday.reseat friday.reseat",
     "one profile of several runs, and how much they differ"},
    {"env", cmd_env, PLUMBING, "--mpi openmpi|mpich|abi profile|run",
     "eval \"$(reseat env run --mpi openmpi)\"",
     "print the variables to set in a container, or for a launcher that reseat does not know"},
    {"completions", cmd_completions, PLUMBING, "bash|zsh|fish",
     "eval \"$(reseat completions bash)\"",
     "print what a shell needs to complete commands and options"},
    {"seat", cmd_seat, PLUMBING, NULL, NULL, NULL},   /* for the probe: not shown */
    {"trial", cmd_trial, PLUMBING, NULL, NULL, NULL}, /* for doctor: not shown */
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* Of a line of usage, an option with what it takes, in its brackets or without. */
static size_t usage_piece(const char *text)
{
    size_t length = 0;
    for (int depth = 0; text[length]; length++) {
        depth += (text[length] == '[' || text[length] == '(') -
                 (text[length] == ']' || text[length] == ')');
        if (depth == 0 && text[length] == ' ' && strchr("[(-", text[length + 1]))
            break;
    }
    return length;
}

enum { TEXT_INDENT = 6 };

/* Print a text below what it is about. */
static void print_text(const char *text)
{
    terminal_wrap(stdout, text, printf("%*s", TEXT_INDENT, ""), TEXT_INDENT, terminal_word);
}

/* Print the line of usage behind `before`, or nothing if out of memory. */
static void print_usage(const char *before, int command)
{
    char *line = NULL;
    size_t size;
    FILE *memory = open_memstream(&line, &size);
    if (!memory)
        return;
    options_print_usage(memory, commands[command].name, commands[command].operands);
    fputs(commands[command].operands, memory);
    if (fclose(memory) == 0)
        terminal_wrap(stdout, line, printf("%sreseat %s ", before, commands[command].name),
                      TEXT_INDENT, usage_piece);
    free(line);
}

/* The first screen. */
static void help(void)
{
    printf("reseat %s - a better order for the ranks of an MPI job\n\n", PACKAGE_VERSION);
    for (int i = 0; i < COMMANDS && commands[i].group == FOR_A_JOB; i++)
        printf("  %-31.*s %s\n", (int)strcspn(commands[i].example, "\n"), commands[i].example,
               commands[i].help);
    printf("\nThe profile is reseat.profile, or a FILE that is named before `--'.\n"
           "Options: reseat help COMMAND. All commands: reseat help all. Settings: reseat\n"
           "help settings. The manual: man reseat.\n");
}

/* All commands, with their options. */
static void help_all(void)
{
    static const char *const titles[] = {"For a job", "Laboratory", "Plumbing"};
    for (int g = 0; g < COMMAND_GROUPS; g++) {
        printf("%s%s:\n", g ? "\n" : "", titles[g]);
        for (int i = 0; i < COMMANDS && commands[i].help; i++) {
            if ((int)commands[i].group != g)
                continue;
            print_usage("  ", i);
            print_text(commands[i].help);
        }
    }
    printf("\nExit status: 0, 1 trouble, 2 usage; profile and run: that of the job.\n"
           "All else: man reseat.\n");
}

static void help_settings(void)
{
    printf("Variables that the ranks obey:\n");
    const struct reseat_setting_row *row;
    char values[RESEAT_VALUES_SIZE], line[RESEAT_VALUES_SIZE + 128];
    for (int i = 0; (row = reseat_setting(i)); i++) {
        snprintf(line, sizeof line, "(%s; default %s)", reseat_setting_values(row, values),
                 row->standard);
        terminal_wrap(stdout, line, printf("  %s ", row->name), TEXT_INDENT, terminal_word);
        print_text(row->help);
    }
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

/* The lines, each after `before`. */
static void print_lines(const char *before, const char *text)
{
    for (const char *at = text, *end; *at; at = *end ? end + 1 : end) {
        end = at + strcspn(at, "\n");
        printf("%s%.*s\n", before, (int)(end - at), at);
    }
}

static void help_command(int i)
{
    char sentence[256];
    print_usage("", i);
    snprintf(sentence, sizeof sentence, "%s; more in reseat(1)", commands[i].help);
    terminal_wrap(stdout, sentence, printf("  "), 2, terminal_word);
    printf("\nExamples:\n");
    print_lines("  ", commands[i].example);
    if (options_find(commands[i].name, 0) >= 0)
        printf("\nOptions:\n");
    options_print(stdout, commands[i].name);
}

/* `reseat help`, `reseat help all`, `reseat help settings`, `reseat help COMMAND`; the same as
 * --help. */
static int help_on(const char *name)
{
    if (!name)
        help();
    else if (strcmp(name, "all") == 0 || strcmp(name, "--all") == 0)
        help_all();
    else if (strcmp(name, "settings") == 0)
        help_settings();
    else {
        int i = find_command(name);
        if (i == COMMANDS || !commands[i].help)
            return no_command(name);
        help_command(i);
    }
    return 0;
}

/* Output may fail only now: returns `status`, or trouble. */
static int flush_output(const char *command, int status)
{
    cli_begin(command);
    errno = 0;
    if ((fflush(stdout) || ferror(stdout)) && !status)
        status = cli_fail(EXIT_TROUBLE, "standard output: %s", strerror(errno));
    return status;
}

static void print_installation(void)
{
    struct document *document = doctor_begin(NULL);
    installation_look_at(document);
    document_free(document);
}

/* A usage error: `name` takes one argument at most. */
static int one_word(const char *name, const char *word)
{
    cli_begin(name);
    return cli_fail(EXIT_USAGE, "too many arguments: reseat %s [%s]", name, word);
}

static int version(int count, char *const *words)
{
    int is_long = count > 0 && (strcmp(words[0], "-v") == 0 || strcmp(words[0], "--verbose") == 0);
    if (count > is_long)
        return one_word("--version", "-v");
    if (is_long)
        print_installation();
    else
        printf("reseat %s\n", PACKAGE_VERSION);
    return flush_output("--version", 0);
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
        return argc > 3 ? one_word("help", "COMMAND|all|settings")
                        : flush_output("help", help_on(argv[2]));
    if (strcmp(argv[1], "--version") == 0)
        return version(argc - 2, argv + 2);
    int is_auto = strcmp(argv[1], "--") == 0; /* without a word */
    int i = find_command(is_auto ? "auto" : argv[1]);
    if (i == COMMANDS)
        return no_command(argv[1]);
    opterr = 0;
    cli_begin(commands[i].name);
    outlive_file_limit();
    if (is_auto)
        argv[0] = (char *)commands[i].name;
    int status = is_auto ? commands[i].run(argc, argv) : commands[i].run(argc - 1, argv + 1);
    return flush_output(commands[i].name, status == EXIT_HELP ? help_on(commands[i].name) : status);
}
