/* UCN: see ucn.h. */
#include "tuner/proof/ucn.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Returns the character named at p, which is a backslash; 0: none is. *n: bytes of the name. */
static unsigned long named(const char *p, size_t *n)
{
    char digits[9] = "";
    size_t count = p[1] == 'u' ? 4 : p[1] == 'U' ? 8 : 0;
    strncat(digits, count ? p + 2 : "", count);
    *n = count + 2;
    for (size_t i = 0; i < count; i++)
        if (!isxdigit((unsigned char)digits[i]))
            return 0;
    unsigned long c = strtoul(digits, NULL, 16);
    return count && c >= 0x80 && c < 0x110000 ? c : 0;
}

static char *put(char *to, unsigned long c)
{
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3; /* continuation bytes */
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    *to++ = (char)(first[more] | c >> 6 * more);
    while (more-- > 0)
        *to++ = (char)(0x80 | (c >> 6 * more & 0x3f));
    return to;
}

void sq_ucn_decode(char *text)
{
    char quote = 0, *to = text;
    size_t n;
    for (const char *p = text; *p;) {
        unsigned long c = *p == '\\' && !quote ? named(p, &n) : 0;
        if (c) {
            to = put(to, c);
            p += n;
            continue;
        }
        if (*p == '\\' && p[1])
            *to++ = *p++;
        else if (*p == quote)
            quote = 0;
        else if (!quote && (*p == '"' || *p == '\''))
            quote = *p;
        *to++ = *p++;
    }
    *to = 0;
}
