#!/bin/sh
# The products of the networks that rank schedules are Squall's own, checked in: they are what this squall writes, and
# their results are right. SQUALL_UPDATE=1 writes them anew.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
nets=$SQUALL_SOURCE/tuner/search/nets
cp "$nets"/nets.* .
words="nets.sq --targets=avx2,generic -o nets.c --header=nets.h"
if [ "${SQUALL_UPDATE:-}" ]; then
    "$SQUALL" compile $words --if-changed
    cp nets.c nets.h "$nets"
fi
expect 0 compile $words --check --require-tuned
sed -i 's/net_dense_avx2_fits/net_dense_avx2_fit/g' nets.c
expect 1 compile $words --check
says 'nets.c'
cp "$nets/nets.c" .
expect 0 check nets.sq --text=nets.c --quick
