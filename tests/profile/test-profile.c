/* SPDX-License-Identifier: BSD-3-Clause */
/* test-profile.c - the profile: every refusal with its exact text, round trips, weights, a writer
 * that fails midway, every k-th allocation failing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "exchange/exchange.h"
#include "profile/message-sizes.h"
#include "profile/profile.h"
#include "failing.h"

/* ---- a folder for each run ---- */

static char folder[64];
static char path[128];

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/reseat-format.XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/x", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder); /* fails when a temporary file was left */
}

static void put_file(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void get_file(char *text, size_t size)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

/* ---- refusals ---- */

#define HEAD "# reseat profile 1\n# ranks: 4\n"
#define TIMED HEAD "# seconds: 1\n# mpi_seconds: 0 0 0.1 0.2\n"
#define WORLD \
    HEAD "# domain 0 function=MPI_COMM_WORLD parent=- size=4 first=0 ordinal=0 members=all\n"
#define CHILD "# domain 1 function=MPI_Cart_create parent=0 "

#define ROW WORLD "# p2p\n0\t1\t2\t10\t5.0\n"

struct refusal {
    const char *text;
    const char *reason; /* behind the path */
};

static const struct refusal profiles[] = {
    {"", ": is empty"},
    {"hello\n", ":1: not a reseat profile"},
    {"# reseat profile 2\n", ":1: written by a newer reseat: this one reads profiles of format 1"},
    {"# reseat profile 1", ":1: torn: the last line is not complete"},
    {HEAD, ":2: torn: the end is missing"},
    {HEAD "# end 0\n", ":3: no communicator"},
    {"# reseat profile 1\n# ranks: x\n", ":2: the number of ranks cannot be read"},
    {"# reseat profile 1\n# ranks: 0\n", ":2: the number of ranks cannot be read"},
    {"# reseat profile 1\n# ranks: -4\n", ":2: the number of ranks cannot be read"},
    {"# reseat profile 1\n# ranks: 2147483648\n", ":2: the number of ranks cannot be read"},
    {"# reseat profile 1\n# ranks: 2147483647\n", ":2: more ranks than a profile can have"},
    {HEAD "# ranks: 4\n", ":3: the number of ranks cannot be read"},
    {HEAD "# seat: 4 a 0 0 0 0 0 0\n", ":3: a seat of no rank"},
    {"# reseat profile 1\n# seat: 0 a 0 0 0 0 0 0\n", ":2: a seat of no rank"},
    {HEAD "# seat: 1 a 0 0 0 0 0 0\n", ":3: seats are not in the order of the ranks"},
    {HEAD "# seat: 0  0 0 0 0 0 0\n", ":3: a seat without a host"},
    {HEAD "# seat: 0 a 0 0 0 0 0\n", ":3: a seat that cannot be read, at byte 22"},
    {HEAD "# seat: 0 a 0 0 0 0 0 0 0\n", ":3: a seat that cannot be read, at byte 24"},
    {WORLD "# seat: 0 a 0 0 0 0 0 0\n# end 0\n", ":5: not every rank has a seat"},
    {HEAD "# seconds: 1.5\n# seconds: 1.5\n", ":4: the seconds of the job twice"},
    {HEAD "# seconds: \n", ":3: the seconds of the job cannot be read"},
    {HEAD "# seconds: 0\n", ":3: the seconds of the job cannot be read"},
    {HEAD "# seconds: 1.\n", ":3: the seconds of the job cannot be read"},
    {HEAD "# seconds: -1\n", ":3: the seconds of the job cannot be read"},
    {HEAD "# seconds: 1e3\n", ":3: the seconds of the job cannot be read"},
    {HEAD "# seconds: 1.1234567\n", ":3: the seconds of the job cannot be read"},
    {HEAD "# seconds: 1000000001\n", ":3: the seconds of the job cannot be read"},
    {HEAD "# seconds: 99999999999999999999\n", ":3: the seconds of the job cannot be read"},
    {HEAD "# mpi_seconds: 0 0 0.1 0.2\n", ":3: a time before the seconds of the job"},
    {HEAD "# seconds: 1\n# mpi_seconds: 0 0 0.1\n", ":4: a time that cannot be read, at byte 23"},
    {HEAD "# seconds: 1\n# mpi_seconds: 0 0 0.1 0.2 \n",
     ":4: a time that cannot be read, at byte 27"},
    {HEAD "# seconds: 1\n# mpi_seconds: 0 64 0.1 0.2\n",
     ":4: a time that cannot be read, at byte 20"},
    {HEAD "# seconds: 1\n# mpi_seconds: 4 0 0.1 0.2\n", ":4: a time of no rank"},
    {HEAD "# seconds: 1\n# mpi_seconds: 1 0 0.1 0.2\n",
     ":4: times are not in the order of ranks and phases"},
    {HEAD "# seconds: 1\n# mpi_seconds: 0 1 0 0\n# mpi_seconds: 0 1 0 0\n",
     ":5: times are not in the order of ranks and phases"},
    {HEAD "# seconds: 1\n# mpi_seconds: 0 0 0.3 0.2\n",
     ":4: a rank is longer in MPI than in the program"},
    {HEAD "# seconds: 1\n# mpi_seconds: 0 0 0 0.6\n# mpi_seconds: 0 2 0 0.5\n",
     ":5: a rank takes longer than the job"},
    {WORLD "# seconds: 1\n# mpi_seconds: 0 0 0 1\n# end 0\n", ":6: not every rank has a time"},
    {HEAD "# seconds: 1\n# mpi_sampled: 0.1\n", ":4: the error of times before them"},
    {HEAD "# seconds: 1\n# mpi_calls: p2p 1 0 0\n", ":4: times of calls before those of ranks"},
    {TIMED "# mpi_sampled: 0.1 \n", ":5: the error of times cannot be read, at byte 19"},
    {TIMED "# mpi_sampled: 0\n# mpi_sampled: 0\n", ":6: the error of times twice"},
    {TIMED "# mpi_calls: P2p 1 0 0\n", ":5: times of calls that cannot be read, at byte 14"},
    {TIMED "# mpi_calls: p2p 1 0\n", ":5: times of calls that cannot be read, at byte 21"},
    {TIMED "# mpi_calls: p2p 1 0.5 0.6 7\n", ":5: times of calls that cannot be read, at byte 27"},
    {TIMED "# mpi_calls: p2p -1 0 0\n", ":5: times of calls that cannot be read, at byte 18"},
    {TIMED "# mpi_calls: p2p 1 0.5 0.4\n",
     ":5: a rank is longer in calls than the one that is longest"},
    {TIMED "# mpi_calls: p2p 1 0 0\n# mpi_calls: p2p 1 0 0\n", ":6: a kind of calls twice"},
    {TIMED "# mpi_calls: a123456789012345678901234567890x 1 0 0\n",
     ":5: times of calls that cannot be read, at byte 14"},
    {WORLD "# p2p\n# sizes 1 2, 1 8\n", ":5: sizes without a row"},
    {ROW "# x: y\n# sizes 1 2, 1 8\n", ":7: sizes without a row"},
    {ROW "# sizes 1 2, 1 8\n# sizes 1 2, 1 8\n", ":7: sizes without a row"},
    {ROW "# sizes 1 2, 1 8, \n", ":6: sizes that cannot be read, at byte 19"},
    {ROW "# sizes 1 2 1 8\n", ":6: sizes that cannot be read, at byte 12"},
    {ROW "# sizes 1 2, x\n", ":6: sizes that cannot be read, at byte 14"},
    {ROW "# sizes 1 8, 1 2\n", ":6: sizes are not in order"},
    {ROW "# sizes 1 4, 1 6\n", ":6: sizes are not in order"},
    {ROW "# sizes 1 2\n", ":6: sizes that are not those of the row"},
    {ROW "# sizes 0 0, 2 10\n", ":6: sizes that are not those of the row"},
    {ROW "# sizes 1 2, 1 9\n", ":6: sizes that are not those of the row"},
    {ROW "# sizes 1 2, 2 8\n", ":6: sizes that are not those of the row"},
    {"# reseat profile 1\n# domain 0 function=MPI_COMM_WORLD parent=- size=4 first=0 ordinal=0 "
     "members=all\n",
     ":2: the first communicator is not the world of all ranks"},
    {HEAD "# domain 0 function=F parent=- size=3 first=0 ordinal=0 members=all\n",
     ":3: the first communicator is not the world of all ranks"},
    {HEAD "# domain 0 function=F parent=- size=4 first=0 ordinal=0 members=0-3\n",
     ":3: the world's members are all"},
    {HEAD "# domain 0 function=F parent=- size=4 first=0 ordinal=0\n",
     ":3: a communicator that cannot be read, at byte 56"},
    {HEAD "# domain 0 function=F parent=- size=4 first=0\n",
     ":3: a communicator that cannot be read, at byte 46"},
    {HEAD "# domain 0 function=F parent=- size=0 first=0 ordinal=0 members=all\n",
     ":3: a communicator that cannot be read, at byte 38"},
    {HEAD "# domain 0x function=F parent=- size=4 first=0 ordinal=0 members=all\n",
     ":3: a communicator that cannot be read, at byte 11"},
    {HEAD "# domain 0 function=F parent=-1 size=4 first=0 ordinal=0 members=all\n",
     ":3: a communicator that cannot be read, at byte 31"},
    {HEAD "# domain 0 function=F parent=- size=4.0 first=0 ordinal=0 members=all\n",
     ":3: a communicator that cannot be read, at byte 38"},
    {HEAD "# domain 0 function=F parent=- size=4 first=0, ordinal=0 members=all\n",
     ":3: a communicator that cannot be read, at byte 46"},
    {HEAD "# domain 0 function=F parent=- size=4 first=0 ordinal=0\xff members=all\n",
     ":3: a communicator that cannot be read, at byte 56"},
    {HEAD "# domain 0 function=F parent=- first=0 size=4 ordinal=0 members=all\n",
     ":3: a communicator that cannot be read, at byte 31"},
    {WORLD "# domain 1 function=F parent=0\xff size=4 first=0 ordinal=0 members=all\n",
     ":4: a communicator that cannot be read, at byte 31"},
    {HEAD "# domain 1 function=F parent=- size=4 first=0 ordinal=0 members=all\n",
     ":3: communicators are not numbered in order"},
    {WORLD "# domain 1 function=F parent=- size=4 first=0 ordinal=0 members=all\n",
     ":4: a communicator's parent has to come before it"},
    {WORLD "# domain 1 function=F parent=1 size=4 first=0 ordinal=0 members=all\n",
     ":4: a communicator's parent has to come before it"},
    {WORLD CHILD "size=5 first=0 ordinal=0 members=all\n",
     ":4: a communicator larger than its parent"},
    {WORLD CHILD "size=2 first=0 ordinal=0 members=all\n",
     ":4: only a communicator of its parent's size has all members"},
    {WORLD CHILD "size=2 first=0 ordinal=0 members=x\n", ":4: members cannot be read"},
    {WORLD CHILD "size=2 first=0 ordinal=0 members=0-\n", ":4: members cannot be read"},
    {WORLD CHILD "size=2 first=0 ordinal=0 members=3-4\n",
     ":4: members outside the parent communicator"},
    {WORLD CHILD "size=2 first=3 ordinal=0 members=3-2\n",
     ":4: members outside the parent communicator"},
    {WORLD CHILD "size=2 first=0 ordinal=0 members=0\n", ":4: fewer members than the size"},
    {WORLD CHILD "size=2 first=0 ordinal=0 members=0,1,2\n", ":4: more members than the size"},
    {WORLD CHILD "size=2 first=1 ordinal=0 members=1,1\n", ":4: a member twice"},
    {WORLD CHILD "size=2 first=0 ordinal=0 members=1,2\n", ":4: the first member is another one"},
    {WORLD "# coll\n# p2p\n", ":5: a part out of order"},
    {WORLD "# p2p\n# p2p\n", ":5: a part out of order"},
    {WORLD "# osc phase=2\n# p2p phase=1\n", ":5: a part out of order"},
    {WORLD "# p2p phase=2\n# coll\n", ":5: a part out of order"},
    {WORLD "# p2p phase=0\n", ":4: a phase that cannot be read"},
    {WORLD "# p2p phase=64\n", ":4: a phase that cannot be read"},
    {WORLD "# p2p phase=x\n", ":4: a phase that cannot be read"},
    {HEAD "# p2p\n", ":3: a part out of order"},
    {HEAD "0\t1\t1\t8\t8\n", ":3: a row outside a communicator"},
    {WORLD "0\t1\t1\t8\t8\n", ":4: a row outside a communicator"},
    {WORLD "# p2p\n\n", ":5: a row that cannot be read, at byte 1"},
    {WORLD "# p2p\n0 1 1 8 8\n", ":5: a row that cannot be read, at byte 2"},
    {WORLD "# p2p\n0\t1\t1\t8\n", ":5: a row that cannot be read, at byte 8"},
    {WORLD "# p2p\n0\t-1\t1\t8\t8\n", ":5: a row that cannot be read, at byte 3"},
    {WORLD "# p2p\n0\t1\t1\t8\t8x\n", ":5: a row that cannot be read, at byte 10"},
    {WORLD "# p2p\n0\t1\t1\t8\t8,0\n", ":5: a row that cannot be read, at byte 10"},
    {WORLD "# p2p\n0\t1\t1\t18446744073709551616\t1\n", ":5: a row that cannot be read, at byte 7"},
    {WORLD "# p2p\n0\t99999999999\t1\t8\t8\n", ":5: a row that cannot be read, at byte 3"},
    {WORLD "# p2p\n0\t4\t1\t8\t8\n", ":5: a role outside the communicator"},
    {WORLD "# p2p\n4\t0\t1\t8\t8\n", ":5: a role outside the communicator"},
    {WORLD "# p2p\n0\t1\t0\t8\t8\n", ":5: messages, bytes and average do not fit together"},
    {WORLD "# p2p\n0\t1\t2\t8\t8.0\n", ":5: messages, bytes and average do not fit together"},
    {WORLD "# p2p\n0\t2\t1\t8\t8\n0\t1\t1\t8\t8\n", ":6: rows are not in order"},
    {WORLD "# p2p\n0\t1\t1\t8\t8\n0\t1\t1\t8\t8\n", ":6: rows are not in order"},
    {WORLD "# p2p\n0\t1\t1\t8\t8\n# end 2\n", ":6: another number of rows than promised"},
    {WORLD "# p2p\n0\t1\t1\t8\t8\n# end 0\n", ":6: another number of rows than promised"},
    {WORLD "# end x\n", ":4: another number of rows than promised"},
    {WORLD "# p2p\n0\t1\t1\t8\t8", ":5: torn: the last line is not complete"},
    {WORLD "# p2p\n0\t1\t1\t8\t8\n", ":5: torn: the end is missing"},
    {WORLD "# end 0\n# more\n", ":5: something after the end"},
    {"# reseat profile 1\n# program: \x1b]0;x\x07\n", ":2: a control character (0x1b) at byte 12"},
    {HEAD "# a: x\ry\n", ":3: a control character (0x0d) at byte 7"},
    {HEAD "# a: \x7f\n", ":3: a control character (0x7f) at byte 6"},
    {HEAD "# a: \x9b"
          "2J\n",
     ":3: a control character (0x9b) at byte 6"},
    {HEAD "# a: \xc3\xa4\xc2\x9b\n", ":3: a control character (0xc2) at byte 8"},
    {HEAD "# a: \\x00\n", ":3: a header with an escaped NUL"},
    {WORLD "# p2p\n0\t1\t1\t8\t8\x08\n", ":5: a control character (0x08) at byte 10"},
    {WORLD "# end 0\n\x1b[2J\n", ":5: a control character (0x1b) at byte 1"},
    {HEAD "# seat: 0 -oProxyCommand=x 0 0 0 0 0 0\n", ":3: '-oProxyCommand=x' is not a host name"},
    {HEAD "# seat: 0 $(id) 0 0 0 0 0 0\n", ":3: '$(id)' is not a host name"},
    {HEAD "# seat: 0 a'b 0 0 0 0 0 0\n", ":3: 'a'b' is not a host name"},
    {HEAD "# seat: 0 a/b 0 0 0 0 0 0\n", ":3: 'a/b' is not a host name"},
};

static const struct refusal matrices[] = {
    {"", ": is empty"},
    {"x\n", ":1: the number of ranks is expected here"},
    {"0\n", ":1: the number of ranks is expected here"},
    {"-3\n", ":1: the number of ranks is expected here"},
    {"4 4\n", ":1: the number of ranks is expected here"},
    {"2147483647\n", ":1: the number of ranks is expected here"},
    {"2147483648\n", ":1: the number of ranks is expected here"},
    {"4", ":1: torn: the last line is not complete"},
    {"4\n0 1 1\n", ":2: `source target messages bytes` with ranks below 4 is expected"},
    {"4\n0 4 1 8\n", ":2: `source target messages bytes` with ranks below 4 is expected"},
    {"4\n0 -1 1 8\n", ":2: `source target messages bytes` with ranks below 4 is expected"},
    {"4\n0 1 1 8 9\n", ":2: `source target messages bytes` with ranks below 4 is expected"},
    {"4\n\n", ":2: `source target messages bytes` with ranks below 4 is expected"},
    {"4\n0 1 1 18446744073709551616\n",
     ":2: `source target messages bytes` with ranks below 4 is expected"},
    {"4\n0 4294967297 1 8\n", ":2: `source target messages bytes` with ranks below 4 is expected"},
    {"4\n0 1 1 8\n2 3 1 8\n0 1 1 8\n", ": the pair 0 1 is there twice"},
    {"4\n0 1 1 8", ":2: torn: the last line is not complete"},
};

typedef int reading(struct reseat_profile **profile, const char *name, struct reseat_error *error);

static void refuse(const struct refusal *table, size_t count, reading *read)
{
    char expected[512];
    for (size_t i = 0; i < count; i++) {
        struct reseat_profile *profile = (struct reseat_profile *)&expected;
        struct reseat_error error = {""};
        put_file(table[i].text);
        snprintf(expected, sizeof expected, "%s%s", path, table[i].reason);
        assert_int_equal(read(&profile, path, &error), -1);
        assert_string_equal(error.text, expected);
        assert_ptr_equal(profile, &expected);
        assert_int_equal(read(&profile, path, NULL), -1);
    }
}

static void profiles_that_are_refused(void **state)
{
    (void)state;
    refuse(profiles, sizeof profiles / sizeof profiles[0], reseat_profile_read);
}

static int read_matrix(struct reseat_profile **profile, const char *name,
                       struct reseat_error *error)
{
    return reseat_exchange_read(profile, RESEAT_FORMAT_PLAIN, &name, 1, RESEAT_METRIC_SIZE, 0,
                                error);
}

static void matrices_that_are_refused(void **state)
{
    (void)state;
    refuse(matrices, sizeof matrices / sizeof matrices[0], read_matrix);
}

static void files_that_are_not_there(void **state)
{
    (void)state;
    struct reseat_profile *profile;
    struct reseat_error error;
    assert_int_equal(reseat_profile_read(&profile, "/nowhere/x", &error), -1);
    assert_string_equal(error.text, "/nowhere/x: No such file or directory");
    assert_int_equal(read_matrix(&profile, "/nowhere/x", &error), -1);
    assert_string_equal(error.text, "/nowhere/x: No such file or directory");
    assert_int_equal(reseat_profile_read(&profile, "/tmp", &error), -1);
    assert_string_equal(error.text, "/tmp: Is a directory");
    assert_int_equal(read_matrix(&profile, "/tmp", &error), -1);
    assert_string_equal(error.text, "/tmp: Is a directory");
}

/* ---- round trip ---- */

static const struct reseat_entry world_rows[] = {{0, 1, 3, 10, 0}, {2, 0, 1, UINT64_MAX, 0}};
static const struct reseat_entry child_rows[] = {
    {0, 1, 2, 200, 0}, {1, 0, 4, 0, 0}, {1, 1, 1, 1, 3}};
static int32_t child_members[] = {3, 1};

static const struct reseat_call_time whole_calls[] = {{"p2p", 120000, 1500000, 2250000},
                                                      {"reduce_scatter_block", UINT64_MAX, 0, 1}};
static const struct reseat_rank_time whole_times[] = {{0, 0, 1500000, 2000000},
                                                      {0, 3, 1, 10000345},
                                                      {1, 0, 0, 0},
                                                      {2, 0, 6000000, 12000000},
                                                      {3, 0, 2000000, 9000000}};
static const char arguments[] = "a\tb\nc \x1b]0;x\x07 \\x41\\n \xc3\xa4";

static const char whole[] =
    HEAD "# program: a.out\n# arguments: a\\x09b\\x0ac \\x1b]0;x\\x07 \\x5cx41\\n \xc3\xa4\n"
         "# seat: 0 n0 0 -1 -1 -1 0 1\n# seat: 1 n0 0 -1 -1 -1 0 1\n# seat: 2 n0 0 -1 -1 -1 0 1\n"
         "# seat: 3 n0 0 -1 -1 -1 0 1\n"
         "# seconds: 12.000345\n# mpi_seconds: 0 0 1.500000 2.000000\n"
         "# mpi_seconds: 0 3 0.000001 10.000345\n# mpi_seconds: 1 0 0.000000 0.000000\n"
         "# mpi_seconds: 2 0 6.000000 12.000000\n# mpi_seconds: 3 0 2.000000 9.000000\n"
         "# mpi_sampled: 0.012000\n# mpi_calls: p2p 120000 1.500000 2.250000\n"
         "# mpi_calls: reduce_scatter_block 18446744073709551615 0.000000 0.000001\n"
         "# domain 0 function=MPI_COMM_WORLD parent=- size=4 first=0 ordinal=0 members=all\n"
         "# p2p\n0\t1\t3\t10\t3.3\n2\t0\t1\t18446744073709551615\t18446744073709551615.0\n"
         "# domain 1 function=MPI_Cart_create parent=0 size=2 first=3 ordinal=7 members=3,1\n"
         "# coll\n0\t1\t2\t200\t100.0\n1\t0\t4\t0\t0.0\n"
         "# osc phase=3\n1\t1\t1\t1\t1.0\n# end 5\n";

static int write_whole(struct reseat_error *error)
{
    struct reseat_writer *writer;
    struct reseat_seat seat = {"n0", {{0, -1, -1, -1, 0, 1}}};
    struct reseat_domain world = {.function = "MPI_COMM_WORLD", .parent = -1, .size = 4};
    struct reseat_domain child = {.function = "MPI_Cart_create",
                                  .size = 2,
                                  .first = 3,
                                  .ordinal = 7,
                                  .members = child_members};
    if (reseat_writer_open(&writer, path, 4, error))
        return -1;
    reseat_writer_header(writer, "program", "a.out");
    reseat_writer_header(writer, "arguments", arguments);
    for (int32_t rank = 0; rank < 4; rank++)
        reseat_writer_seat(writer, rank, &seat);
    reseat_writer_duration(writer, 12000345);
    for (int i = 0; i < 5; i++)
        reseat_writer_time(writer, &whole_times[i]);
    reseat_writer_sampled(writer, 12000);
    for (int i = 0; i < 2; i++)
        reseat_writer_calls(writer, &whole_calls[i]);
    reseat_writer_domain(writer, &world);
    reseat_writer_traffic(writer, RESEAT_P2P, 0);
    reseat_writer_rows(writer, world_rows, 2);
    reseat_writer_domain(writer, &child);
    reseat_writer_traffic(writer, RESEAT_COLL, 0);
    reseat_writer_rows(writer, child_rows, 2);
    reseat_writer_traffic(writer, RESEAT_OSC, 3);
    reseat_writer_rows(writer, child_rows + 2, 1);
    return reseat_writer_commit(writer, error);
}

static void check_rows(const struct reseat_entry *found, const struct reseat_entry *expected,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(found[i].source, expected[i].source);
        assert_int_equal(found[i].target, expected[i].target);
        assert_int_equal(found[i].msgs, expected[i].msgs);
        assert_int_equal(found[i].bytes, expected[i].bytes);
        assert_int_equal(found[i].phase, expected[i].phase);
    }
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    char text[4096];
    struct reseat_profile *p = NULL;
    struct reseat_error error = {""};
    assert_int_equal(write_whole(&error), 0);
    get_file(text, sizeof text);
    assert_string_equal(text, whole);
    assert_int_equal(reseat_profile_read(&p, path, &error), 0);
    assert_int_equal(p->ranks, 4);
    assert_string_equal(reseat_profile_header(p, "arguments"), arguments);
    assert_string_equal(reseat_profile_header(p, "ranks"), "4");
    assert_null(reseat_profile_header(p, "nothing"));
    assert_int_equal(p->seats_count, 4);
    assert_string_equal(p->seats[3].host, "n0");
    assert_int_equal(p->seats[3].place.at[TMAP_PLACE_NUMA], -1);
    assert_int_equal(p->seats[3].place.at[TMAP_PLACE_PU], 1);
    assert_int_equal(p->domains_count, 2);
    assert_int_equal(p->domains[0].count[RESEAT_P2P], 2);
    check_rows(p->domains[0].entries[RESEAT_P2P], world_rows, 2);
    assert_null(p->domains[0].members);
    assert_memory_equal(p->domains[1].members, child_members, sizeof child_members);
    assert_int_equal(p->domains[1].count[RESEAT_P2P], 0);
    check_rows(p->domains[1].entries[RESEAT_COLL], child_rows, 2);
    assert_int_equal(p->domains[1].count[RESEAT_OSC], 1);
    check_rows(p->domains[1].entries[RESEAT_OSC], child_rows + 2, 1);
    assert_int_equal(p->microseconds, 12000345);
    assert_int_equal(p->times_count, 5);
    assert_int_equal(p->is_sampled, 1);
    assert_int_equal(p->sampling_error, 12000);
    assert_int_equal(p->calls_count, 2);
    assert_memory_equal(p->calls, whole_calls, sizeof whole_calls);
    assert_memory_equal(p->times, whole_times, sizeof whole_times);
    assert_int_equal(reseat_profile_keep_phase(p, 3), 1);
    assert_int_equal(p->times_count, 1);
    assert_int_equal(p->calls_count, 0);
    assert_memory_equal(p->times, &whole_times[1], sizeof whole_times[1]);
    assert_int_equal(p->domains[0].count[RESEAT_P2P], 0);
    check_rows(p->domains[1].entries[RESEAT_OSC], child_rows + 2, 1);
    assert_int_equal(reseat_profile_find_domain(p, "MPI_Cart_create", 0, 2, 3, 7), 1);
    assert_int_equal(reseat_profile_find_domain(p, "MPI_Cart_create", 0, 2, 3, 6), -1);
    assert_int_equal(reseat_profile_find_domain(p, "MPI_Graph_create", 0, 2, 3, 7), -1);
    reseat_profile_destroy(p);
    reseat_profile_destroy(NULL);
}

