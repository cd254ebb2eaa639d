/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * commands.c - command lines of `reseat`, made up from real options, words of launchers and
 * malicious values, on files that were changed at random, with launchers that end at once. Each run
 * has to end by itself within LIMIT seconds with a status that is documented; to leave no control
 * character on its output, no sanitizer's report, no temporary file; and to change no file that it
 * was not told to write, nor any at all when it fails.
 *
 *     commands RESEAT SECONDS [ROUND]
 *
 * runs for so long from round ROUND on (each is the same every time); without words, as in `make
 * check`, a few hundred rounds with ./reseat. TAP; the first failure ends it and says what it was.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "text/printable.h"
#include "fuzz/command-lines.h"

enum {
    ROUNDS = 400,
    LIMIT = 10,
    PATIENCE = 40,
    MOST_FILES = 200,
    MOST_BYTES = 1 << 16,
    MOST_OUTPUT = 1 << 20
};

struct file {
    char name[NAME_MAX + 1];
    uint64_t hash;
};

struct listing {
    int count;
    struct file files[MOST_FILES];
};

static char work[64];
static char reseat[PATH_MAX];
static char output[MOST_OUTPUT + 1];
static unsigned long ended[3]; /* runs with status 0, 1 and 2 */

static void die(const char *what)
{
    printf("Bail out! %s: %s\n", what, strerror(errno));
    exit(1);
}

/* ---- the place ---- */

static void put_file(const char *name, const char *text, size_t size, mode_t mode)
{
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    if (file < 0 || write(file, text, size) != (ssize_t)size || close(file))
        die(name);
}

static size_t get_file(const char *name, char *text, size_t most)
{
    int file = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? -1 : read(file, text, most);
    if (file >= 0)
        close(file);
    return size < 0 ? 0 : (size_t)size;
}

/* One script for all launchers: our programs are started; where it is asked for the places of ranks it
 * does as $FAKE says, and a job it does not start. */
static const char launcher[] =
    "#!/bin/sh\n"
    "case ${1:-} in --version) case $0 in *mpiexec*) echo 'HYDRA build details:' ;; *) echo "
    "'mpirun "
    "(Open MPI) 4.1.4' ;; esac; exit 0 ;; esac\n"
    "for word; do case $word in */reseat-measure-* | */reseat-replay-*) exec sh \"$word\" ;; esac; "
    "done\n"
    "while [ $# -gt 0 ] && [ \"$1\" != sh ]; do shift; done\n"
    "case \"$*\" in *reseat-probe*) ;; *) exit 0 ;; esac\n"
    "case $FAKE in\n"
    "fail) echo 'no nodes'; exit 3 ;;\n"
    "shout) printf '\\033]0;x\\007\\233 \\302\\233\\n\\rno nodes\\n'; exit 1 ;;\n"
    "names) SLURMD_NODENAME='-oProxyCommand=touch pwned' ;;\n"
    "garbage) cat mutant.mat mutant.reseat; echo reseat-probe 0 a b; echo reseat-probe 99999999999 "
    "n0 "
    "0 "
    "4 yes - - x 0 0 0 0 0 0 '$(touch pwned)' 0 whole; exit 0 ;;\n"
    "none) exit 0 ;;\n"
    "esac\n"
    "export SLURMD_NODENAME\n"
    "for rank in 0 1 2 3 4 5 6 7; do\n"
    "    [ \"$FAKE\" = names ] || SLURMD_NODENAME=n$((rank % 2))\n"
    "    OMPI_COMM_WORLD_RANK=$rank PMI_RANK=$rank SLURM_PROCID=$rank \"$@\"\n"
    "done\n";

/* What stands for our MPI programs: they print what they have found, or as $FAKE says. */
static const char program[] =
    "name=${0##*/}\n"
    "name=${name%-*}\n"
    "case $FAKE in\n"
    "fail) echo 'no nodes'; exit 3 ;;\n"
    "shout) printf \"%s error \\\\033]0;x\\\\007\\\\233 \\\\302\\\\233\\n\" \"$name\" ;;\n"
    "names) echo \"0: $name error -oProxyCommand=touch pwned\" ;;\n"
    "garbage) sed \"s/^/$name file /\" mutant-timings; sed \"s/^/$name /\" mutant-result ;;\n"
    "none) exit 0 ;;\n"
    "*) sed \"s/^/$name file /\" timings; sed \"s/^/$name /\" result ;;\n"
    "esac\n"
    "echo \"$name end\"\n";

