/* SPDX-License-Identifier: BSD-3-Clause */
/* elf.c - see elf.h. */
#include "cmd/job/elf.h"

#include <elf.h>
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

enum elf_kind elf_kind_of(const char *path, char loader[PATH_MAX])
{
    char ignored[PATH_MAX];
    char *name = loader ? loader : ignored;
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    enum elf_kind kind = ELF_NONE;
    FILE *file = fopen(path, "re");
    if (file && fread(&header, sizeof header, 1, file) == 1 &&
        memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64)
        kind = ELF_STATIC;
    for (int i = 0; kind == ELF_STATIC && i < header.e_phnum; i++)
        if (fseek(file, (long)(header.e_phoff + (uint64_t)i * header.e_phentsize), SEEK_SET) == 0 &&
            fread(&segment, sizeof segment, 1, file) == 1 && segment.p_type == PT_INTERP &&
            elf_read_loader(file, &segment, name) == 0)
            kind = ELF_DYNAMIC;
    if (file)
        fclose(file);
    if (kind != ELF_DYNAMIC)
        name[0] = '\0';
    return kind;
}
