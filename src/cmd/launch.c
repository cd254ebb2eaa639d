/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launch.c - `reseat profile`, `reseat run`, `reseat env`: start a job so that its ranks, and only
 * its ranks, load our library. Open MPI hands on what mca_base_env_list says; Hydra what -genv
 * says; others what is in the environment. Then wait, pass signals on, and end as the job ended.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "format/settings.h"
#include "format/switches.h"

enum { MOST_VARIABLES = 16 };

/* What the ranks get. */
struct variables {
    int count;
    const char *name[MOST_VARIABLES];
    char value[MOST_VARIABLES][2 * PATH_MAX];
};

/* Each name once: the last value counts. */
static void add(struct variables *v, const char *name, const char *value)
{
    int i = 0;
    while (i < v->count && strcmp(v->name[i], name) != 0)
        i++;
    if (i == MOST_VARIABLES)
        return;
    v->name[i] = name;
    snprintf(v->value[i], sizeof v->value[i], "%s", value);
    v->count += i == v->count;
}

static void add_path(struct variables *v, const char *name, const char *path)
{
    char cwd[PATH_MAX], whole[2 * PATH_MAX];
    int is_relative = path[0] != '/' && getcwd(cwd, sizeof cwd);
    snprintf(whole, sizeof whole, "%s%s%s", is_relative ? cwd : "", is_relative ? "/" : "", path);
    add(v, name, whole);
}

