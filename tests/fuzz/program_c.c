/* Program, as C: plain C with the parameters of a kernel, compared with the naive nest; and a file
 * of ordinary C with a region, which squall reads. */
#include "codegen/emit.h"
#include "tests/fuzz/print.h"
#include <string.h>

static const char helpers[] =
    "#include <math.h>\n#include <stdint.h>\n#include <stdlib.h>\n"
    "typedef float f32;\ntypedef double f64;\n"
    "#define max2(a, b) ({ __auto_type a_ = a; __auto_type b_ = b; a_ > b_ ? a_ : b_; })\n"
    "#define min2(a, b) ({ __auto_type a_ = a; __auto_type b_ = b; a_ < b_ ? a_ : b_; })\n"
    "#define relu(a) ({ __auto_type a_ = a; a_ > 0 ? a_ : 0; })\n"
    "#define sigmoidf(x) (1 / (1 + expf(-(x))))\n#define sigmoid(x) (1 / (1 + exp(-(x))))\n"
    "#define rsqrtf(x) (1 / sqrtf(x))\n#define rsqrt(x) (1 / sqrt(x))\n"
    "#define rd_f16(b) ({ union { uint16_t u; _Float16 h; } v_ = {b}; (float)v_.h; })\n"
    "#define wr_f16(x) ({ union { _Float16 h; uint16_t u; } v_ = {(_Float16)(x)}; v_.u; })\n"
    "#define rd_bf16(b) ({ union { uint32_t u; float f; } v_ = {(uint32_t)(b) << 16}; v_.f; })\n"
    /* A double is rounded once: first to a float with an odd last bit unless it is exact. */
    "#define wr_bf16(x) ({ double d_ = x; union { float f; uint32_t u; } v_ = {d_}; "
    "if (v_.f == v_.f && v_.f != d_ && !isinf(v_.f)) { v_.u -= fabs(v_.f) > fabs(d_); v_.u |= 1; } "
    "(uint16_t)(v_.f != v_.f ? v_.u >> 16 | 64 : "
    "(v_.u + 0x7fff + (v_.u >> 16 & 1)) >> 16); })\n"
    "#define sat_(type, lo, hi, x) ({ long double v_ = x; "
    "v_ != v_ || v_ <= lo ? lo : v_ >= hi ? hi : (type)v_; })\n"
    "#define sat_int8(x) sat_(int8_t, INT8_MIN, INT8_MAX, x)\n"
    "#define sat_int16(x) sat_(int16_t, INT16_MIN, INT16_MAX, x)\n"
    "#define sat_int32(x) sat_(int32_t, INT32_MIN, INT32_MAX, x)\n"
    "#define sat_int64(x) sat_(int64_t, INT64_MIN, INT64_MAX, x)\n"
    "#define sat_uint8(x) sat_(uint8_t, 0, UINT8_MAX, x)\n"
    "#define sat_uint16(x) sat_(uint16_t, 0, UINT16_MAX, x)\n"
    "#define sat_uint32(x) sat_(uint32_t, 0, UINT32_MAX, x)\n"
    "#define sat_uint64(x) sat_(uint64_t, 0, UINT64_MAX, x)\n"
    "#define inside(i, n) ((i) < 0 ? 0 : (i) >= (n) ? (n) - 1 : (i))\n";

void program_print_c(const program *p, const sq_kernel *k, const char *function, sq_text *to)
{
    printer o = {.p = p, .c = true, .to = to};
    sq_text_printf(to, "%1$svoid %2$s(%3$s);\nvoid %2$s(%3$s)\n{\n", helpers, function,
                   sq_emit_params(k, SQ_EMIT_PUBLIC, false, NULL, k->arena));
    for (int s = 0; s < k->nsizes; s++)
        if (k->size[s]->fixed)
            sq_text_printf(to, "    enum { %s = %lld };\n", k->size[s]->name,
                           (long long)k->size[s]->value);
    for (int i = 0; i < p->narrays; i++) {
        const array *a = &p->array[i];
        if (!a->local || !(a->written || a->read))
            continue;
        const char *type = sq_type_ctype(a->type);
        sq_text_printf(to, "    %s *%s = malloc(sizeof(%s) * (1", type, a->name, type);
        for (int d = 0; d < a->ndim; d++) {
            sq_text_puts(to, " * (size_t)(");
            put_extent(&o, &a->dim[d]);
            sq_text_puts(to, ")");
        }
        sq_text_puts(to, ") + 1);\n");
    }
    to->indent = 1;
    put_nodes(&o, p->body);
    to->indent = 0;
    for (int i = 0; i < p->narrays; i++)
        if (p->array[i].local && (p->array[i].written || p->array[i].read))
            sq_text_printf(to, "    free(%s);\n", p->array[i].name);
    sq_text_puts(to, "}\n");
}

/* ---- a file with a region ---- */

static const char size_name[] = "MNKL";

