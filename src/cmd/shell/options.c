/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - see options.h. */
#include "cmd/shell/options.h"

#include <ctype.h>
#include <string.h>

#include "cmd/shell/spelling.h"
#include "cmd/shell/terminal.h"
#include "network/card.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

#define STARTS "run verify doctor env"

#define FLAG OPTION_FLAG, 0, 0
#define TEXT OPTION_TEXT, 0, 0
#define WORD OPTION_WORD, 0, 0
#define WORD_FROM(least) OPTION_WORD, least, 0
#define NAME OPTION_NAME, 0, 0
#define LIST OPTION_LIST, 0, 0
#define LAYOUTS OPTION_LAYOUTS, 0, 0
#define NUMBER(least, most) OPTION_NUMBER, least, most
#define DECIMAL(least, most) OPTION_DECIMAL, least, most

/* --help shows them in this order. */
static const struct command_option options_table[] = {
    /* -- what is written -- */
    {"profile env", 'o', "output", TEXT, "FILE",
     "the profile; default: RESEAT_FILE, or else reseat.profile"},
    {"map", 'o', "output", TEXT, "FILE", "write the mapping, or the file of --emit, here"},
    {"simulate", 'o', "output", TEXT, "FILE", "write the mapping here"},
    {"convert merge", 'o', "output", TEXT, "FILE", "write the result here"},
    {"topo", 'o', "output", TEXT, "FILE",
     "write it here: a picture or numbers, if the name ends in .svg, .png or .json"},
    {"measure", 'o', "output", TEXT, "FILE", "write the timings here; default: standard output"},
    {"report", 'o', "output", TEXT, "FILE",
     "write a page, numbers or a picture, by its name: .html, .json, .svg or .png"},
    {"verify compare", 'o', "output", TEXT, "FILE",
     "also write a page or numbers, by its name: .html or .json"},
    {"history", 'o', "output", TEXT, "FILE",
     "write a page or numbers, by its name: .html or .json"},
    {"report history", 0, "html", TEXT, "FILE", "write a page for browsers"},
    {"report history", 0, "json", TEXT, "FILE", "write the numbers for programs"},
    {"history", 0, "forget", FLAG, NULL, "remove what was learned, of PROGRAM or of all"},
    {"verify compare", 0, "html", TEXT, "FILE", "also write a page for browsers"},
    {"verify compare doctor map topo simulate measure", 0, "json", TEXT, "FILE",
     "also write the numbers for programs"},
    {"compare", 0, "summary", TEXT, "FILE",
     "also write the ratios of costs of each pair of methods"},
    {"report compare", 0, "svg", TEXT, "FOLDER", "write pictures (SVG) there"},
    {"report compare", 0, "png", TEXT, "FOLDER", "write pictures (PNG) there"},
    {"topo", 0, "svg", TEXT, "FILE", "write a picture (SVG)"},
    {"topo", 0, "png", TEXT, "FILE", "write a picture (PNG)"},

    /* -- what is recorded, and how a job runs -- */
    {"profile env", 0, "time", FLAG, NULL, "time each call of MPI, not a sample of the calls"},
    {"profile env", 0, "no-arguments", FLAG, NULL,
     "leave the arguments of the program out of the profile"},
    {"auto", 0, "any-arguments", FLAG, NULL, "the program is the same one whatever its arguments"},
    {"auto", 0, "no-arguments", FLAG, NULL, "keep only a hash of the arguments"},
    {"profile auto topo replay measure compare " STARTS, 0, "mpi", NAME, "openmpi|mpich|abi",
     "the MPI of the job; default: the launcher and the program tell"},
    {"run verify", 0, "placement", WORD_FROM(1), "preload|launch",
     "who gives the ranks their places: the preloaded library (default), or the launcher"},
    {"run", 0, "layout", TEXT, "LETTERS", "a regular order by these letters; no profile is needed"},
    {"run verify", 0, "output-differs", WORD, "fail|warn|ignore",
     "what to do if the job prints something else in another order; default: fail"},
    {"verify", 0, "runs", NUMBER(2, 100), "N",
     "how often the job is run in each order, 2 to 100; default: 5"},
    {"verify compare", 0, "replay", FLAG, NULL,
     "run a replay of the profile in the place of the program"},
    {"compare", 0, "runs", NUMBER(1, 100), "N", "how often each order of a job is run; default: 5"},

    /* -- the traffic -- */
    {"map simulate", 0, "workload", TEXT, "FILE", "several jobs that share the machine"},
    {"report map topo simulate replay " STARTS, 0, "phase", NUMBER(0, RESEAT_PHASES - 1), "N|all",
     "only the traffic of phase N (MPI_Pcontrol); default: all"},
    {"report map " STARTS, 0, "kind", WORD_FROM(-1), "all|p2p|coll|osc",
     "only messages, collectives or one-sided communication; default: all"},
    {"report map " STARTS, 0, "metric", WORD, "size|msg|avg|time",
     "the weight of a pair of ranks: bytes, messages, mean size, or seconds"},
    {"compare", 0, "metric", LIST, "size|msg|avg|time",
     "the weights of a pair of ranks: bytes, messages, mean size, or seconds; separated by commas"},
    {"topo convert", 0, "metric", WORD, "size|msg|avg",
     "the number of a pair of ranks: bytes, messages, or mean size"},
    {"convert", 0, "from", NAME, "profile|plain|mtx|mat|csv|scotch|metis|monitoring",
     "the form of the input; default: the file tells"},
    {"convert", 0, "to", NAME, "profile|plain|mtx|mat|csv|scotch|metis",
     "the form to write; default: the name of the output tells"},
    {"convert", 0, "ranks", NUMBER(0, RESEAT_MOST_RANKS), "N",
     "the number of ranks, if the form does not tell"},

    /* -- the machine -- */
    {"report map topo compare simulate", 0, "tree", TEXT, "TEXT",
     "the machine by its levels: \"node:4 package:2 core:8\", or arities"},
    {"report map topo compare", 0, "topology", TEXT, "FILE",
     "the machine as hwloc's XML or synthetic description, `this', or a file of switches"},
    {"simulate", 0, "machine", TEXT, "table1|FILE", "the rates of cards and memories"},
    {"report topo", 0, "network", NAME, CARD_NETWORKS,
     "without timings: the rate of the network cards"},
    {"report map topo compare", 0, "costs", TEXT, "C,C,...",
     "the distance of two slots whose paths part at each level"},
    {"report map topo compare " STARTS, 0, "timings", TEXT, "FILE",
     "how long messages take on the machine, as measure has written"},
    {"topo", 0, "to", NAME, "text|hwloc|netloc|scotch|graphviz|simgrid|hostfile",
     "the form; default: text"},

    /* -- how to map -- */
    {STARTS, 0, "scope", WORD, "world|graph|auto",
     "what to reorder: MPI_COMM_WORLD, or communicators with a topology"},
    {STARTS, 0, "strategy", WORD, "node|global|twolevel|auto",
     "within nodes only, by one process for all, or nodes first"},
    {"map report " STARTS, 0, "keep-local", WORD, "auto|yes|no",
     "whether local ranks stay as they are; default: on nodes with accelerators"},
    {STARTS, 0, "pattern", WORD, "profile|graph|auto",
     "where the pattern comes from: the profile, or the edges of the call"},
    {STARTS, 0, "mapping", TEXT, "FILE", "use this order, as map writes it"},
    {"topo", 0, "mapping", TEXT, "FILE", "where the roles of FILE are, as map writes it"},
    {"simulate", 0, "mapping", TEXT, "FILE", "where the roles are, as map writes it"},
    {"map " STARTS, 0, "method", TEXT, "METHOD", "only this method; default: the best of several"},
    {"simulate", 0, "method", TEXT, "M", "how the jobs are placed"},
    {"compare", 0, "method", LIST, "M,M,...",
     "the methods to compare, or all; default: the most useful ones"},
    {"report", 0, "method", LIST, "M,M,...",
     "orders by these methods side by side, the best of them as the better order"},
    {"report compare", 0, "layout", LAYOUTS, "L,L,...", "layouts to compare, by letters"},
    {"map", 0, "layout", TEXT, "LETTERS", "a regular layout by these letters"},
    {"map", 0, "layouts", FLAG, NULL,
     "the cost of all regular layouts, with the options of launchers that make them"},
    {"map", 0, "ranks", NUMBER(1, RESEAT_MOST_RANKS), "N",
     "the number of ranks of --layout; no traffic is needed"},
    {"map", 0, "bind", TEXT, "none|KIND|NLETTER", "what a rank of --layout is bound to"},
    {"map", 0, "oversubscribe", FLAG, NULL, "--layout may put several ranks on a slot"},
    {"map report " STARTS, 0, "objective", WORD, "cost|congestion|time",
     "what a better order lowers; default: cost"},
    {"map", 0, "effort", WORD, "fast|default|strong", "how hard to search"},
    {"compare", 0, "effort", LIST, "E,E,...", "the efforts to compare: fast, default, strong"},
    {"map compare simulate", 0, "seed", NUMBER(0, 0), "N", "of the random numbers"},
    {"map", 0, "threads", NUMBER(0, 1024), "N", "threads to use; the mapping is the same"},
    {"map", 0, "seconds", NUMBER(0, 86400), "N", "limits the processor time of the method best"},
    {"map", 0, "threshold", NUMBER(0, TMAP_MOST_GROUPS), "N",
     "treematch: up to this many groups all are looked at"},
    {"map", 0, "buckets", NUMBER(0, TMAP_MOST_BUCKETS), "N",
     "treematch: how many buckets the pairs are sorted into"},
    {STARTS, 0, "min-gain", TEXT, "F",
     "keep the launch order unless the predicted gain is at least this fraction"},
    {"map", 0, "emit", NAME, "openmpi|rankfile|prrte|hydra|intel|slurm|cray|flux|lsf|simgrid",
     "write a file with which a launcher starts the ranks in this order"},
    {"map", 0, "hosts", TEXT, "A,B,...", "the hosts for --emit, one for each node"},

    /* -- messages: replay, measure, simulate -- */
    {"replay", 0, "by", NAME, "isend|alltoallv", "how the messages are sent; default: isend"},
    {"replay", 0, "scale", DECIMAL(0, 0), "F", "send F times the recorded messages"},
    {"replay", 0, "seconds", DECIMAL(0, 0), "S",
     "send as many as take about S seconds; default: 10"},
    {"replay", 0, "runs", NUMBER(1, 1000), "N",
     "how often the messages are sent, 1 to 1000; default: 5"},
    {"measure", 0, "seconds", DECIMAL(0, 0), "S", "about how long to measure; default: 25"},
    {"simulate", 0, "seconds", DECIMAL(1e-9, 1e9), "S",
     "how long the program ran, if the profile does not say it"},
    {"simulate", 0, "messages", NUMBER(0, 0), "N", "how many messages to simulate"},
    {"simulate", 0, "gaps", WORD, "fixed|exponential", "the times between the messages of a pair"},
    {"simulate", 0, "lengths", WORD, "fixed|exponential", "the lengths of messages"},

    /* -- how it is printed -- */
    {"report", 0, "color", WORD, "auto|always|never",
     "pictures in the text: on a terminal (auto, the default), in a pipe, too, or never"},
    {"report compare simulate map replay", 0, "tsv", FLAG, NULL, "print a table for scripts"},
    {"map", 'v', "verbose", FLAG, NULL, "show the groups of --method treematch"},
    {"profile auto " STARTS, 'v', "verbose", TEXT, "N",
     "how much the ranks say, 0 to 3; default: 1"},
};
enum { OPTIONS_ROWS = sizeof options_table / sizeof options_table[0] };
/* For comparisons of methods, and the like: not shown by --help. The manual has them. */
static const char options_special[] = "strategy pattern threshold buckets gaps lengths";
enum {
    OPTIONS_SHOWN = 20, /* letters of a list of words in a line of usage */
    OPTIONS_HELP_SIZE = 512
};

