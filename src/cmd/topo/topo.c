/* SPDX-License-Identifier: BSD-3-Clause */
/* topo.c - `reseat topo`: a machine as a text, in the forms of other programs, and as a picture. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/shell/amount.h"
#include "cmd/shell/options.h"
#include "cmd/shell/picture-file.h"
#include "cmd/topo/topo.h"
#include "draw/diagram.h"
#include "draw/machine-forms.h"
#include "draw/text.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/shell/output-file.h"
#include "cmd/shell/machine-load.h"
#include "cmd/commands.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

typedef int topo_writer_fn(FILE *file, const struct draw_view *view, struct reseat_error *error);

/* Prints the loads of the links of a level. 0, or -1 with *error. */
static int topo_print_loads(FILE *file, const struct draw_view *view, int level,
                            struct reseat_error *error)
{
    struct tmap_loads *loads;
    struct tmap_load_summary summary;
    struct tmap_error why;
    char where[64], busiest[32], mean[32];
    if (tmap_loads_create(&loads, view->matrix, view->tree, view->slot_of, level, &why))
        return reseat_fail(error, "%s", why.text);
    tmap_loads_sum_up(loads, &summary);
    tmap_loads_destroy(loads);
    fprintf(file, "links %s: busiest %s, mean %s\n", level_crossing(view->tree, level, where),
            amount(summary.busiest, "", busiest), amount(summary.mean, "", mean));
    return 0;
}

/* The text, and if there is traffic, the loads of each level. */
static int topo_write_text(FILE *file, const struct draw_view *view, struct reseat_error *error)
{
    int rc = draw_text(file, view, error);
    if (view->matrix)
        fputc('\n', file);
    for (int l = 0; rc == 0 && view->matrix && l < view->depth; l++)
        rc = topo_print_loads(file, view, l, error);
    return rc;
}

static const struct {
    const char *name;
    topo_writer_fn *write;
} topo_forms[] = {{"text", topo_write_text},
                  {"hwloc", draw_synthetic},
                  {"netloc", draw_netloc},
                  {"scotch", draw_scotch},
                  {"graphviz", draw_graphviz}};

/* The name is one of them. */
static int topo_find_form(const char *name)
{
    int form = 0;
    while (strcmp(topo_forms[form].name, name) != 0)
        form++;
    return form;
}

/* That no output is an input, or another output. 0, or a usage status after an error message. */
static int topo_check_outputs(const struct topo_request *r)
{
    const char *inputs[] = {r->topology, r->profile, r->mapping};
    const char *output[] = {r->output ? r->output : r->to ? "-" : NULL, r->svg, r->png};
    static const char *const names[] = {"output", "svg", "png"};
    int status = check_output_name(r->output, inputs, 3, "topo");
    for (int i = 1; !status && i < 3; i++) {
        status = check_output_name(output[i], inputs, 3, "topo");
        for (int k = 0; !status && k < i; k++)
            if (output[i] && output[k] && outputs_are_one(output[i], output[k]))
                status = cli_fail(EXIT_USAGE, "topo", "--%s and --%s need different outputs",
                                  names[k], names[i]);
    }
    return status;
}

/* Checks that the options fit together. 0, or a usage status after an error message. */
static int topo_check(const struct topo_request *r)
{
    if (r->mapping && !r->profile)
        return cli_fail(EXIT_USAGE, "topo",
                        "--mapping is of the traffic of a profile: --profile "
                        "is needed");
    if (r->phase && !r->profile)
        return cli_fail(EXIT_USAGE, "topo", "--phase is of a profile: --profile is needed");
    if (r->tree && r->command)
        return cli_fail(EXIT_USAGE, "topo",
                        "--tree is a machine, and so is a job: only one can be "
                        "shown");
    if (names_timings(r->costs))
        return cli_fail(EXIT_USAGE, "topo",
                        "--costs takes the distances of the levels here, C,C,..., "
                        "not a file of timings");
    if (r->mpi && !r->command)
        return cli_fail(EXIT_USAGE, "topo", "--mpi is of a job: -- mpirun ... is needed");
    int status = check_tree(r->tree, r->topology, r->costs, "topo");
    return status ? status : topo_check_outputs(r);
}

