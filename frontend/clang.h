/* Clang: the one door to libclang. It is loaded when the first description is read, not before, so
 * that subcommands that read none do not pay its 17 ms; nothing is linked. Only the functions in
 * the table below are used.
 * The helpers hand out arena strings, child lists and source places instead of libclang's own. */
#ifndef SQ_FRONTEND_CLANG_H
#define SQ_FRONTEND_CLANG_H
#include "support/arena.h"
#include "support/diag.h"
#include <clang-c/Index.h>
#include <stdbool.h>

/* clang-format off */
#define SQ_CLANG_FUNCTIONS(X) \
    X(clang_createIndex) X(clang_Cursor_isNull) X(clang_disposeIndex) X(clang_parseTranslationUnit2) \
    X(clang_disposeTranslationUnit) X(clang_getTranslationUnitCursor) X(clang_visitChildren) \
    X(clang_getNumDiagnostics) X(clang_getDiagnostic) X(clang_disposeDiagnostic) \
    X(clang_getDiagnosticSeverity) X(clang_getDiagnosticSpelling) X(clang_getDiagnosticLocation) \
    X(clang_getDiagnosticOption) X(clang_getDiagnosticNumRanges) X(clang_getDiagnosticRange) \
    X(clang_getChildDiagnostics) X(clang_getNumDiagnosticsInSet) X(clang_getDiagnosticInSet) \
    X(clang_getCString) X(clang_disposeString) X(clang_getCursorSpelling) X(clang_getCursorType) \
    X(clang_getCursorExtent) X(clang_getCursorReferenced) X(clang_getCursorBinaryOperatorKind) \
    X(clang_getCursorUnaryOperatorKind) X(clang_getCanonicalType) X(clang_getTypeSpelling) \
    X(clang_getArrayElementType) X(clang_isConstQualifiedType) X(clang_getEnumConstantDeclValue) \
    X(clang_Cursor_Evaluate) X(clang_EvalResult_getKind) X(clang_EvalResult_getAsDouble) \
    X(clang_EvalResult_getAsLongLong) X(clang_EvalResult_dispose) X(clang_equalCursors) \
    X(clang_getRangeStart) X(clang_getRangeEnd) X(clang_getFileLocation) X(clang_getFileName) \
    X(clang_getFileContents) X(clang_getInclusions) X(clang_Cursor_getNumArguments) \
    X(clang_Cursor_getArgument) X(clang_isCursorDefinition) X(clang_Type_getSizeOf) \
    X(clang_getNullCursor) X(clang_getCursorLocation) X(clang_getSkippedRanges) \
    X(clang_disposeSourceRangeList) X(clang_getFile) X(clang_getPointeeType) \
    X(clang_getArraySize) X(clang_isRestrictQualifiedType) X(clang_isVolatileQualifiedType) \
    X(clang_Cursor_getStorageClass) X(clang_Location_isInSystemHeader)
/* clang-format on */

typedef struct sq_clang {
#define X(f) __typeof__(&f) f;
    SQ_CLANG_FUNCTIONS(X)
#undef X
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
    const char *known[16]; /* files whose text the diagnostics have */
    int nknown;
} sq_reader;

/* Takes the string. */
char *sq_clang_string(const sq_reader *r, CXString s);
char *sq_cursor_spelling(const sq_reader *r, CXCursor c);
/* Children in order, *n of them. */
CXCursor *sq_cursor_children(const sq_reader *r, CXCursor c, int *n);
/* Does a cast to an integer keep every value of its operand, by their widths: also the sign is
 * looked at by whoever asks. */
bool sq_cast_keeps(const sq_reader *r, CXCursor cast, CXCursor operand);
/* Without parentheses and nodes libclang does not name (implicit casts among them). */
CXCursor sq_cursor_strip(const sq_reader *r, CXCursor c);
bool sq_cursor_is_expression(CXCursor c);
/* Where it stands in the text; registers the file's text with the diagnostics. */
sq_loc sq_cursor_loc(sq_reader *r, CXCursor c);
sq_loc sq_range_loc(sq_reader *r, CXSourceRange range);
sq_loc sq_place_loc(sq_reader *r, CXSourceLocation place);

/* Name under which the built-in prelude is served. */
#define SQ_PRELUDE_DIR "/squall-prelude"
#endif
