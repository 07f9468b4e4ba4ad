/* CUDA entry: the wrapper through which a harness calls a launcher, codegen/grid/cuda_wrapper.cu,
 * and the code that depends on the kernel: the sizes of its arrays, and the call. */
#include "codegen/nest/base.h"
#include "codegen/grid/cuda.h"
#include "ir/kernel/kernel.h"
#include <inttypes.h>

extern const char sq_cuda_wrapper[]; /* the text of that file */

/* Variables of these functions, whose names no size of a kernel has. */
#define ARG "sq_wrapper_arg"
#define TO "sq_wrapper_to"

static void put_sizes(const sq_kernel *k, sq_text *to)
{
    for (int i = 0; i < k->nparams; i++) {
        const sq_size *s = k->param[i].size;
        if (s && s->fixed)
            sq_text_line(to, "    const int64_t %s = INT64_C(%" PRId64 ");", s->name, s->value);
        else if (s)
            sq_text_line(to, "    const int64_t %s = *(const %s *)" ARG "[%d];", s->name,
                         sq_type_ctype(s->type), i);
        if (s)
            sq_text_line(to, "    (void)%s;", s->name);
    }
}

static int put_arrays(const sq_kernel *k, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    int n = 0;
    for (int i = 0; i < k->nparams; i++) {
        const sq_array *a = k->param[i].array;
        if (!a)
            continue;
        a = sq_array_described(a);
        sq_text_printf(to, "    " TO "[%d] = {\"%s\", " ARG "[%d], sizeof(%s)", n++, a->name, i,
                       sq_type_ctype(a->type));
        for (int x = 0; x < a->ndim; x++)
            sq_text_printf(to, " * sq_wrapper_extent(%s)", sq_aff_text(k, a->extent[x], NULL, arena));
        sq_text_puts(to, ", NULL, NULL};\n");
    }
    sq_arena_free(arena);
    return n;
}

static void put_describe(const sq_kernel *k, const char *function, sq_text *to)
{
    sq_text_puts(to, "static void sq_wrapper_describe(void *const *" ARG ", sq_wrapper_array *" TO
                     ")\n{\n    (void)" ARG ";\n");
    put_sizes(k, to);
    int n = put_arrays(k, to);
    sq_text_printf(to, "    " TO "[%d] = {\"the workspace\", NULL, %s, NULL, NULL};\n}\n\n", n,
                   sq_cuda_workspace(k, function, k->arena));
}

static void put_launch(const sq_kernel *k, const char *function, sq_text *to)
{
    int n = 0;
    sq_text_printf(to,
                   "static int sq_wrapper_launch(void *const *" ARG ", const sq_wrapper_array *" TO
                   ")\n"
                   "{\n    (void)" ARG ", (void)" TO ";\n    return %s(",
                   function);
    for (int i = 0; i < k->nparams; i++) {
        const sq_param *q = &k->param[i];
        if (q->array)
            sq_text_printf(to, "(%s *)" TO "[%d].at, ", sq_type_ctype(q->array->type), n++);
        else if (q->scalar || !q->size->fixed)
            sq_text_printf(to, "*(const %s *)" ARG "[%d], ",
                           sq_type_ctype(q->scalar ? q->scalar->type : q->size->type), i);
    }
    if (sq_kernel_has_locals(k))
        sq_text_printf(to, TO "[%d].at, ", n);
    sq_text_puts(to, "NULL);\n}\n\n");
}

void sq_cuda_entry(const sq_kernel *k, const char *function, const char *entry, sq_text *to)
{
    int n = 1; /* 1: the workspace */
    for (int i = 0; i < k->nparams; i++)
        n += k->param[i].array != NULL;
    sq_text_printf(to, "\n#define SQ_WRAPPER_ARRAYS %d\n", n);
    sq_text_puts(to, sq_cuda_wrapper);
    sq_text_puts(to, "\n");
    put_describe(k, function, to);
    put_launch(k, function, to);
    sq_text_printf(to,
                   "extern \"C\" void %s(void *const *" ARG
                   ")\n{\n    if (sq_wrapper_has_device())\n"
                   "        sq_wrapper_there_and_back(" ARG ");\n}\n",
                   entry);
}
