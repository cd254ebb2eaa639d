/* SPDX-License-Identifier: BSD-3-Clause */
/* leave-mark.c - see leave-mark.h. RESEAT_MARK names an empty file that the command has made; no
 * other file is ever written to. Network file systems show bytes in it to whoever opens it next:
 * one if the library was loaded, two if the ranks have a better order. */
#include "interpose/meeting/leave-mark.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interpose/meeting/signals.h"

/* Add a byte to the file if it has `size` of them. Returns how many are written. */
static ssize_t mark_add(off_t size, const char *byte)
{
    struct signals_held held;
    struct stat file;
    const char *path = getenv("RESEAT_MARK");
    int fd = path ? open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    if (fd < 0)
        return 0;
    signals_hold(&held);
    ssize_t written = 0;
    if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && file.st_size == size)
        written = write(fd, byte, 1);
    close(fd);
    signals_release(&held);
    return written;
}

static int mark_is_left;

void mark_leave(void)
{
    mark_is_left = mark_add(0, "1") == 1; /* if not, the command reports that it does not know */
}

void mark_reordered(void)
{
    if (mark_is_left)
        mark_is_left = mark_add(1, "r") < 1; /* once */
}
