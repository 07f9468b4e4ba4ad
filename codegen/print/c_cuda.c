/* C, CUDA: see c_cuda.h. */
#include "codegen/print/c_cuda.h"
#include "codegen/isa/cuda_instruction.h"
#include "codegen/print/c_inside.h"
#include "codegen/print/printer.h"

typedef sq_c_printer printer;

/* ---- loops ---- */

void sq_cuda_loop(const printer *p, const sq_code *x, sq_text *to)
{
    if (x->runs == SQ_CODE_BLOCK_THREADS && p->kernel) {
        p->kernel(x, p->user, to);
        return;
    }
    if (x->runs == SQ_CODE_BLOCK_THREADS) {
        if (x->launch)
            sq_text_line(to, "/* kernel: %s blocks of %lld threads */",
                         sq_code_text(x->launch->blocks, &p->uses, p->pool->arena), (long long)x->hi->number);
        if (sq_code_names(x->body, x->name)) /* without a sign, quotients are shifts: fewer registers */
            sq_text_line(to, "const unsigned %s = threadIdx.x;", x->name);
        sq_c_code(p, x->body, to);
        return;
    }
    sq_text_open(to, "for (int64_t %s = blockIdx.x; %s < %s; %s += gridDim.x) {", x->name, x->name,
                 sq_code_text(x->hi, &p->uses, p->pool->arena), x->name);
    sq_c_code(p, x->body, to);
    sq_text_close(to, "}");
}

/* ---- shared memory ---- */

/* Returns the alignment of a block's memory: all kernels of a file declare it alike. */
static int64_t alignment_of_block(const sq_grid *device)
{
    return device->warpgroups ? SQ_SWIZZLED_BYTES : 16;
}

void sq_cuda_panel(const sq_code *declare, void *of_file, sq_text *to)
{
    sq_printer *p = of_file;
    const sq_code_buffer *b = declare->buffer;
    const char *type = sq_type_ctype(b->type);
    bool is_first = p->block_bytes == 0;
    int64_t at = sq_code_block_place(b, &p->block_bytes);
    if (is_first)
        sq_text_line(to, "extern __shared__ __align__(%lld) unsigned char @block_memory[];",
                     (long long)alignment_of_block(p->options->target->grid));
    sq_text_line(to, "%s *const %s = (%s *)(void *)(@block_memory + %lld);", type, b->name, type, (long long)at);
}

/* ---- instructions ---- */

static void put_register(const printer *p, const sq_code_operand *o, sq_text *to)
{
    sq_c_element(p, o->buffer, &o->at, to);
    if (o->buffer->lanes > 1)
        sq_text_printf(to, ".v[%d]", o->lane);
}

static void put_operand(const printer *p, const sq_code_operand *o, sq_text *to)
{
    if (o->kind == SQ_OPERAND_REGISTER)
        put_register(p, o, to);
    else if (o->kind == SQ_OPERAND_ELEMENTS)
        sq_c_address(p, o->buffer, o->at, to);
    else
        sq_c_index(p, o->at, SQ_LEVEL_ANY, to);
}

static void put_operands(const printer *p, const sq_code_instruction *x, int from, sq_text *to)
{
    for (int i = from; i < x->noperands; i++) {
        sq_text_puts(to, i > from ? ", " : "");
        put_operand(p, &x->operand[i], to);
    }
}

/* Appends "(uint32_t)(uint8_t)*(A) | (uint32_t)(uint8_t)*(A + 1) << 8": elements as a word. */
static void put_word(const printer *p, const sq_code_instruction *x, sq_text *to)
{
    enum { WORD = 32 };
    for (int i = 1; i < x->noperands; i++) {
        sq_text_puts(to, i > 1 ? " | (uint32_t)" : "(uint32_t)");
        sq_text_puts(to, sq_type_bytes(x->operand[i].buffer->type) == 1 ? "(uint8_t)*(" : "*(");
        put_operand(p, &x->operand[i], to);
        sq_text_puts(to, ")");
        if (i > 1)
            sq_text_printf(to, " << %d", WORD / (x->noperands - 1) * (i - 1));
    }
}

/* Appends what is assigned to operand 0. */
static void put_assigned(const printer *p, const sq_code_instruction *x, const char *function, sq_text *to)
{
    if (x->row == SQ_INSTRUCTION_WORD && !*function) {
        put_word(p, x, to);
        return;
    }
    sq_text_printf(to, "%s(%s", function, x->row == SQ_INSTRUCTION_SHUFFLE ? "0xffffffffu, " : "");
    sq_text_puts(to, x->row == SQ_INSTRUCTION_WORD ? "*(" : "");
    put_operands(p, x, x->row == SQ_INSTRUCTION_ROUND ? 0 : 1, to);
    sq_text_puts(to, x->row == SQ_INSTRUCTION_WORD ? ")" : "");
    if (x->row == SQ_INSTRUCTION_SHUFFLE)
        sq_text_printf(to, ", %d", x->n);
    sq_text_puts(to, ")");
}

/* True if the number is an argument behind the operands. */
static bool has_number(const sq_code_instruction *x)
{
    return x->row == SQ_INSTRUCTION_WAIT || (x->row == SQ_INSTRUCTION_COPY && x->noperands < 3);
}

void sq_cuda_instruction(const printer *p, const sq_code_instruction *x, sq_text *to)
{
    const char *function = sq_cuda_function(x, &p->uses, p->pool->arena);
    sq_text t = {0};
    if (x->row == SQ_INSTRUCTION_SHUFFLE || x->row == SQ_INSTRUCTION_WORD || x->row == SQ_INSTRUCTION_ROUND) {
        put_operand(p, &x->operand[0], &t);
        sq_text_puts(&t, " = ");
        put_assigned(p, x, function, &t);
    } else {
        sq_text_printf(&t, "%s(", function);
        put_operands(p, x, 0, &t);
        if (has_number(x))
            sq_text_printf(&t, x->noperands ? ", %d" : "%d", x->n);
        sq_text_puts(&t, ")");
    }
    sq_text_line(to, "%s;", sq_text_str(&t));
    sq_text_free(&t);
}
