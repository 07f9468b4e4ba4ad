/* The parser of the command line: getopt_long driven by the option table, and before it the
 * environment. What getopt does not do is done here: long options with one dash (-MD, -std=c11),
 * no abbreviations (they would make every new option a change of meaning), a nearest match and a
 * caret for what is unknown. */
#include "cli/cli.h"
#include "support/nearest.h"
#include "support/words.h"
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTIONS = 64, FIRST_CODE = 256, MOST_WORDS = 1024 };
static const char command_line[] = "command line";

/* Where each option stood on the command line, by its row. */
static sq_loc option_loc[MAX_OPTIONS];
/* Where each value of those stood that may be repeated. */
static struct {
    const char *item;
    sq_loc loc;
} items[MOST_WORDS];
static int nitems;

typedef struct parser {
    sq_settings *o;
    sq_diags *d;
    int argc;
    char **argv;      /* after rewriting of one-dash options */
    char **written;   /* as the user typed them */
    int column[MOST_WORDS]; /* of argv[i] in the text of the command line */
    struct option longs[MAX_OPTIONS + 1];
    char shorts[3 + 3 * MAX_OPTIONS];
} parser;

bool sq_option_of(const sq_option *row, const char *command)
{
    if (strcmp(row->commands, "*") == 0)
        return true;
    size_t n = strlen(command);
    for (const char *p = row->commands; (p = strstr(p, command)); p += n)
        if ((p == row->commands || p[-1] == ' ') && (p[n] == ' ' || p[n] == 0))
            return true;
    return false;
}

sq_loc sq_settings_loc(const sq_settings *o, const char *option)
{
    (void)o;
    for (int i = 0; sq_options[i].name; i++)
        if (strcmp(sq_options[i].name, option) == 0)
            return option_loc[i];
    return SQ_NOWHERE;
}

sq_loc sq_settings_item_loc(const sq_settings *o, const char *option, const char *item)
{
    for (int i = 0; i < nitems; i++)
        if (items[i].item == item)
            return items[i].loc;
    return sq_settings_loc(o, option);
}

static void list_add(sq_list *list, const char *item, sq_arena *arena)
{
    const char **more = SQ_NEW_ARRAY(arena, const char *, list->n + 1);
    for (int i = 0; i < list->n; i++)
        more[i] = list->item[i];
    more[list->n++] = item;
    list->item = more;
}

bool sq_is_name(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!sq_is_word_byte(text[i]) || (i == 0 && isdigit((unsigned char)text[i])))
            return false;
    return n > 0;
}

static const char form[] = "is no size; write NAME=NUMBER, ...";

/* "512" up to `end`: NULL, or what is wrong with it. */
static const char *parse_value(const char *text, const char *end, int64_t *to)
{
    char *last;
    errno = 0;
    if (!isdigit((unsigned char)*text))
        return form;
    *to = strtoll(text, &last, 10);
    if (last != end)
        return form;
    return errno == ERANGE ? "is out of range; a size is at most 9223372036854775807" : NULL;
}

/* "512" or "1|2" of n bytes behind a name: NULL, or what is wrong with it. */
static const char *parse_values(const char *text, size_t n, sq_size_set *to, sq_arena *arena)
{
    const char *end = text + n, *wrong = NULL;
    int64_t *value = SQ_NEW_ARRAY(arena, int64_t, (int)n + 1);
    for (const char *p = text; !wrong; p++) {
        const char *bar = memchr(p, '|', (size_t)(end - p));
        wrong = parse_value(p, bar ? bar : end, &value[to->n]);
        for (int i = 0; i < to->n && !wrong; i++)
            wrong = value[i] == value[to->n] ? "names a value twice" : NULL;
        to->n++;
        p = bar ? bar : end;
        if (p == end)
            break;
    }
    to->value = value;
    return wrong;
}

/* "M=512" of n bytes: NULL, or what is wrong with it. */
static const char *parse_size(const char *text, size_t n, sq_size_set *to, sq_arena *arena)
{
    const char *equals = memchr(text, '=', n);
    if (!equals || !sq_is_name(text, (size_t)(equals - text)))
        return form;
    to->name = sq_arena_strndup(arena, text, (size_t)(equals - text));
    return parse_values(equals + 1, n - (size_t)(equals + 1 - text), to, arena);
}

