/* Naming: see naming.h. */
#include "cli/naming.h"
#include "codegen/file/bindings.h"
#include "codegen/file/views.h"
#include "support/words.h"
#include <string.h>
#include <strings.h>

/* ---- what the command line gives ---- */

/* Of identifiers of licences, and of what joins them. */
static const char licence_bytes[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-+() ";

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* It stands between two quotes behind an #include or #line, where C gives no byte another meaning. */
static int check_quoted(sq_task *task, const char *option, const char *path, const char *where)
{
    const char *name = path ? last_part(path) : "";
    for (const char *c = name; *c; c++)
        if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ') {
            sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, option),
                     "no %s can name '%s': it has a quote, a backslash or a control character", where, name);
            sq_help(task->d, SQ_NOWHERE, "write a name without");
            return -1;
        }
    return 0;
}

int sq_naming_check_header(sq_task *task, const char *option, const char *path)
{
    static const char included[] = " math.h stddef.h stdint.h stdio.h stdlib.h string.h unistd.h ";
    const char *name = last_part(path);
    bool is_prelude = strcmp(name, "squall.h") == 0;
    if (!is_prelude && !sq_is_word_of(included, name))
        return 0;
    sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, option), "a header cannot be called '%s': %s", name,
             is_prelude ? "descriptions include squall's own by that name"
                        : "emitted files include the C library's by that name");
    sq_help(task->d, SQ_NOWHERE, "any other name is accepted, as --%s=%.*skernels.h", option, (int)(name - path), path);
    return -1;
}

/* The name of a module of Python that is most like these n bytes; in the task's arena. */
static const char *module_name(const sq_task *task, const char *from, size_t n)
{
    static const char imported[] = " math operator sys "; /* by the module itself, beside words of its own */
    char *name = sq_arena_strndup(task->arena, from, n);
    for (char *c = name; *c; c++)
        *c = !sq_is_word_byte(*c) || *c == '$' ? '_' : *c;
    bool is_taken = sq_binding_python.is_word(name) || sq_is_word_of(imported, name);
    if (is_taken || !*name)
        return sq_arena_printf(task->arena, "%s_", name);
    return *name >= '0' && *name <= '9' ? sq_arena_printf(task->arena, "_%s", name) : name;
}

/* A program may load a file of any name, but not by `import`. */
static void warn_of_module(sq_task *task, const char *path)
{
    const char *name = last_part(path);
    size_t n = (size_t)(strrchr(name, '.') - name);
    const char *better = module_name(task, name, n);
    if (strlen(better) == n && strncmp(better, name, n) == 0)
        return;
    sq_warning(task->d, sq_settings_loc(task->o, "bindings"), "Python's import takes no module from '%s'", name);
    sq_help(task->d, SQ_NOWHERE, "write --bindings=%.*s%s.py", (int)(name - path), path, better);
}

/* --prefix begins names of functions, --spdx stands in a comment. */
int sq_naming_check_words(sq_task *task)
{
    const char *prefix = task->o->prefix, *spdx = task->o->spdx;
    if (prefix && !sq_is_name(prefix, strlen(prefix)))
        return sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "prefix"),
                        "'%s' does not begin a name of C: write letters, digits and underscores",
                        prefix);
    if (spdx && (!*spdx || spdx[strspn(spdx, licence_bytes)]))
        return sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "spdx"),
                        "'%s' is no licence expression of SPDX, as MIT or Apache-2.0 OR MIT", spdx);
    if (check_quoted(task, "header", task->o->header, "#include") != 0 ||
        check_quoted(task, "output", task->regions ? task->o->output : NULL, "#line") != 0)
        return -1;
    for (int i = 0; i < task->o->bindings.n; i++)
        if (sq_binding_of(task->o->bindings.item[i]) == &sq_binding_python)
            warn_of_module(task, task->o->bindings.item[i]);
    return check_quoted(task, "single-header", task->o->single_header, "#include");
}

/* ---- what the files have for themselves ---- */

static bool begins(const char *name, const char *front)
{
    return strncmp(name, front, strlen(front)) == 0;
}

static bool is(const char *name, const char *other)
{
    return strcmp(name, other) == 0;
}

/* True if it is a view's type, with or without const, or the macro around these. */
static bool is_view(const sq_task *task, const char *name, const sq_array *a)
{
    const char *rest = sq_arena_printf(task->arena, "%s_%dd", sq_type_suffix(a->type), a->ndim);
    bool is_macro = begins(name, "SQUALL_") && !strpbrk(name, "abcdefghijklmnopqrstuvwxyz");
    return is(name, sq_arena_printf(task->arena, "squall_%s", rest)) ||
           is(name, sq_arena_printf(task->arena, "squall_const_%s", rest)) ||
           (is_macro && strcasecmp(name + strlen("SQUALL_"), rest) == 0);
}

