/* At: see at.h. */
#include "cli/at.h"
#include "cli/choose.h"
#include "frontend/scop.h"
#include "support/nearest.h"
#include <inttypes.h>
#include <isl/set.h>
#include <string.h>

enum { MOST_LISTED = 8 }; /* kernels, of which an error names the sizes */

/* Vector i of --at; -1 after adding an error. */
static int read_vector(const sq_settings *o, int i, sq_sizes *to, sq_diags *d)
{
    *to = (sq_sizes){0};
    return sq_sizes_parse(o->at.item[i], to, o->arena, sq_settings_loc(o, "at"), d);
}

/* ---- which kernel it is for ---- */

static const sq_size *size_of(const sq_kernel *k, const char *name)
{
    for (int i = 0; i < k->nsizes; i++)
        if (strcmp(k->size[i]->name, name) == 0)
            return k->size[i];
    return NULL;
}

/* True if the vector names a size that is no constant, or the kernel has none of these. */
static bool names_any(const sq_kernel *k, const sq_sizes *at)
{
    bool symbolic = false;
    for (int i = 0; i < k->nsizes; i++)
        symbolic |= !k->size[i]->fixed;
    bool any = !symbolic;
    for (int s = 0; s < at->n && !any; s++) {
        const sq_size *size = size_of(k, at->fix[s].name);
        any = size && !size->fixed;
    }
    return any;
}

/* True if all names of the vector are sizes of the kernel. */
static bool names_only(const sq_kernel *k, const sq_sizes *at)
{
    for (int s = 0; s < at->n; s++)
        if (!size_of(k, at->fix[s].name))
            return false;
    return true;
}

sq_loc sq_at_loc(const sq_settings *o, int i)
{
    return sq_settings_item_loc(o, "at", o->at.item[i]);
}

bool sq_at_has_others(const sq_task *task, const sq_kernel *k, int i)
{
    sq_sizes at;
    return read_vector(task->o, i, &at, task->d) == 0 && !names_only(k, &at);
}

bool sq_at_is_passed_over(sq_task *task, const sq_kernel *k, int i)
{
    sq_sizes at;
    int64_t row[SQ_MAX_SIZES];
    if (!sq_at_has_others(task, k, i))
        return false;
    for (int j = 0; j < task->o->at.n; j++)
        if (j != i && read_vector(task->o, j, &at, task->d) == 0 && names_any(k, &at) && names_only(k, &at) &&
            sq_choose_row(k, &at, NULL, row))
            return true;
    return false;
}

sq_at_use sq_at_row(const sq_unit *u, const sq_kernel *k, const sq_sizes *at, const int64_t *rest, int64_t *row)
{
    int64_t others[SQ_MAX_SIZES];
    if ((u->nkernels == 1 || names_any(k, at)) && sq_choose_row(k, at, rest, row))
        return SQ_AT_WHOLE;
    for (int i = 0; i < u->nkernels; i++)
        if (u->kernel[i] != k && names_any(u->kernel[i], at) && sq_choose_row(u->kernel[i], at, NULL, others))
            return SQ_AT_OF_OTHERS;
    return SQ_AT_LACKS;
}

static void help_whole(sq_task *task, const sq_kernel *k)
{
    const char *sizes = "";
    for (int i = 0; i < k->nsizes; i++)
        if (!k->size[i]->fixed)
            sizes = sq_arena_printf(task->arena, "%s%s%s=...", sizes, *sizes ? "," : "", k->size[i]->name);
    if (task->unit->nkernels > 1)
        sq_help(task->d, SQ_NOWHERE, "say --at=%s as well, or --kernel=NAME to leave '%s' out", sizes, k->name);
    else
        sq_help(task->d, SQ_NOWHERE, "write --at=%s", sizes);
}

static bool is_given(const sq_sizes *at, const sq_size *size)
{
    for (int f = 0; f < at->n; f++)
        if (strcmp(at->fix[f].name, size->name) == 0)
            return true;
    return size->fixed;
}

