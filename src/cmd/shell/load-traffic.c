/* SPDX-License-Identifier: BSD-3-Clause */
/* load-traffic.c - see load-traffic.h. */
#include <stdlib.h>
#include <unistd.h>

#include "cmd/shell/complain.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/shell/output-file.h"
#include "cmd/shell/progress.h"
#include "exchange/exchange.h"
#include "profile/world-profile.h"
#include "treematch/model/objects.h"

const char *default_profile(void)
{
    const char *given = getenv("RESEAT_FILE");
    return given && *given ? given : "reseat.profile";
}

int find_default_profile(const char **path, struct reseat_error *error)
{
    const char *standard = default_profile();
    if (access(standard, F_OK))
        return cli_refuse(
            error, "which FILE? there is no %s here, which reseat profile -- mpirun ... writes",
            standard);
    *path = standard;
    return 0;
}

int check_sums(const struct reseat_profile *profile, const char *path, struct reseat_error *error)
{
    uint64_t msgs = 0, bytes = 0;
    for (size_t d = 0; d < profile->domains_count; d++)
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
            for (size_t i = 0; i < profile->domains[d].count[kind]; i++) {
                const struct reseat_entry *e = &profile->domains[d].entries[kind][i];
                if (e->source == e->target)
                    continue;
                if (e->msgs > TMAP_MOST_WEIGHT - msgs || e->bytes > TMAP_MOST_WEIGHT - bytes)
                    return reseat_fail(error, "%s: the weights sum up to 2^63 or more", path);
                msgs += e->msgs;
                bytes += e->bytes;
            }
    return 0;
}

int keep_traffic(struct reseat_profile *profile, const char *path, int phase, int kind,
                 struct reseat_error *error)
{
    if (phase >= 0 && !reseat_profile_keep_phase(profile, phase))
        return reseat_fail(error, "%s: no traffic in phase %d", path, phase);
    if (!reseat_profile_keep_kind(profile, kind) && kind >= 0)
        return reseat_fail(error, "%s: no traffic of the kind %s", path,
                           reseat_traffic_name((enum reseat_traffic)kind));
    return check_sums(profile, path, error);
}

int load_profile(struct reseat_profile **profile, const char *path, int phase,
                 struct reseat_error *error)
{
    struct reseat_profile *found;
    progress_say("reading");
    int rc = reseat_profile_read(&found, path, error);
    progress_end();
    if (rc)
        return -1;
    int status = keep_traffic(found, path, phase, -1, error);
    if (status)
        reseat_profile_destroy(found);
    else
        *profile = found;
    return status;
}

int load_pattern(struct reseat_profile **profile, const char *name,
                 const struct generate_pattern *pattern, int32_t ranks, uint64_t seed,
                 struct reseat_error *error)
{
    struct tmap_entry *entries = NULL;
    struct reseat_entry twice;
    struct tmap_error why;
    size_t count = 0;
    if (generate_traffic(&entries, &count, pattern, ranks, seed, &why))
        return reseat_fail(error, "%s: %s", name, why.text);
    struct reseat_profile *made = world_create(ranks);
    int rc = made ? 0 : -1;
    for (size_t i = 0; i < count && rc == 0; i++) {
        const struct tmap_entry *e = &entries[i];
        const struct reseat_entry entry = {e->source, e->target, 1, e->weight, 0};
        rc = world_add(made, RESEAT_P2P, &entry);
    }
    free(entries);
    if (rc || world_finish(made, &twice)) {
        reseat_profile_destroy(made);
        return reseat_fail(error, "out of memory");
    }
    *profile = made;
    return 0;
}

/* Returns 1 if it is no file, but a pattern by its text. */
static int traffic_is_pattern(const char *name)
{
    return generate_is_name(name) && access(name, F_OK) != 0;
}

/* A pattern by its text; `ranks`, which may be 0, if that does not say its size. 0, or -1
 * with *error. */
static int traffic_generate(struct reseat_profile **profile, const char *text, int32_t ranks,
                            uint64_t seed, struct reseat_error *error)
{
    struct generate_pattern pattern;
    struct tmap_error why;
    if (generate_parse(&pattern, text, &why))
        return cli_refuse(error, "%s: %s", text, why.text);
    if (!pattern.roles && !ranks)
        return cli_refuse(error, "%s: how many ranks? say it as in %s:64", text, text);
    return load_pattern(profile, text, &pattern, pattern.roles ? pattern.roles : ranks, seed,
                        error);
}

int load_traffic(struct reseat_profile **profile, const char *const *paths, size_t count,
                 const char *from, enum reseat_metric metric, int32_t ranks,
                 struct reseat_error *error)
{
    int format = from ? reseat_format_named(from) : RESEAT_FORMAT_TOLD;
    if (!from && count == 1 && traffic_is_pattern(paths[0]))
        return traffic_generate(profile, paths[0], ranks, 0, error);
    progress_say("reading");
    int rc = reseat_exchange_read(profile, (enum reseat_format)format, paths, count, metric, ranks,
                                  error);
    progress_end();
    return rc;
}

int load_part(struct reseat_profile **profile, const char *path, const struct traffic_part *part,
              struct reseat_error *error)
{
    struct reseat_profile *found;
    enum reseat_metric metric =
        part->metric == RESEAT_METRIC_TIME ? RESEAT_METRIC_SIZE : part->metric;
    int status = traffic_is_pattern(path) ? traffic_generate(&found, path, 0, part->seed, error)
                                          : load_traffic(&found, &path, 1, NULL, metric, 0, error);
    if (status)
        return status;
    status = keep_traffic(found, path, part->phase, part->kind, error);
    if (status)
        reseat_profile_destroy(found);
    else
        *profile = found;
    return status;
}

int load_workload(struct reseat_workload **workload, const char *path, const char *output,
                  struct reseat_error *error)
{
    int status = 0;
    if (reseat_workload_read(workload, path, error))
        return -1;
    for (size_t j = 0; !status && j < (*workload)->count; j++)
        status =
            check_output_name(output, (const char *const *)&(*workload)->jobs[j].path, 1, error);
    return status;
}
