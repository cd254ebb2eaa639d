/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * accelerators.c - see accelerators.h. This runs at the start of other people's programs, once for
 * a node. hwloc would read the configuration of each PCI device for it, and all else that it can
 * find about the machine; the kernel's list has the class of each device in a file.
 */
#include "treematch/adapters/accelerators.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "treematch/adapters/load.h"
#include "treematch/adapters/slot-numbers.h"
#include "treematch/model/objects.h"

enum { VENDOR_AMD = 0x1002, VENDOR_NVIDIA = 0x10de, VENDOR_INTEL = 0x8086 };

/* Kinds of devices: a screen's controller is an accelerator if it is not the only one. */
enum device_kind { DEVICE_OTHER, DEVICE_SCREEN, DEVICE_ACCELERATOR };

/* Bochs, virtio, Red Hat (QXL), Hyper-V, VMware. */
static int is_virtual_display(unsigned vendor)
{
    static const unsigned vendors[] = {0x1234, 0x1af4, 0x1b36, 0x1414, 0x15ad};
    for (size_t i = 0; i < sizeof vendors / sizeof *vendors; i++)
        if (vendor == vendors[i])
            return 1;
    return 0;
}

/* `class`: base class and subclass, as 0x0302. */
static enum device_kind kind_of_device(unsigned class, unsigned vendor, int is_on_bus_0)
{
    if ((vendor == VENDOR_INTEL && is_on_bus_0) || is_virtual_display(vendor))
        return DEVICE_OTHER;
    if (class == 0x0302 || class == 0x0380 || class >> 8 == 0x12)
        return DEVICE_ACCELERATOR;
    return class == 0x0300 && (vendor == VENDOR_NVIDIA || vendor == VENDOR_AMD) ? DEVICE_SCREEN
                                                                                : DEVICE_OTHER;
}

/* Number of devices of each kind. */
static int count_accelerators(const int count[DEVICE_ACCELERATOR + 1])
{
    int all = count[DEVICE_SCREEN] + count[DEVICE_ACCELERATOR];
    return all > 1 ? all : count[DEVICE_ACCELERATOR];
}

/* ---- the kernel's list ---- */

/* The number in a file of a device, as 0x030200; 0: it cannot be read. */
static unsigned long read_number_of(int folder, const char *device, const char *what)
{
    char path[300], text[32];
    if (strlen(device) + strlen(what) + 2 > sizeof path)
        return 0;
    strcat(strcat(strcpy(path, device), "/"), what);
    int file = openat(folder, path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0)
        close(file);
    if (length <= 0)
        return 0;
    text[length] = '\0';
    return strtoul(text, NULL, 16);
}

int tmap_accelerators_in(const char *folder)
{
    int count[DEVICE_ACCELERATOR + 1] = {0};
    DIR *devices = opendir(folder);
    struct dirent *entry;
    while (devices && (entry = readdir(devices))) {
        if (entry->d_name[0] == '.')
            continue;
        unsigned long class = read_number_of(dirfd(devices), entry->d_name, "class") >> 8;
        if (class >> 8 != 0x03 && class >> 8 != 0x12)
            continue;
        unsigned long vendor = read_number_of(dirfd(devices), entry->d_name, "vendor");
        int is_on_bus_0 = strncmp(entry->d_name, "0000:00:", 8) == 0;
        count[kind_of_device((unsigned)class, (unsigned)vendor, is_on_bus_0)]++;
    }
    if (devices)
        closedir(devices);
    return count_accelerators(count);
}

/* ---- hwloc ---- */

static enum device_kind kind_of_object(hwloc_obj_t device)
{
    const struct hwloc_pcidev_attr_s *pci = &device->attr->pcidev;
    return kind_of_device(pci->class_id, pci->vendor_id, pci->domain == 0 && pci->bus == 0);
}

int tmap_accelerators(const char *source)
{
    int count[DEVICE_ACCELERATOR + 1] = {0};
    hwloc_topology_t topology;
    hwloc_obj_t device = NULL;
    if (!source)
        return tmap_accelerators_in("/sys/bus/pci/devices");
    if (tmap_topology_load(&topology, source, 1, NULL))
        return 0;
    while ((device = hwloc_get_next_pcidev(topology, device)))
        count[kind_of_object(device)]++;
    hwloc_topology_destroy(topology);
    return count_accelerators(count);
}

/* ---- near objects ---- */

static int is_card(hwloc_obj_t device)
{
    return device->attr->pcidev.class_id >> 8 == 0x02;
}

