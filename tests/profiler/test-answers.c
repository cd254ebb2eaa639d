/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-answers.c - memory runs out while a process answers rank 0: the profile is then incomplete,
 * which it says, but what it contains is true. Rank 0 of four asks itself; the others have no
 * traffic. Each allocation of the answers fails once. MPI and the other parts of the profiler are
 * replaced here.
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

#include "collectives/choices.h"
#include "failing.h"
#include "groups.h"
#include "profiler/call-cache.h"
#include "profiler/call-hooks.h"
#include "profiler/communicators.h"
#include "profiler/fetched.h"
#include "profiler/monitoring.h"
#include "profiler/mpi-release.h"
#include "profiler/profiler.h"
#include "profiler/record.h"
#include "profiler/relay.h"
#include "profiler/run-info.h"
#include "profiler/unseen.h"

enum { ROLES = 4, DOMAINS = 3 };

/* ---- MPI, of the first of four processes ---- */

int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
    (void)comm;
    *rank = 0;
    return MPI_SUCCESS;
}

int rank_tree_broadcast(struct rank_tree *rank_tree, int failed, const void *data, size_t size,
                        const struct rank_tree_wanted *wanted)
{
    (void)rank_tree;
    (void)data;
    (void)size;
    (void)wanted;
    return failed;
}

int rank_tree_reduce(struct rank_tree *rank_tree, int failed, void *mine, size_t size,
                     rank_tree_combine *combine)
{
    (void)rank_tree;
    (void)mine;
    (void)size;
    (void)combine;
    return failed;
}

/* ---- the relay: no allocation but those of an answer fails ---- */

static long answers_left; /* how many allocations of answers succeed; -1: all */
static int answers_cut = 1;
static int others_are_cut; /* the other ranks are out of memory, too */
static int others_have_failed;

void relay_open(struct relay *relay, MPI_Comm comm, answering *answer, const void *context)
{
    *relay = (struct relay){
        .rank_tree.comm = comm, .answer = answer, .context = context, .failed = RANK_TREE_NOBODY};
}

/* Asked for rows, the others have none. */
static void take_of_another(const struct question *question, int rank, taking *take, void *to)
{
    struct relay_answer nothing = {.is_cut = others_are_cut};
    if (question->what == 0 || nothing.is_cut)
        take(to, rank, &nothing);
}

int relay_ask(struct relay *relay, const struct question *question, taking *take, void *to)
{
    assert_int_equal(question->first, 0);
    assert_int_equal(question->last, ROLES);
    if (relay->failed != RANK_TREE_NOBODY)
        return -1;
    fail_at = answers_left;
    struct relay_answer given = relay->answer(relay->context, question);
    answers_left = fail_at;
    fail_at = -1;
    answers_cut |= given.is_cut;
    take(to, 0, &given);
    free(given.data);
    if (others_have_failed)
        relay->failed = 1;
    for (int rank = 1; rank < ROLES && !others_have_failed; rank++)
        take_of_another(question, rank, take, to);
    return others_have_failed ? -1 : 0;
}

void relay_serve(struct relay *relay)
{
    (void)relay;
}

void relay_end(struct relay *relay)
{
    (void)relay;
}

int relay_has_leftovers(const struct relay *relay)
{
    (void)relay;
    return others_have_failed;
}

/* ---- the other parts ---- */

enum reseat_collectives monitoring_source = RESEAT_COLLECTIVES_OFF;

enum reseat_collectives monitoring_start(enum reseat_collectives wanted, MPI_Comm launched)
{
    (void)launched;
    return wanted;
}

const char *choices_name(int release)
{
    (void)release;
    return "none";
}

int mpi_release(void)
{
    return 0;
}

const char *run_info_date(char *text)
{
    return strcpy(text, "today");
}

void run_info_seat(struct reseat_seat *seat)
{
    *seat = (struct reseat_seat){.host = "here"};
    memset(&seat->place, -1, sizeof seat->place);
}

void run_info_host(struct reseat_seat *seat)
{
    run_info_seat(seat);
}

void call_cache_flush(void)
{
}

int fetched_return(struct rank_tree *rank_tree)
{
    (void)rank_tree;
    return 0;
}

void monitoring_stop(void)
{
}

void monitoring_pause(void)
{
}

void monitoring_resume(void)
{
}

void record_prepare(void)
{
}

void record_stop(void)
{
}

void one_sided_stop(void)
{
}

void communicators_stop(void)
{
}

/* ---- */

