/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hwloc.c - places and trees from hwloc. Only what the mapping needs is discovered (packages, NUMA
 * nodes, L3, L2, cores, PUs): no distances, no memory attributes, and devices only where they are
 * counted (accelerators.c). This runs at the start of other people's programs. PUs that the system
 * forbids (by a cgroup, as of Slurm or a container) are included, so that all processes of a node
 * number its objects alike; trees leave them out. What a process is bound to forbids nothing.
 */
#include "treematch/adapters/binding.h"
#include "treematch/adapters/load.h"
#include "treematch/adapters/slot-numbers.h"
#include "treematch/model/objects.h"
#include "treematch/tmap-hwloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const hwloc_obj_type_t type_of[TMAP_PLACE_LEVELS] = {
    HWLOC_OBJ_PACKAGE, HWLOC_OBJ_NUMANODE, HWLOC_OBJ_L3CACHE,
    HWLOC_OBJ_L2CACHE, HWLOC_OBJ_CORE,     HWLOC_OBJ_PU,
};

static int is_file(const char *source)
{
    size_t length = strlen(source);
    return (length > 4 && strcmp(source + length - 4, ".xml") == 0) || access(source, F_OK) == 0;
}

/* Why a file cannot even be looked into; "" if it can. */
static const char *hwloc_file_trouble(const char *path)
{
    struct stat file;
    if (stat(path, &file) != 0 || access(path, R_OK) != 0)
        return strerror(errno);
    if (S_ISDIR(file.st_mode))
        return strerror(EISDIR);
    return S_ISREG(file.st_mode) && file.st_size == 0 ? "it is empty" : "";
}

static enum tmap_status set_source(hwloc_topology_t topology, const char *source,
                                   struct tmap_error *error)
{
    if (!source)
        return TMAP_OK;
    if (is_file(source)) {
        const char *why = hwloc_file_trouble(source);
        if (*why || hwloc_topology_set_xml(topology, source) != 0)
            return tmap_fail(error, TMAP_ETOPOLOGY, "hwloc cannot read the file '%.150s'%s%s",
                             source, *why ? ": " : "", why);
    } else if (hwloc_topology_set_synthetic(topology, source) != 0) {
        return tmap_fail(
            error, TMAP_ETOPOLOGY,
            "'%.100s': there is no such file, nor is it a synthetic description for hwloc", source);
    }
    return TMAP_OK;
}

static void set_filters(hwloc_topology_t topology, unsigned long flags, int devices)
{
#if HWLOC_API_VERSION >= 0x00020800
    flags |= HWLOC_TOPOLOGY_FLAG_NO_DISTANCES | HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS |
             HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS;
#endif
    /* To query each PU, hwloc would bind the process to one after the other. All processes of a
     * node would end up on the last PU and wait for each other there. */
#if HWLOC_API_VERSION >= 0x00020500
    flags |= HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING;
#elif HWLOC_API_VERSION >= 0x00020100
    hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
#endif
    hwloc_topology_set_flags(topology, flags);
    hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
        hwloc_topology_set_type_filter(topology, type_of[level], HWLOC_TYPE_FILTER_KEEP_ALL);
    /* Without the groups that hwloc makes for them, NUMA nodes inside a package lose their PUs. */
    hwloc_topology_set_type_filter(topology, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
    /* No OS devices: for them hwloc's plugins would ask CUDA, OpenCL and the like, and the program
     * could not choose its devices any more. */
    if (devices)
        hwloc_topology_set_type_filter(topology, HWLOC_OBJ_PCI_DEVICE, HWLOC_TYPE_FILTER_KEEP_ALL);
#if HWLOC_API_VERSION >= 0x00020100
    /* The kernel's list of devices is enough: libpciaccess, in a plugin, leaks what it reads. */
    hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "pci");
#endif
}

enum tmap_status tmap_topology_load(hwloc_topology_t *result, const char *source, int devices,
                                    struct tmap_error *error)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return tmap_fail(error, TMAP_ETOPOLOGY, "hwloc cannot be initialized");
    set_filters(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED, devices);
    enum tmap_status status = set_source(topology, source, error);
    if (status == TMAP_OK && hwloc_topology_load(topology) != 0)
        status = tmap_fail(error, TMAP_ETOPOLOGY, "hwloc cannot load the topology%s%.100s",
                           source ? " " : "", source ? source : "");
    if (status == TMAP_OK)
        *result = topology;
    else
        hwloc_topology_destroy(topology);
    return status;
}

static int32_t index_of_covering(hwloc_topology_t topology, hwloc_obj_type_t type,
                                 hwloc_const_cpuset_t set)
{
    hwloc_obj_t object = NULL;
    while ((object = hwloc_get_next_obj_by_type(topology, type, object))) {
        if (hwloc_bitmap_isincluded(set, object->cpuset))
            return (int32_t)object->logical_index;
    }
    return -1;
}

