#!/bin/sh
# What explain counts of the steps of innermost loops with multiply-adds is what gcc -O2 makes of the emitted
# text: as many multiply-adds, and as many loads but for a quarter less or a third more (the compiler loads
# an operand twice where that saves a register, or once what the text loads twice), or one of each
# multiply-add's operands, which it reads from memory again where registers are few. Accesses to the stack
# are reported: registers that were missing. --all: all samples.
all=${1:-}
. "$SQUALL_SOURCE/tests/cli/lib.sh"
[ "$(uname -m)" = x86_64 ] || exit 77
case $(${CC:-cc} --version 2>/dev/null) in
*"Free Software Foundation"*) ;;
*)
    echo "the compiler is not gcc"
    exit 77
    ;;
esac

# assemble: of k.c the loops of each function of a tile, by name. Such a function is inlined otherwise; here
# it is one for whole tiles, whose points its name says.
assemble() {
    awk '
        /^SQ_[A-Z]* void [A-Za-z0-9_]*_tile[A-Za-z0-9_]*\(/ {
            name = $3
            sub(/\(.*/, "", name)
            whole = ""
            n = split(name, word, "_")
            for (i = 1; i <= n; i++)
                if (match(word[i], /[0-9]+$/)) {
                    of = "up to " substr(word[i], RSTART) " " substr(word[i], 1, RSTART - 1)
                    if (!index(comment, of)) # all exist, or the loop counts them
                        continue
                    points = "n_" substr(word[i], 1, RSTART - 1)
                    found = sub("int64_t " points ",", "int64_t any_" points ",")
                    if (found + sub("int64_t " points "[)]", "int64_t any_" points ")"))
                        whole = whole "const int64_t " points " = " substr(word[i], RSTART) "; "
                }
            if (sub(/int part,/, "int any_part,") + sub(/int part[)]/, "int any_part)"))
                whole = whole "const int part = 0;"
            sub(/^SQ_INLINE/, "__attribute__((noinline)) static SQ_TARGET")
            print
            getline
            print $0 " " whole
            next
        }
        { print; comment = $0 }' k.c >apart.c
    ${CC:-cc} -O2 -w -S -o apart.s apart.c || fail "the text of $1 does not compile"
    awk -f "$SQUALL_SOURCE/tests/cli/innermost_loops.awk" apart.s >loops
}

# compare STEPS: functions that explain has a step of, with what it counts of one.
compare() {
    sed -nE 's/^.*, a step of [^ ]* in ([A-Za-z0-9_]*): (.*)$/\1 \2/p' out | while read -r name text; do
        case $text in
        *multiply-add*) ;;
        *) continue ;; # nothing tells its loop from others
        esac
        fma=$(echo "$text" | sed -nE 's/(^|.* )([0-9.]+) multiply-adds?.*/\2/p')
        loads=$(echo "$text" | sed -nE 's/(^|.* )([0-9.]+) loads?.*/\2/p')
        awk -v name="$name" -v fma="$fma" -v loads="${loads:-0}" -v steps="$1" '
            $1 == name {
                found = 1
                for (n = 1; !steps && n <= 8; n *= 2)
                    if ($2 == fma * n)
                        steps = n
                printf "%s, %d steps: %d multiply-adds of %g, %d loads of %g, stack %d\n", name, steps,
                    $2, fma * steps, $3, loads * steps, $5
                if ($2 != fma * steps || $3 + $5 < 0.75 * loads * steps ||
                    (3 * $3 > 4 * loads * steps && $3 > (fma + loads) * steps))
                    bad = 1
            }
            END { exit bad ? 2 : found ? 0 : 1 }' loops >told || {
            [ $? = 1 ] || fail "$(cat told)"
            continue
        }
        cat told
    done
}

# check FILE TARGET STEPS [OPTIONS...]: STEPS are those of an iteration of the loop in the text; 0: 1, 2, 4 or
# 8, what the multiply-adds say.
check() {
    file=$1 target=$2 steps=$3
    shift 3
    expect 0 compile "$SQUALL_SOURCE/$file" --target="$target" -o k.c "$@"
    expect 0 explain "$SQUALL_SOURCE/$file" --target="$target" "$@"
    assemble "$file"
    compare "$steps" >figures || fail "$file for $target: $(cat figures)"
    [ -s figures ] || [ "$steps" = 0 ] || fail "$file for $target: nothing was compared"
    sed "s,^,$file $target: ," figures | tee -a all
}

if [ "$all" = --all ]; then
    for target in avx512 avx2; do
        for sample in "$SQUALL_SOURCE"/samples/*.sq; do
            check "samples/${sample##*/}" $target 0
        done
    done
    [ "$(wc -l <all)" -ge 50 ] || fail "only $(wc -l <all) loops were compared"
    exit
fi
check samples/gemm.sq avx512 1 -e 'micro(i:14, j:32 | k)'
# Of long steps two in a row, of those that read rows apart four.
check samples/gemm.sq avx2 2 -e 'micro(i:6, j:16 | k) unroll(k:2)'
check samples/gemm.sq avx2 4 -e 'micro(i:6, j:16 | k) unroll(k:8)'
check samples/gemm.sq avx2 2 -e 'micro(i:3, j:16 | k) unroll(k:2)'
# A step of 54 updates is unrolled; one of 108 is long enough by itself.
check samples/conv2d.sq avx2 2 --fix=N=1,C=64,H=56,W=56,F=64 \
    -e 'pack(I at top) pack(G at top) micro(f:3, y:2, r:3, s:3, x:8 | c) unroll(c:2)'
check samples/conv2d.sq avx2 1 --fix=N=1,C=64,H=56,W=56,F=64 \
    -e 'pack(I at top) pack(G at top) micro(f:3, y:4, r:3, s:3, x:8 | c) unroll(c:2)'

# A filter of each channel by itself is bound by loads: taps share them, and gcc keeps them in registers.
expect 0 compile "$SQUALL_SOURCE/samples/dwconv.sq" --target=avx512 -o k.c --fix=N=1,C=144,H=56,W=56 \
    -e 'pack(I at c) micro(y:4, x:16, r:3, s:3)'
${CC:-cc} -O2 -w -S -o k.s k.c || fail "the text of dwconv does not compile"
all=$(grep -c 'vfmadd.*%zmm' k.s)
loaded=$(grep -c 'vfmadd.*(%.*%zmm' k.s || true)
[ "$all" -ge 70 ] || fail "$all multiply-adds of dwconv"
[ $((4 * loaded)) -le "$all" ] || fail "$loaded of $all multiply-adds of dwconv read memory"
