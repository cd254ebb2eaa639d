/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report-pictures.h - the pictures of a report, each as a file of its own:
 *
 *   heat, heat-launch, heat-better               communication matrix: both orders, and each
 *   heat-p2p, heat-coll, heat-osc                the same by kind of traffic, if of several
 *   machine-launch, machine-better               the machine with what its links carry
 *   levels                                       bytes by level as bars
 *
 * Where no order gains anything there are only those of the launch order.
 */
#ifndef RESEAT_REPORT_PICTURES_H
#define RESEAT_REPORT_PICTURES_H

#include "cmd/shell/picture-file.h"
#include "cmd/report/report-nodes.h"
#include "cmd/report/report-numbers.h"

/* Write them. 0, or an exit status after an error message. */
int report_write_pictures(const struct picture_folders *folders, const struct report *report,
                          const struct report_nodes *nodes);

/* Write only the maps of the communication matrix, into a file. Returns as above. */
int report_write_map(const char *path, picture_form_fn *form, const struct report *report,
                     const struct report_nodes *nodes);

#endif
