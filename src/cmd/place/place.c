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
 * place-order.c decides which rank gets which seat; place-check.c tries the launcher.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/job/child.h"
#include "cmd/place/place.h"
#include "cmd/shell/progress.h"
#include "profile/gain.h"
#include "text/printable.h"
#include "cmd/shell/complain.h"

/* ---- finding the seats ---- */

/* If it is of another program: no rank will say so, for nothing is preloaded. */
static void placement_compare_origin(const struct placement *p,
                                     const struct reseat_profile *profile, const char *path)
{
    char note[ORIGIN_NOTES][ORIGIN_NOTE_SIZE];
    struct job_origin origin;
    job_find_origin(&origin, &p->job, p->command);
    for (int i = 0, n = origin_compare(profile, path, &origin.now, note); i < n; i++)
        if (p->settings->verbose >= 1)
            cli_fail(0, "%s", note[i]);
}

static int placement_load_traffic(struct placement *p, const char *path)
{
    struct reseat_profile *profile;
    struct reseat_error ignored;
    int rc = 0;
    if (reseat_profile_read(&profile, path, &p->error))
        return -1;
    if (profile->ranks != p->probe.ranks)
        rc = reseat_fail(&p->error, "%s is of %d ranks, this job has %d", path, (int)profile->ranks,
                         (int)p->probe.ranks);
    else if (p->settings->phase >= 0 && !reseat_profile_keep_phase(profile, p->settings->phase))
        rc = reseat_fail(&p->error, "%s: no traffic in phase %d", path, p->settings->phase);
    else if (!reseat_profile_keep_kind(profile, p->settings->kind) && p->settings->kind >= 0)
        rc = reseat_fail(&p->error, "%s: no traffic of the kind %s", path,
                         reseat_traffic_name((enum reseat_traffic)p->settings->kind));
    else if (prediction_set_profile(&p->prediction, profile, p->settings->metric, &p->error))
        rc = -1;
    else if (p->settings->metric != RESEAT_METRIC_MSG &&
             reseat_profile_weights(profile, 0, 1, RESEAT_METRIC_MSG, &p->messages,
                                    &p->messages_count, &ignored))
        p->messages = NULL; /* the report will lack messages */
    if (rc == 0)
        placement_compare_origin(p, profile, path);
    if (rc == 0)
        rc = time_forecast_open(&p->forecast, p->settings->timings, profile, &p->error);
    probe_worth(&p->probe, profile, &p->worth);
    reseat_profile_destroy(profile);
    return rc;
}

static int placement_find_topology(struct placement *p)
{
    int rc = probe_topology(&p->probe, p->settings->topology, &p->error);
    if (rc > 0 && p->settings->verbose >= 1)
        cli_fail(0, "switches are left out: %s", p->error.text);
    return rc < 0 ? -1 : 0;
}

/* Finds out whether places inside the hosts count: by_core, by_thread. */
static void placement_find_bindings(struct placement *p)
{
    int32_t unknown = 0;
    p->by_core = 1;
    for (int32_t rank = 0; rank < p->probe.ranks; rank++) {
        const struct probe_seat *seat = &p->probe.seat[rank];
        p->by_core &= seat->is_bound && seat->is_known && strcmp(seat->cores, "-") != 0;
        p->by_thread |= seat->is_known && !seat->whole;
        unknown += !seat->is_known;
    }
    if (unknown && p->settings->verbose >= 1 && !p->job.launcher->simulated_hosts)
        cli_fail(0,
                 "reseat is not at the same path, or hwloc fails, for %d of %d ranks: they are "
                 "placed by host only",
                 (int)unknown, (int)p->probe.ranks);
}

static enum binding placement_choose_binding(const struct placement *p)
{
    if (p->by_core)
        return BINDING_OURS;
    switch (p->job.launcher->unplaced) {
    case LAUNCHER_BINDS_ON_EACH_HOST:
        return BINDING_THEIRS;
    case LAUNCHER_UNBIND_IF_NONE:
        return p->probe.unbound < p->probe.ranks ? BINDING_THEIRS : BINDING_NONE;
    default:
        return BINDING_NONE;
    }
}

