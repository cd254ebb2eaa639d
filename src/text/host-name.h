/* SPDX-License-Identifier: BSD-3-Clause */
/* host-name.h - which names of hosts are safe in files and on command lines of launchers, which
 * pass them on to ssh and shells. */
#ifndef RESEAT_HOST_NAME_H
#define RESEAT_HOST_NAME_H

#include <stddef.h>

/* Bytes for the name of a host and its terminating NUL. */
enum { RESEAT_HOST_SIZE = 256 };

/* Returns 1 for a name by RFC 952 and 1123 (letters, digits, hyphens that are neither first nor
 * last in their part, parts joined by dots), with underscores as letters, and for an IPv4 or IPv6
 * address; of less than RESEAT_HOST_SIZE characters. */
int host_name_is_valid(const char *name);

/* Turn any text into a valid name: characters that are not allowed become `_`. `size` is that of
 * `to`. */
void host_name_clean(char *to, size_t size, const char *from);

/* Compares two names up to their first dots, as strcmp does. */
int host_name_compare_short(const char *a, const char *b);

#endif
