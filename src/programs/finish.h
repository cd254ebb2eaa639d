/* SPDX-License-Identifier: BSD-3-Clause */
/* finish.h - the end of our MPI programs. */
#ifndef RESEAT_FINISH_H
#define RESEAT_FINISH_H

/* End MPI after everything has been printed. Some MPIs hang in MPI_Finalize at times (MPICH 4.0
 * over UCX's TCP): after some seconds the process ends all the same. */
void finish_mpi(void);

/* End the job with a line on standard error, where the other ranks cannot be told. */
_Noreturn void finish_without_memory(void);

#endif
