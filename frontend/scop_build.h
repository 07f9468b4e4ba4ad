/* Scop, inside: what the files that read regions share.
 *
 *     scop_text.c    the lines `#pragma scop` in the bytes
 *     scop.c         regions, statements, names
 *     scop_use.c     a variable that is used      scop_uses.c    who else uses it
 *     scop_induction.c  those that a loop counts
 *     scop_counter.c those that loops of a nest count
 *     beside.c       heads that count them
 *     scop_asked.c   pointers that may be NULL
 *     scop_array.c   arrays of ordinary C
 *     scop_exist.c   what lies behind pointers
 *     scop_sides.c   what both sides of a choice read
 *     poly.c         products of sizes
 *     scop_bounds.c  what the sizes must satisfy
 *     flat.c         subscripts a[i*n + j] as two of them       flat_carry.c   their rows
 *     scop_apart.c   arrays that may overlap */
#ifndef SQ_FRONTEND_SCOP_BUILD_H
#define SQ_FRONTEND_SCOP_BUILD_H
#include "frontend/build.h"
#include "frontend/scop.h"

/* A variable declared outside of a region and used in it. */
typedef struct sq_use {
    CXCursor decl;
    const char *name;
    const struct sq_struct_member *member; /* that the file has in its place (members.h); NULL: it is a variable */
    sq_symbol *symbol; /* NULL: of a loop */
    bool in_function;  /* declared there, not at file scope */
    bool is_static;    /* lives longer than the call */
    bool has_initial;
    bool is_loop;    /* counts a loop of the region */
    bool assigned;   /* as a whole, in the region */
    bool seen;       /* outside of the region, but where a loop there gives it a value first */
    bool named;      /* outside of the region at all */
    bool live;       /* seen where it comes after the region */
    bool repeats;    /* the region runs again with the value that it left: a loop around it, or a goto */
    bool addressed;  /* & is applied to it */
    bool moved;      /* assigned outside */
    sq_loc seen_at;  /* the first such place */
    bool is_view;    /* the array in another shape: sq_view */
    bool is_given;   /* not the pointer or number itself: whether it is something but 0 (scop_null.c) */
    int nasked;      /* of such: conditions that ask */
    bool is_stepped; /* a loop of the region adds `by` to it once in each turn, by `step` */
    CXCursor step;
    int64_t by;
} sq_use;

/* What a counter begins with: a number, or a size. */
typedef struct sq_first {
    int64_t value;
    CXCursor size;
    bool is_size;
} sq_first;

/* A variable that loops of a nest count (scop_counter.c). */
typedef struct sq_counter {
    struct sq_counter *next;
    CXCursor decl;
    int64_t start; /* before the region; nothing reads it if these set another: */
    bool is_given; /* what it is before the region is a size */
    int nstmts;    /* that name it */
    CXCursor *stmt;
} sq_counter;

/* Elements of an array by subscripts that have another shape than the first ones, y[i*m + j] beside y[j*n + i]: to the
 * kernel an array of its own, at the same place. */
typedef struct sq_view {
    struct sq_view *next;
    CXCursor decl; /* of the array */
    int n;
    CXCursor *at;
    const struct sq_flat *flat;
    sq_symbol *symbol; /* NULL: not declared yet */
} sq_view;

/* A region while it is read. */
typedef struct sq_scop {
    sq_region *region;
    const char *text; /* of the file */
    const char *name; /* of the kernel */
    sq_loc loc;       /* of `#pragma scop` */
    int after;        /* the last line of the region before; 0 */
    CXCursor function;
    int nstmts;
    CXCursor *stmt;
    int nuses;
    sq_use *use;
    sq_view *views;
    int nassigned;
    CXCursor *assigned;            /* variables of the region that its statements give values */
    int nfollowed;                 /* from a name of these to its value */
    sq_counter *counters;
    struct sq_stand_in *stand_ins; /* of poly.c */
    struct sq_quotient *quotients;
    const sq_size *number; /* that poly.c reads as its value, and not as the length of rows; NULL: none */
    bool numbers;      /* so are all that --fix names */
    bool finds_shape;  /* flat.c reads subscripts for the shape of an array alone */
    bool long_product; /* of more sizes than subscripts may have, met by poly.c */
} sq_scop;

