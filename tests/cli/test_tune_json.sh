#!/bin/sh
# The lines of JSON of `tune`, and what it prints of a network: docs/TUNING.md names each of their members, and no other.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
python=/usr/bin/python3
[ -x $python ] || { echo "python3 is not installed: no JSON is read"; exit 77; }
own_folders
gemm >gemm.sq
at='--at=M=48,N=48,K=48'

# Lines of both kinds, in which every third candidate fails.
picky_compiler
expect 0 tune gemm.sq $at --at=M=8,N=8,K=8 --trials=6 --jobs=1 --cc="$PWD/pickycc" --json --log=log -q
silent
mv out lines
# A search that is resumed, and finds nothing better than what it has; one that nothing can be built for.
expect 0 tune gemm.sq $at --trials=6 --jobs=1 --cc="$PWD/pickycc" --resume --json -q
mv out resumed
printf '#!/bin/sh\ncase "$*" in *naive.c* | *linked.c* | *--version*) exec cc "$@" ;; esac\nexit 1\n' >nocc
chmod +x nocc
expect 3 tune gemm.sq $at --trials=2 --cc="$PWD/nocc" --json --store=none
[ ! -s out ] || fail "a result of nothing"
cat >net.json <<'J'
{"network": "pair", "layers": [{"source": "gemm.sq", "at": {"M": 8, "N": 8, "K": 8}},
    {"source": "gemm.sq", "at": {"M": 16, "N": 8, "K": 8}, "count": 2}]}
J
expect 0 tune --network=net.json --trials=1 --store=none --out-dir=tmp --json --log=net.log -q
mv out net

$python - "$SQUALL_SOURCE/docs/TUNING.md" <<'P' || fail "docs/TUNING.md and what is printed differ"
import json, re, sys

def documented(head):
    """Names in the first column of the table that begins so in the part on lines of JSON."""
    part = open(sys.argv[1]).read().split("## Lines of JSON")[1].split("\n## ")[0]
    table = part.split(f"| {head} | |\n|---|---|\n")[1].split("\n\n")[0]
    return [name for row in table.splitlines() for name in re.findall("`([a-z_]+)`", row.split("|")[1])]

def same(what, found, *heads):
    promised = sorted(sum(map(documented, heads), []))
    if what == "a layer":
        promised = sorted(set(promised))
    assert sorted(found) == promised, f"{what}: printed {sorted(found)}, documented {promised}"

lines, log = [list(map(json.loads, open(name))) for name in ("lines", "log")]
assert log[0] == {"squall-log": 1}
samples, results = [[x for x in log[1:] if x["ev"] == ev] for ev in ("sample", "result")]
assert len(samples) + len(results) == len(log) - 1 and len(samples) >= 12
assert results == lines and [x["kernel"] for x in lines] == ["gemm M=48,N=48,K=48", "gemm M=8,N=8,K=8"]
for x in samples:
    same("a trial", x, "member", "member of a trial")
for x in lines:
    same("a result", x, "member", "member of a result")
    own = [s for s in samples if s["kernel"] == x["kernel"]]
    bad = {status: sum(s["status"] == status for s in own) for status in x["failed"]}
    assert bad == x["failed"], (bad, x)
    assert set(x["failed"]) | {"ok"} >= {s["status"] for s in own}
    assert x["found"] and x["kept"] in ("new", "untuned"), x
    assert x["trials"] == 6 and x["resumed"] == 0
    assert x["low"] <= x["seconds"] <= x["high"], x
    assert x["seconds"] and x["file"].endswith(".sched") and not x["interrupted"]
    assert (x["kept"] == "untuned") == (x["ratio"] == 1)
    best = [s for s in own if s["best"]][-1]
    assert (best["trial"], best["script"]) == (x["trial"], x["script"])
assert sum(x["failed"]["build_failed"] for x in lines) > 0
[again] = map(json.loads, open("resumed"))
assert again["resumed"] in (5, 6) and again["trials"] >= 6, again  # the untuned one may be no point of the space
same("a result", again, "member", "member of a result")
net = json.load(open("net"))
same("a network", net, "member of a network")
first, second = net["layers"]
same("a layer", first, "member of a layer")
assert not second["found"]
assert set(first) - set(second) == {"untuned_seconds", "seconds", "script"} and set(second) < set(first)
[x] = [x for x in map(json.loads, open("net.log")) if x.get("ev") == "result"]
assert x["kernel"] == first["kernel"] and x["seconds"] == first["seconds"]
P
