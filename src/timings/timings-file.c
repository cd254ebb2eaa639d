/* SPDX-License-Identifier: BSD-3-Clause */
/* timings-file.c - reading and writing timings, see timings.h. */
#include <inttypes.h>
#include <string.h>

#include "text/lines.h"
#include "text/printable.h"
#include "timings/timings.h"

static const char timings_first_line[] = "# reseat timings 1";

enum { TIMINGS_LONGEST_LINE = 65536 };

static const char timings_figures_key[] = "figures";

struct timings_reader {
    struct lines lines;
    struct reseat_timings *timings;
    uint64_t figures;   /* lines with one */
    uint64_t announced; /* how many there should be; UINT64_MAX: nothing says that */
};

int reseat_timings_begins(const char *line)
{
    size_t length = sizeof timings_first_line - 2; /* without the version */
    return strncmp(line, timings_first_line, length) == 0;
}

/* The keyword and the number behind it. 0, or -1 with the error. */
static int timings_take_value(struct timings_reader *r, const char **at, const char *key,
                              double *value)
{
    if (lines_word(at, key) && lines_real(at, value) == 0)
        return 0;
    return lines_fail(&r->lines, "'%s' and a number are expected here: '%.40s'", key,
                      *at + strspn(*at, " \t"));
}

static int timings_take_count(struct timings_reader *r, const char **at, const char *key,
                              uint64_t most, uint64_t *count)
{
    if (lines_word(at, key) && lines_number(at, most, count) == 0)
        return 0;
    return lines_fail(&r->lines,
                      "'%s' and an integer of at most %" PRIu64 " are expected here: '%.40s'", key,
                      most, *at + strspn(*at, " \t"));
}

/* The end of a line. 0, or -1 with the error. */
static int timings_take_sample(struct timings_reader *r, const char **at,
                               struct timings_sample *sample)
{
    uint64_t times = 0;
    *sample = (struct timings_sample){0, 0};
    if (lines_at_end(*at))
        return 0;
    if (timings_take_count(r, at, "times", INT32_MAX, &times))
        return -1;
    sample->times = (int32_t)times;
    if (!lines_at_end(*at) && timings_take_value(r, at, "spread", &sample->spread))
        return -1;
    return lines_at_end(*at) ? 0 : lines_fail(&r->lines, "the line goes on after its end");
}

/* A kind, into `kind`. 0, or -1 with the error. */
static int timings_take_kind(struct timings_reader *r, const char **at, char kind[TMAP_NAME_SIZE])
{
    const char *from = *at + strspn(*at, " \t");
    size_t length = strcspn(from, " \t");
    if (length == 0 || length >= TMAP_NAME_SIZE)
        return lines_fail(&r->lines, "a kind of level is expected, such as machine, node or core");
    memcpy(kind, from, length);
    kind[length] = '\0';
    *at = from + length;
    return 0;
}

/* Adds the line's number to the error of a figure that could not be added. 0, or -1. */
static int timings_added(struct timings_reader *r, int rc, const struct reseat_error *why)
{
    return rc ? lines_fail(&r->lines, "%s", why->text) : 0;
}

static int timings_read_level(struct timings_reader *r, const char *at)
{
    char kind[TMAP_NAME_SIZE];
    struct timings_point point;
    struct reseat_error why;
    if (timings_take_kind(r, &at, kind) ||
        timings_take_count(r, &at, "bytes", TIMINGS_MOST_BYTES, &point.bytes) ||
        timings_take_value(r, &at, "seconds", &point.seconds) ||
        timings_take_sample(r, &at, &point.sample))
        return -1;
    return timings_added(r, reseat_timings_add_point(r->timings, kind, &point, &why), &why);
}

static int timings_read_hop(struct timings_reader *r, const char *at)
{
    char kind[TMAP_NAME_SIZE];
    struct timings_sample sample;
    struct reseat_error why;
    double seconds;
    if (timings_take_kind(r, &at, kind) || timings_take_value(r, &at, "seconds", &seconds) ||
        timings_take_sample(r, &at, &sample))
        return -1;
    return timings_added(r, reseat_timings_add_hop(r->timings, kind, seconds, &sample, &why), &why);
}

