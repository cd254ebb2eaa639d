/* SPDX-License-Identifier: BSD-3-Clause */
/* elf.c - see elf.h. */
#include "cmd/job/elf.h"

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELF_MOST_NAMES = 1 << 28 };

/* Read the name of the dynamic loader from a segment. 0, or -1. */
static int elf_read_loader(FILE *file, const Elf64_Phdr *segment, char loader[PATH_MAX])
{
    size_t size = segment->p_filesz < PATH_MAX ? (size_t)segment->p_filesz : PATH_MAX - 1;
    if (fseek(file, (long)segment->p_offset, SEEK_SET) || fread(loader, 1, size, file) != size)
        return -1;
    loader[size] = '\0';
    return 0;
}

/* A 64-bit file that is open, and where the loader puts its parts. */
struct elf_image {
    FILE *file;
    Elf64_Ehdr header;
};

/* 0, or -1: it cannot be read, or is no such file. Close it in any case. */
static int elf_open(struct elf_image *image, const char *path)
{
    Elf64_Ehdr *header = &image->header;
    image->file = fopen(path, "re");
    return image->file && fread(header, sizeof *header, 1, image->file) == 1 &&
                   memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
                   header->e_ident[EI_CLASS] == ELFCLASS64
               ? 0
               : -1;
}

static void elf_close(struct elf_image *image)
{
    if (image->file)
        fclose(image->file);
}

/* Read the next segment of a type from number *at on, which is moved past it. Returns 0 if there
 * are no more. */
static int elf_next_segment(const struct elf_image *image, uint32_t type, int *at,
                            Elf64_Phdr *segment)
{
    while (*at < image->header.e_phnum) {
        uint64_t from = image->header.e_phoff + (uint64_t)(*at)++ * image->header.e_phentsize;
        if (fseek(image->file, (long)from, SEEK_SET) == 0 &&
            fread(segment, sizeof *segment, 1, image->file) == 1 && segment->p_type == type)
            return 1;
    }
    return 0;
}

enum elf_kind elf_kind_of(const char *path, char loader[PATH_MAX])
{
    char ignored[PATH_MAX];
    char *name = loader ? loader : ignored;
    struct elf_image image;
    Elf64_Phdr segment;
    enum elf_kind kind = elf_open(&image, path) ? ELF_NONE : ELF_STATIC;
    for (int i = 0; kind == ELF_STATIC && elf_next_segment(&image, PT_INTERP, &i, &segment);)
        if (elf_read_loader(image.file, &segment, name) == 0)
            kind = ELF_DYNAMIC;
    elf_close(&image);
    if (kind != ELF_DYNAMIC)
        name[0] = '\0';
    return kind;
}

/* ---- what it needs ---- */

