/* Strided: loads of every second, third or fourth element; see rows.h. Pooling and convolutions
 * with a stride have lanes with a small constant stride; full vectors and shuffles load them, where
 * a gather takes one or two instructions per lane.
 *
 * The loads are `step` vectors, called parts, each of which begins with the last element of the
 * previous one: the last part ends with the last lane's element, and nothing beyond it is read.
 *
 * Channels are the elements between as well, all of which exist: the first lane's is element `channel`
 * of the parts, which do not overlap. The parts of all channels of a place are the same loads. */
#include "codegen/isa/isa.h"
#include "codegen/isa/rows.h"
#include "codegen/isa/shuffle.h"
#include <stdio.h>

/* By bytes. */
static const sq_type type_of[] = {[1] = SQ_U8, [2] = SQ_U16, [4] = SQ_U32, [8] = SQ_U64};

sq_vop sq_vop_strided(int step, bool rest)
{
    return (sq_vop)(SQ_VOP_STRIDE2 + 2 * (step - 2) + rest);
}

sq_vop sq_vop_channel(int step, bool rest)
{
    return (sq_vop)(SQ_VOP_CHANNEL2 + 2 * (step - 2) + rest);
}

static int step_of(sq_vop op)
{
    return op >= SQ_VOP_CHANNEL2 ? 2 + (op - SQ_VOP_CHANNEL2) / 2 : 2 + (op - SQ_VOP_STRIDE2) / 2;
}

static bool has_masks(const sq_vector *v, const sq_target *t)
{
    return t->isa->masks & (unsigned)sq_type_bytes(v->type);
}

/* True if parts are joined of two halves, so that no shuffle crosses halves. For 8 bytes with
 * stride four, two parts are enough; for one or two bytes with stride three, shuffling full parts
 * costs more than loads. Otherwise full parts are faster, since there are half as many. */
static bool has_halves(const sq_vector *v, int step, const sq_target *t)
{
    int bytes = sq_type_bytes(v->type);
    return t->isa->joined && sq_vector_halved(v, t) &&
           (bytes == 8 ? step == 4 : bytes < 4 && step == 3);
}

sq_vop_set sq_strided_needs(const sq_vector *v, sq_vop_set used, const sq_target *t)
{
    sq_vop_set needs = 0;
    for (int step = 2; step <= SQ_STRIDE_MOST; step++) {
        const sq_vop_set whole = SQ_VOP_BIT(sq_vop_strided(step, false)),
                         rest = SQ_VOP_BIT(sq_vop_strided(step, true)),
                         channel = SQ_VOP_BIT(sq_vop_channel(step, true));
        if (used & (rest | channel) && has_masks(v, t))
            needs |= SQ_VOP_BIT(SQ_VOP_LOAD_N);
        else if (used & (rest | channel))
            needs |= whole | (used & channel ? rest : 0);
    }
    for (int step = 2; step <= SQ_STRIDE_MOST; step++)
        if ((used | needs) &
                (SQ_VOP_BIT(sq_vop_strided(step, false)) |
                 SQ_VOP_BIT(sq_vop_channel(step, false))) &&
            has_halves(v, step, t))
            needs |= SQ_VOP_BIT(SQ_VOP_JOINED);
    return needs;
}

/* Parts of `lanes` elements at a distance of `step`, in each of their runs: either all lanes are
 * one run, or each half is one. `every`: the distance between parts. */
typedef struct parts {
    const sq_vector *v;
    const char *n;
    int step, lanes, every, channel;
} parts;

/* Returns the part that has lane l of a run, and the position of the lane's element in it. */
static int part_of(const parts *p, int l, int *at)
{
    int k = 0;
    for (*at = p->step * l + p->channel; *at > p->lanes - 1; k++)
        *at -= p->every;
    return k;
}

static bool brings(const parts *p, int k)
{
    int at;
    for (int l = 0; l < p->lanes; l++)
        if (part_of(p, l, &at) == k)
            return true;
    return false;
}

