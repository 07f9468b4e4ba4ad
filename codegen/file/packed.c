/* Packed: see packed.h. */
#include "codegen/file/packed.h"
#include "codegen/file/function_inside.h"
#include "codegen/lower/copy.h"
#include "codegen/nest/stored.h"
#include "codegen/print/statements.h"
#include "support/hash.h"
#include <inttypes.h>
#include <string.h>

bool sq_packed_any(const sq_kernel *k)
{
    return k->plain != NULL;
}

const char *sq_packed_function(const char *function, const sq_array *a, sq_arena *arena)
{
    static const char ending[] = "_packed";
    size_t n = strlen(function), m = strlen(ending);
    if (n > m && strcmp(function + n - m, ending) == 0)
        return sq_arena_printf(arena, "%.*s_%s", (int)(n - 2), function, a->name);
    return sq_arena_printf(arena, "%s_pack_%s", function, a->name);
}

const char *sq_packed_bytes(const char *function, const sq_array *a, sq_arena *arena)
{
    return sq_arena_printf(arena, "%s_%s_bytes", function, a->name);
}

const char *sq_packed_given(const sq_array *a, sq_arena *arena)
{
    return sq_arena_printf(arena, "@%s_given", a->name);
}

/* ---- how arrays are stored ---- */

/* Returns the number of the group that packs the array; -1: none does. */
static int packed_by(const sq_schedule *s, const sq_array *a)
{
    for (int i = 0; i < s->ngroups; i++)
        for (int p = 0; p < s->group[i]->npacks && s->group[i]->kind == SQ_GROUP_TILED; p++)
            if (s->group[i]->pack[p].array == a)
                return i;
    return -1;
}

/* Prints the loops that fill @to; what they name is recorded apart from what the nests do. */
static void print_loops(sq_printer *p, sq_printed_packed *x, const sq_nest *n)
{
    const sq_nest_options o = {.target = p->options->target};
    const sq_uses before = p->uses;
    sq_text body = {.indent = 1};
    p->uses.names = &x->names;
    sq_print_lowered(p, sq_lower_stored(n, x->buffer, &o), &body);
    p->uses = before;
    x->body = sq_text_take(&body, p->arena);
}

static const sq_nest *nest_with(const sq_fusion *f, const sq_buffer *b)
{
    for (int n = 0; n < f->nnests; n++)
        for (int i = 0; i < f->nest[n]->nbuffers; i++)
            if (f->nest[n]->buffer[i] == b)
                return f->nest[n];
    return NULL;
}

/* The size of the array's extents, as calls of `product` around `element`. */
static const char *extents(const sq_printer *p, const sq_array *a, const char *product, const char *element,
                           const sq_uses *uses)
{
    const sq_array *as = sq_array_described(a);
    sq_text t = {0};
    for (int d = 0; d < as->ndim; d++)
        sq_text_printf(&t, "%s(", product);
    sq_text_puts(&t, element);
    for (int d = 0; d < as->ndim; d++)
        sq_text_printf(&t, ", %s)", sq_aff_text(p->kernel, as->extent[d], uses, p->arena));
    return sq_text_take(&t, p->arena);
}

/* Prints a copy of the whole array. */
static void print_as_it_is(sq_printer *p, sq_printed_packed *x)
{
    const sq_uses uses = {&x->names, p->uses.helpers};
    const char *size = sq_arena_printf(p->arena, "sizeof(%s)", sq_type_ctype(x->type));
    sq_text body = {.indent = 1};
    sq_text_line(&body, "memcpy(@to, %s, %s);", x->array->name, extents(p, x->array, "sq_times", size, &uses));
    sq_uses_name(&uses, x->array->name);
    x->body = sq_text_take(&body, p->arena);
}

static int prepare_one(sq_printer *p, const sq_schedule *s, const sq_array *a, sq_diags *d)
{
    sq_printed_packed *x = SQ_NEW(p->arena, sq_printed_packed);
    int group = packed_by(s, a);
    const sq_fusion *f = group < 0 ? NULL : sq_lower_fusion(s, group, p->options->target, p->code, d);
    if (group >= 0 && !f)
        return -1;
    *x = (sq_printed_packed){
        .array = a, .buffer = f ? sq_stored_buffer(f, a) : NULL, .names = sq_uses_none(p->arena), .next = p->packed};
    x->type = x->buffer ? x->buffer->type : a->type;
    if (x->buffer)
        print_loops(p, x, nest_with(f, x->buffer));
    else
        print_as_it_is(p, x);
    p->packed = x;
    return 0;
}

