/* SPDX-License-Identifier: BSD-3-Clause */
/* override.h - the MPI functions whose wrapper is written by hand (calls.tbl: override, lifecycle).
 * Parameters and results are those of the MPI function. They run with the guard raised and call
 * PMPI_ functions. */
#ifndef RESEAT_OVERRIDE_H
#define RESEAT_OVERRIDE_H

#include <mpi.h>

#include "declared.h"

/* lifecycle.c */
int override_MPI_Init(int *argc, char ***argv);
int override_MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int override_MPI_Abort(MPI_Comm comm, int errorcode);

/* topology-calls.c */
int override_MPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                             int reorder, MPI_Comm *comm_cart);
int override_MPI_Graph_create(MPI_Comm comm_old, int nnodes, const int index[], const int edges[],
                              int reorder, MPI_Comm *comm_graph);
int override_MPI_Dist_graph_create(MPI_Comm comm_old, int n, const int sources[],
                                   const int degrees[], const int destinations[],
                                   const int weights[], MPI_Info info, int reorder,
                                   MPI_Comm *newcomm);
int override_MPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[],
                                            const int sourceweights[], int outdegree,
                                            const int destinations[], const int destweights[],
                                            MPI_Info info, int reorder, MPI_Comm *newcomm);

/* sessions.c */
#if DECLARES_MPI_Session_init
int override_MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session);
int override_MPI_Session_finalize(MPI_Session *session);
int override_MPI_Comm_create_from_group(MPI_Group group, const char *stringtag, MPI_Info info,
                                        MPI_Errhandler errhandler, MPI_Comm *newcomm);
#endif

/* callbacks.c */
int override_MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy_fn,
                                    MPI_Comm_delete_attr_function *delete_fn, int *keyval,
                                    void *state);
int override_MPI_Keyval_create(MPI_Comm_copy_attr_function *copy_fn,
                               MPI_Comm_delete_attr_function *delete_fn, int *keyval, void *state);
int override_MPI_Comm_create_errhandler(MPI_Comm_errhandler_function *function,
                                        MPI_Errhandler *errhandler);
int override_MPI_Errhandler_create(MPI_Comm_errhandler_function *function,
                                   MPI_Errhandler *errhandler);
#if DECLARES_MPIX_Comm_create_errhandler_x
int override_MPIX_Comm_create_errhandler_x(MPIX_Comm_errhandler_function_x *function,
                                           MPIX_Destructor_function *destroy, void *state,
                                           MPI_Errhandler *errhandler);
#endif

/* world.c */
int override_MPI_T_cvar_handle_alloc(int index, void *object, MPI_T_cvar_handle *handle,
                                     int *count);
int override_MPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int index, void *object,
                                     MPI_T_pvar_handle *handle, int *count);

#endif
