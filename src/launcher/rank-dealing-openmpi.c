/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank-dealing-openmpi.c - see rank-dealing.h: mpirun of Open MPI, which works in three steps.
 *
 *   map    Processes get a place each: an object of a kind, or only a host. They are kept host by
 *          host, and on a host in the order in which they came. Without SPAN a host is filled
 *          before the next one, its processes going round robin over its objects of the kind. With
 *          SPAN the objects of all hosts get as many each; Open MPI 4 gives an object all of its
 *          processes at once, 5 gives one to each object, and again. ppr:N:KIND gives each object
 *          N.
 *   bind   Each process in turn gets the next free unit of its place.
 *   rank   Processes get their numbers: in their order (slot), one of each host in turn (node), or
 *          by a kind of object, which takes the first process left whose place it shares. Within
 *          each host round robin over its objects; with FILL object after object; with SPAN round
 *          robin over the objects of all hosts. In Open MPI 5 the kind is the one that they were
 *          mapped by.
 *
 * As the framework rmaps does it in ORTE of Open MPI 4.1 and in PRRTE 3.0 (its mappers and
 * what ranks and binds); mpirun(1).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launcher/rank-dealing-rows.h"

/* The ways to map processes. Those by slot and node have the place node. */
enum openmpi_map {
    OPENMPI_MAP_SLOT,
    OPENMPI_MAP_NODE,
    OPENMPI_MAP_KIND,
    OPENMPI_MAP_KIND_SPAN,
    OPENMPI_MAP_PPR,
    OPENMPI_MAPS
};

enum openmpi_rank {
    OPENMPI_RANK_SLOT,
    OPENMPI_RANK_NODE,
    OPENMPI_RANK_KIND,
    OPENMPI_RANK_KIND_SPAN,
    OPENMPI_RANK_KIND_FILL,
    OPENMPI_RANKS
};

struct openmpi_deal {
    struct rank_dealing *d;
    int version;
    enum launcher_unit place; /* the kind of the places */
    char map_words[32];
    int32_t *begin;     /* by host, with an end: its first process */
    int32_t *object;    /* by process: its place */
    int32_t *slot;      /* by process: where it is bound */
    int32_t *waiting;   /* processes without a rank, by queue */
    int32_t *head;      /* by queue, with an end: its first one in `waiting` */
    int32_t *queue_end; /* by queue */
};

static const char *openmpi_word_of(const struct openmpi_deal *deal, enum launcher_unit unit)
{
    static const char *const words[LAUNCHER_UNITS] = {
        [LAUNCHER_UNIT_NODE] = "node",  [LAUNCHER_UNIT_PACKAGE] = "socket",
        [LAUNCHER_UNIT_NUMA] = "numa",  [LAUNCHER_UNIT_L3] = "L3cache",
        [LAUNCHER_UNIT_L2] = "L2cache", [LAUNCHER_UNIT_L1] = "L1cache",
        [LAUNCHER_UNIT_CORE] = "core",  [LAUNCHER_UNIT_THREAD] = "hwthread"};
    return deal->version >= 5 && unit == LAUNCHER_UNIT_PACKAGE ? "package" : words[unit];
}

/* The first of the objects of a kind on a host; of host `nodes`: how many there are in all. */
static int32_t openmpi_first_object(const struct openmpi_deal *deal, enum launcher_unit kind,
                                    int32_t node)
{
    const struct launcher_machine *machine = deal->d->machine;
    return node == machine->nodes ? dealing_objects(machine, kind)
                                  : machine->object_of[kind][deal->d->first_slot[node]];
}

/* ---- map ---- */

static int32_t openmpi_room(const struct openmpi_deal *deal, int32_t node)
{
    return deal->d->first_slot[node + 1] - deal->d->first_slot[node];
}

/* Counts the processes of each host, into used: as many as it has slots, or, one after the other,
 * as many as the others. */
static void openmpi_count(const struct openmpi_deal *deal, int is_even)
{
    struct rank_dealing *d = deal->d;
    int32_t nodes = d->machine->nodes, left = d->ranks, most = is_even ? 1 : d->most;
    memset(d->used, 0, sizeof *d->used * (size_t)nodes);
    while (left > 0)
        for (int32_t node = 0; node < nodes; node++) {
            int32_t room = openmpi_room(deal, node) - d->used[node];
            int32_t more = room < most ? room : most;
            more = more < left ? more : left;
            d->used[node] += more;
            left -= more;
        }
}

