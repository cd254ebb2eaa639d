/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launch.c - `reseat profile`, `reseat run`, `reseat env`: start a job so that its ranks, and only
 * its ranks, load our library. Open MPI hands on what mca_base_env_list says; Hydra what -genv says;
 * others what is in the environment. Then wait, pass signals on, and end as the job ended.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "format/settings.h"

enum { MOST_VARIABLES = 16 };

/* What the ranks get. */
struct variables {
    int count;
    const char *name[MOST_VARIABLES];
    char value[MOST_VARIABLES][2 * PATH_MAX];
};

static void add(struct variables *v, const char *name, const char *value)
{
    v->name[v->count] = name;
    snprintf(v->value[v->count++], sizeof v->value[0], "%s", value);
}

static void add_path(struct variables *v, const char *name, const char *path)
{
    char cwd[PATH_MAX];
    add(v, name, path);
    if (path[0] != '/' && getcwd(cwd, sizeof cwd))
        snprintf(v->value[v->count - 1], sizeof v->value[0], "%s/%s", cwd, path);
}

static void add_preload(struct variables *v, const struct job *job)
{
    const char *theirs = getenv("LD_PRELOAD");
    add(v, "LD_PRELOAD", job->library);
    if (theirs && theirs[0]) {
        strncat(v->value[v->count - 1], ":", 2);
        strncat(v->value[v->count - 1], theirs, PATH_MAX - 2);
    }
}

/* ---- for each launcher its way ---- */

static void hand_on_openmpi(const struct variables *v)
{
    static const char list[] = "OMPI_MCA_mca_base_env_list";
    const char *theirs = getenv(list);
    size_t size = (theirs ? strlen(theirs) : 0) + (size_t)v->count * (sizeof v->value[0] + 64);
    char *text = calloc(1, size + 1);
    if (!text)
        return;
    if (theirs && theirs[0])
        sprintf(text, "%s;", theirs);
    for (int i = 0; i < v->count; i++)
        sprintf(text + strlen(text), "%s%s=%s", i ? ";" : "", v->name[i], v->value[i]);
    setenv(list, text, 1);
    free(text);
}

/* The command line with -genv NAME VALUE behind the launcher; argv itself where that is not needed. */
static char **hand_on(const struct job *job, const struct variables *v, int argc, char **argv)
{
    if (job->launcher >= 0 && strcmp(job->mpi, "openmpi") == 0 &&
        strncmp(argv[job->launcher], "srun", 4) != 0) {
        hand_on_openmpi(v);
        return argv;
    }
    if (job->launcher < 0 || strcmp(job->mpi, "mpich") != 0 || strstr(argv[job->launcher], "srun")) {
        for (int i = 0; i < v->count; i++)
            setenv(v->name[i], v->value[i], 1);
        return argv;
    }
    char **longer = calloc((size_t)(argc + 3 * v->count + 1), sizeof *longer);
    int n = 0;
    for (int i = 0; longer && i < argc; i++) {
        longer[n++] = argv[i];
        for (int k = 0; i == job->launcher && k < v->count; k++) {
            longer[n++] = (char *)"-genv";
            longer[n++] = (char *)v->name[k];
            longer[n++] = (char *)v->value[k];
        }
    }
    return longer;
}

/* ---- run and wait ---- */

static pid_t child;

static void pass_on(int signal)
{
    if (child > 0)
        kill(child, signal);
}

/* Run the command; returns its exit status, or dies of the signal that it died of. */
static int run_and_wait(const char *command, char **argv)
{
    static const int passed[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
    struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
    int status;
    child = fork();
    if (child < 0)
        return complain(EXIT_TROUBLE, command, "%s", strerror(errno));
    if (child == 0) {
        execvp(argv[0], argv);
        complain(0, command, "%s: %s", argv[0], strerror(errno));
        _exit(errno == ENOENT ? 127 : 126);
    }
    for (size_t i = 0; i < sizeof passed / sizeof passed[0]; i++)
        sigaction(passed[i], &action, NULL);
    signal(SIGINT, SIG_IGN); /* the terminal gives them to the job as well */
    signal(SIGQUIT, SIG_IGN);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return EXIT_TROUBLE;
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_TROUBLE;
}

/* ---- the commands ---- */

static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                        {"mpi", required_argument, NULL, 'm'},
                                        {"strategy", required_argument, NULL, 's'},
                                        {"metric", required_argument, NULL, 'M'},
                                        {"pattern", required_argument, NULL, 'p'},
                                        {"min-gain", required_argument, NULL, 'g'},
                                        {"verbose", required_argument, NULL, 'v'},
                                        {NULL, 0, NULL, 0}};

struct request {
    const char *output;
    const char *mpi;
};

