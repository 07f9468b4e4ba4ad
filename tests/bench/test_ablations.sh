#!/bin/sh
# bench/ablations: one command says of each search what its parts are worth on landscapes; the figures are those of the
# file, the same each time; what is no search and no landscape is refused.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
gemm >gemm.sq
own_folders
"$SQUALL" race gemm.sq --fix=M=31,N=33,K=29 --record=g.landscape --points=24 -q
ablations="$SQUALL_SOURCE/bench/ablations --squall=$SQUALL --seeds=2 --trials=8"

$ablations --of=pruner-unverified,beam g.landscape >once || fail "no table"
$ablations --of=pruner-unverified,beam g.landscape >again
same once again
[ "$(grep -c '^| `pruner-no-[a-z0-9]*` | the penalty of ' once)" = 8 ] || fail "not a line for each penalty"
[ "$(grep -c '^| `beam-' once)" = 4 ] || fail "not a line for each part of beam"

# A landscape whose best is known: half as fast as all others at first, found by whatever asks for all points.
python3 - <<'P'
import json
lines = [json.loads(line) for line in open("g.landscape")]
start = lines[0]["start"]
first = next(x["candidate"] for x in lines if x.get("point") == start)
for x in lines:
    if "script" in x:
        x["seconds"] = 2e-6 if x["candidate"] == first else 1e-6
open("flat.landscape", "w").writelines(json.dumps(x) + "\n" for x in lines)
P
"$SQUALL_SOURCE/bench/ablations" --squall="$SQUALL" --of=pruner-unverified --model --seeds=2 --trials=8 flat.landscape >flat
grep -q '^| `pruner-unverified` |  | 1.000, 1.000 | 2.0 |  |$' flat || fail "the figures are others: $(cat flat)"

! $ablations --of=nothing g.landscape 2>err || fail "a search was made up"
says "there are no ablations of 'nothing'"
! $ablations gemm.sq 2>err || fail "a description is no landscape"
! $ablations missing.landscape 2>err || fail "a missing file was replayed"
says missing.landscape
