/* Script: text -> calls. Tokens come from one PCRE2 pattern with match limits; the grammar is
 *
 *     script = { [statement ':'] call }
 *     call   = name '(' [arg { ',' arg }] ')'      arg = [statement '.'] name [':' product] | number
 *     product = factor { ('*' | '/') factor }      factor = number | lanes | registers | l1 | l2 | l3
 *
 * where '|', `at` and `as` between arguments start a section, and the arguments after `as` may
 * stand without commas. '#' starts a comment. The only names looked up here are those of
 * transforms. */
#include "transforms/script.h"
#include "support/limits.h"
#include "support/nearest.h"
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <string.h>

enum { MATCH_LIMIT = 1 << 20 };

typedef enum token { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_PUNCT, TOKEN_BAD } token;

/* Blanks and comments, then a name, a number, punctuation or the end. */
static const char pattern[] =
    "(?:[ \\t\\r\\n]|#[^\\n]*+)*+"
    "(?:([A-Za-z_\\x80-\\xff][A-Za-z0-9_\\x80-\\xff]*+)|([0-9]++)|([(),:|*/.])|(\\z))";

typedef struct reader {
    const char *text, *file;
    size_t n, at; /* length; where the next token is searched */
    pcre2_code *code;
    pcre2_match_data *match;
    pcre2_match_context *limits;
    token kind;        /* the current token */
    size_t start, end; /* its bytes */
    size_t before;     /* the end of the one before */
    sq_loc loc;
    size_t line_start; /* for loc */
    int line;
    size_t counted; /* bytes counted into line */
    sq_diags *d;
    sq_arena *arena;
    const sq_machine *machine;
} reader;

static void locate(reader *r)
{
    for (; r->counted < r->start; r->counted++)
        if (r->text[r->counted] == '\n') {
            r->line++;
            r->line_start = r->counted + 1;
        }
    r->loc = (sq_loc){.file = r->file,
                      .line = r->line,
                      .col = (int)(r->start - r->line_start) + 1,
                      .len = (int)(r->end - r->start)};
}

/* Skips blanks and comments, to locate an error. */
static size_t skip_blanks(const reader *r)
{
    size_t i = r->at;
    while (i < r->n && (strchr(" \t\r\n#", r->text[i]) && r->text[i])) {
        if (r->text[i] == '#')
            while (i < r->n && r->text[i] != '\n')
                i++;
        else
            i++;
    }
    return i;
}

static void next(reader *r)
{
    r->before = r->end;
    int rc =
        pcre2_match(r->code, (PCRE2_SPTR)r->text, r->n, r->at, PCRE2_ANCHORED, r->match, r->limits);
    if (rc <= 0) {
        r->kind = TOKEN_BAD;
        r->start = skip_blanks(r);
        r->end = r->start + 1;
    } else {
        static const token kinds[] = {TOKEN_BAD, TOKEN_NAME, TOKEN_NUMBER, TOKEN_PUNCT, TOKEN_END};
        const PCRE2_SIZE *o = pcre2_get_ovector_pointer(r->match);
        r->kind = kinds[rc - 1];
        r->start = o[2 * (rc - 1)];
        r->end = o[2 * (rc - 1) + 1];
        r->at = r->end;
    }
    locate(r);
}

static bool punct(const reader *r, char c)
{
    return r->kind == TOKEN_PUNCT && r->text[r->start] == c;
}

static bool word(const reader *r, const char *w)
{
    return r->kind == TOKEN_NAME && r->end - r->start == strlen(w) &&
           strncmp(r->text + r->start, w, strlen(w)) == 0;
}

/* Reports "expected X, not Y". */
static int unexpected(reader *r, const char *wanted)
{
    if (r->kind == TOKEN_END)
        return sq_error(r->d, SQ_FAULT_INPUT, r->loc, "expected %s, but the script ends here",
                        wanted);
    unsigned char c = (unsigned char)r->text[r->start];
    if (r->kind == TOKEN_BAD && (c < 0x20 || c >= 0x7f))
        return sq_error(r->d, SQ_FAULT_INPUT, r->loc, "expected %s, not the byte 0x%02x", wanted,
                        c);
    int n = r->end - r->start > 60 ? 60 : (int)(r->end - r->start);
    return sq_error(r->d, SQ_FAULT_INPUT, r->loc, "expected %s, not '%.*s'", wanted, n,
                    r->text + r->start);
}

static int take_name(reader *r, const char **name, const char *wanted)
{
    if (r->kind != TOKEN_NAME)
        return unexpected(r, wanted);
    *name = sq_arena_strndup(r->arena, r->text + r->start, r->end - r->start);
    next(r);
    return 0;
}

