/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-timings.c - any bytes as timings of a machine: refused with a line, or figures above 0 that are
 * written and read again as the same. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "timings/timings.h"
#include "fuzz/fuzz.h"

static char *written(const struct reseat_timings *timings)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    require(memory);
    reseat_timings_write(memory, timings);
    require(fclose(memory) == 0);
    return text;
}

static struct reseat_timings *read_bytes(const void *data, size_t size)
{
    char path[] = "/tmp/reseat-fuzz.XXXXXX";
    struct reseat_timings *timings = NULL;
    struct reseat_error error = {""};
    int file = mkstemp(path);
    require(file >= 0);
    require(write(file, data, size) == (ssize_t)size);
    close(file);
    int rc = reseat_timings_read(&timings, path, &error);
    unlink(path);
    require((rc == 0) == (timings != NULL));
    require(rc == 0 || (error.text[0] && !strchr(error.text, '\n')));
    return timings;
}

static void check_figures(const struct reseat_timings *timings)
{
    static const double sizes[] = {0, 1, 8.5, 1e3, 1e6, 1e12, 1e18};
    for (size_t l = 0; l < timings->levels; l++) {
        struct timings_line line = reseat_timings_line(&timings->level[l]);
        require(line.latency >= 0 && isfinite(line.latency));
        require(line.seconds_per_byte >= 0 && isfinite(line.seconds_per_byte));
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            double seconds = reseat_timings_seconds(&timings->level[l], sizes[i]);
            require(seconds > 0 && isfinite(seconds));
        }
        for (int scope = 0; scope < TIMINGS_SCOPES; scope++) {
            struct timings_effort effort =
                reseat_timings_effort(&timings->level[l], (enum timings_scope)scope);
            require(effort.wait >= 0 && effort.message >= 0 && effort.byte >= 0);
            require(isfinite(effort.wait + effort.message + effort.byte));
        }
    }
    for (int r = 0; r < TIMINGS_RESOURCES; r++)
        for (int users = 1; users < 100; users += 7)
            require(reseat_timings_rate(timings, (enum timings_resource)r, users) > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reseat_timings *timings = read_bytes(data, size);
    if (!timings)
        return 0;
    check_figures(timings);
    char *text = written(timings);
    struct reseat_timings *again = read_bytes(text, strlen(text));
    require(again);
    char *same = written(again);
    require(strcmp(text, same) == 0);
    free(text);
    free(same);
    reseat_timings_destroy(again);
    reseat_timings_destroy(timings);
    return 0;
}
