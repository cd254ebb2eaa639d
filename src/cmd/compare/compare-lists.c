/* SPDX-License-Identifier: BSD-3-Clause */
/* compare-lists.c - see compare.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/compare/compare.h"
#include "timings/timings.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/shell/machine-load.h"
#include "cmd/shell/options.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

static int compare_no_memory(void)
{
    return cli_fail(EXIT_TROUBLE, "compare", "out of memory");
}

int compare_add_machine(void *machines, const char *option, const char *value)
{
    return word_list_add_one(machines, strcmp(option, "tree") == 0 ? "t" : "T", value,
                             strlen(value));
}

/* ---- metrics and efforts ---- */

static int compare_understand_metrics(struct compare_request *r)
{
    if (r->metrics.count == 0 && word_list_add(&r->metrics, NULL, r->timings ? "time" : "size"))
        return EXIT_TROUBLE;
    r->metric = word_list_meanings(&r->metrics, sizeof *r->metric);
    if (!r->metric)
        return compare_no_memory();
    for (size_t i = 0; i < r->metrics.count; i++) {
        int metric = options_word("compare", "metric", "size|msg|avg|time", r->metrics.word[i]);
        if (metric < 0)
            return EXIT_USAGE;
        r->metric[i] = (enum reseat_metric)metric;
        if (r->metric[i] == RESEAT_METRIC_TIME && !r->timings)
            return cli_fail(EXIT_USAGE, "compare",
                            "--metric time needs the timings of a machine: --timings FILE");
    }
    return 0;
}

static int compare_understand_efforts(struct compare_request *r)
{
    if (r->efforts.count == 0 && word_list_add(&r->efforts, NULL, "default"))
        return EXIT_TROUBLE;
    r->effort = word_list_meanings(&r->efforts, sizeof *r->effort);
    if (!r->effort)
        return compare_no_memory();
    for (size_t i = 0; i < r->efforts.count; i++) {
        int effort = options_word("compare", "effort", "fast|default|strong", r->efforts.word[i]);
        if (effort < 0)
            return EXIT_USAGE;
        r->effort[i] = (enum tmap_effort)effort;
    }
    return 0;
}

/* ---- machines ---- */

/* "TREE/C,C,...": the costs go from the tree to *costs. Both are parts of `word`. */
static const char *compare_split_costs(char *word, const char **costs)
{
    char *slash = strchr(word, '/');
    if (!slash)
        return word;
    *slash = '\0';
    *costs = slash + 1;
    return word;
}

/* How many ranks it takes; of a job that is known later. */
static int compare_measure_room(struct compare_machine *machine)
{
    struct tmap_tree *tree;
    struct reseat_error error;
    if (!machine->tree && names_switches(machine->topology))
        return 0;
    if (load_tree(&tree, NULL, machine->tree, machine->topology, machine->costs, &error))
        return cli_fail(machine->tree ? EXIT_USAGE : EXIT_TROUBLE, "compare", "%s", error.text);
    machine->room = tmap_tree_capacity(tree);
    tmap_tree_destroy(tree);
    return 0;
}

static int compare_understand_machine(struct compare_request *r, size_t i)
{
    struct compare_machine *machine = &r->machine[i];
    char *word = r->machines.word[i]; /* a letter for the option, then its value */
    machine->name = word + 1;
    machine->costs = r->costs;
    if (word[0] == 't') {
        char *copy = strdup(word + 1);
        if (!copy)
            return compare_no_memory();
        machine->tree = compare_split_costs(copy, &machine->costs);
        if (machine->costs && r->timings)
            return cli_fail(
                EXIT_USAGE, "compare",
                "--tree %s: the costs behind a tree are numbers, and cannot be combined "
                "with timings",
                machine->name);
    } else if (word[1])
        machine->topology = word + 1;
    else
        machine->name = "this";
    if (r->job)
        machine->name = "job";
    int status = check_tree(machine->tree, machine->costs, "compare");
    return status || r->job ? status : compare_measure_room(machine);
}