/* 0: there is a better order, or a requested one. -1 with p->error: there is none. */
static int placement_choose_order(struct placement *p)
{
    char of_job[RESEAT_WORTH_SIZE];
    progress_say("looking for a better order of %d ranks", (int)p->probe.ranks);
    int failed = placement_order(p);
    progress_end();
    if (failed)
        return -1;
    p->binding = placement_choose_binding(p);
    p->in_pieces = p->format->restarts_hosts && emit_hydra_comes_back(p->seats, p->probe.ranks);
    if (p->in_pieces && placement_order_in_pieces(p))
        return -1;
    const char *local = local_ranks_words(&p->prediction.local.of_all);
    int suffices = p->layout || p->settings->mapping[0] || reseat_worth_suffices(&p->worth);
    if (p->in_pieces && !suffices)
        return reseat_fail(
            &p->error, "a better order would have Hydra start hosts more than once, and MPI take "
                       "each start for a node of its own (reseat run without --placement has no "
                       "such limit)");
    if (!suffices)
        return reseat_fail(&p->error,
                           "a better order would gain %.1f %%%s, less than RESEAT_MIN_GAIN%s%s",
                           100 * p->worth.gain, reseat_worth_text(&p->worth, ", ", of_job),
                           *local ? "; " : "", local);
    return 0;
}

static int placement_find(struct placement *p)
{
    if (placement_probe(p, &p->probe, &p->job, p->command) ||
        (p->layout ? prediction_set_entries(&p->prediction, p->probe.ranks, NULL, 0, &p->error)
                   : placement_load_traffic(p, p->profile)) ||
        placement_find_topology(p))
        return -1;
    size_t n = (size_t)p->probe.ranks;
    p->seat_of = malloc(n * sizeof *p->seat_of);
    p->seats = calloc(n, sizeof *p->seats);
    if (!p->seat_of || !p->seats)
        return reseat_fail(&p->error, "out of memory");
    placement_find_bindings(p);
    p->job.launcher = job_ask_launcher(&p->job, p->command);
    return placement_choose_order(p);
}

/* ---- the launcher's file ---- */

static int placement_write_file(struct placement *p)
{
    struct reseat_error error = {""};
    const char *folder = getenv("TMPDIR");
    if (!folder || folder[0] != '/' || emit_bad_path(p->format, folder))
        folder = "/tmp";
    snprintf(p->folder, sizeof p->folder, "%s/reseat.XXXXXX", folder);
    if (!mkdtemp(p->folder)) {
        int rc = reseat_fail(&p->error, "%s: %s", p->folder, strerror(errno));
        p->folder[0] = '\0';
        return rc;
    }
    snprintf(p->file, sizeof p->file, "%s/ranks", p->folder);
    FILE *file = fopen(p->file, "wxe");
    int rc = file ? emit(file, p->format, p->seats, p->seat_of, p->probe.ranks, &error) : -1;
    if (file && (ferror(file) | fclose(file)))
        rc = -1;
    return rc ? reseat_fail(&p->error, "%s: %s", p->file,
                            error.text[0] ? error.text : strerror(errno))
              : 0;
}

static void placement_remove_file(struct placement *p)
{
    if (!p->folder[0])
        return;
    unlink(p->file);
    rmdir(p->folder);
    p->folder[0] = '\0';
}

/* A clause for the report if messages between hosts become many more, else "". */
static const char *placement_messages(const struct placement *p, char text[80])
{
    uint64_t between[2] = {0, 0};
    for (size_t i = 0; p->messages && i < p->messages_count; i++) {
        const struct tmap_entry *e = &p->messages[i];
        const struct probe_seat *seat = p->probe.seat;
        if (seat[e->source].host != seat[e->target].host)
            between[0] += e->weight;
        if (seat[p->seat_of[e->source]].host != seat[p->seat_of[e->target]].host)
            between[1] += e->weight;
    }
    double times = reseat_more_messages(between[0], between[1]);
    text[0] = '\0';
    if (times > 0)
        snprintf(text, 80, "; messages between hosts: %.1f times as many (see --metric)", times);
    return text;
}

