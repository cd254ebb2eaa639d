/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * doctor.c - `reseat doctor`: why a job gets no better order. It looks at the program, and starts
 * the launcher once with a shell in the program's place, which tells on each rank where it is, what
 * it is bound to and whether the library has come there; with a profile it says what the order
 * would gain. The program itself is not run.
 */
#include <elf.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "format/switches.h"

static int troubles;

/* One finding: `good` or not. */
static void find(int good, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void find(int good, const char *format, ...)
{
    va_list arguments;
    printf(good ? "  ok  " : "  !!  ");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    troubles += !good;
}

/* ---- the program ---- */

/* Whether an ELF file names a dynamic loader; -1: not an ELF file of 64 bits. */
static int is_dynamic(const char *path)
{
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    int found = 0;
    FILE *file = fopen(path, "re");
    if (!file || fread(&header, sizeof header, 1, file) != 1 ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) {
        if (file)
            fclose(file);
        return -1;
    }
    for (int i = 0; i < header.e_phnum && !found; i++)
        found =
            fseek(file, (long)(header.e_phoff + (uint64_t)i * header.e_phentsize), SEEK_SET) == 0 &&
            fread(&segment, sizeof segment, 1, file) == 1 && segment.p_type == PT_INTERP;
    fclose(file);
    return found;
}

static void look_at_program(const char *path, const struct job *job)
{
    struct stat status;
    if (stat(path, &status)) {
        find(0, "%s: %s", path, strerror(errno));
        return;
    }
    int dynamic = is_dynamic(path);
    if (dynamic == 0)
        find(0, "%s is linked statically: no library can be preloaded into it", path);
    if (status.st_mode & (S_ISUID | S_ISGID))
        find(0, "%s is setuid or setgid: the system drops LD_PRELOAD", path);
    if (job->linked)
        find(1, "%s is linked with the MPI of its launcher (%s)", path, job->mpi);
    else if (dynamic)
        find(1, "%s is no program that is linked with an MPI: it has to start or load one", path);
}

/* ---- the ranks ---- */

enum { MOST_RANKS = 1 << 20 };

struct host {
    char name[256];
    int32_t ranks;
};

struct probe {
    struct host *host;
    int32_t *node_of;
    int32_t ranks, nodes;
    int reached, readable, unbound, crowded;
};

static const char script[] = "echo reseat-probe $(uname -n) "
                             "$(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status) "
                             "$(getconf _NPROCESSORS_ONLN) "
                             "$(test -r \"$RESEAT_DOCTOR\" && echo yes || echo no) "
                             "\"${LD_PRELOAD:-none}\"";

/* How many numbers a list like "0-3,8" has. */
static int count_list(const char *text)
{
    int count = 0, first, last, length;
    while (sscanf(text, "%d%n", &first, &length) == 1) {
        text += length;
        last = first;
        if (*text == '-' && sscanf(text + 1, "%d%n", &last, &length) == 1)
            text += 1 + length;
        count += last - first + 1;
        text += *text == ',';
    }
    return count;
}

/* For one rank and one host more. 0, or -1 when memory is short. */
static int make_room(struct probe *p)
{
    size_t room = p->ranks ? 2 * (size_t)p->ranks : 1;
    if (p->ranks & (p->ranks - 1))
        return 0;
    struct host *hosts = realloc(p->host, room * sizeof *hosts);
    if (!hosts)
        return -1;
    p->host = hosts;
    int32_t *nodes = realloc(p->node_of, room * sizeof *nodes);
    if (!nodes)
        return -1;
    p->node_of = nodes;
    return 0;
}

/* One line of a rank. 0, or -1 when memory is short. */
static int take_line(struct probe *p, const char *line, const struct job *job)
{
    char host[256], list[1024], readable[8], preload[4096];
    int online, node = 0;
    if (sscanf(line, "reseat-probe %255s %1023s %d %7s %4095s", host, list, &online, readable,
               preload) != 5 ||
        p->ranks == MOST_RANKS)
        return 0;
    if (make_room(p))
        return -1;
    while (node < p->nodes && strcmp(p->host[node].name, host) != 0)
        node++;
    if (node == p->nodes) {
        strcpy(p->host[node].name, host);
        p->host[node].ranks = 0;
        p->nodes++;
    }
    p->node_of[p->ranks++] = node;
    p->reached += strstr(preload, job->library) != NULL;
    p->readable += strcmp(readable, "yes") == 0;
    p->unbound += count_list(list) >= online;
    p->crowded |= ++p->host[node].ranks > online;
    return 0;
}

/* Run the launcher with the shell in the place of the program; what it prints goes to `file`. */
static int run_probe(const struct job *job, char **command, FILE *file)
{
    char *words[4096];
    int n = 0, status;
    for (; n < job->program && n < 4090; n++)
        words[n] = command[n];
    words[n++] = (char *)"sh";
    words[n++] = (char *)"-c";
    words[n++] = (char *)script;
    words[n] = NULL;
    fflush(stdout);
    pid_t child = fork();
    if (child < 0)
        return -1;
    if (child == 0) {
        dup2(fileno(file), STDOUT_FILENO);
        dup2(fileno(file), STDERR_FILENO);
        _exit(run_prepared("doctor", words, 1));
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void show_output(FILE *file)
{
    char line[512];
    rewind(file);
    for (int i = 0; i < 10 && fgets(line, sizeof line, file); i++)
        printf("        %s%s", line, strchr(line, '\n') ? "" : "\n");
}

/* 0, or -1 when the ranks could not be asked. */
static int ask_ranks(struct probe *p, const struct job *job, char **command)
{
    char line[8192];
    FILE *file = tmpfile();
    int status = file ? run_probe(job, command, file) : -1;
    if (status < 0) {
        find(0, "the launcher cannot be started: %s", strerror(errno));
        return -1;
    }
    rewind(file);
    while (fgets(line, sizeof line, file))
        if (take_line(p, line, job))
            break;
    if (!p->ranks) {
        find(0, "the launcher starts no rank (exit status %d); it says:", status);
        show_output(file);
    }
    fclose(file);
    return p->ranks ? 0 : -1;
}

static void tell_ranks(const struct probe *p, const struct job *job)
{
    find(1, "%d ranks on %d host%s", (int)p->ranks, (int)p->nodes, p->nodes == 1 ? "" : "s");
    if (p->reached == p->ranks && p->readable == p->ranks)
        find(1, "all ranks get %s", job->library);
    else if (p->reached < p->ranks)
        find(0,
             "LD_PRELOAD reaches %d of %d ranks: this launcher hands no variables on; set those of "
             "`reseat env run` in its own way",
             p->reached, (int)p->ranks);
    else
        find(0, "%s is not there for %d of %d ranks: put it where all hosts see it", job->library,
             (int)p->ranks - p->readable, (int)p->ranks);
    if (p->crowded)
        find(0, "a host has more ranks than processors: times will tell little");
    if (p->unbound && p->nodes == 1)
        find(0,
             "%d of %d ranks are bound to nothing, on one host: no order is better than another; "
             "bind them (mpirun --bind-to core)",
             p->unbound, (int)p->ranks);
    else if (p->unbound)
        find(1, "%d of %d ranks are bound to nothing: they can be placed by host only", p->unbound,
             (int)p->ranks);
    else
        find(1, "all ranks are bound");
}

/* ---- the profile ---- */

/* The tree of the hosts, below the switches of the file that RESEAT_TOPOLOGY may name. 0, or -1. */
static int make_tree(const struct probe *p, const struct tmap_place *places,
                     struct tmap_tree **tree, int32_t *slots, struct tmap_error *why)
{
    const char *file = getenv("RESEAT_TOPOLOGY");
    struct reseat_network network = {0};
    const char **hosts = malloc(((size_t)p->nodes + 1) * sizeof *hosts);
    for (int32_t n = 0; hosts && n < p->nodes; n++)
        hosts[n] = p->host[n].name;
    int rc = hosts ? 0 : -1;
    if (rc == 0 && file && reseat_switches_is_path(file))
        rc = find_network(&network, file, hosts, p->nodes, why);
    const struct tmap_job job = {.processes = p->ranks,
                                 .node_of = p->node_of,
                                 .places = places,
                                 .switch_levels = network.levels,
                                 .switches = network.switches,
                                 .nodes = p->nodes};
    if (rc == 0)
        rc = tmap_tree_create_from_job(tree, &job, slots, why) ? -1 : 0;
    reseat_network_free(&network);
    free(hosts);
    return rc;
}

/* What an order would gain between hosts; places inside them are not known here. */
static void predict(const struct probe *p, const struct reseat_profile *profile)
{
    struct tmap_error why = {"out of memory"};
    struct tmap_entry *entries = NULL;
    struct tmap_matrix *matrix = NULL;
    struct tmap_tree *tree = NULL;
    struct tmap_options options;
    struct tmap_cost before, after;
    size_t count, n = (size_t)p->ranks;
    const char *method;
    struct tmap_place *places = malloc(n * sizeof *places);
    int32_t *launch = malloc(n * sizeof *launch), *best = malloc(n * sizeof *best);
    tmap_options_init(&options);
    for (size_t r = 0; places && r < n; r++)
        for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
            places[r].at[level] = -1;
    if (!places || !launch || !best ||
        reseat_profile_weights(profile, 0, 1, RESEAT_METRIC_SIZE, &entries, &count, NULL) ||
        tmap_matrix_create(&matrix, p->ranks, entries, count, &why) ||
        make_tree(p, places, &tree, launch, &why) ||
        best_mapping(matrix, tree, &options, launch, best, &method, &why) ||
        tmap_cost_of(matrix, tree, launch, &before, &why) ||
        tmap_cost_of(matrix, tree, best, &after, &why)) {
        find(0, "%s", why.text);
    } else {
        double gain = before.cost > 0 ? 100 * (1 - after.cost / before.cost) : 0;
        find(gain >= 2, "a better order on these hosts would lower the predicted cost by %.1f %%%s",
             gain, gain >= 2 ? "" : ", too little to reorder for (RESEAT_MIN_GAIN, 2 %)");
    }
    free(places);
    free(launch);
    free(best);
    free(entries);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

static void look_at_profile(const struct probe *p, const char *path)
{
    struct reseat_profile *profile;
    struct reseat_error error;
    if (reseat_profile_read(&profile, path, &error)) {
        find(0, "%s", error.text);
        return;
    }
    if (p->ranks && profile->ranks != p->ranks)
        find(0, "%s is of %d ranks, this job has %d: watch it once more", path, (int)profile->ranks,
             (int)p->ranks);
    else if (p->ranks)
        predict(p, profile);
    for (size_t i = 0; i < profile->headers_count; i++)
        if (strcmp(profile->headers[i].key, "not_seen") == 0)
            find(1, "not in the profile: %s", profile->headers[i].value);
        else if (strcmp(profile->headers[i].key, "rank_variable") == 0)
            find(1,
                 "the program asks for %s, which no reordering changes: see THE WORLD in reseat(1)",
                 profile->headers[i].value);
    reseat_profile_destroy(profile);
}

int cmd_doctor(int argc, char **argv)
{
    char **command;
    struct job job;
    struct probe probe = {0};
    const char *profile;
    int status = prepare_doctor(argc, argv, &profile, &job, &command);
    if (status)
        return status;
    printf("%s, library %s\n", job.mpi, job.library);
    if (job.program < 0) {
        find(0, "no word of the command is a program that can be found");
    } else {
        look_at_program(job.path, &job);
        if (ask_ranks(&probe, &job, command) == 0)
            tell_ranks(&probe, &job);
    }
    if (profile)
        look_at_profile(&probe, profile);
    printf(troubles ? "%d thing%s in the way\n" : "nothing is in the way\n", troubles,
           troubles == 1 ? "" : "s");
    free(probe.host);
    free(probe.node_of);
    return troubles ? EXIT_TROUBLE : 0;
}
