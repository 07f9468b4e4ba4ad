/* Build: what the files of this room share while one function of the syntax tree becomes a kernel.
 *
 * All affine text is first read over one space, the universe: the kernel's sizes as parameters, and
 * one dimension per index and per loop variable declared anywhere in the function. Only when a
 * whole statement has been read is it known which of them are its dimensions; then everything is
 * pulled back to the statement's own space.
 *
 *     parse.c    the unit                          symbols.c  parameters, locals, what a name means
 *     report.c   clang's messages, in our words    report_count.c where they stand
 *     affine.c   subscripts, sizes, bounds         condition.c of ifs, loops and assumes
 *     loop.c     for                               value.c    expressions
 *     operator.c operators of values, ?:           where.c    conditions inside values
 *     select.c   choices, of values already read   extremum.c fmax, fmin and abs
 *     saturate.c sat_int8 and its like             unsigned.c values that leave their types
 *     block.c    blocks, ifs, ranges, assumes      stmt.c     a statement's domain and record
 *     range.c    ranges from arrays                position.c argmax, argmin
 *     assign.c   from an assignment to statements  pragma.c   `#pragma squall`
 *     choice.c   ifs that depend on values         foreign.c  pragmas of compilers
 *     expansion.c how much macros expand to        report_storage.c words before variables
 *     declared.c attributes, storage, names        extent.c   limits on all of it
 *     control.c  while, break and the like         signature.c the order of the function's parameters
 *     aligned.c  where arrays begin                clamped.c  subscripts that are choices
 *     flow.c     what the sides of an if assign    scop_null.c pointers that may be NULL, in regions
 *     classify.c isnan, isinf and isfinite        elements.c  assumes about the elements of arrays
 *     prepacked.c arrays that are packed once     names.c    names of functions */
#ifndef SQ_FRONTEND_BUILD_H
#define SQ_FRONTEND_BUILD_H
#include "frontend/clang.h"
#include "frontend/frontend.h"

enum { SQ_MAX_VARS = 48, SQ_MAX_DEPTH = 12, SQ_MAX_REDUCTIONS = 8, SQ_MAX_DIM = 16, SQ_MOST_CLAMPED = 8 };

/* An idx or a loop variable: one dimension of the universe. */
typedef struct sq_var {
    CXCursor decl;
    const char *name;
    bool is_loop;     /* of a for; else an idx */
    bool own_for;     /* declared in the for */
    bool failed;      /* its range(…) was refused */
    bool active;      /* the loop around the text being read, or an idx with a range in force */
    isl_aff *lo, *hi; /* half open, of an idx with a range in one piece; NULL otherwise */
    isl_set *within;  /* where its dimension lies, over the universe; NULL when not active */
    isl_aff *value; /* of a loop that does not count up by one: what the name means, in terms of its
                       dimension, which does; NULL: the dimension itself. Both are the builder's */
    sq_loc loc;     /* of the declaration */
    sq_loc range;   /* of range(…) or the for */
} sq_var;

/* Another declaration of a variable: loops side by side that each declare an i share one. */
typedef struct sq_var_alias {
    struct sq_var_alias *next;
    CXCursor decl;
    int var;
} sq_var_alias;

/* NONE: its declaration was refused; uses of it fail without another message. */
typedef enum sq_symbol_kind {
    SQ_SYM_NONE,
    SQ_SYM_SIZE,
    SQ_SYM_SCALAR,
    SQ_SYM_ARRAY,
    SQ_SYM_FORM /* a const integer: an affine form */
} sq_symbol_kind;

typedef struct sq_symbol {
    struct sq_symbol *next;
    CXCursor decl;
    sq_symbol_kind kind;
    bool shape; /* an integer parameter that affine text mentions */
    bool is_const, is_inout;
    bool is_used; /* of a parameter, once all is read: something mentions it */
    sq_size *size;
    sq_scalar *scalar;
    sq_array *array;
    isl_aff **extent;           /* of an array, over the universe */
    bool open;                  /* its first extent is what its accesses reach */
    isl_pw_aff *most;           /* of such: the greatest subscript that a value says; or NULL */
    const struct sq_flat *flat; /* shape behind one subscript, or NULL */
    isl_aff *form;              /* over the universe, the builder's */
    int64_t
        by; /* of a size: what each turn of the outermost loop around its name adds to it; or 0 */
    bool is_ahead; /* what adds it stands before the text being read */
} sq_symbol;

