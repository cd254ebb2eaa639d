/* SPDX-License-Identifier: BSD-3-Clause */
/* command-lines.c - see command-lines.h. A dictionary for each kind of word: real options, values
 * that they take, words of launchers, and malicious values for each place. */
#include "fuzz/command-lines.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define LONG_16 "aaaaaaaaaaaaaaaa"
#define LONG_256                                                                            \
    LONG_16 LONG_16 LONG_16 LONG_16 LONG_16 LONG_16 LONG_16 LONG_16 LONG_16 LONG_16 LONG_16 \
        LONG_16 LONG_16 LONG_16 LONG_16 LONG_16
#define LONG_4096                                                                             \
    LONG_256 LONG_256 LONG_256 LONG_256 LONG_256 LONG_256 LONG_256 LONG_256 LONG_256 LONG_256 \
        LONG_256 LONG_256 LONG_256 LONG_256 LONG_256 LONG_256

static uint64_t state = 1;

void command_lines_seed(uint64_t seed)
{
    state = seed;
}

uint32_t command_lines_random(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33);
}

static size_t below(size_t most)
{
    return command_lines_random() % most;
}

#define PICK(array) (array)[below(COUNT(array))]

static const char *const files[] = {"good.reseat",  "mutant.reseat",
                                    "good.txt",     "mutant.txt",
                                    "good.mtx",     "mutant.mtx",
                                    "good.csv",     "mutant.csv",
                                    "good.graph",   "mutant.graph",
                                    "good.grf",     "mutant.grf",
                                    "good.mat",     "mutant.mat",
                                    "good.prof",    "mutant.prof",
                                    "switches",     "mutant-switches",
                                    "mapping",      "mutant-mapping",
                                    "empty",        "folder",
                                    "none",         "machine.xml",
                                    "eight.reseat", "mutant-machine.xml",
                                    "workload",     "rates",
                                    "timings",      "mutant-timings"};

static const char *const outputs[] = {"out",      "out.reseat",  "out.csv",   "out.mtx",
                                      "out.mat",  "out.grf",     "out.graph", "folder",
                                      "none/out", "/dev/full",   "/dev/null", "-",
                                      "",         "good.reseat", "good.txt"};

static const char *const hostile[] = {"",
                                      "-",
                                      "--",
                                      "\033]0;x\007",
                                      "\302\2332J",
                                      "\2332J",
                                      "caf\303\251",
                                      "%s%n%x",
                                      "a\nb",
                                      "a\tb",
                                      "a\rb",
                                      "$(touch pwned)",
                                      "`touch pwned`",
                                      "'; touch pwned; '",
                                      "\"; touch pwned; \"",
                                      "; touch pwned",
                                      "-oProxyCommand=touch pwned",
                                      "../../..",
                                      "/",
                                      "/dev/null",
                                      "/dev/zero",
                                      "~",
                                      "*",
                                      LONG_256,
                                      LONG_4096 LONG_4096,
                                      "-1",
                                      "0",
                                      "00",
                                      "1e9",
                                      "0x10",
                                      "nan",
                                      "inf",
                                      "+1",
                                      " 1",
                                      "1.5",
                                      "99999999999999999999",
                                      "2147483647",
                                      "2147483648",
                                      "4294967296",
                                      "18446744073709551615"};

static const char *const trees[] = {
    "4 4",
    "2 2 2 2",
    "16",
    "node:4 core:4",
    "node:2 package:2 core:4",
    "switch:2 node:2 core:4",
    "node:4000000 core:4",
    "265536 2 2",
    "1000000000 1000000000",
    "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 16",
    "pack:2 numa:2 core:4",
    "0 4",
    "-4",
    ":",
    "node:",
    "4:4",
    "4,4",
    "no\033de:16",
    "3 5"};

