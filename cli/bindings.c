/* Bindings: see bindings.h. */
#include "cli/bindings.h"
#include "codegen/file/bindings.h"
#include "codegen/file/views.h"
#include <string.h>

static int refuse(sq_task *task, const char *why)
{
    return sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "bindings"), "--bindings: %s",
                    why);
}

static int check_suffix(sq_task *task, const char *path)
{
    if (sq_binding_of(path))
        return 0;
    sq_text known = {0};
    for (int i = 0; sq_binding_rows[i]; i++)
        sq_text_printf(&known, "%s%s (%s)", i ? ", " : "", sq_binding_rows[i]->suffix,
                       sq_binding_rows[i]->name);
    sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "bindings"),
             "the suffix of '%s' is none of a language", path);
    sq_help(task->d, SQ_NOWHERE, "the suffixes are: %s", sq_text_str(&known));
    sq_text_free(&known);
    return -1;
}

int sq_bindings_check(sq_task *task)
{
    const sq_list *paths = &task->o->bindings;
    for (int i = 0; i < paths->n; i++)
        if (check_suffix(task, paths->item[i]) != 0)
            return -1;
    if (paths->n == 0)
        return 0;
    if (task->regions)
        return refuse(task, "the functions made of regions are static");
    if (task->o->is_static)
        return refuse(task, "with --static no other file can call the functions");
    if (task->o->is_freestanding)
        return refuse(task, "with --freestanding functions that need memory are left out, which bindings call");
    for (int i = 0; i < paths->n && task->o->visibility == SQ_VISIBILITY_HIDDEN; i++)
        if (sq_binding_of(paths->item[i]) == &sq_binding_python)
            return refuse(task, "Python calls what a shared library shows, and --visibility=hidden hides it");
    if (task->target->grid)
        return refuse(task, "functions of CUDA take what belongs to a device");
    return 0;
}

/* A name that is fine in C. */
static int check_function(sq_task *task, const sq_binding *b, const char *name)
{
    if (b == &sq_binding_cpp && (strcmp(name, "squall") == 0 || strcmp(name, "detail") == 0))
        return refuse(task, "the header for C++ has namespaces called squall and detail, "
                            "and a function is called so: --prefix= makes its name longer");
    if (b == &sq_binding_cpp && task->o->has_views && strcmp(name, "strided") == 0)
        return refuse(task, "the header for C++ has, with --views, a type called strided, and a function is called "
                            "so: --prefix= makes its name longer");
    for (const char *c = name; *c && b == &sq_binding_rust; c++)
        if ((unsigned char)*c > 127)
            return refuse(task, sq_arena_printf(task->arena,
                                                "Rust takes no function of C called '%s': call the kernel something of "
                                                "letters a to z, digits and _",
                                                name));
    return 0;
}

int sq_bindings_make(sq_task *task, const char *path, sq_text *to)
{
    const sq_binding *b = sq_binding_of(path);
    int n = task->unit->nkernels;
    sq_bound_kernel *of = SQ_NEW_ARRAY(task->arena, sq_bound_kernel, n);
    for (int i = 0; i < n; i++) {
        of[i] = (sq_bound_kernel){.k = task->unit->kernel[i],
                                  .function = sq_task_function(task, i),
                                  .has_codes = task->o->errors || task->unit->kernel[i]->plain,
                                  .has_isa = task->nsections > 0};
        if (sq_variants_any(task, i))
            of[i].ways = sq_variants_ways(task, i, of[i].function);
        if (check_function(task, b, of[i].function) != 0)
            return -1;
    }
    for (int i = 0; i < n && task->o->has_views; i++)
        of[i].views = sq_views_of(of[i].k);
    sq_binding_print(b, sq_task_provenance(task), of, n, to);
    for (int i = 0; i < n && task->o->has_views; i++)
        sq_views_free(of[i].views);
    return 0;
}
