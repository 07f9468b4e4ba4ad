/* Check refused: see check_refused.h. Near the sizes that are tried there are some that the description does not
 * allow; and those of arrays with more elements than 64 bits count are refused in any case. Arrays of 2^62 elements,
 * which nobody can run, are accepted. */
#include "cli/check_refused.h"
#include "tuner/measure/case_spec.h"
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { MOST = 16, AMONG = 3 }; /* refused sizes; rows near which they are looked for */

static isl_set *accepted(const sq_kernel *k)
{
    return k->accepted ? k->accepted : k->context;
}

static bool is_open(const sq_kernel *k, int i)
{
    return !k->size[i]->fixed;
}

/* True if some array has more than 2^64 elements, or a size is so large that all of them are. */
static bool is_beyond(const sq_kernel *k, const int64_t *row)
{
    bool beyond = false;
    for (int i = 0; i < k->nsizes; i++)
        beyond |= is_open(k, i) && row[i] >= INT64_MAX / 2;
    for (int a = 0; a < k->narrays; a++)
        beyond |= sq_array_bytes(k, k->array[a], row) / sq_type_bytes(k->array[a]->type) >= 0x1p64;
    return beyond;
}

typedef struct refused {
    const sq_kernel *k;
    int n;
    int64_t size[MOST][SQ_MAX_SIZES];
} refused;

static void try_row(refused *f, const int64_t *row)
{
    size_t bytes = (size_t)f->k->nsizes * sizeof *row;
    bool is_new = f->n < MOST && sq_check_rows_hold(f->k, row);
    for (int i = 0; i < f->n; i++)
        is_new &= memcmp(f->size[i], row, bytes) != 0;
    if (is_new && (is_beyond(f->k, row) || !sq_kernel_takes(f->k, accepted(f->k), row)))
        memcpy(f->size[f->n++], row, bytes);
}

static void try_near(refused *f, const int64_t *row, int i)
{
    int64_t near[SQ_MAX_SIZES], values[] = {-1, 1, 0, -row[i], row[i] - 1, row[i] + 1, 2 * row[i] + 1};
    memcpy(near, row, (size_t)f->k->nsizes * sizeof *row);
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        near[i] = values[v];
        try_row(f, near);
    }
}

static void find(refused *f, const sq_check_rows *r)
{
    int64_t largest[SQ_MAX_SIZES] = {0};
    for (int i = 0; i < f->k->nsizes; i++)
        largest[i] = !is_open(f->k, i)                         ? f->k->size[i]->value
                     : sq_type_bytes(f->k->size[i]->type) == 8 ? INT64_MAX / 2
                                                               : INT_MAX;
    try_row(f, largest);
    for (int row = 0; row < AMONG && row < r->n; row++)
        for (int i = 0; i < f->k->nsizes; i++)
            if (is_open(f->k, i))
                try_near(f, r->size + (ptrdiff_t)(row * (r->n - 1) / AMONG) * f->k->nsizes, i);
}

/* Constants that no function is made for. */
static void find_unmade(refused *f, const sq_check_rows *r)
{
    bool any = false;
    int64_t *row = f->size[f->n];
    for (int i = 0; i < f->k->nsizes && f->n < MOST; i++) {
        any |= f->k->size[i]->kept;
        row[i] = f->k->size[i]->kept ? -1 : r->size[i];
    }
    f->n += any;
}

/* True if the sizes are taken, and no product of any of an array's extents is out of 64 bits. */
static bool is_within(const sq_kernel *k, const int64_t *row)
{
    if (!sq_check_rows_hold(k, row) || !sq_kernel_takes(k, accepted(k), row))
        return false;
    for (int a = 0; a < k->narrays; a++) {
        double product = 1;
        for (int d = 0; d < k->array[a]->ndim; d++)
            product *= fmax(1, (double)sq_size_value(k, k->array[a]->extent[d], row));
        if (product >= 0x1p63)
            return false;
    }
    return true;
}

/* Two sizes as large as can be, of which one may be the other, beside 0 or 1 of each other. */
static void find_accepted(const sq_kernel *k, refused *f)
{
    for (int i = 0; i < k->nsizes; i++)
        for (int j = i; j < k->nsizes; j++)
            for (int beside = 0; beside < 2 && f->n < MOST; beside++) {
                int64_t *row = f->size[f->n];
                for (int s = 0; s < k->nsizes; s++)
                    row[s] = !is_open(k, s)       ? k->size[s]->value
                             : s == i || s == j ? INT_MAX
                                                  : beside;
                f->n += is_within(k, row);
            }
}

/* ---- as text ---- */