static const char *has_value(const char *name, const char *value, sq_arena *arena)
{
    return sq_arena_printf(arena, "names a size that has a value already: '%s=%s'", name, value);
}

/* "1|2" */
static const char *values_text(const sq_size_set *x, sq_arena *arena)
{
    const char *text = "";
    for (int i = 0; i < x->n; i++)
        text = sq_arena_printf(arena, "%s%s%lld", text, i ? "|" : "", (long long)x->value[i]);
    return text;
}

static bool is_same(const sq_size_set *a, const sq_size_set *b)
{
    return a->n == b->n && memcmp(a->value, b->value, (size_t)a->n * sizeof *a->value) == 0;
}

/* One more size: NULL, or what is wrong with it. The same again adds nothing. */
static const char *add_size(sq_sizes *to, sq_size_set x, sq_arena *arena)
{
    for (int i = 0; i < to->n; i++)
        if (strcmp(to->fix[i].name, x.name) == 0)
            return x.n == 1 && to->fix[i].value == x.value[0]
                       ? NULL
                       : has_value(x.name, sq_arena_printf(arena, "%lld", (long long)to->fix[i].value), arena);
    for (int i = 0; i < to->nsets; i++)
        if (strcmp(to->set[i].name, x.name) == 0)
            return is_same(&to->set[i], &x) ? NULL : has_value(x.name, values_text(&to->set[i], arena), arena);
    if (x.n == 1)
        to->fix[to->n++] = (sq_fix){x.name, x.value[0]};
    else
        to->set[to->nsets++] = x;
    return NULL;
}

/* The caret stands under the part at fault, where that stands in the command line. */
static sq_loc part_loc(sq_loc loc, const char *text, const char *part, size_t n)
{
    int before = loc.len - (int)strlen(text); /* "--fix=" */
    if (loc.line && before > 0) {
        loc.col += before + (int)(part - text);
        loc.len = n ? (int)n : 1;
    }
    return loc;
}

/* Room for the sizes that `text` names beside those there are. */
static void make_room(sq_sizes *to, const char *text, sq_arena *arena)
{
    int more = 1;
    for (const char *p = text; *p; p++)
        more += *p == ',';
    sq_fix *fix = SQ_NEW_ARRAY(arena, sq_fix, to->n + more);
    sq_size_set *set = SQ_NEW_ARRAY(arena, sq_size_set, to->nsets + more);
    for (int i = 0; i < to->n; i++)
        fix[i] = to->fix[i];
    for (int i = 0; i < to->nsets; i++)
        set[i] = to->set[i];
    to->fix = fix;
    to->set = set;
}

int sq_sizes_add(const char *text, sq_sizes *to, sq_arena *arena, sq_loc loc, sq_diags *d)
{
    make_room(to, text, arena);
    for (const char *p = text;; p++) {
        size_t n = strcspn(p, ",");
        sq_size_set x = {0};
        const char *wrong = parse_size(p, n, &x, arena);
        if (!wrong)
            wrong = add_size(to, x, arena);
        if (wrong)
            return sq_error(d, SQ_FAULT_USAGE, part_loc(loc, text, p, n), "'%.*s' %s", (int)n, p,
                            wrong);
        p += n;
        if (!*p)
            return 0;
    }
}

int sq_sizes_parse(const char *text, sq_sizes *to, sq_arena *arena, sq_loc loc, sq_diags *d)
{
    *to = (sq_sizes){0};
    if (sq_sizes_add(text, to, arena, loc, d) != 0)
        return -1;
    if (to->nsets == 0)
        return 0;
    return sq_error(d, SQ_FAULT_USAGE, loc, "'%s=%s' has several values, which only --fix takes", to->set[0].name,
                    values_text(&to->set[0], arena));
}

static int parse_seconds(const char *text, double *to)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"min", 60}, {"h", 3600}};
    char *end;
    *to = strtod(text, &end);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (end != text && strcmp(end, units[i].unit) == 0) {
            *to *= units[i].seconds;
            return *to > 0 && *to < 1e9 ? 0 : -1;
        }
    return -1;
}

