#!/bin/sh
# judge_recordings ENDSTOP: judges every committed recording. Faults found are the engines', so they are no failure here.
"$1" check --format table corpus/recordings/*.jsonl
status=$?
[ $status -le 1 ] || exit $status
echo "each fault in a sentence: $1 check corpus/recordings/FILE"
