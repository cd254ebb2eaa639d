// SPDX-License-Identifier: BSD-3-Clause
// What the callbacks of a C++ program with MPI's old C++ binding are given for MPI::COMM_WORLD, and for a file.
#include <mpi.h>

#include <cstdio>
#include <string>

static int right, wrong;
static MPI::File file;

static void check(bool good)
{
    (good ? right : wrong)++;
}

static int copy(const MPI::Comm &comm, int, void *state, void *value, void *copied, bool &flag)
{
    check(comm == MPI::COMM_WORLD && state == &right);
    *static_cast<void **>(copied) = value;
    flag = true;
    return MPI::SUCCESS;
}

static int remove(MPI::Comm &comm, int, void *, void *state)
{
    check((comm == MPI::COMM_WORLD || comm != MPI::COMM_SELF) && state == &right);
    return MPI::SUCCESS;
}

static void on_error(MPI::Comm &comm, int *code, ...)
{
    check(comm == MPI::COMM_WORLD && *code != MPI::SUCCESS);
}

static void on_file_error(MPI::File &bad, int *code, ...)
{
    check(bad == file && *code != MPI::SUCCESS);
}

// A file, whose handle is no integer, keeps it.
static void use_file(const std::string &name)
{
    const int mode = MPI::MODE_CREATE | MPI::MODE_RDWR | MPI::MODE_DELETE_ON_CLOSE;
    file = MPI::File::Open(MPI::COMM_SELF, name.c_str(), mode, MPI::INFO_NULL);
    file.Set_errhandler(MPI::File::Create_errhandler(on_file_error));
    file.Call_errhandler(MPI::ERR_OTHER);
    file.Close();
}

int main(int argc, char **argv)
{
    MPI::Init(argc, argv);
    const int rank = MPI::COMM_WORLD.Get_rank(), ranks = MPI::COMM_WORLD.Get_size();
    int key = MPI::Comm::Create_keyval(copy, remove, &right);
    int mine[2], all[2];
    MPI::COMM_WORLD.Set_attr(key, &wrong);
    MPI::Intracomm twin = MPI::COMM_WORLD.Dup();
    twin.Free();
    MPI::COMM_WORLD.Delete_attr(key);
    MPI::Errhandler handler = MPI::Comm::Create_errhandler(on_error);
    MPI::COMM_WORLD.Set_errhandler(handler);
    MPI::COMM_WORLD.Call_errhandler(MPI::ERR_OTHER);
    MPI::COMM_WORLD.Send(&key, 1, MPI::INT, ranks + 5, 1);
    use_file(argv[0] + std::string(".") + std::to_string(rank));
    mine[0] = right, mine[1] = wrong;
    MPI::COMM_WORLD.Reduce(mine, all, 2, MPI::INT, MPI::SUM, 0);
    if (rank == 0)
        std::printf("%d right, %d wrong\n", all[0], all[1]);
    MPI::Finalize();
    return 0;
}
