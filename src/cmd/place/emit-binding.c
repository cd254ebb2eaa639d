/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit-binding.c - how Hydra, Intel MPI and Slurm bind the ranks of a launch order.
 *
 * They take one list and apply it on every host: entry i is for the i-th rank there, in order of
 * rank. So an order can be bound if all hosts need the same list (or a prefix of it, if they have
 * fewer ranks). Hydra (ui/utils in its sources; seen with 4.0.2) restarts the list at every entry
 * of its host file: with the hosts a, b, a both ranks on a would get the first PU.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/place/emit.h"

int emit_same_host(const struct emit_seat *seats, int32_t a, int32_t b)
{
    return seats[a].host == seats[b].host || strcmp(seats[a].host, seats[b].host) == 0;
}

/* Fill number[rank] with the number of its host, in order of appearance. Returns how many there
 * are. Adjacent ranks mostly share a host. */
static int32_t binding_number_hosts(const struct emit_seat *seats, int32_t ranks, int32_t *number)
{
    int32_t hosts = 0;
    for (int32_t rank = 0; rank < ranks; rank++) {
        int32_t seen = rank && emit_same_host(seats, rank - 1, rank) ? rank - 1 : 0;
        while (seen < rank && !emit_same_host(seats, seen, rank))
            seen++;
        number[rank] = seen < rank ? number[seen] : hosts++;
    }
    return hosts;
}

/* Returns 1 if no host comes back after another one: then numbers never decrease. */
static int binding_in_blocks(const int32_t *number, int32_t ranks)
{
    for (int32_t rank = 1; rank < ranks; rank++)
        if (number[rank] < number[rank - 1])
            return 0;
    return 1;
}

/* The length of the shortest prefix that yields the whole list when repeated. */
static int32_t binding_period(const int32_t *number, int32_t ranks)
{
    int32_t period = 1;
    for (int32_t rank = 1; rank < ranks; rank++)
        if (number[rank] != number[rank % period])
            period = rank + 1;
    return period;
}

static int32_t binding_entries(const int32_t *number, int32_t ranks)
{
    int32_t period = binding_period(number, ranks);
    return !binding_in_blocks(number, ranks) && binding_in_blocks(number, period) ? period : ranks;
}

int32_t emit_hydra_entries(const struct emit_seat *seats, int32_t ranks)
{
    int32_t entries = ranks, *number = malloc(sizeof *number * ((size_t)ranks + 1));
    if (number) {
        binding_number_hosts(seats, ranks, number);
        entries = binding_entries(number, ranks);
    }
    free(number);
    return entries;
}

int emit_hydra_comes_back(const struct emit_seat *seats, int32_t ranks)
{
    int rc = 0;
    int32_t *number = malloc(sizeof *number * ((size_t)ranks + 1));
    if (number) {
        binding_number_hosts(seats, ranks, number);
        rc = !binding_in_blocks(number, binding_entries(number, ranks));
    }
    free(number);
    return rc;
}

/* ---- the list ---- */

static int binding_same_cpus(const struct emit_seat *a, const struct emit_seat *b)
{
    if (a->cpus && b->cpus)
        return strcmp(a->cpus, b->cpus) == 0;
    return !a->cpus && !b->cpus && a->core >= 0 && a->core == b->core;
}

/*
 * Fill first[i] with a rank that is the i-th of its host. Returns the largest number of ranks on a
 * host; -1: the i-th ranks of two hosts have different PUs. `met` has an entry for each host.
 */
static int32_t binding_make_list(const struct emit_seat *seats, int32_t ranks,
                                 const int32_t *number, int32_t *met, int32_t *first)
{
    int32_t entries = 0;
    for (int32_t rank = 0; rank < ranks; rank++) {
        int32_t local = met[number[rank]]++;
        if (local == entries)
            first[entries++] = rank;
        if (!binding_same_cpus(&seats[first[local]], &seats[rank]))
            return -1;
    }
    return entries;
}

