/* Tasks: a parallel loop becomes a function that computes one of several ranges of its iterations;
 * variables of the code around it are passed in a struct. The caller's `run` executes the ranges on
 * any threads. The number of a range replaces that of a thread: it selects private panels. */
#include "codegen/print/tasks.h"
#include "codegen/code/used.h"
#include "codegen/print/c.h"
#include "codegen/print/c_inside.h"
#include "codegen/print/statements.h"
#include <stdlib.h>
#include <string.h>

/* A variable of the code around: "const float *" and its name. */
typedef struct field {
    const char *type, *name;
} field;

typedef struct fields {
    int n, room;
    field *field;
} fields;

static void add(fields *f, const char *type, const char *name, sq_arena *arena)
{
    for (int i = 0; i < f->n; i++)
        if (strcmp(f->field[i].name, name) == 0) { /* a read-only array and its rows have the same name */
            if (strncmp(type, "const ", strlen("const ")) != 0)
                f->field[i].type = type;
            return;
        }
    f->field = sq_arena_grow(arena, f->field, f->n, &f->room, sizeof *f->field);
    f->field[f->n++] = (field){type, name};
}

/* ---- free variables of a loop ---- */

/* Removes what the list defines itself. Names of a loop's body differ from those of other variables
 * around it. */
static void leave_own(sq_code_used *u, const sq_code *x)
{
    for (; x; x = x->next) {
        if (x->kind == SQ_CODE_LOOP || x->kind == SQ_CODE_LET || x->kind == SQ_CODE_VARIABLE)
            sq_code_keys_remove(&u->names, x->name ? x->name : "");
        if (x->kind == SQ_CODE_DECLARE || x->kind == SQ_CODE_POINTER)
            sq_code_keys_remove(&u->buffers, x->buffer);
        leave_own(u, x->body);
        leave_own(u, x->other);
    }
}

/* Adds strides that are variables, as elements are printed with them. */
static void add_strides(sq_code_used *u, const sq_code_buffer *b)
{
    for (int d = 0; d < b->ndim && b->stride; d++)
        if (b->stride[d] && b->stride[d]->op == SQ_CODE_NAME)
            sq_code_keys_add(&u->names, b->stride[d]->name);
}

static const char *type_of_name(const sq_kernel *k, const char *name)
{
    for (int i = 0; i < k->nparams; i++)
        if (k->param[i].scalar && strcmp(sq_param_name(&k->param[i]), name) == 0)
            return sq_type_ctype(k->param[i].scalar->type);
    return "int64_t";
}

static const char *type_of_buffer(sq_printer *p, const sq_code_buffer *b)
{
    const sq_c_printer c = sq_print_c(p);
    if (b->storage == SQ_CODE_REGISTER && b->ndim == 0)
        return sq_c_register_type(&c, b);
    return sq_arena_printf(p->arena, "%s%s *", b->is_readonly ? "const " : "", sq_c_element_type(b));
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const field *)a)->name, ((const field *)b)->name);
}

/* Returns the variables around the loop that its body uses, in the order of their names, as tables
 * of addresses have no order. */
static fields around(sq_printer *p, const sq_code *loop)
{
    fields f = {0};
    sq_code_used u = sq_code_used_by(loop->body, p->arena);
    for (size_t i = 0; i < u.buffers.room; i++)
        if (u.buffers.at[i])
            add_strides(&u, u.buffers.at[i]);
    leave_own(&u, loop->body);
    sq_code_keys_remove(&u.names, loop->name);
    for (size_t i = 0; i < u.buffers.room; i++)
        if (u.buffers.at[i]) {
            const sq_code_buffer *b = u.buffers.at[i];
            add(&f, type_of_buffer(p, b), b->name, p->arena);
        }
    for (size_t i = 0; i < u.names.room; i++)
        if (u.names.at[i])
            add(&f, type_of_name(p->kernel, u.names.at[i]), u.names.at[i], p->arena);
    if (f.n)
        qsort(f.field, (size_t)f.n, sizeof *f.field, by_name);
    return f;
}

/* ---- the function ---- */

static const char *declared(const sq_printer *p, const field *x, bool is_const)
{
    bool pointer = x->type[strlen(x->type) - 1] == '*';
    return sq_arena_printf(p->arena, "%s%s%s%s%s", is_const && !pointer ? "const " : "", x->type,
                           pointer ? "" : " ", is_const && pointer ? "const " : "", x->name);
}

static void put_struct(const sq_printer *p, const char *name, const fields *f, sq_text *to)
{
    sq_text_open(to, "struct %s {", name);
    for (int i = 0; i < f->n; i++)
        sq_text_line(to, "%s;", declared(p, &f->field[i], false));
    sq_text_line(to, "int64_t @from, @turns; /* the first iteration's value; how many there are */");
    sq_text_line(to, "int @shares;");
    sq_text_close(to, "};");
}

/* Returns the alignment that callers promise for the array; 0: none. */
static int alignment(const sq_kernel *k, const char *name)
{
    for (int i = 0; i < k->nparams; i++)
        if (k->param[i].array && strcmp(sq_param_name(&k->param[i]), name) == 0)
            return sq_array_described(k->param[i].array)->align;
    return 0;
}

