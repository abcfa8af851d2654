#!/bin/sh
# smoke: what must hold of the fuzzing itself, in minutes: all harnesses built, all that is committed replayed, features
# reached, planted faults found, a case made of what is found, OSS-Fuzz's build. A step that fails shows what it printed.
set -u
cd "$(dirname "$0")/.." || exit 2
logs=build/fuzz/logs
mkdir -p $logs || exit 2
trap 'trap "" INT TERM; kill 0; exit 130' INT TERM
passed=0 failed=0

# step NAME COMMAND…
step() {
  name=$1
  shift
  begun=$(date +%s)
  if "$@" >"$logs/$name.log" 2>&1 </dev/null; then word=ok passed=$((passed + 1)); else word=FAILED failed=$((failed + 1)); fi
  printf '%-7s %-12s %4d s   %s\n' $word "$name" $(($(date +%s) - begun)) "$(tail -n 1 "$logs/$name.log" | cut -c 1-90)"
  [ $word = ok ] || tail -n 60 "$logs/$name.log" | sed 's/^/        /'
}

step build make -s -j2 fuzz-build
step asked fuzz/asked.py --self-test
step gates fuzz/gates.py
step gates-bite fuzz/gates.py --self-test
step twins fuzz/twins.py
step case python3 fuzz/test_case.py
step recipes python3 fuzz/recipes/test.py
step oss-fuzz fuzz/oss-fuzz/test.sh
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -ge 8 ]
