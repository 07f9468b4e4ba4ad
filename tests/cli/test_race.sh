#!/bin/sh
# squall race: searches on one space from one start. What it prints, what it leaves behind, what it refuses.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
gemm >gemm.sq
own_folders
at='--fix=M=48,N=48,K=48'

# Two searches, two seeds: four runs of as many trials, a line a search, and nothing is kept.
expect 0 race gemm.sq $at --searches=random,droplet --seeds=2 --trials=4 -q
prints 'gemm M=48,N=48,K=48: start '
prints '; 2 seeds, 4 trials each'
[ "$(grep -cE '^  (random|droplet) +[0-9.]+x +\([0-9.]+ to [0-9.]+\) ' out)" = 2 ] || fail "not a line for each search"
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"
[ ! -e state ] || fail "a store was written"
[ -z "$(ls -- *.sched 2>/dev/null)" ] || fail "a schedule was written"

# Every run begins at the start, ends with its trials, and has a curve that only rises. Without the model nobody asks it,
# and the start is another.
for model in draft none; do
    expect 0 race gemm.sq $at --searches=random,annealing --seeds=2 --seed=3 --trials=4 --model=$model --json -q
    json 'len(j) == 1 and len(j[0]["runs"]) == 4'
    json '[(r["search"], r["seed"]) for r in j[0]["runs"]] == [(s, n) for n in (3, 4) for s in ("random", "annealing")]'
    json 'all(r["trials"] == 4 and sum(r["failed"].values()) >= 0 for r in j[0]["runs"])'
    json 'all(r["curve"][0][0] == 1 and r["curve"][0][2] == 1 for r in j[0]["runs"])'
    json 'all(a[0] < b[0] and a[1] <= b[1] and a[2] < b[2] for r in j[0]["runs"] for a, b in zip(r["curve"], r["curve"][1:]))'
    json 'all(r["failed"]["wrong"] == 0 for r in j[0]["runs"])'
    json "all((r['drafts'] > 0) == ('$model' == 'draft') for r in j[0]['runs'])"
    json 'len({r["start_seconds"] for r in j[0]["runs"]}) > 1' # each is measured anew
done
# At the least values of all coordinates a multiplication of matrices is slow: points at random are better.
expect 0 race gemm.sq $at --searches=random,annealing --seeds=1 --trials=20 --model=none --json -q
json 'all(r["gain"] > 1.3 for r in j[0]["runs"])'

# A budget of seconds in place of a number of trials.
expect 0 race gemm.sq $at --searches=random --seeds=1 --budget=1s -q
prints '; 1 seed, 1 s each'

# What chance drew alone is said to be random search.
expect 0 race gemm.sq $at --searches=genetic,random --seeds=1 --trials=3
says "search 'genetic' had 3 trials in a run, and draws the first 100 by chance: this is random search"
[ "$(grep -c 'this is random search' err)" = 1 ] || fail "random search is what it is called"

# A run whose start is not built ends the race; what ended before is printed. The compiler fails for one candidate: the
# first of the second seed, behind three of the first.
cat >failing-cc <<'C'
#!/bin/sh
for word; do
    case $word in
    *.c) if grep -q 'define SQ_TARGET' "$word"; then
            echo x >>"$RACE_BUILDS"
            [ "$(wc -l <"$RACE_BUILDS")" != "$RACE_FAILS" ] || { echo "$word:1:1: error: not today" >&2; exit 1; }
        fi ;;
    esac
done
exec "$RACE_CC" "$@"
C
chmod +x failing-cc
RACE_BUILDS=$PWD/builds RACE_FAILS=4 RACE_CC=$CC
export RACE_BUILDS RACE_FAILS RACE_CC
expect 3 race gemm.sq $at --searches=random --seeds=3 --trials=3 --jobs=1 --cc="$PWD/failing-cc"
says "search 'random', seed 2: "
says 'error'
[ "$(grep -c '^  random ' out)" = 1 ] || fail "the run that ended is not printed"

# Refused: names, numbers, kernels that write nothing.
expect 64 race gemm.sq $at --searches=random,storn
says "there is no search 'storn'"
says "did you mean 'storm'?"
expect 64 race gemm.sq $at --searches=grid,random,grid
says "search 'grid' stands there twice"
for none in '' 'grid,'; do
    expect 64 race gemm.sq $at --searches=$none
    says "there is no search ''"
done
expect 64 race gemm.sq $at --searches=random,,grid
says "there is no search ''"
expect 64 race gemm.sq $at --seeds=101
says "accepted are up to 100"
expect 64 race gemm.sq $at --model=mlp
says "there is no model 'mlp'"
expect 64 race gemm.sq
says "sizes 'M', 'N', 'K' of kernel 'gemm' are not known"
expect 2 race gemm.sq --fix=M=0,N=48,K=48 --trials=2
says "the kernel writes nothing at these sizes"
expect 64 race gemm.sq $at --search=random
