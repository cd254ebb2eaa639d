/* SPDX-License-Identifier: BSD-3-Clause */
/* test-card.c - the card of a node by what the kernel says, in folders like its own; its text; the
 * rates of networks by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "network/card.h"

static char folder[64];

/* Begin with an empty folder. */
static void begin(void)
{
    strcpy(folder, "/tmp/reseat-card.XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static void end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

/* Write a file, with the folders above it; NULL: only these. */
static void put(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *at = path + strlen(folder) + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    FILE *file = text ? fopen(path, "w") : NULL;
    assert_true(!text || file);
    if (file) {
        fputs(text, file);
        fclose(file);
    }
}

static void ethernet(const char *name, const char *state, const char *speed)
{
    char path[128];
    snprintf(path, sizeof path, "net/%s/operstate", name);
    put(path, state);
    snprintf(path, sizeof path, "net/%s/device/", name);
    put(path, NULL);
    snprintf(path, sizeof path, "net/%s/speed", name);
    put(path, speed);
}

static void infiniband(const char *name, const char *state, const char *rate, const char *layer)
{
    char path[128];
    snprintf(path, sizeof path, "infiniband/%s/ports/1/state", name);
    put(path, state);
    snprintf(path, sizeof path, "infiniband/%s/ports/1/rate", name);
    put(path, rate);
    snprintf(path, sizeof path, "infiniband/%s/ports/1/link_layer", name);
    put(path, layer);
}

static void check(const char *expected)
{
    char text[CARD_TEXT];
    struct card card, again = {.kind = -1};
    card_find(&card, folder);
    assert_string_equal(card_print(&card, text), expected);
    assert_int_equal(card_parse(&again, text), 0);
    assert_memory_equal(&again, &card, sizeof card);
}

/* Each one is better than those before it. */
static void the_fastest_card_that_is_up(void **state)
{
    (void)state;
    begin();
    check("none");
    put("net/lo/speed", "1000000\n");
    check("none");
    put("net/veth0/speed", "10000\n");
    check("virtual");
    ethernet("eth0", "up\n", "-1\n");
    check("unknown");
    ethernet("eth1", "up\n", "1000\n");
    check("ethernet 1000 Mbit/s");
    ethernet("eth2", "down\n", "400000\n");
    check("ethernet 1000 Mbit/s");
    infiniband("mlx5_1", "4: ACTIVE\n", "2.5 Gb/sec (1X SDR)\n", "InfiniBand\n");
    check("infiniband 2500 Mbit/s");
    ethernet("eth3", "up\n", "25000\n");
    check("ethernet 25000 Mbit/s");
    infiniband("mlx5_0", "4: ACTIVE\n", "100 Gb/sec (4X EDR)\n", "Ethernet\n");
    check("ethernet 100000 Mbit/s");
    infiniband("mlx5_2", "4: ACTIVE\n", "100 Gb/sec (4X EDR)\n", "InfiniBand\n");
    check("infiniband 100000 Mbit/s");
    infiniband("mlx5_3", "1: DOWN\n", "200 Gb/sec (4X HDR)\n", "InfiniBand\n");
    check("infiniband 100000 Mbit/s");
    end();
}

static void what_is_no_card_is_refused(void **state)
{
    struct card card = {.kind = 7, .megabits = 7};
    (void)state;
    assert_int_equal(card_parse(&card, "modem 56 Mbit/s"), -1);
    assert_int_equal(card_parse(&card, ""), -1);
    assert_int_equal(card_parse(&card, "eth 1 Mbit/s"), -1);
    assert_int_equal(card.kind, 7);
    assert_int_equal(card_parse(&card, "virtual, hosts: 4"), -1);
    assert_int_equal(card_parse(&card, "virtual on 4 hosts"), 0);
    assert_int_equal(card.megabits, 0);
    assert_int_equal(card_parse(&card, "ethernet 99999999999 Mbit/s"), 0);
    assert_int_equal(card.megabits, 0);
}

/* All words of the option have a rate. */
static void networks_have_rates(void **state)
{
    char names[] = CARD_NETWORKS;
    (void)state;
    for (char *rest = names, *name; (name = strtok_r(rest, "|", &rest));)
        if (!card_rate_of(name))
            fail_msg("%s has no rate", name);
    assert_int_equal(card_rate_of("25g"), 25000);
    assert_int_equal(card_rate_of("hdr"), 200000);
    assert_int_equal(card_rate_of("fdr"), 54500);
    assert_int_equal(card_rate_of("3g"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_card_that_is_up),
        cmocka_unit_test(what_is_no_card_is_refused),
        cmocka_unit_test(networks_have_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
