/* SPDX-License-Identifier: BSD-3-Clause */
/* timings.c - see timings.h: making timings, and what they say. Files: timings-file.c. */
#include "timings/timings.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "text/number.h"

/* ---- kinds ---- */

/* The number of a kind "switch2", "switch3"...; 0: it is something else. */
static int timings_switch_number(const char *kind)
{
    uint64_t number;
    if (strncmp(kind, "switch", 6) != 0)
        return 0;
    kind += 6;
    return *kind != '0' && read_number(&kind, TMAP_MAX_LEVELS, &number) == 0 && !*kind && number > 1
               ? (int)number
               : 0;
}

/* Position of a kind, from the inside out: its default distance, those of switches between "switch"
 * and "machine"; -1: it is no kind. */
static double timings_kind_distance(const char *kind)
{
    double first = tmap_level_default_cost("switch"), all = tmap_level_default_cost("machine");
    int number = timings_switch_number(kind);
    return number ? first + (all - first) * (number - 1) / (TMAP_MAX_LEVELS + 1)
                  : tmap_level_default_cost(kind);
}

/* ---- making ---- */

int reseat_timings_create(struct reseat_timings **timings, struct reseat_error *error)
{
    struct reseat_timings *made = calloc(1, sizeof *made);
    if (!made)
        return reseat_fail(error, "out of memory");
    *timings = made;
    return 0;
}

void reseat_timings_destroy(struct reseat_timings *timings)
{
    if (!timings)
        return;
    for (size_t i = 0; i < timings->headers; i++) {
        free(timings->header[i].key);
        free(timings->header[i].value);
    }
    for (size_t l = 0; l < timings->levels; l++) {
        free(timings->level[l].point);
        free(timings->level[l].exchange);
    }
    for (int r = 0; r < TIMINGS_RESOURCES; r++)
        free(timings->rate[r]);
    free(timings->header);
    free(timings->level);
    free(timings);
}

int reseat_timings_add_header(struct reseat_timings *timings, const char *key, const char *value,
                              struct reseat_error *error)
{
    if (timings->headers == TIMINGS_MOST)
        return reseat_fail(error, "more than %d lines of that kind", TIMINGS_MOST);
    struct timings_header added = {strdup(key), strdup(value)};
    if (added.key && added.value &&
        array_add(&timings->header, &timings->headers, &added, sizeof added) == 0)
        return 0;
    free(added.key);
    free(added.value);
    return reseat_fail(error, "out of memory");
}

static int timings_check_number(double number, const char *what, struct reseat_error *error)
{
    return number >= TIMINGS_LEAST && number <= TIMINGS_GREATEST
               ? 0
               : reseat_fail(error, "%s between %g and %g are expected", what, TIMINGS_LEAST,
                             TIMINGS_GREATEST);
}

static int timings_check_sample(const struct timings_sample *sample, struct reseat_error *error)
{
    return sample->times >= 0 && sample->spread >= 0 && sample->spread <= TIMINGS_MOST_SPREAD
               ? 0
               : reseat_fail(error, "times of 0 or more, and a spread from 0 to %g are expected",
                             TIMINGS_MOST_SPREAD);
}

/* The level of that very kind, which is made if it is not there; NULL with *error. */
static struct timings_level *timings_put_level(struct reseat_timings *timings, const char *kind,
                                               struct reseat_error *error)
{
    double distance = timings_kind_distance(kind);
    size_t at = 0;
    if (distance < 0) {
        reseat_fail(error, "'%.40s' is no kind of level", kind);
        return NULL;
    }
    for (size_t l = 0; l < timings->levels; l++)
        if (strcmp(timings->level[l].kind, kind) == 0)
            return &timings->level[l];
    const struct timings_level *level = timings->level;
    while (at < timings->levels && (timings_kind_distance(level[at].kind) > distance ||
                                    (timings_kind_distance(level[at].kind) == distance &&
                                     strcmp(level[at].kind, kind) < 0)))
        at++;
    struct timings_level added = {.points = 0};
    strcpy(added.kind, kind); /* a name that has a distance is short */
    if (array_insert(&timings->level, &timings->levels, at, &added, sizeof added) == 0)
        return &timings->level[at];
    reseat_fail(error, "out of memory");
    return NULL;
}