/* A setting, from where this command was started: ranks may start elsewhere. */
static void add_setting(struct variables *v, const char *name, const char *value)
{
    int is_path = strcmp(name, "RESEAT_MAPPING") == 0 ||
                  (strcmp(name, "RESEAT_TOPOLOGY") == 0 && reseat_switches_is_path(value));
    if (is_path && value[0])
        add_path(v, name, value);
    else
        add(v, name, value);
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

static const char env_list[] = "OMPI_MCA_mca_base_env_list";

/* The list that Open MPI hands to the ranks, behind what the user has in it. */
static int hand_on_list(const char *command, const struct variables *v)
{
    const char *theirs = getenv(env_list);
    size_t size = (theirs ? strlen(theirs) : 0) + (size_t)v->count * (sizeof v->value[0] + 64) + 2;
    char *text = malloc(size);
    size_t used = 0;
    if (!text)
        return complain(EXIT_TROUBLE, command, "out of memory");
    if (theirs && theirs[0])
        used += (size_t)snprintf(text, size, "%s;", theirs);
    for (int i = 0; i < v->count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s=%s", i ? ";" : "", v->name[i],
                                 v->value[i]);
    setenv(env_list, text, 1);
    free(text);
    return 0;
}

/* Whether the list can carry the values. 0, or -1 with `why`. */
static int fits_list(const struct job *job, const struct variables *v, char why[512])
{
    for (int i = 0; job->way == WAY_OPENMPI && i < v->count; i++)
        if (strchr(v->value[i], ';')) {
            snprintf(why, 512, "%s=%.400s: Open MPI cannot hand on a `;`", v->name[i], v->value[i]);
            return -1;
        }
    return 0;
}

/* 0, or a usage status. */
static int check_list(const char *command, const struct job *job, const struct variables *v)
{
    char why[512];
    return fits_list(job, v, why) ? complain(EXIT_USAGE, command, "%s", why) : 0;
}

/* Whether the user hands on variables by -x: mpirun takes that or the list, not both. */
static int uses_x(char **argv, int from)
{
    for (int i = from; argv[i]; i++)
        if (strcmp(argv[i], "-x") == 0)
            return 1;
    return 0;
}

/* A copy of argv with words behind the launcher: `-genv NAME VALUE`, or `-x NAME` whose value is in
 * `pairs`. NULL when memory is short. */
static char **with_words(const struct job *job, const struct variables *v, int argc, char **argv)
{
    static char pairs[MOST_VARIABLES][2 * PATH_MAX + 64];
    char **longer = calloc((size_t)(argc + 3 * v->count + 1), sizeof *longer);
    int n = 0;
    for (int i = 0; longer && i < argc; i++) {
        longer[n++] = argv[i];
        for (int k = 0; i == job->launcher && k < v->count; k++) {
            longer[n++] = (char *)(job->way == WAY_HYDRA ? "-genv" : "-x");
            if (job->way == WAY_HYDRA) {
                longer[n++] = (char *)v->name[k];
                longer[n++] = (char *)v->value[k];
            } else {
                snprintf(pairs[k], sizeof pairs[k], "%s=%s", v->name[k], v->value[k]);
                longer[n++] = pairs[k];
            }
        }
    }
    return longer;
}

/* ---- run and wait ---- */

static volatile pid_t child;
static volatile sig_atomic_t ended_by; /* a signal that asked us to end */

/* The terminal gives a signal to the whole job itself: pass on only what a process sent us. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (number != SIGUSR1 && number != SIGUSR2)
        ended_by = number;
    if (child > 0 && info->si_code <= 0)
        kill(child, number);
}

/* What the job reads and writes: our own (NULL), or nothing and a file. */
static void redirect(FILE *answer)
{
    int null = answer ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
    if (null >= 0)
        dup2(null, STDIN_FILENO);
    if (answer) {
        dup2(fileno(answer), STDOUT_FILENO);
        dup2(fileno(answer), STDERR_FILENO);
    }
}

struct start {
    const char *command;
    char **argv;
    FILE *answer;
};

static void start(void *context)
{
    const struct start *s = context;
    redirect(s->answer);
    execvp(s->argv[0], s->argv);
    int why = errno;
    complain(0, s->command, "%s: %s", s->argv[0], strerror(why));
    _exit(why == ENOENT ? 127 : 126);
}

/* Signals go to the job from now on, but for those that are ignored: so they are by the job. */
static void catch_signals(void)
{
    static const int passed[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGINT, SIGQUIT};
    struct sigaction before,
        action = {.sa_sigaction = pass_on, .sa_flags = SA_RESTART | SA_SIGINFO};
    for (size_t i = 0; i < sizeof passed / sizeof passed[0]; i++)
        if (sigaction(passed[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(passed[i], &action, NULL);
}

int fork_and_wait(void (*body)(void *context), void *context, int *status)
{
    sigset_t all, before;
    fflush(stdout);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    if (ended_by) { /* since the probe: the job shall not begin */
        *status = ended_by;
        sigprocmask(SIG_SETMASK, &before, NULL);
        return 0;
    }
    child = fork();
    if (child == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        body(context);
        _exit(EXIT_TROUBLE);
    }
    catch_signals();
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (child < 0)
        return -1;
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR)
            return -1;
    child = 0;
    return 0;
}

/* Run the command; *status as waitpid has it. 0, or -1 with errno. */
static int run_and_wait(const char *command, char **argv, FILE *answer, int *status)
{
    struct start how = {command, argv, answer};
    return fork_and_wait(start, &how, status);
}

static void die_of(int number)
{
    const struct rlimit no_core = {0, 0}; /* the job's own core is the one to keep */
    setrlimit(RLIMIT_CORE, &no_core);
    signal(number, SIG_DFL);
    raise(number);
}

int end_as(const char *command, int status)
{
    if (status == -1)
        return complain(EXIT_TROUBLE, command, "%s", strerror(errno));
    if (WIFSIGNALED(status))
        die_of(WTERMSIG(status));
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_TROUBLE;
}

void end_if_asked(void)
{
    if (ended_by)
        die_of(ended_by);
}

int run_plainly(const char *name, char **command)
{
    int status;
    return run_and_wait(name, command, NULL, &status) ? -1 : status;
}

/* Hand the variables on in the launcher's way, then run. As run_and_wait; -2: has complained. */
static int launch(const char *command, const struct job *job, const struct variables *v,
                  char **argv, FILE *answer, int *status)
{
    int argc = 0;
    while (argv[argc])
        argc++;
    if (job->way == WAY_HYDRA || (job->way == WAY_OPENMPI && uses_x(argv, job->launcher))) {
        char **longer = with_words(job, v, argc, argv);
        int rc = longer ? run_and_wait(command, longer, answer, status) : -1;
        free(longer);
        return rc;
    }
    if (job->way == WAY_OPENMPI && hand_on_list(command, v))
        return -2;
    for (int i = 0; job->way == WAY_ENVIRONMENT && i < v->count; i++)
        setenv(v->name[i], v->value[i], 1);
    return run_and_wait(command, argv, answer, status);
}

/* The same, and what it means as an exit status; or dies of the signal that it died of. */
static int launch_and_end(const char *command, const struct job *job, const struct variables *v,
                          char **argv)
{
    int status = 0, rc = launch(command, job, v, argv, NULL, &status);
    return rc == -2 ? EXIT_TROUBLE : end_as(command, rc ? -1 : status);
}

/* ---- the commands ---- */

static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                        {"mpi", required_argument, NULL, 'm'},
                                        {"strategy", required_argument, NULL, 's'},
                                        {"scope", required_argument, NULL, 'S'},
                                        {"mapping", required_argument, NULL, 'O'},
                                        {"metric", required_argument, NULL, 'M'},
                                        {"pattern", required_argument, NULL, 'p'},
                                        {"min-gain", required_argument, NULL, 'g'},
                                        {"phase", required_argument, NULL, 'P'},
                                        {"verbose", required_argument, NULL, 'v'},
                                        {"pairs", required_argument, NULL, 'n'},
                                        {"placement", required_argument, NULL, 'L'},
                                        {NULL, 0, NULL, 0}};

struct request {
    const char *output;
    const char *mpi;
    int *pairs;     /* verify: how many; NULL: no such option */
    int *placement; /* run, verify: at launch, not by the library; NULL: no such option */
};

static void refuse(void *command, const char *line)
{
    complain(EXIT_USAGE, command, "%.*s", (int)strcspn(line, ";"), line);
    ((char *)command)[0] = '\0';
}

static void count(void *number, const char *line)
{
    (void)line;
    ++*(int *)number;
}

/* The option `letter` sets `name` for the ranks, if they can take the value. 0, or a usage status.
 */
static int set(struct variables *v, const char *command, int letter, const char *name,
               const char *value)
{
    char variable[256];
    char *environment[] = {variable, NULL};
    struct reseat_settings settings;
    int bad = 0, option = 0, row = 0;
    snprintf(variable, sizeof variable, "%s=%s", name, value);
    reseat_settings_read(&settings, environment, count, &bad);
    add_setting(v, name, value);
    if (!bad)
        return 0;
    while (options[option].val != letter)
        option++;
    while (strcmp(reseat_setting(row)->name, name) != 0)
        row++;
    return complain(EXIT_USAGE, command, "--%s takes %s, not '%s'", options[option].name,
                    reseat_setting(row)->values, value);
}

static int parse_placement(struct request *request, const char *name, const char *text)
{
    if (!request->placement)
        return complain(EXIT_USAGE, name, "--placement is an option of run and verify");
    *request->placement = strcmp(text, "launch") == 0;
    if (!*request->placement && strcmp(text, "preload") != 0)
        return complain(EXIT_USAGE, name, "--placement takes launch or preload, not '%s'", text);
    return 0;
}

static int parse_pairs(int *pairs, const char *text)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (end == text || *end || number < 2 || number > 100)
        return -1;
    *pairs = (int)number;
    return 0;
}

/* The options common to all. 0, or a usage status. */
static int parse(int argc, char **argv, const char *letters, struct variables *v,
                 struct request *request)
{
    static const struct {
        int letter;
        const char *name;
    } settings[] = {{'s', "RESEAT_STRATEGY"}, {'S', "RESEAT_SCOPE"},   {'O', "RESEAT_MAPPING"},
                    {'M', "RESEAT_METRIC"},   {'p', "RESEAT_PATTERN"}, {'g', "RESEAT_MIN_GAIN"},
                    {'P', "RESEAT_PHASE"},    {'v', "RESEAT_VERBOSE"}};
    int letter;
    while ((letter = getopt_long(argc, argv, letters, options, NULL)) >= 0) {
        if (letter == '?' || letter == ':')
            return complain_option(argv[0], letter, argv);
        if (letter == 'o')
            request->output = optarg;
        if (letter == 'm')
            request->mpi = optarg;
        if (letter == 'n' && !request->pairs)
            return complain(EXIT_USAGE, argv[0], "--pairs is an option of verify");
        if (letter == 'n' && parse_pairs(request->pairs, optarg))
            return complain(EXIT_USAGE, argv[0], "--pairs takes 2 to 100, not '%s'", optarg);
        if (letter == 'L' && parse_placement(request, argv[0], optarg))
            return EXIT_USAGE;
        for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
            if (settings[i].letter == letter && set(v, argv[0], letter, settings[i].name, optarg))
                return EXIT_USAGE;
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
            add_setting(v, row->name, value);
    }
}

/* Before a long job: whether the profile can be put there. 0, or a status. */
static int check_output(const char *path)
{
    char folder[PATH_MAX];
    struct stat status;
    const char *slash = strrchr(path, '/');
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return complain(EXIT_TROUBLE, "profile", "%s: is not a regular file", path);
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
             slash ? path : ".");
    return access(folder, W_OK | X_OK)
               ? complain(EXIT_TROUBLE, "profile", "%s: %s; the job is not started", path,
                          strerror(errno))
               : 0;
}

