#!/bin/sh
# --html: pages that are well formed, load nothing and say the numbers that --json says; names are no markup; without
# gnuplot there are tables; a browser shows them, in light and dark, and nothing is wider than a telephone.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
python=/usr/bin/python3
[ -x $python ] || { echo "python3 is not installed: pages are not read"; exit 77; }

# page FILE [NUMBERS]: what html_page.py says is in `told`.
page() { $python "$SQUALL_SOURCE/tests/cli/html_page.py" "$@" >told || fail "$1: $(cat told)"; }
# holds FILE TEXT / lacks FILE TEXT
holds() { grep -qF -- "$2" "$1" || fail "$1 does not hold: $2"; }
lacks() { ! grep -qF -- "$2" "$1" || fail "$1 holds: $2"; }
# numbers EXPRESSION: a list of Python's over the parsed output `j`, a line each in file numbers.
numbers() { $python -c "import json; j = json.load(open('out')); print(*$1, sep='\n')" >numbers; }
figures() { [ "$(sed -n 's/ figures.*//p' told)" = "$1" ] || fail "$(head -1 told), not $1 figures"; }
plots=$(command -v gnuplot >/dev/null && echo 1 || echo 0)

# The checker itself finds what it is for.
refuted() {
    printf '<h1>x</h1>%s' "$1" >bad.html
    ! $python "$SQUALL_SOURCE/tests/cli/html_page.py" bad.html numbers >told || fail "the checker takes $1"
}
: >numbers
refuted '<p>'
refuted '<b><i></b></i>'
refuted '<script></script>'
refuted '<a href="http://example.org/x">x</a>'
refuted '<a href="#nowhere">x</a>'
refuted '<p id="a"></p><p id="a"></p>'
refuted '<style>p { background: url(x) }</style>'
refuted '<h3>x</h3>'
echo 1.5 >numbers
refuted '<data value="1.25">1.25</data>'

# ---- explain: hostile names, links, counts ----
hostile='a<script>alert(1)<b>&".sq'
{
    echo '/* <script>alert(2)</script> </pre></main> "x" &amp; */'
    gemm
} >"$hostile"
expect 0 explain "$hostile" --target=avx2 --fix=M=96,N=96,K=96 --json --html=e.html
numbers '[c[k] for x in j["kernels"] for r in x["counts"] for c in (r["count"], r) for k in c
    if k in ("multiply_adds", "loads", "bytes_loaded", "registers", "cycles_of_arithmetic", "cycles_of_loads")]'
[ "$(wc -l <numbers)" -ge 6 ] || fail "nothing was counted"
expect 0 compile "$hostile" --target=avx2 --fix=M=96,N=96,K=96 -o e.c
page e.html numbers e.c
figures $((plots * 1))
lacks e.html '<script'
lacks e.html '</pre></main> "x"'
holds e.html 'a&lt;script&gt;alert(1)&lt;b&gt;&amp;&quot;.sq'
holds e.html '<span class="word">--fix=M=96,N=96,K=96</span> <span class="word">' # which does not break behind "--"
holds e.html '<span class="word">&#39;a&lt;script&gt;' # a shell takes it for one word
holds e.html '&lt;script&gt;alert(2)&lt;/script&gt;'
# What the per cent of the machine's limits are of, and that they are not of the time.
holds e.html 'can do at most in the time of a call, no share of that time.'
holds e.html 'do not add up to 100 %'
grep -o '<div class="meter">.*</div>' e.html >meters
[ "$(grep -c '%</data></span><span class="what">of their cycles, by ' meters)" = 2 ] || fail "ports: per cent of what"
grep -q '%</data></span><span class="what">of its bandwidth: [0-9.]* of [0-9.]* GB/s, ' meters || fail "L1: per cent of what"
[ "$(grep -vc 'class="what">of \(their cycles, by\|its bandwidth: \)' meters)" = 0 ] || fail "per cent of what: $(cat meters)"
# Without sizes a step takes as long as what limits it, be it L1: no part does more than it can.
cat >most.sq <<'C'
#include "squall.h"
kernel most(int n, int m, const f32 X[n][m], f32 Y[n])
{
    idx i, j;
    Y[i] = rmax(X[i][j], j);
}
C
for target in generic avx2 avx512; do
    expect 0 explain most.sq --target=$target --html=most.html
    $python - <<'P' || fail "a step on $target: shares of what its parts can do"
