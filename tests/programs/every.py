# SPDX-License-Identifier: BSD-3-Clause
# Every kind of call of mpi4py, in lines of rank 0 that do not depend on the order of the processes. With an argument:
# without what Open MPI's monitoring component miscounts or does not survive.
import sys
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, ranks = world.Get_rank(), world.Get_size()
left, right = (rank - 1) % ranks, (rank + 1) % ranks
counted = len(sys.argv) > 1
lines = []


def tell(*what):
    lines.append(world.gather(what, root=0))


def numbers(*values):
    return array("i", values)


def point_to_point():
    """Python objects and buffers; blocking, nonblocking, synchronous, buffered, probed."""
    tell("sendrecv", world.sendrecv({"from": rank}, right, 1, source=left, recvtag=1))
    request = world.isend(list(range(rank)), right, 2)
    tell("irecv", world.irecv(source=left, tag=2).wait())
    request.wait()
    request = world.issend(rank, left, 3)
    tell("issend", world.recv(source=right, tag=3))
    request.wait()
    room = bytearray(1000 + MPI.BSEND_OVERHEAD)
    MPI.Attach_buffer(room)
    world.bsend("buffered", right, 4)
    status = MPI.Status()
    world.Probe(left, 4, status)
    tell("probe", status.Get_source(), status.Get_count(MPI.BYTE), world.recv(source=left, tag=4))
    MPI.Detach_buffer()
    message = numbers(0, 0)
    requests = [world.Irecv([message, MPI.INT], left, 5), world.Isend([numbers(rank, -rank), MPI.INT], right, 5)]
    MPI.Request.Waitall(requests)
    tell("Irecv", list(message))
    back = numbers(0, 0)
    request = world.Isend([message, MPI.INT], right, 7)
    matched = world.Mprobe(left, 7)
    matched.Recv([back, MPI.INT])
    request.Wait()
    tell("Mprobe", list(back))
    columns = MPI.INT.Create_vector(2, 1, 2).Commit()
    square = numbers(rank, 1, 2, 3)
    world.Sendrecv_replace([square, 1, columns], right, 8, left, 8)
    tell("vector", list(square))
    columns.Free()


def persistent():
    message, back = numbers(rank, 1), numbers(0, 0)
    out = world.Send_init([message, MPI.INT], right, 6)
    into = world.Recv_init([back, MPI.INT], left, 6)
    for _ in range(3):
        MPI.Prequest.Startall([into, out])
        MPI.Request.Waitall([into, out])
    tell("persistent", list(back))
    out.Free()
    into.Free()


def collectives():
    tell("bcast", world.bcast({"root": rank}, root=1))
    tell("scatter", world.scatter([10 * i for i in range(ranks)] if rank == 2 else None, root=2))
    tell("allgather", world.allgather(rank * rank))
    if not counted:
        tell("alltoall", world.alltoall([rank * 100 + i for i in range(ranks)]))
    tell("reduce", world.reduce([rank], MPI.SUM, root=1))
    tell("allreduce", world.allreduce(rank, MPI.MAX), world.allreduce((rank % 2, rank), MPI.MINLOC))
    tell("scan", world.scan(rank), world.exscan(rank))
    one, all_of_us = numbers(rank), numbers(*[0] * ranks)
    world.Allgather([one, MPI.INT], [all_of_us, MPI.INT])
    tell("Allgather", list(all_of_us))
    counts, ramp = [1 + i % 2 for i in range(ranks)], numbers(*[0] * sum(1 + i % 2 for i in range(ranks)))
    world.Allgatherv([numbers(*[rank] * counts[rank]), MPI.INT], [ramp, (counts, None), MPI.INT])
    tell("Allgatherv", list(ramp))
    share = numbers(0)
    world.Reduce_scatter_block([all_of_us, MPI.INT], [share, MPI.INT])
    tell("Reduce_scatter_block", share[0])
    if not counted:
        given, got = numbers(*[rank] * ranks), numbers(*[0] * ranks)
        world.Alltoallv([given, ([1] * ranks, range(ranks)), MPI.INT], [got, ([1] * ranks, range(ranks)), MPI.INT])
        tell("Alltoallv", list(got))
    world.Allreduce(MPI.IN_PLACE, [share, MPI.INT], MPI.PROD)
    tell("in place", share[0])
    requests = [world.Ibarrier(), world.Ibcast([share, MPI.INT], root=1)]
    MPI.Request.Waitall(requests)
    tell("Ibcast", share[0])
    real = array("d", [0.1 * (rank + 1)])
    total = array("d", [0.0])
    world.Allreduce([real, MPI.DOUBLE], [total, MPI.DOUBLE])
    tell("sum of fractions", total[0].hex())


def communicators():
    half = world.Split(rank % 2, -rank)
    tell("split", half.Get_rank(), half.allgather(rank))
    twin = world.Dup()
    tell("compare", MPI.Comm.Compare(world, twin) == MPI.CONGRUENT, world.Get_name())
    some = world.Get_group().Incl(list(range(0, ranks, 2)))
    evens = world.Create(some)
    tell("create", evens.allreduce(rank) if evens != MPI.COMM_NULL else None)
    tell("groups", MPI.Group.Translate_ranks(world.Get_group(), [rank], half.Get_group()))
    shared = world.Split_type(MPI.COMM_TYPE_SHARED)
    tell("shared", shared.allreduce(rank))


def inter_communicators():
    half = world.Split(rank % 2, -rank)
    leader = ranks - 1 if (ranks - 1 - rank) % 2 else ranks - 2  # of the other half: its last one
    across = half.Create_intercomm(0, world, leader, 9)
    tell("between", across.allgather(rank), across.Get_remote_size())
    tell("merged", across.Merge(rank % 2 == 1).allgather(rank))


def topologies():
    grid = world.Create_cart(MPI.Compute_dims(ranks, 2), [True, True])
    tell("grid", grid.Get_coords(rank), grid.Shift(0, 1), grid.Sub([True, False]).allgather(rank))
    graph = world.Create_dist_graph_adjacent([left], [right], reorder=False)
    tell("graph", graph.Get_dist_neighbors())
    if not counted:
        tell("neighbors", graph.neighbor_alltoall([rank]))


def one_sided():
    window = MPI.Win.Allocate(8, comm=world)
    window.Fence()
    window.Put(bytes([rank] * 8), right)
    window.Fence()
    tell("window", list(window.tomemory()))
    got = bytearray(8)
    window.Get(got, right)
    window.Fence()
    tell("get", list(got))
    window.Free()
    common = MPI.Win.Allocate_shared(4 if rank == 0 else 0, 4, comm=world)
    memory, _ = common.Shared_query(0)
    if rank == 1:
        memory[:4] = b"note"
    world.Barrier()
    tell("shared window", bytes(memory[:4]))
    common.Free()


def errors_and_attributes():
    tell("tag_ub", world.Get_attr(MPI.TAG_UB))
    key = MPI.Comm.Create_keyval()
    world.Set_attr(key, {"mine": rank})
    tell("attribute", world.Get_attr(key))
    world.Delete_attr(key)
    world.Set_errhandler(MPI.ERRORS_RETURN)
    try:
        world.send(1, ranks + 5)
        tell("no error")
    except MPI.Exception as error:
        tell("error", error.Get_error_class() == MPI.ERR_RANK)


point_to_point()
collectives()
communicators()
topologies()
one_sided()
errors_and_attributes()
if not counted:
    persistent()
    inter_communicators()
if rank == 0:
    for line in lines:
        print(line)
