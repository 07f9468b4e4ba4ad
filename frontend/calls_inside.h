/* Calls, inside: what the files that put functions in the place of their calls share.
 *
 *     calls.c       the calls of regions, and the names that stand for them
 *     calls_open.c  whether the text of a function can stand where it is called
 *     calls_kept.c  which of its variables stay variables
 *     calls_body.c  its statements, as text for one call
 *     calls_text.c  its expressions
 *     calls_memory.c  memset and memcpy
 *     turns.c       loops that no for counts */
#ifndef SQ_FRONTEND_CALLS_INSIDE_H
#define SQ_FRONTEND_CALLS_INSIDE_H
#include "frontend/address.h"
#include "frontend/calls.h"
#include "frontend/overlay.h"
#include "frontend/scop_build.h"
#include "support/text.h"

enum { SQ_CALL_DEPTH = 8, SQ_CALL_BYTES = 1 << 15, SQ_CALL_STEPS = 1 << 11 };

/* A name in the place of a call, or of a statement with calls. */
typedef struct sq_call_stand_in {
    size_t from, to;
    const char *name, *text;
    bool is_out; /* its text has errors */
} sq_call_stand_in;

typedef struct sq_call_finder {
    sq_reader *r;
    const char *text;
    int ntop;
    CXCursor *top;
    sq_region_text region;
    CXCursor around; /* the function that has the region */
    int nnames;      /* given out */
    int nsteps;      /* statements of functions that were run */
    int nlocals;
    size_t loop; /* where the innermost loop of the region around what is being read begins; 0: there is none */
    int nstand_ins, stand_in_room;
    sq_call_stand_in *stand_in;
    sq_calls *found;
    int refused_room, inlined_room;
} sq_call_finder;

/* What stands for a variable of a function in one call. The newest one of a variable counts. */
typedef struct sq_call_value {
    CXCursor decl;
    const char *text; /* NULL: it has no value yet */
    const struct sq_call_value *outer;
} sq_call_value;

/* A loop that becomes a for. */
typedef struct sq_turns {
    CXCursor body;
    size_t head_from, head_to, tail_from, tail_to, step_from, step_to; /* the last two pairs 0: there is none */
    const char *head, *tail;
} sq_turns;

/* One call that becomes text; or the region's own statements. */
typedef struct sq_inlining {
    sq_call_finder *f;
    CXCursor function;
    size_t from, to; /* of the function's text; both 0: the region's own statements */
    const struct sq_inlining *caller;
    int depth;
    bool is_void;
    bool writes; /* to memory, or to variables that are not its own */
    int nkept, kept_room;
    CXCursor *kept;  /* variables that stay variables */
    sq_text *before; /* statements before the one that is being read */
    int nwriting; /* calls in it that write */
    bool acts;       /* a statement of it, that is no assert, stands before */
    bool is_sure;    /* what is being read is evaluated once, whenever its statement is */
    const char *why; /* it cannot be text; NULL: it can */
    sq_loc at;
} sq_inlining;

/* Remembers the first reason. Returns NULL. */
const char *sq_inlining_fails(sq_inlining *x, CXCursor c, const char *why);

/* calls.c: the definition, in the file and before the region, of the function that is called; false: there is none. */
bool sq_call_definition(const sq_call_finder *f, CXCursor call, CXCursor *function);
/* True if the statement is an assert(…). */
bool sq_call_is_assert(const sq_call_finder *f, CXCursor c);
/* True if the file, its headers or the compiler have the name. */
bool sq_call_is_taken(const sq_call_finder *f, const char *name);
/* Lists the function with its reason. */
void sq_inlining_refuse(const sq_inlining *x);
/* Lists the function as one that the region has as text. */
void sq_inlining_done(const sq_inlining *x);

/* The end of a statement: what an expression is one with. */
size_t sq_call_with_semicolon(const sq_call_finder *f, size_t to);

/* turns.c: false: the statement is no such loop. */
bool sq_turns_read(const sq_call_finder *f, CXCursor stmt, sq_turns *to);
/* What such a loop calls its variable. */
const char *sq_call_turn_name(const sq_call_finder *f);

/* calls_memory.c: the loop that a memset or memcpy of elements is; NULL: the statement is none, or what it does to
 * elements is not said. */
const char *sq_call_memory(const sq_call_finder *f, CXCursor stmt);

/* calls_body.c: what a call computes, as an expression ("" of a function without a value); its statements go to
 * x->before. NULL, and x->why, where that is no text. */
const char *sq_call_inline(sq_inlining *x, CXCursor call, const sq_call_value *known);

/* calls_open.c: the function's body; false, and x->why, if it can be no text. */
bool sq_call_open(sq_inlining *x, CXCursor *body);

/* calls_kept.c: finds the variables of the function that stay variables, and whether it writes to memory. */
void sq_call_find_kept(sq_inlining *x, CXCursor body);
bool sq_call_is_kept(const sq_inlining *x, CXCursor decl);
/* True of a variable that is a struct of numbers alone: it may be a variable of the region. */
bool sq_call_is_of_numbers(const sq_inlining *x, CXCursor decl);
/* An assignment or a step; its operands. */
bool sq_call_is_writing(const sq_inlining *x, CXCursor c, CXCursor **side, int *n);
/* True if the value may change while memory does. */
bool sq_call_reads_memory(const sq_inlining *x, CXCursor c);
/* The variable, of the function itself, that an operand is. */
bool sq_call_own_variable(const sq_inlining *x, CXCursor c, CXCursor *decl);
/* Its canonical type. */
CXType sq_call_type(const sq_inlining *x, CXCursor c);
/* True of a floating-point type. */
bool sq_call_is_real(CXType t);

/* True if c itself reads memory, or a variable that other functions know. */
bool sq_call_reads_here(const sq_inlining *x, CXCursor c);

/* calls_text.c: the value of a call, and where its text is; NULL after a reason. */
const char *sq_call_value_of(sq_inlining *x, CXCursor call, const sq_call_value *known, size_t *from, size_t *to);
/* The text of an expression, or of any other part of the function, with values for variables. */
const char *sq_call_text(sq_inlining *x, CXCursor c, const sq_call_value *known);
/* The same of a statement, which may write. */
const char *sq_call_statement_text(sq_inlining *x, CXCursor c, const sq_call_value *known);
/* The same from one place to another: what stands for the variables and calls of n cursors in it. */
const char *sq_call_text_of(sq_inlining *x, const CXCursor *c, int n, size_t from, size_t to,
                            const sq_call_value *known);
/* Fails where the function has directives between its lines, or words that say where it is. */
void sq_call_check_text(sq_inlining *x, CXCursor body);
/* The condition of an assert; "" where NDEBUG leaves nothing of it. */
const char *sq_call_assert_text(sq_inlining *x, CXCursor c, const sq_call_value *known);
/* The same of an operand: in parentheses where it is no name, member or number. */
const char *sq_call_atom(const sq_inlining *x, const char *text);
/* The text as a value of the type; NULL after a reason. */
const char *sq_call_cast(sq_inlining *x, CXType type, CXCursor value, const char *text);
/* "(type)(text)" */
const char *sq_call_converted(const sq_inlining *x, CXType type, const char *text);
const sq_call_value *sq_call_find(const sq_call_value *known, const sq_inlining *x, CXCursor decl);
/* True if the variable is one of the function itself. */
bool sq_call_is_own(const sq_inlining *x, CXCursor decl);
/* The variable of a name; false for any other expression. */
bool sq_call_variable(const sq_inlining *x, CXCursor c, CXCursor *decl);
#endif
