/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.c - `reseat run --placement launch`: the mapping becomes a file that the launcher obeys.
 *
 * The probe (probe.h) tells the seats of this allocation: the launcher, with all options of the
 * user, gives rank r a host and PUs. These seats are what there is; the ranks are dealt out to them
 * anew by the profile, and a file says so to the launcher. So nobody gets a PU that the user's own
 * options would not use, and a host gets as many ranks as before. Where not every rank is bound, or
 * its place is not known, only the hosts count.
 *
 * Open MPI binds each rank as it is told. Hydra and Slurm have one list of PUs for all hosts and go
 * through it in order of rank: there, and by host, a host's ranks take its seats in that order
 * (settle), and the predicted gain is that of the order which comes out. Before the program runs
 * the probe is started through the changed command line too: a launcher that refuses it, or puts a
 * rank elsewhere, costs a second and not the job.
 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/child.h"
#include "cmd/cmd.h"
#include "cmd/obey.h"
#include "cmd/probe.h"
#include "format/order.h"
#include "format/settings.h"

struct placement {
    const char *name; /* of the subcommand */
    const struct job *job;
    char **command;
    const struct reseat_settings *settings;
    struct probe probe;
    struct tmap_matrix *matrix;
    struct tmap_tree *tree;
    int32_t *launch;         /* slot of each rank as launched */
    int32_t *seat_of;        /* the seat that each rank gets: that of a rank as launched */
    struct emit_seat *seats; /* the same for the launcher's file */
    int by_core;             /* seats are PUs, not only hosts */
    int by_thread;           /* and a rankfile has to number PUs, not cores */
    int in_pieces;           /* Hydra starts a host more than once */
    const char *format;
    enum binding binding;
    const char *method;
    double gain;     /* predicted, as a fraction */
    char number[16]; /* of ranks */
    char folder[PATH_MAX], file[PATH_MAX + 16];
    struct emit_use use;
    char **words;                 /* of the placed job; NULL: it runs as it is */
    char **environment;           /* and this is its own */
    char variable[PATH_MAX + 64]; /* NAME=VALUE, the one that it has more */
    char why[512];                /* no placement */
};

static int fail(struct placement *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int fail(struct placement *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->why, sizeof p->why, format, arguments);
    va_end(arguments);
    return -1;
}

/* ---- what there is ---- */

/* What the launcher said first; rules and blank lines are not it. */
static void first_line(FILE *said, char first[200])
{
    char line[200];
    first[0] = '\0';
    while (said && !first[0] && fgets(line, sizeof line, said))
        if (line[strspn(line, " \t-=\n")])
            snprintf(first, 200, "%.*s", (int)strcspn(line, "\n"), line);
}

/* Fill a probe, by rank. */
static int ask_ranks(struct placement *p, struct probe *probe, const struct job *job,
                     char **command, int what)
{
    FILE *said = NULL;
    char first[200];
    int rc = probe_job(probe, p->name, job, command, what, &said);
    if (rc)
        rc = fail(p, "the probe cannot be started: %s", strerror(errno));
    else if (!probe->ranks) {
        first_line(said, first);
        rc = fail(p, "the launcher starts no rank (exit status %d)%s%s", probe->status,
                  first[0] ? ": " : "", first);
    } else if (probe_sort(probe))
        rc = fail(p, "the launcher does not tell the ranks their numbers");
    if (said)
        fclose(said);
    return rc;
}

static int load_matrix(struct placement *p, const char *path)
{
    struct reseat_profile *profile;
    struct reseat_error error;
    struct tmap_error why;
    struct tmap_entry *entries;
    size_t count;
    int rc = 0;
    if (reseat_profile_read(&profile, path, &error))
        return fail(p, "%s", error.text);
    if (profile->ranks != p->probe.ranks)
        rc = fail(p, "%s is of %d ranks, this job has %d", path, (int)profile->ranks,
                  (int)p->probe.ranks);
    else if (p->settings->phase >= 0 && !reseat_profile_keep_phase(profile, p->settings->phase))
        rc = fail(p, "%s: no traffic in phase %d", path, p->settings->phase);
    else if (reseat_profile_weights(profile, 0, 1, p->settings->metric, &entries, &count, &error))
        rc = fail(p, "%s", error.text);
    else {
        if (tmap_matrix_create(&p->matrix, profile->ranks, entries, count, &why))
            rc = fail(p, "%s", why.text);
        free(entries);
    }
    reseat_profile_destroy(profile);
    return rc;
}