/* The arguments of a call; row: constants in place of the sizes. */
static void put_arguments(const sq_kernel *k, bool all, const int64_t *row, const char *last,
                          sq_text *to)
{
    const char *comma = "";
    for (int p = 0; p < k->nparams; p++) {
        const sq_size *s = k->param[p].size;
        if (s ? !sq_param_shown(&k->param[p]) : !all)
            continue;
        int at = 0;
        while (s && k->size[at] != s)
            at++;
        sq_text_puts(to, comma);
        comma = ", ";
        if (s && row)
            sq_text_printf(to, "INT64_C(%" PRId64 ")", row[at]);
        else
            sq_text_puts(to, sq_param_name(&k->param[p]));
    }
    if (last)
        sq_text_printf(to, "%s%s", comma, last);
}

/* "M=-1,N=3" */
static void put_sizes(const sq_kernel *k, const int64_t *row, sq_text *to)
{
    const char *comma = "";
    for (int i = 0; i < k->nsizes; i++)
        if (is_open(k, i) || k->size[i]->kept) {
            sq_text_printf(to, "%s%s=%" PRId64, comma, k->size[i]->name, row[i]);
            comma = ",";
        }
}

/* function: as a person knows it. */
static void put_call(const sq_kernel *k, const char *callee, const char *suffix, bool all,
                     const char *last, const char *right, const int64_t *row, sq_text *to)
{
    sq_text_printf(to, "        if (%s(", callee);
    put_arguments(k, all, row, last, to);
    sq_text_printf(to, ") %s)\n            squall_fault = \"wrong 0 %s%s does not refuse ", right,
                   k->name, suffix);
    put_sizes(k, row, to);
    sq_text_puts(to, "\";\n");
}

static void put_refused(const sq_kernel *k, const sq_check_functions *f, const int64_t *row,
                        sq_text *to)
{
    if (f->in)
        put_call(k, f->in, "_in", true, "squall_none", "!= 1", row, to);
    if (f->workspace)
        put_call(k, f->workspace, "_workspace", false, NULL, "!= 0", row, to);
    if (f->accepts)
        put_call(k, f->accepts, "_accepts", false, NULL, "!= 0", row, to);
    sq_text_printf(to, "        (void)%s(", f->k);
    put_arguments(k, true, row, NULL, to);
    sq_text_puts(to, ");\n");
}

static void put_accepted(const sq_kernel *k, const char *accepts, const int64_t *row, sq_text *to)
{
    sq_text_printf(to, "        if (!%s(", accepts);
    put_arguments(k, false, row, NULL, to);
    sq_text_printf(to, "))\n            squall_fault = \"wrong 0 %s_accepts refuses ", k->name);
    put_sizes(k, row, to);
    sq_text_puts(to, "\";\n");
}

/* Without memory that it needs it does nothing. */
static void put_null(const sq_kernel *k, const sq_check_functions *f, sq_text *to)
{
    sq_text_printf(to, "    SQ_ASK(if (%s(", f->workspace);
    put_arguments(k, false, NULL, NULL, to);
    sq_text_printf(to, ") && %s(", f->in);
    put_arguments(k, true, NULL, "(void *)0", to);
    sq_text_printf(to, ") != 1)\n        squall_fault = \"wrong 0 %s_in does not refuse NULL\";)\n",
                   k->name);
}

void sq_check_refused_head(sq_text *to)
{
    sq_text_puts(to, "SQ_ASK(static const char *squall_fault;\n"
                     "const char *squall_error(void);\n"
                     "const char *squall_error(void) { return squall_fault; })\n");
}

void sq_check_refused_put(const sq_check_rows *r, const sq_check_functions *f, sq_text *to)
{
    refused found = {.k = r->k}, taken = {.k = r->k};
    if (f->chooses)
        find_unmade(&found, r);
    find(&found, r);
    if (f->accepts)
        find_accepted(r->k, &taken);
    if (f->accepts) {
        sq_text_printf(to, "    SQ_ASK(if (!%s(", f->accepts);
        put_arguments(r->k, false, NULL, NULL, to);
        sq_text_printf(to,
                       "))\n        squall_fault = \"wrong 0 %s_accepts refuses these sizes\";)\n",
                       r->k->name);
    }
    if (f->in)
        put_null(r->k, f, to);
    if (!(found.n + taken.n) || (!f->in && !f->accepts)) /* a text by hand may demand the sizes of its callers */
        return;
    sq_text_puts(to, "    SQ_ASK(static int squall_asked;\n    if (!squall_asked++) {\n"
                     "        unsigned char squall_none[64];\n        (void)squall_none;\n");
    for (int i = 0; i < found.n; i++)
        put_refused(r->k, f, found.size[i], to);
    for (int i = 0; i < taken.n; i++)
        put_accepted(r->k, f->accepts, taken.size[i], to);
    sq_text_puts(to, "    })\n");
}
