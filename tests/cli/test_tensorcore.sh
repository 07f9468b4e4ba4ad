#!/bin/sh
# --search=tensorcore: by the model of a device, on a landscape of it twice the same; refused where there is no tile of
# matrix instructions, and where the processor lacks what the target has.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
gemm >gemm.sq
own_folders
samples=$SQUALL_SOURCE/samples
device='--target=cuda,arch=sm_80 --runner=model'

expect 64 tune gemm.sq --fix=M=8,N=8,K=8 --target=generic --search=tensorcore --trials=2 --store=none
says "search 'tensorcore' needs tiles of matrix instructions; gemm M=8,N=8,K=8 has none for target 'generic'"
says 'sums of products of f16, bf16 or bytes have them with --target=cuda'
expect 64 race gemm.sq --fix=M=8,N=8,K=8 --searches=random,tensorcore --trials=2
says "search 'tensorcore' needs tiles of matrix instructions"
expect 0 race gemm.sq --fix=M=8,N=8,K=8 --record=g.landscape --points=12 -q
expect 64 race --replay=g.landscape --searches=tensorcore
says "gemm M=8,N=8,K=8 has none for target"
printf '{"network": "n", "layers": [{"source": "gemm.sq", "fix": {"M": 8, "N": 8, "K": 8}}]}' >net.json
expect 64 tune --network=net.json --search=tensorcore --trials=2 --store=none -q
says "search 'tensorcore' needs tiles of matrix instructions; gemm M=8,N=8,K=8 has none for target"

# The instructions that the processor lacks are named.
lacking=avx512vnni
grep -q avx512_vnni /proc/cpuinfo && lacking=neon
[ "$(uname -m)" = aarch64 ] && lacking=avx512vnni
expect 3 tune "$samples/gemm_s8.sq" --fix=M=8,N=8,K=8 --target=$lacking --search=tensorcore --trials=2 --store=none
says "cannot run target '$lacking'"

[ -e "$SQUALL_BUILD/simt/libsquall-simt.a" ] || {
    echo "no headers that run CUDA text: the rest is not tried"
    exit 0
}
# A landscape of a device that is predicted: its points have statements, and searches on it repeat.
expect 0 race "$samples/hgemm.sq" --at=M=48,N=64,K=64 $device --record=h.landscape --schedules=6 -q
python3 - <<'P' || fail "not the landscape of a device"
import json
lines = [json.loads(line) for line in open("h.landscape")]
candidates = [x for x in lines if "script" in x]
assert 3 < len(candidates) <= 6 and {c["mark"] for c in lines[0]["coordinates"]} == {3}
assert all("tensorize" in c["script"] and c["status"] == "ok" for c in candidates), candidates
assert all(len(c["features"]) == 1 for c in candidates)
P
for again in 1 2; do
    expect 0 race --replay=h.landscape --searches=tensorcore,tensorcore-undrafted,random --seeds=3 --trials=9 --json -q
    python3 -c '
import json
for r in json.load(open("out"))[0]["runs"]:
    print(r["search"], r["seed"], r["gain"], [[trial, gain] for trial, seconds, gain in r["curve"]])' >runs.$again
done
cmp runs.1 runs.2 || fail "a replay does not repeat"
expect 0 race --replay=h.landscape --seeds=1 --trials=2 --json -q
json "'tensorcore' in [r['search'] for r in j[0]['runs']]"
