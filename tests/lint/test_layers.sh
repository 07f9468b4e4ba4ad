#!/bin/sh
# Layers: a room includes only itself and the rooms below it, and a third-party header only where
# it belongs (docs/ARCHITECTURE.md, "Directories"). Targets are asked, not compared by name. Reads the sources, compiles nothing.
set -eu
cd "$SQUALL_SOURCE"
bad=0

# Subfolders of a room, from the bottom up: one may include those before it.
ir="ir/kernel ir/machine ir/schedule ir/dependence"
codegen="codegen/code codegen/isa codegen/nest codegen/lower codegen/tile codegen/passes codegen/print
    codegen/reference codegen/file codegen/grid codegen"
tuner="tuner/proof tuner/measure tuner/store tuner/device tuner/search/nets tuner/search
    tuner/space tuner/model tuner"

# Headers that all of their room may include: what it offers as a whole, types that a kernel or a nest
# carries without looking inside.
open="codegen/emit.h codegen/lower/scan.h codegen/tile/tile.h codegen/print/printer.h codegen/print/names.h codegen/grid/cuda.h
    ir/schedule/tree.h ir/dependence/rewrite.h ir/dependence/tensor.h tuner/model/draft.h tuner/model/draft_tree.h
    tuner/model/ansor_features.h tuner/model/pruner_features.h tuner/model/grid_features.h"

# up_to folder folders...: those up to this one
up_to() {
    last=$1
    shift
    for f in "$@"; do
        echo "$f"
        [ "$f" != "$last" ] || return 0
    done
}

# room: the rooms it may include
ours() {
    case $1 in
        support) echo support ;;
        ir/*) echo $(up_to "$1" $ir) support ;;
        frontend | transforms) echo "$1" $ir support ;;
        codegen | codegen/*) echo $(up_to "$1" $codegen) $ir support ;;
        tuner | tuner/*) echo $(up_to "$1" $tuner) frontend transforms $codegen $ir support ;;
        cli/html) echo cli/html tuner/measure support ;; # the page alone: nothing of kernels
        cli) echo cli cli/html $tuner frontend transforms $codegen $ir support ;;
        runtime) echo runtime ;; # stands alone: the C library only
    esac
}

# first part of a third-party header: the rooms it may appear in
theirs() {
    case $1 in
        clang-c) echo nowhere ;; # frontend/clang_api.h declares what is used
        isl) echo $ir frontend transforms $codegen $tuner cli ;;
        pcre2.h) echo frontend transforms $tuner ;;
        jansson.h) echo $tuner cli ;;
        sqlite3.h | hwloc.h | uv.h) echo $tuner ;;
        *) echo any ;;
    esac
}

contains() { # word list...
    word=$1
    shift
    for w in "$@"; do [ "$w" = "$word" ] && return 0; done
    return 1
}

complain() {
    echo "$1"
    bad=1
}

for room in support $ir frontend transforms $codegen $tuner cli/html cli runtime; do
    [ "$room" != tuner/search/nets ] || continue # emitted
    for file in "$room"/*.[ch] "$room"/simt/*.[ch]; do
        [ -e "$file" ] || continue
        # every  #include "room/file.h"  names the room
        for included in $(sed -n 's/^ *# *include *"\([^"]*\)".*/\1/p' "$file"); do
            case $included in
                runtime/*) to=runtime ;;
                */*) to=${included%/*} ;;
                *) complain "$file: \"$included\" without its room"; continue ;;
            esac
            [ "${to%%/*}" = "${room%%/*}" ] && contains "$included" $open && continue
            contains "$to" $(ours "$room") || complain "$file: $room may not include $to ($included)"
        done
        for included in $(sed -n 's/^ *# *include *<\([^>]*\)>.*/\1/p' "$file"); do
            where=$(theirs "${included%%/*}")
            [ "$where" = any ] || contains "$room" $where ||
                complain "$file: <$included> belongs to: $where"
        done
    done
done

# Nothing compares a target, class or instruction set with a name: what is asked of it stands in its
# row (codegen/isa/target.c, ir/machine/machine.c).
names=$(sed -n 's/^ *{\.name = "\([a-z0-9_]*\)".*/\1/p' codegen/isa/target.c ir/machine/machine.c | sort -u)
[ "$(echo "$names" | wc -l)" -gt 5 ] || complain "the names of targets were not found"
isa="\"($(echo "$names" | tr '\n' '|')c|f16c|fma)\""
compared=$(grep -nE "(strcmp|strncmp|strstr) *\([^;]*(target|isa|machine|attribute|cflags|->name|host)[^;]*$isa" \
    frontend/*.c transforms/*.c codegen/*.c codegen/*/*.c tuner/*.c tuner/*/*.c cli/*.c || true)
[ -z "$compared" ] || complain "compares with a name instead of asking the row:
$compared"

# How CUDA spells an index of a thread, a barrier and the like is known to its printer and its rows alone.
spelled=$(grep -lE 'threadIdx|blockIdx|__syncthreads|__shared__|__shfl|__pipeline' codegen/*.[ch] codegen/*/*.[ch] |
    grep -vE '^codegen/(print/c_cuda|isa/cuda_)' || true)
[ -z "$spelled" ] || complain "spells what only the printer of CUDA does:
$spelled"
exit $bad
