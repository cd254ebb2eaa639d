/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launch.c - `reseat profile`, `reseat run`, `reseat env`: start a job so that its ranks, and only
 * its ranks, load our library (variables.h), and end as it has ended (child.h).
 */
#include <errno.h>
#include <getopt.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/child.h"
#include "cmd/cmd.h"
#include "cmd/mark.h"
#include "cmd/reasons.h"
#include "cmd/watched.h"
#include "format/settings.h"
#include "format/target.h"

/* The exit status of a job with these variables; or dies of the signal that it died of. */
static int launch_and_end(const char *command, const struct job *job, const struct variables *v,
                          char **argv)
{
    int status = 0, rc = launch_with(command, job, v, argv, NULL, &status);
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
                                        {"no-arguments", no_argument, NULL, 'A'},
                                        {"placement", required_argument, NULL, 'L'},
                                        {"output-differs", required_argument, NULL, 'D'},
                                        {NULL, 0, NULL, 0}};

/* The options of the ranks' settings, by their letters. */
#define LAUNCH_SETTINGS "sSOMpgPv"

struct request {
    const char *takes; /* the letters of the options that the command has */
    const char *output;
    const char *mpi;
    int *pairs;                   /* verify: how many */
    int *placement;               /* run, verify: at launch, not by the library */
    enum output_differs *differs; /* run, verify */
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

static const char *option_name(int letter)
{
    int option = 0;
    while (options[option].val != letter)
        option++;
    return options[option].name;
}

/* The option `letter` sets `name` for the ranks, if they can take the value.
 * 0, or a usage status. */
static int set(struct variables *v, const char *command, int letter, const char *name,
               const char *value)
{
    char variable[256];
    char *environment[] = {variable, NULL};
    struct reseat_settings settings;
    int bad = 0, row = 0;
    snprintf(variable, sizeof variable, "%s=%s", name, value);
    reseat_settings_read(&settings, environment, count, &bad);
    variables_add_setting(v, name, value);
    if (!bad)
        return 0;
    while (strcmp(reseat_setting(row)->name, name) != 0)
        row++;
    return complain(EXIT_USAGE, command, "--%s takes %s, not '%s'", option_name(letter),
                    reseat_setting(row)->values, value);
}

static int parse_placement(struct request *request, const char *name, const char *text)
{
    *request->placement = strcmp(text, "launch") == 0;
    if (!*request->placement && strcmp(text, "preload") != 0)
        return complain(EXIT_USAGE, name, "--placement takes launch or preload, not '%s'", text);
    return 0;
}

static int parse_differs(struct request *request, const char *name, const char *text)
{
    static const char *const words[] = {"fail", "warn", "ignore"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, words[i]) == 0) {
            *request->differs = (enum output_differs)i;
            return 0;
        }
    return complain(EXIT_USAGE, name, "--output-differs takes fail, warn or ignore, not '%s'",
                    text);
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
        if (!strchr(request->takes, letter)) /* an option of another command of this file */
            return complain(EXIT_USAGE, argv[0], "there is no option --%s; see reseat %s --help",
                            option_name(letter), argv[0]);
        if (letter == 'o')
            request->output = optarg;
        if (letter == 'm')
            request->mpi = optarg;
        if (letter == 'n' && parse_pairs(request->pairs, optarg))
            return complain(EXIT_USAGE, argv[0], "--pairs takes 2 to 100, not '%s'", optarg);
        if (letter == 'A')
            variables_add_setting(v, "RESEAT_ARGUMENTS", "no");
        if ((letter == 'L' && parse_placement(request, argv[0], optarg)) ||
            (letter == 'D' && parse_differs(request, argv[0], optarg)))
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
            variables_add_setting(v, row->name, value);
    }
}

/* What the ranks would get as `name`: by an option, else from our environment; "" when not set. */
static const char *launch_setting(const struct variables *v, const char *name)
{
    for (int i = 0; i < v->count; i++)
        if (strcmp(v->name[i], name) == 0)
            return v->value[i];
    return getenv(name) ? getenv(name) : "";
}

/* Whether topology calls can be reordered without a profile, by their own edges; then the ranks are
 * told so. */
static int launch_by_graph(struct variables *v)
{
    if (strcmp(launch_setting(v, "RESEAT_SCOPE"), "graph") != 0 ||
        strcmp(launch_setting(v, "RESEAT_PATTERN"), "profile") == 0)
        return 0;
    variables_add(v, "RESEAT_PATTERN", "graph");
    return 1;
}

/* Whether there is something in a file that is no profile; -1 with errno: nobody knows. */
static int is_other_file(const char *path)
{
    static const char head[] = "# reseat profile";
    char begin[sizeof head - 1];
    FILE *file = fopen(path, "re");
    if (!file)
        return errno == ENOENT ? 0 : -1;
    size_t size = fread(begin, 1, sizeof begin, file);
    fclose(file);
    return size > 0 && (size < sizeof begin || memcmp(begin, head, sizeof begin) != 0);
}

