/* Plants a fault in the emitted text: an operator or a constant of its statements is changed, or
 * K_workspace says too little. The generator has to find it, or it could not find squall's own. */
#include "check.h"
#include "job.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *from, *to;
} edits[] = {
    {" + 1", " + 2"}, {" - 1", " - 2"}, {" < ", " <= "}, {" * ", " + "}, {" + ", " - "},
    {" - ", " + "}, {"= 0;", "= 1;"}, {"[0]", "[1]"}, {"0.5f", "0.75f"}, {" / 2", " / 3"},
};

enum { EDITS = sizeof edits / sizeof edits[0] };

/* True where `at` stands in a statement of a function that reads or writes an element: no comment, no
 * directive, no loop's head (its change may never end), no test of sizes. */
static bool in_statement(const char *text, const char *at)
{
    const char *line = at;
    while (line > text && line[-1] != '\n')
        line--;
    const char *first = line + strspn(line, " ");
    if (first == line || *first == '#' || *first == '*' || *first == '/')
        return false;
    const char *end = line + strcspn(line, "\n"), *equals = strstr(line, " = ");
    const char *element = strpbrk(line, "[*");
    return strncmp(first, "for", 3) != 0 && equals && equals < end && element && element < end
        && memmem(line, (size_t)(end - line), "] ", 2)
        && !memmem(line, (size_t)(end - line), "_fallback_", 10); /* text for sizes that are not met */
}

static const char *find_site(const char *text, const char *body, int wanted, int *edit, int *count)
{
    for (const char *at = body; *at; at++)
        for (int e = 0; e < EDITS; e++)
            if (strncmp(at, edits[e].from, strlen(edits[e].from)) == 0 && in_statement(text, at)
                && (*count)++ == wanted) {
                *edit = e;
                return at;
            }
    return NULL;
}

/* K_workspace asks for one byte, which K_in has to be seen to leave. False where it asks for none. */
static bool plant_workspace(struct unit *u, const char *path, const char *text)
{
    char head[64], *edited = NULL;
    snprintf(head, sizeof head, "size_t %s_workspace(", u->program.name);
    const char *at = strstr(text, head), *end = at ? strstr(at, "\n}\n") : NULL, *last = NULL;
    while (end && (at = strstr(at, "return ")) && at < end)
        last = at++;
    if (!last || strncmp(last, "return 0;", 9) == 0)
        return false;
    if (asprintf(&edited, "%.*sreturn 1;%s", (int)(last - text), text, end) < 0)
        exit(3);
    write_text(path, edited);
    free(edited);
    snprintf(u->planted, sizeof u->planted, "K_workspace says 1");
    return true;
}

/* Every other text that has a workspace gets a fault there. */
void plant(struct unit *u, const char *path)
{
    char *text = read_text(path, NULL), *edited = NULL;
    if (u->number % 2 == 0 && plant_workspace(u, path, text)) {
        free(text);
        return;
    }
    const char *body = strstr(text, "SQ_TARGET\n");
    int count = 0, edit = 0, skipped = 0;
    random_seed(u->seed + 99);
    if (!body)
        body = text;
    find_site(text, body, -1, &edit, &count);
    const char *at = find_site(text, body, below(count), &edit, &skipped);
    if (at) {
        size_t length = strlen(edits[edit].from);
        if (asprintf(&edited, "%.*s%s%s", (int)(at - text), text, edits[edit].to, at + length) < 0)
            exit(3);
        write_text(path, edited);
        const char *line = at;
        while (line > text && line[-1] != '\n')
            line--;
        snprintf(u->planted, sizeof u->planted, "'%s' for '%s' in:%.*s", edits[edit].to,
            edits[edit].from, (int)(strcspn(line, "\n") < 140 ? strcspn(line, "\n") : 140), line);
        free(edited);
    }
    free(text);
}