/* What a job may be is in reach, and nothing else that a word could mean here. */
static void link_tools(void)
{
    static const char *const tools[] = {"sh",      "cat",  "sed", "uname",
                                        "getconf", "head", "env", "true"};
    if (mkdir("tools", 0755))
        die("tools");
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
        char from[64], to[64];
        snprintf(from, sizeof from, "/usr/bin/%s", tools[i]);
        snprintf(to, sizeof to, "tools/%s", tools[i]);
        if (access(from, X_OK))
            snprintf(from, sizeof from, "/bin/%s", tools[i]);
        if (symlink(from, to))
            die(to);
    }
}

static void put_launchers(void)
{
    static const char *const names[] = {"mpirun.openmpi", "mpiexec.hydra", "srun",   "mpirun",
                                        "mpiexec",        "flux",          "prterun"};
    if (mkdir("bin", 0755) || mkdir("lib", 0755) || mkdir("tmp", 0755) || mkdir("run", 0755))
        die("mkdir");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "bin/%s", names[i]);
        put_file(path, launcher, sizeof launcher - 1, 0755);
    }
    put_file("lib/libreseat-openmpi.so", "", 0, 0644);
    put_file("lib/libreseat-mpich.so", "", 0, 0644);
    put_file("lib/reseat-measure-openmpi", program, sizeof program - 1, 0755);
    put_file("lib/reseat-measure-mpich", program, sizeof program - 1, 0755);
    put_file("lib/reseat-replay-openmpi", program, sizeof program - 1, 0755);
    put_file("lib/reseat-replay-mpich", program, sizeof program - 1, 0755);
}

/* A ring of ranks in which every second pair is heavy, with seats on hosts of four. */
static size_t make_profile(char *text, size_t most, int ranks)
{
    FILE *file = fmemopen(text, most, "w");
    if (!file)
        die("fmemopen");
    fprintf(file, "# reseat profile 1\n# ranks: %d\n# program: /bin/a b\n# arguments: x \\x1b\n",
            ranks);
    for (int r = 0; r < ranks; r++)
        fprintf(file, "# seat: %d host%d 0 0 0 0 %d %d\n", r, r % (ranks / 4), r / 4, r / 4);
    fprintf(file,
            "# domain 0 function=MPI_COMM_WORLD parent=- size=%d first=0 ordinal=0 members=all\n# "
            "p2p\n",
            ranks);
    for (int r = 0; r < ranks; r++)
        fprintf(file, "%d\t%d\t2\t%d\t%d.0\n", r, (r + 1) % ranks, r % 2 ? 16 : 16000,
                r % 2 ? 8 : 8000);
    fprintf(file,
            "# domain 1 function=MPI_Cart_create parent=0 size=2 first=3 ordinal=0 members=3,1\n"
            "# coll\n0\t1\t2\t200\t100.0\n# end %d\n",
            ranks + 1);
    size_t size = (size_t)ftell(file);
    fclose(file);
    return size;
}

static int run(char *const *argv, double *seconds);

static void convert(const char *to)
{
    char *const argv[] = {reseat,       (char *)"convert", (char *)"good.reseat",
                          (char *)"-o", (char *)to,        NULL};
    double seconds;
    if (run(argv, &seconds))
        die(to);
}

