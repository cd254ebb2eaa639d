/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * key-space-pmi.c - PMI-1 as MPICH and its launcher Hydra speak it: lines of words over the file
 * descriptor PMI_FD, queries and answers in turn. MPICH uses the descriptor only inside its own
 * functions; we use it before and after these, inside MPI_Init and, for programs with sessions,
 * inside MPI_Session_init and MPI_Comm_create_from_group, where several threads may query at once.
 * (The thread that MPIR_CVAR_ASYNC_PROGRESS starts in MPI_Init moves messages only.)
 *
 * Hydra's proxy accepts any number of greetings (cmd=init), and the very first one discards what
 * was put before it; so we greet it first. Slurm's server accepts only one, and releases after
 * MPICH 5.0 and Intel MPI 2021.19 are unknown: none of these is used. Whether it is used has to be
 * the same on all ranks: one that does not use it waits for the others in a collective call
 * (assemble.c).
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "interpose/meeting/key-space.h"
#include "interpose/preload.h"

enum { LINE_SIZE = 1024 };

static struct {
    pthread_mutex_t lock; /* held from a query to its answer */
    int fd;
    char kvsname[256];
} pmi = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

/* Returns 1 if the other end of the descriptor is a proxy of Hydra. In a container its process
 * cannot be seen; then it is recognized by a variable that it alone sets (Slurm does not). */
static int pmi_is_hydra(int fd)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    char path[64], name[32] = "";
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size))
        return 0;
    if (peer.pid == 0)
        return getenv("MPI_LOCALNRANKS") != NULL;
    snprintf(path, sizeof path, "/proc/%ld/comm", (long)peer.pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    if (!fgets(name, sizeof name, file))
        name[0] = '\0';
    fclose(file);
    return strcmp(name, "hydra_pmi_proxy\n") == 0;
}

static int pmi_open(void)
{
    char version[PRELOAD_VERSION_SIZE];
    unsigned major, minor;
    const char *number = getenv("PMI_FD");
    if (!number || !pmi_is_hydra(atoi(number)))
        return -1;
    preload_mpi(version);
    int is_known =
        (sscanf(version, "MPICH %u.%u", &major, &minor) == 2 && 10 * major + minor <= 50) ||
        (sscanf(version, "Intel(R) MPI Library %u.%u", &major, &minor) == 2 && major == 2021 &&
         minor <= 19);
    return is_known ? atoi(number) : -1;
}

/* Send `line` and read the answer, without the end of its line. 0, or -1. The caller holds the
 * lock. */
static int pmi_say(const char *line, char answer[LINE_SIZE])
{
    size_t length = strlen(line), used = 0;
    while (length > 0) {
        ssize_t wrote = write(pmi.fd, line, length);
        if (wrote < 0 && errno != EINTR)
            return -1;
        line += wrote > 0 ? wrote : 0;
        length -= wrote > 0 ? (size_t)wrote : 0;
    }
    while (used < LINE_SIZE - 1) {
        ssize_t got = read(pmi.fd, answer + used, 1);
        if (got == 0 || (got < 0 && errno != EINTR))
            return -1;
        if (got > 0 && answer[used++] == '\n')
            break;
    }
    answer[used - 1] = '\0';
    return 0;
}

/* The same, for any thread. */
static int pmi_talk(const char *line, char answer[LINE_SIZE])
{
    pthread_mutex_lock(&pmi.lock);
    int rc = pmi_say(line, answer);
    pthread_mutex_unlock(&pmi.lock);
    return rc;
}

void key_space_pmi_put(int value)
{
    char line[LINE_SIZE], answer[LINE_SIZE];
    const char *rank = getenv("PMI_RANK"), *name;
    if (!rank || (pmi.fd = pmi_open()) < 0)
        return;
    int known = pmi_talk("cmd=init pmi_version=1 pmi_subversion=1\n", answer) == 0 &&
                pmi_talk("cmd=get_my_kvsname\n", answer) == 0 &&
                (name = strstr(answer, "kvsname=")) != NULL &&
                sscanf(name, "kvsname=%255s", pmi.kvsname) == 1;
    snprintf(line, sizeof line, "cmd=put kvsname=%s key=reseat-%d value=reseat-%d\n", pmi.kvsname,
             atoi(rank), value);
    if (!known || pmi_talk(line, answer))
        pmi.fd = -1;
}

int key_space_pmi_get(int rank)
{
    char line[LINE_SIZE], answer[LINE_SIZE];
    snprintf(line, sizeof line, "cmd=get kvsname=%s key=reseat-%d\n", pmi.kvsname, rank);
    if (pmi.fd < 0 || pmi_talk(line, answer))
        return -1;
    const char *value = strstr(answer, " value=reseat-");
    return value ? atoi(value + strlen(" value=reseat-")) : -1;
}
