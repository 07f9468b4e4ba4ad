/* Views, text: what all functions of a file share that take arrays with strides: is a view sound, do two have an
 * element in common, is one laid out as the kernel wants it, copies from and to it. */
#include "codegen/file/views.h"
#include "codegen/isa/target.h"
#include "codegen/isa/vector.h"

static const char structs[] =
    "/* An array of a call, as the caller has it; at and to: its element 0, 0, ... */\n"
    "struct sq_array {\n"
    "    const void *at;\n"
    "    void *to; /* the same where the kernel writes it; else NULL */\n"
    "    const int64_t *extent, *stride;\n"
    "    int dims, bytes, align;  /* of an element, and of what the kernel takes at for a multiple */\n"
    "    int is_kept;             /* a copy begins as the array: the kernel reads it, or does not write all of it */\n"
    "    int64_t length[sq_dims]; /* of the dimensions but the first, as the kernel has them */\n"
    "    int64_t size;            /* bytes of the copy that the kernel works on; 0: it works in place */\n"
    "    void *copy;\n"
    "};\n\n"
    "/* n elements; distances between them, in elements, where they are read and where they are written. */\n"
    "struct sq_dim {\n    int64_t n, from, to;\n};\n\n"
    "/* A limit on bytes and elements: no sum of two such numbers overflows. */\n"
    "static const int64_t sq_most = (int64_t)1 << 48;\n\n";

static const char is_sound[] =
    "/* From one element to the next, forwards; 0 in a dimension of one element. */\n"
    "static int64_t sq_distance(const struct sq_array *a, int x)\n{\n"
    "    const int64_t stride = a->extent[x] > 1 ? a->stride[x] : 0;\n"
    "    return stride < 0 ? -stride : stride;\n}\n\n"
    "static int sq_is_empty(const struct sq_array *a)\n{\n"
    "    for (int x = 0; x < a->dims; x++)\n"
    "        if (a->extent[x] == 0)\n            return 1;\n"
    "    return 0;\n}\n\n"
    "/* Has every element a place of its own. Distances have to be larger than all smaller ones reach together, as\n"
    " * slices, transpositions and reversals of an array leave them. */\n"
    "static int sq_is_distinct(const struct sq_array *a)\n{\n"
    "    for (int x = 0; x < a->dims; x++) {\n"
    "        const int64_t distance = sq_distance(a, x);\n"
    "        int64_t reach = 0;\n"
    "        for (int y = 0; y < a->dims; y++)\n"
    "            if (y != x && sq_distance(a, y) <= distance)\n"
    "                reach += (a->extent[y] - 1) * sq_distance(a, y);\n"
    "        if (a->extent[x] > 1 && distance <= reach)\n            return 0;\n"
    "    }\n    return 1;\n}\n\n"
    "/* 0, or why it is no argument. */\n"
    "static int sq_check(const struct sq_array *a)\n{\n"
    "    for (int x = 0; x < a->dims; x++) {\n"
    "        if (a->extent[x] < 0)\n            return SQUALL_VIEWS_EXTENTS + 4096 * (x + 1);\n"
    "        if (a->extent[x] > sq_most)\n            return SQUALL_VIEWS_SIZES;\n"
    "    }\n"
    "    if (sq_is_empty(a))\n        return 0;\n"
    "    if (!a->at)\n        return SQUALL_VIEWS_EXTENTS;\n"
    "    for (int x = 0; x < a->dims; x++) {\n"
    "        int64_t reach;\n"
    "        if (a->extent[x] <= 1)\n            continue;\n"
    "        if (__builtin_mul_overflow(a->extent[x], a->stride[x], &reach) || reach > sq_most || reach < -sq_most)\n"
    "            return SQUALL_VIEWS_SIZES;\n"
    "    }\n"
    "    return a->to && !sq_is_distinct(a) ? SQUALL_VIEWS_OVERLAP : 0;\n}\n\n";