/* Returns 1 if a network card is near this object, and no larger one. */
static int has_card(hwloc_topology_t topology, hwloc_obj_t object)
{
    hwloc_obj_t device = NULL;
    while ((device = hwloc_get_next_pcidev(topology, device)))
        if (is_card(device) &&
            hwloc_bitmap_isincluded(hwloc_get_non_io_ancestor_obj(topology, device)->cpuset,
                                    object->cpuset))
            return 1;
    return 0;
}

int tmap_card_level(const char *source)
{
    static const struct {
        int place;
        hwloc_obj_type_t type;
    } levels[] = {{TMAP_PLACE_PACKAGE, HWLOC_OBJ_PACKAGE}, {TMAP_PLACE_NUMA, HWLOC_OBJ_NUMANODE}};
    hwloc_topology_t topology;
    int most = 0, found = -1;
    if (tmap_topology_load(&topology, source, 1, NULL))
        return -1;
    if (has_card(topology, hwloc_get_root_obj(topology))) {
        most = 1;
        found = TMAP_PLACE_LEVELS;
    }
    for (int l = 0; l < 2; l++) {
        hwloc_obj_t object = NULL;
        int count = 0;
        while ((object = hwloc_get_next_obj_by_type(topology, levels[l].type, object)))
            count += has_card(topology, object);
        if (count > most) {
            most = count;
            found = levels[l].place;
        }
    }
    hwloc_topology_destroy(topology);
    return found;
}

/* ---- near slots ---- */

/* Slots of a tree, by the numbers of their PUs in the system. */
struct numbered_slots {
    const int32_t *number;
    int32_t count;
};

/* Returns 0 if none of the slots is near the device. */
static int find_near(struct tmap_device *found, hwloc_topology_t topology, hwloc_obj_t device,
                     const struct numbered_slots *slots)
{
    const struct hwloc_pcidev_attr_s *pci = &device->attr->pcidev;
    hwloc_const_cpuset_t near = hwloc_get_non_io_ancestor_obj(topology, device)->cpuset;
    *found = (struct tmap_device){.is_card = is_card(device), .first = -1};
    snprintf(found->pci, sizeof found->pci, "%04x:%02x:%02x.%x", (unsigned)pci->domain,
             (unsigned)pci->bus, (unsigned)pci->dev, (unsigned)pci->func);
    for (int32_t s = 0; s < slots->count; s++)
        if (hwloc_bitmap_isset(near, (unsigned)slots->number[s])) {
            found->first = found->first < 0 ? s : found->first;
            found->last = s;
        }
    return found->first >= 0;
}

/* Move the last one of `count` to where its address belongs. */
static void sort_in(struct tmap_device *devices, int32_t count)
{
    const struct tmap_device last = devices[count - 1];
    int32_t at = count - 1;
    for (; at > 0 && strcmp(devices[at - 1].pci, last.pci) > 0; at--)
        devices[at] = devices[at - 1];
    devices[at] = last;
}

/* Returns the number of devices; *devices is NULL if memory is out. */
static int32_t list_devices(struct tmap_device **devices, hwloc_topology_t topology,
                            const struct numbered_slots *slots)
{
    int count[DEVICE_ACCELERATOR + 1] = {0}, all = 0;
    int32_t found = 0;
    hwloc_obj_t device = NULL;
    for (; (device = hwloc_get_next_pcidev(topology, device)); all++)
        count[kind_of_object(device)]++;
    *devices = tmap_new((size_t)all + 1, sizeof **devices);
    int screens = count[DEVICE_SCREEN] && count_accelerators(count) > 1;
    while (*devices && (device = hwloc_get_next_pcidev(topology, device))) {
        enum device_kind kind = kind_of_object(device);
        if ((kind == DEVICE_ACCELERATOR || (screens && kind == DEVICE_SCREEN) || is_card(device)) &&
            find_near(&(*devices)[found], topology, device, slots))
            sort_in(*devices, ++found);
    }
    return found;
}

enum tmap_status tmap_devices_find(struct tmap_device **devices, int32_t *count, const char *source,
                                   int cores_only, const struct tmap_tree *tree,
                                   struct tmap_error *error)
{
    hwloc_topology_t topology;
    int32_t *number = NULL;
    enum tmap_status status = tmap_slot_numbers(&number, source, cores_only, error);
    if (status == TMAP_OK &&
        (status = tmap_topology_load(&topology, source, 1, error)) == TMAP_OK) {
        const struct numbered_slots numbered = {number, tmap_tree_slots(tree)};
        *count = list_devices(devices, topology, &numbered);
        status = *devices ? TMAP_OK : tmap_fail_memory(error);
        hwloc_topology_destroy(topology);
    }
    free(number);
    return status;
}
