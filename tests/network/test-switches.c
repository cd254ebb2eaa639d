/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-switches.c - files that say below which switches the hosts are, Slurm's addresses, lists of
 * names; allocation is wrapped, and every k-th one fails.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "text/hostlist.h"
#include "network/location.h"
#include "network/network-source.h"
#include "network/switches.h"
#include "failing.h"

static const char path[] = "test-switches.tmp";

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* ---- lists of names ---- */

static int join(void *context, const char *name)
{
    char *text = context;
    assert_true(strlen(text) + strlen(name) + 2 < 512);
    strcat(strcat(text, name), " ");
    return 0;
}

static void lists_are_expanded_or_refused(void **state)
{
    static const struct {
        const char *list, *names, *reason;
    } cases[] = {
        {"n1", "n1 ", NULL},
        {"n1,n3,m", "n1 n3 m ", NULL},
        {"n[0-2,7]", "n0 n1 n2 n7 ", NULL},
        {"n[08-11]", "n08 n09 n10 n11 ", NULL},
        {"r[1-2]n[0-1]x,login", "r1n0x r1n1x r2n0x r2n1x login ", NULL},
        {"n[3]", "n3 ", NULL},
        {"", NULL, "a name is empty"},
        {"a,,b", NULL, "a name is empty"},
        {"n[1", NULL, "a bracket is not closed"},
        {"n[]", NULL, "brackets have to hold numbers like 0-3,7"},
        {"n[1-]", NULL, "brackets have to hold numbers like 0-3,7"},
        {"n[3-1]", NULL, "brackets have to hold numbers like 0-3,7"},
        {"n[1;2]", NULL, "brackets have to hold numbers like 0-3,7"},
        {"n[1,]", NULL, "brackets have to hold numbers like 0-3,7"},
        {"a[1]b[1]c[1]d[1]e[1]", NULL, "too many brackets in a name"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char names[512] = "";
        const char *reason = NULL;
        int rc = hostlist_expand(cases[i].list, join, names, &reason);
        if (cases[i].names && (rc || strcmp(names, cases[i].names) != 0))
            fail_msg("'%s': '%s', %s", cases[i].list, names, reason ? reason : "");
        if (cases[i].reason && (rc != -1 || !reason || strcmp(reason, cases[i].reason) != 0))
            fail_msg("'%s': %d '%s', %s", cases[i].list, rc, names, reason ? reason : "");
    }
}

static int count(void *context, const char *name)
{
    (void)name;
    return ++*(int *)context == 5 ? 77 : 0;
}

static int count_all(void *context, const char *name)
{
    (void)name;
    ++*(int *)context;
    return 0;
}

static void a_list_ends_where_its_reader_or_reason_ends(void **state)
{
    char name[400];
    int names = 0;
    const char *reason = NULL;
    (void)state;
    assert_int_equal(hostlist_expand("n[0-9]", count, &names, &reason), 77);
    assert_int_equal(names, 5);
    assert_int_equal(hostlist_expand("n[0-99999999999]", count_all, &names, &reason), -1);
    assert_string_equal(reason, "too many names");
    assert_int_equal(names, 5); /* none of them was taken */
    assert_int_equal(hostlist_expand("n[0-999999],m[0-99999]", count_all, &names, &reason), -1);
    assert_string_equal(reason, "too many names");
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(hostlist_expand(name, count_all, &names, &reason), -1);
    assert_string_equal(reason, "a name is too long");
    memcpy(name + 250, "[100000-100001]", 16);
    assert_int_equal(hostlist_expand(name, count_all, &names, &reason), -1);
    assert_string_equal(reason, "a name is too long");
}

/* ---- files ---- */

/* How many levels up the first common switch of two hosts is; 0: the same innermost one. */
static int parting(const struct reseat_network *n, int a, int b)
{
    int shared = 0;
    while (shared < n->levels &&
           n->switches[a * n->levels + shared] == n->switches[b * n->levels + shared])
        shared++;
    return n->levels - shared;
}

static void both_forms_say_the_same(void **state)
{
    static const char *const texts[] = {
        "# a small cluster\n"
        "SwitchName=s0 Nodes=n[0-1] LinkSpeed=100\n"
        "SwitchName=s1 Nodes=n[2-3]\n"
        "switchname=s2 \\\n   NODES=n4.site.org,n5 # and no more\n\n"
        "SwitchName=m0 Switches=s[0-1]\nSwitchName=top Switches=m0,s2",
        "n[0-1] s0 m0 top\nn[2-3] s1 m0 top\n\n# the others\nn4.site.org\ts2 top\nn5 s2 top # "
        "x\r\n",
        "SwitchName=top Switches=m0,s2\nSwitchName=m0 Switches=s0,s1\nSwitchName=s0 Nodes=n0\n"
        "SwitchName=s0 Nodes=n1\nSwitchName=s1 Nodes=n2,n3\nSwitchName=s2 Nodes=n4,n5\n",
        "BlockName=b0 Nodes=n[0-1]\nBlockName=b1 Nodes=n[2-3]\nBlockName=b2 Nodes=n4,n5\n"
        "BlockSizes=2,4 # b2 has a larger one for itself\n",
        "blocksizes=2,4\nBlockName=b0 Nodes=n[0-1]\nBlockName=b1 Nodes=n[2-3]\nBlockName=b2 "
        "Nodes=n4,n5\n",
    };
    static const char *const hosts[] = {"n5", "n0.site.org", "n2", "n1", "n4", "n3"};
    static const int want[6][6] = {{0, 2, 2, 2, 0, 2}, {2, 0, 1, 0, 2, 1}, {2, 1, 0, 1, 2, 0},
                                   {2, 0, 1, 0, 2, 1}, {0, 2, 2, 2, 0, 2}, {2, 1, 0, 1, 2, 0}};
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        struct reseat_switches *switches = NULL;
        struct reseat_network network;
        struct reseat_error error = {""};
        write_file(texts[t]);
        if (reseat_switches_read(&switches, path, &error))
            fail_msg("text %zu: %s", t, error.text);
        if (reseat_switches_above(switches, hosts, 6, &network, &error))
            fail_msg("text %zu: %s", t, error.text);
        assert_int_equal(network.levels, 2); /* top is above all */
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < 6; b++)
                if (parting(&network, a, b) != want[a][b])
                    fail_msg("text %zu: %s and %s part %d up", t, hosts[a], hosts[b],
                             parting(&network, a, b));
        reseat_network_free(&network);
        reseat_switches_destroy(switches);
    }
    unlink(path);
}

