/* SPDX-License-Identifier: BSD-3-Clause */
/* machine-load.c - what `map` and `report` share: metrics, objectives, trees, Scotch. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/shell/commands.h"
#include "network/location.h"
#include "network/netloc.h"
#include "network/network-source.h"
#include "network/topology-form.h"
#include "treematch/tmap-hwloc.h"
#include "treematch/tmap-scotch.h"

int parse_metric(const char *text, enum reseat_metric *metric)
{
    for (enum reseat_metric m = RESEAT_METRIC_SIZE; m < RESEAT_METRIC_TIME; m++)
        if (strcmp(text, reseat_metric_name(m)) == 0) {
            *metric = m;
            return 0;
        }
    return -1;
}

int parse_objective(const char *text, enum reseat_objective *objective)
{
    for (enum reseat_objective o = RESEAT_OBJECTIVE_COST; o <= RESEAT_OBJECTIVE_TIME; o++)
        if (strcmp(text, reseat_objective_name(o)) == 0) {
            *objective = o;
            return 0;
        }
    return -1;
}

int parse_time_metric(const char *text, enum reseat_metric *metric)
{
    int is_time = strcmp(text, "time") == 0;
    if (is_time)
        *metric = RESEAT_METRIC_TIME;
    return is_time ? 0 : parse_metric(text, metric);
}

int names_timings(const char *costs)
{
    return costs && (strchr(costs, '/') || access(costs, F_OK) == 0);
}

/* Read decimal costs "C,C,...". Returns their number; -1 with *error. */
static int read_costs(double costs[TMAP_MAX_LEVELS], const char *text, struct reseat_error *error)
{
    int count = 0;
    while (*text) {
        char *end;
        size_t length = strspn(text, "0123456789.eE+-");
        if (count == TMAP_MAX_LEVELS)
            return reseat_fail(error, "too many costs");
        costs[count] = strtod(text, &end);
        if (end == text || end != text + length || (*end && *end != ',') || (*end && !end[1]))
            return reseat_fail(error, "invalid cost: '%.40s'%s", text,
                               count ? "" : " (and there is no file of that name)");
        if (count > 0 && costs[count] > costs[count - 1])
            return reseat_fail(
                error,
                "costs are those of the levels from the root down, and none is more than "
                "the one before: %g after %g",
                costs[count], costs[count - 1]);
        count++;
        text = *end ? end + 1 : end;
    }
    return count;
}

int set_costs(struct tmap_tree **tree, const char *text, struct reseat_error *error)
{
    double costs[TMAP_MAX_LEVELS];
    int count = read_costs(costs, text, error);
    struct tmap_tree *priced;
    struct tmap_error why;
    if (count < 0)
        return -1;
    if (tmap_tree_copy_with_costs(&priced, *tree, costs, count, &why))
        return reseat_fail(error, "%s", why.text);
    tmap_tree_destroy(*tree);
    *tree = priced;
    return 0;
}

int check_tree(const char *text, const char *topology, const char *costs, const char *command)
{
    double numbers[TMAP_MAX_LEVELS];
    struct tmap_error why;
    struct reseat_error error;
    struct tmap_tree *tree = NULL;
    if (text && topology)
        return complain(EXIT_USAGE, command, "--tree and --topology cannot be combined");
    if (text && tmap_tree_parse(&tree, text, &why))
        return complain(EXIT_USAGE, command, "%s", why.text);
    tmap_tree_destroy(tree);
    if (costs && !names_timings(costs) && read_costs(numbers, costs, &error) < 0)
        return complain(EXIT_USAGE, command, "%s", error.text);
    return 0;
}

int check_layout(const char *text, const char *command)
{
    const struct tmap_layout layout = {.size = sizeof layout, .text = text};
    struct tmap_tree *tree;
    struct tmap_error why;
    int32_t none;
    if (tmap_tree_parse(&tree, "1", &why))
        return complain(EXIT_TROUBLE, command, "%s", why.text);
    enum tmap_status rc = tmap_mapping_lay_out(tree, &layout, 0, &none, &why);
    tmap_tree_destroy(tree);
    return rc == TMAP_ESYNTAX ? complain(EXIT_USAGE, command, "%s", why.text) : 0;
}

/* Netloc's lines: the tree, which moves out of the machine. */
static int load_netloc(struct tmap_tree **tree, struct reseat_machine **machine, const char *path,
                       struct reseat_error *error)
{
    struct reseat_machine *found;
    if (reseat_netloc_read(&found, path, error))
        return -1;
    *tree = found->tree;
    found->tree = NULL;
    if (machine)
        *machine = found;
    else
        reseat_machine_destroy(found);
    return 0;
}

