/* SPDX-License-Identifier: BSD-3-Clause */
/* compare-lists.c - see compare.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "cmd/shell/commands.h"
#include "cmd/compare/compare.h"
#include "text/number.h"
#include "timings/timings.h"
#include "profile/world-profile.h"

static int compare_no_memory(void)
{
    return complain(EXIT_TROUBLE, "compare", "out of memory");
}

static const char *compare_command(const struct compare_words *words)
{
    return words->command ? words->command : "compare";
}

static int compare_no_list(const struct compare_words *words)
{
    return complain(EXIT_TROUBLE, compare_command(words), "out of memory");
}

/* ---- words ---- */

static int compare_add_word(struct compare_words *words, const char *prefix, const char *text,
                            size_t length)
{
    char *word = NULL;
    char **grown = array_grow(words->word, words->count, sizeof *grown);
    if (!grown)
        return compare_no_list(words);
    words->word = grown;
    if (asprintf(&word, "%s%.*s", prefix, (int)length, text) < 0)
        return compare_no_list(words);
    words->word[words->count++] = word;
    return 0;
}

int compare_add_words(struct compare_words *words, const char *prefix, const char *text)
{
    int status = 0, is_last = !prefix;
    if (!prefix)
        return compare_add_word(words, "", text, strlen(text));
    while (!status && !is_last) {
        size_t length = 0;
        int is_inside = 0; /* of the list of a layout, beyond the colon of its name as a method */
        if (strncmp(text, COMPARE_LAYOUT, strlen(COMPARE_LAYOUT)) == 0)
            length = strlen(COMPARE_LAYOUT);
        for (; text[length] && (is_inside || text[length] != ','); length++)
            is_inside ^= text[length] == ':';
        if (length == 0)
            return complain(EXIT_USAGE, compare_command(words),
                            "a list with nothing between two commas");
        status = compare_add_word(words, prefix, text, length);
        is_last = !text[length];
        text += length + 1;
    }
    return status;
}

int compare_add_machine(struct compare_words *words, const char *option, const char *value)
{
    return compare_add_word(words, option, value, strlen(value));
}

void compare_free_words(struct compare_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->word[i]);
    free(words->word);
}

/* Room for what the words of a list mean. */
static void *compare_meanings(const struct compare_words *words, size_t size)
{
    return calloc(words->count + 1, size);
}

/* ---- metrics and efforts ---- */

static int compare_understand_metrics(struct compare_request *r)
{
    int has_timings = names_timings(r->costs);
    if (r->metrics.count == 0 &&
        compare_add_words(&r->metrics, NULL, has_timings ? "time" : "size"))
        return EXIT_TROUBLE;
    r->metric = compare_meanings(&r->metrics, sizeof *r->metric);
    if (!r->metric)
        return compare_no_memory();
    for (size_t i = 0; i < r->metrics.count; i++) {
        if (parse_time_metric(r->metrics.word[i], &r->metric[i]))
            return complain(EXIT_USAGE, "compare",
                            "--metric takes size, msg, avg or time, not '%s'", r->metrics.word[i]);
        if (r->metric[i] == RESEAT_METRIC_TIME && !has_timings)
            return complain(EXIT_USAGE, "compare",
                            "--metric time needs the timings of a machine: --costs FILE");
    }
    return 0;
}

static int compare_understand_efforts(struct compare_request *r)
{
    if (r->efforts.count == 0 && compare_add_words(&r->efforts, NULL, "default"))
        return EXIT_TROUBLE;
    r->effort = compare_meanings(&r->efforts, sizeof *r->effort);
    if (!r->effort)
        return compare_no_memory();
    for (size_t i = 0; i < r->efforts.count; i++)
        if (map_parse_effort(r->efforts.word[i], &r->effort[i]))
            return complain(EXIT_USAGE, "compare",
                            "--effort takes fast, default or strong, not '%s'", r->efforts.word[i]);
    return 0;
}