/* scop_place.c: what the preprocessor leaves out of a file, under an #if that does not hold. */
typedef struct sq_scop_skipped {
    int n;
    size_t *from, *to;
} sq_scop_skipped;
sq_scop_skipped sq_scop_skipped_find(const sq_reader *r, CXFile file);
/* What a line of the file itself is called there. */
sq_region_line sq_scop_called(const sq_reader *r, sq_arena *arena, int line);
bool sq_scop_skips(const sq_scop_skipped *s, size_t at);
/* True, after an error, if the file is no C by its name. */
bool sq_scop_refuses_language(sq_reader *r);
/* scop_text.c: all regions of the text, in order; their number, -1 after adding errors. */
int sq_scop_regions(sq_reader *r, const char *text, size_t n, sq_region_text **to);
/* The line a byte stands on, from 1. */
int sq_scop_line(const char *text, size_t at);
/* Behind the last ; of a declaration between the two, `from` if there is none. */
size_t sq_scop_declared(const char *text, const sq_scop_skipped *skipped, size_t from, size_t to);
/* Where functions can be put so that they are compiled wherever the text at `use` is: in the gap
 * between two declarations, before the second one and its comment. SIZE_MAX: nowhere. */
size_t sq_scop_place(const char *text, const sq_scop_skipped *skipped, const size_t gap[2],
                     size_t use);

/* scop_place.c: the byte of the description at which a place is; false if it is in another file. */
bool sq_scop_offset(const sq_reader *r, CXSourceLocation place, size_t *at);
/* The same of the name in a declaration: image a, b; has two, which begin at one place. */
bool sq_scop_name_at(const sq_reader *r, CXCursor decl, size_t *at);
/* Bytes of a cursor; false if it is not in the file itself. */
bool sq_scop_span(const sq_reader *r, CXCursor c, size_t *from, size_t *to);
/* True if the text of one is part of the other's. */
bool sq_scop_holds(const sq_builder *b, CXCursor c, CXCursor inner);
/* Of a variable's declaration: true if it lies in the region. */
bool sq_scop_inside(const sq_builder *b, CXCursor c);

/* scop_uses.c: fills use[]. */
int sq_scop_uses(sq_builder *b);
/* scop_use.c: NULL: the region does not use it. */
sq_use *sq_scop_use(const sq_builder *b, CXCursor decl);
/* True if the called function is declared by a system header or known to the compiler. */
bool sq_scop_is_library(const sq_builder *b, CXCursor call);
/* What the file calls a variable: "s->sum" of a member. */
const char *sq_scop_text(const sq_builder *b, CXCursor decl);
/* Adds a variable that a declaration outside mentions. */
sq_use *sq_scop_add_use(sq_builder *b, CXCursor decl);
sq_use *sq_scop_put_use(sq_builder *b, const sq_use *u);

/* scop_null.c: the use that says whether the pointer is NULL; NULL: no condition asks for that. */
sq_use *sq_null_use(const sq_builder *b, CXCursor decl);
/* True for a floating-point number. */
bool sq_null_is_number(const sq_builder *b, CXCursor decl);
/* scop_asked.c: adds such uses; their sizes. */
void sq_null_uses(sq_builder *b);
/* True of a pointer to a struct that the region asks for and mentions nowhere else: it is no array. */
bool sq_null_only(const sq_builder *b, const sq_use *u);
int sq_null_declare(sq_builder *b, sq_use *u);

/* True if the region assigns to the variable, which it declares, after its declaration. */
bool sq_scop_is_assigned(const sq_builder *b, CXCursor decl);
/* Of an integer variable of the region that has the value of its declaration wherever it is read:
 * that value's expression. */
bool sq_scop_meaning(const sq_builder *b, CXCursor decl, CXCursor *value);
/* The same of a variable of any type of integers, for subscripts that are values: int x0 = p[x], in[x0]. */
bool sq_scop_stands_for(const sq_builder *b, CXCursor decl, CXCursor *value);
/* True if a value mentions what a loop counts beside its own variable: further down that is something else. */
bool sq_scop_is_stepped(const sq_builder *b, CXCursor value);
/* What sq_scop_meaning says, of a scalar that is stored too, since its value is no one affine form: where the
 * symbol is read, its value's text may be read in its place. */