/* Before a long job: whether the profile can be put there. 0, or a status. */
static int check_output(const char *path)
{
    char folder[PATH_MAX];
    struct stat status;
    if (check_output_name(path, NULL, 0, "profile"))
        return EXIT_USAGE;
    char *target = target_follow(path);
    if (!target)
        return complain(EXIT_TROUBLE, "profile", "%s: %s; the job is not started", path,
                        strerror(errno));
    const char *slash = strrchr(target, '/');
    int regular = stat(target, &status) || S_ISREG(status.st_mode);
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - target) + 1 : 1,
             slash ? target : ".");
    free(target);
    if (!regular)
        return complain(EXIT_TROUBLE, "profile", "%s: is not a regular file", path);
    int other = is_other_file(path);
    if (other) /* the program itself, by a slip? */
        return complain(EXIT_TROUBLE, "profile", "%s: %s; the job is not started", path,
                        other > 0 ? "is there and no profile" : strerror(errno));
    return !target_is_pattern(folder) && access(folder, W_OK | X_OK)
               ? complain(EXIT_TROUBLE, "profile", "%s: %s; the job is not started", path,
                          strerror(errno))
               : 0;
}

/* What identifies the newest profile under this name, or one that a pattern makes; zeros: none. */
static void find_output(const char *path, struct stat *newest)
{
    struct stat status;
    glob_t found;
    char *pattern = target_glob(path);
    memset(newest, 0, sizeof *newest);
    if (pattern && glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (stat(found.gl_pathv[i], &status) == 0 &&
                (status.st_mtim.tv_sec > newest->st_mtim.tv_sec ||
                 (status.st_mtim.tv_sec == newest->st_mtim.tv_sec &&
                  status.st_mtim.tv_nsec >= newest->st_mtim.tv_nsec)))
                *newest = status;
        globfree(&found);
    }
    free(pattern);
}

int cmd_profile(int argc, char **argv)
{
    static struct variables v;
    struct request request = {.takes = "omAv", .output = "reseat.profile"};
    struct job job;
    struct stat before, after;
    struct watched watched;
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
    variables_add(&v, "RESEAT", "profile");
    variables_add_path(&v, "RESEAT_FILE", request.output);
    add_environment(&v);
    variables_add_preload(&v, &job);
    if ((status = variables_check("profile", &job, &v)))
        return status;
    find_output(request.output, &before);
    status = launch_watched("profile", &job, &v, command, request.output, &watched);
    find_output(request.output, &after);
    if (after.st_ino == before.st_ino && after.st_mtim.tv_sec == before.st_mtim.tv_sec &&
        after.st_mtim.tv_nsec == before.st_mtim.tv_nsec)
        return watched_left_no_profile(status, &watched);
    return status;
}

/* ---- run and verify: the same job ---- */

static struct variables run_variables;
static struct job run_job;
static const char *run_profile; /* NULL: none is needed */
static int run_placement;       /* at launch */
static struct mark run_mark;
static struct placement *run_placed;
static enum output_differs run_differs;

/* What is behind the options: FILE, which may be left out where topology calls are reordered by
 * their own edges, `--`, and the job, where optind is then. 0, or a status. */
static int launch_find_profile(int argc, char **argv)
{
    const char *name = argv[0];
    struct stat found;
    run_profile = NULL;
    if (strcmp(argv[optind - 1], "--") == 0) {
        if (run_placement || !launch_by_graph(&run_variables))
            return complain(EXIT_USAGE, name, "a profile is needed: reseat %s FILE -- mpirun ...",
                            name);
    } else {
        if (optind + 1 >= argc)
            return complain(EXIT_USAGE, name, "reseat %s [options] FILE -- mpirun ...", name);
        run_profile = argv[optind++];
        optind += strcmp(argv[optind], "--") == 0;
    }
    if (optind >= argc)
        return complain(EXIT_USAGE, name, "what shall be run? reseat %s FILE -- mpirun ...", name);
    if (run_profile && (stat(run_profile, &found) || access(run_profile, R_OK)))
        return complain(EXIT_TROUBLE, name, "%s: %s", run_profile, strerror(errno));
    if (run_profile && !S_ISREG(found.st_mode)) /* the ranks read it too */
        return complain(EXIT_TROUBLE, name, "%s: is not a regular file", run_profile);
    return 0;
}

int prepare_run(int argc, char **argv, int *pairs, char ***command)
{
    run_placement = 0;
    struct request request = {.takes = pairs ? LAUNCH_SETTINGS "mLDn" : LAUNCH_SETTINGS "mLD",
                              .pairs = pairs,
                              .placement = &run_placement,
                              .differs = &run_differs};
    const char *name = argv[0];
    int status = parse(argc, argv, "+:v:", &run_variables, &request);
    if (status)
        return status;
    if ((status = launch_find_profile(argc, argv)))
        return status;
    *command = argv + optind;
    if ((status = find_job(&run_job, name, request.mpi, *command)) ||
        (!run_placement && (status = find_library(&run_job, name, *command))))
        return status;
    variables_add(&run_variables, "RESEAT", "reorder");
    if (run_profile)
        variables_add_path(&run_variables, "RESEAT_FILE", run_profile);
    add_environment(&run_variables);
    if (run_placement)
        return 0;
    variables_add_preload(&run_variables, &run_job);
    return variables_check(name, &run_job, &run_variables);
}

