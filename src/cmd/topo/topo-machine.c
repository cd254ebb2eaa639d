/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topo-machine.c - the machine that `reseat topo` shows, see topo.h: of a job, whose ranks are
 * asked where they are; of the hosts that a description of a network names, or of those of a
 * profile in it; or a machine as a text or file describes it. Traffic and a mapping for it are
 * added if they are given.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cmd/job/child.h"
#include "cmd/place/probe.h"
#include "cmd/topo/topo.h"
#include "text/host-name.h"
#include "network/network-source.h"
#include "profile/order.h"
#include "profile/settings.h"
#include "predict/prediction.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/shell/machine-load.h"
#include "cmd/shell/profile-seats.h"
#include "profile/profile.h"
#include "network/card.h"
#include "network/location.h"
#include "network/machine.h"
#include "treematch/adapters/accelerators.h"
#include "treematch/tmap.h"

static int topo_no_memory(struct reseat_error *error)
{
    return reseat_fail(error, "out of memory");
}

/* ---- names of hosts ---- */

/* The first level whose objects are the hosts; `host_of` by slot. -1: none, as several hosts are
 * one node. */
static int topo_host_level(const struct tmap_tree *tree, const int32_t *host_of, int32_t hosts)
{
    for (int l = 0; l <= tmap_tree_depth(tree); l++) {
        int same = tmap_tree_objects(tree, l) == hosts;
        for (int32_t s = 1; same && s < tmap_tree_slots(tree); s++)
            same = (tmap_tree_ancestor(tree, s, l) == tmap_tree_ancestor(tree, s - 1, l)) ==
                   (host_of[s] == host_of[s - 1]);
        if (same)
            return l;
    }
    return -1;
}

/* A name as it is shown. Descriptions of networks may have texts that no host can have as its name;
 * other programs and cairo could not take them. Allocated; NULL: out of memory. */
static char *topo_host_name(const char *name)
{
    char clean[RESEAT_HOST_SIZE];
    host_name_clean(clean, sizeof clean, name);
    return strdup(clean);
}

/* Names for the objects that are hosts: name[host_of[slot]]. 0, or -1 with *error. */
static int topo_name_hosts(struct topo_machine *m, const int32_t *host_of, char *const *name,
                           int32_t hosts, struct reseat_error *error)
{
    m->view.host_level = topo_host_level(m->tree, host_of, hosts);
    if (m->view.host_level < 0)
        return 0;
    m->host = calloc((size_t)hosts + 1, sizeof *m->host);
    m->hosts = hosts;
    for (int32_t s = 0; m->host && s < tmap_tree_slots(m->tree); s++) {
        char **of = &m->host[tmap_tree_ancestor(m->tree, s, m->view.host_level)];
        if (!*of && !(*of = topo_host_name(name[host_of[s]])))
            return topo_no_memory(error);
    }
    return m->host ? 0 : topo_no_memory(error);
}

/* ---- ranks at places ---- */

/* The tree of processes on hosts below a network, and which of them is on each slot. 0, or -1 with
 * *error. */
static int topo_place(struct topo_machine *m, const struct reseat_location *locations,
                      int32_t processes, const struct reseat_network *network,
                      struct reseat_error *error)
{
    int32_t *slot_of = malloc(((size_t)processes + 1) * sizeof *slot_of);
    m->rank_of = malloc(((size_t)processes + 1) * sizeof *m->rank_of);
    m->ranks = processes;
    int rc = slot_of && m->rank_of
                 ? reseat_location_tree(&m->tree, locations, processes, network, slot_of, error)
                 : topo_no_memory(error);
    for (int32_t p = 0; rc == 0 && p < processes; p++)
        m->rank_of[slot_of[p]] = p;
    free(slot_of);
    return rc;
}

/* Names for the hosts of processes: name[locations[process].node]. 0, or -1 with *error. */
static int topo_name_places(struct topo_machine *m, const struct reseat_location *locations,
                            char *const *name, int32_t hosts, struct reseat_error *error)
{
    int32_t *host_of = malloc(((size_t)m->ranks + 1) * sizeof *host_of);
    if (!host_of)
        return topo_no_memory(error);
    for (int32_t s = 0; s < m->ranks; s++)
        host_of[s] = locations[m->rank_of[s]].node;
    int rc = topo_name_hosts(m, host_of, name, hosts, error);
    free(host_of);
    return rc;
}

