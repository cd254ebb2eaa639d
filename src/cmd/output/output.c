/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.c - tells whether another order of the ranks changes the output of a program. Few programs
 * print the same twice: there are times, process numbers, lines of ranks in any order. So the plain
 * runs show what can be compared.
 *
 * Lines of one shape (output-lines.c), apart from words that vary from run to run
 * (output-varying.c), are a class: "rank # has #". A class counts if all plain runs have equally
 * many lines of it. A column of its numbers counts if it has the same values in all plain runs, in
 * any order, and is not free by its words. The lines, restricted to these columns, are then
 * compared in the first of three ways in which the plain runs are equal:
 *
 *   1. in order: line by line;
 *   2. sorted: the values of a line stay together;
 *   3. by column: the values of each column, sorted.
 *
 *     rank 0 has 100, 0.31 ms     rank 1 has 101, 0.35 ms     compared: (0 100) (1 101), sorted;
 *     rank 1 has 101, 0.33 ms     rank 0 has 100, 0.30 ms     a run that prints (0 101) (1 100)
 *                                                             differs
 *
 * A run in another order differs if it has too many or too few lines of a class, unless plain runs
 * disagree about lines with the same words (ignoring all that has digits in it). If plain runs
 * disagree at all, a line that no plain run has may also be torn: launchers pass on the output of
 * ranks in blocks, and at the end of a block the beginning of one line and the end of another may
 * be joined. The same lines in another order are not a difference, since any rank may print first;
 * they are only reported.
 *
 * Integers are equal or not. Other numbers may differ by 1e-6 of their size, because sums depend on
 * their order, or by one in a last digit that is as small as a thousandth, and both may be noise
 * below 1e-12. The caller judges what differs in only some of the reordered runs.
 *
 * Time O(N log N) for N lines of all runs, memory 12 times the text.
 */
#include "cmd/output/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascending.h"
#include "cmd/output/output-varying.h"
#include "text/printable.h"

enum { MOST_RUNS = 2 * OUTPUT_RUNS, MOST_TORN_STEPS = 1 << 24 };

/* All lines of one shape: those of run r are entry[start[r]] .. entry[start[r + 1] - 1]. */
struct class
{
    struct output_entry *entry;
    size_t start[MOST_RUNS + 1];
    int columns;
};

/* The first difference of one of the reordered runs. */
struct difference {
    const struct output_line *missing, *extra; /* of which there are too few, or too many */
    int32_t missing_at, extra_at;
    const struct output_line *was, *is; /* where a line differs */
    int32_t was_at;
    int is_sorted_otherwise;
};

struct comparison {
    int plain, runs; /* plain runs, and all */
    struct output_entry *entries;
    size_t count;
    struct varying varying;
    const char **unsure; /* words of lines about which plain runs disagree, sorted */
    size_t unsure_count;
    const char **whole; /* shapes in all plain runs */
    size_t whole_count;
    size_t torn_steps; /* used so far to find out whether lines are torn */
    char *counts;      /* by column of a class: whether it counts */
    struct output_entry *sorted[2];
    double *values[2];
    struct difference difference[OUTPUT_RUNS];
};

/* ---- numbers ---- */

static int is_equal(const struct output_number *a, const struct output_number *b)
{
    double larger = fmax(fabs(a->value), fabs(b->value)), off = fabs(a->value - b->value);
    double step = fmax(a->step, b->step);
    if (a->value == b->value || (step == 0 && isnan(larger)))
        return 1;
    if (a->step == 0 && b->step == 0)
        return 0;
    return off <= 1e-6 * larger || larger < 1e-12 || (step <= 1e-3 * larger && off <= 1.01 * step);
}

/* ---- lines of one class ---- */

static int compare_lines(const struct output_line *a, const struct output_line *b,
                         const char *counts)
{
    for (int c = 0; c < a->count; c++)
        if (counts[c] && !is_equal(&a->numbers[c], &b->numbers[c]))
            return a->numbers[c].value < b->numbers[c].value ? -1 : 1;
    return 0;
}

static size_t class_size(const struct class *class, int run)
{
    return class->start[run + 1] - class->start[run];
}

