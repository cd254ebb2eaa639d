/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile [RANKS [PARTNERS]] - what writing and reading a large profile costs, with rows generated
 * one rank at a time, in the order of the gathering: seconds, megabytes, peak memory. Default:
 * 65,536 ranks with 30 partners each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "profile/profile.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long peak(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

/* Partners ascending, spread over all ranks. */
static size_t make_row(struct reseat_entry *row, int32_t rank, int32_t ranks, int partners)
{
    for (int i = 0; i < partners; i++)
        row[i] =
            (struct reseat_entry){.source = rank,
                                  .target = (int32_t)((int64_t)i * ranks / partners +
                                                      (rank * 7919LL + i) % (ranks / partners)),
                                  .msgs = 1000 + (uint64_t)i,
                                  .bytes = 123456789 + (uint64_t)rank};
    return (size_t)partners;
}

static int write_all(const char *path, int32_t ranks, int partners, struct reseat_error *error)
{
    struct reseat_writer *writer;
    struct reseat_domain world = {.function = "MPI_COMM_WORLD", .parent = -1, .size = ranks};
    struct reseat_seat seat = {"node0000", {{0, 0, 0, 0, 0, 0}}};
    struct reseat_entry *row = malloc((size_t)partners * sizeof *row);
    if (!row || reseat_writer_open(&writer, path, ranks, error)) {
        free(row);
        return -1;
    }
    for (int32_t rank = 0; rank < ranks; rank++)
        reseat_writer_seat(writer, rank, &seat);
    reseat_writer_domain(writer, &world);
    reseat_writer_traffic(writer, RESEAT_P2P, 0);
    for (int32_t rank = 0; rank < ranks; rank++)
        reseat_writer_rows(writer, row, make_row(row, rank, ranks, partners));
    free(row);
    return reseat_writer_commit(writer, error);
}

int main(int argc, char **argv)
{
    int32_t ranks = argc > 1 ? atoi(argv[1]) : 65536;
    int partners = argc > 2 ? atoi(argv[2]) : 30;
    char path[] = "/tmp/reseat-bench.XXXXXX";
    struct reseat_profile *profile = NULL;
    struct reseat_error error = {""};
    struct stat status;
    int file = mkstemp(path);
    if (ranks < 1 || partners < 1 || partners > ranks || file < 0)
        return 2;
    close(file);
    double start = now();
    int rc = write_all(path, ranks, partners, &error);
    double written = now();
    long writing = peak();
    if (rc == 0)
        rc = reseat_profile_read(&profile, path, &error);
    if (rc == 0 && stat(path, &status) == 0)
        printf("ranks\t%d\npartners\t%d\nmegabytes\t%.1f\nwrite_seconds\t%.2f\nwrite_peak_mb\t%ld\n"
               "read_seconds\t%.2f\nread_peak_mb\t%ld\n",
               (int)ranks, partners, (double)status.st_size / 1e6, written - start, writing,
               now() - written, peak());
    else
        fprintf(stderr, "%s\n", error.text);
    reseat_profile_destroy(profile);
    unlink(path);
    return rc ? 1 : 0;
}
