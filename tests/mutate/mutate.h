/* Mutation testing of `squall check`: small faults are put into emitted C, one at a time, and check
 * has to find each that changes a result. */
#ifndef MUTATE_H
#define MUTATE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One fault: the bytes from..to of the text become `with`. */
typedef struct mutation {
    size_t from, to;
    char with[64];
    const char *kind; /* bound, constant up or down, operator, stride, mask, dropped */
} mutation;

/* All places of a text where a fault can be put; *n of them, malloced. Comments, preprocessor
 * lines, the declarations of helpers and what no build compiles (the self-test) have none. */
mutation *mutations_of(const char *text, size_t *n);

typedef struct random_state {
    uint64_t state;
} random_state;
uint64_t random_next(random_state *r);

/* Runs words[0] with its output in a file (or nowhere if NULL); at most `seconds`. The exit code,
 * 128 + signal, or -1 when it cannot be started. */
int run_words(char *const *words, const char *output, unsigned seconds);
/* The whole file, ended by a zero byte; NULL if it cannot be read. */
char *read_whole(const char *path, size_t *n);
bool write_whole(const char *path, const char *text, size_t n);
#endif
