/* Child: spawns processes through libuv. A child is finished when it has exited and both pipes and
 * the timer are closed; only then the callback runs and the memory is freed. */
#include "tuner/measure/child.h"
#include "support/interrupt.h"
#include "support/memory.h"
#include "support/text.h"
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that was kept waiting for a processor gets more time, up to this multiple of its
 * limit. */
enum { MOST_WAITING = 10 };

struct sq_child {
    uv_process_t process;
    uv_pipe_t out, err;
    uv_timer_t timer;
    int open;           /* handles not closed yet */
    sq_text printed[2]; /* stdout, stderr */
    char read[16384];
    uint64_t start;
    double timeout;
    int in; /* descriptor of its input; -1: none */
    sq_child_end end;
    void (*done)(const sq_child_end *end, void *user);
    void *user;
};

static double age(const sq_child *c)
{
    return (double)(uv_hrtime() - c->start) * 1e-9;
}

static void on_closed(uv_handle_t *h)
{
    sq_child *c = h->data;
    if (--c->open > 0)
        return;
    for (int i = 0; i < 2; i++)
        sq_text_puts(&c->printed[i], "");
    c->end.out = c->printed[0].s;
    c->end.err = c->printed[1].s;
    c->done(&c->end, c->user);
    for (int i = 0; i < 2; i++)
        sq_text_free(&c->printed[i]);
    free(c);
}

static void close_handle(void *handle)
{
    uv_handle_t *h = handle;
    if (!uv_is_closing(h))
        uv_close(h, on_closed);
}

static void on_exit_status(uv_process_t *p, int64_t status, int signal)
{
    sq_child *c = p->data;
    c->end.status = status;
    c->end.signal = signal;
    c->end.seconds = age(c);
    kill(-p->pid, SIGKILL); /* processes that it left behind */
    close_handle(&c->timer);
    close_handle(&c->process);
}

/* Returns the seconds that a process of group `group` has used; sets *ready if it was runnable. */
static double used_by(const char *pid, int group, bool *ready)
{
    char path[300], line[1000] = "", state;
    unsigned long user = 0, sys = 0;
    int pgrp = 0;
    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    FILE *f = fopen(path, "r");
    const char *at = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    if (f)
        fclose(f);
    if (!at || sscanf(at, ") %c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state, &pgrp,
                      &user, &sys) != 4)
        return 0;
    if (pgrp != group)
        return 0;
    *ready |= state == 'R' || state == 'D';
    return (double)(user + sys) / (double)sysconf(_SC_CLK_TCK);
}

/* Returns the remaining processor time of a child that waits for a busy processor; 0 if its group
 * has used almost all of it, is not runnable or has waited too long. */
static double still_due(const sq_child *c)
{
    double used = 0;
    bool ready = false;
    DIR *all = age(c) < MOST_WAITING * c->timeout ? opendir("/proc") : NULL;
    for (struct dirent *e; all && (e = readdir(all));)
        if (e->d_name[0] >= '1' && e->d_name[0] <= '9')
            used += used_by(e->d_name, c->process.pid, &ready);
    if (all)
        closedir(all);
    return ready && used < 0.95 * c->timeout ? c->timeout - used : 0;
}

/* True if it ended while the loop was not running: timers run before the loop processes the
 * exit. */
static bool has_ended(const sq_child *c)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)c->process.pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid != 0;
}

static void on_timeout(uv_timer_t *t)
{
    sq_child *c = t->data;
    double due = has_ended(c) ? 0.1 : still_due(c);
    if (due > 0) {
        uv_timer_start(t, on_timeout, (uint64_t)(due * 1000) + 10, 0);
        return;
    }
    c->end.timed_out = true;
    sq_child_kill(c);
}

static void give_room(uv_handle_t *h, size_t wanted, uv_buf_t *buf)
{
    sq_child *c = h->data;
    (void)wanted;
    *buf = uv_buf_init(c->read, sizeof c->read);
}

static void on_read(uv_stream_t *s, ssize_t n, const uv_buf_t *buf)
{
    sq_child *c = s->data;
    sq_text *to = &c->printed[s == (uv_stream_t *)&c->err];
    if (n < 0) {
        close_handle(s);
        return;
    }
    size_t room = SQ_CHILD_OUTPUT - to->n;
    c->end.is_cut |= (size_t)n > room;
    sq_text_putn(to, buf->base, (size_t)n > room ? room : (size_t)n);
}

static void init_handles(sq_child *c, uv_loop_t *loop)
{
    uv_pipe_init(loop, &c->out, 0);
    uv_pipe_init(loop, &c->err, 0);
    uv_timer_init(loop, &c->timer);
    c->process.data = c->out.data = c->err.data = c->timer.data = c;
    c->open = 4;
}

