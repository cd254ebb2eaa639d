/* SPDX-License-Identifier: BSD-3-Clause */
/* doctor-profile.c - see doctor.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/doctor.h"
#include "cmd/run/verdict.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/shell/progress.h"
#include "cmd/shell/time-forecast.h"
#include "network/network-source.h"
#include "predict/strategy.h"
#include "profile/gain.h"
#include "profile/order.h"
#include "profile/settings.h"

/* Where the ranks are for the mapping. 0, or -1: the requested topology does not fit. */
static int look_at_topology(struct probe *p, const struct reseat_settings *settings)
{
    struct reseat_error error;
    int rc = probe_topology(p, settings->topology, &error);
    if (rc)
        doctor_say(0, "%s%s", rc > 0 ? "switches are left out: " : "", error.text);
    return rc < 0 ? -1 : 0;
}

/* Returns 1 if RESEAT_MAPPING counts: it is an order of MPI_COMM_WORLD. */
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

/* Print it; `moot`: why it has no effect has been printed. Returns 1 if it is too little to reorder
 * for. */
static int doctor_predict(const struct probe *p, const struct reseat_profile *profile,
                          const struct reseat_settings *settings, int moot)
{
    struct prediction prediction = {0};
    struct time_forecast forecast = {0};
    struct reseat_error error;
    char text[128], of_job[RESEAT_WORTH_SIZE], lack[TIME_FORECAST_LACK_SIZE];
    progress_say("looking for a better order of %d ranks", (int)p->ranks);
    int rc = predict_order(&prediction, &forecast, p, profile, settings, &error);
    progress_end();
    int is_little = 0;
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
        is_little = 1;
        doctor_say(REMARK,
                   "a better order on these hosts would %s%s, too little to reorder for "
                   "(RESEAT_MIN_GAIN, %g %%)",
                   predict_change(&prediction, &forecast, text),
                   reseat_worth_text(&worth, ", ", of_job), 100 * settings->min_gain);
    }
    prediction_close(&prediction);
    time_forecast_close(&forecast);
    return is_little;
}

/* Returns 1 if `run` leaves the job unchanged because it was slower. */
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

/* Returns 1 if all orders are equivalent (doctor.c has reported that). */
static int is_unplaced(const struct probe *p, const struct reseat_settings *settings)
{
    return p->unbound && p->hosts == 1 &&
           network_source_of(settings->topology) != NETWORK_FROM_TREE;
}

/* Say if the profile is of another program. */
static void look_at_origin(const struct reseat_profile *profile, const struct job_run *run)
{
    char note[ORIGIN_NOTES][ORIGIN_NOTE_SIZE];
    struct job_origin origin;
    job_find_origin(&origin, &run->job, run->command);
    for (int i = 0, n = origin_compare(profile, run->profile, &origin.now, note); i < n; i++)
        doctor_say(REMARK, "%s", note[i]);
}

/* Returns 1 if the ranks keep their order since they are of several parts (doctor.c has reported
 * that). */
static int has_fixed_parts(const struct job_run *run)
{
    return job_parts(&run->job, run->command) > 1 && run->settings.scope == RESEAT_SCOPE_AUTO;
}

int doctor_look_at_profile(struct probe *p, const struct job_run *run)
{
    const char *path = run->profile;
    const struct reseat_settings *settings = &run->settings;
    struct reseat_profile *profile;
    struct reseat_error error;
    int is_little = 0;
    if (reseat_profile_read(&profile, path, &error)) {
        doctor_say(0, "%s", error.text);
        return 0;
    }
    look_at_origin(profile, run);
    int was_slower = look_at_verdict(path, job_run_is_by_graph(run));
    if (keep_traffic(profile, path, settings->phase, settings->kind, &error))
        doctor_say(0, "%s", error.text);
    else if (p->ranks && profile->ranks != p->ranks)
        doctor_say(0, "%s is of %d ranks, this job has %d: record it once more", path,
                   (int)profile->ranks, (int)p->ranks);
    else if (p->ranks && probe_sort(p))
        doctor_say(0, "this launcher does not tell the ranks their numbers");
    else if (p->ranks && look_at_topology(p, settings) == 0)
        is_little = doctor_predict(p, profile, settings,
                                   was_slower || has_fixed_parts(run) || is_unplaced(p, settings));
    for (size_t i = 0; i < profile->headers_count; i++)
        if (strcmp(profile->headers[i].key, "not_seen") == 0)
            doctor_say(1, "not in the profile: %s", profile->headers[i].value);
        else if (strcmp(profile->headers[i].key, "rank_variable") == 0)
            doctor_say(
                settings->scope != RESEAT_SCOPE_AUTO,
                "the program asks for %s, which no reordering changes: see THE WORLD in reseat(1)",
                profile->headers[i].value);
    reseat_profile_destroy(profile);
    return is_little;
}