int prepare_doctor(int argc, char **argv, const char **profile, struct job *job, char ***command)
{
    struct request request = {.takes = LAUNCH_SETTINGS "m"};
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
    variables_add_preload(&run_variables, &run_job);
    *job = run_job;
    return 0;
}

int prepared_variables_fit(char why[512])
{
    return variables_fit(&run_job, &run_variables, why);
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

void mark_prepared(const char *name, char **command)
{
    char why[REASON_SIZE];
    if (run_placed)
        return;
    if (reasons_of_program(&run_job, command, why) == 0)
        complain(0, name, "%s", why);
    mark_create(&run_mark, run_profile, &run_variables);
}

int is_prepared_missing(char **command, char *why)
{
    if (mark_find(&run_mark) != MARK_MISSING)
        return 0;
    reasons_find(&run_job, command, run_mark.folder, why);
    return 1;
}

void clean_up_prepared(void)
{
    mark_remove(&run_mark);
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

int ask_prepared(const char *name, char **command, int with, struct answer *answer)
{
    int status = 0;
    int rc = with ? launch_with(name, &run_job, &run_variables, command, answer, &status)
                  : run_and_wait(name, command, answer, &status);
    if (is_asked_to_end())
        errno = EINTR;
    if (rc || is_asked_to_end())
        return -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Whether what verify has found out is no reason to leave the job as it is. */
static int launch_is_advised(void)
{
    char text[512];
    int verdict = run_profile ? read_verdict(run_profile, text) : 0;
    if (verdict == VERDICT_UNREAD)
        complain(0, "run", "%s; what verify has measured is left out", text);
    if (verdict == VERDICT_CHANGES && run_differs == OUTPUT_DIFFERS_WARN)
        complain(0, "run", "%s", text);
    if (verdict >= 0 || (verdict == VERDICT_CHANGES && run_differs != OUTPUT_DIFFERS_FAIL))
        return 1;
    complain(0, "run", "%s; run as it is (%sremove %s.verdict to try again)", text,
             verdict == VERDICT_CHANGES ? "--output-differs ignore, or " : "", run_profile);
    return 0;
}

int cmd_run(int argc, char **argv)
{
    char **command;
    struct watched watched;
    int status = prepare_run(argc, argv, NULL, &command);
    if (status)
        return status;
    int with = launch_is_advised();
    if (!with || run_placement)
        return with ? place_and_run("run", command) : run_prepared("run", command, with);
    status = launch_watched("run", &run_job, &run_variables, command, run_profile, &watched);
    return watched.why[0] ? complain(status, "run", "%s", watched.why) : status;
}

enum output_differs prepared_output_differs(void)
{
    return run_differs;
}

int prepared_is_by_graph(void)
{
    return !run_placement && strcmp(launch_setting(&run_variables, "RESEAT_SCOPE"), "graph") == 0;
}

void prepared_add(const char *name, const char *value)
{
    variables_add(&run_variables, name, value);
}

const char *prepared_profile(void)
{
    return run_profile;
}

int cmd_env(int argc, char **argv)
{
    static struct variables v;
    struct request request = {.takes = LAUNCH_SETTINGS "omA"};
    struct job job;
    int status = parse(argc, argv, ":o:v:", &v, &request);
    if (status)
        return status;
    if (optind + 1 != argc ||
        (strcmp(argv[optind], "profile") != 0 && strcmp(argv[optind], "run") != 0))
        return complain(EXIT_USAGE, "env", "reseat env profile|run --mpi openmpi|mpich [-o FILE]");
    if (check_output_name(request.output, NULL, 0, "env"))
        return EXIT_USAGE;
    if (!request.mpi)
        return complain(EXIT_USAGE, "env", "which MPI? say --mpi openmpi or --mpi mpich");
    char *nothing[] = {argv[optind], NULL};
    if ((status = find_job(&job, "env", request.mpi, nothing)) ||
        (status = find_library(&job, "env", nothing)))
        return status;
    int is_run = strcmp(argv[optind], "run") == 0;
    variables_add(&v, "RESEAT", is_run ? "reorder" : "profile");
    if (request.output || !is_run || !launch_by_graph(&v))
        variables_add_path(&v, "RESEAT_FILE", request.output ? request.output : "reseat.profile");
    variables_add_preload(&v, &job);
    for (int i = 0; i < v.count; i++) {
        printf("export %s=", v.name[i]);
        print_word(stdout, v.value[i]);
        putchar('\n');
    }
    return 0;
}