bool sq_scop_named(const sq_builder *b, const sq_symbol *s, CXCursor *value);
/* What such a scalar is, in pieces; NULL, without an error, of other arrays and of what is not affine. */
isl_pw_aff *sq_scop_named_form(sq_builder *b, const sq_array *array);

/* The variable that an expression is, declared wherever; false if it is none. */
bool sq_scop_variable(const sq_builder *b, CXCursor c, CXCursor *decl);
/* What an expression assigns to as a whole, declared wherever; false if it does not. */
bool sq_scop_assigned_by(const sq_builder *b, CXCursor c, CXCursor *decl);
/* True if nothing outside of the region reads or sets this use's scalar. */
bool sq_scop_is_own(const sq_use *u);

/* scop_induction.c: finds variables that a loop counts beside its own; they are sizes. */
enum { SQ_MOST_STEP = 1 << 16 };
void sq_scop_inductions(sq_builder *b);
/* `k += c`, `k -= c`, `k++`, `k--` with a constant c, of the variable. */
bool sq_scop_step_of(const sq_builder *b, CXCursor c, CXCursor decl, int64_t *by);
/* `k += incx` with a number of the caller's that the region does not change. */
bool sq_scop_adds(const sq_builder *b, CXCursor c, CXCursor decl, CXCursor *number);
/* True of an integer variable from outside of the region that has one value in all of it. */
bool sq_scop_is_kept(const sq_builder *b, CXCursor decl);
/* How often the text names the variable, and how often it gives it a value. */
int sq_scop_mentions(const sq_builder *b, CXCursor c, CXCursor decl);
int sq_scop_assignments(const sq_builder *b, CXCursor c, CXCursor decl);
/* `for (i = 0; …`: turns are counted from 0. */
bool sq_scop_begins_at_0(const sq_builder *b, CXCursor loop);
/* True if the loop's own turns depend on the variable. */
bool sq_scop_in_head(const sq_builder *b, CXCursor loop, CXCursor decl);
/* scop_counter.c: finds variables that loops of a nest count, `out[k++]`. */
void sq_scop_counters(sq_builder *b);
/* beside.c: heads that do more than to count, for (i = 0, k = 0; i < n; i++, k += m). */
enum { SQ_MOST_BESIDE = 8 };
/* What part 0 or 2 of a loop has for its own variable, the one that its condition compares: the operand of commas, or
 * one of several variables that are declared; the part itself where it is nothing else. */
CXCursor sq_beside_own(const sq_builder *b, CXCursor loop, int part);
/* The other operands; their number. */
int sq_beside_operands(const sq_builder *b, CXCursor loop, int part, CXCursor *own, CXCursor *to);
/* The same of a head, of a variable beside its own. */
bool sq_beside_starts(const sq_builder *b, CXCursor loop, CXCursor decl, sq_first *first);
/* What the head counts such a variable by; false: it does not. */
bool sq_beside_step(const sq_builder *b, CXCursor loop, CXCursor decl, CXCursor *step);
/* True if that is all that the head mentions the variable for. */
bool sq_beside_is_regular(const sq_builder *b, CXCursor loop, CXCursor decl);
/* Makes sizes of the numbers that they count by. */
void sq_counter_sizes(sq_builder *b);
/* NULL: the variable is none of these. */
const sq_counter *sq_counter_find(const sq_builder *b, CXCursor decl);
/* True if the loop counts a variable up from 0, by a constant, to what is below the bound. */
bool sq_counter_bound(const sq_builder *b, CXCursor loop, CXCursor *variable, CXCursor *bound, int64_t *by);
/* True if the statement, or declaration, gives the variable a constant value, or that of a variable from outside of the
 * region, which the region does not change. */
bool sq_counter_sets(const sq_builder *b, CXCursor stmt, CXCursor decl, sq_first *first);
/* True if a statement that is no loop and no block adds `by` to the variable once. */
bool sq_counter_counts(const sq_builder *b, CXCursor stmt, CXCursor decl, int64_t *by);
/* Why the variable c, which the text in hand counts, is no such one; c is the operand of ++ or --. */
const char *sq_counter_refused(const sq_builder *b, CXCursor c);
/* True if the statement is what counts such a variable, which is counted from here on. */
bool sq_scop_steps(sq_builder *b, CXCursor stmt);

