/* SPDX-License-Identifier: BSD-3-Clause */
/* message-sizes.c - see message-sizes.h. */
#include "profile/message-sizes.h"

size_t message_sizes_append(struct reseat_entry *parts, size_t n, const struct reseat_entry *entry)
{
    struct reseat_entry all = *entry;
    while (n && message_size_of_mean(parts[n - 1].msgs, parts[n - 1].bytes) >=
                    message_size_of_mean(all.msgs, all.bytes)) {
        n--;
        all.msgs += parts[n].msgs;
        all.bytes += parts[n].bytes;
    }
    parts[n] = all;
    return n + 1;
}

void message_sizes_find(struct message_sizes *sizes, const struct reseat_profile *profile)
{
    *sizes = (struct message_sizes){
        .is_known = reseat_profile_header(profile, RESEAT_SIZES_HEADER) != NULL};
    for (size_t d = 0; sizes->is_known && d < profile->domains_count; d++)
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
            for (size_t i = 0; i < profile->domains[d].count[kind]; i++) {
                const struct reseat_entry *e = &profile->domains[d].entries[kind][i];
                int size = message_size_of_mean(e->msgs, e->bytes);
                sizes->of[kind][size].msgs += (double)e->msgs;
                sizes->of[kind][size].bytes += (double)e->bytes;
            }
}
