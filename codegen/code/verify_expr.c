/* Verify, expressions: see verify.h. */
#include "codegen/code/verify_inside.h"
#include <string.h>

void sq_verify_complain(sq_verifier *v, const char *what, const char *name)
{
    if (!v->wrong)
        v->wrong = sq_arena_printf(v->arena, "%s: %s", name, what);
}

static bool is_listed(const char *const *list, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

bool sq_verify_is_array(const sq_verifier *v, const char *name)
{
    return is_listed(v->outer->array, v->outer->narrays, name);
}

bool sq_verify_is_defined(const sq_verifier *v, const sq_defined_by *d, const char *name)
{
    for (; d; d = d->before)
        if (d->stmt->name && strcmp(d->stmt->name, name) == 0)
            return true;
    return is_listed(v->outer->name, v->outer->n, name);
}

void sq_verify_declared(sq_verifier *v, const sq_defined_by *d, const sq_code_buffer *b)
{
    bool found =
        b->storage == SQ_CODE_MEMORY && !sq_code_is_pointer(b) && sq_verify_is_array(v, b->name);
    for (; d && !found; d = d->before)
        found = d->stmt->buffer == b;
    for (int i = 0; i < v->outer->nbuffers && !found; i++)
        found = v->outer->buffer[i] == b;
    if (!found)
        sq_verify_complain(v, "no declaration of it is around", b->name);
}

void sq_verify_index(sq_verifier *v, const sq_defined_by *d, const sq_code_expr *e,
                     const char *what, const char *name)
{
    if (!e)
        return;
    sq_verify_expr(v, d, e);
    if (!sq_code_is_index(e) || e->type != SQ_I64)
        sq_verify_complain(v, what, name);
}

void sq_verify_condition(sq_verifier *v, const sq_defined_by *d, const sq_code_expr *e,
                         const char *name)
{
    if (!e)
        return;
    sq_verify_expr(v, d, e);
    if (!sq_code_is_index(e))
        sq_verify_complain(v, "a value stands for a condition", name);
}

typedef struct bounds {
    int64_t least, most;
    bool known;
} bounds;

/* Returns the bounds of an index expression made of numbers and of variables of unrolled loops. */
static bounds bounds_of(const sq_defined_by *d, const sq_code_expr *e)
{
    bounds all = {e->number, e->number, e->op == SQ_CODE_NUMBER || e->op == SQ_CODE_SUM};
    int64_t first, end;
    for (; e->op == SQ_CODE_NAME && d; d = d->before)
        if (d->stmt->name && strcmp(d->stmt->name, e->name) == 0)
            return d->stmt->runs == SQ_CODE_UNROLLED && d->stmt->hi && sq_code_known(d->stmt->lo, &first) &&
                           sq_code_known(d->stmt->hi, &end)
                       ? (bounds){first, end - 1, true}
                       : all;
    for (int i = 0; i < e->nargs && all.known && e->op == SQ_CODE_SUM; i++) {
        bounds one = bounds_of(d, e->arg[i]);
        all.least += e->coef[i] * (e->coef[i] > 0 ? one.least : one.most);
        all.most += e->coef[i] * (e->coef[i] > 0 ? one.most : one.least);
        all.known = one.known;
    }
    return all;
}

/* Registers have no addresses: their subscripts must be constant once loops are unrolled. */
static void check_registers(sq_verifier *v, const sq_defined_by *d, const sq_code_buffer *b,
                            const sq_code_expr *const *index)
{
    for (int i = 0; i < b->ndim; i++) {
        bounds at = bounds_of(d, index[i]);
        if (!at.known || at.least < 0 || at.most >= b->extent[i]->number)
            sq_verify_complain(v, "a subscript of registers is not known to be inside", b->name);
    }
}

void sq_verify_place(sq_verifier *v, const sq_defined_by *d, const sq_code_buffer *b,
                     const sq_code_expr *const *index)
{
    sq_verify_declared(v, d, b);
    for (int i = 0; i < b->ndim; i++)
        sq_verify_index(v, d, index[i], "a subscript is no index expression", b->name);
    if (b->storage == SQ_CODE_REGISTER)
        check_registers(v, d, b, index);
}

/* ---- types ---- */

/* True if the value has the type, or both promote to the same one, as in C. */
static bool has_type(const sq_code_expr *e, sq_type type)
{
    return sq_type_promoted(e->type) == sq_type_promoted(type);
}

/* True if the arguments from `first` on are values with this number of lanes. */
static bool have_lanes(const sq_code_expr *e, int first, int lanes)
{
    for (int i = first; i < e->nargs; i++)
        if (sq_code_is_index(e->arg[i]) || e->arg[i]->lanes != lanes)
            return false;
    return true;
}

/* True if they also have one type. */
static bool are_values(const sq_code_expr *e, int first, int lanes, sq_type type)
{
    for (int i = first; i < e->nargs; i++)
        if (!has_type(e->arg[i], type))
            return false;
    return have_lanes(e, first, lanes);
}

/* True if `mask` is the type of a mask over values of type `of`: a signed integer of that width. */
static bool is_mask_of(sq_type mask, sq_type of)
{
    return !sq_type_real(mask) && !sq_type_unsigned(mask) &&
           sq_type_bytes(mask) == sq_type_bytes(sq_type_held(of));
}

/* True if e is a mask where one belongs, and none elsewhere. */
static bool has_kind(const sq_code_expr *e, bool mask)
{
    return e->is_mask == (mask && e->lanes > 1);
}

/* True if a comparison has the right type: int, or for vectors a mask over its operands. */
static bool is_truth(const sq_code_expr *e)
{
    return e->lanes > 1 ? is_mask_of(e->type, e->arg[0]->type) : e->type == SQ_I32;
}

/* ---- operations ---- */

static bool operands_fit(const sq_code_expr *e)
{
    switch (e->operation) {
    case SQ_OP_CAST: /* also casts an index expression */
        return e->arg[0]->lanes == e->lanes;
    case SQ_OP_LT:
    case SQ_OP_LE:
    case SQ_OP_EQ:
    case SQ_OP_NE:
        return is_truth(e) && are_values(e, 0, e->lanes, e->arg[0]->type);
    case SQ_OP_AND:
    case SQ_OP_OR:
    case SQ_OP_NOT:
        return is_truth(e) &&
               (e->lanes == 1 ? have_lanes(e, 0, 1) : are_values(e, 0, e->lanes, e->type));
    case SQ_OP_SHL:
    case SQ_OP_SHR: /* for scalars the shift count has any type */
        return has_type(e->arg[0], e->type) && have_lanes(e, 0, e->lanes) &&
               (e->lanes == 1 || has_type(e->arg[1], e->type));
    default:
        return are_values(e, 0, e->lanes, e->type);
    }
}

static void check_operation(sq_verifier *v, const sq_code_expr *e)
{
    const sq_op_info *info = sq_op_get(e->operation);
    bool of_masks = sq_op_is_condition(e->operation) && !sq_op_compares(e->operation);
    for (int i = 0; i < e->nargs && e->operation != SQ_OP_CAST; i++)
        if (!has_kind(e->arg[i], of_masks))
            sq_verify_complain(v, "an operand is a mask and should be none, or the reverse",
                               info->name);
    if (e->nargs != info->nargs || !operands_fit(e))
        sq_verify_complain(v, "an operand is not of the operation's type", info->name);
}

static void check_choice(sq_verifier *v, const sq_code_expr *e)
{
    const sq_code_expr *mask = e->arg[0];
    bool index = sq_code_is_index(e);
    if (index ? !sq_code_is_index(e->arg[2]) : !are_values(e, 2, e->arg[1]->lanes, e->type))
        sq_verify_complain(v, "its two values differ in type", "a choice");
    if (e->arg[1]->lanes != e->lanes || mask->lanes != e->lanes)
        sq_verify_complain(v, "its condition and its values differ in lanes", "a choice");
    if (index && !sq_code_is_index(mask))
        sq_verify_complain(v, "a value decides between index expressions", "a choice");
    if (e->lanes > 1 && (!is_mask_of(mask->type, e->type) || !mask->is_mask))
        sq_verify_complain(v, "its mask is not as wide as its values", "a choice");
}

/* ---- vectors ---- */

static bool is_channel(const sq_defined_by *d, const sq_code_expr *e)
{
    int64_t step;
    const bounds k = bounds_of(d, sq_code_lane_channel(e));
    return sq_code_known(sq_code_lane_step(e), &step) && step > 1 && k.known && k.least >= 0 &&
           k.most < step;
}

static void check_load_lanes(sq_verifier *v, const sq_defined_by *d, const sq_code_expr *e)
{
    const sq_code_buffer *b = e->buffer;
    int n = b->ndim;
    sq_verify_declared(v, d, b);
    int last = e->number == SQ_LANES_CHANNEL;
    if (e->nargs < n + 1 + last || e->nargs > n + 2 + last || e->lanes < 2 || n < 1 || e->type != b->type) {
        sq_verify_complain(v, "a load of lanes is of several, of a buffer with dimensions",
                           b->name);
        return;
    }
    bool whole = !sq_code_lanes_left(e) && sq_code_is(sq_code_lane_step(e), 1);
    for (int i = 0; i < e->nargs; i++)
        sq_verify_index(v, d, e->arg[i], "a place of lanes is no index expression", b->name);
    if (e->number == SQ_LANES_ALIGNED && !whole)
        sq_verify_complain(v, "an aligned load has all of its lanes, side by side", b->name);
    if (e->number == SQ_LANES_CHANNEL && !is_channel(d, e))
        sq_verify_complain(v, "a channel is one of as many as the lanes' stride", b->name);
}

static void check_load_where(sq_verifier *v, const sq_defined_by *d, const sq_code_expr *e)
{
    const sq_code_buffer *b = e->buffer;
    const sq_code_expr *mask = e->arg[b->ndim];
    sq_verify_declared(v, d, b);
    if (b->ndim < 1 || e->type != b->type || e->lanes < 2 || mask->lanes != e->lanes ||
        !is_mask_of(mask->type, e->type) || !mask->is_mask)
        sq_verify_complain(v, "a load under a mask is of as many lanes, as wide", b->name);
    for (int i = 0; i < b->ndim; i++)
        sq_verify_index(v, d, e->arg[i], "a place of lanes is no index expression", b->name);
    sq_verify_expr(v, d, mask);
}

void sq_verify_mask(sq_verifier *v, const sq_defined_by *d, const sq_code_expr *cond,
                    const sq_code_expr *value, const char *name)
{
    if (!cond || sq_code_is_index(cond)) {
        sq_verify_condition(v, d, cond, name);
        return;
    }
    bool masks = cond->lanes > 1;
    if (masks && (cond->lanes != value->lanes || !cond->is_mask || !is_mask_of(cond->type, value->type)))
        sq_verify_complain(v, "its mask is not of its lanes", name);
    sq_verify_expr(v, d, cond);
}

static void check_indexed(sq_verifier *v, const sq_defined_by *d, const sq_code_expr *e)
{
    const sq_code_buffer *b = e->buffer;
    sq_verify_declared(v, d, b);
    if (b->ndim != 1 || e->type != b->type || e->lanes < 2 || e->arg[1]->lanes != e->lanes ||
        !is_mask_of(e->arg[1]->type, e->type))
        sq_verify_complain(v, "places are of as many lanes, as wide", b->name);
    sq_verify_index(v, d, e->arg[0], "a place is no index expression", b->name);
    sq_verify_expr(v, d, e->arg[1]);
}

static void check_vector(sq_verifier *v, const sq_code_expr *e)
{
    const sq_code_expr *x = e->arg[0];
    bool reads = e->op == SQ_CODE_ADD_LANES || e->op == SQ_CODE_EXTRACT;
    if (!are_values(e, 0, reads ? x->lanes : 1, e->type))
        sq_verify_complain(v, "what it is made of is not of its type", "a vector");
    if (reads ? e->lanes != 1 || x->lanes < 2 : e->lanes < 2)
        sq_verify_complain(v, "it has one lane", "a vector");
    if (e->op == SQ_CODE_VECTOR ? e->nargs != e->lanes : e->nargs != 1)
        sq_verify_complain(v, "it is made of other than its lanes", "a vector");
    if (e->op == SQ_CODE_EXTRACT && (e->number < 0 || e->number >= x->lanes))
        sq_verify_complain(v, "a lane is taken that it has not", "a vector");
}

static void check_zip(sq_verifier *v, const sq_code_expr *e)
{
    bool exists = (e->nargs == 2 || e->nargs == 3) && e->number >= 0 && e->number < e->nargs;
    if (!exists || e->lanes < 2 || !are_values(e, 0, e->lanes, e->type))
        sq_verify_complain(v, "what is put together in turn differs in type or lanes", "a vector");
}

static void check_swizzle(sq_verifier *v, const sq_code_expr *e)
{
    bool fours = e->number >= SQ_SWIZZLE_FOURS && e->number < 2 * SQ_SWIZZLE_FOURS;
    bool exists = e->nargs == 1 && e->number >= 0 && (fours || e->number < SQ_NSWIZZLES);
    if (!exists || e->lanes < 2 || e->lanes % (fours ? 4 : 2) || !are_values(e, 0, e->lanes, e->type))
        sq_verify_complain(v, "what is exchanged within two or four lanes differs in type or lanes", "a vector");
}

static void check_pairs(sq_verifier *v, const sq_code_expr *e)
{
    bool fits = e->nargs == 1 && (are_values(e, 0, 2 * e->lanes, SQ_I16) || are_values(e, 0, 4 * e->lanes, SQ_U8));
    if (!fits || e->type != SQ_I32 || e->lanes < 2)
        sq_verify_complain(v, "words are of twice as many lanes of int16_t, or of four times as many of uint8_t",
                           "a vector");
}

static void check_words(sq_verifier *v, const sq_defined_by *d, const sq_code_expr *e)
{
    const sq_code_buffer *b = e->buffer;
    sq_verify_declared(v, d, b);
    if (e->type != SQ_I32 || b->ndim != 1 || sq_type_real(b->type) || sq_type_bytes(b->type) > 2)
        sq_verify_complain(v, "words are int32_t of smaller integers side by side", b->name);
    for (int i = 0; i < e->nargs; i++)
        sq_verify_index(v, d, e->arg[i], "a place of lanes is no index expression", b->name);
}

static void check_fma(sq_verifier *v, const sq_code_expr *e)
{
    bool dot = sq_op_takes_words(e->operation);
    bool low = e->operation == SQ_OP_MUL_LOW;
    if (dot ? e->type != SQ_I32 : low ? e->type != SQ_I64 : e->operation != SQ_OP_MUL)
        sq_verify_complain(v, "it multiplies by no product of its type", "a multiply-add");
    if (e->number && (e->number != 1 || dot || e->lanes % 2 || !sq_type_real(e->type)))
        sq_verify_complain(v, "it subtracts in turn what are no lanes of two", "a multiply-add");
    if (e->nargs != 3 || !are_values(e, 0, e->lanes, e->type))
        sq_verify_complain(v, "its factors are not of the type and lanes of what they are added to",
                           "a multiply-add");
}

/* ---- all of them ---- */

static void check_load(sq_verifier *v, const sq_defined_by *d, const sq_code_expr *e)
{
    const sq_code_buffer *b = e->buffer;
    int lanes = b->lanes > 1 ? b->lanes : 1;
    if (e->nargs != b->ndim || e->type != b->type || e->lanes != lanes)
        sq_verify_complain(v, "a load is not of its dimensions and type", b->name);
    else
        sq_verify_place(v, d, b, e->arg);
}

/* Checks nodes without a check of their own: index expressions and conditions on them. */
static void check_index(sq_verifier *v, const sq_code_expr *e)
{
    for (int i = 0; i < e->nargs; i++)
        if (!sq_code_is_index(e->arg[i]))
            sq_verify_complain(v, "a value stands in an index expression", "an index expression");
}

static void check_one(sq_verifier *v, const sq_defined_by *d, const sq_code_expr *e)
{
    switch (e->op) {
    case SQ_CODE_NAME:
        if (!sq_verify_is_defined(v, d, e->name))
            sq_verify_complain(v, "it is used and not defined", e->name);
        break;
    case SQ_CODE_OPERATION:
        check_operation(v, e);
        break;
    case SQ_CODE_SELECT:
        check_choice(v, e);
        break;
    case SQ_CODE_POSITION:
        if (!are_values(e, 0, 1, SQ_I64))
            sq_verify_complain(v, "a position is no int64_t", "an index expression");
        break;
    case SQ_CODE_FMA:
        check_fma(v, e);
        break;
    case SQ_CODE_ZIP:
        check_zip(v, e);
        break;
    case SQ_CODE_SWIZZLE:
        check_swizzle(v, e);
        break;
    case SQ_CODE_PAIRS:
        check_pairs(v, e);
        break;
    case SQ_CODE_BROADCAST:
    case SQ_CODE_VECTOR:
    case SQ_CODE_ADD_LANES:
    case SQ_CODE_EXTRACT:
        check_vector(v, e);
        break;
    case SQ_CODE_SCALAR:
        if (!is_listed(v->outer->scalar, v->outer->nscalars, e->name))
            sq_verify_complain(v, "there is no such scalar", e->name);
        break;
    case SQ_CODE_CONSTANT:
    case SQ_CODE_COMMA: /* mentioned arguments may be anything */
        break;
    default:
        check_index(v, e);
    }
}

void sq_verify_expr(sq_verifier *v, const sq_defined_by *d, const sq_code_expr *e)
{
    if (e->op == SQ_CODE_LOAD) {
        check_load(v, d, e);
        return;
    }
    if (e->op == SQ_CODE_LOAD_LANES) {
        check_load_lanes(v, d, e);
        return;
    }
    if (e->op == SQ_CODE_LOAD_WHERE) {
        check_load_where(v, d, e);
        return;
    }
    if (e->op == SQ_CODE_INDEXED) {
        check_indexed(v, d, e);
        return;
    }
    if (e->op == SQ_CODE_LOAD_WORDS) {
        check_words(v, d, e);
        return;
    }
    for (int i = 0; i < e->nargs && !v->wrong; i++)
        sq_verify_expr(v, d, e->arg[i]);
    check_one(v, d, e);
}