static void put_function(const sq_printer *p, const char *name, const sq_code *loop, const fields *f, sq_text *body,
                         sq_text *to)
{
    sq_text_line(to, "static SQ_TARGET void %s(void *@context, int @share)", name);
    sq_text_open(to, "{");
    sq_text_line(to, "const struct %s *const @is = @context;", name);
    for (int i = 0; i < f->n; i++) {
        int align = alignment(p->kernel, f->field[i].name);
        sq_text_line(to, align ? "%s = __builtin_assume_aligned(@is->%s, %d);" : "%s = @is->%s;",
                     declared(p, &f->field[i], true), f->field[i].name, align);
    }
    if (loop->is_cyclic)
        sq_text_open(to, "for (int64_t @turn = @share; @turn < @is->@turns; @turn += @is->@shares) {");
    else
        sq_text_open(to, "for (int64_t @turn = sq_begin(@is->@turns, @share, @is->@shares), "
                         "@end = sq_begin(@is->@turns, @share + 1, @is->@shares); @turn < @end; @turn++) {");
    if (loop->step == 1)
        sq_text_line(to, "const int64_t %s = @is->@from + @turn;", loop->name);
    else
        sq_text_line(to, "const int64_t %s = @is->@from + %lld * @turn;", loop->name, (long long)loop->step);
    sq_text_puts(to, sq_text_str(body));
    sq_text_close(to, "}");
    sq_text_close(to, "}");
    sq_text_puts(to, "\n");
}

/* Prints the call in place of the loop. */
static void put_call(const sq_printer *p, const sq_c_printer *c, const char *name, const sq_code *loop, const fields *f,
                     sq_text *to)
{
    const sq_code_expr *n = sq_code_sub(p->code, loop->hi, loop->lo);
    const char *turns = loop->step == 1
                            ? sq_print_code(p, n)
                            : sq_arena_printf(p->arena, "(%s) / %lld",
                                              sq_print_code(p, sq_code_plus(p->code, n, loop->step - 1)),
                                              (long long)loop->step);
    sq_text worth = {0}, values = {0};
    sq_c_worth(c, loop, &worth);
    for (int i = 0; i < f->n; i++) {
        sq_uses_name(&p->uses, f->field[i].name);
        sq_text_printf(&values, "%s, ", f->field[i].name);
    }
    sq_text_open(to, "{");
    sq_text_line(to, "const int64_t @turns = %s(0, %s);", sq_uses_helper(&p->uses, "sq_max"), turns);
    sq_text_line(to, "const int @shares = %s%ssq_shares(@team, @turns)%s;", sq_text_str(&worth), worth.n ? " ? " : "",
                 worth.n ? " : 1" : "");
    sq_text_line(to, "struct %s @context = {%s%s, @turns, @shares};", name, sq_text_str(&values),
                 sq_print_code(p, loop->lo));
    sq_text_line(to, "sq_run_tasks(@team, %s, &@context, @shares);", name);
    sq_text_close(to, "}");
    sq_text_free(&worth);
    sq_text_free(&values);
}

void sq_tasks_loop(const sq_code *loop, void *printer, sq_text *to)
{
    sq_printer *p = printer;
    const sq_uses around_it = p->uses;
    sq_code_keys own = sq_uses_none(p->arena);
    p->uses.names = &own;
    sq_c_printer c = sq_print_c(p);
    c.threads = NULL;
    c.is_task = true;
    const char *name = sq_arena_printf(p->arena, "sq_loop%d", p->ntasks++);
    fields f = around(p, loop);
    sq_text body = {.indent = 2};
    sq_c_code(&c, loop->body, &body);
    c.uses = p->uses = around_it;
    if (sq_code_keys_has(&own, "@own")) {
        add(&f, "char *", "@own", p->arena);
        add(&f, "int64_t", "@each", p->arena);
    }
    put_struct(p, name, &f, &p->tiles);
    put_function(p, name, loop, &f, &body, &p->tiles);
    put_call(p, &c, name, loop, &f, to);
    sq_text_free(&body);
}

void sq_tasks_typedef(const char *function, sq_text *to)
{
    sq_text_line(to,
                 "typedef void (*%s_run)(void *pool, void (*task)(void *context, int i), void *context, int n);",
                 function);
}

void sq_tasks_helpers(const sq_printer *p, sq_text *to)
{
    if (!p->options->header || p->options->is_section || p->options->is_local)
        sq_tasks_typedef(p->function, to);
    sq_text_printf(to, "\n/* Threads of the caller; without `run` there is one. */\nstruct sq_team {\n"
                       "    int threads;\n    %s_run run;\n    void *pool;\n};\n\n", p->function);
    sq_text_puts(to, "/* Where one of the shares of a number of iterations begins. */\n"
                     "static __attribute__((unused)) int64_t sq_begin(int64_t turns, int share, int shares)\n{\n"
                     "    const int64_t each = turns / shares, more = turns % shares;\n"
                     "    return each * share + (share < more ? share : more);\n}\n\n"
                     "static __attribute__((unused)) int sq_shares(const struct sq_team *team, int64_t turns)\n{\n"
                     "    return turns < 2 || !team->run ? 1 : turns < team->threads ? (int)turns : "
                     "team->threads;\n}\n\n"
                     "static __attribute__((unused)) void sq_run_tasks(const struct sq_team *team, "
                     "void (*task)(void *, int), void *context, int n)\n{\n"
                     "    if (n == 1)\n        task(context, 0);\n    else\n"
                     "        team->run(team->pool, task, context, n);\n}\n\n");
}
