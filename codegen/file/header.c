/* Header: what other files of a program see of a kernel, with what its callers have to know. */
#include "codegen/emit.h"
#include "codegen/file/dispatch.h"
#include "codegen/file/function_inside.h"
#include "codegen/file/packed.h"
#include "codegen/file/ways.h"
#include "codegen/grid/cuda.h"
#include "codegen/print/names.h"
#include "codegen/print/tasks.h"
#include "support/words.h"
#include <inttypes.h>
#include <string.h>

/* `gemm_M`: an enumerator where an int holds it, a macro where not. */
static void put_constant(const char *function, const sq_size *s, sq_text *to)
{
    if (s->value >= INT32_MIN && s->value <= INT32_MAX)
        sq_text_line(to, "enum { %s_%s = %" PRId64 " };", function, s->name, s->value);
    else
        sq_text_line(to, "#define %s_%s INT64_C(%" PRId64 ")", function, s->name, s->value);
}

/* The bytes of a call; without m nothing is known of them. */
static void put_bytes(const char *function, const sq_memory *m, sq_text *to)
{
    if (!m || m->temporaries || m->fallback) {
        sq_text_printf(to, "%s_workspace bytes", function);
        return;
    }
    sq_text_printf(to, "%" PRId64 " bytes", m->panels);
    if (m->each_thread)
        sq_text_printf(to, ", %" PRId64 " more for each thread,", m->each_thread);
}

/* Where K has its memory from; the numbers are block_pool.c's. */
static void put_kept(const char *function, const sq_memory *m, bool has_codes, sq_text *to)
{
    sq_text_printf(to,
                   " of memory. %s takes it from malloc and keeps it\n * for later calls: a block "
                   "for each of up to %d calls at once, none above %d MiB",
                   function, SQ_POOL_PLACES, SQ_POOL_MOST >> 20);
    if (m && m->each_thread)
        sq_text_printf(to, "\n * and %d MiB more for each thread", SQ_POOL_MOST >> 20);
    sq_text_puts(to, "; larger ones it frees.\n");
    if (!has_codes)
        sq_text_puts(to, " * Where there is none it ends the program with a message.\n");
}

/* What K_workspace counts, and who may call K_in. */
static void put_given(const char *function, const sq_emit_options *o, sq_text *to)
{
    sq_text_printf(to,
                   " * %s_in works in the caller's: %s_workspace bytes, aligned or not, of any "
                   "contents.\n * It takes none%s;\n * or 1, and changes nothing, where sizes are "
                   "not accepted or workspace is NULL.",
                   function, function,
                   o->openmp && !o->tasks ? " itself, but OpenMP may: signal handlers must not call it. It "
                               "returns 0"
                             : ", so signal handlers may call it, and returns 0");
    if (o->memory && o->memory->each_thread && !o->tasks)
        sq_text_printf(to,
                       "\n * %s_workspace counts as many threads as its first call finds: "
                       "omp_get_max_threads(), or\n * omp_get_num_procs() where that is more. "
                       "%s_in starts no more than those.",
                       function, function);
    sq_text_puts(to, " */\n");
}

static void put_memory(const char *function, const sq_emit_options *o, sq_text *to)
{
    const sq_memory *m = o->memory;
    if (sq_memory_none(m)) {
        sq_text_printf(to,
                       "/* A call of %s takes no memory. %s_in is the same function for programs "
                       "that give all kernels\n * a workspace, and NULL is one; it returns 1 where "
                       "sizes are not accepted, else 0. */\n",
                       function, function);
        return;
    }
    if (o->is_freestanding) {
        sq_text_printf(to, "/* There is no %s: it would have to take memory.\n", function);
        put_given(function, o, to);
        return;
    }
    sq_text_puts(to, "/* A call works in ");
    put_bytes(function, m, to);
    put_kept(function, m, o->has_codes, to);
    put_given(function, o, to);
}

/* ---- the functions ---- */

/* " * X begins at a multiple of 64 bytes, Y of 32." */
static void put_aligned(const sq_kernel *k, sq_text *to)
{
    bool found = false;
    for (int p = 0; p < k->nparams; p++) {
        const sq_array *a = k->param[p].array;
        if (!a || !sq_array_described(a)->align)
            continue;
        sq_text_puts(to, found ? ", " : " * ");
        sq_emit_renamed(k, a->name, to);
        sq_text_printf(to, found ? " of %d" : " begins at a multiple of %d bytes", sq_array_described(a)->align);
        found = true;
    }
    sq_text_puts(to, found ? ".\n" : "");
}

