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
names=$(sed -n 's/^\([a-z0-9]*\)\t.*/\1/p' fuzz/gates.tsv)
built=$(make -s --no-print-directory print-harnesses)
[ -n "$built" ] && [ "$(printf '%s\n' $names | sort)" = "$(printf '%s\n' $built | sort)" ] || {
  echo "fuzz/gates.tsv: expected the harnesses of the Makefile, $built, found ${names:-none}"
  exit 1
}

# check SANITIZER FLAGS…
check() {
  sanitizer=$1
  shift
  export SRC=$folder/$sanitizer/src OUT=$folder/$sanitizer/out WORK=$folder/$sanitizer/work
  mkdir -p "$SRC/endstop" "$OUT" "$WORK"
  cp -r Makefile src fuzz corpus "$SRC/endstop"
  [ -z "${SIMDJSON_SOURCE:-}" ] || cp -r "$SIMDJSON_SOURCE" "$SRC/simdjson"
  local common='-O1 -fno-omit-frame-pointer -gline-tables-only -Wno-unused-command-line-argument'
  export CC=clang CXX=clang++ LIB_FUZZING_ENGINE=-fsanitize=fuzzer SANITIZER=$sanitizer
  export CFLAGS="$common $* -fsanitize=fuzzer-no-link" CXXFLAGS="$common $* -fsanitize=fuzzer-no-link"
  "$SRC/endstop/fuzz/oss-fuzz/build.sh"
  ran=0 left=0
  for name in $names; do
    for part in "fuzz-$name" "fuzz-${name}_seed_corpus.zip" "fuzz-$name.options"; do
      [ -s "$OUT/$part" ] || { echo "build.sh: expected $part in \$OUT, found none"; exit 1; }
    done
    case $sanitizer-$name in memory-json | memory-vocab)
        left=$((left + 1))
        continue
        ;;
    esac
    python3 -m zipfile -e "$OUT/fuzz-${name}_seed_corpus.zip" "$WORK/some"
    mkdir -p "$WORK/few"
    find "$WORK/some" -type f | head -n 40 | xargs cp -t "$WORK/few"
    "$OUT/fuzz-$name" -runs=100 -print_final_stats=1 "$WORK/few" >"$WORK/said" 2>&1 || { cat "$WORK/said"; exit 1; }
    units=$(sed -n 's/^stat::number_of_executed_units: *//p' "$WORK/said")
    [ "${units:-0}" -ge 100 ] || { cat "$WORK/said"; echo "$name: expected 100 executions, found ${units:-none}"; exit 1; }
    rm -rf "$WORK/some" "$WORK/few"
    ran=$((ran + 1))
  done
  [ $ran -gt 0 ] && [ $((ran + left)) = "$(echo $built | wc -w)" ] || { echo "$sanitizer: expected all of $built to run, $ran ran"; exit 1; }
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
