/* Wal: see wal.h. The format is that of https://www.sqlite.org/fileformat2.html, section 4: a header of 32 bytes, then
 * frames, each a header of 24 bytes and a page. Checksums go on from frame to frame; frames of this run of the log have
 * the salts of its header. */
#include "tuner/store/wal.h"
#include "support/memory.h"
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { HEADER = 32, FRAME = 24, LEAST_PAGE = 512, MOST_PAGE = 65536, VERSION = 3007000, LOOKS = 3 };
static const uint32_t magic = 0x377f0682; /* with the last bit, words of checksums are big-endian */
static const char no_log[] = "does not begin as a log does", bad_frame[] = "has a damaged frame before later trials";

typedef struct sums {
    uint32_t a, b;
    bool is_big;
} sums;

static uint32_t word_at(const unsigned char *p, bool is_big)
{
    return is_big ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
                  : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static void add(sums *s, const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        s->a += word_at(p + i, s->is_big) + s->b;
        s->b += word_at(p + i + 4, s->is_big) + s->a;
    }
}

static bool are(const sums *s, const unsigned char *p)
{
    return s->a == word_at(p, true) && s->b == word_at(p + 4, true);
}

/* Fills the sums after the header, and the size of a page. */
static bool is_header(const unsigned char *p, sums *s, size_t *page)
{
    uint32_t first = word_at(p, true);
    *page = word_at(p + 8, true);
    *s = (sums){.is_big = first & 1};
    add(s, p, 24);
    bool has_page = *page >= LEAST_PAGE && *page <= MOST_PAGE && (*page & (*page - 1)) == 0;
    return (first & ~1u) == magic && word_at(p + 4, true) == VERSION && has_page && are(s, p + 24);
}

/* How many frames follow each other without a fault. */
static size_t good_frames(const unsigned char *log, size_t n, size_t page, sums s)
{
    for (size_t i = 0; i < n; i++) {
        const unsigned char *frame = log + HEADER + i * (FRAME + page);
        add(&s, frame, 8);
        add(&s, frame + FRAME, page);
        if (memcmp(frame + 8, log + 16, 8) != 0 || !are(&s, frame + 16))
            return i;
    }
    return n;
}

/* True if the frame ends a transaction of this run: that was written after all before it. */
static bool is_commit(const unsigned char *log, size_t i, size_t page)
{
    const unsigned char *frame = log + HEADER + i * (FRAME + page);
    return memcmp(frame + 8, log + 16, 8) == 0 && word_at(frame + 4, true) != 0;
}

static const char *fault_in(const unsigned char *log, size_t bytes)
{
    sums s;
    size_t page;
    if (bytes == 0)
        return NULL;
    if (bytes < HEADER || !is_header(log, &s, &page))
        return no_log;
    size_t n = (bytes - HEADER) / (FRAME + page);
    for (size_t i = good_frames(log, n, page, s) + 1; i < n; i++)
        if (is_commit(log, i, page))
            return bad_frame;
    return NULL;
}

/* The whole file; NULL if it cannot be read, which SQLite reports. */
static unsigned char *read_log(const char *path, size_t *n)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool is_file = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    unsigned char *log = is_file ? sq_allocated(malloc((size_t)st.st_size + 1)) : NULL;
    ssize_t got = 1;
    *n = 0;
    while (log && got > 0 && *n < (size_t)st.st_size) {
        got = read(fd, log + *n, (size_t)st.st_size - *n);
        *n += got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0)
        close(fd);
    return log;
}

/* Another process may be writing it: what is wrong stays so. */
const char *sq_wal_fault(const char *path)
{
    static const struct timespec moment = {.tv_nsec = 30000000};
    const char *fault = NULL;
    for (int look = 0; look < LOOKS && (look == 0 || fault); look++) {
        size_t n;
        if (look)
            nanosleep(&moment, NULL);
        unsigned char *log = read_log(path, &n);
        fault = log ? fault_in(log, n) : NULL;
        free(log);
    }
    return fault;
}
