/* SPDX-License-Identifier: BSD-3-Clause */
/* test-workload.c - workloads: each form of a line, what is refused and why; every k-th allocation
 * fails. */
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
#include "simulate/workload.h"

static const char path[] = "./test-workload.tmp", matrix[] = "test-workload-matrix.tmp";

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static struct reseat_workload *must_read(const char *text)
{
    struct reseat_workload *workload = NULL;
    struct reseat_error error = {""};
    write_file(path, text);
    if (reseat_workload_read(&workload, path, &error))
        fail_msg("%s: %s", text, error.text);
    return workload;
}

/* "0>1 0>2", each with its length, messages and rate if they are not those of the first. */
static void show(const struct reseat_job *job, char *text, size_t size)
{
    size_t length = 0;
    for (size_t f = 0; f < job->count && length < size; f++)
        length += (size_t)snprintf(text + length, size - length, "%s%d>%d", f ? " " : "",
                                   (int)job->flows[f].source, (int)job->flows[f].target);
}

static void patterns_are_who_sends_to_whom(void **state)
{
    static const struct {
        const char *name, *pairs;
    } cases[] = {{"alltoall", "0>1 0>2 0>3 1>0 1>2 1>3 2>0 2>1 2>3 3>0 3>1 3>2"},
                 {"bcast", "0>1 0>2 0>3"},
                 {"gather", "1>0 2>0 3>0"},
                 {"linear", "0>1 1>2 2>3"}};
    char text[256], found[256];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(text, sizeof text, "pattern %s ranks=4 length=64KB rate=0.5 messages=20\n",
                 cases[i].name);
        struct reseat_workload *workload = must_read(text);
        const struct reseat_job *job = &workload->jobs[0];
        assert_int_equal(workload->count, 1);
        show(job, found, sizeof found);
        assert_string_equal(found, cases[i].pairs);
        assert_string_equal(job->name, cases[i].name);
        assert_int_equal(job->flows[2].length, 65536);
        assert_int_equal(job->flows[2].messages, 20);
        assert_true(job->flows[2].rate == 0.5 && job->seconds == 40);
        reseat_workload_destroy(workload);
    }
}

static void jobs_follow_each_other(void **state)
{
    struct reseat_workload *workload =
        must_read("# two\n\n pattern linear  messages=1 rate=1e2 length=3 ranks=1 # alone\r\n"
                  "pattern gather ranks=5 length=2MB rate=10 messages=7");
    (void)state;
    assert_int_equal(workload->count, 2);
    assert_int_equal(workload->ranks, 6);
    assert_int_equal(workload->jobs[0].count, 0);
    assert_int_equal(workload->jobs[1].first, 1);
    assert_int_equal(workload->jobs[1].flows[0].length, 2097152);
    reseat_workload_destroy(workload);
}

/* A profile has its messages and their mean length; rates with the time that it took. */
static void a_profile_is_a_job(void **state)
{
    struct reseat_workload *workload;
    char found[64], text[128];
    (void)state;
    write_file(matrix, "3\n0 1 10 1000\n0 0 4 4\n2 0 3 10\n1 2 0 0\n");
    snprintf(text, sizeof text, "profile %s\nprofile %s seconds=4\n", matrix, matrix);
    workload = must_read(text);
    assert_int_equal(workload->count, 2);
    assert_int_equal(workload->jobs[1].first, 3);
    for (int j = 0; j < 2; j++) {
        const struct reseat_job *job = &workload->jobs[j];
        show(job, found, sizeof found);
        assert_string_equal(found, "0>1 2>0");
        assert_int_equal(job->flows[0].length, 100);
        assert_int_equal(job->flows[1].length, 3);
        assert_int_equal(job->flows[0].messages, 10);
        assert_true(job->flows[0].rate == (j ? 2.5 : 0));
    }
    reseat_workload_destroy(workload);
    unlink(matrix);
}

static void a_workload_is_a_profile_of_all_its_ranks(void **state)
{
    struct reseat_workload *workload =
        must_read("pattern gather ranks=3 length=64KB rate=1 messages=7\n"
                  "pattern linear ranks=2 length=1GB rate=1 messages=1099511627776\n");
    struct reseat_profile *profile = NULL;
    struct reseat_error error = {""};
    static const struct reseat_entry want[] = {{1, 0, 7, 7 * 65536, 0},
                                               {2, 0, 7, 7 * 65536, 0},
                                               {3, 4, UINT64_C(1) << 40, 1000000000000000000, 0}};
    (void)state;
    assert_int_equal(reseat_workload_profile(&profile, workload, &error), 0);
    assert_int_equal(profile->ranks, 5);
    assert_int_equal(profile->domains[0].count[RESEAT_P2P], 3);
    for (int e = 0; e < 3; e++) {
        const struct reseat_entry *found = &profile->domains[0].entries[RESEAT_P2P][e];
        if (found->source != want[e].source || found->target != want[e].target ||
            found->msgs != want[e].msgs || found->bytes != want[e].bytes)
            fail_msg("entry %d: %d %d %llu %llu", e, (int)found->source, (int)found->target,
                     (unsigned long long)found->msgs, (unsigned long long)found->bytes);
    }
    reseat_profile_destroy(profile);
    reseat_workload_destroy(workload);
}

