#!/bin/sh
# --targets: the list and its errors, schedules of each target, the depfile, stale files, names.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
unset SQUALL_TARGETS SQUALL_ISA 2>/dev/null || true
gemm >gemm.sq

# refused TEXT CARET WORDS...: exit 64, what is said, and the word that the caret stands under.
refused() {
    text=$1 caret=$2
    shift 2
    expect 64 compile gemm.sq "$@" -o no.c
    says "$text"
    awk -v word="$caret" '/\^/ && line { at = index($0, "^"); if (substr(line, at, length(word)) == word) found = 1 }
        { line = $0 } END { exit !found }' err || fail "no caret under '$caret'"
    absent no.c
}
refused "no target of the list is for every processor" --targets=avx2,avx512 --targets=avx2,avx512
says "add one: --targets=avx2,avx512,generic"
refused "there is no target 'avx3'" avx3 --targets=generic,avx3,avx2
says "did you mean 'avx2'?"
refused "'cuda' is no target of a processor" cuda --targets=generic,cuda
refused "an architecture belongs to a target that runs on a device" arch=sm_80 --targets=generic,arch=sm_80
refused "target 'generic' is in the list twice" c --targets=generic,avx2,c
refused "a name is missing in the list" , --targets=generic,,avx2
refused "there is no target 'avx9'" --targets --targets generic,avx9
refused "--target is for one target" --target=avx2 --targets=generic,avx2 --target=avx2
refused "--machine is for one target" --machine=host --targets=generic,avx2 --machine=host
refused "a script is for one target" --emit=src,sched --targets=generic,avx2 --emit=src,sched
refused "--target-names goes with --targets" --target-names --target-names
refused "'avx512' is no option of a target" --target=avx2,avx512 --target=avx2,avx512
says "several targets in one file: --targets=avx2,avx512"
expect 64 bench gemm.sq --targets=generic,avx2
says "--targets belongs to: compile tune check"
printf 'void f(int n, double *a)\n{\n#pragma scop\n    for (int i = 0; i < n; i++)\n        a[i] += 1;\n' >old.c
printf '#pragma endscop\n}\n' >>old.c
expect 64 compile old.c --targets=generic,avx2 -o new.c
says "old.c holds regions of C, which are compiled for one target"

# Names that would be two things.
for name in gemm_isa gemm_avx2 gemm_avx2_in gemm_generic_nest; do
    { gemm; scale_sq | sed "1d; s/scale/$name/"; } >two.sq
    expect 0 compile two.sq -o two.c
    expect 1 compile two.sq --targets=generic,avx2 -o no.c
    says "'$name' is also the name of a function that --targets gives kernel 'gemm'"
    absent no.c
done

# The variable of the environment, and the command line before it.
SQUALL_TARGETS=generic,avx2 "$SQUALL" compile gemm.sq -o - | grep -q '==== Target avx2' || fail "SQUALL_TARGETS"
SQUALL_TARGETS=generic,avx2 "$SQUALL" compile gemm.sq --target=avx2 -o - | grep -q '====' && fail "--target counts"
SQUALL_TARGET=avx2 "$SQUALL" compile gemm.sq --targets=generic,avx2 -o - | grep -q '==== Target generic' ||
    fail "--targets counts"

