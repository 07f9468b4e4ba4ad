/* A small language model: embeds a prompt, runs its layers and appends the likeliest token, again and
 * again. The weights are made from a seed, so the text means nothing; the work is that of a real model.
 * Everything that takes time is a kernel, called through kernels.h. The program is linked twice, with the
 * kernels that Squall makes of kernels.sq and with the plain loops of plain.c:
 *
 *   ./llm_plain --write=plain.run     tokens, scores and times go to a file
 *   ./llm --compare=plain.run         the same tokens? how far are the scores apart? how much faster?
 */
#define _POSIX_C_SOURCE 200809L
#include "kernels.h"
#include "model.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* rows x columns weights, in blocks of a row. */
typedef struct matrix {
    int rows, columns;
    int8_t *weights;
    float *scales;
} matrix;

typedef struct layer {
    float *attention_gain, *feed_gain;
    matrix query, key, value, output, gate, up, down;
    float *keys, *values; /* the cache: CONTEXT x DIM */
} layer;

typedef struct model {
    float *embedding, *final_gain, *output; /* output: VOCABULARY x DIM, f32 */
    float *cosine, *sine;                   /* CONTEXT x HEAD / 2: the angles of the positions */
    layer layers[LAYERS];
} model;

/* What one pass works on, for PROMPT tokens at most. */
typedef struct buffers {
    float *x, *normed, *query, *turned, *key, *mixed, *added; /* rows of DIM */
    float *gate, *up, *logits, *chances;                      /* of HIDDEN and VOCABULARY */
} buffers;

/* What a run leaves: to be compared with that of the other kernels. */
typedef struct result {
    int32_t tokens[NEW];
    double perplexity;                  /* of the prompt */
    double prompt_rate, new_rate, rate; /* tokens a second: given, new, all */
    float logits[(PROMPT + NEW) * VOCABULARY];
} result;

static void *allocate(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!p) {
        fputs("llm: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

static float *floats(size_t n)
{
    return allocate(n * sizeof(float));
}

static uint64_t seed = 0x9e3779b97f4a7c15;

/* The generator is xorshift64*: the same numbers on every machine. */
static uint32_t random_bits(void)
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (uint32_t)(seed * 0x2545f4914f6cdd1dull >> 32);
}

static float random_between(float low, float high)
{
    return low + (high - low) * (float)(random_bits() >> 8) / (1 << 24);
}

static float *random_floats(size_t n, float low, float high)
{
    float *p = floats(n);
    for (size_t i = 0; i < n; i++)
        p[i] = random_between(low, high);
    return p;
}

/* Rows that keep the size of what they are multiplied with: their squares sum to about 1. */
static matrix random_matrix(int rows, int columns)
{
    size_t n = (size_t)rows * columns;
    float scale = 1 / (73.0f * sqrtf((float)columns)); /* 73: the root mean square of -127 … 127 */
    matrix m = {rows, columns, allocate(n), random_floats(n / BLOCK, 0.5f * scale, 1.5f * scale)};
    for (size_t i = 0; i < n; i++)
        m.weights[i] = (int8_t)((int)(random_bits() % 255) - 127);
    return m;
}

static void make_model(model *m)
{
    m->embedding = random_floats((size_t)VOCABULARY * DIM, -1, 1);
    m->final_gain = random_floats(DIM, 0.5f, 1.5f);
    m->output = random_floats((size_t)VOCABULARY * DIM, -1 / sqrtf(DIM), 1 / sqrtf(DIM));
    m->cosine = floats((size_t)CONTEXT * HEAD / 2);
    m->sine = floats((size_t)CONTEXT * HEAD / 2);
    for (int t = 0; t < CONTEXT; t++)
        for (int i = 0; i < HEAD / 2; i++) {
            double angle = t * pow(10000, -2.0 * i / HEAD);
            m->cosine[t * (HEAD / 2) + i] = (float)cos(angle);
            m->sine[t * (HEAD / 2) + i] = (float)sin(angle);
        }
    for (layer *l = m->layers; l < m->layers + LAYERS; l++) {
        l->attention_gain = random_floats(DIM, 0.5f, 1.5f);
        l->feed_gain = random_floats(DIM, 0.5f, 1.5f);
        l->query = random_matrix(DIM, DIM);
        l->key = random_matrix(DIM, DIM);
        l->value = random_matrix(DIM, DIM);
        l->output = random_matrix(DIM, DIM);
        l->gate = random_matrix(HIDDEN, DIM);
        l->up = random_matrix(HIDDEN, DIM);
        l->down = random_matrix(DIM, HIDDEN);
        l->keys = floats((size_t)CONTEXT * DIM);
        l->values = floats((size_t)CONTEXT * DIM);
    }
}

static void free_model(model *m)
{
    for (layer *l = m->layers; l < m->layers + LAYERS; l++) {
        matrix *all[] = {&l->query, &l->key, &l->value, &l->output, &l->gate, &l->up, &l->down};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            free(all[i]->weights);
            free(all[i]->scales);
        }
        free(l->attention_gain), free(l->feed_gain), free(l->keys), free(l->values);
    }
    free(m->embedding), free(m->final_gain), free(m->output), free(m->cosine), free(m->sine);
}

