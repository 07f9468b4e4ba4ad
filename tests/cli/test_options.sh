#!/bin/sh
# The command line: exit codes, unknown flags, environment twins, help of every command.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
gemm >gemm.sq

expect 0 --version
prints "squall "
expect 64
says "usage: squall COMMAND"
expect 0 --help
prints "Exit codes"

# Help of every command that the overview lists, in both spellings, with options where it has any.
commands=$("$SQUALL" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
count=0
for c in $commands; do
    expect 0 help "$c"
    prints "usage: squall $c"
    cp out help.txt
    expect 0 "$c" --help
    same out help.txt
    count=$((count + 1))
done
[ $count -ge 3 ] || fail "only $count commands in the overview"
expect 0 help compile
for flag in -o --output --header --emit -MD -MF -MT -MP --if-changed --check --fix -I -D -U -std \
    --target --machine --schedule -e --require-tuned --root --file-prefix-map --dump --stop-after \
    --time -q -v --diag --color; do
    prints "$flag"
done
prints "NAME[,openmp|,tasks|,serial]"
awk 'length > 100 { exit 1 }' out || fail "help is wider than 100 columns"

# Unknown words: nearest match, caret below the word, exit 64.
expect 64 compil gemm.sq
says "there is no command 'compil'"
says "did you mean 'compile'?"
expect 64 compile gemm.sq --haeder=gemm.h
says "command line:1:24: error: unknown option '--haeder' of squall compile"
says "    1 | squall compile gemm.sq --haeder=gemm.h"
says "      |                        ^~~~~~~~"
says "did you mean '--header'?"
expect 64 compile gemm.sq --budget=60s
says "--budget belongs to: tune"
expect 64 compile gemm.sq -Z
says "unknown option '-Z'"
for flag in --views=3 --static=1 --check=x --freestanding=2 --if-changed=1 --views= -MD=3 --help=1; do # flags with values
    expect 64 compile gemm.sq $flag
    says "command line:1:24: error: ${flag%%=*} takes no value"
done
expect 64 compile gemm.sq -view=3
says "unknown option '-view'"
expect 64 compile gemm.sq --head=gemm.h # no abbreviations
says "did you mean '--header'?"
for wrong in fixed=M=8:fix fixes=M=8:fix schedule-file=a.sched:schedule header-file=a.h:header; do
    expect 64 compile gemm.sq "--${wrong%:*}"
    says "did you mean '--${wrong##*:}'?"
done
expect 64 compile gemm.sq --single # one that needs a value, cut short
says "did you mean '--single-header'?"
absent gemm.c
absent gemm.h
expect 64 help compyle
says "did you mean 'compile'?"

# Values.
expect 64 compile gemm.sq -o
says "'-o' needs a value"
expect 64 compile gemm.sq --color=blue
says "'blue' is none of auto|always|never"
expect 64 compile gemm.sq --fix=M
says "'M' is no size"
expect 64 compile gemm.sq --fix=M=1,N=x
says "'N=x' is no size"
for wrong in 'M=3,M=4' M=9223372036854775808 M=3000000000 M=-1 M=+1 'M= 1' M=3x 3=4 M=, M=0x10; do
    expect 64 compile gemm.sq "--fix=$wrong" -o -
    expect 64 bench gemm.sq "--at=N=1,K=1,$wrong"
done
expect 64 compile gemm.sq --fix=M=3,M=4
says "'M=4' names a size that has a value already: 'M=3'"
says "      |                                  ^~~"
expect 64 compile gemm.sq --fix=M=3 --fix=K=5,M=4 -o -
says "'M=4' names a size that has a value already: 'M=3'"
says "      |                                            ^~~"
expect 0 compile gemm.sq --fix=M=3,K=5 -o one.c
expect 0 compile gemm.sq --fix=M=3 --fix=K=5,M=3 -o several.c
for file in one several; do # but for the command that the head of the file names
    grep -v '^ \* .*--fix' $file.c >$file.text
done
same one.text several.text
SQUALL_FIX=N=7 expect 0 compile gemm.sq --fix=M=3 --fix=K=5 -o several.c # the origin is replaced
grep -v '^ \* .*--fix' several.c >again.text
same one.text again.text
expect 64 compile gemm.sq --fix=M=3000000000
says "M=3000000000 does not fit its type int"
says "gemm.sq:2:13: error"
sed 's/int M/int64_t M/' gemm.sq >wide.sq
expect 64 compile wide.sq --fix=M=9223372036854775807
says "M=9223372036854775807 is beyond 2^56"
expect 64 compile wide.sq --fix=M=72057594037927937
expect 0 compile wide.sq --fix=M=72057594037927936 -o wide.c
expect 64 compile gemm.sq --target=avx22
says "there is no target 'avx22'"
says "did you mean 'avx2'?"
expect 64 compile gemm.sq --target=avx2,opnmp
says "'opnmp' is no option of a target"
says "did you mean 'openmp'?"
expect 64 compile gemm.sq --target=sm_80
says "did you mean 'cuda,arch=sm_80'?"
expect 64 compile gemm.sq --target=gpu
. "$SQUALL_SOURCE/tests/targets.sh"
says "lists them: c, host, $(targets 'arch == ""' | tr '\n' ' ' | sed 's/ /, /g')cuda,arch=…"
expect 64 compile gemm.sq --target=cuda,sm_90
says "'sm_90' is no option of a target; there are: $(architectures | sed 's/^/arch=/' | tr '\n' ' ' | sed 's/ $//')"
says "did you mean 'arch=sm_90'?"
expect 64 compile gemm.sq --target=cuda,arch=sm_80,arch=sm_90
says "one architecture at a time: 'arch=sm_80' and 'arch=sm_90'"
expect 64 compile gemm.sq --target=cuda,openmp
says "openmp is for processors; the blocks and threads of 'cuda' need no option"
expect 64 compile gemm.sq --machine=cray
says "there is no machine class 'cray'"
expect 64 compile gemm.sq --dump=pars
says "did you mean 'parse'?"
expect 64 compile gemm.sq --emit=source
says "there is no product 'source'"
expect 64 compile
says "no description given"
expect 64 compile gemm.sq gemm.sq
says "one description at a time"
grep -q 'help:' err && fail "help about sizes for a second file"
expect 64 compile gemm.sq --at=M=4 N=4
says "one description at a time: 'N=4' is one too many"
says "help: sizes of one option are separated by commas: --at=M=512,N=512"

# The environment is read, and the command line is stronger.
SQUALL_TARGET=nonsense expect 64 compile gemm.sq -o -
says "there is no target 'nonsense'"
SQUALL_TARGET=nonsense expect 0 compile gemm.sq -o - --target=c
SQUALL_COLOR=blue expect 64 compile gemm.sq -o -
says "environment variable SQUALL_COLOR"
SQUALL_FIX=M=3 expect 0 compile gemm.sq -o -
prints "--fix=M=3"

# Colour and JSON messages.
printf 'int x' >bad.sq
expect 1 compile bad.sq -o - --color=always
grep -q "$(printf '\033')" err || fail "no colour although always"
NO_COLOR=1 expect 1 compile bad.sq -o -
grep -q "$(printf '\033')" err && fail "colour although NO_COLOR"
expect 1 compile bad.sq -o - --diag=json
says '{"severity":"error","message":'
says '"file":"bad.sq","line":1'
expect 1 compile bad.sq -o - --color=never
grep -q "$(printf '\033')" err && fail "colour although never"

printf '#include "squall.h"\nkernel f(int N, const f32 Abc[N], f32 B[N])\n{\n    idx i;\n    B[i] = smu(Abd[i]);\n}\n' >slips.sq
expect 1 compile slips.sq -o - --diag=json
says '"message":"did you mean '"'Abc'"'?","replace":"Abd","by":"Abc"}'
expect 2 compile gemm.sq -e 'pack(b at k)' -o - --diag=json
says '"replace":"b","by":"B"}'

# One JSON document, whatever bytes names and texts have; notes lie inside of their error.
printf '#include "squall.h"\nkernel f(int N, const f32 A[N], f32 B[N])\n{\n    idx i;\n    B[i] = A[i + 1];\n    B[i] = \377\303;\n}\n' >raw.sq
printf '#include "squall.h"\nkernel f(int N, const f32 A[N], f32 B[N])\n{\n    idx i;\n    B[i] = A[i + 1];\n}\n' >"$(printf 'odd\377"\\\001.sq')"
for file in raw.sq odd*.sq nowhere.sq gemm.sq; do
    "$SQUALL" compile "$file" -o - --diag=json >out 2>err && code=0 || code=$?
    [ "$(head -c 1 err)$(tail -n 1 err)" = "[]" ] || [ "$(cat err)" = "[]" ] || fail "$file: no JSON array"
    [ $code != 0 ] || [ "$(cat err)" = "[]" ] || fail "$file: a message though it is sound"
    command -v python3 >/dev/null || continue
    python3 - $code <<'END' || fail "$file: not the JSON that is promised"
import json, sys
list = json.loads(open("err", "rb").read().decode("utf-8"))
assert (sys.argv[1] == "0") == (list == [])
for e in list:
    assert e["severity"] in ("error", "warning") and e["message"]
    for n in [e] + e["notes"]:
        assert "line" not in n or n["file"] and n["line"] > 0 and n["column"] > 0 and n["length"] >= 0
    assert all(n["severity"] in ("note", "help") for n in e["notes"])
END
done

# Options that exclude each other; topics that are none; help has each heading once.
for target in --target=avx2,openmp,serial --target=c,serial,openmp --targets=generic,serial,openmp; do
    expect 64 compile gemm.sq $target -o none.c
    says "'openmp', 'tasks' and 'serial' exclude each other"
    absent none.c
done
expect 0 compile gemm.sq --target=generic,serial -o serial.c
expect 64 help foo
says "there is no command or topic 'foo'"
says '`squall help` lists the commands'
for command in compile tune bench check show explain; do
    expect 0 help $command
    [ -z "$(grep '^[A-Z].*:$' out | sort | uniq -d)" ] || fail "help $command has a heading twice"
done
expect 0 help show
for topic in limits space best deps schedule transforms targets machine searches; do
    prints "$topic"
done