/* In domain d the roles 1 to 3 get messages, in two phases; no two counters are alike. */
static void send_messages(void)
{
    struct domain *domains[DOMAINS] = {traffic_world()};
    for (int d = 1; d < DOMAINS; d++) {
        struct domain_identity identity = {.function = "MPI_Cart_create",
                                           .parent = traffic_world()->key,
                                           .size = ROLES,
                                           .ordinal = d - 1};
        domains[d] = traffic_add_domain(&identity, traffic_world(), MPI_COMM_NULL);
        assert_non_null(domains[d]);
        assert_ptr_not_equal(domains[d], traffic_world());
    }
    for (int phase = 0; phase < 2; phase++) {
        traffic_set_phase(phase);
        for (int d = 0; d < DOMAINS; d++)
            for (int role = 1; role < ROLES; role++)
                traffic_count(traffic_peer(domains[d], role), RESEAT_P2P, 1,
                              (uint64_t)(100 * d + 10 * phase + role));
    }
}

/* Each row that is in the profile is one that was counted; how many there are. */
static size_t check_rows(const struct reseat_profile *profile)
{
    size_t count = 0;
    for (size_t i = 0; i < profile->domains_count; i++) {
        const struct reseat_domain *domain = &profile->domains[i];
        int d = domain->parent < 0 ? 0 : domain->ordinal + 1;
        for (size_t k = 0; k < domain->count[RESEAT_P2P]; k++, count++) {
            const struct reseat_entry *entry = &domain->entries[RESEAT_P2P][k];
            assert_int_equal(entry->source, 0);
            assert_int_equal(entry->msgs, 1);
            assert_int_equal(entry->bytes, 100 * d + 10 * entry->phase + entry->target);
        }
        assert_int_equal(domain->size, ROLES);
        for (int r = 0; domain->members && r < ROLES; r++)
            assert_int_equal(domain->members[r], r);
    }
    return count;
}

/* How often the profile says that memory ran out. */
static int count_remarks(const struct reseat_profile *profile)
{
    int count = 0;
    for (size_t i = 0; i < profile->headers_count; i++)
        count += strcmp(profile->headers[i].key, "not_seen") == 0 &&
                 strcmp(profile->headers[i].value, unseen_text(UNSEEN_MEMORY_BIT)) == 0;
    return count;
}

/* An old profile is kept. */
static void without_an_answer_there_is_no_profile(void **state)
{
    char path[] = "/tmp/reseat-answers.XXXXXX";
    int has_leftovers = 0;
    struct profiler_run run = {.path = path, .mpi = "none", .has_leftovers = &has_leftovers};
    struct reseat_error error = {""};
    size_t rows = 0;
    int file = mkstemp(path);
    (void)state;
    assert_true(file >= 0);
    assert_int_equal(write(file, "old", 3), 3);
    assert_int_equal(profiler_start(MPI_GROUP_EMPTY, 0), 0);
    send_messages();
    answers_left = -1;
    others_have_failed = 1;
    assert_int_equal(profiler_write(&run, &rows, &error), -1);
    others_have_failed = 0;
    assert_string_equal(error.text, "MPI failed to ask rank 1 what it has sent");
    assert_int_equal(has_leftovers, 1);
    assert_int_equal(lseek(file, 0, SEEK_END), 3);
    profiler_stop();
    close(file);
    assert_int_equal(unlink(path), 0);
}

static size_t write_and_read(const char *path, int is_cut)
{
    int has_leftovers = 0;
    struct profiler_run run = {.path = path, .mpi = "none", .has_leftovers = &has_leftovers};
    struct reseat_profile *profile = NULL;
    struct reseat_error error;
    size_t rows = 0;
    if (profiler_write(&run, &rows, &error) || reseat_profile_read(&profile, path, &error))
        fail_msg("%s", error.text);
    assert_int_equal(check_rows(profile), rows);
    assert_int_equal(count_remarks(profile), is_cut);
    reseat_profile_destroy(profile);
    return rows;
}

static void what_is_left_of_an_answer_is_true(void **state)
{
    enum { ALL = DOMAINS * 2 * (ROLES - 1) };
    char path[] = "/tmp/reseat-answers.XXXXXX";
    int file = mkstemp(path);
    size_t rows = 0;
    (void)state;
    assert_true(file >= 0);
    assert_int_equal(profiler_start(MPI_GROUP_EMPTY, 0), 0);
    send_messages();
    answers_left = -1;
    assert_int_equal(write_and_read(path, 0), ALL);
    others_are_cut = 1;
    assert_int_equal(write_and_read(path, 1), ALL);
    others_are_cut = 0;
    for (long k = 0; answers_cut; k++) {
        answers_left = k;
        answers_cut = 0;
        rows = write_and_read(path, 1);
        assert_true(k < 1000);
    }
    assert_int_equal(rows, ALL);
    profiler_stop();
    close(file);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_of_an_answer_is_true),
        cmocka_unit_test(without_an_answer_there_is_no_profile),
    };
    groups_size = ROLES;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
