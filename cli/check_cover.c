/* Check cover: which blocks of the text ran. One that did not at the sizes chosen gets further ones,
 * made of the numbers in its condition and in those around it. What then is left has to be proven
 * unreachable, at the sizes given if some were, or to be excused (check_excuse.c). */
#include "cli/check_broken.h"
#include "cli/check_convert.h"
#include "cli/check_mixed.h"
#include "cli/check_reach.h"
#include "cli/check_text.h"
#include "support/interrupt.h"
#include "tuner/proof/unreachable.h"
#include <isl/space.h>
#include <isl/val.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 2,        /* of further sizes: what the first opened may hold conditions of its own */
    MOST_HARD = 3,     /* proofs of a kernel that are given up late: each takes seconds */
    MOST_WANTED = 48,  /* values of a round: each is run in every size */
    LEAST_NUMBER = 16, /* in given text: smaller sizes are run anyway */
    MOST_SHOWN = 20,   /* errors: beyond this number, read the text itself */
    MESSAGE = 300      /* bytes of what a compiler says */
};
static const int64_t largest = 16384; /* size that is tried: few blocks wait for a larger one */
static const int64_t largest_given = 1 << 17; /* the same for a number that ours has not */
/* A tenth of what the schedule's own sizes may take: most of these find nothing. */
static const sq_check_limits limits = {.bytes = 16e6, .flops = 2e7, .rows = 160};

/* Blocks of one kernel. */
typedef struct cover {
    sq_check *c;
    const sq_blocks *b;
    bool *mine, *ran;               /* of each block: the kernel's function can call it; it ran */
    const char *function, *root[3]; /* the kernel's; it and the one that is given memory */
    bool *reached;                  /* of each function */
    bool
        *proven; /* of each block: unreachable for this kernel, whose sizes others need not share */
    isl_set **may; /* of each block without a proof: sizes at which it may run; NULL: not known */
    bool *asked, *affine; /* of each block: what is affine around it was looked at, and proves it unreachable */
    int tried;     /* size vectors at which it ran */
    sq_status status; /* of the last of them */
} cover;

int sq_check_cover_build(sq_check *c)
{
    sq_verdict v;
    if (sq_verify_cover(c->verify, c->lines, c->path != NULL, c->m.task.arena, &c->blocks, &v) < 0)
        return sq_error(c->m.task.d, SQ_FAULT_WORLD, SQ_NOWHERE,
                        "cannot count the blocks of the text: %s", v.message);
    c->proven = SQ_NEW_ARRAY(c->m.task.arena, bool, c->blocks.n + 1);
    c->is_tried = false;
    return 0;
}

static bool is_open(const cover *v, int block)
{
    return v->mine[block] && !v->ran[block];
}

static int count_open(const cover *v)
{
    int n = 0;
    for (int i = 0; i < v->b->n; i++)
        n += is_open(v, i);
    return n;
}

/* ---- further sizes ---- */

static void want(int64_t value, int64_t most, int64_t *wanted, int *n)
{
    for (int i = 0; i < *n; i++)
        if (wanted[i] == value)
            return;
    if (value >= 0 && value <= most && *n < MOST_WANTED)
        wanted[(*n)++] = value;
}

/* The numbers of a condition and their neighbours. */
static void want_of(const char *condition, int64_t *wanted, int *n)
{
    for (const char *p = condition ? condition : ""; *p;) {
        if (isalpha((unsigned char)*p) || *p == '_') {
            while (isalnum((unsigned char)*p) || *p == '_')
                p++;
        } else if (isdigit((unsigned char)*p)) {
            char *end;
            int64_t v = strtoll(p, &end, 0);
            want(v, largest, wanted, n);
            want(v + 1, largest, wanted, n);
            want(v - 1, largest, wanted, n);
            want(2 * v + 1, largest, wanted, n);
            p = end > p ? end : p + 1;
        } else {
            p++;
        }
    }
}

static bool encloses(const sq_blocks *b, int outer, int inner)
{
    return outer <= inner && inner <= b->of[outer].last;
}

