/* SPDX-License-Identifier: BSD-3-Clause */
/* rates.c - see rates.h. A row for each key; integers are read as reals without a fraction. */
#include "simulate/rates.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "text/lines.h"

struct rates_key {
    const char *name;
    size_t offset;
    int is_integer;
    double least, most;
};

#define RATES_KEY(name, is_integer, least, most)                            \
    {                                                                       \
#name, offsetof(struct reseat_rates, name), is_integer, least, most \
    }

static const struct rates_key rates_keys[] = {
    RATES_KEY(nodes, 1, 1, RATES_MOST_CORES),
    RATES_KEY(packages, 1, 1, RATES_MOST_CORES),
    RATES_KEY(cores, 1, 1, RATES_MOST_CORES),
    RATES_KEY(card_bytes_per_second, 0, 1, 1e18),
    RATES_KEY(card_directions, 1, 1, 2),
    RATES_KEY(card_seconds, 0, 0, 1e3),
    RATES_KEY(memory_bytes_per_second, 0, 1, 1e18),
    RATES_KEY(memory_seconds, 0, 0, 1e3),
    RATES_KEY(remote_memory_factor, 0, 1e-3, 1e3),
    RATES_KEY(cache_bytes_per_second, 0, 1, 1e18),
    RATES_KEY(cache_longest_bytes, 0, 0, 1e18),
    RATES_KEY(switch_seconds, 0, 0, 1e3),
};
enum { RATES_KEYS = sizeof rates_keys / sizeof rates_keys[0] };

void reseat_rates_init(struct reseat_rates *rates)
{
    *rates = (struct reseat_rates){.nodes = 16,
                                   .packages = 4,
                                   .cores = 4,
                                   .card_bytes_per_second = 1e9,
                                   .card_directions = 2,
                                   .memory_bytes_per_second = 4e9,
                                   .remote_memory_factor = 1.1,
                                   .cache_bytes_per_second = 8e9,
                                   .cache_longest_bytes = 1048576,
                                   .switch_seconds = 100e-9};
}

int reseat_rates_check(const struct reseat_rates *rates, struct reseat_error *error)
{
    double cores = (double)rates->nodes * rates->packages * rates->cores;
    return cores > RATES_MOST_CORES
               ? reseat_fail(error, "%g cores, and at most %d can be simulated", cores,
                             RATES_MOST_CORES)
               : 0;
}

static int rates_set(struct reseat_rates *rates, const struct rates_key *key, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (strspn(text, "0123456789.eE+-") != (size_t)(end - text) || end == text ||
        !lines_at_end(end) || !(value >= key->least && value <= key->most) ||
        (key->is_integer && value != floor(value)))
        return -1;
    int32_t number = key->is_integer ? (int32_t)value : 0;
    memcpy((char *)rates + key->offset, key->is_integer ? (void *)&number : (void *)&value,
           key->is_integer ? sizeof number : sizeof value);
    return 0;
}

/* `KEY VALUE`, each key once. 0, or -1 with the error. */
static int rates_read_line(struct lines *lines, struct reseat_rates *rates, int *is_set)
{
    char *line = lines->line;
    line[strcspn(line, "#")] = '\0';
    line += strspn(line, " \t");
    size_t length = strcspn(line, " \t"), k = 0;
    if (length == 0)
        return 0;
    while (k < RATES_KEYS &&
           (strlen(rates_keys[k].name) != length || strncmp(line, rates_keys[k].name, length) != 0))
        k++;
    if (k == RATES_KEYS)
        return lines_fail(lines, "there is no key '%.*s'", (int)(length < 40 ? length : 40), line);
    const struct rates_key *key = &rates_keys[k];
    if (is_set[k]++)
        return lines_fail(lines, "%s is there twice", key->name);
    line += length;
    if (rates_set(rates, key, line + strspn(line, " \t")))
        return lines_fail(lines, "%s takes a%s number from %.7g to %.7g", key->name,
                          key->is_integer ? " whole" : "", key->least, key->most);
    return 0;
}

static int rates_are_set(const int *is_set)
{
    for (int k = 0; k < RATES_KEYS; k++)
        if (is_set[k])
            return 1;
    return 0;
}

int reseat_rates_read(struct reseat_rates *rates, const char *path, struct reseat_error *error)
{
    struct lines lines;
    struct reseat_rates found;
    struct reseat_error why;
    int is_set[RATES_KEYS] = {0}, more = 0, rc = lines_open(&lines, path, error);
    reseat_rates_init(&found);
    lines.open_end = 1;
    lines.most = 4096;
    while (rc == 0 && (more = lines_next(&lines)) > 0)
        rc = rates_read_line(&lines, &found, is_set);
    lines_close(&lines);
    if (rc || more < 0)
        return -1;
    if (!rates_are_set(is_set))
        return reseat_fail(error, "%s: nothing about a machine in it", path);
    if (reseat_rates_check(&found, &why))
        return reseat_fail(error, "%s: %s", path, why.text);
    *rates = found;
    return 0;
}
