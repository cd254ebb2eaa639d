/* SPDX-License-Identifier: BSD-3-Clause */
/* ucp-oracle.c - preloaded into a program of MPICH over UCX: what it passes to the network, by
 * rank: `source target msgs bytes` into FILE.RANK (UCP_ORACLE=FILE), and ` phase` behind what is sent in a phase, after
 * MPI_Pcontrol. It relies on MPICH creating endpoints in the order of the ranks. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucp/api/ucp.h>

enum { MOST = 256, PHASES = 64, TYPES = 16 };
static ucp_ep_h endpoints[MOST];
static int count, phase;
static unsigned long long msgs[PHASES][MOST], bytes[PHASES][MOST];

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

/* Datatypes with gaps; the newest TYPES of them, for a handle is used again. */
static struct {
    ucp_datatype_t type;
    ucp_generic_dt_ops_t ops;
    void *context;
} types[TYPES];
static int types_made;

ucs_status_t ucp_dt_create_generic(const ucp_generic_dt_ops_t *ops, void *context,
                                   ucp_datatype_t *type)
{
    ucs_status_t (*real)(const ucp_generic_dt_ops_t *, void *, ucp_datatype_t *) = (ucs_status_t(*)(
        const ucp_generic_dt_ops_t *, void *, ucp_datatype_t *))next("ucp_dt_create_generic");
    ucs_status_t status = real(ops, context, type);
    int at = types_made++ % TYPES;
    types[at].type = *type;
    types[at].ops = *ops;
    types[at].context = context;
    return status;
}

/* As many bytes as it packs; 0: it is not known. The state stays allocated, for finish() would give
 * back a reference that MPICH has taken for its own packing. */
static size_t generic_bytes(ucp_datatype_t type, const void *buffer, size_t number)
{
    for (int i = types_made - 1; i >= 0 && i > types_made - 1 - TYPES; i--)
        if (types[i % TYPES].type == type) {
            const ucp_generic_dt_ops_t *ops = &types[i % TYPES].ops;
            return ops->packed_size(ops->start_pack(types[i % TYPES].context, buffer, number));
        }
    return 0;
}

static void take(ucp_ep_h ep, const void *buffer, size_t number, const ucp_request_param_t *param)
{
    size_t size = number;
    ucp_datatype_t type =
        param->op_attr_mask & UCP_OP_ATTR_FIELD_DATATYPE ? param->datatype : ucp_dt_make_contig(1);
    if ((type & UCP_DATATYPE_CLASS_MASK) == UCP_DATATYPE_CONTIG)
        size *= type >> UCP_DATATYPE_SHIFT;
    else if ((type & UCP_DATATYPE_CLASS_MASK) == UCP_DATATYPE_GENERIC)
        size = generic_bytes(type, buffer, number);
    for (int i = 0; i < count; i++)
        if (endpoints[i] == ep) {
            msgs[phase][i]++;
            bytes[phase][i] += size;
        }
}

ucs_status_ptr_t ucp_tag_send_nbx(ucp_ep_h ep, const void *buffer, size_t number, ucp_tag_t tag,
                                  const ucp_request_param_t *param)
{
    ucs_status_ptr_t (*real)(ucp_ep_h, const void *, size_t, ucp_tag_t,
                             const ucp_request_param_t *) =
        (ucs_status_ptr_t(*)(ucp_ep_h, const void *, size_t, ucp_tag_t,
                             const ucp_request_param_t *))next("ucp_tag_send_nbx");
    take(ep, buffer, number, param);
    return real(ep, buffer, number, tag, param);
}

int MPI_Pcontrol(const int level, ...)
{
    phase = level >= 0 && level < PHASES ? level : 0;
    return 0;
}

static void write_phase(FILE *file, const char *rank, int p)
{
    for (int i = 0; i < count; i++) {
        if (!msgs[p][i])
            continue;
        fprintf(file, "%s %d %llu %llu", rank, i, msgs[p][i], bytes[p][i]);
        if (p)
            fprintf(file, " %d", p);
        fputc('\n', file);
    }
}

__attribute__((destructor)) static void write_all(void)
{
    const char *path = getenv("UCP_ORACLE"), *rank = getenv("PMI_RANK");
    char name[4096];
    if (!path || !rank || !count)
        return;
    snprintf(name, sizeof name, "%s.%s", path, rank);
    FILE *file = fopen(name, "w");
    for (int p = 0; file && p < PHASES; p++)
        write_phase(file, rank, p);
    if (file)
        fclose(file);
}
