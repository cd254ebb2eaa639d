/* SPDX-License-Identifier: BSD-3-Clause */
/* free-cores.c - see free-cores.h. */
#include "simulate/free-cores.h"

#include <stdlib.h>

int free_cores_init(struct free_cores *cores, const struct reseat_rates *rates,
                    const struct reseat_workload *workload)
{
    int32_t packages = rates->nodes * rates->packages;
    *cores = (struct free_cores){.rates = rates, .all = reseat_rates_all_cores(rates)};
    cores->is_taken = calloc((size_t)cores->all, 1);
    cores->in_node = malloc(sizeof *cores->in_node * (size_t)rates->nodes);
    cores->in_package = malloc(sizeof *cores->in_package * (size_t)packages);
    if (!cores->is_taken || !cores->in_node || !cores->in_package)
        return -1;
    for (int32_t node = 0; node < rates->nodes; node++)
        cores->in_node[node] = rates->packages * rates->cores;
    for (int32_t package = 0; package < packages; package++)
        cores->in_package[package] = rates->cores;
    for (size_t t = 0; t < workload->taken_nodes; t++)
        for (int32_t c = 0; c < workload->taken[t].cores; c++)
            free_cores_take_first(cores, workload->taken[t].node);
    return 0;
}

void free_cores_fini(struct free_cores *cores)
{
    free(cores->is_taken);
    free(cores->in_node);
    free(cores->in_package);
}

/* The index of the largest of `count` numbers from `first` on; the first of several. */
static int32_t free_cores_most(const int32_t *number, int32_t first, int32_t count)
{
    int32_t most = first;
    for (int32_t i = first + 1; i < first + count; i++)
        if (number[i] > number[most])
            most = i;
    return most;
}

int32_t free_cores_emptiest_node(const struct free_cores *cores)
{
    return free_cores_most(cores->in_node, 0, cores->rates->nodes);
}

int32_t free_cores_emptiest_package(const struct free_cores *cores, int32_t node)
{
    int32_t packages = cores->rates->packages;
    return free_cores_most(cores->in_package, node * packages, packages);
}

int32_t free_cores_take(struct free_cores *cores, int32_t package)
{
    int32_t core = package * cores->rates->cores;
    while (cores->is_taken[core])
        core++;
    cores->is_taken[core] = 1;
    cores->in_package[package]--;
    cores->in_node[package / cores->rates->packages]--;
    cores->all--;
    return core;
}

int32_t free_cores_take_first(struct free_cores *cores, int32_t node)
{
    int32_t package = node * cores->rates->packages;
    while (cores->in_package[package] == 0)
        package++;
    return free_cores_take(cores, package);
}