static const char *const launchers[] = {"mpirun.openmpi", "mpiexec.hydra", "srun",    "mpirun",
                                        "mpiexec",        "flux",          "prterun", "true",
                                        "none",           "../bin/srun",   "none2"};

static const char *const words[] = {
    "-n",     "4",        "-np",    "16",          "-x",
    "A=1",    "-genv",    "A",      "1",           "--mca",
    "pml",    "ob1",      "-f",     "hosts",       "--host",
    "a,b",    "-bind-to", "core",   "--map-by",    "node",
    ":",      "--app",    "file",   "-configfile", "--oversubscribe",
    "-l",     "--",       "env",    "LD_PRELOAD=", "cat",
    "./none", "-c",       "exit 3", "--rankfile",  "ranks"};

static void add(struct command_line *line, const char *word)
{
    if (line->count < LINE_WORDS)
        line->words[line->count++] = word;
}

/* What an option takes, most of the time: words with blanks between them, or a list from above;
 * and the commands that know it. */
struct option {
    const char *name;
    const char *commands; /* first letters of theirs; merge is g, doctor o,
                             * simulate s, topo t, measure M, replay y, compare C */
    const char *words;    /* NULL: none, or those of `list` */
    const char *const *list;
    size_t list_count;
};

static const struct option options[] = {
    {"-o", "pmcgestM", NULL, outputs, COUNT(outputs)},
    {"--output", "pmcgestM", NULL, outputs, COUNT(outputs)},
    {"--tree", "mrstC", NULL, trees, COUNT(trees)},
    {"--topology", "mrtC", "switches mutant-switches switches this machine.xml mutant-machine.xml",
     NULL, 0},
    {"--mapping", "Rvoest", "mapping mutant-mapping", NULL, 0},
    {"--mpi", "pRvoetMy", "openmpi mpich openmpi mpich lam", NULL, 0},
    {"--strategy", "Rvoe", "node global twolevel auto", NULL, 0},
    {"--keep-local", "mrRvoe", "auto yes no maybe", NULL, 0},
    {"--scope", "Rvoe", "auto world graph", NULL, 0},
    {"--metric", "mrcRvoetC", "size msg avg size msg avg bytes time", NULL, 0},
    {"--objective", "mrRvoe", "cost congestion time", NULL, 0},
    {"--timings", "Rvoe", "timings mutant-timings timings mutant-timings rates", NULL, 0},
    {"--pattern", "Rvoe", "profile graph auto", NULL, 0},
    {"--min-gain", "Rvoe", "0 0.02 1 .5 1.1", NULL, 0},
    {"--phase", "mrRvoesty", "0 1 3 63 64 all", NULL, 0},
    {"--kind", "mrRvoe", "p2p coll osc all x", NULL, 0},
    {"--method", "Rvoe", "auto treematch best packed mpipp1 scotch x", NULL, 0},
    {"-v", "pRvoe", "0 1 2 3 4", NULL, 0},
    {"--runs", "v", "2 3 1 101", NULL, 0},
    {"--placement", "Rv", "launch launch preload x", NULL, 0},
    {"--no-arguments", "pe", NULL, NULL, 0},
    {"--time", "pe", NULL, NULL, 0},
    {"--timings", "mrC", "timings mutant-timings ./timings ./mutant-timings ./none", NULL, 0},
    {"--costs", "mrtC", "100,1 1,100 1e300,1 -1,2 nan,nan 1,2,3,4 , 0,0 8,4,2,1 inf,1 1e-300,1",
     NULL, 0},
    {"--method", "mC",
     "multilevel treematch greedy recursive packed roundrobin random mpipp1 mpipp5 scotch x "
     "blocked cyclic drb contention tile physical scotch-light scotch-heavy scotch-light-raw "
     "scotch-heavy-raw scotch-whole",
     NULL, 0},
    {"--layouts", "m", NULL, NULL, 0},
    {"--verbose", "m", NULL, NULL, 0},
    {"--threshold", "m", "0 1 15 30000 1000000 1000001", NULL, 0},
    {"--buckets", "m", "0 1 8 16 17", NULL, 0},
    {"--layout", "mC", "scbnh sbnch hcsbn ncsbh cnh n nn x L1cn by-node", NULL, 0},
    {"--bind", "m", "none core node 1c 2h x", NULL, 0},
    {"--oversubscribe", "m", NULL, NULL, 0},
    {"--effort", "mC", "fast default strong x", NULL, 0},
    {"--seed", "msC", "0 1 18446744073709551615 18446744073709551616", NULL, 0},
    {"--threads", "m", "0 1 2 3 1025", NULL, 0},
    {"--emit", "m", "openmpi rankfile prrte hydra slurm cray flux lsf pbs", NULL, 0},
    {"--hosts", "m",
     "a,b,c,d n0,n1,n2,n3 a,b n0,,n1 a,a,a,a fe80::1,b,c,d a;b,c,d,e $(id),b,c,d -o,b,c,d", NULL,
     0},
    {"--tsv", "msC", NULL, NULL, 0},
    {"--from", "c", "profile plain mtx mat csv scotch metis monitoring x", NULL, 0},
    {"--to", "c", "profile plain mtx mat csv scotch metis monitoring x", NULL, 0},
    {"--ranks", "c", "0 1 16 17 1000 16777216 99999999999", NULL, 0},
    {"--workload", "ms", "workload mutant-workload workload", NULL, 0},
    {"--machine", "s", "table1 rates mutant-rates timings mutant-timings", NULL, 0},
    {"--method", "s", "blocked cyclic drb contention multilevel best x", NULL, 0},
    {"--seconds", "smMy", "1 0.5 1e3 0 x 1e308", NULL, 0},
    {"--replay", "v", NULL, NULL, 0},
    {"--output-differs", "Rv", "fail warn ignore x", NULL, 0},
    {"--by", "y", "isend alltoallv x", NULL, 0},
    {"--scale", "y", "1 0.5 1e-300 1e308 0 nan x", NULL, 0},
    {"--runs", "y", "1 2 1000 1001 x", NULL, 0},
    {"--to", "t", "text netloc hwloc scotch graphviz x", NULL, 0},
    {"--svg", "t", NULL, outputs, COUNT(outputs)},
    {"--png", "t", NULL, outputs, COUNT(outputs)},
    {"--summary", "C", NULL, outputs, COUNT(outputs)},
    {"--method", "C", "packed,random launch all layout:scn packed,, packed,packed layout: x,packed",
     NULL, 0},
    {"--layout", "C", "scn,nsc n:1,0:c,cn :,: cn,", NULL, 0},
    {"--tree", "C", "4_4/10,1 node:4/ 16/1,2 16/x 4/4/4", NULL, 0},
    {"--gaps", "s", "fixed exponential x", NULL, 0},
    {"--lengths", "s", "fixed exponential x", NULL, 0},
    {"--help", "", NULL, NULL, 0},
    {"-h", "", NULL, NULL, 0},
    {"--bogus", "", NULL, NULL, 0},
    {"-q", "", NULL, NULL, 0},
    {"--m", "", NULL, NULL, 0},
    {"--metric=msg", "mrc", NULL, NULL, 0},
};