import re
share = [float(x) for x in re.findall(r'<div class="meter">.*?<data value="([^"]*)"', open("most.html").read())]
assert len(share) >= 2 and abs(max(share) - 1) < 1e-6, share
P
done
# From the statement's line to its loops, and back; from the tree to a loop.
grep -qE 'id="k0s-6".*href="#k0-[0-9]+">S0</a>' e.html || fail "the statement's line leads nowhere"
grep -qE 'id="k0-[0-9]+" class="k0S0".*href="#k0s-6"[^>]*>S0</a>.*Register tile' e.html || fail "the tile leads nowhere"
grep -qE 'id="k0-[0-9]+" class="k0S0".*href="#k0s-6"[^>]*>S0</a>.*\* S0 ' e.html || fail "the loops lead nowhere"
grep -qE '<a href="#k0-[0-9]+">loop j' e.html || fail "the tree leads nowhere"
case $(uname -m) in
x86_64)
    grep -qE 'href="#k0-[0-9]+">C&nbsp;[0-9]+</a></span>' e.html && grep -q 'vfmadd.*%ymm' e.html ||
        fail "no assembly of the hot loop"
    holds e.html 'Steps per iteration'
    # Operands stand below each other.
    grep 'id="k0a-' e.html | sed 's/.*<span class="at">\(<a [^>]*>[^<]*<\/a>\)\{0,1\}<\/span>//' | tr '\t' ' ' |
        awk 'NF > 1 { match($0, /^[a-z0-9]+ +/); print RLENGTH }' | sort -u >columns
    [ "$(wc -l <columns)" = 1 ] || fail "operands of the hot loop begin at columns $(tr '\n' ' ' <columns)"
    ;;
esac
# C loops that auto() orders, several statements, sizes that are not known.
expect 0 explain "$SQUALL_SOURCE/samples/cholesky.sq" --target=avx2 --html=c.html
expect 0 compile "$SQUALL_SOURCE/samples/cholesky.sq" --target=avx2 -o c.c
: >nothing
page c.html nothing c.c
for s in 0 1 2 3; do # each has loops of its own
    grep -qE "id=\"k0-[0-9]+\" class=\"k0S$s\".*>S$s</a>" c.html || fail "no line of the code leads to S$s"
    grep -qE "id=\"k0s-[0-9]+\" class=\"k0S$s\".*href=\"#k0-[0-9]+\">S$s</a>" c.html || fail "S$s leads nowhere"
done
grep -qE 'class="k0S2".*L\[r \* L_s0 \+ r\] -= ' c.html || fail "a store belongs to another statement"
holds c.html 'Sizes are not known'
holds c.html 'can do at most in the least time of a step, no share of that time.'
expect 0 explain "$SQUALL_SOURCE/samples/cholesky.sq" --target=avx2 --at=N=300 --html=c.html
lacks c.html 'Sizes are not known'
expect 64 explain "$SQUALL_SOURCE/samples/cholesky.sq" --target=avx2 --at=Q=300 --html=none.html
expect 64 explain "$SQUALL_SOURCE/samples/cholesky.sq" --target=avx2 -e '' --at=foo --html=none.html
absent none.html
# Of a grid: the functions that are launched, whose loops the tree leads to, also where several statements share one.
for kernel in gemm softmax; do
    expect 0 explain "$SQUALL_SOURCE/samples/$kernel.sq" --target=cuda,arch=sm_80 --html=g.html
    page g.html
    holds g.html "<th scope=\"row\">${kernel}_kernel0</th>"
    lacks g.html 'within its readers'
    grep -qE "id=\"k0-[0-9]+\".*href=\"#k0s-[0-9]+\"[^>]*>S0</a>.*(__global__.*${kernel}_kernel0|\* S0 )" g.html ||
        fail "$kernel: what is launched leads nowhere"
    for line in 'group 0: S0' 'loop j from' 'loop i'; do
        grep -qE "<a href=\"#k0-[0-9]+\">$line" g.html || fail "$kernel: '$line' of the tree leads nowhere"
    done
