#!/bin/sh
# squall tune --network: equal layers are one kernel, every kernel gets a schedule that compile takes, trials end it and
# repeat, a bad layer is named before anything is measured, and one that fails does not keep the others from it.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
mkdir net
gemm >net/gemm.sq
{ scale_sq; echo 'kernel half(int N, const f32 X[N], f32 Y[N]) { idx i; Y[i] = .5f * X[i]; }'; } >net/two.sq
cat >net/small.json <<'J'
{"network": "small", "layers": [
  {"source": "gemm.sq", "fix": {"M": 31, "N": 33, "K": 29}, "count": 3},
  {"source": "gemm.sq", "fix": {"M": 62, "N": 33, "K": 29}},
  {"source": "two.sq", "kernel": "half", "at": {"N": 1000}},
  {"source": "gemm.sq", "fix": {"M": 31, "N": 33, "K": 29}, "count": 2}]}
J

# All of it, of which equal layers are one.
expect 0 tune --network=net/small.json --trials=24 --log=log --out-dir=.
prints 'small: 4 layers, 3 kernels, '
grep -qE '^ +5  gemm M=31,N=33,K=29 ' out || fail "equal layers are not one"
grep -qE '^ +1  half N=1000 ' out || fail "half is missing"
grep -qE '^ +sum ' out || fail "no sum"
[ "$(ls ./*.sched | wc -l)" = 2 ] || fail "not one file a description: $(ls ./*.sched)"
[ "$(grep -c '^kernel gemm at' gemm.*.sched)" = 2 ] || fail "not an entry for each size"
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"

# What is found is what compile takes.
cp gemm.*.sched net/
expect 0 compile net/gemm.sq --fix=M=62,N=33,K=29 --machine=host --require-tuned -o gemm.c

# The same numbers as JSON; the sums are the layers', as often as they run.
expect 0 tune --network=net/small.json --trials=24 --json --store=none --out-dir=.
json 'j["network"] == "small" and [l["count"] for l in j["layers"]] == [5, 1, 1]'
json 'abs(j["seconds"] - sum(l["count"] * l["seconds"] for l in j["layers"])) < 1e-6 * j["seconds"]'
json 'all(l["found"] and l["untuned_seconds"] > 0 and l["bound_seconds"] > 0 and l["script"] for l in j["layers"])'
json '24 <= j["trials"] <= 30'

# A layer begins with the best point of its kind.
/usr/bin/python3 - <<'P' || fail "nothing was taken over"
import json
lines = [x for x in map(json.loads, open("log")) if x.get("ev") == "sample"]
first = {}
for x in lines:
    first.setdefault(x["kernel"], []).append(x)
assert set(first) == {"gemm M=31,N=33,K=29", "gemm M=62,N=33,K=29", "half N=1000"}
assert len({x["trial"] for x in first["gemm M=62,N=33,K=29"]}) >= 4
P

# Seconds end it, too: all are reached.
expect 0 tune --network=net/small.json --budget=4s --store=none --out-dir=. --json
json 'all(l["found"] for l in j["layers"]) and j["elapsed"] < 12'

# Few trials: as many kernels as there are trials, and a sum that says of what. The store's trials are not among them.
mkdir few two
expect 0 tune --network=net/small.json --trials=3 --store=none --out-dir=few --json
json 'all(l["found"] for l in j["layers"]) and j["measured"] == 3'
expect 0 tune --network=net/small.json --trials=2 --store=none --out-dir=two
prints 'sum of 2 kernels of 3'
says 'small: 1 of 3 kernels were not measured'
expect 0 tune --network=net/small.json --trials=9 --out-dir=. --resume --json
json 'all(l["found"] and l["trials"] > 1 for l in j["layers"]) and j["trials"] >= 9'

expect 0 tune --network=net/small.json --budget=5s --out-dir=. --resume --json
json 'all(l["found"] for l in j["layers"]) and j["trials"] >= 1'

# Hardly any time: one is begun in any case.
expect 0 tune --network=net/small.json --budget=0.1s --store=none --out-dir=.
prints 'sum of 1 kernels of 3'

# Other runs may have the same store: nobody loses a trial, and nothing is taken for damaged.
"$SQUALL" tune --network=net/small.json --budget=6s --store=shared.db --out-dir=. -q >/dev/null 2>both &
for n in 1 2 3; do
    expect 0 tune net/two.sq --kernel=scale --at=N=${n}00 --trials=2 --store=shared.db --out-dir=.
    silent_of_store() { ! grep -E 'store|damaged|record' err both || fail "the store was lost"; }
    silent_of_store
