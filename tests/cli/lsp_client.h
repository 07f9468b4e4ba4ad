/* A client of `squall lsp` for tests: starts the server, sends messages, waits for what comes. Nothing
 * depends on how fast it comes. */
#ifndef SQ_TESTS_LSP_CLIENT_H
#define SQ_TESTS_LSP_CLIENT_H
#include "support/text.h"
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

enum { PATIENCE = 120000 }; /* milliseconds: far above what anything takes */

static pid_t server;
static int to, from;
static char in[4 << 20];
static size_t have;
static int last_id;
static char folder[] = "/tmp/squall-lsp-XXXXXX";

/* ---- the client ---- */

static inline void start(const char *option)
{
    int down[2], up[2];
    assert_int_equal(pipe(down) | pipe(up), 0);
    server = fork();
    if (server == 0) {
        dup2(down[0], 0);
        dup2(up[1], 1);
        close(down[1]);
        close(up[0]);
        execl(getenv("SQUALL"), "squall", "lsp", option, NULL);
        _exit(127);
    }
    close(down[0]);
    close(up[1]);
    to = down[1];
    from = up[0];
    have = 0;
}

static inline int finish(void)
{
    int status;
    close(to);
    close(from);
    assert_int_equal(waitpid(server, &status, 0), server);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static inline void send_bytes(const char *text, size_t n)
{
    while (n > 0) {
        ssize_t k = write(to, text, n);
        assert_true(k > 0);
        text += k;
        n -= (size_t)k;
    }
}

static inline void send_text(const char *text)
{
    char head[64];
    send_bytes(head,
               (size_t)snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", strlen(text)));
    send_bytes(text, strlen(text));
}

static inline void send_json(json_t *message)
{
    assert_non_null(message);
    char *text = json_dumps(message, JSON_COMPACT);
    send_text(text);
    free(text);
    json_decref(message);
}

/* The next message of the server; NULL when it has closed its end. */
static inline json_t *receive(void)
{
    for (;;) {
        in[have] = 0;
        char *body = strstr(in, "\r\n\r\n");
        size_t length = body ? strtoul(in + strlen("Content-Length: "), NULL, 10) : 0;
        if (body && have >= (size_t)(body + 4 - in) + length) {
            json_t *message = json_loadb(body + 4, length, 0, NULL);
            assert_non_null(message);
            size_t used = (size_t)(body + 4 - in) + length;
            memmove(in, in + used, have -= used);
            return message;
        }
        struct pollfd p = {.fd = from, .events = POLLIN};
        assert_int_equal(poll(&p, 1, PATIENCE), 1);
        ssize_t n = read(from, in + have, sizeof in - 1 - have);
        assert_true(n >= 0);
        if (n == 0)
            return NULL;
        have += (size_t)n;
    }
}

static inline json_t *get(const json_t *x, const char *path)
{
    char part[64];
    while (*path) {
        size_t n = strcspn(path, ".");
        snprintf(part, sizeof part, "%.*s", (int)n, path);
        x = json_is_array(x) ? json_array_get(x, strtoul(part, NULL, 10))
                             : json_object_get(x, part);
        path += n + (path[n] == '.');
    }
    return (json_t *)x;
}

static inline const char *text_at(const json_t *x, const char *path)
{
    const char *s = json_string_value(get(x, path));
    return s ? s : "";
}

static inline long long number_at(const json_t *x, const char *path)
{
    json_t *n = get(x, path);
    assert_true(json_is_integer(n));
    return json_integer_value(n);
}

static inline int ask(const char *method, json_t *params)
{
    send_json(json_pack("{s:s, s:i, s:s, s:o*}", "jsonrpc", "2.0", "id", ++last_id, "method",
                        method, "params", params));
    return last_id;
}

static inline void tell(const char *method, json_t *params)
{
    send_json(json_pack("{s:s, s:s, s:o*}", "jsonrpc", "2.0", "method", method, "params", params));
}

/* The answer to a request; what else comes is passed over. */
static inline json_t *answer_to(int id)
{
    for (;;) {
        json_t *m = receive();
        assert_non_null(m);
        if (json_integer_value(get(m, "id")) == id && json_is_integer(get(m, "id")))
            return m;
        json_decref(m);
    }
}

/* The error that is about no request. */
static inline void expect_error(long long code)
{
    json_t *m = receive();
    assert_true(json_is_null(get(m, "id")));
    assert_int_equal(number_at(m, "error.code"), code);
    json_decref(m);
}

static inline void expect_code(int id, long long code)
{
    json_t *m = answer_to(id);
    assert_int_equal(number_at(m, "error.code"), code);
    json_decref(m);
}

/* It is still there, and has nothing else to say. */
static inline void expect_alive(void)
{
    int id = ask("squall/none", NULL);
    json_t *m = receive();
    assert_int_equal(number_at(m, "id"), id);
    assert_int_equal(number_at(m, "error.code"), -32601);
    json_decref(m);
}

/* The diagnostics of that version, an array; those of others are passed over. */
static inline json_t *diagnostics(const char *uri, int version)
{
    for (;;) {
        json_t *m = receive();
        assert_non_null(m);
        if (strcmp(text_at(m, "method"), "textDocument/publishDiagnostics") == 0 &&
            strcmp(text_at(m, "params.uri"), uri) == 0 &&
            json_integer_value(get(m, "params.version")) == version) {
            json_t *list = json_incref(get(m, "params.diagnostics"));
            json_decref(m);
            return list;
        }
        json_decref(m);
    }
}

static inline void begin_with(const char *option)
{
    start(option);
    json_t *m = answer_to(ask("initialize", json_object()));
    assert_int_equal(number_at(m, "result.capabilities.textDocumentSync.change"), 1);
    assert_string_equal(text_at(m, "result.capabilities.positionEncoding"), "utf-16");
    json_decref(m);
    tell("initialized", json_object());
}

static inline void begin(void)
{
    begin_with(NULL);
}

static inline void end(void)
{
    json_t *m = answer_to(ask("shutdown", NULL));
    assert_true(json_is_null(get(m, "result")));
    json_decref(m);
    tell("exit", NULL);
    assert_int_equal(finish(), 0);
}

static inline void open_text(const char *uri, int version, const char *text)
{
    tell("textDocument/didOpen",
         json_pack("{s:{s:s, s:s, s:i, s:s}}", "textDocument", "uri", uri, "languageId",
                   strncmp(uri, "file:", 5) == 0 ? "c" : "squall", "version", version, "text",
                   text));
}

static inline void change(const char *uri, int version, const char *text)
{
    tell("textDocument/didChange",
         json_pack("{s:{s:s, s:i}, s:[{s:s}]}", "textDocument", "uri", uri, "version", version,
                   "contentChanges", "text", text));
}

static inline json_t *place(const char *uri, int line, int character)
{
    return json_pack("{s:{s:s}, s:{s:i, s:i}}", "textDocument", "uri", uri, "position", "line",
                     line, "character", character);
}

static inline void expect_clean(const char *uri, int version)
{
    json_t *list = diagnostics(uri, version);
    if (json_array_size(list))
        fail_msg("%s", text_at(list, "0.message"));
    json_decref(list);
}

/* One error at that place whose message holds the text; the caller's. */
static inline json_t *expect_diagnostic(const char *uri, int version, int line, int first, int last,
                                        const char *text)
{
    json_t *list = diagnostics(uri, version);
    assert_int_equal(json_array_size(list), 1);
    if (!strstr(text_at(list, "0.message"), text))
        fail_msg("'%s' lacks '%s'", text_at(list, "0.message"), text);
    assert_int_equal(number_at(list, "0.range.start.line"), line);
    assert_int_equal(number_at(list, "0.range.end.line"), line);
    assert_int_equal(number_at(list, "0.range.start.character"), first);
    assert_int_equal(number_at(list, "0.range.end.character"), last);
    return list;
}

/* ---- texts ---- */

static const char gemm[] =
    "#include \"squall.h\"\n"
    "#pragma squall fp fast\n"
    "kernel gemm(int M, int N, int K, const f32 A[M][K], const f32 B[K][N],\n"
    "            f32 C[M][N])\n"
    "{\n"
    "    idx i, j, k;\n"
    "    C[i][j] = sum(A[i][k] * B[k][j], k);\n"
    "}\n";
static const char sched[] = "squall-sched 1\nclass avx2\n\n"
                            "hash 10fe993d2492a61b1200aa694594bedf source "
                            "d4dc1aa0bc9ea65982abfd13b55e2398\n"
                            "kernel gemm at M=64,N=64,K=64 {\n"
                            "    tile(i:48) order(i0, j, k, i)\n}\n";

static inline const char *uri_in_folder(const char *name)
{
    static char uri[4][200];
    static int n;
    n = (n + 1) % 4;
    snprintf(uri[n], sizeof uri[n], "file://%s/%s", folder, name);
    return uri[n];
}

/* The text with `old` replaced by `new`, in a buffer of its own. */
static inline const char *with(const char *text, const char *old, const char *new)
{
    static char buffer[2][4096];
    static int n;
    const char *at = strstr(text, old);
    assert_non_null(at);
    n = !n;
    snprintf(buffer[n], sizeof buffer[n], "%.*s%s%s", (int)(at - text), text, new,
             at + strlen(old));
    return buffer[n];
}
#endif