/* A reduction met while reading an expression. */
typedef struct sq_reduction {
    sq_op op;
    sq_type type;
    sq_expr *body;
    bool position;                  /* argmax, argmin: not the value but where it is */
    uint64_t listed;                /* bit per variable; 0: none listed */
    int nlisted, order[SQ_MAX_DIM]; /* the same in the order written */
    sq_loc loc;
} sq_reduction;

/* An expression as read, over the universe. Nodes SQ_OP_REDUCED say in `integer` which reduction.
 */
typedef struct sq_reading {
    sq_expr *value;
    int nreductions;
    sq_reduction reduction[SQ_MAX_REDUCTIONS];
    bool inside; /* a reduction: none may stand in another */
} sq_reading;

/* An isl object in the hands of the builder: freed at the end unless it became part of a statement.
 */
typedef struct sq_owned {
    struct sq_owned *next;
    sq_access *access;
    sq_expr *index;
    isl_aff *aff;
    isl_set *set;
} sq_owned;

/* A division in a subscript: right as isl has it where its numerator is not negative. */
typedef struct sq_floor {
    struct sq_floor *next;
    isl_aff *numerator; /* over the universe */
    isl_set *where;     /* instances that evaluate it; NULL: all */
    sq_loc loc;
} sq_floor;

/* Where the condition of a loop would leave a type's range. */
typedef struct sq_wrap {
    struct sq_wrap *next;
    isl_set *where; /* over the universe */
    CXCursor at;
    sq_type type;
} sq_wrap;

/* An if of a region whose condition depends on values: what is assigned under it is chosen by it. */
typedef struct sq_choice {
    struct sq_choice *outer;
    const sq_expr *condition;
    const sq_expr *where; /* the condition as written, where a temporary holds its value */
    bool holds;    /* the text being read is under the if; else under its else */
    bool is_window; /* of indices, where few instances fail: these add nothing to a sum */
    bool is_stale; /* something under it has changed what the condition reads: nothing may follow */
    sq_loc loc;
} sq_choice;

/* A scalar whose next assignment finds a value that nothing reads: where `under` and the ifs inside of it are reached;
 * NULL: anywhere. */
typedef struct sq_dead {
    CXCursor decl;
    const sq_choice *under;
} sq_dead;

/* What an affine form is read for. */
typedef enum sq_affine_of {
    SQ_AFFINE_SUBSCRIPT,
    SQ_AFFINE_EXTENT, /* of an array */
    SQ_AFFINE_RANGE,
    SQ_AFFINE_CONDITION,
    SQ_AFFINE_START, /* of a loop */
    SQ_AFFINE_STEP,
    SQ_AFFINE_END,
    SQ_AFFINE_VALUE
} sq_affine_of;

typedef struct sq_builder {
    sq_reader r; /* first member */
    sq_owned *owned;
    const sq_parse_options *o;
    sq_kernel *k;
    CXCursor function;
    struct sq_scop *scop; /* a region of ordinary C is read; NULL: a kernel */
    int nvars;
    sq_var var[SQ_MAX_VARS];
    sq_var_alias *aliases;
    sq_floor *floors; /* of the assignment being read, not yet proven */
    sq_wrap *wraps;   /* of the loop's condition being read, not yet settled */
    sq_symbol *symbols;
    isl_space *universe;     /* set space */
    sq_affine_of affine_of;  /* what is being read */
    /* whether what was refused last is a product or a quotient, whatever values it has */
    enum { SQ_NO_ARITHMETIC, SQ_PRODUCT, SQ_QUOTIENT } arithmetic;
    /* what is being read counts modulo 2^64, and becomes a number that int64_t holds: what goes on at
     * the other end on the way has come back by then */
    bool is_modular;
    /* Around the text being read: loops outer to inner, conditions of ifs. */
    int nloops;
    int loop[SQ_MAX_DEPTH];
    isl_set *guard;    /* over the universe; NULL when there is no if */
    sq_loc guard_loc;  /* of the innermost one */
    sq_choice *choice; /* the innermost one around the text being read; or NULL */
    isl_set *where;    /* of the value being read: instances that evaluate it; or NULL */
    int ndead; /* flow.c */
    sq_dead dead[16];
    int nclamped; /* choices of the subscript in hand whose side is taken: clamped.c */
    bool follows_names; /* a subscript that is a value is read: names in it are what they stand for */
    struct {
        CXCursor at;
        bool holds;
    } clamped[SQ_MOST_CLAMPED];
    int nconditions;   /* that it stands under */
    int counter[SQ_MAX_DEPTH + 1]; /* textual position in each open block */
    bool sole;                     /* the outermost loop holds nothing but one assignment */
    int max_depth;                 /* of written statements */
    bool is_full;                  /* one statement too many was read: the others are not */
    bool is_packed;                /* the form of the kernel that takes packed arrays */
    bool is_hurt;                  /* clang has errors in some assignments, which are left out */
    bool is_known;  /* all that was declared and assumed so far has been read without an error */
    sq_loc reading; /* the condition or assignment at which isl gave up, or the last one read */
} sq_builder;

