/* Completion of squall's words for fish: a line an option, for the commands that take it. */
#include "cli/show.h"
#include "cli/values.h"
#include <string.h>

/* In single quotes. */
static void put_quoted(sq_text *to, const char *text)
{
    sq_text_puts(to, "'");
    for (; *text; text++)
        sq_text_printf(to, *text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
    sq_text_puts(to, "'");
}

static void put_line(sq_text *to, const char *condition, const char *word, const char *doc)
{
    sq_text_printf(to, "complete -c squall -f -n %s -a %s -d ", condition, word);
    put_quoted(to, doc);
    sq_text_puts(to, "\n");
}

static void put_values(sq_text *to, const sq_option *row)
{
    sq_text words = {0};
    sq_values_kind kind = sq_option_values(row, &words);
    if (kind == SQ_VALUES_FILE)
        sq_text_puts(to, " -r -F");
    else if (kind == SQ_VALUES_DIR)
        sq_text_puts(to, " -x -a '(__fish_complete_directories)'");
    else if (kind == SQ_VALUES_WORDS)
        sq_text_printf(to, " -x -a '%s'", words.s);
    else if (kind == SQ_VALUES_LIST)
        sq_text_printf(to, " -x -a '(__fish_append , %s)'", words.s);
    else if (kind == SQ_VALUES_ANY)
        sq_text_puts(to, " -x");
    sq_text_free(&words);
}

static void put_option(sq_text *to, const sq_option *row)
{
    sq_text_puts(to, "complete -c squall -n '__fish_seen_subcommand_from");
    for (const sq_command *c = sq_commands; c->name; c++)
        if (sq_option_of(row, c->name))
            sq_text_printf(to, " %s", c->name);
    sq_text_printf(to, "' %s %s", sq_option_dashes(row)[1] ? "-l" : "-o", row->name);
    if (row->letter)
        sq_text_printf(to, " -s %c", row->letter);
    put_values(to, row);
    sq_text_puts(to, " -d ");
    put_quoted(to, row->doc);
    sq_text_puts(to, "\n");
}

void sq_complete_fish(sq_text *to)
{
    sq_text_puts(to, "# Completion of squall for fish, printed by `squall show completions "
                     "--shell=fish`.\n");
    for (const sq_command *c = sq_commands; c->name; c++)
        put_line(to, "__fish_use_subcommand", c->name, c->doc);
    for (const sq_command *c = sq_commands; c->name; c++)
        put_line(to, "'__fish_seen_subcommand_from help'", c->name, c->doc);
    put_line(to, "'__fish_seen_subcommand_from help'", "language", "the language in short");
    for (const sq_topic *t = sq_topics; t->name; t++)
        put_line(to, "'__fish_seen_subcommand_from show'", t->name, t->doc);
    for (const sq_option *row = sq_options; row->name; row++)
        put_option(to, row);
}
