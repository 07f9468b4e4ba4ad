#!/bin/sh
# What `tune` shows while it runs: on a terminal a block that is redrawn in place, whatever its size and however the run
# ends; elsewhere few lines without control sequences. screen.py says what a person sees.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
python=/usr/bin/python3
[ -x $python ] || { echo "python3 is not installed: nothing is a terminal here"; exit 77; }
own_folders
scale_sq >scale.sq
unset CI NO_COLOR
TERM=xterm
LC_ALL=C.UTF-8
export TERM LC_ALL
escape=$(printf '\033')
# No trial fails of itself: this compiler refuses every third candidate; and it is slow enough to be watched.
picky_compiler 0.15

tuned='scale.sq
--at=N=1000'
# seen CODE COLUMNS [WHEN ACTION]... -- WORDS...: tune in a terminal of so many columns and 24 lines.
seen() {
    code=$1 columns=$2 rc=0 when=
    shift 2
    rm -f count tmp/*.sched
    while [ "$1" != -- ]; do
        when="$when$1
"
        shift
    done
    shift
    IFS='
'
    # shellcheck disable=SC2086 # a word a line
    $python "$SQUALL_SOURCE/tests/cli/screen.py" "$columns" 24 $when -- "$SQUALL" tune $tuned --jobs=1 \
        --cc="$PWD/pickycc" --out-dir="$scratch/tmp" "$@" 2>err || rc=$?
    unset IFS
    [ $rc = "$code" ] || { cat raw; fail "exited $rc instead of $code in $columns columns: $*"; }
}
# shows TEXT / showed TEXT: at the end / while it ran, a line begins so.
shows() { grep -q "^$1" screen || { cat screen; fail "the screen has no line: $1"; }; }
showed() { grep -q "^$1" frames || { cat frames; fail "no line was ever: $1"; }; }
left_alone() { ! grep -q "$1" screen || { cat screen; fail "this is left behind: $1"; }; }
# The last block that stood there.
block() { awk '/^===/ { text = "" } { text = text $0 "\n" } /^now / { last = text } END { printf "%s", last }' frames; }

# A block of seven lines, each name once, the cursor below it; at the end the result alone, and nothing of the block.
seen 0 80 -- --trials=9 --store=none
block >last
cut -c1-8 last | sed 1,2d | grep . | sed 's/ *$//' | tr '\n' ' ' >names
[ "$(cat names)" = 'trend best trials failed time now ' ] || { cat last; fail "other lines: $(cat names)"; }
[ "$(head -1 last)" = '=== 7,0' ] || { cat last; fail "the cursor is not below the block"; }
showed 'scale N=1000$'
showed 'best    [0-9.]* [nu]s, .*the untuned'
showed 'trend   from [0-9.]* [nu]s  [▁▂▃▄▅▆▇█]'
showed 'trials  [0-9] of 9, [0-9]* a minute$'
showed 'failed  [1-3] of [0-9] ([0-9]* %): [1-3] not built$'
showed 'time    0:0[0-9], some 0:[0-9][0-9] left$'
showed 'now     the naive nest and the untuned schedule come first$'
showed 'now     default: .*storm, [0-9]* of 40 points$'
shows 'scale N=1000: '
# Without blanks: one may have been the last column of a line.
tr -d ' \n' <screen | grep -q ';9trialsin[0-9]*s;failed3of9(33%):3notbuilt->' || { cat screen; fail "the result"; }
left_alone '^\(best\|trend\|trials\|failed\|time\|now\) '
grep -q "$escape\[[0-9]*m" raw || fail "no colours"

# Narrow, and wide without colours: nothing beyond the last column (screen.py ends with 99), what is cut off is marked.
seen 0 40 -- --trials=4 --store=none
block >last
! grep -qE '^.{40}' last || { cat last; fail "wider than the terminal"; }
showed 'now     the naive nest and the untuned…$'
left_alone '^now '
NO_COLOR=1
export NO_COLOR
seen 0 200 -- --trials=4 --store=none
! grep -q "$escape\[[0-9]*m" raw || fail "colours in spite of NO_COLOR"
grep -q "$escape\[[0-9]*A" raw || fail "NO_COLOR ended the block"
showed 'best    [0-9.]* [nu]s, .*GFLOP/s, .*GB/s ('
unset NO_COLOR

# Narrower in the middle of it, where the terminal wraps what stands there; without UTF-8.
LC_ALL=C
seen 0 100 'ns, ' 30 -- --trials=9 --store=none
LC_ALL=C.UTF-8
left_alone '^\(best\|trend\|now\) '
shows 'scale N=1000: '
block >last
[ "$(sed -n 1p last)" = '=== 7,0' ] && [ "$(grep -c . last)" = 8 ] || { cat last; fail "rows of the wider block are left"; }
showed 'now     default: .*[.][.]$'
showed 'trend   from [0-9.]* [nu]s  [_.'"'"'-]'
! LC_ALL=C grep -q "$(printf '[\200-\377]')" raw || fail "more than ASCII without UTF-8"

# Of two kernels the block says which; a network's is one for all.
seen 0 80 -- --at=N=30 --trials=2 --store=none
showed 'scale N=30  (2 of 2)$'
[ "$(grep -c '^scale N=' screen)" = 2 ] || { cat screen; fail "not a result each"; }
# The time is that of all, of the budget of all, however little of it one kernel has.
seen 0 80 -- --at=N=30 --at=N=31 --at=N=32 --at=N=33 --at=N=34 --budget=4s --store=none --cc="$CC"
grep '^time ' frames | grep -v '^time    0:[0-9][0-9] of 0:04' && fail "the time of one kernel"
showed 'scale N=34  (6 of 6)$'
awk '/^scale N=34  .6 of 6/ { last = 1 } last && /^time    0:0[3-9] of 0:04$/ { found = 1 } END { exit !found }' frames ||
    { cat frames; fail "the clock begins anew with each kernel"; }
cat >net.json <<'J'
{"network": "pair", "layers": [{"source": "scale.sq", "at": {"N": 1000}}, {"source": "scale.sq", "at": {"N": 30}, "count": 2}]}
J
tuned=--network=net.json
seen 0 80 -- --trials=9 --store=none
tuned='scale.sq
--at=N=1000'
showed 'pair  (2 of 2 kernels)$'
showed 'trend   from the untuned  [▁▂▃▄▅▆▇█]'
showed 'best    [0-9.]* [nu]s, [0-9.]*x the untuned, 2 kernels$'
showed 'trials  [0-9] of 9, '
showed 'now     scale N=30, default: '
shows 'pair: 2 layers, 2 kernels, '
left_alone '^\(best\|trend\|now\) '

# Ctrl-C: what was found is kept, how to go on is said, and nothing of the block or of ^C is left.
seen 130 80 'ns, ' int -- --trials=500
tr -d '\n' <screen >line
grep -q '^scale N=1000: .* -> .*note: scale N=1000: interrupted after [0-9]* trials*: the same command with --resume goes' line ||
    { cat screen; fail "how to go on is not said"; }
left_alone '\^C'
left_alone '^\(best\|trend\|now\) '
seen 130 80 'ns, ' int -- --trials=500 --store=none
! grep -q resume screen || fail "nothing was stored, and it says --resume"

# SIGKILL leaves the block, and the next line begins below it; a stop leaves it, too, and begins a new one.
seen 137 80 'ns, ' kill -- --trials=500 --store=none
[ "$(tail -n 1 screen)" = '' ] || { cat screen; fail "the cursor is not in a line of its own"; }
[ "$(grep -c '^best ' screen)" = 1 ] || { cat screen; fail "more than one block"; }
! grep -q "$escape\[?25l" raw || fail "the cursor was hidden"
tail -c 5 raw | grep -qF '[?7h' || fail "lines are not wrapped any longer"
seen 0 80 'ns, ' stop -- --trials=4 --store=none
[ "$(grep -c '^best ' screen)" = 1 ] || { cat screen; fail "the block before the stop"; }
[ "$(sed -n '/^now /{ n; p; }' screen)" = stopped ] || { cat screen; fail "what the shell wrote is gone"; }
shows 'scale N=1000: '

# Errors, too, are alone on the screen.
COUNT=/nowhere/at/all
seen 3 80 -- --trials=2 --store=none
shows 'squall: error: none of 2 candidates'
left_alone '^\(best\|trend\|now\) '
COUNT=$PWD/count

# No control sequence where they mean nothing, and a line at the beginning and one at the end.
plainly() {
    ! grep -q "$escape" raw || { cat -v raw; fail "control sequences: $*"; }
    shows 'scale N=1000: tunes, 4 trials$'
    tr -d '\n' <screen | grep -qE '^scale N=1000: tunes, 4 trials *scale N=1000: .* -> [^ ]*$' || { cat screen; fail "other lines: $*"; }
}
TERM=dumb
seen 0 200 -- --trials=4 --store=none
plainly TERM=dumb
TERM=xterm
CI=true
export CI
seen 0 200 -- --trials=4 --store=none --color=never
plainly CI
CI=false
seen 0 200 -- --trials=1 --store=none
grep -q "$escape\[[0-9]*A" raw || fail "CI=false is CI"
unset CI
seen 0 200 -- --trials=4 --store=none --progress=plain --color=never
plainly --progress=plain
seen 0 80 -- --trials=1 --store=none --quiet
[ ! -s raw ] || { cat -v raw; fail "--quiet says something"; }
rm -f count
expect 0 tune scale.sq --at=N=1000 --jobs=1 --cc="$PWD/pickycc" --trials=4 --store=none --out-dir=tmp --color=auto
! grep -q "$escape" err || fail "control sequences where there is no terminal"
[ "$(wc -l <err)" = 2 ] || fail "more than two lines"
