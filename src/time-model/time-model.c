/* SPDX-License-Identifier: BSD-3-Clause */
/* time-model.c - see time-model.h. Each phase is counted in three steps: what passes each resource,
 * how long that takes, and what each rank waits for. */
#include "time-model/time-model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "time-model/time-links.h"
#include "time-model/time-resources.h"

struct time_rank {
    double sent, received; /* seconds of transfer between nodes, with all partners at once */
    double alone;          /* the same, with one partner after the other, both ways */
    double inside;         /* and inside a node, both ways */
    double one;            /* of a message after the other to the partner that takes longest */
    double latency_sent, latency_received;
    double wait, all_waits; /* for the partner with most messages; for all, one after the other */
    double peer_card;       /* the busiest card among those of its partners */
    int uses_card;
};

/* Of a node, a part of it with its own card, or a package. */
struct time_object {
    double out, in; /* bytes; of a package: `in` is all */
    int32_t users;  /* ranks that use the card; pairs of a package, each direction by itself */
    int32_t ranks;
    double seconds[2]; /* the longest of what it does; one after the other */
};

/* Of the pair whose entries, one for each kind, are being added. */
struct time_pair {
    double messages, waits, transfer;
};

struct time_model_work {
    struct time_places places;
    struct time_links links;
    int32_t *node, *package, *part, *room; /* by role */
    int32_t nodes, packages, parts;        /* no parts: nodes have one card */
    struct time_rank *rank;
    struct time_object *card, *part_card, *memory;
    struct time_processors processors;
};

static const char *const time_resource_names[] = {"network card", "memory",  "link",
                                                  "rank",         "network", "processors"};

const char *time_resource_name(enum time_resource resource)
{
    return time_resource_names[resource];
}

enum time_resource time_longest_resource(const struct time_estimate *seconds)
{
    int longest = 0;
    for (int r = 1; r < TIME_RESOURCES; r++)
        if (seconds->longest[r] > seconds->longest[longest])
            longest = r;
    return (enum time_resource)longest;
}

int time_model_open(struct time_model *model, struct reseat_error *error)
{
    size_t n = (size_t)model->roles + 1;
    struct time_model_work *w = calloc(1, sizeof *w);
    model->work = w;
    if (w) {
        time_places_find(&w->places, model->tree, model->timings);
        w->node = malloc(n * sizeof *w->node);
        w->package = malloc(n * sizeof *w->package);
        w->part = malloc(n * sizeof *w->part);
        w->room = malloc(n * sizeof *w->room);
        w->rank = malloc(n * sizeof *w->rank);
        w->card = malloc(n * sizeof *w->card);
        w->part_card = malloc(n * sizeof *w->part_card);
        w->memory = malloc(n * sizeof *w->memory);
    }
    if (w && !time_links_open(&w->links, &w->places, model->tree, model->timings, model->roles) &&
        !time_processors_open(&w->processors, model->roles) && w->node && w->package && w->part &&
        w->room && w->rank && w->card && w->part_card && w->memory)
        return 0;
    time_model_close(model);
    return reseat_fail(error, "out of memory");
}

void time_model_close(struct time_model *model)
{
    struct time_model_work *w = model->work;
    if (!w)
        return;
    free(w->node);
    free(w->package);
    free(w->part);
    free(w->room);
    free(w->rank);
    free(w->card);
    free(w->part_card);
    free(w->memory);
    time_processors_close(&w->processors);
    time_links_close(&w->links);
    free(w);
    model->work = NULL;
}

/* ---- what passes each resource ---- */

static void time_model_clear(struct time_model_work *w, int32_t roles)
{
    memset(w->rank, 0, (size_t)roles * sizeof *w->rank);
    memset(w->card, 0, (size_t)w->nodes * sizeof *w->card);
    memset(w->part_card, 0, (size_t)w->parts * sizeof *w->part_card);
    memset(w->memory, 0, (size_t)w->packages * sizeof *w->memory);
    time_processors_clear(&w->processors, w->node, w->nodes);
    for (int32_t role = 0; role < roles; role++)
        w->memory[w->package[role]].ranks++;
}

