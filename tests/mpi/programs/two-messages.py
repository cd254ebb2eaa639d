# SPDX-License-Identifier: BSD-3-Clause
# What two-messages.f90 does, in Python, where MPI is loaded late and out of sight (dlopen, RTLD_LOCAL).
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, ranks = world.Get_rank(), world.Get_size()
following, before = (rank + 1) % ranks, (rank - 1) % ranks
got = bytearray(40)
world.Sendrecv([bytearray(40), MPI.BYTE], following, 1, [got, MPI.BYTE], before, 1)
world.Sendrecv([bytearray(20), MPI.BYTE], following, 2, [got, MPI.BYTE], MPI.ANY_SOURCE, 2)
world.Barrier()
