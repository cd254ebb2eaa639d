/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * disturb.c - disturb a mapping that no exchange improves, repair it, keep what is not dearer.
 *
 * A role is sent to a group that holds one of its partners (to its very slot, where slots hold
 * several roles), in exchange for some role there, whatever that costs; then swaps.c tries the
 * partners of both, and what follows. Mostly everything returns to where it was, but sometimes
 * other roles move, and a cycle of three or a longer chain of exchanges has been found of which
 * each alone would lose (iterated local search: Lourenço, Martin and Stützle 2003). What costs
 * more in the end is undone. What costs the same is kept: it leads to other places.
 *
 * Only the neighborhood of the disturbance is looked at, a few dozen roles, so a disturbance costs
 * the same in a job of any size, and their number is in proportion to the matrix. Of two roles that
 * are drawn, the one is taken that wants to leave most, and of two on the other side the cheaper
 * one.
 *
 * Example: a, b and c each belong where the next one is. An exchange of two puts one of them right;
 * if the other one loses as much by it, it is not made, although all three together would gain.
 */
#include "treematch/improve/local-search.h"

/* Moves that a disturbance may lead to, and drawings of a group before it is given up. */
enum { DISTURB_MOVES = 256, DISTURB_DRAWINGS = 4, DISTURB_CHOICES = 2 };

/* The work of a drawing. */
enum { DISTURB_WORK = 10 };

/* When so many drawings for each role have failed in a row, none will succeed: as on a machine of
 * one group, or where all partners of each role are in its own. */
enum { DISTURB_FAILURES = 16 };

/* The budget is spent in so many rounds. One that has not lowered the cost by what it is worth is
 * the last. */
enum { DISTURB_ROUNDS = 20 };

static enum tmap_status journal_init(struct tmap_search_journal *journal, size_t roles)
{
    journal->room = DISTURB_MOVES;
    journal->move = tmap_new(DISTURB_MOVES + 2, sizeof *journal->move);
    journal->before = tmap_new(roles, sizeof *journal->before);
    journal->touched = tmap_new_zero(roles, sizeof *journal->touched);
    return journal->move && journal->before && journal->touched ? TMAP_OK : TMAP_ENOMEM;
}

static void journal_fini(struct tmap_search_journal *journal)
{
    free(journal->move);
    free(journal->before);
    free(journal->touched);
    *journal = (struct tmap_search_journal){.before = NULL};
}

static int32_t draw(struct tmap_random *random, size_t count)
{
    return (int32_t)tmap_random_below(random, (uint32_t)count);
}

/* A role that is to move. */
static int32_t draw_role(const struct tmap_search *search, struct tmap_random *random)
{
    int32_t role = draw(random, (size_t)search->matrix->roles);
    for (int i = 1; i < DISTURB_CHOICES; i++) {
        int32_t other = draw(random, (size_t)search->matrix->roles);
        role = search->want[other] > search->want[role] ? other : role;
    }
    return role;
}

/* The slot of a partner of `role` that is in another group, or where slots hold several roles, on
 * another slot; -1: none was drawn. */
static int32_t draw_partner_slot(const struct tmap_search *search, int32_t role,
                                 struct tmap_random *random)
{
    struct tmap_row row = tmap_row_of(search->matrix, role);
    const int32_t own = search->slot_of[role];
    for (int i = 0; i < DISTURB_DRAWINGS && row.count > 0; i++) {
        int32_t slot = search->slot_of[row.partner[draw(random, row.count)]];
        if (search->simple ? tmap_search_group(search, slot) != tmap_search_group(search, own)
                           : slot != own)
            return slot;
    }
    return -1;
}

/* A slot of the group of `slot`; where slots hold several roles, `slot` itself. */
static int32_t draw_slot(const struct tmap_search *search, int32_t slot, struct tmap_random *random)
{
    const int32_t *first = search->tree->first_child[search->tree->depth - 1];
    const int32_t group = tmap_search_group(search, slot);
    return search->simple ? first[group] + draw(random, (size_t)(first[group + 1] - first[group]))
                          : slot;
}

