/* Tune place: see tune_place.h. */
#include "cli/tune_place.h"
#include "cli/problem.h"
#include "support/file.h"
#include "tuner/store/sched_file.h"
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *sq_tune_place(const sq_measure *m)
{
    const sq_task *task = &m->task;
    const char *path = strcmp(task->path, "<stdin>") == 0 ? "stdin.sq" : task->path;
    return sq_sched_path(task->arena, path, task->machine->isa, m->settings.out_dir);
}

/* A file that is no .sched file may be somebody's work: renamed, never deleted. */
static int set_aside(sq_measure *m, const char *path, const char *why)
{
    char to[PATH_MAX];
    if (sq_file_set_aside(path, to, sizeof to) != 0)
        return sq_error(m->task.d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot set '%s' aside: %s", path,
                        strerror(errno));
    sq_warning(m->task.d, SQ_NOWHERE, "%s cannot be added to and was set aside as %s", path, to);
    sq_note(m->task.d, SQ_NOWHERE, "%s", why);
    return 0;
}

/* Checks that a file of that name can be made or replaced. 0; -1 after an error. */
static int check_writable(sq_measure *m, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *folder =
        slash ? sq_arena_strndup(m->task.arena, path, (size_t)(slash - path) + 1) : ".";
    struct stat st;
    bool is_there = stat(path, &st) == 0, leads_nowhere = !is_there && sq_file_exists(path);
    if (is_there && S_ISDIR(st.st_mode))
        errno = EISDIR;
    else if (leads_nowhere)
        (void)!stat(path, &st); /* a link; errno says how */
    else if (access(folder, W_OK | X_OK) == 0 && (!is_there || access(path, W_OK) == 0))
        return 0;
    return sq_file_refuse(m->task.d, "write", path);
}

int sq_tune_place_check(sq_measure *m)
{
    const sq_task *task = &m->task;
    const char *path = sq_tune_place(m);
    size_t mark = sq_diags_mark(task->d);
    if (check_writable(m, path) != 0)
        return -1;
    if (!sq_file_exists(path))
        return 0;
    const sq_sched_file *f = sq_sched_read(path, task->arena, task->d);
    if (f && strcmp(f->machine, task->machine->isa) == 0)
        return 0;
    if (f)
        return set_aside(m, path, sq_arena_printf(task->arena, "it is for class %s", f->machine));
    if (sq_diags_fault(task->d) != SQ_FAULT_INPUT)
        return -1;
    const char *why = sq_arena_strdup(task->arena, sq_diags_message(task->d, mark));
    sq_diags_rewind(task->d, mark);
    return set_aside(m, path, why);
}

sq_tune_options sq_tune_place_options(const sq_measure *m)
{
    const sq_settings *o = &m->settings;
    sq_tune_options t = sq_problem_options(m);
    t.store = !o->store || strcmp(o->store, "none") != 0 ? &sq_store_sqlite : NULL;
    t.store_path = o->store;
    t.sched_path = sq_tune_place(m);
    t.source_hash = sq_arena_strdup(m->task.arena, sq_hash_bytes(m->task.text, m->task.ntext).hex);
    t.resume = o->resume;
    return t;
}
