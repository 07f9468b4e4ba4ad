/* Language server: `squall lsp` speaks the Language Server Protocol on standard input and output.
 *
 *     lsp.c           the loop: messages of the editor, lines of the workers
 *     lsp_wire.c      messages as bytes: Content-Length, JSON
 *     lsp_document.c  open documents: their text, and places in it as the editor counts
 *     lsp_work.c      one analysis of a document, in a child process of its own
 *     lsp_analyse.c   what that child does: diagnostics, names, facts
 *     lsp_hover.c, lsp_complete.c, lsp_fix.c   replies
 *
 * The server itself only moves text. Reading a description may crash, take all memory or never end
 * (cli/watch.h): it is done in a child, which is killed when its text has changed. */
#ifndef SQ_CLI_LSP_H
#define SQ_CLI_LSP_H
#include "cli/cli.h"
#include "support/text.h"
#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

enum {
    SQ_LSP_MOST_MESSAGE = 64 << 20, /* bytes; a larger one is skipped and refused */
    SQ_LSP_MOST_SECONDS = 30,       /* of one analysis */
    SQ_LSP_MOST_ENTRIES = 16        /* of a .sched file that are checked as one types */
};

/* Codes of errors, as the protocol has them. */
enum {
    SQ_LSP_PARSE_ERROR = -32700,
    SQ_LSP_INVALID_REQUEST = -32600,
    SQ_LSP_NO_METHOD = -32601,
    SQ_LSP_INVALID_PARAMS = -32602,
    SQ_LSP_NOT_INITIALIZED = -32002,
    SQ_LSP_CANCELLED = -32800
};

/* ---- bytes ---- */

typedef struct sq_lsp_wire {
    sq_text in;     /* read and not yet taken */
    size_t skip;    /* bytes of a message too large that are still to come */
    bool is_lost;   /* what comes is no header: said once until the next one */
    bool is_ended;  /* of input */
    bool is_broken; /* output: nobody reads it */
} sq_lsp_wire;

/* Reads what there is; false at the end of input. */
bool sq_lsp_read(sq_lsp_wire *w);
/* The next whole message, caller's; NULL: none yet. The reply to what is no message is an error. */
json_t *sq_lsp_next(sq_lsp_wire *w);
/* Writes a message and frees it. */
void sq_lsp_write(sq_lsp_wire *w, json_t *message);
void sq_lsp_reply(sq_lsp_wire *w, json_t *id, json_t *result);
void sq_lsp_refuse(sq_lsp_wire *w, json_t *id, int code, const char *why);
/* Text as JSON, whatever bytes it has: what is no UTF-8 becomes '?'. */
json_t *sq_lsp_string(const char *text);

/* ---- documents ---- */

typedef enum sq_lsp_kind {
    SQ_LSP_DESCRIPTION,
    SQ_LSP_SCHED,  /* a .sched file */
    SQ_LSP_SCRIPT, /* K.script: a script alone, for --schedule */
    SQ_LSP_OTHER   /* a C file, if it has regions; else none of ours */
} sq_lsp_kind;

/* An analysis under way. */
typedef struct sq_lsp_worker {
    pid_t pid; /* 0: none */
    int from, errors;
    sq_text line;    /* what came of the line under way */
    double deadline; /* sq_terminal_seconds */
    bool has_spoken; /* its diagnostics came */
} sq_lsp_worker;

typedef struct sq_lsp_document {
    char *uri, *path; /* path "<stdin>": no file */
    sq_lsp_kind kind;
    char *text;
    size_t n;
    json_int_t version; /* -1: none was given */
    bool is_dirty;      /* not analysed since it changed */
    sq_lsp_worker worker;
    json_t *diagnostics; /* published last; with `fix` where there is one */
    json_t *names;       /* of kernels, for completion; NULL: never known */
    json_t *facts;       /* of `explain`; NULL: never known */
    json_t *waiting;     /* requests that wait for the worker */
    struct sq_lsp_document *next;
} sq_lsp_document;

