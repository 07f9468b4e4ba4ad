#!/bin/sh
# Regions that read an array under a size or where a pointer is given, and touch it again under the same condition: what
# is behind it is not read where the condition says so, whichever statement says that it exists.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
here=" $(targets 'runs' | tr '\n' ' ')"
{
    echo 'struct some { short *p; int w; };'
    number=0
    while read -r body; do
        printf 'void f%d(int n, int m, int *a, int *c, short *d, struct some s)\n{\n    (void)m, (void)s, (void)d;\n' $number
        printf '#pragma scop\n%s\n#pragma endscop\n}\n' "$(echo "$body" | sed 's/; for/;\n    for/g')"
        number=$((number + 1))
    done <<'BODIES'
for (int i = 0; i < n; i++) a[i] = d ? d[i] : 1; for (int i = 0; i < n; i++) if (d) c[i] = d[i];
for (int i = 0; i < n; i++) a[i] = d ? d[i] : 1; for (int i = 0; i < n; i++) if (d) d[i] = (short)c[i];
for (int i = 0; i < n; i++) if (d) d[i] += 1; for (int i = 0; i < n; i++) a[i] = d ? d[i] : 1;
for (int i = 0; i < n; i++) a[i] = 3 * (d && m > 2 ? d[i] : 1); for (int i = 0; i < n; i++) if (d) c[i] = d[i];
for (int i = 0; i < n; i++) { int x = d ? d[i] : 1; a[i] = x; } for (int i = 0; i < n; i++) if (d) c[i] = d[i];
for (int i = 0; i < n; i++) a[i] += c[i] * (d ? d[i] : 1); for (int i = 0; i < n; i++) if (d) d[i] += (short)a[i];
for (int i = 0; i < n; i++) a[i] = s.p ? s.p[i] : 1; for (int i = 0; i < n; i++) if (s.p) c[i] = s.p[i];
for (int i = 0; i < n; i++) { a[i] = 0; if (d) a[i] = d[i]; } for (int i = 0; i < n; i++) c[i] = d ? d[i] : 2;
for (int i = n - 1; i >= 0; i--) a[i] -= (d ? d[n-1-i] : 1); for (int i = 0; i < n; i++) if (d) d[i] += (short)c[i];
for (int i = 0; i < n; i++) a[i] = m > 2 ? d[i] : 1; for (int i = 0; i < n; i++) if (m > 2) c[i] = d[i];
for (int i = 0; i < n; i++) a[i] = m ? d[i] : 1; for (int i = 0; i < n; i++) for (int j = 0; j < 2; j++) if (m) c[i] += d[i] * j;
for (int i = 0; i < n; i++) a[i] = i < m ? d[i] : 7; for (int i = 0; i < m; i++) c[i] += d[i];
for (int i = 1; i < n; i++) a[i] = i < m && m > 3 ? d[i - 1] : 7; for (int i = 0; i < m; i++) if (m > 3) c[i] += d[i];
BODIES
    echo "$number" >number
} >old.c
number=$(cat number)
{
    printf '#include <stdio.h>\n#include <stdlib.h>\nstruct some { short *p; int w; };\n'
    printf 'typedef void f(int n, int m, int *a, int *c, short *d, struct some s);\nf '
    seq -s ', f' 0 $((number - 1)) | sed 's/^/f/; s/$/;/'
    printf 'static f *const all[] = {'
    seq -s ', f' 0 $((number - 1)) | sed 's/^/f/; s/$/};/'
    cat <<'C'
/* The elements that there are: none, where nothing may be read. */
static int elements(int k, int n, int m)
{
    return k == 9 ? (m > 2 ? n : 0) : k == 10 ? (m ? n : 0) : k == 11 ? m : k == 12 ? (m > 3 ? m : 0) : n;
}
static void one(int k, int n, int m, int given)
{
    int *a = malloc((size_t)n * sizeof *a), *c = malloc((size_t)n * sizeof *c), there = elements(k, n, m);
    short *d = given && there ? malloc((size_t)there * sizeof *d) : NULL;
    for (int i = 0; i < n; i++)
        a[i] = i * 7 % 11, c[i] = i * 5 % 9 - 3;
    for (int i = 0; d && i < there; i++)
        d[i] = (short)(i * 3 % 13);
    all[k](n, m, a, c, d, (struct some){d, 1});
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 31 + (unsigned)a[i] * 7 + (unsigned)c[i];
    for (int i = 0; d && i < there; i++)
        sum = sum * 31 + (unsigned)d[i];
    printf("%d %d %d %d: %u\n", k, n, m, given, sum);
    free(a), free(c), free(d);
}
int main(void)
{
    for (int k = 0; k < (int)(sizeof all / sizeof *all); k++)
        for (int n = 1; n < 40; n += n < 4 ? 1 : 7)
            for (int m = 0; m <= n; m += m < 5 ? 1 : 9)
                for (int given = 0; given < 2; given++)
                    if (given || k < 9 || !elements(k, n, m))
                        one(k, n, m, given);
    return 0;
}
C
} >main.c
flags="-std=c11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover -Wno-unknown-pragmas"
# shellcheck disable=SC2086 # a list of words
$CC $flags main.c old.c -o before && ./before >before.txt || fail "the functions as written"
for target in generic avx2 avx512; do
    case $here in *" $target "*) ;; *) echo "skipped: running $target" && continue ;; esac
    expect 0 compile old.c --target=$target -o new.c
    [ "$(grep -c '_applies(' new.c)" -ge "$number" ] || fail "$target: not all regions are compiled"
    # shellcheck disable=SC2086
    $CC $flags main.c new.c -o after || fail "$target: warnings"
    ./after >after.txt 2>err || { head -3 err; fail "$target: reads what is not there"; }
    same before.txt after.txt
    [ $target = avx512 ] || expect 0 check old.c --target=$target --quick --progress=never
done

# Whether a pointer of a struct is NULL is no number in memory that the region might write.
cat >behind.c <<'C'
struct image { int w; const short *p; };
void f(int n, int *a, const struct image *t)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] += t->p ? t->p[i] : 1;
#pragma endscop
}
void g(int n, unsigned *u, const struct image *t)
{
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] += t->p != 0 ? 2 : 1;
#pragma endscop
}
C
expect 0 compile behind.c --target=generic -o new.c
for cc in "$CC" clang-19; do
    ! command -v "$cc" >/dev/null || "$cc" -std=c11 -Wall -Wextra -Wno-unknown-pragmas -Werror -c new.c -o new.o ||
        fail "$cc: warnings"
done
exit 0