static int compare_understand_machines(struct compare_request *r)
{
    int status = r->machines.count ? 0 : compare_add_machine(&r->machines, "topology", "");
    if (status)
        return status;
    r->machine = word_list_meanings(&r->machines, sizeof *r->machine);
    if (!r->machine)
        return compare_no_memory();
    for (size_t i = 0; !status && i < r->machines.count; i++)
        status = compare_understand_machine(r, i);
    return status;
}

/* ---- patterns ---- */

static int compare_understand_pattern(struct compare_request *r, struct compare_pattern *pattern)
{
    struct tmap_error why;
    struct reseat_error error;
    const char *name = pattern->name;
    if (r->job)
        return load_profile(&pattern->traffic, name, -1, "compare");
    /* Forms with one number a pair have messages or bytes. */
    enum reseat_metric metric = r->metrics.count == 1 && r->metric[0] != RESEAT_METRIC_TIME
                                    ? r->metric[0]
                                    : RESEAT_METRIC_SIZE;
    if (access(name, F_OK) == 0 || !generate_is_name(name))
        return load_traffic(&pattern->traffic, &name, 1, NULL, metric, 0, "compare");
    if (generate_parse(&pattern->generator, name, &why))
        return cli_fail(EXIT_USAGE, "compare", "%s: %s", name, why.text);
    pattern->is_generated = 1;
    int32_t ranks = pattern->generator.roles;
    return ranks && load_pattern(&pattern->traffic, name, &pattern->generator, ranks, r->seed,
                                 &error)
               ? cli_fail(EXIT_TROUBLE, "compare", "%s", error.text)
               : 0;
}

static int compare_understand_patterns(struct compare_request *r)
{
    int status = 0;
    r->pattern = word_list_meanings(&r->patterns, sizeof *r->pattern);
    if (!r->pattern)
        return compare_no_memory();
    for (size_t i = 0; !status && i < r->patterns.count; i++) {
        r->pattern[i].name = r->patterns.word[i];
        status = compare_understand_pattern(r, &r->pattern[i]);
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
        return cli_fail(EXIT_TROUBLE, "compare", "%s", error.text);
    reseat_timings_destroy(timings);
    return 0;
}

const char **compare_list_inputs(const struct compare_request *r, size_t more, size_t *count)
{
    size_t words = 0, n = 0;
    while (r->job && r->job[words])
        words++;
    const char **inputs =
        malloc((r->patterns.count + r->machines.count + words + 1 + more) * sizeof *inputs);
    if (!inputs)
        return NULL;
    for (size_t i = 0; i < r->patterns.count; i++)
        inputs[n++] = r->patterns.word[i];
    for (size_t i = 0; i < r->machines.count; i++)
        inputs[n++] = r->machines.word[i][0] == 'T' ? r->machines.word[i] + 1 : NULL;
    for (size_t i = 0; i < words; i++)
        inputs[n++] = r->job[i];
    inputs[n++] = r->timings;
    *count = n;
    return inputs;
}

int compare_understand(struct compare_request *r)
{
    int status = compare_check_values(r);
    if (status)
        return status;
    if ((status = compare_understand_metrics(r)) || (status = compare_understand_efforts(r)) ||
        (status = method_list_resolve(&r->methods, &r->method)) ||
        (status = compare_understand_machines(r)))
        return status;
    return compare_understand_patterns(r);
}

void compare_free_request(struct compare_request *r)
{
    for (size_t i = 0; r->pattern && i < r->patterns.count; i++)
        reseat_profile_destroy(r->pattern[i].traffic);
    for (size_t i = 0; r->machine && i < r->machines.count; i++)
        free((char *)r->machine[i].tree);
    free(r->pattern);
    free(r->machine);
    free(r->method);
    free(r->metric);
    free(r->effort);
    struct word_list *words[] = {&r->patterns, &r->machines, &r->methods, &r->metrics, &r->efforts};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        word_list_free(words[i]);
}