/* One of the words; it stays. */
static const char *pick_word(const char *list)
{
    static char kept[LINE_WORDS][64];
    static int next;
    size_t count = 1, wanted, length;
    for (const char *c = list; *c; c++)
        count += *c == ' ';
    for (wanted = below(count); wanted > 0; wanted--)
        list = strchr(list, ' ') + 1;
    char *word = kept[next++ % LINE_WORDS];
    length = strcspn(list, " ");
    memcpy(word, list, length);
    word[length] = '\0';
    return word;
}

static void add_option(struct command_line *line, const struct option *option)
{
    add(line, option->name);
    if (below(60) == 0)
        return;
    if (below(30) == 0)
        add(line, PICK(hostile));
    else if (option->words)
        add(line, pick_word(option->words));
    else if (option->list)
        add(line, option->list[below(option->list_count)]);
}

/* Mostly those that the command knows. */
static void add_options(struct command_line *line, char letter)
{
    for (size_t i = below(5); i > 0; i--) {
        const struct option *option = &PICK(options);
        int is_known = below(40) != 0;
        for (int tries = 0; is_known && tries < 200 && !strchr(option->commands, letter); tries++)
            option = &PICK(options);
        add_option(line, option);
    }
}

/* What the job itself gets, which would read /dev/zero for ever. */
static const char *harm_for_job(void)
{
    const char *word = PICK(hostile);
    return word[0] == '/' ? "%s" : word;
}

