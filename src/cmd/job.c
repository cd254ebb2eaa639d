/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job.c - which MPI does a command line use? The launcher tells by its real name, the program by
 * the libraries that the dynamic loader finds for it. Either is enough; two that disagree are an
 * error.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/elf.h"

/* Whether there is a file that can be executed; `path` gets its real name. Folders can be
 * "executed" too. */
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

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* What a command prints: `words` (NULL at the end), whatever characters they have, and `rest` as a
 * shell has it. NULL with errno. */
static FILE *ask(const char *const *words, const char *rest)
{
    char *line = NULL;
    size_t size;
    FILE *text = open_memstream(&line, &size), *pipe = NULL;
    if (!text)
        return NULL;
    for (; *words; words++) {
        print_word(text, *words);
        putc(' ', text);
    }
    fputs(rest, text);
    if (fclose(text) == 0)
        pipe = popen(line, "re");
    free(line);
    return pipe;
}

/* What a launcher says of itself: its MPI (NULL: nothing that is known), and whether it is PRRTE,
 * which Open MPI's is from version 5 on. */
static const char *mpi_of_version(const char *path, int *is_prrte)
{
    char line[4096];
    const char *mpi = NULL;
    long version = 0;
    const char *const words[] = {path, "--version", NULL};
    FILE *pipe = path[0] ? ask(words, "</dev/null 2>&1") : NULL;
    *is_prrte = 0;
    while (pipe && fgets(line, sizeof line, pipe)) {
        const char *number = strchr(line, ')');
        if (!version && number)
            version = strtol(number + 1, NULL, 10);
        *is_prrte |= version >= 5 || strstr(line, "PRRTE") != NULL;
        if (strstr(line, "Open MPI") || strstr(line, "OpenRTE"))
            mpi = "openmpi";
        else if (strstr(line, "HYDRA") || strstr(line, "MPICH") || strstr(line, "Intel(R) MPI"))
            mpi = "mpich";
    }
    if (pipe)
        pclose(pipe);
    return mpi;
}

/* The MPI of a launcher; "any" for those that launch either; NULL: not a launcher. */
static const char *mpi_of_launcher(const char *word, struct job *job)
{
    static const struct {
        const char *name, *mpi;
        enum launcher kind;
    } launchers[] = {{"orterun", "openmpi", LAUNCHER_OPENMPI},
                     {"prterun", "openmpi", LAUNCHER_OPENMPI},
                     {"prun", "openmpi", LAUNCHER_OPENMPI},
                     {"mpirun.openmpi", "openmpi", LAUNCHER_OPENMPI},
                     {"mpiexec.openmpi", "openmpi", LAUNCHER_OPENMPI},
                     {"mpiexec.hydra", "mpich", LAUNCHER_HYDRA},
                     {"mpirun.mpich", "mpich", LAUNCHER_HYDRA},
                     {"mpiexec.mpich", "mpich", LAUNCHER_HYDRA},
                     {"srun", "any", LAUNCHER_SRUN},
                     {"flux", "any", LAUNCHER_OTHER}};
    char path[PATH_MAX] = "";
    const char *names[2] = {base_of(word), NULL};
    if (find_in_path(word, path) == 0)
        names[1] = base_of(path);
    for (int n = 1; n >= 0; n--)
        for (size_t i = 0; names[n] && i < sizeof launchers / sizeof launchers[0]; i++)
            if (strcmp(names[n], launchers[i].name) == 0) {
                job->kind = launchers[i].kind;
                return launchers[i].mpi;
            }
    if (strcmp(names[0], "mpirun") != 0 && strcmp(names[0], "mpiexec") != 0)
        return NULL;
    int is_prrte = 0;
    const char *mpi = mpi_of_version(path, &is_prrte);
    if (mpi)
        job->is_prrte = is_prrte;
    job->kind = mpi && strcmp(mpi, "mpich") == 0 ? LAUNCHER_HYDRA : LAUNCHER_OPENMPI;
    return mpi;
}