/* Returns 1 if a command is in a list. */
static int options_lists(const char *commands, const char *command)
{
    size_t length = strlen(command);
    for (const char *at = commands; *at;) {
        size_t word = strcspn(at, " ");
        if (word == length && memcmp(at, command, length) == 0)
            return 1;
        at += word + strspn(at + word, " ");
    }
    return 0;
}

int options_find(const char *command, int from)
{
    while (from < OPTIONS_ROWS && !options_lists(options_table[from].commands, command))
        from++;
    return from < OPTIONS_ROWS ? from : -1;
}

/* An option, and those of which these commands take none with it. */
static const struct {
    const char *commands, *name, *others;
} options_apart[] = {{"report map topo", "tree", "topology"},
                     {"report map compare", "costs", "timings"},
                     {"report topo", "network", "timings"},
                     {"replay", "scale", "seconds"},
                     {"simulate", "mapping", "method"},
                     {"history", "forget", "output html json"},
                     {"run", "layout", "mapping"},
                     {"map", "layout", "method objective"},
                     {"map", "layouts", "layout workload emit output objective"}};

int options_are_apart(const char *command, const char *name, const char *other)
{
    for (size_t i = 0; i < sizeof options_apart / sizeof *options_apart; i++)
        if (options_lists(options_apart[i].commands, command) &&
            ((strcmp(options_apart[i].name, name) == 0 &&
              options_lists(options_apart[i].others, other)) ||
             (strcmp(options_apart[i].name, other) == 0 &&
              options_lists(options_apart[i].others, name))))
            return 1;
    return 0;
}