/* Compare the lines of two runs one by one; -1: equal, else the first that differ. */
static int64_t compare_in_order(const struct class *class, int a, int b, const char *counts)
{
    const struct output_entry *x = class->entry + class->start[a],
                              *y = class->entry + class->start[b];
    for (size_t i = 0; i < class_size(class, a); i++)
        if (compare_lines(x[i].line, y[i].line, counts))
            return (int64_t)i;
    return -1;
}

/* For qsort_r: by the columns that count, integers first, so that lines that differ only in a last
 * digit are still matched. */
static int by_columns(const void *a, const void *b, void *counts)
{
    const struct output_line *x = ((const struct output_entry *)a)->line;
    const struct output_line *y = ((const struct output_entry *)b)->line;
    for (int is_float = 0; is_float < 2; is_float++)
        for (int c = 0; c < x->count; c++) {
            double p = x->numbers[c].value, q = y->numbers[c].value;
            if (((char *)counts)[c] && (x->numbers[c].step != 0) == is_float && p != q)
                return p < q ? -1 : 1;
        }
    return 0;
}

static void sort_entries(struct output_entry *sorted, const struct class *class, int run,
                         const char *counts)
{
    memcpy(sorted, class->entry + class->start[run], class_size(class, run) * sizeof *sorted);
    qsort_r(sorted, class_size(class, run), sizeof *sorted, by_columns, (void *)counts);
}

/* Like compare_in_order, but sorted; the lines are then in c->sorted. */
static int64_t compare_sorted(struct comparison *c, const struct class *class, int a, int b)
{
    sort_entries(c->sorted[0], class, a, c->counts);
    sort_entries(c->sorted[1], class, b, c->counts);
    for (size_t i = 0; i < class_size(class, a); i++)
        if (compare_lines(c->sorted[0][i].line, c->sorted[1][i].line, c->counts))
            return (int64_t)i;
    return -1;
}

static void sort_column(double *values, const struct class *class, int run, int column)
{
    for (size_t i = 0; i < class_size(class, run); i++)
        values[i] = class->entry[class->start[run] + i].line->numbers[column].value;
    qsort(values, class_size(class, run), sizeof *values, ascending_double);
}

/* Returns 1 if a column has the same values in two runs, in any order. */
static int is_same_column(struct comparison *c, const struct class *class, int column, int a, int b)
{
    double step = class->entry[class->start[a]].line->numbers[column].step;
    sort_column(c->values[0], class, a, column);
    sort_column(c->values[1], class, b, column);
    for (size_t i = 0; i < class_size(class, a); i++)
        if (!is_equal(&(struct output_number){.value = c->values[0][i], .step = step},
                      &(struct output_number){.value = c->values[1][i], .step = step}))
            return 0;
    return 1;
}

/* ---- learning from the plain runs ---- */

static void find_columns(struct comparison *c, const struct class *class)
{
    for (int column = 0; column < class->columns; column++) {
        c->counts[column] = 1;
        for (size_t i = class->start[0]; i < class->start[c->plain]; i++)
            c->counts[column] &= !class->entry[i].line->numbers[column].is_free;
        for (int run = 1; run < c->plain && c->counts[column]; run++)
            c->counts[column] = (char)is_same_column(c, class, column, 0, run);
    }
}

static int is_stable(const struct comparison *c, const struct class *class)
{
    for (int run = 1; run < c->plain; run++)
        if (class_size(class, run) != class_size(class, 0))
            return 0;
    return 1;
}

/* Returns 1 if plain runs disagree about lines with these words. */
static int is_unsure(const struct comparison *c, const char *words)
{
    return c->unsure_count > 0 &&
           bsearch(&words, c->unsure, c->unsure_count, sizeof *c->unsure, ascending_text) != NULL;
}

static size_t common_begin(const char *a, const char *b)
{
    size_t length = 0;
    while (a[length] && a[length] == b[length])
        length++;
    return length;
}

static size_t common_end(const char *a, size_t a_length, const char *b)
{
    size_t b_length = strlen(b), length = 0;
    while (length < a_length && length < b_length &&
           a[a_length - 1 - length] == b[b_length - 1 - length])
        length++;
    return length;
}

/* Returns 1 if a shape may be the beginning of one line joined to the end of another; 0 also if
 * that takes too long to find out. */