/* The next PU of "0-1,8"; *at advances. -1 at the end. */
static int binding_next_cpu(const char **at, int *last, int *until)
{
    int length;
    if (*last < *until)
        return ++*last;
    if (sscanf(*at, "%d%n", last, &length) != 1)
        return -1;
    *at += length;
    *until = *last;
    if (sscanf(*at, "-%d%n", until, &length) == 1)
        *at += length;
    *at += **at == ',';
    return *last;
}

/* 0+1+8 */
static void binding_print_plus(FILE *file, const struct emit_seat *seat)
{
    const char *at = seat->cpus ? seat->cpus : "", *plus = "";
    int last = 0, until = 0, cpu;
    if (!seat->cpus)
        fprintf(file, "%d", (int)seat->core);
    while ((cpu = binding_next_cpu(&at, &last, &until)) >= 0) {
        fprintf(file, "%s%d", plus, cpu);
        plus = "+";
    }
}

enum { MASK_DIGITS = 4096 };

/* 0x103 */
static void binding_print_mask(FILE *file, const struct emit_seat *seat)
{
    unsigned char digits[MASK_DIGITS] = {0};
    const char *at = seat->cpus ? seat->cpus : "";
    int last = 0, until = 0;
    int cpu = seat->cpus ? binding_next_cpu(&at, &last, &until) : (int)seat->core;
    int top = 0;
    for (; cpu >= 0 && cpu < 4 * MASK_DIGITS; cpu = binding_next_cpu(&at, &last, &until)) {
        digits[cpu / 4] |= (unsigned char)(1 << cpu % 4);
        top = cpu / 4 > top ? cpu / 4 : top;
    }
    fprintf(file, "0x");
    for (; top >= 0; top--)
        fprintf(file, "%x", digits[top]);
}

/* 0-1,8 */
static void binding_print_ranges(FILE *file, const struct emit_seat *seat)
{
    if (seat->cpus)
        fputs(seat->cpus, file);
    else
        fprintf(file, "%d", (int)seat->core);
}

/* The syntax of a list. */
struct binding_syntax {
    const char *head, *between;
    void (*print)(FILE *file, const struct emit_seat *seat);
};

static struct binding_syntax binding_syntax_of(enum launcher_list list, int single)
{
    static const struct binding_syntax user = {"user:", ",", binding_print_plus},
                                       colon = {"list:", ":", binding_print_ranges},
                                       map = {"map_cpu:", ",", binding_print_plus},
                                       mask = {"mask_cpu:", ",", binding_print_mask};
    return list == LAUNCHER_USER_LIST    ? user
           : list == LAUNCHER_COLON_LIST ? colon
           : single                      ? map
                                         : mask;
}

static void binding_print_list(FILE *file, enum launcher_list list, const struct emit_seat *seats,
                               const int32_t *first, int32_t entries)
{
    int single = 1;
    for (int32_t i = 0; i < entries; i++)
        single &= !seats[first[i]].cpus || !strpbrk(seats[first[i]].cpus, ",-");
    struct binding_syntax syntax = binding_syntax_of(list, single);
    fputs(syntax.head, file);
    for (int32_t i = 0; i < entries; i++) {
        fputs(i ? syntax.between : "", file);
        syntax.print(file, &seats[first[i]]);
    }
}

int emit_binding(char **text, const struct launcher_format *format, const struct emit_seat *seats,
                 int32_t ranks)
{
    size_t n = (size_t)ranks + 1, size;
    int32_t *number = malloc(n * sizeof *number), *first = malloc(n * sizeof *first);
    int32_t *met = calloc(n, sizeof *met), entries = -1;
    int rc = number && first && met ? 0 : -1;
    *text = NULL;
    if (rc == 0 && format->list != LAUNCHER_NO_LIST) {
        binding_number_hosts(seats, ranks, number);
        if (!format->restarts_hosts || binding_in_blocks(number, binding_entries(number, ranks)))
            entries = binding_make_list(seats, ranks, number, met, first);
    }
    if (entries > 0) {
        FILE *file = open_memstream(text, &size);
        if (file)
            binding_print_list(file, format->list, seats, first, entries);
        rc = !file || fclose(file) ? -1 : 0;
    }
    free(number);
    free(first);
    free(met);
    return rc;
}
