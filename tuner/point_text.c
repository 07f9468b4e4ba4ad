/* Point text: see point_text.h. */
#include "tuner/point_text.h"
#include <stdlib.h>
#include <string.h>

void sq_point_print(const sq_space *s, const int *point, sq_text *to)
{
    for (int c = 0; c < s->n; c++)
        sq_text_printf(to, "%s%s=%ld", c ? "," : "", s->coord[c].name, sq_space_value(s, point, c));
}

bool sq_point_read_value(const char *text, const char *name, long *value)
{
    size_t n = strlen(name);
    for (const char *at = text; at; at = strchr(at, ',')) {
        char *end;
        at += *at == ',';
        if (strncmp(at, name, n) != 0 || at[n] != '=')
            continue;
        *value = strtol(at + n + 1, &end, 10);
        return end > at + n + 1 && (*end == ',' || !*end);
    }
    return false;
}

static bool read_indices(const char *text, const sq_space *s, int *point)
{
    for (int c = 0; c < s->n; c++) {
        char *end;
        long v = strtol(text, &end, 10);
        if (end == text || v < 0 || v >= s->coord[c].nvalues)
            return false;
        point[c] = (int)v;
        text = end + (*end == ',');
    }
    return *text == 0;
}

bool sq_point_read(const char *text, const sq_space *s, int *point)
{
    int names = 0;
    memset(point, 0, SQ_MAX_COORDS * sizeof *point);
    for (const char *at = text; *at; at++)
        names += *at == '=';
    if (names == 0)
        return read_indices(text, s, point);
    for (int c = 0; c < s->n; c++) {
        long value;
        if (!sq_point_read_value(text, s->coord[c].name, &value))
            return false;
        point[c] = sq_coord_nearest(&s->coord[c], value);
        if (sq_space_value(s, point, c) != value)
            return false;
    }
    return names == s->n;
}

bool sq_point_transfer(const char *text, const sq_space *s, bool of_same_kernel, int *point)
{
    memset(point, 0, SQ_MAX_COORDS * sizeof *point);
    memcpy(point, s->start, (size_t)s->n * sizeof *point);
    for (int c = 0; c < s->n; c++) {
        long value;
        if (sq_point_read_value(text, s->coord[c].name, &value))
            point[c] = sq_coord_nearest(&s->coord[c], value);
        else if (!of_same_kernel && s->coord[c].nvalues > 1 && sq_coord_kind_of(&s->coord[c]) == SQ_COORD_OF_SIZE)
            return false;
    }
    sq_space_settle(s, point);
    return true;
}
