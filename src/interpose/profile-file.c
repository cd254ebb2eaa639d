/* SPDX-License-Identifier: BSD-3-Clause */
/* profile-file.c - see profile-file.h. Several threads may write, but only in turn (runtime.c). */
#include "interpose/profile-file.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text/target.h"

static char *output_path;  /* NULL: nothing written so far */
static int output_is_ours; /* the file there is ours */
static int output_created; /* by us, and empty */

const char *output_name(const char *wanted)
{
    if (!output_path)
        output_path = target_expand(wanted, &output_created);
    return output_path ? output_path : wanted;
}

int output_replaces(void)
{
    struct stat status;
    return output_path && !output_is_ours && !output_created && stat(output_path, &status) == 0;
}

void output_end(int written)
{
    output_is_ours |= written;
    if (!written && output_created && !output_is_ours) {
        unlink(output_path);
        free(output_path);
        output_path = NULL;
    }
    output_created &= !written;
}