static int look_at_topology(struct placement *p)
{
    struct tmap_error why = {""};
    int rc = probe_topology(&p->probe, p->settings->topology, &why);
    if (rc > 0 && p->settings->verbose >= 1)
        complain(0, p->name, "switches are left out: %s", why.text);
    return rc < 0 ? fail(p, "%s", why.text) : 0;
}

/* Whether places inside the hosts count, and who binds the ranks when they do not. */
static void look_at_bindings(struct placement *p)
{
    int32_t unknown = 0;
    p->by_core = 1;
    for (int32_t rank = 0; rank < p->probe.ranks; rank++) {
        const struct probe_seat *seat = &p->probe.seat[rank];
        p->by_core &= seat->is_bound && seat->is_known && strcmp(seat->cores, "-") != 0;
        p->by_thread |= seat->is_known && !seat->whole;
        unknown += !seat->is_known;
    }
    if (unknown && p->settings->verbose >= 1)
        complain(0, p->name,
                 "reseat is not at the same path, or hwloc fails, for %d of %d ranks: they are "
                 "placed by host only",
                 (int)unknown, (int)p->probe.ranks);
}

/* The tree of the seats, each rank a slot of it as launched. */
static int make_tree(struct placement *p)
{
    struct tmap_error why = {""};
    tmap_tree_destroy(p->tree);
    p->tree = NULL;
    return probe_tree(&p->probe, p->by_core, &p->tree, p->launch, &why) ? fail(p, "%s", why.text)
                                                                        : 0;
}

/* ---- who sits where ---- */

/* The order of RESEAT_MAPPING. */
static int read_order(struct placement *p)
{
    struct reseat_error error;
    return reseat_order_read(p->seat_of, p->probe.ranks, p->settings->mapping, &error)
               ? fail(p, "%s", error.text)
               : 0;
}

/* The best order for the tree; rank 0, which has standard input, stays where that costs nothing. */
static int find_order(struct placement *p)
{
    struct tmap_options options;
    struct tmap_error why = {""};
    int kept;
    size_t n = (size_t)p->probe.ranks;
    int32_t *rank_on = malloc(n * sizeof *rank_on); /* slots are as many as ranks */
    if (!rank_on)
        return fail(p, "out of memory");
    tmap_options_init(&options);
    int rc = best_mapping(p->matrix, p->tree, &options, p->launch, p->seat_of, &p->method, &why) ||
             tmap_keep_role(p->matrix, p->tree, 0, p->launch[0], p->seat_of, &kept, &why);
    for (size_t r = 0; rc == 0 && r < n; r++)
        rank_on[p->launch[r]] = (int32_t)r;
    for (size_t r = 0; rc == 0 && r < n; r++)
        p->seat_of[r] = rank_on[p->seat_of[r]];
    free(rank_on);
    return rc ? fail(p, "%s", why.text) : 0;
}

/* On each host the lowest rank takes the first seat, and so on. */
static int settle(struct placement *p)
{
    int32_t ranks = p->probe.ranks, first = 0;
    int32_t *seats = malloc(sizeof *seats * (size_t)ranks);
    int32_t *next = malloc(sizeof *next * (size_t)p->probe.hosts);
    if (!seats || !next) {
        free(seats);
        free(next);
        return fail(p, "out of memory");
    }
    for (int32_t host = 0; host < p->probe.hosts; first += p->probe.host[host++].ranks)
        next[host] = first;
    for (int32_t rank = 0; rank < ranks; rank++)
        seats[next[p->probe.seat[rank].host]++] = rank;
    first = 0;
    for (int32_t host = 0; host < p->probe.hosts; first += p->probe.host[host++].ranks)
        next[host] = first;
    for (int32_t rank = 0; rank < ranks; rank++)
        p->seat_of[rank] = seats[next[p->probe.seat[p->seat_of[rank]].host]++];
    free(seats);
    free(next);
    return 0;
}

