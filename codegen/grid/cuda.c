/* CUDA: assembles a .cu file.
 *
 *     device part   vectors, tiles, __global__ functions; alone under SQUALL_DEVICE_ONLY, which the
 *                   run-time compiler implies
 *     host part     the launcher and the launch parameters as functions of the sizes, extern "C" */
#include "codegen/grid/cuda.h"
#include "codegen/file/function.h"
#include "codegen/isa/cuda_copy.h"
#include "codegen/isa/cuda_instruction.h"
#include "codegen/isa/cuda_mma.h"
#include "codegen/isa/cuda_wgmma.h"
#include "codegen/isa/math.h"
#include "codegen/print/c_cuda.h"
#include "codegen/print/names.h"
#include "support/words.h"
#include <string.h>

static const char head[] = "#if defined(__CUDACC_RTC__) && !defined(SQUALL_DEVICE_ONLY)\n"
                           "#define SQUALL_DEVICE_ONLY\n"
                           "#endif\n"
                           "#ifdef __CUDACC_RTC__\n"
                           "typedef signed char int8_t;\n"
                           "typedef unsigned char uint8_t;\n"
                           "typedef short int16_t;\n"
                           "typedef unsigned short uint16_t;\n"
                           "typedef int int32_t;\n"
                           "typedef unsigned int uint32_t;\n"
                           "typedef long long int64_t;\n"
                           "typedef unsigned long long uint64_t;\n"
                           "typedef unsigned long long uintptr_t;\n"
                           "#define INT8_MIN (-128)\n"
                           "#define INT8_MAX 127\n"
                           "#define UINT8_MAX 255\n"
                           "#define INT16_MIN (-32768)\n"
                           "#define INT16_MAX 32767\n"
                           "#define UINT16_MAX 65535\n"
                           "#define INT32_MIN (-2147483647 - 1)\n"
                           "#define INT32_MAX 2147483647\n"
                           "#define UINT32_MAX 4294967295u\n"
                           "#define INT64_MIN (-9223372036854775807 - 1)\n"
                           "#define INT64_MAX 9223372036854775807\n"
                           "#define UINT64_MAX 18446744073709551615u\n"
                           "#define INT64_C(x) x##ll\n"
                           "#define UINT64_C(x) x##ull\n"
                           "#define __builtin_inff() __int_as_float(0x7f800000)\n"
                           "#define __builtin_inf() __longlong_as_double(0x7ff0000000000000ll)\n"
                           "#define __builtin_nanf(x) __int_as_float(0x7fc00000)\n"
                           "#define __builtin_nan(x) __longlong_as_double(0x7ff8000000000000ll)\n"
                           "#else\n"
                           "#include <math.h>\n"
                           "#include <stddef.h>\n"
                           "#include <stdint.h>\n"
                           "#include <string.h>\n"
                           "#include <cuda_runtime.h>\n"
                           "#endif\n";

static const char macros[] =
    "#undef SQ_INLINE\n"
    "#define SQ_INLINE [[maybe_unused]] static __host__ __device__ __forceinline__\n";

static void put_head(const sq_printer *p, const sq_text *device, sq_text *to)
{
    if (p->options->provenance) {
        sq_print_provenance(p->options->provenance, to);
        sq_text_puts(to, head);
    }
    if (sq_code_keys_has(&p->helpers, SQ_CUDA_PIPELINES))
        sq_text_puts(to, "#include <cuda_pipeline.h>\n");
    if (sq_code_keys_has(&p->helpers, SQ_CUDA_MATRICES))
        sq_text_puts(to, "#ifdef SQUALL_SIMT\n#include <mma.h>\n#endif\n");
    if (p->options->header && p->options->provenance)
        sq_text_printf(to, "#ifndef SQUALL_DEVICE_ONLY\n#include \"%s\"\n#endif\n",
                       p->options->header);
    if (!p->options->header)
        sq_visibility_define(p->options->api, p->options->visibility, to);
    sq_macros_undefine(sq_text_str(device), true, to);
    sq_text_puts(to, "\n");
}

