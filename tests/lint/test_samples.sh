#!/bin/sh
# Samples: each is plain C11 to clang without a message when it finds the prelude as a real header,
# as an editor does; and squall reads each. The same for the examples of docs/LANGUAGE.md.
set -u
cd "$SQUALL_SOURCE" || exit 1
bad=0
here=$PWD
examples=$(mktemp -d)
trap 'rm -rf "$examples"' EXIT
awk -v to="$examples" '/^```c/ { n++; inside = 1; next } /^```/ { inside = 0 }
    inside { print > (to "/example" n ".sq") }' docs/LANGUAGE.md
[ -e "$examples/example4.sq" ] || { echo "docs/LANGUAGE.md: examples not found"; bad=1; }
clang=
for name in clang-19 clang-18 clang-17 clang; do
    command -v $name >/dev/null 2>&1 && { clang=$name; break; }
done
for file in samples/*.sq samples/polybench/*.sq samples/llm/*.sq samples/image/*.sq "$examples"/*.sq; do
    "$SQUALL" compile "$file" --stop-after=parse >/dev/null || { echo "$file: not accepted"; bad=1; }
    [ -n "$clang" ] || continue
    $clang -x c -std=c11 -fsyntax-only -Wall -Wextra -Werror -I"$here/frontend" "$file" || bad=1
done

# What the Makefiles of samples/ remove is what they make: a checkout in which they ran is clean.
folders='samples/make samples/image samples/llm'
git init -q "$examples/ignoring" 2>/dev/null && cp .gitignore "$examples/ignoring" || folders= # no git
for folder in $folders; do
    for made in $(sed -n '/^clean:/,/^[.]PHONY/s/^.rm -r*f //p' $folder/Makefile) build/CMakeCache.txt; do
        git -C "$examples/ignoring" check-ignore -q "$folder/$made" || { echo "$folder/$made: not ignored"; bad=1; }
    done
done

# Schedules of samples/tuned/ and samples/llm/ fit the samples as they are, and are legal.
for file in samples/tuned/*.sched; do
    class=$(sed -n 's/^class //p' "$file")
    name=${file##*/}
    said=$("$SQUALL" compile "samples/${name%.$class.sched}.sq" --target="$class" --schedule="$file" \
        --require-tuned -o - 2>&1 >/dev/null) && [ -z "$said" ] || { echo "$file: $said"; bad=1; }
done
said=$("$SQUALL" compile samples/llm/kernels.sq --targets=generic,avx2,avx512 -o - 2>&1 >/dev/null) &&
    [ -z "$said" ] || { echo "samples/llm: $said"; bad=1; }
for class in avx2 avx512; do
    "$SQUALL" compile samples/llm/kernels.sq --kernel=matvec_q8 --target=$class --require-tuned -o - >/dev/null ||
        { echo "samples/llm: no schedule for $class"; bad=1; }
done
exit $bad