/* Send and receive through the card of a role, among all of its node. */
static void time_use_card(struct time_model_work *w, int32_t role, double out, double in)
{
    struct time_object *cards[] = {&w->card[w->node[role]],
                                   w->parts ? &w->part_card[w->part[role]] : NULL};
    for (int i = 0; i < 2 && cards[i]; i++) {
        cards[i]->users += !w->rank[role].uses_card;
        cards[i]->out += out;
        cards[i]->in += in;
    }
    w->rank[role].uses_card = 1;
}

/* Take that part out of the latency of each message for which its ends wait while others of theirs
 * are under way; those of one pair follow each other. */
static void time_wait(struct time_model_work *w, const struct reseat_entry *e,
                      struct time_message *one, double count, struct time_pair *of_pair)
{
    const struct timings_effort *pair = &w->places.level[one->level].effort[TIMINGS_PAIR];
    const int32_t ends[] = {e->source, e->target};
    double wait = pair->ranks ? fmax(one->latency - pair->message, 0) : 0;
    one->latency -= wait;
    of_pair->waits += count * wait;
    for (int i = 0; i < 2; i++) {
        struct time_rank *rank = &w->rank[ends[i]];
        rank->wait = fmax(rank->wait, of_pair->waits);
        rank->all_waits += count * wait;
    }
}

/* The messages of a pair follow each other. */
static void time_of_pair(struct time_model_work *w, const struct reseat_entry *e, double transfer,
                         struct time_pair *of_pair)
{
    struct time_rank *from = &w->rank[e->source], *to = &w->rank[e->target];
    of_pair->transfer += transfer;
    from->one = fmax(from->one, of_pair->transfer);
    to->one = fmax(to->one, of_pair->transfer);
}

static void time_between_nodes(struct time_model_work *w, const struct reseat_entry *e,
                               const struct time_message *one, double count)
{
    struct time_rank *from = &w->rank[e->source], *to = &w->rank[e->target];
    double alone = count * one->transfer;
    double transfer = alone * w->places.level[one->level].together;
    time_use_card(w, e->source, (double)e->bytes, 0);
    time_use_card(w, e->target, 0, (double)e->bytes);
    from->sent += transfer;
    to->received += transfer;
    from->alone += alone;
    to->alone += alone;
    from->latency_sent += count * one->latency;
    to->latency_received += count * one->latency;
}

static void time_inside_node(struct time_model_work *w, const struct reseat_entry *e,
                             const struct time_message *one, double count, int is_first)
{
    struct time_object *from = &w->memory[w->package[e->source]];
    struct time_object *to = &w->memory[w->package[e->target]];
    from->in += (double)e->bytes;
    from->users += is_first;
    if (from != to) {
        to->in += (double)e->bytes;
        to->users += is_first;
    }
    double seconds = one->transfer * w->places.level[one->level].overlap + one->latency;
    w->rank[e->source].inside += count * seconds;
    w->rank[e->target].inside += count * seconds;
}

static void time_add_entries(const struct time_model *m, const int32_t *slot_of, size_t begin,
                             size_t end)
{
    struct time_model_work *w = m->work;
    struct time_pair of_pair = {0, 0, 0};
    for (size_t i = begin; i < end; i++) {
        const struct reseat_entry *e = &m->entries[i];
        double count = e->msgs ? (double)e->msgs : 1;
        if (i > begin && reseat_entry_compare(e - 1, e) != 0)
            of_pair = (struct time_pair){0, 0, 0};
        if (e->source == e->target || (!e->msgs && !e->bytes))
            continue;
        struct time_message one = time_message_of(&w->places, m->tree, slot_of[e->source],
                                                  slot_of[e->target], (double)e->bytes / count);
        int is_first = of_pair.messages == 0;
        of_pair.messages += count;
        time_processors_add(&w->processors, e, w->places.level[one.level].effort, count,
                            of_pair.messages);
        time_wait(w, e, &one, count, &of_pair);
        time_of_pair(w, e, count * one.transfer, &of_pair);
        if (w->node[e->source] != w->node[e->target])
            time_between_nodes(w, e, &one, count);
        else
            time_inside_node(w, e, &one, count, is_first);
    }
    time_processors_end(&w->processors);
}

/* ---- how long that takes ---- */