const struct command_option *options_row(int index)
{
    return &options_table[index];
}

/* Print what an option takes; of a long list of words only what it is about. */
static void options_print_argument(FILE *file, const struct command_option *row)
{
    if (!strchr(row->argument, '|') || strlen(row->argument) <= OPTIONS_SHOWN) {
        fprintf(file, " %s", row->argument);
        return;
    }
    putc(' ', file);
    for (const char *at = row->name; *at; at++)
        putc(toupper((unsigned char)*at), file);
}

void options_print_usage(FILE *file, const char *command, const char *operands)
{
    const struct command_option *before = NULL;
    for (int i = -1; (i = options_find(command, i + 1)) >= 0;) {
        const struct command_option *row = &options_table[i];
        char word[64];
        if (row->letter)
            snprintf(word, sizeof word, "-%c", row->letter);
        else
            snprintf(word, sizeof word, "--%s", row->name);
        const char *found = strstr(operands, word);
        if ((found && found[strlen(word)] == ' ') || options_lists(options_special, row->name))
            continue;
        fprintf(file, "%s%s",
                !before                                               ? "["
                : options_are_apart(command, before->name, row->name) ? " | "
                                                                      : "] [",
                word);
        if (row->argument)
            options_print_argument(file, row);
        before = row;
    }
    fputs(before ? "] " : "", file);
}

