#!/bin/sh
# Emitted files of every sample in a program: none has thread-local memory, no function more than
# 16 KiB on the stack, no call more panels than the model may plan; and threads with stacks of
# 64 KiB start in a program that holds them all and calls none.
set -eu
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
most_stack=16384
most_panels=8388608 # where sizes are parameters
names=

fail() {
    echo "FAILED: $*"
    exit 1
}

# emit TARGET: every sample, and what its header says of memory.
emit() {
    names=
    for file in "$SQUALL_SOURCE"/samples/*.sq; do
        name=$(basename "$file" .sq)
        "$SQUALL" compile "$file" --target="$1" -o "$name.c" --header="$name.h" 2>log ||
            { cat log; fail "$name for $1"; }
        grep -Eq 'A call (works in|of [a-z_0-9]* takes no memory)' "$name.h" ||
            fail "$name.h says nothing of memory"
        for bytes in $(sed -n 's/.*works in \([0-9]*\) bytes.*/\1/p
                               s/.* bytes, \([0-9]*\) more for each.*/\1/p' "$name.h"); do
            [ "$bytes" -le $most_panels ] || fail "$name for $1 packs $bytes bytes"
        done
        names="$names $name"
    done
}

# objects CC FLAGS...: compiled and looked at.
objects() {
    cc=$1
    shift
    rm -f ./*.o ./*.su
    for name in $names; do
        "$cc" "$@" -std=c11 -O1 -w -fPIC -fstack-usage -c "$name.c"
        if readelf -SW "$name.o" | grep -E '\.t(bss|data)'; then
            fail "$name has thread-local memory"
        fi
    done
    [ -n "$(cat ./*.su)" ] || fail "no figures of the stack"
    awk -v most=$most_stack '$2 > most { print; n = 1 } END { exit n }' ./*.su ||
        fail "more than $most_stack bytes on the stack"
}

cat >main.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void *idle(void *arg)
{
    return arg;
}
int main(void)
{
    size_t least = (size_t)sysconf(_SC_THREAD_STACK_MIN), stack = least > 65536 ? least : 65536;
    pthread_t t[64];
    for (int i = 0; i < 64; i++) {
        pthread_attr_t a;
        pthread_attr_init(&a);
        if (pthread_attr_setstacksize(&a, stack) != 0 || pthread_create(&t[i], &a, idle, NULL) != 0) {
            puts("threads with small stacks do not start");
            return 1;
        }
        pthread_attr_destroy(&a);
    }
    for (int i = 0; i < 64; i++)
        pthread_join(t[i], NULL);
    return 0;
}
C

# program FLAGS...: with all objects, static and as a shared library.
program() {
    cc -O1 -D_GNU_SOURCE main.c ./*.o "$@" -lm -lpthread -o static
    ./static
    cc -shared ./*.o "$@" -lm -o libsamples.so
    cc -O1 -D_GNU_SOURCE main.c -Wl,--no-as-needed ./libsamples.so "$@" -lm -lpthread -o shared
    ./shared
}

emit avx2
objects gcc
program
emit avx512,openmp
objects gcc -fopenmp -mavx512f -mavx512vl -mavx512dq -mavx512bw -mfma
program -fopenmp
emit generic
objects clang-19
emit neon
objects aarch64-linux-gnu-gcc
echo "$(echo "$names" | wc -w) samples on 4 targets"
