/* Entry: what the emitted function looks like from outside: parameter list, header, and the uniform
 * wrapper `entry(void *const *arg)` through which every harness calls a kernel of any signature. */
#include "codegen/grid/cuda.h"
#include "codegen/file/dispatch.h"
#include "codegen/emit.h"
#include "codegen/file/function_inside.h"
#include "codegen/print/names.h"
#include "codegen/print/tasks.h"
#include "codegen/nest/text_of.h"
#include "support/version.h"
#include "support/words.h"
#include <inttypes.h>
#include <isl/aff.h>
#include <stdlib.h>
#include <string.h>

/* Sizes are declared as the user would: `int`, not int32_t. */
static const char *size_ctype(const sq_size *s)
{
    return s->type == SQ_I32 ? "int" : sq_type_ctype(s->type);
}

/* The name, with underscores behind until no parameter has it, if it needs one at all. */
static void put_name(const sq_kernel *k, const char *name, bool needs, sq_text *to)
{
    sq_text free_name = {0};
    sq_text_puts(&free_name, name);
    while (needs) {
        sq_text_puts(&free_name, "_");
        needs = sq_names_taken(k, sq_text_str(&free_name));
    }
    sq_text_puts(to, sq_text_str(&free_name));
    sq_text_free(&free_name);
}

/* foreign: among what a caller's program has included, in C or in C++. */
static void put_param(const sq_kernel *k, const sq_param *p, bool foreign, sq_text *to)
{
    if (p->size)
        sq_text_printf(to, "%s ", size_ctype(p->size));
    else if (p->scalar)
        sq_text_printf(to, "%s ", sq_type_ctype(p->scalar->type));
    else
        sq_text_printf(to, "%s%s *", p->array->role == SQ_IN ? "const " : "",
                       sq_type_ctype(p->array->type));
    const char *name = sq_param_name(p);
    put_name(k, name, foreign && sq_is_header_word(name), to);
}

void sq_emit_name(const sq_kernel *k, const char *name, bool needs, sq_text *to)
{
    put_name(k, name, needs, to);
}