done
expect 0 show schedule "$SQUALL_SOURCE/samples/conv2d.sq" --target=avx2 --html=g.html
for array in I G; do
    grep -qE "<a href=\"#k0-[0-9]+\">pack $array<" g.html || fail "the copy of $array leads nowhere"
done

# Bytes that are no UTF-8 and control characters become letters that stand for them.
printf '/* \377\300\200 \001 \355\240\200 */\n' >bytes.sq
gemm >>bytes.sq
expect 0 show schedule bytes.sq --target=avx2 --html=s.html
page s.html
holds s.html '/* ��� � ��� */'

# Each of several schedules of a kernel has its own places.
expect 0 show schedule "$SQUALL_SOURCE/samples/gemm.sq" --target=avx2 --at=M=8,N=8,K=8 --at=M=512,N=512,K=512 --html=s.html
page s.html
holds s.html '<a href="#k1-'
holds s.html '<p>Copies what the loops inside <code>loop</code> read of an array'
holds s.html 'class="k1S0"'

# ---- without gnuplot ----
mkdir bin
ln -s "$(command -v "${CC:-cc}")" bin/cc
PATH=$scratch/bin CC=cc "$SQUALL" explain "$hostile" --target=avx2 --fix=M=96,N=96,K=96 --html=plain.html >out 2>err ||
    fail "without gnuplot"
page plain.html
figures 0
[ "$(grep -c 'gnuplot is not installed' plain.html)" = 1 ] || fail "nothing says what to install"
holds plain.html '<table>'
printf '#!/bin/sh\nexit 3\n' >bin/gnuplot
chmod +x bin/gnuplot
PATH=$scratch/bin CC=cc "$SQUALL" explain "$hostile" --target=avx2 --fix=M=96,N=96,K=96 --html=plain.html >out 2>err ||
    fail "with a gnuplot that fails"
page plain.html
holds plain.html 'gnuplot failed'

# ---- whole or not at all ----
expect 3 explain "$hostile" --target=avx2 --html=none/x.html
says none
expect 3 tune "$hostile" --fix=M=8,N=8,K=8 --budget=60s --html=none/x.html
absent none
expect 3 explain "$hostile" --target=avx2 --html=bin
expect 64 explain "$hostile" --target=avx2 --html=-
says 'a report goes to a file'
expect 64 show targets --html=x.html
says '`show targets` has no report'
expect 64 compile "$hostile" --html=x.html
echo '<!DOCTYPE html>kept' >kept.html
expect 3 explain none.sq --html=kept.html
[ "$(cat kept.html)" = '<!DOCTYPE html>kept' ] || fail "a run that failed wrote its report"

# A file that is no page is left alone: a description, what it includes, a store, a log that the command begins.
gemm >own.sq
cp own.sq before.sq
expect 64 explain own.sq --target=avx2 --html=own.sq
says 'own.sq is there and is no page: it is left alone'
ln -s own.sq link.html
expect 64 show schedule own.sq --html=link.html
same own.sq before.sq
: >empty.html
expect 0 explain own.sq --target=generic --html=empty.html
expect 0 explain own.sq --target=generic --html=empty.html
grep -q '<!DOCTYPE html>' empty.html || fail "a page is not written over a page"
"$SQUALL" explain own.sq --target=generic --html=/dev/stdout >shown 2>err && fail "a page among the output"
! grep -q DOCTYPE shown || fail "the output is a page"

# ---- what is measured ----
if "$SQUALL" show machine >/dev/null 2>&1; then
    gemm >gemm.sq
    expect 0 tune gemm.sq --fix=M=64,N=48,K=32 --trials=12 --log=log --store=s.db --html=t.html --progress=never
    $python - <<'P' >numbers
