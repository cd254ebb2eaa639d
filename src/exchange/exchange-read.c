/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange-read.c - Matrix Market, dense text, CSV. */
#include <string.h>
#include <strings.h>

#include "exchange/exchange-forms.h"

/* ---- Matrix Market ----
 *
 * `%%MatrixMarket matrix coordinate FIELD SYMMETRY`, words in any case, comments, `n n entries`,
 * then `i j [value]` from 1. */

struct market {
    int pattern;   /* no values */
    int symmetric; /* the lower half only */
    uint64_t entries;
};

static int exchange_read_banner(struct lines *lines, struct market *market)
{
    char object[32] = "", form[32] = "", field[32] = "", symmetry[32] = "";
    int length = 0;
    if (lines_need(lines, '\0', "the banner is"))
        return -1;
    if (sscanf(lines->line, "%%%%MatrixMarket %31s %31s %31s %31s%n", object, form, field, symmetry,
               &length) != 4 ||
        strcasecmp(object, "matrix") != 0 || strcasecmp(form, "coordinate") != 0 ||
        !lines_at_end(lines->line + length))
        return lines_fail(lines, "`%%%%MatrixMarket matrix coordinate FIELD SYMMETRY` is expected");
    market->pattern = strcasecmp(field, "pattern") == 0;
    market->symmetric = strcasecmp(symmetry, "symmetric") == 0;
    if (!market->pattern && strcasecmp(field, "integer") != 0 && strcasecmp(field, "real") != 0)
        return lines_fail(lines, "the numbers have to be integer, real or pattern");
    if (!market->symmetric && strcasecmp(symmetry, "general") != 0)
        return lines_fail(lines, "the matrix has to be general or symmetric");
    return 0;
}

static int exchange_read_market_row(const struct form_input *input, const struct market *market,
                                    struct reseat_profile *profile)
{
    const char *text = input->lines->line;
    uint64_t i, j, value = 1, most = (uint64_t)profile->ranks;
    if (lines_number(&text, most, &i) || lines_number(&text, most, &j) || !i || !j ||
        (!market->pattern && form_read_value(&input->sums[FORM_VALUES], &text, &value)) ||
        !lines_at_end(text))
        return lines_fail(input->lines, "an entry that cannot be read");
    int rc = form_add_value(profile, (int32_t)i - 1, (int32_t)j - 1, value, input->metric);
    if (rc == 0 && market->symmetric && i != j)
        rc = form_add_value(profile, (int32_t)j - 1, (int32_t)i - 1, value, input->metric);
    return rc ? lines_no_memory(input->lines) : 0;
}

int form_read_market(const struct form_input *input, struct reseat_profile **profile)
{
    struct lines *lines = input->lines;
    struct market market = {0};
    uint64_t rows, columns;
    if (exchange_read_banner(lines, &market) || lines_need(lines, '%', "the size is"))
        return -1;
    const char *text = lines->line;
    if (lines_number(&text, RESEAT_MOST_RANKS, &rows) ||
        lines_number(&text, RESEAT_MOST_RANKS, &columns) ||
        lines_number(&text, UINT64_MAX, &market.entries) || !lines_at_end(text) || rows < 1 ||
        rows != columns)
        return lines_fail(lines, "`n n entries` is expected here");
    *profile = world_create((int32_t)rows);
    if (!*profile)
        return lines_no_memory(lines);
    for (uint64_t e = 0; e < market.entries; e++)
        if (lines_need(lines, '%', "an entry is") ||
            exchange_read_market_row(input, &market, *profile))
            return -1;
    return form_expect_end(lines, '%', "more entries than were announced")
               ? -1
               : form_finish(input, *profile);
}

/* ---- dense: n lines of n numbers ---- */

static int32_t exchange_count_values(const char *text)
{
    int32_t count = 0;
    uint64_t value;
    double exact;
    while (count < RESEAT_MOST_RANKS && lines_value(&text, &value, &exact) == 0)
        count++;
    return lines_at_end(text) ? count : 0;
}