/* The rates are those of three resources: out, in, both. */
static void time_of_card(struct time_object *card, const struct reseat_timings *timings,
                         enum timings_resource way_out)
{
    enum timings_resource way_in = way_out + 1, both_ways = way_out + 2;
    if (card->users == 0)
        return;
    double out = card->out / reseat_timings_rate(timings, way_out, card->users);
    double in = card->in / reseat_timings_rate(timings, way_in, card->users);
    double both = (card->out + card->in) / reseat_timings_rate(timings, both_ways, card->users);
    if (timings->rates[both_ways] == 0)
        both = 0; /* only guessed: each way has its own wire */
    card->seconds[0] = fmax(fmax(out, in), both);
    card->seconds[1] = fmax(out + in, both);
}

/* Cards whose figures are only given one by one have no other limit together. */
static void time_of_cards(const struct time_model *m)
{
    struct time_model_work *w = m->work;
    int is_limited = w->parts == 0;
    for (int r = TIMINGS_CARD_OUT; r <= TIMINGS_CARD_BOTH; r++)
        is_limited |= m->timings->rates[r] > 0;
    for (int32_t n = 0; n < w->nodes && is_limited; n++)
        time_of_card(&w->card[n], m->timings, TIMINGS_CARD_OUT);
    for (int32_t p = 0; p < w->parts; p++)
        time_of_card(&w->part_card[p], m->timings, TIMINGS_NEAR_OUT);
}

static void time_of_memories(const struct time_model *m)
{
    struct time_model_work *w = m->work;
    for (int32_t p = 0; p < w->packages; p++) {
        struct time_object *memory = &w->memory[p];
        double most = fmax(memory->ranks / 2, 1), pairs = fmin(memory->users, most);
        if (memory->users)
            memory->seconds[0] =
                memory->in / reseat_timings_rate(m->timings, TIMINGS_MEMORY, pairs);
    }
}

/* ---- what each rank waits for ---- */

/* Seconds of the card that a role uses, or of all of its node; `i`: of the two of an object. */
static double time_card_of(const struct time_model_work *w, int32_t role, int i)
{
    double node = w->card[w->node[role]].seconds[i];
    return w->parts ? fmax(node, w->part_card[w->part[role]].seconds[i]) : node;
}

/* The cards of its partners. */
static void time_find_peer_cards(const struct time_model *m, size_t begin, size_t end)
{
    struct time_model_work *w = m->work;
    for (size_t i = begin; i < end; i++) {
        int32_t a = m->entries[i].source, b = m->entries[i].target;
        if (w->node[a] == w->node[b])
            continue;
        w->rank[a].peer_card = fmax(w->rank[a].peer_card, time_card_of(w, b, 1));
        w->rank[b].peer_card = fmax(w->rank[b].peer_card, time_card_of(w, a, 1));
    }
}

static void time_of_rank(const struct time_model_work *w, int32_t role, struct time_estimate *phase)
{
    const struct time_rank *r = &w->rank[role];
    const struct time_object *memory = &w->memory[w->package[role]];
    const struct time_processors *shared = &w->processors;
    const struct time_links *links = &w->links;
    const struct time_turns *node = &shared->node[w->node[role]];
    double latency = fmax(r->latency_sent, r->latency_received) + r->wait;
    double all = fmax(fmax(r->sent, r->received) + r->inside, r->one), sum;
    double turns = fmax(node->work + node->wait, shared->all.work + shared->all.wait);
    int is_out = r->uses_card;
    double passes =
        is_out ? fmax(fmax(time_card_of(w, role, 0), links->between), links->network) : 0;
    if (r->inside > 0)
        passes = fmax(passes, fmax(memory->seconds[0], links->inside));
    sum = fmax(r->alone + r->inside, r->one) + r->latency_sent + r->latency_received +
          r->all_waits + turns +
          (is_out ? time_card_of(w, role, 1) + r->peer_card + links->between + links->network : 0) +
          (r->inside > 0 ? memory->seconds[0] + links->inside : 0);
    phase->longest[TIME_RANK] = fmax(phase->longest[TIME_RANK], all);
    phase->longest[TIME_PROCESSORS] =
        fmax(phase->longest[TIME_PROCESSORS], fmax(node->work, shared->all.work));
    phase->estimate = fmax(phase->estimate, fmax(fmax(all, passes) + latency, turns));
    phase->most = fmax(phase->most, sum);
}