static int is_torn(struct comparison *c, const char *shape)
{
    size_t length = strlen(shape), begin = 0, end = 0;
    for (size_t i = 0; i < c->whole_count && c->torn_steps < MOST_TORN_STEPS; i++) {
        size_t common = common_begin(shape, c->whole[i]);
        begin = common > begin ? common : begin;
        common = common_end(shape, length, c->whole[i]);
        end = common > end ? common : end;
        c->torn_steps++;
    }
    return begin + end >= length;
}

/* ---- the reordered runs ---- */

/* Note a number of lines in the class other than in the plain runs. */
static void note_count(struct comparison *c, const struct class *class, int run)
{
    struct difference *d = &c->difference[run - c->plain];
    size_t want = class_size(class, 0), is = class_size(class, run);
    const struct output_entry *first = class->entry + class->start[is < want ? 0 : run];
    const struct output_entry *entry = first + (is < want ? is : want);
    if (is_unsure(c, entry->line->words) ||
        (want == 0 && c->unsure_count && is_torn(c, entry->line->shape)))
        return;
    if (is < want && (!d->missing || entry->position < d->missing_at)) {
        d->missing = entry->line;
        d->missing_at = entry->position;
    } else if (is > want && (!d->extra || entry->position < d->extra_at)) {
        d->extra = entry->line;
        d->extra_at = entry->position;
    }
}

static void note_lines(struct difference *d, const struct output_entry *was,
                       const struct output_entry *is)
{
    if (d->was && d->was_at <= was->position)
        return;
    d->was = was->line;
    d->was_at = was->position;
    d->is = is->line;
}

/* Compare the lines of a class in one run with the first plain one; `way`: 0 in order, 1 sorted, 2
 * by columns. */
static void compare_class(struct comparison *c, const struct class *class, int run, int way)
{
    struct difference *d = &c->difference[run - c->plain];
    const struct output_entry *was = class->entry + class->start[0];
    const struct output_entry *is = class->entry + class->start[run];
    int64_t at = way == 0 ? compare_in_order(class, 0, run, c->counts) : -1;
    if (way == 0 && at < 0)
        return;
    int64_t sorted = way < 2 ? compare_sorted(c, class, 0, run) : -1;
    if (way == 0 && sorted < 0)
        d->is_sorted_otherwise = 1;
    else if (way == 0)
        note_lines(d, was + at, is + at);
    else if (sorted >= 0)
        note_lines(d, c->sorted[0] + sorted, c->sorted[1] + sorted);
    for (int column = 0; way == 2 && column < class->columns; column++)
        if (c->counts[column] && !is_same_column(c, class, column, 0, run))
            note_lines(d, was, is);
}

static void judge_class(struct comparison *c, const struct class *class)
{
    int way = 0;
    if (!is_stable(c, class))
        return;
    find_columns(c, class);
    for (int run = 1; run < c->plain; run++) {
        if (way == 0 && compare_in_order(class, 0, run, c->counts) >= 0)
            way = 1;
        if (way == 1 && compare_sorted(c, class, 0, run) >= 0)
            way = 2;
    }
    for (int run = c->plain; run < c->runs; run++)
        if (class_size(class, run) != class_size(class, 0))
            note_count(c, class, run);
        else
            compare_class(c, class, run, way);
}

/* ---- all classes ---- */

static int by_shape(const void *a, const void *b)
{
    const struct output_entry *x = a, *y = b;
    int order = strcmp(x->line->shape, y->line->shape);
    if (order)
        return order;
    return x->run != y->run ? x->run - y->run
                            : (x->position > y->position) - (x->position < y->position);
}

/* Find the class that begins at entries[first]; returns the index after its last line. */
static size_t next_class(const struct comparison *c, size_t first, struct class *class)
{
    size_t end = first;
    int run = 0;
    *class = (struct class){.entry = c->entries + first, .columns = c->entries[first].line->count};
    for (; end < c->count && strcmp(c->entries[end].line->shape, class->entry->line->shape) == 0;
         end++)
        while (run < c->entries[end].run)
            class->start[++run] = end - first;
    while (run < c->runs)
        class->start[++run] = end - first;
    return end;
}

static int is_in_all(const struct comparison *c, const struct class *class)
{
    for (int run = 0; run < c->plain; run++)
        if (!class_size(class, run))
            return 0;
    return 1;
}

