/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * card.c - see card.h. The kernel has cards in two places:
 *
 *   net/NAME/speed                    Ethernet: Mbit/s; -1 or no answer: not known
 *   net/NAME/device                   only of hardware, or what looks like it
 *   net/NAME/operstate                "down": not in use
 *   infiniband/NAME/ports/N/rate      "100 Gb/sec (4X EDR)"
 *   infiniband/NAME/ports/N/state     "4: ACTIVE"
 *   infiniband/NAME/ports/N/link_layer   "Ethernet": RoCE
 *
 * A node may have several cards of the same rate, which some MPIs use together: one counts.
 */
#include "network/card.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CARD_PATH 1024

static const char *const card_names[CARD_KINDS] = {"none", "virtual", "unknown", "ethernet",
                                                   "infiniband"};

/* Rates of data: of InfiniBand four lanes, without their encoding. */
static const struct {
    const char *name;
    uint32_t megabits;
} card_networks[] = {{"1g", 1000},     {"10g", 10000},   {"25g", 25000},   {"40g", 40000},
                     {"50g", 50000},   {"100g", 100000}, {"200g", 200000}, {"400g", 400000},
                     {"800g", 800000}, {"qdr", 32000},   {"fdr", 54500},   {"edr", 100000},
                     {"hdr", 200000},  {"ndr", 400000},  {"xdr", 800000},  {"opa", 100000}};

uint32_t card_rate_of(const char *network)
{
    for (size_t i = 0; i < sizeof card_networks / sizeof card_networks[0]; i++)
        if (strcmp(network, card_networks[i].name) == 0)
            return card_networks[i].megabits;
    return 0;
}

/* ---- as a text ---- */

const char *card_print(const struct card *card, char text[CARD_TEXT])
{
    const char *name = card_names[card->kind >= 0 && card->kind < CARD_KINDS ? card->kind : 0];
    if (card->megabits)
        snprintf(text, CARD_TEXT, "%s %" PRIu32 " Mbit/s", name, card->megabits);
    else
        snprintf(text, CARD_TEXT, "%s", name);
    return text;
}

int card_parse(struct card *card, const char *text)
{
    size_t length = strcspn(text, " ");
    struct card found = {.kind = 0};
    while (found.kind < CARD_KINDS && (strlen(card_names[found.kind]) != length ||
                                       strncmp(card_names[found.kind], text, length) != 0))
        found.kind++;
    if (found.kind == CARD_KINDS)
        return -1;
    char *end;
    unsigned long megabits = strtoul(text + length, &end, 10);
    if (strncmp(end, " Mbit/s", 7) == 0 && megabits <= UINT32_MAX)
        found.megabits = (uint32_t)megabits;
    *card = found;
    return 0;
}

/* ---- what the kernel says ---- */

/* The first line of a file below a folder; 0, or -1: it cannot be read. */
static int card_read(const char *folder, const char *name, char *line, int size)
{
    char path[CARD_PATH];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = length < CARD_PATH ? fopen(path, "re") : NULL;
    int rc = file && fgets(line, size, file) ? 0 : -1;
    if (file)
        fclose(file);
    return rc;
}

static int card_is_better(const struct card *card, const struct card *than)
{
    return card->megabits != than->megabits ? card->megabits > than->megabits
                                            : card->kind > than->kind;
}

typedef void card_looker(struct card *best, const char *folder);

/* Look at each folder below this one. */
static void card_walk(struct card *best, const char *folder, card_looker *look)
{
    DIR *open = opendir(folder);
    char path[CARD_PATH];
    const struct dirent *entry;
    while (open && (entry = readdir(open)))
        if (entry->d_name[0] != '.' &&
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < CARD_PATH)
            look(best, path);
    if (open)
        closedir(open);
}

static void card_look_at_net(struct card *best, const char *folder)
{
    char line[64], device[CARD_PATH];
    struct card card = {.kind = CARD_VIRTUAL};
    const char *name = strrchr(folder, '/') + 1;
    if (strcmp(name, "lo") == 0 ||
        (card_read(folder, "operstate", line, sizeof line) == 0 && strncmp(line, "down", 4) == 0))
        return;
    if (snprintf(device, sizeof device, "%s/device", folder) < CARD_PATH &&
        access(device, F_OK) == 0) {
        long megabits =
            card_read(folder, "speed", line, sizeof line) == 0 ? strtol(line, NULL, 10) : -1;
        card.megabits = megabits > 0 && megabits <= INT32_MAX ? (uint32_t)megabits : 0;
        card.kind = card.megabits ? CARD_ETHERNET : CARD_UNKNOWN;
    }
    if (card_is_better(&card, best))
        *best = card;
}

/* "2.5 Gb/sec (1X SDR)" as megabits, by digits: the program may have chosen a decimal comma. */
static uint32_t card_read_rate(const char *line)
{
    char *end;
    unsigned long whole = strtoul(line, &end, 10), tenths = 0;
    if (*end == '.' && end[1] >= '0' && end[1] <= '9')
        tenths = (unsigned long)(end[1] - '0');
    return whole < 1000000 ? (uint32_t)(whole * 1000 + tenths * 100) : 0;
}

static void card_look_at_port(struct card *best, const char *folder)
{
    char line[64];
    struct card card = {.kind = CARD_INFINIBAND};
    if (card_read(folder, "state", line, sizeof line) || !strstr(line, "ACTIVE"))
        return;
    if (card_read(folder, "rate", line, sizeof line) == 0)
        card.megabits = card_read_rate(line);
    if (card_read(folder, "link_layer", line, sizeof line) == 0 && strncmp(line, "Ether", 5) == 0)
        card.kind = CARD_ETHERNET;
    if (!card.megabits)
        card.kind = CARD_UNKNOWN;
    if (card_is_better(&card, best))
        *best = card;
}

static void card_look_at_device(struct card *best, const char *folder)
{
    char ports[CARD_PATH];
    if (snprintf(ports, sizeof ports, "%s/ports", folder) < CARD_PATH)
        card_walk(best, ports, card_look_at_port);
}

void card_find(struct card *card, const char *folder)
{
    char path[CARD_PATH];
    struct card best = {.kind = CARD_NONE};
    if (snprintf(path, sizeof path, "%s/net", folder) < CARD_PATH)
        card_walk(&best, path, card_look_at_net);
    if (snprintf(path, sizeof path, "%s/infiniband", folder) < CARD_PATH)
        card_walk(&best, path, card_look_at_device);
    *card = best;
}
