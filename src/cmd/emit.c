/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit.c - the files of the launchers, and how they are told to obey them:
 *
 *   openmpi   a host for each rank: mpirun --hostfile FILE --map-by seq --bind-to none
 *             (mpirun(1) of Open MPI 4.1, "Mapping, Ranking, and Binding",
 *             https://www.open-mpi.org/doc/v4.1/man1/mpirun.1.php)
 *   rankfile  `rank R=HOST slot=CORES`: mpirun --rankfile FILE (the same page, "Rankfiles"); slots
 *             are logical cores, or PUs with --use-hwthread-cpus
 *   prrte     the same for Open MPI 5 and prterun: --map-by rankfile:file=FILE
 *             (https://docs.open-mpi.org/en/v5.0.x/man-openmpi/man1/mpirun.1.html)
 *   hydra     HOST:RANKS in order of rank: mpiexec -f FILE -bind-to user:PUS,PUS,...
 *             (https://github.com/pmodels/mpich/blob/main/doc/wiki/how_to/Using_the_Hydra_Process_Manager.md)
 *             The list of hosts is gone through again where it is shorter than the ranks.
 *   slurm     a host for each task: SLURM_HOSTFILE=FILE srun --distribution=arbitrary
 *             --cpu-bind=map_cpu:PU,PU,... (mask_cpu where a task has several PUs)
 *             (https://slurm.schedmd.com/srun.html)
 *   cray      the ranks in order of the slots they get: MPICH_RANK_REORDER_METHOD=3 with the file
 *             named MPICH_RANK_ORDER in the working directory
 *             (https://cpe.ext.hpe.com/docs/latest/mpt/mpich/intro_mpi.html)
 *   flux      a host for each task: flux run --taskmap=hostfile:FILE
 *             (https://flux-framework.readthedocs.io/projects/flux-core/en/latest/man1/flux-run.html)
 *   lsf       the tasks that share a host, host by host: LSB_TASK_GEOMETRY="$(cat FILE)"; which
 *             host has which group is LSF's decision
 *             (https://www.ibm.com/docs/en/spectrum-lsf/10.1.0?topic=jobs-running-task-geometry)
 */
#include "cmd/emit.h"

#include <stdlib.h>
#include <string.h>

#include "format/host-name.h"

typedef int emitter(FILE *file, const struct emit_seat *seats, const int32_t *slot_of,
                    int32_t ranks, char *why);

static int emit_hosts(FILE *file, const struct emit_seat *seats, const int32_t *slot_of,
                      int32_t ranks, char *why)
{
    (void)slot_of;
    (void)why;
    for (int32_t rank = 0; rank < ranks; rank++)
        fprintf(file, "%s\n", seats[rank].host);
    return 0;
}

static int emit_rankfile(FILE *file, const struct emit_seat *seats, const int32_t *slot_of,
                         int32_t ranks, char *why)
{
    (void)slot_of;
    for (int32_t rank = 0; rank < ranks; rank++)
        if (seats[rank].core < 0 && !seats[rank].slots) {
            snprintf(why, 256,
                     "the core of rank %d is not known, which a rankfile needs; --emit "
                     "openmpi needs hosts only",
                     (int)rank);
            return -1;
        }
    for (int32_t rank = 0; rank < ranks; rank++)
        if (seats[rank].slots)
            fprintf(file, "rank %d=%s slot=%s\n", (int)rank, seats[rank].host, seats[rank].slots);
        else
            fprintf(file, "rank %d=%s slot=%d\n", (int)rank, seats[rank].host,
                    (int)seats[rank].core);
    return 0;
}

static int emit_hydra(FILE *file, const struct emit_seat *seats, const int32_t *slot_of,
                      int32_t ranks, char *why)
{
    (void)slot_of;
    (void)why;
    ranks = hydra_entries(seats, ranks);
    for (int32_t first = 0, rank = 0; rank < ranks; first = rank) {
        while (rank < ranks && same_host(seats, rank, first))
            rank++;
        fprintf(file, "%s:%d\n", seats[first].host, (int)(rank - first));
    }
    return 0;
}

static int emit_cray(FILE *file, const struct emit_seat *seats, const int32_t *slot_of,
                     int32_t ranks, char *why)
{
    int32_t slots = 0;
    (void)seats;
    for (int32_t rank = 0; rank < ranks; rank++)
        slots = slot_of[rank] >= slots ? slot_of[rank] + 1 : slots;
    int32_t *rank_on = malloc(sizeof *rank_on * (size_t)(slots + 1));
    if (!rank_on) {
        snprintf(why, 256, "out of memory");
        return -1;
    }
    memset(rank_on, 0xff, sizeof *rank_on * (size_t)(slots + 1));
    for (int32_t rank = 0; rank < ranks; rank++)
        rank_on[slot_of[rank]] = rank;
    const char *comma = "";
    for (int32_t slot = 0; slot < slots; slot++)
        if (rank_on[slot] >= 0) {
            fprintf(file, "%s%d", comma, (int)rank_on[slot]);
            comma = ",";
        }
    fprintf(file, "\n");
    free(rank_on);
    return 0;
}

/* {(0,3)(1,4)(2,5)}: each host at its first rank. */
static int emit_geometry(FILE *file, const struct emit_seat *seats, const int32_t *slot_of,
                         int32_t ranks, char *why)
{
    char *done = calloc((size_t)ranks + 1, 1);
    (void)slot_of;
    if (!done) {
        snprintf(why, 256, "out of memory");
        return -1;
    }
    fprintf(file, "{");
    for (int32_t first = 0; first < ranks; first++) {
        if (done[first])
            continue;
        for (int32_t rank = first; rank < ranks; rank++)
            if (!done[rank] && same_host(seats, rank, first)) {
                fprintf(file, "%s%d", rank == first ? "(" : ",", (int)rank);
                done[rank] = 1;
            }
        fprintf(file, ")");
    }
    fprintf(file, "}\n");
    free(done);
    return 0;
}

static const struct {
    const char *name;
    emitter *emit;
} formats[] = {{"openmpi", emit_hosts}, {"rankfile", emit_rankfile}, {"hydra", emit_hydra},
               {"slurm", emit_hosts},   {"cray", emit_cray},         {"prrte", emit_rankfile},
               {"flux", emit_hosts},    {"lsf", emit_geometry}};

int emit_knows(const char *format, const char **names)
{
    if (names)
        *names = "openmpi, rankfile, prrte, hydra, slurm, cray, flux or lsf";
    for (size_t i = 0; format && i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(formats[i].name, format) == 0)
            return 1;
    return 0;
}

/* Whatever the names came from: launchers hand them on to ssh and shells. 0, or -1 with `why`. */
static int check_hosts(const char *format, const struct emit_seat *seats, int32_t ranks, char *why)
{
    int hydra = strcmp(format, "hydra") == 0;
    for (int32_t rank = 0; rank < ranks; rank++) {
        const char *host = seats[rank].host;
        if (rank && host == seats[rank - 1].host)
            continue;
        if (!host || !host_name_is_valid(host))
            return snprintf(why, 256, "'%.100s' is no name of a host", host ? host : ""), -1;
        if (hydra && strchr(host, ':'))
            return snprintf(why, 256, "%s: Hydra's file takes no address with colons", host), -1;
    }
    return 0;
}

int emit(FILE *file, const char *format, const struct emit_seat *seats, const int32_t *slot_of,
         int32_t ranks, char *why)
{
    if (check_hosts(format, seats, ranks, why))
        return -1;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(formats[i].name, format) == 0)
            return formats[i].emit(file, seats, slot_of, ranks, why);
    snprintf(why, 256, "there is no format '%.40s'", format);
    return -1;
}

/* ---- how to use the files ---- */

/* A word in which the path stands for `@`. 0, or -1: out of memory. */
static int with_path(char **word, const char *text, const char *path)
{
    size_t before = strcspn(text, "@");
    int is_there = text[before] == '@';
    return asprintf(word, "%.*s%s%s", (int)before, text, is_there ? path : "",
                    text + before + is_there) < 0
               ? -1
               : 0;
}

static int add_words(struct emit_use *use, const char *format, const char *path)
{
    static const struct {
        const char *format, *launcher, *words[5], *variable;
        int is_content;
    } uses[] = {
        {"openmpi", "mpirun", {"--hostfile", "@", "--map-by", "seq"}, NULL, 0},
        {"rankfile", "mpirun", {"--rankfile", "@"}, NULL, 0},
        {"prrte", "mpirun", {"--map-by", "rankfile:file=@"}, NULL, 0},
        {"hydra", "mpiexec", {"-f", "@"}, NULL, 0},
        {"slurm", "srun", {"--distribution=arbitrary"}, "SLURM_HOSTFILE", 0},
        {"cray", "srun", {NULL}, "MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE", 0},
        {"flux", "flux run", {"--taskmap=hostfile:@"}, NULL, 0},
        {"lsf", "bsub", {NULL}, "LSB_TASK_GEOMETRY", 1},
    };
    size_t i = 0;
    while (strcmp(uses[i].format, format) != 0)
        i++;
    use->launcher = uses[i].launcher;
    use->variable = uses[i].variable;
    for (; uses[i].words[use->count]; use->count++)
        if (with_path(&use->words[use->count], uses[i].words[use->count], path))
            return -1;
    use->is_content = uses[i].is_content;
    return use->variable && !(use->value = strdup(path)) ? -1 : 0;
}

static int add_binding(struct emit_use *use, const char *format, const struct emit_seat *seats,
                       int32_t ranks)
{
    char *text;
    int hydra = strcmp(format, "hydra") == 0;
    if (!hydra && strcmp(format, "slurm") != 0)
        return 0;
    if (emit_binding(&text, format, seats, ranks))
        return -1;
    if (!text)
        return 0;
    if (hydra) {
        use->words[use->count] = strdup("-bind-to");
        use->words[use->count + 1] = text;
        use->count += 2;
        return use->words[use->count - 2] ? 0 : -1;
    }
    int rc = asprintf(&use->words[use->count], "--cpu-bind=%s", text) < 0 ? -1 : 0;
    use->count += rc == 0;
    free(text);
    return rc;
}

void emit_use_free(struct emit_use *use)
{
    for (int i = 0; i < use->count; i++)
        free(use->words[i]);
    free(use->value);
    memset(use, 0, sizeof *use);
}

int emit_use(struct emit_use *use, const char *format, const char *path,
             const struct emit_seat *seats, int32_t ranks)
{
    memset(use, 0, sizeof *use);
    if (add_words(use, format, path) == 0 && add_binding(use, format, seats, ranks) == 0)
        return 0;
    emit_use_free(use);
    return -1;
}
