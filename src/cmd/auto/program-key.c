/* SPDX-License-Identifier: BSD-3-Clause */
/* program-key.c - see program-key.h. */
#include "cmd/auto/program-key.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/ascending.h"
#include "base/array.h"
#include "base/hash.h"
#include "cmd/job/delivery.h"
#include "cmd/shell/shell-word.h"
#include "text/lines.h"

/* ---- the program ---- */

static uint64_t program_key_add(uint64_t hash, const char *text)
{
    return reseat_hash_add(hash, text, strlen(text) + 1);
}

/* The hash of what is in a file. 0, or -1 with errno. */
static int program_key_hash_file(const char *path, uint64_t *hash)
{
    char bytes[65536];
    size_t size;
    FILE *file = fopen(path, "re");
    if (!file)
        return -1;
    *hash = reseat_hash_empty;
    while ((size = fread(bytes, 1, sizeof bytes, file)) > 0)
        *hash = reseat_hash_add(*hash, bytes, size);
    int failed = ferror(file);
    fclose(file);
    return failed ? -1 : 0;
}

/* 0, or -1 with *error. */
static int program_key_find_build(struct program_key *key, struct reseat_error *error)
{
    char build[ELF_BUILD_SIZE];
    uint64_t hash;
    if (elf_build_of(key->path, build) == 0)
        snprintf(key->build, sizeof key->build, "build %s", build);
    else if (program_key_hash_file(key->path, &hash) == 0)
        snprintf(key->build, sizeof key->build, "hash %016" PRIx64, hash);
    else
        return reseat_fail(error, "%s: %s", key->path, strerror(errno));
    return 0;
}

/* The index of the script that an interpreter runs, whose own options come before it; -1: there is
 * none, or the job runs no interpreter. */
static int program_key_find_script(const struct job *job, char **argv, char path[PATH_MAX])
{
    struct stat status;
    int at = job->program;
    while (argv[at] && !origin_is_interpreter(argv[at]))
        at++;
    for (at += argv[at] != NULL; argv[at]; at++) {
        if (argv[at][0] != '-')
            return stat(argv[at], &status) == 0 && S_ISREG(status.st_mode) &&
                           realpath(argv[at], path)
                       ? at
                       : -1;
        if (strcmp(argv[at], "-c") == 0 || strcmp(argv[at], "-m") == 0)
            return -1;
    }
    return -1;
}

/* Find the file, and the index of the word that names it. 0, or -1 with *error. */
static int program_key_find_file(struct program_key *key, const struct job *job, char **argv,
                                 int *at, struct reseat_error *error)
{
    if (job->program < 0)
        return reseat_fail(error, "which program the job runs is not known");
    *at = job->linked ? -1 : program_key_find_script(job, argv, key->path);
    if (*at < 0) {
        *at = job->program;
        snprintf(key->path, sizeof key->path, "%s", job->path);
    }
    return 0;
}

/* The words after the program, and after `#' those that run it, if there are any. 0, or -1: out of
 * memory. */
static int program_key_find_arguments(struct program_key *key, const struct job *job, char **argv,
                                      int at)
{
    int first = job->wrapper >= 0 && job->wrapper < job->program ? job->wrapper : job->program;
    size_t size;
    FILE *text = open_memstream(&key->arguments, &size);
    if (!text)
        return -1;
    shell_words_print(text, "", argv + at + 1);
    if (first < at)
        fputs(argv[at + 1] ? " #" : "#", text);
    for (int i = first; i < at; i++) {
        putc(' ', text);
        shell_word_print(text, argv[i]);
    }
    return fclose(text) ? -1 : 0;
}

/* ---- the launcher's words ---- */

/* Count in an option that places ranks, as launcher_option_of has read it, and its value. */
static uint64_t program_key_add_option(uint64_t hash, const char *word, int joined,
                                       const char *value)
{
    char name[64];
    const char *first = word + strspn(word, "-");
    const char *end = joined ? word + joined - (word[joined - 1] == '=') : word + strlen(word);
    snprintf(name, sizeof name, "%.*s", (int)(end - first), first);
    return program_key_add(program_key_add(hash, name), value);
}

/* Read the options of one program; `until`: the first word that is none of them. Returns the number
 * of its ranks; 0: not known. */