import json
rows = [json.loads(l) for l in open("log").read().splitlines()[1:]]
print(*sorted(r["seconds"] for r in rows if r.get("status") == "ok")[:5], sep="\n")
P
    page t.html numbers
    [ "$plots" = 0 ] || grep -q 'Progress by trials' t.html || fail "no progress"
    holds t.html '>Script<'
    # One trial is no progress; and what was tuned with constants has a page of its own.
    expect 0 tune gemm.sq --fix=M=8,N=8,K=8 --trials=1 --store=one.db -q --html=one.html
    page one.html
    figures 0
    expect 0 show best gemm.sq --store=one.db --html=one.html
    page one.html
    holds one.html '<code>squall show best gemm.sq --fix=M=8,N=8,K=8 --store=one.db --html=FILE</code> writes its page.'
    # The row that is marked is what the .sched file has, also where another one was timed as faster: one of several
    # that are equal is, nearly always.
    printf '#include "squall.h"\nkernel k(int N, const f32 x[N], f32 y[N]) { idx i; y[i] = 2 * x[i]; }\n' >equal.sq
    for seed in 1 2 3 4 5 6; do
        rm -f equal.*.sched
        expect 0 tune equal.sq --fix=N=4000 --trials=12 --seed=$seed --store=none --html=e.html --progress=never
        page e.html
        $python - e.html equal.*.sched <<'P' >told || fail "the kept schedule: $(cat told)"
import html, re, sys
page, file = open(sys.argv[1]).read(), open(sys.argv[2]).read()
words = lambda text: " ".join(html.unescape(re.sub("<[^>]*>", " ", text)).split())
rows = re.findall(r'<tr( class="marked")?>(<th scope="row" class="number">.*?)</tr>', page, re.S)
marked = [i for i, row in enumerate(rows) if row[0]]
script = words(re.sub("#.*", "", re.search(r"\{(.*)\}", file, re.S).group(1)))
assert len(marked) == 1, print(marked)
squeezed = lambda text: text.replace(" ", "")
kept = words(rows[marked[0]][1])
assert squeezed(kept).endswith(squeezed(script)), print(kept, "is not", script)
best, searched = [float(re.search(r'<data value="([^"]*)">' + what, text).group(1)) for what, text in
                  (("", page[page.index("<dt>Best</dt>"):]), (r"[0-9.]+ [num]?s<", rows[marked[0]][1]))]
drifted = max(best / searched, searched / best) > 1.1
assert drifted == ("corrects its times to the machine" in page), print("best", best, "of the search", searched)
assert ("was timed as the fastest" in page) == (marked[0] > 0), print("nothing is said of the first row")
untuned = "Nothing was faster than the untuned schedule" in page
assert untuned == (kept.split()[0] == "1"), print("the untuned is kept, and", kept, "is marked")
assert untuned == ("The schedule: the untuned one, which is kept;" in page), print("the caption of the code")
print("another" if marked[0] else "the first")
P
        [ "$(cat told)" = 'the first' ] || break
    done
    expect 0 show best gemm.sq --fix=M=64,N=48,K=32 --store=s.db --json --html=b.html
    numbers '[r[k] for r in j["best"] for k in ("seconds", "trials")]'
    page b.html numbers
    expect 0 bench gemm.sq --fix=M=64,N=48,K=32 --budget=1s --json --html=m.html --progress=never
    numbers '[r[k] for r in j for k in ("seconds", "low", "high", "gflops", "gbytes_per_second", "of_roof", "time_ratio")]'
    page m.html numbers
    figures $((plots * 2))
    expect 0 show space gemm.sq --fix=M=64,N=48,K=32 --json --html=p.html
    numbers '[len(c["values"]) for k in j["kernels"] for c in k["coordinates"]]'
    page p.html numbers
    holds p.html 'block of the sum'
    # The landscape names the two coordinates that explain most, whichever these are, and says what they stand for.
    $python - <<'P' || fail "the landscape does not say what its coordinates stand for"
