/* SPDX-License-Identifier: BSD-3-Clause */
/* time-places.c - see time-places.h. */
#include "time-model/time-places.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascending.h"

static int time_is_package(const char *kind)
{
    return strcmp(kind, "package") == 0 || strcmp(kind, "pack") == 0 || strcmp(kind, "socket") == 0;
}

/* More ranks at once are never faster: what takes longer among fewer was disturbed. */
static void time_limit_effort(struct timings_effort effort[TIMINGS_SCOPES])
{
    for (int scope = TIMINGS_ALL; scope > TIMINGS_PAIR; scope--) {
        struct timings_effort *few = &effort[scope - 1];
        const struct timings_effort *many = &effort[scope];
        double once = few->wait + few->message, most = many->wait + many->message;
        if (!few->ranks || !many->ranks || once <= most)
            continue;
        few->wait *= most / once;
        few->message *= most / once;
    }
}

static double time_overlap(const struct timings_effort *pair, double seconds_per_byte)
{
    int is_known = pair->ranks && pair->byte > 0 && seconds_per_byte > 0;
    return is_known ? fmin(1, pair->byte / (2 * seconds_per_byte)) : 1;
}

/* One rank can get more through its card than one pair does; what several ranks get says nothing
 * about one. */
static double time_together(const struct reseat_timings *timings, double seconds_per_byte)
{
    int which = timings->rates[TIMINGS_CARD_OUT] ? TIMINGS_CARD_OUT : TIMINGS_NEAR_OUT;
    const struct timings_rate *rate = timings->rate[which];
    int is_known = timings->rates[which] > 0 && rate[0].users == 1;
    return is_known && seconds_per_byte > 0
               ? fmin(1, 1 / (seconds_per_byte * rate[0].bytes_per_second))
               : 1;
}

/* Returns 1 if each object of this kind has a network card. Kinds of the same distance are
 * synonyms. */
static int time_has_card(const struct reseat_timings *timings, const char *kind)
{
    return timings->near[0] &&
           tmap_level_default_cost(timings->near) == tmap_level_default_cost(kind);
}

void time_places_find(struct time_places *places, const struct tmap_tree *tree,
                      const struct reseat_timings *timings)
{
    char kind[TMAP_NAME_SIZE];
    int depth = tmap_tree_depth(tree);
    *places = (struct time_places){.depth = depth, .node = -1, .package = -1, .card = -1};
    for (int level = 0; level <= depth; level++) {
        reseat_timings_kind(tree, level, kind);
        const struct timings_level *found = reseat_timings_level(timings, kind);
        places->level[level].timings = found;
        places->level[level].seconds_per_byte = reseat_timings_line(found).seconds_per_byte;
        for (int scope = 0; scope < TIMINGS_SCOPES; scope++)
            places->level[level].effort[scope] =
                reseat_timings_effort(found, (enum timings_scope)scope);
        time_limit_effort(places->level[level].effort);
        places->level[level].overlap = time_overlap(&places->level[level].effort[TIMINGS_PAIR],
                                                    places->level[level].seconds_per_byte);
        places->level[level].together =
            reseat_timings_is_network(kind)
                ? time_together(timings, places->level[level].seconds_per_byte)
                : 1;
        if (tmap_tree_shape(tree, level, NULL) != TMAP_SHAPE_NONE)
            places->level[level].hop_seconds = found->hop_seconds;
        if (places->node < 0 && !reseat_timings_is_network(kind))
            places->node = level;
        if (places->package < 0 && time_is_package(kind))
            places->package = level;
        if (places->card < 0 && time_has_card(timings, kind))
            places->card = level;
    }
    if (places->node < 0) /* a leaf is a switch: what is below it is not known */
        places->node = depth;
    if (places->package < places->node)
        places->package = places->node;
    if (places->card < places->node)
        places->card = places->node;
}

struct time_message time_message_of(const struct time_places *places, const struct tmap_tree *tree,
                                    int32_t a, int32_t b, double bytes)
{
    int level = tmap_tree_common_level(tree, a, b);
    double seconds = reseat_timings_seconds(places->level[level].timings, bytes);
    double transfer = bytes * places->level[level].seconds_per_byte, hops = 0;
    if (places->level[level].hop_seconds > 0 && tmap_tree_level(tree, level)->cost > 0)
        hops = tmap_tree_distance(tree, a, b) / tmap_tree_level(tree, level)->cost - 1;
    if (transfer > seconds)
        transfer = seconds;
    return (struct time_message){
        .latency = seconds - transfer + (hops > 0 ? hops : 0) * places->level[level].hop_seconds,
        .transfer = transfer,
        .level = level};
}

int32_t time_places_number(const struct tmap_tree *tree, int level, const int32_t *slot_of,
                           int32_t roles, int32_t *object, int32_t *room)
{
    int32_t count = 0;
    for (int32_t role = 0; role < roles; role++)
        room[role] = object[role] = tmap_tree_ancestor(tree, slot_of[role], level);
    qsort(room, (size_t)roles, sizeof *room, ascending_int32);
    for (int32_t i = 0; i < roles; i++)
        if (i == 0 || room[i] != room[count - 1])
            room[count++] = room[i];
    for (int32_t role = 0; role < roles; role++)
        object[role] = (int32_t)((int32_t *)bsearch(&object[role], room, (size_t)count,
                                                    sizeof *room, ascending_int32) -
                                 room);
    return count;
}
