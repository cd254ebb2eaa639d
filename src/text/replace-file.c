/* SPDX-License-Identifier: BSD-3-Clause */
/* replace-file.c - see replace-file.h. */
#include "text/replace-file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text/target.h"
#include "text/temporary.h"

/* Free all, and end with errno. Returns -1, or 0 if `error` is 0. */
static int replace_file_end(struct replaced_file *replaced, int error)
{
    if (error && replaced->temporary)
        unlink(replaced->temporary);
    free(replaced->target);
    free(replaced->temporary);
    *replaced = (struct replaced_file){.file = NULL};
    errno = error;
    return error ? -1 : 0;
}

int replace_file_begin(struct replaced_file *replaced, const char *path)
{
    struct stat status;
    *replaced = (struct replaced_file){.target = target_follow(path)};
    if (!replaced->target)
        return replace_file_end(replaced, errno == ELOOP ? ELOOP : ENOMEM);
    int fd = temporary_create(&replaced->temporary, replaced->target, ".tmp", 0666);
    if (fd < 0)
        return replace_file_end(replaced, errno);
    replaced->file = fdopen(fd, "w");
    if (!replaced->file) {
        close(fd);
        return replace_file_end(replaced, ENOMEM);
    }
    if (stat(replaced->target, &status) == 0) /* nobody is to read more than before */
        fchmod(fd, status.st_mode & 0777);
    return 0;
}

int replace_file_finish(struct replaced_file *replaced)
{
    errno = 0;
    int is_bad = ferror(replaced->file), rc = fclose(replaced->file);
    if (is_bad || rc || rename(replaced->temporary, replaced->target))
        return replace_file_end(replaced, errno ? errno : EIO);
    return replace_file_end(replaced, 0);
}

void replace_file_give_up(struct replaced_file *replaced)
{
    fclose(replaced->file);
    replace_file_end(replaced, ECANCELED);
}
