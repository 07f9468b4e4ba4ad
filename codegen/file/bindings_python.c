/* Bindings for Python: a class over ctypes whose methods take what has a buffer, arrays of numpy and of
 * the standard library among them. */
#include "codegen/emit.h"
#include "codegen/file/bindings.h"
#include "codegen/file/function.h"
#include <string.h>

// clang-format off
static const char *const words[] = {
    "False", "None", "OverflowError", "True", "TypeError", "ValueError", "_array", "_size", "and",
    "as", "assert", "async", "await", "break", "class", "continue", "ctypes", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "memoryview", "nonlocal", "not", "or", "pass", "raise", "return", "self", "try",
    "while", "with", "workspace", "yield", NULL};
// clang-format on

/* Of each type: ctypes' name, and the letters that buffers have for it. */
static const struct {
    sq_type type;
    const char *name, *format;
} types[] = {{SQ_F32, "c_float", "f"},   {SQ_F64, "c_double", "d"},  {SQ_F16, "c_uint16", "eH"},
             {SQ_BF16, "c_uint16", "H"}, {SQ_I8, "c_int8", "b"},     {SQ_I16, "c_int16", "h"},
             {SQ_I32, "c_int32", "il"},  {SQ_I64, "c_int64", "lq"},  {SQ_U8, "c_uint8", "B"},
             {SQ_U16, "c_uint16", "H"},  {SQ_U32, "c_uint32", "IL"}, {SQ_U64, "c_uint64", "LQ"}};

static int row_of(sq_type t)
{
    int i = 0;
    while (types[i].type != t) /* every type has its row */
        i++;
    return i;
}

static const char *name_of(const sq_bound *of, const sq_param *p, sq_arena *arena)
{
    return sq_binding_name(&sq_binding_python, of->k, sq_param_name(p), arena);
}

/* type: "ctypes.c_int32"; else "M". */
static void put_param(const sq_bound *of, const sq_param *p, int type, sq_arena *arena, sq_text *to)
{
    if (!type)
        sq_text_puts(to, name_of(of, p, arena));
    else if (p->array)
        sq_text_puts(to, "ctypes.c_void_p");
    else
        sq_text_printf(to, "ctypes.%s",
                       types[row_of(p->size ? p->size->type : p->scalar->type)].name);
}

static void put_names(const sq_bound *of, bool all, sq_text *to)
{
    sq_binding_params(of, all, put_param, false, "", to);
}

static void put_types(const sq_bound *of, const char *suffix, const char *result, bool all,
                      const char *more, sq_text *to)
{
    sq_text_printf(
        to,
        "        self._%s%s = getattr(library, \"%s%s\")\n        self._%s%s.restype = %s\n"
        "        self._%s%s.argtypes = [",
        of->function, suffix, of->function, suffix, of->function, suffix, result, of->function,
        suffix);
    sq_binding_params(of, all, put_param, true, more, to);
    sq_text_puts(to, "]\n");
}

static void put_checks(const sq_bound *of, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    sq_text sizes = {0};
    put_names(of, false, &sizes);
    for (int i = 0; i < of->k->nparams; i++) {
        const sq_param *p = &of->k->param[i];
        if (p->size && !p->size->fixed)
            sq_text_printf(to, "        %s = _size(\"%s: %s\", %s, %d)\n", name_of(of, p, arena),
                           of->function, p->size->name, name_of(of, p, arena),
                           8 * sq_type_bytes(p->size->type));
    }
    if (sq_function_accepts(of->k))
        sq_text_printf(to,
                       "        if not self._%s_accepts(%s):\n"
                       "            raise ValueError(\"%s: sizes that it does not accept\")\n",
                       of->function, sq_text_str(&sizes), of->function);
    for (int i = 0; i < of->k->nparams; i++) {
        const sq_array *a = of->k->param[i].array;
        if (!a)
            continue;
        const char *name = name_of(of, &of->k->param[i], arena);
        sq_text_printf(to, "        %s = _array(\"%s: %s\", %s, \"%s\", %d, ", name, of->function,
                       a->name, name, types[row_of(a->type)].format, sq_type_bytes(a->type));
        sq_text_puts(to, "(");
        sq_binding_extents(&sq_binding_python, of->k, a, ", ", to);
        sq_text_puts(to, a->ndim == 1 ? ",)" : ")");
        sq_text_printf(to, ", %s)\n", a->role == SQ_IN ? "False" : "True");
        if (a->align)
            sq_text_printf(to,
                           "        if %s is not None and ctypes.addressof(%s) %% %d:\n            raise ValueError("
                           "\"%s: %s begins at no multiple of %d bytes\")\n",
                           name, name, a->align, of->function, a->name, a->align);
    }
    sq_text_free(&sizes);
    sq_arena_free(arena);
}

static const char no_overlap[] = "\n        What it writes must not overlap another array.";