/* Files that came through another system have CR LF. */
static void lines_may_end_with_cr_lf(void **state)
{
    (void)state;
    struct reseat_profile *p = NULL;
    struct reseat_error error = {""};
    put_file("# reseat profile 1\r\n# ranks: 1\r\n# program: a b\r\n"
             "# domain 0 function=F parent=- size=1 first=0 ordinal=0 members=all\r\n# end 0\r\n");
    assert_int_equal(reseat_profile_read(&p, path, &error), 0);
    assert_string_equal(reseat_profile_header(p, "program"), "a b");
    reseat_profile_destroy(p);
}

static void refuse_bytes(const char *text, size_t size, const char *reason)
{
    char expected[512];
    struct reseat_profile *p = NULL;
    struct reseat_error error = {""};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    snprintf(expected, sizeof expected, "%s%s", path, reason);
    assert_int_equal(reseat_profile_read(&p, path, &error), -1);
    assert_string_equal(error.text, expected);
}

static void what_is_no_text_is_refused_early(void **state)
{
    (void)state;
    static const char nul[] = HEAD "# program: a\0b\n";
    static char longer[5000], host[400];
    struct reseat_error error = {""};
    struct reseat_profile *p = NULL;
    refuse_bytes(nul, sizeof nul - 1, ":3: a NUL byte: this is not text");
    memset(longer, 'x', sizeof longer);
    refuse_bytes(longer, sizeof longer, ":1: a line of more than 4096 bytes");
    strcpy(host, HEAD "# seat: 0 ");
    memset(host + strlen(host), 'h', 256);
    strcat(host, " 0 0 0 0 0 0\n");
    refuse_bytes(host, strlen(host), ":3: a host of more than 255 characters");
    assert_int_equal(reseat_profile_read(&p, "/dev/zero", &error), -1);
    assert_string_equal(error.text, "/dev/zero:1: a NUL byte: this is not text");
}

