/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job.c - find out which MPI a command line uses: the launcher tells by its real name, the program
 * by the libraries that the dynamic loader finds for it. Either is enough; if they disagree, that
 * is an error. In a rank, which its variables tell, there is no launcher to be named.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/job/elf.h"
#include "cmd/job/job.h"
#include "cmd/shell/shell-word.h"
#include "cmd/shell/library.h"
#include "cmd/shell/complain.h"

/* Returns 1 if this is a file that can be executed; `path` gets its real name. (Folders have
 * execute permission, too.) */
static int job_is_executable(const char *name, char path[PATH_MAX])
{
    struct stat status;
    return access(name, X_OK) == 0 && stat(name, &status) == 0 && S_ISREG(status.st_mode) &&
           realpath(name, path);
}

int find_in_path(const char *name, char path[PATH_MAX])
{
    char tried[PATH_MAX];
    if (strchr(name, '/'))
        return job_is_executable(name, path) ? 0 : -1;
    const char *list = getenv("PATH");
    while (list && *list) {
        int length = (int)strcspn(list, ":"); /* 0: the current folder */
        int size =
            snprintf(tried, sizeof tried, "%.*s%s%s", length, list, length ? "/" : "./", name);
        if (size < (int)sizeof tried && job_is_executable(tried, path))
            return 0;
        list += length + (list[length] == ':');
    }
    return -1;
}

const char *job_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

FILE *job_pipe(const char *const *words, const char *rest)
{
    char *line = NULL;
    size_t size;
    FILE *text = open_memstream(&line, &size), *pipe = NULL;
    if (!text)
        return NULL;
    for (; *words; words++) {
        shell_word_print(text, *words);
        putc(' ', text);
    }
    fputs(rest, text);
    if (fclose(text) == 0)
        pipe = popen(line, "re");
    free(line);
    return pipe;
}

/* The launcher by its own --version; NULL: not known. */
static const struct launcher *job_launcher_by_version(const char *path)
{
    char line[4096];
    const struct launcher *launcher = NULL;
    int version = 0;
    const char *const words[] = {path, "--version", NULL};
    FILE *pipe = path[0] ? job_pipe(words, "</dev/null 2>&1") : NULL;
    while (pipe && fgets(line, sizeof line, pipe))
        launcher_read_version(line, &launcher, &version);
    if (pipe)
        pclose(pipe);
    return launcher;
}

/* The launcher that a word names, by its own name or that of the file behind a link; NULL: none.
 * *is_asked: its version was needed. */
static const struct launcher *job_find_launcher(const char *word, int *is_asked)
{
    char path[PATH_MAX] = "";
    const struct launcher *launcher = NULL;
    if (find_in_path(word, path) == 0)
        launcher = launcher_find(job_base_name(path));
    if (!launcher)
        launcher = launcher_find(job_base_name(word));
    *is_asked = !launcher && launcher_is_common_name(job_base_name(word));
    return *is_asked ? job_launcher_by_version(path) : launcher;
}

const struct launcher *job_ask_launcher(const struct job *job, char **argv)
{
    char path[PATH_MAX];
    const struct launcher *successor = job->launcher->successor;
    int can_ask = successor && !job->is_asked && find_in_path(argv[job->launcher_at], path) == 0;
    return can_ask && job_launcher_by_version(path) == successor ? successor : job->launcher;
}

/* Findings in the libraries of a program. */
struct job_libraries {
    const char *mpi; /* NULL: none is of an MPI whose calls we know */
    int has_asan, has_standard_abi;
    char *own_mpi; /* as in struct job */
};

/* Keep the path in `libmpi.so.12 => /path (0x...)`. */
static void job_see_own_mpi(struct job_libraries *found, const char *line)
{
    static const char before[] = "libmpi.so.12 => ";
    const char *path = strstr(line, before);
    path = path ? path + strlen(before) : "";
    if (*path == '/')
        snprintf(found->own_mpi, LIBRARY_PATH_SIZE, "%.*s", (int)strcspn(path, " \n"), path);
}

