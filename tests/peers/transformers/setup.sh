#!/bin/sh
# setup VENV: makes the environment that transformers is recorded in, and an older release in VENV/4.57.6, to be laid over
# it: 7 GB, most of it what torch brings along.
set -eu
here=$(dirname "$0")
python3 -m venv "$1"
"$1/bin/pip" install --quiet --no-deps -r "$here/requirements.txt"
"$1/bin/pip" install --quiet --no-deps --target "$1/4.57.6" -r "$here/requirements-4.57.txt"
