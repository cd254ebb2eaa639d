/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-rates.c - any bytes as a cluster of servers, or as timings of one: read, with numbers that a
 * simulation can use, or refused with a line. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "simulate/rates.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/reseat-fuzz.XXXXXX";
    struct reseat_rates rates;
    struct reseat_error error = {""};
    int file = mkstemp(path);
    require(file >= 0);
    require(write(file, data, size) == (ssize_t)size);
    close(file);
    int rc = reseat_rates_load(&rates, path, NULL, &error);
    unlink(path);
    require(rc == 0 || (error.text[0] && !strchr(error.text, '\n')));
    if (rc)
        return 0;
    require(rates.nodes > 0 && rates.packages > 0 && rates.cores > 0);
    require(reseat_rates_check(&rates, &error) == 0);
    require(rates.card_directions == 1 || rates.card_directions == 2);
    require(rates.card_bytes_per_second > 0 && isfinite(rates.card_bytes_per_second));
    require(rates.memory_bytes_per_second > 0 && isfinite(rates.memory_bytes_per_second));
    require(rates.remote_memory_factor > 0 && isfinite(rates.remote_memory_factor));
    require(rates.switch_seconds >= 0 && rates.switch_seconds <= 1e3);
    return 0;
}