int reseat_timings_add_point(struct reseat_timings *timings, const char *kind,
                             const struct timings_point *point, struct reseat_error *error)
{
    if (timings_check_number(point->seconds, "seconds", error) ||
        timings_check_sample(&point->sample, error))
        return -1;
    if (point->bytes > TIMINGS_MOST_BYTES)
        return reseat_fail(error, "at most %llu bytes are expected",
                           (unsigned long long)TIMINGS_MOST_BYTES);
    struct timings_level *level = timings_put_level(timings, kind, error);
    size_t at = 0;
    if (!level)
        return -1;
    while (at < level->points && level->point[at].bytes < point->bytes)
        at++;
    if (at < level->points && level->point[at].bytes == point->bytes)
        return reseat_fail(error, "level %s, bytes %llu is there twice", kind,
                           (unsigned long long)point->bytes);
    if (level->points == TIMINGS_MOST)
        return reseat_fail(error, "more than %d sizes of a level", TIMINGS_MOST);
    return array_insert(&level->point, &level->points, at, point, sizeof *point)
               ? reseat_fail(error, "out of memory")
               : 0;
}

int reseat_timings_add_hop(struct reseat_timings *timings, const char *kind, double seconds,
                           const struct timings_sample *sample, struct reseat_error *error)
{
    if (timings_check_number(seconds, "seconds", error) || timings_check_sample(sample, error))
        return -1;
    struct timings_level *level = timings_put_level(timings, kind, error);
    if (!level)
        return -1;
    if (level->hop_seconds > 0)
        return reseat_fail(error, "hop %s is there twice", kind);
    level->hop_seconds = seconds;
    level->hop = *sample;
    return 0;
}

static int timings_compare_exchanges(const struct timings_exchange *a,
                                     const struct timings_exchange *b)
{
    if (a->scope != b->scope)
        return a->scope < b->scope ? -1 : 1;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? -1 : 1;
    return (a->messages > b->messages) - (a->messages < b->messages);
}

static int timings_check_exchange(const struct timings_exchange *exchange,
                                  struct reseat_error *error)
{
    if (timings_check_number(exchange->seconds, "seconds", error) ||
        timings_check_sample(&exchange->sample, error))
        return -1;
    if (exchange->bytes > TIMINGS_MOST_BYTES)
        return reseat_fail(error, "at most %llu bytes are expected",
                           (unsigned long long)TIMINGS_MOST_BYTES);
    return exchange->ranks < 2 || exchange->messages < 1
               ? reseat_fail(error, "two ranks and one message are the least")
               : 0;
}

int reseat_timings_add_exchange(struct reseat_timings *timings, const char *kind,
                                const struct timings_exchange *exchange, struct reseat_error *error)
{
    if (timings_check_exchange(exchange, error))
        return -1;
    struct timings_level *level = timings_put_level(timings, kind, error);
    size_t at = 0;
    if (!level)
        return -1;
    for (size_t i = 0; i < level->exchanges; i++) {
        const struct timings_exchange *each = &level->exchange[i];
        int order = timings_compare_exchanges(each, exchange);
        if (order == 0)
            return reseat_fail(error, "this exchange is there twice");
        if (each->scope == exchange->scope && each->ranks != exchange->ranks)
            return reseat_fail(error, "another number of ranks than before, %d", (int)each->ranks);
        at += order < 0;
    }
    if (level->exchanges == TIMINGS_MOST)
        return reseat_fail(error, "more than %d exchanges of a level", TIMINGS_MOST);
    return array_insert(&level->exchange, &level->exchanges, at, exchange, sizeof *exchange)
               ? reseat_fail(error, "out of memory")
               : 0;
}

