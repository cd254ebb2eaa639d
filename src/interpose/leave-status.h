/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leave-status.h - how a process has ended, for a job of which nobody of ours sees the end: one
 * whose ranks the launcher has started by `reseat auto` (src/cmd/auto/left-jobs.h). Its status goes
 * into the name of the profile that the job has left in MPI_Finalize.
 */
#ifndef RESEAT_LEAVE_STATUS_H
#define RESEAT_LEAVE_STATUS_H

/*
 * When this process ends, by exit or by returning from main, the profile `path` of its job becomes
 * `path`.STATUS: if it is the one that writes the profile, and any other if its status is not 0,
 * which then counts for the job. A process that is killed, or that ends by _exit, leaves no status.
 */
void status_leave(const char *path, int is_writer);

#endif
