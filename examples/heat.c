/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heat.c - the program of the tutorial: heat that spreads over a plate, a block of it on each rank. Ranks form a grid
 * with 4 in a row, and exchange the borders of their blocks over MPI_COMM_WORLD. Blocks are much wider than they are
 * high, so a rank sends a thousand times as much to the rank below it, 4 further on, as to the next one.
 *
 *   mpicc -O2 -o heat heat.c
 *   mpirun -n 16 ./heat [-i iterations] [-c columns of a block]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROW = 4, LINES = 16 };

/* A block with a border of one cell, LINES + 2 lines of columns + 2 cells. */
struct block {
    int columns, above, below, left, right; /* the ranks beside it, or MPI_PROC_NULL */
    double *cell, *next;
};

static double *at(double *cells, const struct block *block, int line, int column)
{
    return &cells[(size_t)line * (size_t)(block->columns + 2) + (size_t)column];
}

static void create(struct block *block, int columns)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    block->columns = columns;
    block->above = rank >= ROW ? rank - ROW : MPI_PROC_NULL;
    block->below = rank + ROW < size ? rank + ROW : MPI_PROC_NULL;
    block->left = rank % ROW > 0 ? rank - 1 : MPI_PROC_NULL;
    block->right = rank % ROW < ROW - 1 && rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    const size_t cells = (size_t)(LINES + 2) * (size_t)(columns + 2);
    block->cell = calloc(cells, sizeof *block->cell);
    block->next = calloc(cells, sizeof *block->next);
    if (!block->cell || !block->next)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int column = 1; column <= columns; column++)
        *at(block->cell, block, 1, column) = rank + 1;
}

/* The borders of the block, from the ranks beside it. */
static void exchange(struct block *block, MPI_Datatype side)
{
    double *cell = block->cell;
    const int end = block->columns;
    MPI_Request request[8];
    MPI_Irecv(at(cell, block, 0, 1), end, MPI_DOUBLE, block->above, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(at(cell, block, LINES + 1, 1), end, MPI_DOUBLE, block->below, 0, MPI_COMM_WORLD,
              &request[1]);
    MPI_Irecv(at(cell, block, 1, 0), 1, side, block->left, 0, MPI_COMM_WORLD, &request[2]);
    MPI_Irecv(at(cell, block, 1, end + 1), 1, side, block->right, 0, MPI_COMM_WORLD, &request[3]);
    MPI_Isend(at(cell, block, 1, 1), end, MPI_DOUBLE, block->above, 0, MPI_COMM_WORLD, &request[4]);
    MPI_Isend(at(cell, block, LINES, 1), end, MPI_DOUBLE, block->below, 0, MPI_COMM_WORLD,
              &request[5]);
    MPI_Isend(at(cell, block, 1, 1), 1, side, block->left, 0, MPI_COMM_WORLD, &request[6]);
    MPI_Isend(at(cell, block, 1, end), 1, side, block->right, 0, MPI_COMM_WORLD, &request[7]);
    MPI_Waitall(8, request, MPI_STATUSES_IGNORE);
}

/* One step: each cell becomes the mean of its neighbors. */
static void spread(struct block *block)
{
    double *cell = block->cell;
    for (int line = 1; line <= LINES; line++)
        for (int column = 1; column <= block->columns; column++)
            *at(block->next, block, line, column) =
                0.25 * (*at(cell, block, line - 1, column) + *at(cell, block, line + 1, column) +
                        *at(cell, block, line, column - 1) + *at(cell, block, line, column + 1));
    block->cell = block->next;
    block->next = cell;
}

/* The warmest cell of all, at rank 0. */
static double warmest(struct block *block)
{
    double most = 0, all = 0;
    for (int line = 1; line <= LINES; line++)
        for (int column = 1; column <= block->columns; column++)
            most = *at(block->cell, block, line, column) > most
                       ? *at(block->cell, block, line, column)
                       : most;
    MPI_Reduce(&most, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    int iterations = 50, columns = 8192, option, rank, size;
    MPI_Init(&argc, &argv);
    while ((option = getopt(argc, argv, "i:c:")) > 0)
        *(option == 'i' ? &iterations : &columns) = atoi(optarg);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (columns < 1)
        MPI_Abort(MPI_COMM_WORLD, 2);

    struct block block;
    create(&block, columns);
    MPI_Datatype side;
    MPI_Type_vector(LINES, 1, columns + 2, MPI_DOUBLE, &side);
    MPI_Type_commit(&side);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        exchange(&block, side);
        spread(&block);
    }
    const double most = warmest(&block), seconds = MPI_Wtime() - start;
    if (rank == 0)
        printf("heat: %d ranks, %d steps, warmest cell %.6f, %.3f s\n", size, iterations, most,
               seconds);
    MPI_Type_free(&side);
    free(block.cell);
    free(block.next);
    MPI_Finalize();
    return 0;
}