int launcher_is_prrte(const struct job *job, char **argv)
{
    char path[PATH_MAX] = "";
    int answer = job->is_prrte;
    if (answer < 0 && find_in_path(argv[job->launcher_at], path) == 0)
        mpi_of_version(path, &answer);
    return answer > 0;
}

/* The MPI that the dynamic loader would give a program; NULL: none. The loader is asked by its own
 * name, as ldd(1) does where it has to: started by the name of the program, one that is linked
 * statically, or whose loader is none of glibc's, would run. */
static const char *mpi_of_program(const char *word, struct job *job)
{
    char path[PATH_MAX], loader[PATH_MAX], line[4096];
    if (find_in_path(word, path) || elf_kind_of(path, loader) != ELF_DYNAMIC)
        return NULL;
    const char *mpi = NULL, *const words[] = {"LD_PRELOAD=", loader, "--list", path, NULL};
    FILE *pipe = ask(words, "</dev/null 2>/dev/null");
    while (pipe && fgets(line, sizeof line, pipe)) {
        job->has_asan |=
            strstr(line, "libasan.so") != NULL || strstr(line, "libclang_rt.asan") != NULL;
        if (strstr(line, "libmpi.so.40") || strstr(line, "libmpi.so.20"))
            mpi = "openmpi";
        else if (strstr(line, "libmpich.so") || strstr(line, "libmpi.so.12"))
            mpi = "mpich";
    }
    if (pipe)
        pclose(pipe);
    return mpi;
}

int find_library(struct job *job, const char *command, char **argv)
{
    char name[64], where[LIBRARY_WHERE_SIZE];
    if (!job->mpi)
        return complain(EXIT_USAGE, command,
                        "cannot tell which MPI '%s' uses: say --mpi openmpi or --mpi mpich",
                        argv[0]);
    snprintf(name, sizeof name, "libreseat-%s.so", job->mpi);
    if (locate_module(name, job->library, where))
        return complain(EXIT_TROUBLE, command, "%s %s%s", name, where,
                        getenv("RESEAT_LIBRARY_PATH") ? "" : "; was reseat built with that MPI?");
    if (strpbrk(job->library, " :"))
        return complain(EXIT_TROUBLE, command,
                        "%s: LD_PRELOAD takes no path with a space or a colon; put the library "
                        "elsewhere and name the folder in RESEAT_LIBRARY_PATH",
                        job->library);
    return 0;
}

/* Options that take two words or none, of mpirun(1) of Open MPI 4.1, `mpiexec -help` of Hydra 4.0,
 * https://slurm.schedmd.com/srun.html. */
static const char *const two_values[] = {"mca",      "gmca", "prtemca", "gprtemca", "pmixmca",
                                         "gpmixmca", "omca", "gomca",   "genv",     "env"};
static const char *const no_value[] = {"",
                                       "oversubscribe",
                                       "nooversubscribe",
                                       "use-hwthread-cpus",
                                       "report-bindings",
                                       "tag-output",
                                       "timestamp-output",
                                       "display-map",
                                       "display-allocation",
                                       "allow-run-as-root",
                                       "bynode",
                                       "byslot",
                                       "pernode",
                                       "nolocal",
                                       "rr",
                                       "prepend-rank",
                                       "genvall",
                                       "genvnone",
                                       "envall",
                                       "envnone",
                                       "verbose",
                                       "quiet",
                                       "v",
                                       "l",
                                       "label",
                                       "overcommit",
                                       "exclusive",
                                       "exact",
                                       "overlap",
                                       "unbuffered"};

