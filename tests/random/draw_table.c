/* Draws elements whose place is a value: T[X[i]], limited by the type of X, by a mask, by a shift, by clampedge or by
 * what is assumed of X. Both arrays are read alone. */
#include "tree.h"

bool with_tables;

static int binary(struct program *p, enum op op, int a, int number)
{
    return new_binary(p, op, a, new_number(p, I32, number));
}

/* An array that stays as it is. */
static int kept_array(struct program *p, enum type type, int dims)
{
    int a = draw_array(p, type, dims);
    p->arrays[a].used = p->arrays[a].kept = true;
    p->arrays[a].layout = p->region && dims == 1 && chance(50) ? LAYOUT_FLAT : LAYOUT_ARRAY;
    return a;
}

static void subscribe(struct program *p, const struct scope *scope, int node, int dim)
{
    int least;
    struct form last;
    int sub = draw_subscript(p, scope, &least, &last, false);
    p->nodes[node].sub[dim] = sub;
    need_extent(p, p->nodes[node].array, dim, last);
}

static int draw_places(struct program *p, const struct scope *scope, enum type type)
{
    int x = kept_array(p, type, 1 + below(2)), n = new_node(p, OP_READ, type_promoted(type));
    p->nodes[n].array = x;
    for (int d = 0; d < p->arrays[x].dims; d++)
        subscribe(p, scope, n, d);
    return n;
}

/* What an assume says of all elements, seldom with 0 among them. */
static int draw_promised(struct program *p, const struct scope *scope, int *places)
{
    static const enum type types[] = {U8, I16, U16, I32, I32, U32, I64};
    enum type type = types[below(7)];
    int n = draw_places(p, scope, type);
    struct array *x = &p->arrays[p->nodes[n].array];
    x->promised = true;
    x->least = below(type_signed(type) ? 40 : 20) - (type_signed(type) ? 20 : 0);
    x->most = x->least + below(40);
    *places = x->most - x->least + 1;
    if (chance(25))
        return new_binary(p, OP_SUB, new_number(p, I32, x->most), n);
    n = binary(p, OP_SUB, n, x->least);
    if (chance(70))
        return n;
    *places *= 2;
    return binary(p, OP_ADD, binary(p, OP_MUL, n, 2), below(2));
}

/* The place, and the places that there have to be; 0: any number may be one. */
static int draw_place(struct program *p, const struct scope *scope, int *places)
{
    static const enum type types[] = {I8, U8, U8, I16, U16, I32, I32, U32, I64};
    int kind = below(p->region ? 5 : 9), n;
    if (kind >= 7)
        return draw_promised(p, scope, places);
    if (kind == 0) {
        *places = 256;
        return draw_places(p, scope, U8);
    }
    if (kind == 1) {
        *places = 16;
        return binary(p, OP_SHR, draw_places(p, scope, U8), 4);
    }
    if (kind == 2) {
        *places = 256;
        return binary(p, OP_ADD, draw_places(p, scope, I8), 128);
    }
    *places = kind < 5 ? 16 : 0;
    n = draw_places(p, scope, types[below(9)]);
    if (chance(40)) { /* of an index, too */
        int v = new_var_node(p, scope->vars[below(scope->count)]);
        n = new_binary(p, OP_ADD, n, chance(50) ? v : binary(p, OP_MUL, v, 3));
    }
    if (kind >= 5)
        return chance(50) ? n : binary(p, OP_SUB, n, below(3));
    if (chance(30))
        *places = 4 << below(4);
    return binary(p, OP_AND, n, *places - 1);
}

int draw_table(struct program *p, const struct scope *scope, bool floats)
{
    enum type type;
    int places;
    if (!with_tables || p->array_count >= MAX_ARRAYS - 4 || scope->count == 0)
        return -1;
    do
        type = draw_type(p);
    while (type_floats(type) != floats);
    int place = draw_place(p, scope, &places);
    int dims = 1 + (below(3) == 0), t = kept_array(p, type, dims), at = below(dims);
    int n = new_node(p, places ? OP_READ : OP_CLAMP, type_promoted(type));
    p->arrays[t].layout = LAYOUT_ARRAY;
    p->arrays[t].table = true;
    p->nodes[n].array = t;
    for (int d = 0; d < dims; d++)
        if (d != at)
            subscribe(p, scope, n, d);
    p->nodes[n].sub[at] = place;
    need_extent(p, t, at, form_constant(places ? places - 1 : 3 + below(40)));
    return n;
}