static int take_number(reader *r, int64_t *value)
{
    if (r->kind != TOKEN_NUMBER)
        return unexpected(r, "a number");
    *value = 0;
    for (size_t i = r->start; i < r->end; i++) {
        *value = *value * 10 + (r->text[i] - '0');
        if (*value > INT32_MAX)
            return sq_error(r->d, SQ_FAULT_INPUT, r->loc, "this number is too large; %d at most",
                            INT32_MAX);
    }
    next(r);
    return 0;
}

/* `i=16` or `i 16`: other notations for i:16. */
static int refuse_number(reader *r, const sq_call *call, const sq_arg *a)
{
    size_t from = r->start + (r->kind == TOKEN_BAD), n;
    unexpected(r, "',' or ')'");
    from += strspn(r->text + from, " \t");
    n = strspn(r->text + from, "0123456789");
    if (n)
        sq_help(r->d, r->loc, "a number stands behind a colon: %s(%s:%.*s)", call->name, a->name,
                (int)n, r->text + from);
    return -1;
}

/* True for a transform with words after a colon; others only have numbers there. */
static bool takes_words(const sq_call *call)
{
    return strcmp(call->name, "auto") == 0;
}

const sq_script_unit sq_script_units[] = {{"lanes", "elements in a vector, of the widest type in the group"},
                                          {"registers", "vector registers"},
                                          {"l1", "bytes of the L1 cache"},
                                          {"l2", "bytes of the L2 cache that one core can use"},
                                          {"l3", "bytes of the L3 cache that one core can use"},
                                          {NULL, NULL}};

/* Parses a word for a property of the machine; -1 after an error. */
static int take_unit(reader *r, sq_factor *f)
{
    static const sq_machine unknown;
    const sq_machine *m = r->machine ? r->machine : &unknown;
    const int64_t value[] = {m->vector_bytes, m->registers, m->l1, m->l2, m->l3};
    for (int i = 0; sq_script_units[i].name; i++) {
        const char *name = sq_script_units[i].name;
        if (!word(r, name))
            continue;
        if (m == &unknown || (i > 0 && value[i] <= 0))
            return sq_error(r->d, SQ_FAULT_INPUT, r->loc, "what '%s' is here is not known", name);
        *f = (sq_factor){.is_lanes = i == 0, .number = value[i]};
        next(r);
        return 0;
    }
    return unexpected(r, "a number, lanes, registers, l1, l2 or l3");
}

/* Parses what follows a colon. The value of a product depends on the call's group. */
static int take_product(reader *r, sq_arg *a)
{
    sq_factor *list = NULL, **end = &list;
    for (bool more = true, divides = false; more;) {
        sq_factor *f = SQ_NEW(r->arena, sq_factor);
        if (r->kind == TOKEN_NUMBER ? take_number(r, &f->number) : take_unit(r, f))
            return -1;
        f->divides = divides;
        *end = f;
        end = &f->next;
        divides = punct(r, '/');
        more = divides || punct(r, '*');
        if (more)
            next(r);
    }
    a->value = list->number;
    a->product = list->next || list->is_lanes ? list : NULL;
    return 0;
}

static int take_arg(reader *r, sq_call *call, char section)
{
    if (call->nargs == SQ_MAX_ARGS)
        return sq_error(r->d, SQ_FAULT_INPUT, r->loc, "more than %d arguments", SQ_MAX_ARGS);
    sq_arg *a = &call->arg[call->nargs++];
    *a = (sq_arg){.name = "", .section = section, .loc = r->loc};
    if (r->kind == TOKEN_NUMBER) {
        a->has_value = true;
        return take_number(r, &a->value);
    }
    if (take_name(r, &a->name, "an argument"))
        return -1;
    if (punct(r, '.')) {
        a->stmt = a->name;
        next(r);
        size_t end = r->end;
        if (take_name(r, &a->name, "a dimension or loop of that statement"))
            return -1;
        if (a->loc.line == r->line)
            a->loc.len = (int)(end - r->line_start) + 1 - a->loc.col;
    }
    if (r->kind == TOKEN_NUMBER || (r->kind == TOKEN_BAD && r->text[r->start] == '='))
        return refuse_number(r, call, a);
    if (!punct(r, ':'))
        return 0;
    next(r);
    size_t end = r->end;
    if (takes_words(call) && r->kind == TOKEN_NAME) {
        const char *name = "";
        int bad = take_name(r, &name, "a word");
        snprintf(a->word, sizeof a->word, "%s", name);
        return bad;
    }
    a->has_value = true;
    if (take_product(r, a))
        return -1;
    if (a->loc.line == r->line)
        a->loc.len = (int)(end - r->line_start) + 1 - a->loc.col;
    return 0;
}

/* Parses what follows an argument: ',' or the start of a section. Returns 1 if another argument
 * must come, 0 at the closing parenthesis. */
