/* Grid, deal: distributes the elements of a copy in shared memory over the threads of a block.
 * Usually they are numbered in the array's order, so that adjacent threads read adjacent elements;
 * if the lanes of a warp would then write to the same banks, in an order between the array's and
 * the buffer's. */
#include "codegen/lower/grid_inside.h"

enum {
    SERVED = 128,  /* bytes written at once by lanes, a word to each bank */
    MOST_IDLE = 4, /* at most one in this many numbers may be idle */
};

int sq_deal_width(const sq_kernel_walk *w, const sq_buffer *b)
{
    const sq_axis *x = &b->axis[b->naxes - 1];
    int lanes = w->target->vector_bytes / sq_type_bytes(b->type);
    bool zeros =
        b->edge == SQ_EDGE_PAD && !x->before && (b->tensor || sq_number_is_zero(b->outside));
    bool plain = b->array->type == b->type && (b->tensor || sq_type_real(b->type)) &&
                 (b->edge == SQ_EDGE_NONE || zeros);
    return plain && x->stride == 1 && x->extent % lanes == 0 ? lanes : 1;
}

static int64_t elements(const sq_buffer *b)
{
    int64_t n = 1;
    for (int a = 0; a < b->naxes; a++)
        n *= b->axis[a].extent;
    return n;
}

/* Returns the distance of two rows of the buffer in elements. */
static int64_t pitch(const sq_buffer *b)
{
    return b->axis[b->inner == b->naxes - 1 ? b->naxes - 2 : b->naxes - 1].step_q;
}

static int64_t padded(int64_t n, int64_t to)
{
    return to * (MOST_IDLE - 1) <= n * MOST_IDLE ? to : n;
}

/* ---- orders ---- */

/* True if vectors are copied in pairs of adjacent ones, row by row, because rows become columns:
 * then both the reads of the array and the writes of the buffer are contiguous. */
static bool by_columns(const sq_buffer *b, int wide)
{
    int last = b->naxes - 1;
    for (int a = 0; a < last; a++)
        if (a != b->inner && b->axis[a].extent != 1)
            return false;
    return wide > 1 && b->inner != last && b->axis[last].extent / wide % 2 == 0;
}

/* True for rows of 64 bytes for matrix instructions: two that are written at once have a distance
 * of four, which uses half of the banks if rows are an odd number of 16 bytes. */
static bool half_lines(const sq_buffer *b, int wide)
{
    int last = b->naxes - 1;
    return b->tensor && b->inner == last && wide > 1 && b->axis[last].extent == 4 * wide &&
           b->axis[last - 1].extent % 8 == 0;
}

/* For single elements of which several dimensions become columns: returns the number of rows of the
 * array taken at once, 4 with 8 columns or 8 with 4, with which lanes write to all banks if the
 * pitch of columns is an odd number of such units. 0: they do not, or the number of units is not
 * whole. */
static int64_t rows_at_once(const sq_buffer *b, int wide)
{
    int bytes = sq_type_bytes(b->type);
    if (wide > 1 || b->naxes < 2 || b->inner == b->naxes - 1 || bytes < 4)
        return 0;
    int64_t rows = b->axis[b->inner].extent, n = elements(b) / rows, many = 1;
    while (many < 8 && n % (2 * many) == 0)
        many *= 2;
    int64_t piece = SERVED / bytes / many;
    return rows % piece == 0 && pitch(b) % (2 * piece) == piece ? piece : 0;
}

/* Returns the count of numbers per row, of vectors or single elements. It includes the buffer's
 * padding if few of them are idle: then adjacent numbers write to adjacent words across rows. */
static int64_t row_numbers(const sq_buffer *b, int wide)
{
    int last = b->naxes - 1;
    int64_t n = b->axis[last].extent;
    bool words = wide == 1 && last > 0 && b->inner == last && sq_type_bytes(b->type) == 4;
    return words ? padded(n, pitch(b)) : n / wide;
}

int64_t sq_deal_count(const sq_buffer *b, int wide)
{
    return elements(b) / b->axis[b->naxes - 1].extent * row_numbers(b, wide);
}

