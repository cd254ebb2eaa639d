/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-order.c - any bytes as a file with an order: a permutation, or refused with a line. */
#include <string.h>
#include <unistd.h>

#include "profile/order.h"
#include "fuzz/fuzz.h"
#include "treematch/tmap.h"

enum { MOST_RANKS = 6 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/reseat-fuzz.XXXXXX";
    int file = mkstemp(path);
    require(file >= 0);
    require(write(file, data, size) == (ssize_t)size);
    close(file);
    for (int32_t ranks = 1; ranks <= MOST_RANKS; ranks++) {
        int32_t rank_of[MOST_RANKS + 1];
        struct reseat_error error = {""};
        memset(rank_of, 0x55, sizeof rank_of);
        int rc = reseat_order_read(rank_of, ranks, path, &error);
        require(rc == 0 || (error.text[0] && !strchr(error.text, '\n')));
        require(rc != 0 || tmap_permutation_is_valid(rank_of, ranks));
        require(rank_of[ranks] == 0x55555555);
    }
    unlink(path);
    return 0;
}
