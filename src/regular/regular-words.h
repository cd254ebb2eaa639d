/* SPDX-License-Identifier: BSD-3-Clause */
/* regular-words.h - the options of launchers that deal ranks as regular layouts do
 * (regular-words.c). */
#ifndef RESEAT_REGULAR_WORDS_H
#define RESEAT_REGULAR_WORDS_H

#include "launcher/rank-dealing.h"
#include "regular/regular-layouts.h"

/* A tree as launchers see it. */
struct regular_machine {
    struct launcher_machine machine;  /* no slots: no launcher can be told how to fill this tree */
    int32_t *slot_at;                 /* by slot of the machine: that of the tree */
    int32_t *numbers[LAUNCHER_UNITS]; /* owns what machine.object_of points to */
};

/*
 * Read a tree that is a machine: its hosts are the level `node`, or all is one host, in the order
 * of the tree. Slots have capacity 1 and are threads, cores or another kind of object that ranks
 * can be bound to; if they are anything else, only hosts count. A tree with other capacities has no
 * slots here. 0, or -1 with *error; to be closed in any case.
 */
int regular_machine_open(struct regular_machine *machine, const struct tmap_tree *tree,
                         struct reseat_error *error);

/*
 * The same where the tree has only what a job used: launch[rank] is the slot of each rank as
 * launched. Only hosts count, in the order of their lowest ranks, and the ranks of a host are in
 * their order on what they had there; so these words say on which hosts ranks sit, and leave open
 * how they are bound.
 */
int regular_machine_open_launch(struct regular_machine *machine, const struct tmap_tree *tree,
                                const int32_t *launch, int32_t ranks, struct reseat_error *error);
void regular_machine_close(struct regular_machine *machine);

/* By layout and family: words of an option that does the same, NULL: there is none. */
struct regular_words {
    size_t layouts;
    char *(*words)[LAUNCHER_FAMILIES];
};

/* Find them for `ranks` ranks. 0, or -1 with *error and *words empty. */
int regular_words_find(struct regular_words *words, const struct regular_layouts *layouts,
                       const struct regular_machine *machine, int32_t ranks,
                       struct reseat_error *error);
void regular_words_free(struct regular_words *words);

/* An option and what it costs. */
struct regular_option {
    char words[LAUNCHER_WORDS];
    double cost;
};

/* The cheapest one of a family for the roles of `matrix` on the tree that the machine was made
 * from; of several the first. 1; 0: the family has none here; -1: out of memory. */
int regular_option_find(struct regular_option *option, enum launcher_family family,
                        const struct regular_machine *machine, const struct tmap_matrix *matrix,
                        const struct tmap_tree *tree);

#endif
