/* Shuffle: see shuffle.h. */
#include "codegen/isa/shuffle.h"
#include "codegen/isa/isa.h"

void sq_shuffle_call(const sq_vector *v, const char *a, const char *b, const int *lane, sq_text *to)
{
    sq_text_printf(to, "%s(int%d_t, %s, %s", sq_uses_helper(v->uses, "SQ_SHUFFLE"), 8 * sq_type_bytes(v->type), a, b);
    for (int l = 0; l < v->lanes; l++)
        sq_text_printf(to, ", %d", lane[l]);
    sq_text_puts(to, ")");
}

void sq_shuffle_put(const sq_vector *v, const char *result, const char *a, const char *b,
                    const int *lane, sq_text *to)
{
    sq_text call = {0};
    sq_shuffle_call(v, a, b, lane, &call);
    sq_text_line(to, "%s %s;", result, sq_text_str(&call));
    sq_text_free(&call);
}

bool sq_vector_halved(const sq_vector *v, const sq_target *t)
{
    return t->isa->halved && v->lanes * sq_type_bytes(v->type) == 2 * SQ_HALF_BYTES;
}