int sq_packed_prepare(sq_printer *p, const sq_schedule *s, sq_diags *d)
{
    const sq_kernel *k = p->kernel;
    for (int i = k->nparams - 1; i >= 0; i--) /* the list is then in their order */
        if (k->param[i].array && k->param[i].array->is_packed && prepare_one(p, s, k->param[i].array, d) != 0)
            return -1;
    return 0;
}

/* ---- static functions ---- */

/* sq_fill_W: fills the copies. */
static void put_pack(const sq_printer *p, const sq_printed_packed *x, sq_text *to)
{
    const sq_uses uses = {(sq_code_keys *)&x->names, p->uses.helpers};
    sq_printer own = *p;
    sq_text inner = {.indent = 1}, head = {.indent = 1};
    own.uses = uses;
    sq_function_strides(&own, &inner);
    sq_function_products(&own, &uses, true, &head);
    sq_text_puts(&head, sq_text_str(&inner));
    sq_text_puts(&head, x->body);
    const char *last = sq_arena_printf(p->arena, "const %s *restrict %s, %s *restrict @to",
                                       sq_type_ctype(x->array->type), x->array->name, sq_type_ctype(x->type));
    sq_function_of_sizes(p->kernel, sq_arena_printf(p->arena, "static SQ_TARGET void sq_fill_%s", x->array->name), last,
                         &x->names, &head, to);
    sq_text_free(&inner);
}

/* sq_bytes_W: the bytes of packed memory, which saturate. Behind the last copy vectors may read a line or more. */
static void put_bytes(const sq_printer *p, const sq_printed_packed *x, sq_code_keys *names, sq_text *to)
{
    const sq_uses uses = {names, p->uses.helpers};
    sq_text inner = {.indent = 1}, bytes = {0}, head = {.indent = 1};
    if (x->buffer) {
        const sq_stored *s = x->buffer->stored;
        for (int l = 0; l < s->nloops; l++)
            sq_text_puts(&bytes, "sq_times(");
        sq_text_puts(&bytes, "sq_times(");
        sq_text_printf(&bytes, "sizeof(%s) * %" PRId64 ", %s)", sq_type_ctype(x->type), s->elements,
                       sq_code_text(s->parts, &uses, p->arena));
        for (int l = 0; l < s->nloops; l++)
            sq_text_printf(&bytes, ", %s)", sq_code_text(s->loop[l].count, &uses, p->arena));
        sq_text_line(&inner, "return sq_plus(%d + 64 * sizeof(%s), %s);", SQ_PACKED_HEAD, sq_type_ctype(x->type),
                     sq_text_str(&bytes));
    } else {
        const char *size = sq_arena_printf(p->arena, "sizeof(%s)", sq_type_ctype(x->type));
        sq_text_line(&inner, "return sq_plus(%d, %s);", SQ_PACKED_HEAD, extents(p, x->array, "sq_times", size, &uses));
    }
    sq_function_products(p, &uses, false, &head);
    sq_text_puts(&head, sq_text_str(&inner));
    sq_function_of_sizes(p->kernel, sq_arena_printf(p->arena, "static SQ_TARGET size_t sq_bytes_%s", x->array->name),
                         NULL, names, &head, to);
    sq_text_free(&inner);
    sq_text_free(&bytes);
}

/* What tells layouts apart, as text: of fixed sizes, too. */
static const char *layout_of(const sq_printer *p, const sq_printed_packed *x)
{
    sq_text t = {0};
    sq_text_printf(&t, "%s as %s", extents(p, x->array, "", sq_type_name(x->array->type), NULL), sq_type_name(x->type));
    if (x->buffer) {
        const sq_stored *s = x->buffer->stored;
        sq_text_printf(&t, " %s, %s", sq_stored_layout(x->buffer, p->arena), sq_code_text(s->parts, NULL, p->arena));
        for (int l = 0; l < s->nloops; l++)
            sq_text_printf(&t, ", %s", sq_code_text(s->loop[l].count, NULL, p->arena));
    }
    return sq_text_take(&t, p->arena);
}

/* sq_tag_W: the number of a layout and the sizes that it depends on. */
static void put_tag(const sq_printer *p, const sq_printed_packed *x, const sq_code_keys *names, sq_text *to)
{
    const char *layout = layout_of(p, x);
    sq_text inner = {.indent = 1};
    sq_text_line(&inner, "uint64_t @tag = UINT64_C(0x%" PRIx64 ");", sq_hash64(layout, strlen(layout)));
    for (int i = 0; i < p->kernel->nsizes; i++)
        if (sq_code_keys_has(names, p->kernel->size[i]->name) && !p->kernel->size[i]->fixed)
            sq_text_line(&inner, "@tag = (@tag ^ (@tag >> 29) ^ (uint64_t)%s) * UINT64_C(0x9e3779b97f4a7c15);",
                         p->kernel->size[i]->name);
    sq_text_line(&inner, "return @tag ^ (@tag >> 32);");
    sq_function_of_sizes(p->kernel, sq_arena_printf(p->arena, "static SQ_TARGET uint64_t sq_tag_%s", x->array->name),
                         NULL, names, &inner, to);
}

