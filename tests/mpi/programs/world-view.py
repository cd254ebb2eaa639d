# SPDX-License-Identifier: BSD-3-Clause
# What a Python program sees of COMM_WORLD, in lines of rank 0 that do not depend on the order of the processes.
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, ranks = world.Get_rank(), world.Get_size()
lines = []


def tell(*what):
    lines.append(world.gather(what, root=0))


tell("from", world.sendrecv(rank, (rank + 1) % ranks, 1, source=(rank - 1) % ranks))
tell("scan", world.scan(rank))
tell("tag_ub", world.Get_attr(MPI.TAG_UB))
tell("name", world.Get_name())
tell("all", world.alltoall([rank * 100 + i for i in range(ranks)]))
half = world.Split(rank % 2, -rank)
tell("split", half.Get_rank(), half.allgather(rank))
grid = world.Create_cart(MPI.Compute_dims(ranks, 2), [True, True])
tell("grid", grid.Get_coords(rank), grid.Shift(0, 1))
graph = world.Create_dist_graph_adjacent([(rank - 1) % ranks], [(rank + 1) % ranks], reorder=False)
tell("graph", graph.neighbor_alltoall([rank]))
window = MPI.Win.Allocate(8, comm=world)
window.Fence()
window.Put(bytes([rank] * 8), (rank + 1) % ranks)
window.Fence()
tell("window", list(window.tomemory()))
window.Free()
mine, sums = array("i", [rank]), array("i", [0])
world.Iallreduce([mine, MPI.INT], [sums, MPI.INT]).Wait()
tell("sum", sums[0])
tell("groups", MPI.Group.Translate_ranks(world.Get_group(), [rank], half.Get_group()))
world.Set_errhandler(MPI.ERRORS_RETURN)
try:
    world.send(1, ranks + 5)
    tell("no error")
except MPI.Exception:
    tell("error")
if rank == 0:
    for line in lines:
        print(line)
