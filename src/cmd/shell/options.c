/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - see options.h. */
#include "cmd/shell/options.h"

#include <getopt.h>
#include <string.h>

#include "cmd/shell/spelling.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

#define STARTS "run verify doctor env"

#define FLAG              \
    {                     \
        OPTION_FLAG, 0, 0 \
    }
#define TEXT              \
    {                     \
        OPTION_TEXT, 0, 0 \
    }
#define WORD              \
    {                     \
        OPTION_WORD, 0, 0 \
    }
#define NAME              \
    {                     \
        OPTION_NAME, 0, 0 \
    }
#define LIST              \
    {                     \
        OPTION_LIST, 0, 0 \
    }
#define LAYOUTS              \
    {                        \
        OPTION_LAYOUTS, 0, 0 \
    }
#define NUMBER(least, most)        \
    {                              \
        OPTION_NUMBER, least, most \
    }
#define DECIMAL(least, most)        \
    {                               \
        OPTION_DECIMAL, least, most \
    }

/* --help shows them in this order. */
static const struct command_option options_table[] = {
    /* -- what is written -- */
    {"profile env", 'o', 1, "output", TEXT, "FILE", "the profile; default: reseat.profile"},
    {"map", 'o', 1, "output", TEXT, "FILE", "write the mapping, or the file of --emit, here"},
    {"simulate", 'o', 1, "output", TEXT, "FILE", "write the mapping here"},
    {"convert topo merge", 'o', 1, "output", TEXT, "FILE", "write the result here"},
    {"measure", 'o', 1, "output", TEXT, "FILE", "write the timings here; default: standard output"},
    {"report", 'h', 0, "html", TEXT, "FILE", "write a page for browsers"},
    {"report", 'j', 0, "json", TEXT, "FILE", "write the numbers for programs"},
    {"verify", 'h', 0, "html", TEXT, "FILE", "also write a page for browsers"},
    {"verify", 'J', 0, "json", TEXT, "FILE", "also write the numbers for programs"},
    {"compare", 'h', 0, "html", TEXT, "FILE", "also write a page for browsers"},
    {"compare", 'j', 0, "json", TEXT, "FILE", "also write the numbers for programs"},
    {"compare", 'S', 0, "summary", TEXT, "FILE", "also write what follows from all lines"},
    {"report compare", 'g', 0, "svg", TEXT, "FOLDER", "write pictures (SVG) there"},
    {"report compare", 'p', 0, "png", TEXT, "FOLDER", "write pictures (PNG) there"},
    {"topo", 's', 0, "svg", TEXT, "FILE", "write a picture (SVG)"},
    {"topo", 'n', 0, "png", TEXT, "FILE", "write a picture (PNG)"},

    /* -- what is recorded, and how a job runs -- */
    {"profile env", 't', 0, "time", FLAG, NULL, "also record how long each rank is in MPI"},
    {"profile env", 'A', 0, "no-arguments", FLAG, NULL,
     "leave the arguments of the program out of the profile"},
    {"profile topo replay measure " STARTS, 'm', 0, "mpi", NAME, "openmpi|mpich",
     "the MPI of the job; default: the launcher and the program tell"},
    {"compare", 'i', 0, "mpi", NAME, "openmpi|mpich",
     "the MPI of the job; default: the launcher and the program tell"},
    {"run verify",
     'L',
     0,
     "placement",
     {OPTION_WORD, 1, 0},
     "preload|launch",
     "who gives the ranks their places: the preloaded library (default), or the launcher"},
    {"run", 'l', 0, "layout", TEXT, "LETTERS",
     "a regular order by these letters; no profile is needed"},
    {"run verify", 'D', 0, "output-differs", WORD, "fail|warn|ignore",
     "what to do if the job prints something else in another order; default: fail"},
    {"verify", 'n', 0, "pairs", NUMBER(2, 100), "N",
     "the number of pairs of runs, 2 to 100; default: 5"},
    {"verify compare", 'r', 0, "replay", FLAG, NULL,
     "run a replay of the profile in the place of the program"},
    {"compare", 'n', 0, "runs", NUMBER(1, 100), "N",
     "how often each order of a job is run; default: 5"},

    /* -- the traffic -- */
    {"map simulate", 'p', 0, "profile", TEXT, "FILE", "the traffic is that of a profile"},
    {"topo", 'p', 0, "profile", TEXT, "FILE",
     "show the loads of links by the traffic of a profile"},
    {"map", 'x', 0, "matrix", TEXT, "FILE",
     "the traffic is a matrix, in any form that convert reads"},
    {"map simulate", 'w', 0, "workload", TEXT, "FILE", "several jobs that share the machine"},
    {"report map topo simulate replay " STARTS, 'P', 0, "phase", TEXT, "N",
     "only the traffic of phase N (MPI_Pcontrol); default: all"},
    {"report map diff " STARTS,
     'k',
     0,
     "kind",
     {OPTION_WORD, -1, 0},
     "all|p2p|coll|osc",
     "only messages, collectives or one-sided communication; default: all"},
    {"report map " STARTS, 'M', 0, "metric", WORD, "size|msg|avg|time",
     "the weight of a pair of ranks: bytes, messages, mean size, or seconds"},
    {"compare", 'M', 0, "metric", LIST, "size|msg|avg|time",
     "the weights of a pair of ranks: bytes, messages, mean size, or seconds; separated by commas"},
    {"topo convert diff", 'M', 0, "metric", WORD, "size|msg|avg",
     "the number of a pair of ranks: bytes, messages, or mean size"},
    {"convert", 'f', 0, "from", TEXT, "profile|plain|mtx|mat|csv|scotch|metis|monitoring",
     "the form of the input; default: the file tells"},
    {"convert", 't', 0, "to", TEXT, "profile|plain|mtx|mat|csv|scotch|metis",
     "the form to write; default: the name of the output tells"},
    {"convert", 'n', 0, "ranks", NUMBER(0, RESEAT_MOST_RANKS), "N",
     "the number of ranks, if the form does not tell"},

    /* -- the machine -- */
    {"report map topo compare simulate", 't', 0, "tree", TEXT, "TEXT",
     "the machine by its levels: \"node:4 package:2 core:8\", or arities"},
    {"report map topo compare", 'T', 0, "topology", TEXT, "FILE",
     "the machine as hwloc's XML or synthetic description, `this', or a file of switches"},
    {"simulate", 'T', 0, "machine", TEXT, "table1|FILE", "the rates of cards and memories"},
    {"report map compare", 'c', 0, "costs", TEXT, "C,C,...|FILE",
     "the distance of two slots whose paths part at each level, or a file of timings"},
    {"topo", 'c', 0, "costs", TEXT, "C,C,...",
     "the distance of two slots whose paths part at each level"},
    {STARTS, 'T', 0, "timings", TEXT, "FILE",
     "how long messages take on the machine, as measure writes it"},
    {"topo", 'f', 0, "to", NAME, "text|hwloc|netloc|scotch|graphviz", "the form; default: text"},

    /* -- how to map -- */
    {STARTS, 'S', 0, "scope", TEXT, "world|graph|auto",
     "what to reorder: MPI_COMM_WORLD, or communicators with a topology"},
    {STARTS, 's', 0, "strategy", TEXT, "node|global|twolevel|auto",
     "within nodes only, by one process for all, or nodes first"},
    {STARTS, 'p', 0, "pattern", TEXT, "profile|graph|auto",
     "where the pattern comes from: the profile, or the edges of the call"},
    {STARTS, 'O', 0, "mapping", TEXT, "FILE", "use this order, as map writes it"},
    {"topo", 'O', 0, "mapping", TEXT, "FILE", "where the roles of --profile are, as map writes it"},
    {"simulate", 'M', 0, "mapping", TEXT, "FILE", "where the roles are, as map writes it"},
    {STARTS, 'H', 0, "method", TEXT, "METHOD", "only this method; default: the best of several"},
    {"map", 'm', 0, "method", TEXT, "METHOD", "only this method; default: the best of several"},
    {"simulate", 'm', 0, "method", TEXT, "M", "how the jobs are placed"},
    {"compare", 'm', 0, "method", LIST, "M,M,...",
     "the methods to compare, or all; default: the most useful ones"},
    {"report", 'm', 0, "method", LIST, "M,M,...",
     "orders by these methods side by side, the best of them as the better order"},
    {"report compare", 'l', 0, "layout", LAYOUTS, "L,L,...", "layouts to compare, by letters"},
    {"map", 'l', 0, "layout", TEXT, "LETTERS", "a regular layout by these letters"},
    {"map", 'L', 0, "layouts", FLAG, NULL, "price all regular layouts, in the words of launchers"},
    {"map", 'n', 0, "ranks", NUMBER(1, RESEAT_MOST_RANKS), "N",
     "the number of ranks of --layout; no traffic is needed"},
    {"map", 'b', 0, "bind", TEXT, "none|KIND|NLETTER", "what a rank of --layout is bound to"},
    {"map", 'V', 0, "oversubscribe", FLAG, NULL, "--layout may put several ranks on a slot"},
    {"map", 'O', 0, "objective", WORD, "cost|congestion|time",
     "what a better order lowers; default: cost"},
    {"report", 'O', 0, "objective", WORD, "cost|congestion|time",
     "what a better order lowers; default: cost"},
    {STARTS, 'j', 0, "objective", WORD, "cost|congestion|time",
     "what a better order lowers; default: cost"},
    {"map", 'e', 0, "effort", WORD, "fast|default|strong", "how hard to search"},
    {"compare", 'e', 0, "effort", LIST, "E,E,...", "the efforts to compare: fast, default, strong"},
    {"map compare simulate", 's', 0, "seed", NUMBER(0, 0), "N", "of what is random"},
    {"map", 'j', 0, "threads", NUMBER(0, 1024), "N", "threads to use; the mapping is the same"},
    {"map", 'S', 0, "seconds", NUMBER(0, 86400), "N",
     "limits the processor time of the method best"},
    {"map", 'h', 0, "threshold", NUMBER(0, TMAP_MOST_GROUPS), "N",
     "treematch: up to this many groups all are looked at"},
    {"map", 'B', 0, "buckets", NUMBER(0, TMAP_MOST_BUCKETS), "N",
     "treematch: how many buckets the pairs are sorted into"},
    {STARTS, 'g', 0, "min-gain", TEXT, "F",
     "keep the launch order unless the predicted cost falls by this fraction"},
    {"map", 'E', 0, "emit", NAME, "openmpi|rankfile|prrte|hydra|slurm|cray|flux|lsf",
     "write a file with which a launcher starts the ranks in this order"},
    {"map", 'H', 0, "hosts", TEXT, "A,B,...", "the hosts for --emit, one for each node"},

    /* -- messages: replay, measure, simulate -- */
    {"replay", 'b', 0, "by", NAME, "isend|alltoallv", "how the messages are sent; default: isend"},
    {"replay", 's', 0, "scale", DECIMAL(0, 0), "F", "send F times the recorded messages"},
    {"replay", 'S', 0, "seconds", DECIMAL(0, 0), "S",
     "send as many as take about S seconds; default: 10"},
    {"replay", 'n', 0, "repeat", NUMBER(1, 1000), "N",
     "the number of repetitions, 1 to 1000; default: 5"},
    {"measure", 'S', 0, "seconds", DECIMAL(0, 0), "S", "about how long to measure; default: 25"},
    {"simulate", 'S', 0, "seconds", DECIMAL(1e-9, 1e9), "S",
     "how long the program ran, if the profile does not say it"},
    {"simulate", 'n', 0, "messages", NUMBER(0, 0), "N", "how many messages to simulate"},
    {"simulate", 'g', 0, "gaps", WORD, "fixed|exponential",
     "the times between the messages of a pair"},
    {"simulate", 'l', 0, "lengths", WORD, "fixed|exponential", "the lengths of messages"},

    /* -- how it is printed -- */
    {"report", 'C', 0, "color", WORD, "auto|always|never",
     "pictures in the text: on a terminal (default), in a pipe, too, or not at all"},
    {"report compare diff simulate", 'v', 0, "tsv", FLAG, NULL, "print a table for scripts"},
    {"map", 'z', 0, "tsv", FLAG, NULL, "print a table for scripts"},
    {"replay", 't', 0, "tsv", FLAG, NULL, "print a table for scripts"},
    {"map", 'v', 1, "verbose", FLAG, NULL, "show the groups of --method treematch"},
    {"profile " STARTS, 'v', 1, "verbose", TEXT, "N", "how much the ranks say, 0 to 3; default: 1"},
};
enum { OPTIONS_ROWS = sizeof options_table / sizeof options_table[0], OPTIONS_MOST = 64 };

