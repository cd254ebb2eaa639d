/* SPDX-License-Identifier: BSD-3-Clause */
/* rank-dealing-rows.c - see rank-dealing-rows.h. */
#include "launcher/rank-dealing-rows.h"

int32_t dealing_objects(const struct launcher_machine *machine, enum launcher_unit unit)
{
    const int32_t *object_of = machine->object_of[unit];
    return object_of && machine->slots > 0 ? object_of[machine->slots - 1] + 1 : 0;
}

int dealing_differs(const struct launcher_machine *machine, enum launcher_unit unit)
{
    int32_t objects = dealing_objects(machine, unit);
    for (int outer = 0; outer < (int)unit; outer++)
        if (dealing_objects(machine, (enum launcher_unit)outer) == objects)
            return 0;
    return objects > 0;
}

void dealing_reset(struct rank_dealing *d, enum launcher_unit unit)
{
    const int32_t *object_of = d->machine->object_of[unit];
    for (int32_t slot = d->machine->slots; slot-- > 0;)
        d->next[object_of[slot]] = slot;
}

int32_t dealing_take(struct rank_dealing *d, enum launcher_unit unit, int32_t object)
{
    int32_t slot = d->next[object];
    if (slot >= d->machine->slots || d->machine->object_of[unit][slot] != object)
        return -1;
    d->next[object]++;
    return slot;
}