static int predict(struct placement *p)
{
    struct tmap_error why;
    struct tmap_cost before, after;
    int32_t *slot_of = malloc(sizeof *slot_of * (size_t)p->probe.ranks);
    if (!slot_of)
        return fail(p, "out of memory");
    for (int32_t rank = 0; rank < p->probe.ranks; rank++)
        slot_of[rank] = p->launch[p->seat_of[rank]];
    int rc = tmap_cost_of(p->matrix, p->tree, p->launch, &before, &why) ||
             tmap_cost_of(p->matrix, p->tree, slot_of, &after, &why);
    free(slot_of);
    if (rc)
        return fail(p, "%s", why.text);
    p->gain = before.cost > 0 ? 1 - after.cost / before.cost : 0;
    return 0;
}

static void fill_seats(struct placement *p)
{
    for (int32_t rank = 0; rank < p->probe.ranks; rank++) {
        const struct probe_seat *seat = &p->probe.seat[p->seat_of[rank]];
        p->seats[rank] = (struct emit_seat){.host = p->probe.host[seat->host].name, .core = -1};
        if (p->by_core) {
            p->seats[rank].slots = p->by_thread ? seat->pus : seat->cores;
            p->seats[rank].cpus = seat->cpus;
        }
    }
}

/* The gain where Hydra has to come back to a host, by nodes on both sides: MPI takes each start of
 * a host for a node of its own then, so that ranks of a host that were started apart are as far
 * from each other as two nodes below its switch. */
static int predict_pieces(struct placement *p)
{
    struct tmap_error why = {"out of memory"};
    struct tmap_cost before, after;
    struct tmap_tree *hosts = NULL, *starts = NULL;
    size_t n = (size_t)p->probe.ranks;
    int32_t *start_of = malloc(n * sizeof *start_of), *slot_of = malloc(n * sizeof *slot_of);
    for (int32_t r = 0; start_of && r < p->probe.ranks; r++)
        start_of[r] = r ? start_of[r - 1] + !same_host(p->seats, r - 1, r) : 0;
    int rc = !start_of || !slot_of || probe_tree(&p->probe, 0, &hosts, slot_of, &why) ||
             tmap_cost_of(p->matrix, hosts, slot_of, &before, &why) ||
             probe_tree_of_starts(&p->probe, p->seat_of, start_of, &starts, slot_of, &why) ||
             tmap_cost_of(p->matrix, starts, slot_of, &after, &why);
    if (rc == 0)
        p->gain = before.cost > 0 ? 1 - after.cost / before.cost : 0;
    tmap_tree_destroy(hosts);
    tmap_tree_destroy(starts);
    free(start_of);
    free(slot_of);
    return rc ? fail(p, "%s", why.text) : 0;
}

static int order_once(struct placement *p)
{
    if (make_tree(p) || (p->settings->mapping[0] ? read_order(p) : find_order(p)) ||
        ((p->job->kind != LAUNCHER_OPENMPI || !p->by_core) && settle(p)))
        return -1;
    fill_seats(p);
    return predict(p);
}

/* By PUs where all hosts can be told the same list, else by hosts. */
static int order_with_list(struct placement *p)
{
    char *list;
    p->format = p->job->kind == LAUNCHER_HYDRA ? "hydra" : "slurm";
    if (order_once(p))
        return -1;
    if (!p->by_core)
        return 0;
    if (emit_binding(&list, p->format, p->seats, p->probe.ranks))
        return fail(p, "out of memory");
    free(list);
    p->by_core = list != NULL;
    return list ? 0 : order_once(p);
}

static int order_openmpi(struct placement *p)
{
    int prrte = launcher_is_prrte(p->job, p->command);
    p->by_core &= !(prrte && p->by_thread);
    p->format = !p->by_core ? "openmpi" : prrte ? "prrte" : "rankfile";
    return order_once(p);
}

/* Who binds the ranks. Slurm goes on binding them by their order on each host. */
static enum binding choose_binding(const struct placement *p)
{
    if (p->by_core)
        return BINDING_OURS;
    if (p->job->kind == LAUNCHER_SRUN)
        return BINDING_THEIRS;
    return p->job->kind == LAUNCHER_OPENMPI && p->probe.unbound < p->probe.ranks ? BINDING_THEIRS
                                                                                 : BINDING_NONE;
}