/* Returns 0 and a place of -1 everywhere for a set that is empty or the whole machine. */
static int find_place(hwloc_topology_t topology, hwloc_const_cpuset_t set, struct tmap_place *place)
{
    hwloc_const_cpuset_t machine = hwloc_topology_get_topology_cpuset(topology);
    int bound = !hwloc_bitmap_iszero(set) && !hwloc_bitmap_isincluded(machine, set);
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
        place->at[level] = bound ? index_of_covering(topology, type_of[level], set) : -1;
    return bound;
}

/* ---- machines ---- */

struct tmap_machine {
    hwloc_topology_t topology;
};

enum tmap_status tmap_machine_create(struct tmap_machine **machine, const char *source,
                                     struct tmap_error *error)
{
    struct tmap_machine *made = malloc(sizeof *made);
    if (!made)
        return tmap_fail_memory(error);
    enum tmap_status status = tmap_topology_load(&made->topology, source, 0, error);
    if (status == TMAP_OK)
        *machine = made;
    else
        free(made);
    return status;
}

void tmap_machine_destroy(struct tmap_machine *machine)
{
    if (machine)
        hwloc_topology_destroy(machine->topology);
    free(machine);
}

enum tmap_status tmap_machine_find_binding(const struct tmap_machine *machine,
                                           const struct tmap_binding *binding,
                                           struct tmap_place *place, int *bound,
                                           struct tmap_error *error)
{
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    if (!set)
        return tmap_fail_memory(error);
    int here = hwloc_topology_is_thissystem(machine->topology), failed = 0;
    for (size_t i = 0; here && i < binding->words; i++)
        failed |= hwloc_bitmap_set_ith_ulong(set, (unsigned)i, binding->word[i]) < 0;
    if (!failed)
        *bound = find_place(machine->topology, set, place);
    hwloc_bitmap_free(set);
    return failed ? tmap_fail_memory(error) : TMAP_OK;
}

enum tmap_status tmap_place_find_self(struct tmap_place *place, int *bound,
                                      struct tmap_error *error)
{
    struct tmap_machine *machine;
    struct tmap_binding binding;
    tmap_binding_read(&binding);
    if (!binding.words) {
        *bound = 0;
        for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
            place->at[level] = -1;
        return TMAP_OK;
    }
    enum tmap_status status = tmap_machine_create(&machine, NULL, error);
    if (status != TMAP_OK)
        return status;
    status = tmap_machine_find_binding(machine, &binding, place, bound, error);
    tmap_machine_destroy(machine);
    return status;
}

/* The caller frees *set, also after a failure. */
static enum tmap_status read_cpus(hwloc_bitmap_t *set, hwloc_topology_t topology, const char *cpus,
                                  struct tmap_error *error)
{
    *set = hwloc_bitmap_alloc();
    if (!*set)
        return tmap_fail_memory(error);
    if (hwloc_bitmap_list_sscanf(*set, cpus) != 0 || hwloc_bitmap_iszero(*set))
        return tmap_fail(error, TMAP_ESYNTAX, "'%.80s' is no list of PUs like 0-3,8", cpus);
    if (!hwloc_bitmap_isincluded(*set, hwloc_topology_get_complete_cpuset(topology)))
        return tmap_fail(error, TMAP_EINVAL, "not all PUs of '%.80s' are there", cpus);
    return TMAP_OK;
}

/* List the objects that have a PU of the set, by their numbers among those that are allowed;
 * *covered gets the allowed PUs of these objects. */
static enum tmap_status list_objects(hwloc_topology_t topology, hwloc_obj_type_t type,
                                     hwloc_const_cpuset_t set, char text[512],
                                     hwloc_bitmap_t covered, struct tmap_error *error)
{
    hwloc_const_cpuset_t allowed = hwloc_topology_get_allowed_cpuset(topology);
    hwloc_obj_t object = NULL;
    unsigned number = 0;
    hwloc_bitmap_t list = hwloc_bitmap_alloc();
    if (!list)
        return tmap_fail_memory(error);
    while ((object = hwloc_get_next_obj_by_type(topology, type, object))) {
        if (hwloc_bitmap_intersects(set, object->cpuset)) {
            hwloc_bitmap_set(list, number);
            hwloc_bitmap_or(covered, covered, object->cpuset);
        }
        number += hwloc_bitmap_intersects(allowed, object->cpuset) != 0;
    }
    hwloc_bitmap_and(covered, covered, allowed);
    int length = hwloc_bitmap_list_snprintf(text, 512, list);
    hwloc_bitmap_free(list);
    return length < 512 ? TMAP_OK
                        : tmap_fail(error, TMAP_EOVERFLOW, "a list of more than 511 characters");
}

static enum tmap_status find_numbers(hwloc_topology_t topology, hwloc_const_cpuset_t set,
                                     struct tmap_numbers *numbers, struct tmap_error *error)
{
    hwloc_bitmap_t covered = hwloc_bitmap_alloc();
    if (!covered)
        return tmap_fail_memory(error);
    enum tmap_status status =
        list_objects(topology, HWLOC_OBJ_PU, set, numbers->pus, covered, error);
    if (status == TMAP_OK)
        status = list_objects(topology, HWLOC_OBJ_CORE, set, numbers->cores, covered, error);
    if (status == TMAP_OK)
        numbers->whole = hwloc_bitmap_isincluded(covered, set);
    hwloc_bitmap_free(covered);
    return status;
}

