/* Report: clang's messages, turned into ours. Clang goes on after an error, and tells of all that
 * follows from it: a name is reported once, a line with an error of syntax once, and after a broken
 * head of a function its names are not missed. What beginners and people who come from other
 * languages write gets a help of its own. */
#include "frontend/report.h"
#include "support/words.h"
#include "support/limits.h"
#include "support/nearest.h"
#include <ctype.h>
#include <string.h>

enum { MOST_NAMES = 64 };

typedef struct reporter {
    sq_reader *r;
    const char *text; /* of the description */
    size_t n;
    const char *name[MOST_NAMES]; /* reported as unknown, or as of a wrong type */
    int nnames;
    int broken_line;  /* where the last error of syntax was */
    bool broken_head; /* a function's; what it declares is not known */
    int head;         /* line of the kernel that the last error was in */
    bool no_prelude;
    bool warnings; /* are shown */
} reporter;

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* ---- clang's text -------------------------------------------------------------------------- */

/* The word between the quotes number `which`, "" if there is none. */
static const char *quoted(const sq_reader *r, const char *text, int which)
{
    const char *from = strchr(text, '\''), *to = from ? strchr(from + 1, '\'') : NULL;
    for (; which && to; which--) {
        from = strchr(to + 1, '\'');
        to = from ? strchr(from + 1, '\'') : NULL;
    }
    return to ? sq_arena_strndup(r->arena, from + 1, (size_t)(to - from - 1)) : "";
}

/* Without "(aka 'float')": our types are told by our names. */
static const char *without_aka(const sq_reader *r, const char *text)
{
    char *to = sq_arena_strdup(r->arena, text), *at;
    while ((at = strstr(to, " (aka '"))) {
        char *end = strstr(at, "')");
        if (!end)
            break;
        memmove(at, end + 2, strlen(end + 2) + 1);
    }
    return to;
}

static sq_loc diagnostic_loc(sq_reader *r, CXDiagnostic m)
{
    const sq_clang *cl = r->cl;
    sq_loc at = sq_place_loc(r, cl->clang_getDiagnosticLocation(m));
    for (unsigned i = 0; i < cl->clang_getDiagnosticNumRanges(m); i++) {
        sq_loc range = sq_range_loc(r, cl->clang_getDiagnosticRange(m, i));
        if (range.file == at.file && range.line == at.line && range.col == at.col)
            at.len = range.len;
    }
    return at;
}

/* The text from a place on; it ends in a zero byte. */
static const char *source_at(const reporter *p, sq_loc at)
{
    const char *s = p->text, *end = p->text + p->n;
    if (!at.file || strcmp(at.file, p->r->path) != 0)
        return "";
    for (int line = 1; line < at.line && s; line++) {
        s = memchr(s, '\n', (size_t)(end - s));
        s = s ? s + 1 : NULL;
    }
    return s && at.col >= 1 && at.col - 1 < end - s ? s + at.col - 1 : "";
}

/* ---- help ---------------------------------------------------------------------------------- */

