/* Sched file: tuned schedules as text that people check in beside the source, `gemm.avx512.sched`.
 *
 *     squall-sched 1            (or 1.2: MAJOR.MINOR of support/version.h)
 *     # comments as anywhere
 *     class avx512
 *
 *     hash 0f3c… source 77ab…
 *     kernel gemm at M=512,N=512,K=512 {
 *         # 1.201 ms (1.195 to 1.210), 223.5 GFLOP/s, 57 trials
 *         tile(i:48, j:256, k:768) …
 *     }
 *
 * `at *` is for all sizes; `at M=512 openmp` is for the target with OpenMP, `words` for one whose products of bytes
 * its class has not;
 * `unmeasured` is what a model alone has chosen. The hashes say what an
 * entry was made for: the kernel's meaning and the source's bytes. An entry made for another kernel
 * is foreign: good if legal. Written whole by rename; entries and comments of others are kept. */
#ifndef SQ_TUNER_STORE_SCHED_FILE_H
#define SQ_TUNER_STORE_SCHED_FILE_H
#include "frontend/frontend.h"
#include "ir/kernel/kernel.h"
#include "support/hash.h"
#include "support/text.h"

enum { SQ_SCHED_SIZES = 16 };

typedef struct sq_sched_size {
    const char *name;
    int64_t value;
} sq_sched_size;

typedef struct sq_sched_entry {
    const char *kernel; /* name */
    char kernel_hash[33], source_hash[33];
    int nsizes; /* 0: `at *` */
    sq_sched_size size[SQ_SCHED_SIZES];
    bool openmp, words, unmeasured;
    const char *script; /* with its comments, as between the braces */
    const char *before; /* comments in front of the entry */
    sq_loc loc;         /* of `kernel` */
    uint64_t key;       /* set by sq_sched_put: a hash of kernel, sizes, openmp and words */
} sq_sched_entry;

typedef struct sq_sched_file {
    const char *machine; /* class */
    long minor;          /* of the file's version */
    const char *head;    /* comments between version and class */
    const char *tail;    /* after the last entry */
    int n, cap;
    sq_sched_entry *entry;
    sq_arena *arena;
} sq_sched_file;

/* What an entry is asked for. */
typedef struct sq_sched_for {
    bool openmp, words;
} sq_sched_for;

/* An empty file of a class. */
sq_sched_file *sq_sched_new(sq_arena *arena, const char *machine);
/* Reads a text; `path` names it in messages (and should be a source of d for carets). NULL after
 * adding an error: SQ_FAULT_NEWER for a later version, else SQ_FAULT_INPUT. */
sq_sched_file *sq_sched_parse(const char *path, const char *text, size_t n, sq_arena *arena,
                              sq_diags *d);
/* Reads a file, which must exist and be a regular one. */
sq_sched_file *sq_sched_read(const char *path, sq_arena *arena, sq_diags *d);

/* A file of a newer minor version may hold what is not known here, in scripts as well: a note to the error. */
void sq_sched_note_newer(long minor, sq_diags *d);

/* The entry to use for k with its fixed sizes: one at exactly these sizes, first with k's hash; without it one `at *`;
 * for a kernel with symbolic sizes then one tuned for the same symbolic kernel. Prefers, at equal
 * rank, one whose openmp is as asked, one whose words are, then one that was measured. NULL: none. */
const sq_sched_entry *sq_sched_find(const sq_sched_file *f, const sq_kernel *k, sq_sched_for to);
/* That entry, and of a kernel whose sizes stay parameters all others, tuned at other sizes, that fit as well: at most
 * `most` of them, in the order of the file. How many there are, which may be more. */
int sq_sched_find_all(const sq_sched_file *f, const sq_kernel *k, sq_sched_for to, const sq_sched_entry **all,
                      int most);
/* Among those that fit, the one tuned at these sizes, as far as they say something; NULL: none. */
const sq_sched_entry *sq_sched_find_at(const sq_sched_file *f, const sq_kernel *k, sq_sched_for to,
                                       const sq_fix *at, int n);
/* True if it was made for another kernel and from another source. */
bool sq_sched_foreign(const sq_sched_entry *e, const sq_kernel *k, const char *source_hash);

/* The entry for the same kernel, sizes, openmp and words as e; NULL: none. The same kernel with sizes as parameters and
 * with sizes as constants are two. */
const sq_sched_entry *sq_sched_same(const sq_sched_file *f, const sq_sched_entry *e);
/* Adds an entry or replaces the one for the same kernel, sizes, openmp and words. Copies nothing. */
void sq_sched_put(sq_sched_file *f, const sq_sched_entry *e);
void sq_sched_print(const sq_sched_file *f, sq_text *to);
/* Puts one entry into the file at path, which need not exist. -1 after adding an error. */
int sq_sched_update(const char *path, const char *machine, const sq_sched_entry *e, sq_arena *arena,
                    sq_diags *d);

/* "dir/gemm.avx512.sched" for the source "dir/gemm.sq"; in out_dir if that is not NULL. */
const char *sq_sched_path(sq_arena *arena, const char *source, const char *machine,
                          const char *out_dir);
/* Identity of what a kernel computes: names, places and comments of the source do not count beyond
 * what is in its dump, nor does the order in which its function takes the parameters. */
sq_hash sq_kernel_hash(const sq_kernel *k);
#endif
