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
#include <stdlib.h>
#include <string.h>

#include "interpose/interpose.h"
#include "interpose/key-space.h"

enum {
    PMIX_SUCCESS = 0,
    PMIX_ERROR = -1,
    PMIX_BOOL = 1,
    PMIX_INT = 6,
    PMIX_UINT32 = 14,
    PMIX_GLOBAL = 3,
    PMIX_REFRESHES = 5, /* the first release whose servers can be told to fetch again */
    PMIX_SECONDS = 30   /* for an answer that needs no waiting */
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

static const char pmix_key[] = "reseat";

static struct {
    int value;     /* to be put, -1: nothing */
    int refreshes; /* see key_space_pmix_get */
    int (*get)(const struct pmix_proc *proc, const char *key, const struct pmix_info *info,
               size_t infos, struct pmix_value **value);
} pmix = {-1, 0, NULL};

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

/* The number of the release: the first in "OpenPMIx 5.0.7, ...". 0: unknown. */
static int pmix_release(const void *caller)
{
    const char *(*version)(void) = (const char *(*)(void))pmix_function("PMIx_Get_version", caller);
    const char *text = version ? version() : NULL;
    const char *digit = text ? strpbrk(text, "0123456789") : NULL;
    return digit ? atoi(digit) : 0;
}

INTERPOSE_EXPORT int PMIx_Commit(void);
int PMIx_Commit(void)
{
    const void *caller = __builtin_return_address(0);
    int (*commit)(void) = (int (*)(void))pmix_function("PMIx_Commit", caller);
    int (*put)(uint8_t, const char *, struct pmix_value *) =
        (int (*)(uint8_t, const char *, struct pmix_value *))pmix_function("PMIx_Put", caller);
    if (!commit)
        return PMIX_ERROR;
    if (put && pmix.value >= 0) {
        struct pmix_value value = {.type = PMIX_UINT32, .data.uint32 = (uint32_t)pmix.value};
        *(void **)&pmix.get = put(PMIX_GLOBAL, pmix_key, &value) == PMIX_SUCCESS
                                  ? pmix_function("PMIx_Get", caller)
                                  : NULL;
        pmix.refreshes = pmix_release(caller) >= PMIX_REFRESHES;
        pmix.value = -1;
    }
    return commit();
}

void key_space_pmix_put(int value)
{
    pmix.value = value;
}

/* One query; -1: no answer. */
static int pmix_ask(int rank, const struct pmix_info *how, size_t count)
{
    struct pmix_proc proc = {.rank = (uint32_t)rank};
    struct pmix_value *value = NULL;
    const char *job = getenv("PMIX_NAMESPACE");
    if (!job || strlen(job) >= sizeof proc.nspace)
        return -1;
    strcpy(proc.nspace, job);
    if (pmix.get(&proc, pmix_key, how, count, &value) != PMIX_SUCCESS || !value)
        return -1;
    int found = value->type == PMIX_UINT32 ? (int)value->data.uint32 : -1;
    free(value);
    return found;
}

/* Whether MPI has collected what all ranks have put. If it was told not to (Open MPI's parameter
 * pmix_base_collect_data, in the environment or in a file), the server has to query others, and
 * waits for keys that do not exist. */
static int pmix_is_collected(void)
{
    const _Bool *collects = dlsym(RTLD_DEFAULT, "opal_pmix_collect_all_data");
    return !collects || *collects;
}

/*
 * What MPI has collected is in the memory that the server of the node shares with its clients, and
 * a lookup does not leave the process. That holds up to PMIx 4. From 5 on a client has the data of
 * ranks on other nodes only if it has asked for some of it before, and the server may have none
 * either. Two ranks could then come to different results, and one would wait for the other. So the
 * result must not depend on what MPI happens to have asked for: the server is told to refresh, that
 * is, to fetch whatever that rank has put; it answers at once even if there is nothing. Without the
 * refresh it would wait for our key until the time limit.
 */
int key_space_pmix_get(int rank, int seconds)
{
    static const struct pmix_info here = {"pmix.optional", 0, {PMIX_BOOL, {.flag = 1}}};
    const struct pmix_info anywhere[] = {
        {"pmix.timeout", 0, {PMIX_INT, {.integer = seconds > 0 ? seconds : PMIX_SECONDS}}},
        {"pmix.get.refresh", 0, {PMIX_BOOL, {.flag = 1}}}};
    if (!pmix.get)
        return -1;
    int value = pmix_ask(rank, &here, 1);
    if (value >= 0)
        return value;
    if (pmix.refreshes)
        return pmix_ask(rank, anywhere, 2);
    return seconds > 0 && !pmix_is_collected() ? pmix_ask(rank, anywhere, 1) : -1;
}