static void put_methods(const sq_bound *of, sq_text *to)
{
    sq_text all = {0}, sizes = {0};
    put_names(of, true, &all);
    put_names(of, false, &sizes);
    const char *comma = all.n ? ", " : "";
    sq_text_printf(to,
                   "\n    def %s(self%s%s):\n        \"\"\"Raises ValueError where sizes are not "
                   "accepted, or an array has another length.%s\n",
                   of->name, comma, sq_text_str(&all),
                   sq_emit_may_overlap(of->k) ? "" : no_overlap);
    sq_emit_roles(of->k, "       ", to);
    sq_text_puts(to, "        \"\"\"\n");
    put_checks(of, to);
    sq_text_printf(to, "        self._%s(%s)\n", of->function, sq_text_str(&all));
    sq_text_printf(
        to,
        "\n    def %s_workspace(self%s%s):\n        \"\"\"Bytes that %s_in works in.\"\"\"\n"
        "        return self._%s_workspace(%s)\n",
        of->function, sizes.n ? ", " : "", sq_text_str(&sizes), of->function, of->function,
        sq_text_str(&sizes));
    sq_text_printf(to,
                   "\n    def %s_in(self%s%s, workspace):\n        \"\"\"%s in memory of the "
                   "caller's: a bytearray, say.\"\"\"\n",
                   of->function, comma, sq_text_str(&all), of->function);
    put_checks(of, to);
    sq_text_printf(to,
                   "        if memoryview(workspace).nbytes < self._%s_workspace(%s):\n"
                   "            raise ValueError(\"%s: workspace\")\n"
                   "        workspace = (ctypes.c_char * memoryview(workspace).nbytes)"
                   ".from_buffer(workspace)\n"
                   "        if self._%s_in(%s%sworkspace):\n"
                   "            raise ValueError(\"%s_in\")\n",
                   of->function, sq_text_str(&sizes), of->function, of->function, sq_text_str(&all),
                   comma, of->function);
    sq_text_free(&all);
    sq_text_free(&sizes);
}

static const char helpers[] =
    "import ctypes\nimport math\nimport operator\n\n\n"
    "def _size(name, value, bits):\n"
    "    try:\n"
    "        value = operator.index(value)\n"
    "    except TypeError:\n"
    "        raise TypeError(f\"{name} is {value!r}, which is no integer\") from None\n"
    "    if not 0 <= value < 1 << (bits - 1):\n"
    "        raise ValueError(f\"{name} is {value}\")\n"
    "    return value\n\n\n"
    "def _array(name, value, formats, item, shape, writes):\n"
    "    \"\"\"The array's memory, as an argument of ctypes. What is read-only is copied.\"\"\"\n"
    "    try:\n"
    "        view = memoryview(value)\n"
    "    except TypeError:\n"
    "        raise TypeError(f\"{name} is no array with a buffer, as numpy's and array.array\") "
    "from None\n"
    "    if view.format.lstrip(\"@=<\") not in formats or view.itemsize != item:\n"
    "        raise TypeError(f\"{name} has elements of format {view.format!r} and {view.itemsize} "
    "bytes, \"\n"
    "                        f\"not one of {formats!r} and {item}\")\n"
    "    if not view.c_contiguous:\n"
    "        raise ValueError(f\"{name} has gaps, or is not row-major\")\n"
    "    if view.ndim > 1 and view.shape != shape:\n"
    "        raise ValueError(f\"{name} has the shape {view.shape}, not {shape}\")\n"
    "    if view.nbytes != math.prod(shape) * item:\n"
    "        raise ValueError(f\"{name} has {view.nbytes // item} elements, not "
    "{math.prod(shape)}\")\n"
    "    if writes and view.readonly:\n"
    "        raise ValueError(f\"{name} is written to, and is read-only\")\n"
    "    memory = ctypes.c_char * view.nbytes\n"
    "    if not view.nbytes:\n"
    "        return None\n"
    "    return memory.from_buffer_copy(view) if view.readonly else memory.from_buffer(view)\n\n\n"
    "class Kernels:\n"
    "    \"\"\"The functions of a shared library: its path, or what ctypes.CDLL gives.\"\"\"\n\n"
    "    def __init__(self, library):\n"
    "        if not isinstance(library, ctypes.CDLL):\n"
    "            library = ctypes.CDLL(library)\n";

static bool is_word(const char *name)
{
    return sq_binding_listed(words, name);
}

static void put(const sq_binding *b, const sq_bound *of, int n, sq_text *to)
{
    (void)b;
    sq_text_puts(to, helpers);
    for (int i = 0; i < n; i++) {
        put_types(&of[i], "", "None", true, "", to);
        put_types(&of[i], "_workspace", "ctypes.c_size_t", false, "", to);
        if (sq_function_accepts(of[i].k))
            put_types(&of[i], "_accepts", "ctypes.c_int", false, "", to);
        put_types(&of[i], "_in", "ctypes.c_int", true, "ctypes.c_void_p", to);
    }
    for (int i = 0; i < n; i++)
        put_methods(&of[i], to);
}

const sq_binding sq_binding_python = {.name = "Python",
                                      .suffix = ".py",
                                      .comment = "#",
                                      .is_word = is_word,
                                      .first_floor = "((",
                                      .mid_floor = ") // ",
                                      .widen = "@",
                                      .suffix_of_number = "",
                                      .put = put};