/* A host at a switch that has switches below it shares that one with the hosts below those. */
static void hosts_may_be_below_any_switch(void **state)
{
    static const char *const hosts[] = {"a", "b", "c", "d"};
    struct reseat_switches *switches = NULL;
    struct reseat_network network;
    struct reseat_error error = {""};
    (void)state;
    write_file("a m top\nb s m top\nc m top\nd other\n");
    assert_int_equal(reseat_switches_read(&switches, path, &error), 0);
    assert_int_equal(reseat_switches_above(switches, hosts, 4, &network, &error), 0);
    assert_int_equal(network.levels, 3);
    assert_int_equal(parting(&network, 0, 1), 1);
    assert_int_equal(parting(&network, 0, 2), 0);
    assert_int_equal(parting(&network, 0, 3), 3);
    reseat_network_free(&network);
    assert_int_equal(reseat_switches_above(switches, hosts + 1, 1, &network, &error), 0);
    assert_int_equal(network.levels, 0); /* nothing to tell apart */
    reseat_network_free(&network);
    reseat_switches_destroy(switches);
    unlink(path);
}

static void what_is_wrong_in_a_file_is_named_with_its_line(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "test-switches.tmp: names no host"},
        {"# nothing\n\n", "test-switches.tmp: names no host"},
        {"n0 s0\nn1\n", "test-switches.tmp:2: a host without a switch"},
        {"n0 s0\n\nn[0-1 s1\n", "test-switches.tmp:3: a bracket is not closed"},
        {"n0 s0\nn1 s1\nn0 s1\n", "test-switches.tmp:3: host 'n0' is below 's1' here and below "
                                  "another one in line 1"},
        {"SwitchName=s0 Nodes=n[0-3]\n# x\nSwitchName=s1 Nodes=n[3-5]\n",
         "test-switches.tmp:3: host 'n3' is below 's1' here and below another one in line 1"},
        {"n0 s0 top\nn1 s1 top\nn2 s0 other\n", "test-switches.tmp:3: switch 's0' is below 'other' "
                                                "here and below another one in line 1"},
        {"n0 s0 s1\nn1 s1 s0\n", "test-switches.tmp:1: switch 's0' is below itself"},
        {"n0 s0 s0\n", "test-switches.tmp:1: switch 's0' is below itself"},
        {"SwitchName=a Switches=b\nSwitchName=b Switches=c\nSwitchName=c Switches=a Nodes=n\n",
         "test-switches.tmp:3: switch 'a' is below itself"},
        {"SwitchName=s0 Nodes=n0\nInclude more\n", "test-switches.tmp:2: Include is not followed"},
        {"SwitchName=s0 Nodes=n0\nNodes=n1\n", "test-switches.tmp:2: SwitchName=... is missing"},
        {"SwitchName=s0 Nodes=n0\nhello\n", "test-switches.tmp:2: a word that is not NAME=VALUE"},
        {"BlockName=b0 Nodes=n0\nBlockSizes=4,6\n",
         "test-switches.tmp:2: sizes of blocks rise, and are multiples of the first one"},
        {"BlockSizes=4,x\nBlockName=b0 Nodes=n0\n",
         "test-switches.tmp:1: a size of blocks is expected"},
        {"BlockName=b0 Nodes=n0\nBlockName=b1 Nodes=n0\n",
         "test-switches.tmp:2: host 'n0' is below 'b1' here and below another one in line 1"},
        {"RingName=r0 Nodes=n[0-3]\n",
         "test-switches.tmp:1: rings are read from a topology.yaml only"},
        {"SwitchName=s0 Nodes=\n", "test-switches.tmp:1: a name is empty"},
        {"m s0\nnode[1-1000000000] s0\n", "test-switches.tmp:2: too many names"},
        {"a[0-499999] s0\nb[0-499999] s0\n\nc[0-49999] s0\n",
         "test-switches.tmp:4: more than 1048576 names in the file"},
        {"SwitchName=s0 Nodes=a[0-999999]\nSwitchName=s1 Nodes=b[0-999999]\n",
         "test-switches.tmp:2: more than 1048576 names in the file"},
        {"n0 s0\n-oProxyCommand=x s0\n",
         "test-switches.tmp:2: '-oProxyCommand=x' is not a host name"},
        {"SwitchName=s0 Nodes=n[0-1],$(id)\n", "test-switches.tmp:1: '$(id)' is not a host name"},
        {"n0 s\x1b[2J\n", "test-switches.tmp:1: a control character (0x1b) at byte 5"},
        {"n 1 2 3 4 5 6 7 8 9\n", "test-switches.tmp:1: 9 switches above each other; 8 can be"},
        {"SwitchName=s0 \\\n Nodes=n[x] \\\n\n", "test-switches.tmp:1: brackets have to hold "
                                                 "numbers like 0-3,7"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct reseat_switches *switches = NULL;
        struct reseat_error error = {""};
        write_file(cases[i].text);
        assert_int_equal(reseat_switches_read(&switches, path, &error), -1);
        assert_null(switches);
        if (strcmp(error.text, cases[i].message) != 0)
            fail_msg("'%s': '%s', expected '%s'", cases[i].text, error.text, cases[i].message);
    }
    unlink(path);
    struct reseat_switches *switches = NULL;
    struct reseat_error error;
    assert_int_equal(reseat_switches_read(&switches, "no/file", &error), -1);
    assert_string_equal(error.text, "no/file: No such file or directory");
}