int cmd_profile(int argc, char **argv)
{
    static struct variables v;
    struct request request = {.output = "reseat.profile"};
    struct job job;
    struct stat before = {0}, after = {0};
    int status = parse(argc, argv, "+:o:v:", &v, &request);
    if (status)
        return status;
    if (optind >= argc)
        return complain(EXIT_USAGE, "profile",
                        "what shall be run? reseat profile -o FILE -- mpirun ...");
    char **command = argv + optind;
    if ((status = check_output(request.output)) ||
        (status = find_job(&job, "profile", request.mpi, command)) ||
        (status = find_library(&job, "profile", command)))
        return status;
    add(&v, "RESEAT", "profile");
    add_path(&v, "RESEAT_FILE", request.output);
    add_environment(&v);
    add_preload(&v, &job);
    if ((status = check_list("profile", &job, &v)))
        return status;
    stat(request.output, &before);
    status = launch_and_end("profile", &job, &v, command);
    if (stat(request.output, &after) ||
        (after.st_ino == before.st_ino && after.st_mtime == before.st_mtime))
        complain(
            0, "profile",
            "no profile was written: the job did not get to MPI_Finalize, makes no MPI calls, is "
            "linked statically, or uses another MPI than %s",
            job.mpi);
    return status;
}

/* ---- run and verify: the same job ---- */

