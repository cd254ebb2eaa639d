/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.c - `reseat run --placement launch`: the mapping becomes a file for the launcher.
 *
 * The probe (probe.h) finds the seats of this allocation: the host and the PUs that the launcher,
 * with all options of the user, gives to rank r. The ranks are assigned to the same seats in
 * another order, by the profile, and a file tells the launcher. So no rank gets a PU that the
 * user's own options would not use, and a host gets as many ranks as before. If any rank is not
 * bound, or its place is not known, only hosts count.
 *
 * place.h has the stages, and who makes them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/job/child.h"
#include "cmd/place/place.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/shell/progress.h"
#include "profile/gain.h"
#include "text/printable.h"
#include "cmd/shell/complain.h"

/* ---- finding the seats, and the traffic ---- */

/* If it is of another program: no rank will say so, for nothing is preloaded. */
static void place_compare_origin(const struct place_input *input,
                                 const struct reseat_profile *profile)
{
    char note[ORIGIN_NOTES][ORIGIN_NOTE_SIZE];
    struct job_origin origin;
    job_find_origin(&origin, &input->job, input->command);
    int notes = origin_compare(profile, input->profile, &origin.now, note);
    for (int i = 0; i < notes && input->settings->verbose >= 1; i++)
        cli_fail(0, "%s", note[i]);
}

/* 0, or -1 with *error. */
static int place_set_traffic(struct place_model *m, struct reseat_profile *profile,
                             const struct place_input *input, struct reseat_error *error)
{
    const struct reseat_settings *settings = input->settings;
    struct reseat_error ignored;
    if (keep_traffic(profile, input->profile, settings->phase, settings->kind, error) ||
        prediction_set_profile(&m->prediction, profile, settings->metric, error))
        return -1;
    if (settings->metric != RESEAT_METRIC_MSG &&
        reseat_profile_weights(profile, 0, 1, RESEAT_METRIC_MSG, &m->messages, &m->messages_count,
                               &ignored))
        m->messages = NULL; /* the report will lack messages */
    place_compare_origin(input, profile);
    return time_forecast_open(&m->forecast, settings->timings, profile, error);
}

/* Read the profile of as many ranks as the probe has found. 0, or -1 with *error. */
static int place_load_traffic(struct place_model *m, const struct place_input *input,
                              const struct probe *probe, struct reseat_error *error)
{
    struct reseat_profile *profile;
    if (reseat_profile_read(&profile, input->profile, error))
        return -1;
    int rc = profile->ranks == probe->ranks
                 ? place_set_traffic(m, profile, input, error)
                 : reseat_fail(error, "%s is of %d ranks, this job has %d", input->profile,
                               (int)profile->ranks, (int)probe->ranks);
    probe_worth(probe, profile, &m->worth);
    reseat_profile_destroy(profile);
    return rc;
}

static int place_find_topology(struct probe *probe, const struct reseat_settings *settings,
                               struct reseat_error *error)
{
    int rc = probe_topology(probe, settings->topology, error);
    if (rc > 0 && settings->verbose >= 1)
        cli_fail(0, "switches are left out: %s", error->text);
    return rc < 0 ? -1 : 0;
}

/* Finds out whether places inside the hosts count: by_core, by_thread. Returns for how many ranks
 * that is not known. */
static int32_t place_find_bindings(struct place_order *o, const struct probe *probe)
{
    int32_t unknown = 0;
    o->by_core = 1;
    for (int32_t rank = 0; rank < probe->ranks; rank++) {
        const struct probe_seat *seat = &probe->seat[rank];
        o->by_core &= seat->is_bound && seat->is_known && strcmp(seat->cores, "-") != 0;
        o->by_thread |= seat->is_known && !seat->whole;
        unknown += !seat->is_known;
    }
    return unknown;
}

/* Make room for the order, and find out what seats it is of. 0, or -1 with *error. */
static int place_open_order(struct place_order *o, const struct probe *probe,
                            const struct place_input *input, struct reseat_error *error)
{
    size_t n = (size_t)probe->ranks;
    o->ranks = probe->ranks;
    o->seat_of = malloc(n * sizeof *o->seat_of);
    o->seats = calloc(n, sizeof *o->seats);
    if (!o->seat_of || !o->seats)
        return reseat_fail(error, "out of memory");
    int32_t unknown = place_find_bindings(o, probe);
    if (unknown && input->settings->verbose >= 1 && !input->job.launcher->simulated_hosts)
        cli_fail(0,
                 "reseat is not at the same path, or hwloc fails, for %d of %d ranks: they are "
                 "placed by host only",
                 (int)unknown, (int)probe->ranks);
    return 0;
}

