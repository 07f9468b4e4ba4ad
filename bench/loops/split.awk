# One file a function, so that a region that is refused leaves the others; calls.c, the functions that
# call them, and their list. -v to=FOLDER
FNR == 1 { head = ""; name = ""; inside = 0 }
/^\/\* run: / {
    call = $0
    sub(/^\/\* run: /, "", call)
    sub(/ \*\/$/, "", call)
    inside = 1
    name = ""
    text = ""
    next
}
!inside && /^#include/ { head = head $0 "\n"; next }
inside {
    text = text $0 "\n"
    if (name == "" && /^(void|int|float|double) [a-z_0-9]*\(/) {
        name = $2
        sub(/\(.*/, "", name)
        names[++n] = name
        calls[n] = call
        prototype = ""
        open = 1
    }
    if (open) {
        if (/^{/) {
            open = 0
            prototypes = prototypes prototype ";\n"
        } else
            prototype = prototype " " $0
    }
    if (/^}/) {
        printf "%s%s", head, text >(to "/" name ".c")
        inside = 0
    }
}
END {
    file = to "/calls.c"
    print "#include \"bench/loops/data.h\"\n#include <stddef.h>\n" prototypes >file
    print "enum { N = BENCH_LOOP_N, M = BENCH_LOOP_M };" >file
    members = split("a b c d e f g x y z p q s index w v h k u v8 m A B C r", member, " ")
    for (i = 1; i <= members; i++)
        print "#define " member[i] " data->" member[i] >file
    for (i = 1; i <= n; i++)
        print "static void call_" names[i] "(bench_loop_data *data)\n{\n    " calls[i] "\n}" >file
    print "static const bench_loop loops[] = {" >file
    for (i = 1; i <= n; i++)
        print "    {\"" names[i] "\", call_" names[i] "}," >file
    print "    {NULL, NULL}};\nbench_loop_list bench_loops;" >file
    print "const bench_loop *bench_loops(void)\n{\n    return loops;\n}" >file
}