static void put_fixtures(void)
{
    static char text[MOST_BYTES];
    static const char *const forms[] = {"good.txt",   "good.mtx", "good.csv",
                                        "good.graph", "good.grf", "good.mat"};
    static const char monitoring[] = "# POINT TO POINT\nE\t0\t1\t8 bytes\t1 msgs sent\t1,0\n";
    static const char machine[] =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
        "<topology version=\"2.0\">\n</topology>\n";
    static const char switches[] =
        "SwitchName=s0 Nodes=host[0-1],n0\nSwitchName=s1 Nodes=host[2-3],n1\n"
        "SwitchName=top Switches=s0,s1\n";
    static const char workload[] =
        "profile good.reseat seconds=2\npattern alltoall ranks=9 length=2MB rate=10 messages=3\n";
    static const char timings[] =
        "# reseat timings 1\n# host: n0\nlevel machine bytes 8 seconds 4e-05 times 9 spread 0.1\n"
        "level machine bytes 1000000 seconds 0.01\nlevel node bytes 8 seconds 4e-07\n"
        "level node bytes 1000000 seconds 0.001\nhop machine seconds 1e-06\n"
        "card out ranks 1 bytes_per_second 1e8\ncard both ranks 4 bytes_per_second 1.5e8\n"
        "card out near package ranks 1 bytes_per_second 7e7\n"
        "memory pairs 2 bytes_per_second 8e9\n";
    static const char result[] = "ranks 8\nrecorded 32 64000\nsent 16 32000\nscale 0.5\nrounds 2\n"
                                 "seconds 0.5\nseconds 0.25\n";
    static const char rates[] = "nodes 5\ncard_bytes_per_second 1e8\ncard_directions 1\n";
    put_file("good.reseat", text, make_profile(text, sizeof text, 16), 0644);
    put_file("eight.reseat", text, make_profile(text, sizeof text, 8), 0644);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        convert(forms[i]);
    put_file("good.prof", monitoring, sizeof monitoring - 1, 0644);
    put_file("machine.xml", machine, sizeof machine - 1, 0644);
    put_file("switches", switches, sizeof switches - 1, 0644);
    put_file("workload", workload, sizeof workload - 1, 0644);
    put_file("rates", rates, sizeof rates - 1, 0644);
    put_file("timings", timings, sizeof timings - 1, 0644);
    put_file("result", result, sizeof result - 1, 0644);
    put_file("mapping", "0 1\n1 0\n2 2\n3 3\n4 4\n5 5\n6 7\n7 6\n", 32, 0644);
    put_file("empty", "", 0, 0644);
    if (mkdir("folder", 0755))
        die("folder");
}

/* The same for a round, whatever came before. */
static void put_mutants(void)
{
    static const char *const mutants[][2] = {{"good.reseat", "mutant.reseat"},
                                             {"good.txt", "mutant.txt"},
                                             {"good.mtx", "mutant.mtx"},
                                             {"good.csv", "mutant.csv"},
                                             {"good.graph", "mutant.graph"},
                                             {"good.grf", "mutant.grf"},
                                             {"good.mat", "mutant.mat"},
                                             {"good.prof", "mutant.prof"},
                                             {"switches", "mutant-switches"},
                                             {"mapping", "mutant-mapping"},
                                             {"machine.xml", "mutant-machine.xml"},
                                             {"workload", "mutant-workload"},
                                             {"rates", "mutant-rates"},
                                             {"timings", "mutant-timings"},
                                             {"result", "mutant-result"}};
    static char text[MOST_BYTES];
    for (size_t i = 0; i < sizeof mutants / sizeof mutants[0]; i++) {
        size_t size = get_file(mutants[i][0], text, sizeof text / 2);
        put_file(mutants[i][1], text, command_line_mutate(text, size, sizeof text), 0644);
    }
    unlink("good.reseat.verdict");
    if (command_lines_random() % 4 == 0) {
        strcpy(text, "-1 Reseat makes this job slower\n");
        put_file(
            "good.reseat.verdict", text,
            command_line_mutate(text, command_lines_random() % 2 ? strlen(text) : 0, sizeof text),
            0644);
    }
}

/* ---- what is there ---- */

static uint64_t hash_of(const char *name)
{
    static char text[MOST_BYTES];
    size_t size = get_file(name, text, sizeof text);
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
    return hash ^ size;
}

static void list_files(struct listing *listing, const char *folder)
{
    DIR *all = opendir(folder);
    struct dirent *entry;
    listing->count = 0;
    if (!all)
        die(folder);
    while ((entry = readdir(all)) && listing->count < MOST_FILES) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        struct file *file = &listing->files[listing->count++];
        snprintf(file->name, sizeof file->name, "%s", entry->d_name);
        file->hash = hash_of(entry->d_name);
    }
    closedir(all);
}

static const struct file *find_file(const struct listing *listing, const char *name)
{
    for (int i = 0; i < listing->count; i++)
        if (strcmp(listing->files[i].name, name) == 0)
            return &listing->files[i];
    return NULL;
}

/* Whether the command line lets a file of that name be written. */
static int is_named(const struct command_line *line, const char *name)
{
    char shorter[NAME_MAX + 1];
    size_t length = strlen(name), ending = strlen(".verdict");
    snprintf(shorter, sizeof shorter, "%s", name);
    if (length > ending && strcmp(name + length - ending, ".verdict") == 0)
        shorter[length - ending] = '\0';
    for (int i = 0; i < line->count; i++)
        if (strstr(line->words[i], shorter))
            return 1;
    return 0;
}