/* The same with a process for each object of all hosts, and again. */
static void openmpi_count_by_object(const struct openmpi_deal *deal)
{
    struct rank_dealing *d = deal->d;
    int32_t nodes = d->machine->nodes, left = d->ranks;
    memset(d->used, 0, sizeof *d->used * (size_t)nodes);
    while (left > 0)
        for (int32_t node = 0; node < nodes; node++) {
            int32_t more = openmpi_first_object(deal, deal->place, node + 1) -
                           openmpi_first_object(deal, deal->place, node);
            more = more < left ? more : left;
            d->used[node] += more;
            left -= more;
        }
}

/* As many processes as the hosts shall have, round robin over the objects of each. */
static void openmpi_map_in_turn(struct openmpi_deal *deal)
{
    int32_t process = 0, nodes = deal->d->machine->nodes;
    for (int32_t node = 0; node < nodes; node++) {
        int32_t first = openmpi_first_object(deal, deal->place, node);
        int32_t objects = openmpi_first_object(deal, deal->place, node + 1) - first;
        deal->begin[node] = process;
        for (int32_t i = 0; i < deal->d->used[node]; i++)
            deal->object[process++] = first + i % objects;
    }
    deal->begin[nodes] = process;
}

/* `each` processes for an object, one more for the first `extra` ones. */
static void openmpi_map_in_blocks(struct openmpi_deal *deal, int32_t each, int32_t extra)
{
    int32_t process = 0, object = 0, nodes = deal->d->machine->nodes;
    for (int32_t node = 0; node < nodes; node++) {
        deal->begin[node] = process;
        for (; object < openmpi_first_object(deal, deal->place, node + 1); object++) {
            int32_t more = each + (object < extra);
            for (int32_t i = 0; i < more && process < deal->d->ranks; i++)
                deal->object[process++] = object;
        }
    }
    deal->begin[nodes] = process;
}

/* 0: the option does not map so many processes. */
static int openmpi_map(struct openmpi_deal *deal, enum openmpi_map map)
{
    int32_t objects = dealing_objects(deal->d->machine, deal->place);
    int32_t each = deal->d->ranks / objects;
    const char *kind = openmpi_word_of(deal, deal->place);
    static const char *const formats[OPENMPI_MAPS] = {"slot", "node", "%s", "%s:span", NULL};
    if (map == OPENMPI_MAP_PPR) {
        snprintf(deal->map_words, sizeof deal->map_words, "ppr:%d:%s", (int)each, kind);
        openmpi_map_in_blocks(deal, each, 0);
        return each * objects == deal->d->ranks;
    }
    snprintf(deal->map_words, sizeof deal->map_words, formats[map], kind);
    if (map == OPENMPI_MAP_KIND_SPAN && deal->version < 5) {
        openmpi_map_in_blocks(deal, each ? each : 1, each ? deal->d->ranks % objects : 0);
        return 1;
    }
    if (map == OPENMPI_MAP_KIND_SPAN)
        openmpi_count_by_object(deal);
    else
        openmpi_count(deal, map == OPENMPI_MAP_NODE);
    openmpi_map_in_turn(deal);
    return 1;
}

/* 0: a place has fewer slots than processes. */
static int openmpi_bind(struct openmpi_deal *deal)
{
    dealing_reset(deal->d, deal->place);
    for (int32_t process = 0; process < deal->d->ranks; process++) {
        deal->slot[process] = dealing_take(deal->d, deal->place, deal->object[process]);
        if (deal->slot[process] < 0)
            return 0;
    }
    return 1;
}

/* ---- rank ---- */

/* One of each host in turn. Open MPI 5 takes for granted that all have as many. */
static int openmpi_rank_by_node(struct openmpi_deal *deal)
{
    int32_t rank = 0, nodes = deal->d->machine->nodes;
    for (int32_t i = 0; rank < deal->d->ranks; i++)
        for (int32_t node = 0; node < nodes; node++) {
            int is_there = i < deal->begin[node + 1] - deal->begin[node];
            if (is_there)
                deal->d->slot_of[rank++] = deal->slot[deal->begin[node] + i];
            else if (deal->version >= 5)
                return 0;
        }
    return 1;
}

/* Put the processes into queues: one for each object of the larger one of the two kinds, that of
 * places and that of ranks. */
