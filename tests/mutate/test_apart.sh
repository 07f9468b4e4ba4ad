#!/bin/sh
# Two runs of tests/mutate in one folder do not meet: neither finds the other's texts in place of its
# own, and nothing stays.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/shared"
cd "$folder/shared"

one() {
    "$SQUALL_BUILD/mutate" --count=2 --only="$1" --target=generic --least=0 >"../$1"
}
one jacobi_2d &
job=$!
second=0
one elementwise || second=$?
first=0
wait $job || first=$?
cat ../jacobi_2d ../elementwise
[ "$first$second" = 00 ] || { echo "FAILED: the runs end with $first and $second"; exit 1; }
[ -z "$(ls)" ] || { echo "FAILED: left behind: $(ls)"; exit 1; }