static int take_separator(reader *r, const sq_call *call, char *section)
{
    if (punct(r, ')'))
        return 0;
    if (punct(r, ',')) {
        next(r);
        return 1;
    }
    char opens = punct(r, '|') ? '|' : word(r, "at") ? 't' : word(r, "as") ? 's' : 0;
    if (opens && (call->nargs > 0 || opens == '|')) {
        *section = opens;
        next(r);
        return 1;
    }
    if (*section == 's' && r->kind == TOKEN_NAME)
        return 1;
    return unexpected(r, "',' or ')'");
}

static int take_args(reader *r, sq_call *call)
{
    char section = 0;
    int more = punct(r, ')') ? 0 : 1;
    if (more && punct(r, '|'))
        more = take_separator(r, call, &section);
    while (more > 0) {
        if (take_arg(r, call, section))
            return -1;
        more = take_separator(r, call, &section);
    }
    if (more == 0)
        next(r);
    return more;
}

static int unknown_transform(reader *r, const sq_call *call)
{
    const char *names[64];
    size_t n = 0;
    for (const sq_transform *t = sq_transforms; t->name && n < 64; t++)
        names[n++] = t->name;
    const char *near = sq_nearest(call->name, names, n);
    sq_error(r->d, SQ_FAULT_INPUT, call->loc, "there is no transform '%s'", call->name);
    sq_suggest(r->d, call->name, near);
    if (call->name[0] == 'S' && strspn(call->name + 1, "0123456789") == strlen(call->name) - 1)
        sq_help(r->d, SQ_NOWHERE, "a statement stands before its calls with a colon, once: %s: tile(i:8)", call->name);
    return -1;
}

/* Parses one step; the group chosen by an earlier `S1:` stays until another. */
static int take_step(reader *r, sq_step *s)
{
    sq_loc loc = r->loc;
    size_t from = r->start;
    if (take_name(r, &s->call.name, "a transform's name"))
        return -1;
    if (punct(r, ':')) {
        s->group = s->call.name;
        s->group_loc = loc;
        next(r);
        loc = r->loc;
        from = r->start;
        if (take_name(r, &s->call.name, "a transform's name"))
            return -1;
    }
    s->call.loc = loc;
    if (!sq_transform_get(s->call.name))
        return unknown_transform(r, &s->call);
    if (!punct(r, '('))
        return unexpected(r, "'('");
    next(r);
    if (take_args(r, &s->call))
        return -1;
    s->text = sq_arena_strndup(r->arena, r->text + from, r->before - from);
    return 0;
}

static int take_steps(reader *r, sq_step **tail)
{
    sq_step *last = NULL;
    *tail = NULL;
    next(r);
    for (int n = 0; r->kind != TOKEN_END; n++) {
        if (n == SQ_MOST_SCRIPT_CALLS)
            return sq_error(r->d, SQ_FAULT_INPUT, r->loc, "more than %d calls in one script",
                            SQ_MOST_SCRIPT_CALLS);
        sq_step *s = SQ_NEW(r->arena, sq_step);
        s->group = last ? last->group : "";
        s->group_loc = last ? last->group_loc : SQ_NOWHERE;
        if (take_step(r, s))
            return -1;
        *tail = s;
        tail = &s->next;
        last = s;
    }
    return 0;
}

int sq_script_parse(const char *script, const char *file, const sq_machine *machine, sq_arena *arena,
                    sq_step **steps, sq_diags *d)
{
    int error;
    PCRE2_SIZE offset;
    reader r = {
        .text = script, .file = file, .n = strlen(script), .line = 1, .d = d, .arena = arena, .machine = machine};
    size_t n = r.n - strspn(script, "\n"); /* without the lines above it in a .sched file */
    if (n > SQ_MOST_SCRIPT_BYTES)
        return sq_error(d, SQ_FAULT_INPUT, (sq_loc){.file = file},
                        "a script of %zu bytes; %d at most", n, SQ_MOST_SCRIPT_BYTES);
    r.code = pcre2_compile((PCRE2_SPTR)pattern, sizeof pattern - 1, 0, &error, &offset, NULL);
    r.match = r.code ? pcre2_match_data_create_from_pattern(r.code, NULL) : NULL;
    r.limits = pcre2_match_context_create(NULL);
    if (!r.match || !r.limits)
        sq_bug("script", "the token pattern does not compile: %d at %zu", error, (size_t)offset);
    pcre2_set_match_limit(r.limits, MATCH_LIMIT);
    pcre2_set_depth_limit(r.limits, MATCH_LIMIT);
    int result = take_steps(&r, steps);
    pcre2_match_context_free(r.limits);
    pcre2_match_data_free(r.match);
    pcre2_code_free(r.code);
    return result;
}
