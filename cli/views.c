/* Views: see views.h. */
#include "cli/views.h"
#include "codegen/file/views.h"
#include <string.h>

int sq_task_views_check(sq_task *task)
{
    const char *why = task->regions ? "the functions made of regions are called by their own file alone"
                      : task->target->grid ? "arrays of CUDA are a device's, and a launcher copies none of them"
                      : task->o->fix.nsets ? "extents do not say which of several constants (--fix=S=1|2) is meant; "
                                             "compile a file for each"
                                           : NULL;
    if (!task->o->has_views || !why)
        return 0;
    return sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "views"), "--views: %s", why);
}

/* True if the name is K_views or begins with K_views_. */
static bool belongs(const sq_task *task, const char *name, const sq_kernel *k)
{
    const char *views = sq_arena_printf(task->arena, "%s_views", k->name);
    size_t n = strlen(views);
    return strncmp(name, views, n) == 0 && (!name[n] || name[n] == '_');
}

static int refuse_name(sq_task *task, const char *name, const sq_kernel *k, const sq_kernel *of)
{
    return sq_error(task->d, SQ_FAULT_INPUT, k->loc,
                    "'%s' is, with --views, also a name that belongs to kernel '%s'; rename it", name, of->name);
}

static int check_names(sq_task *task, const sq_kernel *k)
{
    const sq_unit *u = task->unit;
    for (int j = 0; j < u->nkernels; j++) {
        const sq_kernel *of = u->kernel[j];
        if (belongs(task, k->name, of))
            return refuse_name(task, k->name, k, of);
        for (int p = 0; p < k->nparams; p++)
            if (belongs(task, sq_param_name(&k->param[p]), of))
                return refuse_name(task, sq_param_name(&k->param[p]), k, of);
    }
    return 0;
}

/* A copy would hide what is written from what is read through another array. */
static int check_overlap(sq_task *task, const sq_kernel *k)
{
    if (!sq_kernel_overlaps(k))
        return 0;
    sq_error(task->d, SQ_FAULT_INPUT, k->loc,
             "arrays of '%s' may overlap (alias), and --views copies arrays: what is written to one would not be seen "
             "in another",
             k->name);
    sq_help(task->d, SQ_NOWHERE, "call '%s' itself, or compile the other kernels of the file with --kernel=NAME",
            k->name);
    return -1;
}

static int check_packed(sq_task *task, const sq_kernel *k)
{
    if (!k->plain)
        return 0;
    sq_error(task->d, SQ_FAULT_INPUT, k->loc, "'%s' takes packed arrays, and --views is for arrays as they are",
             k->name);
    sq_help(task->d, SQ_NOWHERE, "compile '%s' alone with --kernel=%s", k->plain, k->plain);
    return -1;
}

int sq_task_views_refused(sq_task *task)
{
    for (int i = 0; task->o->has_views && i < task->unit->nkernels; i++)
        if (check_names(task, task->unit->kernel[i]) != 0 || check_overlap(task, task->unit->kernel[i]) != 0 ||
            check_packed(task, task->unit->kernel[i]) != 0)
            return i;
    return -1;
}

/* The functions of the file, without a kernel of its own. */
static sq_views_file file_of(const sq_task *task)
{
    return (sq_views_file){.api = sq_task_api(task),
                           .has_header = task->header_include != NULL,
                           .is_local = task->o->is_static,
                           .is_freestanding = task->o->is_freestanding,
                           .has_codes = task->o->errors,
                           .has_tasks = task->tasks};
}

const sq_declared *sq_task_views_declared(sq_task *task, int i)
{
    if (!task->o->has_views)
        return NULL;
    const sq_kernel *k = task->unit->kernel[i];
    sq_declared *more = SQ_NEW(task->arena, sq_declared);
    sq_text types = {0}, prototypes = {0};
    sq_views_types(k, &types);
    const sq_views_file file = file_of(task);
    sq_views_declare(&file, k, sq_task_function(task, i), &prototypes);
    more->types = sq_text_take(&types, task->arena);
    more->prototypes = sq_text_take(&prototypes, task->arena);
    return more;
}

void sq_task_views_put(sq_task *task)
{
    int n = task->unit->nkernels;
    if (!task->o->has_views)
        return;
    sq_bound_kernel *of = SQ_NEW_ARRAY(task->arena, sq_bound_kernel, n);
    for (int i = 0; i < n; i++)
        of[i] = (sq_bound_kernel){.k = task->unit->kernel[i], .function = sq_task_function(task, i)};
    sq_views_file file = file_of(task);
    file.n = n;
    file.of = of;
    sq_views_source(&file, &task->source);
}
