/* SPDX-License-Identifier: BSD-3-Clause */
/* report-heat.c - see report-heat.h: counting the cells. */
#include "cmd/report/report-heat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascending.h"
#include "cmd/shell/amount.h"

/* Colors tell apart what is so many times less than the most. */
static const double HEAT_RANGE = 1e6, HEAT_DIFFERENCE_RANGE = 1e4;

/* A scale has at least this range: what differs by less looks alike. */
static const double HEAT_LEAST_RANGE = 2;

/* All cells of a map while they are counted. */
struct heat_table {
    double *bytes, *msgs;
    int32_t *used; /* the cells that are not empty */
    size_t count;
};

/* Which traffic counts; -1: all. */
struct heat_choice {
    int kind, phase, group;
};

/* ---- positions ---- */

/* The roles from left to right by their slots. 0, or -1: out of memory. */
static int heat_place(struct heat *h, int order)
{
    const int32_t *slot_of = h->source[order].slot_of;
    int32_t slots = tmap_tree_slots(h->tree);
    int32_t *next = calloc((size_t)slots + 2, sizeof *next);
    h->role_at[order] = malloc(((size_t)h->ranks + 1) * sizeof *h->role_at[order]);
    h->position_of[order] = malloc(((size_t)h->ranks + 1) * sizeof *h->position_of[order]);
    if (!next || !h->role_at[order] || !h->position_of[order]) {
        free(next);
        return -1;
    }
    for (int32_t role = 0; role < h->ranks; role++)
        next[slot_of[role] + 1]++;
    for (int32_t slot = 0; slot < slots; slot++)
        next[slot + 1] += next[slot];
    for (int32_t role = 0; role < h->ranks; role++) {
        int32_t position = next[slot_of[role]]++;
        h->position_of[order][role] = position;
        h->role_at[order][position] = role;
    }
    free(next);
    return 0;
}

/* ---- cells ---- */

static int heat_group_of(const struct reseat_profile *profile, size_t domain)
{
    return profile->domains_count > HEAT_GROUPS && domain >= HEAT_GROUPS - 1 ? HEAT_GROUPS - 1
                                                                             : (int)domain;
}

static void heat_add(struct heat_table *table, int32_t at, const struct reseat_entry *entry)
{
    if (table->msgs[at] == 0)
        table->used[table->count++] = at;
    table->bytes[at] += (double)entry->bytes;
    table->msgs[at] += (double)entry->msgs;
}

/* Count the traffic of a choice in a map, or up to more than `most` cells of it. */
static void heat_count(struct heat_table *table, const struct heat *h,
                       const struct heat_choice *choice, int order, size_t most)
{
    const struct reseat_profile *profile = h->source[order].profile;
    const int32_t *position_of = h->position_of[order];
    for (size_t d = 0; d < profile->domains_count; d++)
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++) {
            const struct reseat_entry *entry = profile->domains[d].entries[kind];
            size_t count = profile->domains[d].count[kind];
            if ((choice->kind >= 0 && choice->kind != kind) ||
                (choice->group >= 0 && choice->group != heat_group_of(profile, d)))
                continue;
            for (size_t i = 0; i < count && table->count <= most; i++) {
                if (choice->phase >= 0 && entry[i].phase != choice->phase)
                    continue;
                int32_t from = reseat_profile_role_in(profile, (int)d, 0, entry[i].source);
                int32_t to = reseat_profile_role_in(profile, (int)d, 0, entry[i].target);
                if (from < 0 || to < 0 || from == to)
                    continue;
                heat_add(table, position_of[from] / h->bin * h->side + position_of[to] / h->bin,
                         &entry[i]);
            }
        }
}

/* Empty the table; what was in it goes to `cells` (NULL: nowhere). 0, or -1: out of memory. */
static int heat_take(struct heat_table *table, struct heat_cells *cells)
{
    size_t count = table->count;
    struct heat_cell *cell = cells ? malloc((count + 1) * sizeof *cell) : NULL;
    if (cell)
        qsort(table->used, count, sizeof *table->used, ascending_int32);
    for (size_t i = 0; i < count; i++) {
        int32_t at = table->used[i];
        if (cell)
            cell[i] = (struct heat_cell){at, table->bytes[at], table->msgs[at]};
        table->bytes[at] = table->msgs[at] = 0;
    }
    table->count = 0;
    if (cells)
        *cells = (struct heat_cells){cell, cell ? count : 0};
    return cells && !cell ? -1 : 0;
}