/* ---- methods ---- */

static int compare_is_scotch(const char *method)
{
    int i = 0;
    while (scotch_method(i) && strcmp(method, scotch_method(i)) != 0)
        i++;
    return scotch_method(i) != NULL;
}

/* Whether the methods of Scotch can be used. 0, or -1 with *why. */
static int compare_try_scotch(struct tmap_error *why)
{
    const struct tmap_entry entry = {0, 1, 1};
    struct tmap_options options;
    struct tmap_matrix *matrix = NULL;
    struct tmap_tree *tree = NULL;
    int32_t slot_of[2];
    char repairs[MAP_REPAIRS_SIZE];
    tmap_options_init(&options, sizeof options);
    options.method = scotch_method(0);
    int rc = tmap_matrix_create(&matrix, 2, &entry, 1, why) || tmap_tree_parse(&tree, "2", why) ||
             map_and_repair(matrix, tree, &options, slot_of, repairs, why);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
    return rc ? -1 : 0;
}

/* Methods that nobody names: the useful ones, or all. */
static int compare_add_methods(struct compare_words *words, int all)
{
    const char *const useful[] = {"multilevel", "treematch",  "greedy",
                                  "packed",     "roundrobin", scotch_method(0)};
    const int count = sizeof useful / sizeof *useful;
    struct tmap_error why;
    int status = 0, has_scotch = compare_try_scotch(&why) == 0;
    for (int i = 0; !status; i++) {
        const char *name = all ? map_method_name(i) : i < count ? useful[i] : NULL;
        if (!name)
            break;
        if (has_scotch || !compare_is_scotch(name))
            status = compare_add_words(words, NULL, name);
    }
    return status;
}

/* Replace the word "all". */
static int compare_expand_methods(struct compare_words *words)
{
    struct compare_words given = *words;
    int status = 0;
    *words = (struct compare_words){.command = given.command};
    if (given.count == 0)
        status = compare_add_methods(words, 0);
    for (size_t i = 0; !status && i < given.count; i++)
        status = strcmp(given.word[i], "all") == 0 ? compare_add_methods(words, 1)
                                                   : compare_add_words(words, NULL, given.word[i]);
    compare_free_words(&given);
    return status;
}

static int compare_check_method(const char *name, const char *command)
{
    struct tmap_error why;
    if (strcmp(name, COMPARE_LAUNCH) == 0)
        return 0;
    int status = map_check_method(name, command);
    if (!status && compare_is_scotch(name) && compare_try_scotch(&why))
        status = complain(EXIT_TROUBLE, command, "%s", why.text);
    return status;
}

