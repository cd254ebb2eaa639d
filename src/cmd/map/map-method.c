/* SPDX-License-Identifier: BSD-3-Clause */
/* map-method.c - see map.h: methods by name. */
#include <stdio.h>
#include <string.h>

#include "cmd/map/map.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/options.h"
#include "cmd/shell/scotch-module.h"
#include "treematch/tmap.h"

const char *map_method_name(int index)
{
    const char *name;
    int own = 0, jobs = 0;
    while (tmap_method_describe(own, &name, NULL))
        if (own++ == index)
            return name;
    while ((name = map_job_method(jobs)))
        if (own + jobs++ == index)
            return name;
    return scotch_method(index - own - jobs);
}

int map_check_method(const char *method)
{
    char names[512] = "";
    const char *name;
    for (int i = 0; (name = map_method_name(i)); i++) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", i == 0 ? "" : "|", name);
    }
    return options_word("method", names, method) < 0 ? EXIT_USAGE : 0;
}
