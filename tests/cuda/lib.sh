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

# The nvcc there is, in $nvcc; empty: none.
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null || true)
