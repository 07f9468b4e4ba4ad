/* Steps: see steps.h. */
#include "tuner/search/steps.h"
#include "support/memory.h"
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Calls that have a kind of their own; others share the last. */
static const char *const kinds[SQ_STEP_KINDS - 1] = {"tile",      "order",  "micro",    "vectorize", "pack",
                                                     "unroll",    "merge",  "parallel", "split",     "fuse"};

void sq_words_free(sq_words *w)
{
    for (size_t i = 0; i < w->n; i++)
        free(w->name[i]);
    free(w->name);
    *w = (sq_words){0};
}

static size_t number_of(sq_words *w, const char *name, size_t n)
{
    for (size_t i = 0; i < w->n; i++)
        if (strlen(w->name[i]) == n && memcmp(w->name[i], name, n) == 0)
            return i + 1;
    w->name = sq_grown(w->name, w->n, &w->room, sizeof *w->name);
    w->name[w->n] = sq_allocated(strndup(name, n));
    return ++w->n;
}

static int kind_of(const char *name, size_t n)
{
    int kind = 0;
    while (kind < SQ_STEP_KINDS - 1 && (strlen(kinds[kind]) != n || memcmp(kinds[kind], name, n) != 0))
        kind++;
    return kind;
}

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

/* Letters and digits up to what is neither, or up to the number at the end of a name. */
static size_t length_of(const char *at)
{
    size_t n = 0, digits = 0;
    while (is_letter(at[n]) || isdigit((unsigned char)at[n]))
        n++;
    while (digits < n && isdigit((unsigned char)at[n - 1 - digits]))
        digits++;
    return digits < n ? n - digits : n;
}

/* Sizes differ by factors. */
static float scaled(double value)
{
    return (float)log2(1 + fabs(value));
}

int sq_steps_of_script(sq_words *w, const char *script, float (*row)[SQ_STEP_NUMBERS])
{
    int n = 0, used = SQ_STEP_NUMBERS;
    for (const char *at = script; *at;) {
        size_t length = length_of(at);
        bool is_call = length > 0 && is_letter(*at) && at[length] == '(';
        if (is_call && n == SQ_STEPS)
            break;
        if (is_call) {
            memset(row[n], 0, sizeof row[n]);
            row[n++][kind_of(at, length)] = 1;
            used = SQ_STEP_KINDS;
        } else if (length > 0 && used < SQ_STEP_NUMBERS) {
            row[n - 1][used++] = is_letter(*at) ? (float)number_of(w, at, length) : scaled(strtod(at, NULL));
        }
        at += length > 0 ? length : 1;
    }
    return n;
}

void sq_step_of_value(int number, long value, float *row)
{
    memset(row, 0, SQ_STEP_NUMBERS * sizeof *row);
    row[SQ_STEP_KINDS - 1] = 1;
    row[SQ_STEP_KINDS] = (float)number;
    row[SQ_STEP_KINDS + 1] = scaled((double)value);
}
