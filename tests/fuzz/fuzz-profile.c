/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-profile.c - any bytes as a profile and as a matrix: read, or refused with a line. */
#include <string.h>
#include <unistd.h>

#include "format/matrix.h"
#include "format/profile.h"
#include "fuzz/fuzz.h"

static void check(const struct reseat_profile *profile)
{
    require(profile->ranks >= 0);
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
    for (int i = 0; i < 2; i++) {
        struct reseat_profile *profile = NULL;
        struct reseat_error error = {""};
        int rc = i ? reseat_matrix_read(&profile, path, &error)
                   : reseat_profile_read(&profile, path, &error);
        require((rc == 0) == (profile != NULL));
        require(rc == 0 || (error.text[0] && !strchr(error.text, '\n')));
        if (profile)
            check(profile);
        reseat_profile_destroy(profile);
    }
    unlink(path);
    return 0;
}
