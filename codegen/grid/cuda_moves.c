/* CUDA moves: see cuda_moves.h. */
#include "codegen/grid/cuda_moves.h"
#include <math.h>

enum { TURNS = 5 }; /* results may stay by chance, but hardly five times */

static bool is_real_output(const sq_array *a)
{
    return sq_type_real(a->type) && (a->role == SQ_OUT || a->role == SQ_INOUT);
}

static bool is_real_input(const sq_array *a)
{
    return sq_type_real(a->type) && (a->role == SQ_IN || a->role == SQ_INOUT);
}

bool sq_cuda_moves(const sq_kernel *k)
{
    bool reads = false, writes = false;
    for (int i = 0; i < k->narrays; i++) {
        reads |= is_real_input(k->array[i]);
        writes |= is_real_output(k->array[i]);
    }
    return k->textual_dims > 0 && k->fp != SQ_FP_STRICT && reads && writes;
}

/* The change of the coarsest type among the inputs, relative: a few units of its last digit, so that
 * rounding in between does not undo it. */
static double change_of(const sq_kernel *k)
{
    double most = 0;
    for (int i = 0; i < k->narrays; i++) {
        sq_type t = k->array[i]->type;
        if (is_real_input(k->array[i]))
            most = fmax(most, t == SQ_BF16 ? 0x1p-5 : t == SQ_F16 ? 0x1p-8 : t == SQ_F32 ? 0x1p-18 : 0x1p-47);
    }
    return most;
}

void sq_cuda_moves_helpers(sq_text *to)
{
    sq_text_puts(to, "/* Moves a number up or down by this part of it. */\n"
                     "static double sq_moved(double x, double by, uint64_t *state)\n"
                     "{\n"
                     "    return x * (1 + (sq_random(state) & 1 ? by : -by));\n"
                     "}\n"
                     "/* How far rounding may move a number that this moves: anywhere, if it consists of rounding. */\n"
                     "static double sq_spread(double now, double before, double bound)\n"
                     "{\n"
                     "    const double by = fabs(now - before);\n"
                     "    if (now == before || (now != now && before != before))\n"
                     "        return 0;\n"
                     "    const int stays = by <= 0x1p-6 * fabs(now) || by <= 0x1p-6 * fabs(before) ||\n"
                     "                      by <= bound * (1 + fabs(before));\n"
                     "    return stays ? 4 * by : INFINITY;\n"
                     "}\n");
}

const char *sq_cuda_value(sq_arena *arena, const char *naive, const sq_array *a, const char *where)
{
    const char *x = sq_arena_printf(arena, "@%s_%s[@x]", where, a->name);
    return sq_type_stored(a->type) ? sq_arena_printf(arena, "%s_%s_get(%s)", naive, sq_type_suffix(a->type), x)
                                   : sq_arena_printf(arena, "(double)%s", x);
}

void sq_cuda_moves_keep(const sq_kernel *k, sq_text *to)
{
    for (int i = 0; i < k->narrays; i++) {
        const sq_array *a = k->array[i];
        if (a->role != SQ_LOCAL)
            sq_text_printf(to,
                           "    %1$s *@was_%2$s = (%1$s *)malloc(@n_%2$s * sizeof(%1$s) + 1);\n"
                           "    %1$s *@near_%2$s = (%1$s *)malloc(@n_%2$s * sizeof(%1$s) + 1);\n"
                           "    double *@spread_%2$s = (double *)calloc(@n_%2$s + 1, sizeof(double));\n"
                           "    if (!@was_%2$s || !@near_%2$s || !@spread_%2$s)\n" SQ_CUDA_NO_MEMORY
                           "    memcpy(@was_%2$s, @host_%2$s, @n_%2$s * sizeof(%1$s));\n",
                           sq_type_ctype(a->type), a->name);
    }
}

static void put_inputs(const sq_kernel *k, const char *naive, sq_text *to)
{
    for (int i = 0; i < k->narrays; i++) {
        const sq_array *a = k->array[i];
        const char *n = a->name;
        if (a->role == SQ_LOCAL)
            continue;
        const char *value = sq_arena_printf(k->arena, "@was_%s[@x]", n);
        if (is_real_input(a)) {
            const char *moved = sq_arena_printf(k->arena, "sq_moved(%s, %a, &@state)",
                                                sq_cuda_value(k->arena, naive, a, "was"), change_of(k));
            value = sq_type_stored(a->type)
                        ? sq_arena_printf(k->arena, "%s_%s_bits((float)%s)", naive, sq_type_suffix(a->type), moved)
                        : sq_arena_printf(k->arena, "(%s)%s", sq_type_ctype(a->type), moved);
        }
        sq_text_line(to, "for (size_t @x = 0; @x < @n_%s; @x++)", n);
        sq_text_line(to, "    @near_%s[@x] = %s;", n, value);
    }
}

static void put_moves(const sq_kernel *k, const sq_array *a, const char *naive, sq_text *to)
{
    sq_text_printf(to,
                   "        for (size_t @x = 0; @x < @n_%1$s; @x++) {\n"
                   "            const double @now = %2$s;\n"
                   "            const double @before = %3$s;\n"
                   "            const double @spread = sq_spread(@now, @before, @bound_%1$s);\n"
                   "            @spread_%1$s[@x] = @spread > @spread_%1$s[@x] ? @spread : @spread_%1$s[@x];\n"
                   "        }\n",
                   a->name, sq_cuda_value(k->arena, naive, a, "near"), sq_cuda_value(k->arena, naive, a, "host"));
}

void sq_cuda_moves_measure(const sq_kernel *k, const char *naive, const char *call, sq_text *to)
{
    sq_text_line(to, "/* How far results move with the last digits of what they are made of. */");
    sq_text_open(to, "for (int @turn = 0; @turn < %d; @turn++) {", TURNS);
    put_inputs(k, naive, to);
    sq_text_line(to, "%s;", call);
    for (int i = 0; i < k->narrays; i++)
        if (is_real_output(k->array[i]))
            put_moves(k, k->array[i], naive, to);
    sq_text_close(to, "}");
}

const char *sq_cuda_moves_compare(const sq_array *a, const char *both, sq_arena *arena, sq_text *to)
{
    enum { OFTEN = 32 };
    const char *n = a->name;
    const char *is_off = sq_arena_printf(
        arena, "!(sq_distance(@got, @wanted) <= @bound_%1$s) && @spread_%1$s[@x] < INFINITY &&\n            "
               "!(fabs(@got - @wanted) <= @bound_%1$s * (1 + fabs(@wanted)) + @spread_%1$s[@x])", n);
    sq_text_printf(to,
                   "    size_t @off_%1$s = 0, @rounding_%1$s = 0;\n"
                   "    for (size_t @x = 0; @x < @n_%1$s; @x++) {\n"
                   "        %2$s\n"
                   "        @rounding_%1$s += @spread_%1$s[@x] == INFINITY;\n"
                   "        @off_%1$s += %3$s;\n"
                   "    }\n",
                   n, both, is_off);
    return sq_arena_printf(arena, "@off_%s > @rounding_%s / %d && %s", n, n, OFTEN, is_off);
}

void sq_cuda_moves_free(const sq_kernel *k, sq_text *to)
{
    for (int i = 0; i < k->narrays; i++) {
        if (k->array[i]->role != SQ_LOCAL)
            sq_text_line(to, "free(@was_%1$s), free(@near_%1$s), free(@spread_%1$s);", k->array[i]->name);
    }
}