/* The options common to all three. 0, or a usage status. */
static int parse(int argc, char **argv, const char *letters, struct variables *v,
                 struct request *request)
{
    static const struct {
        int letter;
        const char *name;
    } settings[] = {{'s', "RESEAT_STRATEGY"},
                    {'M', "RESEAT_METRIC"},
                    {'p', "RESEAT_PATTERN"},
                    {'g', "RESEAT_MIN_GAIN"},
                    {'v', "RESEAT_VERBOSE"}};
    int letter;
    while ((letter = getopt_long(argc, argv, letters, options, NULL)) >= 0) {
        if (letter == '?')
            return EXIT_USAGE;
        if (letter == 'o')
            request->output = optarg;
        if (letter == 'm')
            request->mpi = optarg;
        for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
            if (settings[i].letter == letter)
                add(v, settings[i].name, optarg);
    }
    return 0;
}

/* Settings that the user has in the environment reach the ranks too. */
static void add_environment(struct variables *v)
{
    const struct reseat_setting_row *row;
    for (int i = 0; (row = reseat_setting(i)); i++) {
        int known = 0;
        for (int k = 0; k < v->count; k++)
            known |= strcmp(v->name[k], row->name) == 0;
        const char *value = getenv(row->name);
        if (!known && value && v->count < MOST_VARIABLES)
            add(v, row->name, value);
    }
}

int cmd_profile(int argc, char **argv)
{
    static struct variables v;
    struct request request = {.output = "reseat.profile"};
    struct job job;
    struct stat before = {0}, after = {0};
    int status = parse(argc, argv, "+o:m:v:", &v, &request);
    if (status)
        return status;
    if (optind >= argc)
        return complain(EXIT_USAGE, "profile", "what shall be run? reseat profile -o FILE -- mpirun ...");
    char **command = argv + optind;
    if ((status = find_job(&job, "profile", request.mpi, command)))
        return status;
    add(&v, "RESEAT", "profile");
    add_path(&v, "RESEAT_FILE", request.output);
    add_environment(&v);
    add_preload(&v, &job);
    stat(request.output, &before);
    char **line = hand_on(&job, &v, argc - optind, command);
    status = line ? run_and_wait("profile", line) : EXIT_TROUBLE;
    if (stat(request.output, &after) || (after.st_ino == before.st_ino && after.st_mtime == before.st_mtime))
        complain(0, "profile",
                 "no profile was written: the job did not get to MPI_Finalize, makes no MPI calls, is "
                 "linked statically, or uses another MPI than %s",
                 job.mpi);
    return status;
}

int cmd_run(int argc, char **argv)
{
    static struct variables v;
    struct request request = {0};
    struct job job;
    int status = parse(argc, argv, "+m:v:", &v, &request);
    if (status)
        return status;
    if (optind + 1 >= argc)
        return complain(EXIT_USAGE, "run", "reseat run [options] FILE -- mpirun ...");
    const char *file = argv[optind++];
    if (strcmp(argv[optind], "--") == 0)
        optind++;
    if (optind >= argc)
        return complain(EXIT_USAGE, "run", "what shall be run? reseat run FILE -- mpirun ...");
    if (access(file, R_OK))
        return complain(EXIT_TROUBLE, "run", "%s: %s", file, strerror(errno));
    char **command = argv + optind;
    if ((status = find_job(&job, "run", request.mpi, command)))
        return status;
    add(&v, "RESEAT", "reorder");
    add_path(&v, "RESEAT_FILE", file);
    add_environment(&v);
    add_preload(&v, &job);
    char **line = hand_on(&job, &v, argc - optind, command);
    return line ? run_and_wait("run", line) : EXIT_TROUBLE;
}

int cmd_env(int argc, char **argv)
{
    static struct variables v;
    struct request request = {.output = "reseat.profile"};
    struct job job;
    int status = parse(argc, argv, "o:m:s:M:p:g:v:", &v, &request);
    if (status)
        return status;
    if (optind >= argc ||
        (strcmp(argv[optind], "profile") != 0 && strcmp(argv[optind], "run") != 0))
        return complain(EXIT_USAGE, "env", "reseat env profile|run --mpi openmpi|mpich [-o FILE]");
    char *nothing[] = {argv[optind], NULL};
    if ((status = find_job(&job, "env", request.mpi, nothing)))
        return status;
    add(&v, "RESEAT", strcmp(argv[optind], "run") == 0 ? "reorder" : "profile");
    add_path(&v, "RESEAT_FILE", request.output);
    add_preload(&v, &job);
    for (int i = 0; i < v.count; i++)
        printf("export %s='%s'\n", v.name[i], v.value[i]);
    return 0;
}