static void hosts_are_found_with_and_without_domain(void **state)
{
    static const struct {
        const char *host;
        int found;
    } cases[] = {{"n0", 1},       {"n0.a.org", 1}, {"n1", 1},       {"n1.a.org", 1},
                 {"n1.b.org", 0}, {"n2.a.org", 1}, {"n2.b.org", 1}, {"n2", 0},
                 {"n3", 0},       {"n", 0},        {"n2.c.org", 0}};
    struct reseat_switches *switches = NULL;
    struct reseat_error error = {""};
    (void)state;
    write_file("n0 s0\nn1.a.org s0\nn2.a.org s0\nn2.b.org s1\n");
    assert_int_equal(reseat_switches_read(&switches, path, &error), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct reseat_network network = {0};
        char want[100];
        int rc = reseat_switches_above(switches, &cases[i].host, 1, &network, &error);
        if ((rc == 0) != cases[i].found)
            fail_msg("%s: %d", cases[i].host, rc);
        snprintf(want, sizeof want, "%s: host '%s' is not in it", path, cases[i].host);
        if (rc)
            assert_string_equal(error.text, want);
        reseat_network_free(&network);
    }
    reseat_switches_destroy(switches);
    unlink(path);
}

static void a_path_is_known_from_a_tree(void **state)
{
    (void)state;
    write_file("");
    assert_true(reseat_switches_is_path("/etc/slurm/topology.conf"));
    assert_true(reseat_switches_is_path("./x"));
    assert_true(reseat_switches_is_path(path));
    assert_false(reseat_switches_is_path("node:4 core:2"));
    unlink(path);
    assert_false(reseat_switches_is_path(path));
}

