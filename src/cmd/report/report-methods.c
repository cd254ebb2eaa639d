/* SPDX-License-Identifier: BSD-3-Clause */
/* report-methods.c - see report-methods.h. */
#include "cmd/report/report-methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/gain.h"
#include "cmd/shell/machine-load.h"
#include "cmd/shell/scotch-module.h"
#include "profile/settings.h"
#include "treematch/tmap.h"

/* ---- finding them ---- */

/* The slots by a layout; NULL with *error. */
static int32_t *methods_lay_out(const struct prediction *p, const char *text,
                                struct reseat_error *error)
{
    const struct tmap_layout layout = {.size = sizeof layout, .text = text};
    int32_t ranks = tmap_matrix_roles(p->matrix);
    int32_t *slot_of = malloc(((size_t)ranks + 1) * sizeof *slot_of);
    struct tmap_error why = {"out of memory"};
    if (slot_of && tmap_mapping_lay_out(p->tree, &layout, ranks, slot_of, &why) == TMAP_OK)
        return slot_of;
    reseat_fail(error, "%s", why.text);
    free(slot_of);
    return NULL;
}

/* Price a layout: it is what it is, no objective improves it, and local ranks do not stay. 0, or -1
 * with *error. */
static int methods_judge_layout(struct prediction *p, const char *layout,
                                struct prediction_request request, struct reseat_error *error)
{
    int32_t *mapping = methods_lay_out(p, layout, error);
    const enum reseat_objective objective = request.objective;
    request.mapping = mapping;
    request.objective = RESEAT_OBJECTIVE_COST;
    p->local = (struct local_ranks){.first = NULL}; /* it was borrowed */
    int rc = mapping ? prediction_find(p, &request, error) : -1;
    free(mapping);
    p->objective = objective;
    return rc ? rc : prediction_find_busiest(p, error);
}

static int methods_find_one(struct report_method *found, const struct listed_method *method,
                            const struct time_forecast *forecast, struct prediction_request request,
                            struct reseat_error *error)
{
    struct time_forecast seconds = *forecast;
    found->name = method->name;
    request.method = method->name;
    request.map = map_and_say_repairs;
    int rc = method->layout
                 ? methods_judge_layout(&found->prediction, method->layout, request, error)
                 : prediction_find(&found->prediction, &request, error);
    if (rc || time_forecast_compare(&seconds, &found->prediction, error))
        return -1;
    const struct prediction *p = &found->prediction;
    found->gain = time_forecast_gain_or_loss(&seconds, p);
    found->seconds = seconds.timings ? seconds.seconds[1].estimate : 0;
    return 0;
}

int report_methods_find(struct report_methods *methods, struct prediction *p,
                        const struct time_forecast *forecast,
                        const struct report_methods_request *request, struct reseat_error *error)
{
    methods->method = calloc(request->count, sizeof *methods->method);
    if (!methods->method)
        return reseat_fail(error, "out of memory");
    for (size_t i = 0; i < request->count; i++) {
        struct report_method *found = &methods->method[i];
        methods->count++;
        found->prediction = *p;
        found->prediction.best = NULL;
        if (methods_find_one(found, &request->method[i], forecast, request->prediction, error))
            return -1;
        if (found->gain > methods->method[methods->shown].gain)
            methods->shown = (int)i;
    }
    struct time_forecast seconds = *forecast;
    if (request->method[methods->shown].layout)
        local_ranks_free(&p->local); /* who has borrowed it needs it no more */
    *p = methods->method[methods->shown].prediction;
    methods->method[methods->shown].prediction.best =
        malloc(((size_t)tmap_matrix_roles(p->matrix) + 1) * sizeof *p->best);
    if (!methods->method[methods->shown].prediction.best)
        return reseat_fail(error, "out of memory");
    memcpy(methods->method[methods->shown].prediction.best, p->best,
           (size_t)tmap_matrix_roles(p->matrix) * sizeof *p->best);
    if (time_forecast_compare(&seconds, p, error))
        return -1;
    methods->launch_seconds = seconds.timings ? seconds.seconds[0].estimate : 0;
    return 0;
}

