/* Choices: forms and their sketches in one space; see choices.h. */
#include "tuner/space/choices.h"
#include "tuner/model/draft.h"
#include "tuner/space/forms.h"
#include "tuner/space/grid_plan.h"
#include "transforms/transform.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct part {
    sq_form form;
    const char *fused; /* the calls that fuse its statements, before the sketch's */
    sq_sketch *sketch;
    int first; /* index of its first coordinate in the whole space */
} part;

struct sq_choices {
    const sq_machine *machine;
    sq_arena *arena;
    const char *distributed; /* the calls before all others */
    int n, untuned;          /* number of forms; the form that is used untuned */
    part part[SQ_MAX_FORMS];
    int form, tile; /* coordinates, -1: no choice */
    sq_space space;
};

static int coordinate(sq_space *sp, const char *name, const long *value, int n, int start)
{
    sq_coord *c = &sp->coord[sp->n];
    *c = (sq_coord){.nvalues = n, .value = value, .axis = -1, .structural = true};
    strcpy(c->name, name);
    sp->start[sp->n] = start;
    return sp->n++;
}

/* Appends the coordinates of one form, which have no effect in other forms. */
static void append(sq_choices *c, int form)
{
    const char *prefix = c->part[form].form.most ? "online." : form > 0 ? "inlined." : "";
    const sq_space *from = sq_sketch_space(c->part[form].sketch);
    sq_space *to = &c->space;
    c->part[form].first = to->n;
    for (int i = 0; i < from->n && to->n < SQ_MAX_COORDS; i++) {
        to->coord[to->n] = from->coord[i];
        snprintf(to->coord[to->n].name, sizeof to->coord->name, "%s%.38s", prefix,
                 from->coord[i].name);
        if (c->form >= 0) {
            to->coord[to->n].under = c->form + 1;
            to->coord[to->n].under_value = form;
        }
        if (from->coord[i].axis >= 0)
            to->coord[to->n].axis += form * SQ_MAX_COORDS;
        to->start[to->n++] = from->start[i];
    }
}

static void name(void *user, const int *point, sq_text *to)
{
    sq_choices_script(user, point, to);
}

static void add_forms(sq_choices *c)
{
    static const long forms[SQ_MAX_FORMS] = {0, 1, 2, 3},
                      tiles[] = {16, 32, 64, 128, 256, 512, 1024};
    c->form = c->n > 1 ? coordinate(&c->space, "form", forms, c->n, c->untuned) : -1;
    c->tile = -1;
    for (int i = 0; i < c->n; i++) {
        if (!c->part[i].form.most)
            continue;
        c->tile = coordinate(&c->space, "online", tiles, 7, 3);
        c->space.coord[c->tile].under = c->form + 1;
        c->space.coord[c->tile].under_value = i;
    }
}

sq_choices *sq_choices_new(const sq_kernel *k, const sq_machine *m, const sq_target *t,
                           const int64_t *sizes, int threads, sq_arena *arena)
{
    sq_choices *c = SQ_NEW(arena, sq_choices);
    sq_schedule *naive = sq_schedule_new(k, arena);
    sq_form form[SQ_MAX_FORMS];
    sq_text script = {0};
    c->machine = m;
    c->arena = arena;
    sq_draft_forward(naive, arena, &script);
    sq_draft_distribute(naive, arena, &script);
    if (t->grid) {
        sq_draft_parts(naive, sq_grid_device(m, t), sizes, arena, &script);
    } else {
        sq_draft_hoist(naive, sizes, arena, &script);
        sq_draft_merge(naive, arena, &script);
        sq_draft_narrow(naive, t, arena, &script);
        sq_draft_dot(naive, t, sizes, arena, &script);
    }
    c->distributed = sq_text_take(&script, arena);
    c->n = sq_forms_find(naive, arena, form);
    c->untuned = sq_forms_first(form, c->n);
    for (int i = 0; i < c->n; i++) {
        script = (sq_text){0};
        c->part[i].form = form[i];
        sq_draft_fuse(form[i].start, arena, &script);
        c->part[i].fused = sq_text_take(&script, arena);
        c->part[i].sketch = sq_sketch_new(form[i].start, m, t, sizes, threads, arena);
    }
    c->space.name = name;
    c->space.user = c;
    add_forms(c);
    for (int i = 0; i < c->n; i++)
        append(c, i);
    return c;
}

int sq_choices_forms(const sq_choices *c)
{
    return c->n;
}

