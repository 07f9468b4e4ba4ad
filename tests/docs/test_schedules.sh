#!/bin/sh
# docs/SCHEDULES.md: every example runs (examples.sh), every transform has its section.
doc=$SQUALL_SOURCE/docs/SCHEDULES.md
. "$SQUALL_SOURCE/tests/docs/examples.sh"
for name in $transforms; do
    grep -q "^### $name(" "$doc" || complain "no section on $name"
done
exit $bad
