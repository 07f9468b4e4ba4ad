#!/bin/sh
# CUDA text on the processor, by each C++ compiler there is: good_* ends well and without a finding,
# count_* too, bad_* has findings; the lines after //! are printed.
set -u
cd "$SQUALL_SOURCE/tests/simt" || exit 1
[ "$SQUALL_SANITIZED" = 0 ] || exit 77 # the library under test is never instrumented
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
bad=0 compilers=0

check() { # COMPILER FILE EXIT-CODE
    rc=0
    "$SQUALL" check --target=cuda "$2" --cc="$1" >"$out/out" 2>"$out/err" || rc=$?
    [ $rc = "$3" ] || { echo "$2 by $1: exit code $rc instead of $3"; cat "$out/out" "$out/err"; bad=1; }
    sed -n 's|^//! ||p' "$2" >"$out/wanted"
    [ -s "$out/wanted" ] || { echo "$2: says nothing of what is expected"; bad=1; }
    while IFS= read -r line; do
        grep -qF -- "$line" "$out/out" ||
            { echo "$2 by $1: not printed: $line"; cat "$out/out"; bad=1; }
    done <"$out/wanted"
}

for cxx in g++ clang++-19 clang++; do
    command -v $cxx >/dev/null 2>&1 || continue
    [ $compilers -lt 2 ] || break
    compilers=$((compilers + 1))
    for file in good_*.cu count_*.cu; do
        check $cxx "$file" 0
        grep -q '^0 findings' "$out/out" || { echo "$file by $cxx: findings"; bad=1; }
    done
    for file in bad_*.cu; do
        check $cxx "$file" 1
    done
done
[ $compilers -gt 0 ] || { echo "skipped: there is no C++ compiler"; exit 77; }
exit $bad