/* ---- Slurm's addresses ---- */

static void slurm_addresses_make_a_network(void **state)
{
    static const char three[] = "switch.switch.node", two[] = "switch.node";
    static const struct network_address job[] = {{"top.s1.n0", three, "n0.site.org"},
                                                 {"top.s2.n1", three, "n1"},
                                                 {"top.s1.n2.site.org", three, "n2"},
                                                 {"top.n3", two, "n3"}};
    struct reseat_network network;
    struct reseat_error error = {""};
    (void)state;
    if (reseat_network_from_addresses(&network, job, 4, &error))
        fail_msg("%s", error.text);
    assert_int_equal(network.levels, 1);
    assert_int_equal(parting(&network, 0, 2), 0);
    assert_int_equal(parting(&network, 0, 1), 1);
    assert_int_equal(parting(&network, 1, 3), 1);
    assert_int_equal(parting(&network, 0, 3), 1);
    reseat_network_free(&network);
}

/* The library goes on without switches. */
static void without_memory_there_are_none(void **state)
{
    static const struct network_address job[] = {{"s0.n0", "switch.node", "n0"},
                                                 {"s1.n1", "switch.node", "n1"}};
    int rc = -1;
    (void)state;
    for (long k = 0; rc; k++) {
        struct reseat_network network = {0};
        struct reseat_error error = {""};
        fail_at = k;
        rc = reseat_network_from_addresses(&network, job, 2, &error);
        fail_at = -1;
        assert_int_equal(network.levels, rc == 0);
        assert_int_equal(network.switches != NULL, rc == 0);
        reseat_network_free(&network);
        assert_true(k < 100);
    }
}