int reseat_timings_add_near(struct reseat_timings *timings, const char *kind,
                            struct reseat_error *error)
{
    double distance = tmap_level_default_cost(kind);
    if (distance < 0 || distance >= tmap_level_default_cost("node"))
        return reseat_fail(error, "'%.40s' is no kind of object in a node", kind);
    if (timings->near[0] && strcmp(timings->near, kind) != 0)
        return reseat_fail(error, "cards are near another kind before, %s", timings->near);
    snprintf(timings->near, sizeof timings->near, "%s", kind);
    return 0;
}

int reseat_timings_add_rate(struct reseat_timings *timings, enum timings_resource resource,
                            const struct timings_rate *rate, struct reseat_error *error)
{
    size_t at = 0, count = timings->rates[resource];
    const struct timings_rate *all = timings->rate[resource];
    if (timings_check_number(rate->bytes_per_second, "bytes_per_second", error) ||
        timings_check_sample(&rate->sample, error))
        return -1;
    if (rate->users < 1)
        return reseat_fail(error, "one rank or pair is the least");
    while (at < count && all[at].users < rate->users)
        at++;
    if (at < count && all[at].users == rate->users)
        return reseat_fail(error, "the same number of ranks or pairs, %d, is there twice",
                           (int)rate->users);
    if (count == TIMINGS_MOST)
        return reseat_fail(error, "more than %d figures of a kind", TIMINGS_MOST);
    return array_insert(&timings->rate[resource], &timings->rates[resource], at, rate, sizeof *rate)
               ? reseat_fail(error, "out of memory")
               : 0;
}

int reseat_timings_check(const struct reseat_timings *timings, struct reseat_error *error)
{
    if (timings->levels == 0)
        return reseat_fail(error, "there is no level");
    for (size_t l = 0; l < timings->levels; l++)
        if (timings->level[l].points < 2)
            return reseat_fail(error,
                               "level %s has no two sizes, of which latency and bandwidth "
                               "could be had",
                               timings->level[l].kind);
    return 0;
}

/* ---- using ---- */

const char *reseat_timings_header(const struct reseat_timings *timings, const char *key)
{
    for (size_t i = 0; i < timings->headers; i++)
        if (strcmp(timings->header[i].key, key) == 0)
            return timings->header[i].value;
    return NULL;
}

const struct timings_level *reseat_timings_level(const struct reseat_timings *timings,
                                                 const char *kind)
{
    const struct timings_level *nearest = NULL;
    double wanted = timings_kind_distance(kind), least = 0;
    if (wanted < 0)
        wanted = timings_kind_distance("node");
    for (size_t l = 0; l < timings->levels; l++) {
        const struct timings_level *level = &timings->level[l];
        double distance = timings_kind_distance(level->kind);
        double factor = distance > wanted ? distance / wanted : wanted / distance;
        if (strcmp(level->kind, kind) == 0)
            return level;
        if (!nearest || factor < least) {
            nearest = level;
            least = factor;
        }
    }
    return nearest;
}

/* Returns 1 if the children of a level are inside a node; 0: they are not; -1: its name does not
 * tell. */
static int timings_is_inside(const char *name)
{
    double distance = tmap_level_default_cost(name);
    if (strcmp(name, "process") == 0) /* several in the same place */
        return 1;
    return distance < 0 ? -1 : distance < tmap_level_default_cost("node");
}

static int timings_is_switch(const char *name)
{
    return strcmp(name, "switch") == 0 || strcmp(name, "router") == 0;
}

