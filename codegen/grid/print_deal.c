/* Print deal: distributes the elements of a copy in shared memory over the threads of a block.
 * Usually they are numbered in the array's order, so that adjacent threads read adjacent elements;
 * if the lanes of a warp would then write to the same banks, in an order between the array's and
 * the buffer's. */
#include "codegen/grid/print.h"

enum {
    SERVED = 128,  /* bytes written at once by lanes, a word to each bank */
    MOST_IDLE = 4, /* at most one in this many numbers may be idle */
};

static const char *f(sq_printer *p, const char *format, int64_t x)
{
    return sq_arena_printf(p->arena, format, (long long)x);
}

int sq_deal_width(const sq_printer *p, const sq_buffer *b)
{
    const sq_axis *x = &b->axis[b->naxes - 1];
    int lanes = p->options->target->vector_bytes / sq_type_bytes(b->type);
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

/* ---- text ---- */

/* Prints const int @x = … of the axes except `without`, the last one fastest, from a number that
 * counts `row` of the last one. */
static void put_axes(sq_printer *p, const sq_buffer *b, const char *number, int64_t row,
                     int without, const char *times, int wide)
{
    int64_t over = 1;
    int left = b->naxes - (without >= 0);
    for (int a = b->naxes - 1; a >= 0; a--) {
        int64_t extent = a == b->naxes - 1 ? row : b->axis[a].extent;
        const char *by = over > 1 ? f(p, " / %lld", over) : "";
        if (a == without)
            continue;
        left--;
        if (a == b->naxes - 2 && half_lines(b, wide))
            sq_text_line(&p->body,
                         "const int @x%d = @e / 32 %% %lld * 8 + @e / 4 %% 2 * 4 + @e / 8 %% 4;", a,
                         (long long)extent / 8);
        else if (left > 0)
            sq_text_line(&p->body, "const int @x%d = %s%s %% %lld%s;", a, number, by,
                         (long long)extent, a == b->naxes - 1 ? times : "");
        else
            sq_text_line(&p->body, "const int @x%d = %s%s%s;", a, number, by,
                         a == b->naxes - 1 ? times : "");
        over *= extent;
    }
}

static void put_columns(sq_printer *p, const sq_buffer *b, int wide)
{
    int last = b->naxes - 1, row = b->inner;
    long long rows = b->axis[row].extent;
    for (int a = 0; a < last; a++)
        if (a != row)
            sq_text_line(&p->body, "const int @x%d = 0;", a);
    if (b->tensor)
        sq_text_line(&p->body, "const int @x%d = @e %% %lld, @x%d = @e / %lld * %d;", row, rows,
                     last, rows, wide);
    else
        sq_text_line(&p->body,
                     "const int @x%d = @e / 2 %% %lld, @x%d = (@e %% 2 + @e / %lld * 2) * %d;", row,
                     rows, last, 2 * rows, wide);
}

static void put_pieces(sq_printer *p, const sq_buffer *b, int64_t rows)
{
    long long columns = elements(b) / b->axis[b->inner].extent, n = rows;
    sq_text_line(&p->body, "const int @x%d = @e %% %lld + @e / %lld * %lld;", b->inner, n,
                 n * columns, n);
    sq_text_line(&p->body, "const int @column = @e / %lld %% %lld;", n, columns);
    put_axes(p, b, "@column", b->axis[b->naxes - 1].extent, b->inner, "", 1);
}

const char *sq_deal_put(sq_printer *p, const sq_buffer *b, int wide)
{
    int last = b->naxes - 1;
    if (by_columns(b, wide)) {
        put_columns(p, b, wide);
        return NULL;
    }
    int64_t rows = rows_at_once(b, wide), row = row_numbers(b, wide);
    if (rows > 0) {
        put_pieces(p, b, rows);
        return NULL;
    }
    put_axes(p, b, "@e", row, -1, wide > 1 ? f(p, " * %lld", wide) : "", wide);
    /* elements whose bounds are tested may write to the padding */
    return wide == 1 && row > b->axis[last].extent && !b->axis[last].clipped
               ? sq_arena_printf(p->arena, "@x%d < %lld", last, (long long)b->axis[last].extent)
               : NULL;
}
