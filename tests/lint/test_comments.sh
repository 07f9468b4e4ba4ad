#!/bin/sh
# Comments: a table in one (indented lines with columns) ends with the comment or with an empty line.
# One that a formatter has flowed into prose goes on, in the middle of a sentence, at the left edge.
# .clang-format leaves comments alone; this finds what another one did.
set -eu
cd "$SQUALL_SOURCE"
bad=0

# tables FILE...: where a table goes on as prose; exit 1 if anywhere
tables() {
    awk '
        FNR == 1 { comment = table = 0 }
        !comment && /^ *\/\*/ { comment = 1; table = 0 }
        comment {
            text = $0
            sub(/^ *\/?\*+/, "", text)
            if (table && text ~ /^ [^ ]/ && text !~ /^ *\/$/) {
                print FILENAME ":" FNR ": a table in a comment goes on as prose:" text
                found = 1
            }
            table = text ~ /^   +[^ ]/ && (table || text ~ /[^ ]   +[^ ]/)
        }
        /\*\// { comment = table = 0 }
        END { exit found }' "$@"
}

for file in $(git ls-files '*.[ch]' '*.cu' 2>/dev/null || find . -name '*.[ch]' -o -name '*.cu'); do
    case $file in */nets/nets.[ch]) continue ;; esac # emitted
    case $file in tests/errors/* | */build*/*) continue ;; esac
    tables "$file" || bad=1
done
grep -qx 'ReflowComments: false' .clang-format || { echo ".clang-format flows comments"; bad=1; }

# What such damage looks like is found.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf '/* Parts:\n *\n *   one    what comes\n * first two    what is next */\n' >"$scratch/flowed.h"
if tables "$scratch/flowed.h" >/dev/null; then
    echo "a flowed table is not found"
    bad=1
fi
exit $bad