/* A host may be called anything; the profile has to be readable all the same. */
static void hosts_are_written_as_names(void **state)
{
    (void)state;
    static const char *const hosts[][2] = {{"n0.site.org", "n0.site.org"},
                                           {"", "unknown"},
                                           {"-oProxyCommand=x", "_oProxyCommand_x"},
                                           {"a b\x1b", "a_b_"},
                                           {"fe80::1", "fe80::1"}};
    const struct reseat_domain world = {.function = "F", .parent = -1, .size = 1};
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
        struct reseat_writer *writer;
        struct reseat_seat seat = {"", {{0, 0, 0, 0, 0, 0}}};
        struct reseat_profile *p = NULL;
        struct reseat_error error = {""};
        strcpy(seat.host, hosts[i][0]);
        assert_int_equal(reseat_writer_open(&writer, path, 1, &error), 0);
        reseat_writer_seat(writer, 0, &seat);
        reseat_writer_domain(writer, &world);
        assert_int_equal(reseat_writer_commit(writer, &error), 0);
        assert_int_equal(reseat_profile_read(&p, path, &error), 0);
        assert_string_equal(p->seats[0].host, hosts[i][1]);
        reseat_profile_destroy(p);
    }
}

/* The application may have chosen a locale with a decimal comma and digit groups. */
static void the_locale_does_not_matter(void **state)
{
    (void)state;
    char text[4096];
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        setlocale(LC_ALL, names[i]);
    assert_int_equal(write_whole(NULL), 0);
    setlocale(LC_ALL, "C");
    get_file(text, sizeof text);
    assert_string_equal(text, whole);
}

