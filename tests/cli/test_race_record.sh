#!/bin/sh
# squall race --record and --replay: a landscape is whole, searches on it repeat, what is no landscape is refused.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
gemm >gemm.sq
own_folders
at='--fix=M=31,N=33,K=29'

expect 0 race gemm.sq $at --record=g.landscape --points=40
prints 'gemm M=31,N=33,K=29: '
prints 'the best '
prints ': g.landscape'
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"
[ ! -e state ] || fail "a store was written"

# Every candidate is known, and right; every point is one of them; the start has been measured.
python3 - <<'P' || fail "the landscape is not whole"
import json
lines = [json.loads(line) for line in open("g.landscape")]
head, end = lines[0], lines[-1]
size = 1
for c in head["coordinates"]:
    size *= len(c["values"])
candidates = [x for x in lines if "script" in x]
points = [x for x in lines if "point" in x]
assert head["landscape"] == 3 and head["kernel"] == "gemm M=31,N=33,K=29"
assert 8 <= size <= 40 and end == {"end": size}
assert [c["candidate"] for c in candidates] == list(range(head["candidates"])) and len(candidates) > 4
assert all(c["status"] == "ok" and 0 < c["seconds"] < 1 for c in candidates), candidates
assert len({c["script"] for c in candidates}) == len(candidates)
assert all([len(s) for s in c["features"]] == [366] for c in candidates)
assert len({str(c["features"]) for c in candidates}) > len(candidates) / 2
assert {c["mark"] for c in head["coordinates"]} == {0, 1}
assert {p["candidate"] for p in points} == set(range(len(candidates)))
assert all(p["draft"] > 0 for p in points) and len(points) <= size
assert any(p["point"] == head["start"] for p in points)
P

# The same runs again, elsewhere and without the description: nothing but the time that they take is another. Without an
# end of trials the best of the landscape is found.
mkdir other
cp g.landscape other/copy
for model in draft none; do
    expect 0 race --replay=g.landscape --seeds=3 --trials=12 --model=$model --json -q
    mv out first
    (cd other && expect 0 race --replay=copy --seeds=3 --trials=12 --model=$model --json -q && mv out second)
    python3 - <<'P' || fail "a replay does not repeat"
import json
def runs(path):
    j = json.load(open(path))
    assert len(j) == 1 and j[0]["replayed"] is True
    for r in j[0]["runs"]:
        del r["seconds"]
        r["curve"] = [[trial, gain] for trial, seconds, gain in r["curve"]]
    for s in j[0]["searches"]:
        del s["seconds"]
        s.pop("arrival_seconds", None)
    return j
a, b = runs("first"), runs("other/second")
assert a == b
searches = {r["search"] for r in a[0]["runs"]}
assert len(searches) >= 8 and len(a[0]["runs"]) == 3 * len(searches)
assert all(1 <= r["trials"] <= 12 for r in a[0]["runs"])
P
done
# Without --searches all there are, but what begins with a network: --ranker names one.
expect 0 race --replay=g.landscape --seeds=1 --trials=2 --json -q
searches=$("$SQUALL" show searches | awk '$1 != "moa" && $1 != "tensorcore" { printf "\"%s\",", $1 }')
json "[r['search'] for r in j[0]['runs']] == [$searches]"
expect 0 race --replay=g.landscape --searches=random,grid --seeds=2 --trials=1000 --model=none --json -q
python3 - <<'P' || fail "not the best of the landscape"
import json
times = [json.loads(line)["seconds"] for line in open("g.landscape") if '"script"' in line]
runs = json.load(open("out"))[0]["runs"]
assert all(abs(r["start_seconds"] / r["gain"] - min(times)) < 1e-4 * min(times) for r in runs), runs
assert all(r["ended"] == "every point was tried" for r in runs)
P
# What a search is without a part of it is found by name alone.
if ! "$SQUALL" show searches | grep -q '^ansor .*; needs '; then
    expect 0 race --replay=g.landscape --searches=ansor,ansor-unled,meta,meta-undescended --seeds=1 --trials=6
    [ "$(grep -cE '^  (ansor|ansor-unled|meta|meta-undescended) +[0-9.]+x' out)" = 4 ] || fail "not a line for each ablation"
fi
! "$SQUALL" show searches | grep -q unled || fail "an ablation is offered"
expect 0 race --replay=g.landscape --searches=random --trials=9
prints 'gemm M=31,N=33,K=29, replayed: start '

# Points of one script are one schedule, and so are those that the model rules out none: as many as asked for need more
# points. A bound of points still holds.
at_96='--fix=M=96,N=96,K=96'
expect 0 race gemm.sq $at_96 --record=p.landscape --points=24 -q
expect 0 race gemm.sq $at_96 --record=s.landscape --schedules=24 -q
expect 0 race gemm.sq $at_96 --record=b.landscape --schedules=24 --points=24 -q
python3 - <<'P' || fail "schedules are not counted"
import json
def sizes(path):
    lines = [json.loads(line) for line in open(path)]
    return lines[0]["candidates"], lines[-1]["end"]
by_points, by_schedules, bound = sizes("p.landscape"), sizes("s.landscape"), sizes("b.landscape")
assert 12 < by_schedules[0] <= 24 < by_schedules[1], by_schedules
assert by_points[0] < by_schedules[0] and bound == by_points, (by_points, bound)
P

# Ended before its time: nothing is written, and what is there stays.
echo mine >kept
"$SQUALL" race gemm.sq $at --record=kept --points=4000 --progress=plain >out 2>err &
pid=$!
while kill -0 $pid && ! grep -q 'recorded [1-9]' err; do
    sleep 0.1
done
kill -INT $pid
rc=0
wait $pid || rc=$?
[ "$rc" = 130 ] || fail "a record that was interrupted ends with $rc"
says 'gemm M=31,N=33,K=29: interrupted after '
[ "$(cat kept)" = mine ] || fail "an interrupted record wrote"

# Refused.
expect 64 race --replay=g.landscape gemm.sq
says 'a landscape is replayed without a description'
expect 64 race gemm.sq $at --record=a --replay=g.landscape
says '--record measures, --replay does not'
expect 64 race gemm.sq $at --record=-
says 'a landscape goes to a file'
expect 64 race --replay=g.landscape --budget=3s
says 'give --trials'
expect 64 race --replay=g.landscape --model=mlp
says 'a landscape has the guesses of one model'
expect 64 race gemm.sq $at --points=7
says '--points is for --record'
expect 64 race gemm.sq $at --record=a --points=100001
says 'accepted are up to 100000 points'
expect 64 race gemm.sq $at --schedules=7
says '--schedules is for --record'
expect 64 race gemm.sq $at --record=a --schedules=100001
says 'accepted are up to 100000 schedules'
for option in --searches=grid --seeds=2 --trials=7 --budget=4s --model=none; do
    expect 64 race gemm.sq $at --record=a $option
    says 'every point is measured once'
done
expect 64 race gemm.sq --at=M=3,N=4,K=5 --at=M=4,N=4,K=4 --record=a
says 'of one kernel at one row of sizes; here are 2 rows of sizes'
[ ! -e a ] || fail "a refused record wrote"
expect 3 race --replay=not-there
says "not-there"
expect 1 race --replay=gemm.sq
says 'gemm.sq:1:1: error: this is no line of a landscape'
sed '$d' g.landscape >short
expect 1 race --replay=short
says 'the landscape ends here, before its end'
sed 's/"landscape": 3/"landscape": 7/' g.landscape >newer
expect 1 race --replay=newer
says 'another version'