/* Prints the shuffle `lane` of one run for all runs: lanes of a second vector are numbered after
 * those of the first. */
static void put_runs(const parts *p, const char *a, const char *b, const int *lane, sq_text *to)
{
    int all[SQ_SHUFFLE_MOST];
    for (int l = 0; l < p->v->lanes; l++) {
        int run = l / p->lanes * p->lanes, from = lane[l % p->lanes];
        all[l] = run + (from < p->lanes ? from : from - p->lanes + p->v->lanes);
    }
    sq_shuffle_put(p->v, "r =", a, b, all, to);
}

/* Returns the first part that has lanes. */
static int first_of(const parts *p)
{
    int k = 0;
    while (!brings(p, k))
        k++;
    return k;
}

/* ---- lanes in order, one part at a time ---- */

/* Returns the source of lane l when part k is merged into the result of the parts before it; the
 * first merge uses the first part as loaded. Lanes of later parts are arbitrary. */
static int source(const parts *p, int k, bool first, int l)
{
    int at, part = part_of(p, l, &at);
    return part == k ? p->lanes + at : part == first_of(p) && first ? at : l;
}

static void put_in_order(const parts *p, sq_text *to)
{
    bool first = true;
    for (int k = first_of(p) + 1; k < p->step; k++) {
        int lane[SQ_SHUFFLE_MOST];
        char part[16];
        if (!brings(p, k))
            continue;
        for (int l = 0; l < p->lanes; l++)
            lane[l] = source(p, k, first, l);
        first = false;
        snprintf(part, sizeof part, "a%d", k);
        put_runs(p, "r", part, lane, to);
    }
}

/* ---- blends in place ---- */

/* True if no two lanes' elements have the same position in their parts. */
static bool has_places(const parts *p)
{
    uint64_t places = 0;
    for (int l = 0, at; l < p->lanes; l++) {
        part_of(p, l, &at);
        if (places >> at & 1)
            return false;
        places |= UINT64_C(1) << at;
    }
    return true;
}

/* True if shuffles of two vectors take several instructions: for one or two bytes, and if they
 * would cross the halves of a register, unless there is only one. */
static bool is_in_place(const parts *p, const sq_target *t)
{
    int bytes = sq_type_bytes(p->v->type);
    bool crosses = bytes == 4 && p->step > 2 && sq_vector_halved(p->v, t);
    return t->isa->blended && (bytes <= 2 || crosses) && has_places(p);
}

/* Finds the last of two shuffles that put `lane` in order: a shuffle of groups of lanes, which the
 * first one has collected within the halves. False if there are no such groups. */
static bool find_groups(const parts *p, const int *lane, int size, int *within, int *across)
{
    int half = p->lanes / 2, n = 0;
    for (int high = 0; high < 2; high++)
        for (int l = 0; l < p->lanes; l += size) {
            for (int i = 1; i < size; i++)
                if (lane[l + i] / half != lane[l] / half)
                    return false;
            if (lane[l] / half != high)
                continue;
            for (int i = 0; i < size; i++) {
                across[l + i] = n;
                within[n++] = lane[l + i];
            }
        }
    return true;
}

static bool in_groups(const parts *p, const int *lane, int *within, int *across)
{
    int bytes = sq_type_bytes(p->v->type);
    return bytes <= 2 && p->lanes * bytes == 2 * SQ_HALF_BYTES &&
           (find_groups(p, lane, 8 / bytes, within, across) ||
            find_groups(p, lane, 4 / bytes, within, across));
}

/* Blends the parts in place, one after the other, and then puts the lanes in order; in registers of
 * 32 bytes first within the halves, if that leaves groups of 4 or 8 bytes. */
