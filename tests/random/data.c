/* Buffers of a run: filled, loaded, stored, compared; guard zones around every array. */
#include "data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool is_parameter(const struct array *a)
{
    return !a->local && (a->used || a->written);
}

static void *take(size_t n)
{
    void *memory = calloc(n ? n : 1, 1);
    if (!memory) {
        fprintf(stderr, "random-kernels: out of memory\n");
        exit(3);
    }
    return memory;
}

static uint64_t bits_of(double x, enum type type)
{
    if (type == F64) {
        uint64_t u;
        memcpy(&u, &x, 8);
        return u;
    }
    float f = (float)x;
    uint32_t u;
    memcpy(&u, &f, 4);
    if (type == BF16)
        return u >> 16;
    if (type == F32)
        return u;
    int exponent;
    double m = frexp(fabs(x), &exponent);
    uint64_t sign = signbit(x) ? 0x8000 : 0;
    if (x == 0)
        return sign;
    if (exponent < -13)
        return sign | (uint64_t)ldexp(m, exponent + 24);
    return sign | (uint64_t)(exponent + 14) << 10 | ((uint64_t)ldexp(m, 11) & 1023);
}

static double from_bits(uint64_t u, enum type type)
{
    if (type == F64) {
        double x;
        memcpy(&x, &u, 8);
        return x;
    }
    if (type == F16) {
        int exponent = (int)(u >> 10 & 31);
        double m = (double)(u & 1023), x = exponent == 31 ? (m != 0 ? NAN : INFINITY)
            : exponent ? ldexp(m + 1024, exponent - 25) : ldexp(m, -24);
        return u >> 15 & 1 ? -x : x;
    }
    uint32_t w = type == BF16 ? (uint32_t)u << 16 : (uint32_t)u;
    float f;
    memcpy(&f, &w, 4);
    return f;
}

static void put(struct buffer *b, enum type type, int64_t at, uint64_t bits)
{
    memcpy(b->bytes + GUARD + b->offset + at * type_bytes(type), &bits, (size_t)type_bytes(type));
}

static void set(struct buffer *b, enum type type, int64_t at, double x)
{
    if (type_floats(type)) {
        b->v[at] = x;
        put(b, type, at, bits_of(x, type));
    } else {
        b->i[at] = wrap((int64_t)x, type);
        put(b, type, at, (uint64_t)b->i[at]);
    }
}

/* Multiples of 1/4 up to 2, small integers or, sometimes, any; what is assumed of elements holds. */
static void fill(struct buffer *b, const struct array *array, bool small)
{
    enum type type = array->type;
    bool wide = !small && chance(25);
    for (int64_t at = 0; at < b->elements; at++) {
        if (array->promised) {
            int turn = below(4), any = array->least + below(array->most - array->least + 1);
            set(b, type, at, turn == 0 ? array->least : turn == 1 ? array->most : any);
        } else if (type_floats(type)) {
            set(b, type, at, (below(17) - 8) / 4.0);
        } else if (wide) {
            b->i[at] = wrap((int64_t)((uint64_t)below(1 << 30) * 0x9E3779B97F4A7C15u), type);
            put(b, type, at, (uint64_t)b->i[at]);
        } else {
            set(b, type, at, type_signed(type) ? below(19) - 9 : below(19));
        }
    }
}

static void buffer_new(struct buffer *b, enum type type, int64_t elements, bool aligned)
{
    int bytes = type_bytes(type);
    b->elements = elements;
    b->offset = aligned ? 0 : (int64_t)bytes * below(8);
    b->size = 2 * GUARD + b->offset + elements * bytes;
    b->bytes = take((size_t)b->size);
    b->v = take((size_t)elements * sizeof *b->v);
    b->e = take((size_t)elements * sizeof *b->e);
    b->i = take((size_t)elements * sizeof *b->i);
    memset(b->bytes, 0x5A, (size_t)b->size);
}