/* scop_array.c: the array, with its extents; the outermost may stay open. */
int sq_scop_array(sq_builder *b, sq_use *u);
/* Adds uses for the other shapes of use i. */
void sq_scop_array_views(sq_builder *b, int i);
/* Variables that the declared sizes of an array mention: adds their uses, and where these have
 * symbols marks them as sizes. */
void sq_scop_array_sizes(sq_builder *b, CXCursor decl);
bool sq_scop_is_array(const sq_builder *b, CXCursor decl);
int sq_scop_refuse_type(sq_builder *b, CXCursor decl, CXType t);
int sq_scop_refuse_volatile(sq_builder *b, const sq_use *u);

/* flat.c: the shape that all subscripts of an array of one dimension have in common, or several, each of some: views. A
 * dimension's stride is `factor` times the product of sizes; the innermost has the factor 1 and no sizes. */
enum { SQ_FLAT_DIMS = 8 };
typedef struct sq_flat {
    int ndim;
    struct {
        int64_t factor;
        int nsizes;
        const sq_size *size[SQ_FLAT_DIMS];
    } stride[SQ_FLAT_DIMS]; /* outermost first */
    int64_t row;            /* the length of rows that values choose, where a number says it; 0: none does */
    const sq_size *number;  /* this size is a number there, i*stride + k, not the length of rows; NULL: none is */
    bool numbers;           /* all that --fix names are */
    bool too_many;          /* a subscript has one more */
    const sq_size *origin;  /* added in all subscripts: the array is taken to begin there; NULL: nothing is */
} sq_flat;
/* NULL: one dimension will do. *failed after an error. */
const sq_flat *sq_flat_find(sq_builder *b, CXCursor decl, bool *failed);
/* True if c is an element of a one-dimensional array: a[i], *a, *(a + i), (a + i)[j]. *list becomes
 * its subscripts in the array's shape, NULL after adding an error. Those that are values, which x[i] is in
 * a[x[i]*n + j], are 0 there, and their text is in value[], bits of *values. */
bool sq_flat_access(sq_builder *b, CXCursor c, sq_symbol **symbol, isl_aff_list **list, CXCursor *value,
                    unsigned *values);
/* Extent of dimension d > 0, over the universe. */
isl_aff *sq_flat_extent(sq_builder *b, const sq_flat *f, int d);
/* flat_carry.c: makes the subscripts, one for each dimension, stay inside of their rows where they never do. */
void sq_flat_carry(sq_builder *b, const sq_flat *f, isl_aff **sub);

/* scop_bounds.c: extents that the declaration leaves open, and the sizes for which every access
 * is in bounds, which become part of what is known. */
int sq_scop_bounds(sq_builder *b);

/* scop_exist.c: which arrays without a declared size have elements that only some values need, or
 * rows of which copies would take too much. */
void sq_scop_exist(sq_builder *b);
/* scop_sides.c: what both sides of a choice read, exists. */
void sq_scop_sides(sq_builder *b);

/* A size that is small in `left` and was not before: tuned code for these alone would be for hardly
 * anything. NULL: there is none. Both __isl_keep. */
const char *sq_scop_cut_off(isl_set *before, isl_set *left);

/* scop_apart.c: roles of the arrays, and which must be tested not to overlap. */
void sq_scop_roles(sq_builder *b);
/* -1 after an error: one call may write an array in one shape and touch it in another. */
int sq_scop_views_apart(sq_builder *b);
void sq_scop_disjoint(sq_builder *b);

/* scop.c, for parse.c: the parts of a builder's work on a region. */
int sq_scop_declare(sq_builder *b);
/* Where that was refused: the statements that are wrong whatever the variables are. */
void sq_scop_look(sq_builder *b);
int sq_scop_read(sq_builder *b);
int sq_scop_settle(sq_builder *b);

/* The regions that the options ask for, in order; their number, -1 after adding errors. */
int sq_scop_find(sq_reader *r, const sq_parse_options *o, const char *text, size_t n, sq_unit *u,
                 sq_scop **to);
#endif