static void put_in_place(const parts *p, sq_text *to)
{
    int lane[SQ_SHUFFLE_MOST], from[SQ_SHUFFLE_MOST], within[SQ_SHUFFLE_MOST],
        across[SQ_SHUFFLE_MOST];
    for (int l = 0; l < p->lanes; l++)
        from[l] = part_of(p, l, &lane[l]);
    for (int k = first_of(p) + 1; k < p->step; k++) {
        int blend[SQ_SHUFFLE_MOST];
        char part[16];
        if (!brings(p, k))
            continue;
        for (int l = 0; l < p->lanes; l++)
            blend[lane[l]] = lane[l] + (from[l] == k ? p->lanes : 0);
        snprintf(part, sizeof part, "a%d", k);
        put_runs(p, "r", part, blend, to);
    }
    if (in_groups(p, lane, within, across)) {
        put_runs(p, "r", "r", within, to);
        put_runs(p, "r", "r", across, to);
    } else {
        put_runs(p, "r", "r", lane, to);
    }
}

/* ---- loads ---- */

static void put_part(const parts *p, int k, bool rest, sq_text *to)
{
    const char *n = p->n;
    int from = k * p->every;
    if (rest)
        sq_text_line(to, "const %s a%d = %s_load_n(p + %d, all - %d);", n, k, n, from, from);
    else if (p->lanes < p->v->lanes)
        sq_text_line(to, "const %s a%d = %s_joined(p + %d, p + %d);", n, k, n, from,
                     from + p->step * p->lanes);
    else
        sq_text_line(to, "const %s a%d = *(const %s_u *)(p + %d);", n, k, n, from);
}

static parts strided(const sq_vector *v, const char *n, int step, bool rest, const sq_target *t)
{
    int lanes = !rest && has_halves(v, step, t) ? v->lanes / 2 : v->lanes;
    return (parts){v, n, step, lanes, lanes - 1, 0};
}

static parts channel(const sq_vector *v, const char *n, int step, bool rest, const sq_target *t)
{
    parts p = strided(v, n, step, rest, t);
    p.every = p.lanes;
    return p;
}

/* Prints "r = ...": the lanes, of parts that are loaded. */
static void put_result(const parts *p, const sq_target *t, sq_text *to)
{
    if (is_in_place(p, t))
        put_in_place(p, to);
    else
        put_in_order(p, to);
}

static void define(const sq_vector *v, const char *n, int step, bool rest, const sq_target *t,
                   sq_text *to)
{
    const char *c = sq_vector_element(v);
    const parts p = strided(v, n, step, rest, t);
    sq_text_open(to, "SQ_INLINE %s %s_stride%d%s(const %s *p%s)\n{", n, n, step, rest ? "_n" : "",
                 c, rest ? ", int64_t n" : "");
    if (rest)
        sq_text_line(to, "const int64_t all = n > 0 ? %d * n - %d : 0;", step, step - 1);
    for (int k = 0; k < step; k++)
        if (brings(&p, k))
            put_part(&p, k, rest, to);
    sq_text_line(to, "%s r = a0;", n);
    put_result(&p, t, to);
    sq_text_line(to, "return r;");
    sq_text_close(to, "}");
}

void sq_define_channel(const sq_vector *v, sq_vop op, const char *n, const sq_target *t,
                       sq_text *to)
{
    int step = step_of(op);
    bool rest = op == sq_vop_channel(step, true);
    parts p = channel(v, n, step, rest, t);
    sq_text_line(to, "/* Lane l is element %d * l + k. */", step);
    sq_text_open(to, "SQ_INLINE %s %s_channel%d%s(const %s *p, int k%s)\n{", n, n, step,
                 rest ? "_n" : "", sq_vector_element(v), rest ? ", int64_t n" : "");
    if (rest && !has_masks(v, t)) {
        sq_text_line(to, "return %s_stride%d_n(p + k, n);", n, step);
        sq_text_close(to, "}");
        return;
    }
    if (rest)
        sq_text_line(to, "const int64_t all = n > 0 ? %d * n : 0;", step);
    for (int k = 0; k < step; k++)
        put_part(&p, k, rest, to);
    sq_text_line(to, "%s r;", n);
    for (; p.channel < step; p.channel++) {
        if (p.channel == 0)
            sq_text_open(to, "if (k == 0) {");
        else if (p.channel < step - 1)
            sq_text_open(to, "} else if (k == %d) {", p.channel);
        else
            sq_text_open(to, "} else {");
        sq_text_line(to, "r = a%d;", first_of(&p));
        put_result(&p, t, to);
        to->indent--;
    }
    sq_text_line(to, "}");
    sq_text_line(to, "return r;");
    sq_text_close(to, "}");
}

