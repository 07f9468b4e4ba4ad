#!/bin/sh
# The .deb that cpack makes: it has what is promised, names every library that squall is linked with or loads,
# lintian finds no error in it, and squall runs from where dpkg puts it.
set -eu
for tool in cpack dpkg-deb dpkg-shlibdeps; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
[ "$SQUALL_SANITIZED" = 0 ] || { echo "skipped: nobody packs a build with sanitizers"; exit 77; }
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
bad=0
complain() {
    echo "FAILED: $*"
    bad=1
}

cpack --config "$SQUALL_BUILD/CPackConfig.cmake" -G DEB -B "$PWD/pack" >log 2>&1 || { cat log; exit 1; }
deb=$(ls "$PWD"/pack/squall_*.deb)
version=$("$SQUALL" --version | sed -n '1s/^squall //p')
[ "$(dpkg-deb -f "$deb" Version)" = "$version-1" ] || complain "its version is not $version-1"

dpkg-deb -f "$deb" Suggests | tr ',' '\n' | grep -qx ' *gnuplot-nox' || complain "what draws the plots of --html is not suggested"

# Into a root of its own, where dpkg knows of no other package; without it, its files are only taken out.
mkdir -p root/var/lib/dpkg/info root/var/lib/dpkg/updates
: >root/var/lib/dpkg/status
if dpkg --root="$PWD/root" --force-depends --force-not-root -i "$deb" >log 2>&1; then
    dpkg --root="$PWD/root" -L squall | grep -qx /usr/bin/squall || complain "dpkg does not know what it installed"
else
    cat log
    echo "dpkg cannot install into another root here: the package is unpacked"
    dpkg -x "$deb" root
fi
usr=$PWD/root/usr
for file in include/squall.h lib/cmake/squall/squallConfig.cmake lib/pkgconfig/squall.pc share/man/man1/squall.1.gz \
    share/man/man1/squall-compile.1.gz share/bash-completion/completions/squall share/zsh/site-functions/_squall \
    share/fish/vendor_completions.d/squall.fish share/doc/squall/copyright share/doc/squall/changelog.Debian.gz \
    share/doc/squall/CHANGELOG.md share/squall/samples/gemm.sq libexec/squall/squall-harness; do
    found=$(find root -path "*/${file#*/}")
    [ -n "$found" ] || complain "$file is not in it"
done
zcat "$usr/share/man/man1/squall-compile.1.gz" | grep -q '^\.SH NAME' || complain "no page of the manual"
while read -r line; do # the whole licence, whatever its indentation
    [ -z "$line" ] || grep -qF -- "${line#Copyright (c) }" "$usr/share/doc/squall/copyright" || complain "copyright lacks: $line"
done <<T
$(sed 1d "$SQUALL_SOURCE/LICENSE")
T

# Libraries: those that it is linked with, and the one that is loaded, belong to packages that it depends on.
dpkg-deb -f "$deb" Depends | tr ',|' '\n\n' | sed 's/^ *\([^ ]*\).*/\1/' >depends
"$usr/bin/squall" doctor >doctor 2>/dev/null || true
! grep '/\.\./' doctor || complain "doctor names a place by way of another"
loaded=$(sed -n 's/^libclang .*(\(\/[^ ]*\))$/\1/p' doctor)
[ -n "$loaded" ] || complain "doctor does not name the libclang that is loaded"
n=0
objdump -p "$usr/bin/squall" | awk '$1 == "NEEDED" { print $2 }' >needed
for library in "$loaded" $(ldd "$usr/bin/squall" | awk '$2 == "=>" { print $1, $3 }' | grep -wFf needed | cut -d' ' -f2); do
    owner=
    for path in "$library" "/usr$library" "$(readlink -f "$library")"; do
        [ -n "$owner" ] || owner=$(dpkg -S "$path" 2>/dev/null | sed 's/:.*//')
    done
    [ -n "$owner" ] || { echo "$library belongs to no package: not checked"; continue; }
    grep -qx "$owner" depends || complain "it does not depend on $owner, which has $library"
    n=$((n + 1))
done
[ $n -ge 5 ] || complain "only $n libraries were checked"

# It runs from there, and a project finds it.
cp "$SQUALL_SOURCE/samples/gemm.sq" .
env -i PATH=/usr/bin:/bin "$usr/bin/squall" compile gemm.sq --targets=generic,avx2 -o gemm.c --header=gemm.h || complain "compile"
"$SQUALL" compile gemm.sq --targets=generic,avx2 -o gemm.c --header=gemm.h --check || complain "it writes other bytes"
"$CC" -std=c11 -O1 -c gemm.c || complain "what it writes is not compiled"
env -i PATH=/usr/bin:/bin HOME="$PWD" "$usr/bin/squall" check gemm.sq --quick --at=M=5,N=6,K=7 >log 2>&1 ||
    { cat log; complain "check, which needs squall-harness"; }
cmake -S "$usr/share/squall/samples/cmake" -B app -DCMAKE_PREFIX_PATH="$usr" -DCMAKE_BUILD_TYPE=Debug >log 2>&1 &&
    cmake --build app --target app >>log 2>&1 && app/app | grep -q 'gemm is right' || { cat log; complain "find_package(squall)"; }

if command -v lintian >/dev/null; then
    lintian --fail-on error --allow-root "$deb" >log 2>&1 || { cat log; complain "lintian"; }
else
    echo "lintian is not here: not asked"
fi
exit $bad
