#!/bin/sh
# Rows of the vector operations: the text of each, for each type, number of lanes and target, executed
# beside what it means (codegen/isa/rows.h): here, or by qemu; only compiled where neither runs it.
# SQUALL_ISA_VECTORS=2 takes shapes of up to two vectors of the target's, and so on.
set -eu
. "$SQUALL_SOURCE/tests/targets.sh"
print=$SQUALL_BUILD/isa-rows
vectors=${SQUALL_ISA_VECTORS:-1}
flags="-std=gnu11 -w -Wno-psabi -ffp-contract=off -I$SQUALL_SOURCE/tests/exec"
all=0 ran=0 compiled=0 same=0 bad=0
rm -rf others.* # of an earlier run

# target: how programs of it are built and run; $run is "none" where nothing runs them
choose() {
    cc=$CC run=
    case $1 in
    neon)
        [ "$(uname -m)" = aarch64 ] && return
        cc="aarch64-linux-gnu-gcc -static" run=qemu-aarch64
        ;;
    *) targets 'runs && arch == ""' | grep -qx "$1" || run="qemu-x86_64 -cpu max" ;;
    esac
    # shellcheck disable=SC2086
    set -- $run
    [ $# = 0 ] || command -v "$1" >/dev/null || run=none
}

# The rows of a target that has a few instructions more than another are that one's, but for those: they are executed
# once. $others has the programs of an architecture so far, without the line of the instruction set.
is_known() {
    others=$PWD/others.${cc%%-*}
    mkdir -p "$others"
    grep -v '^#define SQ_TARGET' rows.c >rows.plain
    for other in "$others"/*; do
        [ "$run" = none ] || ! cmp -s "$other" rows.plain || return 0
    done
    cp rows.plain "$others/$target.$1"
    return 1
}

# type [row]: $said is "N rows executed, M wrong", or empty
try() {
    "$print" "$target" "$1" "$vectors" ${2:+"$2"} >rows.c
    level="-Og -o rows rows.c -lm" said=
    [ "$run" != none ] || level="-O0 -S -o /dev/null rows.c"
    # shellcheck disable=SC2086
    $cc $flags $level || { echo "$target, $1: the compiler rejects it"; bad=1; return; }
    [ "$run" != none ] || return 0
    # shellcheck disable=SC2086
    { said=$($run ./rows 2>&1) || true; } 2>/dev/null
    case $said in
    *wrong) ;;
    *) [ "$run" = "qemu-x86_64 -cpu max" ] || { echo "$target, $1: $said"; bad=1; }
        run=none said= ;; # no such instruction
    esac
}

for target in $(targets 'arch == ""'); do
    choose "$target"
    command -v "${cc%% *}" >/dev/null || { echo "$target: there is no ${cc%% *}"; continue; }
    here=0 only=0 known=0
    "$print" "$target" >types
    while read -r type rows; do
        all=$((all + rows))
        "$print" "$target" "$type" "$vectors" >rows.c
        if is_known "$type"; then
            known=$((known + rows))
            continue
        fi
        try "$type" </dev/null
        done=$(echo "$said" | sed -n 's/^\([0-9]*\) rows executed.*/\1/p')
        case $said in
        *" 0 wrong") here=$((here + done)) ;;
        *wrong) here=$((here + done)) bad=1; echo "$target, $type: $said" ;;
        *) only=$((only + rows)) ;;
        esac
    done <types
    echo "$target: $here rows executed${run:+ ($run)}, $only only compiled, $known as another target's"
    ran=$((ran + here)) compiled=$((compiled + only)) same=$((same + known))
done

echo "$all rows: $ran executed, $compiled only compiled, $same as another target's"
[ $((ran + compiled + same)) -ge "$all" ] && [ "$ran" -gt 0 ] || { echo "rows are missing"; bad=1; }

# A row that is wrong in one lane is found, for every kind of result.
target=generic run= cc=$CC
for row in min load_n lookup joined stride3 zip_second zip16_first load_back to_i32; do
    type=f32
    [ $row != to_i32 ] || type=i8
    try $type $row
    echo "$said" | grep -q "_$row: the result differs" || { echo "planted in $row: $said"; bad=1; }
done
exit $bad