static const struct {
    const char *message; /* begins so, and */
    const char *source;  /* the text there does */
    const char *help;
} helps[] = {
    {"unknown type name 'kernel'", "", "descriptions begin with #include \"squall.h\""},
    {"unknown type name 'template'", "", "a description is C; a kernel is written for each type"},
    {"unknown type name 'std'", "", "a description is C; arrays carry their sizes, as in f32 A[M][N]"},
    {"unknown type name 'def'", "", "a kernel is written kernel name(int N, f32 A[N]) { … }"},
    {"use of undeclared identifier 'static_cast'", "", "a description is C; a cast is (f32)x"},
    {"use of undeclared identifier 'true'", "", "C writes 1 and 0"},
    {"use of undeclared identifier 'false'", "", "C writes 1 and 0"},
    {"expected ';'", "and ", "C writes && for and, || for or, ! for not"},
    {"expected ';'", "or ", "C writes && for and, || for or, ! for not"},
    {"expected identifier or '('", "#", "this pragma is about a loop, and stands right before one"},
    {"expected '(' after 'for'", "", "loops are written for (int i = 0; i < N; i++)"},
    {"type specifier missing", "", "write the type, as in int i = 0 or f32 x = 0"},
    {"invalid preprocessing directive", "", "a comment is written // … or /* … */"},
    {"invalid suffix", "", "write 0.5f for an f32, 0.5 for an f64"},
    {"size of array has non-integer type", "", "a size is an int or int64_t"},
    {"indirection requires pointer operand", "*", "a power is written pow(x, y), or x * x"},
    {"invalid operands", "^ ", "^ is the exclusive or of integers; a power is pow(x, y), or x * x"},
    {"invalid operands", "%", "% is the remainder of integers"},
    {"invalid operands", "<<", "<< shifts integers; write a product for other numbers"},
    {"invalid operands", "", "operators work on numbers; of an array write every subscript, A[i][j]"},
    {"subscripted value is not", "",
     "there are more subscripts here than the array has dimensions; a pointer has one: "
     "a[i*m + j] is element j of row i"},
    {"array has incomplete element type", "", "only the first extent may be left out: double A[][m]"},
    {"called object type", "", "elements of arrays are written with brackets, A[i][j]"},
    {"array type '", "", "numbers are assigned; write every subscript of the array, A[i][j]"},
    {"assigning to", "", "numbers are assigned; of an array write every subscript, A[i][j]"},
    {"no matching function for call to 'pad'", "", "write pad(A[i][j], value), with all subscripts of the array"},
    {"no matching function for call to 'clampedge'", "", "write clampedge(A[i][j]), with all subscripts of the array"},
    {"no matching function for call to 'sum'", "",
     "write sum(value, i, j): a number first, arrays with all their subscripts, then indices"},
    {"no matching function for call to", "", "the value is a number; of an array write every subscript, A[i][j]"},
    {"read-only variable is not assignable", "",
     "a const parameter is an input; leave const out for what the kernel writes"},
    {"cannot assign to variable", "", "a const parameter is an input; leave const out for what the kernel writes"},
    {"void function", "", "a kernel returns nothing; results go into arrays, f32 s[1] for one number"},
    {"unknown type name 'index'", "", "an index is declared with idx, as in idx i, j"},
    {"unknown type name", "", "accepted types are f16 bf16 f32 f64, int8_t to int64_t, uint8_t to uint64_t, and idx"},
    {"variable-sized object", "", "assign its elements in a statement: t[i] = 0"},
    {"cannot combine with previous 'void'", "", "the word kernel stands in the place of a result type"},
    {"incompatible pointer", "", "of an array write every subscript, A[i][j]"},
};

/* Sizes must come before the arrays that use them: true if an `int NAME` follows this place. */
static bool declared_later(const char *source, const char *name)
{
    size_t n = strlen(name);
    const char *end = strchr(source, '{'), *s = source;
    for (; *name && (s = strstr(s, name)) && (!end || s < end); s++)
        if (s - source >= 2 && isspace((unsigned char)s[-1]) && isalpha((unsigned char)s[-2]) &&
            (s[n] == ',' || s[n] == ')'))
            return true;
    return false;
}

/* A name among the parameters of the kernel around `end` that is like this one; NULL: none. */
static const char *near_parameter(const reporter *p, const char *name, const char *end)
{
    enum { MOST = 64 };
    const char *word[MOST], *head = NULL;
    size_t n = 0;
    for (const char *s = p->text; *end && (s = strstr(s, "kernel ")) && s < end; s++)
        head = s;
    for (const char *s = head; s && s < end && *s && *s != '{' && n < MOST;) {
        size_t length = 0;
        while (isalnum((unsigned char)s[length]) || s[length] == '_')
            length++;
        if (length && s + length < end)
            word[n++] = sq_arena_strndup(p->r->arena, s, length);
        s += length ? length : 1;
    }
    return sq_nearest(name, word, n);
}

/* Constants of C's headers: -std=c11 hides some, and not every machine has the headers. */
static const struct {
    const char *name, *as_f32, *as_f64;
} constants[] = {{"M_PI", "3.14159265f", "3.14159265358979323846"},
                 {"M_PI_2", "1.57079633f", "1.57079632679489661923"},
                 {"M_PI_4", "0.785398163f", "0.785398163397448309616"},
                 {"M_1_PI", "0.318309886f", "0.318309886183790671538"},
                 {"M_2_PI", "0.636619772f", "0.636619772367581343076"},
                 {"M_2_SQRTPI", "1.12837917f", "1.12837916709551257390"},
                 {"M_SQRT2", "1.41421356f", "1.41421356237309504880"},
                 {"M_SQRT1_2", "0.707106781f", "0.707106781186547524401"},
                 {"M_E", "2.71828183f", "2.71828182845904523536"},
                 {"M_LOG2E", "1.44269504f", "1.44269504088896340736"},
                 {"M_LOG10E", "0.434294482f", "0.434294481903251827651"},
                 {"M_LN2", "0.693147181f", "0.693147180559945309417"},
                 {"M_LN10", "2.30258509f", "2.30258509299404568402"},
                 {"FLT_MAX", "3.40282347e38f", "3.40282346638528860e38"},
                 {"FLT_MIN", "1.17549435e-38f", "1.17549435082228751e-38"},
                 {"FLT_EPSILON", "1.19209290e-7f", "1.19209289550781250e-7"}};

