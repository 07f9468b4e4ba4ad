/* CUDA text as C++: makes tokens (comments, strings and preprocessor lines are opaque), then a list
 * of insertions and deletions, then the text with these changes. See cuda_text.h. */
#include "tuner/measure/cuda_text.h"
#include "support/memory.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum kind { WORD, OTHER, LAUNCH, LAUNCH_END }; /* OTHER: one character, a number, a string */

struct token {
    enum kind kind;
    size_t at, n;
};

struct edit {
    size_t at, cut; /* number of bytes deleted there */
    size_t order;
    char *put;
};

struct rewrite {
    const char *name, *text;
    size_t n;
    struct token *token;
    size_t ntokens, room;
    struct edit *edit;
    size_t nedits, edit_room;
    int nshared;
    sq_diags *d;
};

/* ---- tokens ---- */

static size_t end_of_line(const struct rewrite *r, size_t at)
{
    while (at < r->n && !(r->text[at] == '\n' && (at == 0 || r->text[at - 1] != '\\')))
        at++;
    return at;
}

static size_t end_of_comment(const struct rewrite *r, size_t at)
{
    if (r->text[at + 1] == '/')
        return end_of_line(r, at);
    const char *end = strstr(r->text + at + 2, "*/");
    return end ? (size_t)(end - r->text) + 2 : r->n;
}

static size_t end_of_quoted(const struct rewrite *r, size_t at)
{
    char quote = r->text[at++];
    while (at < r->n && r->text[at] != quote && r->text[at] != '\n')
        at += r->text[at] == '\\' ? 2 : 1;
    return at < r->n ? at + 1 : r->n;
}