typedef struct sq_lsp {
    const sq_settings *o;
    sq_lsp_wire wire;
    sq_lsp_document *documents;
    bool is_initialized, is_shut_down, is_done;
    int code;
} sq_lsp;

sq_lsp_document *sq_lsp_document_of(const sq_lsp *s, const char *uri);
/* The open document of that path; NULL. */
const sq_lsp_document *sq_lsp_document_at(const sq_lsp *s, const char *path);
sq_lsp_document *sq_lsp_document_open(sq_lsp *s, const char *uri, const char *language);
void sq_lsp_document_set(sq_lsp_document *x, const char *text, size_t n);
/* Replaces a range, an LSP one; false where that is none. */
bool sq_lsp_document_edit(sq_lsp_document *x, const json_t *range, const char *text, size_t n);
/* Removes it from the list and frees it. */
void sq_lsp_document_close(sq_lsp *s, sq_lsp_document *x);
/* The description of a schedule file, K.sq beside K.<class>.sched; in the arena. */
const char *sq_lsp_description_of(const sq_lsp_document *x, sq_arena *arena);

static inline bool sq_lsp_is_source(const sq_lsp_document *x)
{
    return x->kind == SQ_LSP_DESCRIPTION || x->kind == SQ_LSP_OTHER;
}

/* True: positions count bytes of a line, and no UTF-16 units, from now on. */
void sq_lsp_count_bytes(bool counts);
/* Byte of a position {line, character}; a position behind the end is the end. */
size_t sq_lsp_offset(const char *text, size_t n, const json_t *position);
json_t *sq_lsp_position(const char *text, size_t n, size_t at);
json_t *sq_lsp_range(const char *text, size_t n, size_t from, size_t to);
/* First byte of a line, counted from 1; n behind the last. */
size_t sq_lsp_line(const char *text, size_t n, int line);
/* The line of a byte, counted from 1. */
int sq_lsp_line_of(const char *text, size_t at);
/* The identifier that the byte is in or behind: *from, *to; false: none. */
bool sq_lsp_word(const char *text, size_t n, size_t at, size_t *from, size_t *to);

/* ---- work ---- */

/* Starts the analysis of a dirty document; what ran for it is ended. */
void sq_lsp_work_start(sq_lsp *s, sq_lsp_document *x);
void sq_lsp_work_stop(sq_lsp_document *x);
/* Takes what the worker wrote; publishes, and replies to what waited. */
void sq_lsp_work_read(sq_lsp *s, sq_lsp_document *x);
/* Ends a worker that is past its deadline. */
void sq_lsp_work_expire(sq_lsp *s, sq_lsp_document *x);
/* In the child: writes lines {"diagnostics", "names"} and {"facts"} to `to`. */
void sq_lsp_analyse(const sq_lsp *s, const sq_lsp_document *x, FILE *to);

/* ---- replies ---- */

/* Replies to a request, or has it wait for a worker. */
void sq_lsp_request(sq_lsp *s, json_t *request);

/* The requests that need a document: NULL with *wait where its worker has to end first. */
json_t *sq_lsp_hover(const sq_lsp_document *x, const json_t *params, bool *wait);
json_t *sq_lsp_complete(const sq_lsp_document *x, const json_t *params, bool *wait);
json_t *sq_lsp_actions(const sq_lsp_document *x, const json_t *params, bool *wait);
/* True if the byte is where a script stands; *from is its first byte. */
bool sq_lsp_in_script(const sq_lsp_document *x, size_t at, size_t *from);
/* The row of names of the kernel that the byte is in; NULL: none. */
const json_t *sq_lsp_names_at(const sq_lsp_document *x, size_t at);
/* {"range", "newText", "title"}: an error, whose place is byte `at`, suggests `meant` for the word `wrong`;
 * NULL: that word is not in its line. */
json_t *sq_lsp_fix(const char *text, size_t n, size_t at, const char *wrong, const char *meant);
#endif