/* ---- coordinates ---- */

static void append_position(sq_kernel_walk *w, int a, const sq_code_expr *value)
{
    sq_grid_let_int(w, sq_grid_position(w, a)->name, value);
}

static const sq_code_expr *number(const sq_kernel_walk *w)
{
    return sq_grid_name(w, "@e");
}

/* Returns by * (e / over % rem); rem: 0 without a remainder. */
static const sq_code_expr *part(const sq_kernel_walk *w, const sq_code_expr *e, int64_t over, int64_t rem, int64_t by)
{
    e = sq_grid_over(w, e, over);
    return sq_code_scale(w->code, by, rem ? sq_grid_rest(w, e, rem) : e);
}

/* Returns the coordinate of such rows: e / 32 % rows * 8 + e / 4 % 2 * 4 + e / 8 % 4. */
static const sq_code_expr *half_line(const sq_kernel_walk *w, int64_t rows)
{
    const sq_code_expr *e = number(w), *sum = part(w, e, 32, rows / 8, 8);
    sum = sq_code_add(w->code, sum, part(w, e, 4, 2, 4));
    return sq_code_add(w->code, sum, part(w, e, 8, 4, 1));
}

/* Appends the coordinates along the axes except `without`, the last one fastest, from a number that
 * counts `row` of the last one, each of `wide` elements. */
static void append_axes(sq_kernel_walk *w, const sq_buffer *b, const sq_code_expr *e, int64_t row,
                        int without, int wide)
{
    int64_t over = 1;
    int last = b->naxes - 1, left = b->naxes - (without >= 0);
    for (int a = last; a >= 0; a--) {
        int64_t extent = a == last ? row : b->axis[a].extent;
        if (a == without)
            continue;
        left--;
        append_position(w, a,
                        a == last - 1 && half_lines(b, wide)
                            ? half_line(w, extent)
                            : part(w, e, over, left > 0 ? extent : 0, a == last ? wide : 1));
        over *= extent;
    }
}

static void append_columns(sq_kernel_walk *w, const sq_buffer *b, int wide)
{
    int last = b->naxes - 1, row = b->inner, pair = b->tensor ? 1 : 2;
    int64_t rows = b->axis[row].extent;
    const sq_code_expr *e = number(w), *column = part(w, e, pair * rows, 0, (int64_t)pair * wide);
    for (int a = 0; a < last; a++)
        if (a != row)
            append_position(w, a, sq_grid_number(w, 0));
    append_position(w, row, part(w, e, pair, rows, 1));
    append_position(w, last, sq_code_add(w->code, part(w, e, 1, pair, wide), column));
}

static void append_pieces(sq_kernel_walk *w, const sq_buffer *b, int64_t rows)
{
    int64_t columns = elements(b) / b->axis[b->inner].extent;
    const sq_code_expr *e = number(w);
    append_position(w, b->inner, sq_code_add(w->code, part(w, e, 1, rows, 1), part(w, e, rows * columns, 0, rows)));
    sq_grid_let_int(w, "@column", part(w, e, rows, columns, 1));
    append_axes(w, b, sq_grid_name(w, "@column"), b->axis[b->naxes - 1].extent, b->inner, 1);
}

const sq_code_expr *sq_deal_append(sq_kernel_walk *w, const sq_buffer *b, int wide)
{
    int last = b->naxes - 1;
    int64_t rows = rows_at_once(b, wide), row = row_numbers(b, wide), extent = b->axis[last].extent;
    if (by_columns(b, wide)) {
        append_columns(w, b, wide);
        return NULL;
    }
    if (rows > 0) {
        append_pieces(w, b, rows);
        return NULL;
    }
    append_axes(w, b, number(w), row, -1, wide);
    /* elements whose bounds are tested may write to the padding */
    return wide == 1 && row > extent && !b->axis[last].clipped
               ? sq_grid_below(w, sq_grid_position(w, last), sq_grid_number(w, extent))
               : NULL;
}
