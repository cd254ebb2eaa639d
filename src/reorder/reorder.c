/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reorder.c - the way from a communicator in launch order to one in a better order.
 *
 *   1. Every process finds out its node and place, which rank 0 gathers (seats), its neighbor
 *      lists, and the pattern.
 *   2. With strategy `global` rank 0 decides for all. With `node` each node is a group (the
 *      partially distributed TreeMatch of Jeannot, Mercier, Tessier 2014, 4.2: no role ever moves
 *      to another node). In each group the lowest rank gathers seats and pattern, decides, and
 *      tells every member its new role; all groups do so in parallel. With `twolevel` rank 0 first
 *      divides the roles among the nodes, which is a small problem, and then each node is a group.
 *      Rank 0 adds up what all of it costs, also between the nodes.
 *   3. Rank 0 compares the predicted cost before and after, and accepts or rejects the order.
 *   4. MPI_Comm_create makes the new order, the neighbor lists go to the processes that will play
 *      the roles, and the topology is created again on the new order.
 *
 * The second step is in group-order.c, the fourth in new-order.c. All messages go over `plain`,
 * where no receive of the application can match them: it has not seen that yet, or is still in
 * MPI_Init. After every step that can fail at some rank, all ranks agree (trouble.h).
 */
#include "reorder/reorder.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "profile/gain.h"
#include "text/lines.h"
#include "profile/order.h"
#include "text/printable.h"
#include "predict/strategy.h"
#include "reorder/cart-graph.h"
#include "reorder/error-handler.h"
#include "reorder/attempt.h"

/* ---- all ranks together ---- */

/* The words that rank 0 sends in the first exchange. */
enum { WORD_FORCED, WORD_STRATEGY, WORD_SOURCE };

/* The first exchange: all follow rank 0's settings. Fails if a rank is in trouble, as rank 0 is if
 * the profile cannot be used. 0, or -1 on all ranks. */
static int reorder_agree(struct attempt *a, struct seats_word *word)
{
    word->words[WORD_STRATEGY] = (int)strategy_choose(a->settings->strategy, a->size);
    a->objective = (int)a->settings->objective;
    a->keep_local = (int)a->settings->keep_local;
    if (seats_find_nodes(&a->seats, a->settings, a->plain, word, &a->trouble))
        return -1;
    a->strategy = word->words[WORD_STRATEGY];
    timing_add(&a->timing, "nodes", sizeof(struct node_told));
    return 0;
}

static void reorder_begin(struct attempt *a, double since)
{
    PMPI_Comm_rank(a->plain, &a->rank);
    PMPI_Comm_size(a->plain, &a->size);
    a->role = a->rank;
    timing_open(&a->timing, since);
    error_handler_return(a->plain, &a->theirs);
}

static void reorder_end(struct attempt *a)
{
    seats_close(&a->seats);
    job_seconds_close(&a->job_seconds);
    neighbor_lists_free(&a->lists);
    pattern_close(&a->pattern);
    free(a->roles);
    free(a->rank_of);
}

static void reorder_tell_lack(const struct attempt *a)
{
    static const char *const units[] = {"bytes decide", "messages decide",
                                        "mean message sizes decide", "bytes decide"};
    char path[512];
    printable_copy(path, sizeof path, a->settings->timings);
    printable_say("how long the messages take is not known, because %s has no %s: %s", path,
                  a->job_seconds.lack, units[a->settings->metric]);
}

/* At rank 0: seconds, if they can be predicted. Without them the objective time is that of the
 * cost; `is_told`: that is worth a line. */
static void reorder_open_seconds(struct attempt *a, int is_told)
{
    const int tells = is_told && a->settings->verbose >= 1;
    job_seconds_open(&a->job_seconds, a->settings, &a->pattern, &a->seats, &a->trouble);
    if (tells && a->job_seconds.lack)
        reorder_tell_lack(a);
    if (a->objective != RESEAT_OBJECTIVE_TIME || a->job_seconds.known)
        return;
    a->objective = RESEAT_OBJECTIVE_COST;
    if (tells && !a->job_seconds.lack && !a->trouble.failed)
        printable_say("the objective time needs the traffic of a profile; cost is used");
}

static uint64_t reorder_sum_between(const struct tmap_entry *entries, size_t count,
                                    const int *node_of)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        if (node_of[entries[i].source] != node_of[entries[i].target])
            sum += entries[i].weight;
    return sum;
}

/* At rank 0: what goes between nodes by the metric, and the number of messages, which may grow
 * although bytes are saved: [0] is that of the launch order, and [1] if process r plays roles[r];
 * 0: not known. */
