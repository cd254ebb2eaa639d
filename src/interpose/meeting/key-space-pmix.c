/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * key-space-pmix.c - PMIx, which Open MPI and some builds of MPICH start with, and srun --mpi=pmix
 * offers.
 *
 * MPI_Init publishes what a process has put, by PMIx_Commit and a fence. So we intercept
 * PMIx_Commit and put ours before it: by then the client is initialized, and it is the one that
 * this MPI uses, which a library loaded by us might not be. Nothing of PMIx is needed to build or
 * load this library; the few types are those of its ABI, which has not changed since version 2.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interpose/interpose.h"
#include "interpose/meeting/key-space.h"

enum {
    PMIX_SUCCESS = 0,
    PMIX_ERROR = -1,
    PMIX_BOOL = 1,
    PMIX_INT = 6,
    PMIX_UINT32 = 14,
    PMIX_GLOBAL = 3,
    PMIX_5 = 50000,         /* see key_space_pmix_get */
    PMIX_REFRESHES = 50002, /* 5.0.2: in 5.0.1, a query that asks for a refresh fails */
    PMIX_SECONDS = 30       /* for an answer that needs no waiting */
};

struct pmix_proc {
    char nspace[256];
    uint32_t rank;
};

struct pmix_value {
    uint16_t type;
    union {
        _Bool flag;
        int integer;
        uint32_t uint32;
        void *room[3]; /* of the largest */
    } data;
};

struct pmix_info {
    char key[512];
    uint32_t flags;
    struct pmix_value value;
};

static const char pmix_key[] = "reseat", pmix_key_waits[] = "reseat-waits";

static struct {
    int value;   /* to be put, -1: nothing */
    int release; /* of the client, 50002: 5.0.2; 0: unknown */
    int (*get)(const struct pmix_proc *proc, const char *key, const struct pmix_info *info,
               size_t infos, struct pmix_value **value);
    int (*put)(uint8_t scope, const char *key, struct pmix_value *value);
    int (*commit)(void);
} pmix = {-1, 0, NULL, NULL, NULL};

/* A function of the PMIx that `caller` uses, found as the dynamic linker would: first in the global
 * scope, then among the libraries with which the caller was loaded. */
