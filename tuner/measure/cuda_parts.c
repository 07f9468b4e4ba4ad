/* The files of a CUDA program. Kernels can be in headers, so every file included in quotes is
 * rewritten into the folder of the run, once, and included from there; files included in angle
 * brackets are left to the compiler. Locations in messages refer to the original files. */
#include "tuner/measure/cuda_parts.h"
#include "support/memory.h"
#include "tuner/measure/cuda_text.h"
#include "support/file.h"
#include "tuner/measure/workdir.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = 256, PATH_BYTES = 1024 };

struct parts {
    char *path[MAX_PARTS];
    int n;
    const sq_list *folders;
    const char *name; /* name of the first one in messages */
    const char *dir;
    sq_diags *d;
};

static void place_of_part(const struct parts *p, int i, char *to)
{
    snprintf(to, PATH_BYTES, "%s/%d.%s", p->dir, i, i ? "h" : "cpp");
}

/* Returns the number of the part, new or not; -1 if there are too many. */
static int part_of(struct parts *p, const char *path)
{
    for (int i = 0; i < p->n; i++)
        if (strcmp(p->path[i], path) == 0)
            return i;
    if (p->n == MAX_PARTS)
        return sq_error(p->d, SQ_FAULT_INPUT, SQ_NOWHERE, "more than %d files are included",
                        MAX_PARTS);
    p->path[p->n] = sq_allocated(strdup(path));
    return p->n++;
}

/* Finds a file beside the one that includes it, else in a given folder. */
static bool find(const struct parts *p, const char *from, const char *name, char *to)
{
    const char *slash = strrchr(from, '/');
    int folder = name[0] == '/' || !slash ? 0 : (int)(slash - from) + 1;
    snprintf(to, PATH_BYTES, "%.*s%s", folder, from, name);
    for (int i = 0; !sq_file_exists(to) && i < p->folders->n; i++)
        snprintf(to, PATH_BYTES, "%s/%s", p->folders->item[i], name);
    return sq_file_exists(to);
}

/* Returns the name in `# include "name"`, its length in *n; NULL on any other line. */
static const char *included(const char *line, size_t *n)
{
    line += strspn(line, " \t");
    if (*line++ != '#')
        return NULL;
    line += strspn(line, " \t");
    if (strncmp(line, "include", 7) != 0)
        return NULL;
    line += 7 + strspn(line + 7, " \t");
    *n = *line == '"' ? strcspn(line + 1, "\"\n") : 0;
    return *n > 0 && *n < 400 && line[1 + *n] == '"' ? line + 1 : NULL;
}

/* Replaces the includes in quotes by includes from the folder of the run. */
static int redirect(struct parts *p, const char *file, const char *text, sq_text *to)
{
    for (size_t n; *text; text += n) {
        size_t length;
        char name[512], path[PATH_BYTES], part[PATH_BYTES];
        const char *quoted = included(text, &length);
        n = strcspn(text, "\n");
        n += text[n] == '\n';
        if (quoted)
            snprintf(name, sizeof name, "%.*s", (int)length, quoted);
        if (!quoted || !find(p, file, name, path)) {
            sq_text_putn(to, text, n);
            continue;
        }
        int i = part_of(p, path);
        if (i < 0)
            return -1;
        place_of_part(p, i, part);
        sq_text_printf(to, "#include \"%s\"\n", part);
    }
    return 0;
}

static int write_part(struct parts *p, int i)
{
    char place[PATH_BYTES];
    sq_text text = {0}, out = {0};
    const char *file = p->path[i];
    char *read = sq_file_read(p->d, file, NULL);
    if (!read)
        return -1;
    int rc = redirect(p, file, read, &text);
    if (rc == 0)
        rc = sq_cuda_rewrite(i ? file : p->name, sq_text_str(&text), text.n, &out, p->d);
    place_of_part(p, i, place);
    if (rc == 0 && sq_workdir_write(place, sq_text_str(&out)) < 0)
        rc = sq_error(p->d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot write %s", place);
    free(read);
    sq_text_free(&text);
    sq_text_free(&out);
    return rc;
}

int sq_cuda_parts(const char *file, const char *name, const sq_list *folders, const char *dir,
                  sq_diags *d)
{
    struct parts p = {.folders = folders, .name = name, .dir = dir, .d = d};
    int rc = part_of(&p, file) < 0 ? -1 : 0;
    for (int i = 0; i < p.n && rc == 0; i++) /* parts are added in the loop */
        rc = write_part(&p, i);
    for (int i = 0; i < p.n; i++)
        free(p.path[i]);
    return rc;
}
