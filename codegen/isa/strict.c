/* Strict: pragmas around the text of a kernel. gcc contracts a * b + c across statements by
 * default, and accepts STDC FP_CONTRACT only to ignore it; clang has no optimize pragma. What
 * pragmas cannot override (-ffast-math, the 80-bit registers of old x86) is rejected at compile
 * time. */
#include "codegen/isa/strict.h"

void sq_strict_begin(const sq_kernel *k, sq_text *to)
{
    if (k->fp != SQ_FP_STRICT)
        return;
    sq_text_puts(to, "/* fp strict: every operation as written, rounded by itself. */\n"
                     "#if defined(__FAST_MATH__)\n"
                     "#error \"fp strict: compile without -ffast-math and -Ofast\"\n"
                     "#elif defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ == 2\n"
                     "#error \"fp strict: compile for registers of the operands' types: "
                     "-msse2 -mfpmath=sse\"\n"
                     "#endif\n"
                     "#if defined(__clang__)\n"
                     "#pragma STDC FP_CONTRACT OFF\n"
                     "#elif defined(__GNUC__)\n"
                     "#pragma GCC push_options\n"
                     "#pragma GCC optimize(\"fp-contract=off\")\n"
                     "#endif\n\n");
}

void sq_strict_end(const sq_kernel *k, sq_text *to)
{
    if (k->fp != SQ_FP_STRICT)
        return;
    sq_text_puts(to, "#if defined(__clang__)\n"
                     "#pragma STDC FP_CONTRACT DEFAULT\n"
                     "#elif defined(__GNUC__)\n"
                     "#pragma GCC pop_options\n"
                     "#endif\n");
}

const sq_rounded *sq_strict_rounded(const sq_kernel *k, const sq_target *t)
{
    return k->fp == SQ_FP_STRICT && t ? t->language->rounded : NULL;
}

const char *sq_rounded_call(const sq_rounded *r, sq_type type, char infix)
{
    if (!r || !sq_type_real(type) || (infix != '*' && infix != '/'))
        return NULL;
    return (infix == '*' ? r->mul : r->div)[type == SQ_F64];
}
