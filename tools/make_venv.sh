#!/bin/sh
# make_venv.sh FOLDER: a working virtual environment in FOLDER. One that works is kept, anything else there is replaced.
# PYTHON=... names the interpreter; without it the first of python3, python3.13, python3.12, python3.11 that runs.
set -eu
venv=$1
probe='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))'

if "$venv/bin/python" -c "$probe; import pip" 2>/dev/null && "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    exit 0
fi

tried=
for python in ${PYTHON:+"$PYTHON"} $([ -n "${PYTHON:-}" ] || echo python3 python3.13 python3.12 python3.11); do
    # Run it: a shim may be there for a version that is not, and Debian's python3 may lack ensurepip.
    if why=$("$python" -c "import sys, venv, ensurepip, ssl; $probe" 2>&1); then
        echo "creating $venv with $("$python" --version) ($(command -v "$python"))"
        rm -rf "$venv"
        exec "$python" -m venv "$venv"
    fi
    if ! command -v "$python" >/dev/null 2>&1; then
        why='not found'
    elif ! version=$("$python" --version 2>&1); then
        why='is there but does not run'
    else
        why="$version${why:+, $(printf '%s\n' "$why" | tail -n 1)}"
    fi
    tried="$tried
  $python: $why"
done

cat >&2 <<END
boundcheck needs Python 3.11, 3.12 or 3.13 with the modules venv and ensurepip; none was found. Tried:$tried
Install one (on Debian and Ubuntu: python3 and python3-venv), or name one: make PYTHON=/path/to/python3.12 ...
END
exit 1
