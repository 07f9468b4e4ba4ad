/* Pile, text of candidates: the emitted function of a kernel, or the whole new file of a region,
 * with the function's name changed so that many fit into one program. */
#include "cli/region.h"
#include "tests/fuzz/pile.h"
#include <ctype.h>
#include <string.h>

static int parameter_of(const sq_kernel *k, const char *name)
{
    for (int i = 0; i < k->nparams; i++)
        if (k->param[i].array && strcmp(k->param[i].array->name, name) == 0)
            return i;
    return -1;
}

/* Of a region arrays are passed as they come: its parameters have types of their own. */
static void put_wrapper(const reading *x, const char *function, const char *entry, sq_text *to)
{
    sq_text wrapper = {0};
    sq_emit_entry(x->outside, function, entry, &wrapper);
    for (const char *c = wrapper.s; *c; c++) {
        bool opens = x->p->region && *c == '(' && c > wrapper.s && c[-1] != '*';
        size_t type = opens ? strcspn(c, "*)") : 0;
        if (type && strncmp(c + type, "*)arg", 5) == 0 && c[type - 1] == ' ')
            c += type + 1;
        else
            sq_text_putn(to, c, 1);
    }
    sq_text_free(&wrapper);
}

void pile_entry(const reading *x, const char *function, const char *entry, sq_text *to)
{
    const program *p = x->p;
    const sq_kernel *k = x->outside;
    if (p->overlap[0] == p->overlap[1]) {
        put_wrapper(x, function, entry, to);
        return;
    }
    int kept = parameter_of(k, p->array[p->overlap[0]].name);
    int moved = parameter_of(k, p->array[p->overlap[1]].name);
    sq_text apart = {0};
    sq_text_printf(&apart, "%s_", entry);
    put_wrapper(x, function, apart.s, to);
    sq_text_printf(to, "void %s(void *const *arg);\nvoid %s(void *const *arg)\n{\n", entry, entry);
    sq_text_printf(to, "    void *at[%d];\n    for (int i = 0; i < %d; i++)\n", k->nparams + 1,
                   k->nparams);
    sq_text_puts(to, "        at[i] = arg[i];\n");
    if (kept >= 0 && moved >= 0)
        sq_text_printf(to, "    at[%d] = at[%d];\n", moved, kept);
    sq_text_printf(to, "    %s(at);\n}\n", apart.s);
    sq_text_free(&apart);
}

/* Lines `#line` go: a compiler's messages are to name the candidate. */
void pile_rename(const char *text, const char *function, sq_text *to)
{
    for (const char *c = text; *c;) {
        if (strncmp(c, "#line", 5) == 0 && (c == text || c[-1] == '\n')) {
            c += strcspn(c, "\n");
        } else if (strncmp(c, PROGRAM_NAME, sizeof PROGRAM_NAME - 1) == 0) {
            sq_text_puts(to, function);
            c += sizeof PROGRAM_NAME - 1;
        } else {
            sq_text_putn(to, c++, 1);
        }
    }
}

static int new_file(const reading *x, const sq_schedule *s, const sq_emit_options *o, sq_text *to,
                    sq_diags *d)
{
    static const sq_settings none;
    sq_arena *arena = sq_arena_new();
    sq_task_variant **now = SQ_NEW_ARRAY(arena, sq_task_variant *, x->unit->nkernels);
    for (int i = 0; i < x->unit->nkernels; i++) {
        now[i] = SQ_NEW(arena, sq_task_variant);
        now[i]->schedule = i == x->number ? (sq_schedule *)s : sq_schedule_new(x->unit->kernel[i], arena);
    }
    sq_task task = {.o = &none,
                    .d = d,
                    .arena = arena,
                    .ctx = x->ctx,
                    .path = "fuzzed.c",
                    .text = x->text,
                    .ntext = strlen(x->text),
                    .regions = true,
                    .target = o->target,
                    .openmp = o->openmp,
                    .machine = sq_machine_class(o->target->machine),
                    .unit = x->unit,
                    .now = now};
    int failed = sq_region_file(&task);
    pile_rename(sq_text_str(&task.source), o->function, to);
    sq_text_free(&task.source);
    sq_arena_free(arena);
    return failed < 0 ? 0 : -1;
}

int pile_text(const reading *x, const sq_schedule *s, const sq_emit_options *o, sq_text *to,
              sq_diags *d)
{
    return x->p->region ? new_file(x, s, o, to, d) : sq_emit_source(s, o, to, d);
}
