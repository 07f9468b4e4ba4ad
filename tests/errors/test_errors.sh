#!/bin/sh
# Wrong descriptions, and C files with wrong regions: every *.sq and *.c of this folder says in its last line which error must come first,
#     // error: line:col: text
# The tool's first line must begin so (with the file's name before it), the exit code be 1, and
# nothing be written.
# An error in another file names it: `// error: broken.h:2:9: text`.
set -u
here=$SQUALL_SOURCE/tests/errors
LC_ALL=C
export LC_ALL
bad=0
count=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
cp "$here"/*.sq "$here"/*.c "$here"/*.h .
for file in *.sq region_*.c; do
    count=$((count + 1))
    wanted=$(sed -n 's|^// error: ||p' "$file")
    case $wanted in
    [0-9]*) wanted="$file:$wanted" ;;
    esac
    place=${wanted%%: *}
    wanted="$place: error: ${wanted#*: }"
    header=--header=out.h
    [ "${file%.c}" = "$file" ] || header= # regions have none
    "$SQUALL" compile "$file" -o out.c $header 2>err
    code=$?
    got=$(head -n 1 err)
    case $got in
    "$wanted"*) said=1 ;;
    *) said=0 ;;
    esac
    if [ $said = 0 ] || [ $code != 1 ] || [ -e out.c ] || [ -e out.h ]; then
        bad=1
        echo "$file: exit code $code, wanted: $wanted"
        cat err
        rm -f out.c out.h
    fi
    # The caret line shows what is meant.
    grep -q '\^' err || { echo "$file: no caret"; bad=1; }
done
[ $count -ge 70 ] || { echo "only $count files found"; bad=1; }
exit $bad
