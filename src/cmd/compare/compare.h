/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compare.h - `reseat compare`: mapping methods and layouts side by side, on all combinations of
 * patterns, machines, metrics and efforts.
 *
 *   compare.c             the command line
 *   compare-lists.c       what the words of its lists mean, and whether all of them can be used
 *   compare-case.c        one combination: a pattern on a machine by a metric; maps and evaluates
 *   compare-rows.c        all combinations in turn
 *   compare-table.c       their rows as they come, and what an interrupt leaves
 *   compare-summary.c     the costs of each pair of methods, over all cases
 *   compare-pictures.c    the rows as charts
 *   compare-forms.h       page and JSON, and what both say of the rows
 *   compare-runs.c        in the place of compare-rows.c: the orders of a job, which are run
 *
 * A *case* is a pattern on a machine by a metric with an effort; each method has a row for it. Rows
 * are in the order of pattern, machine, metric, effort, method, so those of a case follow each
 * other.
 */
#ifndef RESEAT_COMPARE_H
#define RESEAT_COMPARE_H

#include <stddef.h>
#include <stdint.h>

#include "cmd/map/map.h"
#include "cmd/map/method-list.h"
#include "generate/generate.h"

struct compare_pattern {
    const char *name;
    struct reseat_profile
        *traffic; /* NULL: the generator has no size, it is as large as each machine */
    struct generate_pattern generator;
    int is_generated;
};

struct compare_machine {
    const char *name; /* as the user has named it */
    char *tree;       /* allocated, without its costs; NULL: `topology` is it */
    const char *topology, *costs;
    int64_t room; /* ranks; 0: not known before there is a pattern, whose seats it has */
};

struct compare_request {
    struct word_list patterns, methods, metrics, efforts; /* as given */
    struct compare_machine *machine;
    size_t machines;
    const char *costs, *timings, *summary;
    uint64_t seed;
    const char *svg, *png;   /* folders */
    const char *html, *json; /* files; "-": standard output */
    int tsv;
    int is_quiet; /* standard output has the page or JSON alone */
    char **job;   /* the words of a job, whose orders are run; NULL: there is none */
    const char *mpi;
    int replays; /* not the job itself, but a replay of the profile */
    int runs;    /* of each order */
    /* What they mean. */
    struct compare_pattern *pattern;
    struct listed_method *method;
    int *metric; /* enum reseat_metric, of each word */
    int *effort; /* enum tmap_effort */
};

/* Of a job's runs: the median, least and most, which the table has, and the quartiles. */
enum { COMPARE_MEASURES = 5, COMPARE_MEASURED_SHOWN = 3 };

/* Numbers that are not known are NaN. */
struct compare_row {
    size_t pattern, machine, metric, effort, method; /* indices in the lists */
    int32_t ranks;
    double cost;
    uint64_t hops;       /* weight x links; of no meaning where the cost is not known */
    double seconds;      /* of the messages, predicted by the timings */
    double busiest;      /* load of the busiest link */
    double map_seconds;  /* processor time of the method alone */
    double card_seconds; /* of the busiest network card, by the timings */
    double measured[COMPARE_MEASURES]; /* of a job: seconds of its runs */
};

struct compare_rows {
    struct compare_row *row;
    size_t count;
    size_t expected;    /* how many there will be: a multiple of the number of methods */
    int rounds;         /* of a job: how often all orders were run */
    int is_interrupted; /* before all rounds */
};

/* ---- compare-lists.c: all return 0, or an exit status after an error message ---- */

/* Add a machine to a struct compare_request by an option, --tree or --topology; the value NULL is
 * this machine. */
int compare_add_machine(void *request, const char *option, const char *value);

/* What can be files that it reads: patterns, topologies, costs, the words of the job; some are
 * NULL. Allocated, with room for `more` after these. NULL: out of memory. */
const char **compare_list_inputs(const struct compare_request *r, size_t more, size_t *count);

/* Fill what the lists mean, with what stands for a list that is empty, and check all of it. */
int compare_resolve(struct compare_request *r);
void compare_free_request(struct compare_request *r);

/* ---- compare-case.c ---- */

struct compare_case {
    const struct compare_request *request;
    struct map_request map;
    struct map_result found;
    struct reseat_profile *made; /* the traffic, if it is of this case alone */
    int32_t *slot_of;            /* what the method has found; NULL: nothing */
};

