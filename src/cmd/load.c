/* SPDX-License-Identifier: BSD-3-Clause */
/* load.c - what several subcommands read: a profile, one phase of it. */
#include <stdint.h>

#include "cmd/cmd.h"
#include "format/number.h"

int load_profile(struct reseat_profile **profile, const char *path, const char *phase,
                 const char *command)
{
    struct reseat_error error;
    const char *end = phase;
    uint64_t number = 0;
    if (phase && (read_number(&end, RESEAT_PHASES - 1, &number) || *end))
        return complain(EXIT_USAGE, command, "--phase takes a number of at most %d, not '%s'",
                        RESEAT_PHASES - 1, phase);
    if (reseat_profile_read(profile, path, &error))
        return complain(EXIT_TROUBLE, command, "%s", error.text);
    if (!phase || reseat_profile_keep_phase(*profile, (int32_t)number))
        return 0;
    reseat_profile_destroy(*profile);
    return complain(EXIT_TROUBLE, command, "%s: no traffic in phase %s", path, phase);
}
