/* SPDX-License-Identifier: BSD-3-Clause */
/* topo.c - `reseat topo`: a machine as a text, in the forms of other programs, and as a picture. */
#include <getopt.h>
#include <math.h>
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
#include "cmd/shell/output-file.h"
#include "cmd/shell/machine-load.h"
#include "cmd/commands.h"
#include "page/document.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

typedef int topo_writer_fn(FILE *file, const struct draw_view *view, struct reseat_error *error);

/* The loads of the links of a level. 0, or -1 with *error. */
static int topo_find_loads(struct tmap_load_summary *summary, const struct draw_view *view,
                           int level, struct reseat_error *error)
{
    struct tmap_loads *loads;
    struct tmap_error why;
    if (tmap_loads_create(&loads, view->matrix, view->tree, view->slot_of, level, &why))
        return reseat_fail(error, "%s", why.text);
    tmap_loads_sum_up(loads, summary);
    tmap_loads_destroy(loads);
    return 0;
}

/* The text, and if there is traffic, the loads of each level. */
static int topo_write_text(FILE *file, const struct draw_view *view, struct reseat_error *error)
{
    char where[64], busiest[32], mean[32];
    int rc = draw_text(file, view, error);
    if (view->matrix)
        fputc('\n', file);
    for (int l = 0; rc == 0 && view->matrix && l < view->depth; l++) {
        struct tmap_load_summary summary;
        rc = topo_find_loads(&summary, view, l, error);
        if (rc == 0)
            fprintf(file, "links %s: busiest %s, mean %s\n", level_crossing(view->tree, l, where),
                    amount(summary.busiest, "", busiest), amount(summary.mean, "", mean));
    }
    return rc;
}

/* ---- JSON: doc/json.md says what the members mean ---- */

static int topo_add_level(struct document *d, const struct draw_view *view, int level,
                          struct reseat_error *error)
{
    const struct tmap_level *kind = tmap_tree_level(view->tree, level);
    struct tmap_load_summary summary;
    char shape[DRAW_SHAPE_SIZE];
    int has_shape = tmap_tree_shape(view->tree, level, NULL) != TMAP_SHAPE_NONE;
    if (view->matrix && topo_find_loads(&summary, view, level, error))
        return -1;
    if (has_shape)
        draw_shape_text(view, level, shape);
    document_open(d, NULL, '{');
    document_text(d, "name", kind->name);
    document_integer(d, "objects_below", (uint64_t)tmap_tree_objects(view->tree, level + 1));
    document_number(d, "distance", kind->cost);
    document_text(d, "shape", has_shape ? shape : NULL);
    document_number(d, "busiest_link", view->matrix ? summary.busiest : NAN);
    document_number(d, "mean_link", view->matrix ? summary.mean : NAN);
    document_close(d);
    return 0;
}

static void topo_add_devices(struct document *d, const struct draw_view *view)
{
    document_open(d, "devices", '[');
    for (int32_t i = 0; i < view->devices; i++) {
        document_open(d, NULL, '{');
        document_text(d, "kind", view->device[i].is_card ? "network card" : "accelerator");
        document_text(d, "pci", view->device[i].name);
        document_integer(d, "level", (uint64_t)view->device[i].level);
        document_integer(d, "object", (uint64_t)view->device[i].object);
        document_close(d);
    }
    document_close(d);
}

static int topo_write_json(FILE *file, const struct draw_view *view, struct reseat_error *error)
{
    struct document d;
    int rc = 0, names_hosts = view->host && view->host_level >= 0;
    document_init(&d);
    document_integer(&d, "reseat_topo", 1);
    document_integer(&d, "slots", (uint64_t)view->slots);
    document_open(&d, "levels", '[');
    for (int l = 0; rc == 0 && l < view->depth; l++)
        rc = topo_add_level(&d, view, l, error);
    document_close(&d);
    document_number(&d, "host_level", view->host_level >= 0 ? view->host_level : NAN);
    document_open(&d, "hosts", '(');
    for (int32_t h = 0; names_hosts && h < tmap_tree_objects(view->tree, view->host_level); h++)
        document_text(&d, NULL, view->host[h]);
    document_close(&d);
    topo_add_devices(&d, view);
    document_ordinals(&d, "rank_of_slot", view->slots, view->rank_of);
    document_ordinals(&d, "slot_of_role", view->matrix ? tmap_matrix_roles(view->matrix) : 0,
                      view->slot_of);
    if (rc == 0 && document_write_json(file, &d))
        rc = reseat_fail(error, "out of memory");
    document_free(&d);
    return rc;
}

static const struct {
    const char *name;
    topo_writer_fn *write;
} topo_forms[] = {{"text", topo_write_text},   {"hwloc", draw_synthetic},
                  {"netloc", draw_netloc},     {"scotch", draw_scotch},
                  {"graphviz", draw_graphviz}, {"simgrid", draw_simgrid},
                  {"hostfile", draw_hostfile}};

/* The name is one of them. */
static int topo_find_form(const char *name)
{
    int form = 0;
    while (strcmp(topo_forms[form].name, name) != 0)
        form++;
    return form;
}

