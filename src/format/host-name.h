/* SPDX-License-Identifier: BSD-3-Clause */
/* host-name.h - what may be a host in files and on command lines of launchers, which hand it on to
 * ssh and shells. */
#ifndef RESEAT_HOST_NAME_H
#define RESEAT_HOST_NAME_H

#include <stddef.h>

/* Whether this is a name by RFC 952 and 1123 (letters, digits, hyphens that are neither first nor
 * last in their part, parts joined by dots), with underscores as letters, or an address of IPv4 or
 * IPv6; of at most 255 characters. */
int host_name_is_valid(const char *name);

/* Make a valid name of any text, for a host that has another one: what cannot be is `_`. `size` is
 * that of `to`. */
void host_name_clean(char *to, size_t size, const char *from);

#endif