static enum binding place_choose_binding(const struct launcher *launcher, int by_core, int is_bound)
{
    if (by_core)
        return BINDING_OURS;
    switch (launcher->unplaced) {
    case LAUNCHER_BINDS_ON_EACH_HOST:
        return BINDING_THEIRS;
    case LAUNCHER_UNBIND_IF_NONE:
        return is_bound ? BINDING_THEIRS : BINDING_NONE;
    default:
        return BINDING_NONE;
    }
}

/* 0: it gains enough, or is a requested one. -1 with *error: it does not. */
static int place_check_gain(const struct place_model *m, const struct place_input *input,
                            int in_pieces, struct reseat_error *error)
{
    char of_job[RESEAT_WORTH_SIZE];
    const char *local = local_ranks_words(&m->prediction.local.of_all);
    if (input->layout || input->settings->mapping[0] || reseat_worth_suffices(&m->worth))
        return 0;
    if (in_pieces)
        return reseat_fail(
            error, "a better order would have Hydra start hosts more than once, and MPI take "
                   "each start for a node of its own (reseat run without --placement has no "
                   "such limit)");
    return reseat_fail(error, "a better order would gain %.1f %%%s, less than RESEAT_MIN_GAIN%s%s",
                       100 * m->worth.gain, reseat_worth_text(&m->worth, ", ", of_job),
                       *local ? "; " : "", local);
}

/* 0: there is a better order, or a requested one. -1 with *error: there is none. */
static int placement_choose_order(struct placement *p, struct reseat_error *error)
{
    struct place_order *o = &p->order;
    progress_say("looking for a better order of %d ranks", (int)o->ranks);
    int failed = place_order_find(o, &p->model, &p->input, &p->probe, error);
    progress_end();
    if (failed)
        return -1;
    o->binding =
        place_choose_binding(p->input.job.launcher, o->by_core, p->probe.unbound < p->probe.ranks);
    o->in_pieces = o->format->restarts_hosts && emit_hydra_comes_back(o->seats, o->ranks);
    if (o->in_pieces && place_order_in_pieces(o, &p->model, &p->probe, error))
        return -1;
    return place_check_gain(&p->model, &p->input, o->in_pieces, error);
}

static int placement_find(struct placement *p, struct place_refusal *why)
{
    struct place_input *input = &p->input;
    struct prediction *prediction = &p->model.prediction;
    struct reseat_error *error = &why->error;
    if (placement_probe(&p->probe, &input->job, input->command, why) ||
        (input->layout ? prediction_set_entries(prediction, p->probe.ranks, NULL, 0, error)
                       : place_load_traffic(&p->model, input, &p->probe, error)) ||
        place_find_topology(&p->probe, input->settings, error) ||
        place_open_order(&p->order, &p->probe, input, error))
        return -1;
    input->job.launcher = job_ask_launcher(&input->job, input->command);
    return placement_choose_order(p, error);
}

/* ---- what is printed ---- */

/* A clause for the report if messages between hosts become many more, else "". */
static const char *place_messages(const struct place_model *m, const int32_t *seat_of,
                                  const struct probe_seat *seat, char text[80])
{
    uint64_t between[2] = {0, 0};
    for (size_t i = 0; m->messages && i < m->messages_count; i++) {
        const struct tmap_entry *e = &m->messages[i];
        if (seat[e->source].host != seat[e->target].host)
            between[0] += e->weight;
        if (seat[seat_of[e->source]].host != seat[seat_of[e->target]].host)
            between[1] += e->weight;
    }
    double times = reseat_more_messages(between[0], between[1]);
    text[0] = '\0';
    if (times > 0)
        snprintf(text, 80, "; messages between hosts: %.1f times as many (see --metric)", times);
    return text;
}

/* A clause about the busiest link if it is an objective, else "". */
static const char *place_links(const double busiest[2], int in_pieces, char text[80])
{
    text[0] = '\0';
    if (busiest[0] > 0 && !in_pieces)
        snprintf(text, 80, ", load of the busiest link %+.1f %%",
                 0 - 100 * reseat_gain(busiest[0], busiest[1]));
    return text;
}