/* ---- how large the bins are ---- */

/* Whether all maps have few enough cells with these bins. */
static int heat_fits(struct heat_table *table, const struct heat *h)
{
    const struct heat_choice all = {-1, -1, -1};
    const size_t most = HEAT_MOST_CELLS / (size_t)h->share;
    int fits = 1;
    for (int order = 0; order < h->maps && fits; order++) {
        heat_count(table, h, &all, order, most);
        fits = table->count <= most;
        heat_take(table, NULL);
    }
    return fits;
}

static void heat_set_bin(struct heat *h, int32_t bin)
{
    h->bin = bin;
    h->side = (h->ranks + bin - 1) / bin;
}

static void heat_choose_bin(struct heat_table *table, struct heat *h)
{
    int32_t bin = 1;
    while ((h->ranks + bin - 1) / bin > HEAT_MOST_SIDE)
        bin *= 2;
    heat_set_bin(h, bin);
    while (h->side > 1 && !heat_fits(table, h))
        heat_set_bin(h, 2 * h->bin);
}

/* ---- layers ---- */

/* Note in `has` which layers a profile has, as far as `detail' goes. */
static void heat_note_layers(char *has, const struct reseat_profile *profile, int detail)
{
    for (size_t d = 0; d < profile->domains_count; d++)
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
            for (size_t i = 0; i < profile->domains[d].count[kind]; i++) {
                size_t group = detail > 1 ? (size_t)heat_group_of(profile, d) : 0;
                size_t phase = detail > 2 ? (size_t)profile->domains[d].entries[kind][i].phase : 0;
                size_t of_kind = detail > 0 ? (size_t)kind : 0;
                has[(of_kind * RESEAT_PHASES + phase) * HEAT_GROUPS + group] = 1;
            }
}

/* Which layers there are, by kind, phase and group, as far as `detail' goes: 3: all of these, 2:
 * without phases, 1: only kinds, 0: none. 0, or -1: out of memory. */
static int heat_list_layers(struct heat *h, int detail)
{
    static const size_t all = (size_t)RESEAT_TRAFFIC_KINDS * RESEAT_PHASES * HEAT_GROUPS;
    char *has = calloc(all, 1);
    h->layers = 0;
    free(h->layer);
    h->layer = calloc(all, sizeof *h->layer);
    for (int map = 0; has && map < h->maps; map++)
        if (map == 0 || h->source[map].profile != h->source[0].profile)
            heat_note_layers(has, h->source[map].profile, detail);
    for (size_t i = 0; has && h->layer && i < all; i++)
        if (has[i])
            h->layer[h->layers++] = (struct heat_layer){
                .kind = detail > 0 ? (int)(i / HEAT_GROUPS / RESEAT_PHASES) : -1,
                .phase = detail > 2 ? (int)(i / HEAT_GROUPS % RESEAT_PHASES) : -1,
                .group = detail > 1 ? (int)(i % HEAT_GROUPS) : -1};
    int rc = has && h->layer ? 0 : -1;
    free(has);
    return rc;
}

static void heat_drop_layers(struct heat *h)
{
    for (size_t i = 0; i < h->layers; i++)
        for (int map = 0; map < h->maps; map++)
            free(h->layer[i].cells[map].cell);
    h->layers = 0;
}

/* Count the layers. 1; 0: they have too many cells, and are dropped; -1: out of memory. */
static int heat_count_layers(struct heat_table *table, struct heat *h)
{
    size_t cells = 0;
    for (size_t i = 0; i < h->layers; i++)
        for (int order = 0; order < h->maps; order++) {
            struct heat_layer *layer = &h->layer[i];
            const struct heat_choice choice = {layer->kind, layer->phase, layer->group};
            heat_count(table, h, &choice, order, SIZE_MAX);
            if (heat_take(table, &layer->cells[order]))
                return -1;
            cells += order == 0 ? layer->cells[0].count : 0;
            if (cells > HEAT_MOST_PARTS / (size_t)h->share) {
                heat_drop_layers(h);
                return 0;
            }
        }
    return 1;
}