static void reorder_count_between(struct attempt *a)
{
    const struct pattern *pattern = &a->pattern;
    int *launch = malloc(sizeof *launch * (size_t)a->size);
    int *ordered = malloc(sizeof *ordered * (size_t)a->size);
    for (int r = 0; launch && ordered && r < a->size; r++) {
        launch[r] = a->seats.all[r].location.node;
        ordered[a->roles[r]] = launch[r];
    }
    for (int i = 0; launch && ordered && i < 2; i++) {
        const int *node_of = i ? ordered : launch;
        if (pattern->source == RESEAT_PATTERN_PROFILE)
            a->between[i] = (double)reorder_sum_between(pattern->entries, pattern->count, node_of);
        if (pattern->messages)
            a->messages[i] =
                reorder_sum_between(pattern->messages, pattern->messages_count, node_of);
    }
    free(launch);
    free(ordered);
}

/* At rank 0, with the roles that have been found. */
static int reorder_is_worth_it(struct attempt *a)
{
    const double *seconds = a->job_seconds.seconds;
    if (trouble_is_known(&a->trouble))
        return 0;
    job_seconds_compare(&a->job_seconds, &a->pattern, &a->seats, a->roles, &a->trouble);
    a->worth = (struct reseat_worth){.gain = a->job_seconds.known
                                                 ? reseat_gain(seconds[0], seconds[1])
                                                 : reseat_gain_with_links(a->cost, a->busiest),
                                     .seconds = {seconds[0], seconds[1]},
                                     .job = a->pattern.job,
                                     .is_watched = a->job_seconds.is_watched,
                                     .min_gain = a->settings->min_gain};
    int worth_it = reseat_worth_suffices(&a->worth);
    if (worth_it)
        reorder_count_between(a);
    return worth_it;
}

/* Find an order, for ranks that have agreed on their settings. Returns whether it is worth it, on
 * all of them; 0 also if one is in trouble. */
static int reorder_find_order(struct attempt *a, int is_told)
{
    seats_open(&a->seats, a->settings, &a->trouble);
    timing_add(&a->timing, "places", sizeof a->seats.self);
    if (a->rank == 0 && !trouble_is_known(&a->trouble))
        reorder_open_seconds(a, is_told);
    group_order_find(a);
    int worth_it = a->rank == 0 && reorder_is_worth_it(a);
    return new_order_broadcast(a, worth_it);
}

static void reorder_explain(const struct attempt *a, const char *function, int done)
{
    struct decision_report report = {.function = function,
                                     .ranks = a->size,
                                     .done = done,
                                     .cost = {a->cost[0], a->cost[1]},
                                     .busiest = {a->busiest[0], a->busiest[1]},
                                     .between = {a->between[0], a->between[1]},
                                     .metric = a->settings->metric,
                                     .bytes = {a->job_seconds.bytes[0], a->job_seconds.bytes[1]},
                                     .messages = {a->messages[0], a->messages[1]},
                                     .blind = a->seats.blind,
                                     .worth = a->worth,
                                     .strategy = (enum reseat_strategy)a->strategy,
                                     .source = a->pattern.source,
                                     .decision = &a->decision,
                                     .timing = &a->timing};
    if (a->rank == 0 && !a->trouble.failed)
        explain_decision(&report, a->settings->verbose);
}

/* Collect what each process knows by itself, and what rank 0 knows from the profile. 0, or -1 on
 * all ranks. */
static int reorder_prepare(struct attempt *a, const struct lineage *lineage)
{
    struct seats_word word = {.program = 0};
    PMPI_Topo_test(a->plain, &a->kind);
    if (a->kind == MPI_DIST_GRAPH)
        neighbor_lists_get(&a->lists, a->plain, &a->trouble);
    else
        cart_graph_get(&a->lists, a->kind, a->plain, &a->trouble);
    if (a->rank == 0)
        word.words[WORD_SOURCE] = pattern_open(&a->pattern, a->settings, lineage, &a->trouble);
    if (reorder_agree(a, &word))
        return -1;
    pattern_use_source(&a->pattern, word.words[WORD_SOURCE], &a->lists, a->rank, &a->trouble);
    return 0;
}

int reorder_topology(MPI_Comm plain, MPI_Info info, const struct lineage *lineage,
                     const struct reseat_settings *settings, MPI_Comm *newcomm)
{
    struct attempt a = {.settings = settings, .plain = plain};
    MPI_Comm result = MPI_COMM_NULL;
    reorder_begin(&a, clock_now());
    if (reorder_prepare(&a, lineage) == 0) {
        if (reorder_find_order(&a, lineage_is_told(lineage)))
            result = new_order_rebuild(&a, info);
        timing_add(&a.timing, "new communicator", 0);
        if (lineage_is_told(lineage))
            reorder_explain(&a, lineage->step[lineage->count - 1].function,
                            result != MPI_COMM_NULL);
    }
    reorder_end(&a);
    *newcomm = result != MPI_COMM_NULL ? result : plain;
    error_handler_restore(*newcomm, &a.theirs);
    if (result != MPI_COMM_NULL)
        PMPI_Comm_free(&plain);
    return result != MPI_COMM_NULL;
}

/* ---- programs ----
 *
 * Programs and arguments are compared by a hash. Folders do not count, because a node may have its
 * own copy of the program, and neither does the name by which it was called. */

