/* squall lsp: the loop of the language server. It waits for the editor and for the workers, and never
 * does work that could take long itself. */
#include "cli/lsp.h"
#include "frontend/frontend.h"
#include "support/version.h"
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WORKERS = 4 };

/* ---- the life of the server ---- */

/* True for an editor that offers to count bytes, as Squall does; all others count UTF-16. */
static bool offers_bytes(const json_t *params)
{
    const json_t *general = json_object_get(json_object_get(params, "capabilities"), "general");
    const json_t *encoding;
    size_t i;
    json_array_foreach(json_object_get(general, "positionEncodings"), i, encoding)
    {
        const char *name = json_string_value(encoding);
        if (name && strcmp(name, "utf-8") == 0)
            return true;
    }
    return false;
}

static json_t *initialize(sq_lsp *s, const json_t *params)
{
    const bool counts_bytes = offers_bytes(params);
    s->is_initialized = true;
    sq_lsp_count_bytes(counts_bytes);
    json_t *can = json_pack(
        "{s:s, s:{s:b, s:i}, s:b, s:{s:[s,s,s,s]}, s:{s:[s]}}", "positionEncoding",
        counts_bytes ? "utf-8" : "utf-16", "textDocumentSync", "openClose", 1, "change", 1, "hoverProvider", 1,
        "completionProvider", "triggerCharacters", "(", ",", ":", " ", "codeActionProvider", "codeActionKinds",
        "quickfix");
    return json_pack("{s:o, s:{s:s, s:s}}", "capabilities", can, "serverInfo", "name", "squall",
                     "version", SQ_VERSION);
}

static const char *uri_of(const json_t *params)
{
    return json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
}

/* ---- documents ---- */

/* Schedules are checked with the description that they are for. */
static void mark_dependents(sq_lsp *s, const sq_lsp_document *changed)
{
    sq_arena *arena = sq_arena_new();
    for (sq_lsp_document *x = s->documents; x; x = x->next)
        if ((x->kind == SQ_LSP_SCHED || x->kind == SQ_LSP_SCRIPT) &&
            strcmp(sq_lsp_description_of(x, arena), changed->path) == 0)
            x->is_dirty = true;
    sq_arena_free(arena);
}

static void note_version(sq_lsp_document *x, const json_t *document)
{
    const json_t *version = json_object_get(document, "version");
    x->version = json_is_integer(version) ? json_integer_value(version) : -1;
}

static void changed(sq_lsp *s, sq_lsp_document *x)
{
    sq_lsp_work_stop(x);
    x->is_dirty = true;
    mark_dependents(s, x);
}

static void did_open(sq_lsp *s, const json_t *params)
{
    const json_t *document = json_object_get(params, "textDocument");
    const json_t *text = json_object_get(document, "text");
    const char *uri = uri_of(params);
    const char *language = json_string_value(json_object_get(document, "languageId"));
    if (!uri || !json_is_string(text))
        return;
    sq_lsp_document *x = sq_lsp_document_of(s, uri);
    if (!x)
        x = sq_lsp_document_open(s, uri, language ? language : "");
    sq_lsp_document_set(x, json_string_value(text), json_string_length(text));
    note_version(x, document);
    changed(s, x);
}

static void did_change(sq_lsp *s, const json_t *params)
{
    const char *uri = uri_of(params);
    sq_lsp_document *x = uri ? sq_lsp_document_of(s, uri) : NULL;
    const json_t *changes = json_object_get(params, "contentChanges");
    for (size_t i = 0; x && i < json_array_size(changes); i++) {
        const json_t *change = json_array_get(changes, i), *text = json_object_get(change, "text");
        const json_t *range = json_object_get(change, "range");
        if (!json_is_string(text))
            continue;
        if (range)
            sq_lsp_document_edit(x, range, json_string_value(text), json_string_length(text));
        else
            sq_lsp_document_set(x, json_string_value(text), json_string_length(text));
    }
    if (!x)
        return;
    note_version(x, json_object_get(params, "textDocument"));
    changed(s, x);
}

