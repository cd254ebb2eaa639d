/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seats.c - see seats.h.
 *
 * In two turns, so that few steps are needed where a step takes long (comm/waiting.c): all tell
 * rank 0 on which node they are, and hear its number and who reads its machine (node-place.c); with
 * that, all find their places, and tell them. The leaders of nodes also tell what they know about
 * the switches above them (network-gather.c).
 */
#include "reorder/seats.h"

#include <stdlib.h>
#include <string.h>

#include "text/printable.h"
#include "reorder/network-gather.h"

/* ---- nodes ---- */

struct seats_here {
    struct node_here node;
    int leaf; /* the node in the tree as text; -1: none */
    uint64_t program;
};

struct seats_told {
    struct node_told node;
    int nodes;  /* how many; 0: not known */
    int source; /* enum network_source */
    int words[SEATS_WORDS];
};

static void seats_find_leaf(struct seats *seats, const char *topology)
{
    int rank;
    seats->error = (struct reseat_error){"RESEAT_TOPOLOGY is not the same everywhere"};
    seats->leaf.location.node = -1;
    seats->source = (int)network_source_of(topology);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (seats->source == NETWORK_FROM_TREE &&
        network_source_leaf(&seats->leaf, topology, rank, &seats->error))
        seats->leaf.location.node = -1;
}

/* Ask MPI, which takes much longer, for processes that do not know on which node they are.
 * Collective. */
static void seats_ask_mpi(struct seats *seats, struct node_here *here, struct trouble *trouble)
{
    MPI_Comm node = MPI_COMM_NULL;
    int lowest = seats->rank_tree.first;
    trouble_mpi(trouble,
                PMPI_Comm_split_type(seats->rank_tree.comm, MPI_COMM_TYPE_SHARED, lowest,
                                     MPI_INFO_NULL, &node),
                "splitting by node");
    if (trouble_agree(trouble, seats->rank_tree.comm))
        return; /* not freed: that is collective, and not all ranks may have it */
    trouble_mpi(trouble, PMPI_Bcast(&lowest, 1, MPI_INT, 0, node), "MPI_Bcast");
    PMPI_Comm_free(&node);
    here->node = (uint64_t)lowest + 1;
}

/* At rank 0, from what all have told. */
static void seats_number(struct seats *seats, struct seats_told *told,
                         const struct rank_tree_parts *parts, struct seats_word *word,
                         struct trouble *trouble)
{
    int ranks = seats->rank_tree.last;
    struct node_here *here = malloc(sizeof *here * (size_t)ranks);
    struct node_told *node = malloc(sizeof *node * (size_t)ranks);
    size_t at = 0, size;
    int has_room = here && node && told, is_whole = has_room && !parts->is_cut;
    for (int rank = 0; is_whole && rank < ranks; rank++) {
        struct seats_here theirs;
        memcpy(&theirs, rank_tree_next(parts, &at, &size), sizeof theirs);
        here[rank] = theirs.node;
        if (seats->source == NETWORK_FROM_TREE)
            here[rank] = (struct node_here){.node = (uint64_t)theirs.leaf + 2};
        if (word->difference && theirs.program != word->program)
            trouble_note(trouble, "%s", word->difference);
    }
    seats->nodes = is_whole ? node_place_number(node, here, ranks) : 0;
    if (!has_room || seats->nodes < 0)
        trouble_note(trouble, "out of memory for the seats");
    for (int rank = 0; is_whole && rank < ranks; rank++) {
        told[rank].node = node[rank];
        told[rank].nodes = seats->nodes;
        told[rank].source = seats->source;
        memcpy(told[rank].words, word->words, sizeof word->words);
    }
    free(here);
    free(node);
}

/* Returns whether this process knows its node now: 0 where MPI has to be asked first. */
static int seats_exchange(struct seats *seats, const struct seats_here *here,
                          struct seats_word *word, struct trouble *trouble)
{
    struct rank_tree *rank_tree = &seats->rank_tree;
    size_t ranks = rank_tree->first == 0 ? (size_t)rank_tree->last : 0;
    struct seats_told *told = ranks ? calloc(ranks, sizeof *told) : NULL, mine = {.source = 0};
    struct rank_tree_parts parts;
    trouble_gather(trouble, rank_tree, here, sizeof *here, &parts);
    if (ranks)
        seats_number(seats, told, &parts, word, trouble);
    if (trouble_scatter(trouble, rank_tree, told, sizeof mine, &mine) == 0) {
        seats->told = mine.node;
        seats->nodes = mine.nodes;
        seats->source = mine.source;
        memcpy(word->words, mine.words, sizeof mine.words);
    }
    free(told);
    free(parts.data);
    return trouble->failed || mine.nodes > 0;
}

