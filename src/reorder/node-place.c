/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node-place.c - see node-place.h.
 *
 *   all processes       tell rank 0 which node they are on, and whether they may be bound there
 *   rank 0              numbers the nodes, and tells each process the reader of its node
 *   the bound ones      -- binding -->    the reader, the first of them
 *   the bound ones      <-- place ----    the reader
 *
 * No communicator is made for that. The reader answers one process after the other, each of which
 * says who is next: it needs no memory for their bindings. Whoever waits for its answer gives its
 * processor away (waiting.h): there may be more processes than processors, and the reader should
 * have one to itself.
 */
#include "reorder/node-place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/handles.h"
#include "base/hash.h"
#include "network/network-source.h"
#include "text/host-name.h"
#include "comm/waiting.h"

/* The profiler also sends messages over `comm`, with other tags. */
enum { TAG_BINDING = 24233, TAG_PLACE = 24234 };

/* ---- nodes ---- */

void node_place_here(struct node_here *here, const struct tmap_binding *binding)
{
    char boot[64] = "", host[RESEAT_HOST_SIZE] = "";
    struct stat network;
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    int known = file && fgets(boot, sizeof boot, file) && gethostname(host, sizeof host - 1) == 0 &&
                stat("/proc/self/ns/net", &network) == 0;
    if (file)
        fclose(file);
    *here = (struct node_here){.is_bound = binding->words > 0};
    if (!known)
        return;
    uint64_t hash = reseat_hash_add(reseat_hash_empty, boot, strlen(boot));
    hash = reseat_hash_add(hash, host, strlen(host));
    hash = reseat_hash_add(hash, &network.st_dev, sizeof network.st_dev);
    here->node = reseat_hash_add(hash, &network.st_ino, sizeof network.st_ino) | 1;
}

int node_place_number(struct node_told *told, const struct node_here *here, int ranks)
{
    struct handles leaders = HANDLES_INIT;
    int nodes = 0;
    for (int rank = 0; rank < ranks && nodes >= 0; rank++) {
        struct node_told *leader =
            here[rank].node ? handles_insert(&leaders, (uintptr_t)here[rank].node, &told[rank])
                            : NULL;
        if (!leader) {
            nodes = here[rank].node ? -1 : 0;
            break;
        }
        if (leader == &told[rank])
            *leader = (struct node_told){nodes++, rank, -1, -1};
        told[rank] = (struct node_told){leader->node, leader->leader, -1, -1};
    }
    handles_clear(&leaders, NULL);
    /* The leader's reader is the lowest that has been met so far, coming from above. */
    for (int rank = ranks - 1; rank >= 0 && nodes > 0; rank--) {
        struct node_told *leader = &told[told[rank].leader];
        if (here[rank].is_bound) {
            int next = leader->reader;
            leader->reader = rank;
            told[rank].next = next;
        }
    }
    for (int rank = 0; rank < ranks && nodes > 0; rank++)
        told[rank].reader = told[told[rank].leader].reader;
    return nodes;
}

/* ---- the reader ---- */

struct node_question {
    int next;
    int words;
    unsigned long word[TMAP_BINDING_WORDS]; /* as many are sent */
};

static void node_place_look(const struct tmap_machine *machine, const struct tmap_binding *binding,
                            struct tmap_place *place)
{
    int bound;
    reseat_place_clear(place);
    if (machine)
        tmap_machine_find_binding(machine, binding, place, &bound, NULL);
}

/* Returns who is next. */
static int node_place_answer(const struct tmap_machine *machine, int rank,
                             const struct rank_tree *rank_tree)
{
    struct node_question question;
    struct tmap_binding binding = {.words = 0};
    struct tmap_place place;
    if (waiting_receive(&question, sizeof question, rank, TAG_BINDING, rank_tree->comm,
                        rank_tree->patience))
        return -1;
    binding.words = (size_t)question.words;
    memcpy(binding.word, question.word, binding.words * sizeof question.word[0]);
    node_place_look(machine, &binding, &place);
    waiting_send(&place, sizeof place, rank, TAG_PLACE, rank_tree->comm, rank_tree->patience);
    return question.next;
}

