/* SPDX-License-Identifier: BSD-3-Clause */
/* congestion.h - lower the load of the busiest link of a mapping that is good by its cost. */
#ifndef TMAP_CONGESTION_H
#define TMAP_CONGESTION_H

#include "treematch/model/objects.h"

/*
 * Exchange roles, and move roles to free slots, so that the busiest link of the network carries
 * less, while the cost stays at most 1.02 x what it was. The network is that of the outermost level
 * with a shape, or else the links up at the outermost level that branches. Pinned roles and closed
 * slots are those of `options`. Trees without arrays are left alone, and so is traffic whose loads
 * alone would take long (2 * 10^8 links). TMAP_ENOMEM (slot_of is
 * as before) or TMAP_OK.
 */
enum tmap_status tmap_lower_congestion(const struct tmap_matrix *matrix,
                                       const struct tmap_tree *tree,
                                       const struct tmap_options *options, int32_t *slot_of);

#endif
