/* Instead: what a region writes instead of functions of <math.h> that it cannot call. */
#include "frontend/build.h"
#include <string.h>

const char *sq_instead_of(const char *name)
{
    static const char *const other[][2] = {
        {"fma", "write a*b + c, of which squall makes one instruction where the target has it"},
        {"fmod", "write x - y*trunc(x/y), which is rounded"},
        {"copysign", "write y < 0 ? -fabs(x) : fabs(x), which takes -0 for 0"},
        {"atan2", "compute it in a loop of its own outside of the region"}};
    const char *text = NULL;
    for (size_t i = 0, n; i < sizeof other / sizeof *other && !text; i++) {
        n = strlen(other[i][0]); /* or its f form */
        text = strncmp(name, other[i][0], n) == 0 && strcmp(name + n, name[n] ? "f" : "") == 0 ? other[i][1] : NULL;
    }
    return text;
}
