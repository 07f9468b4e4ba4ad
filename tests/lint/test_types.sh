#!/bin/sh
# Types: a name of a type has one meaning. Where a header declares a struct without its members, each implementation of
# it may define them (struct sq_seek in the files of searches); all else is defined once.
set -eu
cd "$SQUALL_SOURCE"

# twice FILE...: types whose members, values or target are given in more than one file, and not in sources alone
twice() {
    awk '
        function add(name) {
            if ((name, FILENAME) in seen) return
            seen[name, FILENAME] = 1
            files[name] = files[name] " " FILENAME
            count[name]++
            headers[name] += FILENAME ~ /\.h$/
        }
        /^(typedef )?(struct|enum|union) sq_[a-z_0-9]+ \{/ { add($1 == "typedef" ? $3 : $2); next }
        /^} sq_[a-z_0-9]+;/ { name = $2; sub(/;/, "", name); add(name); next }
        /^typedef [^(]*[ *]sq_[a-z_0-9]+;$/ {
            name = $NF
            gsub(/[*;]/, "", name)
            if (name != $3) add(name)
        }
        END { for (name in count) if (count[name] > 1 && headers[name]) print name " is defined in" files[name] }' "$@"
}

# The search finds what it is for, and nothing else.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf 'typedef struct sq_one {\n    int x;\n} sq_one;\ntypedef struct sq_hidden sq_hidden;\n' >"$scratch/a.h"
printf 'typedef enum {\n    A\n} sq_one;\nstruct sq_hidden {\n};\n' >"$scratch/b.c"
printf 'struct sq_hidden {\n};\n' >"$scratch/c.c"
case $(twice "$scratch/a.h" "$scratch/b.c" "$scratch/c.c") in
    "sq_one is defined in $scratch/a.h $scratch/b.c") ;;
    *) echo "of three files one type is defined twice: $(twice "$scratch"/*.[ch])"; exit 1 ;;
esac

# shellcheck disable=SC2046 # no name has a blank
found=$(twice $(find support ir frontend transforms codegen tuner cli runtime -name '*.[ch]' -not -path '*/simt/*'))
[ -z "$found" ] || { echo "$found"; exit 1; }