static void what_is_wrong_is_named_with_its_line(void **state)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", ": no job in it"},
        {"# nothing\n", ": no job in it"},
        {"patterns x\n",
         ":1: a line of a workload begins with profile, pattern or taken, not 'patterns'"},
        {"\npattern ring ranks=2 length=1 rate=1 messages=1\n",
         ":2: pattern takes alltoall, bcast, gather or linear, not 'ring'"},
        {"pattern\n", ":1: pattern takes alltoall, bcast, gather or linear, not ''"},
        {"pattern bcast ranks=2 length=1 rate=1\n",
         ":1: a pattern needs ranks=, length=, rate= and messages=, each once"},
        {"pattern bcast ranks=2 ranks=3 length=1 rate=1\n",
         ":1: a pattern needs ranks=, length=, rate= and messages=, each once"},
        {"pattern bcast ranks=0 length=1 rate=1 messages=1\n",
         ":1: ranks= takes a number from 1 to 1048576, not 'ranks=0'"},
        {"pattern bcast ranks=1048577 length=1 rate=1 messages=1\n",
         ":1: ranks= takes a number from 1 to 1048576, not 'ranks=1048577'"},
        {"pattern bcast ranks=2 length=1kb rate=1 messages=1\n",
         ":1: length= takes bytes, like 64KB, up to 1024GB, not 'length=1kb'"},
        {"pattern bcast ranks=2 length=1025GB rate=1 messages=1\n",
         ":1: length= takes bytes, like 64KB, up to 1024GB, not 'length=1025GB'"},
        {"pattern bcast ranks=2 length=1 rate=0 messages=1\n",
         ":1: rate= takes messages a second, not 'rate=0'"},
        {"pattern bcast ranks=2 length=1 rate=nan messages=1\n",
         ":1: rate= takes messages a second, not 'rate=nan'"},
        {"pattern bcast ranks=2 length=1 rate=-1 messages=1\n",
         ":1: rate= takes messages a second, not 'rate=-1'"},
        {"pattern bcast ranks=2 length=1 rate=1 messages=0\n",
         ":1: messages= takes a number from 1 to 2^40, not 'messages=0'"},
        {"pattern bcast ranks=2 size=1 rate=1 messages=1\n",
         ":1: ranks=, length=, rate= or messages= is expected, not 'size=1'"},
        {"pattern alltoall ranks=4096 length=1 rate=1 messages=1\n",
         ":1: more than 4194304 pairs of ranks that communicate"},
        {"pattern bcast ranks=1048576 length=1 rate=1 messages=1\n"
         "pattern bcast ranks=1 length=1 rate=1 messages=1\n",
         ":2: more than 1048576 ranks"},
        {"profile\n", ":1: profile takes a file, and may have seconds="},
        {"profile a b c\n", ":1: profile takes a file, and may have seconds="},
        {"profile a 3\n", ":1: seconds= and how long the program ran are expected, not '3'"},
        {"profile /no/such/file\n", ":1: /no/such/file: No such file or directory"},
        {"taken 1\n", ":1: taken takes the number of a node, and how many of its cores"},
        {"taken 1 x\n", ":1: taken takes the number of a node, and how many of its cores"},
        {"taken 1 2\ntaken 1 2\n", ":2: nodes with taken cores have to ascend"},
        {"pattern \033[2J\n", ":1: a control character (0x1b) at byte 9"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct reseat_workload *workload = NULL;
        struct reseat_error error = {""};
        write_file(path, cases[i].text);
        int rc = reseat_workload_read(&workload, path, &error);
        if (rc == 0 || strncmp(error.text, path, strlen(path)) != 0 ||
            strcmp(error.text + strlen(path), cases[i].reason) != 0)
            fail_msg("%s: %d '%s' instead of '%s'", cases[i].text, rc, error.text, cases[i].reason);
    }
    unlink(path);
}

static void running_out_of_memory_is_said(void **state)
{
    char text[128];
    int refused = 0;
    (void)state;
    write_file(matrix, "3\n0 1 10 1000\n2 0 3 10\n");
    snprintf(text, sizeof text, "profile %s\npattern bcast ranks=3 length=1 rate=1 messages=1\n",
             matrix);
    write_file(path, text);
    for (long k = 0;; k++) {
        struct reseat_workload *workload = NULL;
        struct reseat_error error = {""};
        fail_at = k;
        struct reseat_profile *profile = NULL;
        int rc = reseat_workload_read(&workload, path, &error);
        int has_profile = rc == 0 && reseat_workload_profile(&profile, workload, &error) == 0;
        int done = fail_at >= 0;
        fail_at = -1;
        assert_int_equal(rc == 0, workload != NULL);
        assert_int_equal(has_profile, profile != NULL);
        assert_true(has_profile || error.text[0]);
        reseat_profile_destroy(profile);
        reseat_workload_destroy(workload);
        refused += rc != 0;
        if (done)
            break;
    }
    assert_true(refused > 5);
    unlink(matrix);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_are_who_sends_to_whom),
        cmocka_unit_test(jobs_follow_each_other),
        cmocka_unit_test(a_profile_is_a_job),
        cmocka_unit_test(a_workload_is_a_profile_of_all_its_ranks),
        cmocka_unit_test(what_is_wrong_is_named_with_its_line),
        cmocka_unit_test(running_out_of_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
