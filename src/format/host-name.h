/* SPDX-License-Identifier: BSD-3-Clause */
/* host-name.h - which names of hosts are safe in files and on command lines of launchers, which
 * pass them on to ssh and shells. */
#ifndef RESEAT_HOST_NAME_H
#define RESEAT_HOST_NAME_H

#include <stddef.h>

/* Whether this is a name by RFC 952 and 1123 (letters, digits, hyphens that are neither first nor
 * last in their part, parts joined by dots), with underscores as letters, or an IPv4 or IPv6
 * address; of at most 255 characters. */
int host_name_is_valid(const char *name);

/* Turn any text into a valid name: characters that are not allowed become `_`. `size` is that of
 * `to`. */
void host_name_clean(char *to, size_t size, const char *from);

#endif