static void did_close(sq_lsp *s, const json_t *params)
{
    const char *uri = uri_of(params);
    sq_lsp_document *x = uri ? sq_lsp_document_of(s, uri) : NULL;
    if (!x)
        return;
    for (size_t i = 0; i < json_array_size(x->waiting); i++)
        sq_lsp_reply(&s->wire, json_object_get(json_array_get(x->waiting, i), "id"), NULL);
    sq_lsp_write(&s->wire, json_pack("{s:s, s:s, s:{s:s, s:[]}}", "jsonrpc", "2.0", "method",
                                     "textDocument/publishDiagnostics", "params", "uri", x->uri,
                                     "diagnostics"));
    sq_lsp_document_close(s, x);
}

/* A request that waits for a worker gets its reply at once; any other one already has it. */
static void cancel(sq_lsp *s, const json_t *params)
{
    const json_t *id = json_object_get(params, "id");
    for (sq_lsp_document *x = s->documents; x; x = x->next)
        for (size_t i = json_array_size(x->waiting); i-- > 0;) {
            json_t *request = json_array_get(x->waiting, i);
            if (!id || !json_equal(json_object_get(request, "id"), id))
                continue;
            sq_lsp_refuse(&s->wire, json_object_get(request, "id"), SQ_LSP_CANCELLED, "cancelled");
            json_array_remove(x->waiting, i);
        }
}

/* ---- messages ---- */

static const struct {
    const char *method;
    json_t *(*reply)(const sq_lsp_document *x, const json_t *params, bool *wait);
} requests[] = {
    {"textDocument/hover", sq_lsp_hover},
    {"textDocument/completion", sq_lsp_complete},
    {"textDocument/codeAction", sq_lsp_actions},
};

static const struct {
    const char *method;
    void (*take)(sq_lsp *s, const json_t *params);
} notifications[] = {
    {"textDocument/didOpen", did_open},
    {"textDocument/didChange", did_change},
    {"textDocument/didClose", did_close},
    {"$/cancelRequest", cancel},
};

/* A request about a document; false: there is no such request. */
static bool ask(sq_lsp *s, json_t *request, const char *method)
{
    json_t *id = json_object_get(request, "id"), *params = json_object_get(request, "params");
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        if (strcmp(requests[i].method, method) != 0)
            continue;
        const char *uri = uri_of(params);
        sq_lsp_document *x = uri ? sq_lsp_document_of(s, uri) : NULL;
        bool wait = x && x->is_dirty;
        json_t *result = x && !wait ? requests[i].reply(x, params, &wait) : NULL;
        if (!x)
            sq_lsp_refuse(&s->wire, id, SQ_LSP_INVALID_PARAMS, "no such document is open");
        else if (wait)
            json_array_append(x->waiting, request);
        else
            sq_lsp_reply(&s->wire, id, result);
        return true;
    }
    return false;
}

void sq_lsp_request(sq_lsp *s, json_t *request)
{
    json_t *id = json_object_get(request, "id");
    const char *method = json_string_value(json_object_get(request, "method"));
    if (strcmp(method, "initialize") == 0 && !s->is_initialized)
        sq_lsp_reply(&s->wire, id, initialize(s, json_object_get(request, "params")));
    else if (!s->is_initialized)
        sq_lsp_refuse(&s->wire, id, SQ_LSP_NOT_INITIALIZED, "initialize comes first");
    else if (s->is_shut_down || strcmp(method, "initialize") == 0)
        sq_lsp_refuse(&s->wire, id, SQ_LSP_INVALID_REQUEST, "not at this time");
    else if (strcmp(method, "shutdown") == 0) {
        s->is_shut_down = true;
        sq_lsp_reply(&s->wire, id, NULL);
    } else if (!ask(s, request, method))
        sq_lsp_refuse(&s->wire, id, SQ_LSP_NO_METHOD, "there is no such method");
}

static void notify(sq_lsp *s, const char *method, const json_t *params)
{
    if (strcmp(method, "exit") == 0) {
        s->is_done = true;
        s->code = s->is_shut_down ? 0 : 1;
    }
    for (size_t i = 0; i < sizeof notifications / sizeof *notifications; i++)
        if (s->is_initialized && !s->is_shut_down && strcmp(notifications[i].method, method) == 0)
            notifications[i].take(s, params);
}