/* 0: there is an order that is better, or that was asked for. -1: why not. */
static int find_placement(struct placement *p, const char *profile)
{
    if (ask_ranks(p, &p->probe, p->job, p->command, PROBE_PLACES) || load_matrix(p, profile) ||
        look_at_topology(p))
        return -1;
    size_t n = (size_t)p->probe.ranks;
    p->launch = malloc(n * sizeof *p->launch);
    p->seat_of = malloc(n * sizeof *p->seat_of);
    p->seats = calloc(n, sizeof *p->seats);
    if (!p->launch || !p->seat_of || !p->seats)
        return fail(p, "out of memory");
    look_at_bindings(p);
    if (p->job->kind == LAUNCHER_OPENMPI ? order_openmpi(p) : order_with_list(p))
        return -1;
    p->binding = choose_binding(p);
    p->in_pieces = p->job->kind == LAUNCHER_HYDRA && hydra_comes_back(p->seats, p->probe.ranks);
    if (p->in_pieces && predict_pieces(p))
        return -1;
    if (p->in_pieces && !p->settings->mapping[0] && p->gain < p->settings->min_gain)
        return fail(p, "a better order would have Hydra start hosts more than once, and MPI take "
                       "each start for a node of its own (reseat run without --placement has no "
                       "such limit)");
    if (!p->settings->mapping[0] && p->gain < p->settings->min_gain)
        return fail(p, "a better order would gain %.1f %%, less than RESEAT_MIN_GAIN",
                    100 * p->gain);
    return 0;
}

/* ---- the launcher's file ---- */

static int write_file(struct placement *p)
{
    char why[256] = "";
    const char *folder = getenv("TMPDIR");
    snprintf(p->folder, sizeof p->folder, "%s/reseat.XXXXXX",
             folder && folder[0] == '/' ? folder : "/tmp");
    if (!mkdtemp(p->folder)) {
        int rc = fail(p, "%s: %s", p->folder, strerror(errno));
        p->folder[0] = '\0';
        return rc;
    }
    snprintf(p->file, sizeof p->file, "%s/ranks", p->folder);
    FILE *file = fopen(p->file, "wxe");
    int rc = file ? emit(file, p->format, p->seats, p->seat_of, p->probe.ranks, why) : -1;
    if (file && (ferror(file) | fclose(file)))
        rc = -1;
    return rc ? fail(p, "%s: %s", p->file, why[0] ? why : strerror(errno)) : 0;
}

static void remove_file(struct placement *p)
{
    if (!p->folder[0])
        return;
    unlink(p->file);
    rmdir(p->folder);
    p->folder[0] = '\0';
}

static void say(const struct placement *p)
{
    if (p->settings->verbose < 1)
        return;
    if (p->in_pieces)
        complain(0, p->name,
                 "Hydra starts hosts more than once for this order: MPI will take each start for "
                 "a node of its own");
    if (p->settings->mapping[0])
        complain(0, p->name, "placed at launch (%s%s) as %s says: predicted cost %+.1f %%",
                 p->format, p->by_core ? "" : ", by host", p->settings->mapping, 0 - 100 * p->gain);
    else
        complain(0, p->name, "placed at launch (%s%s, %s): predicted cost %+.1f %%", p->format,
                 p->by_core ? "" : ", by host", p->method, 0 - 100 * p->gain);
}

/* ---- the placed job ---- */

/* Whether a rank that was asked once more is where the file says. 0, or -1: why not. */
static int check_seat(struct placement *p, const struct probe *probe, int32_t rank)
{
    const struct probe_seat *seat = &probe->seat[rank];
    const struct emit_seat *wanted = &p->seats[rank];
    const char *host = probe->host[seat->host].name;
    if (strcmp(host, wanted->host) != 0)
        return fail(p, "the launcher does not obey the file: rank %d is on %s, not on %s",
                    (int)rank, host, wanted->host);
    if (p->binding == BINDING_OURS && strcmp(seat->cpus, wanted->cpus) != 0)
        return fail(p, "the launcher does not obey the file: rank %d is bound to PU %s, not to %s",
                    (int)rank, seat->cpus, wanted->cpus);
    return 0;
}