/* R"tag( ... )tag" */
static size_t end_of_raw(const struct rewrite *r, size_t at)
{
    char end[32];
    size_t tag = strcspn(r->text + at + 2, "(");
    if (tag > 16)
        return end_of_quoted(r, at + 1);
    end[0] = ')';
    memcpy(end + 1, r->text + at + 2, tag);
    strcpy(end + 1 + tag, "\"");
    const char *found = strstr(r->text + at, end);
    return found ? (size_t)(found - r->text) + tag + 2 : r->n;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static size_t end_of_number(const struct rewrite *r, size_t at)
{
    while (at < r->n && (is_word(r->text[at]) || r->text[at] == '.' ||
                         (r->text[at] == '\'' && is_word(r->text[at + 1]))))
        at++;
    return at;
}

static struct token next_token(const struct rewrite *r, size_t at)
{
    const char *s = r->text + at;
    size_t end = at + 1;
    if (s[0] == 'R' && s[1] == '"')
        return (struct token){OTHER, at, end_of_raw(r, at) - at};
    if (isdigit((unsigned char)*s))
        return (struct token){OTHER, at, end_of_number(r, at) - at};
    if (*s == '"' || *s == '\'')
        return (struct token){OTHER, at, end_of_quoted(r, at) - at};
    if (strncmp(s, "<<<", 3) == 0)
        return (struct token){LAUNCH, at, 3};
    if (strncmp(s, ">>>", 3) == 0)
        return (struct token){LAUNCH_END, at, 3};
    while (is_word(*s) && end < r->n && is_word(r->text[end]))
        end++;
    return (struct token){is_word(*s) ? WORD : OTHER, at, end - at};
}

static void read_tokens(struct rewrite *r)
{
    bool line_begins = true;
    for (size_t at = 0; at < r->n;) {
        char c = r->text[at];
        if (c == '\n' || isspace((unsigned char)c)) {
            line_begins |= c == '\n';
            at++;
        } else if (c == '/' && (r->text[at + 1] == '/' || r->text[at + 1] == '*')) {
            at = end_of_comment(r, at);
        } else if (c == '#' && line_begins) {
            at = end_of_line(r, at);
        } else {
            r->token = sq_grown(r->token, r->ntokens, &r->room, sizeof *r->token);
            r->token[r->ntokens] = next_token(r, at);
            at += r->token[r->ntokens++].n;
            line_begins = false;
        }
    }
}

static bool is(const struct rewrite *r, size_t i, const char *text)
{
    return i < r->ntokens && r->token[i].n == strlen(text) &&
           memcmp(r->text + r->token[i].at, text, r->token[i].n) == 0;
}

static bool is_open(const struct rewrite *r, size_t i)
{
    return is(r, i, "(") || is(r, i, "[") || is(r, i, "{");
}

static bool is_close(const struct rewrite *r, size_t i)
{
    return is(r, i, ")") || is(r, i, "]") || is(r, i, "}");
}

/* Returns the bracket that closes the one at i; ntokens if there is none. */
static size_t closing(const struct rewrite *r, size_t i)
{
    int depth = 0;
    for (; i < r->ntokens; i++) {
        depth += is_open(r, i) - is_close(r, i);
        if (depth == 0)
            return i;
    }
    return r->ntokens;
}

/* Returns the bracket that opens the one closed at i. */
static size_t opening(const struct rewrite *r, size_t i)
{
    int depth = 0;
    for (;; i--) {
        depth += is_close(r, i) - is_open(r, i);
        if (depth == 0 || i == 0)
            return i;
    }
}

static sq_loc place_of(const struct rewrite *r, size_t i)
{
    sq_loc loc = {r->name, 1, 1, (int)r->token[i].n};
    for (size_t at = 0; at < r->token[i].at; at++) {
        loc.col++;
        if (r->text[at] == '\n') {
            loc.line++;
            loc.col = 1;
        }
    }
    return loc;
}

/* ---- changes ---- */

static void change(struct rewrite *r, size_t at, size_t cut, const char *put)
{
    r->edit = sq_grown(r->edit, r->nedits, &r->edit_room, sizeof *r->edit);
    char *copy = sq_allocated(strdup(put));
    r->edit[r->nedits] = (struct edit){at, cut, r->nedits, copy};
    r->nedits++;
}

static void replace(struct rewrite *r, size_t i, const char *put)
{
    change(r, r->token[i].at, r->token[i].n, put);
}

static void put_before(struct rewrite *r, size_t i, const char *put)
{
    change(r, r->token[i].at, 0, put);
}

static void put_after(struct rewrite *r, size_t i, const char *put)
{
    change(r, r->token[i].at + r->token[i].n, 0, put);
}

static int by_place(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static void write_out(struct rewrite *r, sq_text *to)
{
    size_t at = 0;
    if (r->nedits)
        qsort(r->edit, r->nedits, sizeof *r->edit, by_place);
    for (size_t i = 0; i < r->nedits; i++) {
        if (r->edit[i].at < at)
            continue; /* nested in a deletion, of invalid text */
        sq_text_putn(to, r->text + at, r->edit[i].at - at);
        sq_text_puts(to, r->edit[i].put);
        at = r->edit[i].at + r->edit[i].cut;
    }
    sq_text_putn(to, r->text + at, r->n - at);
}

/* ---- launches ---- */

/* Returns the first token of the kernel's name, which ends at i: a::b<4, float>. */
static size_t name_begins(const struct rewrite *r, size_t i)
{
    if (is(r, i, ">")) {
        int depth = 0;
        for (;; i--) {
            if (is_close(r, i))
                i = opening(r, i);
            depth += is(r, i, ">") - is(r, i, "<");
            if (depth == 0 || i == 0)
                break;
        }
        i -= i > 0;
    }
    while (i >= 3 && is(r, i - 1, ":") && is(r, i - 2, ":") && r->token[i - 3].kind == WORD)
        i -= 3;
    return i;
}

static int rewrite_launch(struct rewrite *r, size_t i)
{
    size_t end = i + 1, name;
    while (end < r->ntokens && r->token[end].kind != LAUNCH_END && !is(r, end, ";"))
        end = is_open(r, end) ? closing(r, end) + 1 : end + 1;
    if (i == 0 || end >= r->ntokens || r->token[end].kind != LAUNCH_END || !is(r, end + 1, "("))
        return sq_error(r->d, SQ_FAULT_INPUT, place_of(r, i),
                        "this launch is not read: write name<<<grid, block>>>(arguments), or call "
                        "cudaLaunchKernelEx");
    name = name_begins(r, i - 1);
    if (r->token[name].kind != WORD)
        return sq_error(r->d, SQ_FAULT_INPUT, place_of(r, i),
                        "what is launched has no name here; call cudaLaunchKernelEx");
    put_before(r, name, "::squall_simt::launch(");
    replace(r, i, ", ");
    replace(r, end, ")");
    return 0;
}

/* ---- shared memory ---- */

/* Returns the first token of the declaration around i: qualifiers may precede __shared__. */
static size_t declaration_begins(const struct rewrite *r, size_t i)
{
    static const char *const words[] = {"static", "extern", "volatile", "const"};
    for (bool more = true; more && i > 0;) {
        more = false;
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            if (is(r, i - 1, words[w])) {
                i--;
                more = true;
            }
        size_t open = is(r, i - 1, ")") ? opening(r, i - 1) : 0;
        if (open > 0 && (is(r, open - 1, "__align__") || is(r, open - 1, "alignas"))) {
            i = open - 1;
            more = true;
        }
    }
    return i;
}

static size_t declaration_ends(const struct rewrite *r, size_t i)
{
    while (i < r->ntokens && !is(r, i, ";"))
        i = is_open(r, i) ? closing(r, i) + 1 : i + 1;
    return i;
}

/* Returns the name of the declarator that begins at i or whose type does, and its end (`,` or
 * `;`). */
static size_t declarator(const struct rewrite *r, size_t i, size_t end, size_t *stop)
{
    size_t name = 0;
    int angle = 0;
    bool named = false;
    for (; i < end; i++) {
        angle += is(r, i, "<") - is(r, i, ">");
        if (angle == 0 && is(r, i, ","))
            break;
        if (is_open(r, i)) {
            named |= is(r, i, "[");
            i = closing(r, i);
        } else if (angle == 0 && r->token[i].kind == WORD && !named) {
            name = i;
        }
    }
    *stop = i;
    return name;
}

static int rewrite_dynamic(struct rewrite *r, size_t i, size_t begin, size_t end)
{
    size_t stop, name = declarator(r, i + 1, end, &stop);
    if (stop != end || !is(r, name + 1, "[") || !is(r, name + 2, "]"))
        return sq_error(r->d, SQ_FAULT_INPUT, place_of(r, i),
                        "dynamic shared memory is declared alone and without a size: "
                        "extern __shared__ float name[];");
    for (size_t t = begin; t <= i; t++)
        if (is(r, t, "extern") || is(r, t, "__shared__"))
            replace(r, t, "");
    put_before(r, name, "(&");
    put_after(r, name, ")");
    put_before(r, end, " = ::squall_simt::dynamic()");
    return 0;
}

/* Repeats the specifiers, which is done for each declarator. */
static void put_specifiers(const struct rewrite *r, size_t begin, size_t name, sq_text *to)
{
    for (size_t t = begin; t < name; t++)
        if (!is(r, t, "static") && !is(r, t, "__shared__"))
            sq_text_printf(to, "%.*s ", (int)r->token[t].n, r->text + r->token[t].at);
}

static int rewrite_static(struct rewrite *r, size_t i, size_t begin, size_t end)
{
    sq_text between = {0}, after = {0}, before = {0}, specifiers = {0};
    int number = r->nshared++, gaps = 0;
    size_t stop = i, from = i + 1;
    sq_text_printf(&before, "static struct { alignas(128) char squall_before[1024]; ");
    sq_text_printf(&after, " char squall_after[1024]; } squall_shared_%d;", number);
    for (bool first = true; stop < end || first; first = false, from = stop + 1) {
        size_t name = declarator(r, from, end, &stop);
        int n = (int)r->token[name].n;
        const char *text = r->text + r->token[name].at;
        if (first)
            put_specifiers(r, begin, name, &specifiers);
        sq_text_printf(&after, " auto &%.*s = squall_shared_%d.%.*s;", n, text, number, n, text);
        sq_text_printf(&after, " ::squall_simt::shared(\"%.*s\", %.*s, squall_shared_%d);", n, text,
                       n, text, number);
        if (stop == end)
            break;
        sq_text_clear(&between);
        sq_text_printf(&between, "; char squall_gap_%d[1024]; %s", gaps++,
                       sq_text_str(&specifiers));
        replace(r, stop, sq_text_str(&between));
    }
    put_before(r, begin, sq_text_str(&before));
    for (size_t t = begin; t <= i; t++)
        if (is(r, t, "static") || is(r, t, "__shared__"))
            replace(r, t, "");
    put_after(r, end, sq_text_str(&after));
    sq_text_free(&between);
    sq_text_free(&after);
    sq_text_free(&before);
    sq_text_free(&specifiers);
    return 0;
}

static int rewrite_shared(struct rewrite *r, size_t i)
{
    size_t begin = declaration_begins(r, i), end = declaration_ends(r, i);
    bool is_extern = false;
    for (size_t t = begin; t < i; t++)
        is_extern |= is(r, t, "extern");
    bool is_read = end < r->ntokens && end > i + 2;
    for (size_t t = i + 1; t < end && t < r->ntokens; t++)
        is_read &= !is(r, t, "__shared__") && r->token[t].kind != LAUNCH;
    if (!is_read)
        return sq_error(r->d, SQ_FAULT_INPUT, place_of(r, i),
                        "this declaration is not read: write __shared__ float name[32];");
    return is_extern ? rewrite_dynamic(r, i, begin, end) : rewrite_static(r, i, begin, end);
}

/* ---- other rewriting ---- */

/* __launch_bounds__(n, ...) void kernel(...) {   ->   ... { simt_launch_bounds(n, ...); */
static void rewrite_bounds(struct rewrite *r, size_t i)
{
    size_t close = is(r, i + 1, "(") ? closing(r, i + 1) : r->ntokens, comma = i + 2, body;
    sq_text call = {0};
    while (comma < close && !is(r, comma, ","))
        comma = is_open(r, comma) ? closing(r, comma) + 1 : comma + 1;
    for (body = close + 1; body < r->ntokens && !is(r, body, "{") && !is(r, body, ";"); body++)
        if (is(r, body, "("))
            body = closing(r, body);
    if (!is(r, body, "{"))
        return;
    size_t from = r->token[i + 2].at, to = r->token[comma - 1].at + r->token[comma - 1].n;
    sq_text_printf(&call, " ::simt_launch_bounds(%.*s, __FILE__, %d);", (int)(to - from),
                   r->text + from, place_of(r, i).line);
    put_after(r, body, sq_text_str(&call));
    sq_text_free(&call);
}

static int rewrite_token(struct rewrite *r, size_t i)
{
    if (r->token[i].kind == LAUNCH)
        return rewrite_launch(r, i);
    if (r->token[i].kind != WORD)
        return 0;
    if (is(r, i, "__shared__"))
        return rewrite_shared(r, i);
    if (is(r, i, "__launch_bounds__"))
        rewrite_bounds(r, i);
    else if (is(r, i, "__noinline__") && (i == 0 || !is(r, i - 1, "(")))
        replace(r, i, "__attribute__((noinline))");
    return 0;
}

int sq_cuda_rewrite(const char *name, const char *text, size_t n, sq_text *to, sq_diags *d)
{
    struct rewrite r = {.name = name, .text = text, .n = n, .d = d};
    int rc = 0;
    sq_diags_source(d, name, text, n);
    read_tokens(&r);
    for (size_t i = 0; i < r.ntokens && rc == 0; i++)
        rc = rewrite_token(&r, i);
    if (rc == 0) {
        sq_text_printf(to, "#line 1 \"%s\"\n", name);
        write_out(&r, to);
    }
    for (size_t i = 0; i < r.nedits; i++)
        free(r.edit[i].put);
    free(r.edit);
    free(r.token);
    return rc;
}