/* The position in the file of what the loader puts at an address; -1: none. */
static long elf_position(const struct elf_image *image, uint64_t address)
{
    Elf64_Phdr segment;
    for (int i = 0; elf_next_segment(image, PT_LOAD, &i, &segment);)
        if (address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
            return (long)(segment.p_offset + (address - segment.p_vaddr));
    return -1;
}

/* The value of the `skip`-th entry (from 0) with this tag in the dynamic section, which begins at
 * `from`. 0, or -1: there is none. */
static int elf_find_entry(const struct elf_image *image, const Elf64_Phdr *from, int64_t tag,
                          int skip, uint64_t *value)
{
    Elf64_Dyn entry = {.d_tag = DT_NULL};
    if (fseek(image->file, (long)from->p_offset, SEEK_SET))
        return -1;
    for (uint64_t left = from->p_filesz / sizeof entry; left > 0; left--) {
        if (fread(&entry, sizeof entry, 1, image->file) != 1 || entry.d_tag == DT_NULL)
            return -1;
        if (entry.d_tag == tag && skip-- == 0) {
            *value = entry.d_un.d_val;
            return 0;
        }
    }
    return -1;
}

static void elf_see_needs(const struct elf_image *image, const Elf64_Phdr *dynamic,
                          void (*see)(void *context, const char *library), void *context)
{
    char name[NAME_MAX + 1];
    uint64_t strings, at;
    if (elf_find_entry(image, dynamic, DT_STRTAB, 0, &strings))
        return;
    const long first = elf_position(image, strings);
    for (int i = 0; first >= 0 && elf_find_entry(image, dynamic, DT_NEEDED, i, &at) == 0; i++) {
        size_t size = fseek(image->file, first + (long)at, SEEK_SET)
                          ? 0
                          : fread(name, 1, sizeof name, image->file);
        if (memchr(name, '\0', size))
            see(context, name);
    }
}

void elf_needs(const char *path, void (*see)(void *context, const char *library), void *context)
{
    struct elf_image image;
    Elf64_Phdr segment;
    if (elf_open(&image, path) == 0)
        for (int i = 0; elf_next_segment(&image, PT_DYNAMIC, &i, &segment);)
            elf_see_needs(&image, &segment, see, context);
    elf_close(&image);
}

/* ---- its notes ---- */

struct elf_note {
    const char *owner;
    uint32_t type;
    unsigned char value[ELF_BUILD_SIZE / 2]; /* when found */
    uint32_t size;
};

/* Look for a note in a segment: each has a header, a name and a value, both padded to four bytes.
 * 0, or -1. */
static int elf_read_note(FILE *file, const Elf64_Phdr *segment, struct elf_note *wanted)
{
    unsigned char bytes[4096];
    Elf64_Nhdr note;
    size_t size = segment->p_filesz < sizeof bytes ? (size_t)segment->p_filesz : sizeof bytes,
           name = strlen(wanted->owner) + 1;
    if (fseek(file, (long)segment->p_offset, SEEK_SET) || fread(bytes, 1, size, file) != size)
        return -1;
    for (size_t at = 0; at + sizeof note <= size;) {
        memcpy(&note, bytes + at, sizeof note);
        at += sizeof note;
        if (note.n_namesz > size || note.n_descsz > size)
            return -1;
        size_t value = at + (note.n_namesz + 3u) / 4 * 4, end = value + note.n_descsz;
        if (end > size)
            return -1;
        if (note.n_type == wanted->type && note.n_namesz == name &&
            memcmp(bytes + at, wanted->owner, name) == 0 && note.n_descsz > 0 &&
            note.n_descsz <= sizeof wanted->value) {
            memcpy(wanted->value, bytes + value, note.n_descsz);
            wanted->size = note.n_descsz;
            return 0;
        }
        at = (end + 3) / 4 * 4;
    }
    return -1;
}

static int elf_find_note(const char *path, struct elf_note *wanted)
{
    struct elf_image image;
    Elf64_Phdr segment;
    int found = -1;
    if (elf_open(&image, path) == 0)
        for (int i = 0; found && elf_next_segment(&image, PT_NOTE, &i, &segment);)
            found = elf_read_note(image.file, &segment, wanted);
    elf_close(&image);
    return found;
}

int elf_build_of(const char *path, char build[ELF_BUILD_SIZE])
{
    struct elf_note note = {.owner = ELF_NOTE_GNU, .type = NT_GNU_BUILD_ID};
    if (elf_find_note(path, &note))
        return -1;
    for (uint32_t i = 0; i < note.size; i++)
        sprintf(build + 2 * (size_t)i, "%02x", note.value[i]);
    return 0;
}

int elf_holds_library(const char *path, const char *mpi)
{
    struct elf_note note = {.owner = "Reseat", .type = 1};
    return elf_find_note(path, &note) == 0 && note.size == strlen(mpi) + 1 &&
           memcmp(note.value, mpi, note.size) == 0;
}

/* ---- its functions ---- */

static int elf_read_section(const struct elf_image *image, uint64_t number, Elf64_Shdr *section)
{
    uint64_t at = image->header.e_shoff + number * image->header.e_shentsize;
    return number < image->header.e_shnum && fseek(image->file, (long)at, SEEK_SET) == 0 &&
                   fread(section, sizeof *section, 1, image->file) == 1
               ? 0
               : -1;
}

/* The names of the symbols of a table, which end with zeros; NULL: out of memory, or not there. */
static char *elf_read_names(const struct elf_image *image, const Elf64_Shdr *table, uint64_t *size)
{
    Elf64_Shdr names;
    if (elf_read_section(image, table->sh_link, &names) || names.sh_size > ELF_MOST_NAMES)
        return NULL;
    char *text = calloc(1, (size_t)names.sh_size + 1);
    *size = names.sh_size;
    if (text && (fseek(image->file, (long)names.sh_offset, SEEK_SET) ||
                 fread(text, 1, (size_t)*size, image->file) != *size)) {
        free(text);
        return NULL;
    }
    return text;
}

/* Returns 1 if a table of symbols has a definition of this name. */
static int elf_look_up(const struct elf_image *image, const Elf64_Shdr *table, const char *name)
{
    Elf64_Sym symbol;
    uint64_t size = 0, left = table->sh_size / sizeof symbol;
    char *names = elf_read_names(image, table, &size);
    int found = 0;
    if (names && fseek(image->file, (long)table->sh_offset, SEEK_SET) == 0)
        for (; !found && left > 0 && fread(&symbol, sizeof symbol, 1, image->file) == 1; left--)
            found = symbol.st_shndx != SHN_UNDEF && symbol.st_name < size &&
                    strcmp(names + symbol.st_name, name) == 0;
    free(names);
    return found;
}

int elf_defines(const char *path, const char *name)
{
    struct elf_image image;
    Elf64_Shdr section;
    int found = 0;
    if (elf_open(&image, path) == 0)
        for (uint64_t i = 0; !found && i < image.header.e_shnum; i++)
            found = elf_read_section(&image, i, &section) == 0 && section.sh_type == SHT_SYMTAB &&
                    elf_look_up(&image, &section, name);
    elf_close(&image);
    return found;
}
