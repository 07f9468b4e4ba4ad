/* Sched file: tuned schedules as text that people check in beside the source, `gemm.avx512.sched`.
 *
 *     squall-sched 1            (or 1.2: MAJOR.MINOR of support/version.h)
 *     # comments as anywhere
 *     class avx512
 *
 *     hash 0f3c… source 77ab…
 *     kernel gemm at M=512,N=512,K=512 {
 *         # 1.201 ms (1.195 to 1.210), 223.5 GFLOP/s, 57 trials
 *         # tuned: 2026-03-14, AMD EPYC, 1 thread, cc (Debian 12.2.0-14) 12.2.0
 *         tile(i:48, j:256, k:768) …
 *     }
 *
 * `at *` is for all sizes; `at M=512 openmp` is for the target with OpenMP, `words` for a target with
 * products of bytes that its class lacks; `unmeasured` marks a choice of the model. `# tuned:` is a comment, which
 * files need not have, and which emitted headers repeat. The
 * hashes identify what an entry was made for: the kernel's meaning and the source's bytes. An
 * entry made for another kernel is foreign: good if legal. Written atomically by rename; entries
 * and comments of others are kept. */
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
    const char *script; /* with its comments, the text between the braces */
    const char *where;  /* what its comment `# tuned:` says: when and on what; NULL: there is none */
    const char *before; /* comments in front of the entry */
    sq_loc loc;         /* location of `kernel` */
    uint64_t key;       /* set by sq_sched_put: a hash of kernel, sizes, openmp and words */
} sq_sched_entry;

typedef struct sq_sched_file {
    const char *machine; /* machine class */
    long minor;          /* minor version of the file */
    const char *head;    /* comments between version and class */
    const char *tail;    /* after the last entry */
    int n, cap;
    sq_sched_entry *entry;
    sq_arena *arena;
} sq_sched_file;

/* What an entry is looked up for. */
typedef struct sq_sched_for {
    bool openmp, words;
} sq_sched_for;

/* Returns an empty file for a class. */
sq_sched_file *sq_sched_new(sq_arena *arena, const char *machine);
/* Parses a text; `path` is its name in messages (and should be a source of d, so that carets can be
 * printed). NULL after adding an error: SQ_FAULT_NEWER for a later version, else SQ_FAULT_INPUT. */
sq_sched_file *sq_sched_parse(const char *path, const char *text, size_t n, sq_arena *arena,
                              sq_diags *d);
/* Reads a file, which must exist and be a regular file. */
sq_sched_file *sq_sched_read(const char *path, sq_arena *arena, sq_diags *d);

/* Adds a note to an error if the file has a newer minor version, whose entries and scripts may
 * contain what is not known here. */
void sq_sched_note_newer(long minor, sq_diags *d);

/* Returns the entry to use for k with its fixed sizes: one at exactly these sizes, preferably with
 * k's hash; otherwise an `at *` entry; for a kernel with symbolic sizes then one tuned for the same
 * symbolic kernel. Prefers, at equal rank, one whose openmp is as requested, then one whose words
 * are, then one that was measured. NULL: none. */
const sq_sched_entry *sq_sched_find(const sq_sched_file *f, const sq_kernel *k, sq_sched_for to);
/* Collects that entry and, for a kernel whose sizes stay parameters, all others tuned at other sizes that fit as well:
 * at most `most` of them, in file order. Returns their number, which may be larger. */
int sq_sched_find_all(const sq_sched_file *f, const sq_kernel *k, sq_sched_for to, const sq_sched_entry **all,
                      int most);
/* Returns the fitting entry that was tuned at these sizes, as far as they are given; NULL: none. */
const sq_sched_entry *sq_sched_find_at(const sq_sched_file *f, const sq_kernel *k, sq_sched_for to,
                                       const sq_fix *at, int n);
/* True if it was made for another kernel and from another source. */
bool sq_sched_foreign(const sq_sched_entry *e, const sq_kernel *k, const char *source_hash);

/* Returns the entry for the same kernel, sizes, openmp and words as e; NULL: none. A kernel with
 * symbolic sizes and the same with fixed sizes are different. */
const sq_sched_entry *sq_sched_same(const sq_sched_file *f, const sq_sched_entry *e);
/* Adds an entry or replaces the one for the same kernel, sizes, openmp and words. Stores pointers,
 * no copies. */
void sq_sched_put(sq_sched_file *f, const sq_sched_entry *e);
void sq_sched_print(const sq_sched_file *f, sq_text *to);
/* Writes one entry to the file at path, which need not exist. -1 after adding an error. */
int sq_sched_update(const char *path, const char *machine, const sq_sched_entry *e, sq_arena *arena,
                    sq_diags *d);

/* Returns "dir/gemm.avx512.sched" for the source "dir/gemm.sq"; in out_dir if that is not NULL. */
const char *sq_sched_path(sq_arena *arena, const char *source, const char *machine,
                          const char *out_dir);
/* Returns the identity of what a kernel computes: names, locations and comments of the source do
 * not matter unless they are in its dump, nor does the order of the function's parameters. */
sq_hash sq_kernel_hash(const sq_kernel *k);
#endif
