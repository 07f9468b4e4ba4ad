# Of an x86 assembly file (AT&T syntax) a line a function: its name, and the fused multiply-adds, loads,
# stores and accesses to the stack of the innermost loop that has most multiply-adds; of several the one
# with the least accesses to memory. Operands of instructions in memory count as loads.

function count(i,   f, rest) {
    split(line[i], f, /[ \t]+/)
    if (f[2] !~ /^v/)
        return
    fma += f[2] ~ /^vfn?m(add|sub)/
    rest = line[i]
    sub(/^[ \t]*[a-z0-9]+[ \t]+/, "", rest)
    if (rest !~ /\(/)
        return
    if (rest ~ /\(%r[sb]p/)
        stack++
    else if (rest ~ /\)(\{[^}]*\})*$/)
        stores++
    else
        loads++
}

function is_innermost(j,   k) {
    for (k = 1; k <= nloops; k++)
        if (k != j && from[k] >= from[j] && to[k] <= to[j] && to[k] - from[k] < to[j] - from[j])
            return 0
    return 1
}

function end_of_function(   j, i, most, text) {
    most = -1
    for (j = 1; j <= nloops; j++) {
        if (!is_innermost(j))
            continue
        fma = loads = stores = stack = 0
        for (i = from[j]; i <= to[j]; i++)
            count(i)
        if (fma + loads == 0 || fma < most || (fma == most && loads + stores + stack >= least))
            continue
        most = fma
        least = loads + stores + stack
        text = fma " " loads " " stores " " stack
    }
    if (most >= 0)
        print name, text
}

/^[A-Za-z_][A-Za-z0-9_.]*:/ {
    name = $1
    sub(/[:.].*/, "", name)
    n = nloops = 0
    split("", at)
    next
}
/^\.L[A-Za-z0-9]+:/ {
    sub(/:.*/, "", $1)
    at[$1] = n + 1
    next
}
/^[ \t]+j[a-z]+[ \t]+\.L/ {
    line[++n] = $0
    if ($2 in at) {
        from[++nloops] = at[$2]
        to[nloops] = n
    }
    next
}
/^[ \t]+\.size/ {
    end_of_function()
    next
}
/^[ \t]+[a-z]/ { line[++n] = $0 }
