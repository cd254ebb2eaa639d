/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.c - the table of forms. */
#include "exchange/exchange.h"

#include <inttypes.h>
#include <string.h>

#include "exchange/exchange-forms.h"

/* Limit of a line that tells the form: a row of a dense matrix can be long. */
enum { LONGEST_FIRST = 1 << 24 };

static int form_read_profile(const struct form_input *input, struct reseat_profile **profile)
{
    return reseat_profile_read_lines(profile, input->lines);
}

static const struct {
    const char *name;
    const char *endings[3];
    form_reader *read; /* NULL: reads several files */
} forms[] = {
    [RESEAT_FORMAT_PROFILE] = {"profile", {".reseat", ".profile"}, form_read_profile},
    [RESEAT_FORMAT_PLAIN] = {"plain", {".txt"}, form_read_plain},
    [RESEAT_FORMAT_MARKET] = {"mtx", {".mtx"}, form_read_market},
    [RESEAT_FORMAT_DENSE] = {"mat", {".mat"}, form_read_dense},
    [RESEAT_FORMAT_CSV] = {"csv", {".csv"}, form_read_csv},
    [RESEAT_FORMAT_SCOTCH] = {"scotch", {".grf", ".src"}, form_read_scotch},
    [RESEAT_FORMAT_METIS] = {"metis", {".graph", ".metis"}, form_read_metis},
    [RESEAT_FORMAT_MONITORING] = {"monitoring", {".prof"}, NULL},
};

const char *reseat_format_name(int format)
{
    return format >= 0 && format < RESEAT_FORMATS ? forms[format].name : NULL;
}

int reseat_format_named(const char *name)
{
    for (int i = 0; i < RESEAT_FORMATS; i++)
        if (strcmp(forms[i].name, name) == 0)
            return i;
    return -1;
}

int reseat_format_of_name(const char *path)
{
    size_t length = strlen(path);
    for (int i = 0; i < RESEAT_FORMATS; i++)
        for (const char *const *ending = forms[i].endings; *ending; ending++)
            if (length > strlen(*ending) && strcmp(path + length - strlen(*ending), *ending) == 0)
                return i;
    return -1;
}

/* The form of a file: by its first line, else by its name, else plain. -1 with the error. */
static int exchange_format_of(struct lines *lines)
{
    lines->most = LONGEST_FIRST;
    int more = lines_peek(lines);
    const char *line = more > 0 ? lines->line : "";
    lines->most = 0;
    if (more < 0)
        return -1;
    if (strncmp(line, "# reseat profile", 16) == 0)
        return RESEAT_FORMAT_PROFILE;
    if (strncmp(line, "%%MatrixMarket", 14) == 0)
        return RESEAT_FORMAT_MARKET;
    if (strncmp(line, "# POINT TO POINT", 16) == 0)
        return RESEAT_FORMAT_MONITORING;
    int format = reseat_format_of_name(lines->path);
    return format < 0 ? RESEAT_FORMAT_PLAIN : format;
}

/* Read one file, which is opened only once: it may be a pipe. */
static int exchange_read_one(struct reseat_profile **profile, int *format, size_t count,
                             const struct form_input *input)
{
    struct reseat_profile *result = NULL;
    if (*format == RESEAT_FORMAT_TOLD && (*format = exchange_format_of(input->lines)) < 0)
        return -1;
    if (*format == RESEAT_FORMAT_MONITORING)
        return 0;
    if (count != 1)
        return reseat_fail(input->lines->error, "one file is read at a time, not %zu", count);
    int rc = forms[*format].read(input, &result);
    if (rc)
        reseat_profile_destroy(result);
    else
        *profile = result;
    return rc;
}

int reseat_exchange_read(struct reseat_profile **profile, enum reseat_format format,
                         const char *const *paths, size_t count, enum reseat_metric metric,
                         int32_t ranks, struct reseat_error *error)
{
    struct lines lines;
    struct form_sums sums[FORM_SUMS] = {{0}};
    struct form_input input = {&lines, metric, ranks, sums};
    int rc = 0, found = format;
    if (format != RESEAT_FORMAT_MONITORING) {
        rc = lines_open(&lines, paths[0], error);
        if (rc == 0)
            rc = exchange_read_one(profile, &found, count, &input);
        lines_close(&lines);
    }
    if (rc == 0 && found == RESEAT_FORMAT_MONITORING)
        rc = form_read_monitoring(profile, paths, count, ranks, error);
    return rc;
}
