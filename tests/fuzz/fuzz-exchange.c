/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz-exchange.c - what was read in any form is written in every form and read again, with the
 * same bytes between the same pairs.
 */
#include <string.h>
#include <unistd.h>

#include "exchange/exchange.h"
#include "fuzz/fuzz.h"

enum { MOST_RANKS = 64 };

struct sums {
    uint64_t bytes;
    size_t pairs;
};

/* Without the traffic of a rank with itself, which graphs do not have. */
static struct sums sums_of(const struct reseat_profile *profile)
{
    struct reseat_entry *list = NULL;
    struct reseat_error error;
    struct sums sums = {0, 0};
    size_t count = 0;
    require(reseat_profile_pairs(profile, 0, 1, &list, &count, &error) == 0);
    for (size_t i = 0; i < count; i++) {
        if (list[i].source == list[i].target || list[i].bytes == 0)
            continue;
        sums.bytes += list[i].bytes;
        sums.pairs++;
    }
    free(list);
    return sums;
}

static int is_graph(int format)
{
    return format == RESEAT_FORMAT_SCOTCH || format == RESEAT_FORMAT_METIS;
}

static void write_and_read(const struct reseat_profile *profile, enum reseat_format format,
                           const char *path)
{
    const char *const paths[] = {path};
    struct reseat_error error = {""};
    struct reseat_profile *back = NULL;
    FILE *file = fopen(path, "w");
    require(file);
    int rc = reseat_exchange_write(profile, format, RESEAT_METRIC_SIZE, file, &error);
    require(fclose(file) == 0);
    require(rc == 0 || error.text[0]);
    if (rc)
        return;
    if (reseat_exchange_read(&back, format, paths, 1, RESEAT_METRIC_SIZE, profile->ranks, &error)) {
        fprintf(stderr, "%s: %s\n", reseat_format_name((int)format), error.text);
        abort();
    }
    require(back->ranks == profile->ranks);
    struct sums here = sums_of(profile), there = sums_of(back);
    require(here.bytes == there.bytes);
    require(is_graph((int)format) || here.pairs == there.pairs);
    reseat_profile_destroy(back);
}

static void try_form(const char *path, const char *other, enum reseat_format format)
{
    const char *const paths[] = {path};
    struct reseat_profile *profile = NULL;
    struct reseat_error error = {""};
    int rc = reseat_exchange_read(&profile, format, paths, 1, RESEAT_METRIC_SIZE, 0, &error);
    require((rc == 0) == (profile != NULL));
    /* sums of 2^63 and more fit into no matrix, and a dense text of many ranks is long */
    if (profile && profile->ranks > 0 && profile->ranks <= MOST_RANKS &&
        sums_of(profile).bytes < UINT64_C(1) << 53)
        for (int to = RESEAT_FORMAT_PLAIN; to < RESEAT_FORMAT_MONITORING; to++)
            write_and_read(profile, (enum reseat_format)to, other);
    reseat_profile_destroy(profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/reseat-fuzz.XXXXXX", other[] = "/tmp/reseat-fuzz.XXXXXX";
    int file = mkstemp(path), second = mkstemp(other);
    require(file >= 0 && second >= 0);
    require(write(file, data, size) == (ssize_t)size);
    close(file);
    close(second);
    for (int format = 0; format < RESEAT_FORMATS; format++)
        try_form(path, other, (enum reseat_format)format);
    unlink(path);
    unlink(other);
    return 0;
}
