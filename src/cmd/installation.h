/* SPDX-License-Identifier: BSD-3-Clause */
/* installation.h - what is installed, and whether it can be used: for `reseat --version -v`, and
 * for `reseat doctor` without a job. */
#ifndef RESEAT_INSTALLATION_H
#define RESEAT_INSTALLATION_H

#include "page/document.h"

/* Print and add to the result of doctor (doctor.h) the version, our libraries, programs and modules
 * with their paths, and the launchers in PATH, each with what is wrong. */
void installation_look_at(struct document *document);

#endif