int seats_find_nodes(struct seats *seats, const struct reseat_settings *settings, MPI_Comm comm,
                     struct seats_word *word, struct trouble *trouble)
{
    *seats = (struct seats){.all = NULL};
    rank_tree_open(&seats->rank_tree, comm);
    struct seats_here here = {.program = word->program};
    tmap_binding_read(&seats->binding);
    node_place_here(&here.node, &seats->binding);
    seats_find_leaf(seats, settings->topology);
    here.leaf = seats->leaf.location.node;
    reseat_place_clear(&seats->self.location.place);
    if (!seats_exchange(seats, &here, word, trouble)) {
        seats_ask_mpi(seats, &here.node, trouble);
        seats_exchange(seats, &here, word, trouble);
    }
    seats->self.rank = seats->rank_tree.first;
    seats->self.location.node = seats->told.node;
    seats->leader = seats->told.leader;
    return trouble->failed ? -1 : 0;
}

/* ---- places and switches ---- */

/* The report of a process; not all of it is sent. */
struct seats_report {
    struct seat seat;
    char why[sizeof((struct tmap_error *)0)->text]; /* its reader has no machine */
    struct network_gathered network;                /* of a leader */
};

static size_t seats_report(const struct seats *seats, struct seats_report *report,
                           const struct tmap_error *why)
{
    report->seat = seats->self;
    memcpy(report->why, why->text, sizeof report->why);
    if (seats->leader == seats->self.rank) {
        network_gather_own(&report->network, &seats->leaf.above);
        return sizeof *report;
    }
    return why->text[0] ? offsetof(struct seats_report, network)
                        : offsetof(struct seats_report, why);
}

/* One line for all nodes. If hwloc fails, the processes of the node have no place and count as not
 * bound. */
static void seats_say_why(const struct seats_report *report, int verbose, int *is_said)
{
    if (!report->why[0] || *is_said || verbose < 1)
        return;
    *is_said = 1;
    printable_say("rank %d: %s; ranks without hwloc are placed by host only",
                  (int)report->seat.rank, report->why);
}

/* At rank 0, from what all have told. */
static void seats_collect_reports(struct seats *seats, const struct reseat_settings *settings,
                                  const struct rank_tree_parts *parts, struct trouble *trouble)
{
    size_t at = 0, size, ranks = (size_t)seats->rank_tree.last;
    int any_place = 0, is_said = 0;
    struct network_gathered *known = malloc(sizeof *known * (size_t)seats->nodes);
    seats->all = malloc(sizeof *seats->all * ranks);
    if (!known || !seats->all)
        trouble_note(trouble, "out of memory for the seats");
    for (size_t rank = 0; rank < ranks && !trouble->failed && !parts->is_cut; rank++) {
        struct seats_report report = {.why = ""};
        const void *part = rank_tree_next(parts, &at, &size);
        memcpy(&report, part, size);
        seats->all[rank] = report.seat;
        any_place |= reseat_place_is_known(&report.seat.location.place);
        seats_say_why(&report, settings->verbose, &is_said);
        if (size == sizeof report)
            known[report.seat.location.node] = report.network;
    }
    seats->blind = !any_place && seats->nodes == 1;
    if (!trouble_is_known(trouble))
        network_gather_make(&seats->network, (enum network_source)seats->source, settings, known,
                            seats->nodes, trouble);
    free(known);
}

void seats_open(struct seats *seats, const struct reseat_settings *settings,
                struct trouble *trouble)
{
    struct tmap_place *place = &seats->self.location.place;
    struct seats_report report;
    struct rank_tree_parts parts;
    struct tmap_error why = {""};
    if (seats->source != NETWORK_FROM_TREE)
        node_place_find(&seats->told, &seats->binding, &seats->rank_tree, place, &why);
    else if (seats->leaf.location.node >= 0)
        *place = seats->leaf.location.place;
    else
        trouble_note(trouble, "%s", seats->error.text);
    if (seats->leader == seats->self.rank) /* whether it matters is as rank 0 has it set */
        seats->self.location.accelerators = reseat_node_accelerators(settings->topology);
    size_t size = seats_report(seats, &report, &why);
    trouble_gather(trouble, &seats->rank_tree, &report, size, &parts);
    if (seats->rank_tree.first == 0)
        seats_collect_reports(seats, settings, &parts, trouble);
    free(parts.data);
}

void seats_close(struct seats *seats)
{
    free(seats->all);
    seats->all = NULL;
    reseat_network_free(&seats->network);
}
