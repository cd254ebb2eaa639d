/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-accelerators.c - which devices of a node count as accelerators: by a folder like the
 * kernel's, and by hwloc with the same devices.
 */
#include "network/network-source.h"
#include "test.h"
#include "treematch/adapters/accelerators.h"
#include "treematch/tmap-hwloc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_DEVICES = 8 };

static const struct node {
    const char *what;
    int accelerators;
    const char *device[MOST_DEVICES + 1]; /* bus, class, vendor; ends with NULL */
} nodes[] = {
    {"nothing", 0, {NULL}},
    {"four A100 and the board's ASPEED",
     4,
     {"0000:03:00.0 0300 1a03", "0000:07:00.0 0302 10de", "0000:0f:00.0 0302 10de",
      "0000:47:00.0 0302 10de", "0000:4e:00.0 0302 10de"}},
    {"MI250, display controllers of AMD", 2, {"0000:c1:00.0 0380 1002", "0000:c6:00.0 0380 1002"}},
    {"MI300, processing accelerators", 2, {"0000:05:00.0 1200 1002", "0000:15:00.0 1200 1002"}},
    {"Gaudi and a far domain", 2, {"0000:33:00.0 1200 1da3", "0001:00:00.0 1200 1da3"}},
    {"a data center GPU of Intel behind a bridge", 1, {"0000:29:00.0 0380 8086"}},
    {"GeForces, one of which has a screen",
     2,
     {"0000:01:00.0 0300 10de", "0000:02:00.0 0300 10de"}},
    {"a screen's GeForce beside a compute card",
     2,
     {"0000:01:00.0 0300 10de", "0000:02:00.0 0302 10de"}},
    {"a workstation's only card", 0, {"0000:01:00.0 0300 10de"}},
    {"graphics inside an AMD processor", 0, {"0000:c4:00.0 0300 1002"}},
    {"a laptop of Intel with its neural unit",
     0,
     {"0000:00:02.0 0300 8086", "0000:00:0b.0 1200 8086"}},
    {"Intel's graphics as the second controller", 0, {"0000:00:02.0 0380 8086"}},
    {"Matrox on a server board", 0, {"0000:03:00.0 0300 102b"}},
    {"displays of virtual machines", 0, {"0000:00:01.0 0380 1af4", "0000:00:02.0 0380 1234"}},
    {"disks and network cards", 0, {"0000:01:00.0 0108 144d", "0000:02:00.0 0207 15b3"}},
};
enum { NODES = sizeof nodes / sizeof *nodes };

static void write_text(const char *folder, const char *bus, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s/%s", folder, bus, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "0x%s\n", text);
    assert_int_equal(fclose(file), 0);
}

static void make_folder(const char *folder, const struct node *node)
{
    assert_int_equal(mkdir(folder, 0700), 0);
    for (int i = 0; node->device[i]; i++) {
        char bus[16], class[8], vendor[8], path[256];
        assert_int_equal(sscanf(node->device[i], "%15s %7s %7s", bus, class, vendor), 3);
        snprintf(path, sizeof path, "%s/%s", folder, bus);
        assert_int_equal(mkdir(path, 0700), 0);
        write_text(folder, bus, "vendor", vendor);
        strcat(class, "00");
        write_text(folder, bus, "class", class);
    }
}

static void write_xml(const char *name, const struct node *node)
{
    static const char sets[] = "cpuset=\"0x1\" complete_cpuset=\"0x1\" nodeset=\"0x1\" "
                               "complete_nodeset=\"0x1\"";
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\">\n"
            "<object type=\"Machine\" os_index=\"0\" %s allowed_cpuset=\"0x1\" "
            "allowed_nodeset=\"0x1\" gp_index=\"1\">\n"
            "<object type=\"NUMANode\" os_index=\"0\" %s gp_index=\"2\" local_memory=\"1\"/>\n"
            "<object type=\"PU\" os_index=\"0\" %s gp_index=\"3\"/>\n",
            sets, sets, sets);
    for (int i = 0; node->device[i]; i++) {
        char bus[16], class[8], vendor[8];
        assert_int_equal(sscanf(node->device[i], "%15s %7s %7s", bus, class, vendor), 3);
        fprintf(file,
                "<object type=\"PCIDev\" gp_index=\"%d\" pci_busid=\"%s\" "
                "pci_type=\"%s [%s:0001] [%s:0001] 00\" pci_link_speed=\"0\"/>\n",
                i + 4, bus, class, vendor, vendor);
    }
    fprintf(file, "</object>\n</topology>\n");
    assert_int_equal(fclose(file), 0);
}

static void the_kernels_list_and_hwloc_have_the_same_accelerators(void **state)
{
    (void)state;
    for (int i = 0; i < NODES; i++) {
        char folder[64], name[80], clean[200];
        snprintf(folder, sizeof folder, "test-accelerators.%ld", (long)getpid());
        snprintf(name, sizeof name, "%s.xml", folder);
        snprintf(clean, sizeof clean, "rm -rf %s %s", folder, name);
        make_folder(folder, &nodes[i]);
        write_xml(name, &nodes[i]);
        int in_folder = tmap_accelerators_in(folder), in_xml = tmap_accelerators(name);
        assert_int_equal(setenv("HWLOC_XMLFILE", name, 1), 0);
        int in_variable = reseat_node_accelerators("");
        unsetenv("HWLOC_XMLFILE");
        assert_int_equal(system(clean), 0);
        if (in_folder != nodes[i].accelerators || in_xml != nodes[i].accelerators ||
            in_variable != nodes[i].accelerators)
            fail_msg("%s: %d by the folder, %d by hwloc, %d by HWLOC_XMLFILE, expected %d",
                     nodes[i].what, in_folder, in_xml, in_variable, nodes[i].accelerators);
    }
}

