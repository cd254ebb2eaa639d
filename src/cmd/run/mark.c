/* SPDX-License-Identifier: BSD-3-Clause */
/* mark.c - see mark.h. A hidden file, so that no pattern of the user for profiles matches it. */
#include "cmd/run/mark.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/target.h"
#include "text/temporary.h"

int mark_folder(const char *near, char folder[PATH_MAX])
{
    char beside[PATH_MAX] = ".", *whole;
    char *target = near ? target_follow(near) : NULL;
    char *slash = target ? strrchr(target, '/') : NULL;
    if (slash)
        snprintf(beside, sizeof beside, "%.*s", (int)(slash - target) + 1, target);
    free(target);
    if (target_is_pattern(beside) || !(whole = realpath(beside, NULL)))
        return -1;
    int size = snprintf(folder, PATH_MAX, "%s", whole);
    free(whole);
    return size < PATH_MAX ? 0 : -1;
}

void mark_create(struct mark *mark, const char *near, struct variables *variables)
{
    char stem[PATH_MAX], *path;
    *mark = (struct mark){.path = ""};
    if (mark_folder(near, mark->folder) || strchr(mark->folder, ';') || /* Open MPI's separator */
        variables->count == MOST_VARIABLES ||
        snprintf(stem, sizeof stem, "%s/.reseat-mark", mark->folder) >= (int)sizeof stem)
        return;
    int fd = temporary_create(&path, stem, "", 0600);
    if (fd < 0)
        return;
    int has_room = write(fd, "", 1) == 1 && ftruncate(fd, 0) == 0; /* for a rank's byte */
    close(fd);
    if (has_room && strlen(path) < sizeof mark->path) {
        strcpy(mark->path, path);
        variables_add(variables, "RESEAT_MARK", path);
    } else {
        unlink(path);
    }
    free(path);
}

/* Network file systems notice what others have written when a file is opened. */
enum mark_found mark_find(const struct mark *mark)
{
    char bytes[2];
    int fd = mark->path[0] ? open(mark->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    ssize_t size = fd >= 0 ? read(fd, bytes, sizeof bytes) : -1;
    if (fd >= 0)
        close(fd);
    if (size < 1)
        return size < 0 ? MARK_UNKNOWN : MARK_MISSING;
    return size > 1 && bytes[1] == 'r' ? MARK_REORDERED : MARK_LEFT;
}

void mark_remove(struct mark *mark)
{
    if (mark->path[0])
        unlink(mark->path);
    mark->path[0] = '\0';
}
