#!/bin/sh
# Pages of the manual and completions: every command and every option of the table stands in each, in the
# spelling that squall takes; roff and the shells take the text; a shell completes words.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
commands=$("$SQUALL" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ "$(echo "$commands" | wc -l)" -ge 7 ] || fail "the commands were not found"
topics=$("$SQUALL" help show | sed -n '/^Topics:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ "$(echo "$topics" | wc -l)" -ge 11 ] || fail "the topics were not found"

# options COMMAND: as its help spells them, "-o" and "--output" on a line each
options() {
    "$SQUALL" help "$1" | awk '/^  (    )?-/ { for (i = 1; i <= NF && $i ~ /^-/; i++) print $i }' |
        sed 's/[=,].*//' | sort -u
}
[ "$(options compile | wc -l)" -ge 40 ] || fail "the options were not found"

# Help fits into a terminal of 80 columns, but for what is there to be copied: usage and examples.
{
    "$SQUALL" help
    for command in $commands; do "$SQUALL" help "$command" | sed '/^Examples:/,/^$/d'; done
} | grep -v '^usage: ' | awk 'length($0) > 80' >wide
[ ! -s wide ] || { cat wide; fail "help is wider than 80 columns"; }
"$SQUALL" help check | tr '\n' ' ' | grep -q '^usage: .* every tile size  Accesses have .* and bounds.  Examples:' ||
    fail "help check does not say all that it checks"

# The manual.
expect 0 show manual
cp out squall.1
for command in $commands; do
    grep -q "^.fBsquall $command.fR" squall.1 || fail "squall.1 lacks $command"
    expect 0 show manual "$command"
    cp out "squall-$command.1"
    sed 's/\\f[BIR]//g; s/\\-/-/g' out >plain
    for option in $(options "$command"); do
        grep -qE -- "^(-., )?$option([ =,]|\$)" plain || fail "squall-$command.1 lacks $option"
    done
    prints '.SH EXIT STATUS'
    cmp -s out "$SQUALL_BUILD/shown/squall-$command.1" || fail "the build's squall-$command.1 is stale"
done
sed -n '/^.SH DESCRIPTION/,/^.SH OPTIONS/p' squall-check.1 | grep -q 'races, barriers and bounds' ||
    fail "squall-check.1 does not say all that it checks"
for topic in $topics; do grep -q "^.fB$topic.fR" squall-show.1 || fail "squall-show.1 lacks $topic"; done
if command -v groff >/dev/null; then
    for page in squall*.1; do
        groff -ww -man -Tutf8 $page >page.out 2>page.err || fail "groff refuses $page"
        [ ! -s page.err ] || { cat page.err; fail "groff warns of $page"; }
    done
    groff -man -Tascii -P-c squall-compile.1 | sed "s/.$(printf '\b')//g" >page.out
    grep -q -- '--file-prefix-map=OLD=NEW' page.out || fail "an option is not printed as it is typed"
    grep -q "squall compile gemm.sq -e 'tile(i:48) order(i0, j, k, i)' --dump=apply" page.out ||
        fail "an example is not printed as it is typed"
else
    echo "skipped: the pages in groff (there is none)"
fi
expect 64 show manual compil
says "there is no command 'compil'"
says "did you mean 'compile'?"
expect 64 show manual compile tune

# Completions: what each has to hold.
for shell in bash zsh fish; do
    expect 0 show completions --shell=$shell
    prints serial # as help does
    cp out complete.$shell
    for command in $commands $topics language avx2 arch=sm_90 never openmp ast; do
        grep -qw -- "$command" complete.$shell || fail "$shell: $command is not there"
    done
    for command in $commands; do
        for option in $(options "$command"); do
            case $shell in
            bash) sed -n "s/^    $command) words='\(.*\)' ;;\$/ \1 /p" out | grep -qE -- " $option=? " ;;
            zsh) sed -n "/^_squall_$command()/,/^}/p" out | grep -qE -- "['{,*]$option(\[|=|\+|,|})" ;;
            fish)
                case $option in
                --help | -h) continue ;;
                --*) word="-l ${option#--}" ;;
                -?) word="-s ${option#-}" ;;
                *) word="-o ${option#-}" ;;
                esac
                grep -E -- "^complete .*-n '__fish_seen_subcommand_from( [a-z]+)* $command[ ']" out |
                    grep -qE -- " $word( |\$)" ;;
            esac || fail "$shell: $command has no $option"
        done
    done
done
same complete.bash "$SQUALL_BUILD/shown/squall"
same complete.zsh "$SQUALL_BUILD/shown/_squall"
same complete.fish "$SQUALL_BUILD/shown/squall.fish"
expect 64 show completions --shell=csh
says "'csh' is none of bash|zsh|fish"

# Shells read them, and complete words.
if command -v zsh >/dev/null; then
    zsh -n complete.zsh || fail "zsh does not read it"
    zsh -f "$SQUALL_SOURCE/tests/cli/complete.zsh" complete.zsh >zsh.out 2>&1 || { cat zsh.out; fail "zsh does not complete"; }
else
    echo "skipped: zsh (there is none)"
fi
if command -v fish >/dev/null; then
    fish_completes() { # LINE WORD
        HOME=$scratch fish --no-config -c "source complete.fish; complete -C '$1'" 2>&1 | cut -f1 | sed 's,=$,,' >fish.out
        grep -qxF -- "$2" fish.out || { cat fish.out; fail "fish: '$1' does not offer $2"; }
    }
    fish_completes 'squall comp' compile
    fish_completes 'squall tune --bud' --budget
    fish_completes 'squall compile --color=al' --color=always
    fish_completes 'squall compile --target=avx2,op' --target=avx2,openmp
    fish_completes 'squall show tran' transforms
else
    echo "skipped: fish (there is none)"
fi
command -v bash >/dev/null || { echo "skipped: bash (there is none)"; exit 0; }
bash -n complete.bash || fail "bash does not read it"
cat >ask.bash <<'B'
# ask WORDS...: what is offered for the last of them; the words as readline parts them
. ./complete.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_squall
printf '%s\n' "${COMPREPLY[@]}"
B
offers() { # WORD... : LINES
    want=$1
    shift
    bash ask.bash "$@" 2>&1 | tr '\n' ' ' | sed 's/ $//' >got
    [ "$(cat got)" = "$want" ] || { cat got; fail "bash: '$*' should offer '$want'"; }
}
offers 'compile' squall comp
offers '--header=' squall compile --hea
offers '' squall tune --hea
offers 'always' squall compile --color = al
offers 'auto always never' squall compile --color =
offers 'avx2 avxvnni avx512 avx512vnni' squall compile --target = avx
offers 'avx2,openmp' squall compile --target = avx2,op
offers 'avx2,avxvnni avx2,avx512 avx2,avx512vnni' squall compile --targets = avx2,avx # not avx2 again
offers 'avx2' squall compile gemm.sq --target avx2
offers '' squall compile -o ge
offers '' squall compile -MF ge
offers 'storm' squall tune --search = st
offers 'transforms' squall show tra
offers 'language' squall help lang
offers 'compile' squall show manual com
offers '' squall explain sam
