/* Workers of the language server: one analysis of one text, in a child process. The child has its own
 * limits (cli/watch.h), which end it with a message on its standard error; it may crash, and it is
 * killed when its text has changed or its time is over. What it finds comes as lines of JSON. */
#include "cli/lsp.h"
#include "support/terminal.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_ERRORS = 16 << 10 }; /* bytes of a message that are kept */

/* The protocol's own streams are none of the child's: an #include of /dev/stdin would read it. */
static void run_child(const sq_lsp *s, const sq_lsp_document *x, int to, int errors, pid_t parent)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || nothing < 0)
        _exit(1);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    FILE *out = fdopen(to, "w");
    if (!out)
        _exit(1);
    sq_lsp_analyse(s, x, out);
    fflush(out);
    _exit(0);
}

static void end_worker(sq_lsp_worker *w)
{
    kill(w->pid, SIGKILL);
    while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    close(w->from);
    close(w->errors);
    sq_text_free(&w->line);
    *w = (sq_lsp_worker){0};
}

void sq_lsp_work_stop(sq_lsp_document *x)
{
    if (x->worker.pid)
        end_worker(&x->worker);
}

static void publish(sq_lsp *s, sq_lsp_document *x, json_t *list)
{
    json_t *params = json_pack("{s:s, s:O}", "uri", x->uri, "diagnostics", list);
    if (x->version >= 0)
        json_object_set_new(params, "version", json_integer(x->version));
    sq_lsp_write(&s->wire, json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method",
                                     "textDocument/publishDiagnostics", "params", params));
    json_decref(x->diagnostics);
    x->diagnostics = json_incref(list);
}

/* One error at the top, where there is no analysis. */
static void publish_failure(sq_lsp *s, sq_lsp_document *x, const char *why)
{
    json_t *list = json_pack("[{s:o, s:i, s:s, s:o}]", "range", sq_lsp_range(x->text, x->n, 0, 0),
                             "severity", 1, "source", "squall", "message", sq_lsp_string(why));
    publish(s, x, list);
    json_decref(list);
}

/* The requests that wait are heard again; those that a worker has to end for wait on. */
static void reply_waiting(sq_lsp *s, sq_lsp_document *x)
{
    json_t *list = x->waiting;
    x->waiting = json_array();
    for (size_t i = 0; i < json_array_size(list); i++)
        sq_lsp_request(s, json_array_get(list, i));
    json_decref(list);
}

/* There is no child: said once, and nobody waits for it. */
static void fail_to_start(sq_lsp *s, sq_lsp_document *x)
{
    publish_failure(s, x, strerror(errno));
    reply_waiting(s, x);
}

void sq_lsp_work_start(sq_lsp *s, sq_lsp_document *x)
{
    int ends[2], errors = -1;
    pid_t self = getpid(), pid = -1;
    sq_lsp_work_stop(x);
    x->is_dirty = false;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fail_to_start(s, x);
    errors = memfd_create("squall-lsp", MFD_CLOEXEC);
    if (errors >= 0)
        pid = fork();
    if (pid == 0)
        run_child(s, x, ends[1], errors, self);
    if (pid < 0)
        fail_to_start(s, x);
    close(ends[1]);
    if (pid < 0)
        close(ends[0]);
    if (pid < 0 && errors >= 0)
        close(errors);
    if (pid > 0)
        x->worker = (sq_lsp_worker){.pid = pid,
                                    .from = ends[0],
                                    .errors = errors,
                                    .deadline = sq_terminal_seconds() + SQ_LSP_MOST_SECONDS};
}

/* A line of the child's: what it has found so far. */
static void take_line(sq_lsp *s, sq_lsp_document *x, const char *line, size_t n)
{
    json_t *found = json_loadb(line, n, 0, NULL), *part;
    if ((part = json_object_get(found, "diagnostics"))) {
        x->worker.has_spoken = true;
        json_decref(x->facts); /* their lines are those of another text */
        x->facts = NULL;
        publish(s, x, part);
    }
    if ((part = json_object_get(found, "names"))) {
        json_decref(x->names);
        x->names = json_incref(part);
    }
    if ((part = json_object_get(found, "facts"))) {
        json_decref(x->facts);
        x->facts = json_incref(part);
    }
    json_decref(found);
}

/* What the child's limits said of its end, the message of the first of a JSON list; "" if nothing. */
static void read_errors(int fd, char *to, size_t n)
{
    char *text = calloc(1, MOST_ERRORS + 1);
    ssize_t got = text ? pread(fd, text, MOST_ERRORS, 0) : 0;
    json_t *list = got > 0 ? json_loads(text, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
    const char *said = json_string_value(json_object_get(json_array_get(list, 0), "message"));
    snprintf(to, n, "%s", said ? said : "");
    json_decref(list);
    free(text);
}

/* The child is gone: with what it had to say, or without. */
static void finish(sq_lsp *s, sq_lsp_document *x, const char *why)
{
    char said[1000];
    bool spoke = x->worker.has_spoken;
    read_errors(x->worker.errors, said, sizeof said);
    end_worker(&x->worker);
    if (!spoke)
        publish_failure(s, x, *said ? said : why);
    reply_waiting(s, x);
}

void sq_lsp_work_read(sq_lsp *s, sq_lsp_document *x)
{
    char chunk[16 << 10];
    sq_lsp_worker *w = &x->worker;
    ssize_t n = read(w->from, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR)
        return;
    if (n <= 0)
        return finish(s, x, "the analysis of this file ended without a result");
    sq_text_putn(&w->line, chunk, (size_t)n);
    size_t at = 0;
    for (char *end; (end = memchr(w->line.s + at, '\n', w->line.n - at));) {
        size_t length = (size_t)(end - w->line.s) - at;
        take_line(s, x, w->line.s + at, length);
        at += length + 1;
    }
    if (at == 0)
        return;
    memmove(w->line.s, w->line.s + at, w->line.n - at);
    w->line.n -= at;
    reply_waiting(s, x);
}

void sq_lsp_work_expire(sq_lsp *s, sq_lsp_document *x)
{
    if (x->worker.pid && sq_terminal_seconds() > x->worker.deadline)
        finish(s, x, "the analysis of this file takes too long and was ended");
}