const char *topology_source(const char *topology)
{
    return topology && strcmp(topology, "this") == 0 ? NULL : topology;
}

/* In a child: does hwloc survive the file? */
static void survive_hwloc(const char *file)
{
    const struct rlimit none = {0, 0};
    struct tmap_tree *tree;
    struct tmap_error why;
    int silent = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(silent, STDERR_FILENO);
    setrlimit(RLIMIT_CORE, &none);
    tmap_tree_create_from_hwloc(&tree, file, 1, &why);
    _exit(0);
}

/* hwloc 2.9 dies of a file in which an object lacks one of its sets; so a child reads it first. 0, or -1 with
 * *error. */
static int check_hwloc(const char *topology, struct reseat_error *error)
{
    int status = 0;
    if (!topology || access(topology, F_OK) != 0)
        return 0;
    pid_t child = fork();
    if (child == 0)
        survive_hwloc(topology);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status ? reseat_fail(error, "hwloc cannot read the file '%.150s': it crashes", topology)
                  : 0;
}

static int load_hwloc(struct tmap_tree **tree, const char *topology, struct reseat_error *error)
{
    struct tmap_error why;
    if (check_hwloc(topology_source(topology), error))
        return -1;
    return tmap_tree_create_from_hwloc(tree, topology_source(topology), 1, &why)
               ? reseat_fail(error, "%s", why.text)
               : 0;
}

int load_tree(struct tmap_tree **tree, struct reseat_machine **machine, const char *text,
              const char *topology, const char *costs, struct reseat_error *error)
{
    struct tmap_tree *found;
    struct reseat_machine *beyond = NULL;
    struct tmap_error why;
    int is_netloc = !text && topology && topology_form_of(topology) == TOPOLOGY_NETLOC;
    int rc = is_netloc ? load_netloc(&found, machine ? &beyond : NULL, topology, error)
             : text    ? tmap_tree_parse(&found, text, &why) && reseat_fail(error, "%s", why.text)
                       : load_hwloc(&found, topology, error);
    if (rc)
        return -1;
    if (costs && !names_timings(costs) && set_costs(&found, costs, error)) {
        tmap_tree_destroy(found);
        reseat_machine_destroy(beyond);
        return -1;
    }
    *tree = found;
    if (machine)
        *machine = beyond;
    return 0;
}

int names_switches(const char *topology)
{
    enum topology_form form = topology ? topology_form_of(topology) : TOPOLOGY_OTHER;
    return form != TOPOLOGY_OTHER && form != TOPOLOGY_NETLOC;
}

/* ---- the seats of a profile ---- */

struct named {
    const char *host;
    int32_t rank;
};