/* All hosts that a file names. 0, or -1 with *error. */
static int topo_of_network(struct topo_machine *m, const char *path, struct reseat_error *error)
{
    struct reseat_network network;
    if (reseat_network_of_all(&network, path, error))
        return -1;
    struct reseat_location *locations = malloc(((size_t)network.nodes + 1) * sizeof *locations);
    for (int32_t n = 0; locations && n < network.nodes; n++) {
        locations[n] = (struct reseat_location){.node = n};
        reseat_place_clear(&locations[n].place);
    }
    int rc = !locations ? topo_no_memory(error)
                        : topo_place(m, locations, network.nodes, &network, error) ||
                              topo_name_places(m, locations, network.host, network.nodes, error);
    free(locations);
    reseat_network_free(&network);
    free(m->rank_of); /* they are no ranks */
    m->rank_of = NULL;
    m->ranks = 0;
    return rc ? -1 : 0;
}

/* The seats of a profile below the network of a file. 0, or -1 with *error. */
static int topo_of_seats(struct topo_machine *m, const char *path, struct reseat_error *error)
{
    struct reseat_location *locations = NULL;
    struct reseat_network network = {0};
    const struct reseat_profile *p = m->traffic;
    int32_t hosts = 0;
    char **name = calloc((size_t)p->ranks + 1, sizeof *name);
    int rc = name ? seats_locations(p, path, &locations, &network, error) : topo_no_memory(error);
    for (int32_t r = 0; rc == 0 && r < p->ranks; r++) {
        name[locations[r].node] = p->seats[r].host;
        hosts = locations[r].node >= hosts ? locations[r].node + 1 : hosts;
    }
    rc = rc || topo_place(m, locations, p->ranks, &network, error) ||
         topo_name_places(m, locations, name, hosts, error);
    reseat_network_free(&network);
    free(locations);
    free(name);
    return rc ? -1 : 0;
}

/* ---- a job ---- */

/* The first line that the launcher has said goes into the message. */
static int topo_fail_said(const struct probe *probe, FILE *said, struct reseat_error *error)
{
    char line[256] = "";
    rewind(said);
    while (fgets(line, sizeof line, said) && line[strspn(line, " \t\r\n-")] == '\0')
        ;
    line[strcspn(line, "\r\n")] = '\0';
    if (probe->is_late)
        return reseat_fail(error, "the launcher has not ended after %d s (RESEAT_PROBE_SECONDS)",
                           probe->limit);
    if (probe->no_host[0])
        return reseat_fail(error, "a rank is on '%s', which is not a host name", probe->no_host);
    return reseat_fail(error, "the launcher starts no rank (exit status %d)%s%s", probe->status,
                       line[0] ? ": " : "", line);
}

/* Ask the ranks. 0, or -1 with *error. */
static int topo_probe(struct probe *probe, const struct job *job, char **command,
                      struct reseat_error *error)
{
    FILE *said = NULL;
    int rc = probe_job(probe, job, command, &said);
    end_if_asked();
    if (rc)
        rc = reseat_fail(error, "the launcher cannot be started: %s", strerror(errno));
    else if (probe->is_late || probe->no_host[0] || !probe->ranks)
        rc = topo_fail_said(probe, said, error);
    else if (probe_sort(probe))
        rc = reseat_fail(error, "this launcher does not tell the ranks their numbers");
    if (said)
        fclose(said);
    return rc;
}

/* The tree of the ranks. 0, or -1 with *error. */
static int topo_of_probe(struct topo_machine *m, struct probe *probe, const char *topology,
                         struct reseat_error *error)
{
    int rc = probe_topology(probe, topology, error);
    if (rc > 0)
        cli_fail(0, "switches are left out: %s", error->text);
    if (rc < 0)
        return -1;
    struct reseat_location *locations = probe_locations(probe, 1);
    char **name = malloc(((size_t)probe->hosts + 1) * sizeof *name);
    for (int32_t h = 0; name && h < probe->hosts; h++)
        name[h] = probe->host[h].name;
    rc = !locations || !name ? topo_no_memory(error)
                             : topo_place(m, locations, probe->ranks, &probe->network, error);
    /* In a tree as text, nodes are not these hosts. */
    if (rc == 0 && network_source_of(topology) != NETWORK_FROM_TREE)
        rc = topo_name_places(m, locations, name, probe->hosts, error);
    free(name);
    free(locations);
    return rc;
}

static void topo_ignore(void *context, const char *line)
{
    (void)context;
    (void)line;
}

