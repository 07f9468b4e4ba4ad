/* Entry: what the emitted function looks like from outside: parameter list, header, and the uniform
 * door `entry(void *const *arg)` through which every harness calls a kernel of any signature. */
#include "codegen/cuda.h"
#include "codegen/emit.h"
#include "codegen/function.h"
#include "codegen/print.h"
#include "support/words.h"
#include <inttypes.h>
#include <string.h>

/* Sizes are declared as the user would: `int`, not int32_t. */
static const char *size_ctype(const sq_size *s)
{
    return s->type == SQ_I32 ? "int" : sq_type_ctype(s->type);
}

/* `after`: what stands behind the name, "" or "_". */
static void put_param(const sq_param *p, const char *after, sq_text *to)
{
    if (p->size)
        sq_text_printf(to, "%s %s%s", size_ctype(p->size), p->size->name, after);
    else if (p->scalar)
        sq_text_printf(to, "%s %s%s", sq_type_ctype(p->scalar->type), p->scalar->name, after);
    else
        sq_text_printf(to, "%s%s *%s%s", p->array->role == SQ_IN ? "const " : "",
                       sq_type_ctype(p->array->type), p->array->name, after);
}

/* A fixed size has left the signature. */
static bool is_shown(const sq_param *p)
{
    return !(p->size && p->size->fixed);
}

static void put_params(const sq_kernel *k, bool only_sizes, bool for_cpp, sq_text *to)
{
    int shown = 0;
    for (int p = 0; p < k->nparams; p++) {
        if (!is_shown(&k->param[p]) || (only_sizes && !k->param[p].size))
            continue;
        if (shown++)
            sq_text_puts(to, ", ");
        put_param(&k->param[p], for_cpp && sq_is_cpp_word(sq_param_name(&k->param[p])) ? "_" : "",
                  to);
    }
    if (!shown)
        sq_text_puts(to, "void");
}

void sq_emit_params(const sq_kernel *k, sq_text *to)
{
    put_params(k, false, false, to);
}

void sq_emit_params_for(const sq_kernel *k, bool for_cpp, sq_text *to)
{
    put_params(k, false, for_cpp, to);
}

void sq_emit_sizes(const sq_kernel *k, bool for_cpp, sq_text *to)
{
    put_params(k, true, for_cpp, to);
}

static void put_argument(const sq_param *q, int p, sq_text *to)
{
    if (q->size)
        sq_text_printf(to, "*(const %s *)arg[%d]", size_ctype(q->size), p);
    else if (q->scalar)
        sq_text_printf(to, "*(const %s *)arg[%d]", sq_type_ctype(q->scalar->type), p);
    else
        sq_text_printf(to, "(%s%s *)arg[%d]", q->array->role == SQ_IN ? "const " : "",
                       sq_type_ctype(q->array->type), p);
}

void sq_emit_entry(const sq_kernel *k, const char *function, const char *entry, sq_text *to)
{
    int shown = 0;
    sq_text_line(to, "void %s(void *const *arg);", entry);
    sq_text_open(to, "void %s(void *const *arg)\n{", entry);
    sq_text_printf(to, "    (void)arg;\n    %s(", function);
    for (int p = 0; p < k->nparams; p++) {
        if (!is_shown(&k->param[p]))
            continue;
        if (shown++)
            sq_text_puts(to, ", ");
        put_argument(&k->param[p], p, to);
    }
    sq_text_puts(to, ");\n");
    sq_text_close(to, "}");
}

/* `gemm_M`: an enumerator where an int holds it, a macro where not. */
static void put_constant(const char *function, const sq_size *s, sq_text *to)
{
    if (s->value >= INT32_MIN && s->value <= INT32_MAX)
        sq_text_line(to, "enum { %s_%s = %" PRId64 " };", function, s->name, s->value);
    else
        sq_text_line(to, "#define %s_%s INT64_C(%" PRId64 ")", function, s->name, s->value);
}