void reseat_timings_kind(const struct tmap_tree *tree, int level, char kind[TMAP_NAME_SIZE])
{
    int depth = tmap_tree_depth(tree), number = 1;
    const char *name = level > 0 ? tmap_tree_level(tree, level - 1)->name : "machine";
    if (level == 0)
        name = timings_is_inside(tmap_tree_level(tree, 0)->name) == 1 ? "node" : "machine";
    if (!timings_is_switch(name)) {
        snprintf(kind, TMAP_NAME_SIZE, "%s", tmap_level_default_cost(name) < 0 ? "node" : name);
        return;
    }
    while (level < depth && timings_is_switch(tmap_tree_level(tree, level)->name)) {
        level++;
        number++;
    }
    snprintf(kind, TMAP_NAME_SIZE, number > 1 ? "switch%d" : "switch", number);
}

int reseat_timings_is_network(const char *kind)
{
    return strcmp(kind, "machine") == 0 || strncmp(kind, "switch", 6) == 0;
}

const char *reseat_timings_lack(const struct reseat_timings *timings, int32_t nodes, int64_t ranks)
{
    int between = 0, inside = 0, cards = 0;
    for (size_t l = 0; l < timings->levels; l++) {
        between |= reseat_timings_is_network(timings->level[l].kind);
        inside |= !reseat_timings_is_network(timings->level[l].kind);
    }
    for (int r = TIMINGS_CARD_OUT; r <= TIMINGS_NEAR_BOTH; r++)
        cards |= timings->rates[r] > 0;
    if (nodes > 1 && !between)
        return "timings between nodes";
    if (ranks > nodes && !inside)
        return "timings inside nodes";
    return nodes > 1 && ranks > nodes && !cards ? "figures of network cards" : NULL;
}

const char *reseat_timings_lack_on(const struct reseat_timings *timings,
                                   const struct tmap_tree *tree)
{
    char kind[TMAP_NAME_SIZE];
    int level = 0, depth = tmap_tree_depth(tree);
    for (; level < depth; level++) {
        reseat_timings_kind(tree, level, kind);
        if (!reseat_timings_is_network(kind))
            break;
    }
    return reseat_timings_lack(timings, tmap_tree_objects(tree, level), tmap_tree_capacity(tree));
}

int reseat_timings_borrow_on(const struct reseat_timings *timings, const struct tmap_tree *tree)
{
    const struct timings_level *of[TMAP_MAX_LEVELS] = {NULL};
    int is_own[TMAP_MAX_LEVELS], borrows = -1;
    char kind[TMAP_NAME_SIZE];
    for (int level = 0; level < tmap_tree_depth(tree); level++) {
        if (tmap_tree_objects(tree, level + 1) == tmap_tree_objects(tree, level))
            continue;
        reseat_timings_kind(tree, level, kind);
        of[level] = reseat_timings_level(timings, kind);
        is_own[level] = strcmp(of[level]->kind, kind) == 0;
        for (int above = 0; above < level && borrows < 0; above++)
            if (of[above] == of[level] && !(is_own[above] && is_own[level]))
                borrows = is_own[above] ? level : above;
    }
    return borrows;
}

double reseat_timings_seconds(const struct timings_level *level, double bytes)
{
    size_t low = 0, high = level->points - 2; /* where a pair of points begins */
    if (bytes <= (double)level->point[0].bytes)
        return level->point[0].seconds;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (bytes > (double)level->point[middle + 1].bytes)
            low = middle + 1;
        else
            high = middle;
    }
    const struct timings_point *a = &level->point[low];
    double part = (bytes - (double)a->bytes) / (double)(a[1].bytes - a->bytes);
    if (part <= 1) /* not below 0, however the two are rounded */
        return (1 - part) * a->seconds + part * a[1].seconds;
    if (a[1].seconds <= a->seconds) /* two figures that are mere noise */
        return a[1].seconds * bytes / (double)a[1].bytes;
    return a->seconds + part * (a[1].seconds - a->seconds);
}

double reseat_timings_sum(const struct timings_level *level, uint64_t messages, uint64_t bytes)
{
    double count = messages ? (double)messages : bytes ? 1 : 0;
    return count > 0 ? count * reseat_timings_seconds(level, (double)bytes / count) : 0;
}

