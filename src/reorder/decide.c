/* SPDX-License-Identifier: BSD-3-Clause */
/* decide.c - see decide.h. */
#include "reorder/decide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the candidates share, and the best of them so far. */
struct decide_contest {
    struct tmap_matrix *matrix;
    struct tmap_tree *tree;
    int32_t *slot_of_process;
    int32_t *slot_of_role; /* the best so far */
    int32_t *candidate;
    int keep_first;
};

static void contest_destroy(struct decide_contest *contest)
{
    tmap_matrix_destroy(contest->matrix);
    tmap_tree_destroy(contest->tree);
    free(contest->slot_of_process);
    free(contest->slot_of_role);
    free(contest->candidate);
}

static void decide_add_candidate(struct decision *decision, const char *name, double cost)
{
    int i = decision->candidates++;
    snprintf(decision->candidate[i].name, sizeof decision->candidate[i].name, "%s", name);
    decision->candidate[i].cost = cost;
}

static int contest_open(struct decide_contest *contest, const struct decide_input *input,
                        struct decision *decision, struct tmap_error *why)
{
    size_t bytes = sizeof(int32_t) * (size_t)input->processes;
    contest->slot_of_process = malloc(bytes);
    contest->slot_of_role = malloc(bytes);
    contest->candidate = malloc(bytes);
    if (!contest->slot_of_process || !contest->slot_of_role || !contest->candidate) {
        snprintf(why->text, sizeof why->text, "out of memory");
        return -1;
    }
    struct tmap_cost cost;
    struct reseat_error error;
    if (reseat_location_tree(&contest->tree, input->locations, input->processes, input->network,
                             contest->slot_of_process, &error)) {
        snprintf(why->text, sizeof why->text, "%.250s", error.text);
        return -1;
    }
    if (tmap_matrix_create(&contest->matrix, input->processes, input->entries, input->entries_count,
                           why) ||
        tmap_mapping_evaluate(contest->matrix, contest->tree, contest->slot_of_process, &cost, why))
        return -1;
    memcpy(contest->slot_of_role, contest->slot_of_process, bytes);
    decision->before = decision->after = cost.cost;
    decision->candidates = 0;
    decision->levels = tmap_tree_depth(contest->tree);
    for (int l = 0; l < decision->levels; l++) {
        const struct tmap_level *level = tmap_tree_level(contest->tree, l);
        memcpy(decision->level[l].name, level->name, sizeof level->name);
        decision->level[l].before = (double)cost.weight_at[l] * level->cost;
    }
    snprintf(decision->method, sizeof decision->method, "launch order");
    decide_add_candidate(decision, decision->method, cost.cost);
    return 0;
}

/* What the best order costs, level by level. */
static int contest_close(struct decide_contest *contest, struct decision *decision,
                         struct tmap_error *why)
{
    struct tmap_cost cost;
    if (tmap_mapping_evaluate(contest->matrix, contest->tree, contest->slot_of_role, &cost, why))
        return -1;
    decision->after = cost.cost;
    for (int l = 0; l < decision->levels; l++)
        decision->level[l].after =
            (double)cost.weight_at[l] * tmap_tree_level(contest->tree, l)->cost;
    return 0;
}

/* Put role 0 on the slot of process 0 in the candidate: for nothing where that is possible. */
static int decide_seat_first(struct decide_contest *contest, struct tmap_error *why)
{
    int kept, role = 0;
    int32_t slot = contest->slot_of_process[0], *candidate = contest->candidate;
    if (tmap_mapping_keep_role(contest->matrix, contest->tree, 0, slot, candidate, &kept, why) !=
        TMAP_OK)
        return -1;
    while (!kept && candidate[role] != slot)
        role++;
    candidate[role] = candidate[0];
    candidate[0] = slot;
    return 0;
}

/* Let one method (NULL: the default one) try. */
static int contest_try(struct decide_contest *contest, const char *method,
                       struct decision *decision, struct tmap_error *why)
{
    struct tmap_options options;
    struct tmap_cost cost;
    tmap_options_init(&options, sizeof options);
    if (!method)
        tmap_method_describe(0, &method, NULL); /* the first one is the default */
    options.method = method;
    if (tmap_mapping_find(contest->matrix, contest->tree, &options, contest->candidate, why) ||
        (contest->keep_first && decide_seat_first(contest, why)) ||
        tmap_mapping_evaluate(contest->matrix, contest->tree, contest->candidate, &cost, why))
        return -1;
    decide_add_candidate(decision, method, cost.cost);
    if (cost.cost >= decision->after)
        return 0;
    int32_t *loser = contest->slot_of_role;
    contest->slot_of_role = contest->candidate;
    contest->candidate = loser;
    decision->after = cost.cost;
    snprintf(decision->method, sizeof decision->method, "%s", method);
    return 0;
}

/* Give each process the role on its slot. The slots all have capacity 1 and are all taken. */
static int decide_hand_out(const struct decide_contest *contest, int32_t processes,
                           int32_t *role_of, struct tmap_error *why)
{
    int32_t *role_on_slot = contest->candidate;
    if (!tmap_permutation_is_valid(contest->slot_of_role, processes)) {
        snprintf(why->text, sizeof why->text, "the mapping is not a permutation");
        return -1;
    }
    tmap_permutation_invert(contest->slot_of_role, role_on_slot, processes);
    for (int32_t p = 0; p < processes; p++)
        role_of[p] = role_on_slot[contest->slot_of_process[p]];
    return 0;
}

int decide(const struct decide_input *input, int32_t *role_of, struct decision *decision,
           struct reseat_error *error)
{
    static const char *const methods[] = {NULL, "packed", "roundrobin"};
    struct decide_contest contest = {.keep_first = input->keep_first};
    struct tmap_error why;
    int kept, failed = contest_open(&contest, input, decision, &why);
    for (size_t i = 0; !failed && i < sizeof methods / sizeof methods[0]; i++)
        failed = contest_try(&contest, methods[i], decision, &why);
    if (!failed && decision->after < decision->before)
        failed = tmap_mapping_keep_role(contest.matrix, contest.tree, 0, contest.slot_of_process[0],
                                        contest.slot_of_role, &kept, &why) != TMAP_OK;
    if (!failed)
        failed = contest_close(&contest, decision, &why) ||
                 decide_hand_out(&contest, input->processes, role_of, &why);
    contest_destroy(&contest);
    return failed ? reseat_fail(error, "%s", why.text) : 0;
}

int decide_compare(const struct decide_input *input, const int32_t *role_of,
                   struct decision *decision, struct reseat_error *error)
{
    struct decide_contest contest = {.keep_first = 0};
    struct tmap_error why;
    int failed = contest_open(&contest, input, decision, &why);
    for (int32_t p = 0; !failed && p < input->processes; p++)
        contest.slot_of_role[role_of[p]] = contest.slot_of_process[p];
    if (!failed)
        failed = contest_close(&contest, decision, &why);
    contest_destroy(&contest);
    return failed ? reseat_fail(error, "%s", why.text) : 0;
}