int report_methods_count(struct report_methods *methods, const struct tmap_matrix *bytes,
                         struct reseat_error *error)
{
    int rc = 0;
    for (int i = 0; i < methods->count && rc == 0; i++)
        rc = prediction_compare(&methods->method[i].prediction, bytes, &methods->launch,
                                &methods->method[i].bytes, error);
    return rc;
}

void report_methods_close(struct report_methods *methods)
{
    for (int i = 0; i < methods->count; i++)
        free(methods->method[i].prediction.best);
    free(methods->method);
}

/* ---- writing them ---- */

/* Whether any order has bytes that cross a level. */
static int methods_cross(const struct report_methods *methods, int level)
{
    int any = methods->launch.weight_at[level] > 0;
    for (int i = 0; i < methods->count; i++)
        any |= methods->method[i].bytes.weight_at[level] > 0;
    return any;
}

/* Returns 1 if it is the best, and better than the launch order. */
static int report_method_is_best(const struct report_methods *methods, int method)
{
    return method == methods->shown && methods->method[method].gain > 0;
}

/* The launch order (`i` -1), or that by a method. */
static void methods_add_order(struct document *d, const struct report_methods *methods,
                              const struct prediction *p, int i)
{
    char change[RESEAT_CHANGE_SIZE];
    const struct report_method *m = i < 0 ? NULL : &methods->method[i];
    const struct tmap_cost *bytes = m ? &m->bytes : &methods->launch;
    document_open(d, NULL, '{');
    document_text(d, "name", m ? m->name : "launch order");
    document_boolean(d, "is_best", m && report_method_is_best(methods, i));
    document_open(d, "bytes", '(');
    for (int level = 0; level <= tmap_tree_depth(p->tree); level++)
        if (methods_cross(methods, level))
            document_integer(d, NULL, bytes->weight_at[level]);
    document_close(d);
    document_number(d, "cost", m ? m->prediction.after.cost : p->before.cost);
    document_number(d, "seconds", m ? m->seconds : methods->launch_seconds);
    document_text(d, "rise", m ? reseat_change_print(-m->gain, 1, change) : NULL);
    document_numbers(d, "change", m ? 2 : 0, (double[]){1, m ? 1 - m->gain : 1});
    document_close(d);
}

static void methods_add_orders(struct document *d, const struct report_methods *methods,
                               const struct prediction *p)
{
    char where[64];
    document_open(d, "@columns", '[');
    for (int level = 0; level <= tmap_tree_depth(p->tree); level++)
        if (methods_cross(methods, level))
            document_text(d, NULL, level_crossing(p->tree, level, where));
    document_close(d);
    document_boolean(d, "@has_seconds", methods->launch_seconds > 0);
    document_open(d, "@orders", '[');
    for (int i = -1; i < methods->count; i++)
        methods_add_order(d, methods, p, i);
    document_close(d);
}

void report_methods_add(struct document *d, const struct report_methods *methods,
                        const struct prediction *p)
{
    document_open(d, "methods", '[');
    for (int i = 0; i < methods->count; i++) {
        const struct report_method *m = &methods->method[i];
        document_open(d, NULL, '{');
        document_text(d, "name", m->name);
        document_boolean(d, "best", report_method_is_best(methods, i));
        document_number(d, "cost", m->prediction.after.cost);
        document_number(d, "gain", m->gain);
        document_number(d, "seconds", methods->launch_seconds > 0 ? m->seconds : NAN);
        document_integers(d, "bytes", tmap_tree_depth(p->tree) + 1, m->bytes.weight_at);
        document_close(d);
    }
    document_close(d);
    methods_add_orders(d, methods, p);
}