static int program_key_read_options(struct program_key *key, const struct launcher *launcher,
                                    char **argv, int from, int until)
{
    int ranks = 0;
    for (int i = from; i < until; i++) {
        int joined = 0;
        const struct launcher_option *option = launcher_option_of(launcher, argv[i], &joined);
        if (!option)
            continue;
        const char *value = joined                          ? argv[i] + joined
                            : option->values && argv[i + 1] ? argv[i + 1]
                                                            : "";
        if (option->action == LAUNCHER_NUMBER) {
            ranks = atoi(value) > 0 ? atoi(value) : 0;
        } else if (option->action == LAUNCHER_DROP || option->action == LAUNCHER_DROP_IF_BINDING) {
            key->placing = program_key_add_option(key->placing, argv[i], joined, value);
        }
        i += joined ? 0 : option->values;
    }
    return ranks;
}

int program_key_host_file(int *hosts)
{
    const char *pbs = getenv("PBS_NODEFILE"), *path = pbs ? pbs : getenv("LSB_DJOB_HOSTFILE");
    uint64_t *host = NULL;
    struct reseat_error unused;
    struct lines lines;
    size_t ranks = 0;
    *hosts = 0;
    if (!path || lines_check_file(path, &unused) || lines_open(&lines, path, &unused))
        return 0;
    lines.open_end = 1;
    while (ranks < RESEAT_MOST_RANKS && lines_next(&lines) > 0)
        if (!lines_at_end(lines.line)) {
            const uint64_t hash = program_key_add(reseat_hash_empty, lines.line);
            if (array_add(&host, &ranks, &hash, sizeof hash))
                break;
        }
    lines_close(&lines);
    if (ranks)
        qsort(host, ranks, sizeof *host, ascending_uint64);
    for (size_t i = 0; i < ranks; i++)
        *hosts += i == 0 || host[i] != host[i - 1];
    free(host);
    return (int)ranks;
}

/* Some batch systems tell the number of ranks. */
static int program_key_batch_ranks(void)
{
    static const char *const names[] = {"SLURM_NTASKS", "PBS_NP", "NSLOTS", "LSB_DJOB_NUMPROC"};
    int hosts;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (getenv(names[i]) && atoi(getenv(names[i])) > 0)
            return atoi(getenv(names[i]));
    return program_key_host_file(&hosts);
}

static void program_key_find_ranks(struct program_key *key, const struct job *job, char **argv)
{
    int from = job->launcher_at < 0 ? -1 : job->options_at, is_known = from >= 0;
    const char *distribution = getenv("SLURM_DISTRIBUTION");
    key->placing = program_key_add(reseat_hash_empty, distribution ? distribution : "");
    while (from >= 0) {
        int until = delivery_program(job->launcher, argv, from);
        int ranks = program_key_read_options(key, job->launcher, argv, from, until);
        is_known &= ranks > 0;
        key->ranks += ranks;
        while (argv[until] && !launcher_is_context(job->launcher, argv[until]))
            until++;
        from = argv[until] ? until + 1 : -1;
    }
    if (job->rank >= 0) { /* as the launcher, whose words are not known, counts */
        key->ranks = launcher_own_ranks();
        key->placing = program_key_add(key->placing, "in a rank");
    } else if (!is_known) {
        key->ranks = program_key_batch_ranks();
    }
}

/* ---- all ---- */

int program_key_find(struct program_key *key, const struct job *job, char **argv, int by_arguments,
                     struct reseat_error *error)
{
    char ranks[16];
    int at = 0;
    *key = (struct program_key){.mpi = job->mpi ? job->mpi : "unknown"};
    if (program_key_find_file(key, job, argv, &at, error) || program_key_find_build(key, error))
        return -1;
    program_key_find_ranks(key, job, argv);
    if (by_arguments && program_key_find_arguments(key, job, argv, at))
        return reseat_fail(error, "out of memory");
    snprintf(ranks, sizeof ranks, "%d", key->ranks);
    key->hash = program_key_add(reseat_hash_empty, key->build);
    key->hash = program_key_add(program_key_add(key->hash, key->mpi), ranks);
    key->hash = program_key_add(key->hash, key->arguments ? "arguments" : "any");
    key->hash = program_key_add(key->hash, key->arguments ? key->arguments : "");
    return 0;
}

void program_key_free(struct program_key *key)
{
    free(key->arguments);
    key->arguments = NULL;
}