static int parse_choice(const char *choices, const char *text, int *to)
{
    size_t n = strlen(text);
    int index = 0;
    for (const char *p = choices;; index++) {
        size_t k = strcspn(p, "|");
        if (k == n && strncmp(p, text, n) == 0) {
            *to = index;
            return 0;
        }
        if (!p[k])
            return -1;
        p += k + 1;
    }
}

/* Puts a value into its field. `fresh`: the first one from this origin, which replaces a list from
 * an earlier origin. */
static int set(const sq_option *row, sq_settings *o, const char *text, sq_loc loc, bool fresh,
               sq_diags *d)
{
    void *field = (char *)o + row->offset;
    char *end;
    switch (row->kind) {
    case SQ_OPTION_FLAG:
        *(bool *)field = !text || (strcmp(text, "0") != 0 && *text);
        return 0;
    case SQ_OPTION_COUNT:
        *(int *)field = text ? atoi(text) : (fresh ? 1 : *(int *)field + 1);
        return 0;
    case SQ_OPTION_TEXT:
        *(const char **)field = text;
        return 0;
    case SQ_OPTION_LIST:
        if (fresh)
            *(sq_list *)field = (sq_list){0};
        list_add(field, text, o->arena);
        return 0;
    case SQ_OPTION_INTEGER:
        errno = 0;
        *(long long *)field = strtoll(text, &end, 10);
        if (end != text && !*end && *(long long *)field >= 0 && errno == 0)
            return 0;
        return sq_error(d, SQ_FAULT_USAGE, loc, "--%s: '%s' is no whole number", row->name, text);
    case SQ_OPTION_SECONDS:
        if (parse_seconds(text, field) == 0)
            return 0;
        return sq_error(d, SQ_FAULT_USAGE, loc, "--%s: '%s' is no time; write 60s, 5m or 1h",
                        row->name, text);
    case SQ_OPTION_SIZES:
        if (fresh)
            *(sq_sizes *)field = (sq_sizes){0};
        return sq_sizes_add(text, field, o->arena, loc, d);
    case SQ_OPTION_CHOICE:
        if (parse_choice(row->arg, text, field) == 0)
            return 0;
        return sq_error(d, SQ_FAULT_USAGE, loc, "--%s: '%s' is none of %s", row->name, text,
                        row->arg);
    }
    return 0;
}

static const char *environment_name(const sq_option *row, sq_arena *arena)
{
    char *name = sq_arena_printf(arena, "SQUALL_%s", row->name);
    for (char *p = name; *p; p++)
        *p = *p == '-' ? '_' : *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p;
    return name;
}

static int read_environment(parser *p)
{
    for (const sq_option *row = sq_options; row->name; row++) {
        const char *name = environment_name(row, p->o->arena);
        const char *value = getenv(name);
        if (!value || !sq_option_of(row, p->o->command))
            continue;
        if (set(row, p->o, value, SQ_NOWHERE, true, p->d) != 0) {
            sq_note(p->d, SQ_NOWHERE, "the value comes from the environment variable %s", name);
            return -1;
        }
    }
    return 0;
}

/* -MD, -MF x, -MFx, -std=c11: long options that are written with one dash. */
static char *rewrite(char *word, sq_arena *arena)
{
    static const char *const with_value[] = {"-MF", "-MT"};
    if (strcmp(word, "-MD") == 0 || strcmp(word, "-MP") == 0 || strncmp(word, "-std=", 5) == 0)
        return sq_arena_printf(arena, "-%s", word);
    for (int i = 0; i < 2; i++)
        if (strncmp(word, with_value[i], 3) == 0)
            return sq_arena_printf(arena, "-%s%s%s", with_value[i], word[3] ? "=" : "", word + 3);
    return word;
}

bool sq_is_shell_word(const char *word)
{
    return *word && !word[strcspn(word, " \t\n'\"\\$`|&;()<>*?#~!{}[]")];
}

/* As a shell takes it for one word. */
static void put_quoted(sq_text *to, const char *word)
{
    if (sq_is_shell_word(word)) {
        sq_text_puts(to, word);
        return;
    }
    sq_text_puts(to, "'");
    for (; *word; word++)
        if (*word == '\'')
            sq_text_puts(to, "'\\''");
        else
            sq_text_putn(to, word, 1);
    sq_text_puts(to, "'");
}