/* Parse the command, which may end before the program: the ranks run none. `words` has room for one
 * more. Returns as find_job. */
static int topo_find_job(struct job *job, const struct topo_request *r, char **words,
                         struct reseat_error *error)
{
    int count = 0, rc = find_job(job, r->mpi, r->command, error);
    if (!rc)
        rc = refuse_rank(job, error);
    while (r->command[count]) {
        words[count] = r->command[count];
        count++;
    }
    words[count] = NULL;
    if (rc || job->program >= 0 || job->launcher_at < 0)
        return rc;
    words[count] = (char *)"true";
    words[count + 1] = NULL;
    return find_job(job, r->mpi, words, error);
}

/* 0, or -1 or CLI_REFUSED with *error. */
static int topo_of_job(struct topo_machine *m, const struct topo_request *r,
                       struct reseat_error *error)
{
    struct reseat_settings settings;
    struct job job;
    int count = 0;
    while (r->command[count])
        count++;
    char **words = malloc(((size_t)count + 2) * sizeof *words);
    int rc = words ? topo_find_job(&job, r, words, error) : reseat_fail(error, "out of memory");
    if (!rc && job.program < 0)
        rc = cli_refuse(error,
                        "no word of the command is a launcher, or a program that can be found: "
                        "reseat topo -- mpirun -n 64");
    reseat_settings_read(&settings, environ, topo_ignore, NULL);
    struct probe probe = {.limit = settings.probe_seconds, .asks_places = 1};
    if (!rc)
        rc = topo_probe(&probe, &job, words, error);
    if (!rc)
        rc = topo_of_probe(m, &probe, r->topology ? r->topology : settings.topology, error);
    probe_free(&probe);
    free(words);
    return rc;
}

/* ---- a machine by itself ---- */

/* In a text: what the nodes are, or all of it is one. */
static int topo_node_level(const struct tmap_tree *tree)
{
    for (int l = 0; l < tmap_tree_depth(tree); l++)
        if (strcmp(tmap_tree_level(tree, l)->name, "node") == 0)
            return l + 1;
    double node = tmap_level_default_cost("node");
    double first = tmap_level_default_cost(tmap_tree_level(tree, 0)->name);
    return first >= 0 && first < node ? 0 : -1;
}

/* The outermost object that has just the slots near a device, but for the root, which has no box of
 * its own; or the innermost one that has all of them. */
static void topo_locate(struct draw_device *located, const struct tmap_tree *tree,
                        const struct tmap_device *device)
{
    int level = tmap_tree_common_level(tree, device->first, device->last);
    int32_t object = tmap_tree_ancestor(tree, device->first, level);
    int32_t before = device->first, behind = device->last;
    while (before >= 0 && tmap_tree_ancestor(tree, before, level) == object)
        before--;
    while (behind < tmap_tree_slots(tree) && tmap_tree_ancestor(tree, behind, level) == object)
        behind++;
    for (; level > 1; level--) {
        int32_t above = tmap_tree_ancestor(tree, device->first, level - 1);
        if ((before >= 0 && tmap_tree_ancestor(tree, before, level - 1) == above) ||
            (behind < tmap_tree_slots(tree) &&
             tmap_tree_ancestor(tree, behind, level - 1) == above))
            break;
        object = above;
    }
    *located = (struct draw_device){level, object, device->is_card, ""};
    memcpy(located->name, device->pci, sizeof located->name);
}

/* 0, or -1 with *error. */
static int topo_add_devices(struct topo_machine *m, const char *topology,
                            struct reseat_error *error)
{
    struct tmap_error why;
    struct tmap_device *found = NULL;
    int32_t count = 0;
    if (tmap_devices_find(&found, &count, topology_source(topology), 1, m->tree, &why))
        return reseat_fail(error, "%s", why.text);
    m->device = malloc(((size_t)count + 1) * sizeof *m->device);
    for (int32_t d = 0; m->device && d < count; d++)
        topo_locate(&m->device[d], m->tree, &found[d]);
    m->view.device = m->device;
    m->view.devices = count;
    free(found);
    return m->device ? 0 : topo_no_memory(error);
}

