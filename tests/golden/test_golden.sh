#!/bin/sh
# Golden texts: each *.txt here is a transcript, lines `$ squall ...` with the output they give (both
# streams, then `exit N` unless 0), run beside copies of the samples. A difference is shown as a
# diff.
#
#   tests/golden/test_golden.sh --update     rewrites them; review the changes as a diff
#
# Outside ctest (absolute paths): SQUALL=$PWD/build/squall SQUALL_SOURCE=$PWD tests/golden/test_golden.sh
set -eu
update=${1:-}
case $("$SQUALL" --version 2>&1) in # one that cannot be started prints nothing to expect
squall\ *) ;;
*)
    echo "'$SQUALL' does not run: name it with an absolute path in SQUALL"
    exit 1
    ;;
esac
golden=$(cd "$SQUALL_SOURCE/tests/golden" && pwd)
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
bad=0
cp "$SQUALL_SOURCE"/samples/*.sq .
squall() { "$SQUALL" "$@"; }

for file in "$golden"/*.txt; do
    new=$scratch/$(basename "$file")
    : >"$new"
    grep -n '' "$file" | sed -n 's/^[0-9]*:\$ //p' >"$scratch/commands"
    while IFS= read -r command; do
        printf '$ %s\n' "$command" >>"$new"
        rc=0
        (eval "$command") >>"$new" 2>&1 </dev/null || rc=$?
        [ $rc = 0 ] || echo "exit $rc" >>"$new"
    done <"$scratch/commands"
    [ -s "$scratch/commands" ] || { echo "$file: no commands"; bad=1; }
    cmp -s "$file" "$new" && continue
    if [ "$update" = --update ]; then
        cp "$new" "$file"
        echo "rewritten: $file"
    else
        diff -u "$file" "$new" || true
        bad=1
    fi
done
exit $bad
