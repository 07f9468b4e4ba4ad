#!/bin/sh
# Versions: support/version.h, --version, the build's package files, emitted headers, CHANGELOG.md and
# docs/VERSIONS.md say the same; headers say theirs once, in C and C++, and together; .sched files of other
# versions are refused or read as docs/VERSIONS.md promises.
doc=$SQUALL_SOURCE/docs/VERSIONS.md
. "$SQUALL_SOURCE/tests/docs/examples.sh"

number() { sed -n "s/^#define SQ_$1 \"*\([0-9.]*\).*/\1/p" "$SQUALL_SOURCE/support/version.h"; }
tool=$(number VERSION)
language=$(number LANGUAGE_MAJOR).$(number LANGUAGE_MINOR)
sched=$(number SCHED_MAJOR).$(number SCHED_MINOR)
abi=$(number ABI_MAJOR).$(number ABI_MINOR)
printf 'squall %s\nlanguage %s\nsched %s\nabi %s\n' "$tool" "$language" "$sched" "$abi" >want
squall --version | diff want - || complain "--version is not what support/version.h says"

# has FILE TEXT: a line of it is TEXT, for extended regular expressions.
has() { grep -qE "^$2\$" "$1" || complain "$1 has no line '$2'"; }
has "$SQUALL_BUILD/CMakeCache.txt" "CMAKE_PROJECT_VERSION:STATIC=$tool"
has "$SQUALL_BUILD/squall.pc" "Version: $tool"
has "$SQUALL_BUILD/installed/squallConfigVersion.cmake" "set\(PACKAGE_VERSION \"$tool\"\)"
squall show manual | grep -q "\"squall $tool\"" || complain "the manual has another version"

# The newest entry of the changelog is of this version, and names those of the three.
newest=$(sed -n '/^## /{p;q}' "$SQUALL_SOURCE/CHANGELOG.md")
case $newest in "## [$tool] - unreleased" | "## [$tool] - 20"[0-9][0-9]-[01][0-9]-[0-3][0-9]) ;;
    *) complain "CHANGELOG.md begins with '$newest'" ;;
esac
sed -n '/^## /{n;n;p;q}' "$SQUALL_SOURCE/CHANGELOG.md" |
    grep -q "^Versions: language $language, sched $sched, abi $abi\." || complain "CHANGELOG.md lacks the three"

# Every kind of header.
one() { # FILE MACRO: it defines MACRO_MAJOR and MACRO_MINOR once
    for part in MAJOR:$(number ABI_MAJOR) MINOR:$(number ABI_MINOR); do
        [ "$(grep -c "^#define [A-Z0-9_]*_ABI_${part%:*} " "$1")" = 1 ] || complain "$1: not one ${part%:*}"
        has "$1" "#define $2_${part%:*} ${part#*:}"
    done
}
cat >two.sq <<'K'
#include "squall.h"
kernel twice(int N, const f32 x[N], f32 y[N]) { idx i; y[i] = 2 * x[i]; }
kernel thrice(int N, const f32 x[N], f32 y[N]) { idx i; y[i] = 3 * x[i]; }
K
squall compile gemm.sq -o gemm.c --header=gemm.h
squall compile two.sq --targets=generic,avx2 -o two.c --header=two.hh
squall compile conv2d.sq --single-header=single.h
squall compile softmax.sq --single-header=static.h --static
squall compile gemm.sq --target=cuda -o device.cu --header=device.h
one gemm.h SQUALL_GEMM_ABI
one two.hh SQUALL_TWO_HH_ABI
one single.h SQUALL_SINGLE_ABI
one static.h SQUALL_STATIC_ABI
one device.h SQUALL_DEVICE_ABI
{
    echo '#include "gemm.h"'
    printf '#include "%s"\n' gemm.h two.hh single.h static.h
    awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$doc"
    echo 'int versions = SQUALL_TWO_HH_ABI_MAJOR + SQUALL_SINGLE_ABI_MINOR + SQUALL_STATIC_ABI_MAJOR;'
} >user.c
"$CC" -std=c11 -Wall -Wextra -Werror -c user.c || complain "the headers do not go together"

# The document names each function, type and code that headers declare, of a kernel K and a target.
sed -n '/^\*\*Of the ABI\*\*/,/^A header says/p' "$doc" >promise
promised() { # words: what is declared with them
    squall compile "$@" -o any.c --header=any.h -q || complain "compile $*"
    sed '/^#include/d; s,/[*].*[*]/,,; /[/][*]/,/[*][/]/d' any.h |
        grep -oE '\bgemm[a-z_0-9]*|\bSQUALL_(ERROR|VIEWS)_[A-Z]+|squall_(const_)?f32_2d' |
        sort -u | sed 's/^gemm/K/; s/^K_generic/K_avx2/; s/^SQUALL_VIEWS_.*/SQUALL_VIEWS_…/' >names
    while read -r name; do
        grep -qF "\`$name\`" promise || complain "docs/VERSIONS.md says nothing of $name, which compile $* declares"
    done <names
    [ -s names ] || complain "compile $* declares nothing"
}
promised gemm.sq --targets=generic,avx2,tasks --target-names --errors=return
grep -q 'SQUALL_ERROR_MEMORY = 2' any.h || complain "another code for no memory"
grep -q 'SQUALL_ERROR_SIZES = 1,' any.h || complain "another code for sizes"
promised gemm.sq --target=avx2 --views
promised gemm.sq --target=cuda
promised gemm.sq --fix='M=1|2'
sed -i 's/_ABI_MAJOR 1/_ABI_MAJOR 2/' gemm.h
! "$CC" -std=c11 -c user.c 2>log || complain "another version is not seen by the text of docs/VERSIONS.md"
grep -q 'written by a squall with another ABI' log || complain "the error of docs/VERSIONS.md"

# .sched files.
read_as() { # VERSION EXIT TEXT: compile ends so, and says TEXT
    printf 'squall-sched %s\nclass generic\n%s' "$1" "${4:-}" >gemm.generic.sched
    rc=0
    squall compile gemm.sq -o out.c 2>err || rc=$?
    [ $rc = "$2" ] && { [ -z "$3" ] || grep -qF "$3" err; } || { cat err; complain "squall-sched $1: rc $rc"; }
}
major=$(number SCHED_MAJOR)
read_as $((major + 1)) 63 "gemm.generic.sched:1:14: error: a schedule file of version $((major + 1))"
read_as $((major + 1)).4 63 'compile with that squall, or move the file away and tune again' 'words of a later day'
read_as $((major - 1)) 1 "there is no version $((major - 1)) of schedule files"
read_as $major.99 0 ''
read_as $major.99 63 "version $major.99, of which this squall knows $sched" 'words of a later day'
rm gemm.generic.sched
squall tune gemm.sq --target=generic --at=M=8,N=8,K=8 --budget=1s >log 2>&1 || { cat log; complain "tune"; }
sed -i "s/^squall-sched.*/squall-sched $major.99/; s/^    [a-z]/    later(i) &/" gemm.generic.sched
! squall compile gemm.sq -o out.c 2>err || complain "a transform of a later day is read"
grep -qF "version $major.99, of which this squall knows $sched" err || { cat err; complain "no note of the version"; }
rm gemm.generic.sched
exit $bad
