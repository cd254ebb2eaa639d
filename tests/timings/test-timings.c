/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-timings.c - how long messages take on a machine: the file, every refusal, what it says about
 * sizes and resources that were not measured; allocation is wrapped, and every k-th one fails.
 */
#include <math.h>
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
#include "timings/timings.h"

static const char path[] = "test-timings.tmp";

/* Two nodes: 10 us and 100 MB/s between them, 1 us and 1 GB/s inside. */
#define FIRST "# reseat timings 1\n"
#define NODES                                  \
    "level machine bytes 0 seconds 1e-05\n"    \
    "level machine bytes 1000 seconds 2e-05\n" \
    "level machine bytes 1000000 seconds 0.010010000\n"
#define INSIDE                                                 \
    "level node bytes 0 seconds 1e-06 times 100 spread 0.05\n" \
    "level node bytes 1000000 seconds 0.001001\n"

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static struct reseat_timings *read_text(const char *text)
{
    struct reseat_timings *timings = NULL;
    struct reseat_error error = {""};
    write_file(text);
    if (reseat_timings_read(&timings, path, &error))
        fail_msg("%s", error.text);
    return timings;
}

static void check_near(const char *what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fabs(want)))
        fail_msg("%s: %.12g, not %.12g", what, got, want);
}

static void a_file_is_read_and_written(void **state)
{
    static const char text[] = FIRST
        "# host: n0\n# launcher: mpirun \\x0a\n" NODES
        "hop machine seconds 1.5e-06 times 20 spread 0.250000\n" INSIDE
        "exchange node among pair ranks 2 bytes 8 messages 4 seconds 3e-6\n"
        "exchange machine among all ranks 8 bytes 8 messages 1 seconds 2e-05 times 3 spread 0.1\n"
        "exchange node among pair ranks 2 bytes 8 messages 1 seconds 2e-6\n"
        "card out ranks 1 bytes_per_second 1e+08\ncard out ranks 4 bytes_per_second 1.2e+08\n"
        "card in ranks 4 bytes_per_second 110000000\ncard both ranks 4 bytes_per_second 2e8\n"
        "card both near numa ranks 2 bytes_per_second 9e7\n"
        "card out near numa ranks 2 bytes_per_second 6e7 times 3\n"
        "memory pairs 2 bytes_per_second 8e+09 times 5 spread 0.01\n";
    static const char want[] =
        FIRST "# figures: 16\n# host: n0\n# launcher: mpirun \\x0a\n"
              "level machine bytes 0 seconds 1e-05\nlevel machine bytes 1000 seconds 2e-05\n"
              "level machine bytes 1000000 seconds 0.01001\n"
              "hop machine seconds 1.5e-06 times 20 spread 0.250000\n"
              "exchange machine among all ranks 8 bytes 8 messages 1 seconds 2e-05 times 3 spread "
              "0.100000\n"
              "level node bytes 0 seconds 1e-06 times 100 spread 0.050000\n"
              "level node bytes 1000000 seconds 0.001001\n"
              "exchange node among pair ranks 2 bytes 8 messages 1 seconds 2e-06\n"
              "exchange node among pair ranks 2 bytes 8 messages 4 seconds 3e-06\n"
              "card out ranks 1 bytes_per_second 100000000\n"
              "card out ranks 4 bytes_per_second 120000000\n"
              "card in ranks 4 bytes_per_second 110000000\n"
              "card both ranks 4 bytes_per_second 200000000\n"
              "card out near numa ranks 2 bytes_per_second 60000000 times 3 spread 0.000000\n"
              "card both near numa ranks 2 bytes_per_second 90000000\n"
              "memory pairs 2 bytes_per_second 8e+09 times 5 spread 0.010000\n";
    (void)state;
    struct reseat_timings *t = read_text(text);
    char *written = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&written, &size);
    assert_non_null(memory);
    reseat_timings_write(memory, t);
    assert_int_equal(fclose(memory), 0);
    assert_string_equal(written, want);
    assert_string_equal(reseat_timings_header(t, "launcher"), "mpirun \n");
    assert_null(reseat_timings_header(t, "mpi"));
    check_near("hop", t->level[0].hop_seconds, 1.5e-6);
    assert_int_equal(t->level[1].point[0].sample.times, 100);
    free(written);
    reseat_timings_destroy(t);
}