static void job_see_library(void *context, const char *line)
{
    struct job_libraries *found = context;
    found->has_asan |=
        strstr(line, "libasan.so") != NULL || strstr(line, "libclang_rt.asan") != NULL;
    if (strstr(line, "libmpi.so.40") || strstr(line, "libmpi.so.20"))
        found->mpi = "openmpi";
    else if (strstr(line, "libmpich.so") || strstr(line, "libmpi.so.12"))
        found->mpi = "mpich";
    job_see_own_mpi(found, line);
    found->has_standard_abi |= strstr(line, "libmpi_abi.so") != NULL;
}

/* All libraries that the dynamic loader would give a program. The loader is run under its own name,
 * as ldd(1) does in some cases: with the program's name, a program that is linked statically, or
 * has a loader other than glibc's, would run. */
static void job_ask_loader(const char *loader, const char *path, struct job_libraries *found)
{
    char line[4096];
    const char *words[] = {"LD_PRELOAD=", loader, "--list", path, NULL};
    FILE *pipe = job_pipe(words, "</dev/null 2>/dev/null");
    while (pipe && fgets(line, sizeof line, pipe))
        job_see_library(found, line);
    if (pipe)
        pclose(pipe);
}

/* The MPI that a program is linked with; NULL: none. A rank looks into its file first, which mostly
 * tells: thousands of ranks do this at once. */
static const char *job_mpi_of_program(const char *word, struct job *job)
{
    char path[PATH_MAX], loader[PATH_MAX], where[LIBRARY_WHERE_SIZE];
    struct job_libraries found = {.own_mpi = job->own_mpi}, direct = found;
    if (find_in_path(word, path))
        return NULL;
    job->holds_library = elf_holds_library(path, "mpich");
    if (job->holds_library || elf_kind_of(path, loader) != ELF_DYNAMIC)
        return job->holds_library ? "mpich" : NULL;
    elf_needs(path, job_see_library, &direct);
    job->names_mpi = direct.mpi != NULL;
    if (job->rank >= 0)
        found = direct;
    if (!found.mpi && !found.has_standard_abi && !(job->rank >= 0 && origin_is_interpreter(word)))
        job_ask_loader(loader, path, &found);
    job->has_asan |= found.has_asan;
    job->standard_abi = 0;
    if (found.mpi || !found.has_standard_abi)
        return found.mpi;
    job->standard_abi = locate_module("libreseat-abi.so", job->library, where) != 0;
    return job->standard_abi ? NULL : "abi";
}

int fail_without_module(const char *name, const char *where, const char *mpi,
                        struct reseat_error *error)
{
    if (getenv("RESEAT_LIBRARY_PATH"))
        return reseat_fail(error, "%s %s", name, where);
    return reseat_fail(error, "%s %s: install the package reseat-%s, or build reseat with that MPI",
                       name, where, mpi);
}

int refuse_rank(const struct job *job, struct reseat_error *error)
{
    if (job->rank < 0)
        return 0;
    cli_keep_quiet(job->rank > 0);
    return cli_refuse(error, "this is a rank of a job already: put reseat before the launcher");
}

int fail_without_mpi(const char *word, struct reseat_error *error)
{
    char path[PATH_MAX];
    if (!strchr(word, '/') && find_in_path(word, path)) {
        reseat_fail(error, "%s: command not found", word);
        return CLI_NOT_FOUND;
    }
    return cli_refuse(
        error, "cannot tell which MPI '%s' uses: say --mpi openmpi, --mpi mpich or --mpi abi",
        word);
}

int job_preloads(const struct job *job)
{
    return !job->standard_abi && !job->holds_library;
}

/* The libmpi.so.12 that has to follow that library in LD_PRELOAD, or what it is linked with comes
 * before the MPI of the program, because the program does not name its MPI itself: it loads it, as
 * Python does, or one of its libraries names it, as that of Intel MPI for Fortran. Or empty. */
static const char *job_mpi_behind(const struct job *job)
{
    return job->names_mpi || strpbrk(job->own_mpi, " :") ? "" : job->own_mpi;
}

char *job_preload(const struct job *job, const char *before, const char *theirs)
{
    const char *mpi = job_mpi_behind(job);
    char *text = NULL;
    int length = asprintf(&text, "%s%s%s%s%s%s", before, job->library, mpi[0] ? ":" : "", mpi,
                          theirs[0] ? ":" : "", theirs);
    return length < 0 ? NULL : text;
}

