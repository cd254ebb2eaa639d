/* SPDX-License-Identifier: BSD-3-Clause */
/* installation.c - see doctor.h: for `reseat --version -v`, and for `reseat doctor` without a job.
 * A module can be loaded if a program that is started with it in LD_PRELOAD prints nothing: the
 * dynamic loader says there what is missing. */
#include "cmd/doctor.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/job/job.h"
#include "cmd/shell/library.h"
#include "config.h"

/* What is installed beside the command. */
static const struct installed_part {
    const char *file, *purpose;
    const char *mpi; /* of which it is; NULL: optional */
    int is_program;
} installed_parts[] = {
    {"libreseat-openmpi.so", "jobs of Open MPI", "openmpi", 0},
    {"reseat-replay-openmpi", "replay with Open MPI", "openmpi", 1},
    {"reseat-measure-openmpi", "measure with Open MPI", "openmpi", 1},
    {"libreseat-mpich.so", "jobs of MPICH", "mpich", 0},
    {"reseat-replay-mpich", "replay with MPICH", "mpich", 1},
    {"reseat-measure-mpich", "measure with MPICH", "mpich", 1},
    {"libreseat-abi.so", "jobs of the standard ABI", "abi", 0},
    {"reseat-replay-abi", "replay with that ABI", "abi", 1},
    {"reseat-measure-abi", "measure with that ABI", "abi", 1},
    {"reseat-replay-simgrid.so", "replay with SimGrid", NULL, 1},
    {"reseat-measure-simgrid.so", "measure with SimGrid", NULL, 1},
    {"reseat-cairo.so", "pictures as PNG", NULL, 0},
    {"reseat-scotch.so", "the methods scotch, ...", NULL, 0},
};
enum { INSTALLED_PARTS = sizeof installed_parts / sizeof installed_parts[0] };

/* Say where something is, and what is wrong with it. */
static void installed_say(enum doctor_kind kind, const char *what, const char *where,
                          const char *why)
{
    char text[LIBRARY_PATH_SIZE + 1024];
    snprintf(text, sizeof text, "%s%s%s", where, *why ? ": " : "", why);
    doctor_find(kind, what, text);
}

/* Returns 1 if the line, which is not the beginning of its text, has a number like 4.1. */
static int installed_has_version(const char *line)
{
    for (line = strchr(line, '.'); line; line = strchr(line + 1, '.'))
        if (isdigit((unsigned char)line[-1]) && isdigit((unsigned char)line[1]))
            return 1;
    return 0;
}

/* Copy a line, with one space where it has several, and none at its beginning. */
static void installed_squeeze(char found[512], const char *text)
{
    size_t length = 0;
    for (; *text; text++)
        if (*text != ' ' || (length && found[length - 1] != ' '))
            found[length++] = *text;
    found[length] = '\0';
}

/* The first line that a command prints on standard error or output, or the first with a version; ""
 * if there is none. */
static void installed_ask(const char *const *words, int for_version, char found[512])
{
    FILE *pipe = job_pipe(words, "</dev/null 2>&1");
    char line[512] = " ", *text = line + 1;
    found[0] = '\0';
    while (pipe && fgets(text, sizeof line - 1, pipe)) {
        text[strcspn(text, "\r\n")] = '\0';
        if (!*found && (!for_version || installed_has_version(text)))
            installed_squeeze(found, text);
    }
    if (pipe)
        pclose(pipe);
}

/* Returns 1 if the part is installed. */
static int installed_look_at(const struct installed_part *part)
{
    char path[LIBRARY_PATH_SIZE], where[LIBRARY_WHERE_SIZE], preload[LIBRARY_PATH_SIZE + 16];
    char said[512] = "";
    if (locate_module(part->file, path, where)) {
        installed_say(REMARK, part->purpose, "not installed", "");
        return 0;
    }
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s", path);
    const char *const words[] = {"env", preload, "true", NULL};
    if (!part->is_program)
        installed_ask(words, 0, said);
    else if (access(path, X_OK))
        snprintf(said, sizeof said, "cannot be executed");
    installed_say(!*said ? WELL : part->mpi ? IN_THE_WAY : REMARK, part->purpose, path, said);
    return 1;
}

/* A launcher, if it is there, and if something is installed for its MPI. */
static void installed_look_for_launcher(const char *name, const char *const *mpis)
{
    struct reseat_error error;
    static struct job job;
    char path[4096], version[512], why[600], *command[] = {(char *)name, NULL};
    if (find_in_path(name, path) || find_job(&job, NULL, command, &error))
        return;
    const char *const words[] = {path, "--version", NULL};
    installed_ask(words, 1, version);
    int is_served = !job.mpi;
    for (; *mpis; mpis++)
        is_served |= job.mpi && strcmp(*mpis, job.mpi) == 0;
    snprintf(why, sizeof why, "%s%s", version,
             is_served ? "" : ", for whose MPI nothing is installed");
    installed_say(is_served ? WELL : IN_THE_WAY, name, path, why);
}

void installation_look_at(struct document *d)
{
    static const char *const launchers[] = {
        "mpirun", "mpiexec", "mpirun.openmpi", "mpirun.mpich", "prterun", "srun", "flux"};
    char self[4096] = "";
    const char *mpis[INSTALLED_PARTS + 1] = {NULL};
    int count = 0;
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        self[0] = '\0';
    doctor_print("reseat %s, %s", PACKAGE_VERSION, self);
    document_text(d, "version", PACKAGE_VERSION);
    document_text(d, "command", self);
    document_open(d, "findings", '[');
    for (int i = 0; i < INSTALLED_PARTS; i++)
        if (installed_look_at(&installed_parts[i]) && installed_parts[i].mpi &&
            !installed_parts[i].is_program)
            mpis[count++] = installed_parts[i].mpi;
    if (count == 0)
        installed_say(IN_THE_WAY, "MPI", "no library is installed for any", "");
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        installed_look_for_launcher(launchers[i], mpis);
}