int sq_at_unknown(sq_task *task, const sq_kernel *k, const sq_sizes *at)
{
    const char *names = "", *values = "";
    int n = 0;
    for (int i = 0; i < k->nsizes; i++) {
        const char *name = k->size[i]->name;
        if (is_given(at, k->size[i]))
            continue;
        names = sq_arena_printf(task->arena, "%s%s'%s'", names, n ? ", " : "", name);
        values = sq_arena_printf(task->arena, "%s%s%s=...", values, n ? "," : "", name);
        n++;
    }
    sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "at"), "%s %s of kernel '%s' %s not known",
             n > 1 ? "sizes" : "size", names, k->name, n > 1 ? "are" : "is");
    if (task->unit->nkernels > 1 && task->o->at.n)
        help_whole(task, k);
    else if (n > 1)
        sq_help(task->d, SQ_NOWHERE, "give them with --at=%s (they stay symbolic) or --fix=%s (constants)", values,
                values);
    else
        sq_help(task->d, SQ_NOWHERE, "give it with --at=%s (it stays symbolic) or --fix=%s (a constant)", values,
                values);
    return -1;
}

int sq_at_refuse(sq_task *task, const sq_kernel *k)
{
    sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "at"), "--at names not all sizes of '%s'", k->name);
    help_whole(task, k);
    return -1;
}

/* ---- against --fix ---- */

/* "4|8": the values that --fix gives the size, NULL where it gives none or this one among them. */
static const char *other_values(const sq_settings *o, const sq_fix *at)
{
    const char *text = NULL;
    for (int i = 0; i < o->fix.n; i++)
        if (strcmp(o->fix.fix[i].name, at->name) == 0 && o->fix.fix[i].value != at->value)
            return sq_arena_printf(o->arena, "%" PRId64, o->fix.fix[i].value);
    for (int i = 0; i < o->fix.nsets; i++) {
        const sq_size_set *set = &o->fix.set[i];
        for (int v = 0; strcmp(set->name, at->name) == 0 && v < set->n; v++) {
            if (set->value[v] == at->value)
                return NULL;
            text = sq_arena_printf(o->arena, "%s%s%" PRId64, text ? text : "", text ? "|" : "", set->value[v]);
        }
    }
    return text;
}

int sq_at_check_fixed(const sq_settings *o, sq_diags *d)
{
    sq_sizes at;
    for (int i = 0; i < o->at.n; i++) {
        if (read_vector(o, i, &at, d) != 0)
            return -1;
        for (int s = 0; s < at.n; s++) {
            const char *other = other_values(o, &at.fix[s]);
            if (!other)
                continue;
            sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, "at"),
                     "--at gives size '%s' the value %" PRId64 ", and --fix makes it %s", at.fix[s].name,
                     at.fix[s].value, other);
            sq_help(d, SQ_NOWHERE, "leave '%s' out of one of them", at.fix[s].name);
            return -1;
        }
    }
    return 0;
}

/* ---- against the description ---- */

/* "n, p__n (p->n)": as --at names them, with what a region of C calls them. */
static const char *sizes_of(const sq_task *task, int kernel)
{
    const sq_kernel *k = task->unit->kernel[kernel];
    const sq_region *r = task->unit->region ? task->unit->region[kernel] : NULL;
    const char *all = "";
    for (int i = 0; i < k->nsizes; i++) {
        const char *name = k->size[i]->name, *text = name;
        for (int a = 0; r && a < r->narg; a++)
            text = strcmp(r->arg[a].name, name) == 0 ? r->arg[a].text : text;
        bool other = strcmp(text, name) != 0;
        all = sq_arena_printf(task->arena, "%s%s%s%s%s%s", all, *all ? ", " : "", name, other ? " (" : "",
                              other ? text : "", other ? ")" : "");
    }
    return *all ? all : "no sizes";
}

