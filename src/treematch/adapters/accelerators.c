/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * accelerators.c - see accelerators.h. This runs at the start of other people's programs, once for
 * a node. hwloc would read the configuration of each PCI device for it, and all else that it can
 * find about the machine; the kernel's list has the class of each device in a file.
 */
#include "treematch/adapters/accelerators.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "treematch/adapters/load.h"

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

int tmap_accelerators(const char *source)
{
    int count[DEVICE_ACCELERATOR + 1] = {0};
    hwloc_topology_t topology;
    hwloc_obj_t device = NULL;
    if (!source)
        return tmap_accelerators_in("/sys/bus/pci/devices");
    if (tmap_topology_load(&topology, source, 1, NULL))
        return 0;
    while ((device = hwloc_get_next_pcidev(topology, device))) {
        const struct hwloc_pcidev_attr_s *pci = &device->attr->pcidev;
        count[kind_of_device(pci->class_id, pci->vendor_id, pci->domain == 0 && pci->bus == 0)]++;
    }
    hwloc_topology_destroy(topology);
    return count_accelerators(count);
}
