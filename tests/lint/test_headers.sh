#!/bin/sh
# Headers: each compiles alone, and has a guard of its own.
set -eu
cd "$SQUALL_SOURCE"
bad=0

for header in support/*.h ir/*/*.h frontend/*.h transforms/*.h codegen/*.h codegen/*/*.h tuner/*.h tuner/*/*.h cli/*.h cli/html/*.h \
    runtime/*.h runtime/simt/*.h; do
    [ -e "$header" ] || continue
    case $header in frontend/squall.h) continue ;; esac # the prelude: read by libclang, not by us
    # Twice, so that a missing guard shows.
    printf '#include "%s"\n#include "%s"\n' "$header" "$header" |
        "$CC" -std=c17 -D_GNU_SOURCE -I. -Wall -Wextra -Werror -fsyntax-only -x c - ||
        { echo "$header does not compile alone"; bad=1; }
done

guards=$(grep -h '^#define SQ_[A-Z0-9_]*_H$' */*.h */*/*.h | sort | uniq -d)
[ -z "$guards" ] || { echo "guards used twice: $guards"; bad=1; }
exit $bad
