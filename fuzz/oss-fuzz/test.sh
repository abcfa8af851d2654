#!/bin/bash -eu
# test: runs build.sh in a copy of the tree, with the variables that OSS-Fuzz sets, as far as that goes without Docker:
# Debian's clang and simdjson. Every harness must be in $OUT with seeds and options, and run. --all: undefined and memory
# too, memory without the two harnesses that need a C++ library built for it.
cd "$(dirname "$0")/../.."
here=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
export UBSAN_OPTIONS=silence_unsigned_overflow=1
names=$(grep -v '^#' fuzz/gates.tsv | cut -f 1)

# check SANITIZER FLAGS…
check() {
  sanitizer=$1
  shift
  export SRC=$folder/$sanitizer/src OUT=$folder/$sanitizer/out WORK=$folder/$sanitizer/work
  mkdir -p "$SRC/endstop" "$OUT" "$WORK"
  cp -r Makefile src fuzz corpus "$SRC/endstop"
  mkdir -p "$SRC/endstop/build"
  [ ! -d build/replay ] || cp -r build/replay "$SRC/endstop/build" # the program that writes seeds
  [ -z "${SIMDJSON_SOURCE:-}" ] || cp -r "$SIMDJSON_SOURCE" "$SRC/simdjson"
  local common='-O1 -fno-omit-frame-pointer -gline-tables-only -Wno-unused-command-line-argument'
  export CC=clang CXX=clang++ LIB_FUZZING_ENGINE=-fsanitize=fuzzer SANITIZER=$sanitizer
  export CFLAGS="$common $* -fsanitize=fuzzer-no-link" CXXFLAGS="$common $* -fsanitize=fuzzer-no-link"
  "$SRC/endstop/fuzz/oss-fuzz/build.sh"
  ran=0
  for name in $names; do
    for part in "fuzz-$name" "fuzz-${name}_seed_corpus.zip" "fuzz-$name.options"; do
      [ -s "$OUT/$part" ] || { echo "build.sh: expected $part in \$OUT, found none"; exit 1; }
    done
    case $sanitizer-$name in memory-json | memory-vocab) continue ;; esac
    python3 -m zipfile -e "$OUT/fuzz-${name}_seed_corpus.zip" "$WORK/some"
    mkdir -p "$WORK/few"
    find "$WORK/some" -type f | head -n 40 | xargs cp -t "$WORK/few"
    "$OUT/fuzz-$name" -runs=100 "$WORK/few" >"$WORK/said" 2>&1 || { cat "$WORK/said"; echo "$name: did not run 100 executions"; exit 1; }
    rm -rf "$WORK/some" "$WORK/few"
    ran=$((ran + 1))
  done
  echo "$sanitizer: $(echo "$names" | wc -l) harnesses in \$OUT, $ran ran"
}

case ${1:-} in
--all)
  undefined=array-bounds,bool,builtin,enum,function,integer-divide-by-zero,null,object-size,return,returns-nonnull-attribute,shift,signed-integer-overflow,unreachable,vla-bound,vptr
  check undefined "-fsanitize=$undefined,unsigned-integer-overflow" "-fno-sanitize-recover=$undefined"
  check memory -fsanitize=memory
  ;;
esac
check address -fsanitize=address -fsanitize-address-use-after-scope
cd "$here"
