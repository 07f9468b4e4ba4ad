#!/bin/sh
# Cycles: within a room few files need each other. Of the objects of each library, as the linker sees
# them, no more than six lie on cycles with one another: what calls itself through other files is read
# in one go, everything else from the bottom up.
set -eu
longest=6
bad=0

# objects room: "defines O name" and "needs O name" of the objects of a library
objects() {
    nm -A -g "$SQUALL_BUILD/libsq_$1.a" 2>/dev/null | awk '
        { split($1, part, ":"); object = part[2] }
        NF == 3 && $2 == "U" { print "needs", object, $3; next }
        NF == 3 && $2 != "U" { print "defines", object, $3; next }
        NF == 2 { print "needs", object, $2 }'
}

# Groups of objects of which each needs each other one, directly or through others: a line each.
cycles() {
    awk '
        $1 == "defines" { of[$3] = $2; seen[$2] = 1 }
        $1 == "needs" { from[++n] = $2; name[n] = $3; seen[$2] = 1 }
        END {
            for (o in seen) object[++m] = o
            for (i = 1; i <= n; i++)
                if ((name[i] in of) && of[name[i]] != from[i]) reaches[from[i], of[name[i]]] = 1
            for (k = 1; k <= m; k++)
                for (i = 1; i <= m; i++)
                    if ((object[i], object[k]) in reaches)
                        for (j = 1; j <= m; j++)
                            if ((object[k], object[j]) in reaches) reaches[object[i], object[j]] = 1
            for (i = 1; i <= m; i++) {
                if (done[i]) continue
                size = 1; line = object[i]
                for (j = i + 1; j <= m; j++)
                    if (((object[i], object[j]) in reaches) && ((object[j], object[i]) in reaches)) {
                        done[j] = 1; size++; line = line " " object[j]
                    }
                if (size > 1) print size, line
            }
        }'
}

# The search itself finds a cycle of three, and no more than that.
found=$(printf '%s\n' 'defines a.o f' 'defines b.o g' 'defines c.o h' 'defines d.o i' 'needs a.o g' \
    'needs b.o h' 'needs c.o f' 'needs d.o f' | cycles)
case $found in
    "3 "*) ;;
    *) echo "a cycle of three objects was not found: '$found'"; exit 1 ;;
esac

rooms=0
for room in support ir frontend transforms codegen tuner cli; do
    [ -e "$SQUALL_BUILD/libsq_$room.a" ] || continue
    rooms=$((rooms + 1))
    [ "$(objects $room | grep -c '^defines')" -gt 0 ] || { echo "$room: no symbols found"; bad=1; }
    objects $room | cycles | while read -r size members; do
        [ "$size" -le $longest ] || echo "$room: $size files need each other (limit $longest): $members"
    done >long
    if [ -s long ]; then
        cat long
        bad=1
    fi
done
[ $rooms -ge 5 ] || { echo "only $rooms libraries found"; bad=1; }
exit $bad
