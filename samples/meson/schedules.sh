#!/bin/sh
# schedules.sh STEM FILE: writes the names STEM.*.sched into FILE; one that would not change is left alone.
set -eu
for name in "$1".*.sched; do
    [ ! -e "$name" ] || echo "$name"
done >"$2.new"
if cmp -s "$2.new" "$2"; then rm "$2.new"; else mv "$2.new" "$2"; fi