static struct variables run_variables;
static struct job run_job;
static const char *run_profile;
static int run_placement; /* at launch */
static struct placement *run_placed;

int prepare_run(int argc, char **argv, int *pairs, char ***command)
{
    run_placement = 0;
    struct request request = {.pairs = pairs, .placement = &run_placement};
    const char *name = argv[0];
    int status = parse(argc, argv, "+:v:", &run_variables, &request);
    if (status)
        return status;
    if (strcmp(argv[optind - 1], "--") == 0)
        return complain(EXIT_USAGE, name, "a profile is needed: reseat %s FILE -- mpirun ...",
                        name);
    if (optind + 1 >= argc)
        return complain(EXIT_USAGE, name, "reseat %s [options] FILE -- mpirun ...", name);
    const char *file = argv[optind++];
    if (strcmp(argv[optind], "--") == 0)
        optind++;
    if (optind >= argc)
        return complain(EXIT_USAGE, name, "what shall be run? reseat %s FILE -- mpirun ...", name);
    if (access(file, R_OK))
        return complain(EXIT_TROUBLE, name, "%s: %s", file, strerror(errno));
    run_profile = file;
    *command = argv + optind;
    if ((status = find_job(&run_job, name, request.mpi, *command)) ||
        (!run_placement && (status = find_library(&run_job, name, *command))))
        return status;
    add(&run_variables, "RESEAT", "reorder");
    add_path(&run_variables, "RESEAT_FILE", file);
    add_environment(&run_variables);
    if (run_placement)
        return 0;
    add_preload(&run_variables, &run_job);
    return check_list(name, &run_job, &run_variables);
}