/* verify keeps it for runs to come, and may fail because of what it says. */
static int is_verdict_of(const struct command_line *line, const char *name)
{
    size_t length = strlen(name), ending = strlen(".verdict");
    return strcmp(line->words[0], "verify") == 0 && length > ending &&
           strcmp(name + length - ending, ".verdict") == 0;
}

/* topo writes several files, each completely or not at all, and may fail at the last. */
static int writes_several(const struct command_line *line)
{
    int outputs = 0;
    for (int i = 1; i < line->count; i++)
        outputs += strcmp(line->words[i], "--svg") == 0 || strcmp(line->words[i], "--png") == 0 ||
                   strcmp(line->words[i], "-o") == 0 || strcmp(line->words[i], "--output") == 0;
    return strcmp(line->words[0], "topo") == 0 && outputs > 1;
}

static int starts_job(const char *command)
{
    return strcmp(command, "profile") == 0 || strcmp(command, "run") == 0 ||
           strcmp(command, "verify") == 0;
}

/* ---- a run ---- */

static void start(char *const *argv)
{
    int null = open("/dev/null", O_RDONLY),
        out = open("../out", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const struct rlimit no_core = {0, 0}, size = {1 << 30, 1 << 30};
    setpgid(0, 0);
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_FSIZE, &size);
    dup2(null, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execv(argv[0], argv);
    _exit(125);
}

/* The status as of waitpid; *seconds of a processor, or of the clock where it had to be ended. */
static int run(char *const *argv, double *seconds)
{
    int status = 0;
    struct rusage usage;
    pid_t child = fork();
    if (child == 0)
        start(argv);
    for (int ms = 0; wait4(child, &status, WNOHANG, &usage) == 0; ms++) {
        if (ms == 1000 * PATIENCE) {
            kill(-child, SIGKILL);
            wait4(child, &status, 0, &usage);
            *seconds = PATIENCE;
            return status;
        }
        usleep(1000);
    }
    *seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec);
    return status;
}

static const char *judge_files(const struct command_line *line, const struct listing *before,
                               int status)
{
    static struct listing after, temporary;
    list_files(&after, ".");
    list_files(&temporary, "../tmp");
    if (temporary.count)
        return "a temporary file is left";
    for (int i = 0; i < after.count; i++) {
        const struct file *now = &after.files[i], *old = find_file(before, now->name);
        if (strcmp(now->name, "pwned") == 0)
            return "a word was run by a shell";
        if (old && old->hash == now->hash)
            continue;
        if (status && !is_verdict_of(line, now->name) && !writes_several(line))
            return old ? "a file is changed although it failed"
                       : "a file is left although it failed";
        if (!is_named(line, now->name) && strcmp(now->name, "reseat.profile") != 0)
            return old ? "a file is changed that was not named"
                       : "a file is there that was not named";
    }
    for (int i = 0; i < before->count; i++)
        if (!find_file(&after, before->files[i].name))
            return "a file is gone";
    return NULL;
}

/* What is wrong with a run; NULL: nothing. */
static const char *judge(const struct command_line *line, const struct listing *before, int status,
                         double seconds)
{
    size_t size = get_file("../out", output, MOST_OUTPUT);
    output[size] = '\0';
    if (seconds > LIMIT)
        return "it takes too long";
    if (WIFSIGNALED(status))
        return "it died of a signal";
    if (strstr(output, "Sanitizer") || strstr(output, "runtime error:"))
        return "a sanitizer has found something";
    int code = WEXITSTATUS(status);
    if (code > 2 && code != 127 && !starts_job(line->words[0])) /* whose status it may be */
        return "an exit status that is not documented";
    for (size_t at = 0; at < size; at++) {
        at += printable_length(output + at, size - at);
        if (at < size && output[at] != '\n')
            return "a control character is printed";
    }
    if ((code == 1 || code == 2) && !size)
        return "it fails without a word";
    return judge_files(line, before, status);
}

