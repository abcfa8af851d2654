#!/bin/sh
# setup VENV: makes the environment that OpenVINO GenAI is recorded in: 520 MB.
set -eu
python3 -m venv "$1"
"$1/bin/pip" install --quiet --no-deps -r "$(dirname "$0")/requirements.txt"
