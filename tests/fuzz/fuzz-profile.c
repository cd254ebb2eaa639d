/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-profile.c - any bytes in every form of a matrix: read, or refused with a line. */
#include <string.h>
#include <unistd.h>

#include "exchange/exchange.h"
#include "fuzz/fuzz.h"

static void check(const struct reseat_profile *profile)
{
    require(profile->ranks >= 0);
    for (size_t i = 0; i < profile->times_count; i++) {
        require(profile->times[i].rank >= 0 && profile->times[i].rank < profile->ranks);
        require(profile->times[i].phase >= 0 && profile->times[i].phase < RESEAT_PHASES);
        require(profile->times[i].in_mpi <= profile->times[i].all);
        require(profile->times[i].all <= profile->microseconds);
    }
    for (size_t i = 0; i < profile->domains_count; i++) {
        const struct reseat_domain *domain = &profile->domains[i];
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
            for (size_t e = 0; e < domain->count[kind]; e++) {
                const struct reseat_entry *entry = &domain->entries[kind][e];
                require(entry->source >= 0 && entry->source < domain->size);
                require(entry->target >= 0 && entry->target < domain->size);
            }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/reseat-fuzz.XXXXXX";
    int file = mkstemp(path);
    require(file >= 0);
    require(write(file, data, size) == (ssize_t)size);
    close(file);
    const char *const paths[] = {path};
    for (int format = 0; format < RESEAT_FORMATS; format++) {
        struct reseat_profile *profile = NULL;
        struct reseat_error error = {""};
        int rc = reseat_exchange_read(&profile, (enum reseat_format)format, paths, 1,
                                      RESEAT_METRIC_SIZE, 0, &error);
        require((rc == 0) == (profile != NULL));
        require(rc == 0 || (error.text[0] && !strchr(error.text, '\n')));
        if (profile)
            check(profile);
        reseat_profile_destroy(profile);
    }
    unlink(path);
    return 0;
}