int find_library(struct job *job, char **argv, struct reseat_error *error)
{
    char name[64], where[LIBRARY_WHERE_SIZE];
    if (!job_preloads(job))
        return 0;
    if (job->launcher->simulated_hosts)
        return cli_refuse(error,
                          "%s simulates all ranks in one process, which can load no library of "
                          "ours: it is for measure, replay, verify --replay and compare --replay",
                          argv[job->launcher_at]);
    if (!job->mpi)
        return fail_without_mpi(argv[0], error);
    snprintf(name, sizeof name, "libreseat-%s.so", job->mpi);
    if (locate_module(name, job->library, where))
        return fail_without_module(name, where, job->mpi, error);
    if (strpbrk(job->library, " :"))
        return reseat_fail(error,
                           "%s: LD_PRELOAD takes no path with a space or a colon; put the library "
                           "elsewhere and name the folder in RESEAT_LIBRARY_PATH",
                           job->library);
    return 0;
}

/* The first word after the launcher that can be executed and does not belong to an option. -1:
 * none. */
static int job_first_command(const struct job *job, char **argv)
{
    char path[PATH_MAX];
    for (int i = job->options_at; argv[i]; i++) {
        int values = launcher_option_values(job->launcher, argv[i]);
        if (argv[i][0] != '-' && find_in_path(argv[i], path) == 0)
            return i;
        if (values == 1 && argv[i + 1] && argv[i + 1][0] == '-')
            values = 0; /* apparently an option without a value */
        for (; values > 0 && argv[i + 1]; values--)
            i++;
    }
    return -1;
}

/* If no word is linked with an MPI (a script, an interpreter), the program is the first command. */
static void job_find_program(struct job *job, char **argv)
{
    char path[PATH_MAX] = "";
    job->wrapper = job_first_command(job, argv);
    if (job->program < 0)
        job->program = job->wrapper;
    if (job->wrapper < 0 || job->wrapper > job->program)
        job->wrapper = job->program;
    if (job->program >= 0 && find_in_path(argv[job->program], path) == 0)
        snprintf(job->path, sizeof job->path, "%s", path);
}

int job_parts(const struct job *job, char **argv)
{
    int parts = 1;
    for (int i = job->options_at; job->launcher_at >= 0 && argv[i]; i++)
        parts += launcher_is_context(job->launcher, argv[i]);
    return parts;
}

int job_take_part(const struct job *job, char **argv, int at, char **words)
{
    int n = job->options_at;
    memcpy(words, argv, (size_t)n * sizeof *words);
    for (; argv[at] && !launcher_is_context(job->launcher, argv[at]); at++)
        words[n++] = argv[at];
    words[n] = NULL;
    return argv[at] ? at + 1 : 0;
}

void job_find_origin(struct job_origin *origin, const struct job *job, char **argv)
{
    char path[PATH_MAX];
    size_t length = 0;
    int at = job->program;
    *origin = (struct job_origin){.now = {.program = origin->program,
                                          .arguments = origin->arguments,
                                          .is_openmpi = job->mpi && !strcmp(job->mpi, "openmpi"),
                                          .is_mpich = job->mpi && !strcmp(job->mpi, "mpich")}};
    if (at < 0)
        return;
    int is_told = job->linked; /* else an interpreter with a script behind it tells */
    for (int i = job->wrapper; i < at; i++)
        is_told &= !origin_is_interpreter(argv[i]); /* it may run the program, or not */
    while (argv[at] && !job->linked && !(is_told = origin_is_interpreter(argv[at]) && argv[at + 1]))
        at++;
    is_told = is_told && find_in_path(argv[at], path) == 0 && realpath(path, origin->program);
    if (!is_told || (!job->linked && !origin_is_interpreter(origin->program))) {
        origin->program[0] = '\0';
        return;
    }
    for (at++; argv[at] && length < sizeof origin->arguments; at++)
        length += (size_t)snprintf(origin->arguments + length, sizeof origin->arguments - length,
                                   "%s%s", length ? " " : "", argv[at]);
}

static int job_has_subcommand(const struct launcher *launcher, const char *word)
{
    return launcher->subcommand && word && strcmp(word, launcher->subcommand) == 0;
}