/* What there is in place of a name that no kernel has. */
static int refuse_name(sq_task *task, const char *name)
{
    const sq_unit *u = task->unit;
    const char *names[SQ_MAX_SIZES];
    sq_loc loc = sq_settings_loc(task->o, "at");
    if (u->nkernels != 1) {
        sq_error(task->d, SQ_FAULT_USAGE, loc, "no kernel of %s has a size '%s'", task->path, name);
        for (int i = 0; i < u->nkernels && i < MOST_LISTED; i++)
            sq_help(task->d, SQ_NOWHERE, "'%s' has %s", u->kernel[i]->name, sizes_of(task, i));
        return -1;
    }
    const sq_kernel *k = u->kernel[0];
    for (int i = 0; i < k->nsizes; i++)
        names[i] = k->size[i]->name;
    sq_error(task->d, SQ_FAULT_USAGE, loc, "kernel '%s' has no size '%s'", k->name, name);
    const char *nearest = sq_nearest(name, names, (size_t)k->nsizes);
    sq_suggest(task->d, name, nearest);
    if (!nearest)
        sq_help(task->d, SQ_NOWHERE, "it has %s", sizes_of(task, 0));
    return -1;
}

/* A name that no kernel has is a slip of the pen. */
static int check_names(sq_task *task, const sq_sizes *at)
{
    const sq_unit *u = task->unit;
    for (int s = 0; s < at->n; s++) {
        const sq_size *found = NULL;
        for (int i = 0; i < u->nkernels && !found; i++)
            found = size_of(u->kernel[i], at->fix[s].name);
        if (!found)
            return refuse_name(task, at->fix[s].name);
        if (found->type == SQ_I32 && at->fix[s].value > INT32_MAX)
            return sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "at"),
                            "%s=%" PRId64 " does not fit its type int; the most is %d", found->name, at->fix[s].value,
                            INT32_MAX);
    }
    return 0;
}

/* True if a statement has an instance. */
static bool is_any(const sq_kernel *k, const int64_t *sizes)
{
    bool found = false;
    for (int s = 0; s < k->nstmts && !found; s++) {
        isl_set *at = sq_kernel_at(k, isl_set_copy(k->stmt[s]->domain), sizes);
        found = isl_set_is_empty(at) == isl_bool_false;
        isl_set_free(at);
    }
    return found;
}

/* Why there is nothing to do at these sizes; NULL: there is. check runs whatever a function accepts. */
static const char *refused(const sq_task *task, const sq_kernel *k, const int64_t *sizes)
{
    if (!sq_kernel_takes(k, k->accepted, sizes))
        return "the kernel accepts no such sizes";
    if (strcmp(task->o->command, "check") == 0)
        return NULL;
    if (!sq_kernel_takes(k, k->context, sizes))
        return "these sizes break what the kernel assumes: no schedule is for them";
    return is_any(k, sizes) || !sq_chooses_at(task->o->command) || sq_measures_at(task->o->command)
               ? NULL /* what measures says so itself, of all sizes that it measures at */
               : "the kernel writes nothing at these sizes: no schedule is for them";
}

/* True if the vector is for other constants than the kernel has: for those of another set. */
static bool is_of_others(const sq_kernel *k, const sq_sizes *at)
{
    bool other = false;
    for (int s = 0; s < at->n; s++) {
        const sq_size *size = size_of(k, at->fix[s].name);
        other |= size && size->fixed && size->value != at->fix[s].value;
    }
    return other;
}

/* text: the vector as it was written. */
static int check_values(sq_task *task, const sq_kernel *k, const sq_sizes *at, const char *text)
{
    int64_t row[SQ_MAX_SIZES];
    if (is_of_others(k, at) || !sq_choose_row(k, at, NULL, row))
        return 0;
    const char *why = refused(task, k, row);
    return why ? sq_error(task->d, SQ_FAULT_REFUSED, sq_settings_loc(task->o, "at"), "%s at %s: %s", k->name, text, why)
               : 0;
}

static int check_unit(sq_task *task, void *user)
{
    sq_sizes at;
    (void)user;
    for (int i = 0; i < task->o->at.n; i++) {
        if (read_vector(task->o, i, &at, task->d) != 0 || check_names(task, &at) != 0)
            return -1;
        for (int k = 0; k < task->unit->nkernels; k++)
            if (check_values(task, task->unit->kernel[k], &at, task->o->at.item[i]) != 0)
                return -1;
    }
    return 0;
}

int sq_at_check(sq_task *task)
{
    return sq_sets_each(task, check_unit, NULL);
}
