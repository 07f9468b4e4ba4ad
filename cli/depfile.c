/* Depfile: see depfile.h. GNU make and ninja agree on few escapes: a backslash before a blank, '#'
 * and ':', a second '$'. A backslash itself stands as it is, but doubled before a blank. What only
 * one of them can read, or neither, is refused: a rule that names another file would be worse than
 * none. tests/cli/test_depfile.sh asks both about every character. */
#include "cli/depfile.h"
#include <string.h>

/* Characters that one of them takes for something else, escaped or not: wildcards, what divides a
 * rule or makes it an assignment, what ninja's reader ends a name at. */
static const char unwritable[] = "*?[;|=&\"'<>^`";

static bool is_blank_or_mark(char c)
{
    return c == ' ' || c == '#' || c == ':' || c == '$';
}

/* What of the name cannot be written; NULL: all of it can. */
static const char *find_unwritable(const char *name, bool is_target)
{
    size_t n = strlen(name);
    for (const char *p = name; *p; p++) {
        bool mark = p > name && p[-1] == '\\' && is_blank_or_mark(*p) && *p != ' ';
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            return "a control character";
        if (mark)
            return "a backslash before '#', ':' or '$'";
        if (strchr(unwritable, *p) || (is_target && *p == '%'))
            return p;
    }
    if (n == 0)
        return "no name";
    if (name[0] == '~')
        return "'~' in front";
    if (strchr(" :\\", name[n - 1]))
        return "a blank, ':' or backslash at its end";
    if (name[n - 1] == ')' && strchr(name, '('))
        return "the form of an archive's member";
    return NULL;
}

static int refuse(const char *name, const char *what, sq_diags *d)
{
    bool is_part = what >= name && what <= name + strlen(name); /* one character of it */
    sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "a depfile cannot name '%s': %s%.*s%s", name,
             is_part ? "'" : "it has ", is_part ? 1 : (int)strlen(what), what,
             is_part ? "' is read differently by make and ninja" : "");
    sq_help(d, SQ_NOWHERE, "rename it, or leave -MD away; nothing was written");
    return -1;
}

static int put_name(const char *name, bool is_target, sq_text *to, sq_diags *d)
{
    const char *what = find_unwritable(name, is_target);
    if (what)
        return refuse(name, what, d);
    for (const char *p = name; *p; p++) {
        if (*p == ' ') /* backslashes in front of it would be taken for escapes */
            for (const char *b = p; b > name && b[-1] == '\\'; b--)
                sq_text_puts(to, "\\");
        if (*p == ' ' || *p == '#' || *p == ':')
            sq_text_puts(to, "\\");
        if (*p == '$')
            sq_text_puts(to, "$");
        sq_text_putn(to, p, 1);
    }
    return 0;
}

int sq_depfile_print(const char *target, const char *const *input, int n, bool phony, sq_text *to,
                     sq_diags *d)
{
    int bad = put_name(target, true, to, d);
    sq_text_puts(to, ":");
    for (int i = 0; i < n && !bad; i++) {
        sq_text_puts(to, " \\\n  ");
        bad = put_name(input[i], false, to, d);
    }
    sq_text_puts(to, "\n");
    for (int i = 1; phony && i < n && !bad; i++) {
        sq_text_puts(to, "\n");
        bad = put_name(input[i], true, to, d);
        sq_text_puts(to, ":\n");
    }
    return bad;
}