import json, re
doc = {c["name"]: c["doc"] for k in json.load(open("out"))["kernels"] for c in k["coordinates"]}
note = re.search("explain most of the times that were measured: (.*) of their variance", open("t.html").read()).group(1)
two = re.findall(r"(\w+) \((.*?)\) [0-9]+ %", note)
assert len(two) == 2 and all(doc[name] == said for name, said in two), note
P
    expect 0 race gemm.sq --fix=M=8,N=8,K=8 --record=land --points=30 --progress=never
    expect 0 race --replay=land --seeds=3 --trials=10 --searches=random,raindrop --json --html=r.html -q
    page r.html
    figures $((plots * 2))
    printf '{"network": "n<script>", "layers": [{"source": "gemm.sq", "fix": {"M": 16, "N": 16, "K": 16}, "count": 3}]}\n' >n.json
    expect 0 tune --network=n.json --trials=3 --store=none --json --html=n.html --progress=never
    numbers '[l[k] for l in j["layers"] for k in ("seconds", "untuned_seconds", "count", "trials")]'
    page n.html numbers
    lacks n.html '<script'
else
    echo "this machine cannot be measured: bench, tune, race and show best were not looked at"
fi

# ---- in a browser ----
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
    echo "chromium is not installed: no page was looked at"
    exit 0
fi
mkdir home
view() {
    HOME=$scratch/home XDG_CONFIG_HOME=$scratch/home timeout 60 "$browser" --headless --no-sandbox --disable-gpu \
        --hide-scrollbars --user-data-dir="$scratch/home/profile" --allow-file-access-from-files "$@" 2>/dev/null
}
# framed FILE: in a window of 400 pixels, which browsers have no window for; its title becomes the widths of what is
# there and of the window.
framed() {
    cat >frame.html <<H
<!DOCTYPE html><title>none</title><style>body { margin: 0 } iframe { border: 0; width: 400px; height: 3000px }</style>
<iframe src="$1" onload="const d = this.contentDocument.documentElement;
document.title = d.scrollWidth + ' ' + d.clientWidth"></iframe>
H
}
widths() { framed "$1"; view --window-size=500,3000 --dump-dom "file://$scratch/frame.html" | sed -n 's/.*<title>\([^<]*\).*/\1/p'; }
fits() {
    set -- $(widths "$1") "$1"
    [ "${1:-0}" -gt 300 ] || fail "$3: the browser says nothing of its width"
    [ "$1" -le "$2" ]
}
echo '<!DOCTYPE html><div style="width: 450px">x</div>' >wide.html
! fits wide.html || fail "a page that is too wide fits"
for file in e.html t.html; do
    [ ! -e $file ] || fits $file || fail "$file is wider than its window: $(widths $file)"
done
# picture FILE: its first pixel, and how many colours it has.
picture() {
    $python - "$1" <<'P'
import struct, sys, zlib
data, at, body = open(sys.argv[1], "rb").read(), 8, b""
while at < len(data):
    n, kind = struct.unpack(">I4s", data[at:at + 8])
    if kind == b"IHDR":
        width, height, depth, color = struct.unpack(">IIBB", data[at + 8:at + 18])
    body += data[at + 8:at + 8 + n] if kind == b"IDAT" else b""
    at += 12 + n
each, raw = {2: 3, 6: 4}[color], zlib.decompress(body)
print(raw[1:4].hex(), width, height, len(zlib.compress(raw, 1)) * 1000 // len(raw))
P
}
framed e.html
view --window-size=400,1500 --screenshot=light.png "file://$scratch/frame.html" >/dev/null
view --window-size=1400,1500 --blink-settings=preferredColorScheme=0 --screenshot=dark.png "file://$scratch/e.html" >/dev/null
echo '<!DOCTYPE html><title>x</title>' >empty.html
view --window-size=1400,1500 --screenshot=empty.png "file://$scratch/empty.html" >/dev/null
set -- $(picture light.png) $(picture dark.png) $(picture empty.png)
[ "$1" = ffffff ] || fail "the light page begins with $1"
[ "$5" = 10151c ] || fail "the dark page begins with $5"
[ "$4" -gt 8 ] && [ "$8" -gt 8 ] || fail "a picture is almost empty: $4, $8 thousandths of its bytes are needed"
[ "${12}" -lt 8 ] || fail "an empty page does not look empty: ${12}"