void sq_emit_param(const sq_kernel *k, const sq_param *p, bool foreign, sq_text *to)
{
    put_param(k, p, foreign, to);
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
        put_param(k, &k->param[p], for_cpp, to);
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
static void put_kept(const char *function, const sq_memory *m, sq_text *to)
{
    sq_text_printf(to,
                   " of memory. %s takes it from malloc and keeps it\n * for later calls: a block "
                   "for each of up to %d calls at once, none above %d MiB",
                   function, SQ_POOL_PLACES, SQ_POOL_MOST >> 20);
    if (m && m->each_thread)
        sq_text_printf(to, "\n * and %d MiB more for each thread", SQ_POOL_MOST >> 20);
    sq_text_puts(to, "; larger ones it frees.\n"
                     " * Where there is none it ends the program with a message.\n");
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

static bool takes_none(const sq_memory *m)
{
    return m && !m->panels && !m->temporaries && !m->fallback;
}

static void put_memory(const char *function, const sq_emit_options *o, sq_text *to)
{
    const sq_memory *m = o->memory;
    if (takes_none(m)) {
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
    put_kept(function, m, to);
    put_given(function, o, to);
}

/* ---- what a caller has to know of the arrays ---- */

/* "N + 1"; a quotient as isl writes it, floor((N)/2). */
static const char *extent_text(const sq_kernel *k, isl_aff *extent, sq_arena *arena)
{
    if (isl_aff_dim(extent, isl_dim_div) == 0)
        return sq_aff_text(k, extent, arena);
    char *all = isl_aff_to_str(extent), *from = all ? strstr(all, "[(") : NULL;
    char *to = from ? strrchr(all, ')') : NULL;
    const char *text = to ? sq_arena_strndup(arena, from + 2, (size_t)(to - from) - 2) : "...";
    free(all);
    return text;
}

/* "A[M][K]", under the name that the prototype has. */
static const char *shape_text(const sq_kernel *k, const sq_array *a, sq_arena *arena)
{
    sq_text t = {0};
    put_name(k, a->name, sq_is_header_word(a->name), &t);
    a = sq_array_described(a);
    for (int x = 0; x < a->ndim; x++)
        sq_text_printf(&t, "[%s]", extent_text(k, a->extent[x], arena));
    return sq_text_take(&t, arena);
}

/* " *   reads   A[M][K], B[K][N]", in lines of a file's width; nothing where no array has the role. */
static void put_role(const sq_kernel *k, sq_role role, const char *verb, const char *margin,
                     sq_arena *arena, sq_text *to)
{
    enum { WIDTH = 98 };
    const char *front = sq_arena_printf(arena, "%s   %-7s ", margin, verb);
    size_t column = 0;
    for (int p = 0; p < k->nparams; p++) {
        const sq_array *a = k->param[p].array;
        if (!a || a->role != role)
            continue;
        const char *shape = shape_text(k, a, arena);
        bool breaks = column + strlen(shape) + 2 > WIDTH;
        if (column == 0)
            sq_text_puts(to, front);
        else
            sq_text_puts(to, breaks ? sq_arena_printf(arena, ",\n%s           ", margin) : ", ");
        column = (column == 0 || breaks ? strlen(front) : column + 2) + strlen(shape);
        sq_text_puts(to, shape);
    }
    if (column)
        sq_text_puts(to, "\n");
}

void sq_emit_roles(const sq_kernel *k, const char *margin, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    put_role(k, SQ_IN, "reads", margin, arena, to);
    put_role(k, SQ_INOUT, "updates", margin, arena, to);
    put_role(k, SQ_OUT, "writes", margin, arena, to);
    sq_arena_free(arena);
}

bool sq_emit_may_overlap(const sq_kernel *k)
{
    for (int p = 0; p < k->nparams; p++)
        if (k->param[p].array && k->param[p].array->alias)
            return true;
    return false;
}

/* " * X begins at a multiple of 64 bytes, Y of 32." */
static void put_aligned(const sq_kernel *k, sq_text *to)
{
    bool found = false;
    for (int p = 0; p < k->nparams; p++) {
        const sq_array *a = k->param[p].array;
        if (!a || !sq_array_described(a)->align)
            continue;
        sq_text_puts(to, found ? ", " : " * ");
        put_name(k, a->name, sq_is_header_word(a->name), to);
        sq_text_printf(to, found ? " of %d" : " begins at a multiple of %d bytes", sq_array_described(a)->align);
        found = true;
    }
    sq_text_puts(to, found ? ".\n" : "");
}

/* Shapes, roles, layout, overlap and threads, of K or K_in. */
static void put_contract(const sq_kernel *k, const char *function, const char *suffix, sq_text *to)
{
    sq_text roles = {0};
    sq_emit_roles(k, " *", &roles);
    put_aligned(k, &roles);
    if (roles.n > 0)
        sq_accepts_describe(k, true, "for others it returns at once and changes nothing", &roles);
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
static void put_tasks(const sq_kernel *k, const char *api, const char *function, const char *sizes, const char *all,
                      sq_text *to)
{
    const char *before = strcmp(sizes, "void") == 0 ? "" : sizes;
    sq_text_printf(to,
                   "/* %s_on is %s_in with threads of yours: run(pool, task, context, n) calls task(context, i) "
                   "once for each i\n * from 0 to n - 1, on any threads, and returns when all calls have; n <= "
                   "threads. It runs one shared loop\n * after the other. workspace: %s_on_workspace bytes. run may "
                   "be NULL: there is one thread then. */\n",
                   function, function, function);
    sq_tasks_typedef(function, to);
    sq_visibility_put(api, to);
    sq_text_printf(to, "size_t %s_on_workspace(%s%sint ", function, before, *before ? ", " : "");
    put_name(k, "threads", sq_names_taken(k, "threads"), to);
    sq_text_puts(to, ");\n");
    sq_visibility_put(api, to);
    sq_text_printf(to, "int %s_on(%s%svoid *", function, all, *all ? ", " : "");
    put_name(k, "workspace", sq_names_taken(k, "workspace"), to);
    sq_text_puts(to, ", int ");
    put_name(k, "threads", sq_names_taken(k, "threads"), to);
    sq_text_printf(to, ", %s_run ", function);
    put_name(k, "run", sq_names_taken(k, "run"), to);
    sq_text_puts(to, ", void *");
    put_name(k, "pool", sq_names_taken(k, "pool"), to);
    sq_text_puts(to, ");\n");
}

/* K, and what belongs to it. */
static void put_prototypes(const sq_kernel *k, const sq_emit_options *o, const char *function,
                           sq_text *to)
{
    sq_text all = {0}, sizes = {0};
    put_params(k, false, true, &all);
    sq_emit_sizes(k, true, &sizes);
    bool has_k = !o->is_freestanding || takes_none(o->memory);
    const char *in = has_k ? "" : "_in";
    const char *api = o->api ? o->api : "", *blank = o->api ? " " : "";
    put_contract(k, function, in, to);
    if (has_k)
        sq_text_printf(to, "%s%svoid %s(%s);\n", api, blank, function, sq_text_str(&all));
    if (sq_function_accepts(k))
        sq_text_printf(to,
                       "/* 1 if %s%s computes something for these sizes: they are as the description "
                       "demands, and no array\n * has more than 2^63 elements. 0: it returns at "
                       "once. */\n%s%sint %s_accepts(%s);\n",
                       function, in, api, blank, function, sq_text_str(&sizes));
    put_memory(function, o, to);
    const char *none = strcmp(sq_text_str(&all), "void") == 0 ? "" : sq_text_str(&all);
    sq_text_printf(to, "%s%ssize_t %s_workspace(%s);\n%s%sint %s_in(%s%svoid *", api, blank, function,
                   sq_text_str(&sizes), api, blank, function, none, *none ? ", " : "");
    put_name(k, "workspace", sq_names_taken(k, "workspace"), to);
    sq_text_puts(to, ");\n");
    if (o->tasks)
        put_tasks(k, o->api, function, sq_text_str(&sizes), none, to);
    if (o->more)
        sq_text_puts(to, o->more->prototypes);
    if (o->dispatch)
        sq_dispatch_declare(o->dispatch, k, function, to);
    sq_text_free(&all);
    sq_text_free(&sizes);
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

/* The version of what is declared, for the programs that call it: docs/VERSIONS.md. */
void sq_print_abi(const char *name, sq_text *to)
{
    sq_text_printf(to, "#define %s_MAJOR %d\n#define %s_MINOR %d\n", name, SQ_ABI_MAJOR, name,
                   SQ_ABI_MINOR);
}

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
        if (k->size[i]->fixed)
            put_constant(function_name(k, o), k->size[i], to);
    put_stored_types(k, to);
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
    put_prototypes(k, o, function_name(k, o), &prototypes);
    return put_header(k, o, guard, &prototypes, to);
}

int sq_cuda_header(const sq_kernel *k, const sq_emit_options *o, const char *guard, sq_text *to)
{
    sq_text prototypes = {0};
    sq_cuda_prototypes(k, function_name(k, o), o->api, &prototypes);
    return put_header(k, o, guard, &prototypes, to);
}
