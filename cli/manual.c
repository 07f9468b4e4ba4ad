/* squall show manual [COMMAND]: a page of the manual in the language of man(7), printed from the same
 * two tables as the help: commands (main.c) and options (options.c). The build makes squall.1 and one
 * page a command of it. No date stands in it: the same program prints the same bytes. */
#include "cli/show.h"
#include "support/nearest.h"
#include "support/version.h"
#include <ctype.h>
#include <string.h>

/* A character that roff would take for something else. Words between backticks are bold. */
static void put_character(sq_text *to, char c, bool *bold)
{
    static const struct {
        char c;
        const char *roff;
    } names[] = {{'\\', "\\e"}, {'-', "\\-"}, {'\'', "\\(aq"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
    if (c == '`') {
        *bold = !*bold;
        sq_text_puts(to, *bold ? "\\fB" : "\\fR");
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].c == c) {
            sq_text_puts(to, names[i].roff);
            return;
        }
    sq_text_putn(to, &c, 1);
}

/* A text; a dot that begins one of its lines is no request. */
static void put(sq_text *to, const char *text)
{
    bool bold = false;
    for (const char *p = text; *p; p++) {
        if (*p == '.' && (p == text ? !to->n || to->s[to->n - 1] == '\n' : p[-1] == '\n'))
            sq_text_puts(to, "\\&");
        put_character(to, *p, &bold);
    }
}

static void put_head(sq_text *to, const char *name, const char *doc)
{
    sq_text_puts(to, ".\\\" Printed by `squall show manual`; not written by hand.\n.TH \"");
    for (const char *p = name; *p; p++)
        sq_text_printf(to, "%c", toupper((unsigned char)*p));
    sq_text_printf(to, "\" 1 \"\" \"squall %s\" \"Squall\"\n.SH NAME\n", SQ_VERSION);
    put(to, name);
    sq_text_puts(to, " \\- ");
    put(to, doc);
    sq_text_puts(to, "\n.SH SYNOPSIS\n");
}

static void put_exit_codes(sq_text *to)
{
    sq_text_puts(to, ".SH EXIT STATUS\n");
    for (const sq_exit_code *e = sq_exit_codes; e->doc; e++) {
        sq_text_printf(to, ".TP\n%d\n", e->code);
        put(to, e->doc);
        sq_text_puts(to, "\n");
    }
}

static void put_environment(sq_text *to)
{
    sq_text_puts(to, ".SH ENVIRONMENT\nEvery option has a twin: SQUALL_ and its name in capitals, "
                     "\\- as _ (SQUALL_TARGET).\nThe command line is stronger.\n");
}

/* All pages but `self`. */
static void put_see_also(sq_text *to, const char *self)
{
    const char *sep = "";
    sq_text_puts(to, ".SH SEE ALSO\n");
    if (self) {
        sq_text_puts(to, ".BR squall (1)");
        sep = ",\n";
    }
    for (const sq_command *c = sq_commands; c->name; c++) {
        if (self && strcmp(c->name, self) == 0)
            continue;
        sq_text_printf(to, "%s.BR squall\\-%s (1)", sep, c->name);
        sep = ",\n";
    }
    sq_text_puts(to, "\n");
}

static void put_option(sq_text *to, const sq_option *row)
{
    sq_text_puts(to, ".TP\n");
    if (row->letter)
        sq_text_printf(to, "\\fB\\-%c\\fR, ", row->letter);
    sq_text_puts(to, "\\fB");
    put(to, sq_option_dashes(row));
    put(to, row->name);
    sq_text_printf(to, "\\fR%s\\fI", sq_option_joint(row));
    put(to, row->arg);
    sq_text_puts(to, "\\fR\n");
    put(to, row->doc);
    sq_text_puts(to, "\n");
}

static void put_options(sq_text *to, const sq_command *c)
{
    const char *group = "";
    sq_text_puts(to, ".SH OPTIONS\n");
    for (const sq_option *row = sq_options; row->name; row++) {
        if (!sq_option_of(row, c->name))
            continue;
        if (strcmp(group, row->group) != 0)
            sq_text_printf(to, ".SS %s\n", row->group);
        group = row->group;
        put_option(to, row);
    }
}

static void put_topics(sq_text *to)
{
    sq_text_puts(to, ".SH TOPICS\n");
    for (const sq_topic *t = sq_topics; t->name; t++) {
        sq_text_printf(to, ".TP\n\\fB%s\\fR \\fI%s\\fR\n", t->name, sq_topic_args(t));
        put(to, t->doc);
        sq_text_puts(to, "\n");
    }
}

static void put_command(sq_text *to, const sq_command *c)
{
    sq_text name = {0};
    sq_text_printf(&name, "squall-%s", c->name);
    put_head(to, name.s, c->doc);
    sq_text_free(&name);
    sq_text_printf(to, "\\fBsquall %s\\fR ", c->name);
    put(to, c->args);
    sq_text_puts(to, "\n");
    if (c->more[0]) {
        sq_text_puts(to, ".SH DESCRIPTION\n");
        put(to, c->more);
        sq_text_puts(to, "\n");
    }
    if (c->run == sq_cmd_show)
        put_topics(to);
    put_options(to, c);
    if (c->example[0]) {
        sq_text_puts(to, ".SH EXAMPLES\n.nf\n");
        put(to, c->example);
        sq_text_puts(to, ".fi\n");
    }
    put_environment(to);
    put_exit_codes(to);
    put_see_also(to, c->name);
}

static void put_overview(sq_text *to)
{
    put_head(to, "squall", "turn descriptions of tensor kernels into C");
    sq_text_puts(to, "\\fBsquall\\fR \\fICOMMAND\\fR ...\n.SH DESCRIPTION\nSquall reads a short "
                     "description of a tensor computation and writes a fast, standalone C or CUDA "
                     "file.\n\\fBsquall help language\\fR prints the language on one screen.\n"
                     ".SH COMMANDS\n");
    for (const sq_command *c = sq_commands; c->name; c++) {
        sq_text_printf(to, ".TP\n\\fBsquall %s\\fR\n", c->name);
        put(to, c->doc);
        sq_text_puts(to, "\n");
    }
    put_environment(to);
    put_exit_codes(to);
    sq_text_puts(to, ".SH FILES\n.TP\n\\fIK.\\fRclass\\fI.sched\\fR\nschedules that were tuned for "
                     "the description K.sq, beside it\n.TP\n\\fI$XDG_STATE_HOME/squall/samples.db"
                     "\\fR\nthe trials of all tuning\n");
    put_see_also(to, NULL);
}

static int unknown(sq_task *task, const char *name)
{
    const char *names[32];
    size_t n = 0;
    for (const sq_command *c = sq_commands; c->name; c++)
        names[n++] = c->name;
    if (sq_refuse_left_out(name, task->d))
        return -1;
    sq_error(task->d, SQ_FAULT_USAGE, SQ_NOWHERE, "there is no command '%s'", name);
    const char *nearest = sq_nearest(name, names, n);
    sq_suggest(task->d, name, nearest);
    if (!nearest)
        sq_help(task->d, SQ_NOWHERE, "`squall help` lists the commands");
    return -1;
}

int sq_show_manual(sq_task *task, sq_text *to, json_t *json)
{
    const char *name = task->o->files.n ? task->o->files.item[0] : NULL;
    const sq_command *c = sq_commands;
    while (name && c->name && strcmp(c->name, name) != 0)
        c++;
    if (!c->name)
        return unknown(task, name);
    if (name)
        put_command(to, c);
    else
        put_overview(to);
    if (json)
        json_object_set_new(json, "manual", json_string(sq_text_str(to)));
    return 0;
}
