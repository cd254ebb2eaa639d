/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-networks.c - files that describe the network above hosts, by what the distances between the
 * hosts of a job are then. They are modelled on the documentation of what writes them: Slurm's
 * topology.yaml(5) and topology(5), the manual of ibnetdiscover(8) of infiniband-diags; coordinates
 * are a form of our own. Allocation is wrapped, and every k-th one fails.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "failing.h"
#include "network/location.h"
#include "network/network-source.h"
#include "network/topology-form.h"

static const char path[] = "test-networks.tmp";
enum { MOST_HOSTS = 8 };

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Split "a b c"; returns how many there are. */
static int32_t split(char *hosts, struct network_node *nodes)
{
    int32_t count = 0;
    char *save = NULL;
    memset(nodes, 0, MOST_HOSTS * sizeof *nodes);
    for (char *host = strtok_r(hosts, " ", &save); host; host = strtok_r(NULL, " ", &save)) {
        assert_true(count < MOST_HOSTS);
        nodes[count++].address.host = host;
    }
    return count;
}

/* The distances of all pairs, in the order 0-1, 0-2, ..., 1-2, ..., with a rank on each node. */
static void print_distances(char *text, size_t room, const struct reseat_network *network)
{
    struct reseat_location at[MOST_HOSTS] = {0};
    struct tmap_tree *tree = NULL;
    int32_t slot[MOST_HOSTS], nodes = network->nodes;
    struct reseat_error error = {""};
    for (int32_t n = 0; n < nodes; n++) {
        at[n].node = n;
        reseat_place_clear(&at[n].place);
    }
    if (reseat_location_tree(&tree, at, nodes, network, slot, &error))
        fail_msg("%s", error.text);
    size_t length = 0;
    *text = '\0';
    for (int32_t a = 0; a < nodes; a++)
        for (int32_t b = a + 1; b < nodes; b++)
            length += (size_t)snprintf(text + length, room - length, "%s%g", length ? " " : "",
                                       tmap_tree_distance(tree, slot[a], slot[b]));
    tmap_tree_destroy(tree);
}

struct network_case {
    const char *text, *hosts, *want; /* distances, or else the error behind the name of the file */
};

static void check_case(const struct network_case *c)
{
    char hosts[256], found[600], want[600];
    struct network_node nodes[MOST_HOSTS];
    struct reseat_network network = {0};
    struct reseat_error error = {""};
    snprintf(hosts, sizeof hosts, "%s", c->hosts);
    int32_t count = split(hosts, nodes);
    write_file(c->text);
    int rc = reseat_network_find(&network, NETWORK_FROM_FILE, path, nodes, count, &error);
    if (rc == 0)
        print_distances(found, sizeof found, &network);
    else
        snprintf(found, sizeof found, "%s", error.text);
    snprintf(want, sizeof want, "%s%s", c->want[0] == ':' ? path : "", c->want);
    if (strcmp(found, want) != 0)
        fail_msg("%s are '%s', not '%s', by %.300s", c->hosts, found, want, c->text);
    reseat_network_free(&network);
}

/* ---- coordinates ---- */

