#!/bin/sh
# libclang's interface as frontend/clang_api.h and clang_api.def declare it is that of its own header:
# every number, every member of a struct, every function. The header comes with a large package that
# nothing else needs: where it is not installed, the loaded library itself is asked what it calls every
# kind of cursor, type and operator that we have a number of.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
api=$SQUALL_SOURCE/frontend/clang_api.h
functions=$SQUALL_SOURCE/frontend/clang_api.def

# The library's own words. Those of operators are the operators; of what stands for a range, its first.
library=$(sed -n 's/^LibClang_LIBRARY:[A-Z]*=//p' "$SQUALL_BUILD/CMakeCache.txt")
cat >spell.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
typedef struct { const void *data; unsigned flags; } string;
int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_LAZY) : NULL;
    char group[32], name[64], function[80];
    int number;
    if (!library)
        return 1;
    const char *(*text)(string) = (const char *(*)(string))dlsym(library, "clang_getCString");
    while (scanf("%31s %63s %d", group, name, &number) == 3) {
        snprintf(function, sizeof function, "clang_get%sKindSpelling", group);
        string (*spelling)(int) = (string (*)(int))dlsym(library, function);
        if (!text || !spelling)
            return 1;
        printf("%s %s %s\n", group, name, text(spelling(number)));
    }
    return 0;
}
C
"$CC" spell.c -o spell -ldl
numbers() { # group, name, number of each; no operator has number 0
    grep -oE '\bCX(Cursor|Type|BinaryOperator|UnaryOperator)_[A-Za-z0-9_]+ = [0-9]+' "$api" |
        sed 's/^CX//; s/_/ /; s/ = / /' | grep -v '^BinaryOperator Invalid 0$'
}
cat >words <<'WORDS'
Cursor FirstExpr UnexposedExpr
Cursor FirstStmt UnexposedStmt
Cursor FirstAttr UnexposedAttr
Cursor AnnotateAttr attribute(annotate)
Cursor LastAttr attribute(aligned)
Cursor FirstPreprocessing preprocessing directive
Cursor MacroDefinition macro definition
Cursor MacroExpansion macro expansion
BinaryOperator Mul *
BinaryOperator Div /
BinaryOperator Rem %
BinaryOperator Add +
BinaryOperator Sub -
BinaryOperator Shl <<
BinaryOperator Shr >>
BinaryOperator LT <
BinaryOperator GT >
BinaryOperator LE <=
BinaryOperator GE >=
BinaryOperator EQ ==
BinaryOperator NE !=
BinaryOperator And &
BinaryOperator Xor ^
BinaryOperator Or |
BinaryOperator LAnd &&
BinaryOperator LOr ||
BinaryOperator Assign =
BinaryOperator MulAssign *=
BinaryOperator DivAssign /=
BinaryOperator RemAssign %=
BinaryOperator AddAssign +=
BinaryOperator SubAssign -=
BinaryOperator ShlAssign <<=
BinaryOperator ShrAssign >>=
BinaryOperator AndAssign &=
BinaryOperator XorAssign ^=
BinaryOperator OrAssign |=
BinaryOperator Comma ,
UnaryOperator PostInc ++
UnaryOperator PostDec --
UnaryOperator PreInc ++
UnaryOperator PreDec --
UnaryOperator AddrOf &
UnaryOperator Deref *
UnaryOperator Plus +
UnaryOperator Minus -
UnaryOperator Not ~
UnaryOperator LNot !
UnaryOperator Real __real
UnaryOperator Imag __imag
WORDS
wrong_words() { # lines whose word is neither the one above nor, where there is none, the name itself
    ./spell "$library" >spelled || { echo "cannot ask $library"; exit 1; }
    awk 'NR == FNR { word[$1 " " $2] = $0; next }
        { key = $1 " " $2; if ($0 != (key in word ? word[key] : key " " $2)) print }' words spelled
}
numbers | wrong_words >wrong
[ ! -s wrong ] || { echo "numbers that libclang has for something else:"; cat wrong; exit 1; }
[ "$(wc -l <spelled)" -gt 100 ] || { echo "too few kinds are compared"; exit 1; }
numbers | sed 's/ForStmt 209/ForStmt 208/; s/LE 13/LE 14/' | wrong_words >wrong
[ "$(wc -l <wrong)" = 2 ] || { echo "two wrong numbers are not found"; exit 1; }

include=
for folder in /usr/lib/llvm-*/include /usr/include; do
    [ -e "$folder/clang-c/Index.h" ] || continue
    # The binary operators' kinds are from 17 on.
    grep -q CXBinaryOperatorKind "$folder/clang-c/Index.h" && include=$folder
done
[ -n "$include" ] || {
    echo "clang-c/Index.h is not installed: structs and functions are not compared"
    exit 0
}

# Both in one unit: ours under another name.
{
    echo '#include <clang-c/Index.h>'
    sed 's/\bCX/OurCX/g' "$api"
    grep -oE '\bCX[A-Za-z]*_[A-Za-z0-9_]+ = ' "$api" | sed 's/ = //' |
        sed 's/.*/_Static_assert((int)Our& == (int)&, "&");/'
    sed -n '/^typedef struct {/,/^}/p; /^struct CX/,/^}/p' "$api" | awk '
        /^struct/ { name = "struct " $2 }
        /^    / { line = $0; sub(/;$/, "", line); sub(/^ +/, "", line)
            count = split(line, part, /, */)
            for (i = 1; i <= count; i++) {
                word = part[i]; sub(/\[.*/, "", word); sub(/.*[ *]/, "", word)
                member[++members] = word
            } }
        /^}/ { if ($2) { name = $2; sub(/;/, "", name) }
            our = name; sub(/CX/, "OurCX", our)
            printf "_Static_assert(sizeof(%s) == sizeof(%s), \"%s\");\n", our, name, name
            for (i = 1; i <= members; i++) {
                printf "_Static_assert(offsetof(%s, %s) == offsetof(%s, %s), \"%s\");\n", our,
                    member[i], name, member[i], member[i]
                printf "_Static_assert(sizeof ((%s *)0)->%s == sizeof ((%s *)0)->%s, \"%s\");\n",
                    our, member[i], name, member[i], member[i]
            }
            members = 0 }'
    # A second declaration of a function has to be compatible with the first one.
    echo '#define SQ_CLANG_FUNCTION(result, name, ...) result name(__VA_ARGS__);'
    cat "$functions"
} >both.c
[ "$(grep -c _Static_assert both.c)" -gt 150 ] || { echo "too little is compared"; exit 1; }
"$CC" -std=c17 -I"$include" -Wall -Werror -fsyntax-only both.c

# What would not be found otherwise: one wrong number, one wrong type.
sed 's/CXCursor_ForStmt == /CXCursor_ForStmt + 1 == /' both.c >wrong.c
if "$CC" -std=c17 -I"$include" -fsyntax-only wrong.c 2>/dev/null; then
    echo "a wrong number is not found"
    exit 1
fi
sed 's/clang_getArraySize, CXType/clang_getArraySize, CXCursor/' both.c >wrong.c
if "$CC" -std=c17 -I"$include" -fsyntax-only wrong.c 2>/dev/null; then
    echo "a wrong function is not found"
    exit 1
fi
