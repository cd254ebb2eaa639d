/* SPDX-License-Identifier: BSD-3-Clause */
/* attributes.c - the half of attributes.F90 that is in C:
 * what one language sets the other reads. */
#include <mpi.h>
#include <stddef.h>

/* An attribute set by Fortran, as C sees it: the address of an integer of that size; `width` is 4
 * for MPI_Attr_put. -1: there is none. */
MPI_Aint attribute_in_c(MPI_Fint comm, MPI_Fint keyval, MPI_Fint width);
MPI_Aint attribute_in_c(MPI_Fint comm, MPI_Fint keyval, MPI_Fint width)
{
    void *value;
    int flag = 0;
    MPI_Comm_get_attr(MPI_Comm_f2c(comm), keyval, &value, &flag);
    if (!flag)
        return -1;
    return width == 4 ? *(MPI_Fint *)value : *(MPI_Aint *)value;
}

/* An attribute of C, on MPI_COMM_WORLD; its keyval. */
MPI_Fint attribute_of_c(MPI_Aint value);
MPI_Fint attribute_of_c(MPI_Aint value)
{
    int keyval;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, (void *)value);
    return keyval;
}