static int topo_parse(int argc, char **argv, struct topo_request *r)
{
    const struct option_target targets[] = {{"tree", &r->tree, NULL},
                                            {"topology", &r->topology, NULL},
                                            {"costs", &r->costs, NULL},
                                            {"to", &r->to, NULL},
                                            {"output", &r->output, NULL},
                                            {"profile", &r->profile, NULL},
                                            {"phase", &r->phase, NULL},
                                            {"mapping", &r->mapping, NULL},
                                            {"mpi", &r->mpi, NULL},
                                            {"svg", &r->svg, NULL},
                                            {"png", &r->png, NULL},
                                            {"metric", &r->metric, NULL},
                                            {NULL, NULL, NULL}};
    int status = options_parse(&(struct options){.order = "+:", .targets = targets}, argc, argv);
    if (status)
        return status;
    if (optind < argc && strcmp(argv[optind - 1], "--") != 0)
        return cli_fail(EXIT_USAGE, "topo", "'%s' is not expected; a job comes after --",
                        argv[optind]);
    if (optind < argc)
        r->command = argv + optind;
    else if (strcmp(argv[optind - 1], "--") == 0)
        return cli_fail(EXIT_USAGE, "topo", "which job? reseat topo -- mpirun -n 64 ./app");
    return topo_check(r);
}

/* An output of the command; path NULL: standard output. */
struct topo_output {
    topo_writer_fn *write;
    const char *path;
    char *text; /* allocated */
    size_t size;
};

/* 0, or an exit status after an error message. */
static int topo_make(struct topo_output *output, const struct draw_view *view)
{
    struct reseat_error error;
    FILE *memory = open_memstream(&output->text, &output->size);
    if (!memory)
        return cli_fail(EXIT_TROUBLE, "topo", "out of memory");
    int rc = output->write(memory, view, &error);
    if (fclose(memory) && rc == 0)
        rc = reseat_fail(&error, "out of memory");
    return rc ? cli_fail(EXIT_TROUBLE, "topo", "%s", error.text) : 0;
}

/* ---- pictures ---- */

static int topo_write_picture(FILE *file, const struct draw_view *view, picture_form_fn *form,
                              struct reseat_error *error)
{
    struct picture picture;
    if (draw_diagram(&picture, view, amount, error))
        return -1;
    int rc = form(file, &picture, error);
    picture_free(&picture);
    return rc;
}

static int topo_write_svg(FILE *file, const struct draw_view *view, struct reseat_error *error)
{
    return topo_write_picture(file, view, picture_as_svg, error);
}

static int topo_write_png(FILE *file, const struct draw_view *view, struct reseat_error *error)
{
    return topo_write_picture(file, view, picture_as_png, error);
}

/* The text or form, if it is requested or nothing else is, and the pictures: all are made before
 * the first is written. 0, or an exit status. */
static int topo_write_all(const struct topo_request *r, const struct draw_view *view)
{
    struct topo_output all[3];
    int count = 0, status = 0;
    if (r->svg)
        all[count++] = (struct topo_output){topo_write_svg, r->svg, NULL, 0};
    if (r->png)
        all[count++] = (struct topo_output){topo_write_png, r->png, NULL, 0};
    if (r->to || r->output || count == 0)
        all[count++] = (struct topo_output){
            topo_forms[topo_find_form(r->to ? r->to : "text")].write, r->output, NULL, 0};
    for (int i = 0; !status && i < count; i++)
        status = topo_make(&all[i], view);
    for (int i = 0; !status && i < count; i++)
        status = save_text(all[i].path, all[i].text, all[i].size, "topo");
    for (int i = 0; i < count; i++)
        free(all[i].text);
    return status;
}

int cmd_topo(int argc, char **argv)
{
    struct topo_request r = {.name = "topo", .metric = RESEAT_METRIC_SIZE};
    struct topo_machine m;
    int status = topo_parse(argc, argv, &r);
    if (status)
        return status;
    status = topo_find_machine(&r, &m);
    if (!status)
        status = topo_write_all(&r, &m.view);
    topo_free_machine(&m);
    return status;
}
