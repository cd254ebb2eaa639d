/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-workload.c - any bytes as a workload: read, with jobs that are consistent, or refused with a
 * line. */
#include <string.h>
#include <unistd.h>

#include "format/workload.h"
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/reseat-fuzz.XXXXXX";
    struct reseat_workload *workload = NULL;
    struct reseat_error error = {""};
    int32_t first = 0;
    int file = mkstemp(path);
    require(file >= 0);
    require(write(file, data, size) == (ssize_t)size);
    close(file);
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
    reseat_workload_destroy(workload);
    return 0;
}
