#!/bin/sh
# Names that the written files have for themselves are no names of a description: each is refused before anything is
# written, and without the option that it belongs to the file compiles.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

# kernel NAME [SIZE]: a description k.sq.
kernel() {
    printf '#include "squall.h"\nkernel %s(int %s, const f32 X[%s], f32 Y[%s])\n' "$1" "${2-N}" "${2-N}" "${2-N}" >k.sq
    printf '{\n    idx %s;\n    Y[%s] = X[%s] + 1;\n}\n' "${3-i}" "${3-i}" "${3-i}" >>k.sq
}
# refused CODE TEXT WORDS...: of k.sq.
refused() {
    code=$1 text=$2
    shift 2
    expect "$code" compile k.sq -o k.c --header=k.h "$@"
    says "$text"
    for file in k.c k.h k.rs k.hpp; do
        absent $file
    done
}
# accepted WORDS...: of k.sq, as C and in C++.
accepted() {
    expect 0 compile k.sq -o k.c --header=k.h "$@"
    "${CC:-cc}" -std=c11 -Wall -Wextra -Wpedantic -Werror -c k.c 2>err || fail "$*: the text"
    printf '#include "k.h"\n' >k.cc
    g++ -fsyntax-only -Wall -Wextra -Werror k.cc 2>err || fail "$*: C++"
    rm k.c k.h
}

kernel squall_f32_1d
refused 1 "'squall_f32_1d' is one of the header's names for --views; call the kernel something else" --views
accepted
accepted --views --prefix=my_
kernel squall_const_f32_1d
refused 1 "is one of the header's names for --views" --views
kernel SQUALL_F32_1D
refused 1 "is one of the header's names for --views" --views
kernel Squall_F32_1D
accepted --views
kernel f32_1d
refused 64 "'squall_f32_1d' would be the function of kernel 'f32_1d', and is one of the header's names" \
    --prefix=squall_ --views
says "write another --prefix"
kernel SQUALL_ERROR_SIZES
refused 1 "is one of the header's names for --errors=return" --errors=return
accepted
kernel SQUALL_ERROR SIZES
refused 1 "'SQUALL_ERROR_SIZES' is one of the header's names for --errors=return; call the size" \
    --errors=return --fix=SIZES=4
accepted --errors=return
for name in SQUALL_K_H SQUALL_K_API SQUALL_K_ABI_MAJOR; do
    kernel $name
    refused 1 "'$name' begins like the macros of the header; call the kernel" --visibility=default
    accepted --prefix=my_
done
kernel k SQUALL_K_API
refused 1 "'SQUALL_K_API' begins like the macros of the header; call the parameter" --visibility=default
kernel k N SQUALL_K_API
refused 1 "'SQUALL_K_API' begins like the macros of the header; call the index" --visibility=default
kernel SQUALL_STRIDED
refused 1 "is a macro of the header for C++" --bindings=k.hpp --views
accepted --views
kernel SQUALL_SIMT
expect 1 compile k.sq --target=cuda -o k.cu
says "begins like the macros of a file for CUDA"
absent k.cu
accepted

# Rust takes functions of C with names of ASCII alone; parameters may have others.
kernel é
refused 64 "Rust takes no function of C called 'é': call the kernel something of letters a to z" --bindings=k.rs
accepted
kernel k é
expect 0 compile k.sq -o k.c --bindings=k.rs
rm k.c k.rs

# What an #include could not name.
for name in 'h "q".h' 'h\q.h' "$(printf 'a\nb.h')"; do
    refused 64 "it has a quote, a backslash or a control character" "--header=$name"
    says "write a name without"
    expect 64 compile k.sq "--single-header=$name"
    absent "$name"
done
printf 'void f(int n, double *a)\n{\n#pragma scop\n    for (int i = 0; i < n; i++)\n        a[i] = 0;\n' >old.c
printf '#pragma endscop\n}\n' >>old.c
expect 64 compile old.c -o 'a "b".c'
says "no #line can name 'a \"b\".c'"
absent 'a "b".c'
expect 0 compile k.sq -o 'a "b".c' # which does not name itself
"${CC:-cc}" -Wall -Wextra -Werror -c 'a "b".c' -o ab.o 2>err || fail "a text with a quote in its name"

# A header that descriptions, or emitted files, would include in the place of another.
mkdir in
for name in squall.h in/squall.h stdint.h in/string.h; do
    expect 64 compile k.sq -o k.c "--header=$name"
    says "a header cannot be called '${name#in/}': "
    case $name in in/*) says "any other name is accepted, as --header=in/kernels.h" ;; esac
    expect 64 compile k.sq "--single-header=$name"
    says "any other name is accepted, as --single-header="
    absent "$name"
done
cp k.sq squall.sq
expect 64 compile squall.sq --emit=src,header
says "a header cannot be called 'squall.h': descriptions include squall's own by that name"
says "any other name is accepted, as --header=kernels.h"
absent squall.h
expect 0 compile squall.sq --header=squall_kernels.h
"${CC:-cc}" -Wall -Wextra -Werror -c squall.c 2>err || fail "a source called squall"

# What Python's import takes, for a program that imports it.
mkdir py
for pair in my-mod:my_mod class:class_ 2d:_2d math:math_ k.v1:k_v1 fine:fine fein_ü:fein_ü; do
    file=py/${pair%:*}.py better=${pair#*:}
    expect 0 compile k.sq -o k.c "--bindings=$file"
    [ -e "$file" ] || fail "$file was not written"
    if [ "$better" = "${pair%:*}" ]; then
        silent
    else
        says "Python's import takes no module from '${pair%:*}.py'"
        says "write --bindings=py/$better.py"
    fi
done

mkdir 'a "b"'
expect 0 compile k.sq -o k.c '--header=a "b"/k k.h'
cp 'a "b"/k k.h' .
"${CC:-cc}" -Wall -Wextra -Werror -c k.c 2>err || fail "a header with a blank in its name"
exit 0
