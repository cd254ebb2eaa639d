/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-workload.c - any bytes as a workload: read, with jobs that are consistent and a mapping that is
 * read as it was written, or refused with a line; and any bytes as a mapping of two jobs. */
#include <string.h>
#include <unistd.h>

#include "simulate/workload-mapping.h"
#include "fuzz/fuzz.h"

static void check_job(const struct reseat_job *job)
{
    require(job->name && job->ranks >= 0 && job->seconds >= 0);
    for (size_t f = 0; f < job->count; f++) {
        const struct reseat_flow *flow = &job->flows[f];
        require(flow->source >= 0 && flow->source < job->ranks);
        require(flow->target >= 0 && flow->target < job->ranks);
        require(flow->source != flow->target && flow->messages > 0);
        require((flow->rate > 0) == (job->seconds > 0));
    }
}

/* A file with these bytes. */
static void put_bytes(char path[], const void *data, size_t size)
{
    int file = mkstemp(path);
    require(file >= 0);
    require(write(file, data, size) == (ssize_t)size);
    close(file);
}

static void check_mapping(const struct reseat_workload *workload)
{
    char path[] = "/tmp/reseat-fuzz.XXXXXX", *text = NULL;
    struct reseat_error error;
    size_t size = 0, ranks = (size_t)workload->ranks;
    int32_t *slot_of = malloc(2 * (ranks + 1) * sizeof *slot_of), *again = slot_of + ranks;
    FILE *memory = open_memstream(&text, &size);
    require(slot_of && memory);
    for (size_t rank = 0; rank < ranks; rank++)
        slot_of[rank] = (int32_t)(2 * (ranks - rank));
    reseat_workload_mapping_write(memory, workload, slot_of);
    require(fclose(memory) == 0);
    put_bytes(path, text, size);
    require(reseat_workload_mapping_read(workload, path, INT32_MAX, again, &error) == 0);
    require(memcmp(slot_of, again, ranks * sizeof *slot_of) == 0);
    unlink(path);
    free(text);
    free(slot_of);
}

/* The file as a mapping of two jobs of five ranks. */
static void read_mapping(const char *path)
{
    struct reseat_job jobs[] = {{.ranks = 3}, {.ranks = 2, .first = 3}};
    const struct reseat_workload two = {.jobs = jobs, .count = 2, .ranks = 5};
    struct reseat_error error = {""};
    int32_t slot_of[5];
    int rc = reseat_workload_mapping_read(&two, path, 9, slot_of, &error);
    require(rc == 0 || (error.text[0] && !strchr(error.text, '\n')));
    for (int rank = 0; rc == 0 && rank < 5; rank++)
        require(slot_of[rank] >= 0 && slot_of[rank] < 9);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/reseat-fuzz.XXXXXX";
    struct reseat_workload *workload = NULL;
    struct reseat_error error = {""};
    int32_t first = 0;
    put_bytes(path, data, size);
    read_mapping(path);
    int rc = reseat_workload_read(&workload, path, &error);
    unlink(path);
    require((rc == 0) == (workload != NULL));
    require(rc == 0 || (error.text[0] && !strchr(error.text, '\n')));
    for (size_t j = 0; workload && j < workload->count; j++) {
        require(workload->jobs[j].first == first);
        first += workload->jobs[j].ranks;
        check_job(&workload->jobs[j]);
    }
    require(!workload || workload->ranks == first);
    if (workload && first < 10000)
        check_mapping(workload);
    reseat_workload_destroy(workload);
    return 0;
}
