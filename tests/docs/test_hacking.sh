#!/bin/sh
# docs/HACKING.md: its recipes, all of them applied to one copy of the tree, build without a warning and
# do what they say. The document is what is read: `New file `F`:`, `In `F`, before `TEXT`` and
# `In `F`, after `TEXT`` say where the next block of C goes, blocks of sh are run, line by line.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
doc=$SQUALL_SOURCE/docs/HACKING.md
bad=0
complain() {
    echo "FAILED: $*"
    bad=1
}

mkdir blocks tree
tar --exclude='./build*' --exclude=./.git -C "$SQUALL_SOURCE" -cf - . | tar -C tree -xf -
awk '
    /^(New file|In) `[^`]*`/ { split($0, part, "`"); file = part[2]; text = part[4]
        how = /^New/ ? "new" : $0 ~ /`, before `/ ? "before" : "after" }
    /^### / { title = substr($0, 5); file = "" }
    /^```c$/  { n++; to = sprintf("blocks/%02d.c", n)
        printf "%s\n%s\n%s\n%s\n", how, file, text, title >sprintf("blocks/%02d.place", n); file = ""; next }
    /^```sh$/ { n++; to = sprintf("blocks/%02d.sh", n); next }
    /^```$/   { to = ""; next }
    to        { print >to }' "$doc"
[ "$(ls blocks/*.c | wc -l)" -ge 20 ] || complain "the blocks of C were not found"
[ "$(ls blocks/*.sh | wc -l)" -ge 6 ] || complain "the blocks of sh were not found"

for place in blocks/*.place; do
    { read -r how; read -r file; IFS= read -r text; read -r title; } <"$place"
    case $how:$file in
        *:) complain "$title: a block of C without a place"; continue ;;
        new:*) cp "${place%.place}.c" "tree/$file"; continue ;;
    esac
    TEXT=$text awk -v how="$how" -v block="${place%.place}.c" '
        function put(  line) { while ((getline line < block) > 0) print line; done = 1 }
        !done && index($0, ENVIRON["TEXT"]) { if (how == "before") { put(); print } else { print; put() } next }
        { print }
        END { exit !done }' "tree/$file" >changed || complain "$title: $file has no '$text'"
    cp changed "tree/$file"
done
[ $bad = 0 ] || exit 1

cd tree
export PATH="$PWD/build:$PATH"
cmake -S . -B build -G Ninja -DSQUALL_WERROR=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 >log 2>&1 || { cat log; exit 1; }
for block in ../blocks/*.sh; do
    while IFS= read -r line; do
        sh -c "$line" >log 2>&1 </dev/null || { tail -n 40 log; complain "docs/HACKING.md: $line"; }
        ! grep -q 'No tests were found' log || complain "docs/HACKING.md: no such test: $line"
    done <"$block"
done
exit $bad