static void *pmix_function(const char *name, const void *caller)
{
    Dl_info there;
    void *function = dlsym(RTLD_NEXT, name);
    if (function || !dladdr(caller, &there) || !there.dli_fname)
        return function;
    void *object = dlopen(there.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (!object)
        return NULL;
    function = dlsym(object, name);
    dlclose(object);
    return function;
}

/* The release in "OpenPMIx 5.0.7, ...". */
static int pmix_release(const void *caller)
{
    const char *(*version)(void) = (const char *(*)(void))pmix_function("PMIx_Get_version", caller);
    const char *text = version ? version() : NULL;
    const char *digit = text ? strpbrk(text, "0123456789") : NULL;
    unsigned part[3] = {0, 0, 0};
    if (!digit || sscanf(digit, "%3u.%2u.%2u", &part[0], &part[1], &part[2]) < 1)
        return 0;
    return (int)(part[0] * 10000 + part[1] * 100 + part[2]);
}

INTERPOSE_EXPORT int PMIx_Commit(void);
int PMIx_Commit(void)
{
    const void *caller = __builtin_return_address(0);
    int (*commit)(void) = (int (*)(void))pmix_function("PMIx_Commit", caller);
    *(void **)&pmix.put = pmix_function("PMIx_Put", caller);
    pmix.commit = commit;
    if (!commit)
        return PMIX_ERROR;
    if (pmix.put && pmix.value >= 0) {
        struct pmix_value value = {.type = PMIX_UINT32, .data.uint32 = (uint32_t)pmix.value};
        *(void **)&pmix.get = pmix.put(PMIX_GLOBAL, pmix_key, &value) == PMIX_SUCCESS
                                  ? pmix_function("PMIx_Get", caller)
                                  : NULL;
        pmix.release = pmix_release(caller);
        pmix.value = -1;
    }
    return commit();
}

void key_space_pmix_put(int value)
{
    pmix.value = value;
}

/* One query; -1: no answer. */
static int pmix_ask(int rank, const char *key, const struct pmix_info *how, size_t count)
{
    struct pmix_proc proc = {.rank = (uint32_t)rank};
    struct pmix_value *value = NULL;
    const char *job = getenv("PMIX_NAMESPACE");
    if (!job || strlen(job) >= sizeof proc.nspace)
        return -1;
    strcpy(proc.nspace, job);
    if (pmix.get(&proc, key, how, count, &value) != PMIX_SUCCESS || !value)
        return -1;
    int found = value->type == PMIX_UINT32 ? (int)value->data.uint32 : -1;
    free(value);
    return found;
}

/* Returns 1 if MPI has collected the values of all ranks. If it was told not to (Open MPI's
 * parameter pmix_base_collect_data, in the environment or in a file), the server has to query
 * others, and waits for keys that do not exist. */
static int pmix_is_collected(void)
{
    const _Bool *collects = dlsym(RTLD_DEFAULT, "opal_pmix_collect_all_data");
    return !collects || *collects;
}

/*
 * The values that MPI has collected are in the memory that the server of the node shares with its
 * clients, and a lookup does not leave the process. That holds up to PMIx 4. From 5 on a client may
 * have the data of a rank only if it has asked for some of it before, and the server may have none
 * either. Two ranks could then come to different results, and one would wait for the other. So the
 * result must not depend on what MPI happens to have asked for:
 * - The server is asked for what it has itself (immediate). That is all of its own node and, unless
 *   the data are in shared memory, all that was collected.
 * - It is told to refresh, that is, to fetch whatever that rank has put. Only servers from 5.0.2 on
 *   do, and not for a rank of their own node. Without the refresh it would wait for our key until
 *   the time limit.
 * Both are answered at once even if there is nothing.
 */
int key_space_pmix_get(int rank, int seconds)
{
    static const struct pmix_info here = {"pmix.optional", 0, {PMIX_BOOL, {.flag = 1}}};
    static const struct pmix_info server = {"pmix.immediate", 0, {PMIX_BOOL, {.flag = 1}}};
    const struct pmix_info anywhere[] = {
        {"pmix.timeout", 0, {PMIX_INT, {.integer = seconds > 0 ? seconds : PMIX_SECONDS}}},
        {"pmix.get.refresh", 0, {PMIX_BOOL, {.flag = 1}}}};
    if (!pmix.get)
        return -1;
    int refreshes = pmix.release >= PMIX_REFRESHES;
    int value = pmix_ask(rank, pmix_key, &here, 1);
    if (value < 0 && pmix.release >= PMIX_5)
        value = pmix_ask(rank, pmix_key, &server, 1);
    if (value < 0 && (refreshes || (seconds > 0 && !pmix_is_collected())))
        value = pmix_ask(rank, pmix_key, anywhere, refreshes ? 2 : 1);
    return value;
}

/* What was put after MPI_Init is in no memory: the server is asked, which asks those of others. */
int key_space_pmix_all_wait(int size)
{
    static const struct pmix_info soon[] = {{"pmix.timeout", 0, {PMIX_INT, {.integer = 1}}},
                                            {"pmix.get.refresh", 0, {PMIX_BOOL, {.flag = 1}}}};
    static int is_told, told; /* of the ranks, this many have told */
    struct pmix_value value = {.type = PMIX_UINT32, .data.uint32 = 1};
    if (!pmix.get || !pmix.put)
        return 0;
    if (!is_told && (pmix.put(PMIX_GLOBAL, pmix_key_waits, &value) || pmix.commit()))
        return 0;
    is_told = 1;
    while (told < size &&
           pmix_ask(told, pmix_key_waits, soon, pmix.release >= PMIX_REFRESHES ? 2 : 1) == 1)
        told++;
    return told == size;
}