/* As many layers as there is room for. 0, or -1: out of memory. */
static int heat_find_layers(struct heat_table *table, struct heat *h)
{
    int found = 0, detail = 3;
    for (int map = 1; map < h->maps; map++) /* communicators of two runs have no common numbers */
        detail = h->source[map].profile != h->source[0].profile ? 1 : detail;
    for (; detail >= 0 && found == 0; detail--) {
        if (heat_list_layers(h, detail))
            return -1;
        found = heat_count_layers(table, h);
    }
    return found < 0 ? -1 : 0;
}

/* ---- all ---- */

static void heat_find_range(struct heat *h)
{
    h->least = INFINITY;
    for (int order = 0; order < h->maps; order++)
        for (size_t i = 0; i < h->all[order].count; i++) {
            double bytes = h->all[order].cell[i].bytes;
            h->most = bytes > h->most ? bytes : h->most;
            h->least = bytes > 0 && bytes < h->least ? bytes : h->least;
        }
    if (h->least > h->most)
        h->least = h->most;
    if (h->least < h->most)
        h->least = fmax(fmin(h->least, h->most / HEAT_LEAST_RANGE), h->most / HEAT_RANGE);
}

static double heat_limit(const struct heat *h, int color)
{
    return h->least > 0 ? h->least * pow(h->most / h->least, (double)color / HEAT_COLORS) : 0;
}

const char *heat_print_limit(const struct heat *h, int color, char text[32])
{
    char before[32];
    amount(heat_limit(h, color), "B", text);
    if (color > 0 && h->least < h->most &&
        strcmp(text, amount(heat_limit(h, color - 1), "B", before)) == 0)
        text[0] = '\0';
    return text;
}

static int heat_open_table(struct heat_table *table, int32_t side)
{
    size_t cells = (size_t)side * (size_t)side + 1;
    table->bytes = calloc(cells, sizeof *table->bytes);
    table->msgs = calloc(cells, sizeof *table->msgs);
    table->used = malloc(cells * sizeof *table->used);
    return table->bytes && table->msgs && table->used ? 0 : -1;
}

static void heat_close_table(struct heat_table *table)
{
    free(table->bytes);
    free(table->msgs);
    free(table->used);
}

/* Who is where in each map. 0, or -1: out of memory. */
static int heat_place_all(struct heat *h, const struct heat_request *request)
{
    int rc = 0;
    h->tree = request->tree;
    h->maps = request->maps;
    memcpy(h->source, request->source, sizeof h->source);
    h->share = h->maps + request->reserve > 2 ? h->maps + request->reserve : 2;
    h->ranks = h->source[0].profile->ranks;
    for (int order = 0; order < h->maps && rc == 0; order++)
        rc = heat_place(h, order);
    return rc;
}

/* The whole maps. 0, or -1: out of memory. */
static int heat_count_all(struct heat_table *table, struct heat *h)
{
    const struct heat_choice all = {-1, -1, -1};
    int rc = 0;
    for (int order = 0; order < h->maps && rc == 0; order++) {
        heat_count(table, h, &all, order, SIZE_MAX);
        rc = heat_take(table, &h->all[order]);
    }
    heat_find_range(h);
    return rc;
}

static int heat_no_memory(struct reseat_error *error)
{
    return reseat_fail(error, "the map of the traffic: out of memory");
}

int heat_open(struct heat *h, const struct heat_request *request, struct reseat_error *error)
{
    struct heat_table table = {.count = 0};
    int32_t ranks = request->source[0].profile->ranks;
    int rc = heat_open_table(&table, ranks < HEAT_MOST_SIDE ? ranks : HEAT_MOST_SIDE) ||
             heat_place_all(h, request);
    if (rc == 0)
        heat_choose_bin(&table, h);
    if (rc == 0)
        rc = heat_count_all(&table, h) || heat_find_layers(&table, h);
    heat_close_table(&table);
    return rc ? heat_no_memory(error) : 0;
}

