#!/bin/sh
# samples/bazel against the installed tree, where there is a Bazel: what it generates is right, a build has nothing
# to do when nothing changed, and a .sched that appears or an include that changes is taken. Bazel's rules for C
# come from the network, so that the C is compiled here.
set -eu
bazel=
for name in bazel bazelisk; do
    [ -n "$bazel" ] || bazel=$(command -v $name || true)
done
[ -n "$bazel" ] || { echo "skipped: there is no bazel (Debian: bazel-bootstrap)"; exit 77; }
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cmake --install "$SQUALL_BUILD" --prefix "$PWD/prefix" >install.log
samples=prefix/share/squall/samples
mkdir project
cp $samples/bazel/* $samples/gemm.sq $samples/main.c project
sed -i "s,/usr/local,$PWD/prefix," project/WORKSPACE project/MODULE.bazel
echo '#include "part.h"' >>project/gemm.sq
echo '/* included */' >project/part.h
sed -i 's,src = "gemm.sq",&\, hdrs = ["part.h"],' project/BUILD

fail() {
    echo "FAILED: $*"
    cat log
    exit 1
}
# build WHAT: generates, and what it generates is compiled and right. No server stays.
build() {
    (cd project && "$bazel" --batch --output_user_root="$scratch/root" build //:kernels.generate) >log 2>&1 ||
        fail "$1: the build fails"
    "$CC" -O1 -Iproject/bazel-bin project/main.c project/bazel-bin/gemm.c -lm -o app && ./app | grep -q 'gemm is right' ||
        fail "$1: the program is wrong"
}
# Outputs are read-only, as are the folders that they are in.
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
build "first build"
build "nothing changed"
grep -q ' 1 process: 1 internal' log || fail "something was done although nothing changed"
printf 'squall-sched 1\nclass generic\n\nhash %032d source %032d\nkernel gemm at * {\n%s\n}\n' 0 0 'tile(j:4)' \
    >project/gemm.generic.sched
build "a .sched appeared"
grep -qF 'gemm: tile(j:4)' project/bazel-bin/gemm.c || fail "the .sched that appeared is not used"
rm project/gemm.generic.sched
echo '#define ONE 1' >project/part.h
build "an include changed"
! grep -qF 'gemm: tile(j:4)' project/bazel-bin/gemm.c || fail "the .sched that went is used"
sed -i 's,src = "gemm.sq",& \, targets = ["neon"\, "generic"\, "openmp"],' project/BUILD
build "several targets"
grep -q gemm_isa project/bazel-bin/gemm.h || fail "the file is not for several targets"
sed -i 's, \, targets = [^]]*],\, targets = ["generic"\, "tasks"],' project/BUILD
build "tasks"
grep -q gemm_on project/bazel-bin/gemm.h || fail "the file has no loops for threads of the caller"
! grep -q gemm_isa project/bazel-bin/gemm.h || fail "tasks are taken for a processor"