static int find_wanted(const cover *v, int64_t *wanted)
{
    int n = 0;
    for (int i = 0; i < v->b->n; i++)
        for (int o = i; is_open(v, i) && o >= 0 && v->b->of[o].function == v->b->of[i].function;
             o--)
            if (encloses(v->b, o, i))
                want_of(v->b->of[o].condition, wanted, &n);
    return n;
}

/* Runs the text with and without counters, where the sizes are others than before. */
static int run(cover *v, int kernel, const char *entry, bool again)
{
    sq_verdict verdict = {.status = SQ_OK};
    if (again)
        sq_verify_run(v->c->verify, kernel, entry, &verdict);
    if (verdict.status == SQ_OK)
        sq_verify_run_cover(v->c->verify, kernel, entry, v->b, v->ran, &verdict);
    v->status = verdict.status;
    return sq_check_complain(v->c, kernel, &verdict);
}

/* Looks at the rows that aim at the wanted sizes. */
static int run_at(cover *v, int kernel, const char *entry, const int64_t *wanted, int n)
{
    sq_check_rows *r = &v->c->rows[kernel];
    if (n == 0 ||
        sq_check_rows_aim(&v->c->m, v->c->m.task.now[kernel]->schedule, &limits, wanted, n, r) == 0)
        return 0;
    int rc = sq_verify_rows(v->c->verify, kernel, r->size, r->n);
    v->tried += r->n;
    return rc ? rc : run(v, kernel, entry, true);
}

/* The value of an integer's token; -1: it is none, below what is run of every size anyway, or too
 * large to be run. */
static int64_t number_of(const sq_token *t)
{
    char text[32], *end;
    if (t->kind != SQ_TOKEN_WORD || !isdigit((unsigned char)*t->at) || t->n >= (int)sizeof text)
        return -1;
    memcpy(text, t->at, (size_t)t->n);
    text[t->n] = 0;
    int64_t value = strtoll(text, &end, 0);
    bool whole = strspn(end, "uUlL") == strlen(end);
    return whole && value >= LEAST_NUMBER && value < largest_given ? value : -1;
}