static void make_buffers(buffers *b)
{
    float **small[] = {&b->x, &b->normed, &b->query, &b->turned, &b->key, &b->mixed, &b->added};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        *small[i] = floats((size_t)PROMPT * DIM);
    b->gate = floats((size_t)PROMPT * HIDDEN);
    b->up = floats((size_t)PROMPT * HIDDEN);
    b->logits = floats((size_t)PROMPT * VOCABULARY);
    b->chances = floats((size_t)PROMPT * VOCABULARY);
}

static void free_buffers(buffers *b)
{
    float *all[] = {b->x,     b->normed, b->query, b->turned, b->key,    b->mixed,
                    b->added, b->gate,   b->up,    b->logits, b->chances};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

static void multiply(int n, const float *x, const matrix *m, float *y)
{
    if (n == 1)
        matvec_q8(m->rows, m->columns / BLOCK, x, m->weights, m->scales, y);
    else
        matmul_q8(n, m->rows, m->columns / BLOCK, x, m->weights, m->scales, y);
}

static void run_layer(const model *m, const layer *l, int n, int before, buffers *b)
{
    const float *cosine = m->cosine + before * (HEAD / 2), *sine = m->sine + before * (HEAD / 2);
    float *keys = l->keys + (size_t)before * DIM, *values = l->values + (size_t)before * DIM;
    rmsnorm(n, 1e-5f, b->x, l->attention_gain, b->normed);
    multiply(n, b->normed, &l->query, b->query);
    multiply(n, b->normed, &l->key, b->key);
    multiply(n, b->normed, &l->value, values);
    rope(n, b->query, cosine, sine, b->turned);
    rope(n, b->key, cosine, sine, keys);
    attention(n, before, 1 / sqrtf(HEAD), b->turned, l->keys, l->values, b->mixed);
    multiply(n, b->mixed, &l->output, b->added);
    add(n, b->added, b->x);

    rmsnorm(n, 1e-5f, b->x, l->feed_gain, b->normed);
    multiply(n, b->normed, &l->gate, b->gate);
    multiply(n, b->normed, &l->up, b->up);
    swiglu(n, b->gate, b->up);
    multiply(n, b->gate, &l->down, b->added);
    add(n, b->added, b->x);
}

/* Runs n tokens at the positions after the first `before`: the chances of what follows each of them. */
static void forward(const model *m, int n, const int32_t *tokens, int before, buffers *b)
{
    for (int t = 0; t < n; t++)
        memcpy(b->x + (size_t)t * DIM, m->embedding + (size_t)tokens[t] * DIM, DIM * sizeof(float));
    for (int i = 0; i < LAYERS; i++)
        run_layer(m, &m->layers[i], n, before, b);
    rmsnorm(n, 1e-5f, b->x, m->final_gain, b->normed);
    if (n == 1)
        matvec(VOCABULARY, DIM, b->normed, m->output, b->logits);
    else
        matmul(n, VOCABULARY, DIM, b->normed, m->output, b->logits);
    softmax(n, b->logits, b->chances);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* How much the prompt surprises the model: VOCABULARY if it expects nothing, 1 if all of it. */
static double perplexity(const int32_t *prompt, const float *chances)
{
    double sum = 0;
    for (int t = 0; t + 1 < PROMPT; t++)
        sum -= log(chances[(size_t)t * VOCABULARY + prompt[t + 1]]);
    return exp(sum / (PROMPT - 1));
}

static void generate(const model *m, const int32_t *prompt, buffers *b, result *r)
{
    const float *last = b->chances + (size_t)(PROMPT - 1) * VOCABULARY;
    double start = seconds();
    forward(m, PROMPT, prompt, 0, b);
    double between = seconds(), kept = 0;
    r->perplexity = perplexity(prompt, b->chances);
    memcpy(r->logits, b->logits, sizeof(float) * PROMPT * VOCABULARY);
    for (int i = 0; i < NEW; i++) {
        double begin = seconds();
        greedy(last, &r->tokens[i]);
        forward(m, 1, &r->tokens[i], PROMPT + i, b);
        kept += seconds() - begin;
        last = b->chances;
        memcpy(r->logits + (size_t)(PROMPT + i) * VOCABULARY, b->logits,
               sizeof(float) * VOCABULARY);
    }
    r->prompt_rate = PROMPT / (between - start);
    r->new_rate = NEW / kept;
    r->rate = CONTEXT / (between - start + kept);
}

static int file_error(const char *path)
{
    fprintf(stderr, "llm: %s cannot be read or written, or is of another program\n", path);
    return 1;
}

static int write_result(const char *path, const result *r)
{
    FILE *f = fopen(path, "wb");
    size_t n = f ? fwrite(r, sizeof *r, 1, f) : 0;
    return (f && fclose(f)) || n != 1 ? file_error(path) : 0;
}

/* 1 if the other run found another token, or other logits than rounding explains. */
static int compare(const char *path, const result *r, result *other)
{
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(other, sizeof *other, 1, f) : 0;
    if ((f && fclose(f)) || n != 1)
        return file_error(path);
    float apart = 0, largest = 0;
    for (size_t i = 0; i < (size_t)(PROMPT + NEW) * VOCABULARY; i++) {
        largest = fmaxf(largest, fabsf(other->logits[i]));
        apart = fmaxf(apart, fabsf(r->logits[i] - other->logits[i]));
    }
    int same = memcmp(r->tokens, other->tokens, sizeof r->tokens) == 0;
    printf("tokens: %s\nlogits: %.1e apart at most, of %.1f\n", same ? "the same" : "others", apart,
           largest);
    printf("times as fast: prompt %.2f, new %.2f, all %.2f\n", r->prompt_rate / other->prompt_rate,
           r->new_rate / other->new_rate, r->rate / other->rate);
    if (same && largest > 0 && apart <= 1e-4f * largest) /* no for NaN, too */
        return 0;
    puts("the kernels disagree");
    return 1;
}

int main(int argc, char **argv)
{
    static result r, other;
    model m;
    buffers b;
    int32_t prompt[PROMPT];
    const char *write = NULL, *with = NULL;
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "--write=", 8) == 0)
            write = argv[i] + 8;
        else if (strncmp(argv[i], "--compare=", 10) == 0)
            with = argv[i] + 10;
        else {
            fprintf(stderr, "usage: %s [--write=FILE] [--compare=FILE]\n", argv[0]);
            return 64;
        }
    make_model(&m);
    make_buffers(&b);
    for (int i = 0; i < PROMPT; i++)
        prompt[i] = (int32_t)(random_bits() % VOCABULARY);
    generate(&m, prompt, &b, &r);
    for (int i = 0; i < NEW; i++)
        printf("%d%c", r.tokens[i], i % 16 == 15 ? '\n' : ' ');
    printf("perplexity of the prompt: %.1f\n", r.perplexity);
    printf("tokens a second: prompt %.1f, new %.1f, all %.1f\n", r.prompt_rate, r.new_rate, r.rate);
    int rc = write ? write_result(write, &r) : 0;
    if (with && !rc)
        rc = compare(with, &r, &other);
    free_buffers(&b);
    free_model(&m);
    return rc;
}
