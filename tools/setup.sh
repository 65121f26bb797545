#!/bin/sh
# Finds a Python that is new enough and hands over to tools/setup.py, which needs nothing but the standard library.
# Usage: tools/setup.sh chat|run|test      PYTHON=/path/to/python chooses the interpreter.
set -u
here=$(dirname "$0")

new_enough() {
    "$1" -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

found=""
for candidate in ${PYTHON:-python3.13 python3.12 python3.11 python3 python}; do
    if command -v "$candidate" >/dev/null 2>&1 && new_enough "$candidate"; then
        found=$candidate
        break
    fi
done

if [ -z "$found" ]; then
    if [ -n "${PYTHON:-}" ]; then
        echo "PYTHON=$PYTHON is not a Python 3.11 or newer. Name another one, or leave PYTHON out." >&2
    elif present=$(python3 --version 2>/dev/null); then
        echo "HeartRule needs Python 3.11 or newer, and this machine has $present." >&2
        echo "Install a newer Python (python.org, or your system's packages) and run the same command again." >&2
    else
        echo "HeartRule needs Python 3.11 or newer, and no Python was found on this machine." >&2
        echo "Install it (python.org, or your system's packages) and run the same command again." >&2
    fi
    exit 1
fi
exec "$found" "$here/setup.py" "$@"