static bool is_word(const char *name)
{
    return sq_is_cpp_word(name) || sq_is_cuda_word(name);
}

static int name_refused(const char *what, const char *name, sq_loc loc, sq_diags *d)
{
    return sq_error(d, SQ_FAULT_INPUT, loc,
                    "'%s' is a word of %s, which this target's text is; call the %s something else",
                    name, sq_is_cpp_word(name) ? "C++" : "CUDA", what);
}

/* The caller chooses the kernel's name; sizes keep their given names in bounds and extents. */
static int fixed_names(const sq_kernel *k, sq_diags *d)
{
    if (sq_is_cuda_word(k->name))
        return name_refused("kernel", k->name, k->loc, d);
    for (int i = 0; i < k->nsizes; i++)
        if (!k->size[i]->fixed && is_word(k->size[i]->name))
            return name_refused("size", k->size[i]->name, k->size[i]->loc, d);
    return 0;
}

/* Renames other names that are keywords of C++ or CUDA and not of C: an underscore is appended. */
enum { MOST_RENAMED = 64 };
typedef struct renamed {
    int n;
    const char **at[MOST_RENAMED], *was[MOST_RENAMED];
} renamed;

static void take_name(renamed *r, const sq_kernel *k, const char **at, sq_arena *arena)
{
    if (!is_word(*at) || r->n == MOST_RENAMED)
        return;
    r->at[r->n] = at;
    r->was[r->n++] = *at;
    const char *name = *at;
    do
        name = sq_arena_printf(arena, "%s_", name);
    while (sq_names_taken(k, name));
    *at = name;
}

static renamed rename_words(const sq_kernel *k, sq_schedule *s, sq_arena *arena)
{
    renamed r = {0};
    for (int i = 0; i < k->narrays; i++) {
        const sq_array *as = k->array[i]->seen;
        take_name(&r, k, &k->array[i]->name, arena);
        for (int a = 0; as && a < k->described->narrays; a++)
            if (k->described->array[a] == as)
                take_name(&r, k, &k->described->array[a]->name, arena);
    }
    for (int i = 0; i < k->nparams; i++)
        if (k->param[i].scalar)
            take_name(&r, k, &k->param[i].scalar->name, arena);
    for (int g = 0; g < s->ngroups; g++)
        for (int l = 0; l < s->group[g]->nloops; l++) {
            sq_loop *x = &s->group[g]->loop[l];
            if (is_word(x->name))
                x->name = sq_arena_printf(arena, "%s_", x->name);
        }
    return r;
}

/* Restores the names, as the kernel belongs to its owner. */
static void restore_words(const renamed *r)
{
    for (int i = 0; i < r->n; i++)
        *r->at[i] = r->was[i];
}

const sq_kernel *sq_cuda_described(const sq_kernel *k)
{
    return k->described ? k->described : k;
}

/* Prints the self-test, whose naive nest runs over the dimensions of the described statements. */
static void put_test(sq_cuda *c, sq_text *to)
{
    const sq_kernel *k = sq_cuda_described(c->p->kernel);
    renamed dims = {0};
    for (int i = 0; i < k->nstmts; i++)
        for (int d = 0; d < k->stmt[i]->ndim; d++)
            take_name(&dims, k, &k->stmt[i]->dim[d], c->p->arena);
    sq_cuda_test(c, to);
    restore_words(&dims);
}