static const char meets[] =
    "/* Steps in bytes, of which 0 to n - 1 are taken; the longest is first. */\n"
    "struct sq_step {\n    int64_t bytes, n;\n};\n\n"
    "static int sq_add_step(struct sq_step *s, int count, int64_t bytes, int64_t n)\n{\n"
    "    int at = count;\n"
    "    if (n <= 1 || bytes == 0)\n        return count;\n"
    "    while (at > 0 && s[at - 1].bytes < bytes)\n        at--;\n"
    "    if (at > 0 && s[at - 1].bytes == bytes) {\n"
    "        s[at - 1].n += n - 1;\n        return count;\n    }\n"
    "    for (int i = count; i > at; i--)\n        s[i] = s[i - 1];\n"
    "    s[at] = (struct sq_step){bytes, n};\n"
    "    return count + 1;\n}\n\n"
    "static int sq_add_steps(struct sq_step *s, int count, const struct sq_array *a)\n{\n"
    "    for (int x = 0; x < a->dims; x++)\n"
    "        count = sq_add_step(s, count, sq_distance(a, x) * a->bytes, a->extent[x]);\n"
    "    return sq_add_step(s, count, 1, a->bytes);\n}\n\n"
    "/* True if steps add up to `bytes`, or if the limit on tries leaves it open. */\n"
    "static int sq_adds_up(const struct sq_step *s, int count, int64_t bytes, int *tries)\n{\n"
    "    int64_t others = 0;\n"
    "    if (count == 0 || bytes <= 0)\n        return bytes == 0;\n"
    "    for (int i = 1; i < count; i++)\n        others += s[i].bytes * (s[i].n - 1);\n"
    "    int64_t taken = bytes > others ? (bytes - others + s->bytes - 1) / s->bytes : 0;\n"
    "    for (; taken < s->n && taken * s->bytes <= bytes; taken++)\n"
    "        if (--*tries < 0 || sq_adds_up(s + 1, count - 1, bytes - taken * s->bytes, tries))\n"
    "            return 1;\n"
    "    return 0;\n}\n\n"
    "/* The address of the first byte (way -1) or of the last one (1) of an array's elements. */\n"
    "static uintptr_t sq_end(const struct sq_array *a, int way)\n{\n"
    "    int64_t bytes = way < 0 ? 0 : a->bytes - 1;\n"
    "    for (int x = 0; x < a->dims; x++)\n"
    "        if (a->extent[x] > 1 && (a->stride[x] < 0) == (way < 0))\n"
    "            bytes += (a->extent[x] - 1) * a->stride[x] * a->bytes;\n"
    "    return (uintptr_t)a->at + (uintptr_t)bytes;\n}\n\n"
    "/* Have two arrays a byte in common: do steps forwards in a and backwards in b lead from the first byte of a to\n"
    " * the last one of b. */\n"
    "static int sq_meet(const struct sq_array *a, const struct sq_array *b)\n{\n"
    "    struct sq_step s[2 * sq_dims + 2];\n"
    "    int tries = 10000;\n"
    "    if (sq_is_empty(a) || sq_is_empty(b))\n        return 0;\n"
    "    const int count = sq_add_steps(s, sq_add_steps(s, 0, a), b);\n"
    "    return sq_adds_up(s, count, (intptr_t)(sq_end(b, 1) - sq_end(a, -1)), &tries);\n}\n\n"
    "/* Of all n: 0, or why they are no arguments. */\n"
    "static int sq_check_all(const struct sq_array *a, int n)\n{\n"
    "    for (int i = 0, code; i < n; i++)\n"
    "        if ((code = sq_check(&a[i])) != 0)\n            return code + 16 * (i + 1);\n"
    "    for (int i = 0; i < n; i++)\n"
    "        for (int j = i + 1; j < n; j++)\n"
    "            if ((a[i].to || a[j].to) && sq_meet(&a[i], &a[j]))\n"
    "                return SQUALL_VIEWS_OVERLAP + 16 * (i + 1) + 4096 * (j + 1);\n"
    "    return 0;\n}\n\n";

static const char is_int[] = "static int sq_is_int(int64_t n) { return n == (int)n; }\n\n";

