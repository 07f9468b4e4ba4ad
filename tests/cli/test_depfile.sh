#!/bin/sh
# Depfiles: what -MD writes is read by GNU make and by ninja as the names of the very files, whatever
# characters are in them, and what cannot be written for both is refused before anything is.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
command -v ninja >/dev/null || { echo "skipped: no ninja"; exit 77; }
echo 'static const int two = 2;' >body.h
printf '#include "squall.h"\n#include "part.h"\nkernel k(int N, f32 A[N]) { idx i; A[i] = A[i] * 2; }\n' >body.sq

# make_reads OUT INPUT: built, then left alone, then built again because INPUT is newer; in box/
make_reads() {
    printf 'all:\n\t@true\n\n.DEFAULT:\n\t@exit 9\n' >box/Makefile
    cat box/dep.d >>box/Makefile
    (cd box && make -rRpnq >../database 2>../make.err) || true # says what it read, runs nothing
    grep -qxF -- "$1: $2 part.h" database ||
        { cat box/dep.d make.err; fail "make does not read '$2' in the depfile of '$1'"; }
}

ninja_reads() {
    printf 'rule r\n  command = cp dep.d used.d && touch out\n  depfile = used.d\n  deps = gcc\nbuild out: r\n' \
        >box/build.ninja
    rm -rf box/.ninja* box/out
    ninja -C box >ninja.log 2>&1 || { cat box/dep.d ninja.log; fail "ninja does not read '$1'"; }
    ninja -C box -t deps out | sed -n 's/^    //p' >read.names
    printf '%s\n' "$1" part.h | cmp -s - read.names ||
        { cat box/dep.d read.names; fail "ninja does not read '$1'"; }
}

box() { # NAME: a folder with a description of that name
    rm -rf box
    mkdir box
    cp body.sq "box/$1.sq"
    cp body.h box/part.h
}

# said NAME: as an input and as an output
said() {
    box "$1"
    (cd box && "$SQUALL" compile "./$1.sq" -o "$1.c" -MD -MF dep.d) 2>err ||
        fail "'$1' cannot be named"
    make_reads "$1.c" "$1.sq"
    ninja_reads "$1.sq"
}

# unsaid NAME: an error that names it, no file; without -MD it is a name as any
unsaid() {
    box "$1"
    rc=0
    (cd box && "$SQUALL" compile "./$1.sq" -o out.c -MD -MF dep.d) 2>err || rc=$?
    [ $rc = 3 ] || fail "exit code $rc for an input '$1'"
    says "a depfile cannot name './$1.sq'"
    [ ! -e box/out.c ] && [ ! -e box/dep.d ] || fail "something was written for '$1'"
    (cd box && "$SQUALL" compile "./$1.sq" -o out.c) 2>err || fail "refused without -MD: '$1'"
}

for name in simple 'a blank' ' front' 'two  blanks' 'ha#sh' '#' 'dol$lar' '$(HOME)' '$$' 'back\slash' 'co:lon' 'a::b' \
    'per@c+e,nt!' 'back\slash' 'back\\slash' 'back\ blank' 'back\\ blank' '{br}' '(par)' ']' 'été' 'x~' \
    '-e' '\front'; do
    said "$name"
done
for name in 'a*b' 'a?b' 'a[1]b' 'a;b' 'a|b' 'a=b' 'a&b' 'a"b' "a'b" 'a<b' 'a>b' 'a^b' 'a`b' 'a\#b' 'a\:b' \
    'a\$b' 'a	b' 'a
b'; do
    unsaid "$name"
done

# '%' is a pattern in a target and a character elsewhere.
box 'a%b'
(cd box && "$SQUALL" compile ./a%b.sq -o out.c -MD -MF dep.d) || fail "an input with %"
make_reads out.c 'a%b.sq'
ninja_reads 'a%b.sq'
cd box
cp a%b.sq plain.sq
expect 3 compile plain.sq -o none.c -MD -MT 'a%b'
says "a depfile cannot name 'a%b': '%' is read differently"
expect 3 compile plain.sq -o none.c -MD -MT 'lib(member)'
expect 3 compile plain.sq -o none.c -MD -MT '~me'
expect 3 compile plain.sq -o none.c -MD -MT 'end:'
absent none.c

# The Makefile of docs/INTEGRATION.md: a schedule that comes, and goes again; other words.
mkdir "$scratch/made" && cd "$scratch/made"
cp "$SQUALL_SOURCE/samples/gemm.sq" .
{
    echo 'all: gemm.c'
    awk '/^```make$/ { on = 1; next } /^```$/ { on = 0 } on' "$SQUALL_SOURCE/docs/INTEGRATION.md" |
        sed 's/^\tsquall /\t$(SQUALL) /'
} >Makefile
make SQUALL="$SQUALL" >log 2>&1 || { cat log; fail "make"; }
grep -q 'Schedule, first choice of the model, untuned:' gemm.h || fail "the header does not say that nothing is tuned"
zero=00000000000000000000000000000000
printf 'squall-sched 1\nclass avx2\n\nhash %s source %s\nkernel gemm at * {\n    tile(i:8)\n}\n' $zero $zero >gemm.avx2.sched
make SQUALL="$SQUALL" >log 2>&1 || { cat log; fail "make with a schedule"; }
grep -q 'Schedule, tuned (gemm.avx2.sched):' gemm.h || fail "the header does not say that it is tuned"
rm gemm.avx2.sched
touch gemm.sq
make SQUALL="$SQUALL" >log 2>&1 || { cat log; fail "make after the schedule has gone"; }
grep -q 'untuned:' gemm.h || fail "the schedule that has gone is still used"
made() { # WANTED WORDS...: runs of squall
    wanted=$1
    shift
    make SQUALL="$SQUALL" "$@" >log 2>&1 || { cat log; fail "make $*"; }
    [ "$(grep -c ' compile ' log)" = "$wanted" ] || { cat log; fail "make $*: not $wanted runs"; }
}
made 0
made 1 TARGET=avx512
made 0 TARGET=avx512
made 1
