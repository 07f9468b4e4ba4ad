#!/bin/sh
# The wheel: built from the checkout, it carries a squall that `squall` and `python -m squall` run, and a project
# that requires it generates its kernel while its own wheel is built (samples/python). Needs PyPI for
# scikit-build-core.
set -eu
python=${PYTHON:-python3}
"$python" -m venv --help >/dev/null 2>&1 || { echo "skipped: there is no $python with venv"; exit 77; }
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() {
    echo "FAILED: $*"
    [ ! -s log ] || tail -n 40 log
    exit 1
}
export PIP_DISABLE_PIP_VERSION_CHECK=1
"$python" -m venv build >log 2>&1 || { cat log; echo "skipped: $python makes no environment (Debian: python3-venv)"; exit 77; }
build/bin/pip wheel --timeout 10 --retries 1 -w wheels 'scikit-build-core>=0.10' >log 2>&1 ||
    { tail -n 2 log; echo "skipped: PyPI does not give scikit-build-core"; exit 77; }
build/bin/pip install --no-index --find-links wheels scikit-build-core >log 2>&1 || fail "pip install"

mkdir checkout
(cd "$SQUALL_SOURCE" && tar cf - --exclude='./build*' --exclude=./.git .) | tar xf - -C checkout
. "$SQUALL_SOURCE/tests/rebuild.sh"
rebuild_options "$PWD/checkout"
build/bin/pip wheel --no-build-isolation --no-deps -w wheels -C build-dir=build \
    -C cmake.args="$(echo "$rebuild" | tr ' ' ';')" ./checkout >log 2>&1 || fail "pip wheel"
version=$("$SQUALL" --version | sed -n '1s/^squall //p')
ls wheels/squall-"$version"-py3-none-*.whl >/dev/null || fail "a wheel of another version, or for one Python: $(ls wheels)"
! "$python" -m zipfile -l wheels/squall-*.whl | grep -E 'squall/share|libexec' || fail "the wheel carries what nothing in it uses"

# Where nothing else is, not even in PATH.
"$python" -m venv alone >log 2>&1
alone/bin/pip install --no-index wheels/squall-*.whl >log 2>&1 || fail "pip install"
cp "$SQUALL_SOURCE/samples/gemm.sq" .
env PATH=/usr/bin:/bin alone/bin/squall compile gemm.sq -o gemm.c --header=gemm.h >log 2>&1 || fail "squall compile"
"$SQUALL" compile gemm.sq -o gemm.c --header=gemm.h --check >log 2>&1 || fail "it writes other bytes"
alone/bin/python -m squall --version | grep -qx "squall $version" || fail "python -m squall"
rc=0
alone/bin/python -m squall compile none.sq -o none.c >log 2>&1 || rc=$?
[ $rc != 0 ] && grep -q none.sq log || fail "an error of squall's is lost: rc $rc"

# A project that requires it, and whose kernel a program of Python calls.
cp -r "$SQUALL_SOURCE/samples/python" project
sed -i 's,\.\./gemm\.sq,gemm.sq,' project/CMakeLists.txt
cp gemm.sq project
PATH=/usr/bin:/bin build/bin/pip wheel --no-deps --no-index --find-links wheels -w wheels "$PWD/project" >log 2>&1 || fail "a project that requires it"
alone/bin/pip install --no-index wheels/sample_gemm-*.whl >log 2>&1 || fail "pip install of the project"
cat >use.py <<'P'
from array import array
from sample_gemm import gemm

C = array("f", [1, 1, 1, 1])
gemm(2, 2, 2, 1.0, 2.0, array("f", [1, 2, 3, 4]), array("f", [5, 6, 7, 8]), C)
assert list(C) == [21, 24, 45, 52], list(C)
P
alone/bin/python use.py >log 2>&1 || fail "the kernel computes wrongly"
