/* Conflict: what compile is about to write must not be what it read, nor one file twice. Names are
 * not enough: a symbolic link, a hard link or "./" in front are the same file. So existing files
 * are compared by device and inode, and one that does not exist yet by its folder's and its last
 * name.
 *
 * Standard output and special files (/dev/null, pipes) are written directly and lose nothing. */
#include "cli/conflict.h"
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Who a file is; `name` is empty where it exists. */
typedef struct identity {
    bool known;
    dev_t device;
    ino_t inode;
    const char *name;
} identity;

static identity identify(const char *path, sq_arena *arena)
{
    struct stat st;
    const char *slash = strrchr(path, '/');
    bool is_there =
        strcmp(path, "<stdin>") == 0 ? fstat(STDIN_FILENO, &st) == 0 : stat(path, &st) == 0;
    if (is_there)
        return (identity){S_ISREG(st.st_mode), st.st_dev, st.st_ino, ""};
    size_t n = slash ? (size_t)(slash - path) + 1 : 0;
    if (stat(n ? sq_arena_strndup(arena, path, n) : ".", &st) != 0)
        return (identity){0}; /* no such folder: the write will say so */
    return (identity){true, st.st_dev, st.st_ino, path + n};
}

static bool is_same(const identity *a, const identity *b)
{
    return a->known && b->known && a->device == b->device && a->inode == b->inode &&
           strcmp(a->name, b->name) == 0;
}

static int refuse(sq_diags *d, const sq_output_file *out, const char *path, const char *why)
{
    sq_error(d, SQ_FAULT_USAGE, out->loc, "%s would be written over %s", out->what, why);
    if (strcmp(out->path, path) == 0)
        sq_note(d, SQ_NOWHERE, "both are '%s'", path);
    else
        sq_note(d, SQ_NOWHERE, "'%s' and '%s' are one file", out->path, path);
    sq_help(d, SQ_NOWHERE, "give it another name; nothing was written");
    return -1;
}

static bool is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* One output against the inputs and against the outputs before it. */
static int check_one(const sq_output_file *out, int at, const char *const *input, int ninputs,
                     sq_arena *arena, sq_diags *d)
{
    identity me = identify(out[at].path, arena);
    for (int i = 0; i < ninputs; i++) {
        identity other = identify(input[i], arena);
        if (is_same(&me, &other))
            return refuse(d, &out[at], input[i], "a file that was read");
    }
    for (int i = 0; i < at; i++) {
        identity other = identify(out[i].path, arena);
        if (!is_stdout(out[i].path) && is_same(&me, &other))
            return refuse(d, &out[at], out[i].path, out[i].what);
    }
    return 0;
}

int sq_conflict_check(const sq_output_file *out, int nout, const char *const *input, int ninputs,
                      sq_arena *arena, sq_diags *d)
{
    for (int i = 0; i < nout; i++)
        if (!is_stdout(out[i].path) && check_one(out, i, input, ninputs, arena, d) != 0)
            return -1;
    return 0;
}