int prepare_doctor(int argc, char **argv, const char **profile, struct job *job, char ***command)
{
    struct request request = {.pairs = NULL};
    int status = parse(argc, argv, "+:v:", &run_variables, &request);
    if (status)
        return status;
    *profile = NULL;
    if (optind < argc && optind > 0 && strcmp(argv[optind - 1], "--") != 0)
        *profile = argv[optind++];
    if (optind < argc && strcmp(argv[optind], "--") == 0)
        optind++;
    if (optind >= argc)
        return complain(EXIT_USAGE, "doctor", "reseat doctor [FILE] -- mpirun ...");
    *command = argv + optind;
    if ((status = find_job(&run_job, "doctor", request.mpi, *command)) ||
        (status = find_library(&run_job, "doctor", *command)))
        return status;
    add_environment(&run_variables);
    add_preload(&run_variables, &run_job);
    *job = run_job;
    return 0;
}

int prepared_variables_fit(char why[512])
{
    return fits_list(&run_job, &run_variables, why);
}

void prepared_settings(struct reseat_settings *settings,
                       void (*warn)(void *context, const char *line), void *context)
{
    char *environment[MOST_VARIABLES + 1] = {NULL};
    static char texts[MOST_VARIABLES][sizeof run_variables.value[0] + 64];
    for (int i = 0; i < run_variables.count; i++) {
        snprintf(texts[i], sizeof texts[i], "%s=%s", run_variables.name[i], run_variables.value[i]);
        environment[i] = texts[i];
    }
    reseat_settings_read(settings, environment, warn, context);
}

/* By the settings that the ranks would get. */
int place_prepared(const char *name, char **command)
{
    static struct reseat_settings settings;
    char said[16];
    if (!run_placement)
        return 0;
    snprintf(said, sizeof said, "%s", name);
    prepared_settings(&settings, refuse, said);
    return said[0] ? placement_create(&run_placed, name, &run_job, command, run_profile, &settings)
                   : EXIT_USAGE;
}

int prepared_moves(void)
{
    return !run_placed || placement_moves(run_placed);
}

void clean_up_prepared(void)
{
    placement_destroy(run_placed);
    run_placed = NULL;
}

int run_prepared(const char *name, char **command, int with)
{
    if (with && !run_placed)
        return launch_and_end(name, &run_job, &run_variables, command);
    return end_as(name, with ? placement_run(run_placed) : run_plainly(name, command));
}

static int place_and_run(const char *name, char **command)
{
    int status = place_prepared(name, command);
    if (status)
        return status;
    status = placement_run(run_placed);
    clean_up_prepared();
    return end_as(name, status);
}

int ask_prepared(const char *name, char **command, int with, FILE *answer)
{
    int status = 0;
    int rc = with ? launch(name, &run_job, &run_variables, command, answer, &status)
                  : run_and_wait(name, command, answer, &status);
    if (ended_by)
        errno = EINTR;
    if (rc || ended_by)
        return -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int cmd_run(int argc, char **argv)
{
    char **command, text[512];
    int status = prepare_run(argc, argv, NULL, &command), with = 1;
    if (status)
        return status;
    if (read_verdict(run_profile, text) < 0) {
        complain(0, "run", "%s; run as it is (remove %s.verdict to try again)", text, run_profile);
        with = 0;
    }
    return with && run_placement ? place_and_run("run", command)
                                 : run_prepared("run", command, with);
}

const char *prepared_profile(void)
{
    return run_profile;
}

int cmd_env(int argc, char **argv)
{
    static struct variables v;
    struct request request = {.output = "reseat.profile"};
    struct job job;
    int status = parse(argc, argv, ":o:v:", &v, &request);
    if (status)
        return status;
    if (optind >= argc ||
        (strcmp(argv[optind], "profile") != 0 && strcmp(argv[optind], "run") != 0))
        return complain(EXIT_USAGE, "env", "reseat env profile|run --mpi openmpi|mpich [-o FILE]");
    if (!request.mpi)
        return complain(EXIT_USAGE, "env", "which MPI? say --mpi openmpi or --mpi mpich");
    char *nothing[] = {argv[optind], NULL};
    if ((status = find_job(&job, "env", request.mpi, nothing)) ||
        (status = find_library(&job, "env", nothing)))
        return status;
    add(&v, "RESEAT", strcmp(argv[optind], "run") == 0 ? "reorder" : "profile");
    add_path(&v, "RESEAT_FILE", request.output);
    add_preload(&v, &job);
    for (int i = 0; i < v.count; i++) {
        printf("export %s=", v.name[i]);
        print_word(stdout, v.value[i]);
        putchar('\n');
    }
    return 0;
}
