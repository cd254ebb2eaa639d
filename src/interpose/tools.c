/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tools.c - see tools.h. Tools are looked for once, before main: one that is loaded later comes
 * after the MPI in symbol order, so it wraps nothing.
 *
 * A tool is recognized by its functions: MPI_X is defined in a library that does not define PMPI_X.
 * Its symbols show if it will come back to our PMPI_X: a tool that calls PMPI_X by name
 * refers to it; one that looks up addresses (dlsym) may call the MPI directly, even if it refers to
 * PMPI_X elsewhere.
 *
 * One call through a tool after this library, as time goes on, with the thread's depth of the guard
 * and its errand (interpose.h) when each of them begins:
 *
 *   depth errand    who               what
 *   0     -         the program       calls MPI_Bcast(x)
 *   0     -         our MPI_Bcast     hands over: interpose_hand_over(Bcast, x)
 *   1     Bcast, x  the tool          looks at it and calls PMPI_Bcast(x), which is ours
 *   1     Bcast, x  our PMPI_Bcast    the errand has come back: the application's call
 *   2     none      the MPI           does it; what it calls by name is deeper than the errand
 *   2     none      our PMPI_Bcast    records it
 *   1     none      the tool          calls PMPI_Reduce for itself: ours, as deep as the errand
 *                                     was, but not the errand, so it is not recorded
 *   1     none      our MPI_Bcast     interpose_take_back: the errand has come back. If not, the
 *                                     call is recorded here, as all sends are
 *
 * Who calls one of our PMPI_ entries from outside all our wrappers shows on the stack: it is the
 * innermost function named MPI_Y. The function of a code address is looked up once for each
 * address, and no more of the stack is read than needed.
 */
#include "interpose/tools.h"

#include <ctype.h>
#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash.h"
#include "interpose/direct.h"
#include "interpose/interpose.h"

int interpose_tools;
INTERPOSE_TLS struct interpose_errand interpose_errand;

/* ---- loaded objects ---- */

struct range {
    uintptr_t begin, end;
    int is_program;
    int is_code; /* the segment with the address by which it was found can be executed */
};

static int tool_range_has(const struct range *range, const void *address)
{
    return (uintptr_t)address >= range->begin && (uintptr_t)address < range->end;
}

static int tool_range_of_object(struct dl_phdr_info *info, size_t size, void *wanted)
{
    struct range *range = wanted, found = {UINTPTR_MAX, 0, !info->dlpi_name[0], 0};
    int holds = 0;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD)
            continue;
        uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
                  end = begin + info->dlpi_phdr[i].p_memsz;
        if (range->begin >= begin && range->begin < end) {
            holds = 1;
            found.is_code = (info->dlpi_phdr[i].p_flags & PF_X) != 0;
        }
        found.begin = begin < found.begin ? begin : found.begin;
        found.end = end > found.end ? end : found.end;
    }
    if (holds)
        *range = found;
    return holds;
}

/* The loaded object that contains an address; empty: none. */
static struct range tool_range_of(const void *address)
{
    struct range range = {.begin = (uintptr_t)address};
    dl_iterate_phdr(tool_range_of_object, &range);
    return range;
}

/* ---- the tools ---- */

enum { MOST_TOOLS = 8 };
static struct {
    struct range list[MOST_TOOLS];
    int count;
    struct range mpi, self;
} tools;

static const struct range *tool_at(const void *address)
{
    for (int i = 0; i < tools.count; i++)
        if (tool_range_has(&tools.list[i], address))
            return &tools.list[i];
    return NULL;
}

int tools_contain(const void *address)
{
    const struct range *tool = tool_at(address);
    return tool && !tool->is_program;
}

int tools_is_mpi(const void *address)
{
    if (tools.self.is_program || tools.mpi.is_program || !tools.mpi.end)
        return -1;
    return tool_range_has(&tools.mpi, address) || tool_range_has(&tools.self, address);
}

int tools_mpi_calls(void)
{
    enum { MOST = 128 };
    void *frames[MOST];
    for (int i = backtrace(frames, MOST); i-- > 0;)
        if (tool_range_has(&tools.mpi, frames[i]))
            return 1;
    return 0;
}

static void tools_add(const void *address)
{
    interpose_tools = 1;
    direct_completion = 0;
    if (!tool_at(address) && tools.count < MOST_TOOLS)
        tools.list[tools.count++] = tool_range_of(address);
}

/* A table of a loaded object. */
static const void *tool_dynamic_table(const struct link_map *object, long tag)
{
    for (const ElfW(Dyn) *entry = object->l_ld; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == tag) /* the linker relocates these, but not on every system */
            return (const void *)(entry->d_un.d_ptr < object->l_addr
                                      ? entry->d_un.d_ptr + object->l_addr
                                      : entry->d_un.d_ptr);
    return NULL;
}

