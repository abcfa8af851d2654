#!/bin/sh
# setup VENV: makes the environment that llama.cpp is recorded in: 160 MB, about 15 minutes on two cores.
# There is only source of llama-cpp-python: its Python part is installed without llama.cpp, which is then built from the
# same archive, with llama-server; without what the recordings do not need, and at -O1, for the time it takes.
set -eu
venv=$1
version=0.3.36
here=$(dirname "$0")
source=$venv/src
python3 -m venv "$venv"
CMAKE_ARGS="-DLLAMA_BUILD=OFF -DLLAVA_BUILD=OFF" "$venv/bin/pip" install -q --no-deps -r "$here/requirements.txt"
"$venv/bin/pip" download -q --no-deps --no-binary llama-cpp-python -d "$source" llama-cpp-python==$version
tar -C "$source" -xzf "$source/llama_cpp_python-$version.tar.gz"
cmake -G Ninja -S "$source/llama_cpp_python-$version/vendor/llama.cpp" -B "$source/build" -DCMAKE_BUILD_TYPE=Release \
  "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG" "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG" -DBUILD_SHARED_LIBS=ON \
  -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON '-DCMAKE_INSTALL_RPATH=$ORIGIN' -DGGML_NATIVE=OFF -DGGML_OPENMP=OFF \
  -DGGML_LLAMAFILE=OFF -DGGML_CPU_REPACK=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_APP=OFF \
  -DLLAMA_BUILD_UI=OFF -DLLAMA_USE_PREBUILT_UI=OFF -DLLAMA_OPENSSL=OFF
nice ninja -C "$source/build" -j2 llama-server
library=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/llama_cpp/lib
mkdir -p "$library"
cp -L "$source"/build/bin/*.so "$source"/build/bin/*.so.0 "$source/build/bin/llama-server" "$library"
rm -r "$source"