static void nodes_of_the_test_data_have_their_gpus(void **state)
{
    (void)state;
    assert_int_equal(tmap_accelerators(TEST_DATA "/node-4-gpus.xml"), 4);
    assert_int_equal(tmap_accelerators(TEST_DATA "/node-8-gpus.xml"), 8);
}

/* Two GPUs and a card at the first package, two GPUs at the second; a server's screen counts
 * nowhere. */
static void devices_are_near_the_slots_of_their_package(void **state)
{
    static const struct tmap_device expected[] = {{"0000:02:00.0", 0, 0, 3},
                                                  {"0000:03:00.0", 0, 0, 3},
                                                  {"0000:04:00.0", 1, 0, 3},
                                                  {"0000:81:00.0", 0, 4, 7},
                                                  {"0000:82:00.0", 0, 4, 7}};
    struct tmap_device *found = NULL;
    struct tmap_error error;
    struct tmap_tree *tree;
    int32_t count = 0;
    (void)state;
    assert_int_equal(tmap_tree_create_from_hwloc(&tree, TEST_DATA "/node-4-gpus.xml", 1, &error),
                     TMAP_OK);
    assert_int_equal(
        tmap_devices_find(&found, &count, TEST_DATA "/node-4-gpus.xml", 1, tree, &error), TMAP_OK);
    assert_int_equal(count, 5);
    for (int32_t d = 0; d < count; d++) {
        assert_string_equal(found[d].pci, expected[d].pci);
        assert_int_equal(found[d].is_card, expected[d].is_card);
        assert_int_equal(found[d].first, expected[d].first);
        assert_int_equal(found[d].last, expected[d].last);
    }
    free(found);
    assert_int_equal(tmap_devices_find(&found, &count, "/no/such.xml", 1, tree, &error),
                     TMAP_ETOPOLOGY);
    tmap_tree_destroy(tree);
}

/* Opens an object of a type with these PUs and NUMA nodes, as bits. */
static void open_object(FILE *file, const char *type, int index, unsigned bits)
{
    static int number = 1;
    fprintf(file,
            "<object type=\"%s\" os_index=\"%d\" cpuset=\"0x%x\" complete_cpuset=\"0x%x\" "
            "nodeset=\"0x%x\" complete_nodeset=\"0x%x\" gp_index=\"%d\"%s>\n",
            type, index, bits, bits, bits, bits, number++,
            strcmp(type, "NUMANode") == 0  ? " local_memory=\"1\""
            : strcmp(type, "Machine") == 0 ? " allowed_cpuset=\"0xf\" allowed_nodeset=\"0xf\""
                                           : "");
}

/* Two packages with two NUMA nodes each, of one PU and one network card. */
static void write_card_for_each_numa_node(const char *name)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fprintf(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\">\n");
    open_object(file, "Machine", 0, 0xf);
    for (int n = 0; n < 4; n++) {
        if (n % 2 == 0)
            open_object(file, "Package", n / 2, 3U << n);
        open_object(file, "Group", n, 1U << n);
        open_object(file, "NUMANode", n, 1U << n);
        fprintf(file, "</object>\n");
        open_object(file, "PU", n, 1U << n);
        fprintf(file, "</object>\n");
        fprintf(file,
                "<object type=\"PCIDev\" gp_index=\"%d\" pci_busid=\"0000:0%d:00.0\" "
                "pci_type=\"0207 [15b3:0001] [15b3:0001] 00\" pci_link_speed=\"0\"/>\n</object>\n",
                100 + n, n + 1);
        if (n % 2 == 1)
            fprintf(file, "</object>\n");
    }
    fprintf(file, "</object>\n</topology>\n");
    assert_int_equal(fclose(file), 0);
}

/* A card at one of two packages; two at each of them; one at each of their NUMA nodes; none. */
static void the_level_of_network_cards(void **state)
{
    (void)state;
    assert_int_equal(tmap_card_level(TEST_DATA "/node-4-gpus.xml"), TMAP_PLACE_LEVELS);
    assert_int_equal(tmap_card_level(TEST_DATA "/node-8-gpus.xml"), TMAP_PLACE_PACKAGE);
    write_card_for_each_numa_node("test-accelerators.xml");
    assert_int_equal(tmap_card_level("test-accelerators.xml"), TMAP_PLACE_NUMA);
    assert_int_equal(unlink("test-accelerators.xml"), 0);
    assert_int_equal(tmap_card_level("pack:2 core:4 pu:1"), -1);
    assert_int_equal(setenv("HWLOC_XMLFILE", TEST_DATA "/node-8-gpus.xml", 1), 0);
    assert_int_equal(reseat_node_card_level(""), TMAP_PLACE_PACKAGE);
    unsetenv("HWLOC_XMLFILE");
    assert_int_equal(reseat_node_card_level("node:2 package:2 core:2"), -1);
}

static void what_cannot_be_read_has_no_accelerators(void **state)
{
    (void)state;
    assert_int_equal(tmap_accelerators("/no/such.xml"), 0);
    assert_int_equal(tmap_accelerators_in("/no/such/folder"), 0);
    assert_int_equal(tmap_accelerators("pack:2 core:4 pu:1"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kernels_list_and_hwloc_have_the_same_accelerators),
        cmocka_unit_test(nodes_of_the_test_data_have_their_gpus),
        cmocka_unit_test(devices_are_near_the_slots_of_their_package),
        cmocka_unit_test(the_level_of_network_cards),
        cmocka_unit_test(what_cannot_be_read_has_no_accelerators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
