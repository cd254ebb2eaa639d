/* SPDX-License-Identifier: BSD-3-Clause */
/* compare-rows.c - see compare.h. */
#include <math.h>

#include "base/array.h"
#include "cmd/compare/compare.h"
#include "cmd/shell/progress.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/shell/machine-load.h"
#include "profile/profile.h"

/* ---- which cases there are ---- */

static int compare_is_possible(const struct compare_request *r, size_t pattern, size_t machine)
{
    return compare_ranks(&r->pattern[pattern], &r->machine[machine]) > 0;
}

/* One line for a pattern that cannot be mapped to a machine. */
static void compare_leave_out(const struct compare_pattern *pattern,
                              const struct compare_machine *machine)
{
    if (!machine->tree && names_switches(machine->topology))
        cli_fail(0, "%s on %s is left out: it names hosts, and the traffic comes without any",
                 pattern->name, machine->name);
    else
        cli_fail(0, "%s on %s is left out: %d ranks, but room for %lld", pattern->name,
                 machine->name, pattern->traffic ? (int)pattern->traffic->ranks : 0,
                 (long long)machine->room);
}

/* How many rows there will be; 0 after an error message: none. */
static size_t compare_count(const struct compare_request *r)
{
    size_t pairs = 0, left_out = 0;
    for (size_t p = 0; p < r->patterns.count; p++)
        for (size_t m = 0; m < r->machines; m++) {
            int is_possible = compare_is_possible(r, p, m);
            pairs += is_possible != 0;
            left_out += !is_possible;
            if (!is_possible)
                compare_leave_out(&r->pattern[p], &r->machine[m]);
        }
    if (pairs == 0)
        cli_fail(0, "no pattern fits on %s", left_out > 1 ? "any machine" : "the machine");
    return pairs * r->metrics.count * r->efforts.count * r->methods.count;
}

/* That a pattern which is as large as each machine can be made for the largest one, before any row
 * takes its time. 0, or an exit status after an error message. */
static int compare_try_pattern(const struct compare_request *r, size_t pattern)
{
    const struct compare_pattern *p = &r->pattern[pattern];
    struct reseat_profile *traffic = NULL;
    struct reseat_error error;
    int32_t most = 0;
    for (size_t m = 0; !p->traffic && m < r->machines; m++) {
        int32_t ranks = compare_ranks(p, &r->machine[m]);
        most = ranks > most ? ranks : most;
    }
    int rc = most ? load_pattern(&traffic, p->name, &p->generator, most, r->seed, &error) : 0;
    reseat_profile_destroy(traffic);
    return cli_status(rc, &error);
}

/* ---- all of them ---- */

/* Keep and print a row. 0, or an exit status after an error message. */
static int compare_add_row(const struct compare_request *r, struct compare_rows *rows,
                           const struct compare_row *row)
{
    if (array_add(&rows->row, &rows->count, row, sizeof *row))
        return cli_no_memory();
    return compare_print_row(r, rows);
}

/* All efforts and methods of a case that is open. Returns as above. */
static int compare_run_case(struct compare_case *c, struct compare_rows *rows,
                            struct compare_row *row)
{
    const struct compare_request *r = c->request;
    struct reseat_error why;
    int status = 0;
    for (row->effort = 0; !status && row->effort < r->efforts.count; row->effort++)
        for (row->method = 0; !status && row->method < r->methods.count; row->method++) {
            progress_say("%zu of %zu rows", rows->count, rows->expected);
            if (compare_map(c, row, &why))
                cli_fail(0, "%s on %s by %s: %s", r->pattern[row->pattern].name,
                         r->machine[row->machine].name, r->method[row->method].name, why.text);
            status = compare_add_row(r, rows, row);
        }
    return status;
}

/* All metrics of a pattern on a machine. Returns as above. */
static int compare_run_pair(const struct compare_request *r, struct compare_rows *rows,
                            struct compare_row *row)
{
    int status = 0;
    row->ranks = compare_ranks(&r->pattern[row->pattern], &r->machine[row->machine]);
    for (row->metric = 0; !status && row->metric < r->metrics.count; row->metric++) {
        struct compare_case c;
        status = compare_open_case(&c, r, row);
        if (!status)
            status = compare_run_case(&c, rows, row);
        compare_close_case(&c);
    }
    return status;
}

/* Whether any mapping has been found. */
static int compare_has_costs(const struct compare_rows *rows)
{
    size_t i = 0;
    while (i < rows->count && isnan(rows->row[i].cost))
        i++;
    return i < rows->count;
}

int compare_all(const struct compare_request *r, struct compare_rows *rows)
{
    struct compare_row row = {.pattern = 0};
    rows->expected = compare_count(r);
    if (!rows->expected)
        return EXIT_TROUBLE;
    int status = 0;
    for (size_t p = 0; !status && p < r->patterns.count; p++)
        status = compare_try_pattern(r, p);
    if (!status)
        status = compare_begin_table(r, rows);
    for (row.pattern = 0; !status && row.pattern < r->patterns.count; row.pattern++)
        for (row.machine = 0; !status && row.machine < r->machines; row.machine++)
            if (compare_is_possible(r, row.pattern, row.machine))
                status = compare_run_pair(r, rows, &row);
    progress_end();
    return !status && !compare_has_costs(rows) ? EXIT_TROUBLE : status;
}