static void addresses_that_say_nothing_are_refused(void **state)
{
    static const struct {
        struct network_address address;
        const char *message;
    } cases[] = {
        {{NULL, NULL, "n1"}, "SLURM_TOPOLOGY_ADDR is not set on host n1"},
        {{"s1.n1", NULL, "n1"}, "SLURM_TOPOLOGY_ADDR is not set on host n1"},
        {{"s0.n0", "switch.node", "n1"}, "SLURM_TOPOLOGY_ADDR=s0.n0 is set on host n1"},
        {{"n1", "switch.node", "n1"}, "SLURM_TOPOLOGY_ADDR=n1 is not like switch.node"},
        {{".n1", "switch.node", "n1"}, "SLURM_TOPOLOGY_ADDR=.n1 is not like switch.node"},
        {{"s0.n1", "switch.host", "n1"},
         "SLURM_TOPOLOGY_ADDR_PATTERN=switch.host cannot be understood"},
        {{"a.b.c.d.e.f.g.h.i.n1", "a.b.c.d.e.f.g.h.i.node", "n1"},
         "SLURM_TOPOLOGY_ADDR_PATTERN=a.b.c.d.e.f.g.h.i.node cannot be understood"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct network_address job[2] = {{"s0.n0", "switch.node", "n0"}, cases[i].address};
        struct reseat_network network = {0};
        struct reseat_error error = {""};
        assert_int_equal(reseat_network_from_addresses(&network, job, 2, &error), -1);
        if (strcmp(error.text, cases[i].message) != 0)
            fail_msg("'%s', expected '%s'", error.text, cases[i].message);
    }
}

static void what_slurm_did_not_tell_is_in_its_file(void **state)
{
    static const char folder[] = "test-switches.d", file[] = "test-switches.d/topology.conf",
                      configuration[] = "test-switches.d/slurm.conf", pattern[] = "switch.node";
    /* A launcher called on n1: its own ranks have no address; those of n2 have the one of n0. */
    static const struct network_address job[] = {
        {"s0.n0", pattern, "n0"}, {NULL, NULL, "n1"}, {"s0.n0", pattern, "n2"}};
    static const struct network_address whole[] = {{"s0.n0", pattern, "n0"},
                                                   {"s0.n2", pattern, "n2"}};
    struct reseat_network network = {0};
    struct reseat_error error = {""};
    (void)state;
    mkdir(folder, 0700);
    unlink(file);
    assert_int_equal(reseat_network_from_slurm(&network, job, 3, configuration, &error), -1);
    assert_string_equal(error.text, "SLURM_TOPOLOGY_ADDR is not set on host n1");
    FILE *conf = fopen(file, "w");
    assert_non_null(conf);
    fputs("SwitchName=a Nodes=n[0,2]\nSwitchName=b Nodes=n1\nSwitchName=c Switches=a,b\n", conf);
    assert_int_equal(fclose(conf), 0);
    if (reseat_network_from_slurm(&network, job, 3, configuration, &error))
        fail_msg("%s", error.text);
    assert_int_equal(network.levels, 1);
    assert_int_equal(parting(&network, 0, 2), 0);
    assert_int_equal(parting(&network, 0, 1), 1);
    reseat_network_free(&network);
    if (reseat_network_from_slurm(&network, whole, 2, configuration, &error))
        fail_msg("%s", error.text);
    assert_int_equal(network.levels, 0);
    reseat_network_free(&network);
    const struct network_address strange[] = {job[0], {NULL, NULL, "x"}};
    assert_int_equal(reseat_network_from_slurm(&network, strange, 2, configuration, &error), -1);
    assert_string_equal(error.text, "SLURM_TOPOLOGY_ADDR is not set on host x; "
                                    "test-switches.d/topology.conf: host 'x' is not in it");
    unlink(file);
    rmdir(folder);
}

static void write_conf(const char *file, const char *text)
{
    FILE *conf = fopen(file, "w");
    assert_non_null(conf);
    assert_true(fputs(text, conf) >= 0);
    assert_int_equal(fclose(conf), 0);
}

/* Addresses of nodes in a torus name no switch. */
static void a_torus_of_slurm_is_in_its_configuration(void **state)
{
    static const char folder[] = "test-switches.d", yaml[] = "test-switches.d/topology.yaml",
                      configuration[] = "test-switches.d/slurm.conf";
    static const struct network_address job[] = {
        {"n000", "node", "n000"}, {"n001", "node", "n001"}, {"n003", "node", "n003"}};
    struct reseat_network network = {0};
    struct reseat_error error = {""};
    (void)state;
    mkdir(folder, 0700);
    unlink(yaml);
    write_conf(configuration, "TopologyPlugin=topology/flat\nNodeName=n[000x133]\n");
    assert_int_equal(reseat_network_from_slurm(&network, job, 3, configuration, &error), 0);
    assert_int_equal(network.levels, 0);
    write_conf(configuration, "TopologyPlugin=topology/3d_torus\nNodeName=n[000x133]\n");
    assert_int_equal(reseat_network_from_slurm(&network, job, 3, configuration, &error), 0);
    assert_int_equal(network.levels, 1);
    assert_non_null(network.shapes);
    assert_int_equal(network.shapes[0]->extent[2], 4);
    assert_int_equal(network.switches[2], 3);
    reseat_network_free(&network);
    write_conf(yaml, "- topology: t\n  ring:\n    rings:\n    - ring: r\n"
                     "      nodes: n[000,001,002,003,004]\n");
    assert_int_equal(reseat_network_from_slurm(&network, job, 3, configuration, &error), 0);
    assert_int_equal(network.shapes[0]->extent[2], 5);
    reseat_network_free(&network);
    unlink(yaml);
    unlink(configuration);
    rmdir(folder);
}

/* ---- all sources ---- */

static void a_topology_names_its_source(void **state)
{
    (void)state;
    assert_int_equal(network_source_of(""), NETWORK_FROM_SLURM);
    assert_int_equal(network_source_of("switch:2 node:2 core:4"), NETWORK_FROM_TREE);
    assert_int_equal(network_source_of("./no-such-file"), NETWORK_FROM_FILE);
}

/* Nodes 0 and 2 below one switch, node 1 below another: from Slurm, from a file and from a tree. */
static void all_sources_give_the_same_switches(void **state)
{
    static const char tree[] = "switch:2 node:2 core:4", pattern[] = "switch.node";
    static const int32_t ranks[] = {0, 12, 5}; /* leaves on nodes 0, 3 and 1 of the tree */
    static const char *const topologies[] = {"", path, tree};
    struct network_node nodes[] = {{.address = {"s0.n0", pattern, "n0"}},
                                   {.address = {"s1.n1", pattern, "n1"}},
                                   {.address = {"s0.n2", pattern, "n2"}}};
    (void)state;
    write_file("n[0,2] s0 top\nn1 s1 top\n");
    for (int i = 0; i < 3; i++) {
        struct reseat_leaf leaf;
        assert_int_equal(network_source_leaf(&leaf, tree, ranks[i], &(struct reseat_error){""}), 0);
        assert_int_equal(leaf.location.place.at[TMAP_PLACE_CORE], ranks[i]);
        nodes[i].above = leaf.above;
    }
    for (int i = 0; i < 3; i++) {
        struct reseat_network network;
        struct reseat_error error = {""};
        if (reseat_network_find(&network, network_source_of(topologies[i]), topologies[i], nodes, 3,
                                &error))
            fail_msg("'%s': %s", topologies[i], error.text);
        assert_int_equal(network.nodes, 3);
        assert_int_equal(network.levels, 1);
        assert_int_equal(parting(&network, 0, 2), 0);
        assert_int_equal(parting(&network, 0, 1), 1);
        reseat_network_free(&network);
    }
    unlink(path);
}

static void no_address_from_slurm_is_no_error(void **state)
{
    const struct network_node nodes[] = {{.address = {NULL, NULL, "n0"}},
                                         {.address = {NULL, NULL, "n1"}}};
    struct reseat_network network;
    struct reseat_error error = {""};
    (void)state;
    assert_int_equal(reseat_network_find(&network, NETWORK_FROM_SLURM, "", nodes, 2, &error), 0);
    assert_int_equal(network.levels, 0);
    assert_int_equal(network.nodes, 2);
    assert_string_equal(error.text, "");
}

static void a_tree_that_cannot_be_read_is_named(void **state)
{
    struct reseat_leaf leaf;
    struct reseat_error error = {""};
    (void)state;
    assert_int_equal(network_source_leaf(&leaf, "node:0", 0, &error), -1);
    assert_non_null(strstr(error.text, "RESEAT_TOPOLOGY: "));
    assert_false(reseat_place_is_known(&leaf.location.place));
    assert_int_equal(network_source_leaf(&leaf, "node:2", 2, &error), -1);
    assert_string_equal(error.text, "RESEAT_TOPOLOGY: more ranks than its 2 leaves");
}

/* ---- memory ---- */

static void any_allocation_may_fail(void **state)
{
    static const char *const hosts[] = {"n1", "n80"};
    long k;
    (void)state;
    write_file("n[0-99] s0 top\nm[0-3] s1 top\n");
    for (k = 0; k < 1000; k++) {
        struct reseat_switches *switches = NULL;
        struct reseat_network network = {0};
        struct reseat_error error = {""};
        fail_at = k;
        int rc = reseat_switches_read(&switches, path, &error) ||
                 reseat_switches_above(switches, hosts, 2, &network, &error);
        int failed = fail_at < 0;
        fail_at = -1;
        reseat_network_free(&network);
        reseat_switches_destroy(switches);
        if (rc == 0 && !failed)
            break;
        if (rc && !strstr(error.text, "out of memory"))
            fail_msg("allocation %ld: %s", k, error.text);
    }
    assert_in_range(k, 104, 200); /* one for each host, but not for its switch */
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_expanded_or_refused),
        cmocka_unit_test(a_list_ends_where_its_reader_or_reason_ends),
        cmocka_unit_test(both_forms_say_the_same),
        cmocka_unit_test(hosts_may_be_below_any_switch),
        cmocka_unit_test(what_is_wrong_in_a_file_is_named_with_its_line),
        cmocka_unit_test(hosts_are_found_with_and_without_domain),
        cmocka_unit_test(a_path_is_known_from_a_tree),
        cmocka_unit_test(slurm_addresses_make_a_network),
        cmocka_unit_test(without_memory_there_are_none),
        cmocka_unit_test(addresses_that_say_nothing_are_refused),
        cmocka_unit_test(what_slurm_did_not_tell_is_in_its_file),
        cmocka_unit_test(a_torus_of_slurm_is_in_its_configuration),
        cmocka_unit_test(a_topology_names_its_source),
        cmocka_unit_test(all_sources_give_the_same_switches),
        cmocka_unit_test(no_address_from_slurm_is_no_error),
        cmocka_unit_test(a_tree_that_cannot_be_read_is_named),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
