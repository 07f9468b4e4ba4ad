/* Words: see words.h. Each list is one string, its words parted by blanks. */
#include "support/words.h"
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

static bool is_in(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = list; n && (at = strchr(at, ' ')) && at[1]; at++)
        if (strncmp(at + 1, name, n) == 0 && at[1 + n] == ' ')
            return true;
    return false;
}

bool sq_is_c_word(const char *name)
{
    return is_in(c_words, name);
}

bool sq_is_cpp_word(const char *name)
{
    return is_in(cpp_words, name);
}

bool sq_is_cuda_word(const char *name)
{
    return strncmp(name, "cuda", 4) == 0 || strncmp(name, "__", 2) == 0 || is_in(cuda_words, name);
}
