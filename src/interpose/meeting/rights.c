/* SPDX-License-Identifier: BSD-3-Clause */
/* rights.c - see rights.h. */
#include "interpose/meeting/rights.h"

#include <linux/capability.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

const char rights_lost[] = "a process has another user, other capabilities or another root "
                           "than in MPI_Init, and MPI may not get its messages through";

/* The credentials that the system checks before one process opens the memory of another, by itself
 * (CMA, System V) or through a file of it (/proc/PID/fd, /dev/shm). */
struct rights {
    uid_t uid[3];
    gid_t gid[3];
    uint32_t capabilities[2];
    int dumpable;
    dev_t root_device;
    ino_t root;
};
static struct rights rights_noted;

static void rights_read(struct rights *rights)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct capabilities[2] = {{.effective = 0}};
    struct stat root = {.st_ino = 0};
    memset(rights, 0, sizeof *rights);
    getresuid(&rights->uid[0], &rights->uid[1], &rights->uid[2]);
    getresgid(&rights->gid[0], &rights->gid[1], &rights->gid[2]);
    if (syscall(SYS_capget, &header, capabilities) == 0)
        for (int i = 0; i < 2; i++)
            rights->capabilities[i] = capabilities[i].effective;
    rights->dumpable = prctl(PR_GET_DUMPABLE);
    if (stat("/", &root) == 0) {
        rights->root_device = root.st_dev;
        rights->root = root.st_ino;
    }
}

void rights_note(void)
{
    rights_read(&rights_noted);
}

int rights_are_kept(void)
{
    struct rights now;
    rights_read(&now);
    return memcmp(&now, &rights_noted, sizeof now) == 0;
}