/* The words as one line, so that messages can put a caret under one; as a command that can be repeated. */
static void note_command_line(parser *p)
{
    sq_text line = {0}, command = {0};
    sq_text_puts(&line, "squall");
    sq_text_puts(&command, "squall");
    for (int i = 0; i < p->argc; i++) {
        sq_text_puts(&line, " ");
        p->column[i] = (int)line.n + 1;
        sq_text_puts(&line, p->written[i]);
        sq_text_puts(&command, " ");
        put_quoted(&command, p->written[i]);
    }
    sq_diags_source(p->d, command_line, line.s, line.n);
    sq_text_free(&line);
    p->o->words = sq_text_take(&command, p->o->arena);
}

static sq_loc loc_of(const parser *p, int i)
{
    return (sq_loc){command_line, 1, p->column[i], (int)strcspn(p->written[i], "=")};
}

/* getopt_long permutes its words; a word is found again by its address. */
static int index_of(const parser *p, const char *word)
{
    for (int i = 0; i < p->argc; i++)
        if (p->argv[i] == word)
            return i;
    return 0;
}

static void make_getopt_tables(parser *p)
{
    int n = 0;
    char *s = p->shorts;
    *s++ = ':'; /* a missing value is distinguished from an unknown option */
    for (int i = 0; sq_options[i].name; i++) {
        const sq_option *row = &sq_options[i];
        if (!sq_option_of(row, p->o->command))
            continue;
        int value = row->arg[0] ? required_argument : no_argument;
        p->longs[n++] = (struct option){row->name, value, NULL, FIRST_CODE + i};
        if (row->letter)
            *s++ = row->letter;
        if (row->letter && value)
            *s++ = ':';
    }
    p->longs[n++] = (struct option){"help", no_argument, NULL, 'h'};
    *s++ = 'h';
}

/* The option that a word is the beginning of, --head for --header, or that it goes on from, --fixed
 * for --fix: of several the one that has most in common with it. NULL: there is none. */
static const char *same_beginning(const char *name, const char *const *names, size_t n)
{
    const char *best = NULL;
    size_t letters = strlen(name), least = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        size_t k = strlen(names[i]), shorter = k < letters ? k : letters;
        size_t difference = k < letters ? letters - k : k - letters;
        if (shorter >= 3 && difference < least && strncmp(names[i], name, shorter) == 0) {
            best = names[i];
            least = difference;
        }
    }
    return best;
}

/* -MD and its like have one dash. */
static const char *dashes(const char *name)
{
    return name[0] == 'M' && name[1] < 'a' ? "-" : "--";
}

/* Nearest among this command's options, or one that another command takes. */
static void suggest(const parser *p, const char *name)
{
    const char *names[MAX_OPTIONS + 1];
    size_t n = 0;
    for (int i = 0; p->longs[i].name; i++)
        names[n++] = p->longs[i].name;
    for (const sq_option *row = sq_options; row->name; row++)
        if (strcmp(row->name, name) == 0)
            sq_help(p->d, SQ_NOWHERE, "--%s belongs to: %s", name, row->commands);
    const char *nearest = sq_nearest(name, names, n);
    if (!nearest)
        nearest = same_beginning(name, names, n);
    if (nearest)
        sq_suggest(p->d, name, sq_arena_printf(p->o->arena, "%s%s", dashes(nearest), nearest));
    else
        sq_help(p->d, SQ_NOWHERE, "`squall help %s` lists the options", p->o->command);
}

/* --views=3: a flag of this command with something behind it. */
static bool has_value_too_many(const parser *p, const char *written)
{
    size_t begin = strspn(written, "-"), end = strcspn(written, "=");
    if (!written[end])
        return false;
    for (int i = 0; p->longs[i].name; i++) {
        const char *name = p->longs[i].name;
        if (p->longs[i].has_arg == no_argument && strlen(dashes(name)) == begin && strlen(name) == end - begin &&
            strncmp(name, written + begin, end - begin) == 0)
            return true;
    }
    return false;
}