int option_values(const char *word)
{
    if (word[0] != '-' || strchr(word, '=') || (word[1] && word[2] >= '0' && word[2] <= '9'))
        return 0; /* Slurm: -n4 */
    const char *name = word + 1 + (word[1] == '-');
    for (size_t i = 0; i < sizeof two_values / sizeof two_values[0]; i++)
        if (strcmp(name, two_values[i]) == 0)
            return 2;
    for (size_t i = 0; i < sizeof no_value / sizeof no_value[0]; i++)
        if (strcmp(name, no_value[i]) == 0)
            return 0;
    return 1;
}

/* The first word behind the launcher that can be started and does not belong to an option. -1. */
static int first_command(char **argv, int launcher)
{
    char path[PATH_MAX];
    for (int i = launcher + 1; argv[i]; i++) {
        int values = option_values(argv[i]);
        if (argv[i][0] != '-' && find_in_path(argv[i], path) == 0)
            return i;
        if (values == 1 && argv[i + 1] && argv[i + 1][0] == '-')
            values = 0; /* an option that takes none, as it seems */
        for (; values > 0 && argv[i + 1]; values--)
            i++;
    }
    return -1;
}

/* Where no word is linked with an MPI (a script, an interpreter)
 * the program is the first command. */
static void find_program(struct job *job, char **argv)
{
    char path[PATH_MAX] = "";
    job->wrapper = first_command(argv, job->launcher_at);
    if (job->program < 0)
        job->program = job->wrapper;
    if (job->wrapper < 0 || job->wrapper > job->program)
        job->wrapper = job->program;
    if (job->program >= 0 && find_in_path(argv[job->program], path) == 0)
        snprintf(job->path, sizeof job->path, "%s", path);
}

/* Whether this is PRRTE's own command as PRRTE's, not with `--personality ompi`. */
static int is_bare_prrte(const struct job *job, char **argv)
{
    const char *name = base_of(argv[job->launcher_at]);
    if (strcmp(name, "prterun") != 0 && strcmp(name, "prun") != 0)
        return 0;
    for (int i = job->launcher_at + 1; argv[i] && i != job->wrapper; i++)
        if (strstr(argv[i], "-personality")) {
            const char *value = strchr(argv[i], '=') ? argv[i] : argv[i + 1];
            return !value || !strstr(value, "ompi");
        }
    return 1;
}

int find_job(struct job *job, const char *command, const char *mpi, char **argv)
{
    const char *launcher = NULL, *program = NULL;
    *job = (struct job){.launcher_at = -1, .program = -1, .is_prrte = -1};
    if (argv[0][0] == '-')
        return complain(EXIT_USAGE, command,
                        "'%s' is where the launcher is expected; options come before it and before "
                        "a FILE",
                        argv[0]);
    /* What stands behind the program are the program's own words. */
    for (int i = 0; argv[i] && !program; i++) {
        if (job->launcher_at < 0 && (launcher = mpi_of_launcher(argv[i], job)))
            job->launcher_at = i;
        else if ((program = mpi_of_program(argv[i], job)))
            job->program = i;
    }
    job->linked = job->program >= 0;
    find_program(job, argv);
    job->way = WAY_ENVIRONMENT;
    if (launcher && strcmp(launcher, "any") != 0)
        job->way = strcmp(launcher, "openmpi") != 0 ? WAY_HYDRA
                   : is_bare_prrte(job, argv)       ? WAY_PRRTE
                                                    : WAY_OPENMPI;
    if (launcher && strcmp(launcher, "any") == 0)
        launcher = NULL;
    if (mpi && strcmp(mpi, "openmpi") != 0 && strcmp(mpi, "mpich") != 0)
        return complain(EXIT_USAGE, command, "--mpi takes openmpi or mpich, not '%s'", mpi);
    if (!mpi && launcher && program && strcmp(launcher, program) != 0)
        return complain(EXIT_USAGE, command,
                        "the launcher %s is of %s but the program is linked with %s; use the other "
                        "launcher, or say --mpi",
                        argv[job->launcher_at], launcher, program);
    job->mpi = mpi ? mpi : launcher ? launcher : program;
    return 0;
}
