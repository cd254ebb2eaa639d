/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * doctor.c - `reseat doctor`: why a job gets no better order. It examines the program and asks the
 * ranks (probe.h) where they run, what they are bound to and whether they load the library; with a
 * profile it predicts what an order would gain. The program itself is not run.
 */
#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/job/child.h"
#include "cmd/job/delivery.h"
#include "cmd/job/job-start.h"
#include "cmd/run/job-run.h"
#include "cmd/place/probe.h"
#include "cmd/shell/progress.h"
#include "cmd/run/reasons.h"
#include "cmd/shell/time-forecast.h"
#include "cmd/run/verdict.h"
#include "profile/gain.h"
#include "profile/order.h"
#include "text/printable.h"
#include "profile/settings.h"
#include "launcher/tried.h"
#include "network/network-source.h"
#include "predict/strategy.h"
#include "cmd/shell/complain.h"
#include "cmd/commands.h"
#include "cmd/installation.h"

static int troubles, is_without_gain;

/* The kinds of findings: an obstacle; good; or a remark, for instance on what follows from another
 * finding. */
enum { IN_THE_WAY = 0, WELL = 1, REMARK = 2 };

/* Print a finding. */
static void doctor_say(int good, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void doctor_say(int good, const char *format, ...)
{
    char line[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    printf(good == WELL ? "  ok  " : good ? "  --  " : "  !!  ");
    printable_print(stdout, line);
    printf("\n");
    troubles += good == IN_THE_WAY;
}

/* ---- the program ---- */

/* Report why the word in the place of the program cannot be started. */
static void find_unusable(const char *word)
{
    struct stat status;
    if (!strchr(word, '/'))
        doctor_say(IN_THE_WAY, "%s: is not in PATH", word);
    else if (stat(word, &status))
        doctor_say(IN_THE_WAY, "%s: %s", word, strerror(errno));
    else
        doctor_say(IN_THE_WAY, "%s: %s", word, strerror(S_ISDIR(status.st_mode) ? EISDIR : EACCES));
}

/* Whether there is a program in `command`, as find_job has parsed it. */
static int look_for_program(const struct job *job, char **command)
{
    char path[PATH_MAX];
    int first = delivery_program(job->launcher, command, job->options_at);
    const char *word = command[first] && strcmp(command[first], ":") != 0 ? command[first] : NULL;
    if (!word)
        doctor_say(IN_THE_WAY, job->program < 0
                                   ? "no word of the command is a program that can be found"
                                   : "the first part of the command has no program");
    else if (job->program < 0)
        find_unusable(word);
    else if (first >= job->wrapper || !strchr(word, '/') || find_in_path(word, path) == 0)
        return 1;
    else /* what was found comes after it, and is its argument */
        find_unusable(word);
    return 0;
}

static int doctor_parts(char **command)
{
    int parts = 1;
    for (char **word = command; *word; word++)
        parts += strcmp(*word, ":") == 0;
    return parts;
}

/* Ranks of different programs are not interchangeable: the library keeps their order. */
static void look_for_parts(char **command, const struct reseat_settings *settings)
{
    int parts = doctor_parts(command);
    if (parts > 1)
        doctor_say(
            settings->scope != RESEAT_SCOPE_AUTO,
            "the command has %d parts (`:'), whose ranks are not interchangeable: --scope world if "
            "they are",
            parts);
}

/* Whether the library can be preloaded into the program. */
static int look_at_program(const struct job *job, char **command)
{
    char why[REASON_SIZE];
    int is_closed = reasons_of_program(job, command, why) == 0;
    if (is_closed)
        doctor_say(IN_THE_WAY, "%s", why);
    if (job->linked)
        doctor_say(WELL,
                   strcmp(job->mpi, "abi") == 0 ? "%s is linked with the standard ABI of MPI (%s)"
                                                : "%s is linked with the MPI of its launcher (%s)",
                   job->path, job->mpi);
    else if (!is_closed && reasons_has_no_mpi(job, command))
        doctor_say(IN_THE_WAY,
                   "%s is not linked with an MPI: nothing is recorded or reordered, unless it "
                   "loads one",
                   job->path);
    else if (!is_closed)
        doctor_say(REMARK,
                   "%s is not linked with an MPI: it has to load one, or start a program that is",
                   job->path);
    return !is_closed;
}

/* ---- the ranks ---- */

static void show_output(FILE *file)
{
    char line[512];
    rewind(file);
    for (int i = 0; i < 10 && fgets(line, sizeof line, file); i++) {
        line[strcspn(line, "\r\n")] = '\0';
        printf("        ");
        printable_print(stdout, line);
        printf("\n");
    }
}

/* 0, or -1 if the ranks could not be asked. */
static int ask_ranks(struct probe *p, const struct job *job, char **command)
{
    FILE *said = NULL;
    int rc = probe_job(p, job, command, &said);
    end_if_asked();
    if (rc)
        doctor_say(0, "the launcher cannot be started: %s", strerror(errno));
    else if (p->is_late) {
        doctor_say(
            0, "the launcher has not ended after %d s (RESEAT_PROBE_SECONDS); it says:", p->limit);
        show_output(said);
    } else if (p->no_host[0]) {
        doctor_say(0, "a rank is on '%s', which is not a host name", p->no_host);
    } else if (!p->ranks) {
        doctor_say(0, "the launcher starts no rank (exit status %d); it says:", p->status);
        show_output(said);
    }
    if (said)
        fclose(said);
    return rc || p->is_late || !p->ranks || p->no_host[0] ? -1 : 0;
}

/* `moot`: what is in the way of any order has been printed. */
static void tell_bindings(const struct probe *p, const struct reseat_settings *settings, int moot)
{
    const char *topology = settings->topology;
    if (network_source_of(topology) == NETWORK_FROM_TREE)
        doctor_say(1, "where the ranks are is taken from RESEAT_TOPOLOGY, not from these hosts");
    else if (p->unbound && p->hosts == 1)
        doctor_say(
            moot ? REMARK : IN_THE_WAY,
            "%d of %d ranks are bound to nothing, on one host: no order is better than another; "
            "bind them (mpirun --bind-to core)",
            (int)p->unbound, (int)p->ranks);
    else if (p->unbound)
        doctor_say(1, "%d of %d ranks are bound to nothing: they can be placed by host only",
                   (int)p->unbound, (int)p->ranks);
    else
        doctor_say(1, "all ranks are bound");
}

/* The accelerators of the hosts, and what a program that takes one will find. */
static void tell_accelerators(const struct probe *p, const struct reseat_settings *settings)
{
    int32_t most = 0;
    for (int32_t i = 0; i < p->ranks; i++)
        if (p->seat[i].location.accelerators > most)
            most = p->seat[i].location.accelerators;
    if (most == 0)
        return;
    if (settings->keep_local == RESEAT_KEEP_LOCAL_NO)
        doctor_say(REMARK,
                   "%d accelerator%s on a host, and RESEAT_KEEP_LOCAL=no: a program that takes one "
                   "by its local rank may get one that is far from its cores",
                   (int)most, most == 1 ? "" : "s");
    else
        doctor_say(WELL,
                   "%d accelerator%s on a host: a better order leaves local ranks as they are, so "
                   "that a program which takes one by its local rank, or by a variable of the "
                   "launcher, gets the same as without us",
                   (int)most, most == 1 ? "" : "s");
}

/* Not all ranks get the library: report the cause. */
static void tell_unreached(const struct probe *p, const struct job *job, char **command)
{
    char why[REASON_SIZE];
    if (reasons_of_words(job, command, why) == 0)
        doctor_say(IN_THE_WAY, "%s", why);
    else if (p->preload[0])
        doctor_say(IN_THE_WAY,
                   "LD_PRELOAD is %s at a rank: something after the launcher sets it, without the "
                   "library that is there (it reaches %d of %d ranks)",
                   p->preload, (int)p->reached, (int)p->ranks);
    else
        doctor_say(
            IN_THE_WAY,
            "LD_PRELOAD reaches %d of %d ranks: this launcher%s passes on no variables; set those "
            "of `reseat env run` in its own way",
            (int)p->reached, (int)p->ranks,
            job->wrapper < job->program ? ", or what stands before the program," : "");
}

/* `is_open`: the library can be preloaded into the program. */
static void tell_ranks(const struct probe *p, const struct job *job, char **command, int is_open)
{
    doctor_say(1, "%d ranks on %d host%s", (int)p->ranks, (int)p->hosts, p->hosts == 1 ? "" : "s");
    if (job->standard_abi) /* no library is passed on */
        ;
    else if (p->reached == p->ranks && p->readable == p->ranks)
        doctor_say(is_open ? WELL : REMARK,
                   is_open ? "all ranks get %s" : "%s reaches the ranks, but has no effect there",
                   job->library);
    else if (p->reached < p->ranks)
        tell_unreached(p, job, command);
    else
        doctor_say(0, "%s is not there for %d of %d ranks: put it where all hosts see it",
                   job->library, (int)(p->ranks - p->readable), (int)p->ranks);
    if (p->is_crowded)
        doctor_say(REMARK, "a host has more ranks than processors: times will mean little");
}

/* ---- MPI ---- */

/* A job whose ranks only start and end MPI, with the library: the user's launcher is
 * started once with all its options and `reseat trial` in place of the program. */
struct trial {
    char mpi[128];         /* "Open MPI 4.1.4"; empty: the library did not get that far */
    char collectives[128]; /* as in the header of a profile (monitoring or model); or empty */
    const struct variables *variables; /* set by the caller: passed to the ranks */
    int limit;   /* set by the caller: time limit of the launcher in seconds */
    int is_late; /* it took longer, and was ended */
    int status;  /* exit status of the launcher */
};

enum { TRIAL_MOST_WORDS = 4096, TRIAL_OWN_WORDS = 16 };

/* Start again with the MPI of the program in front of the one that our library is linked with: the
 * symbols of both are the same. Returns if that cannot be. */
static void trial_start_with(const char *mpi, char **argv)
{
    char preload[2 * LIBRARY_PATH_SIZE];
    const char *ours = getenv("LD_PRELOAD");
    int length = snprintf(preload, sizeof preload, "%s:%s", ours ? ours : "", mpi);
    char *const words[] = {argv[0], argv[0], NULL};
    if (length < (int)sizeof preload && setenv("LD_PRELOAD", preload, 1) == 0)
        execv("/proc/self/exe", words);
}

/* This command is not linked with any MPI: the preloaded library has loaded that of the job, and
 * the functions called here have the same types in every MPI. The library prints what it finds, as
 * for a user with RESEAT_VERBOSE=2. */
int cmd_trial(int argc, char **argv)
{
    int (*init)(int *, char ***) = (int (*)(int *, char ***))dlsym(RTLD_DEFAULT, "MPI_Init");
    int (*finalize)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "MPI_Finalize");
    if (argc > 1)
        trial_start_with(argv[1], argv);
    if (!init || !finalize)
        return cli_fail(EXIT_USAGE, "needs the preloaded library of an MPI");
    return init(NULL, NULL) || finalize() ? EXIT_TROUBLE : 0;
}

/* Read a line "reseat: MPI; what its collectives send: SOURCE". */
static void trial_take_line(struct trial *trial, char *line)
{
    static const char ours[] = "reseat: ", between[] = "; what its collectives send: ";
    char *mpi = strstr(line, ours), *source = mpi ? strstr(mpi, between) : NULL;
    if (!source)
        return;
    *source = '\0';
    snprintf(trial->mpi, sizeof trial->mpi, "%s", mpi + strlen(ours));
    source += strlen(between);
    source[strcspn(source, "\r\n")] = '\0';
    snprintf(trial->collectives, sizeof trial->collectives, "%s", source);
}

/* Watch such a job, with one more variable for the ranks (`variable`, "NAME=VALUE"; NULL: none).
 * The profile at the end would not go to a regular file, so none is written. The output stays in
 * *said, which the caller closes if it is not NULL. 0, or -1 if the launcher cannot be started, out
 * of memory, or if a signal asks us to end. */
static int trial_job(struct trial *trial, const struct job *job, char **argv, const char *variable,
                     FILE **said)
{
    char *words[TRIAL_MOST_WORDS], self[PATH_MAX] = "", line[16384];
    trial->mpi[0] = trial->collectives[0] = '\0';
    *said = open_answer();
    if (!*said || readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return -1;
    int n = probe_words(job, argv, words, TRIAL_MOST_WORDS - TRIAL_OWN_WORDS);
    char *const first[] = {(char *)"env", (char *)"RESEAT=profile", (char *)"RESEAT_VERBOSE=2",
                           (char *)"RESEAT_FILE=/dev/null"};
    memcpy(words + n, first, sizeof first);
    n += (int)(sizeof first / sizeof first[0]);
    if (variable)
        words[n++] = (char *)variable;
    words[n++] = self;
    words[n++] = (char *)"trial";
    if (job->own_mpi[0])
        words[n++] = (char *)job->own_mpi;
    words[n] = NULL;
    struct answer answer = {*said, trial->limit, 0};
    trial->status = job_start_and_ask(job, trial->variables, words, &answer);
    if (trial->status == -1)
        return -1;
    trial->is_late = answer.is_late;
    rewind(*said);
    while (fgets(line, sizeof line, *said))
        trial_take_line(trial, line);
    rewind(*said);
    return 0;
}

/* 0: MPI starts and ends with this variable; -1: it does not, or that could not be tried. */
static int try_mpi(struct trial *trial, const struct job *job, char **command, const char *variable)
{
    FILE *said = NULL;
    int rc = trial_job(trial, job, command, variable, &said);
    end_if_asked();
    if (said)
        fclose(said);
    return rc || trial->is_late || trial->status ? -1 : 0;
}

/* MPI does not start and end when watched: report its output, and the cause. */
static void find_broken_mpi(const struct trial *watched, const struct job *job, char **command,
                            FILE *said)
{
    struct trial other = {.variables = watched->variables, .limit = watched->limit};
    const char *whose = "it does not work unwatched either: MPI itself is in trouble";
    if (try_mpi(&other, job, command, "RESEAT=off") == 0)
        whose = try_mpi(&other, job, command, "RESEAT_COLLECTIVES=model") == 0
                    ? "with RESEAT_COLLECTIVES=model it works"
                    : "unwatched it works";
    if (watched->is_late)
        doctor_say(IN_THE_WAY, "a job that starts MPI and is watched has not ended after %d s; %s",
                   watched->limit, whose);
    else
        doctor_say(IN_THE_WAY, "a job that starts MPI and is watched fails (exit status %d); %s",
                   watched->status, whose);
    show_output(said);
}

/* Which MPI the ranks get, and where the traffic of its collectives would come from. */
static void look_at_mpi(const struct probe *p, const struct job *job, char **command)
{
    struct trial trial = {.variables = p->variables, .limit = p->limit};
    FILE *said = NULL;
    for (int32_t i = 0; i < p->ranks; i++)
        if (!p->seat[i].is_known)
            return; /* no reseat there */
    int rc = trial_job(&trial, job, command, NULL, &said);
    end_if_asked();
    if (rc)
        doctor_say(IN_THE_WAY, "the launcher cannot be started: %s", strerror(errno));
    else if (!trial.mpi[0] || (trial.status && !trial.is_late)) /* MPICH may hang in MPI_Finalize */
        find_broken_mpi(&trial, job, command, said);
    else {
        doctor_say(WELL, "the ranks run on %s", trial.mpi);
        if (!tried_has(trial.mpi))
            doctor_say(REMARK,
                       "no release of that series was tried (README lists those that were): "
                       "what belongs to the inside of an MPI is left alone");
        doctor_say(WELL, "what its collectives send comes from: %s", trial.collectives);
    }
    if (said)
        fclose(said);
}

/* ---- the profile ---- */

/* Where the ranks are for the mapping. 0, or -1: the requested topology does not fit. */
static int look_at_topology(struct probe *p, const struct reseat_settings *settings)
{
    struct reseat_error error;
    int rc = probe_topology(p, settings->topology, &error);
    if (rc)
        doctor_say(0, "%s%s", rc > 0 ? "switches are left out: " : "", error.text);
    return rc < 0 ? -1 : 0;
}

/* Whether RESEAT_MAPPING counts: it is an order of MPI_COMM_WORLD. */
static int has_mapping(const struct reseat_settings *settings)
{
    return settings->mapping[0] && settings->scope != RESEAT_SCOPE_GRAPH;
}

/* The order that RESEAT_MAPPING names. 0, or -1. */
static int judge_mapping(struct prediction *prediction, const char *path,
                         struct reseat_error *error)
{
    int32_t ranks = tmap_matrix_roles(prediction->matrix);
    int32_t *rank_of = malloc(((size_t)ranks + 1) * sizeof *rank_of);
    int rc = !rank_of ? reseat_fail(error, "out of memory")
                      : reseat_order_read(rank_of, ranks, path, error) ||
                            prediction_judge(prediction, rank_of, error);
    free(rank_of);
    return rc ? -1 : 0;
}

/* Predict what an order would gain, on the tree of the ranks as the library would see it. 0, or
 * -1. */
static int predict_order(struct prediction *prediction, struct time_forecast *forecast,
                         const struct probe *p, const struct reseat_profile *profile,
                         const struct reseat_settings *settings, struct reseat_error *error)
{
    const struct prediction_request request = prediction_of_run(settings);
    enum reseat_strategy strategy = strategy_choose(settings->strategy, p->ranks);
    enum reseat_metric metric = settings->metric;
    struct reseat_location *locations = probe_locations(p, 1);
    prediction->keep_local = settings->keep_local;
    int rc = locations ? 0 : reseat_fail(error, "out of memory");
    rc = rc || prediction_set_profile(prediction, profile, settings->metric, error) ||
         prediction_set_locations(prediction, locations, &p->network, error) ||
         time_forecast_open(forecast, settings->timings, profile, error) ||
         time_forecast_set(forecast, prediction, &metric, error);
    if (rc == 0 && has_mapping(settings))
        rc = judge_mapping(prediction, settings->mapping, error);
    else if (rc == 0)
        rc = strategy_find(prediction, strategy, locations, &p->network, &request, error);
    free(locations);
    return rc || time_forecast_compare(forecast, prediction, error) ? -1 : 0;
}

/* What a better order would do, in words. */
static const char *predict_change(const struct prediction *p, const struct time_forecast *forecast,
                                  char text[128])
{
    double gain = reseat_gain(p->before.cost, p->after.cost);
    if (forecast->timings)
        snprintf(text, 128, "lower the predicted time by %.1f %%",
                 100 * time_forecast_gain(forecast, p));
    else if (p->objective == RESEAT_OBJECTIVE_CONGESTION)
        snprintf(text, 128,
                 "change the predicted cost by %+.1f %%, the load of the busiest link by %+.1f %%",
                 0 - 100 * gain, 0 - 100 * reseat_gain(p->busiest[0], p->busiest[1]));
    else
        snprintf(text, 128, "lower the predicted cost by %.1f %%", 100 * gain);
    return text;
}

/* Print it; `moot`: why it has no effect has been printed. */
static void doctor_predict(const struct probe *p, const struct reseat_profile *profile,
                           const struct reseat_settings *settings, int moot)
{
    struct prediction prediction = {0};
    struct time_forecast forecast = {0};
    struct reseat_error error;
    char text[128], of_job[RESEAT_WORTH_SIZE], lack[TIME_FORECAST_LACK_SIZE];
    progress_say("looking for a better order of %d ranks", (int)p->ranks);
    int rc = predict_order(&prediction, &forecast, p, profile, settings, &error);
    progress_end();
    double gain = rc ? 0 : time_forecast_gain(&forecast, &prediction);
    struct reseat_worth worth = {
        .gain = gain,
        .seconds = {forecast.seconds[0].estimate, forecast.seconds[1].estimate},
        .min_gain = settings->min_gain};
    probe_worth(p, profile, &worth);
    if (!rc && forecast.lack)
        doctor_say(REMARK, "%s", time_forecast_lack_text(&forecast, settings->metric, lack));
    if (rc)
        doctor_say(IN_THE_WAY, "%s", error.text);
    else if (has_mapping(settings))
        doctor_say(REMARK, "the order of %s is taken whatever it costs: predicted %s %+.1f %%",
                   settings->mapping, forecast.timings ? "time" : "cost", 0 - 100 * gain);
    else if (reseat_worth_suffices(&worth))
        doctor_say(moot ? REMARK : WELL, "a better order on these hosts would %s",
                   predict_change(&prediction, &forecast, text));
    else {
        is_without_gain = 1;
        doctor_say(REMARK,
                   "a better order on these hosts would %s%s, too little to reorder for "
                   "(RESEAT_MIN_GAIN, %g %%)",
                   predict_change(&prediction, &forecast, text),
                   reseat_worth_text(&worth, ", ", of_job), 100 * settings->min_gain);
    }
    prediction_close(&prediction);
    time_forecast_close(&forecast);
}

/* Whether `run` leaves the job unchanged because it was slower. */
static int look_at_verdict(const char *path, int by_graph)
{
    char text[512];
    int verdict = read_verdict(path, by_graph, text);
    if (verdict == VERDICT_UNREAD)
        doctor_say(IN_THE_WAY, "%s", text);
    else if (verdict < 0)
        doctor_say(IN_THE_WAY,
                   "%s.verdict: %s; run leaves the job as it is until that file is removed", path,
                   text);
    return verdict < 0;
}

/* Whether all orders are equivalent (tell_bindings has reported that). */
static int is_unplaced(const struct probe *p, const struct reseat_settings *settings)
{
    return p->unbound && p->hosts == 1 &&
           network_source_of(settings->topology) != NETWORK_FROM_TREE;
}

/* Whether the profile is of this program. */
static void look_at_origin(const struct reseat_profile *profile, const struct job_run *run)
{
    char note[ORIGIN_NOTES][ORIGIN_NOTE_SIZE];
    struct job_origin origin;
    job_find_origin(&origin, &run->job, run->command);
    for (int i = 0, n = origin_compare(profile, run->profile, &origin.now, note); i < n; i++)
        doctor_say(REMARK, "%s", note[i]);
}

static void look_at_profile(struct probe *p, const struct job_run *run)
{
    const char *path = run->profile;
    const struct reseat_settings *settings = &run->settings;
    struct reseat_profile *profile;
    struct reseat_error error;
    if (reseat_profile_read(&profile, path, &error)) {
        doctor_say(0, "%s", error.text);
        return;
    }
    look_at_origin(profile, run);
    int was_slower = look_at_verdict(path, job_run_is_by_graph(run));
    if (settings->phase >= 0 && !reseat_profile_keep_phase(profile, settings->phase))
        doctor_say(0, "%s: no traffic in phase %d", path, settings->phase);
    else if (!reseat_profile_keep_kind(profile, settings->kind) && settings->kind >= 0)
        doctor_say(0, "%s: no traffic of the kind %s", path,
                   reseat_traffic_name((enum reseat_traffic)settings->kind));
    else if (p->ranks && doctor_parts(run->command) > 1) /* the probe is run by the first part */
        doctor_say(REMARK, "the ranks of one part were asked, so nothing is predicted");
    else if (p->ranks && profile->ranks != p->ranks)
        doctor_say(0, "%s is of %d ranks, this job has %d: watch it once more", path,
                   (int)profile->ranks, (int)p->ranks);
    else if (p->ranks && probe_sort(p))
        doctor_say(0, "this launcher does not tell the ranks their numbers");
    else if (p->ranks && look_at_topology(p, settings) == 0)
        doctor_predict(p, profile, settings, was_slower || is_unplaced(p, settings));
    for (size_t i = 0; i < profile->headers_count; i++)
        if (strcmp(profile->headers[i].key, "not_seen") == 0)
            doctor_say(1, "not in the profile: %s", profile->headers[i].value);
        else if (strcmp(profile->headers[i].key, "rank_variable") == 0)
            doctor_say(
                settings->scope != RESEAT_SCOPE_AUTO,
                "the program asks for %s, which no reordering changes: see THE WORLD in reseat(1)",
                profile->headers[i].value);
    reseat_profile_destroy(profile);
}

static void find_setting(void *context, const char *line)
{
    (void)context;
    doctor_say(0, "%s", line);
}

static void look_at_job(struct probe *p, const struct job_run *run)
{
    const struct job *job = &run->job;
    char **command = run->command;
    struct reseat_error error;
    if (!look_for_program(job, command))
        return;
    int is_open = look_at_program(job, command);
    look_for_parts(command, &run->settings);
    p->limit = run->settings.probe_seconds;
    p->variables = &run->variables;
    p->asks_places = 1;
    if (variables_fit(job, &run->variables, &error)) {
        doctor_say(IN_THE_WAY, "%s", error.text);
        return;
    }
    if (ask_ranks(p, job, command))
        return;
    tell_ranks(p, job, command, is_open);
    tell_bindings(p, &run->settings, reasons_has_no_mpi(job, command));
    tell_accelerators(p, &run->settings);
    if (!job->standard_abi && p->reached == p->ranks && p->readable == p->ranks)
        look_at_mpi(p, job, command);
}

/* Print how much is in the way. Returns the exit status. */
static int doctor_conclude(void)
{
    if (troubles)
        printf("%d thing%s in the way\n", troubles, troubles == 1 ? "" : "s");
    else
        printf("nothing is in the way%s\n",
               is_without_gain ? ", and there is nothing to gain: the launch order is good" : "");
    return troubles ? EXIT_TROUBLE : 0;
}

int cmd_doctor(int argc, char **argv)
{
    static struct job_run run;
    struct probe probe = {0};
    if (argc == 1) {
        troubles = installation_print();
        return doctor_conclude();
    }
    int status = job_run_prepare_doctor(&run, argc, argv);
    if (status)
        return status;
    printf("%s, library ", run.job.standard_abi ? "standard ABI of MPI" : run.job.mpi);
    printable_print(stdout, run.job.standard_abi ? "none" : run.job.library);
    printf("\n");
    job_run_settings(&run, find_setting, NULL);
    look_at_job(&probe, &run);
    if (run.profile)
        look_at_profile(&probe, &run);
    status = doctor_conclude();
    probe_free(&probe);
    job_run_clean_up(&run);
    return status;
}
