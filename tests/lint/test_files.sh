#!/bin/sh
# Files: length, line length, tabs, blanks at line ends, a comment at the top, no left-over marks.
set -eu
cd "$SQUALL_SOURCE"
longest_file=600
bad=0

complain() {
    echo "$1"
    bad=1
}

for file in support/*.[ch] ir/*/*.[ch] frontend/*.[ch] transforms/*.[ch] codegen/*.[ch] \
    codegen/*/*.[ch] tuner/*.[ch] tuner/*/*.[ch] cli/*.[ch] cli/html/*.[ch] runtime/*.[ch] runtime/simt/*.[ch] runtime/simt/include/*.h \
    runtime/simt/include/*/*.h bench/*.[ch] tests/*/*.[ch]; do
    case $file in tests/errors/*) continue ;; esac # wrong on purpose
    [ -e "$file" ] || continue
    lines=$(wc -l <"$file")
    [ "$lines" -le $longest_file ] || complain "$file: $lines lines (limit $longest_file)"
    head -c 2 "$file" | grep -q '^/[*/]' || complain "$file: no comment at the top"
    # .clang-format aims at 100; what no tool wraps (comments, texts) may go a little over.
    # Characters, not bytes: a line may hold letters outside ASCII.
    LC_ALL=C.UTF-8 awk -v f="$file" 'length > 120 { print f ":" FNR ": " length " columns"; n = 1 }
        /\t/ { print f ":" FNR ": tab"; n = 1 }
        /[ \r]$/ { print f ":" FNR ": blank at the end of the line"; n = 1 }
        END { exit n }' "$file" || bad=1
done

# Marks of unfinished work, put together here so that this file is not found.
marks="TO""DO|FIX""ME|XX""X"
if grep -rnE "\b($marks)\b" --include='*.[ch]' --include='*.sh' --include='*.cmake' --include='*.md' \
    support ir frontend transforms codegen tuner cli runtime tests docs cmake scripts; then
    complain "marks of unfinished work"
fi
# Files that the documents name are there; those of HACKING.md's examples come to be when it is followed.
for file in $(grep -ohE '`[a-z]+/[a-z_0-9/-]+\.[a-z]+`' docs/ARCHITECTURE.md docs/CODEGEN.md docs/CUDA.md \
    docs/SCHEDULES.md README.md | tr -d '`' | sort -u); do
    [ -e "$file" ] || complain "a document names $file, which is not there"
done
exit $bad
