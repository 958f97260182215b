#!/bin/sh
# A compiler launcher: `borrow.sh compiler arguments...` copies the object that the file $STRATA_BORROWED has for this output
# in place of compiling it. A line of the file is an output as the compiler is told it, a tab, and what to copy.
previous=
for argument in "$@"; do
  [ "$previous" = -o ] && output=$argument
  previous=$argument
done
from=$(awk -F '\t' -v output="$output" '$1 == output { print $2 }' "$STRATA_BORROWED" 2>/dev/null)
[ -z "$from" ] || exec cp "$from" "$output"
exec "$@"