static bool is_used(const array *a)
{
    return a->written || a->read;
}

static bool is_outside(const array *a)
{
    return a->form == A_NUMBER || a->form == A_VARIABLE;
}

static void put_dims(const printer *o, const array *a, int first)
{
    for (int d = first; d < a->ndim; d++) {
        sq_text_puts(o->to, "[");
        put_extent(o, &a->dim[d]);
        sq_text_puts(o->to, "]");
    }
}

static void put_parameter(const printer *o, const array *a)
{
    const char *restricted = a->restricted ? "restrict " : "";
    sq_text_printf(o->to, "%s%s ", a->written ? "" : "const ", sq_type_name(a->type));
    if (is_outside(a)) {
        sq_text_printf(o->to, "*%s_", a->name);
    } else if (a->form == A_ARRAY) {
        sq_text_puts(o->to, a->name);
        put_dims(o, a, 0);
    } else if (a->form == A_ROWS) {
        sq_text_printf(o->to, "(*%s%s)", restricted, a->name);
        put_dims(o, a, 1);
    } else {
        sq_text_printf(o->to, "*%s%s", restricted, a->name);
    }
}

/* Variables of the function that hold what parameters bring. */
static void put_variables(const printer *o, bool back)
{
    for (int i = 0; i < o->p->narrays; i++) {
        const array *a = &o->p->array[i];
        if (!is_used(a) || !is_outside(a) || (back && !a->written))
            continue;
        const char *name = a->name;
        sq_text_puts(o->to, "    ");
        if (a->form == A_NUMBER && back) {
            sq_text_printf(o->to, "%s_[0] = %s;\n", name, name);
        } else if (a->form == A_NUMBER) {
            sq_text_printf(o->to, "%s %s = %s_[0];\n", sq_type_name(a->type), name, name);
        } else if (back) {
            sq_text_printf(o->to, "__builtin_memcpy(%s_, %s, sizeof %s);\n", name, name, name);
        } else {
            sq_text_printf(o->to, "%s %s", sq_type_name(a->type), name);
            put_dims(o, a, 0);
            sq_text_printf(o->to, ";\n    __builtin_memcpy(%s, %s_, sizeof %s);\n", name, name,
                           name);
        }
    }
}

static void put_counters(const printer *o)
{
    const program *p = o->p;
    const char *sep = "    int ";
    for (int v = 0; v < p->nvars && p->outer_counters; v++) {
        bool again = false;
        for (int i = 0; i < v; i++)
            again |= strcmp(p->var[i].name, p->var[v].name) == 0;
        if (again)
            continue;
        sq_text_printf(o->to, "%s%s", sep, p->var[v].name);
        sep = ", ";
    }
    sq_text_puts(o->to, sep[0] == ',' ? ";\n" : "");
}

void program_print_region(const program *p, const char *function, sq_text *to)
{
    static const char around[] =
        "void %s_%d(int M, double *x);\nvoid %s_%d(int M, double *x)\n{\n    int a;\n"
        "#pragma scop\n    for (a = 1; a < M; a++)\n        x[a] += x[a - 1];\n#pragma "
        "endscop\n}\n\n";
    printer o = {.p = p, .c = true, .region = true, .to = to};
    const char *sep = "";
    sq_text_printf(to, "#include <math.h>\n#include <stdint.h>\ntypedef float f32;\ntypedef double "
                       "f64;\n\n");
    if (p->companion)
        sq_text_printf(to, around, function, 1, function, 1);
    sq_text_printf(to, "void %s(", function);
    for (int s = 0; s < p->nsizes; s++, sep = ", ")
        sq_text_printf(to, "%sint %c", sep, size_name[s]);
    for (int s = 0; s < p->nscalars; s++, sep = ", ")
        sq_text_printf(to, "%s%s s%d", sep, sq_type_name(p->scalar[s]), s);
    for (int i = 0; i < p->narrays; i++)
        if (is_used(&p->array[i])) {
            sq_text_puts(to, sep);
            put_parameter(&o, &p->array[i]);
            sep = ", ";
        }
    sq_text_puts(to, ")\n{\n");
    for (int s = 0; s < p->nsizes; s++)
        sq_text_printf(to, "    (void)%c;\n", size_name[s]);
    for (int s = 0; s < p->nscalars; s++)
        sq_text_printf(to, "    (void)s%d;\n", s);
    put_variables(&o, false);
    put_counters(&o);
    sq_text_puts(to, "#pragma scop\n");
    if (p->fp != SQ_FP_REASSOC)
        sq_text_printf(to, "#pragma squall fp %s\n", sq_fp_name(p->fp));
    to->indent = 1;
    put_nodes(&o, p->body);
    to->indent = 0;
    sq_text_puts(to, "#pragma endscop\n");
    put_variables(&o, true);
    sq_text_puts(to, "}\n");
    if (p->companion)
        sq_text_printf(to, around, function, 2, function, 2);
}
