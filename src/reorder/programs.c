/* SPDX-License-Identifier: BSD-3-Clause */
/* programs.c - see programs.h. Programs and arguments are compared by a hash. Folders do not count,
 * because a node may have its own copy of the program, and neither does the name by which it was
 * called. */
#include "reorder/programs.h"

#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"

/* Add the name of the executable file. */
static uint64_t programs_add_file(uint64_t hash)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length <= 0)
        return hash;
    const char *slash = memrchr(path, '/', (size_t)length), *name = slash ? slash + 1 : path;
    return reseat_hash_add(hash, name, (size_t)(path + length - name));
}

/* Add everything after the first word. */
static uint64_t programs_add_arguments(uint64_t hash)
{
    char text[4096];
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC), is_behind = 0;
    ssize_t length;
    while (file >= 0 && (length = read(file, text, sizeof text)) > 0) {
        const char *from = is_behind ? text : memchr(text, '\0', (size_t)length);
        if (from)
            hash = reseat_hash_add(hash, from, (size_t)(text + length - from));
        is_behind = from != NULL;
    }
    if (file >= 0)
        close(file);
    return hash;
}

/* The number of the part of the launcher's command that started this process. */
static int programs_part(void)
{
    int *number = NULL, is_set = 0;
    return PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &is_set) == MPI_SUCCESS && is_set
               ? *number
               : -1;
}

uint64_t programs_hash(void)
{
    int part = programs_part();
    uint64_t hash = reseat_hash_add(reseat_hash_empty, &part, sizeof part);
    return programs_add_arguments(programs_add_file(hash));
}
