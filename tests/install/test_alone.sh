#!/bin/sh
# A build of compile alone (-DSQUALL_TUNER=OFF): configured where pkg-config knows isl and PCRE2 only,
# linked with nothing else, it prints for every sample what the whole squall prints, byte for byte; what
# needs the tuner says so. The tree lies in folders named like files that are left out.
set -eu
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
bad=0
complain() {
    echo "FAILED: $*"
    bad=1
}

mkdir pc
for name in isl libpcre2-8 gmp; do
    folder=$(pkg-config --variable=pcfiledir $name) && cp "$folder/$name.pc" pc
done
mkdir -p checkout/runner/tune_here
(cd "$SQUALL_SOURCE" && tar cf - --exclude='./build*' --exclude=./.git .) | tar xf - -C checkout/runner/tune_here
. "$SQUALL_SOURCE/tests/rebuild.sh"
rebuild_options "$PWD/checkout/runner/tune_here"
build=checkout/runner/tune_here/build
# shellcheck disable=SC2086 # a list of words
PKG_CONFIG_PATH= PKG_CONFIG_LIBDIR=$PWD/pc cmake -S checkout/runner/tune_here -B $build -G Ninja -DSQUALL_TUNER=OFF \
    $rebuild >log 2>&1 || { cat log; exit 1; }
cmake --build $build -j2 >log 2>&1 || { cat log; exit 1; }
DESTDIR=$PWD/stage cmake --install $build --prefix / >log 2>&1 || { cat log; exit 1; }
alone=$PWD/stage/bin/squall
[ ! -e stage/libexec ] || complain "what runs candidates is installed"
strange=$(ldd "$alone" | awk '{ print $1 }' |
    grep -vE '^(linux-vdso|libisl|libgmp|libpcre2-8|libm|libc|libdl|libpthread|libasan|libubsan|/lib.*/ld-linux)' || true)
[ -z "$strange" ] || complain "linked with: $strange"

# Its package is another one than that of the whole squall, and depends on nothing that measures.
if command -v dpkg-shlibdeps >/dev/null && command -v cpack >/dev/null; then
    cpack --config $build/CPackConfig.cmake -G DEB -B pack >log 2>&1 || { cat log; exit 1; }
    for want in 'Package: squall-compile' 'Conflicts: squall' 'Replaces: squall'; do
        dpkg-deb -f pack/squall-compile_*.deb | grep -qx "$want" || complain "the package lacks '$want'"
    done
    needs=$(dpkg-deb -f pack/squall-compile_*.deb Depends | tr ',' '\n' | sed 's/^ *\([^ ]*\).*/\1/' | sort | tr '\n' ' ')
    echo "$needs" | grep -qE '^libc6 libclang1-[0-9]+ (libgmp10 )?libisl23 libpcre2-8-0 $' || complain "it depends on: $needs"
else
    echo "its package is not tried: there is no dpkg-shlibdeps or no cpack"
fi

# same WORDS...: both print the same, messages and exit code included.
same() {
    rc=0 alone_rc=0
    "$SQUALL" "$@" >whole.out 2>whole.err || rc=$?
    "$alone" "$@" >alone.out 2>alone.err || alone_rc=$?
    [ $rc = $alone_rc ] && cmp -s whole.out alone.out && cmp -s whole.err alone.err && [ -s whole.out -o -s whole.err ] ||
        { diff whole.out alone.out | head -n 5; cat alone.err; complain "rc $alone_rc for $rc, or prints otherwise: $*"; }
}
cp -r "$SQUALL_SOURCE/samples" .
n=0
for file in samples/*.sq samples/polybench/*.sq samples/scop/*.c; do
    n=$((n + 1))
    case $((n % 4)) in
        0) same compile "$file" -o - ;;
        1) same compile "$file" --target=avx2,openmp -o - ;;
        2) same compile "$file" --machine=avx512 -o - ;;
        3) case $file in *.c) same compile "$file" --target=avx2 -o - ;; *) same compile "$file" --target=cuda -o - ;; esac ;;
    esac
done
[ $n -gt 60 ] || complain "samples not found"
for file in samples/tuned/*.sched; do
    class=$(sed -n 's/^class //p' "$file")
    name=${file##*/}
    same compile "samples/${name%.$class.sched}.sq" --target="$class" --schedule="$file" -o -
done
for file in samples/gemm.sq samples/softmax.sq; do
    same explain $file
    same show deps $file
    same show schedule $file --target=avx2
done
same show space samples/gemm.sq --at=M=64,N=64,K=64
for topic in transforms targets searches; do same show $topic; done
same show machine --machine=avx2
for device in h100-sxm5 a30; do
    same show machine --machine=$device
    same compile samples/gemm.sq --machine=$device -o -
done
for topic in compile language; do same help $topic; done
same compile samples/gemm.sq --target=avx22 -o -

refused() { # TEXT WORDS...
    text=$1 rc=0
    shift
    "$alone" "$@" >out 2>err || rc=$?
    [ $rc = 64 ] && grep -q "this squall was built without the tuner.*$text" err || { cat err; complain "rc $rc: $*"; }
}
refused 'squall tune' tune samples/gemm.sq
refused 'squall bench' bench samples/gemm.sq
refused 'squall check' check samples/gemm.sq
refused 'squall lsp' lsp
for command in tune race bench check db lsp; do
    refused "squall $command" help $command
    refused "squall $command" $command --help
    refused "squall $command" $command --no-option
    refused "squall $command" show manual $command
    [ ! -e stage/share/man/man1/squall-$command.1 ] || complain "a page of the manual about $command"
    ! "$alone" help | grep "^  $command " || complain "help lists $command"
    ! "$alone" show completions --shell=bash | grep "_squall_words '[a-z ]*$command" || complain "bash completes $command"
done
"$alone" help | grep -q 'lacks tune, race, bench, check, db, learn, lsp' || complain "help does not say what is left out"
refused 'store' show best samples/gemm.sq
refused 'cannot be measured' show machine
refused 'JSON' show targets --json
refused 'JSON' doctor --json
refused 'JSON' explain samples/gemm.sq --json
refused 'HTML' explain samples/gemm.sq --html=none.html
refused 'HTML' show schedule samples/gemm.sq --html=none.html
refused 'devices' compile samples/gemm.sq --machine=./device.json -o -
"$alone" doctor >out || complain "doctor: rc $?"
! grep '^timer' out || complain "doctor looks at what nothing uses"
grep -q '^compile  *ok' out && grep -q '^tuner  *absent  *built without it' out || { cat out; complain "doctor"; }
"$alone" compile samples/none.sq --diag=json 2>err && complain "a file that is not there is read"
grep -q '^{"severity":"error"' err || complain "--diag=json"
exit $bad