/* False where the name is none of them. */
static bool help_constant(reporter *p, const char *name)
{
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (strcmp(name, constants[i].name) == 0) {
            sq_help(p->r->d, SQ_NOWHERE,
                    "write the number itself, %s for an f32 or %s for an f64, or define it above: "
                    "#define %s %s",
                    constants[i].as_f32, constants[i].as_f64, name, constants[i].as_f32);
            return true;
        }
    return false;
}

static void help_undeclared(reporter *p, const char *text, const char *meant, sq_loc at)
{
    const char *name = quoted(p->r, text, 0);
    if (help_constant(p, name) || meant)
        return;
    const char *near = near_parameter(p, name, source_at(p, at));
    if (near && strcmp(near, name) != 0) {
        sq_suggest(p->r->d, name, near);
        return;
    }
    if (declared_later(source_at(p, at), name))
        sq_help(p->r->d, SQ_NOWHERE, "a size stands before the arrays that use it: f(int %s, …)",
                name);
    else if (strlen(name) == 1 || (at.col > 1 && source_at(p, at)[-1] == '['))
        sq_help(p->r->d, SQ_NOWHERE,
                "an index is declared with idx %s; a size or scalar is a parameter", name);
    else
        sq_help(p->r->d, SQ_NOWHERE,
                "accepted are parameters, and what the kernel declares before");
}

/* A header that is not there: one whose name is like it, or where to look. */
static void help_include(reporter *p, const char *name)
{
    static const char *const known[] = {"squall.h", "math.h",   "stdint.h", "stddef.h",
                                        "stdio.h",  "stdlib.h", "string.h"};
    const char *near = sq_nearest(name, known, sizeof known / sizeof *known);
    if (strcmp(name, "squall.h") == 0)
        sq_help(p->r->d, SQ_NOWHERE,
                "leave it out: it is for descriptions, and C around a region needs nothing of "
                "squall's");
    else if (near && near[0] == name[0])
        sq_suggest(p->r->d, name, near);
    else
        sq_help(p->r->d, SQ_NOWHERE, "-I DIR names a folder to look for it in");
}

/* A type, or the word kernel, that is like this one: false where there is none. */
static bool help_type(reporter *p, const char *name)
{
    static const char *const known[] = {"kernel",  "idx",     "f16",      "bf16",     "f32",
                                        "f64",     "int",     "int8_t",   "int16_t",  "int32_t",
                                        "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"};
    const char *near = sq_nearest(name, known, sizeof known / sizeof *known);
    sq_suggest(p->r->d, name, near);
    return near;
}

/* `meant`: what clang suggests for the first name in its text; NULL: nothing. */
static void help(reporter *p, const char *text, const char *meant, sq_loc at)
{
    const char *source = source_at(p, at);
    if (begins(text, "unknown type name") && !begins(text, "unknown type name 'kernel'") &&
        help_type(p, quoted(p->r, text, 0)))
        return;
    source += begins(text, "expected ';'") ? strspn(source, " \t") : 0;
    for (size_t i = 0; i < sizeof helps / sizeof *helps; i++)
        if (begins(text, helps[i].message) && begins(source, helps[i].source)) {
            sq_help(p->r->d, SQ_NOWHERE, "%s", helps[i].help);
            return;
        }
    if (begins(text, "use of undeclared identifier"))
        help_undeclared(p, text, meant, at);
    if (begins(text, "'") && strstr(text, "' file not found"))
        help_include(p, quoted(p->r, text, 0));
    if (begins(text, "call to '") && strstr(text, "is ambiguous"))
        sq_help(p->r->d, SQ_NOWHERE,
                "give all arguments one type, as in max2(x, 0.f) for an f32 x, max2((int32_t)x, 3) "
                "for a uint8_t x, or max2((f32)x, (f32)y) for f16 beside bf16");
}

/* ---- functions ----------------------------------------------------------------------------- */

