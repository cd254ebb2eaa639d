/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runtime.c - see runtime.h.
 */
#include "interpose/runtime.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "text/printable.h"
#include "interpose/interpose.h"
#include "interpose/meeting/leave-mark.h"
#include "interpose/profile-file.h"
#include "interpose/preload.h"
#include "interpose/meeting/signals.h"
#include "interpose/timed-calls.h"
#include "profiler/profiler.h"
#include "profiler/run-time.h"
#include "profiler/traffic.h"
#include "reorder/node-place.h"

struct runtime runtime;

void runtime_say(int verbose, const char *format, ...)
{
    if (runtime.rank != 0 || runtime.settings.verbose < verbose)
        return;
    va_list arguments;
    va_start(arguments, format);
    printable_vsay(format, arguments);
    va_end(arguments);
}

static void runtime_warn(void *context, const char *line)
{
    (void)context;
    runtime_say(0, "%s", line);
}

static void runtime_unheard(void *context, const char *line)
{
    (void)context;
    (void)line;
}

void runtime_read_settings(struct reseat_settings *settings, int is_heard)
{
    extern char **environ;
    if (is_heard)
        settings->verbose = 1; /* until it is known */
    reseat_settings_read(settings, environ, is_heard ? runtime_warn : runtime_unheard, NULL);
}

int runtime_outcome(int is_reordered)
{
    const char *word = getenv("RESEAT_OUTCOME");
    if (runtime.rank == 0 && word)
        printable_say("outcome %s %s", word, is_reordered ? "reordered" : "kept");
    if (is_reordered)
        mark_reordered();
    return is_reordered;
}

void runtime_start_clock(void)
{
    int measures = interpose_recording && runtime.settings.time;
    run_time_start(measures, traffic_threads);
    if (measures)
        timed_calls_start();
}

void runtime_write_profile(MPI_Comm own, int threads)
{
    static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
    char version[PRELOAD_VERSION_SIZE];
    size_t rows = 0;
    struct reseat_error error;
    struct signals_held held;
    preload_mpi(version);
    signals_hold(&held);
    if (runtime.rank == 0)
        pthread_mutex_lock(&writing);
    const char *path =
        runtime.rank == 0 ? output_name(runtime.settings.file) : runtime.settings.file;
    int replaces = runtime.rank == 0 && output_replaces();
    struct profiler_run run = {.own = own,
                               .path = path,
                               .mpi = version,
                               .patience = runtime.settings.wait,
                               .arguments = runtime.settings.arguments,
                               .find_place = threads ? NULL : node_place};
    int failed = profiler_write(&run, &rows, &error);
    if (failed)
        runtime_say(0, "no profile written: %s", error.text);
    else
        runtime_say(1, "profile of %d ranks written to %s (%zu pairs%s%s)",
                    (int)traffic_world()->identity.size, path, rows,
                    runtime.settings.arguments ? ", with the arguments of the program" : "",
                    replaces ? "; it replaces that of another job" : "");
    if (runtime.rank == 0) {
        output_end(!failed);
        pthread_mutex_unlock(&writing);
    }
    signals_release(&held);
}

void runtime_stop_recording(void)
{
    interpose_active = interpose_recording = 0;
    profiler_stop();
}
