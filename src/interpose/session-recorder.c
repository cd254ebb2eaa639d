/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session-recorder.c - see session-recorder.h.
 */
#include "interpose/session-recorder.h"

#include "interpose/inherit.h"
#include "interpose/interpose.h"
#include "interpose/meeting/key-space.h"
#include "interpose/meeting/leave-mark.h"
#include "interpose/preload.h"
#include "interpose/meeting/rights.h"
#include "interpose/runtime.h"
#include "interpose/meeting/signals.h"
#include "profiler/profiler.h"

static int sessions_stay; /* although the user wants them reordered */

int session_recorder_announce(void)
{
    struct reseat_settings wanted;
    runtime_read_settings(&wanted, 0);
    if (wanted.mode != RESEAT_MODE_OFF)
        key_space_put(wanted.mode);
    return wanted.wait;
}

enum reseat_mode session_recorder_record(MPI_Group world, int *records)
{
    preload_leave();
    rights_note();
    PMPI_Group_rank(world, &runtime.rank);
    runtime_read_settings(&runtime.settings, 1);
    enum reseat_mode wanted = runtime.settings.mode;
    if (runtime.rank == 0 && wanted != RESEAT_MODE_OFF)
        mark_leave();
    sessions_stay = (runtime.settings.mode & RESEAT_MODE_REORDER) != 0;
    runtime.settings.mode = (enum reseat_mode)(runtime.settings.mode & RESEAT_MODE_PROFILE);
    *records = 0;
    if (!runtime.settings.mode)
        return wanted;
    if (profiler_start(world, 1)) { /* sessions may differ in their thread level */
        runtime_say(0, "out of memory at the start: the program runs as without reseat");
        return wanted;
    }
    profiler_listen(runtime.settings.collectives == RESEAT_COLLECTIVES_OFF
                        ? RESEAT_COLLECTIVES_OFF
                        : RESEAT_COLLECTIVES_MODEL,
                    MPI_COMM_NULL);
    *records = interpose_active = interpose_recording = 1;
    runtime_start_clock();
    return wanted;
}

void session_recorder_end(const char *missing)
{
    struct signals_held held;
    signals_hold(&held);
    if (missing)
        runtime_say(0, "%s", missing);
    if (sessions_stay)
        runtime_say(
            1, "a program with sessions and without MPI_Init is not reordered (its launcher can: "
               "reseat run --placement launch)");
    inherit_nothing(); /* not before: MPI_Init may still be called, and reads it again */
    signals_release(&held);
}
