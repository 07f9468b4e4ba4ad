# Sourced by scripts that go through targets: names come from the tool, `squall show targets --json`,
# so that a new row of codegen/isa/target.c is tested without an edit here.

# targets CONDITION: names of the rows that meet it, an expression of awk over the members
#   name, arch ("" of a processor), cross ("" where the machine's own compiler builds it), runs (1: here)
targets() {
    "$SQUALL" show targets --json | awk '
        /^ *"[a-z_]*": / { key = $1; gsub(/[":]/, "", key); value = $2; gsub(/[",]/, "", value)
            member[key] = value }
        /^ *}/ { name = member["name"]; arch = member["arch"]; cross = member["cross"]
            runs = member["runs"] == "true"
            if (name != "" && ('"$1"')) print name
            delete member }' | uniq
}
architectures() {
    "$SQUALL" show targets --json | sed -n 's/^ *"arch": "\(.*\)",$/\1/p'
}
