/* SPDX-License-Identifier: BSD-3-Clause */
/* machine-load.c - see machine-load.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/shell/complain.h"
#include "cmd/shell/machine-load.h"
#include "draw/view.h"
#include "network/netloc.h"
#include "network/network-source.h"
#include "network/topology-form.h"
#include "treematch/adapters/accelerators.h"
#include "treematch/tmap-hwloc.h"

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
                               count ? "" : " (a file of timings is for --timings)");
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

int check_tree(const char *text, const char *costs, struct reseat_error *error)
{
    double numbers[TMAP_MAX_LEVELS];
    struct tmap_error why;
    struct tmap_tree *tree = NULL;
    if (text && tmap_tree_parse(&tree, text, &why))
        return cli_refuse(error, "%s", why.text);
    tmap_tree_destroy(tree);
    return costs && read_costs(numbers, costs, error) < 0 ? CLI_REFUSED : 0;
}

int check_layout(const char *text, struct reseat_error *error)
{
    const struct tmap_layout layout = {.size = sizeof layout, .text = text};
    struct tmap_tree *tree;
    struct tmap_error why;
    int32_t none;
    if (tmap_tree_parse(&tree, "1", &why))
        return reseat_fail(error, "%s", why.text);
    enum tmap_status rc = tmap_mapping_lay_out(tree, &layout, 0, &none, &why);
    tmap_tree_destroy(tree);
    return rc == TMAP_ESYNTAX ? cli_refuse(error, "%s", why.text) : 0;
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

int machine_accelerators(const char *topology)
{
    const char *source = topology_source(topology);
    if (!source)
        return reseat_node_accelerators("");
    return topology_form_of(source) == TOPOLOGY_OTHER ? tmap_accelerators(source) : -1;
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

/* hwloc 2.9 dies of a file in which an object lacks one of its sets; so a child reads it first. 0,
 * or -1 with *error. */
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
    if (costs && set_costs(&found, costs, error)) {
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
    snprintf(text, 64, "between %.40s%s", name, draw_plural_end(name));
    return text;
}