static void set_environment(void)
{
    static const char *const variables[] = {"RESEAT_METRIC", "RESEAT_TOPOLOGY", "RESEAT_MAPPING",
                                            "RESEAT_PHASE",  "RESEAT_MIN_GAIN", "RESEAT_VERBOSE",
                                            "RESEAT_FOO",    "RESEAT_TIMINGS",  "RESEAT_OBJECTIVE"};
    static const char *const values[] = {"msg",
                                         "node:2 core:4",
                                         "mapping",
                                         "mutant-mapping",
                                         "./mutant-switches",
                                         "./switches",
                                         "0",
                                         "x\033",
                                         "3",
                                         "-1",
                                         "nan",
                                         "folder",
                                         "/dev/zero",
                                         "timings",
                                         "mutant-timings",
                                         "congestion",
                                         "time"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        if (command_lines_random() % 12)
            unsetenv(variables[i]);
        else
            setenv(variables[i],
                   values[command_lines_random() % (sizeof values / sizeof values[0])], 1);
    setenv("FAKE", command_line_launcher(), 1);
}

static void show(const struct command_line *line, uint64_t round, const char *what, int status)
{
    printf("not ok 1 - round %llu: %s (status %d%s)\n#", (unsigned long long)round, what,
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
           WIFSIGNALED(status) ? ", a signal" : "");
    for (int i = 0; i < line->count; i++) {
        printf(" '");
        printable_print(stdout, line->words[i]);
        printf("'");
    }
    printf("\n# FAKE=%s, in %s\n# ", getenv("FAKE"), work);
    for (size_t i = 0; output[i] && i < 8000; i++)
        if (output[i] == '\n')
            printf("\n# ");
        else
            putchar(printable_length(output + i, 1) ? output[i] : '?');
    printf("\n1..1\n");
}

/* 0, or -1 after having said what is wrong. */
static int play(uint64_t round)
{
    static struct listing before;
    struct command_line line;
    char *argv[LINE_WORDS + 2] = {reseat};
    double seconds = 0;
    command_lines_seed(round * UINT64_C(2654435761) + 1);
    put_mutants();
    set_environment();
    command_line_make(&line);
    for (int i = 0; i <= line.count; i++)
        argv[i + 1] = (char *)line.words[i];
    list_files(&before, ".");
    int status = run(argv, &seconds);
    const char *what = judge(&line, &before, status, seconds);
    if (what)
        show(&line, round, what, status);
    if (WIFEXITED(status) && WEXITSTATUS(status) < 3)
        ended[WEXITSTATUS(status)]++;
    return what ? -1 : 0;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

static void build_place(void)
{
    snprintf(work, sizeof work, "/tmp/reseat-commands.XXXXXX");
    if (!mkdtemp(work) || chdir(work))
        die(work);
    link_tools();
    put_launchers();
    setenv("PATH", "../bin:../tools", 1);
    setenv("RESEAT_LIBRARY_PATH", "../lib", 1);
    setenv("RESEAT_PROBE_SECONDS", "5", 1);
    setenv("SLURM_JOB_ID", "1", 1);
    setenv("LC_ALL", "C", 1);
    unsetenv("LD_PRELOAD");
    char temporary[128];
    snprintf(temporary, sizeof temporary, "%s/tmp", work);
    setenv("TMPDIR", temporary, 1);
}

/* Files as at the beginning: what a run was told to write is gone again. */
static void begin_anew(void)
{
    if (chdir(work) || nftw("run", remove_one, 16, FTW_DEPTH | FTW_PHYS) || mkdir("run", 0755) ||
        chdir("run"))
        die("run");
    put_fixtures();
}

int main(int argc, char **argv)
{
    double seconds = argc > 2 ? strtod(argv[2], NULL) : 0;
    uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 0, round = first;
    time_t start_of = time(NULL);
    if (!realpath(argc > 1 ? argv[1] : "./reseat", reseat))
        die("reseat");
    build_place();
    for (; seconds > 0 ? difftime(time(NULL), start_of) < seconds : round < ROUNDS; round++) {
        if ((round - first) % 50 == 0)
            begin_anew();
        if (play(round))
            return 1;
    }
    printf("ok 1 - %llu command lines (%lu did something, %lu found trouble, %lu were "
           "refused)\n1..1\n",
           (unsigned long long)(round - first), ended[0], ended[1], ended[2]);
    if (chdir("/") || nftw(work, remove_one, 16, FTW_DEPTH | FTW_PHYS))
        die(work);
    return 0;
}