static void a_matrix_is_a_profile_of_the_world(void **state)
{
    (void)state;
    struct reseat_profile *p = NULL;
    struct reseat_error error = {""};
    put_file("3\n2 0 1 8\n0 1 2 30\n0 2 0 0\n");
    assert_int_equal(read_matrix(&p, path, &error), 0);
    assert_int_equal(p->ranks, 3);
    assert_null(p->seats);
    assert_int_equal(p->domains_count, 1);
    assert_int_equal(p->domains[0].count[RESEAT_P2P], 2);
    assert_int_equal(p->domains[0].entries[RESEAT_P2P][0].bytes, 30);
    assert_int_equal(p->domains[0].entries[RESEAT_P2P][1].source, 2);
    reseat_profile_destroy(p);
}

/* ---- weights ---- */

static void check_weights(int domain, int below, enum reseat_metric metric,
                          const struct tmap_entry *expected, size_t count)
{
    static const char text[] =
        WORLD "# p2p\n0\t1\t2\t5\t2.5\n1\t0\t9\t1\t0.1\n# coll\n0\t1\t2\t5\t2.5\n" CHILD
              "size=2 first=3 ordinal=0 members=3,1\n# p2p\n0\t1\t1\t100\t100.0\n"
              "# domain 2 function=MPI_Graph_create parent=1 size=2 first=1 ordinal=0 members=1,0\n"
              "# p2p\n0\t1\t1\t7\t7.0\n# end 5\n";
    struct reseat_profile *p;
    struct reseat_error error = {""};
    struct tmap_entry *entries;
    size_t n;
    put_file(text);
    assert_int_equal(reseat_profile_read(&p, path, &error), 0);
    assert_int_equal(reseat_profile_weights(p, domain, below, metric, &entries, &n, &error), 0);
    assert_int_equal(n, count);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(entries[i].source, expected[i].source);
        assert_int_equal(entries[i].target, expected[i].target);
        assert_int_equal(entries[i].weight, expected[i].weight);
    }
    free(entries);
    reseat_profile_destroy(p);
}

