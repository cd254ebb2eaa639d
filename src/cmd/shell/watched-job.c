/* SPDX-License-Identifier: BSD-3-Clause */
/* watched-job.c - see watched-job.h. The profile has the program's arguments without quotes, so
 * where that is all that it has they are left to the person. */
#include "cmd/shell/watched-job.h"

#include "cmd/shell/shell-word.h"

/* A header that has a value; NULL: it has none. */
static const char *watched_header(const struct reseat_profile *profile, const char *key)
{
    const char *value = reseat_profile_header(profile, key);
    return value && *value ? value : NULL;
}

void watched_job_print(FILE *file, const struct reseat_profile *profile)
{
    const char *command = watched_header(profile, "command");
    const char *program = watched_header(profile, "program");
    if (command) {
        fputs(command, file);
        return;
    }
    fprintf(file, "mpirun -n %d ", (int)profile->ranks);
    shell_word_print(file, program ? program : "./app");
    if (watched_header(profile, "arguments"))
        fputs(" ARGUMENTS...", file);
}

const char *watched_job_lack(const struct reseat_profile *profile)
{
    if (watched_header(profile, "command"))
        return NULL;
    if (watched_header(profile, "arguments"))
        return "Put your launcher and its options in the place of mpirun, and what your program "
               "is given in that of ARGUMENTS...";
    if (watched_header(profile, "program") && !reseat_profile_header(profile, "arguments"))
        return "Put your launcher and its options in the place of mpirun, and add what your "
               "program is given, which the profile does not have.";
    return watched_header(profile, "program")
               ? "Put your launcher and its options in the place of mpirun."
               : "Put your launcher and its options in the place of mpirun, and your program in "
                 "that of ./app.";
}

int watched_job_is_known(const struct reseat_profile *profile)
{
    return reseat_profile_header(profile, "ranks") != NULL; /* only files of profiles have it */
}