static int unknown(parser *p, const char *word)
{
    int i = index_of(p, word);
    sq_loc loc = loc_of(p, i);
    const char *written = p->written[i];
    if (has_value_too_many(p, written))
        return sq_error(p->d, SQ_FAULT_USAGE, loc, "%.*s takes no value", loc.len, written);
    sq_error(p->d, SQ_FAULT_USAGE, loc, "unknown option '%.*s' of squall %s", loc.len, written,
             p->o->command);
    const char *name = written + strspn(written, "-");
    suggest(p, sq_arena_strndup(p->o->arena, name, strcspn(name, "=")));
    return -1;
}

/* Row number of getopt's result, -1 if it is none of the table's. */
static int row_of(const parser *p, int code)
{
    for (int i = 0; sq_options[i].name; i++)
        if (code == FIRST_CODE + i ||
            (code == sq_options[i].letter && sq_option_of(&sq_options[i], p->o->command)))
            return i;
    return -1;
}

/* getopt_long takes --head for --header; here it is unknown. */
static bool abbreviated(const char *word, const char *name)
{
    return strncmp(word, "--", 2) == 0 && strcspn(word + 2, "=") != strlen(name);
}

static int take(parser *p, int code, const char *word, bool *seen)
{
    int r = row_of(p, code == ':' ? optopt : code);
    bool whole = r >= 0 && !abbreviated(word, sq_options[r].name);
    if (code == ':' && whole)
        return sq_error(p->d, SQ_FAULT_USAGE, loc_of(p, index_of(p, word)), "'%s' needs a value",
                        p->written[index_of(p, word)]);
    if (!whole)
        return unknown(p, word);
    option_loc[r] = loc_of(p, index_of(p, word));
    option_loc[r].len = (int)strlen(p->written[index_of(p, word)]);
    if (sq_options[r].kind == SQ_OPTION_LIST && nitems < MOST_WORDS) {
        items[nitems].item = optarg;
        items[nitems++].loc = option_loc[r];
    }
    int bad = set(&sq_options[r], p->o, optarg, option_loc[r], !seen[r], p->d);
    seen[r] = true;
    return bad;
}

static int read_words(parser *p)
{
    bool seen[MAX_OPTIONS] = {0};
    char **argv = SQ_NEW_ARRAY(p->o->arena, char *, p->argc + 1);
    memcpy(argv, p->argv, (size_t)p->argc * sizeof *argv);
    opterr = 0;
    optind = 0; /* glibc: start afresh */
    for (;;) {
        int at = optind ? optind : 1;
        while (at < p->argc && (argv[at][0] != '-' || !argv[at][1])) /* what it will skip over */
            at++;
        const char *word = at < p->argc ? argv[at] : "";
        int code = getopt_long(p->argc, argv, p->shorts, p->longs, NULL);
        if (code == -1)
            break;
        if (code == 'h' && !abbreviated(word, "help")) {
            p->o->command = NULL; /* the caller prints help instead */
            return 0;
        }
        if (take(p, code, word, seen) != 0)
            return -1;
    }
    for (int i = optind; i < p->argc; i++)
        list_add(&p->o->files, argv[i], p->o->arena);
    return 0;
}

/* Parts off what follows `--`, which is for libclang. */
static void split_rest(parser *p)
{
    for (int i = 1; i < p->argc; i++)
        if (strcmp(p->argv[i], "--") == 0) {
            for (int k = i + 1; k < p->argc; k++)
                list_add(&p->o->clang, p->argv[k], p->o->arena);
            p->argc = i;
        }
}

int sq_settings_parse(sq_settings *o, int argc, char **argv, sq_arena *arena, sq_diags *d)
{
    *o = (sq_settings){.arena = arena, .command = argv[0], .seed = 1};
    parser *p = SQ_NEW(arena, parser);
    p->o = o;
    p->d = d;
    p->argc = argc;
    p->argv = SQ_NEW_ARRAY(arena, char *, argc + 1);
    p->written = argv;
    if (argc >= (int)(sizeof p->column / sizeof *p->column))
        return sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE, "more than a thousand words");
    bool ours = true; /* before -- */
    for (int i = 0; i < argc; i++) {
        ours = ours && strcmp(argv[i], "--") != 0;
        p->argv[i] = ours ? rewrite(argv[i], arena) : argv[i];
    }
    note_command_line(p);
    split_rest(p);
    make_getopt_tables(p);
    if (read_environment(p) != 0)
        return -1;
    return read_words(p);
}