int form_read_dense(const struct form_input *input, struct reseat_profile **profile)
{
    struct lines *lines = input->lines;
    if (lines_need(lines, '#', "a row is"))
        return -1;
    int32_t n = exchange_count_values(lines->line);
    if (!n)
        return lines_fail(lines, "a row of numbers is expected here");
    *profile = world_create(n);
    if (!*profile)
        return lines_no_memory(lines);
    for (int32_t i = 0; i < n; i++) {
        if (i && lines_need(lines, '#', "a row is"))
            return -1;
        const char *text = lines->line;
        uint64_t value;
        for (int32_t j = 0; j < n; j++) {
            if (form_read_value(&input->sums[FORM_VALUES], &text, &value))
                return lines_fail(lines, "a number cannot be read or is missing");
            if (form_add_value(*profile, i, j, value, input->metric))
                return lines_no_memory(lines);
        }
        if (!lines_at_end(text))
            return lines_fail(lines, "more numbers than in the first row");
    }
    return form_expect_end(lines, '#', "more rows than numbers in one")
               ? -1
               : form_finish(input, *profile);
}

/* ---- CSV: a line of names, in any order ---- */

enum column { SOURCE, TARGET, MSGS, BYTES, VALUE, OTHER };

enum { MOST_COLUMNS = 16 };
struct columns {
    int count;
    enum column at[MOST_COLUMNS];
    int has[OTHER + 1];
};

static int exchange_read_names(struct lines *lines, struct columns *columns)
{
    static const char *const names[] = {"source", "target", "msgs", "bytes", "value"};
    char *save = NULL;
    for (char *word = strtok_r(lines->line, ", \t\r", &save); word;
         word = strtok_r(NULL, ", \t\r", &save)) {
        int name = 0;
        while (name < OTHER && strcmp(word, names[name]) != 0)
            name++;
        if (name == OTHER && strcmp(word, "messages") == 0)
            name = MSGS;
        if (columns->count == MOST_COLUMNS || (name < OTHER && columns->has[name]))
            return lines_fail(lines, "too many columns");
        columns->at[columns->count++] = (enum column)name;
        columns->has[name] = 1;
    }
    if (!columns->has[SOURCE] || !columns->has[TARGET] ||
        columns->has[VALUE] == (columns->has[MSGS] || columns->has[BYTES]))
        return lines_fail(lines,
                          "the first line has to name the columns: source,target and value, or "
                          "msgs and bytes");
    return 0;
}

/* A rank has no fraction, and other columns are not used. 0, or -1. */
static int exchange_read_csv_number(const struct form_input *input, const char **text,
                                    enum column column, uint64_t *value)
{
    double exact;
    if (column == MSGS || column == BYTES || column == VALUE)
        return form_read_value(&input->sums[column == MSGS ? FORM_MESSAGES : FORM_VALUES], text,
                               value);
    if (lines_value(text, value, &exact))
        return -1;
    return column == OTHER || exact == (double)*value ? 0 : -1;
}

static int exchange_read_csv_row(const struct form_input *input, const struct columns *columns,
                                 struct reseat_profile *profile)
{
    const char *text = input->lines->line;
    uint64_t number[OTHER + 1] = {[MSGS] = 1};
    for (int i = 0; i < columns->count; i++) {
        text += i > 0 && *text == ',';
        if (exchange_read_csv_number(input, &text, columns->at[i], &number[columns->at[i]]))
            return lines_fail(input->lines, "a number cannot be read or is missing");
    }
    if (!lines_at_end(text) || number[SOURCE] >= RESEAT_MOST_RANKS ||
        number[TARGET] >= RESEAT_MOST_RANKS)
        return lines_fail(input->lines, "a row that cannot be read");
    struct reseat_entry e = {(int32_t)number[SOURCE], (int32_t)number[TARGET], number[MSGS],
                             number[BYTES], 0};
    int32_t most = e.source > e.target ? e.source : e.target;
    if (most >= profile->ranks)
        profile->domains[0].size = profile->ranks = most + 1;
    int rc = columns->has[VALUE]
                 ? form_add_value(profile, e.source, e.target, number[VALUE], input->metric)
                 : world_add(profile, RESEAT_P2P, &e);
    return rc ? lines_no_memory(input->lines) : 0;
}

int form_read_csv(const struct form_input *input, struct reseat_profile **profile)
{
    struct columns columns = {0};
    int more;
    if (lines_need(input->lines, '#', "the line of names is") ||
        exchange_read_names(input->lines, &columns))
        return -1;
    *profile = world_create(input->ranks > 0 ? input->ranks : 1);
    if (!*profile)
        return lines_no_memory(input->lines);
    while ((more = lines_next(input->lines)) > 0)
        if (!lines_at_end(input->lines->line) && exchange_read_csv_row(input, &columns, *profile))
            return -1;
    return more < 0 ? -1 : form_finish(input, *profile);
}
