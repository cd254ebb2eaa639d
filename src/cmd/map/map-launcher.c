/* SPDX-License-Identifier: BSD-3-Clause */
/* map-launcher.c - see map.h: the file for a launcher, and how to use it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascending.h"
#include "cmd/map/map.h"
#include "text/host-name.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/shell-word.h"
#include "treematch/tmap.h"

/* The most slots of a tree for a launcher's file. */
enum { MOST_SEATS = RESEAT_MOST_RANKS };

int map_host_level(const struct tmap_tree *tree)
{
    for (int level = 0; level < tmap_tree_depth(tree); level++)
        if (strcmp(tmap_tree_level(tree, level)->name, "node") == 0)
            return level + 1;
    return 1;
}

/* Check that host names are distinct. `sorted` is scratch. */
static int map_check_hosts(const char *const *host, int32_t count, const char **sorted)
{
    for (int32_t i = 0; i < count; i++)
        if (!*host[i])
            return cli_fail(EXIT_USAGE, "--hosts has a host without a name");
        else if (!host_name_is_valid(host[i]))
            return cli_fail(EXIT_USAGE, "--hosts: '%.100s' is not a host name", host[i]);
    memcpy(sorted, host, sizeof *sorted * (size_t)count);
    qsort(sorted, (size_t)count, sizeof *sorted, ascending_text);
    for (int32_t i = 1; i < count; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            return cli_fail(EXIT_USAGE, "--hosts names %s twice", sorted[i]);
    return 0;
}

/* Split a list of hosts, "a,b,c", which is copied to x->host_names; NULL: out of memory. */
static const char **map_split_hosts(const char *list, struct map_result *x, int32_t *count)
{
    int32_t commas = 0;
    for (const char *c = list; *c; c++)
        commas += *c == ',';
    char *rest = x->host_names = strdup(list);
    const char **host = rest ? calloc(2 * ((size_t)commas + 1), sizeof *host) : NULL;
    for (*count = 0; host && rest; ++*count)
        host[*count] = strsep(&rest, ",");
    return host;
}

/* Make the seats of the slots from a list of hosts, one for each node of the tree. */
static int map_seats_from_hosts(const struct map_request *r, struct map_result *x)
{
    int level = map_host_level(x->prediction.tree);
    int32_t nodes = tmap_tree_objects(x->prediction.tree, level),
            slots = tmap_tree_slots(x->prediction.tree), count;
    const char **host = map_split_hosts(r->hosts, x, &count);
    if (!host)
        return cli_no_memory();
    int rc = map_check_hosts(host, count, host + count);
    if (!rc && count != nodes)
        rc = cli_fail(EXIT_USAGE, "--hosts names %d hosts, the tree has %d nodes", (int)count,
                      (int)nodes);
    for (int32_t slot = 0, first = 0; !rc && slot < slots; slot++) {
        int32_t at = tmap_tree_ancestor(x->prediction.tree, slot, level);
        first =
            slot && at == tmap_tree_ancestor(x->prediction.tree, slot - 1, level) ? first : slot;
        x->seats[slot] = (struct emit_seat){.host = host[at], .core = slot - first};
    }
    free(host);
    return rc;
}

/* Make the seats of the slots as recorded in the profile. */
static int map_seats_from_profile(struct map_result *x)
{
    for (int32_t rank = 0; rank < x->traffic->ranks; rank++) {
        const struct reseat_seat *seat = &x->traffic->seats[rank];
        x->seats[x->prediction.launch[rank]] =
            (struct emit_seat){.host = seat->host, .core = seat->place.at[TMAP_PLACE_CORE]};
    }
    return 0;
}

/* Make the seats of the slots of a machine that names its hosts. */
static int map_seats_from_machine(struct map_result *x)
{
    for (int32_t slot = 0; slot < tmap_tree_slots(x->prediction.tree); slot++) {
        int32_t host = tmap_tree_ancestor(x->prediction.tree, slot, x->machine->host_level);
        x->seats[slot] =
            (struct emit_seat){.host = x->machine->host[host], .core = x->machine->number_of[slot]};
    }
    return 0;
}

int map_find_seats(const struct map_request *r, struct map_result *x)
{
    if (tmap_tree_slots(x->prediction.tree) > MOST_SEATS)
        return cli_fail(EXIT_TROUBLE, "--emit takes trees of up to %d slots, this has %d",
                        MOST_SEATS, (int)tmap_tree_slots(x->prediction.tree));
    x->seats = calloc((size_t)tmap_tree_slots(x->prediction.tree), sizeof *x->seats);
    if (!x->seats)
        return cli_no_memory();
    if (r->hosts && x->machine)
        return cli_fail(EXIT_USAGE, "--hosts: %s names its hosts itself", r->topology);
    if (r->hosts)
        return map_seats_from_hosts(r, x);
    if (x->machine)
        return map_seats_from_machine(x);
    if (x->has_seats)
        return map_seats_from_profile(x);
    return cli_fail(
        EXIT_USAGE,
        "--emit needs hosts: a profile that recorded them and no --tree, --hosts A,B,..., or a "
        "--topology that names them");
}

/* The seat of each rank in the better order, allocated; NULL: out of memory. */
static struct emit_seat *map_seats_by_rank(const struct map_result *x)
{
    int32_t ranks = tmap_matrix_roles(x->prediction.matrix);
    struct emit_seat *of_rank = malloc(sizeof *of_rank * ((size_t)ranks + 1));
    for (int32_t rank = 0; of_rank && rank < ranks; rank++)
        of_rank[rank] = x->seats[x->prediction.best[rank]];
    return of_rank;
}

static void map_print_use(FILE *file, const struct emit_use *use, int32_t ranks)
{
    fprintf(file, "use it with: ");
    const struct launcher_format *format = use->format;
    if (format->setting)
        fprintf(file, "%s ", format->setting);
    if (format->variable) {
        fprintf(file, format->is_content ? "%s=\"$(cat " : "%s=", format->variable);
        shell_word_print(file, use->value);
        fputs(format->is_content ? ")\" " : " ", file);
    }
    fprintf(file, "%s -n %d", format->command, (int)ranks);
    shell_words_print(file, " ", use->words);
}

/* A rankfile does not add hosts for Open MPI and PRRTE: they refuse ranks on any host but this one
 * unless they are told the hosts as well. */
static void map_print_hosts(FILE *file, const char *option, const struct emit_seat *of_rank,
                            int32_t ranks)
{
    fprintf(file, " %s ", option);
    for (int32_t first = 0, hosts = 0; first < ranks; first++) {
        int32_t count = 0, before = 0;
        while (before < first && !emit_same_host(of_rank, before, first))
            before++;
        if (before < first)
            continue;
        for (int32_t rank = first; rank < ranks; rank++)
            count += emit_same_host(of_rank, rank, first);
        fprintf(file, "%s%s:%d", hosts++ ? "," : "", of_rank[first].host, (int)count);
    }
}

/* Print how to start the launcher with the file; on standard error if the file goes to standard
 * output. */
int map_say_use(const struct map_request *r, const struct map_result *x)
{
    FILE *file = r->output ? stdout : stderr;
    struct emit_use use;
    int32_t ranks = tmap_matrix_roles(x->prediction.matrix);
    struct emit_seat *of_rank = map_seats_by_rank(x);
    int rc = of_rank ? emit_use(&use, r->emit, r->output ? r->output : "FILE", of_rank, ranks) : -1;
    if (rc) {
        free(of_rank);
        return cli_no_memory();
    }
    map_print_use(file, &use, ranks);
    if (r->output && emit_bad_path(r->emit, r->output))
        cli_fail(0, "PRRTE takes no path with a `-`: rename %s", r->output);
    if (r->emit->host_option)
        map_print_hosts(file, r->emit->host_option, of_rank, ranks);
    free(of_rank);
    const char *pus = x->by_thread ? r->emit->pu_option : NULL;
    int is_bound = r->bind && strcmp(r->bind, "none") != 0;
    const char *last = pus ? pus : is_bound ? NULL : r->emit->unbound_words;
    fprintf(file, "%s%s\n", last ? " " : "", last ? last : "");
    emit_use_free(&use);
    return 0;
}

int map_write_launcher_file(FILE *file, const struct map_request *r, const struct map_result *x,
                            struct reseat_error *error)
{
    int32_t ranks = tmap_matrix_roles(x->prediction.matrix);
    struct emit_seat *of_rank = map_seats_by_rank(x);
    int rc = of_rank ? emit(file, r->emit, of_rank, x->prediction.best, ranks, error)
                     : reseat_fail(error, "out of memory");
    free(of_rank);
    return rc;
}
