/* SPDX-License-Identifier: BSD-3-Clause */
/* trial.c - see trial.h; and `reseat trial`, which runs on the ranks. */
#include "cmd/place/trial.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "cmd/job/child.h"
#include "cmd/job/job-start.h"
#include "cmd/place/probe.h"
#include "cmd/shell/complain.h"

enum { TRIAL_MOST_WORDS = 4096, TRIAL_OWN_WORDS = 16 };

/* Start again with the MPI of the program in front of the one that our library is linked with: the
 * symbols of both are the same. Returns if that cannot be. */
static void trial_start_with(const char *mpi, char **argv)
{
    char preload[2 * LIBRARY_PATH_SIZE];
    const char *ours = getenv("LD_PRELOAD");
    int length = snprintf(preload, sizeof preload, "%s:%s", ours ? ours : "", mpi);
    char *const words[] = {argv[0], argv[0], NULL};
    if (length < (int)sizeof preload && setenv("LD_PRELOAD", preload, 1) == 0)
        execv("/proc/self/exe", words);
}

/* This command is not linked with any MPI: the preloaded library has loaded that of the job, and
 * the functions called here have the same types in every MPI. The library prints what it finds, as
 * for a user with RESEAT_VERBOSE=2. */
int cmd_trial(int argc, char **argv)
{
    int (*init)(int *, char ***) = (int (*)(int *, char ***))dlsym(RTLD_DEFAULT, "MPI_Init");
    int (*finalize)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "MPI_Finalize");
    if (argc > 1)
        trial_start_with(argv[1], argv);
    if (!init || !finalize)
        return cli_fail(EXIT_USAGE, "needs the preloaded library of an MPI");
    return init(NULL, NULL) || finalize() ? EXIT_TROUBLE : 0;
}

/* Read a line "reseat: MPI; what its collectives send: SOURCE". */
static void trial_take_line(struct trial *trial, char *line)
{
    static const char ours[] = "reseat: ", between[] = "; what its collectives send: ";
    char *mpi = strstr(line, ours), *source = mpi ? strstr(mpi, between) : NULL;
    if (!source)
        return;
    *source = '\0';
    snprintf(trial->mpi, sizeof trial->mpi, "%s", mpi + strlen(ours));
    source += strlen(between);
    source[strcspn(source, "\r\n")] = '\0';
    snprintf(trial->collectives, sizeof trial->collectives, "%s", source);
}

int trial_job(struct trial *trial, const struct job *job, char **argv, const char *variable,
              FILE **said)
{
    char *words[TRIAL_MOST_WORDS], self[PATH_MAX] = "", line[16384];
    trial->mpi[0] = trial->collectives[0] = '\0';
    *said = open_answer();
    if (!*said || readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return -1;
    int n = probe_words(job, argv, words, TRIAL_MOST_WORDS - TRIAL_OWN_WORDS);
    char *const first[] = {(char *)"env", (char *)"RESEAT=profile", (char *)"RESEAT_VERBOSE=2",
                           (char *)"RESEAT_FILE=/dev/null"};
    memcpy(words + n, first, sizeof first);
    n += (int)(sizeof first / sizeof first[0]);
    if (variable)
        words[n++] = (char *)variable;
    words[n++] = self;
    words[n++] = (char *)"trial";
    if (job->own_mpi[0])
        words[n++] = (char *)job->own_mpi;
    words[n] = NULL;
    struct answer answer = {*said, trial->limit, 0};
    trial->status = job_start_and_ask(job, trial->variables, words, &answer);
    if (trial->status == -1)
        return -1;
    trial->is_late = answer.is_late;
    rewind(*said);
    while (fgets(line, sizeof line, *said))
        trial_take_line(trial, line);
    rewind(*said);
    return 0;
}
