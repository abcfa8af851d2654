#!/bin/sh
# library: what the libraries in build/ export and need, the header in C++, the example against both, streams in threads.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
out=$build/library
rm -rf "$out"
mkdir -p "$out"
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Werror'

fail() {
  echo "library: $*" >&2
  exit 1
}

# exported FILE…: global symbols that are defined there
exported() { nm --defined-only "$@" | awk 'NF == 3 && $2 ~ /[A-TV-Z]/ {print $3}' | LC_ALL=C sort; }

# Exactly what endstop.h declares.
check_shared() {
  grep -E '^(extern )?ES_API' src/lib/endstop.h | grep -oE 'es_[a-z_]+ ?[(;]' | tr -d ' (;' | LC_ALL=C sort >"$out/declared"
  [ "$(wc -l <"$out/declared")" -ge 11 ] || fail "endstop.h: expected 11 declarations or more"
  exported -D "$1" | diff "$out/declared" - >"$out/difference" || return 1
  [ "$(readelf -d "$1" | grep -c NEEDED)" = 1 ] && readelf -d "$1" | grep -q 'NEEDED.*\[libc\.so\.6\]'
}
check_static() { ! exported -g "$1" | grep -v '^es_' >"$out/difference"; }

check_shared "$build/libendstop.so" || fail "libendstop.so exports or needs something else: $(cat "$out/difference")"
check_static "$build/libendstop.a" || fail "libendstop.a defines other names: $(cat "$out/difference")"
readelf -d "$build/libendstop.so" | grep -q 'SONAME.*\[libendstop\.so\.0\]' || fail "expected the soname libendstop.so.0"
# es_status stands in both headers, as endstop.h includes nothing of ours: the two must be the same.
status_of() { sed -n '/^  ES_OK = 0/,/^} es_status;/p' "$1" | sed 's|/[*].*||'; }
[ "$(status_of src/lib/endstop.h)" = "$(status_of src/core/status.h)" ] && [ -n "$(status_of src/core/status.h)" ] ||
  fail "es_status: expected the same in endstop.h and status.h"
objects=$(for source in src/core/*.c src/lib/*.c; do echo "$build/${source%.c}.o"; done)
echo '__attribute__((visibility("default"))) int es_more(void); int es_more(void) { return 1; }' | gcc -xc -fPIC -c - -o "$out/more.o"
echo 'int more(void); int more(void) { return 1; }' | gcc -xc -fPIC -fvisibility=hidden -c - -o "$out/other.o"
echo '#include <math.h>
double es_need(double); double es_need(double x) { return lgamma(x); }' | gcc -xc -fPIC -fvisibility=hidden -c - -o "$out/need.o"
# shellcheck disable=SC2086
{
  gcc -shared -o "$out/more.so" $objects "$out/more.o"
  gcc -shared -o "$out/need.so" $objects "$out/need.o" -lm
  ar rcs "$out/other.a" $objects "$out/other.o"
}
for planted in more need; do check_shared "$out/$planted.so" && fail "the planted $planted.so was not found"; done
check_static "$out/other.a" && fail "the planted other.a was not found"

# shellcheck disable=SC2086
for compiler in g++ clang++; do
  $compiler -std=c++17 $warnings -Isrc/lib tests/library/header.cc "$build/libendstop.a" -o "$out/header"
  "$out/header" >/dev/null
done

# shellcheck disable=SC2086
for compiler in gcc clang; do
  here="$compiler -std=c11 $warnings -Isrc/lib tests/examples/server_loop.c"
  $here "$build/libendstop.a" -o "$out/static-$compiler"
  $here -L"$build" -lendstop -Wl,-rpath,"$PWD/$build" -o "$out/shared-$compiler"
  for linked in static shared; do "$out/$linked-$compiler" | diff tests/examples/server_loop.txt -; done
done
ldd "$out/shared-gcc" | grep -q libendstop.so.0 || fail "expected the example to be linked with libendstop.so.0"

# shellcheck disable=SC2086
gcc -std=c11 -O1 -g -fsanitize=thread $warnings -Isrc/lib -iquote src/core tests/library/threads.c src/core/*.c src/lib/*.c -o "$out/threads"
"$out/threads"
timeout 60 "$out/threads" shared >"$out/shared.log" 2>&1 && fail "the planted race was not found"
grep -q 'data race' "$out/shared.log" || fail "the planted race was not found: $(cat "$out/shared.log")"
echo "$(wc -l <"$out/declared") names exported, 2 compilers, static and shared, C++, threads; 4 planted faults found"
