/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * doctor.c - `reseat doctor`: why a job gets no better order. It examines the program and asks the
 * ranks (probe.h) where they run, what they are bound to and whether they load the library, and
 * whether MPI works with it (trial.h); with a profile it predicts what an order would gain
 * (doctor-profile.c). The program itself is not run.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/commands.h"
#include "cmd/doctor.h"
#include "cmd/job/child.h"
#include "cmd/job/delivery.h"
#include "cmd/place/trial.h"
#include "cmd/run/reasons.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/output-file.h"
#include "launcher/tried.h"
#include "network/network-source.h"
#include "profile/settings.h"

/* ---- the program ---- */

/* Report why the word in the place of the program cannot be started. */
static void find_unusable(const char *word)
{
    struct stat status;
    if (!strchr(word, '/'))
        doctor_say(IN_THE_WAY, "%s: is not in PATH", word);
    else if (stat(word, &status))
        doctor_say(IN_THE_WAY, "%s: %s", word, strerror(errno));
    else
        doctor_say(IN_THE_WAY, "%s: %s", word, strerror(S_ISDIR(status.st_mode) ? EISDIR : EACCES));
}

/* Returns 1 if there is a program in `command`, as find_job has parsed it. */
static int look_for_program(const struct job *job, char **command)
{
    char path[PATH_MAX];
    int first = delivery_program(job->launcher, command, job->options_at);
    const char *word = command[first] && strcmp(command[first], ":") != 0 ? command[first] : NULL;
    if (!word)
        doctor_say(IN_THE_WAY, job->program < 0
                                   ? "no word of the command is a program that can be found"
                                   : "the first part of the command has no program");
    else if (job->program < 0)
        find_unusable(word);
    else if (first >= job->wrapper || !strchr(word, '/') || find_in_path(word, path) == 0)
        return 1;
    else /* what was found comes after it, and is its argument */
        find_unusable(word);
    return 0;
}

/* Ranks of different programs are not interchangeable: the library keeps their order. */
static void look_for_parts(int parts, const struct reseat_settings *settings)
{
    if (parts > 1)
        doctor_say(
            settings->scope != RESEAT_SCOPE_AUTO,
            "the command has %d parts (`:'), whose ranks are not interchangeable: --scope world if "
            "they are",
            parts);
}

/* Returns 1 if the library can be preloaded into the program. */
static int look_at_program(const struct job *job, char **command)
{
    char why[REASON_SIZE];
    int is_closed = reasons_of_program(job, command, why) == 0;
    if (is_closed)
        doctor_say(IN_THE_WAY, "%s", why);
    if (job->holds_library)
        doctor_say(WELL, "%s has its MPI (%s) and our library in itself", job->path, job->mpi);
    else if (job->linked)
        doctor_say(WELL,
                   strcmp(job->mpi, "abi") == 0 ? "%s is linked with the standard ABI of MPI (%s)"
                                                : "%s is linked with the MPI of its launcher (%s)",
                   job->path, job->mpi);
    else if (!is_closed && reasons_has_no_mpi(job, command))
        doctor_say(IN_THE_WAY,
                   "%s is not linked with an MPI: nothing is recorded or reordered, unless it "
                   "loads one",
                   job->path);
    else if (!is_closed)
        doctor_say(REMARK,
                   "%s is not linked with an MPI: it has to load one, or start a program that is",
                   job->path);
    return !is_closed;
}

/* Another part of the command, as if the launcher started it alone. */
static void look_at_part(const struct job *job, const char *mpi, char **words)
{
    struct job part;
    struct reseat_error error;
    if (find_job(&part, mpi, words, &error))
        doctor_say(IN_THE_WAY, "%s", error.text);
    else if (!look_for_program(&part, words) || strcmp(part.path, job->path) == 0)
        ;
    else if (part.linked && !part.holds_library && job->mpi &&
             (strcmp(part.mpi, job->mpi) != 0 || !job_preloads(job)))
        doctor_say(IN_THE_WAY,
                   "%s (%s) does not get its library: what is preloaded goes by the first program",
                   part.path, part.mpi);
    else
        look_at_program(&part, words);
}

/* The programs of all parts but the first one; `mpi` is the user's, or NULL. */
static void look_at_other_parts(const struct job *job, const char *mpi, char **command)
{
    int count = 0, at = job->options_at;
    if (job_parts(job, command) == 1)
        return;
    while (command[count])
        count++;
    char **words = malloc(((size_t)count + 1) * sizeof *words);
    if (words)
        at = job_take_part(job, command, at, words);
    while (words && at) {
        at = job_take_part(job, command, at, words);
        look_at_part(job, mpi, words);
    }
    free(words);
}

/* ---- the ranks ---- */

