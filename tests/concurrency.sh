#!/bin/sh
# concurrency: the engine loop under real threads and under chosen schedules, the models and the orders of the stop flag,
# each with faults planted. --quick: the loop alone, a minute. --medium: all but what `make test` has run in its short
# form already, a few minutes.
set -eu
cd "$(dirname "$0")/.."
build=build
out=$build/concurrency
rm -rf "$out"
mkdir -p "$out"

seconds=20 tsan_seconds=120 schedules=5000 plant='' more=yes
case "${1:-}" in
--quick) seconds=4 tsan_seconds=8 schedules=300 plant=--quick more='' ;;
--medium) tsan_seconds=60 more='' ;;
esac

# check NAME COMMAND…: one check, which says what it found if it fails
check() {
  name=$1
  shift
  "$@" >"$out/$name" 2>&1 </dev/null || {
    cat "$out/$name" >&2
    echo "concurrency: $name failed: $*" >&2
    exit 1
  }
}

make -s -j2 "$build/stress" "$build/explore"
make -s -j2 BUILD="$build/tsan" SANITIZE=-fsanitize=thread "$build/tsan/stress"
check stress "$build/stress" $seconds
check tsan env TSAN_OPTIONS='halt_on_error=1 exitcode=66' "$build/tsan/stress" $tsan_seconds
[ -n "$plant" ] || check all "$build/explore" all
check races "$build/explore" races
check random "$build/explore" random $schedules
# shellcheck disable=SC2086
check planted python3 tests/engine/plant.py $plant
[ -z "$more" ] || check models python3 tests/check_models.py
[ -z "$more" ] || check relacy python3 tests/relacy/run.py --long

# sum WORD FILE…: the numbers before a word, added up
sum() {
  word=$1
  shift
  cat "$@" | grep -oE "[0-9]+ $word" | awk '{n += $1} END {print n + 0}'
}
row() { printf '%-44s %12s\n' "$1" "$2"; }
schedule_logs=$(cd "$out" && for name in all races random; do [ ! -f $name ] || echo "$out/$name"; done)
[ ! -f "$out/all" ] || row 'schedules, all of 2 lanes, 3 steps, 2 requests' "$(sum schedules "$out/all")"
row 'schedules, of those one of a kind, with orders' "$(sum schedules "$out/races")"
row 'schedules, random' "$(sum schedules "$out/random")"
# shellcheck disable=SC2086
row 'switches' "$(sum switches $schedule_logs)"
row 'threads' 8
row 'lanes and slots recycled' "$(sum recycles "$out/stress")"
row 'the same under a thread sanitizer' "$(sum recycles "$out/tsan")"
row 'requests to stop' "$(sum requests "$out/stress" "$out/tsan" "$out/random")"
row 'seconds under a thread sanitizer' "$tsan_seconds"
row 'races found' "$(cat "$out/tsan" "$out/races" "$out/random" | grep -c 'data race' || true)"
row 'planted faults found' "$(sed -n 's/ planted faults found$//p' "$out/planted")"
sed -n 's/^planted: /  by check: /p' "$out/planted"
[ -z "$more" ] || echo "SPIN: $(tail -n 1 "$out/models")"
[ -z "$more" ] || echo "Relacy: $(tail -n 1 "$out/relacy")"