/* Whether a command is in a list. */
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

const struct command_option *options_row(int index)
{
    return &options_table[index];
}

int options_next(int argc, char **argv, const char *order)
{
    struct option longs[OPTIONS_MOST] = {{NULL, 0, NULL, 0}};
    char shorts[2 * OPTIONS_MOST + 8];
    size_t count = 0, at = strlen(order);
    memcpy(shorts, order, at);
    for (int i = -1; count + 1 < OPTIONS_MOST && (i = options_find(argv[0], i + 1)) >= 0; count++) {
        const struct command_option *row = &options_table[i];
        longs[count].name = row->name;
        longs[count].has_arg = row->argument ? required_argument : no_argument;
        longs[count].val = row->letter;
        if (row->is_short)
            shorts[at++] = (char)row->letter;
        if (row->is_short && row->argument)
            shorts[at++] = ':';
    }
    shorts[at] = '\0';
    return getopt_long(argc, argv, shorts, longs, NULL);
}

const char *options_name(const char *command, int letter)
{
    int i = options_find(command, 0);
    while (options_table[i].letter != letter)
        i = options_find(command, i + 1);
    return options_table[i].name;
}

void options_print(FILE *file, const char *command)
{
    for (int i = -1; (i = options_find(command, i + 1)) >= 0;) {
        const struct command_option *row = &options_table[i];
        fprintf(file, "  ");
        if (row->is_short)
            fprintf(file, "-%c, ", row->letter);
        fprintf(file, "--%s%s%s\n      %s\n", row->name, row->argument ? " " : "",
                row->argument ? row->argument : "", row->help);
    }
}

const char *options_similar(const char *command, const char *word)
{
    struct spelling spelling = spelling_of(word);
    for (int i = -1; (i = options_find(command, i + 1)) >= 0;)
        spelling_try(&spelling, options_table[i].name);
    return spelling.best;
}