/* Note the object whose card, or link up, is the busiest. */
static void time_find_busiest(const struct time_model *m, const int32_t *slot_of,
                              struct time_estimate *phase)
{
    const struct time_model_work *w = m->work;
    double card = phase->longest[TIME_CARD];
    int level = w->links.busiest_up > card ? w->links.busiest_level : -1;
    phase->busiest_level = level < 0 ? w->places.node : level;
    for (int32_t role = 0; role < m->roles && phase->busiest < 0; role++) {
        int is_here = level < 0 ? time_card_of(w, role, 0) == card
                                : tmap_tree_ancestor(m->tree, slot_of[role], level) ==
                                      w->links.busiest_object;
        if (!is_here || (level < 0 && card == 0))
            continue;
        phase->busiest = role;
        if (level < 0 && w->card[w->node[role]].seconds[0] < card)
            phase->busiest_level = w->places.card;
    }
}

static void time_add_cards(struct time_estimate *phase, const struct time_object *cards,
                           int32_t count)
{
    for (int32_t c = 0; c < count; c++) {
        double seconds = cards[c].seconds[0];
        phase->squares += seconds * seconds;
        phase->longest[TIME_CARD] = fmax(phase->longest[TIME_CARD], seconds);
    }
}

static int time_of_phase(const struct time_model *m, const int32_t *slot_of, size_t begin,
                         size_t end, struct time_estimate *phase, struct reseat_error *error)
{
    struct time_model_work *w = m->work;
    *phase = (struct time_estimate){.busiest = -1};
    time_model_clear(w, m->roles);
    time_add_entries(m, slot_of, begin, end);
    time_of_cards(m);
    time_of_memories(m);
    if (time_links_find(&w->links, m->entries + begin, end - begin, slot_of, error))
        return -1;
    phase->longest[TIME_NETWORK] = w->links.network;
    phase->longest[TIME_LINK] = fmax(w->links.between, w->links.inside);
    phase->squares = w->links.squares;
    time_find_peer_cards(m, begin, end);
    time_add_cards(phase, w->card, w->nodes);
    time_add_cards(phase, w->part_card, w->parts);
    for (int32_t n = 0; n < w->nodes; n++)
        phase->between_nodes += w->card[n].out;
    for (int32_t p = 0; p < w->packages; p++)
        phase->longest[TIME_MEMORY] = fmax(phase->longest[TIME_MEMORY], w->memory[p].seconds[0]);
    for (int32_t role = 0; role < m->roles; role++)
        time_of_rank(w, role, phase);
    time_find_busiest(m, slot_of, phase);
    for (int r = 0; r < TIME_RESOURCES; r++)
        phase->least = fmax(phase->least, phase->longest[r]);
    return 0;
}

int time_model_estimate(struct time_estimate *result, const struct time_model *model,
                        const int32_t *slot_of, struct reseat_error *error)
{
    struct time_model_work *w = model->work;
    struct time_estimate sum = {.busiest = -1}, phase;
    double longest = -1;
    w->nodes =
        time_places_number(model->tree, w->places.node, slot_of, model->roles, w->node, w->room);
    w->packages = time_places_number(model->tree, w->places.package, slot_of, model->roles,
                                     w->package, w->room);
    if (w->places.card > w->places.node)
        w->parts = time_places_number(model->tree, w->places.card, slot_of, model->roles, w->part,
                                      w->room);
    for (size_t begin = 0, end; begin < model->count; begin = end) {
        for (end = begin + 1;
             end < model->count && model->entries[end].phase == model->entries[begin].phase;)
            end++;
        if (time_of_phase(model, slot_of, begin, end, &phase, error))
            return -1;
        sum.least += phase.least;
        sum.estimate += phase.estimate;
        sum.most += phase.most;
        sum.squares += phase.squares;
        sum.between_nodes += phase.between_nodes;
        for (int r = 0; r < TIME_RESOURCES; r++)
            sum.longest[r] += phase.longest[r];
        if (phase.estimate > longest) {
            longest = phase.estimate;
            sum.busiest = phase.busiest;
            sum.busiest_level = phase.busiest_level;
        }
    }
    *result = sum;
    return 0;
}
