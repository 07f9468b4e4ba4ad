/* Visibility: the macro in front of what a file declares for others, SQUALL_GEMM_API. It says for gcc and clang whether
 * a shared library that is made of the file shows the functions; a user who defines it says something else. */
#include "codegen/emit.h"

static const char *const words[] = {NULL, "default", "hidden"};

const char *sq_visibility_word(sq_visibility v)
{
    return words[v];
}

void sq_visibility_define(const char *api, sq_visibility v, sq_text *to)
{
    if (!api || !words[v])
        return;
    sq_text_printf(to,
                   "/* In front of every function that other files may call; define it to declare them otherwise, as\n"
                   " * __declspec(dllexport). */\n#ifndef %s\n#if defined(__GNUC__) && !defined(_WIN32)\n"
                   "#define %s __attribute__((visibility(\"%s\")))\n#else\n#define %s\n#endif\n#endif\n",
                   api, api, words[v], api);
}

void sq_visibility_put(const char *api, sq_text *to)
{
    if (api)
        sq_text_printf(to, "%s ", api);
}
