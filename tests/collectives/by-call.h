/* SPDX-License-Identifier: BSD-3-Clause */
/* by-call.h - algorithms as the choices of both MPIs use them, with what they need of a call. */
#ifndef TESTS_BY_CALL_H
#define TESTS_BY_CALL_H

#include "collectives/choices.h"

static inline void each(const struct call *call)
{
    send_to_each(&call->self, call->bytes);
}

static inline void dissemination(const struct call *call)
{
    send_dissemination(&call->self);
}

static inline void doubling(const struct call *call)
{
    send_doubling(&call->self, call->bytes);
}

static inline void gather_blocks(const struct call *call)
{
    send_up_binomial(&call->self, call->root, call->bytes);
}

static inline void scatter_blocks(const struct call *call)
{
    send_down_binomial(&call->self, call->root, call->bytes);
}

static inline void gather_bruck(const struct call *call)
{
    send_gather_bruck(&call->self, &call->blocks);
}

static inline void gather_doubling(const struct call *call)
{
    send_gather_doubling(&call->self, &call->blocks);
}

static inline void gather_ring(const struct call *call)
{
    send_gather_ring(&call->self, &call->blocks, UINT64_MAX);
}

static inline void bruck(const struct call *call)
{
    send_bruck(&call->self, call->bytes);
}

static inline void halving(const struct call *call)
{
    send_halving(&call->self, &call->blocks);
}

#endif
