/* Bindings for Python: a class over ctypes whose methods take what has a buffer, arrays of numpy and of
 * the standard library among them. */
#include "codegen/emit.h"
#include "codegen/file/bindings.h"
#include "codegen/file/function.h"
#include "codegen/file/packed.h"
#include "codegen/file/views.h"
#include <string.h>

// clang-format off
static const char *const words[] = {
    "False", "None", "OverflowError", "True", "TypeError", "ValueError", "_accepted", "_array", "_size", "_view", "and",
    "as", "assert", "async", "await", "break", "class", "continue", "ctypes", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "memoryview", "nonlocal", "not", "or", "pass", "raise", "return", "self", "try",
    "while", "with", "workspace", "yield", NULL};
// clang-format on

/* Of each type: ctypes' name, the letters that buffers have for it, and those of numpy's interface. */
static const struct {
    sq_type type;
    const char *name, *format, *kinds;
} types[] = {{SQ_F32, "c_float", "f", "f"},   {SQ_F64, "c_double", "d", "f"},  {SQ_F16, "c_uint16", "eH", "fu"},
             {SQ_BF16, "c_uint16", "H", "u"}, {SQ_I8, "c_int8", "b", "i"},     {SQ_I16, "c_int16", "h", "i"},
             {SQ_I32, "c_int32", "il", "i"},  {SQ_I64, "c_int64", "lq", "i"},  {SQ_U8, "c_uint8", "B", "u"},
             {SQ_U16, "c_uint16", "H", "u"},  {SQ_U32, "c_uint32", "IL", "u"}, {SQ_U64, "c_uint64", "LQ", "u"}};

static int row_of(sq_type t)
{
    int i = 0;
    while (types[i].type != t) /* every type has its row */
        i++;
    return i;
}

static const char *name_of(const sq_bound_kernel *of, const sq_param *p)
{
    return sq_binding_name(of, sq_param_name(p));
}

/* type: "ctypes.c_int32"; else "M". */
static const char *param(const sq_bound_kernel *of, const sq_param *p, int type)
{
    if (!type)
        return name_of(of, p);
    if (p->array)
        return "ctypes.c_void_p";
    bool is_size_t = p->size && p->size->is_size_t;
    return sq_arena_printf(of->arena, "ctypes.%s",
                           is_size_t ? "c_size_t" : types[row_of(p->size ? p->size->type : p->scalar->type)].name);
}

static const char *view_param(const sq_bound_kernel *of, const sq_param *p, int type)
{
    return type && p->array ? sq_arena_printf(of->arena, "_View%d", p->array->ndim) : param(of, p, type);
}

static const char *names(const sq_bound_kernel *of, bool all)
{
    return sq_binding_params(of, all, param, false, "");
}

/* Those of the functions. */
static void put_type(const char *function, const char *suffix, const char *result, const char *params, sq_text *to)
{
    sq_text_printf(to,
                   "        self._%1$s%2$s = getattr(library, \"%1$s%2$s\")\n        self._%1$s%2$s.restype = %3$s\n"
                   "        self._%1$s%2$s.argtypes = [%4$s]\n",
                   function, suffix, result, params);
}

static void put_types(const sq_bound_kernel *of, sq_text *to)
{
    const char *f = of->function, *sizes = sq_binding_params(of, false, param, true, "");
    put_type(f, "", of->has_codes ? "ctypes.c_int" : "None", sq_binding_params(of, true, param, true, ""), to);
    put_type(f, "_workspace", "ctypes.c_size_t", sizes, to);
    if (sq_function_accepts(of->k))
        put_type(f, "_accepts", "ctypes.c_int", sizes, to);
    put_type(f, "_in", "ctypes.c_int", sq_binding_params(of, true, param, true, "ctypes.c_void_p"), to);
    for (int p = 0; p < of->k->nparams; p++) {
        const sq_array *a = of->k->param[p].array;
        if (!a || !a->is_packed)
            continue;
        put_type(sq_packed_bytes(f, a, of->arena), "", "ctypes.c_size_t", sizes, to);
        put_type(sq_packed_function(f, a, of->arena), "", "ctypes.c_int",
                 sq_binding_packing(of, a, param, true, "ctypes.c_void_p"), to);
    }
    if (of->has_isa)
        put_type(f, "_isa", "ctypes.c_char_p", "", to);
    if (!of->views)
        return;
    put_type(f, "_views", "ctypes.c_int", sq_binding_views(of, true, view_param, true, ""), to);
    put_type(f, "_views_error", "ctypes.c_char_p", "ctypes.c_int", to);
}