int sq_strided_channel(int step, bool (*reads)(const void *user, int64_t distance),
                       const void *user)
{
    enum { MOST_BESIDE = 64 };
    int before = 0;
    while (before < MOST_BESIDE && reads(user, -before - 1))
        before++;
    for (int i = 0; i < step; i++) {
        int k = (before + step - i) % step;
        if (reads(user, -k) && reads(user, step - 1 - k))
            return k;
    }
    return -1;
}

bool sq_strided_shares(int bytes, int lanes, int step, const sq_target *t)
{
    const sq_vector v = {.type = type_of[bytes], .lanes = lanes};
    const parts p = channel(&v, "", step, false, t);
    bool crosses = bytes == 4 && step > 2 && sq_vector_halved(&v, t);
    return sq_strided_shuffles(bytes, t) && ((bytes >= 4 && !crosses) || is_in_place(&p, t));
}

bool sq_strided_shuffles(int bytes, const sq_target *t)
{
    return t->language->extension && (bytes >= 4 || t->isa->blended);
}

sq_strided_count sq_strided_counted(int bytes, int lanes, int step, bool channels,
                                    const sq_target *t)
{
    const sq_vector v = {.type = type_of[bytes], .lanes = lanes};
    bool halves = has_halves(&v, step, t);
    const parts p = channels ? channel(&v, "", step, false, t) : strided(&v, "", step, false, t);
    int n = 0, lane[SQ_SHUFFLE_MOST], within[SQ_SHUFFLE_MOST], across[SQ_SHUFFLE_MOST];
    for (int k = 0; k < step; k++)
        n += brings(&p, k);
    for (int l = 0; l < p.lanes; l++)
        part_of(&p, l, &lane[l]);
    int order = !is_in_place(&p, t) ? 0 : in_groups(&p, lane, within, across) ? 2 : 1;
    int loaded = channels ? 1 : n; /* of all parts, a channel's share */
    return (sq_strided_count){halves ? 2 * loaded : loaded,
                              n - 1 + order + (halves ? loaded : 0)};
}

/* Without masks a remainder is loaded lane by lane, in one function, as it is long. */
static void define_by_lane(const sq_vector *v, const char *n, int step, sq_text *to)
{
    const char *c = sq_vector_element(v);
    char lane[40];
    snprintf(lane, sizeof lane, "r[l] = p[%d * l]", step);
    sq_text_open(to,
                 "static SQ_TARGET __attribute__((noinline, unused)) %s %s_rest%d(const %s *p, "
                 "int64_t n)\n{",
                 n, n, step, c);
    sq_text_line(to, "%s r = {0};", n);
    sq_put_lanes(v, lane, to);
    sq_text_line(to, "return r;");
    sq_text_close(to, "}");
    sq_text_open(to, "SQ_INLINE %s %s_stride%d_n(const %s *p, int64_t n)\n{", n, n, step, c);
    sq_text_line(to, "return n < %d ? %s_rest%d(p, n) : %s_stride%d(p);", v->lanes, n, step, n,
                 step);
    sq_text_close(to, "}");
}

void sq_define_strided(const sq_vector *v, sq_vop op, const char *n, const sq_target *t,
                       sq_text *to)
{
    int step = step_of(op);
    bool rest = op == sq_vop_strided(step, true);
    if (rest && !has_masks(v, t))
        define_by_lane(v, n, step, to);
    else
        define(v, n, step, rest, t, to);
}
