# Of nvdisasm's text of one kernel: "KIND NUMBER TOTAL" of its hottest loop, of those with 256
# instructions KIND (-v kind=FFMA) and more the one with the largest share of them: how many those
# are, and how many instructions there are in all.
# What a branch goes around is left out where it has a loop inside: that copies tiles at the edge.
BEGIN { n = branches = loops = best = all = 0 }
/^\.L_[A-Za-z0-9_]*:/ { sub(":", "", $1); label[$1] = n }
match($0, /^[ \t]*\/\*[0-9a-f]+\*\/[ \t]+/) {
    text = substr($0, RLENGTH + 1)
    if (text ~ /^@!PT /) next # stands for nothing
    is[n] = text ~ ("^(@!?U?P[0-9T]+ +)?" kind "[ .;]")
    if (text ~ /BRA/ && match(text, /\.L_[A-Za-z0-9_]*/)) {
        at[branches] = n
        to[branches++] = substr(text, RSTART, RLENGTH)
    }
    n++
}
function has_loop(first, last,    l) {
    for (l = 0; l < loops; l++)
        if (from[l] > first && end[l] < last) return 1
    return 0
}
function measure(first, last,    i, b, sum, total, edge) {
    for (i = first; i <= last; i++) edge[i] = 0
    for (b = 0; b < branches; b++)
        if (!edge[at[b]] && at[b] >= first && label[to[b]] > at[b] && label[to[b]] <= last && has_loop(at[b], label[to[b]]))
            for (i = at[b] + 1; i < label[to[b]]; i++) edge[i] = 1
    for (i = first; i <= last; i++) {
        sum += is[i] && !edge[i]
        total += !edge[i]
    }
    if (sum >= 256 && sum * all >= best * total) { best = sum; all = total }
}
END {
    for (b = 0; b < branches; b++)
        if (label[to[b]] <= at[b]) { from[loops] = label[to[b]]; end[loops++] = at[b] }
    for (l = 0; l < loops; l++) measure(from[l], end[l])
    print kind, best + 0, all + 0
}
