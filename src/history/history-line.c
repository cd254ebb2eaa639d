/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * history-line.c - a job as a line of a file, see history.h: the word `job`, when it started, and
 * pairs of a key and a value up to `end`; fields of later versions stand behind that. A line in
 * which anything else is wrong is torn, or two of them in one, and skipped: each job stands for
 * itself, so a file that lost a line is still good.
 *
 *   job 2026-11-24T04:05:06Z status 0 seconds 3.15 mpi 0.91 predicted 0.19 nodes 4 cores 64
 *       machine 5a1c pattern 77e0 order 9b04 method multilevel hosts node[0-3] end
 */
#include "history/history.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/lines.h"
#include "text/printable.h"

/* Room for a text of the greatest size, each byte of it escaped. */
enum { HISTORY_WORD_SIZE = 4 * HISTORY_HOSTS_SIZE };

/* ---- writing ---- */

/* "-" where the number is not known. What is next to nothing is 0: a reader takes no such
 * powers. */
static void history_real_word(char word[32], double number)
{
    if (isfinite(number) && number >= 0)
        snprintf(word, 32, "%.9g", number < 1e-9 ? 0 : number);
    else
        snprintf(word, 32, "-");
}

/* One word: blanks and what a line must not have are \xHH; "-" where there is no text. What does
 * not fit is cut off. */
static void history_text_word(char *word, size_t size, const char *text)
{
    char piece[PRINTABLE_PIECE];
    size_t length = 0, more;
    while ((more = printable_piece(&text, piece)) > 0) {
        const char *part = piece[0] == ' ' ? "\\x20" : piece;
        more = piece[0] == ' ' ? 4 : more;
        if (length + more >= size)
            break;
        memcpy(word + length, part, more);
        length += more;
    }
    word[length] = '\0';
    if (!length || strcmp(word, "-") == 0)
        snprintf(word, size, length ? "\\x2d" : "-");
}

size_t history_write_line(char line[HISTORY_LINE_SIZE], const struct past_job *job)
{
    char when[32] = "-", seconds[32], in_mpi[32], predicted[32];
    char method[2 * HISTORY_METHOD_SIZE], hosts[2 * HISTORY_HOSTS_SIZE];
    struct tm start;
    if (gmtime_r(&job->when, &start))
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &start);
    history_real_word(seconds, job->seconds);
    history_real_word(in_mpi, job->seconds_in_mpi);
    history_real_word(predicted, job->predicted);
    history_text_word(method, sizeof method, job->method);
    history_text_word(hosts, sizeof hosts, job->hosts);
    int length = snprintf(
        line, HISTORY_LINE_SIZE,
        "job %s status %d seconds %s mpi %s predicted %s nodes %d cores %d machine %" PRIx64
        " pattern %" PRIx64 " order %" PRIx64 " method %s hosts %s end\n",
        when, job->status, seconds, in_mpi, predicted, job->nodes, job->cores, job->machine,
        job->pattern, job->order, method, hosts);
    return (size_t)length;
}

/* ---- reading ---- */

/* The next word of *text, which is moved past it. Its length, 0 at the end, or -1: it does not
 * fit. */
static int history_take_word(const char **text, char word[HISTORY_WORD_SIZE])
{
    const char *from = *text + strspn(*text, " \t\r");
    size_t length = strcspn(from, " \t\r");
    if (length >= HISTORY_WORD_SIZE)
        return -1;
    memcpy(word, from, length);
    word[length] = '\0';
    *text = from + length;
    return (int)length;
}

static int history_take_time(time_t *when, const char *word)
{
    struct tm start = {0};
    const char *end = strptime(word, "%Y-%m-%dT%H:%M:%SZ", &start);
    if (!end || *end)
        return -1;
    *when = timegm(&start);
    return 0;
}

static int history_take_real(double *number, const char *word)
{
    *number = NAN;
    if (strcmp(word, "-") == 0)
        return 0;
    return lines_real(&word, number) == 0 && lines_at_end(word) ? 0 : -1;
}

static int history_take_int(int *number, const char *word)
{
    char *end;
    long value = strtol(word, &end, 10);
    if (!*word || *end || value < -INT32_MAX || value > INT32_MAX)
        return -1;
    *number = (int)value;
    return 0;
}

static int history_take_hash(uint64_t *hash, const char *word)
{
    size_t length = strlen(word);
    if (length < 1 || length > 16 || strspn(word, "0123456789abcdef") != length)
        return -1;
    *hash = strtoull(word, NULL, 16);
    return 0;
}

static int history_take_text(char *text, size_t size, char *word)
{
    if (strcmp(word, "-") == 0)
        word[0] = '\0';
    if (printable_restore(word))
        return -1;
    printable_copy(text, size, word);
    return 0;
}

/* The value of a key. 0, or -1: it is none, or the key is unknown. */
static int history_take_field(struct past_job *job, const char *key, char *value)
{
    if (strcmp(key, "status") == 0)
        return history_take_int(&job->status, value);
    if (strcmp(key, "seconds") == 0)
        return history_take_real(&job->seconds, value);
    if (strcmp(key, "mpi") == 0)
        return history_take_real(&job->seconds_in_mpi, value);
    if (strcmp(key, "predicted") == 0)
        return history_take_real(&job->predicted, value);
    if (strcmp(key, "nodes") == 0)
        return history_take_int(&job->nodes, value);
    if (strcmp(key, "cores") == 0)
        return history_take_int(&job->cores, value);
    if (strcmp(key, "machine") == 0)
        return history_take_hash(&job->machine, value);
    if (strcmp(key, "pattern") == 0)
        return history_take_hash(&job->pattern, value);
    if (strcmp(key, "order") == 0)
        return history_take_hash(&job->order, value);
    if (strcmp(key, "method") == 0)
        return history_take_text(job->method, sizeof job->method, value);
    if (strcmp(key, "hosts") == 0)
        return history_take_text(job->hosts, sizeof job->hosts, value);
    return -1;
}

int history_read_line(struct past_job *job, const char *line)
{
    char key[HISTORY_WORD_SIZE], value[HISTORY_WORD_SIZE];
    struct past_job read = {.status = -1, .seconds = NAN, .seconds_in_mpi = NAN, .predicted = NAN};
    if (history_take_word(&line, key) < 1 || strcmp(key, "job") != 0 ||
        history_take_word(&line, value) < 1 || history_take_time(&read.when, value))
        return 0;
    while (history_take_word(&line, key) > 0 && strcmp(key, "end") != 0)
        if (history_take_word(&line, value) < 1 || history_take_field(&read, key, value))
            return 0;
    if (strcmp(key, "end") != 0)
        return 0;
    *job = read;
    return 1;
}