enum tmap_status tmap_machine_find_cpus(const struct tmap_machine *machine, const char *cpus,
                                        struct tmap_place *place, int *bound,
                                        struct tmap_numbers *numbers, struct tmap_error *error)
{
    hwloc_bitmap_t set = NULL;
    struct tmap_numbers found;
    memset(&found, 0, sizeof found);
    enum tmap_status status = read_cpus(&set, machine->topology, cpus, error);
    if (status == TMAP_OK && numbers)
        status = find_numbers(machine->topology, set, &found, error);
    if (status == TMAP_OK && numbers)
        *numbers = found;
    if (status == TMAP_OK && place)
        *bound = find_place(machine->topology, set, place);
    hwloc_bitmap_free(set);
    return status;
}

enum tmap_status tmap_machine_find_pu(const struct tmap_machine *machine, int32_t index,
                                      struct tmap_place *place, struct tmap_error *error)
{
    hwloc_topology_t topology = machine->topology;
    hwloc_obj_t pu =
        index < 0 ? NULL : hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, (unsigned)index);
    if (!pu)
        return tmap_fail(error, TMAP_EINVAL, "there is no PU %ld", (long)index);
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
        place->at[level] = index_of_covering(topology, type_of[level], pu->cpuset);
    return TMAP_OK;
}

/* The places of all PUs that are allowed, or of one PU of each core (then without the PU), and the
 * smallest number that the system has for an allowed PU there. Returns how many places there
 * are. */
static int32_t allowed_places(hwloc_topology_t topology, int cores_only, struct tmap_place *places,
                              int32_t *number)
{
    hwloc_const_cpuset_t allowed = hwloc_topology_get_allowed_cpuset(topology);
    int32_t count = 0, last_core = -1;
    hwloc_obj_t pu = NULL;
    while ((pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu))) {
        struct tmap_place *place = &places[count];
        if (!hwloc_bitmap_isset(allowed, pu->os_index))
            continue;
        for (int level = 0; level < TMAP_PLACE_LEVELS; level++) {
            hwloc_obj_t object = level == TMAP_PLACE_PU ? pu : NULL;
            if (level == TMAP_PLACE_NUMA)
                place->at[level] = index_of_covering(topology, type_of[level], pu->cpuset);
            else if (!object)
                object = hwloc_get_ancestor_obj_by_type(topology, type_of[level], pu);
            if (level != TMAP_PLACE_NUMA)
                place->at[level] = object ? (int32_t)object->logical_index : -1;
        }
        int32_t core = place->at[TMAP_PLACE_CORE], mine = (int32_t)pu->os_index;
        if (cores_only && core >= 0 && core == last_core) {
            number[count - 1] = mine < number[count - 1] ? mine : number[count - 1];
            continue;
        }
        last_core = core;
        number[count++] = mine;
    }
    return count;
}

/* `number` by slot, or NULL: not wanted. */
static enum tmap_status topology_tree(struct tmap_tree **tree, hwloc_topology_t topology,
                                      int cores_only, int32_t *number, struct tmap_error *error)
{
    enum tmap_status status;
    size_t pus = (size_t)hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
    struct tmap_place *places = tmap_new(pus, sizeof *places);
    int32_t *node_of = tmap_new_zero(pus, 3 * sizeof *node_of);
    if (places && node_of) {
        int32_t *number_of = node_of + pus, *slot_of = number_of + pus;
        int32_t count = allowed_places(topology, cores_only, places, number_of);
        const struct tmap_job job = {.size = sizeof job,
                                     .processes = count,
                                     .node_of = node_of,
                                     .places = places,
                                     .leaf_name = cores_only ? "core" : "pu"};
        status = tmap_tree_create_from_job(tree, &job, slot_of, error);
        for (int32_t i = 0; status == TMAP_OK && number && i < count; i++)
            number[slot_of[i]] = number_of[i];
    } else {
        status = tmap_fail_memory(error);
    }
    free(places);
    free(node_of);
    return status;
}

enum tmap_status tmap_tree_create_from_hwloc(struct tmap_tree **tree, const char *source,
                                             int cores_only, struct tmap_error *error)
{
    hwloc_topology_t topology;
    enum tmap_status status = tmap_topology_load(&topology, source, 0, error);
    if (status != TMAP_OK)
        return status;
    status = topology_tree(tree, topology, cores_only, NULL, error);
    hwloc_topology_destroy(topology);
    return status;
}

enum tmap_status tmap_slot_numbers(int32_t **number, const char *source, int cores_only,
                                   struct tmap_error *error)
{
    hwloc_topology_t topology;
    struct tmap_tree *tree = NULL;
    enum tmap_status status = tmap_topology_load(&topology, source, 0, error);
    if (status != TMAP_OK)
        return status;
    int32_t *found =
        tmap_new((size_t)hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU), sizeof *found);
    status =
        found ? topology_tree(&tree, topology, cores_only, found, error) : tmap_fail_memory(error);
    hwloc_topology_destroy(topology);
    tmap_tree_destroy(tree);
    if (status == TMAP_OK)
        *number = found;
    else
        free(found);
    return status;
}
