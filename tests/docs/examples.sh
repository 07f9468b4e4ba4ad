# Sourced by the tests of documents whose examples run as they stand in samples/, with $doc. A block
# marked sh must succeed, line by line; one marked console begins with `$ command` and goes on with what
# that prints, word for word; every schedule that is accepted computes what the plain loops compute.
#
# SQUALL_UPDATE=1 writes what is printed now into the document.
set -eu
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir bin
cp "$SQUALL_SOURCE"/samples/*.sq .
mkdir polybench
cp "$SQUALL_SOURCE"/samples/polybench/*.sq polybench
ln -s "$SQUALL" bin/squall
export PATH="$PWD/bin:$PATH" SQUALL_HARNESS="$SQUALL_BUILD/squall-harness"
export SQUALL_SIMT="${SQUALL_SIMT:-$SQUALL_BUILD/simt}"

. "$SQUALL_SOURCE/tests/targets.sh"
bad=0
complain() {
    echo "FAILED: $*"
    bad=1
}

# Can the text of this target be run here: CUDA's needs g++ and headers of ours.
runs_here() {
    case $1 in
        cuda) [ "$SQUALL_SANITIZED" = 0 ] && [ -d "$SQUALL_SIMT" ] && command -v g++ >/dev/null ;;
        *) targets runs | grep -qx "$1" ;;
    esac
}

# The accepted schedule of a compile command, against the plain loops; which blocks ran is looked at in tests of
# their own. Symbolic sizes are chosen, but for most of CUDA's, which run a hundred times slower.
check() {
    line=$(echo "$1" | sed 's/squall compile/squall check --quick/; s/ -o [^ ]*//; s/ --dump=lower --stop-after=lower//')
    case $line in
        *--target=*) runs_here "$(echo "$line" | sed 's/.*--target=\([a-z0-9]*\).*/\1/')" || return 0 ;;
    esac
    case $line in
        *softmax.sq*cuda*) line="$line --at=M=3,N=130 --at=M=7,N=31" ;;
        *gemm.sq*cuda*) line="$line --at=M=35,N=144,K=80 --at=M=2,N=13,K=7" ;;
        *attention.sq*cuda*) line="$line --at=H=2,L=130,D=65 --at=H=3,L=37,D=13" ;;
    esac
    sh -c "$line" >check.log 2>&1 || { cat check.log; complain "computes wrongly: $line"; }
}

# Blocks to files: <n>.sh, or <n>.cmd and <n>.want.
awk '
    /^```sh$/      { n++; to = n ".sh"; next }
    /^```console$/ { n++; to = n ".want"; printf "" >to; next }
    /^```$/        { if (to) close(to); to = ""; next }
    to ~ /want$/ && /^\$ / { print substr($0, 3) >(n ".cmd"); close(n ".cmd"); next }
    to             { print >to }' "$doc"

for block in $(ls | grep -E '^[0-9]+\.(sh|cmd)$' | sort -n); do
    n=${block%.*}
    while read -r line; do
        if [ "${block#*.}" = sh ]; then
            sh -c "$line" >out 2>&1 || { cat out; complain "does not run: $line"; continue; }
        else
            status=0
            sh -c "$line" >"$n.got" 2>&1 || status=$?
            [ -n "${SQUALL_UPDATE:-}" ] || diff -u "$n.want" "$n.got" || complain "prints otherwise: $line"
            [ $status = 0 ] || continue
        fi
        case $line in "squall compile "*) check "$line" ;; esac
    done <"$block"
done

transforms=$(squall show transforms --json | tr '{' '\n' | sed -n 's/.*"name": *"\([a-z]*\)".*/\1/p')

if [ -n "${SQUALL_UPDATE:-}" ] && [ $bad = 0 ]; then
    awk '
        /^```console$/ { n++; print; getline; print; while ((getline l < (n ".got")) > 0) print l; skip = 1; next }
        /^```sh$/      { n++ }
        /^```$/        { skip = 0 }
        !skip          { print }' "$doc" >new.md
    cp new.md "$doc"
fi
