#!/bin/sh
# Words: documents, comments, messages and help are in the field's English (docs/ARCHITECTURE.md has the glossary). These
# words and phrases each had a better one; quoted code and identifiers count as well.
set -eu
cd "$SQUALL_SOURCE"
words='so many|hangs on|duel|nudge|clash|clashes|played|decided|answer|answers|answered'

# private: lines with such a word
private() {
    grep -nwiE "$words" /dev/null "$@" | grep -vE '"(answer|answers)":' || true
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf 'a vector of so many lanes\nan answered call\n"answer": 1\nundecided, answering\n' >"$scratch/sample"
[ "$(private "$scratch/sample" | wc -l)" = 2 ] || { echo "of four lines two are private: $(private "$scratch/sample")"; exit 1; }

# What users read: every page of help, and the pages of the manual.
"$SQUALL" help >"$scratch/help"
for page in $("$SQUALL" help | sed -n 's/^  \([a-z]*\) .*/\1/p') language; do
    "$SQUALL" help "$page" >>"$scratch/help" 2>/dev/null || true
done
[ "$(wc -l <"$scratch/help")" -gt 300 ] || { echo "help was not found"; exit 1; }

# shellcheck disable=SC2046 # no name has a blank
found=$(private README.md CMakeLists.txt docs/*.md samples/*.md "$scratch/help" \
    $(find support ir frontend transforms codegen tuner cli runtime bench cmake samples scripts -name '*.[ch]' -o \
        -name '*.def' -o -name '*.txt' -o -name '*.cu' -o -name '*.cmake' -o -name '*.sq'))
[ -z "$found" ] || { echo "$found"; exit 1; }
