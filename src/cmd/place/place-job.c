/* SPDX-License-Identifier: BSD-3-Clause */
/* place-job.c - the job in its new order, for a placement at launch (place.h): the launcher's file,
 * and the command line and the environment that make the launcher follow it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/place/place.h"

static int placed_write_file(struct placed_job *placed, const struct place_order *order,
                             struct reseat_error *error)
{
    struct reseat_error why = {""};
    const char *folder = getenv("TMPDIR");
    if (!folder || folder[0] != '/' || emit_bad_path(order->format, folder))
        folder = "/tmp";
    snprintf(placed->folder, sizeof placed->folder, "%s/reseat.XXXXXX", folder);
    if (!mkdtemp(placed->folder)) {
        int rc = reseat_fail(error, "%s: %s", placed->folder, strerror(errno));
        placed->folder[0] = '\0';
        return rc;
    }
    snprintf(placed->file, sizeof placed->file, "%s/ranks", placed->folder);
    FILE *file = fopen(placed->file, "wxe");
    int rc =
        file ? emit(file, order->format, order->seats, order->seat_of, order->ranks, &why) : -1;
    if (file && (ferror(file) | fclose(file)))
        rc = -1;
    return rc ? reseat_fail(error, "%s: %s", placed->file, why.text[0] ? why.text : strerror(errno))
              : 0;
}

/* Make the words. 0, or -1: out of memory. */
static int placed_rewrite(struct placed_job *placed, const struct place_order *order,
                          const struct place_input *input)
{
    struct emit_use *use = &placed->use;
    if (emit_use(use, order->format, placed->file, order->seats, order->ranks))
        return -1;
    if (order->by_thread && order->format->pu_option) {
        use->words[use->count] = strdup(order->format->pu_option);
        if (!use->words[use->count++])
            return -1;
    }
    if (rewrite_keep_oversubscription(&input->job, input->command, order->binding, use))
        return -1;
    snprintf(placed->number, sizeof placed->number, "%d", (int)order->ranks);
    placed->words =
        rewrite_command(&input->job, input->command, use, order->binding, placed->number);
    return placed->words ? 0 : -1;
}

enum { VARIABLES_OF_FORMAT = 2 };

/* A copy of the environment, with room for the variables of a format. */
static char **placed_copy_environment(void)
{
    size_t count = 0;
    while (environ[count])
        count++;
    char **copy = malloc((count + VARIABLES_OF_FORMAT + 1) * sizeof *copy);
    if (copy)
        memcpy(copy, environ, (count + 1) * sizeof *copy);
    return copy;
}

/* Add one of them, NAME=VALUE, to that copy, which `environ` is meanwhile. */
static void placed_add_variable(const char *pair)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(pair, "="), pair);
    unsetenv(name);
    char **end = environ;
    while (*end)
        end++;
    end[0] = (char *)pair;
    end[1] = NULL;
}

static void placed_add_variables(struct placed_job *placed, const struct launcher_format *format)
{
    if (format->setting)
        placed_add_variable(format->setting);
    if (!format->variable)
        return;
    snprintf(placed->variable, sizeof placed->variable, "%s=%s", format->variable,
             placed->use.value);
    placed_add_variable(placed->variable);
}

int placed_job_make(struct placed_job *placed, const struct place_order *order,
                    const struct place_input *input, struct reseat_error *error)
{
    char **before = environ;
    placed->environment = placed_copy_environment();
    if (!placed->environment)
        return reseat_fail(error, "out of memory");
    environ = placed->environment; /* setenv is not called, so this stays the same array */
    int rc = placed_write_file(placed, order, error);
    if (rc == 0 && placed_rewrite(placed, order, input))
        rc = reseat_fail(error, "out of memory");
    if (rc == 0)
        placed_add_variables(placed, order->format);
    environ = before;
    return rc;
}

void placed_job_free(struct placed_job *placed)
{
    if (placed->folder[0]) {
        unlink(placed->file);
        rmdir(placed->folder);
    }
    emit_use_free(&placed->use);
    free(placed->words);
    free(placed->environment);
    memset(placed, 0, sizeof *placed);
}
