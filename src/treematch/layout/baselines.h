/* SPDX-License-Identifier: BSD-3-Clause */
/* baselines.h - the methods that look at nobody's traffic. */
#ifndef TMAP_BASELINES_H
#define TMAP_BASELINES_H

#include "treematch/model/problem.h"

tmap_method_fn tmap_method_packed, tmap_method_roundrobin, tmap_method_random;

#endif