static void put_size_check(const sq_bound_kernel *of, const sq_param *p, sq_text *to)
{
    if (p->size && sq_param_shown(p))
        sq_text_printf(to, "        %1$s = _size(\"%2$s: %3$s\", %1$s, %4$d)\n", name_of(of, p), of->function,
                       p->size->name, 8 * sq_type_bytes(p->size->type));
}

static void put_size_checks(const sq_bound_kernel *of, sq_text *to)
{
    for (int i = 0; i < of->k->nparams; i++)
        put_size_check(of, &of->k->param[i], to);
    if (sq_function_accepts(of->k))
        sq_text_printf(to,
                       "        if not self._%1$s_accepts(%2$s):\n"
                       "            raise ValueError(\"%1$s: sizes that it does not accept\")\n",
                       of->function, names(of, false));
}

/* Of parameter i, as it is. */
static void put_array_check(const sq_bound_kernel *of, int i, sq_text *to)
{
    const sq_array *a = of->k->param[i].array;
    sq_text_printf(to, "        %1$s = _array(\"%2$s: %3$s\", %1$s, \"%4$s\", %5$d, (%6$s%7$s), %8$s)\n",
                   name_of(of, &of->k->param[i]), of->function, a->name, types[row_of(a->type)].format,
                   sq_type_bytes(a->type), sq_binding_extents(of, i, ", "), a->ndim == 1 ? "," : "",
                   a->role == SQ_IN ? "False" : "True");
}

static void put_checks(const sq_bound_kernel *of, sq_text *to)
{
    put_size_checks(of, to);
    for (int i = 0; i < of->k->nparams; i++) {
        const sq_array *a = of->k->param[i].array;
        if (!a)
            continue;
        const char *name = name_of(of, &of->k->param[i]);
        if (a->is_packed)
            sq_text_printf(to, "        %1$s = _packed(\"%2$s: %3$s\", %1$s, self._%4$s(%5$s))\n", name, of->function,
                           a->name, sq_packed_bytes(of->function, a, of->arena), names(of, false));
        else
            put_array_check(of, i, to);
        if (a->align)
            sq_text_printf(to,
                           "        if %1$s is not None and ctypes.addressof(%1$s) %% %2$d:\n"
                           "            raise ValueError(\"%3$s: %4$s begins at no multiple of %2$d bytes\")\n",
                           name, a->align, of->function, a->name);
    }
}

/* The method that packs parameter i. */
static void put_packing(const sq_bound_kernel *of, int i, sq_text *to)
{
    const sq_array *a = of->k->param[i].array;
    const char *pack = sq_packed_function(of->function, a, of->arena);
    const char *all = sq_binding_packing(of, a, param, false, "");
    sq_text_printf(to,
                   "\n    def %s(self, %s):\n        \"\"\"%s as %s takes it, in memory of its own: once, for all "
                   "calls.\"\"\"\n",
                   pack, all, a->name, of->function);
    put_size_checks(of, to);
    put_array_check(of, i, to);
    sq_text_printf(to,
                   "        packed = _aligned(self._%1$s(%2$s))\n        if self._%3$s(%4$s, packed):\n"
                   "            raise ValueError(\"%3$s\")\n        return packed\n",
                   sq_packed_bytes(of->function, a, of->arena), names(of, false), pack, all);
}

/* The call of the function; sizes are accepted. */
static void put_call(const sq_bound_kernel *of, const char *all, sq_text *to)
{
    if (of->k->plain)
        sq_text_printf(to,
                       "        status = self._%1$s(%2$s)\n        if status == 3:\n"
                       "            raise ValueError(\"%1$s: what is packed is of another layout or of other sizes\")\n"
                       "        if status:\n            raise MemoryError(\"%1$s: no memory to work in\")\n",
                       of->function, all);
    else if (of->has_codes)
        sq_text_printf(to,
                       "        if self._%1$s(%2$s):\n            raise MemoryError(\"%1$s: no memory to work in\")\n",
                       of->function, all);
    else
        sq_text_printf(to, "        self._%s(%s)\n", of->function, all);
}

static const char no_overlap[] = "\n        What it writes must not overlap another array.";