static void coordinates_are_places_of_a_torus_or_mesh(void **state)
{
    static const struct network_case cases[] = {
        /* a b: neighbors, around the end; c: two hops from a */
        {"# torus 4x4x4\na 0 0 0\nb 3 0 0\nc 0 2 0\n", "a b c", "400 800 1200"},
        {"# mesh 4x4x4\na 0 0 0\nb 3 0 0\nc 0 2 0\n", "a b c", "1200 800 2000"},
        /* hosts of one router are closer than those of two */
        {"# torus 8\nn[0-1] 0\nn[2-3] 1 # rack 2\n", "n0 n1 n2 n3", "200 400 400 400 400 200"},
        {"# torus 8\nn[0-1] 0\nn[2-3] 1\n", "n0 n1", "400"},
        /* the extents that are there: 5 x 3 */
        {"x 0 0\n\ny 4 0\nz 0 2\nother 2 1\n", "x y z", "400 400 800"},
        {"# by hand\nx 0 0\n# torus 9x9, later\ny 4 0\nz 0 2\n", "x y", "400"},
        /* a dragonfly: r0 of group 0 leads to group 1, r1 of group 0 to group 2 */
        {"# dragonfly 3x2\na 0 0\nb 0 1\nc 1 0\nd 2 0\n", "a b c d", "400 400 800 800 400 1200"},
        {"# torus 4x4\nn0.site 0 0\nn1 1 1\n", "n0 n1.site", "800"},
        {"# torus 4x4\nn0 0 0\nn0.site 2 2\nn1 1 1\n", "n0.site n1", "800"},
        {"# torus 4x4\nn0 0 0\n", "n0 n1", ": host 'n1' is not in it"},
        {"# torus 4x4\nn0 0 0\nn0 0 0\nn1 0 1\nn1 1 1\n", "n0 n1",
         ":5: host 'n1' is at another place here than in line 4"},
        {"# torus 4x4\nn[0-1048574] 0 0\nm 0 0\nl 0 0\n", "n0 m",
         ":4: more than 1048576 names in the file"},
        {"# torus 2x16777216\nn0 0 0\n", "n0",
         ":1: torus or mesh and up to 8 extents like 4x4x4, or dragonfly GROUPSxROUTERS, of at "
         "most 16777216 "
         "positions, are expected"},
        {"# torus 4x4\nn0 0 4\n", "n0", ":2: coordinate 2 is 4, and the extent 4"},
        {"# torus 4x4\nn0 0\n", "n0", ":2: 1 coordinates, where 2 are expected"},
        {"n0 0 1\nn1 0 1 2\n", "n0", ":2: 3 coordinates, where 2 are expected"},
        {"n0 0 1\nn1 0 s\n", "n0",
         ":2: a host and its coordinates, which are numbers from 0, are expected"},
        {"n0 0 1\nn[1 0 1\n", "n0", ":2: a bracket is not closed"},
        {"n0 0 1 2 3 4 5 6 7 8\n", "n0", ":1: more than 8 coordinates"},
        {"n0 5000 5000\n", "n0", ": a torus of more than 16777216 positions"},
        {"# torus 4x4\n# torus 5000x5000\nn0 0 0\nn1 2 2\n", "n0 n1", "1600"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_case(&cases[i]);
}

/* The plugin that Slurm had until 24.05, after its documentation (TopologyPlugin=topology/3d_torus). */
static void slurm_has_coordinates_in_names(void **state)
{
    static const char conf[] = "# slurm.conf\nClusterName=c\nSlurmctldHost=head\n"
                               "TopologyPlugin=topology/3d_torus\n"
                               "NodeName=DEFAULT CPUs=4\nNodeName=tux[000x133] State=UNKNOWN\n"
                               "NodeName=tux[200x333,400] State=UNKNOWN\nNodeName=login\n";
    static const struct network_case cases[] = {
        {conf, "tux000 tux400 tux020 tux122", "400 800 2000 1200 2400 1200"},
        {conf, "tux000.site tux003", "400"},
        {conf, "tux000 tux500", ": host 'tux500' is not in it"},
        {conf, "tux000 login",
         ": topology/3d_torus, and 'login' does not end with three coordinates (0-9, A-Z)"},
        {"NodeName=x[000xZZZ]\nTopologyPlugin=topology/3d_torus\n", "x000 xZZZ xA0A",
         "1200 8000 9200"},
        {"ClusterName=c\n", "a", ":1: SwitchName=... is missing"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_case(&cases[i]);
}

/* ---- topology.yaml ---- */

/* After the example of topology.yaml(5). */
static const char yaml[] = "---\n"
                           "- topology: topo1\n"
                           "  cluster_default: true\n"
                           "  tree:\n"
                           "    switches:\n"
                           "      - switch: sw_root\n"
                           "        children: s[1-2]\n"
                           "      - switch: s1\n"
                           "        nodes: node[01-02]\n"
                           "      - switch: s2   # the other one\n"
                           "        nodes: node[03-04]\n"
                           "- topology: topo2\n"
                           "  cluster_default: false\n"
                           "  block:\n"
                           "    block_sizes:\n"
                           "      - 2\n"
                           "      - 4\n"
                           "    blocks:\n"
                           "      - block: b1\n"
                           "        nodes: node[11-12]\n"
                           "      - block: b2\n"
                           "        nodes: node[13-14]\n"
                           "      - block: b3\n"
                           "        nodes: node[15-16]\n"
                           "- topology: topo3\n"
                           "  flat: true\n"
                           "- topology: topo4\n"
                           "  ring:\n"
                           "    rings:\n"
                           "      - ring: ring0\n"
                           "        nodes: ring[00-07]\n"
                           "      - ring: ring1\n"
                           "        nodes: ring[10-17]\n"
                           "      - ring: ring2\n"
                           "        nodes: ring[20-22]\n"
                           "- topology: topo5\n"
                           "  torus3d:\n"
                           "    toruses:\n"
                           "      - name: pod1\n"
                           "        dims:\n"
                           "          x: 4\n"
                           "          y: 4\n"
                           "          z: 2\n"
                           "        nodes: pod1-[01-32]\n"
                           "        placements:\n"
                           "          - dims: {x: 2, y: 2, z: 1}\n"
                           "            anchor_seed: {x: 1, y: 0, z: 0}\n"
                           "      - name: pod2\n"
                           "        dims: {x: 4, y: 4, z: 2}\n"
                           "        regions:\n"
                           "          - anchor: {x: 0, y: 2, z: 0}\n"
                           "            dims: {x: 4, y: 2, z: 2}\n"
                           "            nodes: \"rack2-[01-16]\"\n";

static void topology_yaml(void **state)
{
    static const struct network_case cases[] = {
        {yaml, "node01 node02 node03 node04", "200 400 400 400 400 200"},
        {yaml, "node01 node02", "400"},
        {yaml, "node11 node12 node13 node16", "200 300 400 300 400 400"},
        {yaml, "ring00 ring01 ring07 ring04", "400 400 1600 800 1200 1200"},
        {yaml, "ring00 ring07 ring12", "300 400 400"}, /* two rings; a hop of a ring is 300 */
        {yaml, "ring00 ring07 ring22", "200 400 400"}, /* of different sizes: which ring counts */
        /* x varies fastest: 02 is (1,0,0), 04 (3,0,0), 05 (0,1,0), 17 (0,0,1), 32 (3,3,1) */
        {yaml, "pod1-01 pod1-02 pod1-04 pod1-05", "400 400 400 800 800 800"},
        {yaml, "pod1-01 pod1-17 pod1-32", "400 1200 800"},
        /* (0,2,0), (0,3,0), (3,3,1) */
        {yaml, "rack2-01 rack2-05 rack2-16", "400 1200 800"},
        {yaml, "node01 nowhere", ": host 'nowhere' is not in it"},
        {"- topology: t\n  flat: true\n", "a b", "400"},
        {"- topology: t\n  tree:\n    switches:\n    - switch: s\n      nodes: a,b\n"
         "    - {switch: t, nodes: c}\n",
         "a b c", "200 400 400"},
        {"- topology: t\n  block:\n    block_sizes: [1, 2]\n    blocks:\n    - nodes: a\n"
         "      block: x\n    - block: y\n      nodes: b\n    - block: z\n      nodes: c\n",
         "a b c", "300 400 400"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_case(&cases[i]);
}

#define TREE "- topology: t\n  tree:\n    switches:\n"

static void what_is_wrong_in_yaml_is_named(void **state)
{
    static const struct network_case cases[] = {
        {"---\n", "a", ": names no topology"},
        {"- flat: true\n", "a", ": names no topology"},
        {"- topology: t\n", "a", ":1: a topology has one of tree, block, ring, torus3d and flat"},
        {TREE "    - nodes: a\n", "a", ":4: a switch without a name"},
        {TREE "    - switch: s\n    - switch: s\n", "a", ":5: two switches with the same name"},
        {TREE "    - switch: s\n      children: t\n", "a", ":4: there is no switch 't'"},
        {TREE "    - switch: s\n      children: u\n    - switch: t\n      children: u\n"
              "    - switch: u\n",
         "a", ":6: switch 'u' is below two others"},
        {TREE "    - switch: s\n      children: t\n    - switch: t\n      children: s\n", "a",
         ":4: more than 8 switches above each other, or 's' is below itself"},
        {TREE "    - switch: s\n      nodes: a[\n", "a", ":5: a bracket is not closed"},
        {TREE "    - switch: s\n      nodes: n[0-1048575],m\n", "a", ":5: too many names"},
        {TREE "    - switch: s\n      nodes: n[0-1048575]\n    - switch: t\n      nodes: m\n", "a",
         ":7: more than 1048576 names in the file"},
        {TREE "    - switch: s\n     nodes: a\n", "a", ":5: this does not fit the lines before"},
        {TREE "\t- switch: s\n", "a", ":4: YAML is not indented with tabs"},
        {TREE "    - switch: &x s\n", "a", ":4: YAML that is not understood here"},
        {TREE "    - switch: \"a\\n\"\n", "a", ":4: quotes that are not understood here"},
        {TREE "    - {switch: s\n", "a", ":4: a collection that is not closed, or nested"},
        {TREE "    - {switch: s, [a]}\n", "a", ":4: a collection that is not closed, or nested"},
        {TREE "    - {switch}\n", "a", ":4: 'key: value' is expected between { and }"},
        {TREE "    switch\n", "a", ":4: 'key: value' or '- item' is expected"},
        {"- topology: t\n  block:\n    block_sizes: [2, 3]\n", "a",
         ":3: sizes of blocks rise, and are multiples of the first one"},
        {"- topology: t\n  block:\n    block_sizes: [x]\n", "a",
         ":3: a size of blocks is expected"},
        {"- topology: t\n  ring:\n    rings:\n    - ring: r\n", "a", ":4: a ring without nodes"},
        {"- topology: t\n  torus3d:\n    toruses:\n    - name: p\n      dims: {x: 2, y: 2}\n", "a",
         ":4: dims with x, y and z are expected"},
        {"- topology: t\n  torus3d:\n    toruses:\n    - name: p\n      dims: {x: 1, y: 1, z: 1}\n"
         "      nodes: a,b\n",
         "a", ":6: more nodes than positions"},
        {"- topology: t\n  torus3d:\n    toruses:\n    - name: p\n      dims: {x: 1, y: 1, z: 1}\n"
         "      regions:\n      - anchor: {x: 1, y: 0, z: 0}\n        dims: {x: 1, y: 1, z: 1}\n"
         "        nodes: a\n",
         "a", ":9: a region that is not inside its torus"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_case(&cases[i]);
}

/* ---- ibnetdiscover ---- */

enum { MOST_TEXT = 1 << 16 };

/* A section of a switch or host; ports as "kind number peer". */
static void add(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(char *text, const char *format, ...)
{
    va_list arguments;
    size_t length = strlen(text);
    va_start(arguments, format);
    vsnprintf(text + length, MOST_TEXT - length, format, arguments);
    va_end(arguments);
}

static void add_switch(char *text, int number, const int *peers, int count)
{
    add(text,
        "vendid=0x2c9\ndevid=0xbd36\nsysimgguid=0x2c90200%04x\nswitchguid=0x2c90200%04x(2c90200)\n"
        "Switch\t36 \"S-0002c90200%04x\"\t\t# \"MF0;switch-%d\" base port 0 lid %d lmc 0\n",
        number, number, number, number, number);
    for (int p = 0; p < count; p++)
        add(text, "[%d]\t\"S-0002c90200%04x\"[%d]\t\t# \"MF0;switch-%d\" lid %d 4xQDR\n", p + 1,
            peers[p], number, peers[p], peers[p]);
    add(text, "[30]\t\"H-0002c90300ffff\"[1](2c90300)\t\t# \"other HCA-1\" lid 90 4xQDR\n\n");
}

static void add_host(char *text, int number, const char *name, int leaf)
{
    add(text,
        "vendid=0x2c9\ndevid=0x673c\nsysimgguid=0x2c90300%04x\ncaguid=0x2c90300%04x\n"
        "Ca\t2 \"H-0002c90300%04x\"\t\t# \"%s HCA-1\"\n"
        "[1](2c90300%04x)\t\"S-0002c90200%04x\"[9]\t\t# lid %d lmc 0 \"MF0;switch\" lid 1 "
        "4xQDR\n\n",
        number, number, number, name, number, leaf, 100 + number);
}

static const char fabric_head[] = "#\n# Topology file: generated on Tue Jun  5 14:15:10 2012\n#\n"
                                  "# Initiated from node 0002c90300 port 0002c90300\n\n";

/* Leaves 1-4, spines 11 and 12 above 1-2, 13 and 14 above 3-4, cores 21 and 22 above all spines. */
static void a_fat_tree_is_recognized(void **state)
{
    static char text[MOST_TEXT];
    static const int low[] = {11, 12}, high[] = {13, 14}, cores[] = {21, 22, 21};
    strcpy(text, fabric_head);
    (void)state;
    for (int leaf = 1; leaf <= 4; leaf++)
        add_switch(text, leaf, leaf < 3 ? low : high, 2);
    for (int spine = 11; spine <= 14; spine++)
        add_switch(text, spine, cores, 3);
    add_host(text, 1, "n1", 1);
    add_host(text, 2, "n2", 1);
    add_host(text, 3, "n3", 2);
    add_host(text, 4, "n4", 3);
    add_host(text, 5, "n5", 4);
    add_host(text, 6, "Mellanox Technologies", 21);
    add_host(text, 7, "n5", 1); /* another adapter */
    check_case(
        &(struct network_case){text, "n1 n2 n3 n4 n5", "200 300 400 400 300 400 400 400 400 300"});
    check_case(&(struct network_case){text, "n5 n1.site", "400"});
    check_case(&(struct network_case){text, "n1 n2", "400"});
    check_case(&(struct network_case){text, "n1 n9", ": host 'n9' is not in it"});
}

/* More switches than the table of identifiers begins with: each is found again by its neighbors. */
static void a_large_ring_is_a_graph(void **state)
{
    enum { SWITCHES = 150 };
    static char text[MOST_TEXT];
    (void)state;
    strcpy(text, fabric_head);
    for (int s = 0; s < SWITCHES; s++) {
        const int peers[2] = {(s + SWITCHES - 1) % SWITCHES + 1, (s + 1) % SWITCHES + 1};
        add_switch(text, s + 1, peers, 2);
    }
    add_host(text, 1, "a", 1);
    add_host(text, 2, "b", 2);
    add_host(text, 3, "c", 76);
    check_case(&(struct network_case){text, "a b c", "400 30000 29600"});
}

/* Switches 1 to 6 in a ring, with a chord from 1 to 4. */
static void another_fabric_is_a_graph(void **state)
{
    static char text[MOST_TEXT];
    static const int peers[6][2] = {{2, 4}, {3, 1}, {4, 2}, {5, 3}, {6, 4}, {1, 5}};
    strcpy(text, fabric_head);
    (void)state;
    for (int s = 1; s <= 6; s++)
        add_switch(text, s, peers[s - 1], 2);
    for (int s = 1; s <= 6; s++)
        add_host(text, s, (const char *[]){"a", "b", "c", "d", "e", "f"}[s - 1], s);
    add_host(text, 7, "a2", 1);
    check_case(&(struct network_case){text, "a b c d", "400 800 400 400 800 400"});
    /* as far as these know, it is a tree: each is two links from the others */
    check_case(&(struct network_case){text, "a c e a2", "400 400 200 400 400 400"});
    strcpy(text, fabric_head);
    add_host(text, 1, "a", 1);
    add_host(text, 2, "b", 2);
    check_case(&(struct network_case){text, "a b", ": no links lead from host 'a' to 'b'"});
    add(text, "Switch\t36 \"S-0002c902000001\"\t# \"s\"\n[1]\t\"X-0002\"[1]\n");
    check_case(&(struct network_case){
        text, "a b", ":21: the other end of a link, like \"S-0002c9020040a8f8\"[1], is expected"});
}

/* ---- Netloc's lines ---- */

static void netloc_lines_are_a_network_too(void **state)
{
    static const char text[] = "torus 3 4 1600 4 800 4 1600 2 32 52\n"
                               "tree 1 4 800 1 0\nnode n129 tree 1 4 2 -1\n"
                               "tree 1 4 800 2 0 1\nnode n208 tree 1 4 2 -1\n"
                               "node n210 tree 1 4 2 -1\n";
    (void)state;
    /* a hop of the second dimension is half of one of the first */
    check_case(&(struct network_case){text, "n210 n208 n129", "300 600 600"});
    check_case(&(struct network_case){text, "n129 n2", ": host 'n2' is not in it"});
    /* two groups of a dragonfly, each a ring */
    check_case(&(struct network_case){"alltoall 1 9 500 2 0 4\nring 1 4 100 2 0 2\n"
                                      "node a tree 1 4 2 -1\nnode b tree 1 4 2 -1\n"
                                      "ring 1 4 100 1 3\nnode c tree 1 4 2 -1\n",
                                      "a b c", "600 400 400"});
}

/* ---- a tree as text ---- */

/* The distances between nodes are those of the tree, whether one process sees all ranks (doctor,
 * placement) or each node tells its own place (the library). */
static void a_tree_with_shapes_is_the_same_as_a_network(void **state)
{
    static const char *const texts[] = {"torus:4x2 core:2", "mesh:2x2 node:2 core:2",
                                        "dragonfly:3x2 core:2", "ring:8 core:1",
                                        "switch:2 node:4 core:2"};
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        struct tmap_tree *tree = NULL;
        struct reseat_location at[16];
        struct network_node nodes[16] = {0};
        struct reseat_network network = {0};
        struct reseat_error error = {""};
        char want[600] = "", found[600], one[32];
        assert_int_equal(tmap_tree_parse(&tree, texts[t], NULL), TMAP_OK);
        int32_t ranks = tmap_tree_slots(tree);
        if (reseat_leaf_locations(at, &network, tree, ranks, &error))
            fail_msg("%s: %s", texts[t], error.text);
        int32_t count = network.nodes, step = ranks / count;
        for (int32_t a = 0; a < count; a++)
            for (int32_t b = a + 1; b < count; b++) {
                snprintf(one, sizeof one, "%s%g", *want ? " " : "",
                         tmap_tree_distance(tree, a * step, b * step));
                strcat(want, one);
            }
        print_distances(found, sizeof found, &network);
        assert_string_equal(found, want);
        reseat_network_free(&network);
        for (int32_t n = 0; n < count; n++) {
            struct reseat_leaf leaf;
            assert_int_equal(network_source_leaf(&leaf, texts[t], n * step, &error), 0);
            nodes[n].above = leaf.above;
        }
        assert_int_equal(
            reseat_network_find(&network, NETWORK_FROM_TREE, texts[t], nodes, count, &error), 0);
        print_distances(found, sizeof found, &network);
        assert_string_equal(found, want);
        reseat_network_free(&network);
        tmap_tree_destroy(tree);
    }
}

/* ---- all of them ---- */

static void a_file_is_known_by_its_content(void **state)
{
    static const struct {
        const char *text;
        enum topology_form form;
    } cases[] = {
        {"", TOPOLOGY_OTHER},
        {"\n <?xml version=\"1.0\"?>\n", TOPOLOGY_OTHER},
        {"# nothing\n", TOPOLOGY_SWITCHES},
        {"n0 s0 top\n", TOPOLOGY_SWITCHES},
        {"n0 7\n", TOPOLOGY_SWITCHES},
        {"# torus 4\nn0 7\n", TOPOLOGY_COORDINATES},
        {"# torus 4 racks\nSwitchName=s0 Nodes=n0\n", TOPOLOGY_SWITCHES},
        {"# torus 4\nSwitchName=s0 Nodes=n0\n", TOPOLOGY_SWITCHES},
        {"n0 7 8 # x\n", TOPOLOGY_COORDINATES},
        {"switchname=s0 Nodes=n0\nTopologyPlugin=topology/3d_torus\n", TOPOLOGY_SWITCHES},
        {"A=1\n\nTopologyPlugin=topology/3d_torus\n", TOPOLOGY_SLURM_TORUS},
        {"A=1\nTopologyPlugin=topology/tree\n", TOPOLOGY_SWITCHES},
        {"---\n", TOPOLOGY_SLURM_YAML},
        {"# slurm\n- topology: x\n", TOPOLOGY_SLURM_YAML},
        {"#\n# Topology file: generated\n\nvendid=0x2c9\n", TOPOLOGY_FABRIC},
        {"Ca\t2 \"H-0002c90300\"\t# \"n HCA-1\"\n", TOPOLOGY_FABRIC},
        {"node a tree 1 4 1 -1", TOPOLOGY_NETLOC},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_file(cases[i].text);
        if (topology_form_of(path) != cases[i].form)
            fail_msg("'%s' is %d, not %d", cases[i].text, (int)topology_form_of(path),
                     (int)cases[i].form);
    }
    assert_int_equal(topology_form_of("/does/not/exist"), TOPOLOGY_OTHER);
}

static void nodes_can_be_selected(void **state)
{
    static const int32_t row[] = {2, 0, 2};
    struct network_path paths[3] = {{1, {0}}, {1, {5}}, {1, {3}}};
    struct tmap_shape shape = {
        .size = sizeof shape, .kind = TMAP_SHAPE_MESH, .dimensions = 1, .extent = {6}};
    const struct tmap_shape *shapes[] = {&shape};
    struct reseat_network network, selected;
    char text[256];
    (void)state;
    assert_int_equal(reseat_network_create(&network, paths, 3, shapes, NULL), 0);
    assert_int_equal(reseat_network_select(&selected, &network, row, 3, NULL), 0);
    reseat_network_free(&network);
    print_distances(text, sizeof text, &selected);
    assert_string_equal(text, "1200 200 1200");
    reseat_network_free(&selected);
}

static void every_allocation_may_fail(void **state)
{
    static char fabric[MOST_TEXT];
    static const int peers[] = {2, 3};
    strcpy(fabric, fabric_head);
    add_switch(fabric, 1, peers, 2);
    add_host(fabric, 1, "node01", 1);
    add_host(fabric, 2, "node03", 2);
    const char *const texts[] = {yaml, "# dragonfly 3x2\nnode01 0 0\nnode03 1 0\n", fabric,
                                 "torus 1 4 8 2 0 1\nnode node01 tree 1 4 2 -1\n"
                                 "node node03 tree 1 4 2 -1\n"};
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        int failures = 0, failed = 1;
        write_file(texts[t]);
        for (long k = 0; failed && k < 2000; k++) {
            char hosts[] = "node01 node03";
            struct network_node nodes[MOST_HOSTS];
            struct reseat_network network = {0};
            struct reseat_error error = {""};
            int32_t count = split(hosts, nodes);
            fail_at = k;
            int rc = reseat_network_find(&network, NETWORK_FROM_FILE, path, nodes, count, &error);
            failed = fail_at < 0;
            fail_at = -1;
            assert_true(rc == 0 || error.text[0]);
            assert_true(failed || rc == 0);
            failures += rc != 0;
            reseat_network_free(&network);
        }
        assert_false(failed);
        assert_true(failures > 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_are_places_of_a_torus_or_mesh),
        cmocka_unit_test(slurm_has_coordinates_in_names),
        cmocka_unit_test(topology_yaml),
        cmocka_unit_test(what_is_wrong_in_yaml_is_named),
        cmocka_unit_test(a_fat_tree_is_recognized),
        cmocka_unit_test(another_fabric_is_a_graph),
        cmocka_unit_test(a_large_ring_is_a_graph),
        cmocka_unit_test(netloc_lines_are_a_network_too),
        cmocka_unit_test(a_tree_with_shapes_is_the_same_as_a_network),
        cmocka_unit_test(a_file_is_known_by_its_content),
        cmocka_unit_test(nodes_can_be_selected),
        cmocka_unit_test(every_allocation_may_fail),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failures;
}