/* Shapes, roles and sizes. */
static void put_arrays(const sq_kernel *k, const char *margin, sq_text *to)
{
    size_t before = to->n;
    sq_emit_roles(k, margin, to);
    put_aligned(k, to);
    sq_text sizes = {0};
    if (to->n > before)
        sq_accepts_describe(k, true, "for others it returns at once and changes nothing", &sizes);
    sq_emit_renamed(k, sq_text_str(&sizes), to);
    sq_text_free(&sizes);
}

/* Lines of the description. */
static void put_described(const sq_kernel *k, const char *lines, sq_text *to)
{
    sq_text renamed = {0};
    sq_emit_renamed(k, lines ? lines : "", &renamed);
    for (const char *c = sq_text_str(&renamed); *c;) {
        size_t n = strcspn(c, "\n");
        sq_text_printf(to, " *     %.*s\n", (int)n, c);
        c += n + (c[n] == '\n');
    }
    sq_text_free(&renamed);
}

/* What it computes; shapes, roles, layout, overlap and threads, of K or K_in. */
static void put_contract(const sq_kernel *k, const sq_emit_options *o, const char *function, const char *suffix,
                         sq_text *to)
{
    const sq_ways *w = o->ways;
    sq_text roles = {0};
    put_described(k, o->described, &roles);
    sq_ways_about(w, k, " *", put_arrays, &roles);
    if (roles.n > 0)
        sq_text_printf(to,
                       "/* %s%s\n%s * Arrays are row-major without gaps. %s\n"
                       " * Threads may call it at the same time, each with arrays of its own to "
                       "write to. */\n",
                       function, suffix, sq_text_str(&roles),
                       sq_emit_may_overlap(k) ? "Arrays may overlap."
                                              : "What it writes must not overlap another array.");
    sq_text_free(&roles);
}

/* K_on, and the type of what it is given. */
static void put_tasks(const sq_kernel *k, const char *api, const char *function, sq_text *to)
{
    sq_arena *m = k->arena;
    const char *threads = sq_emit_own(k, "int ", "threads", m), *run = sq_arena_printf(m, "%s_run ", function),
               *more = sq_arena_printf(m, "%s, %s, %s, %s", sq_emit_own(k, "void *", "workspace", m), threads,
                                       sq_emit_own(k, run, "run", m), sq_emit_own(k, "void *", "pool", m));
    sq_text_printf(to,
                   "/* %s_on is %s_in with threads of yours: run(pool, task, context, n) calls task(context, i) "
                   "once for each i\n * from 0 to n - 1, on any threads, and returns when all calls have; n <= "
                   "threads. It runs one shared loop\n * after the other. workspace: %s_on_workspace bytes. run may "
                   "be NULL: there is one thread then. */\n",
                   function, function, function);
    sq_tasks_typedef(function, to);
    sq_visibility_put(api, to);
    sq_text_printf(to, "size_t %s_on_workspace(%s);\n", function,
                   sq_emit_params(k, SQ_EMIT_FOREIGN, true, threads, m));
    sq_visibility_put(api, to);
    sq_text_printf(to, "int %s_on(%s);\n", function, sq_emit_params(k, SQ_EMIT_FOREIGN, false, more, m));
}

/* Which schedules K chooses from, where it does. Each of several targets may have others. */
static void put_ways(const sq_emit_options *o, const char *function, const char *suffix, sq_text *to)
{
    sq_ways_rule rule = {0};
    if (!o->ways)
        return;
    sq_ways_rule_add(&rule, o->ways);
    sq_text_printf(to, "/* %s%s has ", function, suffix);
    if (o->dispatch)
        sq_text_puts(to, "several schedules for a target, which the head of this file lists.\n");
    else
        sq_ways_describe(o->ways, " *  ", to);
    sq_ways_rules(rule, " * ", to);
    sq_text_printf(to, " * %s_workspace counts the bytes for the schedule that a call with these sizes takes. */\n",
                   function);
}

