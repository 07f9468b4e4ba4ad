/* Emit: puts a source file in C together. Every group becomes a nest; where a reduction may be
 * empty, the points it is empty for become a second nest with the reduction's identity in its
 * place, so that the function is total over all sizes. */
#include "codegen/emit.h"
#include "codegen/file/function_inside.h"
#include "codegen/file/packed.h"
#include "codegen/isa/isa.h"
#include "codegen/isa/math.h"
#include "codegen/print/names.h"
#include "codegen/print/panels.h"
#include "codegen/passes/group.h"
#include "codegen/print/statements.h"
#include "codegen/print/tasks.h"
#include "codegen/isa/strict.h"
#include "codegen/nest/text_of.h"
#include "support/words.h"
#include <isl/set.h>
#include <string.h>

/* ---- groups ---- */

static int emit_group(sq_printer *p, const sq_schedule *s, int group, sq_diags *d)
{
    const sq_emit_options *o = p->options;
    const sq_group *g = s->group[group];
    const sq_group_options how = {
        .nest = {.target = o->target, .threads = o->openmp, .eager = o->eager},
        .npasses = SQ_ALL_PASSES,
        .times = o->pass_times};
    sq_code *x = NULL;
    if (sq_group_code(s, group, &how, p->code, &x, d) != 0)
        return -1;
    if (g->kind == SQ_GROUP_WRITTEN)
        sq_text_line(&p->body, "/* Loops in the order they were written%s%s. */",
                     g->note ? ": " : "", g->note ? g->note : "");
    sq_panels_begin(p);
    sq_optimize_see(&p->loops, x);
    sq_print_statements(p, x, &p->body);
    return 0;
}

/* ---- the file ---- */

/* Macros of the compiler and of what is included give way to the description's names. */
static void undefine(const sq_printer *p, const sq_text *nest, sq_text *to)
{
    sq_text all = {0};
    sq_text_printf(&all, "%s\n%s", sq_text_str(nest), sq_text_str(&p->tiles));
    sq_macros_undefine(sq_text_str(&all), false, to);
    sq_text_free(&all);
}

/* clang compiles the body of a parallel loop for the file's flags, not for the function's attribute.
 * Flags for one section of a file would be flags for all of them. */
static void put_clang(const sq_printer *p, sq_text *to)
{
    const sq_target *t = p->options->target;
    sq_text_puts(to, "#if defined(__clang__) && defined(_OPENMP)");
    if (!p->options->is_section)
        sq_text_printf(to, " && !defined(%s)", t->macro);
    sq_text_puts(to,
                 "\n#error \"clang keeps a function's instruction set from its parallel loops: ");
    if (p->options->is_section)
        sq_text_puts(to, "compile with gcc, or without openmp\"\n#endif\n");
    else
        sq_text_printf(to, "compile with %s\"\n#endif\n", t->cflags);
}

/* Headers, and what stands for them where there are none but the compiler's own. */
static void put_includes(const sq_printer *p, bool math, sq_text *to)
{
    bool takes = p->fallback_takes || (sq_workspace_any(p) && !p->options->is_fallback);
    if (p->options->is_embedded) {
        sq_text_puts(to, math ? "#include <math.h>\n" : "");
        sq_text_puts(to, p->options->has_ints ? "" : "#include <stdint.h>\n");
        return;
    }
    if (!p->options->is_freestanding) {
        sq_text_printf(to, "%s#include <stdint.h>\n%s%s#include <string.h>\n", math ? "#include <math.h>\n" : "",
                       takes && !p->options->may_fail && !p->options->has_codes ? "#include <stdio.h>\n" : "",
                       takes ? "#include <stdlib.h>\n" : "");
        return;
    }
    sq_text_puts(to, "#include <stddef.h>\n#include <stdint.h>\n");
    if (p->options->is_fallback)
        return;
    sq_text_puts(to, "\n/* Compilers want these even where there is no C library. */\n"
                     "void *memcpy(void *, const void *, size_t);\nvoid *memset(void *, int, size_t);\n");
}

static void put_head(const sq_printer *p, const sq_text *nest, sq_text *to)
{
    const sq_target *t = p->options->target;
    if (!p->options->is_fallback)
        sq_print_provenance(p->options->provenance, to);
    bool math = false;
    for (int i = 0; i < p->nshapes; i++)
        math |= sq_math_library_function(&p->shape[i]) != NULL;
    put_includes(p, math, to);
    if (p->space.own > 0 && !p->options->tasks)
        sq_text_puts(to, "#ifdef _OPENMP\n#include <omp.h>\n#endif\n");
    if (p->options->header)
        sq_text_printf(to, "#include \"%s\"\n", p->options->header);
    else if (!p->options->is_fallback)
        sq_visibility_define(p->options->api, p->options->visibility, to);
    undefine(p, nest, to);
    if (t->guard[0] && !p->options->is_section)
        sq_text_printf(to, "\n#if defined(__cplusplus) || !(%s)\n#error \"this file is C for %s; C++ includes its "
                       "header\"\n#endif\n", t->guard, t->doc);
    else
        sq_text_puts(to, "\n#ifdef __cplusplus\n#error \"compile this file as C; C++ includes its header\"\n"
                         "#endif\n");
    if (t->macro[0] && p->options->openmp && !p->options->tasks)
        put_clang(p, to);
    sq_text_puts(to, "\n/* Functions work on this instruction set whatever flags the file is "
                     "compiled with. */\n");
    if (t->attribute[0])
        sq_text_printf(to, "#undef SQ_TARGET\n#define SQ_TARGET __attribute__((target(\"%s\")))\n",
                       t->attribute);
    else
        sq_text_puts(to, "#undef SQ_TARGET\n#define SQ_TARGET\n");
    sq_text_puts(to, "#undef SQ_INLINE\n#define SQ_INLINE static inline "
                     "__attribute__((always_inline, unused)) SQ_TARGET\n\n");
}