/* Cut behind any of its lines, or with one line taken out, a file that was written is refused. */
static void a_file_that_lost_lines_is_refused(void **state)
{
    static const char text[] =
        FIRST "# figures: 6\n# host: n0\n" NODES INSIDE "card out ranks 4 bytes_per_second 1e8\n";
    const char *line = text;
    char shorter[sizeof text];
    (void)state;
    reseat_timings_destroy(read_text(text));
    for (int cut = 0; *line; cut++) {
        const char *next = strchr(line, '\n') + 1;
        for (int all = 0; all < 2; all++) {
            struct reseat_timings *timings = NULL;
            struct reseat_error error = {""};
            int is_remark = line != text && *line == '#';
            snprintf(shorter, sizeof shorter, "%.*s%s", (int)(line - text), text, all ? "" : next);
            write_file(shorter);
            int rc = reseat_timings_read(&timings, path, &error);
            if (rc != (is_remark && !all ? 0 : -1))
                fail_msg("line %d%s: %d, '%s'", cut + 1, all ? " and the rest" : "", rc,
                         error.text);
            if (!is_remark && line != text)
                assert_non_null(strstr(error.text, " figures are announced, and there are "));
            reseat_timings_destroy(timings);
        }
        line = next;
    }
}

static void the_order_of_lines_does_not_count(void **state)
{
    struct reseat_timings *t = read_text(FIRST "# a remark: not kept\n"
                                               "level node bytes 1000000 seconds 0.001001\n\n"
                                               "\tlevel  machine bytes 9 seconds 2e-5\r\n"
                                               "level node bytes 0 seconds 1e-6\n"
                                               "level machine bytes 0 seconds .00001\n");
    (void)state;
    assert_int_equal(t->headers, 0);
    assert_int_equal(t->levels, 2);
    assert_string_equal(t->level[0].kind, "machine");
    assert_int_equal(t->level[1].point[0].bytes, 0);
    assert_int_equal(t->level[1].point[1].bytes, 1000000);
    reseat_timings_destroy(t);
}