/* Add the name of the executable file. */
static uint64_t program_add_file(uint64_t hash)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length <= 0)
        return hash;
    const char *slash = memrchr(path, '/', (size_t)length), *name = slash ? slash + 1 : path;
    return reseat_hash_add(hash, name, (size_t)(path + length - name));
}

/* Add everything after the first word. */
static uint64_t program_add_arguments(uint64_t hash)
{
    char text[4096];
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC), is_behind = 0;
    ssize_t length;
    while (file >= 0 && (length = read(file, text, sizeof text)) > 0) {
        const char *from = is_behind ? text : memchr(text, '\0', (size_t)length);
        if (from)
            hash = reseat_hash_add(hash, from, (size_t)(text + length - from));
        is_behind = from != NULL;
    }
    if (file >= 0)
        close(file);
    return hash;
}

/* The number of the part of the launcher's command that started this process. */
static int program_part(void)
{
    int *number = NULL, is_set = 0;
    return PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &is_set) == MPI_SUCCESS && is_set
               ? *number
               : -1;
}

/* The same in processes that run the same program with the same arguments and were started by one
 * part of a command (`mpirun -n 1 a : -n 2 b` has two): a better order gives the role of one to
 * another. */
static uint64_t program_hash(void)
{
    int part = program_part();
    uint64_t hash = reseat_hash_add(reseat_hash_empty, &part, sizeof part);
    return program_add_arguments(program_add_file(hash));
}

/* ---- the world ---- */

/* At rank 0: read the role of each rank from the order that RESEAT_MAPPING names. */
static void reorder_read_order(struct attempt *a)
{
    struct reseat_error error = {"out of memory for the mapping"};
    int32_t *rank_of = malloc(sizeof *rank_of * (size_t)a->size);
    a->roles = malloc(sizeof *a->roles * (size_t)a->size);
    if (!rank_of || !a->roles || lines_check_file(a->settings->mapping, &error) ||
        reseat_order_read(rank_of, a->size, a->settings->mapping, &error))
        trouble_note(&a->trouble, "%s", error.text);
    else
        tmap_permutation_invert(rank_of, a->roles, a->size);
    free(rank_of);
}

/* Warn if the program may take its rank from the launcher, by the profile. */
static void reorder_warn_of_variables(const struct attempt *a)
{
    if (a->rank == 0 && a->pattern.rank_variable[0] && a->settings->verbose >= 1)
        printable_say("the program asked for %s, which keeps the launch order: if its output is "
                      "wrong now use `reseat run --placement launch' or `reseat map --emit'",
                      a->pattern.rank_variable);
}

/* Reorder as RESEAT_MAPPING says, whatever the cost. */
static MPI_Comm reorder_by_mapping(struct attempt *a)
{
    MPI_Comm order = new_order_broadcast(a, 1) ? new_order_agree(a) : MPI_COMM_NULL;
    char path[1024];
    printable_copy(path, sizeof path, a->settings->mapping);
    if (a->rank == 0 && order != MPI_COMM_NULL && a->settings->verbose >= 1)
        printable_say(
            "MPI_COMM_WORLD, %d ranks: reordered as %s says%s", a->size, path,
            a->role ? "; rank 0 is another process, standard input stays with the first one" : "");
    return order;
}

static MPI_Comm reorder_by_pattern(struct attempt *a)
{
    MPI_Comm order = reorder_find_order(a, 1) ? new_order_agree(a) : MPI_COMM_NULL;
    timing_add(&a->timing, "new communicator", 0);
    reorder_explain(a, "MPI_COMM_WORLD", order != MPI_COMM_NULL);
    if (order != MPI_COMM_NULL)
        reorder_warn_of_variables(a);
    return order;
}

static const char reorder_difference[] =
    "the ranks do not all run one program with the same arguments, started by one part of the "
    "command: --scope world if they are interchangeable nevertheless";

MPI_Comm reorder_world(const struct reseat_settings *settings, double since)
{
    struct attempt a = {.settings = settings,
                        .plain = MPI_COMM_WORLD,
                        .world = 1,
                        .pattern = {.source = RESEAT_PATTERN_PROFILE}};
    struct seats_word word = {.program = program_hash()};
    MPI_Comm order = MPI_COMM_NULL;
    int *forced = &word.words[WORD_FORCED];
    reorder_begin(&a, since);
    *forced = settings->mapping[0] != '\0';
    if (settings->scope == RESEAT_SCOPE_AUTO && !*forced)
        word.difference = reorder_difference;
    if (a.rank == 0 && *forced)
        reorder_read_order(&a);
    else if (a.rank == 0)
        pattern_open_world(&a.pattern, settings, a.size, &a.trouble);
    timing_add(&a.timing, "start", 0);
    if (reorder_agree(&a, &word) == 0)
        order = *forced ? reorder_by_mapping(&a) : reorder_by_pattern(&a);
    reorder_end(&a);
    error_handler_restore(MPI_COMM_WORLD, &a.theirs);
    return order;
}
