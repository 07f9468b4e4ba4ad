#!/bin/sh
# Names: whatever a room exports begins with sq_, so that rooms and libraries never conflict; what Squall emits for
# itself (tuner/search/nets) with net_, as it leaves sq_ to its own texts.
set -eu
[ "$SQUALL_SANITIZED" = 0 ] || exit 77 # the sanitizers add names of their own
names=$(nm -g --defined-only "$SQUALL_BUILD"/libsq_*.a 2>/dev/null | awk 'NF == 3 { print $3 }')
[ -n "$names" ] || { echo "no symbols found: is nm missing?"; exit 1; }
wrong=$(echo "$names" | grep -vE '^(sq|net)_' | sort -u || true)
[ -z "$wrong" ] || { echo "exported without sq_ or net_:"; echo "$wrong"; exit 1; }