static void placement_say(const struct placement *p)
{
    const struct place_order *o = &p->order;
    const struct place_model *m = &p->model;
    const struct reseat_settings *settings = p->input.settings;
    char messages[80], links[80];
    const char *by_host = o->by_core ? "" : ", by host", *name = o->format->name;
    const char *local = local_ranks_words(&m->prediction.local.of_all);
    const char *what = m->forecast.timings && !o->in_pieces ? "time" : "cost";
    if (settings->verbose < 1)
        return;
    if (o->in_pieces)
        cli_fail(0,
                 "Hydra starts hosts more than once for this order: MPI will take each start for "
                 "a node of its own");
    if (p->input.layout)
        cli_fail(0, "placed at launch (%s%s) by layout %s", name, by_host, p->input.layout);
    else if (settings->mapping[0])
        cli_fail(0, "placed at launch (%s%s) as %s says: predicted %s %+.1f %%", name, by_host,
                 settings->mapping, what, 0 - 100 * m->cost_gain);
    else
        cli_fail(0, "placed at launch (%s%s, %s): predicted %s %+.1f %%%s%s%s%s", name, by_host,
                 m->prediction.method, what, 0 - 100 * m->cost_gain,
                 place_links(m->prediction.busiest, o->in_pieces, links),
                 place_messages(m, o->seat_of, p->probe.seat, messages), *local ? "; " : "", local);
}

/* ---- all stages ---- */

/* Make the placed job, and try it. 0, or -1 with *why. */
static int placement_prepare(struct placement *p, struct place_refusal *why)
{
    char **before = environ;
    if (placed_job_make(&p->placed, &p->order, &p->input, &why->error))
        return -1;
    environ = p->placed.environment;
    int rc = 0;
    if (is_asked_to_end())
        rc = reseat_fail(&why->error, "interrupted");
    else if (!placement_was_tried(p) && (rc = placement_try(p, why)) == 0)
        placement_keep_tried(p);
    environ = before;
    return rc;
}

static void place_refusal_close(struct place_refusal *why)
{
    if (why->said)
        fclose(why->said);
}

/* If a launcher that has another file for hosts does not accept PUs, which *refused tells, try
 * hosts only. 0, or -1. */
static int placement_prepare_by_host(struct placement *p, const struct place_refusal *refused)
{
    struct place_refusal why = {.said = NULL};
    if (!p->order.by_core || !p->order.format->cores_only || p->probe.hosts < 2)
        return -1;
    placed_job_free(&p->placed);
    p->order.by_core = 0;
    int rc = placement_choose_order(p, &why.error) || placement_prepare(p, &why) ? -1 : 0;
    place_refusal_close(&why);
    if (rc == 0 && p->input.settings->verbose >= 1)
        place_refusal_print(refused, "by host then");
    return rc;
}

static void placement_give_up(struct placement *p, const struct place_refusal *why)
{
    placed_job_free(&p->placed);
    end_if_asked();
    if (p->input.settings->verbose >= 1)
        place_refusal_print(why, "run as it is");
}

int placement_create(struct placement **result, const struct placement_request *request,
                     const struct job *job, char **command, struct reseat_error *error)
{
    struct place_refusal why = {.said = NULL};
    if (rewrite_check(job, command, error))
        return CLI_REFUSED;
    struct placement *p = calloc(1, sizeof *p);
    if (!p)
        return reseat_fail(error, "out of memory");
    p->input =
        (struct place_input){*job, command, request->profile, request->layout, request->settings};
    p->probe.limit = request->settings->probe_seconds;
    p->probe.asks_places = 1;
    if (placement_find(p, &why) ||
        (placement_prepare(p, &why) && placement_prepare_by_host(p, &why)))
        placement_give_up(p, &why);
    else
        placement_say(p);
    place_refusal_close(&why);
    *result = p;
    return 0;
}

int placement_moves(const struct placement *p)
{
    return p->placed.words != NULL;
}

int placement_run(const struct placement *p)
{
    char **before = environ;
    if (!placement_moves(p))
        return run_and_wait(p->input.command, NULL);
    environ = p->placed.environment;
    int status = run_and_wait(p->placed.words, NULL);
    environ = before;
    return status;
}

/* Hosts in pieces are predicted by the cost. */
void placement_predicted(const struct placement *p, struct predicted *predicted)
{
    const struct time_forecast *forecast = &p->model.forecast;
    char lack[TIME_FORECAST_LACK_SIZE];
    if (forecast->lack)
        printable_copy(predicted->unknown, sizeof predicted->unknown,
                       time_forecast_lack_text(forecast, p->input.settings->metric, lack));
    for (int i = 0; i < 2 && forecast->timings && !p->order.in_pieces; i++) {
        predicted->seconds[i] = forecast->seconds[i].estimate;
        predicted->between_nodes[i] = forecast->seconds[i].between_nodes;
    }
}

void placement_destroy(struct placement *p)
{
    if (!p)
        return;
    placed_job_free(&p->placed);
    probe_free(&p->probe);
    prediction_close(&p->model.prediction);
    time_forecast_close(&p->model.forecast);
    free(p->model.messages);
    free(p->order.seat_of);
    free(p->order.seats);
    free(p);
}