static void what_is_wrong_is_refused_with_its_line(void **state)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", ": does not begin with `# reseat timings 1'"},
        {"# reseat profile 1\n", ": does not begin with"},
        {"# reseat timings 2\n", ":1: timings of another version"},
        {FIRST, ": there is no level"},
        {FIRST "level node bytes 8 seconds 1\n", ": level node has no two sizes"},
        {FIRST "hop machine seconds 1\n", ": level machine has no two sizes"},
        {FIRST NODES "speed 3\n",
         ":5: level, hop, exchange, card or memory is expected here: 'speed 3'"},
        {FIRST NODES "levels node bytes 8 seconds 1\n", ":5: level, hop, exchange, card or memory"},
        {FIRST "level\n", ":2: a kind of level is expected"},
        {FIRST "level nod bytes 8 seconds 1\n", ":2: 'nod' is no kind of level"},
        {FIRST "level switch1 bytes 8 seconds 1\n", ":2: 'switch1' is no kind of level"},
        {FIRST "level switch02 bytes 8 seconds 1\n", ":2: 'switch02' is no kind"},
        {FIRST "level switch99 bytes 8 seconds 1\n", ":2: 'switch99' is no kind"},
        {FIRST "level node size 8 seconds 1\n", ":2: 'bytes' and an integer of at most"},
        {FIRST "level node bytes -8 seconds 1\n", ":2: 'bytes' and an integer of at most"},
        {FIRST "level node bytes 1125899906842625 seconds 1\n", ":2: 'bytes' and an integer"},
        {FIRST "level node bytes 8 seconds\n", ":2: 'seconds' and a number are expected here: ''"},
        {FIRST "level node bytes 8 seconds x\n", ":2: 'seconds' and a number are expected"},
        {FIRST "level node bytes 8 seconds nan\n", ":2: 'seconds' and a number are expected"},
        {FIRST "level node bytes 8 seconds 0\n", ":2: seconds between 1e-13 and 1e+18"},
        {FIRST "level node bytes 8 seconds 1e19\n", ":2: seconds between"},
        {FIRST "level node bytes 8 seconds 1 spread 1\n", ":2: 'times' and an integer"},
        {FIRST "level node bytes 8 seconds 1 times 3 spread\n", ":2: 'spread' and a number"},
        {FIRST "level node bytes 8 seconds 1 times 3 spread 2e6\n", ":2: times of 0 or more"},
        {FIRST "level node bytes 8 seconds 1 times 3 spread 1 x\n", ":2: the line goes on"},
        {FIRST NODES "level machine bytes 1000 seconds 1\n",
         ":5: level machine, bytes 1000 is there"},
        {FIRST "hop machine seconds 1\nhop machine seconds 1\n", ":3: hop machine is there twice"},
        {FIRST "hop machine seconds 0\n", ":2: seconds between"},
        {FIRST "exchange node ranks 2 bytes 8 messages 1 seconds 1\n",
         ":2: 'among', and pair, node"},
        {FIRST "exchange node among some ranks 2 bytes 8 messages 1 seconds 1\n",
         ":2: 'among', and"},
        {FIRST "exchange node among pair ranks 1 bytes 8 messages 1 seconds 1\n",
         ":2: two ranks and"},
        {FIRST "exchange node among all ranks 2 bytes 8 messages 0 seconds 1\n",
         ":2: two ranks and"},
        {FIRST "exchange node among all ranks 2 bytes 8 messages 1 seconds 0\n",
         ":2: seconds between"},
        {FIRST "exchange node among all ranks 2 bytes 8 messages 1 seconds 1\n"
               "exchange node among all ranks 2 bytes 8 messages 1 seconds 1\n",
         ":3: this exchange is there twice"},
        {FIRST "exchange node among all ranks 2 bytes 8 messages 1 seconds 1\n"
               "exchange node among all ranks 4 bytes 8 messages 2 seconds 1\n",
         ":3: another number of ranks than before, 2"},
        {FIRST "card up ranks 1 bytes_per_second 1\n", ":2: card is followed by out, in or both"},
        {FIRST "card out pairs 1 bytes_per_second 1\n", ":2: 'ranks' and an integer"},
        {FIRST "card out near ranks 1 bytes_per_second 1\n",
         ":2: 'ranks' is no kind of object in a node"},
        {FIRST "card out near switch ranks 1 bytes_per_second 1\n", ":2: 'switch' is no kind of"},
        {FIRST "card out near numa ranks 1 bytes_per_second 1\n"
               "card in near package ranks 1 bytes_per_second 1\n",
         ":3: cards are near another kind before, numa"},
        {FIRST "card out ranks 0 bytes_per_second 1\n", ":2: one rank or pair is the least"},
        {FIRST "card in ranks 1 bytes_per_second 0\n", ":2: bytes_per_second between"},
        {FIRST "memory ranks 1 bytes_per_second 1\n", ":2: 'pairs' and an integer"},
        {FIRST "memory pairs 1 bytes_per_second 1\nmemory pairs 1 bytes_per_second 2\n",
         ":3: the same number of ranks or pairs, 1, is there twice"},
        {FIRST "# host: a\\x00b\n", ":2: an escaped NUL"},
        {FIRST "level node bytes 8\x1b[2J seconds 1\n", ":2: a control character (0x1b)"},
        {FIRST "level node bytes 8 seconds 1", ":2: torn"},
        {FIRST "# figures: 4\n" NODES, ": 4 figures are announced, and there are 3: torn"},
        {FIRST NODES INSIDE "# figures: 4\n", ": 4 figures are announced, and there are 5"},
        {FIRST "# figures: 3 or 4\n" NODES, ":2: the number of figures is expected"},
        {FIRST "# figures: 3\n# figures: 3\n", ":3: the number of figures is there twice"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct reseat_timings *timings = NULL;
        struct reseat_error error = {""};
        char want[256];
        write_file(cases[i].text);
        snprintf(want, sizeof want, "%s%s", path, cases[i].reason);
        if (reseat_timings_read(&timings, path, &error) != -1 || timings ||
            strncmp(error.text, want, strlen(want)) != 0)
            fail_msg("'%s': '%s', not '%s'", cases[i].text, error.text, want);
    }
}

/* By hand: 10 us to 1,000 bytes, then 20 us + 10 ns a byte. */
static void seconds_of_a_size(void **state)
{
    struct reseat_timings *t = read_text(FIRST NODES INSIDE);
    const struct timings_level *level = reseat_timings_level(t, "machine");
    (void)state;
    check_near("0", reseat_timings_seconds(level, 0), 1e-5);
    check_near("500", reseat_timings_seconds(level, 500), 1.5e-5);
    check_near("1000", reseat_timings_seconds(level, 1000), 2e-5);
    check_near("501000", reseat_timings_seconds(level, 501000), 2e-5 + 500000e-8);
    check_near("2e6", reseat_timings_seconds(level, 2e6), 0.01001 + 1e6 * 1e-8);
    check_near("4 x 250", reseat_timings_sum(level, 4, 1000), 4 * 1.25e-5);
    check_near("no message", reseat_timings_sum(level, 0, 0), 0);
    check_near("bytes without messages", reseat_timings_sum(level, 0, 1000), 2e-5);
    reseat_timings_destroy(t);
}

/* The last two figures are noise: the larger message is not faster. */
static void a_slope_is_never_negative(void **state)
{
    struct reseat_timings *t = read_text(FIRST "level node bytes 100 seconds 2e-6\n"
                                               "level node bytes 200 seconds 1e-6\n");
    const struct timings_level *level = reseat_timings_level(t, "node");
    struct timings_line line = reseat_timings_line(level);
    (void)state;
    check_near("150", reseat_timings_seconds(level, 150), 1.5e-6);
    check_near("400", reseat_timings_seconds(level, 400), 2e-6);
    check_near("no slope", line.seconds_per_byte, 0);
    check_near("latency", line.latency, (1 / 2e-6 + 1 / 1e-6) / (1 / 4e-12 + 1 / 1e-12));
    reseat_timings_destroy(t);
    /* and rounding does not make it negative where it is steep */
    t = read_text(FIRST "level node bytes 1 seconds 1e18\nlevel node bytes 8 seconds 1e-13\n");
    check_near("8", reseat_timings_seconds(reseat_timings_level(t, "node"), 8), 1e-13);
    reseat_timings_destroy(t);
}

static void the_straight_line(void **state)
{
    struct reseat_timings *t = read_text(FIRST INSIDE "level core bytes 1000 seconds 1e-6\n"
                                                      "level core bytes 2000 seconds 3e-6\n");
    struct timings_line line = reseat_timings_line(reseat_timings_level(t, "node"));
    (void)state;
    check_near("latency", line.latency, 1e-6);
    check_near("seconds_per_byte", line.seconds_per_byte, 1e-9);
    /* -1 us + 2 ns a byte is not possible: through the origin, (1 + 2/3) / (1 + 4/9) ns a byte */
    line = reseat_timings_line(reseat_timings_level(t, "core"));
    check_near("none negative", line.latency, 0);
    check_near("through the origin", line.seconds_per_byte, 1e-9 * (5.0 / 3) / (13.0 / 9));
    reseat_timings_destroy(t);
}

static void the_nearest_level_stands_for_another(void **state)
{
    struct reseat_timings *t = read_text(FIRST NODES "level package bytes 0 seconds 1e-6\n"
                                                     "level package bytes 9 seconds 1e-6\n"
                                                     "level l2 bytes 0 seconds 1e-7\n"
                                                     "level l2 bytes 9 seconds 1e-7\n");
    static const struct {
        const char *kind, *want;
    } cases[] = {{"machine", "machine"}, {"switch", "machine"},  {"switch3", "machine"},
                 {"node", "package"},    {"package", "package"}, {"socket", "package"},
                 {"l3", "l2"},           {"pu", "l2"},           {"nothing", "package"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (strcmp(reseat_timings_level(t, cases[i].kind)->kind, cases[i].want) != 0)
            fail_msg("%s: %s, not %s", cases[i].kind, reseat_timings_level(t, cases[i].kind)->kind,
                     cases[i].want);
    reseat_timings_destroy(t);
}

static void levels_of_trees_are_kinds(void **state)
{
    static const struct {
        const char *tree, *kinds;
    } cases[] = {
        {"node:4 package:2 core:8", "machine node package core "},
        {"core:4", "node core "},
        {"switch:2 node:4 core:2", "machine switch node core "},
        {"switch:2 switch:2 switch:2 node:4 core:2", "machine switch3 switch2 switch node core "},
        {"torus:4x4 node:2 core:2", "machine switch node core "},
        {"torus:4x4 core:2", "machine node core "},
        {"4 4 3 2", "machine node node node node "},
        {"node:2 thing:2 core:2", "machine node node core "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tmap_tree *tree = NULL;
        char kinds[512] = "", kind[TMAP_NAME_SIZE];
        assert_int_equal(tmap_tree_parse(&tree, cases[i].tree, NULL), TMAP_OK);
        for (int level = 0; level <= tmap_tree_depth(tree); level++) {
            reseat_timings_kind(tree, level, kind);
            strcat(strcat(kinds, kind), " ");
        }
        if (strcmp(kinds, cases[i].kinds) != 0)
            fail_msg("%s: %s, not %s", cases[i].tree, kinds, cases[i].kinds);
        tmap_tree_destroy(tree);
    }
}

/* What is between nodes is nothing like what is inside; only what the machine has is needed. */
static void what_a_machine_needs_and_timings_lack(void **state)
{
    static const char between[] = "timings between nodes", inside[] = "timings inside nodes",
                      cards[] = "figures of network cards";
    static const struct {
        const char *text, *tree, *want;
    } cases[] = {{FIRST INSIDE, "node:2 core:2", between},
                 {FIRST INSIDE, "node:2", between},
                 {FIRST INSIDE, "node:1 core:4", NULL},
                 {FIRST INSIDE, "package:2 core:4", NULL},
                 {FIRST INSIDE, "torus:2x2 core:2", between},
                 {FIRST NODES, "node:2 core:2", inside},
                 {FIRST NODES, "node:2", NULL},
                 {FIRST NODES, "core:2", inside},
                 {FIRST NODES INSIDE, "node:2 core:2", cards},
                 {FIRST NODES INSIDE, "4 2", cards},
                 {FIRST NODES INSIDE, "switch:2 node:2", NULL},
                 {FIRST NODES INSIDE, "core:8", NULL},
                 {FIRST NODES INSIDE "card in ranks 1 bytes_per_second 1e8\n",
                  "switch:2 node:2 core:2", NULL}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct reseat_timings *timings = read_text(cases[i].text);
        struct tmap_tree *tree = NULL;
        assert_int_equal(tmap_tree_parse(&tree, cases[i].tree, NULL), TMAP_OK);
        const char *lack = reseat_timings_lack_on(timings, tree);
        if (!lack != !cases[i].want || (lack && strcmp(lack, cases[i].want) != 0))
            fail_msg("%zu, %s: %s, not %s", i, cases[i].tree, lack ? lack : "nothing",
                     cases[i].want ? cases[i].want : "nothing");
        tmap_tree_destroy(tree);
        reseat_timings_destroy(timings);
    }
}

/* Two levels that have the same timings are as one: what lies between them is not known. */
static void a_level_may_borrow_timings(void **state)
{
    static const char package[] = "level package bytes 0 seconds 1e-7\n"
                                  "level package bytes 9 seconds 2e-7\n";
    static const struct {
        const char *text, *tree;
        int want;
    } cases[] = {{FIRST NODES INSIDE, "node:2 core:4", -1},
                 {FIRST NODES INSIDE, "node:2 package:2 core:4", 2},
                 {FIRST NODES INSIDE, "node:2 package:1 core:4", -1},
                 {FIRST NODES INSIDE, "switch:2 node:2 core:4", 1},
                 {FIRST NODES, "package:2 core:4", 0}};
    (void)state;
    for (size_t i = 0; i <= sizeof cases / sizeof cases[0]; i++) {
        int is_last = i == sizeof cases / sizeof cases[0], want = is_last ? -1 : cases[i].want;
        char text[1024];
        snprintf(text, sizeof text, "%s%s", is_last ? FIRST NODES INSIDE : cases[i].text,
                 is_last ? package : "");
        struct reseat_timings *timings = read_text(text);
        struct tmap_tree *tree = NULL;
        assert_int_equal(tmap_tree_parse(&tree, is_last ? cases[1].tree : cases[i].tree, NULL),
                         TMAP_OK);
        int found = reseat_timings_borrow_on(timings, tree);
        if (found != want)
            fail_msg("%zu: %d, not %d", i, found, want);
        tmap_tree_destroy(tree);
        reseat_timings_destroy(timings);
    }
}

static void rates_of_other_numbers_and_of_what_is_missing(void **state)
{
    struct reseat_timings *t =
        read_text(FIRST NODES INSIDE "card out ranks 2 bytes_per_second 2e8\n"
                                     "card out ranks 6 bytes_per_second 4e8\n"
                                     "memory pairs 3 bytes_per_second 5e9\n");
    (void)state;
    check_near("one", reseat_timings_rate(t, TIMINGS_CARD_OUT, 1), 2e8);
    check_near("three", reseat_timings_rate(t, TIMINGS_CARD_OUT, 3), 2.5e8);
    check_near("nine", reseat_timings_rate(t, TIMINGS_CARD_OUT, 9), 4e8);
    check_near("in as out", reseat_timings_rate(t, TIMINGS_CARD_IN, 6), 4e8);
    check_near("both as out", reseat_timings_rate(t, TIMINGS_CARD_BOTH, 4), 3e8);
    check_near("one of several as all", reseat_timings_rate(t, TIMINGS_NEAR_IN, 2), 2e8);
    check_near("memory", reseat_timings_rate(t, TIMINGS_MEMORY, 1), 5e9);
    reseat_timings_destroy(t);
    t = read_text(FIRST NODES INSIDE);
    check_near("no card", reseat_timings_rate(t, TIMINGS_CARD_IN, 2), 1e6 / 0.01001);
    check_near("no memory", reseat_timings_rate(t, TIMINGS_MEMORY, 2), 1e6 / 0.001001);
    reseat_timings_destroy(t);
    t = read_text(FIRST NODES INSIDE "card in near package ranks 1 bytes_per_second 3e8\n");
    check_near("near", reseat_timings_rate(t, TIMINGS_NEAR_OUT, 2), 3e8);
    check_near("all as one of several", reseat_timings_rate(t, TIMINGS_CARD_BOTH, 2), 3e8);
    assert_null(reseat_timings_lack(t, 2, 4));
    reseat_timings_destroy(t);
}

/* By hand: 10 us, 2 us a message, 1 ns a byte beyond 8. */
static void what_an_exchange_takes(void **state)
{
    struct reseat_timings *t =
        read_text(FIRST NODES INSIDE
                  "exchange machine among all ranks 8 bytes 8 messages 1 seconds 12e-6\n"
                  "exchange machine among all ranks 8 bytes 8 messages 8 seconds 26e-6\n"
                  "exchange machine among all ranks 8 bytes 1008 messages 2 seconds 16e-6\n"
                  "exchange machine among node ranks 4 bytes 8 messages 1 seconds 6e-6\n"
                  "exchange machine among node ranks 4 bytes 8 messages 2 seconds 5e-6\n"
                  "exchange node among all ranks 8 bytes 8 messages 2 seconds 6e-6\n"
                  "exchange node among pair ranks 2 bytes 8 messages 1 seconds 6e-6\n"
                  "exchange node among pair ranks 2 bytes 8 messages 2 seconds 18e-6\n");
    (void)state;
    struct timings_effort all =
        reseat_timings_effort(reseat_timings_level(t, "machine"), TIMINGS_ALL);
    assert_int_equal(all.ranks, 8);
    check_near("message", all.message, 2e-6);
    check_near("wait", all.wait, 1e-5);
    check_near("byte", all.byte, 1e-9);
    struct timings_effort node =
        reseat_timings_effort(reseat_timings_level(t, "machine"), TIMINGS_NODE);
    check_near("two are not faster than one", node.message, 0);
    check_near("all of it is waiting", node.wait, 6e-6);
    struct timings_effort none =
        reseat_timings_effort(reseat_timings_level(t, "machine"), TIMINGS_PAIR);
    assert_int_equal(none.ranks, 0);
    struct timings_effort inside =
        reseat_timings_effort(reseat_timings_level(t, "node"), TIMINGS_ALL);
    check_near("only one figure", inside.message, 3e-6);
    check_near("which is not waiting", inside.wait, 0);
    check_near("nor bytes", inside.byte, 0);
    struct timings_effort pair =
        reseat_timings_effort(reseat_timings_level(t, "node"), TIMINGS_PAIR);
    check_near("no message takes more than the exchange", pair.message, 6e-6);
    reseat_timings_destroy(t);
}

static void memory_runs_out_at_every_place(void **state)
{
    int failures = 0;
    (void)state;
    write_file(
        FIRST "# host: a\n" NODES INSIDE "card out ranks 1 bytes_per_second 1e8\n"
              "card out ranks 2 bytes_per_second 1e8\n"
              "card out near numa ranks 1 bytes_per_second 1e8\nmemory pairs 1 bytes_per_second 1\n"
              "exchange node among all ranks 2 bytes 8 messages 1 seconds 1\n");
    for (long k = 0; k < 1000; k++) {
        struct reseat_timings *timings = NULL;
        struct reseat_error error = {""};
        fail_at = k;
        int rc = reseat_timings_read(&timings, path, &error);
        int failed = fail_at < 0;
        fail_at = -1;
        reseat_timings_destroy(timings);
        if (!failed) {
            assert_int_equal(rc, 0);
            break;
        }
        assert_int_equal(rc, -1);
        assert_true(error.text[0] != '\0');
        failures++;
    }
    assert_true(failures > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read_and_written),
        cmocka_unit_test(a_file_that_lost_lines_is_refused),
        cmocka_unit_test(the_order_of_lines_does_not_count),
        cmocka_unit_test(what_is_wrong_is_refused_with_its_line),
        cmocka_unit_test(seconds_of_a_size),
        cmocka_unit_test(a_slope_is_never_negative),
        cmocka_unit_test(the_straight_line),
        cmocka_unit_test(the_nearest_level_stands_for_another),
        cmocka_unit_test(levels_of_trees_are_kinds),
        cmocka_unit_test(what_a_machine_needs_and_timings_lack),
        cmocka_unit_test(a_level_may_borrow_timings),
        cmocka_unit_test(rates_of_other_numbers_and_of_what_is_missing),
        cmocka_unit_test(what_an_exchange_takes),
        cmocka_unit_test(memory_runs_out_at_every_place),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failures;
}