void sq_print_provenance(const char *lines, sq_text *to)
{
    if (!lines || !*lines)
        return;
    sq_text_puts(to, "/* ");
    for (const char *c = lines; *c; c++) {
        if (*c == '\n' && !c[1])
            break;
        sq_text_putn(to, c, 1);
        if (*c == '\n')
            sq_text_puts(to, " * ");
    }
    sq_text_puts(to, " */\n");
}

/* K, and what belongs to it. */
static void put_prototypes(const sq_kernel *k, const char *function, sq_text *to)
{
    sq_text all = {0}, sizes = {0};
    put_params(k, false, true, &all);
    sq_emit_sizes(k, true, &sizes);
    sq_text_printf(to, "void %s(%s);\n", function, sq_text_str(&all));
    if (sq_function_accepts(k))
        sq_text_printf(to,
                       "/* 1 if %s computes something for these sizes: they are as the description "
                       "demands, and no array\n * has more than 2^63 elements. 0: it returns at "
                       "once. */\nint %s_accepts(%s);\n",
                       function, function, sq_text_str(&sizes));
    if (sq_function_allocates(k))
        sq_text_printf(to,
                       "/* %s takes memory for its temporaries from malloc in every call, and "
                       "calls abort if there is none.\n * %s_in takes it from the caller instead: "
                       "%s_workspace bytes, aligned or not. */\n"
                       "size_t %s_workspace(%s);\nvoid %s_in(%s%svoid *workspace);\n",
                       function, function, function, function, sq_text_str(&sizes), function,
                       strcmp(sq_text_str(&all), "void") == 0 ? "" : sq_text_str(&all),
                       strcmp(sq_text_str(&all), "void") == 0 ? "" : ", ");
    sq_text_free(&all);
    sq_text_free(&sizes);
}

/* What the elements of types are that C has no name for everywhere. */
static void put_stored_types(const sq_kernel *k, sq_text *to)
{
    static const struct {
        sq_type type;
        const char *text;
    } rows[] = {{SQ_F16, "/* f16 is uint16_t here: the bits of an IEEE 754 binary16. */"},
                {SQ_BF16, "/* bf16 is uint16_t here: the upper half of the bits of a float. */"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool found = false;
        for (int p = 0; p < k->nparams; p++)
            found |= (k->param[p].array && k->param[p].array->type == rows[i].type) ||
                     (k->param[p].scalar && k->param[p].scalar->type == rows[i].type);
        if (found)
            sq_text_line(to, "%s", rows[i].text);
    }
}

/* The header around a kernel's prototypes. */
static int put_header(const sq_kernel *k, const sq_emit_options *o, const char *guard, bool sizes,
                      void (*prototypes)(const sq_kernel *k, const char *function, sq_text *to),
                      sq_text *to)
{
    const char *function = o->function ? o->function : k->name;
    sq_print_provenance(o->provenance, to);
    sq_text_printf(to, "#ifndef %s\n#define %s\n%s#include <stdint.h>\n\n", guard, guard,
                   sizes ? "#include <stddef.h>\n" : "");
    for (int i = 0; i < k->nsizes; i++)
        if (k->size[i]->fixed)
            put_constant(function, k->size[i], to);
    put_stored_types(k, to);
    sq_text_puts(to, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    prototypes(k, function, to);
    sq_text_puts(to, "#ifdef __cplusplus\n}\n#endif\n#endif\n");
    return 0;
}

int sq_c_header(const sq_kernel *k, const sq_emit_options *o, const char *guard, sq_text *to)
{
    return put_header(k, o, guard, sq_function_allocates(k), put_prototypes, to);
}

int sq_cuda_header(const sq_kernel *k, const sq_emit_options *o, const char *guard, sq_text *to)
{
    return put_header(k, o, guard, true, sq_cuda_prototypes, to);
}
