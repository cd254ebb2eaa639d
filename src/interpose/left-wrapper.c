/* SPDX-License-Identifier: BSD-3-Clause */
/* left-wrapper.c - a wrapper that was left without returning: see interpose.h. */
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "interpose/interpose.h"
#include "interpose/tools.h"
#include "profiler/monitoring.h"
#include "profiler/unseen.h"

/* Where that word is there, and stays as it is while a function runs. */
#if defined __x86_64__ || defined __i386__ || defined __aarch64__
enum { FRAME_IS_KNOWN = 1 };
#else
enum { FRAME_IS_KNOWN = 0 };
#endif

/* It may have been on another stack, of a coroutine that has ended. The system reads the mask of
 * signals there before it finds that it does not know what to do with it. */
static int interpose_is_readable(const void *address)
{
    int before = errno;
    syscall(SYS_rt_sigprocmask, ~0, address, NULL, _NSIG / 8);
    int is_readable = errno == EINVAL;
    errno = before;
    return is_readable;
}

/* Returns 1 if there is something else at the place of the outermost wrapper. To find that out
 * takes a system call: it is done in the calls 1, 2, 4, 8 ... of the application inside of it. */
static int interpose_is_overwritten(struct interpose_outermost *outermost)
{
    unsigned calls = ++outermost->calls;
    return FRAME_IS_KNOWN && (calls & (calls - 1)) == 0 &&
           interpose_is_readable(outermost->frame + 1) && outermost->frame[1] != outermost->back;
}

void interpose_find_left(const uintptr_t *frame, const void *address, int together)
{
    if (frame < interpose_outermost.frame) {
        int is_mpi = tools_is_mpi(address), is_left = together && is_mpi == 0 && !tools_mpi_calls();
        if (interpose_tools || is_mpi > 0 ||
            (!is_left && !interpose_is_overwritten(&interpose_outermost)))
            return;
    }
    interpose_depth = 0;
    interpose_errand = (struct interpose_errand){0};
    monitoring_abandon();
    unseen_add(UNSEEN_LEFT);
}