/* How many ranks a pattern has on a machine; 0: they do not fit there, so there is no such case. */
int32_t compare_ranks(const struct compare_pattern *pattern, const struct compare_machine *machine);

/* Load the traffic and the machine. 0, or an exit status after an error message; close it in any
 * case. */
int compare_open_case(struct compare_case *c, const struct compare_request *r,
                      const struct compare_row *row);

/* Only what is requested of it, for a caller that has the traffic and the machine. */
void compare_begin_case(struct compare_case *c, const struct compare_request *r,
                        const struct compare_pattern *pattern,
                        const struct compare_machine *machine, enum reseat_metric metric);
void compare_close_case(struct compare_case *c);

/* Whether the timings have what the machine of that name needs. 0, or an exit status after an error
 * message. */
int compare_check_timings(const struct compare_case *c, const char *machine);

/* Map by row->method, which leaves c->slot_of, and fill the numbers of the row. 0, or -1 with
 * *error: that method has no mapping for this case, and the numbers are not known. */
int compare_map(struct compare_case *c, struct compare_row *row, struct reseat_error *error);

/* ---- compare-rows.c ---- */

/* Compare everything and print the rows as they come. 0, or an exit status after an error
 * message. */
int compare_all(const struct compare_request *r, struct compare_rows *rows);

/* ---- compare-runs.c ---- */

/* Map the ranks of a job by all methods, run these orders in turn, and print the rows. Returns as
 * above. */
int compare_run_job(const struct compare_request *r, struct compare_rows *rows);

/* ---- compare-table.c ---- */

enum compare_column {
    COMPARE_PATTERN,
    COMPARE_MACHINE,
    COMPARE_METHOD,
    COMPARE_METRIC,
    COMPARE_EFFORT,
    COMPARE_RANKS,
    COMPARE_COST,
    COMPARE_HOPS,
    COMPARE_SECONDS,
    COMPARE_BUSIEST,
    COMPARE_MAP_SECONDS,
    COMPARE_MEASURED, /* only of a job, as the next two */
    COMPARE_LEAST,
    COMPARE_MOST,
    COMPARE_CARD,
    COMPARE_COLUMNS
};

enum { COMPARE_CELL_SIZE = 512 };

/* Whether a column is in the table for people: not if it is the same in all rows, or not known in
 * any. */
int compare_column_is_shown(const struct compare_request *r, enum compare_column column);
const char *compare_column_title(enum compare_column column);

/* A cell of that table. */
void compare_format_cell(char cell[COMPARE_CELL_SIZE], const struct compare_request *r,
                         const struct compare_row *row, enum compare_column column);

/* From now on an interrupt says how far it came, and leaves no row in part. Print the header. 0, or
 * an exit status after an error message. */
int compare_begin_table(const struct compare_request *r, const struct compare_rows *rows);

/* Print the last row. Returns as above. */
int compare_print_row(const struct compare_request *r, const struct compare_rows *rows);

/* ---- compare-pictures.c ---- */

struct picture;

/* A chart of the rows. */
struct compare_chart {
    const char *name;  /* of its file */
    const char *label; /* for those who cannot see it */
    int is_by_pattern; /* with something for each of them */
    int is_of_several; /* methods: of one there is nothing to draw */
    /* Likewise of one case, or where all have the same number of ranks. */
    enum { COMPARE_ALWAYS, COMPARE_BY_CASE, COMPARE_BY_RANKS } varies;
    /* Fill a picture that is empty. Returns as above. */
    int (*draw)(struct picture *picture, const struct compare_request *r,
                const struct compare_rows *rows);
};

/* Those that there are for the rows of a request, in order; NULL: no more. */
const struct compare_chart *compare_chart(const struct compare_request *r,
                                          const struct compare_rows *rows, int index);

/* The method that the others are measured by: the launch order, packed, or the last one. */
size_t compare_reference(const struct compare_request *r);

/* Whether pictures can be made, if any are requested; makes their folders. Returns as above. */
int compare_check_pictures(const struct compare_request *r);

/* Write those that are requested. Returns as above. */
int compare_draw(const struct compare_request *r, const struct compare_rows *rows);

#endif
