/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * origin.h - what a profile was recorded from, and whether that is what runs now. Programs are
 * compared by the names of their files, so one that was moved or built again is the same; what an
 * interpreter runs, by the name of its script.
 */
#ifndef RESEAT_ORIGIN_H
#define RESEAT_ORIGIN_H

#include "profile/profile.h"

enum { ORIGIN_SIZE = 4096, ORIGIN_NOTES = 2, ORIGIN_NOTE_SIZE = 640 };

/* The program that runs now. */
struct origin {
    const char *program;   /* its file, without symbolic links; NULL or empty: not known */
    const char *arguments; /* behind its name, with spaces between them; NULL: not known */
    int is_openmpi, is_mpich;
};

/* The program of this process, and its arguments; each fills `text` (ORIGIN_SIZE bytes) and returns
 * it; empty when unknown. They may hold any character. */
const char *origin_own_program(char *text);
const char *origin_own_arguments(char *text);

/* The command line that started the job, as RESEAT_COMMAND has it for the ranks: letters, digits
 * and little else, for launchers may pass the variable through shells. Packing fills `packed`
 * (ORIGIN_SIZE bytes); 0, or -1: it is too long. The other one fills `text`, as above. */
int origin_pack_command(char *packed, const char *line);
const char *origin_own_command(char *text);

/* The name of what was watched, without its folders, and of an interpreter's script; fills `text`
 * and returns it. NULL: the profile does not tell. */
enum { ORIGIN_TITLE_SIZE = 128 };
const char *origin_title(const struct reseat_profile *profile, char text[ORIGIN_TITLE_SIZE]);

/* Returns 1 if an interpreter has this name; its program is a script then. */
int origin_is_interpreter(const char *program);

/*
 * One line each, if the profile that was read from `path` is of another program, and if it has what
 * the collectives of another MPI send. Where the profile does not tell, it is of this one. Returns
 * how many.
 */
int origin_compare(const struct reseat_profile *profile, const char *path, const struct origin *now,
                   char note[ORIGIN_NOTES][ORIGIN_NOTE_SIZE]);

#endif