static const char lengths[] =
    "/* The length of dimension x that the distance along the one around it is made for, those inside of it being\n"
    " * known; 0 where the kernel cannot take it so. */\n"
    "static int64_t sq_length(const struct sq_array *a, int x, int is_int)\n{\n"
    "    int64_t inner = 1;\n"
    "    for (int y = sq_dims - 1; y > x; y--)\n"
    "        if (y < a->dims && ((a->extent[y] > 1 && a->stride[y] != inner) ||\n"
    "                            __builtin_mul_overflow(inner, a->length[y], &inner)))\n"
    "            return 0;\n"
    "    if (a->extent[x - 1] <= 1 || (a->extent[x] > 1 && a->stride[x] != inner) || inner < 1)\n        return 0;\n"
    "    const int64_t n = a->stride[x - 1] / inner;\n"
    "    if (n * inner != a->stride[x - 1] || n < a->extent[x] || n > sq_most || (is_int && !sq_is_int(n)))\n"
    "        return 0;\n"
    "    return n;\n}\n\n";

static const char layout[] =
    "/* The dimensions of more than one element, the last one first; two that are one in both layouts are one. */\n"
    "static int sq_list(const struct sq_array *a, int back, struct sq_dim *d)\n{\n"
    "    int n = 0;\n    int64_t ours = 1;\n"
    "    for (int x = a->dims - 1; x >= 0; x--) {\n"
    "        const int64_t extent = a->extent[x], theirs = a->stride[x];\n"
    "        const struct sq_dim next = {extent, back ? ours : theirs, back ? theirs : ours};\n"
    "        struct sq_dim *last = n > 0 ? &d[n - 1] : NULL;\n"
    "        if (extent > 1 && last && next.from == last->n * last->from && next.to == last->n * last->to)\n"
    "            last->n *= extent;\n"
    "        else if (extent > 1)\n"
    "            d[n++] = next;\n"
    "        ours *= x > 0 ? a->length[x] : 1;\n"
    "    }\n    return n;\n}\n\n"
    "/* Is it where and as the kernel wants it. */\n"
    "static int sq_is_in_place(const struct sq_array *a)\n{\n"
    "    struct sq_dim d[sq_dims];\n"
    "    if (sq_is_empty(a))\n        return 1;\n"
    "    if ((uintptr_t)a->at % (unsigned)a->align != 0)\n        return 0;\n"
    "    for (int i = sq_list(a, 0, d) - 1; i >= 0; i--)\n"
    "        if (d[i].from != d[i].to)\n            return 0;\n"
    "    return 1;\n}\n\n"
    "/* Counts the bytes of copies, with what aligns each of them; 0, or the code for too many. */\n"
    "static int sq_count(struct sq_array *a, int n, int64_t *bytes)\n{\n"
    "    *bytes = 0;\n"
    "    for (; n > 0; n--, a++) {\n"
    "        if (sq_is_in_place(a))\n            continue;\n"
    "        a->size = a->extent[0] * a->bytes;\n"
    "        for (int x = 1; x < a->dims; x++)\n"
    "            if (__builtin_mul_overflow(a->size, a->length[x], &a->size) || a->size > sq_most)\n"
    "                return SQUALL_VIEWS_MEMORY;\n"
    "        *bytes += a->size + sq_line;\n"
    "    }\n"
    "    return *bytes > PTRDIFF_MAX / 2 ? SQUALL_VIEWS_MEMORY : 0;\n}\n\n";

/* Returns the type as which elements of this size are copied, whatever their type: vectors for 16 bytes. */
static sq_vector copied_as(int bytes, const sq_uses *uses)
{
    const sq_type type = bytes == 1 ? SQ_I8 : bytes == 2 ? SQ_I16 : bytes == 4 ? SQ_I32 : SQ_I64;
    return (sq_vector){.type = type, .lanes = 16 / bytes, .anywhere = true, .uses = uses};
}

