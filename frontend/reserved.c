/* Reserved: names a kernel cannot have, because the emitted C includes <string.h>, <math.h>,
 * <stdlib.h> and <stdint.h>, and because a compiler knows the C library's functions without any
 * header: an external function of such a name would not compile, or replace the library's own. */
#include "frontend/build.h"
#include <string.h>

/* One string, names parted by blanks. */
static const char library[] =
    " main size_t ptrdiff_t wchar_t max_align_t int8_t int16_t int32_t int64_t uint8_t uint16_t "
    "uint32_t uint64_t intptr_t uintptr_t intmax_t uintmax_t jmp_buf longjmp va_list FILE "
    "memcpy memmove memset memcmp memchr memccpy mempcpy memmem memrchr strlen strnlen "
    "strcpy "
    "strncpy stpcpy stpncpy strcat strncat strcmp strncmp strcoll strxfrm strchr strrchr strstr "
    "strspn strcspn strpbrk strtok strtok_r strdup strndup strerror strerror_r strsep strsignal "
    "strlcpy strlcat index rindex bcmp bcopy bzero ffs ffsl ffsll strcasecmp strncasecmp "
    "abort abs labs llabs div ldiv lldiv malloc calloc realloc free aligned_alloc atexit exit "
    "_Exit "
    "quick_exit at_quick_exit getenv setenv system rand srand random srandom qsort bsearch atof "
    "atoi atol atoll strtod strtof strtold strtol strtoll strtoul strtoull alloca "
    "printf fprintf sprintf snprintf vprintf vfprintf vsprintf vsnprintf scanf fscanf sscanf puts "
    "fputs putchar fputc putc getchar fopen fclose fread fwrite remove rename perror "
    "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper "
    "isxdigit tolower toupper signgam isnan isinf isfinite isnormal signbit fpclassify "
    "isgreater isless isunordered NULL NAN INFINITY HUGE_VAL HUGE_VALF HUGE_VALL SIZE_MAX INT8_MAX "
    "INT16_MAX INT32_MAX INT64_MAX INT8_MIN INT16_MIN INT32_MIN INT64_MIN UINT8_MAX UINT16_MAX "
    "UINT32_MAX UINT64_MAX INTMAX_MAX INTMAX_MIN UINTMAX_MAX INTPTR_MAX INTPTR_MIN UINTPTR_MAX "
    "PTRDIFF_MAX PTRDIFF_MIN INT8_C INT16_C INT32_C INT64_C UINT8_C UINT16_C UINT32_C UINT64_C "
    "INTMAX_C UINTMAX_C EXIT_SUCCESS EXIT_FAILURE RAND_MAX "
    /* of POSIX, what the library calls itself: a program's own would be taken */
    "read write open close lseek dup dup2 pipe fork vfork execve kill raise signal sigaction time "
    "times clock sleep usleep mmap munmap mprotect sbrk brk send recv socket bind listen accept "
    "connect select poll getpid getuid stat fstat lstat ioctl fcntl dlopen dlclose dlsym dlerror "
    "pthread_create pthread_join pthread_mutex_lock pthread_mutex_unlock environ end etext edata "
    "access alarm chdir chmod chown clone creat daemon dprintf error execv execvp fchmod fsync "
    "ftime "
    "ftruncate getcwd getdelim getgid getline gethostname getpagesize glob link lockf lstat "
    "madvise "
    "mincore mkdir mkstemp mlock munlock mount nice openat pause pread pwrite readlink rmdir "
    "splice "
    "swab symlink sync syscall tee truncate unlink ustat utime vhangup wait waitpid "
    "sched_getcpu sched_yield err errx warn warnx verr vwarn gmtime localtime mktime strftime "
    "difftime "
    "ctime asctime getpwnam getopt optarg optind regcomp regexec wordexp "
    "ecvt fcvt gcvt hcreate hdestroy hsearch insque remque lfind lsearch tfind tsearch tdelete "
    "twalk "
    "qsort_r posix_memalign memalign valloc reallocarray reallocf putenv unsetenv clearenv "
    "drand48 erand48 lrand48 nrand48 mrand48 jrand48 srand48 ";

/* <math.h>: also with f and l behind. */
static const char math[] =
    " acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 exp10 expm1 log "
    "log2 log10 log1p logb ilogb frexp ldexp scalbn scalbln modf pow sqrt cbrt hypot erf erfc "
    "lgamma tgamma gamma ceil floor trunc round lround llround rint lrint llrint nearbyint fmod "
    "remainder remquo drem copysign nan nextafter nexttoward fdim fmax fmin fma fabs sincos "
    "significand finite isinf isnan j0 j1 jn y0 y1 yn roundeven scalb pow10 canonicalize llogb "
    "nextup nextdown "
    "fromfp ufromfp fmaxmag fminmag getpayload totalorder setpayload ";

static bool is_in(const char *list, const char *name, size_t n)
{
    for (const char *at = list; n && (at = strchr(at, ' ')) && at[1]; at++)
        if (strncmp(at + 1, name, n) == 0 && at[1 + n] == ' ')
            return true;
    return false;
}

bool sq_name_reserved(const char *name)
{
    size_t n = strlen(name);
    bool has_suffix = n > 1 && (name[n - 1] == 'f' || name[n - 1] == 'l');
    return is_in(library, name, n) || is_in(math, name, n) ||
           (has_suffix && is_in(math, name, n - 1));
}