static int timings_read_exchange(struct timings_reader *r, const char *at)
{
    char kind[TMAP_NAME_SIZE];
    struct timings_exchange exchange = {.scope = TIMINGS_SCOPES};
    struct reseat_error why;
    uint64_t ranks = 0, messages = 0;
    if (timings_take_kind(r, &at, kind))
        return -1;
    int is_among = lines_word(&at, "among");
    for (int scope = 0; scope < TIMINGS_SCOPES && is_among; scope++)
        if (lines_word(&at, reseat_timings_scope_name((enum timings_scope)scope))) {
            exchange.scope = (enum timings_scope)scope;
            break;
        }
    if (exchange.scope == TIMINGS_SCOPES)
        return lines_fail(&r->lines, "'among', and pair, node or all, are expected");
    if (timings_take_count(r, &at, "ranks", INT32_MAX, &ranks) ||
        timings_take_count(r, &at, "bytes", TIMINGS_MOST_BYTES, &exchange.bytes) ||
        timings_take_count(r, &at, "messages", INT32_MAX, &messages) ||
        timings_take_value(r, &at, "seconds", &exchange.seconds) ||
        timings_take_sample(r, &at, &exchange.sample))
        return -1;
    exchange.ranks = (int32_t)ranks;
    exchange.messages = (int32_t)messages;
    return timings_added(r, reseat_timings_add_exchange(r->timings, kind, &exchange, &why), &why);
}

static int timings_read_rate(struct timings_reader *r, const char *at,
                             enum timings_resource resource)
{
    struct timings_rate rate;
    struct reseat_error why;
    uint64_t users;
    if (timings_take_count(r, &at, resource == TIMINGS_MEMORY ? "pairs" : "ranks", INT32_MAX,
                           &users) ||
        timings_take_value(r, &at, "bytes_per_second", &rate.bytes_per_second) ||
        timings_take_sample(r, &at, &rate.sample))
        return -1;
    rate.users = (int32_t)users;
    return timings_added(r, reseat_timings_add_rate(r->timings, resource, &rate, &why), &why);
}

static const char *const timings_ways[] = {"out", "in", "both"};

static int timings_read_card(struct timings_reader *r, const char *at)
{
    char kind[TMAP_NAME_SIZE];
    struct reseat_error why;
    int way = 0;
    while (way < 3 && !lines_word(&at, timings_ways[way]))
        way++;
    if (way == 3)
        return lines_fail(&r->lines, "card is followed by out, in or both");
    if (!lines_word(&at, "near"))
        return timings_read_rate(r, at, (enum timings_resource)(TIMINGS_CARD_OUT + way));
    if (timings_take_kind(r, &at, kind) ||
        timings_added(r, reseat_timings_add_near(r->timings, kind, &why), &why))
        return -1;
    return timings_read_rate(r, at, (enum timings_resource)(TIMINGS_NEAR_OUT + way));
}

/* Reads the number of figures in the file. 0, or -1 with the error. */
static int timings_read_announced(struct timings_reader *r, const char *value)
{
    if (r->announced != UINT64_MAX)
        return lines_fail(&r->lines, "the number of figures is there twice");
    if (lines_number(&value, UINT64_MAX - 1, &r->announced) || !lines_at_end(value))
        return lines_fail(&r->lines, "the number of figures is expected here");
    return 0;
}

/* "# key: value" is kept. */
static int timings_read_comment(struct timings_reader *r, char *comment)
{
    struct reseat_error why;
    comment += strspn(comment, " \t");
    char *value = strstr(comment, ": ");
    if (!value || strcspn(comment, " \t") < (size_t)(value - comment))
        return 0; /* prose */
    *value = '\0';
    value += 2;
    if (printable_restore(comment) || printable_restore(value))
        return lines_fail(&r->lines, "an escaped NUL");
    if (strcmp(comment, timings_figures_key) == 0)
        return timings_read_announced(r, value);
    return timings_added(r, reseat_timings_add_header(r->timings, comment, value, &why), &why);
}

static int timings_read_line(struct timings_reader *r)
{
    const char *at = r->lines.line + strspn(r->lines.line, " \t");
    if (*at == '#')
        return timings_read_comment(r, r->lines.line + (at - r->lines.line) + 1);
    if (lines_at_end(at))
        return 0;
    r->figures++;
    if (lines_word(&at, "level"))
        return timings_read_level(r, at);
    if (lines_word(&at, "hop"))
        return timings_read_hop(r, at);
    if (lines_word(&at, "exchange"))
        return timings_read_exchange(r, at);
    if (lines_word(&at, "card"))
        return timings_read_card(r, at);
    if (lines_word(&at, "memory"))
        return timings_read_rate(r, at, TIMINGS_MEMORY);
    return lines_fail(&r->lines, "level, hop, exchange, card or memory is expected here: '%.40s'",
                      at);
}