/* The number together with what stands in front of it: `+ 1024` is an offset, `< 1024` an end. */
static int64_t key_of(const sq_token *t)
{
    int64_t value = number_of(t);
    return value < 0 ? -1 : value << 8 | (unsigned char)t[-1].at[0];
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Those of a text, sorted; returns how many. */
static int numbers(const sq_blocks *b, sq_arena *arena, int64_t **to)
{
    int n = 0;
    *to = SQ_NEW_ARRAY(arena, int64_t, b->ntokens + 1);
    for (int i = 1; i < b->ntokens; i++) {
        (*to)[n] = key_of(&b->token[i]);
        n += (*to)[n] >= 0;
    }
    qsort(*to, (size_t)n, sizeof **to, by_number);
    return n;
}

/* Sizes behind several numbers at once. */
static int run_mixed(cover *v, int kernel, const char *entry, const int64_t *number, int n)
{
    sq_check_rows *r = &v->c->rows[kernel];
    sq_check_mixed(r->k, v->c->m.task.arena, number, n, r);
    int rc = r->n ? sq_verify_rows(v->c->verify, kernel, r->size, r->n) : 0;
    v->tried += r->n;
    return rc == 0 && r->n ? run(v, kernel, entry, true) : rc;
}

/* Sizes around the numbers in functions of a text by hand that squall's own text has not: where one
 * of them ends a loop, say, by a minimum that both sides have been seen of elsewhere. */
static int run_at_numbers(cover *v, int kernel, const char *entry)
{
    const sq_blocks *own = v->c->path ? sq_check_own(v->c) : NULL;
    int64_t wanted[MOST_WANTED], number[MOST_WANTED], *known = NULL;
    int n = 0, nnumbers = 0, nknown = own ? numbers(own, v->c->m.task.arena, &known) : 0;
    for (int f = 0; own && f < v->b->nfunctions; f++)
        for (int i = v->b->function[f].first; v->reached[f] && i < v->b->function[f].last; i++) {
            int64_t value = number_of(&v->b->token[i]), key = key_of(&v->b->token[i]);
            if (value < 0 || bsearch(&key, known, (size_t)nknown, sizeof key, by_number))
                continue;
            want(value, largest_given, number, &nnumbers);
            want(value, largest_given, wanted, &n);
            want(value + 1, largest_given, wanted, &n);
        }
    int rc = run_at(v, kernel, entry, wanted, n);
    return rc == 0 && nnumbers > 0 ? run_mixed(v, kernel, entry, number, nnumbers) : rc;
}

static int search(cover *v, int kernel, const char *entry)
{
    int rc = run_at_numbers(v, kernel, entry);
    for (int round = 0; rc == 0 && round < ROUNDS && count_open(v); round++) {
        int64_t wanted[MOST_WANTED];
        rc = run_at(v, kernel, entry, wanted, find_wanted(v, wanted));
    }
    return rc;
}

/* ---- what is left ---- */

isl_set *sq_check_sizes(const sq_check_rows *r)
{
    isl_set *all = isl_set_copy(r->k->context);
    if (!r->is_given || r->n <= 0)
        return all;
    isl_set *given = isl_set_empty(isl_set_get_space(all));
    for (int i = 0; i < r->n; i++) {
        isl_set *row = isl_set_copy(all);
        for (int p = 0; p < r->k->nsizes; p++) {
            int at = isl_set_find_dim_by_name(row, isl_dim_param, r->k->size[p]->name);
            long v = (long)r->size[(ptrdiff_t)i * r->k->nsizes + p];
            if (at >= 0)
                row = isl_set_fix_val(row, isl_dim_param, (unsigned)at,
                                      isl_val_int_from_si(r->k->ctx, v));
        }
        given = isl_set_union(given, row);
    }
    isl_set_free(all);
    return isl_set_coalesce(given);
}

/* A block that ran cannot be proven unreachable: such a compiler proves nothing. */
static void prove(cover *v)
{
    sq_check *c = v->c;
    char why[MESSAGE];
    if (!c->is_tried && !sq_verify_prove(c->verify, v->b, c->proven, why, sizeof why))
        sq_warning(c->m.task.d, SQ_NOWHERE, "no block is proven unreachable: %s", why);
    c->is_tried = true;
    for (int i = 0; i < v->b->n; i++)
        if (v->mine[i] && v->ran[i] && c->proven[i]) {
            sq_warning(c->m.task.d, SQ_NOWHERE,
                       "no block is proven unreachable: the compiler leaves out line %d, which ran",
                       v->b->of[i].line);
            memset(c->proven, 0, (size_t)v->b->n * sizeof *c->proven);
        }
}

/* Functions that only blocks with a proof call, and what stands in them. */
static bool prove_uncalled(cover *v)
{
    bool *proven = v->proven, found = false;
    for (int i = 0, entry = 0; i < v->b->n; i++) {
        bool is_entry = v->b->of[i].kind == SQ_BLOCK_FUNCTION;
        entry = is_entry ? i : entry;
        if (!is_open(v, i) || proven[i])
            continue;
        proven[i] = is_entry ? sq_blocks_dead(v->b, v->b->of[i].function, v->reached, proven)
                             : proven[entry];
        found |= proven[i];
    }
    return found;
}

/* True if what is affine around the block proves it unreachable. Asked once: only where no hard proof was left the
 * next round asks again. */
static bool ask(cover *v, int block, const sq_kernel *there, int *hard)
{
    bool is_full = *hard > 0;
    if (v->asked[block])
        return v->affine[block];
    v->may[block] = isl_set_free(v->may[block]);
    v->affine[block] =
        sq_block_unreachable(v->b, block, v->root, v->reached, there, v->c->m.task.arena, hard, &v->may[block]);
    v->asked[block] = is_full || v->affine[block];
    return v->affine[block];
}

/* What the compiler did not see, from what is affine around a block. */
static void prove_affine(cover *v, int kernel)
{
    sq_kernel there = *v->c->rows[kernel].k; /* at the sizes that are asked about */
    there.context = sq_check_sizes(&v->c->rows[kernel]);
    int hard = MOST_HARD;
    memcpy(v->proven, v->c->proven, (size_t)v->b->n * sizeof *v->proven);
    for (int i = 0; i < v->b->n && !sq_interrupt_signal(); i++)
        if (is_open(v, i) && !v->proven[i])
            v->proven[i] = ask(v, i, &there, &hard);
    isl_set_free(there.context);
    while (prove_uncalled(v))
        ;
}

static void forget_ways(cover *v)
{
    for (int i = 0; i < v->b->n; i++)
        v->may[i] = isl_set_free(v->may[i]);
}

/* What stands behind a tile in all directions takes long to come to, and few sizes are needed. */
static const sq_check_limits far = {.bytes = 64e6, .flops = 2e9, .rows = 12};

/* Runs the text at the least sizes at which blocks without a proof may run, as far as what is affine
 * around them says: what else stands there may ask for more, so several are tried. */
static int run_reachable(cover *v, int kernel, const char *entry)
{
    static const int64_t least[] = {1, 0, 8};
    sq_check_rows *r = &v->c->rows[kernel];
    int64_t *size = SQ_NEW_ARRAY(v->c->m.task.arena, int64_t, far.rows * r->k->nsizes + 1);
    int rc = 0;
    for (size_t round = 0; rc == 0 && round < sizeof least / sizeof *least; round++) {
        r->n = 0;
        r->size = size;
        for (int i = 0; i < v->b->n; i++)
            if (is_open(v, i) && v->may[i])
                sq_check_reach(r->k, v->may[i], least[round], &far, r);
        if (r->n == 0)
            continue;
        rc = sq_verify_rows(v->c->verify, kernel, r->size, r->n);
        if (rc == 0)
            rc = run(v, kernel, entry, true);
        v->tried += r->n;
    }
    return rc;
}

/* Runs the text at sizes that break an assumption and are right all the same: there is text for
 * them. No proof is about these. */
static int run_broken(cover *v, int kernel, const char *entry)
{
    sq_check_rows *r = &v->c->rows[kernel];
    sq_check_broken(r->k, v->c->m.task.arena, r);
    int rc = r->n ? sq_verify_rows(v->c->verify, kernel, r->size, r->n) : 0;
    if (rc == 0 && r->n)
        rc = run(v, kernel, entry, true);
    v->tried += r->n;
    return rc;
}

/* Calls the conversions of single values by themselves. Comes behind all proofs: what no value of
 * the kernel reaches runs here. */
static int convert(cover *v, int kernel)
{
    sq_check_rows *r = &v->c->rows[kernel];
    const char *own = sq_check_convert_entry(v->c->text, v->function, v->c->m.task.arena);
    if (!own)
        return 0;
    r->n = 1;
    int rc = sq_verify_rows(v->c->verify, kernel, r->size, r->n);
    v->tried++;
    if (rc != 0 || (rc = run(v, kernel, own, true)) == 0)
        return rc;
    sq_note(v->c->m.task.d, SQ_NOWHERE,
            "this was a call of its conversions of single values by themselves: one of them is "
            "not the nearest value");
    return rc;
}

/* True if everything in the block is in blocks that are proven unreachable. */
static bool is_proven(const cover *v, int block)
{
    const sq_block *b = &v->b->of[block];
    if (v->proven[block])
        return true;
    if (!b->is_empty || b->last == block)
        return false;
    for (int i = block + 1; i <= b->last; i++)
        if (!v->proven[i] && v->b->of[i].kind != SQ_BLOCK_NEVER_FALSE &&
            !sq_block_is_outcome(&v->b->of[i]))
            return false;
    return true;
}

static const char *says(sq_block_kind kind)
{
    switch (kind) {
    case SQ_BLOCK_FUNCTION:
        return "this function was never called";
    case SQ_BLOCK_LOOP:
        return "this loop never ran";
    case SQ_BLOCK_THEN:
        return "this condition was never true";
    case SQ_BLOCK_ELSE:
        return "this `else` never ran";
    case SQ_BLOCK_NEVER_FALSE:
        return "this condition was never false";
    case SQ_BLOCK_CASE:
        return "this case never ran";
    case SQ_BLOCK_LABEL:
        return "this label was never reached";
    case SQ_BLOCK_TRUE:
        return "this operand was never true";
    case SQ_BLOCK_FALSE:
        return "this operand was never false";
    }
    return "";
}

static const char *line_of(const cover *v, int line)
{
    const char *text = v->c->text;
    for (int i = 1; i < line && *text; text++)
        i += *text == '\n';
    return text;
}

/* The block's line, or the operand where it stands there as the preprocessor left it. */
static sq_loc place_of(const cover *v, const char *file, const sq_block *b)
{
    const char *text = line_of(v, b->line), *from = text + strspn(text, " \t");
    const char *end = from + strcspn(from, "\n");
    size_t n = sq_block_is_outcome(b) ? strlen(b->condition) : 0;
    const char *operand = n ? memmem(from, (size_t)(end - from), b->condition, n) : NULL;
    if (operand)
        return (sq_loc){file, b->line, (int)(operand - text) + 1, (int)n};
    return (sq_loc){file, b->line, (int)(from - text) + 1, (int)(end - from)};
}

static json_t *row(const cover *v, int block)
{
    const sq_block *b = &v->b->of[block];
    const char *line = line_of(v, b->line);
    line += strspn(line, " \t");
    json_t *x = json_pack("{s:i, s:s, s:s%}", "line", b->line, "what", says(b->kind), "text", line,
                          strcspn(line, "\n"));
    if (sq_block_is_outcome(b))
        json_object_set_new(x, "operand", json_string(b->condition));
    return x;
}

static void report(const cover *v, int block, json_t *to)
{
    sq_check *c = v->c;
    const sq_block *b = &v->b->of[block];
    const char *file = c->path ? c->path : "emitted text";
    json_array_append_new(to, row(v, block));
    size_t n = json_array_size(to);
    if (n == 1)
        sq_diags_source(c->m.task.d, file, c->text, strlen(c->text));
    if (n <= MOST_SHOWN)
        sq_error(c->m.task.d, SQ_FAULT_REFUSED, place_of(v, file, b),
                 "%s, and nothing proves that it cannot be", says(b->kind));
}

/* A block that did not run and why; NULL: unknown. */
static void add_left(const cover *v, int block, const char *why, json_t *to)
{
    json_t *x = row(v, block);
    if (why)
        json_object_set_new(x, "why", json_string(why));
    json_array_append_new(to, x);
}

/* A block that did not run, as lines of the text, for those who look at the text themselves. */
static void add_idle(const cover *v, int block, const char *why, json_t *to)
{
    const sq_block *b = &v->b->of[block];
    if (b->kind != SQ_BLOCK_NEVER_FALSE && !sq_block_is_outcome(b) && b->to > b->from)
        json_array_append_new(to, json_pack("{s:i, s:i, s:s}", "line", v->b->token[b->from].line,
                                            "last", v->b->token[b->to - 1].line, "why", why));
}

static int judge(cover *v, int kernel, json_t *to)
{
    json_t *never = json_array(), *excused = json_object(), *idle = json_array();
    json_t *left = json_array();
    int mine = 0, ran = 0, unreachable = 0;
    for (int i = 0; i < v->b->n; i++) {
        const char *reason = NULL;
        mine += v->mine[i];
        ran += v->mine[i] && v->ran[i];
        if (!is_open(v, i))
            continue;
        bool proven = is_proven(v, i);
        if (!proven)
            reason = sq_check_excuse(v->c, kernel, v->function, i);
        add_left(v, i, proven ? "unreachable" : reason, left);
        if (proven || reason)
            add_idle(v, i, proven ? "unreachable" : reason, idle);
        if (proven)
            unreachable++;
        else if (reason)
            json_object_set_new(
                excused, reason,
                json_integer(1 + json_integer_value(json_object_get(excused, reason))));
        else
            report(v, i, never);
    }
    int n = (int)json_array_size(never);
    if (n > MOST_SHOWN)
        sq_note(v->c->m.task.d, SQ_NOWHERE, "and %d more", n - MOST_SHOWN);
    if (n && v->c->path)
        sq_help(
            v->c->m.task.d, SQ_NOWHERE,
            "what squall writes itself is excused where it is unchanged: check for the --target "
            "and with the script that the text was made with (this was '%s')",
            v->c->m.task.target->name);
    json_object_set_new(to, "blocks", json_integer(mine));
    json_object_set_new(to, "ran", json_integer(ran));
    json_object_set_new(to, "unreachable", json_integer(unreachable));
    json_object_set_new(to, "excused", excused);
    json_object_set_new(to, "idle", idle);
    json_object_set_new(to, "left", left);
    json_object_set_new(to, "never_ran", never);
    json_object_set_new(to, "sizes", json_integer(v->tried));
    return n ? -1 : 0;
}

/* Tries to run every block, or to prove that none can. */
static int look(cover *v, int kernel, const char *entry)
{
    sq_check_rows *r = &v->c->rows[kernel], first = *r;
    v->tried = first.n;
    int rc = run(v, kernel, entry, false);
    if (rc == 0 && !first.is_given)
        rc = search(v, kernel, entry);
    for (int again = 0; rc == 0 && again < 2 && count_open(v); again++) {
        prove(v);
        prove_affine(v, kernel);
        if (again == 0 && !first.is_given)
            rc = run_reachable(v, kernel,
                               entry); /* blocks that were proven may run: looked at once more */
    }
    if (rc == 0 && !first.is_given && first.k->accepted)
        rc = run_broken(v, kernel, entry);
    if (rc == 0) {
        *r = first;
        rc = convert(v, kernel);
    }
    *r = first; /* the next text runs at these again */
    if (v->tried > first.n && sq_verify_rows(v->c->verify, kernel, r->size, r->n) != 0)
        return -1;
    return rc;
}

int sq_check_cover(sq_check *c, int kernel, const char *entry, const char *function, json_t *to)
{
    sq_arena *a = c->m.task.arena;
    const sq_blocks *b = &c->blocks;
    cover v = {.c = c, .b = b, .function = function};
    v.root[0] = function;
    v.root[1] = sq_arena_printf(a, "%s_in", function);
    v.reached = SQ_NEW_ARRAY(a, bool, b->nfunctions + 1);
    v.mine = SQ_NEW_ARRAY(a, bool, b->n + 1);
    v.ran = SQ_NEW_ARRAY(a, bool, b->n + 1);
    v.proven = SQ_NEW_ARRAY(a, bool, b->n + 1);
    sq_blocks_reach(b, v.root, v.reached);
    bool any = false;
    for (int i = 0; i < b->n; i++)
        any |= v.mine[i] = v.reached[b->of[i].function] && !sq_check_is_own_operand(c, &b->of[i]);
    if (!any)
        return sq_error(
            c->m.task.d, SQ_FAULT_REFUSED, SQ_NOWHERE,
            "%s: no block of function '%s' can be counted: it has to stand in this file, "
            "not in one that is included",
            c->path ? c->path : "emitted text", function);
    v.may = SQ_NEW_ARRAY(a, isl_set *, b->n + 1);
    v.asked = SQ_NEW_ARRAY(a, bool, b->n + 1);
    v.affine = SQ_NEW_ARRAY(a, bool, b->n + 1);
    int rc = look(&v, kernel, entry);
    forget_ways(&v);
    if (v.status != SQ_OK)
        json_object_set_new(to, "status", json_string(sq_status_name(v.status)));
    return rc == 0 ? judge(&v, kernel, to) : -1;
}
