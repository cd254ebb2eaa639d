/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix-part.c - the traffic among some of the roles. */
#include "treematch/model/objects.h"

enum tmap_status tmap_matrix_among(struct tmap_matrix **result, const struct tmap_matrix *matrix,
                                   const int32_t *role, int32_t count, const int32_t *inside,
                                   struct tmap_error *error)
{
    size_t room = 0, used = 0;
    for (int32_t i = 0; i < count; i++)
        room += tmap_row_of(matrix, role[i]).count;
    struct tmap_entry *entries = tmap_new(room, sizeof *entries);
    if (!entries)
        return tmap_fail_memory(error);
    for (int32_t i = 0; i < count; i++) {
        struct tmap_row row = tmap_row_of(matrix, role[i]);
        for (size_t e = 0; e < row.count; e++) {
            int32_t other = inside[row.partner[e]];
            if (row.sent && other >= 0)
                entries[used++] = (struct tmap_entry){i, other, row.sent[e]};
            else if (other > i && row.weight[e] > 0)
                entries[used++] = (struct tmap_entry){i, other, row.weight[e]};
        }
    }
    enum tmap_status status = (matrix->sent ? tmap_matrix_create_directed : tmap_matrix_create)(
        result, count, entries, used, error);
    free(entries);
    return status;
}
