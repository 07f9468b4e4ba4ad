/* Locate: finds the array that contains a faulting address; see case.h. */
#include "runtime/case.h"

/* snprintf need not be safe in a signal handler. */
static size_t append(char *to, size_t at, size_t n, const char *s)
{
    while (*s && at + 1 < n)
        to[at++] = *s++;
    to[at] = 0;
    return at;
}

static size_t append_number(char *to, size_t at, size_t n, size_t v)
{
    char digits[24];
    int i = 23;
    digits[i] = 0;
    do {
        digits[--i] = (char)('0' + v % 10);
        v /= 10;
    } while (v);
    return append(to, at, n, digits + i);
}

int sq_case_locate(const sq_case *c, const void *address, char *to, size_t n)
{
    const unsigned char *a = address;
    for (int i = 0; i < c->nparams; i++) {
        const sq_case_param *p = &c->param[i];
        if (p->kind != 'a' || !p->map || a < p->map || a >= p->map + p->map_bytes)
            continue;
        int past = a >= p->at + p->bytes;
        size_t by = past ? (size_t)(a - (p->at + p->bytes)) : (size_t)(p->at - a);
        size_t at = append_number(to, 0, n, by);
        at = append(to, at, n, past ? " bytes past the end of '" : " bytes before the start of '");
        at = append(to, at, n, p->name);
        append(to, at, n, "'");
        return 1;
    }
    return 0;
}
