/* SPDX-License-Identifier: BSD-3-Clause */
/* compare-lists.c - see compare.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "cmd/compare/compare.h"
#include "timings/timings.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/shell/machine-load.h"
#include "cmd/shell/options.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

int compare_add_machine(void *request, const char *option, const char *value)
{
    struct compare_request *r = request;
    struct compare_machine *grown = array_grow(r->machine, r->machines, sizeof *grown);
    if (!grown)
        return cli_no_memory();
    r->machine = grown;
    struct compare_machine *machine = &grown[r->machines++];
    *machine = (struct compare_machine){.name = value ? value : "this", .topology = value};
    if (strcmp(option, "tree") != 0)
        return 0;
    machine->topology = NULL;
    machine->tree = strdup(value);
    return machine->tree ? 0 : cli_no_memory();
}

/* ---- metrics and efforts ---- */

/* Find what each word of a list is among the `words` of its option; `usual`: if there is none. 0,
 * or a status after an error message. */
static int compare_resolve_words(struct word_list *list, const char *option, const char *words,
                                 const char *usual, int **meaning)
{
    struct reseat_error error;
    if (list->count == 0 && word_list_add(list, NULL, usual, &error))
        return cli_status(-1, &error);
    *meaning = word_list_meanings(list, sizeof **meaning);
    if (!*meaning)
        return cli_no_memory();
    for (size_t i = 0; i < list->count; i++)
        if (((*meaning)[i] = options_word(option, words, list->word[i])) < 0)
            return EXIT_USAGE;
    return 0;
}

static int compare_resolve_metrics(struct compare_request *r)
{
    int status = compare_resolve_words(&r->metrics, "metric", "size|msg|avg|time",
                                       r->timings ? "time" : "size", &r->metric);
    for (size_t i = 0; !status && !r->timings && i < r->metrics.count; i++)
        if (r->metric[i] == RESEAT_METRIC_TIME)
            return cli_fail(EXIT_USAGE,
                            "--metric time needs the timings of a machine: --timings FILE");
    return status;
}

/* ---- machines ---- */

/* How many ranks it takes; of a job that is known later. */
static int compare_measure_room(struct compare_machine *machine)
{
    struct tmap_tree *tree;
    struct reseat_error error;
    if (!machine->tree && names_switches(machine->topology))
        return 0;
    if (load_tree(&tree, NULL, machine->tree, machine->topology, machine->costs, &error))
        return cli_fail(machine->tree ? EXIT_USAGE : EXIT_TROUBLE, "%s", error.text);
    machine->room = tmap_tree_capacity(tree);
    tmap_tree_destroy(tree);
    return 0;
}

/* "TREE/C,C,..." has costs behind the tree. */
static int compare_resolve_machine(struct compare_request *r, struct compare_machine *machine)
{
    struct reseat_error error;
    char *slash = machine->tree ? strchr(machine->tree, '/') : NULL;
    machine->costs = slash ? slash + 1 : r->costs;
    if (slash)
        *slash = '\0';
    if (machine->tree && machine->costs && r->timings)
        return cli_fail(EXIT_USAGE,
                        "--tree %s: the costs behind a tree are numbers, and cannot be combined "
                        "with timings",
                        machine->name);
    if (r->job)
        machine->name = "job";
    int status = cli_status(check_tree(machine->tree, machine->costs, &error), &error);
    return status || r->job ? status : compare_measure_room(machine);
}

static int compare_resolve_machines(struct compare_request *r)
{
    int status = r->machines ? 0 : compare_add_machine(r, "topology", NULL);
    for (size_t i = 0; !status && i < r->machines; i++)
        status = compare_resolve_machine(r, &r->machine[i]);
    return status;
}

/* ---- patterns ---- */

static int compare_resolve_pattern(struct compare_request *r, struct compare_pattern *pattern)
{
    struct tmap_error why;
    struct reseat_error error;
    const char *name = pattern->name;
    if (r->job)
        return cli_status(load_profile(&pattern->traffic, name, -1, &error), &error);
    /* Forms with one number a pair have messages or bytes. */
    enum reseat_metric metric = r->metrics.count == 1 && r->metric[0] != RESEAT_METRIC_TIME
                                    ? (enum reseat_metric)r->metric[0]
                                    : RESEAT_METRIC_SIZE;
    if (access(name, F_OK) == 0 || !generate_is_name(name))
        return cli_status(load_traffic(&pattern->traffic, &name, 1, NULL, metric, 0, &error),
                          &error);
    if (generate_parse(&pattern->generator, name, &why))
        return cli_fail(EXIT_USAGE, "%s: %s", name, why.text);
    pattern->is_generated = 1;
    int32_t ranks = pattern->generator.roles;
    return cli_status(
        ranks && load_pattern(&pattern->traffic, name, &pattern->generator, ranks, r->seed, &error),
        &error);
}

static int compare_resolve_patterns(struct compare_request *r)
{
    int status = 0;
    r->pattern = word_list_meanings(&r->patterns, sizeof *r->pattern);
    if (!r->pattern)
        return cli_no_memory();
    for (size_t i = 0; !status && i < r->patterns.count; i++) {
        r->pattern[i].name = r->patterns.word[i];
        status = compare_resolve_pattern(r, &r->pattern[i]);
    }
    return status;
}

/* ---- all ---- */

/* The numbers and files that are named once. */
static int compare_check_values(struct compare_request *r)
{
    struct reseat_timings *timings = NULL;
    struct reseat_error error;
    if (r->timings && reseat_timings_read(&timings, r->timings, &error))
        return cli_status(-1, &error);
    reseat_timings_destroy(timings);
    return 0;
}

const char **compare_list_inputs(const struct compare_request *r, size_t more, size_t *count)
{
    size_t words = 0, n = 0;
    while (r->job && r->job[words])
        words++;
    const char **inputs =
        malloc((r->patterns.count + r->machines + words + 1 + more) * sizeof *inputs);
    if (!inputs)
        return NULL;
    for (size_t i = 0; i < r->patterns.count; i++)
        inputs[n++] = r->patterns.word[i];
    for (size_t i = 0; i < r->machines; i++)
        inputs[n++] = r->machine[i].topology;
    for (size_t i = 0; i < words; i++)
        inputs[n++] = r->job[i];
    inputs[n++] = r->timings;
    *count = n;
    return inputs;
}

int compare_resolve(struct compare_request *r)
{
    int status = compare_check_values(r);
    if (status)
        return status;
    if ((status = compare_resolve_metrics(r)) ||
        (status = compare_resolve_words(&r->efforts, "effort", "fast|default|strong", "default",
                                        &r->effort)) ||
        (status = method_list_resolve(&r->methods, &r->method)) ||
        (status = compare_resolve_machines(r)))
        return status;
    return compare_resolve_patterns(r);
}

void compare_free_request(struct compare_request *r)
{
    for (size_t i = 0; r->pattern && i < r->patterns.count; i++)
        reseat_profile_destroy(r->pattern[i].traffic);
    for (size_t i = 0; i < r->machines; i++)
        free(r->machine[i].tree);
    free(r->pattern);
    free(r->machine);
    free(r->method);
    free(r->metric);
    free(r->effort);
    struct word_list *words[] = {&r->patterns, &r->methods, &r->metrics, &r->efforts};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        word_list_free(words[i]);
}