static void weights_by_metric_and_domain(void **state)
{
    (void)state;
    static const struct tmap_entry size[] = {{0, 1, 10}, {1, 0, 1}};
    static const struct tmap_entry msg[] = {{0, 1, 4}, {1, 0, 9}};
    static const struct tmap_entry avg[] = {{0, 1, 1}}; /* 11 B in 13 messages */
    static const struct tmap_entry all_avg[] = {{0, 1, 1}, {1, 3, 54}};
    static const struct tmap_entry all[] = {{0, 1, 10}, {1, 0, 1}, {1, 3, 7}, {3, 1, 100}};
    static const struct tmap_entry child[] = {{0, 1, 100}, {1, 0, 7}};
    static const struct tmap_entry leaf[] = {{0, 1, 7}};
    check_weights(0, 0, RESEAT_METRIC_SIZE, size, 2);
    check_weights(0, 0, RESEAT_METRIC_MSG, msg, 2);
    check_weights(0, 0, RESEAT_METRIC_AVG, avg, 1);
    check_weights(0, 1, RESEAT_METRIC_AVG, all_avg, 2);
    check_weights(0, 1, RESEAT_METRIC_SIZE, all, 4);
    check_weights(1, 1, RESEAT_METRIC_SIZE, child, 2);
    check_weights(1, 0, RESEAT_METRIC_SIZE, child, 1);
    check_weights(2, 1, RESEAT_METRIC_SIZE, leaf, 1);
}

/* One message of 1000 B there, 100 of 1 B back: the messages that these two exchange have 10.9 B in the
 * mean, not 1001. */