/* Find the launcher and the program, and set `rank`. Returns the MPI that the program is linked
 * with, or NULL. The words after the program are its own, and so are those after an interpreter
 * where a launcher has started us. */
static const char *job_read_words(struct job *job, char **argv)
{
    const char *mpi = NULL;
    const struct launcher *launcher = NULL;
    int is_asked = 0, is_program = 0;
    for (int i = 0; argv[i] && job->program < 0; i++) {
        if (job->launcher_at < 0 && !is_program &&
            (launcher = job_find_launcher(argv[i], &is_asked))) {
            job->launcher = launcher;
            job->launcher_at = i;
            job->options_at = i + 1 + job_has_subcommand(launcher, argv[i + 1]);
            job->is_asked = is_asked;
            job->rank = -1;
        } else if ((mpi = job_mpi_of_program(argv[i], job)) || job->standard_abi)
            job->program = i;
        is_program |= job->rank >= 0 && origin_is_interpreter(argv[i]);
    }
    job->linked = mpi != NULL;
    return mpi;
}

/* With a personality, PRRTE is another launcher. */
static const struct launcher *job_find_persona(const struct job *job, char **argv)
{
    const struct launcher *launcher = job->launcher;
    for (int i = job->options_at; launcher->personality && argv[i] && i != job->wrapper; i++)
        if (strstr(argv[i], "-personality")) {
            const char *value = strchr(argv[i], '=') ? argv[i] : argv[i + 1];
            return value && strstr(value, launcher->personality) ? launcher->persona : launcher;
        }
    return launcher;
}

/* The file of the launcher or, in a rank, of what has started it. 0, or -1. */
static int job_file_of_launcher(const struct job *job, char **argv, char path[PATH_MAX])
{
    char link[64];
    if (job->launcher_at >= 0)
        return find_in_path(argv[job->launcher_at], path);
    snprintf(link, sizeof link, "/proc/%d/exe", (int)getppid());
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0 ? 0 : -1;
}

/* A program that loads its MPI when it runs, as Python does, would get the one that our library is
 * linked with, where that has another name: find the one that belongs to the launcher. */
static void job_find_launchers_mpi(struct job *job, char **argv)
{
    static const char *const names[] = {"lib/libmpi.so.12", "lib/release/libmpi.so.12"};
    char path[PATH_MAX];
    if (job_file_of_launcher(job, argv, path))
        return;
    for (int levels = 0; levels < 2; levels++) /* bin/mpiexec */
        if (strrchr(path, '/'))
            *strrchr(path, '/') = '\0';
    for (int i = 0; i < 2 && !job->own_mpi[0]; i++) {
        snprintf(job->own_mpi, sizeof job->own_mpi, "%.*s/%s", (int)sizeof path - 64, path,
                 names[i]);
        if (access(job->own_mpi, R_OK) != 0)
            job->own_mpi[0] = '\0';
    }
}

int find_job(struct job *job, const char *mpi, char **argv, struct reseat_error *error)
{
    *job = (struct job){.launcher = &launcher_unknown,
                        .launcher_at = -1,
                        .program = -1,
                        .rank = launcher_own_rank()};
    if (argv[0][0] == '-')
        return cli_refuse(
            error,
            "'%s' is where the launcher is expected; options come before it and before "
            "a FILE",
            argv[0]);
    const char *linked = job_read_words(job, argv);
    job_find_program(job, argv);
    job->launcher = job_find_persona(job, argv);
    int is_abi = linked && strcmp(linked, "abi") == 0; /* of any launcher */
    const char *launched = is_abi ? NULL : job->launcher->mpi;
    if (!mpi && launched && linked && strcmp(launched, linked) != 0)
        return cli_refuse(
            error,
            "the launcher %s is of %s but the program is linked with %s; use the other "
            "launcher, or say --mpi",
            argv[job->launcher_at], launched, linked);
    job->mpi = mpi              ? mpi
               : launched       ? launched
               : linked         ? linked
               : job->rank >= 0 ? launcher_own_mpi()
                                : NULL;
    if (!linked && (job->launcher_at >= 0 || job->rank >= 0) && job->mpi &&
        strcmp(job->mpi, "mpich") == 0)
        job_find_launchers_mpi(job, argv);
    return 0;
}