static enum launcher_unit openmpi_queue(struct openmpi_deal *deal, enum launcher_unit kind)
{
    const struct launcher_machine *machine = deal->d->machine;
    enum launcher_unit larger =
        dealing_objects(machine, deal->place) < dealing_objects(machine, kind) ? deal->place : kind;
    const int32_t *queue_of = machine->object_of[larger];
    int32_t queues = dealing_objects(machine, larger), ranks = deal->d->ranks, at = 0;
    memset(deal->queue_end, 0, sizeof *deal->queue_end * (size_t)queues);
    for (int32_t process = 0; process < ranks; process++)
        deal->queue_end[queue_of[deal->slot[process]]]++;
    for (int32_t queue = 0; queue < queues; queue++) {
        deal->head[queue] = at;
        at += deal->queue_end[queue];
        deal->queue_end[queue] = deal->head[queue];
    }
    for (int32_t process = 0; process < ranks; process++)
        deal->waiting[deal->queue_end[queue_of[deal->slot[process]]]++] = process;
    return larger;
}

/* The first process left that shares an object gets a rank. 0: there is none. */
static int openmpi_rank_next(struct openmpi_deal *deal, const int32_t *queue_of, int32_t first_slot,
                             int32_t *rank)
{
    int32_t queue = queue_of[first_slot];
    if (deal->head[queue] == deal->queue_end[queue])
        return 0;
    deal->d->slot_of[(*rank)++] = deal->slot[deal->waiting[deal->head[queue]++]];
    return 1;
}

/* 0: an object has no process where it is its turn. What then happens is not the same in all
 * releases. */
static int openmpi_rank_by_kind(struct openmpi_deal *deal, enum openmpi_rank by,
                                enum launcher_unit kind)
{
    struct rank_dealing *d = deal->d;
    const int32_t *queue_of = d->machine->object_of[openmpi_queue(deal, kind)];
    int32_t rank = 0, nodes = d->machine->nodes;
    dealing_reset(d, kind); /* next[object]: its first slot */
    for (int32_t node = 0; node < nodes && by != OPENMPI_RANK_KIND_SPAN; node++) {
        int32_t first = openmpi_first_object(deal, kind, node), i = 0;
        int32_t objects = openmpi_first_object(deal, kind, node + 1) - first;
        int32_t end = deal->begin[node + 1];
        for (; by == OPENMPI_RANK_KIND && rank < end; i++)
            if (!openmpi_rank_next(deal, queue_of, d->next[first + i % objects], &rank))
                return 0;
        for (; by == OPENMPI_RANK_KIND_FILL && i < objects; i++)
            while (openmpi_rank_next(deal, queue_of, d->next[first + i], &rank))
                ;
    }
    int32_t all = dealing_objects(d->machine, kind);
    while (by == OPENMPI_RANK_KIND_SPAN && rank < d->ranks)
        for (int32_t object = 0; object < all; object++)
            openmpi_rank_next(deal, queue_of, d->next[object], &rank);
    return 1;
}

static int openmpi_rank(struct openmpi_deal *deal, enum openmpi_rank by, enum launcher_unit kind)
{
    if (by == OPENMPI_RANK_NODE)
        return openmpi_rank_by_node(deal);
    if (by != OPENMPI_RANK_SLOT)
        return openmpi_rank_by_kind(deal, by, kind);
    memcpy(deal->d->slot_of, deal->slot, sizeof *deal->slot * (size_t)deal->d->ranks);
    return 1;
}

/* ---- options ---- */

static void openmpi_say(struct openmpi_deal *deal, enum openmpi_rank by, enum launcher_unit kind)
{
    static const char *const suffixes[OPENMPI_RANKS] = {"", "", "", ":span", ":fill"};
    enum launcher_unit slot = deal->d->machine->slot;
    char words[LAUNCHER_WORDS];
    const char *rank = by == OPENMPI_RANK_SLOT ? "slot" : openmpi_word_of(deal, kind);
    int is_thread = slot == LAUNCHER_UNIT_THREAD, is_5 = deal->version >= 5;
    if (!openmpi_rank(deal, by, kind))
        return;
    if (is_5 && suffixes[by][0])
        rank = suffixes[by] + 1;
    int length = snprintf(words, sizeof words, "--map-by %s%s --rank-by %s%s", deal->map_words,
                          is_thread && is_5 ? ":hwtcpus" : "", rank, is_5 ? "" : suffixes[by]);
    if (slot != LAUNCHER_UNITS)
        snprintf(words + length, sizeof words - (size_t)length, "%s --bind-to %s",
                 is_thread && !is_5 ? " --use-hwthread-cpus" : "", openmpi_word_of(deal, slot));
    deal->d->visit(deal->d->context, words, deal->d->slot_of);
}