/* A clause about the busiest link if it is an objective, else "". */
static const char *placement_links(const struct placement *p, char text[80])
{
    const double *busiest = p->prediction.busiest;
    text[0] = '\0';
    if (busiest[0] > 0 && !p->in_pieces)
        snprintf(text, 80, ", load of the busiest link %+.1f %%",
                 0 - 100 * reseat_gain(busiest[0], busiest[1]));
    return text;
}

static void placement_say(const struct placement *p)
{
    char messages[80], links[80];
    const char *local = local_ranks_words(&p->prediction.local.of_all);
    const char *what = p->forecast.timings && !p->in_pieces ? "time" : "cost";
    if (p->settings->verbose < 1)
        return;
    if (p->in_pieces)
        cli_fail(0,
                 "Hydra starts hosts more than once for this order: MPI will take each start for "
                 "a node of its own");
    if (p->layout)
        cli_fail(0, "placed at launch (%s%s) by layout %s", p->format->name,
                 p->by_core ? "" : ", by host", p->layout);
    else if (p->settings->mapping[0])
        cli_fail(0, "placed at launch (%s%s) as %s says: predicted %s %+.1f %%", p->format->name,
                 p->by_core ? "" : ", by host", p->settings->mapping, what, 0 - 100 * p->cost_gain);
    else
        cli_fail(0, "placed at launch (%s%s, %s): predicted %s %+.1f %%%s%s%s%s", p->format->name,
                 p->by_core ? "" : ", by host", p->prediction.method, what, 0 - 100 * p->cost_gain,
                 placement_links(p, links), placement_messages(p, messages), *local ? "; " : "",
                 local);
}

/* Make the words and the environment of the placed job. 0, or -1 with p->error. */
static int placement_rewrite(struct placement *p)
{
    struct emit_use *use = &p->use;
    if (emit_use(use, p->format, p->file, p->seats, p->probe.ranks))
        return reseat_fail(&p->error, "out of memory");
    if (p->by_thread && p->format->pu_option) {
        use->words[use->count] = strdup(p->format->pu_option);
        if (!use->words[use->count++])
            return reseat_fail(&p->error, "out of memory");
    }
    if (rewrite_keep_oversubscription(&p->job, p->command, p->binding, use))
        return reseat_fail(&p->error, "out of memory");
    snprintf(p->number, sizeof p->number, "%d", (int)p->probe.ranks);
    p->words = rewrite_command(&p->job, p->command, use, p->binding, p->number);
    return p->words ? 0 : reseat_fail(&p->error, "out of memory");
}

enum { VARIABLES_OF_FORMAT = 2 };

/* A copy of the environment, with room for the variables of a format. */
static char **placement_copy_environment(void)
{
    size_t count = 0;
    while (environ[count])
        count++;
    char **copy = malloc((count + VARIABLES_OF_FORMAT + 1) * sizeof *copy);
    if (copy)
        memcpy(copy, environ, (count + 1) * sizeof *copy);
    return copy;
}

/* Add one of them, NAME=VALUE, to that copy. */
static void placement_add_variable(struct placement *p, const char *pair)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(pair, "="), pair);
    unsetenv(name);
    char **end = p->environment;
    while (*end)
        end++;
    end[0] = (char *)pair;
    end[1] = NULL;
}

static void placement_add_variables(struct placement *p)
{
    if (p->format->setting)
        placement_add_variable(p, p->format->setting);
    if (!p->format->variable)
        return;
    snprintf(p->variable, sizeof p->variable, "%s=%s", p->format->variable, p->use.value);
    placement_add_variable(p, p->variable);
}

/* Write the file, change the command line and a copy of the environment, and try these. 0, or -1
 * with p->error. */
