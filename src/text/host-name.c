/* SPDX-License-Identifier: BSD-3-Clause */
/* host-name.c - see host-name.h. Does not use the locale, which the application may have set. */
#include "text/host-name.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

enum { HOST_NAME_LONGEST = RESEAT_HOST_SIZE - 1 };

static int host_name_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Returns 1 if character `at` of a name is allowed. */
static int host_name_has(const char *name, size_t at)
{
    int inside = at > 0 && (host_name_is_letter(name[at - 1]) || name[at - 1] == '-');
    if (name[at] == '.')
        return at > 0 && host_name_is_letter(name[at - 1]);
    if (name[at] == '-')
        return inside && name[at + 1] && name[at + 1] != '.';
    return host_name_is_letter(name[at]);
}

static int host_name_is_address(const char *name)
{
    struct in6_addr address;
    return strchr(name, ':') && inet_pton(AF_INET6, name, &address) == 1;
}

int host_name_is_valid(const char *name)
{
    size_t length = strnlen(name, HOST_NAME_LONGEST + 1);
    if (!length || length > HOST_NAME_LONGEST)
        return 0;
    if (host_name_is_address(name))
        return 1;
    for (size_t i = 0; i < length; i++)
        if (!host_name_has(name, i))
            return 0;
    return 1;
}

void host_name_clean(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", *from ? from : "unknown");
    if (host_name_is_address(to))
        return;
    for (size_t i = 0; to[i]; i++)
        if (!host_name_has(to, i))
            to[i] = '_';
}

int host_name_compare_short(const char *a, const char *b)
{
    size_t length_a = strcspn(a, "."), length_b = strcspn(b, ".");
    int order = memcmp(a, b, length_a < length_b ? length_a : length_b);
    return order ? order : (length_a > length_b) - (length_a < length_b);
}
