/* Shuffle: see shuffle.h. */
#include "codegen/isa/shuffle.h"
#include "codegen/isa/isa.h"
#include <string.h>

static void put_type(const sq_vector *v, sq_text *to)
{
    int bytes = sq_type_bytes(v->type);
    sq_text_line(to, "typedef int%d_t w __attribute__((vector_size(%d)));", 8 * bytes,
                 v->lanes * bytes);
}

static void put(const sq_vector *v, const char *result, const char *a, const char *b,
                const int *lane, bool opens, sq_text *to)
{
    sq_text lanes = {0};
    for (int l = 0; l < v->lanes; l++)
        sq_text_printf(&lanes, "%s%d", l ? ", " : "", lane[l]);
    const char *list = sq_text_str(&lanes);
    bool both = strcmp(a, b) != 0;
    sq_text_puts(to, "#if defined(__clang__)\n");
    sq_text_line(to, "%s __builtin_shufflevector(%s, %s, %s);", result, a, b, list);
    sq_text_puts(to, "#else\n");
    if (opens)
        put_type(v, to);
    sq_text_line(to, "%s __builtin_shuffle(%s%s%s, (w){%s});", result, a, both ? ", " : "",
                 both ? b : "", list);
    sq_text_puts(to, "#endif\n");
    sq_text_free(&lanes);
}

void sq_shuffle_open(const sq_vector *v, sq_text *to)
{
    sq_text_puts(to, "#if !defined(__clang__)\n");
    put_type(v, to);
    sq_text_puts(to, "#endif\n");
}

void sq_shuffle_put(const sq_vector *v, const char *result, const char *a, const char *b,
                    const int *lane, sq_text *to)
{
    put(v, result, a, b, lane, false, to);
}

void sq_shuffle_return(const sq_vector *v, const char *a, const char *b, const int *lane,
                       sq_text *to)
{
    put(v, "return", a, b, lane, true, to);
}

bool sq_vector_halved(const sq_vector *v, const sq_target *t)
{
    return t->isa->halved && v->lanes * sq_type_bytes(v->type) == 2 * SQ_HALF_BYTES;
}
