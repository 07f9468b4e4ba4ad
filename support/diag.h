/* Diagnostics: what went wrong, where, and whose fault it is. Library code adds to a list and
 * returns -1 or NULL; only cli/ prints the list and turns it into an exit code. */
#ifndef SQ_SUPPORT_DIAG_H
#define SQ_SUPPORT_DIAG_H
#include <stddef.h>
#include <stdio.h>

/* A range of source text. line and col count from 1; line 0 means "no place", len 0 "one place".
 * file lives as long as the diagnostics list. */
typedef struct sq_loc {
    const char *file;
    int line, col, len;
} sq_loc;

#define SQ_NOWHERE ((sq_loc){0})

/* Whose fault, and with it the exit code of the process. */
typedef enum sq_fault {
    SQ_FAULT_NONE = 0,
    SQ_FAULT_INPUT = 1,   /* the description, script or file given is wrong */
    SQ_FAULT_REFUSED = 2, /* legal input, but the transform asked for is not */
    SQ_FAULT_WORLD = 3,   /* file, compiler, database */
    SQ_FAULT_NEWER = 63,  /* input asks for a newer tool */
    SQ_FAULT_USAGE = 64,  /* command line */
    SQ_FAULT_BUG = 70     /* ours */
} sq_fault;

typedef enum sq_severity { SQ_ERROR, SQ_WARNING, SQ_NOTE, SQ_HELP } sq_severity;

typedef struct sq_diags sq_diags;

sq_diags *sq_diags_new(void);
sq_diags *sq_diags_free(sq_diags *d);

/* The text of a source file, so that the printer can show lines and carets. Copies both. */
void sq_diags_source(sq_diags *d, const char *file, const char *text, size_t n);

/* An error of the given fault; returns -1 so that `return sq_error(…)` reads well. */
int sq_error(sq_diags *d, sq_fault fault, sq_loc loc, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void sq_warning(sq_diags *d, sq_loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The refusal of something asked for, "WHAT refused: WHY", whose reason is WHY; returns -1. */
int sq_refusal(sq_diags *d, sq_loc loc, const char *what, const char *why);
/* A note ("for example with N=1: …") or a help ("write … instead") to the error before it. */
void sq_note(sq_diags *d, sq_loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void sq_help(sq_diags *d, sq_loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The help "did you mean 'MEANT'?" to the error or warning before it, which has the word `wrong`; none if
 * meant is NULL. */
void sq_suggest(sq_diags *d, const char *wrong, const char *meant);

/* An entry of the list; the message lives as long as the entry. */
typedef struct sq_diag {
    sq_severity severity;
    sq_fault fault; /* of errors */
    sq_loc loc;
    char *message;
    const char *reason; /* of a refusal: its end in the message, which says why; else all of it */
    char *wrong, *meant; /* of a suggestion: the word to replace, and what by; else NULL */
} sq_diag;
/* The entry of that number, in the order added; NULL beyond the last. */
const sq_diag *sq_diags_at(const sq_diags *d, size_t i);

/* Number of errors so far. */
int sq_diags_errors(const sq_diags *d);
/* The fault of the first error; SQ_FAULT_NONE without errors. */
sq_fault sq_diags_fault(const sq_diags *d);
/* Forget everything added since there were n entries: how the tuner drops a refused candidate. */
size_t sq_diags_mark(const sq_diags *d);
void sq_diags_rewind(sq_diags *d, size_t mark);
/* Puts what was added since then into the order of the text: each error and warning with the notes and helps
 * behind it. What has no place, or one in another file, stays where it is, and nothing passes it. Of errors and
 * warnings that say the same at the same place only the first stays, with its notes. */
void sq_diags_sort(sq_diags *d, size_t mark);
/* The message of the first error after mark, without place; NULL if there is none. */
const char *sq_diags_message(const sq_diags *d, size_t mark);
/* The reason of the same error. */
const char *sq_diags_reason(const sq_diags *d, size_t mark);

typedef enum sq_diag_format { SQ_DIAG_GCC, SQ_DIAG_JSON } sq_diag_format;
/* Prints all entries in the order added: as gcc does, with source line and caret, or as one JSON
 * array of errors and warnings, each with the notes and helps that follow it. Valid UTF-8 and JSON
 * whatever bytes names and texts have. */
void sq_diags_print(const sq_diags *d, FILE *to, sq_diag_format format, int color);

/* Our own fault: prints stage, message and the command that reproduces it, and aborts. */
_Noreturn void sq_bug(const char *where, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
#endif