/* K, and what belongs to it. */
static void put_prototypes(const sq_kernel *k, const sq_emit_options *o, const char *function,
                           sq_text *to)
{
    const char *all = sq_emit_params(k, SQ_EMIT_FOREIGN, false, NULL, k->arena);
    const char *sizes = sq_emit_params(k, SQ_EMIT_FOREIGN, true, NULL, k->arena);
    bool has_k = !o->is_freestanding || sq_memory_none(o->memory);
    const char *in = has_k ? "" : "_in";
    const char *api = o->api ? o->api : "", *blank = o->api ? " " : "";
    sq_packed_declare(k, o->api, function, to);
    put_contract(k, o, function, in, to);
    put_ways(o, function, in, to);
    if (has_k && o->has_codes)
        sq_text_printf(to, "/* Returns 0, or one of SQUALL_ERROR_... and has changed nothing. */\n");
    if (has_k)
        sq_text_printf(to, "%s%s%s %s(%s);\n", api, blank, o->has_codes ? "int" : "void", function, all);
    if (sq_function_accepts(k))
        sq_text_printf(to,
                       "/* 1 if %s%s computes something for these sizes: they are as the description "
                       "demands, and no array\n * has more than 2^63 elements. 0: it returns at "
                       "once. */\n%s%sint %s_accepts(%s);\n",
                       function, in, api, blank, function, sizes);
    put_memory(function, o, to);
    const char *memory = sq_emit_own(k, "void *", "workspace", k->arena);
    sq_text_printf(to, "%1$s%2$ssize_t %3$s_workspace(%4$s);\n%1$s%2$sint %3$s_in(%5$s);\n", api, blank, function,
                   sizes, sq_emit_params(k, SQ_EMIT_FOREIGN, false, memory, k->arena));
    if (o->tasks)
        put_tasks(k, o->api, function, to);
    if (o->more)
        sq_text_puts(to, o->more->prototypes);
    if (o->dispatch)
        sq_dispatch_declare(o->dispatch, k, function, to);
}

static const char *function_name(const sq_kernel *k, const sq_emit_options *o)
{
    return o->function ? o->function : k->name;
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

static const char error_codes[] = "#ifndef SQUALL_ERRORS\n#define SQUALL_ERRORS\n"
                                  "/* What functions return where that is not 0. Nothing has changed then. */\n"
                                  "enum {\n"
                                  "    SQUALL_ERROR_SIZES = 1, /* sizes are not accepted */\n"
                                  "    SQUALL_ERROR_MEMORY = 2, /* there is no memory to work in */\n"
                                  "    SQUALL_ERROR_PACKED = 3 /* packed memory is of another layout, of other "
                                  "sizes, or misaligned */\n"
                                  "};\n#endif\n";

/* The header around a kernel's prototypes, which it takes. */
static int put_header(const sq_kernel *k, const sq_emit_options *o, const char *guard,
                      sq_text *prototypes, sq_text *to)
{
    sq_print_provenance(o->provenance, to);
    sq_text_printf(to, "#ifndef %s\n#define %s\n", guard, guard);
    if (o->abi)
        sq_print_abi(o->abi, to);
    sq_text_puts(to, "#include <stddef.h>\n#include <stdint.h>\n\n");
    for (int i = 0; i < k->nsizes; i++)
        if (k->size[i]->fixed && !k->size[i]->kept)
            put_constant(function_name(k, o), k->size[i], to);
    put_stored_types(k, to);
    if (o->has_codes)
        sq_text_puts(to, error_codes);
    if (o->more)
        sq_text_puts(to, o->more->types);
    sq_visibility_define(o->api, o->visibility, to);
    sq_text_printf(to, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n%s", sq_text_str(prototypes));
    sq_text_puts(to, "#ifdef __cplusplus\n}\n#endif\n#endif\n");
    sq_text_free(prototypes);
    return 0;
}

int sq_c_header(const sq_kernel *k, const sq_emit_options *o, const char *guard, sq_text *to)
{
    sq_text prototypes = {0};
    sq_emit_options own = *o;
    own.has_codes |= sq_packed_any(k);
    put_prototypes(k, &own, function_name(k, o), &prototypes);
    return put_header(k, &own, guard, &prototypes, to);
}

int sq_cuda_header(const sq_kernel *k, const sq_emit_options *o, const char *guard, sq_text *to)
{
    sq_text prototypes = {0};
    sq_cuda_prototypes(k, function_name(k, o), o->api, &prototypes);
    return put_header(k, o, guard, &prototypes, to);
}