static void node_place_read(const struct node_told *told, const struct tmap_binding *binding,
                            const struct rank_tree *rank_tree, struct tmap_place *place,
                            struct tmap_error *why)
{
    struct tmap_machine *machine = NULL;
    if (tmap_machine_create(&machine, NULL, why) == TMAP_OK)
        why->text[0] = '\0';
    node_place_look(machine, binding, place);
    for (int rank = told->next; rank >= 0;)
        rank = node_place_answer(machine, rank, rank_tree);
    tmap_machine_destroy(machine);
}

/* ---- the others ---- */

static void node_place_ask(const struct node_told *told, const struct tmap_binding *binding,
                           const struct rank_tree *rank_tree, struct tmap_place *place)
{
    struct node_question question = {.next = told->next, .words = (int)binding->words};
    struct tmap_place found;
    size_t bytes = binding->words * sizeof binding->word[0];
    memcpy(question.word, binding->word, bytes);
    bytes += offsetof(struct node_question, word);
    if (waiting_send(&question, bytes, told->reader, TAG_BINDING, rank_tree->comm,
                     rank_tree->patience) == WAITING_DONE &&
        waiting_receive(&found, sizeof found, told->reader, TAG_PLACE, rank_tree->comm,
                        rank_tree_patience_up(rank_tree)) == WAITING_DONE)
        *place = found;
}

void node_place_find(const struct node_told *told, const struct tmap_binding *binding,
                     const struct rank_tree *rank_tree, struct tmap_place *place,
                     struct tmap_error *why)
{
    why->text[0] = '\0';
    reseat_place_clear(place);
    if (told->reader == rank_tree->first)
        node_place_read(told, binding, rank_tree, place, why);
    else if (told->reader >= 0 && binding->words)
        node_place_ask(told, binding, rank_tree, place);
}

/* ---- all of it ---- */

/* At rank 0. Returns whether all processes can be told. */
static int node_place_decide(struct node_told *told, const struct rank_tree_parts *parts, int ranks)
{
    struct node_here *here = malloc(sizeof *here * (size_t)ranks);
    size_t at = 0, size;
    int has_all = here && told && !parts->is_cut;
    for (int rank = 0; has_all && rank < ranks; rank++) {
        memcpy(&here[rank], rank_tree_next(parts, &at, &size), sizeof *here);
        if (!here[rank].node)
            here[rank].node = 2 * (uint64_t)(rank + 1); /* alone */
    }
    has_all = has_all && node_place_number(told, here, ranks) > 0;
    free(here);
    return has_all;
}

void node_place(struct rank_tree *rank_tree, struct reseat_location *location,
                struct tmap_error *why)
{
    struct tmap_place *place = &location->place;
    struct rank_tree_parts parts;
    struct tmap_binding binding;
    struct node_here here;
    struct node_told told, *all = NULL;
    int ranks = 0, bound;
    tmap_binding_read(&binding);
    node_place_here(&here, &binding);
    int failed = rank_tree_gather(rank_tree, RANK_TREE_NOBODY, &here, sizeof here, &parts);
    if (rank_tree->first == 0) {
        ranks = rank_tree->last;
        all = malloc(sizeof *all * (size_t)ranks);
        failed = node_place_decide(all, &parts, ranks) ? failed : 0;
    }
    failed = rank_tree_scatter(rank_tree, failed, all, sizeof told, &told);
    free(parts.data);
    free(all);
    if (failed == RANK_TREE_NOBODY) {
        if (told.leader == rank_tree->first)
            location->accelerators = reseat_node_accelerators("");
        node_place_find(&told, &binding, rank_tree, place, why);
        return;
    }
    reseat_place_clear(place); /* each for itself */
    if (binding.words && tmap_place_find_self(place, &bound, why) == TMAP_OK)
        why->text[0] = '\0';
}