static void put_vectors(unsigned sizes, const sq_uses *uses, sq_text *to)
{
    for (int bytes = 1; bytes <= 8; bytes *= 2) {
        sq_vector v = copied_as(bytes, uses);
        if (!(sizes & (unsigned)bytes))
            continue;
        v.used |= SQ_VOP_BIT(SQ_VOP_TURN);
        sq_word_declare(v.type, to);
        sq_vector_declare(&v, to);
        sq_vector_define(&v, sq_target_get("generic"), to);
    }
}

/* For elements of this number of bytes. */
static void put_copy(int bytes, sq_text *to)
{
    const sq_vector v = copied_as(bytes, NULL);
    const char *element = sq_vector_element(&v);
    sq_text_printf(to,
                   "static void sq_copy_%d(void *written, const void *read, struct sq_dim outer, "
                   "struct sq_dim inner)\n{\n"
                   "    %s *to = written;\n    const %s *from = read;\n"
                   "    const int64_t width = sq_is_nearer(outer.from, inner.from) ? 8 : inner.n;\n"
                   "    if (inner.from == 1 && inner.to == 1)\n"
                   "        for (int64_t i = 0; i < outer.n; i++)\n"
                   "            memcpy(to + i * outer.to, from + i * outer.from, (size_t)inner.n * sizeof *to);\n"
                   "    else if (outer.from == 1 && inner.to == 1)\n"
                   "        for (int64_t i = 0; i < outer.n; i += 16)\n"
                   "            for (int64_t j = 0; j < inner.n; j += 16)\n"
                   "                sq_%sx%d_turn(to + i * outer.to + j, outer.to, from + i + j * inner.from, "
                   "inner.from,\n"
                   "                              sq_least(16, inner.n - j), sq_least(16, outer.n - i));\n"
                   "    else\n"
                   "        for (int64_t i0 = 0; i0 < outer.n; i0 += 32)\n"
                   "            for (int64_t j0 = 0; j0 < inner.n; j0 += width) {\n"
                   "                const int64_t i1 = sq_least(i0 + 32, outer.n);\n"
                   "                const int64_t j1 = sq_least(j0 + width, inner.n);\n"
                   "                for (int64_t i = i0; i < i1; i++)\n"
                   "                    for (int64_t j = j0; j < j1; j++)\n"
                   "                        to[i * outer.to + j * inner.to] = from[i * outer.from + j * inner.from];\n"
                   "            }\n"
                   "}\n\n",
                   bytes, element, element, sq_type_suffix(v.type), v.lanes);
}

static const char copy_begin[] =
    "static void sq_swap(struct sq_dim *a, struct sq_dim *b)\n{\n"
    "    const struct sq_dim old = *a;\n    *a = *b;\n    *b = old;\n}\n\n"
    "/* Copies an array to its copy or back: blocks of the dimension whose elements are written closest to each other\n"
    " * and of that in which they are read so, for all values of the others. */\n"
    "static void sq_copy(const struct sq_array *a, int back)\n{\n"
    "    struct sq_dim d[sq_dims + 2];\n"
    "    int64_t index[sq_dims + 2] = {0};\n"
    "    int n = sq_list(a, back, d), inner = 0, outer = 1;\n"
    "    const char *from = back ? a->copy : a->at;\n"
    "    char *to = back ? a->to : a->copy;\n"
    "    while (n < 2)\n        d[n++] = (struct sq_dim){1, 0, 0};\n"
    "    for (int i = 1; i < n; i++)\n"
    "        if (d[i].n > 1 && sq_is_nearer(d[i].to, d[inner].to))\n            inner = i;\n"
    "    sq_swap(&d[0], &d[inner]);\n"
    "    for (int i = 2; i < n; i++)\n"
    "        if (sq_is_nearer(d[i].from, d[outer].from))\n            outer = i;\n"
    "    sq_swap(&d[1], &d[outer]);\n"
    "    for (int x = 0; x < n;) {\n";