const char *sq_choices_form(const sq_choices *c, int form)
{
    sq_text t = {0};
    sq_text_puts(&t, sq_form_script(&c->part[form].form, SQ_FORM_TILE, c->arena));
    while (t.n && t.s[t.n - 1] == ' ')
        t.s[--t.n] = 0;
    return sq_text_take(&t, c->arena);
}

const sq_space *sq_choices_space(const sq_choices *c)
{
    return &c->space;
}

int sq_choices_groups(const sq_choices *c)
{
    int n = 0;
    for (int i = 0; i < c->n; i++)
        n += sq_sketch_groups(c->part[i].sketch);
    return n;
}

static const part *part_at(const sq_choices *c, const int *point)
{
    return &c->part[c->form < 0 ? 0 : point[c->form]];
}

/* Extracts the form's own point. */
static void own_point(const sq_choices *c, const part *p, const int *point, int *own)
{
    const sq_space *sp = sq_sketch_space(p->sketch);
    for (int i = 0; i < sp->n; i++)
        own[i] = p->first + i < c->space.n ? point[p->first + i] : sp->start[i];
}

static long tile_at(const sq_choices *c, const int *point)
{
    return c->tile < 0 ? SQ_FORM_TILE : sq_space_value(&c->space, point, c->tile);
}

void sq_choices_script(const sq_choices *c, const int *point, sq_text *to)
{
    const part *p = part_at(c, point);
    int own[SQ_MAX_COORDS];
    own_point(c, p, point, own);
    sq_text_puts(to, c->distributed);
    sq_form_put(&p->form, tile_at(c, point), to);
    sq_text_puts(to, p->fused);
    sq_sketch_script(p->sketch, own, to);
    while (to->n && to->s[to->n - 1] == ' ')
        to->s[--to->n] = 0;
}

/* The sketch of an online form was made for one tile; the cost of another is an estimate. */
double sq_choices_cost(const sq_choices *c, const int *point)
{
    const part *p = part_at(c, point);
    int own[SQ_MAX_COORDS];
    own_point(c, p, point, own);
    double seconds = sq_sketch_cost(p->sketch, own);
    return p->form.most
               ? seconds * (1 + c->machine->cost->online_tile * fabs(log2((double)tile_at(c, point) / SQ_FORM_TILE)))
               : seconds;
}

bool sq_choices_traffic(const sq_choices *c, const int *point, double bytes[3])
{
    const part *p = part_at(c, point);
    int own[SQ_MAX_COORDS];
    own_point(c, p, point, own);
    return sq_sketch_traffic(p->sketch, own, bytes);
}

int sq_choices_features(const sq_choices *c, const int *point, float (*row)[SQ_STATEMENT])
{
    const part *p = part_at(c, point);
    int own[SQ_MAX_COORDS];
    own_point(c, p, point, own);
    return sq_sketch_features(p->sketch, own, row);
}

/* Returns the form for a rank, and the rank within the form. */
static int turn(const sq_choices *c, int rank, int *own_rank)
{
    *own_rank = rank < c->n ? 0 : rank - c->n + 1;
    if (rank == 0 || rank >= c->n)
        return c->untuned;
    return rank - 1 < c->untuned ? rank - 1 : rank;
}

void sq_choices_begin(sq_choices *c)
{
    int own[SQ_MAX_COORDS];
    for (int i = 0; i < c->n; i++) {
        const part *p = &c->part[i];
        sq_draft_chosen script;
        if (sq_sketch_groups(p->sketch) == 0)
            continue;
        sq_draft_choice(p->sketch, p->form.start, sq_draft_room(p->form.start->kernel), c->arena,
                        NULL, &script, NULL); /* bars arrays whose copies are refused */
        if (sq_draft_point(p->sketch, 0, own) < 0)
            continue;
        for (int j = 0; j < sq_sketch_space(p->sketch)->n && p->first + j < c->space.n; j++)
            c->space.start[p->first + j] = own[j];
    }
}

int sq_choices_point(const sq_choices *c, int rank, int *point)
{
    int own[SQ_MAX_COORDS], own_rank, form = turn(c, rank, &own_rank);
    const part *p = &c->part[form];
    const sq_space *sp = sq_sketch_space(p->sketch);
    if (sq_sketch_groups(p->sketch) == 0 || sq_draft_point(p->sketch, own_rank, own) < 0)
        return -1;
    memcpy(point, c->space.start, sizeof c->space.start);
    if (c->form >= 0)
        point[c->form] = form;
    for (int i = 0; i < sp->n && p->first + i < c->space.n; i++)
        point[p->first + i] = own[i];
    return 0;
}