static int spawn(sq_child *c, uv_loop_t *loop, char *const *argv)
{
    uv_stdio_container_t io[3] = {
        {.flags = c->in < 0 ? UV_IGNORE : UV_INHERIT_FD, .data.fd = c->in},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&c->out},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&c->err}};
    uv_process_options_t o = {.exit_cb = on_exit_status,
                              .file = argv[0],
                              .args = (char **)argv,
                              .flags = UV_PROCESS_DETACHED,
                              .stdio_count = 3,
                              .stdio = io};
    return uv_spawn(loop, &c->process, &o);
}

static sq_child *start(uv_loop_t *loop, char *const *argv, int in, double timeout,
                       void (*done)(const sq_child_end *end, void *user), void *user)
{
    sq_child *c = sq_allocated(calloc(1, sizeof *c));
    c->in = in;
    c->done = done;
    c->user = user;
    c->start = uv_hrtime();
    c->timeout = timeout;
    init_handles(c, loop);
    int rc = spawn(c, loop, argv);
    c->end.started = rc == 0;
    if (rc != 0) {
        sq_text_printf(&c->printed[1], "cannot run %s: %s", argv[0], uv_strerror(rc));
        close_handle(&c->out);
        close_handle(&c->err);
        close_handle(&c->timer);
        close_handle(&c->process);
        return c;
    }
    uv_update_time(loop); /* its clock is that of the loop's last run */
    uv_timer_start(&c->timer, on_timeout, (uint64_t)(timeout * 1000), 0);
    uv_read_start((uv_stream_t *)&c->out, give_room, on_read);
    uv_read_start((uv_stream_t *)&c->err, give_room, on_read);
    return c;
}

sq_child *sq_child_start(uv_loop_t *loop, char *const *argv, double timeout,
                         void (*done)(const sq_child_end *end, void *user), void *user)
{
    return start(loop, argv, -1, timeout, done, user);
}

static char *copy_of(const char *s)
{
    return sq_allocated(strdup(s));
}

void sq_child_end_keep(sq_child_end *to, const sq_child_end *end)
{
    *to = *end;
    to->out = copy_of(end->out);
    to->err = copy_of(end->err);
}

void sq_child_end_free(sq_child_end *end)
{
    free(end->out);
    free(end->err);
    *end = (sq_child_end){0};
}

/* A child that is waited for. */
struct awaited {
    sq_child *child; /* NULL: it has ended */
    sq_child_end *end;
};

static void keep_end(const sq_child_end *end, void *user)
{
    struct awaited *w = user;
    sq_child_end_keep(w->end, end);
    w->child = NULL;
}

static void ask_interrupt(uv_timer_t *t)
{
    const struct awaited *w = t->data;
    if (sq_interrupt_signal() && w->child)
        sq_child_kill(w->child);
}

static void run(char *const *argv, int in, double timeout, sq_child_end *end)
{
    uv_loop_t loop;
    uv_timer_t asking;
    struct awaited w = {.end = end};
    sq_child_end_free(end);
    uv_loop_init(&loop);
    uv_timer_init(&loop, &asking);
    asking.data = &w;
    w.child = start(&loop, argv, in, timeout, keep_end, &w);
    uv_timer_start(&asking, ask_interrupt, 100, 100);
    uv_unref((uv_handle_t *)&asking); /* does not keep the loop alive */
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_close((uv_handle_t *)&asking, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
}

void sq_child_run(char *const *argv, double timeout, sq_child_end *end)
{
    run(argv, -1, timeout, end);
}

/* Input is an unnamed file rather than a pipe: if a child ends early no pipe breaks, and none can
 * fill up. */
void sq_child_run_fed(char *const *argv, const char *input, size_t n, double timeout, sq_child_end *end)
{
    FILE *f = tmpfile();
    bool is_there = f && fwrite(input, 1, n, f) == n && fflush(f) == 0 && fseek(f, 0, SEEK_SET) == 0;
    if (is_there) {
        run(argv, fileno(f), timeout, end);
    } else {
        sq_child_end_free(end);
        end->out = copy_of("");
        end->err = copy_of("its input cannot be written to a temporary file");
    }
    if (f)
        fclose(f);
}

bool sq_child_is(const sq_child *c, const sq_child_end *end)
{
    return &c->end == end;
}

void sq_child_kill(sq_child *c)
{
    if (c->process.pid > 0) {
        kill(-c->process.pid, SIGKILL);
        uv_process_kill(&c->process, SIGKILL);
    }
}

void sq_child_first_error(const sq_child_end *end, char *to, size_t n)
{
    const char *error = strstr(end->err, "error:");
    const char *from = error ? error : end->err;
    snprintf(to, n, "%.*s", (int)strcspn(from, "\n"), from);
}
