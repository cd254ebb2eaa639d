/* SPDX-License-Identifier: BSD-3-Clause */
/* test-key-space-pmix.c - which ranks are found, whatever release of PMIx the client is and whatever
 * its server has. The test is both of them: dlsym is its own and finds its functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interpose/meeting/key-space.h"

/* Ranks by where their data is: with the client, with the server of the node, on another node,
 * nowhere. */
enum { IN_CLIENT, IN_SERVER, ELSEWHERE, NOWHERE, RANKS };

enum { SECONDS = 7, SUCCESS = 0, NOT_FOUND = -46, NOT_SUPPORTED = -47 };

struct proc {
    char nspace[256];
    uint32_t rank;
};

struct value {
    uint16_t type;
    union {
        _Bool flag;
        uint32_t number;
        void *room[3];
    } data;
};

struct info {
    char key[512];
    uint32_t flags;
    struct value value;
};

/* What a release does when it is told to refresh: before 5.0.2 servers do not take that command and
 * the client gives up, before 5 nobody knows the word. */
struct release {
    const char *text;
    enum { IGNORES, FAILS, REFRESHES } does;
};

static const struct release releases[] = {
    {"PMIx 3.2.3", IGNORES},
    {"OpenPMIx 4.2.2, repo rev: v4.2.2 (PMIx Standard: 4.1)", IGNORES},
    {"OpenPMIx 5.0.0", FAILS},
    {"OpenPMIx 5.0.1, repo rev: v5.0.1 (PMIx Standard: 4.2)", FAILS},
    {"OpenPMIx 5.0.2", REFRESHES},
    {"OpenPMIx 5.0.10", REFRESHES},
    {"OpenPMIx 6.1.0a1", REFRESHES},
};

enum { RELEASES = sizeof releases / sizeof releases[0], FIRST_OF_5 = 2 };

static struct {
    const struct release *release;
    _Bool collects;
    int put, commits;
    int asked; /* queries that were sent to another node */
    int waits; /* those that end at their time limit only */
} fake;

int PMIx_Commit(void);

static int fake_commit(void)
{
    fake.commits++;
    return SUCCESS;
}

static int fake_put(uint8_t scope, const char *key, struct value *value)
{
    assert_int_equal(scope, 3);
    assert_string_equal(key, "reseat");
    fake.put = (int)value->data.number;
    return SUCCESS;
}

static const char *fake_version(void)
{
    return fake.release->text;
}

static int fake_has(const struct info *info, size_t count, const char *key)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(info[i].key, key) == 0)
            return 1;
    return 0;
}

static int fake_get(const struct proc *proc, const char *key, const struct info *info, size_t count,
                    struct value **value)
{
    int told = fake_has(info, count, "pmix.get.refresh"), found;
    int refresh = told && fake.release->does == REFRESHES;
    assert_string_equal(proc->nspace, "job");
    assert_string_equal(key, "reseat");
    *value = NULL;
    if (told && fake.release->does == FAILS)
        return NOT_SUPPORTED;
    found = proc->rank == IN_CLIENT;
    if (!found && !fake_has(info, count, "pmix.optional")) {
        if (fake_has(info, count, "pmix.immediate"))
            found = proc->rank == IN_SERVER;
        else if (refresh && proc->rank == IN_SERVER)
            return SUCCESS; /* without a value */
        else {
            assert_true(fake_has(info, count, "pmix.timeout"));
            fake.asked++;
            found = proc->rank != NOWHERE;
            fake.waits += !found && !refresh;
        }
    }
    if (!found)
        return NOT_FOUND;
    *value = calloc(1, sizeof **value);
    assert_non_null(*value);
    (*value)->type = 14;
    (*value)->data.number = 40 + proc->rank;
    return SUCCESS;
}

/* The library's calls of dlsym come here: see Makefile.am. */
void *dlsym(void *handle, const char *name)
{
    static const struct {
        const char *name;
        void (*function)(void);
    } functions[] = {
        {"PMIx_Commit", (void (*)(void))fake_commit},
        {"PMIx_Put", (void (*)(void))fake_put},
        {"PMIx_Get", (void (*)(void))fake_get},
        {"PMIx_Get_version", (void (*)(void))fake_version},
    };
    void *found = NULL;
    (void)handle;
    if (strcmp(name, "opal_pmix_collect_all_data") == 0)
        return &fake.collects;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (strcmp(name, functions[i].name) == 0)
            *(void (**)(void)) & found = functions[i].function;
    return found;
}

static void start(const struct release *release, _Bool collects)
{
    memset(&fake, 0, sizeof fake);
    fake.release = release;
    fake.collects = collects;
    key_space_pmix_put(3);
    assert_int_equal(PMIx_Commit(), SUCCESS);
    assert_int_equal(fake.put, 3);
    assert_int_equal(fake.commits, 1);
}

static void what_the_client_has_needs_no_server(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * RELEASES; i++) {
        start(&releases[i / 2], i % 2);
        assert_int_equal(key_space_pmix_get(IN_CLIENT, SECONDS), 40);
        assert_int_equal(fake.asked, 0);
    }
}

static void from_release_5_on_the_server_is_asked(void **state)
{
    (void)state;
    for (int i = 2 * FIRST_OF_5; i < 2 * RELEASES; i++) {
        start(&releases[i / 2], i % 2);
        assert_int_equal(key_space_pmix_get(IN_SERVER, SECONDS), 40 + IN_SERVER);
        assert_int_equal(key_space_pmix_get(IN_SERVER, 0), 40 + IN_SERVER);
        assert_int_equal(fake.asked, 0);
    }
}

static void a_refresh_asks_the_other_node(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * RELEASES; i++) {
        if (releases[i / 2].does != REFRESHES)
            continue;
        start(&releases[i / 2], i % 2);
        assert_int_equal(key_space_pmix_get(ELSEWHERE, 0), 40 + ELSEWHERE);
        assert_int_equal(key_space_pmix_get(NOWHERE, SECONDS), -1);
        assert_int_equal(fake.asked, 2);
        assert_int_equal(fake.waits, 0);
    }
}

/* Where MPI has collected all data, what is not here is nowhere. */
static void without_a_refresh_only_what_is_not_collected_is_waited_for(void **state)
{
    (void)state;
    for (int i = 0; i < RELEASES; i++) {
        if (releases[i].does == REFRESHES)
            continue;
        start(&releases[i], 1);
        assert_int_equal(key_space_pmix_get(NOWHERE, SECONDS), -1);
        assert_int_equal(fake.asked, 0);
        start(&releases[i], 0);
        assert_int_equal(key_space_pmix_get(ELSEWHERE, SECONDS), 40 + ELSEWHERE);
        assert_int_equal(key_space_pmix_get(NOWHERE, SECONDS), -1);
        assert_int_equal(fake.waits, 1);
        assert_int_equal(key_space_pmix_get(NOWHERE, 0), -1);
        assert_int_equal(fake.asked, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_client_has_needs_no_server),
        cmocka_unit_test(from_release_5_on_the_server_is_asked),
        cmocka_unit_test(a_refresh_asks_the_other_node),
        cmocka_unit_test(without_a_refresh_only_what_is_not_collected_is_waited_for),
    };
    setenv("PMIX_NAMESPACE", "job", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