static void put_methods(const sq_bound_kernel *of, sq_text *to)
{
    for (int i = 0; i < of->k->nparams; i++)
        if (of->k->param[i].array && of->k->param[i].array->is_packed)
            put_packing(of, i, to);
    const char *all = names(of, true), *sizes = names(of, false), *comma = *all ? ", " : "";
    sq_text_printf(to,
                   "\n    def %s(self%s%s):\n        \"\"\"Raises ValueError where sizes are not "
                   "accepted, or an array has another length.%s\n",
                   of->name, comma, all, sq_emit_may_overlap(of->k) ? "" : no_overlap);
    sq_ways_about(of->ways, of->k, "       ", sq_emit_roles, to);
    sq_text_puts(to, "        \"\"\"\n");
    put_checks(of, to);
    put_call(of, all, to);
    sq_text_printf(to,
                   "\n    def %1$s_workspace(self%2$s%3$s):\n        \"\"\"Bytes that %1$s_in works in.\"\"\"\n"
                   "        return self._%1$s_workspace(%3$s)\n"
                   "\n    def %1$s_in(self%4$s%5$s, workspace):\n        \"\"\"%1$s in memory of the "
                   "caller's: a bytearray, say.\"\"\"\n",
                   of->function, *sizes ? ", " : "", sizes, comma, all);
    put_checks(of, to);
    sq_text_printf(to,
                   "        if memoryview(workspace).nbytes < self._%1$s_workspace(%2$s):\n"
                   "            raise ValueError(\"%1$s: workspace\")\n"
                   "        workspace = (ctypes.c_char * memoryview(workspace).nbytes)"
                   ".from_buffer(workspace)\n"
                   "        if self._%1$s_in(%3$s%4$sworkspace):\n"
                   "            raise ValueError(\"%1$s_in\")\n",
                   of->function, sizes, all, comma);
}

static void put_isa(const sq_bound_kernel *of, sq_text *to)
{
    sq_text_printf(to,
                   "\n    def %1$s_isa(self):\n        \"\"\"The target that %2$s uses, the best that this processor "
                   "has.\"\"\"\n        return self._%1$s_isa().decode()\n",
                   of->function, of->name);
}

/* ---- arrays with strides ---- */

static void put_view_method(const sq_bound_kernel *of, sq_text *to)
{
    const char *all = sq_binding_views(of, true, view_param, false, "");
    sq_text_printf(to,
                   "\n    def %1$s_views(self%2$s%3$s):\n        \"\"\"%1$s of arrays with strides, as numpy's slices "
                   "and transpositions: nothing has to be contiguous.\n",
                   of->function, *all ? ", " : "", all);
    sq_emit_roles(of->k, "       ", to);
    sq_text_puts(to, "        \"\"\"\n");
    for (int i = 0; i < of->k->nparams; i++) {
        const sq_param *p = &of->k->param[i];
        const sq_array *a = p->array;
        if (!sq_views_passes(of->views, p))
            continue;
        put_size_check(of, p, to);
        if (a)
            sq_text_printf(to,
                           "        %1$s = _view(\"%2$s: %3$s\", %1$s, _View%4$d, \"%5$s\", \"%6$s\", %7$d, %8$s)\n",
                           name_of(of, p), of->function, a->name, a->ndim, types[row_of(a->type)].format,
                           types[row_of(a->type)].kinds, sq_type_bytes(a->type), a->role == SQ_IN ? "False" : "True");
    }
    sq_text_printf(to, "        _accepted(\"%1$s_views\", self._%1$s_views(%2$s), self._%1$s_views_error)\n",
                   of->function, all);
}

static bool has_dims(const sq_bound_kernel *of, int n, int dims)
{
    bool found = false;
    for (int i = 0; i < n; i++)
        for (int p = 0; p < of[i].k->nparams; p++)
            found |= of[i].k->param[p].array && of[i].k->param[p].array->ndim == dims;
    return found;
}

/* A class for each number of dimensions. */
static void put_view_classes(const sq_bound_kernel *of, int n, sq_text *to)
{
    for (int dims = 1; dims <= SQ_MAX_DIMS; dims++)
        if (has_dims(of, n, dims))
            sq_text_printf(to,
                           "class _View%d(ctypes.Structure):\n"
                           "    _fields_ = [(\"at\", ctypes.c_void_p), (\"extent\", ctypes.c_int64 * %d),\n"
                           "                (\"stride\", ctypes.c_int64 * %d)]\n\n\n",
                           dims, dims, dims);
}