static const char copy_end[] =
    "        for (x = 2; x < n && ++index[x] == d[x].n; x++) {\n"
    "            index[x] = 0;\n"
    "            from -= (d[x].n - 1) * d[x].from * a->bytes;\n"
    "            to -= (d[x].n - 1) * d[x].to * a->bytes;\n"
    "        }\n"
    "        if (x < n) {\n"
    "            from += d[x].from * a->bytes;\n"
    "            to += d[x].to * a->bytes;\n"
    "        }\n"
    "    }\n}\n\n";

static const char copy_head[] =
    "static int sq_is_nearer(int64_t a, int64_t b) { return (a < 0 ? -a : a) < (b < 0 ? -b : b); }\n\n"
    "static int64_t sq_least(int64_t a, int64_t b) { return a < b ? a : b; }\n\n"
    "/* Copies outer.n times inner.n elements: whole rows; a transposed matrix in blocks of 16 times 16; what is\n"
    " * apart and nearest in different dimensions in blocks of 32 times 8, which use whole lines of the cache. */\n";

static void put_copies(unsigned sizes, const sq_uses *uses, sq_text *to)
{
    put_vectors(sizes, uses, to);
    sq_text_puts(to, copy_head);
    for (int bytes = 1; bytes <= 8; bytes *= 2)
        if (sizes & (unsigned)bytes)
            put_copy(bytes, to);
    sq_text_puts(to, copy_begin);
    const char *before = "";
    for (int bytes = 1; bytes <= 8; bytes *= 2) {
        bool is_last = sizes < 2U * (unsigned)bytes;
        if (!(sizes & (unsigned)bytes))
            continue;
        if (is_last && !*before)
            sq_text_printf(to, "        sq_copy_%d(to, from, d[1], d[0]);\n", bytes);
        else if (is_last)
            sq_text_printf(to, "        else\n            sq_copy_%d(to, from, d[1], d[0]);\n", bytes);
        else
            sq_text_printf(to, "        %sif (a->bytes == %d)\n            sq_copy_%d(to, from, d[1], d[0]);\n", before,
                           bytes, bytes);
        before = "else ";
    }
    sq_text_puts(to, copy_end);
}

static const char around[] =
    "/* Before the kernel runs: makes the copies, in memory of which the rest is returned. */\n"
    "static void *sq_begin(struct sq_array *a, int n, void *memory)\n{\n"
    "    char *next = memory;\n"
    "    for (; n > 0; n--, a++) {\n"
    "        if (a->size == 0)\n            continue;\n"
    "        a->copy = next + (-(uintptr_t)next & (sq_line - 1));\n"
    "        next += a->size + sq_line;\n"
    "        if (a->is_kept)\n            sq_copy(a, 0);\n"
    "    }\n    return next;\n}\n\n"
    "/* When it has: what it wrote goes to the caller. */\n"
    "static void sq_finish(const struct sq_array *a, int n)\n{\n"
    "    for (; n > 0; n--, a++)\n"
    "        if (a->copy && a->to)\n            sq_copy(a, 1);\n}\n\n";

static const char reads[] =
    "static const void *sq_read(const struct sq_array *a) { return a->copy ? a->copy : a->at; }\n";
static const char written[] =
    "static void *sq_written(const struct sq_array *a) { return a->copy ? a->copy : a->to; }\n\n";

void sq_views_put_shared(int dims, int align, unsigned sizes, const sq_uses *uses, sq_text *to)
{
    bool has_lengths = sq_code_keys_has(uses->helpers, "sq_length");
    sq_text_printf(to, "\n/* Dimensions of the array with the most of them, or two; where copies begin. */\n"
                       "enum { sq_dims = %d, sq_line = %d };\n\n",
                   dims, align);
    sq_text_puts(to, structs);
    sq_text_puts(to, is_sound);
    sq_text_puts(to, meets);
    sq_text_puts(to, has_lengths || sq_code_keys_has(uses->helpers, "sq_is_int") ? is_int : "");
    sq_text_puts(to, has_lengths ? lengths : "");
    sq_text_puts(to, layout);
    put_copies(sizes, uses, to);
    sq_text_puts(to, around);
    sq_text_puts(to, sq_code_keys_has(uses->helpers, "sq_read") ? reads : "");
    sq_text_puts(to, written);
}