/* Number of symbols that may be undefined references: with a GNU hash table they come before the
 * defined ones. */
static uint32_t tool_count_references(const struct link_map *object)
{
    const uint32_t *gnu = tool_dynamic_table(object, DT_GNU_HASH),
                   *hash = gnu ? NULL : tool_dynamic_table(object, DT_HASH);
    return gnu ? gnu[1] : hash ? hash[1] : 0;
}

/* Returns 1 if the object that defines `function` refers to `name`. */
static int tool_refers_to(void *function, const char *name)
{
    Dl_info info;
    struct link_map *object = NULL;
    if (!dladdr1(function, &info, (void **)&object, RTLD_DL_LINKMAP) || !object)
        return 0;
    const ElfW(Sym) *symbols = tool_dynamic_table(object, DT_SYMTAB);
    const char *names = tool_dynamic_table(object, DT_STRTAB);
    uint32_t count = symbols && names ? tool_count_references(object) : 0;
    for (uint32_t i = 1; i < count; i++)
        if (symbols[i].st_shndx == SHN_UNDEF && strcmp(names + symbols[i].st_name, name) == 0)
            return 1;
    return 0;
}

/* A program's symbol table may have an address for a library function that it does not define. */
static int tool_is_defined(void *function)
{
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    return dladdr1(function, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
           symbol->st_shndx != SHN_UNDEF;
}

void *tools_behind(const char *name, const void *real)
{
    void *function = dlsym(RTLD_NEXT, name);
    struct range other = tool_range_of(real);
    return function && !tool_range_has(&other, function) ? function : NULL;
}

/* ---- before main ---- */

/* Make a symbol of this library undefined, for whoever looks it up from now on. A program may ask
 * for a function, and do without it if the MPI is older than the one that this library was built
 * for (mpi4py): then it must not find our wrapper, which has nothing to call. What the
 * program refers to by name is bound by now; that is ended when it is called (interpose_next). */
static void tool_hide(const char *name, const struct range *self)
{
    Dl_info info;
    ElfW(Sym) *symbol = NULL;
    void *function = dlsym(RTLD_DEFAULT, name);
    if (!function || !tool_range_has(self, function) ||
        !dladdr1(function, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol || !info.dli_sname ||
        strcmp(info.dli_sname, name) != 0)
        return;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)symbol & -page;
    size_t size = (uintptr_t)(symbol + 1) - begin;
    int protection = PROT_READ | (tool_range_of(symbol).is_code ? PROT_EXEC : 0);
    if (mprotect((void *)begin, size, protection | PROT_WRITE))
        return;
    symbol->st_value = 0;
    symbol->st_shndx = SHN_UNDEF;
    mprotect((void *)begin, size, protection);
}

static void tool_find_after(const struct interpose_wrapper *w, const struct range *mpi,
                            const struct range *self)
{
    char real[80];
    snprintf(real, sizeof real, "P%s", w->call->name);
    void *function = dlsym(RTLD_NEXT, w->call->name);
    if (!function && !dlsym(RTLD_NEXT, real)) {
        tool_hide(w->call->name, self);
        tool_hide(real, self);
        return;
    }
    if (function && !tool_range_has(mpi, function))
        function = tools_behind(w->call->name, dlsym(RTLD_NEXT, real));
    else
        function = NULL;
    if (function) {
        tools_add(function);
        w->call->tool = (void (*)(void))function;
        w->call->comes_back = tool_refers_to(function, real) &&
                              !tool_refers_to(function, "dlsym") &&
                              !tool_refers_to(function, "dlvsym");
        *w->next = w->through_tool;
    } else if (w->straight && (function = dlsym(RTLD_NEXT, w->straight)))
        *w->next = function;
}

static void tool_find_before(const char *name, const struct range *mpi, const struct range *self)
{
    void *function = dlsym(RTLD_DEFAULT, name);
    if (function && !tool_range_has(self, function) && !tool_range_has(mpi, function) &&
        !tool_at(function) && tool_is_defined(function))
        tools_add(function);
}

/* Fortran names do not pass through this library, wherever the tool is. */
static void tool_find_fortran(const char *name, const struct range *mpi)
{
    char real[80];
    snprintf(real, sizeof real, "p%s", name);
    void *function = dlsym(RTLD_DEFAULT, name), *other = dlsym(RTLD_DEFAULT, real);
    if (!function || tool_range_has(mpi, function) || !tool_is_defined(function))
        return;
    struct range library = tool_range_of(other);
    if (!other || !tool_range_has(&library, function))
        tools_add(function);
}

static void tool_find_tools(void) __attribute__((constructor));
static void tool_find_tools(void)
{
    void *real = dlsym(RTLD_NEXT, "PMPI_Init");
    if (!real)
        return;
    struct range mpi = tools.mpi = tool_range_of(real);
    struct range self = tools.self = tool_range_of((void *)tool_find_tools);
    for (int i = 0; i < interpose_wrapper_count; i++) {
        tool_find_after(&interpose_wrappers[i], &mpi, &self);
        tool_find_before(interpose_wrappers[i].call->name, &mpi, &self);
    }
    tool_find_fortran("mpi_init_", &mpi);
    tool_find_fortran("mpi_init_thread_", &mpi);
    tool_find_fortran("mpi_finalize_", &mpi);
}

/* ---- calls that go through a tool ---- */

struct interpose_errand interpose_begin_errand(const struct interpose_call *call, uintptr_t first)
{
    struct interpose_errand before = interpose_errand;
    interpose_errand = (struct interpose_errand){call, first, interpose_depth};
    return before;
}

int interpose_take_back(struct interpose_errand before)
{
    int left = interpose_errand.call != NULL;
    interpose_errand = before;
    interpose_leave();
    return left;
}

enum interpose_caller interpose_find_caller(const struct interpose_call *call, uintptr_t first,
                                            const void *address, int depth)
{
    struct interpose_errand *errand = &interpose_errand;
    if (depth == 0)
        return interpose_active && tools_made(call->name, address) ? INTERPOSE_TOOL
                                                                   : INTERPOSE_APPLICATION;
    if (depth != errand->depth)
        return INTERPOSE_MPI;
    if (errand->call != call || errand->first != first)
        return INTERPOSE_TOOL;
    errand->call = NULL;
    return INTERPOSE_APPLICATION;
}

/* ---- who calls ---- */

/* The owner of a code address: the name of an MPI function that a tool defines, or one of these. */
static const char outside[] = "outside of all tools", nameless[] = "inside of a tool";

static const char *tool_look_up(const void *address)
{
    Dl_info info;
    if (!tool_at(address))
        return outside;
    if (!dladdr(address, &info) || !info.dli_sname || strncasecmp(info.dli_sname, "mpi_", 4) != 0)
        return nameless;
    return info.dli_sname;
}

/* Addresses that have been looked up. */
enum { SITES = 4096, TRIES = 8 };
static struct site {
    uintptr_t address; /* BUSY: about to be written */
    const char *within;
} sites[SITES];
enum { FREE, BUSY };

static const char *tool_site_within(const void *address)
{
    size_t at = reseat_hash_word((uintptr_t)address) >> 52;
    for (int try = 0; try < TRIES; try++) {
        struct site *site = &sites[(at + (size_t)try) % SITES];
        uintptr_t there = __atomic_load_n(&site->address, __ATOMIC_ACQUIRE);
        if (there == (uintptr_t)address)
            return site->within;
        if (there == FREE && __atomic_compare_exchange_n(&site->address, &there, BUSY, 0,
                                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            const char *within = site->within = tool_look_up(address);
            __atomic_store_n(&site->address, (uintptr_t)address, __ATOMIC_RELEASE);
            return within;
        }
    }
    return tool_look_up(address);
}

/* The stem of a name: MPI_Isend_c, mpi_send_ and MPI_Ssend become "send". */
static void tool_simplify(const char *name, char kernel[64])
{
    size_t length = 0;
    for (name += 4; *name && length < 63; name++)
        kernel[length++] = (char)tolower((unsigned char)*name);
    while (length > 0 && kernel[length - 1] == '_')
        length--;
    kernel[length] = '\0';
    static const char *const endings[] = {"_f08", "_c", "_init"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t end = strlen(endings[i]);
        if (length > end && strcmp(kernel + length - end, endings[i]) == 0)
            kernel[length -= end] = '\0';
    }
    if (kernel[0] == 'i')
        memmove(kernel, kernel + 1, length);
    if (strstr(kernel, "send"))
        strcpy(kernel, "send");
    else if (strncmp(kernel, "start", 5) == 0)
        strcpy(kernel, "start");
}

static int tool_are_forms_of_one(const char *a, const char *b)
{
    char of_a[64], of_b[64];
    tool_simplify(a, of_a);
    tool_simplify(b, of_b);
    return strcmp(of_a, of_b) == 0;
}

/* The innermost MPI function of a tool on the stack, from `address` on; NULL: none. */
static __attribute__((noinline)) const char *tool_find_frame(const void *address)
{
    enum { MOST = 48 };
    void *frames[MOST];
    int count = backtrace(frames, MOST), i = 0;
    while (i < count && frames[i] != address)
        i++;
    for (; i < count; i++) {
        const char *within = tool_site_within(frames[i]);
        if (within == outside)
            return NULL;
        if (within != nameless)
            return within;
    }
    return NULL;
}

int tools_made(const char *function, const void *address)
{
    const char *within = tool_site_within(address);
    if (within == outside)
        return 0;
    if (within == nameless)
        within = tool_find_frame(address);
    return within && !tool_are_forms_of_one(function, within);
}