int compare_understand_methods(struct compare_words *words, struct compare_method **methods)
{
    const char *command = compare_command(words);
    size_t prefix = strlen(COMPARE_LAYOUT);
    int status = compare_expand_methods(words);
    if (status)
        return status;
    *methods = compare_meanings(words, sizeof **methods);
    if (!*methods)
        return compare_no_list(words);
    for (size_t i = 0; !status && i < words->count; i++) {
        struct compare_method *method = &(*methods)[i];
        method->name = words->word[i];
        for (size_t k = 0; k < i; k++)
            if (strcmp(words->word[k], method->name) == 0)
                return complain(EXIT_USAGE, command, "the method %s is named twice", method->name);
        if (strncmp(method->name, COMPARE_LAYOUT, prefix) == 0)
            method->layout = method->name + prefix;
        status = method->layout ? check_layout(method->layout, command)
                                : compare_check_method(method->name, command);
    }
    return status;
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
        return complain(machine->tree ? EXIT_USAGE : EXIT_TROUBLE, "compare", "%s", error.text);
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
        if (machine->costs != r->costs &&
            (names_timings(r->costs) || names_timings(machine->costs)))
            return complain(
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
    int status = check_tree(machine->tree, machine->topology, machine->costs, "compare");
    return status || r->job ? status : compare_measure_room(machine);
}

static int compare_understand_machines(struct compare_request *r)
{
    int status = r->machines.count ? 0 : compare_add_machine(&r->machines, "T", "");
    if (status)
        return status;
    r->machine = compare_meanings(&r->machines, sizeof *r->machine);
    if (!r->machine)
        return compare_no_memory();
    for (size_t i = 0; !status && i < r->machines.count; i++)
        status = compare_understand_machine(r, i);
    return status;
}

/* ---- patterns ---- */

int compare_make_traffic(struct reseat_profile **traffic, const struct compare_pattern *pattern,
                         int32_t ranks, uint64_t seed, struct reseat_error *error)
{
    struct tmap_entry *entries = NULL;
    struct reseat_entry twice;
    struct tmap_error why;
    size_t count = 0;
    if (generate_traffic(&entries, &count, &pattern->generator, ranks, seed, &why))
        return reseat_fail(error, "%s: %s", pattern->name, why.text);
    struct reseat_profile *made = world_create(ranks);
    int rc = made ? 0 : -1;
    for (size_t i = 0; i < count && rc == 0; i++) {
        const struct tmap_entry *e = &entries[i];
        const struct reseat_entry entry = {e->source, e->target, 1, e->weight, 0};
        rc = world_add(made, RESEAT_P2P, &entry);
    }
    free(entries);
    if (rc || world_finish(made, &twice)) {
        reseat_profile_destroy(made);
        return reseat_fail(error, "out of memory");
    }
    *traffic = made;
    return 0;
}

static int compare_understand_pattern(struct compare_request *r, struct compare_pattern *pattern)
{
    struct tmap_error why;
    struct reseat_error error;
    const char *name = pattern->name;
    if (r->job)
        return load_profile(&pattern->traffic, name, NULL, "compare");
    /* Forms with one number a pair have messages or bytes. */
    enum reseat_metric metric = r->metrics.count == 1 && r->metric[0] != RESEAT_METRIC_TIME
                                    ? r->metric[0]
                                    : RESEAT_METRIC_SIZE;
    if (access(name, F_OK) == 0 || !generate_is_name(name))
        return load_traffic(&pattern->traffic, &name, 1, NULL, metric, 0, "compare");
    if (generate_parse(&pattern->generator, name, &why))
        return complain(EXIT_USAGE, "compare", "%s: %s", name, why.text);
    pattern->is_generated = 1;
    int32_t ranks = pattern->generator.roles;
    return ranks && compare_make_traffic(&pattern->traffic, pattern, ranks, r->seed_number, &error)
               ? complain(EXIT_TROUBLE, "compare", "%s", error.text)
               : 0;
}

static int compare_understand_patterns(struct compare_request *r)
{
    int status = 0;
    r->pattern = compare_meanings(&r->patterns, sizeof *r->pattern);
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
    const char *at = r->seed;
    struct reseat_timings *timings = NULL;
    struct reseat_error error;
    if (at && (read_number(&at, UINT64_MAX, &r->seed_number) || *at))
        return complain(EXIT_USAGE, "compare", "--seed takes a number, not '%s'", r->seed);
    if (names_timings(r->costs) && reseat_timings_read(&timings, r->costs, &error))
        return complain(EXIT_TROUBLE, "compare", "%s", error.text);
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
    inputs[n++] = r->costs;
    *count = n;
    return inputs;
}

int compare_understand(struct compare_request *r)
{
    int status = compare_check_values(r);
    if (status)
        return status;
    if ((status = compare_understand_metrics(r)) || (status = compare_understand_efforts(r)) ||
        (status = compare_understand_methods(&r->methods, &r->method)) ||
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
    struct compare_words *words[] = {&r->patterns, &r->machines, &r->methods, &r->metrics,
                                     &r->efforts};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        compare_free_words(words[i]);
}