/* What other languages and libraries call ours. */
static const struct {
    const char *name, *ours;
} synonyms[] = {{"fmax", "max2(x, y)"},
                {"fmaxf", "max2(x, y)"},
                {"fmin", "min2(x, y)"},
                {"fminf", "min2(x, y)"},
                {"max", "max2(x, y), or rmax(value, indices) over indices"},
                {"min", "min2(x, y), or rmin(value, indices) over indices"},
                {"mean", "sum(A[i], i) / N"},
                {"dot", "sum(A[i] * B[i], i)"},
                {"matmul", "C[i][j] = sum(A[i][k] * B[k][j], k)"},
                {"product", "prod(value, indices)"},
                {"square", "x * x"},
                {"signbit", "x < 0, which is false for -0 and for NaN"},
                {"where", "condition ? x : y"}};

static void unknown_function(sq_reader *r, sq_loc at, const char *name)
{
    static const char *const known[] = {
        "exp",    "expf",  "log",    "logf",    "sqrt",     "sqrtf",  "tanh",      "tanhf",
        "fabs",   "fabsf", "pow",    "powf",    "relu",     "max2",   "min2",      "sum",
        "prod",   "rmax",  "rmin",   "pad",     "range",    "assume", "clampedge", "argmax",
        "argmin", "floor", "floorf", "ceil",    "ceilf",    "exp2",   "exp2f",     "log2",
        "log2f",  "rsqrt", "rsqrtf", "sigmoid", "sigmoidf", "erf",    "erff",      "sin",
        "sinf",   "cos",   "cosf",   "abs",     "labs",    "isnan",   "isinf",     "isfinite",
    };
    const char *ours = NULL;
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        ours = strcmp(name, synonyms[i].name) == 0 ? synonyms[i].ours : ours;
    const char *near = ours ? NULL : sq_nearest(name, known, sizeof known / sizeof *known);
    at.len = (int)strlen(name);
    sq_error(r->d, SQ_FAULT_INPUT, at, "unknown function '%s'", name);
    sq_suggest(r->d, name, near);
    if (ours)
        sq_help(r->d, SQ_NOWHERE, "write %s", ours);
    else if (!near)
        sq_help(r->d, SQ_NOWHERE,
                "accepted are exp exp2 log log2 sqrt rsqrt tanh sigmoid erf sin cos fabs "
                "floor ceil pow and their f forms, abs isnan isinf isfinite, relu max2 min2, sum prod rmax rmin argmax "
                "argmin, pad clampedge, sat_int8 to sat_uint64");
}

static const struct {
    const char *name, *takes, *form;
} calls[] = {
    {"range", "three arguments", "range(index, from, to), up to but not including the last"},
    {"assume", "one condition", "assume(N >= 1 && M >= N)"}};

/* A call with too few or too many arguments: of which function only a note says. */
static bool wrong_count(reporter *p, CXDiagnostic m, sq_loc at)
{
    const sq_clang *cl = p->r->cl;
    CXDiagnosticSet notes = cl->clang_getChildDiagnostics(m);
    for (unsigned i = 0; i < cl->clang_getNumDiagnosticsInSet(notes); i++) {
        CXString said = cl->clang_getDiagnosticSpelling(cl->clang_getDiagnosticInSet(notes, i));
        const char *name = quoted(p->r, sq_clang_string(p->r, said), 0);
        for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
            if (strcmp(name, calls[c].name) == 0) {
                sq_error(p->r->d, SQ_FAULT_INPUT, at, "'%s' takes %s", name, calls[c].takes);
                sq_help(p->r->d, SQ_NOWHERE, "write %s", calls[c].form);
                return true;
            }
    }
    return false;
}

/* ---- what follows from what ---------------------------------------------------------------- */

static bool is_number_type(const char *name)
{
    static const char *const types[] = {
        "f16",     "bf16",         "f32",      "f64",      "float",   "double",
        "int",     "unsigned int", "int8_t",   "int16_t",  "int32_t", "int64_t",
        "uint8_t", "uint16_t",     "uint32_t", "uint64_t", "idx",     "long",
        "short",   "char",         "_Float16", "__bf16"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(name, types[i]) == 0)
            return true;
    return false;
}

/* Adds a name; true if it was there already. */
static bool known(reporter *p, const char *name)
{
    for (int i = 0; i < p->nnames; i++)
        if (strcmp(p->name[i], name) == 0)
            return true;
    if (p->nnames < MOST_NAMES)
        p->name[p->nnames++] = name;
    return false;
}

