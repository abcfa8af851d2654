#!/bin/bash -eu
# build: the harnesses as OSS-Fuzz and ClusterFuzzLite want them, each with its seeds, dictionary and options, in $OUT.
# Called with $CC $CXX $CFLAGS $CXXFLAGS $LIB_FUZZING_ENGINE $OUT $SRC $WORK; the tree is $SRC/endstop.
cd "$SRC/endstop"

# Their C++ library and sanitizers want all code built by them: simdjson from source, where the Dockerfile has put it.
simdjson=-lsimdjson
if [ -d "$SRC/simdjson/singleheader" ]; then
  CXXFLAGS="$CXXFLAGS -isystem $SRC/simdjson/singleheader"
  simdjson=$WORK/simdjson.o
  # shellcheck disable=SC2086
  $CXX $CXXFLAGS -std=c++17 -c "$SRC/simdjson/singleheader/simdjson.cpp" -o "$simdjson"
fi

# A newer compiler may warn of more; -frtti because -fsanitize=vptr asks for it.
make -s -j"$(nproc)" BUILD="$WORK/endstop" CC="$CC" CXX="$CXX" CFLAGS="$CFLAGS -Wno-error" \
  CXXFLAGS="$CXXFLAGS -Wno-error -frtti" FUZZER="$LIB_FUZZING_ENGINE" SIMDJSON="$simdjson" fuzzers

python3 fuzz/seeds.py "$WORK/seeds"
grep -v '^#' fuzz/gates.tsv | while read -r name length _; do
  cp "$WORK/endstop/fuzz-$name" "$OUT/"
  mkdir -p "$WORK/seeds/$name"
  cp corpus/fuzz/"$name"/* "$WORK/seeds/$name/"
  (cd "$WORK/seeds/$name" && rm -f "$OUT/fuzz-${name}_seed_corpus.zip" && python3 -m zipfile -c "$OUT/fuzz-${name}_seed_corpus.zip" ./*)
  [ ! -f "fuzz/$name.dict" ] || cp "fuzz/$name.dict" "$OUT/fuzz-$name.dict"
  printf '[libfuzzer]\nmax_len = %s\ntimeout = 10\n' "$length" >"$OUT/fuzz-$name.options"
done
