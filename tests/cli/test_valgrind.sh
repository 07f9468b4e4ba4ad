#!/bin/sh
# squall compile under valgrind: no error, nothing lost, every object of isl given back (isl says so
# when its context is freed), for descriptions, regions and refused inputs. All samples: VALGRIND_ALL=1.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 77; }
export SQUALL_READ_SECONDS=600 # fifty times slower than alone
[ "${SQUALL_SANITIZED:-0}" = 0 ] || { echo "skipped: built with sanitizers"; exit 77; }

clean() { # CODE FILE OPTIONS...
    code=$1
    shift
    rc=0
    valgrind -q --suppressions="$SQUALL_SOURCE/tests/cli/valgrind.supp" --leak-check=full \
        --show-leak-kinds=definite,indirect,possible \
        --errors-for-leak-kinds=definite,indirect,possible --error-exitcode=99 "$SQUALL" compile "$@" >out 2>err || rc=$?
    [ "$rc" = "$code" ] || fail "$*: exit code $rc instead of $code"
    if grep -q 'isl_ctx\|still reference' err; then fail "$*: objects of isl are left"; fi
}

samples=$SQUALL_SOURCE/samples
if [ "${VALGRIND_ALL:-0}" = 1 ]; then
    for f in "$samples"/*.sq "$samples"/polybench/*.sq "$samples"/scop/*.c; do
        clean 0 "$f" -o made.c
    done
    for f in "$SQUALL_SOURCE"/tests/errors/*.sq; do
        clean 1 "$f" -o made.c
    done
    exit 0
fi
clean 0 "$samples/layernorm.sq" --target=avx2,openmp -o made.c
clean 0 "$samples/polybench/lu.sq" -o made.c
clean 0 "$samples/softmax.sq" --target=cuda,arch=sm_80 -o made.cu
clean 1 "$SQUALL_SOURCE/tests/errors/out_of_bounds_stencil.sq" -o made.c
clean 2 "$samples/gemm.sq" -e 'tile(i:8) parallel(k)' -o made.c
