/* SPDX-License-Identifier: BSD-3-Clause */
/* installation.h - what is installed, and whether it can be used: for `reseat --version -v`, and
 * for `reseat doctor` without a job. */
#ifndef RESEAT_INSTALLATION_H
#define RESEAT_INSTALLATION_H

/* Print the version, our libraries, programs and modules with their paths, and the launchers in
 * PATH, each with what is wrong. Returns the number of things in the way. */
int installation_print(void);

#endif
