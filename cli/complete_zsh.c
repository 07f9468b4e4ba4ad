/* Completion of squall's words for zsh: a function a command, with the options as _arguments has
 * them. */
#include "cli/show.h"
#include "cli/values.h"
#include <string.h>

/* Inside of single quotes; what `special` lists has a backslash. */
static void put_inside(sq_text *to, const char *text, const char *special)
{
    for (; *text; text++) {
        if (*text == '\'')
            sq_text_puts(to, "'\\''");
        else
            sq_text_printf(to, strchr(special, *text) ? "\\%c" : "%c", *text);
    }
}

static void put_values(sq_text *to, const sq_option *row)
{
    sq_text words = {0};
    sq_values_kind kind = sq_option_values(row, &words);
    if (kind != SQ_VALUES_NONE) {
        sq_text_puts(to, ":");
        put_inside(to, row->arg, ":\\");
        sq_text_puts(to, ":");
    }
    if (kind == SQ_VALUES_FILE)
        sq_text_puts(to, "_files");
    else if (kind == SQ_VALUES_DIR)
        sq_text_puts(to, "_files -/");
    else if (kind == SQ_VALUES_WORDS)
        sq_text_printf(to, "(%s)", words.s);
    else if (kind == SQ_VALUES_LIST)
        sq_text_printf(to, "_sequence compadd - %s", words.s);
    else if (kind == SQ_VALUES_ANY)
        sq_text_puts(to, " ");
    sq_text_free(&words);
}

/* '*--fix=[doc]:M=512,...: ' */
static void put_option(sq_text *to, const sq_option *row)
{
    bool again =
        row->kind == SQ_OPTION_LIST || row->kind == SQ_OPTION_SIZES || row->kind == SQ_OPTION_COUNT;
    const char *dashes = sq_option_dashes(row), *joint = sq_option_joint(row);
    const char *eq = joint[0] == '=' ? "=" : "";
    if (!row->letter)
        sq_text_printf(to, "        '%s%s%s%s", again ? "*" : "", dashes, row->name, eq);
    else if (again)
        sq_text_printf(to, "        '*'{-%c%s,%s%s%s}'", row->letter, *eq ? "+" : "", dashes,
                       row->name, eq);
    else
        sq_text_printf(to, "        '(-%c %s%s)'{-%c%s,%s%s%s}'", row->letter, dashes, row->name,
                       row->letter, *eq ? "+" : "", dashes, row->name, eq);
    sq_text_puts(to, "[");
    put_inside(to, row->doc, "[]\\");
    sq_text_puts(to, "]");
    put_values(to, row);
    sq_text_puts(to, "' \\\n");
}

static void put_pair(sq_text *to, const char *name, const char *doc)
{
    sq_text_printf(to, "        '%s:", name);
    put_inside(to, doc, "\\");
    sq_text_puts(to, "'\n");
}

static void put_command(sq_text *to, const sq_command *c)
{
    sq_text_printf(to,
                   "_squall_%s() {\n    _arguments -s -S : \\\n"
                   "        '(- *)'{-h,--help}'[print the options]' \\\n",
                   c->name);
    for (const sq_option *row = sq_options; row->name; row++)
        if (sq_option_of(row, c->name))
            put_option(to, row);
    if (c->run == sq_cmd_show)
        sq_text_puts(to, "        '1:topic:_squall_topics' \\\n        '*:file:_files'\n}\n\n");
    else if (c->run == sq_cmd_help)
        sq_text_puts(to, "        '1:command:_squall_commands'\n}\n\n");
    else
        sq_text_puts(to, "        '*:file:_files'\n}\n\n");
}

void sq_complete_zsh(sq_text *to)
{
    sq_text_puts(to, "#compdef squall\n# Completion of squall for zsh, printed by `squall show "
                     "completions --shell=zsh`.\n\n_squall_commands() {\n    local -a list\n"
                     "    list=(\n");
    for (const sq_command *c = sq_commands; c->name; c++)
        put_pair(to, c->name, c->doc);
    sq_text_puts(to,
                 "    )\n    _describe command list\n}\n\n_squall_topics() {\n    local -a list\n"
                 "    list=(\n");
    for (const sq_topic *t = sq_topics; t->name; t++)
        put_pair(to, t->name, t->doc);
    sq_text_puts(to, "    )\n    _describe topic list\n}\n\n");
    for (const sq_command *c = sq_commands; c->name; c++)
        put_command(to, c);
    sq_text_puts(to, "_squall() {\n    if (( CURRENT == 2 )); then\n        _squall_commands\n"
                     "        return\n    fi\n    local command=$words[2]\n    shift words\n"
                     "    (( CURRENT-- ))\n"
                     "    (( $+functions[_squall_$command] )) && _squall_$command\n}\n\n"
                     "if [ \"$funcstack[1]\" = _squall ]; then\n    _squall \"$@\"\nelse\n"
                     "    compdef _squall squall\nfi\n");
}