static void add_job(struct command_line *line)
{
    if (below(8))
        add(line, "--");
    if (below(16) == 0)
        add(line, harm_for_job());
    if (below(16))
        add(line, PICK(launchers));
    for (size_t i = below(6); i > 0; i--)
        add(line, below(12) ? PICK(words) : harm_for_job());
    if (below(8))
        add(line, "cat");
}

static void add_files(struct command_line *line, size_t count)
{
    for (; count > 0; count--)
        if (below(4))
            add(line, below(3) ? "mutant.reseat" : "good.reseat");
        else
            add(line, below(8) ? PICK(files) : PICK(hostile));
}

/* What a map needs: without it most would be refused. */
static void add_map(struct command_line *line)
{
    static const char *const inputs[][2] = {
        {"good.reseat", NULL},      {"mutant.reseat", NULL},
        {"--workload", "workload"}, {"--workload", "mutant-workload"},
        {"--ranks", "7"},           {"--ranks", "33"}};
    size_t i = below(2 * COUNT(inputs));
    add(line, i < COUNT(inputs) ? inputs[i][0] : PICK(files));
    if (i < COUNT(inputs) && inputs[i][1])
        add(line, inputs[i][1]);
    if (i < COUNT(inputs) && strcmp(inputs[i][0], "--ranks") == 0) {
        add(line, "--layout");
        add(line, below(2) ? "scbnh" : "ncsbh");
    }
    if (below(4) == 0)
        return;
    add(line, "--tree");
    add(line, below(2) ? "node:4 core:4" : PICK(trees));
}

/* What a simulation needs, and few messages of a pair: mutants can have any number. */
static void add_simulation(struct command_line *line)
{
    static const char *const inputs[][2] = {{"--workload", "workload"},
                                            {"--workload", "mutant-workload"},
                                            {"good.reseat", NULL},
                                            {"mutant.reseat", NULL}};
    size_t i = below(COUNT(inputs));
    add(line, inputs[i][0]);
    if (inputs[i][1])
        add(line, inputs[i][1]);
    add(line, "--messages");
    add(line, "3");
}

