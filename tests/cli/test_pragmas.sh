#!/bin/sh
# Pragmas of compilers: what changes how a kernel computes or is linked is kept or refused with its place;
# hints and what concerns nothing of the kernel are passed over without a word.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

body='{ idx i; A[i] = expf(A[i]); }'
of_kernel() { printf '#include "squall.h"\n#pragma %s\nkernel k(int N, f32 A[N]) %s\n' "$1" "$body" >k.sq; }
region='#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = expf(a[i]);
#pragma endscop'
of_region() { printf '#include <math.h>\n#pragma %s\nvoid f(int n, float *a)\n{\n%s\n}\n' "$1" "$region" >f.c; }

kept() { # FILE
    expect 0 compile "$1" -o new.c
    silent
}
refused() { # FILE PLACE WORDS
    rm -f new.c
    expect 1 compile "$1" -o new.c
    says "$2: error: "
    says "$3"
    [ "$(grep -c error: err)" = 1 ] || fail "$1: more than one error"
    absent new.c
}

environment='computes in the default environment'
rounding='which takes back what the default floating-point contract allows'
linkage='which the emitted text would not keep; leave it out'

# Of an emitted function nothing is left of these; the text of a region stays under them.
for pragma in 'GCC visibility push(hidden)' 'GCC  visibility  push ( internal )' 'GCC optimize("O1")' \
    'GCC target("sse4.2")' 'clang optimize off' 'clang section text="s"' 'code_seg("s")'; do
    of_kernel "$pragma"
    refused k.sq k.sq:2:9 "'k' is under this pragma, $linkage"
    of_region "$pragma"
    kept f.c
done
for pragma in 'weak k' 'weak k = m' 'redefine_extname k m'; do
    of_kernel "$pragma"
    refused k.sq k.sq:2:9 "'k' is under this pragma, $linkage"
done
of_kernel 'redefine_extname expf m'
refused k.sq k.sq:2:9 "$linkage"
of_region 'redefine_extname expf m'
refused f.c f.c:2:9 "$linkage"
of_region 'redefine_extname f m'
kept f.c
of_region 'weak f'
kept f.c

# Modes of floating point that no contract has.
for pragma in 'STDC FENV_ACCESS ON' 'fenv_access(on)' 'STDC FENV_ROUND FE_UPWARD' \
    'STDC FENV_ROUND FE_DYNAMIC' 'clang fp exceptions(strict)' 'clang fp eval_method(double)' \
    'float_control(except, on)' 'GCC optimize("rounding-math")' 'GCC optimize ("O2", "-fsignaling-nans")' \
    'STDC \
FENV_ACCESS ON' 'STDC /* the */ FENV_ACCESS ON // OFF'; do
    of_kernel "$pragma"
    refused k.sq k.sq:2:9 "'k' is under this pragma, and the emitted text $environment"
    of_region "$pragma"
    refused f.c f.c:2:9 "'f' is under this pragma, and the emitted text $environment"
done

# Those that the strict contract has; the line that names a contract decides.
for pragma in 'STDC FP_CONTRACT OFF' 'fp_contract(off)' 'clang fp contract(off)' \
    'clang fp contract(fast) reassociate(off)' 'float_control(precise, on)' \
    'GCC optimize("fp-contract=off")'; do
    of_kernel "$pragma"
    refused k.sq k.sq:2:9 "'k' is under this pragma, $rounding"
    says "help: write '#pragma squall fp strict'"
    of_region "$pragma"
    refused f.c f.c:2:9 "'f' is under this pragma, $rounding"
    for contract in strict reassoc; do
        of_kernel "$pragma
#pragma squall fp $contract"
        kept k.sq
        of_region "$pragma
#pragma squall fp $contract"
        kept f.c
    done
done

# What asks for nothing, what is taken back before the kernel, what is of other tools.
for pragma in 'STDC FP_CONTRACT ON' 'STDC FP_CONTRACT OFF
#pragma STDC FP_CONTRACT DEFAULT' 'STDC FENV_ACCESS ON
#pragma STDC FENV_ACCESS OFF' 'STDC CX_LIMITED_RANGE ON' 'pack(1)' 'GCC ivdep' 'GCC poison gets' 'GCC diagnostic ignored "-Wall"' 'ident "x"' \
    'clang fp contract(fast) reassociate(on)' 'float_control(precise, on, push)
#pragma float_control(pop)' 'GCC visibility push(default)' 'GCC visibility push(hidden)
#pragma GCC visibility pop' 'GCC visibility push(hidden)
#pragma GCC visibility push(default)' 'GCC push_options
#pragma GCC optimize("O1")
#pragma GCC pop_options' 'GCC optimize("O1")
#pragma GCC reset_options' 'redefine_extname tanhf m' 'nothing at all' 'STDC FP_CONTRACT' \
    'ours FENV_ACCESS ON'; do
    of_kernel "$pragma"
    kept k.sq
    of_region "$pragma"
    kept f.c