# Each target has its own schedule, and none is said to be another's; the depfile names both, and they
# count for --check.
zero=00000000000000000000000000000000
for class in avx2 avx512; do
    printf 'squall-sched 1\nclass %s\n\nhash %s source %s\nkernel gemm at * {\n    tile(i:%s)\n}\n' \
        $class $zero $zero ${#class}1 >gemm.$class.sched
done
several="gemm.sq --targets=generic,avx2,avx512 -o gemm.c --header=gemm.h"
# shellcheck disable=SC2086 # a list of words
{
    expect 0 compile $several -MD -v
    grep -q 'for target\|not used' err && fail "a schedule of a target in the list is another target's"
    says "gemm for avx2: schedule: tuned, gemm.avx2.sched"
    says "gemm for avx512: schedule: tuned, gemm.avx512.sched"
    says "gemm for generic: schedule: first choice of the model, untuned"
    grep -q ' \* *gemm for avx2: tile(i:41)' gemm.c && grep -q ' \* *gemm for avx512: tile(i:61)' gemm.c ||
        fail "the schedules are not in the head of the file"
    grep -q 'gemm.avx2.sched' gemm.d && grep -q 'gemm.avx512.sched' gemm.d || fail "the depfile"
    grep -qF 'Schedule, tuned: gemm for avx512 (gemm.avx512.sched), gemm for avx2 (gemm.avx2.sched); the others: first' \
        gemm.h || fail "the header does not say which targets are tuned"
    expect 0 compile $several --check
    expect 2 compile $several --require-tuned
    says "class generic"
    sed -i 's/tile(i:41)/tile(i:42)/' gemm.avx2.sched
    expect 1 compile $several --check
    says "gemm.c is stale"
    expect 0 compile $several --emit=report
    # What the head of the file says makes it again.
    expect 0 compile $several
}
sed -n 's/^ \*   squall \(compile .*\)/\1/p' gemm.c | head -n 1 >command
cp gemm.c before.c
# shellcheck disable=SC2046
expect 0 $(cat command)
same gemm.c before.c
rm gemm.*.sched

# A script for all of them; looking inside.
expect 0 compile gemm.sq --targets=generic,avx512 -e 'tile(i:48)' -o - --dump=lower,apply
prints "gemm for avx512: tile(i:48)"
prints "gemm for generic: tile(i:48)"
prints "## target generic"

# Functions of each target, in the header and in the object, only where they are asked for.
expect 0 compile gemm.sq --targets=generic,avx2 -o gemm.c --header=gemm.h
grep -q gemm_avx2 gemm.h && fail "names of targets in the header"
$CC -O1 -c gemm.c -o gemm.o || fail "gemm.c"
[ "$(nm -g --defined-only gemm.o | awk '{ print $3 }' | sort | tr '\n' ' ')" = "gemm gemm_in gemm_isa gemm_workspace " ] ||
    fail "the object has other symbols"
expect 0 compile gemm.sq --targets=generic,avx2 --target-names -o gemm.c --header=gemm.h
$CC -O1 -Wmissing-prototypes -Werror -c gemm.c -o gemm.o || fail "gemm.c with names"
[ "$(nm -g --defined-only gemm.o | grep -c 'gemm_generic\|gemm_avx2')" = 6 ] || fail "functions of the targets"
for cxx in g++ clang++-19; do
    command -v $cxx >/dev/null || continue
    $cxx -std=c++17 -Wall -Wextra -Wpedantic -Werror -x c++ -fsyntax-only gemm.h || fail "$cxx: gemm.h"
done

# Without a header, in strict C, with fixed sizes, strict arithmetic, no parameters but an array.
cat >odd.sq <<'K'
#include "squall.h"
kernel workspace_(f64 workspace[7]) { idx i; workspace[i] = workspace[i] * 2; }
kernel row(int isa, int row, const f64 x[isa][row], f64 sq[isa])
{
#pragma squall fp strict
    idx i, j;
    sq[i] = sum(x[i][j] * x[i][j], j);
}
K
expect 0 compile odd.sq --targets=generic,avx2,avx512,neon --fix=row=33 -o odd.c
for cc in gcc clang-19 clang-14; do
    command -v $cc >/dev/null || continue
    $cc -std=c11 -O2 -Wall -Wextra -Wpedantic -Wmissing-prototypes -Werror -c odd.c -o odd.o || fail "$cc: odd.c"
done

# check: each target, and what of a file for several can be checked.
scale_sq >scale.sq
expect 0 check scale.sq --targets=generic,neon,avx2,avx512
. "$SQUALL_SOURCE/tests/targets.sh"
for target in generic neon avx2 avx512; do
    case " $(targets 'runs' | tr '\n' ' ')" in
        *" $target "*) prints "as the naive nest on $target (" ;;
        *) says "target '$target' is not checked: this processor does not run it" ;;
    esac
done
expect 64 check scale.sq --targets=generic,avx2 --json
says "--json is for one target"
expect 0 compile scale.sq --targets=generic,avx2,avx512 -o scale.c
expect 64 check scale.sq --text=scale.c
says "scale.c is for several targets"
for isa in generic avx2 avx512; do
    SQUALL_ISA=$isa expect 0 check scale.sq --text=scale.c --quick
    awk -v isa="$isa:" '/==== / { on = $4 == isa } on { gsub(/2\.0?f/, "3.f") } { print }' scale.c >wrong.c
    ! cmp -s scale.c wrong.c || fail "nothing of $isa was changed"
    case " $(targets 'runs' | tr '\n' ' ')" in
        *" $isa "*) SQUALL_ISA=$isa expect 1 check scale.sq --text=wrong.c --quick ;;
    esac
    [ $isa = generic ] || SQUALL_ISA=generic expect 0 check scale.sq --text=wrong.c --quick
done

# tune: each target of the list in its turn, in one budget, and a .sched file each, which compile then takes.
own_folders
here=$(targets 'runs && arch == ""' | head -2 | paste -sd, -)
other=$(targets '!runs && arch == ""' | head -1)
expect 0 tune gemm.sq --targets="$here",openmp --at=M=16,N=16,K=16 --trials=1 --store=none --json --out-dir=tmp
sed 's/.*"target":"\([^"]*\)".*/\1/; s/,openmp//' out | paste -sd, - >tuned
[ "$(cat tuned)" = "$here" ] || fail "tuned for $(cat tuned) instead of $here"
for target in $(echo "$here" | tr , ' '); do
    [ -s tmp/gemm."$target".sched ] || fail "no .sched file of $target"
    cp tmp/gemm."$target".sched .
done
expect 0 compile gemm.sq --targets="$here" -o tuned.c -v
for target in $(echo "$here" | tr , ' '); do
    says "gemm for $target: schedule: tuned, gemm.$target.sched"
done
expect 64 tune gemm.sq --targets=generic --target=generic --at=M=16,N=16,K=16
says "--target is for one target"
expect 64 tune gemm.sq --targets=openmp --at=M=16,N=16,K=16
says "the list names no target"
expect 64 tune gemm.sq --targets=generic --at=M=16,N=16,K=16 --html=no.html
says "--html is for one target, and --targets=generic asks for several"
# What this machine does not run is refused before anything is tuned.
rm gemm.*.sched
expect 3 tune gemm.sq --targets="$here,$other" --at=M=16,N=16,K=16 --trials=1 --store=none
says "cannot run $other of --targets"
says "tune here for --targets=$here, and for the others on a machine that has them"
[ -z "$(ls -- *.sched 2>/dev/null)" ] || fail "something was tuned"
# One budget: two seconds are not two seconds each.
[ "$(echo "$here" | tr , '\n' | wc -l)" = 1 ] || {
    expect 0 tune gemm.sq --targets="$here" --at=M=16,N=16,K=16 --budget=2s --store=none --out-dir=tmp
    [ "$(grep -c 'tunes, for [01][.][0-9] s' err)" = 2 ] || fail "not one budget"
}
