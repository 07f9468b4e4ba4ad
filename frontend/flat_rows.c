/* Flat, rows: in t[x[i]*64 + j] a value says the row, and a number how long rows are. That number becomes a size of the
 * shape, as n is in t[x[i]*n + j]: what it divides counts rows, in all subscripts of the array. */
#include "frontend/poly.h"

int64_t sq_flat_row(sq_builder *b, const sq_poly *p)
{
    int64_t row = 0;
    bool has_index = false;
    CXCursor at;
    for (int t = 0; t < p->n; t++) {
        const sq_term *of = &p->t[t];
        bool is_value = of->factor != 0 && of->var >= 0 && sq_poly_value(b, of->var, &at);
        has_index |= of->factor != 0 && of->var >= 0 && !is_value;
        if (!is_value || of->nsizes > 0)
            continue;
        if (row != 0 || of->factor <= 1)
            return 0;
        row = of->factor;
    }
    return has_index ? row : 0;
}

void sq_flat_rows(sq_builder *b, sq_poly *p, int64_t row)
{
    for (int t = 0; t < p->n && row > 1; t++) {
        sq_term *of = &p->t[t];
        bool is_page = of->nsizes == 1 && of->var < 0; /* t[x[i]*64 + page*64 + j] */
        if ((of->nsizes > 0 && !is_page) || of->factor == 0 || of->factor % row != 0)
            continue;
        of->factor /= row;
        of->size[of->nsizes++] = sq_poly_number(b, row);
    }
}

/* A division by what is no number: by a size, a variable or a value. */
static bool find_division(sq_builder *b, CXCursor c, CXCursor *at)
{
    int n;
    sq_poly by;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    bool divides = c.kind == CXCursor_BinaryOperator && n == 2 &&
                   b->r.cl->clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Div;
    if (divides && sq_poly_read(b, child[1], &by) && by.n == 1 && by.t[0].var < 0 && by.t[0].nsizes == 1) {
        *at = c;
        return true;
    }
    bool found = false;
    for (int i = 0; i < n && !found; i++)
        found = find_division(b, child[i], at);
    return found;
}

int sq_flat_divides(sq_builder *b, CXCursor element)
{
    CXCursor at;
    if (!find_division(b, element, &at))
        return 0;
    sq_refuse(b, at,
              "subscript is not affine: it divides by something else than a positive constant; accepted are sums of "
              "indices and sizes with constant factors");
    sq_instead_fix(b, at);
    return -1;
}
