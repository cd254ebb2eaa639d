/* SPDX-License-Identifier: BSD-3-Clause */
/* run-info.h - what the head of a profile tells a human reader: date, seats. */
#ifndef RESEAT_RUN_INFO_H
#define RESEAT_RUN_INFO_H

#include "profile/profile.h"

enum { RUN_INFO_SIZE = 32 };

/* Fills `text` (RUN_INFO_SIZE bytes) and returns it; empty when unknown. */
const char *run_info_date(char *text);

/* The host of this process, without a place. */
void run_info_host(struct reseat_seat *seat);

/* The host and the place; an unknown place is -1 at every level. */
void run_info_seat(struct reseat_seat *seat);

#endif