static int timings_read_lines(struct timings_reader *r)
{
    struct reseat_error why;
    int more = lines_next(&r->lines);
    if (more < 0)
        return -1;
    if (!more || !reseat_timings_begins(r->lines.line))
        return reseat_fail(r->lines.error, "%s: does not begin with `%s'", r->lines.path,
                           timings_first_line);
    if (strcmp(r->lines.line, timings_first_line) != 0)
        return lines_fail(&r->lines, "timings of another version");
    while ((more = lines_next(&r->lines)) > 0)
        if (timings_read_line(r))
            return -1;
    if (more == 0 && r->announced != UINT64_MAX && r->figures != r->announced)
        return reseat_fail(
            r->lines.error, "%s: %" PRIu64 " figures are announced, and there are %" PRIu64 "%s",
            r->lines.path, r->announced, r->figures, r->figures < r->announced ? ": torn" : "");
    if (more == 0 && reseat_timings_check(r->timings, &why))
        return reseat_fail(r->lines.error, "%s: %s", r->lines.path, why.text);
    return more;
}

int reseat_timings_read(struct reseat_timings **timings, const char *path,
                        struct reseat_error *error)
{
    struct timings_reader r = {.announced = UINT64_MAX};
    int rc = lines_open(&r.lines, path, error);
    r.lines.most = TIMINGS_LONGEST_LINE;
    if (rc == 0)
        rc = reseat_timings_create(&r.timings, error);
    if (rc == 0)
        rc = timings_read_lines(&r);
    lines_close(&r.lines);
    if (rc == 0)
        *timings = r.timings;
    else
        reseat_timings_destroy(r.timings);
    return rc;
}

/* ---- writing ---- */

static void timings_write_escaped(FILE *file, const char *text)
{
    char piece[PRINTABLE_PIECE];
    while (printable_piece(&text, piece))
        fputs(piece, file);
}

static void timings_write_end(FILE *file, const struct timings_sample *sample)
{
    if (sample->times || sample->spread >= 5e-7)
        fprintf(file, " times %" PRId32 " spread %.6f", sample->times, sample->spread);
    fputc('\n', file);
}

static void timings_write_level(FILE *file, const struct timings_level *level)
{
    for (size_t i = 0; i < level->points; i++) {
        const struct timings_point *point = &level->point[i];
        fprintf(file, "level %s bytes %" PRIu64 " seconds %.9g", level->kind, point->bytes,
                point->seconds);
        timings_write_end(file, &point->sample);
    }
    if (level->hop_seconds > 0) {
        fprintf(file, "hop %s seconds %.9g", level->kind, level->hop_seconds);
        timings_write_end(file, &level->hop);
    }
    for (size_t i = 0; i < level->exchanges; i++) {
        const struct timings_exchange *each = &level->exchange[i];
        fprintf(file,
                "exchange %s among %s ranks %" PRId32 " bytes %" PRIu64 " messages %" PRId32
                " seconds %.9g",
                level->kind, reseat_timings_scope_name(each->scope), each->ranks, each->bytes,
                each->messages, each->seconds);
        timings_write_end(file, &each->sample);
    }
}

static void timings_write_rates(FILE *file, const struct reseat_timings *timings,
                                enum timings_resource resource)
{
    for (size_t i = 0; i < timings->rates[resource]; i++) {
        const struct timings_rate *rate = &timings->rate[resource][i];
        if (resource == TIMINGS_MEMORY)
            fprintf(file, "memory pairs ");
        else if (resource >= TIMINGS_NEAR_OUT)
            fprintf(file, "card %s near %s ranks ", timings_ways[resource - TIMINGS_NEAR_OUT],
                    timings->near);
        else
            fprintf(file, "card %s ranks ", timings_ways[resource - TIMINGS_CARD_OUT]);
        fprintf(file, "%" PRId32 " bytes_per_second %.9g", rate->users, rate->bytes_per_second);
        timings_write_end(file, &rate->sample);
    }
}

static size_t timings_figures(const struct reseat_timings *timings)
{
    size_t count = 0;
    for (size_t l = 0; l < timings->levels; l++)
        count += timings->level[l].points + (timings->level[l].hop_seconds > 0) +
                 timings->level[l].exchanges;
    for (int r = 0; r < TIMINGS_RESOURCES; r++)
        count += timings->rates[r];
    return count;
}

void reseat_timings_write(FILE *file, const struct reseat_timings *timings)
{
    fprintf(file, "%s\n# %s: %zu\n", timings_first_line, timings_figures_key,
            timings_figures(timings));
    for (size_t i = 0; i < timings->headers; i++) {
        fputs("# ", file);
        timings_write_escaped(file, timings->header[i].key);
        fputs(": ", file);
        timings_write_escaped(file, timings->header[i].value);
        fputc('\n', file);
    }
    for (size_t l = 0; l < timings->levels; l++)
        timings_write_level(file, &timings->level[l]);
    for (int r = 0; r < TIMINGS_RESOURCES; r++)
        timings_write_rates(file, timings, (enum timings_resource)r);
}
