/* Report, storage: words before a variable that C does not have there, whose errors clang words for
 * compilers: the variable is named, and why the word says nothing of it. */
#include "frontend/report.h"
#include "support/words.h"
#include <string.h>

static const struct {
    const char *message; /* begins so */
    const char *ours;
} words[] = {
    {"address of register variable", "is register, and so has no address"},
    {"'_Thread_local' variables", "is _Thread_local, and a kernel has temporaries alone"},
    {"'__thread' variables", "is __thread, and a kernel has temporaries alone"},
    {"'inline' can only", "is no function, and inline says nothing of it"},
    {"'_Noreturn' can only", "is no function, and _Noreturn says nothing of it"},
    {"restrict requires", "is no pointer, and restrict says nothing of it"},
    {"variable length array declaration cannot have 'static'",
     "is static and would keep its values from call to call"},
    {"variable length array declaration cannot have 'extern'",
     "is extern, and a kernel uses nothing but its parameters and temporaries"},
    {"declaration of non-local variable in 'for'",
     "is static or extern, and what a loop counts belongs to it"},
};

/* The last word before what ends a declarator: the place is that of the first word or of the name. */
static const char *declared(const sq_reader *r, const char *source)
{
    size_t end = strcspn(source, "[;=,)\r\n"), from;
    while (end > 0 && !sq_is_word_byte(source[end - 1]))
        end--;
    for (from = end; from > 0 && sq_is_word_byte(source[from - 1]);)
        from--;
    return sq_arena_strndup(r->arena, source + from, end - from);
}

const char *sq_report_storage(const sq_reader *r, const char *text, const char *source,
                              const char **ours)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strncmp(text, words[i].message, strlen(words[i].message)) != 0)
            continue;
        *ours = words[i].ours;
        return declared(r, source);
    }
    return NULL;
}
