# Sourced by the scripts of this folder. Each gets an empty folder, and says all that is wrong before it
# ends: the last line of a script is `exit $bad`.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
bad=0

complain() {
    [ ! -s log ] || cat log
    echo "FAILED: $*"
    bad=1
}

. "$SQUALL_SOURCE/tests/cuda/nvcc.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
