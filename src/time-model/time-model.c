/* SPDX-License-Identifier: BSD-3-Clause */
/* time-model.c - see time-model.h. Each phase is counted in three steps: what passes each resource, how long
 * that takes, and what each rank waits for. */
#include "time-model/time-model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "time-model/time-resources.h"

struct seconds_rank {
    double sent, received; /* seconds of transfer between nodes */
    double inside;         /* and inside a node, both ways */
    double latency_sent, latency_received;
    double wait, all_waits; /* for the partner with most messages; for all, one after the other */
    double peer_card;       /* the busiest card among those of its partners */
    int uses_card;
};

/* Of a node, or a package. */
struct seconds_object {
    double out, in; /* bytes; of a package: `in` is all */
    int32_t users;  /* ranks that use the card; pairs of a package, each direction by itself */
    int32_t ranks;
    double seconds[2]; /* the longest of what it does; one after the other */
};

/* Of the busiest link, 0 if there is none. */
struct seconds_links {
    double between, inside; /* nodes */
};

/* Of the pair whose entries, one for each kind, are being added. */
struct seconds_pair {
    double messages, waits;
};

struct seconds_work {
    struct seconds_places places;
    int has_networks;
    int32_t *node, *package, *room; /* by role */
    int32_t nodes, packages;
    struct seconds_rank *rank;
    struct seconds_object *card, *memory;
    struct seconds_processors processors;
};

static const char *const seconds_names[] = {"network card", "memory",  "link",
                                            "rank",         "network", "processors"};

const char *seconds_resource_name(enum seconds_resource resource)
{
    return seconds_names[resource];
}

enum seconds_resource seconds_longest(const struct seconds *seconds)
{
    int longest = 0;
    for (int r = 1; r < SECONDS_RESOURCES; r++)
        if (seconds->longest[r] > seconds->longest[longest])
            longest = r;
    return (enum seconds_resource)longest;
}

int seconds_open(struct seconds_model *model, struct reseat_error *error)
{
    size_t n = (size_t)model->roles + 1;
    struct seconds_work *w = calloc(1, sizeof *w);
    model->work = w;
    if (w) {
        seconds_places_find(&w->places, model->tree, model->timings);
        for (int level = 0; level < w->places.depth; level++)
            w->has_networks |= tmap_tree_shape(model->tree, level, NULL) != TMAP_SHAPE_NONE;
        w->node = malloc(n * sizeof *w->node);
        w->package = malloc(n * sizeof *w->package);
        w->room = malloc(n * sizeof *w->room);
        w->rank = malloc(n * sizeof *w->rank);
        w->card = malloc(n * sizeof *w->card);
        w->memory = malloc(n * sizeof *w->memory);
    }
    if (w && !seconds_processors_open(&w->processors, model->roles) && w->node && w->package &&
        w->room && w->rank && w->card && w->memory)
        return 0;
    seconds_close(model);
    return reseat_fail(error, "out of memory");
}

void seconds_close(struct seconds_model *model)
{
    struct seconds_work *w = model->work;
    if (!w)
        return;
    free(w->node);
    free(w->package);
    free(w->room);
    free(w->rank);
    free(w->card);
    free(w->memory);
    seconds_processors_close(&w->processors);
    free(w);
    model->work = NULL;
}

/* ---- what passes each resource ---- */

static void seconds_clear(struct seconds_work *w, int32_t roles)
{
    memset(w->rank, 0, (size_t)roles * sizeof *w->rank);
    memset(w->card, 0, (size_t)w->nodes * sizeof *w->card);
    memset(w->memory, 0, (size_t)w->packages * sizeof *w->memory);
    seconds_processors_clear(&w->processors, w->node, w->nodes);
    for (int32_t role = 0; role < roles; role++)
        w->memory[w->package[role]].ranks++;
}

static void seconds_use_card(struct seconds_work *w, int32_t role)
{
    w->card[w->node[role]].users += !w->rank[role].uses_card;
    w->rank[role].uses_card = 1;
}

/* Take that part out of the latency of each message for which its ends wait while others of theirs are
 * under way; those of one pair follow each other. */
static void seconds_wait(struct seconds_work *w, const struct reseat_entry *e,
                         struct seconds_message *one, double count, struct seconds_pair *of_pair)
{
    const struct timings_effort *pair = &w->places.level[one->level].effort[TIMINGS_PAIR];
    const int32_t ends[] = {e->source, e->target};
    double wait = pair->ranks ? fmax(one->latency - pair->message, 0) : 0;
    one->latency -= wait;
    of_pair->waits += count * wait;
    for (int i = 0; i < 2; i++) {
        struct seconds_rank *rank = &w->rank[ends[i]];
        rank->wait = fmax(rank->wait, of_pair->waits);
        rank->all_waits += count * wait;
    }
}

static void seconds_between_nodes(struct seconds_work *w, const struct reseat_entry *e,
                                  const struct seconds_message *one, double count)
{
    seconds_use_card(w, e->source);
    seconds_use_card(w, e->target);
    w->card[w->node[e->source]].out += (double)e->bytes;
    w->card[w->node[e->target]].in += (double)e->bytes;
    w->rank[e->source].sent += count * one->transfer;
    w->rank[e->target].received += count * one->transfer;
    w->rank[e->source].latency_sent += count * one->latency;
    w->rank[e->target].latency_received += count * one->latency;
}

