#!/bin/sh
# samples/rust against the installed tree: its tests pass, and the generator runs when an include, a .sched or the
# generator itself changed, and only then.
set -eu
minor=$(cargo --version 2>/dev/null | sed -n 's/^cargo 1\.\([0-9]*\).*/\1/p')
[ "${minor:-0}" -ge 82 ] || { echo "skipped: there is no Cargo of 1.82 or later"; exit 77; }
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cmake --install "$SQUALL_BUILD" --prefix "$PWD/prefix" >install.log
mkdir "a project"
cp -r prefix/share/squall/samples/rust/[!t]* "a project"
cd "a project"
echo '/* included */' >"kernels/a part.h"
echo '#include "a part.h"' >>kernels/layer.sq
sched=kernels/layer.generic.sched

fail() {
    echo "FAILED: $*"
    cat log
    exit 1
}

# A generator that counts its runs.
cat >../squall <<T
#!/bin/sh
[ "\$1" != compile ] || echo run >>"$scratch/runs"
exec "$scratch/prefix/bin/squall" "\$@"
T
chmod +x ../squall
SQUALL=$scratch/squall
RUSTFLAGS="-D warnings"
export SQUALL RUSTFLAGS

# expect RUNS what: builds, tests, and counts.
expect() {
    : >../runs
    cargo test --offline --locked >log 2>&1 || fail "$2: the tests fail"
    grep -q '2 passed' log || fail "$2: other tests"
    ran=$(wc -l <../runs)
    [ "$ran" = "$1" ] || fail "$2: the generator ran $ran times instead of $1"
    sleep 1 # the next change is newer than what this build wrote
}
written() { cat target/debug/build/sample_layer-*/out/layer.c; }

expect 1 "first build"
expect 0 "nothing changed"
echo '#define ONE 1' >"kernels/a part.h"
expect 1 "include changed"
expect 0 "after the include"
printf 'squall-sched 1\nclass generic\n\nhash %032d source %032d\nkernel dense at * {\n%s\n}\n' 0 0 'tile(i:4)' >$sched
expect 1 "a .sched appeared"
written | grep -qF 'dense for generic: tile(i:4)' || fail "the .sched that appeared is not used"
expect 0 "after it appeared"
sed -i 's/i:4/i:2/' $sched
expect 1 "a .sched changed"
written | grep -qF 'dense for generic: tile(i:2)' || fail "the .sched that changed is not used"
rm $sched
expect 1 "a .sched went"
expect 0 "after it went"
touch ../squall
expect 1 "generator replaced"
! written | grep -qE '#pragma omp|pthread_' || fail "the kernels start threads"

# What squall refuses ends the build with its words.
echo 'kernel again(int N, f32 A[N]) { idx i; A[j] = 1; }' >>kernels/layer.sq
! cargo build --offline --locked >log 2>&1 || fail "a wrong description is built"
grep -q "layer.sq:[0-9]*:[0-9]*: error: .*'j'" log || fail "squall's message is lost"
! SQUALL=no-such-squall cargo build --offline --locked >log 2>&1 || fail "built without squall"
grep -q 'no-such-squall cannot be run' log || fail "no word of a missing squall"
exit 0
