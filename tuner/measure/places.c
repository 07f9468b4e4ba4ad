/* Places: see places.h. */
#include "tuner/measure/places.h"
#include "tuner/measure/case_spec.h"

typedef struct search {
    const sq_kernel *k;
    const sq_array *array;
    const int64_t *sizes;
    int64_t most;
    bool is_value;
} search;

static void look(search *s, const sq_expr *e, int64_t places)
{
    if (e->op == SQ_OP_READ && e->access->array == s->array) {
        s->is_value |= places == 0;
        s->most = places > s->most ? places : s->most;
    }
    for (int d = 0, i = 0; e->op == SQ_OP_READ && d < e->access->array->ndim; d++)
        if (e->access->indirect >> d & 1)
            look(s, e->arg[i++], sq_size_value(s->k, e->access->array->extent[d], s->sizes));
    for (int i = 0; e->op != SQ_OP_READ && i < e->nargs; i++)
        look(s, e->arg[i], places);
}

int64_t sq_places_of(const sq_kernel *k, const sq_array *a, const int64_t *sizes)
{
    search s = {.k = k, .array = a, .sizes = sizes};
    for (int i = 0; i < k->nstmts && !sq_type_real(a->type); i++) {
        if (k->stmt[i]->body)
            look(&s, k->stmt[i]->body, 0);
        look(&s, k->stmt[i]->value, 0);
    }
    return s.is_value ? 0 : s.most;
}
