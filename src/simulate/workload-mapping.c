/* SPDX-License-Identifier: BSD-3-Clause */
/* workload-mapping.c - see workload-mapping.h. */
#include "simulate/workload-mapping.h"

#include "text/lines.h"
#include "text/printable.h"

/* The state of reading a mapping. */
struct mapping_reader {
    struct lines lines;
    const struct reseat_workload *workload;
    int32_t slots;
    int32_t *slot_of; /* -1: not read yet */
};

/* The numbers of a line, at most three. Their count; -1: something else. */
static int mapping_split(const char *text, uint64_t number[3])
{
    int count = 0;
    while (count < 3 && !lines_at_end(text))
        if (lines_number(&text, INT32_MAX, &number[count++]))
            return -1;
    return lines_at_end(text) ? count : -1;
}

/* `job rank slot` from the line. 0, or -1 with the error. */
static int mapping_read_of_job(struct mapping_reader *r, const uint64_t *number, int32_t *rank)
{
    const struct reseat_workload *workload = r->workload;
    if (number[0] >= workload->count)
        return lines_fail(&r->lines, "there are %zu jobs, and this is number %d", workload->count,
                          (int)number[0]);
    const struct reseat_job *job = &workload->jobs[number[0]];
    if (number[1] >= (uint64_t)job->ranks)
        return lines_fail(&r->lines, "job %d has %d ranks, and this is number %d", (int)number[0],
                          (int)job->ranks, (int)number[1]);
    *rank = job->first + (int32_t)number[1];
    return 0;
}

static int mapping_read_line(struct mapping_reader *r)
{
    uint64_t number[3];
    int32_t rank = 0, ranks = r->workload->ranks;
    int count = mapping_split(r->lines.line, number);
    if (count == 3 && mapping_read_of_job(r, number, &rank))
        return -1;
    if (count == 2 && number[0] < (uint64_t)ranks)
        rank = (int32_t)number[0];
    else if (count != 3)
        count = 0;
    if (!count || number[count - 1] >= (uint64_t)r->slots)
        return lines_fail(&r->lines, "a rank below %d and a core below %d are expected", (int)ranks,
                          (int)r->slots);
    if (r->slot_of[rank] >= 0)
        return lines_fail(&r->lines, "rank %d is there twice", (int)number[count - 2]);
    r->slot_of[rank] = (int32_t)number[count - 1];
    return 0;
}

static int mapping_read_lines(struct mapping_reader *r)
{
    int more;
    while ((more = lines_next(&r->lines)) > 0)
        if (*r->lines.line != '#' && !lines_at_end(r->lines.line) && mapping_read_line(r))
            return -1;
    for (size_t j = 0; more == 0 && j < r->workload->count; j++) {
        const struct reseat_job *job = &r->workload->jobs[j];
        for (int32_t rank = 0; rank < job->ranks; rank++)
            if (r->slot_of[job->first + rank] < 0)
                return reseat_fail(r->lines.error, "%s: rank %d of job %zu is missing",
                                   r->lines.path, (int)rank, j);
    }
    return more;
}

int reseat_workload_mapping_read(const struct reseat_workload *workload, const char *path,
                                 int32_t slots, int32_t *slot_of, struct reseat_error *error)
{
    struct mapping_reader r = {.workload = workload, .slots = slots, .slot_of = slot_of};
    int rc = lines_open(&r.lines, path, error);
    r.lines.open_end = 1;
    r.lines.most = 4096;
    for (int32_t rank = 0; rank < workload->ranks; rank++)
        slot_of[rank] = -1;
    if (rc == 0)
        rc = mapping_read_lines(&r);
    lines_close(&r.lines);
    return rc;
}

void reseat_workload_mapping_write(FILE *file, const struct reseat_workload *workload,
                                   const int32_t *slot_of)
{
    for (size_t j = 0; j < workload->count; j++) {
        const struct reseat_job *job = &workload->jobs[j];
        if (workload->count > 1) {
            fprintf(file, "# job %zu: ", j);
            printable_print(file, job->name);
            fprintf(file, ", %d ranks\n", (int)job->ranks);
        }
        for (int32_t rank = 0; rank < job->ranks; rank++) {
            if (workload->count > 1)
                fprintf(file, "%zu ", j);
            fprintf(file, "%d %d\n", (int)rank, (int)slot_of[job->first + rank]);
        }
    }
}