static int placement_prepare(struct placement *p)
{
    char **before = environ;
    p->environment = placement_copy_environment();
    if (!p->environment)
        return reseat_fail(&p->error, "out of memory");
    environ = p->environment; /* setenv is not called meanwhile, so this stays the same array */
    int rc = placement_write_file(p) || placement_rewrite(p) ? -1 : 0;
    if (rc == 0) {
        placement_add_variables(p);
        if (is_asked_to_end())
            rc = reseat_fail(&p->error, "interrupted");
        else if (!placement_was_tried(p) && (rc = placement_try(p)) == 0)
            placement_keep_tried(p);
    }
    environ = before;
    return rc;
}

static void placement_take_back(struct placement *p)
{
    placement_remove_file(p);
    emit_use_free(&p->use);
    free(p->words);
    free(p->environment);
    p->words = p->environment = NULL;
}

/* If a launcher that has another file for hosts does not accept PUs, try hosts only. 0, or -1 with
 * the reason why it did not accept the PUs. */
static int placement_prepare_by_host(struct placement *p)
{
    const struct reseat_error refused = p->error;
    FILE *said = p->said;
    if (!p->by_core || !p->format->cores_only || p->probe.hosts < 2)
        return -1;
    placement_take_back(p);
    p->said = NULL;
    p->by_core = 0;
    int rc = placement_choose_order(p) || placement_prepare(p) ? -1 : 0;
    if (p->said)
        fclose(p->said);
    p->said = said;
    p->error = refused;
    if (rc == 0 && p->settings->verbose >= 1)
        placement_complain(p, "by host then");
    return rc;
}

static void placement_give_up(struct placement *p)
{
    placement_take_back(p);
    end_if_asked();
    if (p->settings->verbose >= 1)
        placement_complain(p, "run as it is");
}

int placement_create(struct placement **result, const struct placement_request *request,
                     const struct job *job, char **command, struct reseat_error *error)
{
    if (rewrite_check(job, command, error))
        return CLI_REFUSED;
    struct placement *p = calloc(1, sizeof *p);
    if (!p)
        return reseat_fail(error, "out of memory");
    p->job = *job;
    p->command = command;
    p->profile = request->profile;
    p->layout = request->layout;
    p->settings = request->settings;
    p->probe.limit = p->settings->probe_seconds;
    p->probe.asks_places = 1;
    if (placement_find(p) || (placement_prepare(p) && placement_prepare_by_host(p)))
        placement_give_up(p);
    else
        placement_say(p);
    *result = p;
    return 0;
}

int placement_moves(const struct placement *p)
{
    return p->words != NULL;
}

int placement_run(const struct placement *p)
{
    char **before = environ;
    if (!placement_moves(p))
        return run_plainly(p->command);
    environ = p->environment;
    int status = run_plainly(p->words);
    environ = before;
    return status;
}

/* Hosts in pieces are predicted by the cost. */
void placement_predicted(const struct placement *p, struct predicted *predicted)
{
    char lack[TIME_FORECAST_LACK_SIZE];
    if (p->forecast.lack)
        printable_copy(predicted->unknown, sizeof predicted->unknown,
                       time_forecast_lack_text(&p->forecast, p->settings->metric, lack));
    for (int i = 0; i < 2 && p->forecast.timings && !p->in_pieces; i++) {
        predicted->seconds[i] = p->forecast.seconds[i].estimate;
        predicted->between_nodes[i] = p->forecast.seconds[i].between_nodes;
    }
}

void placement_destroy(struct placement *p)
{
    if (!p)
        return;
    placement_remove_file(p);
    probe_free(&p->probe);
    prediction_close(&p->prediction);
    time_forecast_close(&p->forecast);
    emit_use_free(&p->use);
    free(p->words);
    free(p->environment);
    if (p->said)
        fclose(p->said);
    free(p->seat_of);
    free(p->seats);
    free(p->messages);
    free(p);
}
