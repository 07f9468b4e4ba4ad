#!/bin/sh
# samples/meson against the installed tree: the program is right, and how often the generator runs and its
# output is compiled when nothing changed, an include, a .sched or the target did.
set -eu
for tool in meson ninja; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool; scripts/deps installs it"; exit 77; }
done
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cmake --install "$SQUALL_BUILD" --prefix "$PWD/prefix" >install.log
mkdir project
cp -r prefix/share/squall/samples/meson prefix/share/squall/samples/gemm.sq prefix/share/squall/samples/main.c project
echo '/* included */' >project/part.h
echo '#include "part.h"' >>project/gemm.sq
sched=project/gemm.generic.sched

fail() {
    echo "FAILED: $*"
    cat log
    exit 1
}

# A generator that counts its runs.
cat >squall <<T
#!/bin/sh
[ "\$1" != compile ] || echo run >>"$PWD/runs"
exec "$PWD/prefix/bin/squall" "\$@"
T
chmod +x squall
printf "[binaries]\nsquall = '%s'\n" "$PWD/squall" >native.ini

# expect RUNS COMPILED what: builds and counts; - is any number.
expect() {
    : >runs
    meson compile -C build -v >log 2>&1 || fail "$3: the build fails"
    ran=$(wc -l <runs)
    compiled=$(grep -c ' -c gemm\.c$' log || true)
    [ "$ran" = "$1" ] || fail "$3: the generator ran $ran times instead of $1"
    [ "$2" = - ] || [ "$compiled" = "$2" ] || fail "$3: compiled $compiled times instead of $2"
    build/app | grep -q 'gemm is right' || fail "$3: the program is wrong"
    sleep 1 # the next change is newer than what this build wrote
}

meson setup build project/meson --native-file native.ini >log 2>&1 || fail "setup"
expect 1 1 "first build"
expect 0 0 "nothing changed"
touch project/part.h
expect 1 0 "include touched"
expect 0 0 "after the touch"
echo '#define ONE 1' >project/part.h
expect 1 1 "include changed"
printf 'squall-sched 1\nclass generic\n\nhash %032d source %032d\nkernel gemm at * {\n%s\n}\n' 0 0 'tile(j:4)' >$sched
expect 1 1 "a .sched appeared"
grep -qF 'gemm: tile(j:4)' build/gemm.c || fail "the .sched that appeared is not used"
expect 0 0 "after it appeared"
sed -i 's/j:4/j:2/' $sched
expect 1 1 "a .sched changed"
rm $sched
expect 1 1 "a .sched went"
expect 0 0 "after it went"
meson configure build -Dtargets=neon,generic,openmp >log 2>&1 || fail "configure"
expect 1 1 "another target"
grep -q gemm_isa build/gemm.h || fail "the file is not for several targets"
expect 0 0 "after another target"
touch squall
expect 1 0 "generator replaced"

meson configure build -Dtargets=generic,tasks >log 2>&1 || fail "configure"
expect 1 1 "a processor and tasks"
grep -q gemm_on build/gemm.h || fail "the file has no loops for threads of the caller"

meson configure build -Dtargets=generic,tasks -Dbudget=1s >log 2>&1 || fail "configure"
XDG_STATE_HOME=$PWD/state XDG_CACHE_HOME=$PWD/cache meson compile -C build tune >log 2>&1 || fail "tune with tasks"
grep -q openmp $sched || fail "tuned for tasks without openmp"
rm $sched
expect 0 0 "tuned with tasks, and the schedule went"

meson configure build -Dtargets=generic -Dbudget=2s >log 2>&1 || fail "configure"
expect 1 1 "the first target"
XDG_STATE_HOME=$PWD/state XDG_CACHE_HOME=$PWD/cache meson compile -C build tune >log 2>&1 || fail "tune"
[ -e $sched ] || fail "tune left no $sched"
expect 1 - "tuned" # perhaps to the schedule that it had without
expect 0 0 "after tuning"

# Of several targets that this machine runs each is tuned.
grep -qw avx2 /proc/cpuinfo 2>/dev/null || exit 0
meson configure build -Dtargets=generic,avx2 -Dbudget=2s >log 2>&1 || fail "configure"
expect 1 1 "two targets"
XDG_STATE_HOME=$PWD/state XDG_CACHE_HOME=$PWD/cache meson compile -C build tune >log 2>&1 || fail "tune of two"
[ -e "$(dirname $sched)/gemm.avx2.sched" ] || fail "tune left no schedule for avx2"