done
of_kernel 'GCC visibility push(hidden)
#pragma GCC visibility push(default)
#pragma GCC visibility pop'
refused k.sq k.sq:2:9 "$linkage"

# Where it holds: behind it, in its block, if it is compiled at all.
at='#pragma STDC FENV_ACCESS ON'
printf '#include "squall.h"\nkernel k(int N, f32 A[N]) %s\n%s\n' "$body" "$at" >k.sq
kept k.sq
printf '#include "squall.h"\n#if 0\n%s\n#endif\n/*\n%s\n*/\nkernel k(int N, f32 A[N]) %s\n' "$at" "$at" "$body" >k.sq
kept k.sq
printf '#include "squall.h"\nkernel k(int N, f32 A[N])\n{\n%s\n  idx i; A[i] = 1; }\n' "$at" >k.sq
refused k.sq k.sq:4:9 "$environment"
in_function() { printf '#include <math.h>\n%s\nvoid f(int n, float *a)\n{\n%s\n%s\n%s\n}\n%s\n' "$1" "$2" "$region" "$3" "$4" >f.c; }
in_function '' '' '' ''
kept f.c
in_function '' "$at" '' ''
refused f.c f.c:5:9 "$environment"
in_function '' "{
$at
    a[0] = 1; }" '' ''
kept f.c
in_function '' '' "{
$at
    a[0] = 1; }" "$at"
kept f.c
in_function "void g(float *a) {
$at
    a[0] = 1; }" '' '' ''
kept f.c
in_function "#if 0
$at
#endif" '' '' ''
kept f.c
printf 'void f(int n, float *a)\n{\n#pragma scop\n    for (int i = 0; i < n; i++) {\n%s\n        a[i] *= 2; }\n#pragma endscop\n}\n' "$at" >f.c
refused f.c f.c:5:9 "$environment"

# Said once of two kernels; in the other spellings of a pragma; in a header, until another takes it back.
printf '#include "squall.h"\n%s\nkernel k(int N, f32 A[N]) %s\nkernel m(int N, f32 A[N]) %s\n' "$at" "$body" "$body" >k.sq
refused k.sq k.sq:2:9 "$environment"
printf '#include "squall.h"\n_Pragma("GCC visibility push(hidden)")\nkernel k(int N, f32 A[N]) %s\n' "$body" >k.sq
refused k.sq k.sq:2:10 "$linkage"
printf '#include "squall.h"\n_Pragma("GCC optimize(\\"rounding-math\\")")\nkernel k(int N, f32 A[N]) %s\n' "$body" >k.sq
refused k.sq k.sq:2:10 "$environment"
printf '#include "squall.h"\n%%:pragma GCC visibility push(hidden)\nkernel k(int N, f32 A[N]) %s\n' "$body" >k.sq
refused k.sq k.sq:2:10 "$linkage"
printf '#pragma once\n#pragma GCC visibility push(hidden)\n' >hide.h
printf '#pragma GCC visibility pop\n' >show.h
printf '#include "squall.h"\n#include "hide.h"\nkernel k(int N, f32 A[N]) %s\n' "$body" >k.sq
refused k.sq hide.h:2:9 "$linkage"
printf '#include "squall.h"\n#include "hide.h"\n#include "show.h"\nkernel k(int N, f32 A[N]) %s\n' "$body" >k.sq
kept k.sq

# Lines of our own: none under an #if that does not hold, none in a header, none in _Pragma.
strict() { grep -q 'fp-contract=off' new.c; }
total='kernel k(int N, const f32 B[N], f32 A[1]) { idx i; A[0] = sum(B[i], i); }'
printf '#include "squall.h"\n#pragma squall fp strict\n%s\n' "$total" >k.sq
kept k.sq
strict || fail "a strict kernel"
printf '#include "squall.h"\n%%:pragma squall fp strict\n%s\n' "$total" >k.sq
kept k.sq
strict || fail "a strict kernel, by a digraph"
printf '#include "squall.h"\n#ifdef NEVER\n#pragma squall fp strict\n#endif\n%s\n' "$total" >k.sq
kept k.sq
! strict || fail "a line that is not compiled counts"
expect 0 compile k.sq -o new.c -DNEVER
strict || fail "a line that is compiled does not count"
printf '#pragma squall fp strict\n' >strict.h
printf '#include "squall.h"\n#include "strict.h"\n%s\n' "$total" >k.sq
expect 0 compile k.sq -o new.c
says "strict.h:1:9: warning: this has no effect: such lines stand in the description itself"
printf '#include "squall.h"\n_Pragma("squall fp strict")\n%s\n' "$total" >k.sq
refused k.sq k.sq:2:10 "what is said to squall are lines '#pragma squall"