static int emit_groups(sq_printer *p, const sq_schedule *s, sq_diags *d)
{
    p->body.indent = p->memory.indent = 1;
    for (int g = 0; g < s->ngroups; g += sq_fusion_length(s, g))
        if (emit_group(p, s, g, d) != 0)
            return -1;
    if (sq_packed_prepare(p, s, d) != 0)
        return -1;
    sq_function_locals(p);
    return 0;
}

/* True if elements side by side are read as words where they lie. */
static bool has_words(const sq_kernel *k)
{
    for (int i = 0; i < k->narrays; i++)
        if (k->array[i]->words_of)
            return true;
    for (int i = 0; i < k->nstmts; i++)
        if (sq_stmt_has_words(k->stmt[i]))
            return true;
    return false;
}

/* Declarations and definitions of the vectors that the body uses. */
static void put_vectors(sq_printer *p, sq_text *to)
{
    bool words = has_words(p->kernel);
    if (words)
        sq_word_declare(SQ_I32, to);
    for (int i = 0; i < p->nshapes; i++) {
        p->shape[i].strict = p->kernel->fp == SQ_FP_STRICT;
        p->shape[i].fast = p->kernel->fp == SQ_FP_FAST;
        p->shape[i].anywhere = words && p->shape[i].type == SQ_I32;
        sq_vector_declare(&p->shape[i], to);
    }
    for (int i = 0; i < p->nshapes; i++)
        sq_vector_define(&p->shape[i], p->options->target, to);
}

/* Of what a hosted C library has a freestanding file may call nothing but what every compiler wants. */
static int refuse_library(const sq_printer *p, sq_diags *d)
{
    const char *function = NULL;
    for (int i = 0; i < p->nshapes && !function; i++)
        function = sq_math_library_function(&p->shape[i]);
    if (!p->options->is_freestanding || !function)
        return 0;
    return sq_error(d, SQ_FAULT_USAGE, p->kernel->loc,
                    "kernel '%s' calls '%s' of the C library, which --freestanding leaves out", p->kernel->name,
                    function);
}

/* The file, its groups being in p's texts. */
static int put_file(sq_printer *p, const sq_schedule *s, const char *fallback, sq_text *to, sq_diags *d)
{
    const char *prefix = p->options->helpers;
    sq_text vectors = {0}, nest = {0}, all = {0}, whole = {0};
    put_vectors(p, &vectors);
    int rc = refuse_library(p, d);
    sq_function_print(p, &nest);
    put_head(p, &nest, to);
    sq_text_puts(to, fallback);
    sq_strict_begin(p->kernel, to);
    if (p->options->tasks)
        sq_tasks_helpers(p, &all);
    sq_text_puts(&all, sq_text_str(&p->tiles));
    sq_text_puts(&all, sq_text_str(&nest));
    sq_print_helpers(p, &whole);
    sq_text_puts(&whole, sq_text_str(&vectors));
    sq_text_puts(&whole, sq_text_str(&all));
    sq_names_settle(s, NULL, prefix ? prefix : sq_arena_printf(p->arena, "%s_", p->function), p->options->is_embedded,
                    sq_text_str(&whole), to);
    sq_strict_end(p->kernel, to);
    sq_text_free(&whole);
    sq_text_free(&all);
    sq_text_free(&nest);
    sq_text_free(&vectors);
    return rc;
}

int sq_c_source(const sq_schedule *given, const sq_emit_options *o, sq_text *to, sq_diags *d)
{
    if (sq_target_takes(o->target, given, d) != 0)
        return -1;
    sq_emit_options own = *o;
    own.has_codes |= sq_packed_any(given->kernel); /* packed memory may be of something else */
    sq_printer p = {.options = &own, .kernel = given->kernel, .arena = sq_arena_new()};
    p.code = sq_code_pool_new(p.arena);
    p.code->is_verified = o->is_verified;
    sq_print_record(&p);
    const sq_schedule *s = p.schedule = sq_names_of_loops(given, p.arena);
    p.function = o->function ? o->function : given->kernel->name;
    sq_text fallback = {0};
    int rc = emit_groups(&p, s, d);
    if (rc == 0)
        rc = sq_function_fallback(&p, &fallback, d);
    if (rc == 0)
        rc = put_file(&p, s, sq_text_str(&fallback), to, d);
    sq_text_free(&fallback);
    sq_text_free(&p.tiles);
    sq_text_free(&p.memory);
    sq_text_free(&p.temporaries);
    sq_text_free(&p.body);
    sq_text_free(&p.bytes);
    sq_arena_free(p.arena);
    return rc;
}