static void the_mean_of_a_pair_is_that_of_its_messages(void **state)
{
    (void)state;
    struct reseat_profile *p;
    struct reseat_error error = {""};
    struct tmap_entry *entries;
    size_t n;
    put_file(WORLD "# p2p\n0\t1\t1\t1000\t1000.0\n1\t0\t100\t100\t1.0\n# end 2\n");
    assert_int_equal(reseat_profile_read(&p, path, &error), 0);
    assert_int_equal(reseat_profile_weights(p, 0, 1, RESEAT_METRIC_AVG, &entries, &n, &error), 0);
    assert_int_equal(n, 1);
    assert_int_equal(entries[0].source, 0);
    assert_int_equal(entries[0].target, 1);
    assert_int_equal(entries[0].weight, 11);
    free(entries);
    reseat_profile_destroy(p);
}

/* 1,142 messages of 1,222 bytes and 2,279 of 8 are not 3,421 of 413: each kind stays by itself in each phase, and of
 * each the traffic of derived domains is added. As weights they are one. */
static void kinds_of_a_pair_stay_apart(void **state)
{
    static const struct reseat_entry expected[] = {
        {0, 1, 1142, 1395524, 0}, {0, 1, 2282, 18256, 0}, {1, 0, 1, 5, 0}, {0, 1, 7, 70, 2}};
    struct reseat_profile *p;
    struct reseat_error error = {""};
    struct reseat_entry *entries;
    struct tmap_entry *weights;
    size_t n;
    (void)state;
    put_file(WORLD
             "# p2p\n0\t1\t1142\t1395524\t1222.0\n# coll\n0\t1\t2279\t18232\t8.0\n1\t0\t1\t5\t5.0\n"
             "# p2p phase=2\n0\t1\t7\t70\t10.0\n" CHILD
             "size=2 first=0 ordinal=0 members=0-1\n# coll\n0\t1\t3\t24\t8.0\n# end 5\n");
    if (reseat_profile_read(&p, path, &error))
        fail_msg("%s", error.text);
    assert_int_equal(reseat_profile_phases(p, 0, 1, &entries, &n, &error), 0);
    assert_int_equal(n, 4);
    for (size_t i = 0; i < n; i++)
        if (memcmp(&entries[i], &expected[i], offsetof(struct reseat_entry, phase)) != 0 ||
            entries[i].phase != expected[i].phase)
            fail_msg("%zu: %d %d %llu %llu %d", i, (int)entries[i].source, (int)entries[i].target,
                     (unsigned long long)entries[i].msgs, (unsigned long long)entries[i].bytes,
                     (int)entries[i].phase);
    assert_int_equal(reseat_profile_weights(p, 0, 1, RESEAT_METRIC_MSG, &weights, &n, &error), 0);
    assert_int_equal(n, 2);
    assert_int_equal(weights[0].weight, 1142 + 2279 + 3 + 7);
    free(weights);
    free(entries);
    reseat_profile_destroy(p);
}

/* ---- sizes ---- */

#define SIZED                          \
    HEAD "# sizes: by powers of two\n" \
         "# domain 0 function=MPI_COMM_WORLD parent=- size=4 first=0 ordinal=0 members=all\n"

static void check_entries(const struct reseat_entry *found, size_t count,
                          const struct reseat_entry *expected, size_t expected_count)
{
    for (size_t i = 0; i < count; i++)
        print_message("%d %d %llu %llu %d\n", (int)found[i].source, (int)found[i].target,
                      (unsigned long long)found[i].msgs, (unsigned long long)found[i].bytes,
                      (int)found[i].phase);
    assert_int_equal(count, expected_count);
    check_rows(found, expected, count);
}

/* As written, read, and written again. In the classes of messages all that are in a class of one
 * kind are one entry, whatever the communicator. */
static void messages_of_a_pair_are_told_apart_by_size(void **state)
{
    static const char sized[] = SIZED
        "# p2p\n0\t1\t3421\t1413756\t413.2\n# sizes 2279 18232, 1142 1395524\n"
        "1\t0\t3\t0\t0.0\n" CHILD
        "size=2 first=0 ordinal=0 members=0-1\n# p2p\n0\t1\t2\t2012\t1006.0\n# sizes 1 12, 1 2000\n"
        "# end 3\n";
    static const struct reseat_entry expected[] = {
        {0, 1, 1143, 1397524, 0}, {0, 1, 2280, 18244, 0}, {1, 0, 3, 0, 0}};
    struct reseat_profile *p = NULL;
    struct reseat_error error = {""};
    struct reseat_entry *entries;
    struct message_sizes sizes;
    char text[4096];
    size_t n;
    (void)state;
    put_file(sized);
    if (reseat_profile_read(&p, path, &error))
        fail_msg("%s", error.text);
    assert_int_equal(reseat_profile_write(p, path, &error), 0);
    get_file(text, sizeof text);
    assert_string_equal(text, sized);
    assert_int_equal(reseat_profile_phases(p, 0, 1, &entries, &n, &error), 0);
    check_entries(entries, n, expected, 3);
    free(entries);
    message_sizes_find(&sizes, p);
    assert_int_equal(sizes.is_known, 1);
    assert_int_equal((int)sizes.of[RESEAT_P2P][0].msgs, 3);
    assert_int_equal((int)sizes.of[RESEAT_P2P][4].msgs, 2280);
    assert_int_equal((int)sizes.of[RESEAT_P2P][11].bytes, 1397524);
    reseat_profile_destroy(p);
}

/* What a profile of an earlier release says is read, but not taken for sizes. */
static void a_mean_is_no_size(void **state)
{
    struct reseat_profile *p = NULL;
    struct reseat_error error = {""};
    struct message_sizes sizes;
    (void)state;
    put_file(ROW "# end 1\n");
    assert_int_equal(reseat_profile_read(&p, path, &error), 0);
    message_sizes_find(&sizes, p);
    assert_int_equal(sizes.is_known, 0);
    assert_true(sizes.of[RESEAT_P2P][3].msgs == 0);
    reseat_profile_destroy(p);
}

/* Of runs the mean of each class; rounded, it may be one of another class. A profile without sizes
 * leaves none. */
static void runs_have_the_mean_of_each_size(void **state)
{
    static const char *const runs[] = {
        SIZED "# p2p\n0\t1\t10\t8010\t801.0\n# sizes 2 10, 8 8000\n# end 1\n",
        SIZED "# p2p\n0\t1\t4\t2000\t500.0\n1\t2\t3\t1028\t342.6\n# sizes 2 4, 1 1024\n# end 2\n",
        WORLD "# p2p\n0\t1\t4\t2000\t500.0\n# end 1\n"};
    static const struct reseat_entry of_two[] = {{0, 1, 1, 5, 0},
                                                 {0, 1, 2, 1000, 0},
                                                 {0, 1, 4, 4000, 0},
                                                 {1, 2, 1, 2, 0},
                                                 {1, 2, 1, 512, 0}};
    struct reseat_profile *p[3], *merged;
    struct reseat_error error = {""};
    struct reseat_spread spread;
    struct message_sizes sizes;
    (void)state;
    for (int i = 0; i < 3; i++) {
        put_file(runs[i]);
        if (reseat_profile_read(&p[i], path, &error))
            fail_msg("%s", error.text);
    }
    for (size_t count = 2; count < 4; count++) {
        assert_int_equal(reseat_profile_merge(&merged, (const struct reseat_profile *const *)p,
                                              count, &spread, &error),
                         0);
        if (count == 2)
            check_entries(merged->domains[0].entries[RESEAT_P2P],
                          merged->domains[0].count[RESEAT_P2P], of_two, 5);
        assert_int_equal(spread.pairs, 2);
        assert_int_equal(spread.everywhere, 1);
        assert_int_equal((int)spread.between, 6010 + 1028);
        message_sizes_find(&sizes, merged);
        assert_int_equal(sizes.is_known, count == 2);
        reseat_profile_destroy(merged);
    }
    for (int i = 0; i < 3; i++)
        reseat_profile_destroy(p[i]);
}

