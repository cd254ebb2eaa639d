/* SPDX-License-Identifier: BSD-3-Clause */
/* convert.c - `reseat convert`: convert communication matrices from one form to another. */
#include <getopt.h>
#include <stdlib.h>

#include "cmd/shell/options.h"
#include "exchange/exchange.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/shell/output-file.h"
#include "cmd/commands.h"
#include "profile/profile.h"

struct convert_request {
    const char *from, *to, *output;
    enum reseat_metric metric;
    int32_t at_least; /* ranks */
};

static int convert_parse(int argc, char **argv, struct convert_request *r)
{
    struct reseat_error error;
    const struct option_target targets[] = {
        {"from", &r->from, NULL},      {"to", &r->to, NULL},         {"output", &r->output, NULL},
        {"ranks", &r->at_least, NULL}, {"metric", &r->metric, NULL}, {NULL, NULL, NULL}};
    int status = options_parse(&(struct options){.order = ":", .targets = targets}, argc, argv);
    if (!status && optind == argc)
        return cli_fail(EXIT_USAGE, "a file is needed: reseat convert FILE -o OUTPUT");
    if (status)
        return status;
    int rc = check_output_name(r->output, (const char *const *)argv + optind,
                               (size_t)(argc - optind), &error);
    return cli_status(rc, &error);
}

/* Returns the form to write: by option, or by the name of the output; -1: unknown. */
static int convert_target(const struct convert_request *r)
{
    if (r->to)
        return reseat_format_named(r->to);
    return r->output ? reseat_format_of_name(r->output) : -1;
}

static int convert_write(const struct convert_request *r, const struct reseat_profile *profile,
                         int format)
{
    struct reseat_error error;
    struct made_text made;
    if (format == RESEAT_FORMAT_PROFILE)
        return cli_status(reseat_profile_write(profile, r->output, &error), &error);
    int rc = made_text_open(&made, &error);
    if (rc == 0) {
        rc = reseat_exchange_write(profile, (enum reseat_format)format, r->metric, made.file,
                                   &error);
        rc = made_text_save(&made, r->output, rc, &error);
    }
    return cli_status(rc, &error);
}

int cmd_convert(int argc, char **argv)
{
    struct reseat_error error;
    struct convert_request r = {0};
    struct reseat_profile *profile;
    int status = convert_parse(argc, argv, &r);
    if (status)
        return status;
    int format = convert_target(&r);
    if (format < 0)
        return cli_fail(EXIT_USAGE, "what to make of it? --to FORM, or an output whose name tells");
    if (format == RESEAT_FORMAT_MONITORING)
        return cli_fail(EXIT_USAGE, "Open MPI's output can be read, not written");
    if (format == RESEAT_FORMAT_PROFILE && !r.output)
        return cli_fail(EXIT_USAGE, "a profile is a file: -o FILE is needed");
    status = cli_status(load_traffic(&profile, (const char *const *)argv + optind,
                                     (size_t)(argc - optind), r.from, r.metric, r.at_least, &error),
                        &error);
    if (status)
        return status;
    if ((format == RESEAT_FORMAT_SCOTCH || format == RESEAT_FORMAT_METIS) &&
        check_sums(profile, argv[optind], &error))
        status = cli_status(-1, &error);
    else
        status = convert_write(&r, profile, format);
    reseat_profile_destroy(profile);
    return status;
}
