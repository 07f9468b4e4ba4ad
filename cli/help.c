/* Help, printed from the two tables: commands (main.c) and options (options.c). */
#include "cli/show.h"
#include "support/nearest.h"
#include <stdio.h>
#include <string.h>

enum { COLUMN = 30, WIDTH = 80 };

/* clang-format off */
const sq_exit_code sq_exit_codes[] = {
    {0,  "done"},
    {1,  "error in the input, nothing written"},
    {2,  "legal but not done (refused schedule, untuned, slower)"},
    {3,  "file, compiler or database"},
    {63, "input for a newer squall"},
    {64, "command line"},
    {70, "fault of squall"},
    {0}};
/* clang-format on */

/* Words of `doc`, which go on at column `at` and in further lines at column `left`. */
static void put_words(sq_text *to, const char *doc, size_t at, int left)
{
    while (*doc) {
        size_t n = strcspn(doc, " ");
        if (at + 1 + n > WIDTH) {
            sq_text_printf(to, "\n%*s", left, "");
            at = (size_t)left;
        }
        sq_text_printf(to, at ? " %.*s" : "%.*s", (int)n, doc);
        at += n + (at > 0);
        doc += n + strspn(doc + n, " ");
    }
    sq_text_puts(to, "\n");
}

static void put_doc(sq_text *to, const char *doc)
{
    put_words(to, doc, COLUMN - 1, COLUMN - 1);
}

const char *sq_option_dashes(const sq_option *row)
{
    return row->name[0] == 'M' || strcmp(row->name, "std") == 0 ? "-" : "--";
}

const char *sq_option_joint(const sq_option *row)
{
    return !row->arg[0] ? "" : row->name[0] == 'M' ? " " : "=";
}

static void put_option(const sq_option *row, sq_text *to)
{
    size_t start = to->n;
    if (row->letter)
        sq_text_printf(to, "  -%c, ", row->letter);
    else
        sq_text_puts(to, "      ");
    sq_text_printf(to, "%s%s%s%s", sq_option_dashes(row), row->name, sq_option_joint(row),
                   row->arg);
    size_t used = to->n - start;
    if (used >= COLUMN - 1)
        sq_text_printf(to, "\n%*s", COLUMN - 1, "");
    else
        sq_text_printf(to, "%*s", (int)(COLUMN - 1 - used), "");
    put_doc(to, row->doc);
}

static void put_topics(sq_text *to)
{
    sq_text_puts(to, "\nTopics:\n");
    for (const sq_topic *t = sq_topics; t->name; t++)
        sq_text_line(to, "  %-12s %-9s %s", t->name, sq_topic_args(t), t->doc);
}

static void put_command(const sq_command *c, sq_text *to)
{
    sq_text_printf(to, "usage: squall %s %s\n\n%s\n", c->name, c->args, c->doc);
    if (c->more[0]) {
        sq_text_puts(to, "\n");
        put_words(to, c->more, 0, 0);
    }
    if (c->example[0])
        sq_text_printf(to, "\nExamples:\n%s", c->example);
    if (c->run == sq_cmd_show)
        put_topics(to);
    const char *group = "";
    for (const sq_option *row = sq_options; row->name; row++) {
        if (!sq_option_of(row, c->name))
            continue;
        if (strcmp(group, row->group) != 0)
            sq_text_printf(to, "\n%s:\n", row->group);
        group = row->group;
        put_option(row, to);
    }
    sq_text_puts(to, "\nEvery option has an environment twin: SQUALL_ and its name in capitals, - as _\n"
                     "(SQUALL_TARGET).\n");
}

static void put_exit_codes(sq_text *to)
{
    sq_text all = {0};
    for (const sq_exit_code *e = sq_exit_codes; e->doc; e++)
        sq_text_printf(&all, "%d %s%s", e->code, e->doc, e[1].doc ? "; " : ".");
    sq_text_puts(to, "Exit codes:");
    put_words(to, sq_text_str(&all), strlen("Exit codes:"), 0);
    sq_text_free(&all);
}

static void put_overview(sq_text *to)
{
    sq_text_puts(to, "usage: squall COMMAND ...\n\nSquall makes fast, standalone C of a short description of a "
                     "tensor computation.\n\nCommands:\n");
    for (const sq_command *c = sq_commands; c->name; c++)
        sq_text_printf(to, "  %-9s %s\n", c->name, c->doc);
    for (int i = 0; sq_left_out[i]; i++)
        sq_text_printf(to, "%s%s%s",
                       i ? ", " : "\nBuilt without the tuner (-DSQUALL_TUNER=OFF), it lacks ",
                       sq_left_out[i], sq_left_out[i + 1] ? "" : ".\n");
    sq_text_puts(to, "\n`squall help COMMAND` lists its options, `squall help language` what a\n"
                     "description may hold; `squall --version` prints the versions.\n");
    put_exit_codes(to);
}

void sq_help_print(const sq_command *c, sq_text *to)
{
    if (c)
        put_command(c, to);
    else
        put_overview(to);
}

int sq_cmd_help(const sq_settings *o, sq_diags *d)
{
    const sq_command *found = NULL;
    const char *names[32] = {"language"};
    size_t n = 1;
    if (o->files.n && strcmp(o->files.item[0], names[0]) == 0) {
        fputs(sq_language_help, stdout);
        return 0;
    }
    for (const sq_command *c = sq_commands; c->name; c++) {
        names[n++] = c->name;
        if (o->files.n && strcmp(c->name, o->files.item[0]) == 0)
            found = c;
    }
    if (o->files.n && !found && sq_refuse_left_out(o->files.item[0], d))
        return -1;
    if (o->files.n && !found) {
        const char *nearest = sq_nearest(o->files.item[0], names, n);
        sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE, "there is no command or topic '%s'",
                 o->files.item[0]);
        sq_suggest(d, o->files.item[0], nearest);
        if (!nearest)
            sq_help(d, SQ_NOWHERE, "`squall help` lists the commands; the one topic is 'language'");
        return -1;
    }
    sq_text t = {0};
    sq_help_print(found, &t);
    fputs(sq_text_str(&t), stdout);
    sq_text_free(&t);
    return 0;
}
