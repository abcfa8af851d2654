#!/bin/sh
# run: all tests, each with its time. Two at a time; a step that fails shows what it printed.
set -u
cd "$(dirname "$0")/.." || exit 2
logs=build/logs
mkdir -p $logs || exit 2
rm -f $logs/*
trap 'trap "" INT TERM; kill 0; exit 130' INT TERM
sanitizers='-fsanitize=address,undefined -fno-sanitize-recover=all'
asan() { make -s -j2 BUILD=build/asan OPT='-O1 -g' SANITIZE="$sanitizers" "$@"; }

# step NAME COMMAND…: runs one test, remembers how it ended
step() {
  name=$1
  shift
  begun=$(date +%s)
  if "$@" >"$logs/$name.log" 2>&1 </dev/null; then word=ok; else word=FAILED; fi
  echo "$word" >"$logs/$name.end"
  printf '%-7s %-22s %4d s   %s\n' $word "$name" $(($(date +%s) - begun)) "$(tail -n 1 "$logs/$name.log" | cut -c 1-90)"
  [ $word = ok ] || tail -n 40 "$logs/$name.log" | sed 's/^/        /'
}

step format make -s check-format
step build-gcc make -s -j2 build build/unit build/engine build/vocab_dump build/parse
step freestanding make -s freestanding
step build-clang make -s -j2 CC=clang CXX=clang++ BUILD=build/clang build build/clang/unit
step build-asan asan build build/asan/unit
{
  step unit build/unit
  step unit-asan build/asan/unit
  step coverage tests/coverage.py --unit
  step library tests/library.sh
  step stream-bites python3 tests/plant_stream.py
  step command python3 tests/test_cli.py
  step memory python3 tests/memory.py
  step memory-bites python3 tests/memory.py --self-test
  step cases python3 tests/run_cases.py
  step cases-bites python3 tests/run_cases.py --self-test
  step cases-asan python3 tests/run_cases.py --endstop build/asan/endstop --quick
  step hostile python3 tests/hostile.py build/asan/endstop
  step judge-random python3 tests/judge_random.py
  step races python3 tests/race_random.py
  step races-bite python3 tests/race_random.py --planted
} &
{
  step model-self python3 tests/model/selfcheck.py
  step models python3 tests/check_models.py --quick
  step schemas python3 tests/check_schemas.py
  step index python3 tests/check_index.py
  step install tests/install.sh
  step index-bites python3 tests/check_index.py --self-test
  step recordings python3 tests/check_recordings.py
  step fuzz-replay make -s -j2 fuzz-replay
  step engines python3 tests/peers/table.py --check
  step relacy python3 tests/relacy/run.py
  step vocab python3 tests/vocab/check.py
  step vocab-bites python3 tests/vocab/check.py --self-test
  step binding /usr/bin/python3 -m pytest -q -p no:cacheprovider tests/test_binding.py
  step planted python3 tests/differential.py --planted
  step concurrency tests/concurrency.sh --quick
  step differential python3 tests/differential.py --cases 100000
} &
wait
passed=$(grep -lx ok $logs/*.end | wc -l)
failed=$(grep -lx FAILED $logs/*.end | wc -l)
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -ge 36 ]