static void seconds_inside_node(struct seconds_work *w, const struct reseat_entry *e,
                                const struct seconds_message *one, double count, int is_first)
{
    struct seconds_object *from = &w->memory[w->package[e->source]];
    struct seconds_object *to = &w->memory[w->package[e->target]];
    from->in += (double)e->bytes;
    from->users += is_first;
    if (from != to) {
        to->in += (double)e->bytes;
        to->users += is_first;
    }
    w->rank[e->source].inside += count * (one->transfer + one->latency);
    w->rank[e->target].inside += count * (one->transfer + one->latency);
}

static void seconds_add_up(const struct seconds_model *m, const int32_t *slot_of, size_t begin,
                           size_t end)
{
    struct seconds_work *w = m->work;
    struct seconds_pair of_pair = {0, 0};
    for (size_t i = begin; i < end; i++) {
        const struct reseat_entry *e = &m->entries[i];
        double count = e->msgs ? (double)e->msgs : 1;
        if (i > begin && reseat_entry_compare(e - 1, e) != 0)
            of_pair = (struct seconds_pair){0, 0};
        if (e->source == e->target || (!e->msgs && !e->bytes))
            continue;
        struct seconds_message one = seconds_message_of(
            &w->places, m->tree, slot_of[e->source], slot_of[e->target], (double)e->bytes / count);
        int is_first = of_pair.messages == 0;
        of_pair.messages += count;
        seconds_processors_add(&w->processors, e, w->places.level[one.level].effort, count,
                               of_pair.messages);
        seconds_wait(w, e, &one, count, &of_pair);
        if (w->node[e->source] != w->node[e->target])
            seconds_between_nodes(w, e, &one, count);
        else
            seconds_inside_node(w, e, &one, count, is_first);
    }
    seconds_processors_end(&w->processors);
}

/* ---- how long that takes ---- */

static void seconds_of_objects(const struct seconds_model *m)
{
    struct seconds_work *w = m->work;
    for (int32_t n = 0; n < w->nodes; n++) {
        struct seconds_object *card = &w->card[n];
        if (card->users == 0)
            continue;
        double out = card->out / reseat_timings_rate(m->timings, TIMINGS_CARD_OUT, card->users);
        double in = card->in / reseat_timings_rate(m->timings, TIMINGS_CARD_IN, card->users);
        double both = (card->out + card->in) /
                      reseat_timings_rate(m->timings, TIMINGS_CARD_BOTH, card->users);
        if (m->timings->rates[TIMINGS_CARD_BOTH] == 0)
            both = 0; /* only guessed: each way has its own wire */
        card->seconds[0] = fmax(fmax(out, in), both);
        card->seconds[1] = fmax(out + in, both);
    }
    for (int32_t p = 0; p < w->packages; p++) {
        struct seconds_object *memory = &w->memory[p];
        double most = fmax(memory->ranks / 2, 1), pairs = fmin(memory->users, most);
        if (memory->users)
            memory->seconds[0] =
                memory->in / reseat_timings_rate(m->timings, TIMINGS_MEMORY, pairs);
    }
}

/* Raise those of the busiest link of all networks between nodes, and inside nodes. 0, or -1 with
 * *error. */
static int seconds_of_links(const struct seconds_model *m, const int32_t *slot_of, size_t begin,
                            size_t end, struct seconds_links *links, struct reseat_error *error)
{
    const struct seconds_work *w = m->work;
    struct tmap_entry *entries = malloc((end - begin + 1) * sizeof *entries);
    struct tmap_matrix *matrix = NULL;
    struct tmap_error why = {"out of memory"};
    enum tmap_status status = entries ? TMAP_OK : TMAP_ENOMEM;
    for (size_t i = begin; entries && i < end; i++)
        entries[i - begin] =
            (struct tmap_entry){m->entries[i].source, m->entries[i].target, m->entries[i].bytes};
    if (status == TMAP_OK)
        status = tmap_matrix_create_directed(&matrix, m->roles, entries, end - begin, &why);
    for (int level = 0; level < w->places.depth && status == TMAP_OK; level++) {
        double *seconds = level < w->places.node ? &links->between : &links->inside;
        struct tmap_loads *loads = NULL;
        struct tmap_load_summary summary = {.busiest_way = 0};
        if (tmap_tree_shape(m->tree, level, NULL) == TMAP_SHAPE_NONE)
            continue;
        status = tmap_loads_create(&loads, matrix, m->tree, slot_of, level, &why);
        if (status == TMAP_OK)
            tmap_loads_sum_up(loads, &summary);
        *seconds = fmax(*seconds, summary.busiest_way * w->places.level[level].seconds_per_byte);
        tmap_loads_destroy(loads);
    }
    tmap_matrix_destroy(matrix);
    free(entries);
    return status ? reseat_fail(error, "%s", why.text) : 0;
}

/* ---- what each rank waits for ---- */

