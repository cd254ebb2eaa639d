/* SPDX-License-Identifier: BSD-3-Clause */
/* profile-file.c - see profile-file.h. Several threads may write, but only in turn (runtime.c). */
#include "interpose/profile-file.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text/target.h"

static struct {
    char *path;     /* NULL: nothing written so far */
    int is_ours;    /* the file there is ours */
    int is_created; /* by us, and empty */
} output;

const char *output_name(const char *wanted)
{
    if (!output.path)
        output.path = target_expand(wanted, &output.is_created);
    return output.path ? output.path : wanted;
}

int output_replaces(void)
{
    struct stat status;
    return output.path && !output.is_ours && !output.is_created && stat(output.path, &status) == 0;
}

void output_end(int written)
{
    output.is_ours |= written;
    if (!written && output.is_created && !output.is_ours) {
        unlink(output.path);
        free(output.path);
        output.path = NULL;
    }
    output.is_created &= !written;
}