/* 0, or -1 if the ranks could not be asked. */
static int ask_ranks(struct probe *p, const struct job *job, char **command)
{
    FILE *said = NULL;
    int rc = probe_job(p, job, command, &said);
    end_if_asked();
    if (rc)
        doctor_say(0, "the launcher cannot be started: %s", strerror(errno));
    else if (p->is_late) {
        doctor_say(
            0, "the launcher has not ended after %d s (RESEAT_PROBE_SECONDS); it says:", p->limit);
        doctor_show_output(said);
    } else if (p->no_host[0]) {
        doctor_say(0, "a rank is on '%s', which is not a host name", p->no_host);
    } else if (!p->ranks) {
        doctor_say(0, "the launcher starts no rank (exit status %d); it says:", p->status);
        doctor_show_output(said);
    }
    if (said)
        fclose(said);
    return rc || p->is_late || !p->ranks || p->no_host[0] ? -1 : 0;
}

/* `moot`: what is in the way of any order has been printed. */
static void tell_bindings(const struct probe *p, const struct reseat_settings *settings, int moot)
{
    const char *topology = settings->topology;
    if (network_source_of(topology) == NETWORK_FROM_TREE)
        doctor_say(1, "where the ranks are is taken from RESEAT_TOPOLOGY, not from these hosts");
    else if (p->unbound && p->hosts == 1)
        doctor_say(
            moot ? REMARK : IN_THE_WAY,
            "%d of %d ranks are bound to nothing, on one host: no order is better than another; "
            "bind them (mpirun --bind-to core)",
            (int)p->unbound, (int)p->ranks);
    else if (p->unbound)
        doctor_say(1, "%d of %d ranks are bound to nothing: they can be placed by host only",
                   (int)p->unbound, (int)p->ranks);
    else
        doctor_say(1, "all ranks are bound");
}

/* The accelerators of the hosts, and what a program that takes one will find. */
static void tell_accelerators(const struct probe *p, const struct reseat_settings *settings)
{
    int32_t most = 0;
    for (int32_t i = 0; i < p->ranks; i++)
        if (p->seat[i].location.accelerators > most)
            most = p->seat[i].location.accelerators;
    if (most == 0)
        return;
    if (settings->keep_local == RESEAT_KEEP_LOCAL_NO)
        doctor_say(REMARK,
                   "%d accelerator%s on a host, and RESEAT_KEEP_LOCAL=no: a program that takes one "
                   "by its local rank may get one that is far from its cores",
                   (int)most, most == 1 ? "" : "s");
    else
        doctor_say(WELL,
                   "%d accelerator%s on a host: a better order leaves local ranks as they are, so "
                   "that a program which takes one by its local rank, or by a variable of the "
                   "launcher, gets the same as without us",
                   (int)most, most == 1 ? "" : "s");
}

/* Not all ranks get the library: report the cause. */
static void tell_unreached(const struct probe *p, const struct job *job, char **command)
{
    char why[REASON_SIZE];
    if (reasons_of_words(job, command, why) == 0)
        doctor_say(IN_THE_WAY, "%s", why);
    else if (p->preload[0])
        doctor_say(IN_THE_WAY,
                   "LD_PRELOAD is %s at a rank: something after the launcher sets it, without the "
                   "library that is there (it reaches %d of %d ranks)",
                   p->preload, (int)p->reached, (int)p->ranks);
    else
        doctor_say(
            IN_THE_WAY,
            "LD_PRELOAD reaches %d of %d ranks: this launcher%s passes on no variables; set those "
            "of `reseat env run` in its own way",
            (int)p->reached, (int)p->ranks,
            job->wrapper < job->program ? ", or what stands before the program," : "");
}

/* `is_open`: the library can be preloaded into the program. */
static void tell_ranks(const struct probe *p, const struct job *job, char **command, int is_open)
{
    doctor_say(WELL, "%d ranks on %d host%s", (int)p->ranks, (int)p->hosts,
               p->hosts == 1 ? "" : "s");
    if (!job_preloads(job))
        ;
    else if (p->reached == p->ranks && p->readable == p->ranks)
        doctor_say(is_open ? WELL : REMARK,
                   is_open ? "all ranks get %s" : "%s reaches the ranks, but has no effect there",
                   job->library);
    else if (p->reached < p->ranks)
        tell_unreached(p, job, command);
    else
        doctor_say(0, "%s is not there for %d of %d ranks: put it where all hosts see it",
                   job->library, (int)(p->ranks - p->readable), (int)p->ranks);
    if (p->is_crowded)
        doctor_say(REMARK, "a host has more ranks than processors: times will mean little");
}

/* ---- MPI ---- */

/* 0: MPI starts and ends with this variable; -1: it does not, or that could not be tried. */
static int try_mpi(struct trial *trial, const struct job *job, char **command, const char *variable)
{
    FILE *said = NULL;
    int rc = trial_job(trial, job, command, variable, &said);
    end_if_asked();
    if (said)
        fclose(said);
    return rc || trial->is_late || trial->status ? -1 : 0;
}