static void find_unsure(struct comparison *c)
{
    struct class class;
    for (size_t next, first = 0; first < c->count; first = next) {
        next = next_class(c, first, &class);
        if (is_in_all(c, &class))
            c->whole[c->whole_count++] = class.entry->line->shape;
        for (int run = 0; !is_stable(c, &class) && run < c->plain; run++)
            if (class_size(&class, run))
                c->unsure[c->unsure_count++] = class.entry[class.start[run]].line->words;
    }
    qsort(c->unsure, c->unsure_count, sizeof *c->unsure, ascending_text);
}

static int output_gather(struct comparison *c, const struct output *plain,
                         const struct output *ordered)
{
    int32_t most_numbers = 0;
    for (int run = 0; run < c->runs; run++)
        c->count += (run < c->plain ? &plain[run] : &ordered[run - c->plain])->count;
    c->entries = malloc((c->count + 1) * sizeof *c->entries);
    for (int k = 0; k < 2; k++) {
        c->sorted[k] = malloc((c->count + 1) * sizeof *c->sorted[k]);
        c->values[k] = malloc((c->count + 1) * sizeof *c->values[k]);
    }
    c->unsure = malloc((c->count + 1) * sizeof *c->unsure);
    c->whole = malloc((c->count + 1) * sizeof *c->whole);
    struct output_entry *entry = c->entries;
    for (int run = 0; entry && run < c->runs; run++) {
        const struct output *output = run < c->plain ? &plain[run] : &ordered[run - c->plain];
        for (size_t i = 0; i < output->count; i++) {
            *entry++ = (struct output_entry){&output->lines[i], run, (int32_t)i};
            if (output->lines[i].count > most_numbers)
                most_numbers = output->lines[i].count;
        }
    }
    c->counts = malloc((size_t)most_numbers + 1);
    if (!c->entries || !c->sorted[0] || !c->sorted[1] || !c->values[0] || !c->values[1] ||
        !c->unsure || !c->whole || !c->counts)
        return -1;
    qsort(c->entries, c->count, sizeof *c->entries, by_shape);
    if (varying_replace(&c->varying, c->entries, c->count, c->plain))
        return -1;
    qsort(c->entries, c->count, sizeof *c->entries, by_shape);
    return 0;
}

static void comparison_free(struct comparison *c)
{
    varying_destroy(&c->varying);
    for (int k = 0; k < 2; k++) {
        free(c->sorted[k]);
        free(c->values[k]);
    }
    free(c->entries);
    free(c->unsure);
    free(c->whole);
    free(c->counts);
}

/* ---- for people ---- */

/* Copy a line, made safe for a terminal and for FILE.verdict. */
static void copy_line(char text[OUTPUT_LINE], const struct output_line *line)
{
    int length = !line ? 0 : line->length < OUTPUT_LINE ? line->length : OUTPUT_LINE - 1;
    char raw[OUTPUT_LINE];
    for (int i = 0; i < length; i++)
        raw[i] = line->text[i];
    raw[length] = '\0';
    printable_copy(text, OUTPUT_LINE, raw);
}

static void report_difference(const struct difference *d, struct output_finding *finding)
{
    int is_pair = d->was && (!d->missing || d->was_at <= d->missing_at);
    copy_line(finding->plain, is_pair ? d->was : d->missing);
    copy_line(finding->ordered, is_pair ? d->is : d->extra);
}

int output_compare(const struct output *plain, int plain_count, const struct output *ordered,
                   int ordered_count, struct output_finding *finding)
{
    struct comparison c = {.plain = plain_count, .runs = plain_count + ordered_count};
    struct class class;
    *finding = (struct output_finding){.lines = (int)plain[0].count};
    if (output_gather(&c, plain, ordered)) {
        comparison_free(&c);
        return -1;
    }
    find_unsure(&c);
    for (size_t next, first = 0; first < c.count; first = next) {
        next = next_class(&c, first, &class);
        judge_class(&c, &class);
        finding->compared += is_stable(&c, &class) ? (int)class_size(&class, 0) : 0;
    }
    for (int k = ordered_count - 1; k >= 0; k--) {
        const struct difference *d = &c.difference[k];
        int differs = d->was || d->missing || d->extra;
        finding->differing += differs;
        finding->is_sorted_otherwise += !differs && d->is_sorted_otherwise;
        if (differs)
            report_difference(d, finding);
    }
    comparison_free(&c);
    return 0;
}
