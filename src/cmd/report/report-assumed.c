/* SPDX-License-Identifier: BSD-3-Clause */
/* report-assumed.c - see report-assumed.h. */
#include "cmd/report/report-assumed.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/shell/amount.h"
#include "profile/profile.h"

static const double MEGABIT = 1e6 / 8; /* bytes */

/* The rate of the slowest card; 0: the profile has none, or one that does not tell. */
static uint32_t assumed_slowest(const struct reseat_profile *profile)
{
    uint32_t slowest = UINT32_MAX;
    for (size_t i = 0; i < profile->headers_count; i++) {
        struct card card;
        if (strcmp(profile->headers[i].key, RESEAT_CARD_HEADER) != 0)
            continue;
        if (card_parse(&card, profile->headers[i].value) || !card.megabits)
            return 0;
        slowest = card.megabits < slowest ? card.megabits : slowest;
    }
    return slowest == UINT32_MAX ? 0 : slowest;
}

/* The most bytes that a card sends, or gets; `bytes` is room for two numbers a node. */
static double assumed_busiest(const struct reseat_entry *entries, size_t count,
                              const struct tmap_tree *tree, const int32_t *slot_of, double *bytes)
{
    int level = tmap_layout_find_level(tree, "n");
    int32_t nodes = tmap_tree_objects(tree, level);
    double most = 0;
    memset(bytes, 0, 2 * (size_t)nodes * sizeof *bytes);
    for (size_t i = 0; i < count; i++) {
        int32_t from = tmap_tree_ancestor(tree, slot_of[entries[i].source], level);
        int32_t to = tmap_tree_ancestor(tree, slot_of[entries[i].target], level);
        if (from == to)
            continue;
        bytes[2 * from] += (double)entries[i].bytes;
        bytes[2 * to + 1] += (double)entries[i].bytes;
    }
    for (int32_t i = 0; i < 2 * nodes; i++)
        most = bytes[i] > most ? bytes[i] : most;
    return most;
}

int report_assumed_find(struct report_assumed *assumed, const char *network,
                        const struct reseat_profile *profile, const struct tmap_tree *tree,
                        const int32_t *const slot_of[2], struct reseat_error *error)
{
    struct reseat_entry *entries = NULL;
    size_t count = 0;
    int level = tmap_layout_find_level(tree, "n");
    uint32_t megabits = network ? card_rate_of(network) : assumed_slowest(profile);
    *assumed = (struct report_assumed){.network = network};
    if (!megabits || level <= 0)
        return 0;
    if (reseat_profile_pairs(profile, 0, 1, &entries, &count, error))
        return -1;
    double *bytes = malloc(2 * ((size_t)tmap_tree_objects(tree, level) + 1) * sizeof *bytes);
    for (int i = 0; bytes && i < 2; i++)
        assumed->seconds[i] =
            assumed_busiest(entries, count, tree, slot_of[i], bytes) / ((double)megabits * MEGABIT);
    assumed->megabits = assumed->seconds[0] > 0 || assumed->seconds[1] > 0 ? megabits : 0;
    int rc = bytes ? 0 : reseat_fail(error, "the nodes: out of memory");
    free(bytes);
    free(entries);
    return rc;
}

static void assumed_write_change(FILE *file, const struct report_assumed *assumed, double factor)
{
    char before[32], after[32];
    const double *s = assumed->seconds;
    if (s[0] != s[1])
        fprintf(file, "%s -> ", amount_seconds(factor * s[0], before));
    fprintf(file, "%s", amount_seconds(factor * s[1], after));
}

/* "the busiest network card needs at least 2 s -> 1 s at 100 Gbit/s (--network 100g), ..." */
static void report_assumed_write(FILE *file, const void *context)
{
    const struct report_assumed *assumed = context;
    if (!assumed->megabits)
        return;
    fprintf(file, "the busiest network card needs at least ");
    assumed_write_change(file, assumed, 1);
    fprintf(file, " at %g Gbit/s (", (double)assumed->megabits / 1000);
    if (assumed->network)
        fprintf(file, "--network %s", assumed->network);
    else
        fprintf(file, "the nodes where it was recorded; --network names another");
    fprintf(file, "), at half of that ");
    assumed_write_change(file, assumed, 2);
    fprintf(file, "; without latencies\n");
}

void report_assumed_add(struct document *d, const struct report_assumed *assumed)
{
    const double *s = assumed->seconds;
    document_written(d, "@assumed", report_assumed_write, assumed);
    if (!assumed->megabits) {
        document_text(d, "assumed_seconds", NULL);
        return;
    }
    document_open(d, "assumed_seconds", '{');
    document_text(d, "named_network", assumed->network);
    document_number(d, "bytes_per_second", (double)assumed->megabits * MEGABIT);
    document_numbers(d, "card", 2, (double[]){s[0], s[1]});
    document_numbers(d, "card_at_half_rate", 2, (double[]){2 * s[0], 2 * s[1]});
    document_close(d);
}
