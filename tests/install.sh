#!/bin/sh
# install: make install into an empty prefix: what is there, whether it can be used with nothing else, and that it goes again.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
prefix=$PWD/$build/install/prefix
stage=$PWD/$build/install/stage
out=$PWD/$build/install
rm -rf "$out"
mkdir -p "$out"
umask 077 # what is installed is for all, whoever installs

fail() {
  echo "install: $*" >&2
  exit 1
}

# files FOLDER: modes, names and where links point, folders left out
files() { (cd "$1" && find . ! -type d -printf '%m %P %l\n' | sed 's/ $//' | LC_ALL=C sort -k 2); }

version=$(sed -n 's/^#define ES_VERSION "\(.*\)"/\1/p' src/lib/endstop.h)
LC_ALL=C sort -k 2 >"$out/expected" <<END
755 bin/endstop
644 include/endstop.h
644 lib/libendstop.a
777 lib/libendstop.so libendstop.so.0
777 lib/libendstop.so.0 libendstop.so.$version
644 lib/libendstop.so.$version
644 lib/pkgconfig/endstop.pc
644 share/bash-completion/completions/endstop
644 share/man/man1/endstop-check.1
644 share/man/man1/endstop-run.1
644 share/man/man1/endstop.1
644 share/endstop/python/endstop.py
END

make -s install BUILD="$build" PREFIX="$prefix" >"$out/said" 2>&1
[ ! -s "$out/said" ] || fail "expected no output, found $(cat "$out/said")"
files "$prefix" | diff "$out/expected" - || fail "expected other files"
[ -z "$(find "$prefix" -type d ! -perm 755)" ] || fail "expected folders of mode 755, found $(find "$prefix" -type d ! -perm 755)"
grep -rl '@[A-Z]*@' "$prefix/share/man" "$prefix/lib/pkgconfig" && fail "expected every @NAME@ replaced"
make -s install BUILD="$build" PREFIX="$prefix" # over what is there

for page in "$prefix"/share/man/man1/*; do
  said=$(groff -man -Tutf8 -K utf8 -ww -z "$page" 2>&1)
  [ -z "$said" ] || fail "$said"
done
printf '.TH A 1\n.SH NAME\n.BQ planted\n' | groff -man -Tutf8 -ww -z 2>&1 | grep -q BQ || fail "the planted page was not found"
python3 tests/check_manual.py "$prefix"
python3 tests/check_manual.py "$prefix" --self-test

# The example knows only pkg-config; it is built elsewhere.
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
[ "$(pkg-config --modversion endstop)" = "$version" ] || fail "pkg-config: expected version $version"
source=$PWD/tests/examples/server_loop.c
expected=$PWD/tests/examples/server_loop.txt
cd "$out"
# shellcheck disable=SC2046
for compiler in gcc clang; do
  $compiler -std=c11 -Wall -Wextra -Werror "$source" $(pkg-config --cflags --libs endstop) -o "shared-$compiler"
  $compiler -std=c11 -Wall -Wextra -Werror "$source" $(pkg-config --cflags endstop) -Wl,-Bstatic \
    $(pkg-config --static --libs endstop) -Wl,-Bdynamic -o "static-$compiler"
  LD_LIBRARY_PATH="$prefix/lib" "./shared-$compiler" | diff "$expected" -
  "./static-$compiler" | diff "$expected" -
  ldd "static-$compiler" | grep -q endstop && fail "expected static-$compiler without libendstop.so"
done
LD_LIBRARY_PATH="$prefix/lib" ldd shared-gcc | grep -q "$prefix/lib/libendstop.so.0" || fail "expected shared-gcc with the library installed"
"$prefix/bin/endstop" --version | grep -qF "$version" || fail "endstop --version: expected $version"
cd - >/dev/null

python3 tests/check_readme.py "$prefix"
python3 tests/check_readme.py "$prefix" --self-test

# Below another root it is the same, and says where it will be.
make -s install BUILD="$build" DESTDIR="$stage" PREFIX=/opt/endstop
files "$stage/opt/endstop" | diff "$out/expected" - || fail "expected the same files below DESTDIR"
[ "$(ls "$stage")" = opt ] || fail "expected opt below DESTDIR, found $(ls "$stage")"
grep -qx 'prefix=/opt/endstop' "$stage/opt/endstop/lib/pkgconfig/endstop.pc" || fail "endstop.pc: expected prefix=/opt/endstop"

for place in "$prefix" "$stage/opt/endstop"; do
  echo mine >"$place/lib/other" && echo mine >"$place/include/endstop.hpp"
done
make -s uninstall BUILD="$build" PREFIX="$prefix"
make -s uninstall BUILD="$build" DESTDIR="$stage" PREFIX=/opt/endstop
for place in "$prefix" "$stage/opt/endstop"; do
  [ "$(files "$place" | tr '\n' ' ')" = "600 include/endstop.hpp 600 lib/other " ] || fail "uninstall left $(files "$place")"
done
echo "$(wc -l <"$out/expected") files come and go; the example builds with pkg-config alone; pages and completion are right"
