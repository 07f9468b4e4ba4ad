/* Clang: the one way to libclang. It is loaded when the first description is read, not before, so
 * that subcommands that read none do not pay its 17 ms; nothing is linked, and no
 * header of its is needed (clang_api.h).
 * The helpers hand out arena strings, child lists and source places instead of libclang's own. */
#ifndef SQ_FRONTEND_CLANG_H
#define SQ_FRONTEND_CLANG_H
#include "frontend/clang_api.h"
#include "support/arena.h"
#include "support/diag.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct sq_clang {
#define SQ_CLANG_FUNCTION(result, name, ...) result (*name)(__VA_ARGS__);
#include "frontend/clang_api.def"
#undef SQ_CLANG_FUNCTION
} sq_clang;

/* The table, loaded on the first call; NULL after adding an error that says what was tried. */
const sq_clang *sq_clang_load(sq_diags *d);

/* What most helpers need: the table, where strings go, the unit. */
typedef struct sq_reader {
    const sq_clang *cl;
    sq_arena *arena;
    sq_diags *d;
    CXTranslationUnit unit;
    const char *path;      /* of the description, as given */
    const char *known[64]; /* files whose text the diagnostics have */
    int nknown;
    const struct sq_calls *calls;     /* of the file's own functions (calls.h); or NULL */
    const struct sq_members *members; /* that stand in the text as variables (members.h); or NULL */
    bool broken; /* some kernels have errors that clang found: the others are read all the same */
} sq_reader;

/* Takes the string. */
char *sq_clang_string(const sq_reader *r, CXString s);
char *sq_cursor_spelling(const sq_reader *r, CXCursor c);
/* Children in order, *n of them. */
CXCursor *sq_cursor_children(const sq_reader *r, CXCursor c, int *n);
bool sq_cursor_same(const sq_reader *r, CXCursor a, CXCursor b);
/* True if an integer type of the cast's width holds every value of its operand; the caller checks
 * the sign. */
bool sq_cast_keeps(const sq_reader *r, CXCursor cast, CXCursor operand);
/* Without parentheses and nodes libclang does not name (implicit casts among them). */
CXCursor sq_cursor_strip(const sq_reader *r, CXCursor c);
bool sq_cursor_is_expression(CXCursor c);
bool sq_cursor_is_comma(const sq_reader *r, CXCursor c);
/* True if c is such an operator, as in *p or &v. */
bool sq_cursor_is_unary(const sq_reader *r, CXCursor c, enum CXUnaryOperatorKind kind);
/* True of x = y alone, not of x += y. */
bool sq_cursor_is_assignment(const sq_reader *r, CXCursor c);
/* True if c itself gives its first child a value: by =, by += and the like, by ++ or by --. */
bool sq_cursor_assigns(const sq_reader *r, CXCursor c);
/* True if the only child of a node without a name stands where the node does, as that of an implicit cast:
 * others hold more than what libclang shows, such as a ?: b, of which that is b alone. */
bool sq_cursor_covers(const sq_reader *r, CXCursor child, CXCursor c);
/* The initial value of a variable; false if it has none. What stands in typeof(…) is none. */
bool sq_cursor_initial(const sq_reader *r, CXCursor decl, CXCursor *value);
/* What the compiler computes of a declaration or an expression, if that is an integer. */
bool sq_cursor_evaluated(const sq_reader *r, CXCursor c, int64_t *value);
/* Where it stands in the text; registers the file's text with the diagnostics. */
sq_loc sq_cursor_loc(sq_reader *r, CXCursor c);
sq_loc sq_range_loc(sq_reader *r, CXSourceRange range);
sq_loc sq_place_loc(sq_reader *r, CXSourceLocation place);

/* Name under which the built-in prelude is served. */
#define SQ_PRELUDE_DIR "/squall-prelude"
#endif
