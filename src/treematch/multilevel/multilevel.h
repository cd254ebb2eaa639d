/* SPDX-License-Identifier: BSD-3-Clause */
/* multilevel.h - the method multilevel. */
#ifndef TMAP_MULTILEVEL_H
#define TMAP_MULTILEVEL_H

#include "treematch/model/problem.h"

tmap_method_fn tmap_method_multilevel;

#endif
