/* SPDX-License-Identifier: BSD-3-Clause */
/* ucp-oracle.c - preloaded into a program of MPICH over UCX: what it passes to the network, by
 * rank: `source target msgs bytes` into FILE.RANK (UCP_ORACLE=FILE). It relies on MPICH creating
 * endpoints in the order of the ranks. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucp/api/ucp.h>

enum { MOST = 256 };
static ucp_ep_h endpoints[MOST];
static int count;
static unsigned long long msgs[MOST], bytes[MOST];

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

ucs_status_t ucp_ep_create(ucp_worker_h worker, const ucp_ep_params_t *params, ucp_ep_h *ep)
{
    ucs_status_t (*real)(ucp_worker_h, const ucp_ep_params_t *, ucp_ep_h *) =
        (ucs_status_t(*)(ucp_worker_h, const ucp_ep_params_t *, ucp_ep_h *))next("ucp_ep_create");
    ucs_status_t status = real(worker, params, ep);
    if (status == UCS_OK && count < MOST)
        endpoints[count++] = *ep;
    return status;
}

static void take(ucp_ep_h ep, size_t number, const ucp_request_param_t *param)
{
    size_t size = 1;
    if (param->op_attr_mask & UCP_OP_ATTR_FIELD_DATATYPE &&
        (param->datatype & UCP_DATATYPE_CLASS_MASK) == UCP_DATATYPE_CONTIG)
        size = param->datatype >> UCP_DATATYPE_SHIFT;
    for (int i = 0; i < count; i++)
        if (endpoints[i] == ep) {
            msgs[i]++;
            bytes[i] += number * size;
        }
}

ucs_status_ptr_t ucp_tag_send_nbx(ucp_ep_h ep, const void *buffer, size_t number, ucp_tag_t tag,
                                  const ucp_request_param_t *param)
{
    ucs_status_ptr_t (*real)(ucp_ep_h, const void *, size_t, ucp_tag_t,
                             const ucp_request_param_t *) =
        (ucs_status_ptr_t(*)(ucp_ep_h, const void *, size_t, ucp_tag_t,
                             const ucp_request_param_t *))next("ucp_tag_send_nbx");
    take(ep, number, param);
    return real(ep, buffer, number, tag, param);
}

__attribute__((destructor)) static void write_all(void)
{
    const char *path = getenv("UCP_ORACLE"), *rank = getenv("PMI_RANK");
    char name[4096];
    if (!path || !rank || !count)
        return;
    snprintf(name, sizeof name, "%s.%s", path, rank);
    FILE *file = fopen(name, "w");
    for (int i = 0; file && i < count; i++)
        if (msgs[i])
            fprintf(file, "%s %d %llu %llu\n", rank, i, msgs[i], bytes[i]);
    if (file)
        fclose(file);
}
