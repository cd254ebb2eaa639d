/* SPDX-License-Identifier: BSD-3-Clause */
/* merge.c - `reseat merge`: make one profile of several runs. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/shell/options.h"
#include "cmd/shell/progress.h"
#include "text/printable.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/output-file.h"
#include "cmd/commands.h"
#include "profile/profile.h"

static int read_all(struct reseat_profile **runs, char *const *paths, size_t count)
{
    struct reseat_error error;
    int rc = 0;
    for (size_t i = 0; i < count && rc == 0; i++) {
        progress_say("reading %zu of %zu", i + 1, count);
        rc = reseat_profile_read(&runs[i], paths[i], &error);
    }
    progress_end();
    return cli_status(rc, &error);
}

static void print_spread(const struct reseat_spread *spread, size_t count, const char *output)
{
    printf("%zu runs merged into ", count);
    printable_print(stdout, output);
    printf(": %zu pairs, %zu of them in all runs; ", spread->pairs, spread->everywhere);
    if (spread->between > 0)
        printf("between the least and the most of a pair lies %.2g %% of its bytes\n",
               100 * spread->between / spread->bytes);
    else
        printf("all have the same bytes\n");
}

int cmd_merge(int argc, char **argv)
{
    const char *output = NULL;
    const struct option_target targets[] = {{"output", &output, NULL}, {NULL, NULL, NULL}};
    int status = options_parse(&(struct options){.order = ":", .targets = targets}, argc, argv);
    if (status)
        return status;
    size_t count = (size_t)(argc - optind);
    struct reseat_error error;
    if (!output || count < 2)
        return cli_fail(EXIT_USAGE, "reseat merge -o OUTPUT PROFILE PROFILE...");
    if (cli_status(check_output_name(output, (const char *const *)argv + optind, count, &error),
                   &error))
        return EXIT_USAGE;
    struct reseat_profile **runs = calloc(count, sizeof *runs), *merged = NULL;
    struct reseat_spread spread;
    status = runs ? read_all(runs, argv + optind, count) : cli_no_memory();
    if (!status && (reseat_profile_merge(&merged, (const struct reseat_profile *const *)runs, count,
                                         &spread, &error) ||
                    reseat_profile_write(merged, output, &error)))
        status = cli_status(-1, &error);
    if (!status)
        print_spread(&spread, count, output);
    for (size_t i = 0; runs && i < count; i++)
        reseat_profile_destroy(runs[i]);
    free(runs);
    reseat_profile_destroy(merged);
    return status;
}
