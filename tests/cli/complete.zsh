# Reads a completion for zsh and asks it for options, with stand-ins for what zsh's own functions do.
# Sourced by test_manual.sh: complete.zsh FILE.
compdef() { : }
_describe() { print -rl -- $list }
_arguments() { print -rl -- "$@" }
. ./$1
asked() { # TEXT WORDS...: what is offered for the last word has that line
    local text=$1
    shift
    words=("$@") CURRENT=$#
    _squall | grep -qF -- "$text" || { print -r -- "'$*' does not offer $text"; exit 1 }
}
asked 'compile:translate a description' squall ''
asked '--header=[also write a header to FILE]:FILE:_files' squall compile ''
asked '-o+[write the C source to FILE' squall compile ''
asked '--color=[colour of messages]:auto|always|never:(auto always never)' squall tune ''
asked '*--fix=[make sizes constants' squall explain ''
asked 'topic:_squall_topics' squall show ''
