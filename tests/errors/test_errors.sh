#!/bin/sh
# Wrong descriptions, and C files with wrong regions: every *.sq and *.c of this folder says in its
# last lines what is printed for it, all of it and nothing else:
#     // error: line:col: text
#     // help: text
# An error in another file names it: `// error: broken.h:2:9: text`. Below an error with a place
# stands its line with a caret; the exit code is 1, and nothing is written. No message says what
# squall is made of.
#
#   sh tests/errors/test_errors.sh --update     writes what is printed now into the files
set -u
here=$SQUALL_SOURCE/tests/errors
LC_ALL=C
export LC_ALL
update=${1:-}
bad=0
count=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
cp "$here"/*.sq "$here"/*.c "$here"/*.h .
marks='^// \(error\|warning\|note\|help\): '

# A tool that cannot be started prints nothing, which is no expectation.
case $("$SQUALL" --version 2>&1) in
squall\ *) ;;
*)
    echo "'$SQUALL' does not run: name it with an absolute path in SQUALL"
    exit 1
    ;;
esac

complain() {
    echo "$1"
    bad=1
}

for file in *.sq region_*.c; do
    count=$((count + 1))
    header=--header=out.h
    [ "${file%.c}" = "$file" ] || header= # regions have none
    "$SQUALL" compile "$file" -o out.c $header 2>err
    code=$?
    sed -n "s/^\(.*:[0-9]*:[0-9]*: \)\(error\|warning\|note\|help\): /\/\/ \2: \1/p
            t
            s/^\(error\|warning\|note\|help\): /\/\/ \1: /p" err | sed "s|: $file:|: |" >got
    if [ "$update" = --update ]; then
        { sed "\#$marks#d" "$file"; cat got; } >new
        cmp -s new "$here/$file" || cp new "$here/$file"
    else
        sed -n "\#$marks#p" "$file" >wanted
        diff -u wanted got >diff || { complain "$file: other messages"; cat diff; }
    fi
    [ $code = 1 ] || complain "$file: exit code $code"
    [ -s got ] || complain "$file: no message"
    [ ! -e out.c ] && [ ! -e out.h ] || { complain "$file: something was written"; rm -f out.c out.h; }
    grep -q '\^' err || complain "$file: no caret"
    if grep -inE '\bisl|polyhed|libclang|quasi-affine|basic_set|[a-z_]+\.c:[0-9]+: ' err |
        grep -v "^[0-9]*:$file:"; then
        complain "$file: the message tells of squall's insides"
    fi
done
[ $count -ge 150 ] || complain "only $count files found"
if grep -inE '\bisl|polyhed' "$SQUALL_SOURCE"/tests/golden/messages.txt; then
    complain "a message of tests/golden tells of squall's insides"
fi
exit $bad