/* A role on `slot`, which has one. */
static int32_t draw_resident(const struct tmap_search *search, int32_t slot,
                             struct tmap_random *random)
{
    int32_t role = search->head[slot];
    for (int32_t i = search->simple ? 0 : draw(random, (size_t)search->load[slot]); i > 0; i--)
        role = search->next[role];
    return role;
}

/* The exchange of `role` with a role on `slot`, or with free room; its slot is -1 if that is not
 * possible. */
static struct tmap_exchange price(struct tmap_search *search, int32_t role, int32_t slot,
                                  struct tmap_random *random)
{
    struct tmap_exchange exchange = {0, slot, -1};
    if (search->load[slot] >= search->tree->capacity[slot] && search->load[slot] > 0)
        exchange.partner = draw_resident(search, slot, random);
    if (search->tree->capacity[slot] == 0 ||
        (exchange.partner >= 0 && tmap_search_is_fixed(search, exchange.partner)))
        return (struct tmap_exchange){0, -1, -1};
    exchange.gain = tmap_search_gain(search, role, slot, exchange.partner);
    search->left -= (double)tmap_row_of(search->matrix, role).count;
    if (exchange.partner < 0)
        return exchange;
    exchange.gain += tmap_search_gain(search, exchange.partner, search->slot_of[role], role);
    search->left -= (double)tmap_row_of(search->matrix, exchange.partner).count;
    return exchange;
}

/* Make one exchange, mostly a bad one. Returns 0 if none was found. */
static int disturb_once(struct tmap_search *search, struct tmap_random *random)
{
    struct tmap_exchange best = {0, -1, -1};
    int32_t role = draw_role(search, random), near = draw_partner_slot(search, role, random);
    if (near < 0 || tmap_search_is_fixed(search, role))
        return 0;
    for (int i = 0; i < DISTURB_CHOICES; i++) {
        int32_t slot = draw_slot(search, near, random);
        struct tmap_exchange tried = price(search, role, slot, random);
        if (tried.slot >= 0 && (best.slot < 0 || tried.gain > best.gain))
            best = tried;
    }
    if (best.slot >= 0)
        tmap_search_exchange(search, role, &best);
    return best.slot >= 0;
}

enum tmap_status tmap_search_disturb(struct tmap_search *search)
{
    const struct tmap_matrix *matrix = search->matrix;
    struct tmap_search_journal *journal = &search->journal;
    struct tmap_random random;
    enum tmap_status status = journal_init(journal, (size_t)matrix->roles);
    double cost = 0, work = (double)(matrix->start[matrix->roles] + (size_t)matrix->roles);
    for (int32_t role = 0; role < matrix->roles; role++)
        cost += search->cost[role] / 2;
    work *= status == TMAP_OK ? search->swaps->disturbance : 0;
    search->left = work;
    tmap_random_init(&random, 0);
    int64_t failed = 0; /* drawings in a row */
    double round = search->left - work / DISTURB_ROUNDS,
           gained = 0; /* in this round, which ends there */
    while (search->left > 0 && failed < (int64_t)DISTURB_FAILURES * matrix->roles) {
        if (search->left < round) {
            if (gained < search->swaps->worth * cost)
                break;
            round = search->left - work / DISTURB_ROUNDS;
            gained = 0;
        }
        journal->moves = journal->befores = 0;
        journal->gained = 0;
        journal->number++;
        search->left -= DISTURB_WORK;
        failed++;
        if (!disturb_once(search, &random))
            continue;
        failed = 0;
        tmap_search_run(search);
        while (search->queue_count > 0)
            tmap_search_dequeue(search);
        if (journal->gained < -1e-12 * cost)
            tmap_search_undo(search);
        else
            gained += journal->gained;
    }
    journal_fini(journal);
    return status;
}
