#!/bin/sh
# squall doctor: a row for each thing that is needed, found by trying it; exit 0, 2 and 3 as it promises when
# something is missing, too old or broken, and the row that says so.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
unset NVCC CXX

# row NAME HEALTH TEXT: that row has that health and says that.
row() { grep "^$1 " out | grep -qE "^$1 +$2 .*$3" || { cat out; fail "the row '$1' is not: $2 ... $3"; }; }

expect 0 doctor
silent
row squall ok "version $("$SQUALL" --version | sed -n '1s/^squall //p')"
row libclang ok 'version [0-9]+\..*libclang'
row isl ok 'isl-0\.[0-9]+.*libisl'
row PCRE2 ok '[0-9]+\.[0-9]+.*libpcre2'
row compile ok 'becomes [0-9]{3,} bytes of C'
row processor ok 'class [a-z0-9]+; runs code for: generic.*; [1-9][0-9]* cores'
row timer ok 'smallest step is [0-9]+ ns'
row 'C compiler' ok 'builds a program that runs'
row harness ok "squall-harness"
row store ok "$XDG_STATE_HOME/squall/samples.db, 0 trials"
row caches ok 'L1 [1-9][0-9]* KiB'
row speed ok '[0-9.]+ GFLOP/s'
[ "$(tail -n 1 out)" = 'every command of this build works' ] || fail "no verdict"
absent state # it makes no store

NVCC=$scratch/none # trying a device takes seconds
export NVCC
expect 0 doctor --json
json 'j["code"] == 0 and j["verdict"] == "every command of this build works" and len(j["checks"]) >= 14'
json '{c["check"] for c in j["checks"]} >= {"libclang", "compile", "C compiler", "harness", "store", "timer"}'
json 'all(c["health"] in ("ok", "absent") and c["text"] for c in j["checks"])'

# A compiler that is not there, that fails, whose program does not run: compile works all the same.
PATH=$scratch/none CC= expect 2 doctor
row 'C compiler' BROKEN "there is no C compiler 'cc'; install gcc or clang"
row compile ok bytes
prints 'compile works; check, bench and tune do not'
CC=$scratch/nowhere/gcc expect 2 doctor --json
json 'j["code"] == 2 and [c["check"] for c in j["checks"] if c["health"] == "broken"] == ["C compiler"]'
json '[c["needed_by"] for c in j["checks"] if c["health"] == "broken"] == ["measure"]'
fake() { # TEXT: ./fake is a compiler that does this
    printf '#!/bin/sh\n%s\n' "$1" >fake
    chmod +x fake
}
fake 'echo "error: no licence for this compiler" >&2; exit 1'
expect 2 doctor --cc="$scratch/fake"
row 'C compiler' BROKEN 'no licence for this compiler'
fake 'exit 0'
expect 2 doctor --cc="$scratch/fake"
row 'C compiler' BROKEN 'it builds no program'
fake "$CC"' -x c - -o "$2" <<C
int main(void) { return 7; }
C'
expect 2 doctor --cc="$scratch/fake"
row 'C compiler' BROKEN 'does not run: status 7, signal 0'
fake "case \"\$*\" in *-fopenmp*) echo 'error: no OpenMP' >&2; exit 1 ;; esac; exec $CC \"\$@\""
expect 0 doctor --cc="$scratch/fake" # no command needs it
row OpenMP absent 'no OpenMP'

# The harness and the store.
SQUALL_HARNESS=$scratch/none expect 2 doctor
row harness BROKEN none
echo 'buy milk' >notes.txt
expect 2 doctor --store=notes.txt
row store BROKEN "'notes.txt' is no database"
gemm >gemm.sq
expect 0 tune gemm.sq --fix=M=16,N=16,K=16 --trials=2 -q --store=own.db
"$SQUALL" show best gemm.sq --fix=M=16,N=16,K=16 --store=own.db --json >out
cp own.db before.db
expect 0 doctor --store=own.db
row store ok 'own.db, [1-9][0-9]* trial'
same own.db before.db
TMPDIR=$scratch/none expect 2 doctor
row temporary BROKEN none

# No nvcc, which matters to no command; a file is no argument.
expect 0 doctor
row nvcc absent "no '$scratch/none'"
expect 64 doctor gemm.sq
says 'takes no file'

# libclang: none, and one that is too old. The loader is asked for it by a library that is loaded first.
[ "$SQUALL_SANITIZED" = 0 ] || { echo "skipped: loading another libclang (sanitizers come first)"; exit 0; }
cat >loader.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
void *dlopen(const char *name, int flags)
{
    void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    const char *other = getenv("OTHER_LIBCLANG");
    if (name && strstr(name, "libclang"))
        return *other ? next(other, flags) : NULL;
    return next(name, flags);
}
C
echo 'void clang_createIndex(void); void clang_createIndex(void) {}' >old.c
"$CC" -shared -fPIC loader.c -o loader.so -ldl
"$CC" -shared -fPIC old.c -o old.so
LD_PRELOAD=$scratch/loader.so OTHER_LIBCLANG= expect 3 doctor
row libclang BROKEN 'libclang is not installed; libclang 17 or newer reads descriptions'
row compile BROKEN 'libclang is not installed'
[ "$(tail -n 1 out)" = 'compile does not work' ] || fail "no verdict"
LD_PRELOAD=$scratch/loader.so OTHER_LIBCLANG=$scratch/old.so expect 3 doctor --json
json '"too old: it has no clang_" in [c["text"] for c in j["checks"] if c["check"] == "libclang"][0]'
json 'j["code"] == 3'
