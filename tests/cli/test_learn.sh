#!/bin/sh
# squall learn and --ranker: what was measured at some sizes leads the search at others, the same way each time; a ranker
# of another kind, or damaged, is refused and left alone.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
gemm >gemm.sq
own_folders

# Options, before anything is read.
expect 64 learn
says 'learn from what?'
expect 64 learn gemm.sq
says 'Give --ranker=FILE'
expect 64 learn gemm.sq --ranker=gemm.sq
says "'gemm.sq' is there and is no ranker: it is left alone"
gemm | cmp -s - gemm.sq || fail "the description was written to"
expect 64 tune gemm.sq --fix=M=31,N=33,K=29 --search=random --ranker=a.ranker
says "search 'random' begins with no ranker"
says 'those that begin with it, by --search: default storm ansor meta'
expect 64 race gemm.sq --fix=M=31,N=33,K=29 --record=a --ranker=a.ranker
says '--record compares no searches'
expect 64 learn gemm.sq --ranker=a.ranker --model=tables
says "there is no model 'tables': trees, pacm or mlp"
expect 64 tune gemm.sq --fix=M=31,N=33,K=29 --search=moa
says "search 'moa' begins with a network: give --ranker=FILE"
if "$SQUALL" show searches | grep -q '^ansor .*; needs '; then
    echo "XGBoost's library is not here"
    exit 77
fi
expect 64 race gemm.sq --fix=M=31,N=33,K=29 --searches=grid,random --ranker=a.ranker
says "search 'grid' begins with no ranker"
expect 3 learn gemm.sq --ranker=a.ranker --store=empty.db
says 'there is nothing to learn from'
absent a.ranker

# From the store: of sizes that were constants, of others that were not; what is another kernel is left out.
expect 0 tune gemm.sq --fix=M=64,N=64,K=64 --trials=40 --search=random --store=a.db -q
expect 0 tune gemm.sq --at=M=48,N=96,K=80 --trials=40 --search=random --store=a.db -q
sed 's/A\[i\]\[k\] \*/2 * &/' gemm.sq >twice.sq
expect 0 tune twice.sq --fix=M=32,N=32,K=32 --trials=3 --store=a.db -q
expect 0 learn gemm.sq --ranker=a.ranker --store=a.db
prints ' trees of '
prints 'gemm M=64,N=64,K=64, '
prints 'gemm M=48,N=96,K=80, '
[ "$(grep -c '^  gemm ' out)" = 2 ] || fail "not two tasks"
says 'gemm: trials at 1 row of sizes are of another kernel of this name, and left out'
cp a.ranker once.ranker
expect 0 learn gemm.sq --ranker=a.ranker --store=a.db -q
[ ! -s out ] || fail "-q talks"
same a.ranker once.ranker
python3 - <<'P' || fail "the ranker is not whole"
import json
lines = [json.loads(line) for line in open("a.ranker")]
head, end = lines[0], lines[-1]
assert head["ranker"] == 2 and head["model"] == "trees" and head["trees"] == len(lines) - 2 == end["end"] > 10
assert 70 <= head["points"] <= 80, head
assert len(head["tasks"]) == 2
P

# A search begins with it, one of a network does as well.
expect 0 tune gemm.sq --fix=M=56,N=64,K=72 --trials=5 --search=ansor --ranker=a.ranker --store=none -q
cat >net.json <<'J'
{"network": "two", "layers": [{"source": "gemm.sq", "fix": {"M": 40, "N": 64, "K": 32}},
                              {"source": "gemm.sq", "fix": {"M": 24, "N": 64, "K": 48}}]}
J
expect 0 tune --network=net.json --trials=12 --search=ansor --ranker=a.ranker --store=none -q

# Landscapes lead as well: in one that was learned from, the search begins with the best, and does so each time.
expect 0 race gemm.sq --fix=M=96,N=128,K=64 --record=one.landscape --points=600 -q
expect 0 race gemm.sq --fix=M=64,N=96,K=96 --record=two.landscape --points=600 -q
expect 0 learn one.landscape two.landscape --ranker=one.ranker
prints 'gemm M=96,N=128,K=64 '
play="race --replay=two.landscape --searches=ansor,random --seeds=4 --trials=30 --model=none --json -q"
for run in 1 2; do
    expect 0 $play --ranker=one.ranker
    mv out warm$run
done
expect 0 $play
mv out cold
python3 - <<'P' || fail "the ranker does not lead"
import json
def runs(path, search):
    return [r for r in json.load(open(path))[0]["runs"] if r["search"] == search]
def gain(path, search, trials):
    product = 1
    for r in runs(path, search):
        product *= max(gain for trial, seconds, gain in r["curve"] if trial <= trials)
    return product ** 0.25
def lines(path):
    return [(r["search"], r["seed"], r["script"], [(t, g) for t, s, g in r["curve"]]) for s in ("ansor", "random")
            for r in runs(path, s)]