/* The kinds of objects that can be named: those inside a host, if it is known what slots are. */
static int openmpi_next_kind(const struct openmpi_deal *deal, int kind)
{
    const struct launcher_machine *machine = deal->d->machine;
    for (kind++; kind <= (int)machine->slot && kind < LAUNCHER_UNITS; kind++)
        if (dealing_differs(machine, (enum launcher_unit)kind))
            return kind;
    return -1;
}

/* All ways to rank what is mapped. Places that are hosts have no objects for Open MPI 5 to rank
 * by. */
static void openmpi_say_ranks(struct openmpi_deal *deal)
{
    openmpi_say(deal, OPENMPI_RANK_SLOT, LAUNCHER_UNIT_NODE);
    openmpi_say(deal, OPENMPI_RANK_NODE, LAUNCHER_UNIT_NODE);
    if (deal->version >= 5) {
        for (int by = OPENMPI_RANK_KIND_SPAN; by < OPENMPI_RANKS; by++)
            if (deal->place != LAUNCHER_UNIT_NODE)
                openmpi_say(deal, (enum openmpi_rank)by, deal->place);
        return;
    }
    for (int by = OPENMPI_RANK_KIND; by < OPENMPI_RANKS; by++)
        for (int kind = openmpi_next_kind(deal, LAUNCHER_UNIT_NODE); kind >= 0;
             kind = openmpi_next_kind(deal, kind))
            openmpi_say(deal, (enum openmpi_rank)by, (enum launcher_unit)kind);
}

static void openmpi_say_map(struct openmpi_deal *deal, enum openmpi_map map,
                            enum launcher_unit place)
{
    deal->place = place;
    if (openmpi_map(deal, map) && openmpi_bind(deal))
        openmpi_say_ranks(deal);
}

/* The layouts that people ask for most: unit after unit, and host after host. */
static void openmpi_say_usual(struct openmpi_deal *deal)
{
    enum launcher_unit slot = deal->d->machine->slot;
    int is_bound = slot != LAUNCHER_UNITS;
    deal->place = is_bound ? slot : LAUNCHER_UNIT_NODE;
    if (openmpi_map(deal, is_bound ? OPENMPI_MAP_KIND : OPENMPI_MAP_SLOT) && openmpi_bind(deal))
        openmpi_say(deal, OPENMPI_RANK_SLOT, LAUNCHER_UNIT_NODE);
    deal->place = LAUNCHER_UNIT_NODE;
    if (openmpi_map(deal, OPENMPI_MAP_NODE) && openmpi_bind(deal))
        openmpi_say(deal, OPENMPI_RANK_NODE, LAUNCHER_UNIT_NODE);
}

static void openmpi_say_all(struct openmpi_deal *deal)
{
    static const enum openmpi_map maps[] = {OPENMPI_MAP_KIND, OPENMPI_MAP_KIND_SPAN,
                                            OPENMPI_MAP_PPR};
    openmpi_say_usual(deal);
    openmpi_say_map(deal, OPENMPI_MAP_SLOT, LAUNCHER_UNIT_NODE);
    openmpi_say_map(deal, OPENMPI_MAP_NODE, LAUNCHER_UNIT_NODE);
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
        for (int kind = openmpi_next_kind(deal, LAUNCHER_UNIT_NODE); kind >= 0;
             kind = openmpi_next_kind(deal, kind))
            openmpi_say_map(deal, maps[i], (enum launcher_unit)kind);
    openmpi_say_map(deal, OPENMPI_MAP_PPR, LAUNCHER_UNIT_NODE);
}

int dealing_visit_openmpi(struct rank_dealing *d, int version)
{
    size_t slots = (size_t)d->machine->slots + 1;
    int32_t *arrays = malloc(6 * slots * sizeof *arrays);
    if (!arrays)
        return -1;
    struct openmpi_deal deal = {.d = d,
                                .version = version,
                                .begin = arrays,
                                .object = arrays + slots,
                                .slot = arrays + 2 * slots,
                                .waiting = arrays + 3 * slots,
                                .head = arrays + 4 * slots,
                                .queue_end = arrays + 5 * slots};
    openmpi_say_all(&deal);
    free(arrays);
    return 0;
}