/* The help of an option, with the options that the command does not take beside it. */
static const char *options_help(const char *command, const struct command_option *row,
                                char text[OPTIONS_HELP_SIZE])
{
    const char *before = "; not with";
    int length = snprintf(text, OPTIONS_HELP_SIZE, "%s", row->help);
    for (int i = -1; (i = options_find(command, i + 1)) >= 0 && length < OPTIONS_HELP_SIZE;)
        if (options_are_apart(command, row->name, options_table[i].name)) {
            length += snprintf(text + length, (size_t)(OPTIONS_HELP_SIZE - length), "%s --%s",
                               before, options_table[i].name);
            before = ",";
        }
    return text;
}

void options_print(FILE *file, const char *command)
{
    enum { INDENT = 6 };
    char text[OPTIONS_HELP_SIZE];
    for (int i = -1; (i = options_find(command, i + 1)) >= 0;) {
        const struct command_option *row = &options_table[i];
        if (options_lists(options_special, row->name))
            continue;
        fprintf(file, "  ");
        if (row->letter)
            fprintf(file, "-%c, ", row->letter);
        fprintf(file, "--%s%s%s\n", row->name, row->argument ? " " : "",
                row->argument ? row->argument : "");
        terminal_wrap(file, options_help(command, row, text), fprintf(file, "%*s", INDENT, ""),
                      INDENT, terminal_word);
    }
}

/* Words for what has another name here. */
static const char *const options_synonyms[][2] = {{"pairs", "runs"}, {"repeat", "runs"}};

const char *options_similar(const char *command, const char *word)
{
    struct spelling spelling = spelling_of(word);
    for (int i = -1; (i = options_find(command, i + 1)) >= 0;) {
        const char *name = options_table[i].name;
        for (size_t k = 0; k < sizeof options_synonyms / sizeof *options_synonyms; k++)
            if (strcmp(options_synonyms[k][0], word) == 0 &&
                strcmp(options_synonyms[k][1], name) == 0)
                return name;
        spelling_try(&spelling, name);
    }
    return spelling.best;
}
