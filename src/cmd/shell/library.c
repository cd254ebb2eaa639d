/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library.c - locate our modules: the preloaded libraries, the one that needs libscotch, and our
 * MPI programs.
 *
 * They are searched in RESEAT_LIBRARY_PATH, if that is set; otherwise in .libs next to the command
 * and beside it (a build tree), then relative to the command (an installation, even if moved as a
 * whole, or started by a symbolic link: /proc/self/exe is the file itself), then where they were
 * configured to be. src/cmd/shell/paths.h, made by make for its prefix, has the last two.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/shell/paths.h"
#include "cmd/shell/library.h"

static void library_own_folder(char self[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", self, PATH_MAX - 1);
    self[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
}

int locate_module(const char *name, char path[LIBRARY_PATH_SIZE], char where[LIBRARY_WHERE_SIZE])
{
    char self[PATH_MAX];
    const char *given = getenv("RESEAT_LIBRARY_PATH");
    library_own_folder(self);
    const char *ours = given || !self[0] ? NULL : self;
    const char *folders[] = {given, ours, ours, ours, given ? NULL : RESEAT_PKGLIBDIR};
    const char *below[] = {"", "/.libs", "", ("/" RESEAT_PKGLIBDIR_FROM_BINDIR), ""};
    for (int i = 0; i < 5; i++) {
        if (!folders[i])
            continue;
        snprintf(path, LIBRARY_PATH_SIZE, "%s%s/%s", folders[i], below[i], name);
        if (access(path, R_OK) == 0)
            return 0;
    }
    if (given)
        snprintf(where, LIBRARY_WHERE_SIZE, "is not in RESEAT_LIBRARY_PATH (%s)", given);
    else
        snprintf(where, LIBRARY_WHERE_SIZE, "is not there (looked in %s%s, %s%s, %s)", self,
                 below[1], self, below[3], RESEAT_PKGLIBDIR);
    return -1;
}