struct timings_line reseat_timings_line(const struct timings_level *level)
{
    /* sums of 1, n and n^2 over t^2, and of 1 and n over t */
    double one = 0, n1 = 0, n2 = 0, t1 = 0, tn = 0;
    struct timings_line line = {0, 0};
    for (size_t i = 0; i < level->points; i++) {
        double n = (double)level->point[i].bytes, t = level->point[i].seconds;
        one += 1 / t / t;
        n1 += n / t / t;
        n2 += n / t * (n / t);
        t1 += 1 / t;
        tn += n / t;
    }
    double divisor = one * n2 - n1 * n1;
    if (divisor > 0) {
        line.latency = (t1 * n2 - tn * n1) / divisor;
        line.seconds_per_byte = (one * tn - n1 * t1) / divisor;
    }
    if (!(divisor > 0) || line.seconds_per_byte <= 0)
        return (struct timings_line){t1 / one, 0};
    if (line.latency < 0)
        return (struct timings_line){0, tn / n2};
    return line;
}

const char *reseat_timings_scope_name(enum timings_scope scope)
{
    static const char *const names[] = {"pair", "node", "all"};
    return names[scope];
}

struct timings_effort reseat_timings_effort(const struct timings_level *level,
                                            enum timings_scope scope)
{
    const struct timings_exchange *one = NULL, *many = NULL, *large = NULL;
    struct timings_effort effort = {0, 0, 0, 0};
    for (size_t i = 0; i < level->exchanges; i++) {
        const struct timings_exchange *each = &level->exchange[i];
        if (each->scope != scope)
            continue;
        one = one ? one : each;
        if (each->bytes == one->bytes)
            many = each;
        large = each;
    }
    if (!one)
        return effort;
    effort.ranks = one->ranks;
    effort.message = one->seconds / one->messages;
    if (many->messages > one->messages) {
        double more = (many->seconds - one->seconds) / (many->messages - one->messages);
        effort.message = more < 0 ? 0 : more < effort.message ? more : effort.message;
    }
    effort.wait = one->seconds - one->messages * effort.message;
    if (effort.wait < 0) /* by rounding */
        effort.wait = 0;
    double rest = (large->seconds - effort.wait) / large->messages - effort.message;
    if (large->bytes > one->bytes && rest > 0)
        effort.byte = rest / (double)(large->bytes - one->bytes);
    return effort;
}

/* Returns the resource whose figures stand for those of `resource`; -1: there are none. */
static int timings_substitute(const struct reseat_timings *timings, enum timings_resource resource)
{
    int first = resource < TIMINGS_NEAR_OUT ? TIMINGS_CARD_OUT : TIMINGS_NEAR_OUT;
    if (timings->rates[resource])
        return (int)resource;
    for (int i = 0; resource != TIMINGS_MEMORY && i < TIMINGS_MEMORY; i++)
        if (timings->rates[(first + i) % TIMINGS_MEMORY])
            return (first + i) % TIMINGS_MEMORY;
    return -1;
}

double reseat_timings_rate(const struct reseat_timings *timings, enum timings_resource resource,
                           double users)
{
    int which = timings_substitute(timings, resource);
    if (which < 0) {
        const struct timings_level *level =
            reseat_timings_level(timings, resource == TIMINGS_MEMORY ? "package" : "machine");
        const struct timings_point *last = &level->point[level->points - 1];
        return (double)last->bytes / last->seconds;
    }
    const struct timings_rate *a = timings->rate[which], *end = a + timings->rates[which];
    if (users <= a->users || a + 1 == end)
        return a->bytes_per_second;
    while (a + 2 < end && users > a[1].users)
        a++;
    if (users >= a[1].users)
        return a[1].bytes_per_second;
    return a->bytes_per_second + (users - a->users) / (a[1].users - a->users) *
                                     (a[1].bytes_per_second - a->bytes_per_second);
}
