/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * standalone.c - a main for fuzz targets without libFuzzer: feeds the named files, or else
 * generated inputs: bytes, and pieces of what the parsers know. Prints TAP.
 */
#include <string.h>

#include "fuzz/fuzz.h"

enum { INPUTS = 3000, LONGEST = 600 };

static uint32_t next(void)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33);
}

static size_t make_up(uint8_t *data)
{
    static const char *const pieces[] = {"# reseat profile 1\n",
                                         "# ranks: 4\n",
                                         "# domain 0 function=MPI_COMM_WORLD parent=- ",
                                         "size=4 first=0 ordinal=0 members=all\n",
                                         "# p2p\n",
                                         "0\t1\t2\t60\t30\n",
                                         "# end 1\n",
                                         "node:",
                                         "core:",
                                         "4 ",
                                         "3 2",
                                         "99999999999",
                                         "-1",
                                         "\n",
                                         "# coll\n",
                                         "# seat: 0 h 0 0\n",
                                         "# seconds: 2.5\n",
                                         "# mpi_seconds: 0 0 1.5 2\n",
                                         "# mpi_seconds: 1 3 0 0.25\n",
                                         "# mpi_sampled: 0.01\n",
                                         "# mpi_calls: allreduce 8 0.5 1\n",
                                         "%%MatrixMarket matrix coordinate real general\n",
                                         "3 3 2\n",
                                         "1 2 1.5e3\n",
                                         "source,target,value\n",
                                         "0,1,2\n",
                                         "0\n2 2\n0 010\n",
                                         "1 5 1\n",
                                         "2 1 001\n",
                                         "SwitchName=s0 Nodes=n[0-3,07]\n",
                                         "SwitchName=top Switches=s[0-1] \\\n",
                                         "n[1-2] s0 top\n",
                                         "s0 ",
                                         "E\t0\t1\t5 bytes\t2 msgs sent\n",
                                         "RESEAT=profile\n",
                                         "RESEAT_MIN_GAIN=0.5\n",
                                         "RESEAT_TOPOLOGY=",
                                         "\nRESEAT_TIMINGS=a\n",
                                         "\nRESEAT_OBJECTIVE=time\n",
                                         "RESEAT_VERBOSE=3\n",
                                         "RESEAT_",
                                         "n[00-12,7],login",
                                         "s0.s[1-3].n17\n",
                                         "switch.switch.node\n",
                                         "0 1\n1 0\n",
                                         "2 2\n",
                                         "switch:4 node:3 ",
                                         "65536 ",
                                         "# reseat timings 1\n",
                                         "level node bytes 8 seconds 4e-07\n",
                                         "level node bytes 9000 seconds 1e-05\n",
                                         "card out ranks 2 bytes_per_second 1e8\n",
                                         "# figures: 3\n",
                                         "pattern linear ranks=3 length=8 rate=1 messages=2\n",
                                         "0 1 1\n0 2 2\n1 0 5\n1 1 6\n"};
    size_t size = 0, wanted = next() % LONGEST;
    int words = (int)(next() % 3);
    while (size < wanted) {
        const char *piece = pieces[next() % (sizeof pieces / sizeof pieces[0])];
        size_t length = strlen(piece);
        if (words && next() % 8 && size + length < LONGEST) {
            memcpy(data + size, piece, length);
            size += length;
        } else {
            data[size++] = (uint8_t)next();
        }
    }
    return size;
}

static int feed_file(const char *name)
{
    static uint8_t data[1 << 20];
    FILE *file = fopen(name, "rb");
    if (!file)
        return 1;
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    return 0;
}

int main(int argc, char **argv)
{
    uint8_t data[LONGEST];
    for (int i = 1; i < argc; i++)
        if (feed_file(argv[i]))
            return 2;
    const char *quick = getenv("TEST_QUICK"); /* one of so many */
    int inputs = INPUTS / (quick && atoi(quick) > 0 ? atoi(quick) : 1);
    for (int i = 0; argc == 1 && i < inputs; i++)
        LLVMFuzzerTestOneInput(data, make_up(data));
    printf("ok 1 - %s\n1..1\n", argc == 1 ? "made-up inputs" : "files");
    return 0;
}