/* Phase 1 of one run is not that of another one where both were found. */
static void found_phases_are_not_merged(void **state)
{
    static const char traffic[] =
        "# p2p\n0\t1\t4\t2000\t500.0\n# p2p phase=1\n0\t1\t2\t1000\t500.0\n# end 2\n";
    static const struct reseat_entry of_found[] = {{0, 1, 6, 3000, 0}},
                                     of_both[] = {{0, 1, 5, 2500, 0}, {0, 1, 1, 500, 1}};
    struct reseat_profile *p[2], *merged;
    struct reseat_error error = {""};
    struct reseat_spread spread;
    char text[1024];
    (void)state;
    for (int second_is_found = 0; second_is_found < 2; second_is_found++) {
        for (int i = 0; i < 2; i++) {
            snprintf(text, sizeof text, "%s%s%s", WORLD,
                     i == 0 || second_is_found ? "# phases: found\n" : "", traffic);
            put_file(text);
            if (reseat_profile_read(&p[i], path, &error))
                fail_msg("%s", error.text);
        }
        assert_int_equal(reseat_profile_merge(&merged, (const struct reseat_profile *const *)p, 2,
                                              &spread, &error),
                         0);
        check_entries(merged->domains[0].entries[RESEAT_P2P], merged->domains[0].count[RESEAT_P2P],
                      second_is_found ? of_found : of_both, second_is_found ? 1 : 2);
        assert_null(reseat_profile_header(merged, "phases"));
        reseat_profile_destroy(merged);
        reseat_profile_destroy(p[0]);
        reseat_profile_destroy(p[1]);
    }
}

/* The mean of 1, 0 and 0 messages is at least one, of a third of the bytes: in the class below it
 * may meet another. */
static void no_class_is_there_twice(void **state)
{
    struct reseat_entry parts[4];
    static const struct reseat_entry all[] = {
        {0, 1, 2, 20, 0}, {0, 1, 1, 10, 0}, {0, 1, 1, 100, 0}, {0, 1, 1, 0, 0}};
    size_t n = 0;
    (void)state;
    n = message_sizes_append(parts, n, &all[0]);
    n = message_sizes_append(parts, n, &all[1]);
    check_entries(parts, n, (const struct reseat_entry[]){{0, 1, 3, 30, 0}}, 1);
    n = message_sizes_append(parts, n, &all[2]);
    check_entries(parts, n, (const struct reseat_entry[]){{0, 1, 3, 30, 0}, {0, 1, 1, 100, 0}}, 2);
    n = message_sizes_append(parts, n, &all[3]);
    check_entries(parts, n, (const struct reseat_entry[]){{0, 1, 3, 30, 0}, {0, 1, 2, 100, 0}}, 2);
}

enum { MANY_RANKS = 12 };

/* Write rows of one kind, of about half of all pairs; `mirrored': rank 11 - r is rank r of the world. Returns how many. */
static size_t put_rows(FILE *file, uint32_t chance, int mirrored,
                       uint64_t bytes_of[MANY_RANKS][MANY_RANKS])
{
    size_t rows = 0;
    for (int a = 0; a < MANY_RANKS; a++)
        for (int b = 0; b < MANY_RANKS; b++) {
            chance = chance * 1664525 + 1013904223;
            int bytes = 1 + (int)(chance >> 20 & 255);
            if (a == b || chance >> 30 & 1)
                continue;
            fprintf(file, "%d\t%d\t1\t%d\t%d.0\n", a, b, bytes, bytes);
            bytes_of[mirrored ? MANY_RANKS - 1 - a : a][mirrored ? MANY_RANKS - 1 - b : b] +=
                (uint64_t)bytes;
            rows++;
        }
    return rows;
}

static void check_sums(const struct reseat_profile *p, uint64_t expected[MANY_RANKS][MANY_RANKS])
{
    struct reseat_error error = {""};
    struct tmap_entry *entries;
    size_t n, at = 0;
    assert_int_equal(reseat_profile_weights(p, 0, 1, RESEAT_METRIC_SIZE, &entries, &n, &error), 0);
    for (int a = 0; a < MANY_RANKS; a++)
        for (int b = 0; b < MANY_RANKS; b++) {
            if (expected[a][b] == 0)
                continue;
            assert_true(at < n);
            assert_int_equal(entries[at].source, a);
            assert_int_equal(entries[at].target, b);
            assert_int_equal(entries[at++].weight, expected[a][b]);
        }
    assert_int_equal(at, n);
    free(entries);
}

/* Also with the second allocation failing, for which sorting needs another way. */
static void rows_of_all_kinds_and_domains_add_up(void **state)
{
    uint64_t expected[MANY_RANKS][MANY_RANKS] = {{0}};
    struct reseat_profile *p;
    struct reseat_error error = {""};
    (void)state;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("# reseat profile 1\n# ranks: 12\n# domain 0 function=MPI_COMM_WORLD parent=- size=12 "
          "first=0 ordinal=0 members=all\n# p2p\n",
          file);
    size_t rows = put_rows(file, 1, 0, expected);
    fputs("# coll\n", file);
    rows += put_rows(file, 2, 0, expected);
    fputs("# domain 1 function=MPI_Cart_create parent=0 size=12 first=11 ordinal=0 "
          "members=11,10,9,8,7,6,5,4,3,2,1,0\n# p2p\n",
          file);
    rows += put_rows(file, 3, 1, expected);
    fprintf(file, "# end %zu\n", rows);
    assert_int_equal(fclose(file), 0);
    if (reseat_profile_read(&p, path, &error))
        fail_msg("%s", error.text);
    check_sums(p, expected);
    fail_at = 1;
    check_sums(p, expected);
    assert_int_equal(fail_at, -1);
    reseat_profile_destroy(p);
}

/* ---- a writer in trouble keeps the old profile ---- */

static int files_in_folder(void)
{
    int count = 0;
    DIR *stream = opendir(folder);
    for (struct dirent *entry; (entry = readdir(stream));)
        count += entry->d_name[0] != '.';
    closedir(stream);
    return count;
}

static void a_full_disk_keeps_the_old_profile(void **state)
{
    (void)state;
    char expected[256], text[64];
    struct reseat_error error = {""};
    struct rlimit old, low;
    put_file("old");
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    low = old;
    low.rlim_cur = 200;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
    int rc = write_whole(&error);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(rc, -1);
    snprintf(expected, sizeof expected, "%s: File too large", path);
    assert_string_equal(error.text, expected);
    get_file(text, sizeof text);
    assert_string_equal(text, "old");
    assert_int_equal(files_in_folder(), 1);
}