static void hear(sq_lsp *s, json_t *message)
{
    json_t *id = json_object_get(message, "id");
    const char *method = json_string_value(json_object_get(message, "method"));
    bool is_reply =
        !method && (json_object_get(message, "result") || json_object_get(message, "error"));
    if (method && id && (json_is_integer(id) || json_is_string(id)))
        sq_lsp_request(s, message);
    else if (method && !id)
        notify(s, method, json_object_get(message, "params"));
    else if (!is_reply) /* we ask nothing: nobody waits for a reply */
        sq_lsp_refuse(&s->wire, NULL, SQ_LSP_INVALID_REQUEST,
                      "a message has a method, and an id that is a number or a string if it is a "
                      "request");
}

/* ---- the loop ---- */

static int count_workers(const sq_lsp *s)
{
    int n = 0;
    for (const sq_lsp_document *x = s->documents; x; x = x->next)
        n += x->worker.pid != 0;
    return n;
}

static void start_workers(sq_lsp *s)
{
    for (sq_lsp_document *x = s->documents; x; x = x->next)
        if (x->is_dirty && (x->worker.pid || count_workers(s) < MOST_WORKERS))
            sq_lsp_work_start(s, x);
}

/* Waits for the editor and the workers; what workers wrote is taken. True if the editor wrote. */
static bool wait_for_any(sq_lsp *s)
{
    struct pollfd fds[MOST_WORKERS + 1] = {{.fd = STDIN_FILENO, .events = POLLIN}};
    sq_lsp_document *of[MOST_WORKERS + 1];
    nfds_t n = 1;
    for (sq_lsp_document *x = s->documents; x && n <= MOST_WORKERS; x = x->next)
        if (x->worker.pid) {
            of[n] = x;
            fds[n++] = (struct pollfd){.fd = x->worker.from, .events = POLLIN};
        }
    if (poll(fds, n, n > 1 ? 1000 : -1) < 0)
        return false;
    for (nfds_t i = 1; i < n; i++)
        if (fds[i].revents)
            sq_lsp_work_read(s, of[i]);
    for (nfds_t i = 1; i < n; i++)
        sq_lsp_work_expire(s, of[i]);
    return fds[0].revents != 0;
}

static void serve(sq_lsp *s)
{
    json_t *message;
    while (!s->is_done && !s->wire.is_broken) {
        start_workers(s);
        if (!wait_for_any(s))
            continue;
        bool more = sq_lsp_read(&s->wire);
        while (!s->is_done && (message = sq_lsp_next(&s->wire))) {
            hear(s, message);
            json_decref(message);
        }
        if (!more)
            break;
    }
}

/* libclang is loaded and has read a description before the first worker is forked: each has then what
 * both leave in memory. This text is known to end: limits would end the server on a machine that is slow.
 * What is missing is said of the documents. */
static void warm_up(void)
{
    static const char text[] =
        "#include \"squall.h\"\nkernel f(int N, f32 A[N]) { idx i; A[i] = 1; }\n";
    const sq_parse_options plain = {0};
    sq_diags *unread = sq_diags_new();
    isl_ctx *ctx = isl_ctx_alloc();
    sq_unit_free(sq_parse(ctx, "warm.sq", text, strlen(text), &plain, unread));
    isl_ctx_free(ctx);
    sq_diags_free(unread);
}

int sq_cmd_lsp(const sq_settings *o, sq_diags *d)
{
    if (o->files.n)
        return sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE,
                        "`squall lsp` takes no file: the editor sends "
                        "them");
    sq_settings own = *o;
    own.diag = SQ_DIAG_JSON; /* of a worker that its limits end */
    sq_lsp s = {.o = &own, .code = 1};
    signal(SIGPIPE, SIG_IGN);
    warm_up();
    serve(&s);
    if (s.wire.is_ended && s.is_shut_down)
        s.code = 0;
    while (s.documents)
        sq_lsp_document_close(&s, s.documents);
    sq_text_free(&s.wire.in);
    return s.code;
}
