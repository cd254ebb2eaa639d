/* SPDX-License-Identifier: BSD-3-Clause */
/* run-info.c - see run-info.h. */
#include "profiler/run-info.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "network/location.h"
#include "treematch/tmap-hwloc.h"

const char *run_info_date(char *text)
{
    time_t now = time(NULL);
    struct tm parts;
    text[0] = '\0';
    if (gmtime_r(&now, &parts))
        strftime(text, RUN_INFO_SIZE, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

void run_info_host(struct reseat_seat *seat)
{
    memset(seat, 0, sizeof *seat);
    if (gethostname(seat->host, sizeof seat->host - 1))
        strcpy(seat->host, "unknown");
    reseat_place_clear(&seat->place);
}

void run_info_seat(struct reseat_seat *seat)
{
    struct tmap_place place;
    int bound;
    run_info_host(seat);
    if (tmap_place_find_self(&place, &bound, NULL) == TMAP_OK)
        seat->place = place;
}