/* That no output is an input, or another output. 0, or an exit status after an error message. */
static int topo_check_outputs(const struct topo_request *r)
{
    struct reseat_error error;
    const char *inputs[] = {r->topology, r->profile, r->mapping, r->timings};
    const struct named_output outputs[] = {{"output", r->output ? r->output
                                                      : r->to   ? "-"
                                                                : NULL},
                                           {"svg", r->svg},
                                           {"png", r->png},
                                           {"json", r->json}};
    return cli_status(check_outputs(outputs, 4, inputs, 4, &error), &error);
}

/* Checks that the options fit together. 0, or a usage status after an error message. */
static int topo_check(const struct topo_request *r)
{
    struct reseat_error error;
    if (r->mapping && !r->profile)
        return cli_fail(EXIT_USAGE, "--mapping is of the traffic of a profile: reseat topo FILE");
    if (r->phase >= 0 && !r->profile)
        return cli_fail(EXIT_USAGE, "--phase is of a profile: reseat topo FILE");
    if (r->tree && r->command)
        return cli_fail(EXIT_USAGE, "--tree is a machine, and so is a job: only one can be "
                                    "shown");
    if (r->mpi && !r->command)
        return cli_fail(EXIT_USAGE, "--mpi is of a job: -- mpirun ... is needed");
    if ((r->timings || r->network) && !(r->to && strcmp(r->to, "simgrid") == 0))
        return cli_fail(EXIT_USAGE, "--timings and --network are for --to simgrid");
    int status = cli_status(check_tree(r->tree, r->costs, &error), &error);
    return status ? status : topo_check_outputs(r);
}

/* Give an output to the form that its name ends with; another one is for the text, or --to. 0, or
 * a usage status after an error message. */
static int topo_choose_form(struct topo_request *r)
{
    const struct {
        const char *ending, **path;
    } forms[] = {{".svg", &r->svg}, {".png", &r->png}, {".json", &r->json}};
    for (size_t i = 0; r->output && !r->to && i < sizeof forms / sizeof forms[0]; i++) {
        if (!output_ends(r->output, forms[i].ending))
            continue;
        if (*forms[i].path)
            return cli_fail(EXIT_USAGE, "--output %s and --%s are the same form", r->output,
                            forms[i].ending + 1);
        *forms[i].path = r->output;
        r->output = NULL;
    }
    return 0;
}

static int topo_parse(int argc, char **argv, struct topo_request *r)
{
    const struct option_target targets[] = {{"tree", &r->tree, NULL},
                                            {"topology", &r->topology, NULL},
                                            {"costs", &r->costs, NULL},
                                            {"timings", &r->timings, NULL},
                                            {"network", &r->network, NULL},
                                            {"to", &r->to, NULL},
                                            {"output", &r->output, NULL},
                                            {"phase", &r->phase, NULL},
                                            {"mapping", &r->mapping, NULL},
                                            {"mpi", &r->mpi, NULL},
                                            {"svg", &r->svg, NULL},
                                            {"png", &r->png, NULL},
                                            {"json", &r->json, NULL},
                                            {"metric", &r->metric, NULL},
                                            {NULL, NULL, NULL}};
    argc = options_before_job(argc, argv, &r->command);
    int status = options_parse(&(struct options){.order = ":", .targets = targets}, argc, argv);
    if (!status)
        status = topo_choose_form(r);
    if (status)
        return status;
    r->profile = optind < argc ? argv[optind++] : NULL;
    if (optind < argc)
        return cli_fail(EXIT_USAGE, "'%s' is not expected; a job comes after --", argv[optind]);
    if (r->command && !*r->command)
        return cli_fail(EXIT_USAGE, "which job? reseat topo -- mpirun -n 64 ./app");
    return topo_check(r);
}

/* An output of the command; path NULL: standard output. */
struct topo_output {
    topo_writer_fn *write;
    const char *path;
    struct made_text made;
};

/* 0, or an exit status after an error message. */
static int topo_make(struct topo_output *output, const struct draw_view *view)
{
    struct reseat_error error;
    struct made_text *made = &output->made;
    int rc = made_text_open(made, &error);
    if (rc == 0)
        rc = made_text_end(made, output->write(made->file, view, &error), &error);
    return cli_status(rc, &error);
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
    struct reseat_error error;
    struct topo_output all[4];
    int count = 0, status = 0;
    if (r->svg)
        all[count++] = (struct topo_output){.write = topo_write_svg, .path = r->svg};
    if (r->png)
        all[count++] = (struct topo_output){.write = topo_write_png, .path = r->png};
    if (r->json)
        all[count++] = (struct topo_output){.write = topo_write_json, .path = r->json};
    if (r->to || r->output || count == 0)
        all[count++] = (struct topo_output){
            .write = topo_forms[topo_find_form(r->to ? r->to : "text")].write, .path = r->output};
    for (int i = 0; !status && i < count; i++)
        status = topo_make(&all[i], view);
    for (int i = 0; !status && i < count; i++)
        status =
            cli_status(save_text(all[i].path, all[i].made.text, all[i].made.size, &error), &error);
    for (int i = 0; i < count; i++)
        free(all[i].made.text);
    return status;
}

int cmd_topo(int argc, char **argv)
{
    struct topo_request r = {.phase = -1, .metric = RESEAT_METRIC_SIZE};
    struct topo_machine m;
    struct reseat_error error;
    int status = topo_parse(argc, argv, &r);
    if (status)
        return status;
    status = cli_status(topo_find_machine(&r, &m, &error), &error);
    if (!status)
        status = topo_write_all(&r, &m.view);
    topo_free_machine(&m);
    return status;
}
