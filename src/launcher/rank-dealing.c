/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank-dealing.c - see rank-dealing.h: launchers that deal ranks to hosts in turns, so many at a
 * time, and those of a host to its units by another rule. The k-th rank of a host goes
 *   - in order: to its k-th unit, or
 *   - round robin over objects of a kind: to object k mod objects, there to the next free unit.
 *
 *   Hydra  blocks of -ppn ranks, again from the first host when all have one; -bind-to UNIT -map-by
 *          KIND: round robin over KIND (mpiexec -help; rankmap and topo in lib of Hydra's sources).
 *   srun   --distribution=NODES:SOCKETS (srun(1); the step layout and the plugin task/affinity in
 *          Slurm's sources). block: with a rank on each slot they fill host after host. A third
 *          part concerns only ranks with several processors. With plane=N there are no further
 *          parts, and sockets are filled in order.
 *   Cray   MPICH_RANK_REORDER_METHOD (its page of the MPI): 0 hosts in turn, 1 host after host, 2
 *          in turn to and fro. Processes stay where the launcher put them, host after host and core
 *          after core.
 *   Flux   --taskmap (flux-run(1)), and cores in order by -o cpu-affinity=per-task.
 *   jsrun  -d (its page), with one resource set on each host, and -b packed:1.
 */
#include "launcher/rank-dealing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launcher/rank-dealing-rows.h"

static const struct {
    const char *name, *title;
} dealing_families[LAUNCHER_FAMILIES] = {[LAUNCHER_FAMILY_OPENMPI] = {"openmpi", "Open MPI 4"},
                                         [LAUNCHER_FAMILY_OPENMPI5] = {"openmpi5", "Open MPI 5"},
                                         [LAUNCHER_FAMILY_HYDRA] = {"hydra", "Hydra"},
                                         [LAUNCHER_FAMILY_SRUN] = {"srun", "srun"},
                                         [LAUNCHER_FAMILY_CRAY] = {"cray", "Cray"},
                                         [LAUNCHER_FAMILY_FLUX] = {"flux", "Flux"},
                                         [LAUNCHER_FAMILY_JSRUN] = {"jsrun", "LSF (jsrun)"}};

const char *launcher_family_name(enum launcher_family family)
{
    return dealing_families[family].name;
}

const char *launcher_family_title(enum launcher_family family)
{
    return dealing_families[family].title;
}

/* ---- the machine ---- */

static void dealing_fini(struct rank_dealing *d)
{
    free(d->slot_of);
    free(d->used);
    free(d->next);
    free(d->first_slot);
}

static int dealing_init(struct rank_dealing *d)
{
    const struct launcher_machine *machine = d->machine;
    const int32_t *node_of = machine->object_of[LAUNCHER_UNIT_NODE];
    d->slot_of = malloc(sizeof *d->slot_of * ((size_t)d->ranks + 1));
    d->used = malloc(sizeof *d->used * ((size_t)machine->nodes + 1));
    d->next = malloc(sizeof *d->next * ((size_t)machine->slots + 1));
    d->first_slot = malloc(sizeof *d->first_slot * ((size_t)machine->nodes + 1));
    if (!d->slot_of || !d->used || !d->next || !d->first_slot) {
        dealing_fini(d);
        return -1;
    }
    d->first_slot[machine->nodes] = machine->slots;
    for (int32_t slot = machine->slots; slot-- > 0;)
        d->first_slot[node_of[slot]] = slot;
    d->is_alike = 1;
    for (int32_t node = 0; node < machine->nodes; node++) {
        int32_t slots = d->first_slot[node + 1] - d->first_slot[node];
        d->is_alike &= slots == d->first_slot[1] - d->first_slot[0];
        d->most = slots > d->most ? slots : d->most;
    }
    return 0;
}

/* ---- ranks to hosts ---- */

/* A rule for hosts: so many ranks at a time. */
struct dealing_turns {
    int32_t at_a_time; /* 0: as many as there are slots */
    int to_and_fro;    /* every second turn begins at the last host */
};

/* A rank's host, and its number among the ranks there. */
struct dealing_place {
    int32_t node, number;
};

/* Finds the place of the next rank. 0: all hosts are full. */
static int dealing_next_place(struct rank_dealing *d, struct dealing_turns turns, int64_t *step,
                              struct dealing_place *place)
{
    int32_t nodes = d->machine->nodes, block = turns.at_a_time ? turns.at_a_time : d->most;
    int64_t last = *step + (int64_t)nodes * block + 1;
    for (; *step < last; ++*step) {
        int64_t turn = *step / block / nodes;
        int32_t node = (int32_t)(*step / block % nodes);
        node = turns.to_and_fro && turn % 2 ? nodes - 1 - node : node;
        if (d->used[node] == d->first_slot[node + 1] - d->first_slot[node])
            continue;
        *place = (struct dealing_place){node, d->used[node]++};
        ++*step;
        return 1;
    }
    return 0;
}

/* Round robin over objects of `kind` on each host; the slot's own kind, or node: in order. 0: a
 * rank has no slot of its own. */
static int dealing_deal(struct rank_dealing *d, struct dealing_turns turns, enum launcher_unit kind)
{
    const int32_t *object_of = d->machine->object_of[kind];
    int64_t step = 0;
    memset(d->used, 0, sizeof *d->used * (size_t)d->machine->nodes);
    dealing_reset(d, kind);
    for (int32_t rank = 0; rank < d->ranks; rank++) {
        struct dealing_place place;
        if (!dealing_next_place(d, turns, &step, &place))
            return 0;
        int32_t first = object_of[d->first_slot[place.node]];
        int32_t objects = object_of[d->first_slot[place.node + 1] - 1] - first + 1;
        d->slot_of[rank] = dealing_take(d, kind, first + place.number % objects);
        if (d->slot_of[rank] < 0)
            return 0;
    }
    return 1;
}

/* ---- options ---- */

static void dealing_say(struct rank_dealing *d, struct dealing_turns turns, enum launcher_unit kind,
                        const char *words)
{
    if (dealing_deal(d, turns, kind))
        d->visit(d->context, words, d->slot_of);
}

static int dealing_is_full(const struct rank_dealing *d)
{
    return d->ranks == d->machine->slots;
}

/* Only hosts count, or slots are these. */
static int dealing_has_slots(const struct rank_dealing *d, enum launcher_unit unit)
{
    return d->machine->slot == LAUNCHER_UNITS || d->machine->slot == unit;
}

static const char *const dealing_hydra_units[LAUNCHER_UNITS] = {
    [LAUNCHER_UNIT_PACKAGE] = "socket", [LAUNCHER_UNIT_NUMA] = "numa",
    [LAUNCHER_UNIT_L3] = "l3cache",     [LAUNCHER_UNIT_L2] = "l2cache",
    [LAUNCHER_UNIT_L1] = "l1cache",     [LAUNCHER_UNIT_CORE] = "core",
    [LAUNCHER_UNIT_THREAD] = "hwthread"};

/* With -ppn a host gets so many ranks each time, also beyond its slots. */
static void dealing_say_hydra(struct rank_dealing *d, int32_t per_host)
{
    const struct launcher_machine *machine = d->machine;
    const struct dealing_turns turns = {per_host, 0};
    enum launcher_unit slot = machine->slot;
    char words[LAUNCHER_WORDS];
    int length = snprintf(words, sizeof words, "-ppn %d", (int)per_host);
    if (slot == LAUNCHER_UNITS) {
        dealing_say(d, turns, LAUNCHER_UNIT_NODE, words);
        return;
    }
    length += snprintf(words + length, sizeof words - (size_t)length, " -bind-to %s",
                       dealing_hydra_units[slot]);
    dealing_say(d, turns, slot, words);
    for (int kind = LAUNCHER_UNIT_PACKAGE; kind < (int)slot; kind++)
        if (dealing_differs(machine, (enum launcher_unit)kind)) {
            snprintf(words + length, sizeof words - (size_t)length, " -map-by %s",
                     dealing_hydra_units[kind]);
            dealing_say(d, turns, (enum launcher_unit)kind, words);
        }
}

static void dealing_visit_hydra(struct rank_dealing *d)
{
    if (d->is_alike && d->machine->slot != LAUNCHER_UNIT_NODE)
        for (int32_t per_host = d->most; per_host >= 1; per_host--)
            if (d->most % per_host == 0)
                dealing_say_hydra(d, per_host);
}

static void dealing_say_srun(struct rank_dealing *d, struct dealing_turns turns, const char *nodes,
                             const char *sockets)
{
    int is_bound = d->machine->slot != LAUNCHER_UNITS;
    int is_cyclic = sockets && strcmp(sockets, "cyclic") == 0;
    char words[LAUNCHER_WORDS];
    snprintf(words, sizeof words, "--distribution=%s%s%s%s", nodes, is_bound && sockets ? ":" : "",
             is_bound && sockets ? sockets : "",
             !is_bound                                ? ""
             : d->machine->slot == LAUNCHER_UNIT_CORE ? " --cpu-bind=cores"
                                                      : " --cpu-bind=threads");
    dealing_say(d, turns, is_cyclic ? LAUNCHER_UNIT_PACKAGE : LAUNCHER_UNIT_NODE, words);
}

static void dealing_visit_srun(struct rank_dealing *d)
{
    const struct dealing_turns block = {0, 0}, cyclic = {1, 0};
    int is_bound = d->machine->slot != LAUNCHER_UNITS;
    if (!dealing_is_full(d) ||
        (!dealing_has_slots(d, LAUNCHER_UNIT_CORE) && !dealing_has_slots(d, LAUNCHER_UNIT_THREAD)))
        return;
    dealing_say_srun(d, block, "block", "block");
    dealing_say_srun(d, cyclic, "cyclic", "block");
    if (is_bound && dealing_differs(d->machine, LAUNCHER_UNIT_PACKAGE)) {
        dealing_say_srun(d, block, "block", "cyclic");
        dealing_say_srun(d, cyclic, "cyclic", "cyclic");
    }
    for (int32_t plane = 2; plane < d->most; plane++)
        if (d->most % plane == 0) {
            char nodes[32];
            snprintf(nodes, sizeof nodes, "plane=%d", (int)plane);
            dealing_say_srun(d, (struct dealing_turns){plane, 0}, nodes, NULL);
        }
}

static void dealing_visit_cray(struct rank_dealing *d)
{
    static const struct dealing_turns of_method[] = {{1, 0}, {0, 0}, {1, 1}};
    static const int order[] = {1, 0, 2};
    for (int i = 0;
         i < 3 && dealing_is_full(d) && d->is_alike && dealing_has_slots(d, LAUNCHER_UNIT_CORE);
         i++) {
        char words[LAUNCHER_WORDS];
        snprintf(words, sizeof words, "MPICH_RANK_REORDER_METHOD=%d", order[i]);
        dealing_say(d, of_method[order[i]], LAUNCHER_UNIT_NODE, words);
    }
}

/* Those that have a block, one at a time and N at a time, as `words` says it with %d, and `last`
 * behind where slots are cores. */
static void dealing_visit_blocks(struct rank_dealing *d, const char *block, const char *some,
                                 const char *last)
{
    char words[LAUNCHER_WORDS];
    const char *bound = d->machine->slot == LAUNCHER_UNITS ? "" : last;
    if (!dealing_is_full(d) || !dealing_has_slots(d, LAUNCHER_UNIT_CORE))
        return;
    snprintf(words, sizeof words, "%s%s", block, bound);
    dealing_say(d, (struct dealing_turns){0, 0}, LAUNCHER_UNIT_NODE, words);
    for (int32_t some_at_a_time = 1; some_at_a_time < d->most; some_at_a_time++)
        if (d->most % some_at_a_time == 0) {
            snprintf(words, sizeof words, "%s%d%s", some, (int)some_at_a_time, bound);
            dealing_say(d, (struct dealing_turns){some_at_a_time, 0}, LAUNCHER_UNIT_NODE, words);
        }
}

static void dealing_visit_jsrun(struct rank_dealing *d)
{
    char block[LAUNCHER_WORDS / 2], some[LAUNCHER_WORDS / 2];
    if (!d->is_alike)
        return;
    snprintf(block, sizeof block, "-r 1 -a %d -c ALL_CPUS -d packed", (int)d->most);
    snprintf(some, sizeof some, "-r 1 -a %d -c ALL_CPUS -d plane:", (int)d->most);
    dealing_visit_blocks(d, block, some, " -b packed:1");
}

int launcher_visit_options(enum launcher_family family, const struct launcher_machine *machine,
                           int32_t ranks, launcher_option_fn *visit, void *context)
{
    struct rank_dealing d = {
        .machine = machine, .ranks = ranks, .visit = visit, .context = context};
    int rc = 0;
    if (machine->slots < 1 || ranks < 1 || ranks > machine->slots)
        return 0;
    if (dealing_init(&d))
        return -1;
    switch (family) {
    case LAUNCHER_FAMILY_OPENMPI:
        rc = dealing_visit_openmpi(&d, 4);
        break;
    case LAUNCHER_FAMILY_OPENMPI5:
        rc = dealing_visit_openmpi(&d, 5);
        break;
    case LAUNCHER_FAMILY_HYDRA:
        dealing_visit_hydra(&d);
        break;
    case LAUNCHER_FAMILY_SRUN:
        dealing_visit_srun(&d);
        break;
    case LAUNCHER_FAMILY_CRAY:
        dealing_visit_cray(&d);
        break;
    case LAUNCHER_FAMILY_FLUX:
        dealing_visit_blocks(&d, "--taskmap=block",
                             "--taskmap=cyclic:", " -o cpu-affinity=per-task");
        break;
    case LAUNCHER_FAMILY_JSRUN:
        dealing_visit_jsrun(&d);
        break;
    default:
        break;
    }
    dealing_fini(&d);
    return rc;
}
