/* SPDX-License-Identifier: BSD-3-Clause */
/* elf.c - see elf.h. */
#include "cmd/job/elf.h"

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Read the name of the dynamic loader from a segment. 0, or -1. */
static int elf_read_loader(FILE *file, const Elf64_Phdr *segment, char loader[PATH_MAX])
{
    size_t size = segment->p_filesz < PATH_MAX ? (size_t)segment->p_filesz : PATH_MAX - 1;
    if (fseek(file, (long)segment->p_offset, SEEK_SET) || fread(loader, 1, size, file) != size)
        return -1;
    loader[size] = '\0';
    return 0;
}

/* Read the header of a 64-bit file. 0, or -1. */
static int elf_read_header(FILE *file, Elf64_Ehdr *header)
{
    return fread(header, sizeof *header, 1, file) == 1 &&
                   memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
                   header->e_ident[EI_CLASS] == ELFCLASS64
               ? 0
               : -1;
}

/* Read segment number `number`. 0, or -1. */
static int elf_read_segment(FILE *file, const Elf64_Ehdr *header, int number, Elf64_Phdr *segment)
{
    uint64_t at = header->e_phoff + (uint64_t)number * header->e_phentsize;
    return fseek(file, (long)at, SEEK_SET) == 0 && fread(segment, sizeof *segment, 1, file) == 1
               ? 0
               : -1;
}

enum elf_kind elf_kind_of(const char *path, char loader[PATH_MAX])
{
    char ignored[PATH_MAX];
    char *name = loader ? loader : ignored;
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    enum elf_kind kind = ELF_NONE;
    FILE *file = fopen(path, "re");
    if (file && elf_read_header(file, &header) == 0)
        kind = ELF_STATIC;
    for (int i = 0; kind == ELF_STATIC && i < header.e_phnum; i++)
        if (elf_read_segment(file, &header, i, &segment) == 0 && segment.p_type == PT_INTERP &&
            elf_read_loader(file, &segment, name) == 0)
            kind = ELF_DYNAMIC;
    if (file)
        fclose(file);
    if (kind != ELF_DYNAMIC)
        name[0] = '\0';
    return kind;
}

/* ---- what it needs ---- */

/* A file, and where the loader puts its parts. */
struct elf_image {
    FILE *file;
    Elf64_Ehdr header;
};

/* The position in the file of what the loader puts at an address; -1: none. */
static long elf_position(const struct elf_image *image, uint64_t address)
{
    Elf64_Phdr segment;
    for (int i = 0; i < image->header.e_phnum; i++)
        if (elf_read_segment(image->file, &image->header, i, &segment) == 0 &&
            segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
            address - segment.p_vaddr < segment.p_filesz)
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
    struct elf_image image = {.file = fopen(path, "re")};
    Elf64_Phdr segment;
    if (image.file && elf_read_header(image.file, &image.header) == 0)
        for (int i = 0; i < image.header.e_phnum; i++)
            if (elf_read_segment(image.file, &image.header, i, &segment) == 0 &&
                segment.p_type == PT_DYNAMIC)
                elf_see_needs(&image, &segment, see, context);
    if (image.file)
        fclose(image.file);
}

/* ---- which build it is ---- */

/* Read the build ID from a segment of notes: each has a header, a name and a value, both padded to
 * four bytes. 0, or -1. */
static int elf_read_build(FILE *file, const Elf64_Phdr *segment, char build[ELF_BUILD_SIZE])
{
    unsigned char bytes[4096];
    Elf64_Nhdr note;
    size_t size = segment->p_filesz < sizeof bytes ? (size_t)segment->p_filesz : sizeof bytes;
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
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
            memcmp(bytes + at, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0 && note.n_descsz > 0 &&
            2 * note.n_descsz < ELF_BUILD_SIZE) {
            for (size_t i = 0; i < note.n_descsz; i++)
                sprintf(build + 2 * i, "%02x", bytes[value + i]);
            return 0;
        }
        at = (end + 3) / 4 * 4;
    }
    return -1;
}

int elf_build_of(const char *path, char build[ELF_BUILD_SIZE])
{
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    FILE *file = fopen(path, "re");
    int found = -1;
    if (file && elf_read_header(file, &header) == 0)
        for (int i = 0; found && i < header.e_phnum; i++)
            if (elf_read_segment(file, &header, i, &segment) == 0 && segment.p_type == PT_NOTE)
                found = elf_read_build(file, &segment, build);
    if (file)
        fclose(file);
    return found;
}
