/* squall show completions: what a shell needs to complete the words of a command line, printed from
 * the tables of commands, topics and options. Here is bash; each other shell has a file. */
#include "cli/show.h"
#include "cli/values.h"
#include <string.h>

/* --output|-o, the form in which `case` has it. */
static void put_pattern(sq_text *to, const sq_option *row)
{
    if (row->letter)
        sq_text_printf(to, "-%c|", row->letter);
    sq_text_printf(to, "%s%s", sq_option_dashes(row), row->name);
}

/* Behind which options nothing of ours is offered: bash completes files there. */
static void put_value_cases(sq_text *to)
{
    const char *sep = "";
    sq_text_puts(to, "    case $option in\n    ");
    for (const sq_option *row = sq_options; row->name; row++) {
        sq_text words = {0};
        sq_values_kind kind = sq_option_values(row, &words);
        if (kind != SQ_VALUES_NONE && kind != SQ_VALUES_WORDS && kind != SQ_VALUES_LIST) {
            sq_text_puts(to, sep);
            put_pattern(to, row);
            sep = "|";
        }
        sq_text_free(&words);
    }
    sq_text_puts(to, ") return ;;\n");
    for (const sq_option *row = sq_options; row->name; row++) {
        sq_text words = {0};
        sq_values_kind kind = sq_option_values(row, &words);
        if (kind == SQ_VALUES_WORDS || kind == SQ_VALUES_LIST) {
            sq_text_puts(to, "    ");
            put_pattern(to, row);
            sq_text_printf(to, ") _squall_%s '%s'; return ;;\n",
                           kind == SQ_VALUES_LIST ? "list" : "words", words.s);
        }
        sq_text_free(&words);
    }
    sq_text_puts(to, "    esac\n");
}

static void put_command_options(sq_text *to, const sq_command *c)
{
    sq_text_printf(to, "    %s) words='--help", c->name);
    for (const sq_option *row = sq_options; row->name; row++) {
        if (!sq_option_of(row, c->name))
            continue;
        if (row->letter)
            sq_text_printf(to, " -%c", row->letter);
        sq_text_printf(to, " %s%s%s", sq_option_dashes(row), row->name,
                       sq_option_joint(row)[0] == '=' ? "=" : "");
    }
    sq_text_puts(to, "' ;;\n");
}

static void put_commands(sq_text *to)
{
    for (const sq_command *c = sq_commands; c->name; c++)
        sq_text_printf(to, "%s%s", c == sq_commands ? "" : " ", c->name);
}

static void put_topics(sq_text *to)
{
    for (const sq_topic *t = sq_topics; t->name; t++)
        sq_text_printf(to, "%s%s", t == sq_topics ? "" : " ", t->name);
}

static void put_bash(sq_text *to)
{
    sq_text_puts(to, "# Completion of squall for bash, printed by `squall show completions "
                     "--shell=bash`.\n"
                     "_squall_words()\n{\n    COMPREPLY=($(compgen -W \"$1\" -- \"$word\"))\n}\n\n"
                     "# Words parted by commas: the last one, which is none of those before.\n"
                     "_squall_list()\n{\n    local before= other= left=\n"
                     "    case $word in *,*) before=${word%,*}, ;; esac\n"
                     "    for other in $1; do\n"
                     "        case ,$before in *\",$other,\"*) ;; *) left=\"$left $other\" ;; esac\n    done\n"
                     "    COMPREPLY=($(compgen -P \"$before\" -W \"$left\" -- \"${word##*,}\"))\n"
                     "    compopt -o nospace 2>/dev/null\n}\n\n"
                     "_squall()\n{\n    local word=${COMP_WORDS[COMP_CWORD]} "
                     "last=${COMP_WORDS[COMP_CWORD-1]} option= words=\n"
                     "    COMPREPLY=()\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                     "        _squall_words '");
    put_commands(to);
    sq_text_puts(to, " --help --version'\n        return\n    fi\n"
                     "    # readline parts --option=value at the =\n"
                     "    if [ \"$word\" = = ]; then\n        option=$last word=\n"
                     "    elif [ \"$last\" = = ]; then\n"
                     "        option=${COMP_WORDS[COMP_CWORD-2]}\n"
                     "    else\n        option=$last\n    fi\n");
    put_value_cases(to);
    sq_text_puts(to, "    case ${COMP_WORDS[1]} in\n");
    for (const sq_command *c = sq_commands; c->name; c++)
        put_command_options(to, c);
    sq_text_puts(to, "    esac\n    case $word in\n    -*)\n        _squall_words \"$words\"\n"
                     "        case ${COMPREPLY[0]} in *=) compopt -o nospace 2>/dev/null ;; esac\n"
                     "        return ;;\n    esac\n"
                     "    case ${COMP_WORDS[1]}:$COMP_CWORD:${COMP_WORDS[2]} in\n"
                     "    show:2:*) _squall_words '");
    put_topics(to);
    sq_text_puts(to, "' ;;\n    help:2:*) _squall_words '");
    put_commands(to);
    sq_text_puts(to, " language' ;;\n    show:3:manual) _squall_words '");
    put_commands(to);
    sq_text_puts(to, "' ;;\n    esac\n}\ncomplete -o default -o bashdefault -F _squall squall\n");
}

int sq_show_completions(sq_task *task, sq_text *to, json_t *json)
{
    static void (*const put[])(sq_text *) = {
        [SQ_SHELL_BASH] = put_bash,
        [SQ_SHELL_ZSH] = sq_complete_zsh,
        [SQ_SHELL_FISH] = sq_complete_fish,
    };
    put[task->o->shell](to);
    if (json)
        json_object_set_new(json, "completions", json_string(sq_text_str(to)));
    return 0;
}
