/* Region, alone: the text of a region as the file has it, in a function of its own. Its variables are declared as the
 * file declares them, members of structs as variables, and get the values of the kernel's arguments. */
#include "cli/region.h"
#include "codegen/emit.h"
#include "tuner/measure/runner.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const sq_size *size_of(const sq_kernel *k, const sq_region_var *v)
{
    return v->arg < 0 ? NULL : k->param[v->arg].size;
}

static const char *ctype_of(const sq_kernel *k, const sq_region_var *v)
{
    return sq_region_built_in(sq_param_ctype(&k->param[v->arg]));
}

/* Rows of other arrays may be as long as they say. */
static bool is_number(const sq_kernel *k, const sq_region_var *v)
{
    return v->arg >= 0 && (!k->param[v->arg].array || k->param[v->arg].array->ndim == 0);
}

static void put_number(const sq_kernel *k, const sq_region_var *v, sq_text *to)
{
    const sq_size *size = size_of(k, v);
    sq_text_printf(to, "    __typeof__(%s) %s = ", v->type, v->name);
    if (size && size->fixed)
        sq_text_printf(to, "%lld;\n", (long long)size->value);
    else
        sq_text_printf(to, "*(const %s *)squall_arg[%d];\n", ctype_of(k, v), v->arg);
}

/* A parameter "float[restrict n][m]" is a pointer to its first row: "float(*restrict)[m]". */
static void put_pointer(const sq_region_var *v, sq_text *to)
{
    size_t front = strcspn(v->type, "["), first = strcspn(v->type + front, "]");
    bool is_restrict = memmem(v->type + front, first, "restrict", strlen("restrict")) != NULL;
    sq_text_printf(to, "    __typeof__(%.*s(*%s)%s) %s = (void *)squall_arg[%d];\n", (int)front, v->type,
                   is_restrict ? "restrict" : "", v->type + front + first + 1, v->name, v->arg);
}

/* What the region alone uses is itself. Of an array that is no parameter the size may be asked. */
static void put_array(const sq_region_var *v, sq_text *to)
{
    if (v->arg < 0)
        sq_text_printf(to, "    __typeof__(%s) %s;\n", v->type, v->name);
    else if (v->is_array && v->is_param)
        put_pointer(v, to);
    else if (v->is_array)
        sq_text_printf(to, "    __typeof__(%s) *squall_%s = (void *)squall_arg[%d];\n#define %s (*squall_%s)\n",
                       v->type, v->name, v->arg, v->name, v->name);
    else
        sq_text_printf(to, "    __typeof__(%s) %s = (void *)squall_arg[%d];\n", v->type, v->name, v->arg);
}

static void put_results(const sq_kernel *k, const sq_region *r, sq_text *to)
{
    for (int i = 0; i < r->nvars; i++)
        if (r->var[i].arg >= 0 && r->arg[r->var[i].arg].by_address)
            sq_text_printf(to, "    *(%s *)squall_arg[%d] = %s;\n", ctype_of(k, &r->var[i]), r->var[i].arg,
                           r->var[i].name);
}

/* -D and -U, before the text: they may hold blanks. */
static void put_macros(const sq_settings *o, sq_text *to)
{
    for (int i = 0; i < o->define.n; i++) {
        const char *word = o->define.item[i], *value = strchr(word, '=');
        sq_text_printf(to, "#define %.*s %s\n", value ? (int)(value - word) : (int)strlen(word), word,
                       value ? value + 1 : "1");
    }
    for (int i = 0; i < o->undefine.n; i++)
        sq_text_printf(to, "#undef %s\n", o->undefine.item[i]);
}

bool sq_region_alone(const sq_task *task, int i, sq_text *to, const char **why)
{
    const sq_kernel *k = task->unit->kernel[i];
    const sq_region *r = task->unit->region[i];
    *why = r->untold;
    if (*why)
        return false;
    put_macros(task->o, to);
    sq_text_putn(to, task->text, r->insert);
    sq_text_puts(to, "\nvoid " SQ_ENTRY "(void *const *squall_arg);\nvoid " SQ_ENTRY
                     "(void *const *squall_arg)\n{\n    (void)squall_arg;\n");
    for (int v = 0; v < r->nvars; v++)
        if (is_number(k, &r->var[v]))
            put_number(k, &r->var[v], to);
    for (int v = 0; v < r->nvars; v++)
        if (!is_number(k, &r->var[v]))
            put_array(&r->var[v], to);
    sq_text_puts(to, "    {\n");
    sq_text_puts(to, r->own);
    sq_text_puts(to, "\n    }\n");
    put_results(k, r, to);
    sq_text_puts(to, "}\n");
    return true;
}

static const char *with_folder(const sq_task *task, const char *flags, const char *option, const char *folder)
{
    char path[PATH_MAX];
    const char *found = realpath(*folder ? folder : ".", path);
    return found ? sq_arena_printf(task->arena, "%s %s%s", flags, option, found) : flags;
}

const char *sq_region_flags(const sq_task *task)
{
    const sq_settings *o = task->o;
    const char *slash = strrchr(task->path, '/'), *flags = "";
    size_t n = slash ? (size_t)(slash - task->path) + 1 : 0;
    flags = with_folder(task, flags, "-iquote", sq_arena_strndup(task->arena, task->path, n));
    for (int i = 0; i < o->include.n; i++)
        flags = with_folder(task, flags, "-I", o->include.item[i]);
    if (o->standard)
        flags = sq_arena_printf(task->arena, "%s -std=%s", flags, o->standard);
    for (int i = 0; i < o->clang.n; i++)
        flags = sq_arena_printf(task->arena, "%s %s", flags, o->clang.item[i]);
    return flags;
}
