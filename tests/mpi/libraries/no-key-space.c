/* SPDX-License-Identifier: BSD-3-Clause */
/* no-key-space.c - to be preloaded after the library: a PMIx that refuses what Reseat puts, and a
 * PMI of unknown make. */
#include <dlfcn.h>
#include <string.h>
#include <sys/socket.h>

int getsockopt(int fd, int level, int option, void *value, socklen_t *size)
{
    int (*real)(int, int, int, void *, socklen_t *) =
        (int (*)(int, int, int, void *, socklen_t *))dlsym(RTLD_NEXT, "getsockopt");
    return level == SOL_SOCKET && option == SO_PEERCRED ? -1 : real(fd, level, option, value, size);
}

int PMIx_Put(unsigned char scope, const char *key, void *value);
int PMIx_Put(unsigned char scope, const char *key, void *value)
{
    Dl_info there;
    if (strcmp(key, "reseat") == 0 || !dladdr(__builtin_return_address(0), &there))
        return -1;
    void *object = dlopen(there.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    int (*put)(unsigned char, const char *, void *) =
        (int (*)(unsigned char, const char *, void *))dlsym(object, "PMIx_Put");
    return put(scope, key, value);
}