assert lines("warm1") == lines("warm2")
assert [r["script"] for r in runs("warm1", "random")] == [r["script"] for r in runs("cold", "random")]
best = max(max(g for t, s, g in r["curve"]) for r in runs("cold", "random") + runs("cold", "ansor"))
assert gain("warm1", "ansor", 2) > 0.93 * best, best
assert lines("warm1") != lines("cold")
P

# What ranks best what it has not seen: a table of all models; the analytic one has learned nothing. Nothing is written.
cp one.ranker as-it-was
expect 0 learn one.landscape two.landscape --eval -v
for model in draft trees mlp pacm tlp; do
    [ "$(grep -c "^  $model *gemm M=" out)" = 2 ] || fail "$model: not two tasks"
    grep -q "^$model  *2 " out || fail "$model: no summary"
done
[ "$(awk '$1 == "draft" && $2 == 2 && $NF == "1.000"' out | wc -l)" = 1 ] || fail "the best of 512 is the best"
expect 0 learn gemm.sq --eval --model=draft --store=a.db
prints 'model   tasks    all   near  of 5      1      5     64    512'
grep -q '^draft  *2 ' out || fail "no summary of the store"
same one.ranker as-it-was
expect 64 learn one.landscape --eval --ranker=new.ranker
says '--eval writes no ranker'
expect 64 learn one.landscape --eval --model=tables
says "there is no model 'tables' to judge: draft, trees, mlp, pacm or tlp"

# A network of a few points leads moa, the same way each time, and no search that begins with trees.
expect 0 race gemm.sq --fix=M=16,N=32,K=16 --record=few.landscape --points=40 -q
expect 0 learn few.landscape --model=pacm --ranker=few.ranker -q
net="race --replay=two.landscape --seeds=1 --trials=30 --model=none"
expect 0 $net --searches=moa,moa-tuned,pruner --ranker=few.ranker --json -q
mv out once
expect 0 $net --searches=moa,moa-tuned,pruner --ranker=few.ranker --json -q
python3 - <<'P' || fail "the network does not lead"
import json
def runs(path):
    return {r["search"]: [(t, g) for t, s, g in r["curve"]] + [r["script"]] for r in json.load(open(path))[0]["runs"]}
once, again = runs("once"), runs("out")
assert once == again and once["moa"] != once["pruner"], once
P
expect 64 $net --searches=ansor --ranker=few.ranker
says "search 'ansor' begins with trees, and this ranker is a network"
says 'those that begin with it, by --searches: moa'
expect 64 $net --searches=moa --ranker=one.ranker
says "search 'moa' begins with a network, and this ranker is of trees"
expect 0 learn few.landscape --model=mlp --ranker=mlp.ranker -q
expect 1 $net --searches=moa --ranker=mlp.ranker
says 'this network reads no flow of data'

# Refused, and left alone.
expect 3 $play --ranker=not-there
says 'not-there'
expect 1 $play --ranker=gemm.sq
says 'gemm.sq:1:1: error: this is no ranker'
says 'learns one from the trials in the store'
sed '1s/"ranker": 2/"ranker": 3/' one.ranker >newer
expect 1 $play --ranker=newer
says 'a ranker of another version; this program reads version 2'
sed '1s/"class": "[a-z0-9]*"/"class": "toaster"/' one.ranker >toaster
for words in "$play" "tune gemm.sq --fix=M=8,N=8,K=8 --search=meta --trials=2" "tune --network=net.json --search=ansor"; do
    expect 1 $words --ranker=toaster
    says 'this ranker was learned on machines of class toaster; this is for class '
done
for file in gemm.sq newer toaster; do
    [ -e $file ] || fail "$file is gone"
done
# Damaged: an error for every search that would begin with it, and for one of a network, before anything is measured.
sed '3s/[0-9]/7/g' one.ranker >trees.ranker
sed '3s/[0-9]/7/g' few.ranker >weights.ranker
head -n 5 one.ranker >cut.ranker
refused() {
    file=$1
    cp "$file" as-it-was
    shift
    expect 1 "$@"
    says ': error: this ranker is damaged'
    says 'learns one from the trials in the store'
    [ ! -s out ] || fail "something ran"
    same "$file" as-it-was
}
refused trees.ranker $play --ranker=trees.ranker
refused cut.ranker $play --ranker=cut.ranker
refused trees.ranker tune gemm.sq --fix=M=8,N=8,K=8 --search=ansor --trials=2 --ranker=trees.ranker
refused weights.ranker tune gemm.sq --fix=M=8,N=8,K=8 --search=moa --trials=2 --ranker=weights.ranker
refused weights.ranker $net --searches=moa --ranker=weights.ranker
refused weights.ranker race gemm.sq --fix=M=8,N=8,K=8 --searches=moa --seeds=1 --trials=2 --ranker=weights.ranker
refused trees.ranker tune --network=net.json --search=ansor --ranker=trees.ranker
[ -z "$(ls -- *.bad-* 2>/dev/null)" ] || fail "a ranker was renamed"
