/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compare-table.c - see compare.h. Rows are written one by one, while signals wait, so that whoever
 * reads them gets whole ones only. The handler of a signal cannot format numbers, so the line that
 * it prints is made beforehand, with each row.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/shell/amount.h"
#include "cmd/compare/compare.h"
#include "cmd/shell/progress.h"
#include "text/printable.h"
#include "cmd/shell/complain.h"
#include "profile/profile.h"

/* ---- interrupts ---- */

static char compare_interrupted[128];
static const int compare_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { COMPARE_SIGNALS = sizeof compare_signals / sizeof *compare_signals };

/* Say how far it came, and die of the signal, which is blocked until we return. */
static void compare_end_early(int number)
{
    progress_interrupt();
    ssize_t written = write(STDERR_FILENO, compare_interrupted, strlen(compare_interrupted));
    (void)written;
    signal(number, SIG_DFL);
    raise(number);
}

/* Those that are ignored stay so. */
static void compare_catch_signals(void)
{
    struct sigaction before, action = {.sa_handler = compare_end_early};
    for (int i = 0; i < COMPARE_SIGNALS; i++)
        sigaddset(&action.sa_mask, compare_signals[i]);
    for (int i = 0; i < COMPARE_SIGNALS; i++)
        if (sigaction(compare_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(compare_signals[i], &action, NULL);
}

/* Write a line, which may be empty, at once, and count the row if it is one. 0, or an exit status
 * after an error message. */
static int compare_write(const char *line, const struct compare_rows *rows)
{
    sigset_t signals, before;
    if (isatty(STDOUT_FILENO))
        progress_clear();
    sigemptyset(&signals);
    for (int i = 0; i < COMPARE_SIGNALS; i++)
        sigaddset(&signals, compare_signals[i]);
    sigprocmask(SIG_BLOCK, &signals, &before);
    errno = 0;
    int rc = fputs(line, stdout) < 0 || fflush(stdout) ? -1 : 0;
    int why = errno;
    snprintf(compare_interrupted, sizeof compare_interrupted,
             "reseat compare: interrupted after %zu of %zu rows\n", rows->count, rows->expected);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (rc)
        clearerr(stdout); /* it is reported here */
    return rc ? cli_fail(EXIT_TROUBLE, "standard output: %s", strerror(why)) : 0;
}

/* ---- columns ---- */

/* For people: numbers are aligned to the right. */
static const struct {
    const char *name, *title;
    int width;
} compare_columns[COMPARE_COLUMNS] = {[COMPARE_PATTERN] = {"pattern", "pattern", 0},
                                      [COMPARE_MACHINE] = {"machine", "machine", 0},
                                      [COMPARE_METHOD] = {"method", "method", 0},
                                      [COMPARE_METRIC] = {"metric", "metric", 6},
                                      [COMPARE_EFFORT] = {"effort", "effort", 7},
                                      [COMPARE_RANKS] = {"ranks", "ranks", 7},
                                      [COMPARE_COST] = {"cost", "cost", 11},
                                      [COMPARE_HOPS] = {"hops", "hops", 11},
                                      [COMPARE_SECONDS] = {"seconds", "time", 8},
                                      [COMPARE_BUSIEST] = {"busiest", "busiest link", 12},
                                      [COMPARE_MAP_SECONDS] = {"map_seconds", "mapped in", 9},
                                      [COMPARE_MEASURED] = {"measured", "measured", 9},
                                      [COMPARE_LEAST] = {"measured_least", "least", 9},
                                      [COMPARE_MOST] = {"measured_most", "most", 9},
                                      [COMPARE_CARD] = {"card_seconds", "busiest card", 12}};

enum { COMPARE_LINE_SIZE = 4096, COMPARE_WIDEST = 40 };

/* Whether a column is in TSV. */
static int compare_has_column(const struct compare_request *r, int column)
{
    return r->job || column < COMPARE_MEASURED || column > COMPARE_MOST;
}

/* The texts of the first columns. */
static const char *compare_name(const struct compare_request *r, const struct compare_row *row,
                                enum compare_column column)
{
    const char *const names[] = {r->pattern[row->pattern].name, r->machine[row->machine].name,
                                 r->method[row->method].name, r->metrics.word[row->metric],
                                 r->efforts.word[row->effort]};
    return names[column];
}

/* NaN: it is not known. */
static double compare_number(const struct compare_row *row, enum compare_column column)
{
    const double numbers[COMPARE_COLUMNS] = {[COMPARE_RANKS] = row->ranks,
                                             [COMPARE_COST] = row->cost,
                                             [COMPARE_HOPS] =
                                                 isnan(row->cost) ? NAN : (double)row->hops,
                                             [COMPARE_SECONDS] = row->seconds,
                                             [COMPARE_BUSIEST] = row->busiest,
                                             [COMPARE_MAP_SECONDS] = row->map_seconds,
                                             [COMPARE_MEASURED] = row->measured[0],
                                             [COMPARE_LEAST] = row->measured[1],
                                             [COMPARE_MOST] = row->measured[2],
                                             [COMPARE_CARD] = row->card_seconds};
    return numbers[column];
}

/* ---- TSV ---- */

static void compare_exact_number(char cell[COMPARE_CELL_SIZE], const struct compare_row *row,
                                 enum compare_column column)
{
    double number = compare_number(row, column);
    if (isnan(number))
        snprintf(cell, COMPARE_CELL_SIZE, "-");
    else if (column == COMPARE_HOPS)
        snprintf(cell, COMPARE_CELL_SIZE, "%llu", (unsigned long long)row->hops);
    else
        snprintf(cell, COMPARE_CELL_SIZE,
                 column == COMPARE_SECONDS || column > COMPARE_MAP_SECONDS ? "%.9g"
                 : column == COMPARE_MAP_SECONDS                           ? "%.6f"
                                                                           : "%.17g",
                 number);
}

/* All cells of a row, or of the header (`row` NULL). */
static void compare_format_tsv(char line[COMPARE_LINE_SIZE], const struct compare_request *r,
                               const struct compare_row *row)
{
    char cell[COMPARE_CELL_SIZE];
    size_t at = 0;
    for (int column = 0; column < COMPARE_COLUMNS; column++) {
        if (!compare_has_column(r, column))
            continue;
        if (!row)
            snprintf(cell, sizeof cell, "%s", compare_columns[column].name);
        else if (column <= COMPARE_EFFORT)
            printable_copy(cell, sizeof cell, compare_name(r, row, (enum compare_column)column));
        else
            compare_exact_number(cell, row, (enum compare_column)column);
        for (char *tab = cell; (tab = strchr(tab, '\t'));)
            *tab = ' ';
        at += (size_t)snprintf(line + at, COMPARE_LINE_SIZE - at, "%s%s", cell,
                               column + 1 < COMPARE_COLUMNS ? "\t" : "\n");
    }
}

/* ---- for people ---- */

static void compare_short_number(char cell[32], const struct compare_row *row,
                                 enum compare_column column, int is_metric_of_time)
{
    double number = compare_number(row, column);
    int is_time = column == COMPARE_SECONDS || column >= COMPARE_MAP_SECONDS;
    if (column == COMPARE_RANKS)
        snprintf(cell, 32, "%d", (int)row->ranks);
    else if (isnan(is_time ? number : row->cost))
        snprintf(cell, 32, "-");
    else if (is_time)
        amount_seconds(number, cell);
    else if (column == COMPARE_BUSIEST)
        amount(number, is_metric_of_time ? "ns" : "", cell);
    else
        amount_number(number, cell);
}

/* Wide enough for the names, within reason: a longer one shifts its line. */
static int compare_widen(int width, const char *name)
{
    size_t length = strlen(name);
    return length > (size_t)width && length <= COMPARE_WIDEST ? (int)length : width;
}

static int compare_width_of(const struct word_list *words, const char *title)
{
    int width = (int)strlen(title);
    for (size_t i = 0; i < words->count; i++)
        width = compare_widen(width, words->word[i]);
    return width;
}

static int compare_width_of_machines(const struct compare_request *r, const char *title)
{
    int width = (int)strlen(title);
    for (size_t i = 0; i < r->machines; i++)
        width = compare_widen(width, r->machine[i].name);
    return width;
}

/* The width of a column; 0: it is not shown, since it is the same in all rows. */
static int compare_width(const struct compare_request *r, enum compare_column column)
{
    const char *title = compare_columns[column].title;
    switch (column) {
    case COMPARE_PATTERN:
        return compare_width_of(&r->patterns, title);
    case COMPARE_MACHINE:
        return r->machines > 1 ? compare_width_of_machines(r, title) : 0;
    case COMPARE_METHOD:
        return compare_width_of(&r->methods, title);
    case COMPARE_METRIC:
        return r->metrics.count > 1 ? compare_columns[column].width : 0;
    case COMPARE_EFFORT:
        return r->efforts.count > 1 ? compare_columns[column].width : 0;
    case COMPARE_SECONDS:
    case COMPARE_CARD:
        return r->timings ? compare_columns[column].width : 0;
    default:
        return compare_columns[column].width;
    }
}

int compare_column_is_shown(const struct compare_request *r, enum compare_column column)
{
    return compare_has_column(r, column) && compare_width(r, column) > 0;
}

const char *compare_column_title(enum compare_column column)
{
    return compare_columns[column].title;
}

void compare_format_cell(char cell[COMPARE_CELL_SIZE], const struct compare_request *r,
                         const struct compare_row *row, enum compare_column column)
{
    if (column <= COMPARE_EFFORT)
        printable_copy(cell, COMPARE_CELL_SIZE, compare_name(r, row, column));
    else
        compare_short_number(cell, row, column, r->metric[row->metric] == RESEAT_METRIC_TIME);
}

/* A row, or the titles (`row` NULL). */
static void compare_format_line(char line[COMPARE_LINE_SIZE], const struct compare_request *r,
                                const struct compare_row *row)
{
    size_t at = 0;
    for (int c = 0; c < COMPARE_COLUMNS; c++) {
        enum compare_column column = (enum compare_column)c;
        char cell[COMPARE_CELL_SIZE];
        int width = compare_width(r, column), is_name = column <= COMPARE_EFFORT;
        if (!compare_column_is_shown(r, column))
            continue;
        if (row)
            compare_format_cell(cell, r, row, column);
        else
            snprintf(cell, sizeof cell, "%s", compare_columns[c].title);
        at += (size_t)snprintf(line + at, COMPARE_LINE_SIZE - at, "%s%*s", at ? "  " : "",
                               is_name ? -width : width, cell);
    }
    snprintf(line + at, COMPARE_LINE_SIZE - at, "\n");
}

/* ---- rows ---- */

int compare_begin_table(const struct compare_request *r, const struct compare_rows *rows)
{
    char line[COMPARE_LINE_SIZE];
    snprintf(compare_interrupted, sizeof compare_interrupted, "reseat compare: interrupted\n");
    compare_catch_signals();
    if (r->is_quiet)
        line[0] = '\0';
    else if (r->tsv)
        compare_format_tsv(line, r, NULL);
    else
        compare_format_line(line, r, NULL);
    return compare_write(line, rows);
}

int compare_print_row(const struct compare_request *r, const struct compare_rows *rows)
{
    char line[COMPARE_LINE_SIZE];
    const struct compare_row *row = &rows->row[rows->count - 1];
    if (r->is_quiet)
        line[0] = '\0';
    else if (r->tsv)
        compare_format_tsv(line, r, row);
    else
        compare_format_line(line, r, row);
    return compare_write(line, rows);
}
