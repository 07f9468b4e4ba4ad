/* Wal: whether the write-ahead log beside a store is whole. SQLite takes a log up to its first bad frame and deletes it
 * with the rest, without a word. */
#ifndef SQ_STORE_WAL_H
#define SQ_STORE_WAL_H
#include <stdbool.h>

/* What is wrong with the log at `path`, in static words: "does not begin as a log does". NULL: nothing is, or there
 * is none. What a process that is killed leaves is not wrong: a last frame that is cut off or half written, frames of
 * transactions that were not finished, frames from before the log began anew. Others may write it meanwhile. */
const char *sq_wal_fault(const char *path);
#endif