done
wait || fail "the network's run failed beside others: $(cat both)"
silent_of_store
[ ! -e shared.db.bad-1 ] || fail "a good store was set aside"
for n in 1 2 3; do
    expect 0 show best net/two.sq --kernel=scale --at=N=${n}00 --store=shared.db
    prints "N=${n}00"
done

# One that takes too long ends early, and the others are measured.
cat >net/slow.json <<'J'
{"network": "slow", "layers": [{"source": "gemm.sq", "at": {"M": 5000, "N": 5000, "K": 5000}},
  {"source": "gemm.sq", "at": {"M": 8, "N": 8, "K": 8}}]}
J
began=$(date +%s)
expect 3 tune --network=net/slow.json --budget=12s --store=none --out-dir=.
[ $(($(date +%s) - began)) -le 60 ] || fail "a slow kernel held the network up"
grep -qE '^ +1  gemm M=5000,N=5000,K=5000 +failed$' out || fail "the slow one is no failure"
grep -qE '^ +1  gemm M=8,N=8,K=8 +[0-9]' out || fail "the other one was not measured"

# Nor does one that took all of the time, and more.
expect 3 tune --network=net/slow.json --budget=1s --store=none --out-dir=.
grep -qE '^ +1  gemm M=5000,N=5000,K=5000 +failed$' out || fail "the slow one is no failure"
grep -qE '^ +1  gemm M=8,N=8,K=8 +[0-9]' out || fail "the other one was not begun after the time was over"

# What is wrong is said before anything is measured, with the layer that has it.
layer() { printf '{"network": "n", "layers": [{"source": "gemm.sq", "at": {"M": 8, "N": 8, "K": 8}}, %s]}' "$1" >net/bad.json; }
refused() {
    expect 1 tune --network=net/bad.json --store=none
    says "$1"
}
layer '{"source": "gemm.sq", "at": {"M": 8, "N": 8, "K": 8}, "cuont": 2}'
refused "layers[1]: there is no member 'cuont' here"
says "help: did you mean 'count'?"
layer '{"source": "gemm.sq", "count": 0}'
refused "layers[1]: 'count' has to be a whole number from 1 to 1000000"
layer '{"source": "gemm.sq", "at": {"M": "8"}}'
refused "layers[1]: 'at' has a size that is no whole number from 0: 'M'"
layer '{"source": "two.sq", "at": {"N": 8}}'
refused "'net/two.sq' has 2 kernels; a layer is one"
layer '[]'
refused "layers[1]: a layer has to be an object"
layer '{"source": 7}'
refused "layers[1]: 'source' has to be text"
layer '{"source": "gemm.sq", "kernel": "a\u001b[31m"}'
refused "layers[1]: 'kernel' has control characters"
mkdir net/a
sed 's/A\[i\]\[k\] \*/2.f * &/' net/gemm.sq >net/a/gemm.sq
layer '{"source": "a/gemm.sq", "at": {"M": 8, "N": 8, "K": 8}}'
expect 1 tune --network=net/bad.json --store=none --out-dir=.
says "are different kernels with one entry in './gemm."
expect 64 tune --network=net/small.json --model=bogus
says "there is no model 'bogus'"
absent_of() { ! grep -q 'layers' out || fail "something was measured"; }
absent_of
printf '{"network": "n", "layers": []}' >net/bad.json
refused "'layers' has to be a list with a layer or more"
printf '{"network": "n",\n "layers": [}' >net/bad.json
refused 'net/bad.json:2:'
printf '[1]' >net/bad.json
refused "a network has to be an object"
layer '{"source": "gemm.sq", "at": {"M": 8, "N": 8}}'
expect 64 tune --network=net/bad.json
says "size 'K' of kernel 'gemm' is not known"
says 'in layers[1] of net/bad.json'
layer '{"source": "none.sq"}'
expect 3 tune --network=net/bad.json
says "net/none.sq"
expect 64 tune net/gemm.sq --network=net/small.json
says "cannot stand beside it"
expect 64 tune --network=net/small.json --fix=M=4
says "--fix cannot stand beside --network"
[ ! -e net/gemm.sched ] || fail "something was measured"

# The sample's layers can all be read, and the first one measured; the others are not reached, and say so.
expect 0 tune --network="$SQUALL_SOURCE/samples/resnet18/resnet18.json" --trials=1 --store=none --out-dir=.
prints 'resnet18: 18 layers, 18 kernels, '
[ "$(grep -c 'not reached' out)" = 17 ] || fail "the others were reached"
