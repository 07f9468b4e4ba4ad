#!/bin/sh
# Warnings of clang, which finds others than gcc: the preset clang builds without any.
set -eu
command -v clang-19 >/dev/null || { echo "skipped: there is no clang-19"; exit 77; }
cd "$SQUALL_SOURCE"
flags=$(sed -n '/^add_compile_options(-Wall/,/)$/p' CMakeLists.txt | grep -oE -- '-W[a-z-]+' | tr '\n' ' ')
case $flags in *-Wall*-Wno-missing-field-initializers*) ;; *) echo "the flags of CMakeLists.txt: $flags"; exit 1 ;; esac
# shellcheck disable=SC2086 # words
isl=$(pkg-config --cflags isl)
find support ir frontend transforms codegen tuner cli runtime "$SQUALL_BUILD/generated" -name '*.c' -print0 |
    xargs -0 -n 24 -P 2 clang-19 -std=c17 -fsyntax-only -I. -D_GNU_SOURCE= -DSQ_TUNER -DSQ_LIBCLANG_NAME='""' \
        -DSQ_LIBCLANG_PATH='""' $isl $flags -Werror
