/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify-result.h - what `reseat verify` has found out: collected once, for all the forms in which
 * it is written.
 *
 *   verify-numbers.c   the gain and its interval
 *   verify-document.c  as a document, which is written as text (src/page/verify.txt) and as JSON:
 *                      doc/verify-json.md
 *   verify-page.c      what only its page has: src/page/verify.html
 */
#ifndef RESEAT_VERIFY_RESULT_H
#define RESEAT_VERIFY_RESULT_H

#include <stdio.h>
#include <time.h>

#include "cmd/run/job-run.h"
#include "cmd/run/reasons.h"
#include "cmd/verify/run-outputs.h"
#include "page/document.h"

enum { VERIFY_MOST_PAIRS = 100 };

enum verify_outcome {
    VERIFY_MEASURED,
    VERIFY_UNCHANGED, /* with --placement launch: no better places were found, or can be had */
    VERIFY_KEPT,      /* the ranks kept the launch order */
    VERIFY_MISSING    /* no rank loaded the library */
};

/* Fractions of the time without; NAN: not known, since a run took 0 s. */
struct verify_gain {
    double mean, low, high; /* and its interval */
};

struct verify_result {
    const struct job_run *run;
    char **words;  /* of the command line, ended by NULL; first the subcommand */
    int own_words; /* so many of them are before the job */
    time_t began;
    enum verify_outcome outcome;
    char why[REASON_SIZE + 512]; /* a sentence without its full stop, if nothing was measured */
    /* If it was: */
    int pairs;
    double seconds[VERIFY_MOST_PAIRS][2]; /* without and with the better order */
    struct verify_gain gain;
    double mean[2];     /* geometric, of the seconds; NAN: not known */
    int verdict;        /* 1 faster, -1 slower, 0 neither */
    char sentence[512]; /* what FILE.verdict and the text say of it, without its full stop */
    struct predicted predicted; /* of the messages; all 0: nothing */
    int is_compared;            /* what the job prints */
    struct run_outputs_judgement prints;
};

/* The gain of one pair; NAN if the run without took 0 s, as a replay of nothing may. */
double verify_pair_gain(const double seconds[2]);

/* Whether the gain of all pairs is known. */
int verify_has_gain(const struct verify_result *result);

/* A gain in percent; "-" if it is not known. */
const char *verify_print_gain(double gain, char text[32]);

/* Fill the gain, means, verdict and sentence from the pairs, 2 to VERIFY_MOST_PAIRS. */
void verify_find_numbers(struct verify_result *result);

/* Fill a document with all of it. The result outlives the document. */
void verify_fill(struct document *document, const struct verify_result *result);
/* The values that only the page shows; `profile` may be NULL. */
void verify_fill_page(struct document *document, const struct verify_result *result,
                      const struct reseat_profile *profile);

/* Of such a document; page_save calls it. */
int verify_write_page(FILE *file, const void *document);

#endif
