/* SPDX-License-Identifier: BSD-3-Clause */
/* load-traffic.c - see load-traffic.h. */
#include <string.h>

#include "cmd/shell/complain.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/shell/output-file.h"
#include "cmd/shell/progress.h"
#include "exchange/exchange.h"
#include "profile/settings.h"
#include "text/number.h"

int load_profile(struct reseat_profile **profile, const char *path, const char *phase,
                 const char *command)
{
    struct reseat_profile *found;
    struct reseat_error error;
    const char *end = phase;
    uint64_t number = 0;
    if (phase && strcmp(phase, "all") == 0)
        phase = NULL;
    if (phase && (read_number(&end, RESEAT_PHASES - 1, &number) || *end))
        return cli_fail(EXIT_USAGE, command,
                        "--phase takes all or a number of at most %d, not '%s'", RESEAT_PHASES - 1,
                        phase);
    progress_say(command, "reading");
    int rc = reseat_profile_read(&found, path, &error);
    progress_end();
    if (rc)
        return cli_fail(EXIT_TROUBLE, command, "%s", error.text);
    if (phase && !reseat_profile_keep_phase(found, (int32_t)number)) {
        reseat_profile_destroy(found);
        return cli_fail(EXIT_TROUBLE, command, "%s: no traffic in phase %s", path, phase);
    }
    *profile = found;
    return 0;
}

int keep_kind(struct reseat_profile *profile, const char *path, int kind, const char *command)
{
    if (reseat_profile_keep_kind(profile, kind) || kind < 0)
        return 0;
    return cli_fail(EXIT_TROUBLE, command, "%s: no traffic of the kind %s", path,
                    reseat_traffic_name((enum reseat_traffic)kind));
}

int load_traffic(struct reseat_profile **profile, const char *const *paths, size_t count,
                 const char *from, enum reseat_metric metric, int32_t ranks, const char *command)
{
    struct reseat_error error;
    int format = from ? reseat_format_named(from) : RESEAT_FORMAT_TOLD;
    progress_say(command, "reading");
    int rc = reseat_exchange_read(profile, (enum reseat_format)format, paths, count, metric, ranks,
                                  &error);
    progress_end();
    return rc ? cli_fail(EXIT_TROUBLE, command, "%s", error.text) : 0;
}

int load_workload(struct reseat_workload **workload, const char *path, const char *output,
                  const char *command)
{
    struct reseat_error error;
    int status = 0;
    if (reseat_workload_read(workload, path, &error))
        return cli_fail(EXIT_TROUBLE, command, "%s", error.text);
    for (size_t j = 0; !status && j < (*workload)->count; j++)
        status =
            check_output_name(output, (const char *const *)&(*workload)->jobs[j].path, 1, command);
    return status;
}