static void targets_that_are_refused(void **state)
{
    (void)state;
    static const char *const refused[][2] = {
        {"/nowhere/x", "/nowhere/x: No such file or directory"},
        {"/dev/full", "/dev/full: is not a regular file"},
        {"/tmp", "/tmp: is not a regular file"},
        {"/proc/x", "/proc/x: No such file or directory"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct reseat_writer *writer;
        struct reseat_error error = {""};
        assert_int_equal(reseat_writer_open(&writer, refused[i][0], 4, &error), -1);
        assert_string_equal(error.text, refused[i][1]);
    }
}

static void an_aborted_writer_leaves_nothing(void **state)
{
    (void)state;
    struct reseat_writer *writer;
    char text[64];
    put_file("old");
    assert_int_equal(reseat_writer_open(&writer, path, 4, NULL), 0);
    assert_int_equal(files_in_folder(), 2);
    reseat_writer_abort(writer);
    reseat_writer_abort(NULL);
    get_file(text, sizeof text);
    assert_string_equal(text, "old");
    assert_int_equal(files_in_folder(), 1);
}

/* As of two containers, whose processes have equal numbers. */
static void two_writers_of_one_file_do_not_meet(void **state)
{
    (void)state;
    struct reseat_writer *first, *second;
    struct reseat_error error = {""};
    char text[256];
    assert_int_equal(reseat_writer_open(&first, path, 1, &error), 0);
    reseat_writer_header(first, "program", "first");
    assert_int_equal(reseat_writer_open(&second, path, 2, &error), 0);
    assert_int_equal(files_in_folder(), 2);
    assert_int_equal(reseat_writer_commit(first, &error), 0);
    get_file(text, sizeof text);
    assert_string_equal(text, "# reseat profile 1\n# ranks: 1\n# program: first\n# end 0\n");
    assert_int_equal(reseat_writer_commit(second, &error), 0);
    get_file(text, sizeof text);
    assert_string_equal(text, "# reseat profile 1\n# ranks: 2\n# end 0\n");
    assert_int_equal(files_in_folder(), 1);
}

/* Whether a file in the folder is still there after something was written to `path`: `name`, last changed some days
 * ago, or a link. */
static int survives(const char *name, int days, int is_link)
{
    char other[160];
    const struct timespec then = {.tv_sec = time(NULL) - days * 86400L};
    snprintf(other, sizeof other, "%s/%s", folder, name);
    int file = is_link ? symlink("/nowhere", other) : creat(other, 0666);
    assert_int_not_equal(file, -1);
    if (!is_link)
        close(file);
    assert_int_equal(
        utimensat(AT_FDCWD, other, (const struct timespec[]){then, then}, AT_SYMLINK_NOFOLLOW), 0);
    assert_int_equal(write_whole(NULL), 0);
    return unlink(other) == 0;
}

static void what_a_killed_process_has_left_goes_away(void **state)
{
    (void)state;
    struct reseat_writer *writer;
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(reseat_writer_open(&writer, path, 4, NULL) != 0 || files_in_folder() != 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(files_in_folder(), 1);
    assert_int_equal(write_whole(NULL), 0);
    assert_int_equal(files_in_folder(), 1);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(survives("x-5f0c2a91-7-c03be814.tmp", 40, 0), 0);
    assert_int_equal(survives("x-5f0c2a91-7-c03be814.tmp", 20, 0), 1); /* another machine's */
    assert_int_equal(survives("x-5f0c2a91-7-c03be814.tmp", 40, 1), 1);
    assert_int_equal(survives("x-5f0c2a91-07-c03be814.tmp", 40, 0), 1);
    assert_int_equal(survives("x-5f0c2a91-7-c03be81.tmp", 40, 0), 1);
    assert_int_equal(survives("x-5f0c2a91-7-c03be814.tmp2", 40, 0), 1);
    assert_int_equal(survives("y-5f0c2a91-7-c03be814.tmp", 40, 0), 1);
    assert_int_equal(survives("x-notes.tmp", 40, 0), 1);
    assert_int_equal(survives("x.7.tmp", 40, 0), 1);
}

/* ---- memory ---- */

static void every_allocation_can_fail(void **state)
{
    (void)state;
    int rc = -1;
    assert_int_equal(write_whole(NULL), 0);
    for (long k = 0; rc; k++) {
        struct reseat_profile *profile = NULL;
        struct reseat_error error = {""};
        struct tmap_entry *entries = NULL;
        size_t count;
        fail_at = k;
        rc = reseat_profile_read(&profile, path, &error);
        if (rc == 0)
            rc =
                reseat_profile_weights(profile, 0, 1, RESEAT_METRIC_SIZE, &entries, &count, &error);
        if (rc == 0)
            rc = write_whole(&error);
        fail_at = -1;
        if (rc)
            assert_non_null(strstr(error.text, "emory"));
        free(entries);
        reseat_profile_destroy(profile);
        assert_true(k < 1000);
    }
}

static void every_allocation_of_a_matrix_can_fail(void **state)
{
    (void)state;
    int rc = -1;
    put_file("3\n2 0 1 8\n0 1 2 30\n0 2 0 0\n");
    for (long k = 0; rc; k++) {
        struct reseat_profile *profile = NULL;
        struct reseat_error error = {""};
        fail_at = k;
        rc = read_matrix(&profile, path, &error);
        fail_at = -1;
        if (rc)
            assert_non_null(strstr(error.text, "emory"));
        reseat_profile_destroy(profile);
        assert_true(k < 100);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(profiles_that_are_refused),
        TEST(matrices_that_are_refused),
        TEST(files_that_are_not_there),
        TEST(what_is_written_is_read),
        TEST(lines_may_end_with_cr_lf),
        TEST(what_is_no_text_is_refused_early),
        TEST(hosts_are_written_as_names),
        TEST(the_locale_does_not_matter),
        TEST(a_matrix_is_a_profile_of_the_world),
        TEST(weights_by_metric_and_domain),
        TEST(the_mean_of_a_pair_is_that_of_its_messages),
        TEST(kinds_of_a_pair_stay_apart),
        TEST(messages_of_a_pair_are_told_apart_by_size),
        TEST(a_mean_is_no_size),
        TEST(runs_have_the_mean_of_each_size),
        TEST(found_phases_are_not_merged),
        TEST(no_class_is_there_twice),
        TEST(rows_of_all_kinds_and_domains_add_up),
        TEST(a_full_disk_keeps_the_old_profile),
        TEST(targets_that_are_refused),
        TEST(an_aborted_writer_leaves_nothing),
        TEST(two_writers_of_one_file_do_not_meet),
        TEST(what_a_killed_process_has_left_goes_away),
        TEST(every_allocation_can_fail),
        TEST(every_allocation_of_a_matrix_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
