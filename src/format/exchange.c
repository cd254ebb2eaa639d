/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.c - the table of forms. */
#include "format/exchange.h"

#include <inttypes.h>
#include <string.h>

#include "format/exchange-forms.h"
#include "format/matrix.h"

static const struct {
    const char *name;
    const char *endings[3];
    form_reader *read; /* NULL: not by lines of one file */
} forms[] = {
    [RESEAT_FORMAT_PROFILE] = {"profile", {".reseat", ".profile"}, NULL},
    [RESEAT_FORMAT_PLAIN] = {"plain", {".txt"}, NULL},
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

static int by_first_line(const char *path)
{
    char line[32] = "";
    FILE *file = fopen(path, "re");
    if (file && !fgets(line, sizeof line, file))
        line[0] = '\0';
    if (file)
        fclose(file);
    return strncmp(line, "# reseat profile", 16) == 0   ? RESEAT_FORMAT_PROFILE
           : strncmp(line, "%%MatrixMarket", 14) == 0   ? RESEAT_FORMAT_MARKET
           : strncmp(line, "# POINT TO POINT", 16) == 0 ? RESEAT_FORMAT_MONITORING
                                                        : -1;
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

int reseat_format_of(const char *path)
{
    int format = by_first_line(path);
    return format >= 0 ? format : reseat_format_of_name(path);
}

int form_add_value(struct reseat_profile *profile, int32_t source, int32_t target, uint64_t value,
                   enum reseat_metric metric)
{
    struct reseat_entry entry = {source, target, 1, value, 0};
    if (metric == RESEAT_METRIC_MSG) {
        entry.msgs = value;
        entry.bytes = 0;
    }
    return value ? world_add(profile, RESEAT_P2P, &entry) : 0;
}

int form_finish(const struct form_input *input, struct reseat_profile *profile)
{
    static const char *const known[] = {"bytes (messages unknown, 1 a pair)",
                                        "messages (bytes unknown)",
                                        "bytes per message (messages unknown, 1 a pair)"};
    struct reseat_entry twice;
    if (world_finish(profile, &twice))
        return reseat_fail(input->lines->error,
                           "%s: the pair %" PRId32 " %" PRId32 " is there twice",
                           input->lines->path, twice.source, twice.target);
    return world_header(profile, "converted_from", input->lines->path) ||
                   world_header(profile, "values", known[input->metric])
               ? lines_no_memory(input->lines)
               : 0;
}

int reseat_exchange_read(struct reseat_profile **profile, enum reseat_format format,
                         const char *const *paths, size_t count, enum reseat_metric metric,
                         int32_t ranks, struct reseat_error *error)
{
    struct lines lines;
    struct form_input input = {&lines, metric, ranks};
    struct reseat_profile *result = NULL;
    if (format == RESEAT_FORMAT_MONITORING)
        return form_read_monitoring(profile, paths, count, ranks, error);
    if (count != 1)
        return reseat_fail(error, "one file is read at a time, not %zu", count);
    if (format == RESEAT_FORMAT_PROFILE)
        return reseat_profile_read(profile, paths[0], error);
    if (format == RESEAT_FORMAT_PLAIN)
        return reseat_matrix_read(profile, paths[0], error);
    if (lines_open(&lines, paths[0], error))
        return -1;
    int rc = forms[format].read(&input, &result);
    lines_close(&lines);
    if (rc)
        reseat_profile_destroy(result);
    else
        *profile = result;
    return rc;
}
