# Sourced by tests that build Squall once more. Such a build has the options of the one that is tested, and lies in
# `build` of its tree, so that ccache has what is equal (scripts/test builds with it); without ccache it is not optimised.
# sets $rebuild, words for cmake; $1 is the tree, whose paths ccache is to take as equal
rebuild_options() {
    known() { sed -n "s/^$1:[A-Z]*=//p" "$SQUALL_BUILD/CMakeCache.txt"; }
    rebuild="-DCMAKE_C_COMPILER=$(known CMAKE_C_COMPILER) -DSQUALL_WERROR=ON"
    launcher=$(known CMAKE_C_COMPILER_LAUNCHER)
    if [ -n "$launcher" ] && [ "$(known SQUALL_WERROR)" = ON ]; then
        export CCACHE_DIR="${CCACHE_DIR:-$SQUALL_BUILD/ccache}" CCACHE_BASEDIR="$1" CCACHE_NOHASHDIR=1
        rebuild="$rebuild -DCMAKE_C_COMPILER_LAUNCHER=$launcher -DCMAKE_BUILD_TYPE=$(known CMAKE_BUILD_TYPE)"
    else
        rebuild="$rebuild -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0"
    fi
}