void run_fill(struct run *r, const struct program *p, const int64_t *sizes)
{
    static const int64_t most[MAX_SIZES] = {CONSTANT_SIZE, CONSTANT_SIZE, CONSTANT_SIZE,
        CONSTANT_SIZE};
    memset(r, 0, sizeof *r);
    r->program = p;
    memcpy(r->sizes, sizes, sizeof r->sizes);
    for (int a = 0; a < p->array_count; a++) {
        const struct array *array = &p->arrays[a];
        int64_t elements = 1;
        for (int d = 0; d < array->dims; d++) {
            r->extents[a][d] = form_value(array->extent[d],
                p->region && array->layout == LAYOUT_CONSTANT ? most : sizes);
            elements *= r->extents[a][d];
        }
        buffer_new(&r->buffers[a], array->type, elements, chance(70));
        fill(&r->buffers[a], array, p->integers_small);
    }
}

void run_free(struct run *r)
{
    for (int a = 0; a < r->program->array_count; a++) {
        free(r->buffers[a].bytes);
        free(r->buffers[a].v);
        free(r->buffers[a].e);
        free(r->buffers[a].i);
    }
}

struct value value_load(const struct buffer *b, enum type type, int64_t at)
{
    enum type promoted = type_promoted(type);
    if (type_floats(type))
        return (struct value){b->v[at], b->e[at], 0, promoted};
    return (struct value){0, b->e[at], b->i[at], promoted};
}

void value_store(struct buffer *b, enum type type, int64_t at, struct value x)
{
    b->e[at] = x.e;
    b->v[at] = x.v;
    b->i[at] = type_floats(type) ? 0 : wrap(x.i, type);
    (void)type;
}

static uint64_t got_bits(const unsigned char *data, enum type type, int64_t at)
{
    uint64_t u = 0;
    memcpy(&u, data + at * type_bytes(type), (size_t)type_bytes(type));
    return u;
}

static bool element_right(struct run *r, const struct buffer *b, enum type type, int64_t at,
                          uint64_t bits)
{
    r->compared++;
    if (!(b->e[at] < INFINITY)) {
        r->unsure++;
        return true;
    }
    if (!type_floats(type))
        return wrap((int64_t)bits, type) == b->i[at];
    double got = from_bits(bits, type);
    if (b->e[at] > 0.05 * fabs(b->v[at]) + 1e-3)
        r->unsure++;
    return fabs(got - b->v[at]) <= b->e[at];
}

static void say_wrong(const struct run *r, int array, int64_t at, uint64_t bits, FILE *out)
{
    const struct array *a = &r->program->arrays[array];
    const struct buffer *b = &r->buffers[array];
    int64_t place[MAX_DIMS], rest = at;
    for (int d = a->dims; d-- > 0; rest /= r->extents[array][d])
        place[d] = rest % r->extents[array][d];
    fprintf(out, "wrong element %s", a->name);
    for (int d = 0; d < a->dims; d++)
        fprintf(out, "[%lld]", (long long)place[d]);
    if (type_floats(a->type))
        fprintf(out, ": %.17g, not %.17g within %g\n", from_bits(bits, a->type), b->v[at],
            b->e[at]);
    else
        fprintf(out, ": %lld, not %lld\n", (long long)wrap((int64_t)bits, a->type),
            (long long)b->i[at]);
}

static bool guards_whole(const struct buffer *b, const unsigned char *after, int64_t data)
{
    for (int64_t at = 0; at < GUARD + b->offset; at++)
        if (after[at] != 0x5A)
            return false;
    for (int64_t at = GUARD + b->offset + data; at < b->size; at++)
        if (after[at] != 0x5A)
            return false;
    return true;
}

static bool compare_array(struct run *r, int array, const unsigned char *after, FILE *out)
{
    const struct array *a = &r->program->arrays[array];
    const struct buffer *b = &r->buffers[array];
    if (!guards_whole(b, after, b->elements * type_bytes(a->type))) {
        fprintf(out, "written outside of %s\n", a->name);
        return false;
    }
    for (int64_t at = 0; at < b->elements; at++) {
        uint64_t bits = got_bits(after + GUARD + b->offset, a->type, at);
        if (!element_right(r, b, a->type, at, bits)) {
            say_wrong(r, array, at, bits, out);
            return false;
        }
    }
    return true;
}

bool run_compare(struct run *r, const unsigned char *after, FILE *out)
{
    for (int a = 0; a < r->program->array_count; a++) {
        if (!is_parameter(&r->program->arrays[a]))
            continue;
        if (!compare_array(r, a, after, out))
            return false;
        after += r->buffers[a].size;
    }
    return true;
}
