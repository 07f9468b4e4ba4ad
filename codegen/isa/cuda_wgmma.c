/* CUDA wgmma: see cuda_wgmma.h. */
#include "codegen/isa/cuda_wgmma.h"
#include "codegen/print/printer.h"
#include "ir/dependence/tensor.h"

static const char linkage[] = "[[maybe_unused]] static __device__ __forceinline__";

const char *sq_wgmma_name(sq_type operand, int n, bool a_steps, bool b_steps, sq_arena *arena)
{
    return sq_arena_printf(arena, "sq_wgmma_m64n%dk16_f32_%s_%s_%s", n, sq_type_suffix(operand),
                           a_steps ? "row" : "col", b_steps ? "col" : "row");
}

const char *sq_wgmma_wait_name(int n, sq_arena *arena)
{
    return sq_arena_printf(arena, "sq_wgmma_wait_n%d", n);
}

/* Returns "&c0, &c1, …": n numbers, each between two texts. */
static const char *list(int n, const char *before, const char *between, const char *after,
                        sq_arena *arena)
{
    sq_text t = {0};
    for (int i = 0; i < n; i++)
        sq_text_printf(&t, "%s%s%d%s", i ? between : "", before, i, after);
    const char *s = sq_arena_strdup(arena, sq_text_str(&t));
    sq_text_free(&t);
    return s;
}

/* Prints a statement for sm_90a, its replacement in the simulator, and a trap on other devices. */
static void put_device_only(const char *asm_text, const char *simulated, sq_text *to)
{
    sq_text_puts(to, "#ifdef SQUALL_SIMT\n");
    sq_text_line(to, "%s;", simulated);
    sq_text_puts(to, "#elif defined(__CUDA_ARCH_FEAT_SM90_ALL)\n");
    sq_text_line(to, "%s;", asm_text);
    sq_text_puts(to, "#else\n");
    sq_text_line(to, "__trap(); /* compile for sm_90a: nothing else has these instructions */");
    sq_text_puts(to, "#endif\n");
}

static void put_swizzled(sq_text *to)
{
    sq_text_line(
        to, "/* Where element e of a copy is: units of 16 bytes are permuted in rows of 128. */");
    sq_text_line(to, "%s int sq_swizzled(int e) { return e ^ (e >> 3 & 56); }", linkage);
}

static void put_begin(sq_text *to)
{
    sq_text_line(to, "/* Before a group: makes what threads wrote, copies and sums, visible to its "
                     "instructions. */");
    sq_text_line(to, "%s void sq_wgmma_begin(void)", linkage);
    sq_text_open(to, "{");
    put_device_only(
        "asm volatile(\"fence.proxy.async.shared::cta;\\n\\twgmma.fence.sync.aligned;\" "
        "::: \"memory\")",
        "", to);
    sq_text_close(to, "}");
    sq_text_line(to, "%s void sq_wgmma_commit(void)", linkage);
    sq_text_open(to, "{");
    put_device_only("asm volatile(\"wgmma.commit_group.sync.aligned;\" ::: \"memory\")", "", to);
    sq_text_close(to, "}");
    sq_text_line(to, "/* An operand in shared memory, for an instruction: its address, `lead` "
                     "elements from block to block of 64, 1024 bytes from 8 rows to the next, "
                     "swizzled by 128 bytes. */");
    sq_text_line(to, "%s uint64_t sq_wgmma_operand(const void *at, int lead)", linkage);
    sq_text_open(to, "{");
    sq_text_line(to, "const uint64_t address = (uint32_t)__cvta_generic_to_shared(at) & 0x3ffff;");
    sq_text_line(to, "return address >> 4 | (uint64_t)(2 * lead >> 4) << 16 | (uint64_t)64 << 32 | "
                     "(uint64_t)1 << 62;");
    sq_text_close(to, "}");
}

static void put_wait(int n, sq_arena *arena, sq_text *to)
{
    int sums = n / 2;
    sq_text_line(to, "/* Waits for all groups, whose sums these are. */");
    sq_text_line(to, "%s void %s(%s)", linkage, sq_wgmma_wait_name(n, arena),
                 list(sums, "float &c", ", ", "", arena));
    sq_text_open(to, "{");
    put_device_only(
        sq_arena_printf(arena,
                        "asm volatile(\"wgmma.wait_group.sync.aligned 0;\" : %s : : \"memory\")",
                        list(sums, "\"+f\"(c", ", ", ")", arena)),
        list(sums, "(void)c", ", ", "", arena), to);
    sq_text_close(to, "}");
}

typedef struct product {
    sq_type operand;
    int n;
    bool a_steps, b_steps;
} product;

static void put_product(const product *x, const char *name, sq_arena *arena, sq_text *to)
{
    int sums = x->n / 2;
    const char *type = sq_type_suffix(x->operand);
    sq_text_line(
        to, "/* Adds the product of 64 x 16 and 16 x %d elements to a warpgroup's sums. */", x->n);
    sq_text_line(to, "%s void %s(%s, const void *a, int a_lead, const void *b, int b_lead)",
                 linkage, name, list(sums, "float &c", ", ", "", arena));
    sq_text_open(to, "{");
    const char *simulated =
        sq_arena_printf(arena,
                        "float *const d[] = {%s};\n"
                        "    squall_simt::wgmma_f32_%s(d, %d, a, a_lead, %d, b, b_lead, %d)",
                        list(sums, "&c", ", ", "", arena), type, x->n, x->a_steps, x->b_steps);
    const char *text =
        sq_arena_printf(arena,
                        "asm volatile(\"{ .reg .pred p; setp.eq.b32 p, 0, 0; "
                        "wgmma.mma_async.sync.aligned.m64n%dk16.f32.%s.%s \"\n"
                        "                 \"{%s}, %%%d, %%%d, p, 1, 1, %d, %d; }\"\n"
                        "                 : %s\n"
                        "                 : \"l\"(sq_wgmma_operand(a, a_lead)), "
                        "\"l\"(sq_wgmma_operand(b, b_lead)))",
                        x->n, type, type, list(sums, "%", ", ", "", arena), sums, sums + 1,
                        !x->a_steps, !x->b_steps, list(sums, "\"+f\"(c", ", ", ")", arena));
    put_device_only(text, simulated, to);
    sq_text_close(to, "}");
}

static void put_products(const sq_code_keys *helpers, sq_type operand, int n, sq_arena *arena, sq_text *to)
{
    for (int ways = 0; ways < 4; ways++) {
        const product x = {operand, n, ways / 2, ways % 2};
        const char *name = sq_wgmma_name(operand, n, x.a_steps, x.b_steps, arena);
        if (sq_code_keys_has(helpers, name))
            put_product(&x, name, arena, to);
    }
}

void sq_cuda_wgmma(const sq_code_keys *helpers, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    if (sq_code_keys_has(helpers, "sq_swizzled"))
        put_swizzled(to);
    if (sq_code_keys_has(helpers, "sq_wgmma_begin"))
        put_begin(to);
    for (int n = SQ_TENSOR_COLUMNS;
         n <= SQ_WARPGROUP_COLUMNS && sq_code_keys_has(helpers, "sq_wgmma_begin");
         n += SQ_TENSOR_COLUMNS) {
        if (sq_code_keys_has(helpers, sq_wgmma_wait_name(n, arena)))
            put_wait(n, arena, to);
        put_products(helpers, SQ_F16, n, arena, to);
        put_products(helpers, SQ_BF16, n, arena, to);
    }
    sq_arena_free(arena);
}