/* Cuts "; did you mean 'x'?" off clang's text, and returns x; NULL: it does not end so. */
static const char *take_suggestion(const sq_reader *r, const char **text)
{
    static const char form[] = "; did you mean '";
    const char *found = strstr(*text, form), *word = found ? quoted(r, found, 0) : "";
    if (!*word || strcmp(found + sizeof form - 1 + strlen(word), "'?") != 0)
        return NULL;
    *text = sq_arena_strndup(r->arena, *text, (size_t)(found - *text));
    return word;
}

/* The name that an error is about: one that is unknown, or a type that is no number's. "" if the
 * error is about its place alone. */
static const char *subject(const reporter *p, const char *text)
{
    if (begins(text, "use of undeclared identifier") || begins(text, "unknown type name"))
        return quoted(p->r, text, 0);
    for (int i = 0; i < 2; i++) {
        const char *type = quoted(p->r, text, i);
        bool operands = begins(text, "invalid operands") || begins(text, "assigning to");
        if (operands && *type && !is_number_type(type) && !strchr(type, '['))
            return type;
    }
    return "";
}

/* Another kernel has its own names: those reported before are forgotten. */
static void note_head(reporter *p, sq_loc at)
{
    const char *s = p->text, *end = p->text + p->n;
    int head = 0;
    for (int line = 1; line <= at.line && s; line++) {
        head = begins(s, "kernel ") ? line : head;
        s = memchr(s, '\n', (size_t)(end - s));
        s = s ? s + 1 : NULL;
    }
    if (head == p->head)
        return;
    p->head = head;
    p->nnames = 0;
    p->broken_head = false;
}

/* True if an error follows from an earlier one. */
static bool follows(reporter *p, const char *text, sq_loc at)
{
    const char *name = subject(p, text);
    bool unknown = begins(text, "use of undeclared identifier");
    if (p->no_prelude || (at.line && at.line == p->broken_line) || (p->broken_head && unknown))
        return true;
    return *name && known(p, name);
}

static void note_cause(reporter *p, const char *text, sq_loc at)
{
    bool type = begins(text, "unknown type name"), syntax = begins(text, "expected ") || type;
    p->no_prelude |= begins(text, "unknown type name 'kernel'");
    p->broken_head |= begins(text, "expected ')'") && !strchr(source_at(p, at), ';');
    if (syntax || begins(text, "use of undeclared identifier 'static_cast'"))
        p->broken_line = at.line;
    p->broken_head |= syntax && begins(source_at(p, (sq_loc){at.file, at.line, 1, 0}), "kernel ");
}

/* ---- one message, all of them -------------------------------------------------------------- */

/* Clang's notes to a message, but those about the prelude. */
static void report_notes(sq_reader *r, CXDiagnostic m)
{
    const sq_clang *cl = r->cl;
    CXDiagnosticSet notes = cl->clang_getChildDiagnostics(m);
    for (unsigned i = 0; i < cl->clang_getNumDiagnosticsInSet(notes); i++) {
        CXDiagnostic note = cl->clang_getDiagnosticInSet(notes, i);
        sq_loc at = diagnostic_loc(r, note);
        if (!at.file || strcmp(at.file, "squall.h") != 0)
            sq_note(r->d, at, "%s",
                    without_aka(r, sq_clang_string(r, cl->clang_getDiagnosticSpelling(note))));
    }
}

/* `kernel while(…)`: whatever clang says of it. */
static bool refuse_name(reporter *p, sq_loc at)
{
    at.col = 1;
    const char *line = source_at(p, at);
    if (!begins(line, "kernel "))
        return false;
    at.col = 8 + (int)strspn(line + 7, " \t");
    line += at.col - 1;
    char *name = sq_arena_strndup(p->r->arena, line, strcspn(line, " \t(\r\n"));
    const char *behind = line + strlen(name);
    if (!sq_is_c_word(name) || behind[strspn(behind, " \t")] != '(')
        return false;
    at.len = (int)strlen(name);
    sq_error(p->r->d, SQ_FAULT_INPUT, at, "'%s' is a word of C; call the kernel something else",
             name);
    return true;
}

/* The names of `index i, j;`, which are not missed as well. */
static void note_declared(reporter *p, const char *names)
{
    for (; *names && !strchr(";=\n", *names); names++) {
        size_t n = 0;
        while (sq_is_word_byte(names[n]))
            n++;
        if (n)
            known(p, sq_arena_strndup(p->r->arena, names, n));
        names += n ? n - 1 : 0;
    }
}

