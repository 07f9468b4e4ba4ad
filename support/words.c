/* Words: see words.h. Each list is one string, its words parted by blanks. */
#include "support/words.h"
#include <ctype.h>
#include <string.h>

static const char c_words[] =
    " auto break case char const continue default do double else enum extern float "
    "for goto if inline int long register restrict return short signed sizeof static "
    "struct switch typedef union unsigned void volatile while _Bool _Complex _Alignas "
    "_Alignof _Atomic _Generic _Imaginary _Noreturn _Static_assert _Thread_local ";

static const char cpp_words[] =
    " alignas alignof and and_eq asm bitand bitor bool catch char16_t char32_t "
    "char8_t class co_await co_return co_yield compl concept consteval constexpr "
    "constinit const_cast decltype delete dynamic_cast explicit export false friend "
    "mutable namespace new noexcept not not_eq nullptr operator or or_eq private "
    "protected public reinterpret_cast requires static_assert static_cast template "
    "this thread_local throw true try typeid typename using virtual wchar_t xor "
    "xor_eq ";

/* Beside what begins with "cuda" or "__"; the last ones are of the program that compares. */
static const char cuda_words[] =
    " threadIdx blockIdx blockDim gridDim warpSize dim3 uint3 float4 double2 make_float4 "
    "make_double2 fma fmaf calloc fprintf free malloc memcpy printf stderr strtol strtoll ";

/* Of compilers' GNU modes on some machine, then of the C library. */
// clang-format off
static const char *const macro_words[] = {
    "linux", "unix", "i386", "sun", "sparc", "mips", "vax", "pyr", "sgi", "hpux", "PPC", "arm",
    "EOF", "errno", "stdin", "stdout", "assert", "offsetof", "va_start", "va_arg", "va_end",
    "va_copy", "setjmp", "math_errhandling", "noreturn", "bool", "true", "false", "unreachable",
    "HUGE_VAL", "HUGE_VALF", "HUGE_VALL", "BUFSIZ", "RAND_MAX", "EXIT_SUCCESS", "EXIT_FAILURE",
    "CLOCKS_PER_SEC", "CHAR_BIT", "INT_MAX", "INT_MIN", "LONG_MAX", "LONG_MIN", "UINT_MAX",
    "ULONG_MAX", "CHAR_MAX", "CHAR_MIN", "SHRT_MAX", "SHRT_MIN", "FLT_MAX", "FLT_MIN",
    "FLT_EPSILON", "DBL_MAX", "DBL_MIN", "DBL_EPSILON", "M_E", "M_PI", "M_PI_2", "M_PI_4",
    "M_SQRT2", "M_LN2", "EDOM", "ERANGE", "EILSEQ", "EINVAL", "ENOMEM", "SEEK_SET", "SEEK_CUR",
    "SEEK_END", "SIGINT", "SIGABRT", "SIGFPE", "SIGILL", "SIGSEGV", "SIGTERM", "LC_ALL", "LC_CTYPE",
    "MB_CUR_MAX", "FP_NAN", "FP_INFINITE", "FP_ZERO", "FP_SUBNORMAL", "FP_NORMAL", "OVERFLOW",
    "UNDERFLOW", "DOMAIN", "SING", "PLOSS", "TLOSS",
    NULL};
// clang-format on

/* Those that the emitted text uses itself, and those of <complex.h>, which it does not include. */
static const char used_macros[] = " NULL NAN INFINITY stderr I complex imaginary ";

/* Macros of other systems' headers alone: fine as names of functions here. */
static const char loose_macros[] = " near far small interface min max hyper CONST VOID IN OUT "
                                   "OPTIONAL TRUE FALSE ERROR ";

bool sq_is_word_of(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = list; n && (at = strchr(at, ' ')) && at[1]; at++)
        if (strncmp(at + 1, name, n) == 0 && at[1 + n] == ' ')
            return true;
    return false;
}

bool sq_is_c_word(const char *name)
{
    return sq_is_word_of(c_words, name);
}

bool sq_is_cpp_word(const char *name)
{
    return sq_is_word_of(cpp_words, name);
}

bool sq_is_macro_word(const char *name)
{
    for (const char *const *word = macro_words; *word; word++)
        if (strcmp(*word, name) == 0)
            return true;
    return sq_is_word_of(used_macros, name);
}

bool sq_is_header_word(const char *name)
{
    return sq_is_cpp_word(name) || sq_is_macro_word(name) || sq_is_word_of(loose_macros, name);
}

bool sq_is_word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

bool sq_is_cuda_word(const char *name)
{
    return strncmp(name, "cuda", 4) == 0 || strncmp(name, "__", 2) == 0 ||
           sq_is_word_of(cuda_words, name);
}

/* True if the last comment that opens before `at` is still open there. */
static bool in_comment(const char *text, const char *at)
{
    for (const char *s = at; s >= text + 2; s--) {
        if (s[-2] == '*' && s[-1] == '/')
            return false;
        if (s[-2] == '/' && s[-1] == '*')
            return true;
    }
    return false;
}

bool sq_text_mentions(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *s = text; (s = strstr(s, word)); s += n) {
        bool before = s > text && sq_is_word_byte(s[-1]);
        bool after = sq_is_word_byte(s[n]);
        if (!before && !after && !in_comment(text, s))
            return true;
    }
    return false;
}

void sq_macros_undefine(const char *text, bool is_cpp, sq_text *to)
{
    for (const char *const *word = macro_words; *word; word++)
        if (sq_text_mentions(text, *word) && !(is_cpp && sq_is_cpp_word(*word)))
            sq_text_printf(to, "#undef %s\n", *word);
}
