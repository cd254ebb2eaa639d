/* SPDX-License-Identifier: BSD-3-Clause */
/* verify-text.c - see verify-result.h. */
#include "cmd/shell/amount.h"
#include "cmd/verify/verify-result.h"

/* What the model says of the messages, beside what was measured of the job. */
static void verify_write_prediction(FILE *file, const struct predicted *p)
{
    char seconds[2][32], bytes[2][32];
    if (p->unknown[0])
        fprintf(file, "\nNothing is predicted: %s.\n", p->unknown);
    if (p->seconds[0] <= 0 && p->seconds[1] <= 0)
        return;
    for (int i = 0; i < 2; i++) {
        amount_seconds(p->seconds[i], seconds[i]);
        amount(p->between_nodes[i], "B", bytes[i]);
    }
    fprintf(file,
            "\nPredicted for the messages: %s and %s between nodes without, %s and %s with it.\n",
            seconds[0], bytes[0], seconds[1], bytes[1]);
}

static void verify_write_measured(FILE *file, const struct verify_result *r)
{
    char gain[32];
    int changes = r->is_compared && r->prints.kind == RUN_OUTPUTS_CHANGES;
    if (changes)
        fprintf(file, "%s.\n\n", r->prints.text);
    fprintf(file, "%s.\n\n%-6s %14s %14s %8s\n", r->sentence, "pair", "without [s]", "with [s]",
            "gain");
    for (int i = 0; i < r->pairs; i++)
        fprintf(file, "%-6d %14.4f %14.4f %8s\n", i + 1, r->seconds[i][0], r->seconds[i][1],
                verify_print_gain(verify_pair_gain(r->seconds[i]), "%", gain));
    verify_write_prediction(file, &r->predicted);
    if (r->is_compared && !changes)
        fprintf(file, "\n%s.\n", r->prints.text);
    if (r->run->options.replays)
        fputs("\nTimes are of a replay of what was recorded, without computing and without "
              "launch. The program itself may gain\nless; no verdict is kept for it.\n",
              file);
}

void verify_write_text(FILE *file, const struct verify_result *r)
{
    if (r->outcome == VERIFY_MEASURED)
        verify_write_measured(file, r);
    else
        fprintf(file, "%s.\n", r->why);
}
