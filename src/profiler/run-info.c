/* SPDX-License-Identifier: BSD-3-Clause */
/* run-info.c - see run-info.h. From /proc, because a Fortran program has no argv to look at. */
#include "profiler/run-info.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "format/location.h"
#include "treematch/tmap-hwloc.h"

const char *run_info_program(char *text)
{
    ssize_t length = readlink("/proc/self/exe", text, RUN_INFO_SIZE - 1);
    text[length > 0 ? length : 0] = '\0';
    return text;
}

const char *run_info_arguments(char *text)
{
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, text, RUN_INFO_SIZE - 1);
    if (file >= 0)
        close(file);
    while (length > 0 && text[length - 1] == '\0')
        length--;
    text[length > 0 ? length : 0] = '\0';
    ssize_t first = (ssize_t)strlen(text) + 1; /* after the name of the program */
    for (ssize_t i = first; i < length; i++)
        if (text[i] == '\0')
            text[i] = ' ';
    return first < length ? text + first : "";
}

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
