#!/bin/sh
# Values of f16 and bf16 that are compared and chosen between, alone and with other types: what is emitted compiles for
# every target, and computes what the naive nest does.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >bodies <<'B'
o[i] = a[i] >= b[i] ? a[i] : b[i];
o[i] = a[i] == b[i] ? a[i] : 1;
o[i] = a[i] && b[i] ? a[i] : -b[i];
o[i] = !(a[i] > b[i]) ? a[i] : 0;
o[i] = m[i] > 3 ? a[i] : 0;
o[i] = m[i] ? a[2 * i] : a[2 * i + 1];
o[i] = x[i] > 0 ? a[i] : x[i];
o[i] = a[i] < x[i] ? x[i] : b[i];
o[i] = a[i] < 0 ? -a[i] : a[i];
o[i] = i < 5 ? a[i] : b[i];
o[i] = a[i] != a[i] ? 0 : a[i];
to[i] = a[i] < b[i];
to[i] = a[i] == b[i] || a[i] < x[i];
B
for type in f16 bf16; do
    { echo '#include "squall.h"'; n=0; while read -r body; do
        n=$((n + 1))
        echo "kernel k$n(int n, const $type a[2 * n], const $type b[n], const f32 x[n], const uint8_t m[n], $(
            case $body in to*) echo "int32_t to" ;; *) echo "$type o" ;; esac)[n])"
        echo "{ idx i; $body }"
    done <bodies; } >$type.sq
    runs=" $(region_targets | sed 's/,openmp//; s/^c$/generic/' | tr '\n' ' ') "
    for target in avx512 avx2 generic; do
        case $runs in
        *" $target "*) expect 0 check $type.sq --target=$target --quick ;; # compiles it, too
        *)
            expect 0 compile $type.sq --target=$target -o $type.c
            "${CC:-cc}" -O1 -c $type.c -o $type.o 2>err || fail "$type, $target: does not compile"
            ;;
        esac
    done
done
