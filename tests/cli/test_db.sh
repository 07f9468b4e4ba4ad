#!/bin/sh
# squall db: a store goes to another one and back with nothing lost or doubled; what is no store or no trial changes
# nothing.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
gemm >gemm.sq
own_folders

# There is no store yet, and none is made to be looked at.
for verb in check export 'prune --keep=3'; do
    expect 3 db $verb
    says "samples.db"
done
[ ! -e state ] || fail "a store was made to be looked at"

expect 0 tune gemm.sq --fix=M=31,N=33,K=29 --trials=6 --store=a.db -q
expect 0 tune gemm.sq --fix=M=17,N=33,K=29 --trials=4 --store=a.db -q
expect 0 db check --store=a.db
prints 'a.db: 10 trials, nothing is damaged'

# Lines of JSON, and back into another store: equal once more, and each trial there once.
expect 0 db export --store=a.db
mv out a.jsonl
python3 - <<'P' || fail "not the trials of the store"
import json, sqlite3, struct
lines = [json.loads(line) for line in open("a.jsonl")]
members = "kernel, sizes, script, status, times, at, tool, who, message"
rows = sqlite3.connect("a.db").execute("SELECT %s FROM sample" % members).fetchall()
assert lines[0] == {"squall-trials": 1} and len(lines) == 11 == len(rows) + 1
for x, row in zip(lines[1:], rows):
    times = list(struct.unpack("%dd" % (len(row[4]) // 8), row[4]))
    assert (x["kernel"], x["sizes"], x["script"], x["status"], x["times"], x["at"], x["tool"], x["who"], x["message"]) \
        == (*row[:4], times, *row[5:]), x
P
expect 0 db import a.jsonl --store=b.db
prints 'b.db: 10 trials added, 0 known before'
expect 0 db import a.jsonl --store=b.db -q
[ ! -s out ] || fail "-q talks"
expect 0 db import a.jsonl - --store=b.db <a.jsonl
prints 'b.db: 0 trials added, 20 known before'
expect 0 db export --store=b.db
cmp out a.jsonl || fail "another store exports other trials"
sed -n '1p; 5,$p' a.jsonl >part.jsonl
expect 0 db import part.jsonl --store=c.db
expect 0 db merge a.db b.db --store=c.db
prints 'c.db: 3 trials added, 17 known before'
expect 0 show best gemm.sq --fix=M=31,N=33,K=29 --store=c.db
expect 0 db import a.jsonl # to the default place, whose folders are made
expect 0 db check
prints 'samples.db: 10 trials, nothing is damaged'
[ "$(cat a.jsonl | "$SQUALL" db import - --store=p.db | grep -c ' 10 trials added')" = 1 ] || fail "not from a pipe"

# The fastest of each kernel and sizes stay.
expect 0 db prune --keep=2 --store=c.db
prints 'c.db: 4 of 10 trials stay'
python3 - <<'P' || fail "not the fastest stay"
import sqlite3
def fastest(path, n):
    order = "SELECT sizes, median FROM sample WHERE status = 'ok' ORDER BY sizes, median"
    rows = sqlite3.connect(path).execute(order).fetchall()
    return [r for s in sorted({r[0] for r in rows}) for r in [r for r in rows if r[0] == s][:n]]
assert fastest("a.db", 2) == fastest("c.db", 99)
P

# All or nothing: with something wrong in the last line nothing is taken, of all files.
cp b.db d.db
expect 0 db prune --keep=1 --store=d.db
wrong() { # SED SAYS
    sed "$1" a.jsonl >wrong.jsonl
    ! cmp -s wrong.jsonl a.jsonl || fail "nothing was made wrong"
    expect 1 db import part.jsonl wrong.jsonl --store=d.db
    says "$2"
    expect 0 db check --store=d.db
    prints 'd.db: 2 trials, nothing'
}
wrong '$s/"kernel": "gemm"/"kernel": 3/' "wrong.jsonl:11:1: error: a trial has no good 'kernel'"
wrong '$s/"at": /"at": -/' "a trial has no good 'at'"
wrong '$s/"status": "[a-z_]*"/"status": "fine"/' "a trial has no good 'sample'"
wrong '$s/"times": \[/"times": [-/' "a trial has no good 'sample'"
wrong '$s/"error": [^,]*/"error": "none"/' "a trial has no good 'sample'"
wrong '$s/"who": "[^"]*"/"where": "here"/' "a trial has no good 'who'"
wrong '$s/}$//' 'wrong.jsonl:11:1: error: this is no trial'
wrong '7s/.*//' 'wrong.jsonl:7:1: error: this is no trial'
wrong '1s/1/2/' 'trials of another version'
wrong 1d 'these are no trials'
python3 -c 'print("{\"squall-trials\": 1}\n" + "[" * 100000)' >deep.jsonl
expect 1 db import deep.jsonl --store=d.db
says 'deep.jsonl:2:1: error: this is no trial'
: >empty.jsonl
expect 1 db import empty.jsonl --store=d.db
says 'these are no trials'
expect 0 db check --store=d.db
prints 'd.db: 2 trials, nothing'

# What is no store is left as it is, on either side.
echo 'my notes' >notes.txt
for command in 'check --store=notes.txt' 'merge notes.txt --store=d.db' 'import a.jsonl --store=notes.txt' \
    'prune --keep=1 --store=notes.txt' 'export --store=notes.txt'; do
    expect 3 db $command
    says "'notes.txt' is no database"
done
[ "$(cat notes.txt)" = 'my notes' ] || fail "a file that is no store was changed"
expect 3 db merge not-there.db --store=d.db
says 'not-there.db'
[ ! -e not-there.db ] || fail "a store was made"

# The store itself is not merged into it, nor what has a trial that is none; rows without times are the slowest.
ln d.db hard-link
ln -s d.db soft-link
for itself in d.db hard-link soft-link; do
    expect 64 db merge $itself --store=d.db
    says "'$itself' is the store itself"
done
for fault in "status = 'fine'" "times = x''" "times = x'000000000000f87f'" 'at = 0' "times = x'0000000000000080'"; do
    cp a.db odd.db
    python3 -c 'import sqlite3, sys
c = sqlite3.connect("odd.db")
c.execute("UPDATE sample SET %s WHERE id = (SELECT max(id) FROM sample WHERE status = \"ok\")" % sys.argv[1])
c.commit()' "$fault"
    expect 1 db merge odd.db --store=d.db
    says 'a trial of gemm, M='
    says 'is damaged'
    expect 3 db export --store=odd.db
    says '1 trial is damaged and left out'
    [ "$(wc -l <out)" = 10 ] || fail "a damaged trial was exported, or another was not"
    expect 0 db check --store=d.db
    prints 'd.db: 2 trials, nothing'
done
cp a.db odd.db
python3 -c 'import sqlite3
c = sqlite3.connect("odd.db")
c.execute("UPDATE sample SET median = NULL WHERE id = (SELECT id FROM sample WHERE sizes LIKE \"M=31%\" LIMIT 1)")
c.commit()'
expect 0 db prune --keep=1 --store=odd.db
python3 -c 'import sqlite3
c = sqlite3.connect("odd.db")
assert c.execute("SELECT count(*) FROM sample WHERE median IS NULL").fetchone() == (0,)' ||
    fail "a trial without times is taken for the fastest"

# A damaged store is said to be one, by all that only read it, and stays.
head -c 9000 a.db >damaged.db
head -c 20000 /dev/urandom >>damaged.db
cp damaged.db as-it-was
for command in 'check --store=damaged.db' 'export --store=damaged.db' 'prune --keep=1 --store=damaged.db' \
    'merge damaged.db --store=d.db'; do
    expect 3 db $command
    says "the store 'damaged.db' is damaged"
done
cmp damaged.db as-it-was || fail "a damaged store was changed"
[ -z "$(ls -- *.bad-* 2>/dev/null)" ] || fail "a damaged store was set aside by who only reads it"

# So is one whose log is damaged, which SQLite would take in part and delete: by who looks, and by who goes on from it.
# What SQLite says of a damaged store stands in the line of the message. Where nobody named the store, both are set aside.
python3 - <<'P' || fail "no store with a log"
import shutil, sqlite3
shutil.copy("a.db", "live.db")
c = sqlite3.connect("live.db")
c.execute("PRAGMA journal_mode=WAL")
for i in range(3):
    c.execute("UPDATE sample SET who = who || ?", (str(i) * 2000,))
    c.commit()
log = bytearray(open("live.db-wal", "rb").read())
for name, at in ("middle.db", 5000), ("first.db", 4):
    shutil.copy("live.db", name)
    log[at] ^= 255
    open(name + "-wal", "wb").write(log)
    log[at] ^= 255
c.close()
shutil.copy("live.db", "wrong.db")
with open("wrong.db", "r+b") as f:
    f.seek(4096 * 3)
    f.write(bytes(range(256)) * 16)
P
for name in middle first wrong; do
    cp $name.db as-it-was
    [ $name = wrong ] || cp $name.db-wal log-as-it-was
    expect 3 db check --store=$name.db
    says "the store '$name.db' is damaged ("
    [ "$(wc -l <err)" = 1 ] || fail "more than a line"
    cmp $name.db as-it-was || fail "a damaged store was changed"
    [ $name = wrong ] || cmp $name.db-wal log-as-it-was || fail "a damaged log was changed"
    for resume in "" --resume; do
        expect 3 tune gemm.sq --fix=M=31,N=33,K=29 --trials=1 --store=$name.db $resume --progress=never
        says "'$name.db' is damaged ("
        says 'it was left as it is; name another file with --store=FILE'
        [ ! -s out ] || fail "something was measured"
    done
    cmp $name.db as-it-was || fail "a damaged store was changed"
    [ $name = wrong ] || cmp $name.db-wal log-as-it-was || fail "a damaged log was changed"
    [ -z "$(ls -- *.bad-* 2>/dev/null)" ] || fail "a store that was named was renamed"
    ours=$XDG_STATE_HOME/squall/samples.db
    rm -rf "$XDG_STATE_HOME/squall"
    mkdir -p "$XDG_STATE_HOME/squall"
    cp $name.db "$ours"
    [ $name = wrong ] || cp $name.db-wal "$ours-wal"
    expect 0 tune gemm.sq --fix=M=31,N=33,K=29 --trials=1 --resume --progress=never
    says "$ours is damaged ("
    says "it is now $ours.bad-1 and a new one is begun"
    [ "$(grep -c . err)" = 2 ] || fail "more than a line"
    cmp "$ours.bad-1" as-it-was || fail "a damaged store was changed"
    [ $name = wrong ] || cmp "$ours.bad-1-wal" log-as-it-was || fail "a damaged log was changed, or is gone"
    expect 0 db check
done

# Words that are not known.
expect 64 db
says 'check export import merge prune'
expect 64 db exprot
says "there is no \`squall db exprot\`"
says "did you mean 'export'?"
expect 64 db check --store=none
says '--store=none is no store'
expect 64 db check a.db
says "the store is named by --store"
expect 64 db import --store=d.db
says 'wants files'
expect 64 db prune --store=d.db
says '--keep=N'