static bool begins_statement(const reporter *p, const char *at)
{
    while (at > p->text && isspace((unsigned char)at[-1]))
        at--;
    return at > p->text && strchr(";{}", at[-1]);
}

/* `index i;`, where clang misses a variable and the author meant a type: the error of a type, else
 * the text as it is. */
static const char *as_type(reporter *p, const char *text, sq_loc at)
{
    const char *name = quoted(p->r, text, 0), *behind = source_at(p, at);
    size_t n = strlen(name);
    if (!begins(text, "use of undeclared identifier") || !*name || !begins(behind, name) ||
        !begins_statement(p, behind))
        return text;
    behind += n;
    size_t blanks = strspn(behind, " \t");
    if (!blanks || !sq_is_word_byte(behind[blanks]) || isdigit((unsigned char)behind[blanks]))
        return text;
    note_declared(p, behind + blanks);
    return sq_arena_printf(p->r->arena, "unknown type name '%s'", name);
}

/* A word before a variable that C does not have there. True if the error is told, once of each name. */
static bool refuse_storage(reporter *p, const char *text, sq_loc at)
{
    const char *ours, *name = sq_report_storage(p->r, text, source_at(p, at), &ours);
    if (!name)
        return false;
    if (!known(p, name))
        sq_error(p->r->d, SQ_FAULT_INPUT, at, "'%s' %s; leave that word out", name, ours);
    return true;
}

static void report_error(reporter *p, CXDiagnostic m, const char *text, sq_loc at)
{
    if (follows(p, text, at))
        return;
    text = as_type(p, text, at);
    if (refuse_name(p, at)) {
        p->broken_line = at.line;
        p->broken_head = true;
        return;
    }
    note_cause(p, text, at);
    if (begins(text, "too ") && strstr(text, "arguments to function call") && wrong_count(p, m, at))
        return;
    if (refuse_storage(p, text, at))
        return;
    if (begins(text, "bracket nesting level")) {
        sq_error(p->r->d, SQ_FAULT_INPUT, at,
                 "too many brackets inside each other; accepted are up to %d in one kernel",
                 SQ_MOST_LEVELS);
        return;
    }
    const char *meant = take_suggestion(p->r, &text);
    sq_error(p->r->d, SQ_FAULT_INPUT, at, "%s", text);
    report_notes(p->r, m);
    sq_suggest(p->r->d, quoted(p->r, text, 0), meant);
    help(p, text, meant, at);
}

static void report(reporter *p, CXDiagnostic m)
{
    sq_reader *r = p->r;
    enum CXDiagnosticSeverity severity = r->cl->clang_getDiagnosticSeverity(m);
    const char *text = without_aka(r, sq_clang_string(r, r->cl->clang_getDiagnosticSpelling(m)));
    const char *option = sq_clang_string(r, r->cl->clang_getDiagnosticOption(m, NULL));
    sq_loc at = diagnostic_loc(r, m);
    note_head(p, at);
    if (strcmp(option, "-Wimplicit-function-declaration") == 0) {
        if (!p->no_prelude && !known(p, quoted(r, text, 0)))
            unknown_function(r, at, quoted(r, text, 0));
    } else if (severity >= CXDiagnostic_Error) {
        report_error(p, m, text, at);
    } else if (severity == CXDiagnostic_Warning && p->warnings &&
               !begins(option, "-Wincompatible-pointer-types")) { /* our error */
        sq_warning(r->d, at, "%s", text);
        report_notes(r, m);
    }
}

/* A warning beside an error is mostly another word for it. */
static bool any_error(const sq_reader *r)
{
    bool any = false;
    for (unsigned i = 0; i < r->cl->clang_getNumDiagnostics(r->unit); i++) {
        CXDiagnostic m = r->cl->clang_getDiagnostic(r->unit, i);
        any |= r->cl->clang_getDiagnosticSeverity(m) >= CXDiagnostic_Error;
        r->cl->clang_disposeDiagnostic(m);
    }
    return any;
}

int sq_report(sq_reader *r, const char *text, size_t n)
{
    int before = sq_diags_errors(r->d);
    reporter p = {.r = r, .text = text, .n = n, .warnings = !any_error(r)};
    for (unsigned i = 0; i < r->cl->clang_getNumDiagnostics(r->unit); i++) {
        CXDiagnostic m = r->cl->clang_getDiagnostic(r->unit, i);
        report(&p, m);
        r->cl->clang_disposeDiagnostic(m);
    }
    return sq_diags_errors(r->d) > before ? -1 : 0;
}