static bool is_of_views(const sq_task *task, const char *name)
{
    const sq_unit *u = task->unit;
    bool found = is(name, "SQUALL_VIEWS") || begins(name, "SQUALL_VIEWS_");
    for (int i = 0; i < u->nkernels; i++)
        for (int p = 0; p < u->kernel[i]->nparams; p++)
            found |= u->kernel[i]->param[p].array && is_view(task, name, u->kernel[i]->param[p].array);
    return found;
}

static bool is_of_cuda(const char *name)
{
    return is(name, "SQUALL_DEVICE_ONLY") || begins(name, "SQUALL_SIMT") || begins(name, "SQUALL_SIZE_") ||
           begins(name, "SQUALL_SELFTEST");
}

static bool is_of_cpp(const sq_list *bindings, const char *name)
{
    bool has_cpp = false;
    for (int i = 0; i < bindings->n; i++)
        has_cpp |= sq_binding_of(bindings->item[i]) == &sq_binding_cpp;
    return has_cpp && (is(name, "SQUALL_BINDINGS") || is(name, "SQUALL_STRIDED"));
}

/* What the files that are written have the name for; NULL: nothing. */
static const char *owner_of(const sq_task *task, const char *name)
{
    if (task->header_guard && begins(name, sq_task_macro(task, "")))
        return "begins like the macros of the header";
    if (task->o->errors && (is(name, "SQUALL_ERRORS") || begins(name, "SQUALL_ERROR_")))
        return "is one of the header's names for --errors=return";
    if (task->o->has_views && is_of_views(task, name))
        return "is one of the header's names for --views";
    if (task->target->grid && is_of_cuda(name))
        return "begins like the macros of a file for CUDA";
    return is_of_cpp(&task->o->bindings, name) ? "is a macro of the header for C++" : NULL;
}

/* A name of the description. */
static int refuse(sq_task *task, const sq_kernel *k, const char *what, const char *name, const char *why)
{
    if (!why)
        return 0;
    return sq_error(task->d, SQ_FAULT_INPUT, k->loc, "'%s' %s; call the %s something else", name, why, what);
}

static int check_function(sq_task *task, int i)
{
    const sq_kernel *k = task->unit->kernel[i];
    const char *name = sq_task_function(task, i), *why = owner_of(task, name);
    if (!why || !task->o->prefix)
        return refuse(task, k, "kernel", name, why);
    sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "prefix"),
             "'%s' would be the function of kernel '%s', and %s", name, k->name, why);
    sq_help(task->d, SQ_NOWHERE, "write another --prefix");
    return -1;
}

/* `gemm_M`, of fixed sizes. */
static int check_constants(sq_task *task, int i)
{
    const sq_kernel *k = task->unit->kernel[i];
    for (int s = 0; s < k->nsizes; s++) {
        const char *name = sq_arena_printf(task->arena, "%s_%s", sq_task_function(task, i), k->size[s]->name);
        if (k->size[s]->fixed && !k->size[s]->kept && refuse(task, k, "size", name, owner_of(task, name)) != 0)
            return -1;
    }
    return 0;
}

/* A macro stands in the place of whatever is called so. */
static int check_inside(sq_task *task, const sq_kernel *k)
{
    int bad = 0;
    for (int p = 0; p < k->nparams && !bad; p++) {
        const char *name = sq_param_name(&k->param[p]);
        bad = refuse(task, k, "parameter", name, owner_of(task, name));
    }
    for (int a = 0; a < k->narrays && !bad; a++)
        bad = refuse(task, k, "array", k->array[a]->name, owner_of(task, k->array[a]->name));
    for (int s = 0; s < k->nstmts; s++)
        for (int d = 0; d < k->stmt[s]->ndim && !bad; d++)
            bad = refuse(task, k, "index", k->stmt[s]->dim[d], owner_of(task, k->stmt[s]->dim[d]));
    return bad;
}

int sq_naming_check(sq_task *task)
{
    int bad = 0;
    for (int i = 0; i < task->unit->nkernels && !task->regions && !bad; i++) {
        bad = check_function(task, i);
        bad = bad ? bad : check_constants(task, i);
        bad = bad ? bad : check_inside(task, task->unit->kernel[i]);
    }
    return bad;
}