static const char test_helper[] = "/* True if that is what was packed for this layout and these sizes. */\n"
                                  "static int sq_packed(const void *memory, uint64_t tag)\n"
                                  "{\n"
                                  "    uint64_t found;\n"
                                  "    if (!memory || ((uintptr_t)memory & 63))\n"
                                  "        return 0;\n"
                                  "    memcpy(&found, memory, sizeof found);\n"
                                  "    return found == tag;\n"
                                  "}\n\n";

/* ---- public functions ---- */

/* The call of such a function: "sq_tag_W(M, N)". */
static const char *of_sizes(const sq_printer *p, const char *what, const sq_printed_packed *x, const char *last)
{
    return sq_function_call(p->kernel, sq_arena_printf(p->arena, "sq_%s_%s", what, x->array->name), SQ_LIST_SIZES,
                            SQ_LIST_INSIDE, last, p->arena);
}

static void put_public_bytes(const sq_printer *p, const sq_printed_packed *x, bool check, sq_text *to)
{
    sq_function_head(p, "size_t", sq_packed_bytes(p->function, x->array, p->arena), true, NULL, to);
    sq_function_unfit(p, check, "\n        return 0;\n", to);
    sq_text_printf(to, "    return %s;\n}\n\n", of_sizes(p, "bytes", x, NULL));
}

static void put_public_pack(const sq_printer *p, const sq_printed_packed *x, bool check, sq_text *to)
{
    const char *array = x->array->name, *c = sq_type_ctype(x->type);
    const char *last = sq_arena_printf(p->arena, "const %s *%s, void *@to", sq_type_ctype(x->array->type), array);
    const char *filled = sq_arena_printf(p->arena, "%s, (%s *)(void *)((char *)@to + %d)", array, c, SQ_PACKED_HEAD);
    sq_function_head(p, "int", sq_packed_function(p->function, x->array, p->arena), true, last, to);
    sq_function_unfit(p, check, "\n        return 1;\n", to);
    sq_text_printf(to,
                   "    if (!@to || ((uintptr_t)@to & 63))\n        return 3;\n    const uint64_t @tag = %s;\n"
                   "    memset(@to, 0, %s);\n    %s;\n    memcpy(@to, &@tag, sizeof @tag);\n    return 0;\n}\n\n",
                   of_sizes(p, "tag", x, NULL), of_sizes(p, "bytes", x, NULL), of_sizes(p, "fill", x, filled));
}

void sq_packed_print(const sq_printer *p, bool check, sq_text *to)
{
    if (p->packed)
        sq_text_puts(to, test_helper);
    for (const sq_printed_packed *x = p->packed; x; x = x->next) {
        sq_code_keys names = sq_uses_none(p->arena);
        put_pack(p, x, to);
        put_bytes(p, x, &names, to);
        for (int i = 0; i < p->kernel->nsizes; i++)
            if (sq_code_keys_has(&x->names, p->kernel->size[i]->name))
                sq_code_keys_add(&names, p->kernel->size[i]->name);
        put_tag(p, x, &names, to);
        put_public_bytes(p, x, check, to);
        put_public_pack(p, x, check, to);
    }
}

/* ---- what K_packed does with them ---- */

void sq_packed_open(const sq_printer *p, sq_text *to)
{
    for (const sq_printed_packed *x = p->packed; x; x = x->next) {
        const char *given = sq_packed_given(x->array, p->arena), *c = sq_type_ctype(x->type);
        if (sq_code_keys_has(&p->names, x->array->name))
            sq_text_line(to, "const %s *const %s = (const %s *)(const void *)((const char *)%s + %d);", c,
                         x->array->name, c, given, SQ_PACKED_HEAD);
        else
            sq_text_line(to, "(void)%s;", given);
    }
}

void sq_packed_test(const sq_printer *p, sq_text *to)
{
    for (const sq_printed_packed *x = p->packed; x; x = x->next)
        sq_text_printf(to, "    if (!sq_packed(%s, %s))\n        return 3;\n", x->array->name,
                       of_sizes(p, "tag", x, NULL));
}