static int by_host(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = strcmp(x->host, y->host);
    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

/* The hosts of a profile, and the host of each rank. */
struct hosts {
    const char **name;
    int32_t count;
    int32_t *of_rank;
};

static void free_hosts(struct hosts *hosts)
{
    free(hosts->name);
    free(hosts->of_rank);
}

static int find_hosts(struct hosts *hosts, const struct reseat_profile *profile)
{
    size_t ranks = (size_t)profile->ranks;
    struct named *sorted = malloc((ranks + 1) * sizeof *sorted);
    *hosts = (struct hosts){.name = malloc((ranks + 1) * sizeof *hosts->name),
                            .of_rank = malloc((ranks + 1) * sizeof *hosts->of_rank)};
    int rc = sorted && hosts->name && hosts->of_rank ? 0 : -1;
    for (int32_t r = 0; rc == 0 && r < profile->ranks; r++)
        sorted[r] = (struct named){profile->seats[r].host, r};
    if (rc == 0)
        qsort(sorted, ranks, sizeof *sorted, by_host);
    for (size_t i = 0; rc == 0 && i < ranks; i++) {
        if (i == 0 || strcmp(sorted[i].host, sorted[i - 1].host) != 0)
            hosts->name[hosts->count++] = sorted[i].host;
        hosts->of_rank[sorted[i].rank] = hosts->count - 1;
    }
    free(sorted);
    return rc;
}

/* Read the switches above the hosts from a file. */
static int find_network(struct reseat_network *network, const char *file, const struct hosts *hosts,
                        struct reseat_error *error)
{
    struct network_node *nodes = calloc((size_t)hosts->count + 1, sizeof *nodes);
    for (int32_t h = 0; nodes && h < hosts->count; h++)
        nodes[h].address.host = hosts->name[h];
    int rc = nodes
                 ? reseat_network_find(network, NETWORK_FROM_FILE, file, nodes, hosts->count, error)
                 : reseat_fail(error, "out of memory");
    free(nodes);
    return rc;
}

int seats_locations(const struct reseat_profile *profile, const char *switches,
                    struct reseat_location **locations, struct reseat_network *network,
                    struct reseat_error *error)
{
    size_t ranks = (size_t)profile->ranks;
    struct hosts hosts;
    struct reseat_location *found = malloc(ranks * sizeof *found);
    int rc = find_hosts(&hosts, profile) || !found ? reseat_fail(error, "out of memory") : 0;
    for (size_t r = 0; rc == 0 && r < ranks; r++)
        found[r] = (struct reseat_location){hosts.of_rank[r], profile->seats[r].place};
    if (rc == 0 && switches)
        rc = find_network(network, switches, &hosts, error);
    free_hosts(&hosts);
    if (rc)
        free(found);
    else
        *locations = found;
    return rc;
}

typedef enum tmap_status map_scotch_fn(const struct tmap_matrix *matrix,
                                       const struct tmap_tree *tree,
                                       enum tmap_scotch_weights weights, int32_t *slot_of,
                                       int32_t *repaired, struct tmap_error *error);

/* Scotch may or may not be installed: only a module of its own needs it, which is loaded on demand
 * and stays loaded. NULL: not available. */
static map_scotch_fn *load_scotch(struct tmap_error *error)
{
    char path[LIBRARY_PATH_SIZE], where[LIBRARY_WHERE_SIZE];
    if (locate_module("reseat-scotch.so", path, where)) {
        snprintf(error->text, sizeof error->text,
                 "there is no method scotch: reseat-scotch.so %.200s", where);
        return NULL;
    }
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *found = module ? dlsym(module, "tmap_mapping_find_scotch") : NULL;
    if (!found) {
        snprintf(error->text, sizeof error->text, "there is no method scotch: %.200s", dlerror());
        return NULL;
    }
    map_scotch_fn *map;
    memcpy(&map, &found, sizeof map);
    return map;
}

const char *scotch_method(int index)
{
    static const char *const names[] = {[TMAP_SCOTCH_COSTS] = "scotch",
                                        [TMAP_SCOTCH_LIGHT] = "scotch-light",
                                        [TMAP_SCOTCH_HEAVY] = "scotch-heavy",
                                        [TMAP_SCOTCH_WHOLE] = "scotch-whole"};
    return (size_t)index < sizeof names / sizeof names[0] ? names[index] : NULL;
}

enum tmap_status map_and_repair(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                                const struct tmap_options *options, int32_t *slot_of,
                                char repairs[MAP_REPAIRS_SIZE], struct tmap_error *error)
{
    int weights = 0;
    repairs[0] = '\0';
    while (scotch_method(weights) && strcmp(options->method, scotch_method(weights)) != 0)
        weights++;
    if (!scotch_method(weights))
        return tmap_mapping_find(matrix, tree, options, slot_of, error);
    int32_t repaired = 0;
    map_scotch_fn *map = load_scotch(error);
    enum tmap_status status =
        map ? map(matrix, tree, (enum tmap_scotch_weights)weights, slot_of, &repaired, error)
            : TMAP_ENOTSUP;
    if (status == TMAP_OK && repaired)
        snprintf(repairs, MAP_REPAIRS_SIZE,
                 "scotch put several roles on a slot; %d were moved to the nearest free one",
                 (int)repaired);
    return status;
}

enum tmap_status map_by_method(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                               const struct tmap_options *options, int32_t *slot_of,
                               struct tmap_error *error)
{
    char repairs[MAP_REPAIRS_SIZE];
    enum tmap_status status = map_and_repair(matrix, tree, options, slot_of, repairs, error);
    if (repairs[0])
        complain(0, "map", "%s", repairs);
    return status;
}

const char *level_crossing(const struct tmap_tree *tree, int level, char text[64])
{
    if (level == tmap_tree_depth(tree))
        return "same slot";
    const char *name = tmap_tree_level(tree, level)->name;
    if (strncmp(name, "level", 5) == 0) { /* it has no name */
        snprintf(text, 64, "between parts, level %.40s", name + 5);
        return text;
    }
    if (strcmp(name, "node") == 0)
        return "between nodes";
    if (strcmp(name, "process") == 0) /* their places inside it are not known */
        return "inside a node";
    int hisses = name[strlen(name) - 1] == 's' || name[strlen(name) - 1] == 'h';
    snprintf(text, 64, "between %.40s%s", name, hisses ? "es" : "s");
    return text;
}