/* Prints all parts that contain generated names. */
static void put_parts(sq_cuda *c, sq_text *to)
{
    sq_printer *p = c->p;
    sq_text device = {0}, host = {0}, vectors = {0};
    sq_text_puts(&device, sq_text_str(&p->tiles));
    sq_text_puts(&device, sq_text_str(&c->kernels));
    sq_cuda_vectors(p, &vectors);
    sq_cuda_host(c, &host);
    sq_text_puts(to, macros);
    sq_print_helpers(p, to);
    sq_text_puts(to, sq_text_str(&vectors));
    sq_text_puts(to, "\n");
    sq_cuda_copies(&p->helpers, to);
    sq_cuda_mma(&p->helpers, to);
    sq_cuda_wgmma(&p->helpers, to);
    sq_text_puts(to, sq_text_str(&device));
    sq_text_puts(to, "#ifndef SQUALL_DEVICE_ONLY\n");
    sq_text_puts(to, sq_text_str(&host));
    if (!p->options->is_untested)
        put_test(c, to);
    sq_text_puts(to, "#endif\n");
    sq_text_free(&device);
    sq_text_free(&host);
    sq_text_free(&vectors);
}

/* Returns the text without the marks of generated names. */
static const char *unmarked_text(const char *text, sq_arena *arena)
{
    char *copy = sq_arena_strdup(arena, text), *to = copy;
    for (const char *p = text; *p; p++) {
        bool ours = strncmp(p, "sq_", 3) == 0 && (p == text || strchr(" (", p[-1]));
        p += ours ? 3 : *p == '@';
        *to++ = *p;
    }
    *to = 0;
    return copy;
}

static void tell_launches(const sq_cuda *c, sq_compiled *to)
{
    sq_arena *arena = c->p->kernel->arena;
    sq_compiled_kernel *all = SQ_NEW_ARRAY(arena, sq_compiled_kernel, c->nkernels + 1);
    for (int i = 0; i < c->nkernels; i++)
        all[i] =
            (sq_compiled_kernel){.name = sq_arena_printf(arena, "%s_kernel%d", c->p->function, i),
                                 .stmts = sq_arena_strdup(arena, c->kernel[i].launch->stmts),
                                 .blocks = unmarked_text(sq_code_text(c->kernel[i].launch->most, NULL, arena), arena),
                                 .threads = c->kernel[i].threads,
                                 .shared_bytes = c->kernel[i].shared_bytes,
                                 .loops = c->kernel[i].loops};
    to->nlaunches = c->nkernels;
    to->launch = all;
}

int sq_cuda_source(const sq_schedule *given, const sq_emit_options *o, sq_text *to, sq_diags *d)
{
    const sq_kernel *k = given->kernel;
    if (sq_cuda_strict_takes(k, d) != 0)
        return -1;
    if (fixed_names(k, d) != 0 || sq_target_takes(o->target, given, d) != 0)
        return -1;
    sq_printer p = {.options = o, .kernel = k, .arena = sq_arena_new(), .panel = sq_cuda_panel};
    p.code = sq_code_pool_new(p.arena);
    p.code->is_verified = o->is_verified;
    sq_schedule *s = sq_cuda_schedule(given, o->target, p.arena);
    renamed words = rename_words(k, s, p.arena);
    sq_cuda *c = SQ_NEW(p.arena, sq_cuda);
    c->p = &p;
    c->schedule = s;
    c->diags = d;
    c->launch.indent = 1;
    c->host = c->of_grid = c->temporaries = sq_uses_none(p.arena);
    sq_print_record(&p);
    p.uses.names = &c->host;
    p.function = o->function ? o->function : k->name;
    int rc = 0;
    for (int g = 0; g < s->ngroups && rc == 0; g++)
        if (s->group[g]->shared == 0)
            rc = sq_cuda_group(c, g);
    if (rc == 0) {
        sq_text whole = {0};
        put_parts(c, &whole);
        if (o->compiled)
            tell_launches(c, o->compiled);
        put_head(&p, &whole, to);
        sq_names_settle(s, NULL, o->helpers ? o->helpers : sq_arena_printf(p.arena, "%s_", p.function), false,
                        sq_text_str(&whole), to);
        sq_text_free(&whole);
    }
    restore_words(&words);
    sq_text_free(&c->kernels);
    sq_text_free(&c->launch);
    sq_text_free(&p.tiles);
    sq_text_free(&p.temporaries);
    sq_text_free(&p.bytes);
    sq_arena_free(p.arena);
    return rc;
}
