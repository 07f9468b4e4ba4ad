#!/bin/sh
# Identifiers: comments name functions, types and constants that there are. One that says name() or sq_name of what has
# another name by now, or is gone, sends its reader looking.
set -eu
cd "$SQUALL_SOURCE"

# unknown FILE...: what comments of the files call name() or sq_name and no code of them has; exit 1 if there is any.
# Texts in code are code: emitted functions and calls of scripts are in them. Names with a number, as sq_f32x16_fma, are
# put together when text is emitted: no code has them whole.
unknown() {
    awk '
        function add_code(text) {
            while (match(text, /[A-Za-z_][A-Za-z0-9_]*/)) {
                known[substr(text, RSTART, RLENGTH)] = 1
                text = substr(text, RSTART + RLENGTH)
            }
        }
        function add_comment(text) {
            while (match(text, /[A-Za-z_][A-Za-z0-9_]*/)) {
                word = substr(text, RSTART, RLENGTH)
                text = substr(text, RSTART + RLENGTH)
                is_called = substr(text, 1, 2) == "()"
                if (is_called || word ~ /^(sq_[a-z_]*[a-z]|SQ_[A-Z0-9_]*[A-Z0-9])$/) {
                    said[++nsaid] = word
                    place[nsaid] = FILENAME ":" FNR ": " word (is_called ? "()" : "")
                }
            }
        }
        FNR == 1 { inside = 0 }
        {
            for (rest = $0; rest != "";) {
                if (inside) {
                    end = index(rest, "*/")
                    add_comment(end ? substr(rest, 1, end - 1) : rest)
                    rest = end ? substr(rest, end + 2) : ""
                    inside = !end
                } else if (match(rest, /"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047|\/\*|\/\/.*/)) {
                    found = substr(rest, RSTART, RLENGTH)
                    before = substr(rest, 1, RSTART - 1)
                    rest = substr(rest, RSTART + RLENGTH)
                    add_code(before)
                    inside = found == "/*"
                    if (substr(found, 1, 2) == "//")
                        add_comment(found)
                    else if (!inside)
                        add_code(found)
                } else {
                    add_code(rest)
                    rest = ""
                }
            }
        }
        END {
            for (i = 1; i <= nsaid; i++)
                if (!(said[i] in known)) {
                    print place[i] " is named in a comment, and is not there"
                    found_any = 1
                }
            exit found_any
        }' "$@"
}

bad=0
# shellcheck disable=SC2046 # no name has a blank
unknown $(git ls-files '*.[ch]' '*.cu' '*.py' 2>/dev/null | grep -v '^tests/errors/' ||
    find . -name '*.[ch]' -not -path './build*/*' -not -path './tests/errors/*') || bad=1

# What it is for is found, and what is fine is not.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/gone.h" <<'TEXT'
/* See sq_there, sq_old_name, sq_there() and gone(); "text" of 'a' // SQ_THERE. sq_, sq_there_* and sq_f32x8_add are
 * none. */
enum { SQ_THERE }; // SQ_GONE
const char *sq_there(void); /* its text is "/* there( */
static const char text[] = "in_a_text /* no comment, sq_nothing */"; /* in_a_text() */
TEXT
wanted='1: sq_old_name
1: gone()
3: SQ_GONE'
found=$(unknown "$scratch/gone.h" | sed -n 's/^.*gone\.h:\([^ ]*\) \([^ ]*\) is named.*/\1 \2/p') || true
if [ "$found" != "$wanted" ]; then
    echo "of a file with three names that are gone these are found:"
    echo "$found"
    bad=1
fi
exit $bad
