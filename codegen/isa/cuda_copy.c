/* CUDA copy: see cuda_copy.h. */
#include "codegen/isa/cuda_copy.h"
#include "codegen/print/printer.h"

const char *sq_copy_async_name(int bytes, sq_arena *arena)
{
    return sq_arena_printf(arena, "sq_copy_async_%d", bytes);
}

/* Copies of 16 bytes bypass the L1 cache. */
static void put_copy(int bytes, const char *name, sq_text *to)
{
    sq_text_line(to, "/* Starts to copy %d bytes; the last ones, `zeros` of them, become zero. */",
                 bytes);
    sq_text_line(to,
                 "[[maybe_unused]] static __device__ __forceinline__ void %s(void *to, const void "
                 "*from, int zeros)",
                 name);
    sq_text_open(to, "{");
    sq_text_puts(to, "#ifdef SQUALL_SIMT\n");
    sq_text_line(to, "__pipeline_memcpy_async(to, from, %d, (size_t)zeros);", bytes);
    sq_text_puts(to, "#else\n");
    sq_text_line(to, "asm volatile(\"cp.async.%s.shared.global [%%0], [%%1], %d, %%2;\" :",
                 bytes == 16 ? "cg" : "ca", bytes);
    sq_text_line(to,
                 "             : \"r\"((uint32_t)__cvta_generic_to_shared(to)), \"l\"(from), "
                 "\"r\"(%d - zeros) : \"memory\");",
                 bytes);
    sq_text_puts(to, "#endif\n");
    sq_text_close(to, "}");
}

void sq_cuda_copies(const sq_code_keys *helpers, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    for (int bytes = 4; bytes <= 16; bytes *= 2)
        if (sq_code_keys_has(helpers, sq_copy_async_name(bytes, arena)))
            put_copy(bytes, sq_copy_async_name(bytes, arena), to);
    sq_arena_free(arena);
}
