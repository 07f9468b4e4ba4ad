#!/bin/sh
# docs/LANGUAGE.md: every example is compiled without a warning and computes what the plain loops
# compute; the tutorial does what it says, its message is what is printed. The same for
# `squall help language`, which fits on a screen and names all that the prelude declares.
set -eu
rm -rf ./*
doc=$SQUALL_SOURCE/docs/LANGUAGE.md
export SQUALL_HARNESS="$SQUALL_BUILD/squall-harness"
bad=0
complain() {
    echo "FAILED: $*"
    bad=1
}

# example FILE: compiles and checks all kernels of it.
example() {
    name=${1%.sq}
    "$SQUALL" compile "$1" -o "$name.c" --header="$name.h" || { complain "$1 is refused"; return; }
    "$CC" -std=c11 -O1 -Wall -Wextra -Werror -c "$name.c" -o "$name.o" || complain "$1: a warning"
    "$SQUALL" check --quick "$1" >check.log 2>&1 || { cat check.log "$1"; complain "$1 computes wrongly"; }
}

awk '/^```c$/ { n++; on = 1; next } /^```$/ { on = 0 } on { print >("example" n ".sq") }' "$doc"
[ -e example16.sq ] || complain "examples not found"
for file in example*.sq; do
    example "$file"
done

# The tutorial.
mkdir tutorial bin
cp example1.sq tutorial/dense.sq
ln -s "$SQUALL" bin/squall
ln -s "$(command -v "$CC")" bin/cc
PATH=$PWD/bin:$PATH
cd tutorial
awk '/^~~~c$/ { on = 1; next } /^~~~$/ { on = 0 } on' "$doc" >main.c
awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on' "$doc" >all.sh
grep -q 'squall tune' all.sh || complain "the tutorial's commands not found"
while read -r line; do
    line=$(echo "$line" | sed 's/--budget=10s/--budget=2s --trials=2/')
    sh -c "$line" >out 2>err || { cat out err; complain "does not run: $line"; }
    [ "$line" != ./main ] || grep -qxF "$(cat out)" "$doc" ||
        grep -qF "It prints \`$(cat out)\`" "$doc" || complain "main prints: $(cat out)"
done <all.sh
ls dense.*.sched >/dev/null || complain "nothing tuned"
sed -i 's/sum(\(.*\), j) + /\1 + /' dense.sq
"$SQUALL" compile dense.sq -o - 2>err >/dev/null && complain "the mistake of the tutorial is accepted"
sed -n '/^    dense.sq:/,/^$/s/^    //p' "$doc" | diff - err || complain "another message"
cd ..

"$SQUALL" help language >help.txt
[ "$(wc -l <help.txt)" -le 40 ] || complain "help language is longer than a screen"
awk '/^    kernel / { n++; on = 1; print "#include \"squall.h\"" >("help" n ".sq") }
    on { print substr($0, 1, 53) >("help" n ".sq") } # what is said of it stands behind
    /^    }$/ { on = 0 }' help.txt
[ -e help2.sq ] || complain "examples of help language not found"
for file in help[0-9].sq; do
    example "$file"
done
for word in $(sed -n 's/^ *SQ_OV_ [A-Zint0-9_]* \([a-z0-9]*\)(.*/\1/p; s/^#define \([a-z]*\) .*/\1/p
        s/^typedef [^ ]* \([a-z0-9]*\);.*/\1/p' "$SQUALL_SOURCE/frontend/squall.h" | grep -v '^f$' | sort -u); do
    grep -qw "$word" help.txt || complain "help language does not name $word"
    grep -qw "$word" "$doc" || complain "docs/LANGUAGE.md does not name $word"
done
exit $bad
