/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * presence.c - see presence.h. Recursive doubling among the ranks below p, the largest power of
 * two: in round k a rank and the one whose number differs in bit k tell each other what they know.
 * Four ranks, of which rank 3 has not loaded the library:
 *
 *             rank 0                  rank 1              rank 2
 *   round 0   swaps with 1            swaps with 0        asks: 3 is missing
 *   round 1   swaps with 2, hears it  asks: 3 is missing  swaps with 0
 *
 * Before it sends, a rank asks the key-value space whether its partner has the library. A partner
 * that has not gets no message, but then the rank knows that one is missing. So after round k each
 * rank knows whether one is missing among the 2^(k+1) ranks that share its higher bits: its partner
 * has told it about the other half, or is missing itself. Ranks from p on tell a partner below p
 * first, and hear from it after the rounds. At most log2(n) + 2 questions, and as many messages
 * each way.
 *
 * The messages go over the application's communicator. No receive of the application can match
 * them, because a rank that we send to is in this function as well. They go in pairs, one each way:
 * Open MPI's transport in shared memory has a ring buffer ("fast box") for each direction between
 * two ranks, and in 4.1.4 all later small messages are slower, by 15 % for 8 bytes, when one of the
 * two has got ahead. A single broadcast in MPI_Init was enough for that.
 */
#include "interpose/meeting/presence.h"

#include <stdio.h>
#include <string.h>

#include "text/printable.h"
#include "interpose/meeting/key-space.h"
#include "interpose/meeting/leave-mark.h"

enum { PRESENCE_TAG = 24231, PRESENCE_MOST_ASKED = 4096, PRESENCE_LEAST_ROUNDS = 10 };

/* Seconds that a rank waits for its partner. Each question about a rank without the library may
 * take RESEAT_WAIT, and a rank that has waited for one that asked is late as well. So in each
 * round, and in the steps before the first and after the last one, ranks fall behind by one such
 * time at most. One more is for ranks that begin late. */
static double presence_limit(MPI_Comm all, const struct meeting *meeting)
{
    int size, rounds = 3;
    PMPI_Comm_size(all, &size);
    for (; size > 1; size /= 2)
        rounds++;
    return 1.0 * meeting->patience *
           (rounds > PRESENCE_LEAST_ROUNDS ? rounds : PRESENCE_LEAST_ROUNDS);
}

static int presence_of(const struct meeting *meeting, int rank, int seconds)
{
    int number = meeting->number_of ? meeting->number_of[rank] : rank;
    return key_space_get(number, seconds) >= 0;
}

static void presence_merge(struct presence *mine, const struct presence *theirs)
{
    mine->missing |= theirs->missing;
    mine->lowest = theirs->lowest < mine->lowest ? theirs->lowest : mine->lowest;
    mine->least = theirs->least < mine->least ? theirs->least : mine->least;
    mine->most = theirs->most > mine->most ? theirs->most : mine->most;
    for (int i = 0; i < ASSEMBLE_WORDS; i++)
        mine->words[i] = theirs->words[i] < mine->words[i] ? theirs->words[i] : mine->words[i];
}

static enum waiting presence_swap(MPI_Comm all, const struct meeting *meeting, int partner,
                                  struct presence *presence)
{
    enum { INTS = sizeof *presence / sizeof(int) };
    struct presence theirs = *presence, mine = *presence;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    if (!presence_of(meeting, partner, meeting->patience)) {
        presence->missing = 1;
        return WAITING_DONE;
    }
    if (PMPI_Irecv(&theirs, INTS, MPI_INT, partner, PRESENCE_TAG, all, &requests[0]) ||
        PMPI_Isend(&mine, INTS, MPI_INT, partner, PRESENCE_TAG, all, &requests[1]))
        return WAITING_FAILED;
    enum waiting how = waiting_for(requests, 2, presence_limit(all, meeting));
    if (how == WAITING_DONE)
        presence_merge(presence, &theirs);
    else
        presence->lowest = partner;
    return how;
}

enum waiting presence_exchange(MPI_Comm all, const struct meeting *meeting,
                               struct presence *presence)
{
    int rank, size, power = 1;
    enum waiting how = WAITING_DONE;
    PMPI_Comm_rank(all, &rank);
    PMPI_Comm_size(all, &size);
    *presence = (struct presence){.lowest = rank, .least = meeting->mode, .most = meeting->mode};
    memcpy(presence->words, meeting->least, sizeof presence->words);
    while (power <= size / 2)
        power *= 2;
    int folds = rank >= power || rank + power < size, partner = rank ^ power;
    if (folds)
        how = presence_swap(all, meeting, partner, presence);
    for (int bit = 1; bit < power && rank < power && how == WAITING_DONE; bit *= 2)
        how = presence_swap(all, meeting, rank ^ bit, presence);
    if (folds && how == WAITING_DONE)
        how = presence_swap(all, meeting, partner, presence);
    return how;
}

/* Returns 1 if no rank below this one is known to have the library; the answers
 * may be incomplete. */
static int presence_is_first(const struct meeting *meeting, int rank)
{
    for (int other = 0; other < rank && other < PRESENCE_MOST_ASKED; other++)
        if (presence_of(meeting, other, 0))
            return 0;
    return 1;
}

/* List the ranks without it, "1, 4-7, ...", as many as fit in `text`. */
static void presence_list(const struct meeting *meeting, int size, char *text, size_t room)
{
    size_t used = 0;
    int key = size < PRESENCE_MOST_ASKED ? size : PRESENCE_MOST_ASKED;
    text[0] = '\0';
    for (int first = 0, after; first < key; first = after + 1) {
        for (after = first; after < key && !presence_of(meeting, after, 0); after++)
            ;
        if (after == first)
            continue;
        if (used + 64 > room) {
            snprintf(text + used, room - used, ", ...");
            return;
        }
        used += (size_t)snprintf(text + used, room - used, "%s%d", used ? ", " : "", first);
        if (after > first + 1)
            used += (size_t)snprintf(text + used, room - used, "-%d", after - 1);
    }
}

void presence_explain(MPI_Comm all, const struct meeting *meeting, const struct presence *presence)
{
    static int said;
    char list[256];
    int rank, size;
    PMPI_Comm_rank(all, &rank);
    PMPI_Comm_size(all, &size);
    if (presence->lowest != rank || !presence_is_first(meeting, rank) ||
        __atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
        return;
    presence_list(meeting, size, list, sizeof list);
    mark_leave(); /* rank 0 may be one of them */
    printable_say("of %d ranks these have not loaded the library or have RESEAT unset: %s: "
                  "nothing is recorded or reordered",
                  size, list);
}
