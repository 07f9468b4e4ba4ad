/* Trial: sizes for a kernel, and counting what squall says of programs. */
#include "tests/fuzz/fuzz.h"
#include "tuner/measure/case_spec.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const double most_flops = 3e5, most_bytes = 1e6;

const char *size_text(int size)
{
    static const char *const names[MOST_PROGRAM_SIZES] = {"M", "N", "K", "L"};
    return names[size];
}

int fixes_of(const trial *t, int nsizes, sq_fix *fix)
{
    int n = 0;
    for (int i = 0; i < nsizes; i++)
        if (t->fixed[i])
            fix[n++] = (sq_fix){size_text(i), t->size[0][i]};
    return n;
}

void sizes_of(const trial *t, int row, const sq_kernel *k, int64_t *sizes)
{
    for (int i = 0; i < k->nsizes; i++)
        for (int s = 0; s < MOST_PROGRAM_SIZES; s++)
            if (strcmp(k->size[i]->name, size_text(s)) == 0)
                sizes[i] = k->size[i]->fixed ? k->size[i]->value : t->size[row][s];
}

bool draw_sizes(sq_rng *r, const sq_kernel *k, isl_set *context, int64_t *sizes, bool nonzero)
{
    static const int64_t some[] = {7, 13, 31, 33, 2, 3, 16, 5, 17, 48, 65, 129, 1, 0};
    for (int attempt = 0; attempt < 100; attempt++) {
        size_t n = sizeof some / sizeof *some - (nonzero || sq_rng_below(r, 4));
        for (int i = 0; i < k->nsizes; i++)
            sizes[i] = k->size[i]->fixed ? k->size[i]->value : some[sq_rng_below(r, n)];
        if (sq_kernel_takes(k, context, sizes) && sq_kernel_flops(k, sizes) <= most_flops &&
            sq_case_bytes(k, sizes) <= most_bytes)
            return true;
    }
    return false;
}

/* Quoted words, numbers and names of the program go. */
static void classify(const char *message, char *to, size_t size)
{
    size_t n = 0;
    for (const char *c = message; *c && n + 2 < size;) {
        bool quoted = *c == '\'' && strchr(c + 1, '\'');
        if (quoted) {
            to[n++] = '_';
            c = strchr(c + 1, '\'') + 1;
        } else if (isdigit((unsigned char)*c)) {
            to[n++] = '#';
            c += strspn(c, "0123456789");
        } else {
            to[n++] = *c++;
        }
    }
    to[n] = 0;
}

void count_class(class_count *table, const char *message)
{
    char key[sizeof table->message];
    classify(message ? message : "no message", key, sizeof key);
    for (int i = 0; i < MOST_CLASSES; i++) {
        if (table[i].n && strcmp(table[i].message, key) != 0 && i < MOST_CLASSES - 1)
            continue;
        strcpy(table[i].message, i < MOST_CLASSES - 1 ? key : "others");
        table[i].n++;
        return;
    }
}

static void add_classes(class_count *to, const class_count *c)
{
    for (int i = 0; i < MOST_CLASSES && c[i].n; i++)
        for (int k = 0; k < MOST_CLASSES; k++)
            if (!to[k].n || strcmp(to[k].message, c[i].message) == 0) {
                strcpy(to[k].message, c[i].message);
                to[k].n += c[i].n;
                break;
            }
}

void counts_add(counts *to, const counts *n)
{
    to->programs += n->programs, to->refused += n->refused, to->scripts += n->scripts;
    to->scripts_refused += n->scripts_refused, to->candidates += n->candidates;
    to->pairs += n->pairs, to->warned += n->warned, to->failures += n->failures;
    to->excused += n->excused, to->interpreted += n->interpreted;
    to->cases_undefined += n->cases_undefined;
    add_classes(to->programs_by, n->programs_by);
    add_classes(to->scripts_by, n->scripts_by);
    add_classes(to->warned_by, n->warned_by);
}

static void print_classes(const char *what, const class_count *c)
{
    printf("%s:\n", what);
    for (int i = 0; i < MOST_CLASSES && c[i].n; i++)
        printf("%8ld %s\n", c[i].n, c[i].message);
}

void counts_print(const counts *n, const setup *s)
{
    if (!s->interpret)
        print_classes("candidates with a warning", n->warned_by);
    print_classes("programs refused", n->programs_by);
    print_classes("scripts refused", n->scripts_by);
    printf("%ld programs (%ld refused), %ld scripts (%ld refused), %ld candidates (%ld with a "
           "warning), %ld pairs; %ld excused as the compiler's, %ld failures\n",
           n->programs, n->refused, n->scripts, n->scripts_refused, n->candidates, n->warned,
           n->pairs, n->excused, n->failures);
    if (s->interpret)
        printf("%ld candidates were interpreted; %ld rows of sizes without a defined result\n", n->interpreted,
               n->cases_undefined);
}
