#!/bin/sh
# setup VENV: makes the environment that vLLM is recorded in: 6 GB, most of it what torch brings along.
set -eu
python3 -m venv "$1"
"$1/bin/pip" install --quiet --no-compile --no-deps -r "$(dirname "$0")/requirements.txt"