/* parse.c: an error about a part of the text. Return -1 so that `return sq_refuse(…)` reads well.
 */
int sq_refuse(sq_builder *b, CXCursor at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The text at c is read now: where a limit on isl's work is reached, this is what the error names. */
void sq_builder_at(sq_builder *b, CXCursor c);

/* extent.c: -1 after adding an error where the tree below root has more operands or levels than the
 * limits allow. */
int sq_extent_check(sq_builder *b, CXCursor root);

/* parse.c: exactly one of the three. */
void sq_builder_own(sq_builder *b, sq_access *access, sq_expr *index, isl_aff *aff);
isl_set *sq_builder_own_set(sq_builder *b, isl_set *set);

/* declared.c: what stands around names. Each -1 after adding an error. */
/* The kernel's name, attributes, storage, form. */
int sq_declared_function(sq_builder *b);
/* The same of a parameter, a temporary, an index. */
int sq_declared_variable(sq_builder *b, CXCursor decl);
/* volatile and _Atomic alone, of the number itself or of the elements, and a cleanup in a region: refused. */
int sq_declared_qualifiers(sq_builder *b, CXCursor decl);
/* Its name alone: one that the emitted text cannot have is refused. */
int sq_declared_name(sq_builder *b, CXCursor decl);
/* Warns of parameters that nothing mentions. */
void sq_declared_unused(sq_builder *b);
/* True if an expression or a statement mentions a variable. */
bool sq_declared_mentions(const sq_builder *b, CXCursor c, CXCursor decl);

/* symbols.c */
/* Variables, parameters, sizes; -1 after adding errors. */
int sq_symbols_declare(sq_builder *b);
/* True if it is a name of the C library, which no function of the emitted text can have. */
bool sq_name_reserved(const char *name);
int sq_symbols_local(sq_builder *b, CXCursor decl);
/* A const integer that is an affine form; takes it. */
int sq_symbols_form(sq_builder *b, CXCursor decl, isl_aff *form);
/* What a region needs of them one by one: a symbol of no kind yet; indices and sizes of a
 * statement; a size or scalar; the universe once all sizes are known; an array. */
sq_symbol *sq_symbol_add(sq_builder *b, CXCursor decl);
/* Makes it a size, a constant where --fix says so. */
int sq_symbol_size(sq_builder *b, sq_symbol *s, const sq_size *size);
int sq_symbols_scan(sq_builder *b, CXCursor c);
int sq_symbol_number(sq_builder *b, sq_symbol *s);
void sq_symbols_universe(sq_builder *b);
void sq_symbol_array(sq_builder *b, sq_symbol *s, const char *name, sq_type type);
sq_symbol *sq_symbol_find(const sq_builder *b, CXCursor decl);
int sq_var_find(const sq_builder *b, CXCursor decl);
/* Adds a temporary with the shape of another array (NULL: a scalar). */
sq_symbol *sq_symbol_temporary(sq_builder *b, const char *stem, sq_type type,
                               const sq_symbol *shape, sq_loc loc);
/* Of a C type; -1 when it is none of ours. */
int sq_type_read(const sq_builder *b, CXType t);
/* "f32, f64, int32_t and int64_t" */
const char *sq_type_names(const sq_builder *b);

/* affine.c: all over the universe; NULL after adding an error. */
/* A subscript: one expression. What it divides is noted in `floors`. */
isl_aff *sq_affine_read(sq_builder *b, CXCursor c);
/* The size of an array: what it divides is taken not to be negative. */
isl_aff *sq_affine_size(sq_builder *b, CXCursor c);
/* A bound or a side of a condition: C's meaning, in pieces where need be. */
isl_pw_aff *sq_piecewise_read(sq_builder *b, CXCursor c);
isl_aff *sq_affine_constant(const sq_builder *b, int64_t value);
/* The value of an enumerator, or of a const variable with a constant value, of uint64_t as the
 * int64_t with its bits; false of other declarations. */
bool sq_integer_constant(const sq_builder *b, CXCursor decl, int64_t *value);
bool sq_affine_involves(const sq_builder *b, isl_aff *a, int var);
uint64_t sq_affine_vars(const sq_builder *b, isl_aff *a);
/* The variable that a is, exactly; -1 if it is anything else. */
int sq_affine_bare(const sq_builder *b, isl_aff *a);
isl_aff *sq_affine_zero(const sq_builder *b);
isl_aff *sq_affine_of_var(const sq_builder *b, int var);
/* True if the form is one number everywhere; sets *value then, and leaves it alone if not. Keeps it. */
bool sq_affine_is_number(isl_pw_aff *form, int64_t *value);
/* True if no factor of a variable or of a size, or no constant, is above 2^bits. */
bool sq_affine_factors_fit(isl_pw_aff *form, int bits);
bool sq_affine_constant_fits(isl_aff *form, int bits);
/* The one expression that it is for all sizes that are possible, wherever it is defined; NULL: there are several. Takes
 * it. */
isl_aff *sq_affine_sole(const sq_builder *b, isl_pw_aff *form);
/* "V - 1"; NULL: it has variables or quotients. */
const char *sq_affine_text(const sq_builder *b, isl_aff *a);
/* Takes a set over the universe that says nothing of variables, adds it to what is known of the
 * sizes. */
void sq_context_add(sq_builder *b, isl_set *set);
/* The same, as a promise: the shapes of arrays do not demand it. */
void sq_context_assume(sq_builder *b, isl_set *set);

/* unsigned.c: values that leave the range of their C type, and go on at its other end, are no
 * affine forms. Those of the condition of a loop that is being read are settled when its turns are
 * known.
 */
/* Sizes of a region: of an unsigned type, not negative. */
void sq_unsigned_sizes(sq_builder *b);
/* What is read from c stays in the range of its type; a region keeps only sizes for which it does.
 * Takes the value and gives it back; NULL after adding an error. */
isl_pw_aff *sq_unsigned_form(sq_builder *b, CXCursor c, isl_pw_aff *value);
/* The same of a cast in a region and the value before it. */
isl_pw_aff *sq_unsigned_cast(sq_builder *b, CXCursor c, isl_pw_aff *value);
/* True if c is to be read with is_modular, given that of the text around it. */
bool sq_unsigned_modular(const sq_builder *b, CXCursor c);
/* True if the value stays in the type's range at all sizes. Keeps the value; adds no error. */
bool sq_unsigned_keeps(const sq_builder *b, isl_pw_aff *value, sq_type t);
/* The condition of the variable's loop is evaluated at these instances; takes the set. -1 after an
 * error. NULL: the loop is refused, nothing of it counts. */
int sq_unsigned_settle(sq_builder *b, int var, isl_set *evaluated);
/* A region is for sizes alone for which there are no such instances, if these are not too few; then
 * 0. Takes the set; where it says 1, and in a description, *sizes becomes an example of those it
 * would have to exclude, "N=-1", which may be "". */
int sq_sizes_exclude(sq_builder *b, isl_set *bad, const char **sizes);
/* What is left of a set where sizes are what their types hold: an int is at most INT32_MAX. Takes it. */
isl_set *sq_sizes_of_types(const sq_builder *b, isl_set *set);
/* The instances that the loops and ifs around what is being read, and what is known of sizes, leave
 * of a set. Takes it. */
isl_set *sq_known(const sq_builder *b, isl_set *set);

/* value.c */
sq_expr *sq_value_read(sq_builder *b, CXCursor c, sq_reading *into);
/* extremum.c: fmax, fmin and abs of C's library: how many arguments, 0 of any other name; their value. */
int sq_extremum_args(const char *name);
sq_expr *sq_extremum(sq_builder *b, const char *name, sq_expr *const *arg, sq_loc loc);
/* abs takes int: another value C would convert, to less than it was; false after saying so. */
bool sq_extremum_takes(sq_builder *b, CXCursor call, const char *name);
/* rounding.c: round, trunc, rint and their like: true of their names; their value, NULL of NULL. */
bool sq_rounds(const char *name);
sq_expr *sq_round(sq_builder *b, const char *name, sq_expr *x);
/* instead.c: what to write instead of a function of <math.h>; NULL: nothing that can be said here. */
const char *sq_instead_of(const char *name);
/* Adds, below the refusal of a quotient by a parameter, that --fix makes one a constant. */
void sq_instead_fix(sq_builder *b, CXCursor c);
/* The same of a product of a parameter and a sum, (r - 1)*dilation; false: it is another one. */
bool sq_instead_fix_factor(sq_builder *b, CXCursor c);
/* Refuses i[a], which C takes for a[i]; false: c is none. */
bool sq_instead_turned(sq_builder *b, CXCursor c);
/* classify.c: isnan, isinf and isfinite: true of their names; their value, NULL of NULL. */
bool sq_classifies(const char *name);
sq_expr *sq_classify(sq_builder *b, const char *name, sq_expr *x);
/* A number; of a floating type `real`, else `integer`. */
sq_expr *sq_expr_constant(sq_builder *b, sq_type type, double real, int64_t integer, sq_loc loc);
/* An array element (a chain of subscripts, or a local scalar). */
sq_access *sq_access_read(sq_builder *b, CXCursor c, sq_symbol **symbol);
sq_expr *sq_expr_new(sq_builder *b, sq_op op, sq_type type, sq_loc loc);
sq_expr *sq_expr_binary(sq_builder *b, sq_op op, sq_expr *x, sq_expr *y, sq_loc loc);
sq_expr *sq_expr_read(sq_builder *b, const sq_access *a, sq_loc loc);
sq_expr *sq_expr_cast(sq_builder *b, sq_type type, sq_expr *e);
/* With accesses and indices of its own. */
sq_expr *sq_expr_copy(sq_builder *b, const sq_expr *e);
/* Variables that an expression mentions, as bits. */
uint64_t sq_expr_vars(const sq_builder *b, sq_expr *e);

/* select.c: a node of the operator's number of arguments. */
sq_expr *sq_expr_made(sq_builder *b, sq_loc loc, sq_op op, sq_type type, sq_expr *const *arg);
/* A value as a condition: that it is not 0. NULL stays NULL. */
sq_expr *sq_expr_condition(sq_builder *b, sq_expr *e);
/* operator.c: the text of a condition as one. NULL after adding an error. */
sq_expr *sq_condition_value(sq_builder *b, CXCursor c, sq_reading *into);
/* condition ? x : y, or the greater or lesser one where it is that in every bit. */
sq_expr *sq_expr_choice(sq_builder *b, sq_expr *condition, sq_expr *x, sq_expr *y, sq_loc loc);
/* A minimum or maximum of integers that C widened, converted to a type that has both: the minimum or maximum in that
 * type, uint8_t m = v < m ? v : m. NULL: e is none. */
sq_expr *sq_expr_narrow_extreme(sq_builder *b, sq_type type, const sq_expr *e);
/* operator.c: unary, binary and conditional operators. */
sq_expr *sq_operator_read(sq_builder *b, CXCursor c, sq_reading *into);

/* f16 and bf16 are only stored: their values are f32 wherever they stand. NULL stays NULL. */
sq_expr *sq_expr_promoted(sq_builder *b, sq_expr *e);
/* A constant that clang evaluates: a literal, what macros like INFINITY expand to. NULL, without an
 * error, of anything else. */
sq_expr *sq_number_read(sq_builder *b, CXCursor c);
/* A[i][j], as what the array holds; subscripts that are values are moved into its bounds with SQ_EDGE_CLAMP. NULL
 * after adding an error. */
/* clamped.c: an element that is read; its subscripts may choose by conditions of indices and sizes. */
sq_expr *sq_clamped_read(sq_builder *b, CXCursor c);
/* clamped_edge.c: true if what A[i][j] chooses is what clampedge does; the sides are taken then, and the access gets
 * the bits of what stays in bounds. */
bool sq_clamped_at_edge(sq_builder *b, CXCursor c, sq_access *a);
/* builder.c: true if one side of a choice is taken; which. */
bool sq_clamped_side(const sq_builder *b, CXCursor choice, bool *holds);
/* The same of a rest x % n whose n is a size: it is x, x - n or x - 2*n. Returns how often n is taken away, -1: that is
 * not known. */
enum { SQ_MOST_TURNS = 2 };
int sq_clamped_turns(const sq_builder *b, CXCursor rest);
sq_expr *sq_element_read(sq_builder *b, CXCursor c, sq_edge edge);

/* scop_meaning.c: true if the subscript reads an element, by its name or that of a variable of the region. */
bool sq_indirect_is(const sq_builder *b, CXCursor c);
/* indirect.c: subscripts that are values, T[X[i]]. */
#define SQ_HELP_REAL_SUBSCRIPT \
    "store the integers in an array before the region, k[i] = (int)x[i];, and read a[k[i] & 1023] in it"
/* The value of such a subscript in dimension d of an array, of int64_t, proven in bounds or with SQ_EDGE_CLAMP moved
 * there, and `beside`, if it is not NULL, added to it; NULL after adding an error. */
sq_expr *sq_indirect_read(sq_builder *b, CXCursor c, sq_symbol *s, int d, sq_edge edge,
                          isl_aff *beside /* __isl_keep */);
/* What a variable of the region stands for, where its value is a part of such a subscript; NULL after an error. */
sq_expr *sq_indirect_name(sq_builder *b, const sq_symbol *s, CXCursor value);
/* Once all statements are known: -1 after adding an error where one writes what such a subscript depends on. */
int sq_indirect_settle(sq_builder *b);

/* elements.c: what assumes say of all elements of an array. */
/* True if it compares something that reads an element. */
bool sq_elements_is(sq_builder *b, CXCursor c);
/* Such a comparison in an assume; -1 after adding an error. */
int sq_elements_assume(sq_builder *b, CXCursor c);
/* Once all is read: the sizes at which arrays could have no such elements are not accepted. */
void sq_elements_settle(sq_builder *b);

/* Once times have the kernel's length: gives scalars that are set anew where they are used again a temporary for each
 * use. */
void sq_webs_settle(sq_builder *b);
/* Then replaces scalars that hold sums over elements of an array by the element of it that they are stored to. */
void sq_accumulators_settle(sq_kernel *k);

/* edge.c: calls of pad and clampedge; NULL after adding an error. */
sq_expr *sq_pad_read(sq_builder *b, CXCursor c);
sq_expr *sq_clampedge_read(sq_builder *b, CXCursor c);

/* saturate.c: the type that sat_int8 and its like give; -1 for other names. */
int sq_saturate_type(const char *name);
/* The nearest value of an integer type. NULL stays NULL. */
sq_expr *sq_saturate(sq_builder *b, sq_expr *x, sq_type to);

/* where.c: from here on values are read that are evaluated where the condition holds, or where it
 * does not; what to give back to leave. */
isl_set *sq_where_enter(sq_builder *b, const sq_expr *condition, bool holds);
void sq_where_leave(sq_builder *b, isl_set *outer);

/* stmt.c: what a statement is before it gets its place; makes the record, adds it to the kernel. */
typedef struct sq_draft {
    int nfree, ndim;
    int dim[SQ_MAX_DIM];     /* variables: free ones, then those of the reduction */
    isl_aff *hi[SQ_MAX_DIM]; /* inferred range 0..hi, borrowed; NULL: the variable's own */
    sq_op reduce;
    bool keeps_old; /* as in sq_stmt */
    sq_expr *body, *value;
    sq_access *write;
    const sq_symbol *target;
    bool written;
    bool loops_only; /* an update in C loops: where these do nothing, it does nothing */
    bool maybe;      /* the write is made where its value is another one than the element's own */
    bool crowded;    /* more than SQ_MAX_DIM dimensions were wanted */
    sq_loc loc;
} sq_draft;
int sq_stmt_add(sq_builder *b, const sq_draft *s);
/* Forgets the divisions of an assignment that has become statements. */
void sq_floors_forget(sq_builder *b);

/* range.c: the range of dimension d of the draft, from where it stands alone: in the write if it is
 * free, in the body if reduced. Sets hi[d] where the variable has no range of its own; -1 after an
 * error. */
int sq_range_infer(sq_builder *b, sq_draft *s, int d);

/* position.c: argmax and argmin. */
/* Makes the reduction the least position whose value, `body`, equals `best`: `s` is the draft that
 * computed that. -1 after an error. */
int sq_position_lower(sq_builder *b, const sq_draft *s, sq_reduction *r, sq_expr *body,
                      sq_expr *best);
/* What argmax(…) is in the value around it: the position as int32_t, -1 where there is none. */
sq_expr *sq_position_result(sq_builder *b, sq_expr *reduced);

/* assign.c: `left op= right`; also from a declaration with an initial value (left: the VarDecl). */
int sq_assign_read(sq_builder *b, CXCursor c);
/* True if `x = y = e` writes more than x. */
bool sq_assign_is_chain(const sq_builder *b, CXCursor c);
/* if (c) x = …; else x = …; as one assignment. 1: it is not of that form, and nothing was read. */
int sq_assign_either(sq_builder *b, const sq_choice *c, CXCursor yes, CXCursor no);
/* `x++`, `--x`. */
int sq_assign_step(sq_builder *b, CXCursor c);
/* The initial value of a declaration's element (of a scalar: at is ignored); 0 if value is null. */
int sq_assign_initial(sq_builder *b, CXCursor decl, CXCursor value, const int64_t *at);
/* The value in a temporary of its own: reads that. NULL after adding an error. */
sq_expr *sq_assign_held(sq_builder *b, const char *stem, sq_expr *value, const sq_reading *in);

/* condition.c: over the universe; NULL after adding an error. */
isl_set *sq_condition_read(sq_builder *b, CXCursor c);
/* True of comparisons, and of what && or || joins. */
bool sq_condition_is(const sq_builder *b, CXCursor c);

/* scop_null.c: true if c, in a region, asks whether a pointer from outside is NULL; *given: it holds
 * where it is not. */
bool sq_null_asked(const sq_builder *b, CXCursor c, CXCursor *decl, bool *given);
/* Where that holds, and as a value; NULL, without an error: c asks nothing of the kind. */
isl_set *sq_null_condition(sq_builder *b, CXCursor c);
sq_expr *sq_null_value(sq_builder *b, CXCursor c);

/* loop.c: opens a for (its variable is active, the innermost of `loop`) and closes it again. -1
 * after an error. */
int sq_loop_open(sq_builder *b, CXCursor c, CXCursor *body);
void sq_loop_close(sq_builder *b);

/* where.c: an expression of indices and sizes; NULL, without an error, if it is none. */
isl_pw_aff *sq_expr_affine(sq_builder *b, const sq_expr *e);

/* choice.c: the value where all choices around it let it be assigned, `other` elsewhere; where `dead` says that nothing
 * reads that, 0 (NULL: it may be read). Both keep what they are for others. */
sq_expr *sq_choice_value(sq_builder *b, sq_expr *value, const sq_expr *other, const sq_dead *dead);
/* An assignment to the array was read: conditions that read it say something else from here on. */
void sq_choice_assigned(sq_builder *b, const sq_array *array);
/* True if the statement adds to a scalar, and the set, where the condition around it holds, is all but a few points of
 * a window: `if (x + k >= 0 && x + k < w) sum += …` then adds 0 at these, and its loops stay a product of ranges. */
bool sq_choice_is_window(sq_builder *b, CXCursor side, isl_set *holds);
/* How a condition that depends on values is written instead. */
void sq_choice_help(sq_builder *b);

/* flow.c: of the sides of an if whose condition depends on values. Adds the scalars whose values before this side are
 * dead: it assigns each before it reads it, and so does the other side (NULL: there is none), or nothing else in the
 * region mentions the scalar. `choice` is the if. */
void sq_flow_find_dead(sq_builder *b, CXCursor side, const CXCursor *other, const sq_choice *choice);
/* The same of the scalars that are declared in this block and that it assigns before it reads them. */
void sq_flow_declared(sq_builder *b, CXCursor block);
/* NULL: what the scalar holds may be read. */
const sq_dead *sq_flow_dead(const sq_builder *b, CXCursor decl);
/* It was assigned. */
void sq_flow_revive(sq_builder *b, CXCursor decl);
/* True if the condition reads the array. */
bool sq_flow_reads(const sq_expr *condition, const sq_array *array);
/* True if an assignment on these sides changes what the condition reads, and another one follows. */
bool sq_flow_spoils(const sq_builder *b, const sq_expr *condition, const CXCursor *side, int n);

/* control.c: what a statement is to who has written it: "a while loop". */
const char *sq_control_name(CXCursor c);
/* The same of what stands in a value. */
const char *sq_control_value_name(const sq_reader *r, CXCursor c);
/* Statements of C that are none of a kernel. Both return -1. The error, with what is written instead. */
int sq_control_refuse(sq_builder *b, CXCursor c);
/* The same of each that stands in a text which is not read; adds no error where there is none. */
int sq_control_look(sq_builder *b, CXCursor c);

/* block.c: the body of the function. */
int sq_block_read(sq_builder *b, CXCursor body);
/* The statements of a region, which are a part of a block. */
int sq_block_statements(sq_builder *b, const CXCursor *stmt, int n);

/* aligned.c: the bytes that a parameter's aligned_to() promises; *bytes stays 0 without one. bytes NULL: it is no
 * array, and one is refused, as it is of a temporary. */
int sq_aligned_read(sq_builder *b, CXCursor decl, int *bytes);

/* names.c: -1 after an error if a kernel is called as a function that belongs to another one. */
int sq_names_check(const sq_unit *u, sq_diags *d);

/* prepacked.c: true if a parameter of the function is marked. */
bool sq_prepacked_any(const sq_reader *r, CXCursor function);
/* Returns "gemm_packed", of gemm. */
const char *sq_prepacked_name(sq_arena *arena, const char *plain);
/* Notes the mark of an array; s NULL: it is none, and a mark is refused. */
int sq_prepacked_read(sq_builder *b, sq_symbol *s, CXCursor decl);

/* pragma.c: all pragmas of the text, kept until the kernels are known. */
typedef struct sq_pragma {
    sq_loc loc; /* of what follows the word squall; of the first word of another pragma */
    char *text; /* from there; of another pragma the tokens, with a blank between them */
    size_t at;  /* of that, in the file */
    bool told;  /* refused already */
} sq_pragma;
typedef struct sq_pragmas {
    int n, nforeign;
    sq_pragma *p;       /* `#pragma squall …` */
    sq_pragma *foreign; /* others; of those that mark regions there are none */
    int nspans;
    size_t (*span)[2]; /* of the functions of the file, from its first byte to behind its last */
} sq_pragmas;
/* Without a unit of libclang's no line counts as skipped, and no file as included. */
int sq_pragmas_read(sq_reader *r, const char *text, size_t n, sq_pragmas *to);
/* All of these look at those that lie after line `from` and up to line `to`. */
/* The contract they ask for: 1; 0: none. -1 after an error: two that differ. */
int sq_pragmas_fp(sq_reader *r, const sq_pragmas *p, int from, int to, sq_fp *fp);
/* Warns of those behind the last kernel. */
void sq_pragmas_behind(sq_reader *r, const sq_pragmas *p, int last);
/* Fills the kernel's tune rows. */
int sq_pragmas_apply(sq_reader *r, const sq_pragmas *p, sq_kernel *k, int from, int to);
/* True if that is the word behind squall. */
bool sq_pragma_is(const sq_pragma *p, const char *word);
/* The place of n bytes of its text. */
sq_loc sq_pragma_part(const sq_pragma *p, const char *at, size_t n);

/* signature.c: puts the kernel's parameters into the order that a line of those asks for; of a region, whose function
 * nobody else calls, the line is an error. */
int sq_signature_order(sq_reader *r, const sq_pragmas *p, sq_kernel *k, int from, int to, bool is_region);
#endif