/* The cards of its partners. */
static void seconds_find_peers(const struct seconds_model *m, size_t begin, size_t end)
{
    struct seconds_work *w = m->work;
    for (size_t i = begin; i < end; i++) {
        int32_t a = m->entries[i].source, b = m->entries[i].target;
        if (w->node[a] == w->node[b])
            continue;
        w->rank[a].peer_card = fmax(w->rank[a].peer_card, w->card[w->node[b]].seconds[1]);
        w->rank[b].peer_card = fmax(w->rank[b].peer_card, w->card[w->node[a]].seconds[1]);
    }
}

static void seconds_of_rank(const struct seconds_work *w, int32_t role,
                            const struct seconds_links *links, struct seconds *phase)
{
    const struct seconds_rank *r = &w->rank[role];
    const struct seconds_object *card = &w->card[w->node[role]];
    const struct seconds_object *memory = &w->memory[w->package[role]];
    const struct seconds_processors *shared = &w->processors;
    const struct seconds_turns *node = &shared->node[w->node[role]];
    double latency = fmax(r->latency_sent, r->latency_received) + r->wait;
    double own = fmax(r->sent, r->received), all = own + r->inside, sum;
    double turns = fmax(node->work + node->wait, shared->all.work + shared->all.wait);
    int is_out = r->uses_card;
    double passes = is_out ? fmax(fmax(card->seconds[0], links->between), shared->network) : 0;
    if (r->inside > 0)
        passes = fmax(passes, fmax(memory->seconds[0], links->inside));
    sum = r->sent + r->received + r->inside + r->latency_sent + r->latency_received + r->all_waits +
          turns +
          (is_out ? card->seconds[1] + r->peer_card + links->between + shared->network : 0) +
          (r->inside > 0 ? memory->seconds[0] + links->inside : 0);
    phase->longest[SECONDS_RANK] = fmax(phase->longest[SECONDS_RANK], all);
    phase->longest[SECONDS_PROCESSORS] =
        fmax(phase->longest[SECONDS_PROCESSORS], fmax(node->work, shared->all.work));
    phase->estimate = fmax(phase->estimate, fmax(fmax(all, passes) + latency, turns));
    phase->most = fmax(phase->most, sum);
}

static int seconds_of_phase(const struct seconds_model *m, const int32_t *slot_of, size_t begin,
                            size_t end, struct seconds *phase, struct reseat_error *error)
{
    struct seconds_work *w = m->work;
    struct seconds_links links = {0, 0};
    int32_t busiest = -1;
    *phase = (struct seconds){.busiest_card = -1};
    seconds_clear(w, m->roles);
    seconds_add_up(m, slot_of, begin, end);
    seconds_of_objects(m);
    if (w->has_networks && seconds_of_links(m, slot_of, begin, end, &links, error))
        return -1;
    phase->longest[SECONDS_NETWORK] = w->processors.network;
    phase->longest[SECONDS_LINK] = fmax(links.between, links.inside);
    seconds_find_peers(m, begin, end);
    for (int32_t n = 0; n < w->nodes; n++) {
        double card = w->card[n].seconds[0];
        phase->between_nodes += w->card[n].out;
        phase->cards_squared += card * card;
        if (card > phase->longest[SECONDS_CARD]) {
            phase->longest[SECONDS_CARD] = card;
            busiest = n;
        }
    }
    for (int32_t p = 0; p < w->packages; p++)
        phase->longest[SECONDS_MEMORY] =
            fmax(phase->longest[SECONDS_MEMORY], w->memory[p].seconds[0]);
    for (int32_t role = 0; role < m->roles; role++) {
        seconds_of_rank(w, role, &links, phase);
        if (w->node[role] == busiest && phase->busiest_card < 0)
            phase->busiest_card = role;
    }
    for (int r = 0; r < SECONDS_RESOURCES; r++)
        phase->least = fmax(phase->least, phase->longest[r]);
    return 0;
}

int seconds_find(struct seconds *result, const struct seconds_model *model, const int32_t *slot_of,
                 struct reseat_error *error)
{
    struct seconds_work *w = model->work;
    struct seconds sum = {.busiest_card = -1}, phase;
    double longest = -1;
    w->nodes =
        seconds_places_number(model->tree, w->places.node, slot_of, model->roles, w->node, w->room);
    w->packages = seconds_places_number(model->tree, w->places.package, slot_of, model->roles,
                                        w->package, w->room);
    for (size_t begin = 0, end; begin < model->count; begin = end) {
        for (end = begin + 1;
             end < model->count && model->entries[end].phase == model->entries[begin].phase;)
            end++;
        if (seconds_of_phase(model, slot_of, begin, end, &phase, error))
            return -1;
        sum.least += phase.least;
        sum.estimate += phase.estimate;
        sum.most += phase.most;
        sum.cards_squared += phase.cards_squared;
        sum.between_nodes += phase.between_nodes;
        for (int r = 0; r < SECONDS_RESOURCES; r++)
            sum.longest[r] += phase.longest[r];
        if (phase.estimate > longest) {
            longest = phase.estimate;
            sum.busiest_card = phase.busiest_card;
        }
    }
    *result = sum;
    return 0;
}
