/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange-write.c - the writers. */
#include <inttypes.h>
#include <stdlib.h>

#include "exchange/exchange.h"
#include "treematch/tmap.h"

/* This many ranks make 2 GB of text; a mistyped number would exhaust memory. */
enum { DENSE_MOST_RANKS = 1 << 15 };

/* ---- directed forms ---- */

struct pairs {
    int32_t ranks;
    struct reseat_entry *list; /* ascending */
    size_t count;
    enum reseat_metric metric;
};

static void exchange_write_plain(const struct pairs *p, FILE *file)
{
    fprintf(file, "%" PRId32 "\n", p->ranks);
    for (size_t i = 0; i < p->count; i++)
        fprintf(file, "%" PRId32 " %" PRId32 " %" PRIu64 " %" PRIu64 "\n", p->list[i].source,
                p->list[i].target, p->list[i].msgs, p->list[i].bytes);
}

static void exchange_write_csv(const struct pairs *p, FILE *file)
{
    fprintf(file, "source,target,msgs,bytes,avg\n");
    for (size_t i = 0; i < p->count; i++)
        fprintf(file, "%" PRId32 ",%" PRId32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
                p->list[i].source, p->list[i].target, p->list[i].msgs, p->list[i].bytes,
                reseat_entry_weight(&p->list[i], RESEAT_METRIC_AVG));
}

static void exchange_write_market(const struct pairs *p, FILE *file)
{
    size_t entries = 0;
    for (size_t i = 0; i < p->count; i++)
        entries += reseat_entry_weight(&p->list[i], p->metric) > 0;
    fprintf(file,
            "%%%%MatrixMarket matrix coordinate integer general\n%" PRId32 " %" PRId32 " %zu\n",
            p->ranks, p->ranks, entries);
    for (size_t i = 0; i < p->count; i++) {
        uint64_t value = reseat_entry_weight(&p->list[i], p->metric);
        if (value)
            fprintf(file, "%" PRId32 " %" PRId32 " %" PRIu64 "\n", p->list[i].source + 1,
                    p->list[i].target + 1, value);
    }
}

static void exchange_write_dense(const struct pairs *p, FILE *file)
{
    size_t at = 0;
    for (int32_t i = 0; i < p->ranks; i++)
        for (int32_t j = 0; j < p->ranks; j++) {
            uint64_t value = 0;
            if (at < p->count && p->list[at].source == i && p->list[at].target == j)
                value = reseat_entry_weight(&p->list[at++], p->metric);
            fprintf(file, "%" PRIu64 "%c", value, j + 1 < p->ranks ? ' ' : '\n');
        }
}

/* ---- graphs ---- */

static void exchange_write_scotch(const struct tmap_matrix *matrix, FILE *file)
{
    int32_t n = tmap_matrix_roles(matrix);
    fprintf(file, "0\n%" PRId32 " %zu\n0 010\n", n, 2 * tmap_matrix_pairs(matrix));
    for (int32_t v = 0; v < n; v++) {
        int32_t partner;
        uint64_t weight;
        fprintf(file, "%zu", tmap_matrix_partners(matrix, v));
        for (size_t at = 0; tmap_matrix_next(matrix, v, &at, &partner, &weight);)
            fprintf(file, "\t%" PRIu64 " %" PRId32, weight, partner);
        fputc('\n', file);
    }
}

static void exchange_write_metis(const struct tmap_matrix *matrix, FILE *file)
{
    int32_t n = tmap_matrix_roles(matrix);
    fprintf(file, "%" PRId32 " %zu 001\n", n, tmap_matrix_pairs(matrix));
    for (int32_t v = 0; v < n; v++) {
        const char *space = "";
        int32_t partner;
        uint64_t weight;
        for (size_t at = 0; tmap_matrix_next(matrix, v, &at, &partner, &weight); space = " ")
            fprintf(file, "%s%" PRId32 " %" PRIu64, space, partner + 1, weight);
        fputc('\n', file);
    }
}

static int exchange_write_graph(const struct reseat_profile *profile, enum reseat_format format,
                                enum reseat_metric metric, FILE *file, struct reseat_error *error)
{
    struct tmap_entry *entries;
    struct tmap_matrix *matrix = NULL;
    struct tmap_error why;
    size_t count;
    if (reseat_profile_weights(profile, 0, 1, metric, &entries, &count, error))
        return -1;
    int rc = tmap_matrix_create(&matrix, profile->ranks, entries, count, &why) == TMAP_OK
                 ? 0
                 : reseat_fail(error, "%s", why.text);
    if (rc == 0 && format == RESEAT_FORMAT_SCOTCH)
        exchange_write_scotch(matrix, file);
    else if (rc == 0)
        exchange_write_metis(matrix, file);
    free(entries);
    tmap_matrix_destroy(matrix);
    return rc;
}

int reseat_exchange_write(const struct reseat_profile *profile, enum reseat_format format,
                          enum reseat_metric metric, FILE *file, struct reseat_error *error)
{
    struct pairs p = {.ranks = profile->ranks, .metric = metric};
    if (format == RESEAT_FORMAT_SCOTCH || format == RESEAT_FORMAT_METIS)
        return exchange_write_graph(profile, format, metric, file, error);
    if (format == RESEAT_FORMAT_DENSE && p.ranks > DENSE_MOST_RANKS)
        return reseat_fail(error, "%" PRId32 " ranks: mat, with a number for each pair, takes %d",
                           p.ranks, DENSE_MOST_RANKS);
    if (reseat_profile_pairs(profile, 0, 1, &p.list, &p.count, error))
        return -1;
    if (format == RESEAT_FORMAT_CSV)
        exchange_write_csv(&p, file);
    else if (format == RESEAT_FORMAT_MARKET)
        exchange_write_market(&p, file);
    else if (format == RESEAT_FORMAT_DENSE)
        exchange_write_dense(&p, file);
    else
        exchange_write_plain(&p, file);
    free(p.list);
    return 0;
}
