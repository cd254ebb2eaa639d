/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * binding.c - see binding.h. Reading a machine takes hundreds of files and milliseconds of
 * processor time, and longer if all ranks of a large node do it at once; this takes one file and a
 * few system calls.
 */
#include "treematch/adapters/binding.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int binding_hwloc_is_told(void)
{
    extern char **environ;
    for (char **entry = environ; entry && *entry; entry++)
        if (strncmp(*entry, "HWLOC_", 6) == 0)
            return 1;
    return 0;
}

static int binding_has(const struct tmap_binding *binding, unsigned cpu)
{
    return cpu < TMAP_BINDING_CPUS &&
           binding->word[cpu / TMAP_BINDING_BITS] >> cpu % TMAP_BINDING_BITS & 1;
}

/* Returns 1 if all PUs of a list as the kernel writes it, "0-3,8", are in the set. */
static int binding_has_list(const struct tmap_binding *binding, const char *list)
{
    unsigned first, last;
    int length;
    while (sscanf(list, "%u%n", &first, &length) == 1) {
        list += length;
        last = first;
        if (*list == '-' && sscanf(list, "-%u%n", &last, &length) == 1)
            list += length;
        for (unsigned cpu = first; cpu <= last; cpu++)
            if (!binding_has(binding, cpu))
                return 0;
        if (*list != ',')
            return *list == '\n' || *list == '\0';
        list++;
    }
    return 0;
}

static int binding_has_all_online(const struct tmap_binding *binding)
{
    char list[4096];
    FILE *file = fopen("/sys/devices/system/cpu/online", "re");
    int has = file && fgets(list, sizeof list, file) && binding_has_list(binding, list);
    if (file)
        fclose(file);
    return has;
}

/* Add the PUs of one thread, 0 for the calling one. 0, or -1. The kernel's masks are such words. */
static int binding_add(struct tmap_binding *binding, pid_t thread)
{
    unsigned long word[TMAP_BINDING_WORDS] = {0};
    if (sched_getaffinity(thread, sizeof word, (cpu_set_t *)word))
        return -1;
    for (size_t i = 0; i < TMAP_BINDING_WORDS; i++)
        binding->word[i] |= word[i];
    return 0;
}

/* A thread that has ended in the meantime has none. */
static void binding_add_threads(struct tmap_binding *binding)
{
    DIR *threads = opendir("/proc/self/task");
    struct dirent *entry;
    while (threads && (entry = readdir(threads)))
        if (entry->d_name[0] != '.')
            binding_add(binding, (pid_t)atoi(entry->d_name));
    if (threads)
        closedir(threads);
}

void tmap_binding_read(struct tmap_binding *binding)
{
    memset(binding, 0, sizeof *binding);
    if (binding_add(binding, 0) || (!binding_hwloc_is_told() && binding_has_all_online(binding)))
        return;
    binding_add_threads(binding);
    binding->words = TMAP_BINDING_WORDS;
    while (binding->words && !binding->word[binding->words - 1])
        binding->words--;
}