int heat_open_small(struct heat *h, const struct heat_request *request, int32_t bin,
                    struct reseat_error *error)
{
    struct heat_table table = {.count = 0};
    int rc = heat_place_all(h, request);
    if (rc == 0) {
        heat_set_bin(h, bin);
        rc = heat_open_table(&table, h->side) || heat_count_all(&table, h);
    }
    heat_close_table(&table);
    return rc ? heat_no_memory(error) : 0;
}

int heat_find_kind(const struct heat *h, int kind, int map, struct heat_cells *cells,
                   struct reseat_error *error)
{
    const struct heat_choice choice = {kind, -1, -1};
    struct heat_table table = {.count = 0};
    int rc = heat_open_table(&table, h->side);
    if (rc == 0) {
        heat_count(&table, h, &choice, map, SIZE_MAX);
        rc = heat_take(&table, cells);
    }
    heat_close_table(&table);
    return rc ? heat_no_memory(error) : 0;
}

/* ---- difference ---- */

/* The next cell that is in either map, as what map 1 has more. */
static struct heat_cell heat_next_difference(const struct heat *h, size_t at[2])
{
    const struct heat_cell *cell[2] = {NULL, NULL};
    struct heat_cell difference = {.at = INT32_MAX};
    for (int i = 0; i < 2; i++)
        if (at[i] < h->all[i].count) {
            cell[i] = &h->all[i].cell[at[i]];
            difference.at = cell[i]->at < difference.at ? cell[i]->at : difference.at;
        }
    for (int i = 0; i < 2; i++)
        if (cell[i] && cell[i]->at == difference.at) {
            difference.bytes += i ? cell[i]->bytes : -cell[i]->bytes;
            difference.msgs += i ? cell[i]->msgs : -cell[i]->msgs;
            at[i]++;
        }
    return difference;
}

int heat_difference_open(struct heat_difference *d, const struct heat *h,
                         struct reseat_error *error)
{
    size_t at[2] = {0, 0}, most = h->all[0].count + h->all[1].count;
    d->cells = (struct heat_cells){malloc((most + 1) * sizeof *d->cells.cell), 0};
    d->least = INFINITY;
    d->most = 0;
    if (!d->cells.cell)
        return heat_no_memory(error);
    while (at[0] < h->all[0].count || at[1] < h->all[1].count) {
        const struct heat_cell cell = heat_next_difference(h, at);
        if (cell.bytes == 0)
            continue;
        d->most = fmax(d->most, fabs(cell.bytes));
        d->least = fmin(d->least, fabs(cell.bytes));
        d->cells.cell[d->cells.count++] = cell;
    }
    d->least = fmin(fmax(d->least, d->most / HEAT_DIFFERENCE_RANGE), d->most / HEAT_LEAST_RANGE);
    return 0;
}

int heat_difference_color(const struct heat_difference *d, double bytes)
{
    double size = fabs(bytes);
    int step = HEAT_STEPS - 1;
    if (d->most > d->least && size <= d->least)
        step = 0;
    else if (d->most > d->least)
        step = (int)(HEAT_STEPS * log(size / d->least) / log(d->most / d->least));
    step = step < HEAT_STEPS ? step : HEAT_STEPS - 1;
    return bytes < 0 ? HEAT_STEPS - 1 - step : HEAT_STEPS + step;
}

struct heat_request heat_of_report(const struct report *r)
{
    struct heat_request request = {.tree = r->by_metric.tree, .maps = r->is_gain ? 2 : 1};
    for (int map = 0; map < request.maps; map++)
        request.source[map] = (struct heat_source){r->profile, report_slot_of(r, map),
                                                   map ? "better order" : "launch order"};
    return request;
}

void heat_close(struct heat *h)
{
    heat_drop_layers(h);
    free(h->layer);
    for (int map = 0; map < h->maps; map++) {
        free(h->role_at[map]);
        free(h->position_of[map]);
        free(h->all[map].cell);
    }
}