/* Whether the changed command line starts each rank in its place: once more with the probe, because
 * hosts may have other names for the launcher, or it may understand the file in another way. */
static int check(struct placement *p)
{
    struct probe probe = {0};
    struct job placed = *p->job;
    for (placed.program = 0; p->words[placed.program] != p->command[p->job->program];)
        placed.program++;
    int rc = ask_ranks(p, &probe, &placed, p->words, 0);
    if (rc == 0 && probe.ranks != p->probe.ranks)
        rc = fail(p, "the launcher starts %d ranks by the file, not %d", (int)probe.ranks,
                  (int)p->probe.ranks);
    for (int32_t rank = 0; rc == 0 && rank < probe.ranks; rank++)
        rc = check_seat(p, &probe, rank);
    probe_free(&probe);
    return rc;
}

/* The words and the environment of the placed job. 0, or -1: why not. */
static int change_command(struct placement *p)
{
    struct emit_use *use = &p->use;
    if (emit_use(use, p->format, p->file, p->seats, p->probe.ranks))
        return fail(p, "out of memory");
    if (p->by_thread && strcmp(p->format, "rankfile") == 0) {
        use->words[use->count] = strdup("--use-hwthread-cpus");
        if (!use->words[use->count++])
            return fail(p, "out of memory");
    }
    snprintf(p->number, sizeof p->number, "%d", (int)p->probe.ranks);
    p->words = obey(p->job, p->command, use, p->binding, p->number);
    return p->words ? 0 : fail(p, "out of memory");
}

/* A copy of the environment, with room for one variable more. */
static char **copy_environment(void)
{
    size_t count = 0;
    while (environ[count])
        count++;
    char **copy = malloc((count + 2) * sizeof *copy);
    if (copy)
        memcpy(copy, environ, (count + 1) * sizeof *copy);
    return copy;
}

/* The variable of the file, if it has one, into that room. */
static void add_variable(struct placement *p)
{
    char **end = p->environment;
    if (!p->use.variable)
        return;
    snprintf(p->variable, sizeof p->variable, "%s=%s", p->use.variable, p->use.value);
    unsetenv(p->use.variable);
    while (*end)
        end++;
    end[0] = p->variable;
    end[1] = NULL;
}

/* Write the file, change the command line and a copy of the environment, try them out. 0, or -1:
 * why not. */
static int prepare(struct placement *p)
{
    char **before = environ;
    p->environment = copy_environment();
    if (!p->environment)
        return fail(p, "out of memory");
    environ = p->environment; /* nobody calls setenv meanwhile, so that it stays this array */
    int rc = write_file(p) || change_command(p) ? -1 : 0;
    if (rc == 0) {
        add_variable(p);
        rc = check(p);
    }
    environ = before;
    return rc;
}

static void leave_as_it_is(struct placement *p)
{
    remove_file(p);
    free(p->words);
    p->words = NULL;
    end_if_asked();
    if (p->settings->verbose >= 1)
        complain(0, p->name, "%s; run as it is", p->why);
}

int placement_create(struct placement **result, const char *name, const struct job *job,
                     char **command, const char *profile, const struct reseat_settings *settings)
{
    char why[256];
    if (obey_check(job, command, why))
        return complain(EXIT_USAGE, name, "%s", why);
    struct placement *p = calloc(1, sizeof *p);
    if (!p)
        return complain(EXIT_TROUBLE, name, "out of memory");
    p->name = name;
    p->job = job;
    p->command = command;
    p->settings = settings;
    if (find_placement(p, profile) || prepare(p))
        leave_as_it_is(p);
    else
        say(p);
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
        return run_plainly(p->name, p->command);
    environ = p->environment;
    int status = run_plainly(p->name, p->words);
    environ = before;
    return status;
}

void placement_destroy(struct placement *p)
{
    if (!p)
        return;
    remove_file(p);
    probe_free(&p->probe);
    tmap_matrix_destroy(p->matrix);
    tmap_tree_destroy(p->tree);
    emit_use_free(&p->use);
    free(p->words);
    free(p->environment);
    free(p->launch);
    free(p->seat_of);
    free(p->seats);
    free(p);
}