void command_line_make(struct command_line *line)
{
    static const struct {
        const char *name;
        char letter;
        int files, has_job; /* 2: sometimes */
    } commands[] = {{"profile", 'p', 0, 1}, {"run", 'R', 1, 1},      {"doctor", 'o', 1, 1},
                    {"map", 'm', 0, 0},     {"map", 'm', 0, 0},      {"report", 'r', 1, 0},
                    {"verify", 'v', 1, 1},  {"convert", 'c', 1, 0},  {"merge", 'g', 2, 0},
                    {"report", 'r', 2, 0},  {"simulate", 's', 0, 0}, {"env", 'e', 0, 0},
                    {"help", 'h', 0, 0},    {"topo", 't', 0, 2},     {"measure", 'M', 0, 1},
                    {"replay", 'y', 1, 1},  {"compare", 'C', 1, 0}};
    size_t i = below(COUNT(commands));
    line->count = 0;
    add(line, below(64) ? commands[i].name : PICK(hostile));
    if (commands[i].letter == 'e' && below(8))
        add(line, pick_word("profile run"));
    if (commands[i].letter == 'h')
        add(line, below(4) ? PICK(commands).name : PICK(hostile));
    if ((commands[i].letter == 'c' || commands[i].letter == 'g') && below(8)) {
        add(line, "-o");
        add(line, PICK(outputs));
    }
    add_options(line, commands[i].letter);
    if (commands[i].letter == 'm' && below(16))
        add_map(line);
    if (commands[i].letter == 's')
        add_simulation(line);
    if (commands[i].letter == 'C' && below(2))
        add(line, pick_word("ring:8 stencil2d:4x4:1000 torus-shuffled:2x2x2 planted:2x2,4 "
                            "rmat:16:0 cliques:2x3x4 "
                            "alltoall:99999999 mesh:4: stencil4d81:16 butterfly-shuffled"));
    add_files(line, (size_t)commands[i].files + (below(16) == 0));
    if (commands[i].has_job && (commands[i].has_job == 1 || below(2)))
        add_job(line);
    line->words[line->count] = NULL;
}

const char *command_line_launcher(void)
{
    static const char *const ways[] = {"ranks", "ranks", "ranks",   "fail",
                                       "shout", "names", "garbage", "none"};
    return PICK(ways);
}

/* ---- files ---- */

static const char *const pieces[] = {
    "\033[2J",
    "\233",
    "\302\205",
    "\r",
    "\n",
    "\t",
    "-1",
    "99999999999999999999",
    "2147483647",
    "# domain 1 function=F parent=0 size=2 first=0 ordinal=0 members=0-1\n",
    "# seat: 0 -oProxyCommand=x 0 0 0 0 0 0\n",
    "# seat: 0 $(touch pwned) 0 0 0 0 0 0\n",
    "# program: \\x1b[2J\n",
    "# not_seen: \\x1b[2J \\x00\n",
    "# rank_variable: PMI_RANK\\x07\n",
    "# coll\n",
    "# osc phase=3\n",
    "# end 0\n",
    "0\t1\t1\t8\t8.0\n",
    "1 2 3 4\n",
    "%%MatrixMarket matrix coordinate real symmetric\n",
    "SwitchName=s0 Nodes=host[0-3],$(touch pwned)\n",
    "n[0-99999999] s0\n",
    "-1 Reseat makes this job slower\n",
    "E\t0\t1\t8 bytes\t1 msgs sent\n",
    "level switch2 bytes 9 seconds 1e-13\n",
    "card in ranks 3 bytes_per_second 1e18\n",
    "# figures: 8\n",
    "# seconds: 0.000001\n",
    "pattern gather ranks=3 length=1GB rate=1e-3 messages=1\n",
    "0 1 2\n",
    "seconds nan\n",
    "1e308",
    "0.5",
    ","};

static size_t mutate_once(char *text, size_t size, size_t most)
{
    size_t at = size ? below(size) : 0, span = size ? below(size - at < 40 ? size - at : 40) : 0;
    const char *piece = PICK(pieces);
    size_t length = strlen(piece);
    switch (below(5)) {
    case 0:
        if (size)
            text[at] = (char)command_lines_random();
        return size;
    case 1: /* a piece is lost */
        memmove(text + at, text + at + span, size - at - span);
        return size - span;
    case 2: /* or comes twice */
        if (size + span > most)
            return size;
        memmove(text + at + span, text + at, size - at);
        return size + span;
    case 3: /* or is torn off */
        return below(4) ? size : at;
    default:
        if (size + length > most)
            return size;
        memmove(text + at + length, text + at, size - at);
        memcpy(text + at, piece, length);
        return size + length;
    }
}

size_t command_line_mutate(char *text, size_t size, size_t most)
{
    for (size_t i = below(4) + 1; i > 0; i--)
        size = mutate_once(text, size, most);
    return size;
}
