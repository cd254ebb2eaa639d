/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runtime.c - see runtime.h.
 *
 * Measuring how long the process is in MPI functions (RESEAT_TIME): each wrapper has a pointer to
 * the function of the MPI. To measure, all these pointers are directed to functions (timed_X,
 * generate.awk) that count down to the next call that is timed (run-time.h) and read the clock
 * before and after that one; once, when recording starts. So without measuring not one more
 * instruction is executed.
 */
#include "interpose/runtime.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text/printable.h"
#include "text/target.h"
#include "interpose/interpose.h"
#include "interpose/leave-status.h"
#include "interpose/meeting/leave-mark.h"
#include "interpose/preload.h"
#include "interpose/meeting/signals.h"
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

int runtime_decision(void)
{
    const char *number = getenv("RESEAT_DECISION");
    return number ? atoi(number) : RESEAT_MODE_PROFILE | RESEAT_MODE_REORDER;
}

int runtime_outcome(int is_reordered)
{
    runtime.is_reordered = is_reordered;
    const char *word = getenv("RESEAT_OUTCOME");
    if (runtime.rank == 0 && word)
        printable_say("outcome %s %s", word, is_reordered ? "reordered" : "kept");
    if (is_reordered)
        mark_reordered();
    return is_reordered;
}

/* ---- the time in MPI ---- */

/* A function that MPI declares and does not have is never called. */
static void runtime_time_calls_of(const struct interpose_wrapper *w)
{
    char name[80];
    snprintf(name, sizeof name, "P%s", w->call->name);
    void *function = w->timed ? dlsym(RTLD_NEXT, name) : NULL;
    if (!function)
        return;
    *w->untimed = function;
    __atomic_store_n(w->real, w->timed, __ATOMIC_RELEASE);
    if (w->straight && *w->next != w->through_tool)
        __atomic_store_n(w->next, w->timed, __ATOMIC_RELEASE);
}

/* From now on run_time_enter and run_time_leave are called around all functions of the MPI that
 * have a wrapper, but for those that are `untimed' in calls.tbl. Functions without a wrapper wait
 * for nobody. */
static void runtime_time_calls(void)
{
    for (int i = 0; i < interpose_wrapper_count; i++)
        runtime_time_calls_of(&interpose_wrappers[i]);
}

void runtime_start_clock(void)
{
    enum reseat_time measures = interpose_recording ? runtime.settings.time : RESEAT_TIME_NO;
    run_time_start(measures, traffic_threads);
    if (measures)
        runtime_time_calls();
}

/* ---- the profile ---- */

/* The file of this job's profile, at the process that writes it. Several threads may write, but
 * only in turn. */
static struct {
    char *path;     /* NULL: nothing written so far */
    int is_ours;    /* the file there is ours */
    int is_created; /* by us, and empty */
} output;

/* The file that the command wants in the place of RESEAT_FILE, which is read if the job is both
 * reordered and recorded; NULL: none. */
static const char *output_of_command(void)
{
    return getenv("RESEAT_OUTPUT");
}

/* The name, made from the pattern `wanted` (target.h) when a profile is first written; later
 * profiles of the same job replace it. Valid until the process ends. */
static const char *output_name(const char *wanted)
{
    const char *given = output_of_command();
    if (!output.path)
        output.path = given ? strdup(given) : target_expand(wanted, &output.is_created);
    return output.path ? output.path : wanted;
}

/* Returns 1 if that file is a profile written by another job. */
static int output_replaces(void)
{
    struct stat status;
    return output.path && !output.is_ours && !output.is_created && stat(output.path, &status) == 0;
}

/* The profile has been written there, or (0) could not be: then remove a file that output_name has
 * created. */
static void output_end(int written)
{
    output.is_ours |= written;
    if (!written && output.is_created && !output.is_ours) {
        unlink(output.path);
        free(output.path);
        output.path = NULL;
    }
    output.is_created &= !written;
}

/* The value of the profile's header `reordered`; NULL: the ranks have their launch order. */
static const char *runtime_reordered(void)
{
    int by_graph = runtime.settings.scope == RESEAT_SCOPE_GRAPH;
    return runtime.is_reordered                                      ? "yes"
           : by_graph && runtime.settings.mode & RESEAT_MODE_REORDER ? "topology calls"
                                                                     : NULL;
}

void runtime_write_profile(MPI_Comm *own, int sessions)
{
    static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
    char version[PRELOAD_VERSION_SIZE], left[PATH_MAX] = "";
    size_t rows = 0;
    int has_leftovers = 0;
    struct reseat_error error;
    struct signals_held held;
    preload_mpi(version);
    signals_hold(&held);
    if (runtime.rank == 0)
        pthread_mutex_lock(&writing);
    const char *path =
        runtime.rank == 0 ? output_name(runtime.settings.file) : runtime.settings.file;
    int replaces = runtime.rank == 0 && !output_of_command() && output_replaces();
    struct profiler_run run = {.own = *own,
                               .path = path,
                               .mpi = version,
                               .patience = runtime.settings.wait,
                               .arguments = runtime.settings.arguments,
                               .job = getenv("RESEAT_JOB"),
                               .left = left,
                               .reordered = runtime_reordered(),
                               .time_kinds = interpose_time_kinds,
                               .sessions = sessions,
                               .has_leftovers = &has_leftovers,
                               .find_place = sessions ? NULL : node_place};
    int failed = profiler_write(&run, &rows, &error);
    if (!has_leftovers)
        PMPI_Comm_free(own);
    *own = MPI_COMM_NULL;
    if (left[0])
        status_leave(left, runtime.rank == 0);
    if (failed && *path) /* else the command has said that the job runs without */
        runtime_say(0, "no profile written: %s", error.text);
    else if (!failed)
        runtime_say(output_of_command() ? 2 : 1,
                    "profile of %d ranks written to %s (%zu pairs%s%s)",
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