/* MPI does not start and end when watched: report its output, and the cause. */
static void find_broken_mpi(const struct trial *watched, const struct job *job, char **command,
                            FILE *said)
{
    struct trial other = {.variables = watched->variables, .limit = watched->limit};
    const char *whose = "it does not work without recording either: MPI itself is in trouble";
    if (try_mpi(&other, job, command, "RESEAT=off") == 0)
        whose = try_mpi(&other, job, command, "RESEAT_COLLECTIVES=model") == 0
                    ? "with RESEAT_COLLECTIVES=model it works"
                    : "without recording it works";
    if (watched->is_late)
        doctor_say(IN_THE_WAY, "a job that starts MPI and is recorded has not ended after %d s; %s",
                   watched->limit, whose);
    else
        doctor_say(IN_THE_WAY, "a job that starts MPI and is recorded fails (exit status %d); %s",
                   watched->status, whose);
    doctor_show_output(said);
}

/* Which MPI the ranks get, and where the traffic of its collectives would come from. */
static void look_at_mpi(const struct probe *p, const struct job *job, char **command)
{
    struct trial trial = {.variables = p->variables, .limit = p->limit};
    FILE *said = NULL;
    for (int32_t i = 0; i < p->ranks; i++)
        if (!p->seat[i].is_known)
            return; /* no reseat there */
    int rc = trial_job(&trial, job, command, NULL, &said);
    end_if_asked();
    if (rc)
        doctor_say(IN_THE_WAY, "the launcher cannot be started: %s", strerror(errno));
    else if (!trial.mpi[0] || (trial.status && !trial.is_late)) /* MPICH may hang in MPI_Finalize */
        find_broken_mpi(&trial, job, command, said);
    else {
        doctor_say(WELL, "the ranks run on %s", trial.mpi);
        if (!tried_has(trial.mpi))
            doctor_say(REMARK,
                       "no release of that series was tried (README lists those that were): "
                       "what belongs to the inside of an MPI is left alone");
        doctor_say(WELL, "what its collectives send comes from: %s", trial.collectives);
    }
    if (said)
        fclose(said);
}

/* ---- the job ---- */

static void find_setting(void *context, const char *line)
{
    (void)context;
    doctor_say(0, "%s", line);
}

static void look_at_job(struct probe *p, const struct job_run *run)
{
    const struct job *job = &run->job;
    char **command = run->command;
    struct reseat_error error;
    if (!look_for_program(job, command))
        return;
    int is_open = look_at_program(job, command);
    look_at_other_parts(job, run->options.mpi, command);
    look_for_parts(job_parts(job, command), &run->settings);
    p->limit = run->settings.probe_seconds;
    p->variables = &run->variables;
    p->asks_places = 1;
    if (variables_fit(job, &run->variables, &error)) {
        doctor_say(IN_THE_WAY, "%s", error.text);
        return;
    }
    if (ask_ranks(p, job, command))
        return;
    tell_ranks(p, job, command, is_open);
    tell_bindings(p, &run->settings, reasons_has_no_mpi(job, command));
    tell_accelerators(p, &run->settings);
    if (job_preloads(job) && p->reached == p->ranks && p->readable == p->ranks)
        look_at_mpi(p, job, command);
}

/* Examine the job and its profile. Returns 1 if there is nothing to gain. */
static int doctor_examine(struct document *d, struct job_run *run)
{
    struct probe probe = {0};
    const char *mpi = run->job.standard_abi ? "standard ABI of MPI" : run->job.mpi;
    const char *library = run->job.standard_abi    ? "none"
                          : run->job.holds_library ? "in the program"
                                                   : run->job.library;
    doctor_print("%s, library %s", mpi, library);
    document_text(d, "mpi", mpi);
    document_text(d, "library", library);
    document_open(d, "findings", '[');
    job_run_settings(run, find_setting, NULL);
    look_at_job(&probe, run);
    int is_without_gain = run->profile && doctor_look_at_profile(&probe, run);
    probe_free(&probe);
    job_run_clean_up(run);
    return is_without_gain;
}

int cmd_doctor(int argc, char **argv)
{
    static struct job_run run;
    struct reseat_error error;
    int status = job_run_prepare_doctor(&run, argc, argv), is_without_gain = 0;
    const struct named_output output = {"json", run.options.json};
    if (status || (status = cli_status(check_outputs(&output, 1, &run.profile, 1, &error), &error)))
        return status;
    struct document *d = doctor_begin(run.options.json);
    if (run.command)
        is_without_gain = doctor_examine(d, &run);
    else
        installation_look_at(d);
    int troubles = doctor_conclude(is_without_gain, &error);
    return troubles < 0 ? cli_status(-1, &error) : troubles ? EXIT_TROUBLE : 0;
}
