/* SPDX-License-Identifier: BSD-3-Clause */
/* methods.h - the methods of this folder. */
#ifndef TMAP_METHODS_H
#define TMAP_METHODS_H

#include "treematch/model/problem.h"

/* The methods of this folder; treematch, multilevel and the baselines have headers of their own. */
tmap_method_fn tmap_method_greedy, tmap_method_recursive;
tmap_method_fn tmap_method_mpipp1, tmap_method_mpipp5; /* mpipp.c */
tmap_method_fn tmap_method_best;

#endif