/* 0, or -1 with *error. */
static int topo_of_description(struct topo_machine *m, const struct topo_request *r,
                               struct reseat_error *error)
{
    struct utsname system;
    int is_this = !r->tree && (!r->topology || strcmp(r->topology, "this") == 0);
    if (load_tree(&m->tree, &m->netloc, r->tree, r->topology, r->costs, error))
        return -1;
    if (m->netloc) {
        m->view.host_level = m->netloc->host_level;
        m->view.host = m->netloc->host;
        return 0;
    }
    m->view.host_level = r->tree ? topo_node_level(m->tree) : 0;
    if (!r->tree && topo_add_devices(m, r->topology, error))
        return -1;
    if (!is_this || uname(&system))
        return 0;
    m->hosts = 1;
    m->host = calloc(1, sizeof *m->host);
    return m->host && (m->host[0] = topo_host_name(system.nodename)) ? 0 : topo_no_memory(error);
}

/* ---- traffic ---- */

/* Finds the slots of the roles: by the mapping, whose slots are ranks if there are any, or as
 * launched. 0, or -1 with *error. */
static int topo_find_slots(struct topo_machine *m, const char *mapping, struct reseat_error *error)
{
    int32_t roles = tmap_matrix_roles(m->matrix), slots = tmap_tree_slots(m->tree);
    int32_t *slot_on = malloc(((size_t)slots + 1) * sizeof *slot_on);
    m->slot_of = malloc(((size_t)roles + 1) * sizeof *m->slot_of);
    if (!slot_on || !m->slot_of) {
        free(slot_on);
        return topo_no_memory(error);
    }
    for (int32_t s = 0; s < slots; s++)
        slot_on[m->rank_of ? m->rank_of[s] : s] = s;
    for (int32_t role = 0; role < roles; role++)
        m->slot_of[role] = role < slots ? role : slots - 1;
    int rc = mapping ? reseat_order_read_slots(m->slot_of, roles, slots, mapping, error) : 0;
    for (int32_t role = 0; rc == 0 && role < roles; role++)
        m->slot_of[role] = slot_on[m->slot_of[role]];
    free(slot_on);
    if (rc == 0 && !tmap_mapping_is_valid(m->tree, roles, m->slot_of))
        rc = reseat_fail(error, "%s%s%d ranks do not fit on the %d slots of this machine",
                         mapping ? mapping : "", mapping ? ": " : "", (int)roles, (int)slots);
    return rc;
}

static int topo_add_traffic(struct topo_machine *m, const struct topo_request *r,
                            struct reseat_error *error)
{
    return prediction_load_matrix(&m->matrix, m->traffic, r->metric, error) ||
                   topo_find_slots(m, r->mapping, error)
               ? -1
               : 0;
}

/* ---- all ---- */

int topo_find_machine(const struct topo_request *r, struct topo_machine *m,
                      struct reseat_error *error)
{
    *m = (struct topo_machine){.view = {.host_level = -1}};
    const struct traffic_part part = {r->metric, r->phase, -1, 0};
    int rc = r->profile ? load_part(&m->traffic, r->profile, &part, error) : 0;
    if (rc)
        return rc;
    int is_network = !r->tree && names_switches(r->topology);
    if (r->command)
        rc = topo_of_job(m, r, error);
    else if (is_network && m->traffic && m->traffic->seats)
        rc = topo_of_seats(m, r->topology, error);
    else
        rc = is_network ? topo_of_network(m, r->topology, error) : topo_of_description(m, r, error);
    if (rc == 0 && r->costs && (r->command || is_network))
        rc = set_costs(&m->tree, r->costs, error);
    if (rc == 0 && m->traffic)
        rc = topo_add_traffic(m, r, error);
    if (rc == 0 && r->timings)
        rc = reseat_timings_read(&m->timings, r->timings, error);
    m->view.timings = m->timings;
    m->view.megabits = r->network ? card_rate_of(r->network) : 0;
    m->view.tree = m->tree;
    m->view.host = m->host ? m->host : m->view.host;
    m->view.described = m->netloc;
    m->view.rank_of = m->rank_of;
    m->view.matrix = m->matrix;
    m->view.slot_of = m->slot_of;
    return rc ? rc : draw_view_open(&m->view, error);
}

void topo_free_machine(struct topo_machine *m)
{
    draw_view_close(&m->view);
    for (int32_t h = 0; m->host && h < m->hosts; h++)
        free(m->host[h]);
    free(m->host);
    free(m->rank_of);
    free(m->slot_of);
    free(m->device);
    tmap_matrix_destroy(m->matrix);
    reseat_profile_destroy(m->traffic);
    tmap_tree_destroy(m->tree);
    reseat_machine_destroy(m->netloc);
    reseat_timings_destroy(m->timings);
}