static const char view_helpers[] =
    "def _buffer(name, value, formats, item, writes):\n"
    "    \"\"\"Address, shape, strides in bytes, and owner of what has a buffer and no interface of numpy's.\"\"\"\n"
    "    try:\n"
    "        view = memoryview(value)\n"
    "    except TypeError:\n"
    "        raise TypeError(f\"{name} is no array, as numpy's and array.array\") from None\n"
    "    memory = _array(name, view, formats, item, view.shape, writes)\n"
    "    return memory and ctypes.addressof(memory), view.shape, view.strides, memory\n\n\n"
    "def _strided(name, value, interface, kinds, item, writes):\n"
    "    \"\"\"The same of what has numpy's interface.\"\"\"\n"
    "    typestr, (address, readonly), shape = interface[\"typestr\"], interface[\"data\"], interface[\"shape\"]\n"
    "    order = \"<\" if sys.byteorder == \"little\" else \">\"\n"
    "    if typestr[0] not in \"|=\" + order or typestr[1] not in kinds or int(typestr[2:]) != item:\n"
    "        raise TypeError(f\"{name} has elements of type {typestr!r}, not one of {kinds!r} with {item} bytes\")\n"
    "    if writes and readonly:\n"
    "        raise ValueError(f\"{name} is written to, and is read-only\")\n"
    "    strides = interface.get(\"strides\")\n"
    "    if strides is None:\n"
    "        strides = [item * math.prod(shape[i + 1:]) for i in range(len(shape))]\n"
    "    return address, shape, strides, value\n\n\n"
    "def _view(name, value, kind, formats, kinds, item, writes):\n"
    "    \"\"\"The array as C takes it: where it lies.\"\"\"\n"
    "    interface = getattr(value, \"__array_interface__\", None)\n"
    "    if interface is None:\n"
    "        address, shape, strides, owner = _buffer(name, value, formats, item, writes)\n"
    "    else:\n"
    "        address, shape, strides, owner = _strided(name, value, interface, kinds, item, writes)\n"
    "    view = kind()\n"
    "    if len(shape) != len(view.extent):\n"
    "        raise ValueError(f\"{name} has {len(shape)} dimensions, not {len(view.extent)}\")\n"
    "    if any(stride % item for stride in strides) or (address or 0) % item:\n"
    "        raise ValueError(f\"{name} has elements that are no multiple of {item} bytes away\")\n"
    "    view.at, view.owner = address, owner\n"
    "    view.extent[:], view.stride[:] = shape, [stride // item for stride in strides]\n"
    "    return view\n\n\n"
    "def _accepted(name, code, error):\n"
    "    if code:\n"
    "        kind = MemoryError if code == 4 else ValueError\n"
    "        raise kind(f\"{name}: {error(code).decode()}\")\n\n\n";

static const char helpers[] =
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
    "    return memory.from_buffer_copy(view) if view.readonly else memory.from_buffer(view)\n\n\n";

static const char packed_helpers[] =
    "def _aligned(size):\n"
    "    \"\"\"Memory that begins at a multiple of 64 bytes.\"\"\"\n"
    "    whole = (ctypes.c_char * (size + 64))()\n"
    "    return (ctypes.c_char * size).from_buffer(whole, -ctypes.addressof(whole) % 64)\n\n\n"
    "def _packed(name, value, size):\n"
    "    \"\"\"What was packed: as it was returned, or in other memory that can be written to.\"\"\"\n"
    "    view = memoryview(value)\n"
    "    if view.nbytes < size or view.readonly:\n"
    "        raise ValueError(f\"{name} has {view.nbytes} bytes, not {size}, or is read-only\")\n"
    "    packed = (ctypes.c_char * view.nbytes).from_buffer(view)\n"
    "    if ctypes.addressof(packed) % 64:\n"
    "        raise ValueError(f\"{name} begins at no multiple of 64 bytes\")\n"
    "    return packed\n\n\n";

static const char kernels[] =
    "class Kernels:\n"
    "    \"\"\"The functions of a shared library: its path, or what ctypes.CDLL gives.\"\"\"\n\n"
    "    def __init__(self, library):\n"
    "        if not isinstance(library, ctypes.CDLL):\n"
    "            library = ctypes.CDLL(library)\n";

static bool is_word(const char *name)
{
    return sq_binding_listed(words, name) || strncmp(name, "_View", strlen("_View")) == 0;
}

static void put(const sq_bound_kernel *of, int n, sq_text *to)
{
    sq_text_printf(to, "import ctypes\nimport math\nimport operator\n%s\n\n%s", of->views ? "import sys\n" : "",
                   helpers);
    if (of->views) {
        put_view_classes(of, n, to);
        sq_text_puts(to, view_helpers);
    }
    bool packs = false;
    for (int i = 0; i < n; i++)
        packs |= sq_packed_any(of[i].k);
    sq_text_puts(to, packs ? packed_helpers : "");
    sq_text_puts(to, kernels);
    for (int i = 0; i < n; i++)
        put_types(&of[i], to);
    for (int i = 0; i < n; i++) {
        put_methods(&of[i], to);
        if (of[i].has_isa)
            put_isa(&of[i], to);
        if (of->views)
            put_view_method(&of[i], to);
    }
}

const sq_binding sq_binding_python = {.name = "Python",
                                      .suffix = ".py",
                                      .comment = "#",
                                      .is_word = is_word,
                                      .first_floor = "((",
                                      .mid_floor = ") // ",
                                      .either = "(1 if @ else 2)",
                                      .and = "and",
                                      .widen = "@",
                                      .widen_size_t = "@",
                                      .suffix_of_number = "",
                                      .put = put};
