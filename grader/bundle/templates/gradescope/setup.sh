#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image.
set -euo pipefail

root=${AUTOGRADER_ROOT:-/autograder}
source=$root/source
python=${PYTHON:-python3}

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "error: the grader needs Python 3.11 or newer, and this is $("$python" --version)"
    echo "hint: choose a newer base image, such as Ubuntu 24.04, in the settings of the autograder"
    exit 1
fi
if ! "$python" -c 'import ensurepip' 2>/dev/null; then
    apt-get update && apt-get install -y python3-venv
fi
"$python" -m venv "$root/venv"
# Options for pip, such as the index of a build of PyTorch without CUDA, stand between the quotes.
pip_options="@PIP_OPTIONS@"
# shellcheck disable=SC2086  # several options are several words
"$root/venv/bin/python" -m pip install --quiet --disable-pip-version-check $pip_options \
    -c "$source/constraints.txt" "$source/@WHEEL@" @PACKAGES@

# Hidden tests, reference and key are closed by their modes as well as by the sandbox.
chmod -R go= "$source"
"$root/venv/bin/grader" doctor
