"""Writes the lock files from ``pyproject.toml``: every version and every file's hash, for all platforms and Python 3.11
or newer. Needs ``uv``, which is fetched into a folder of its own for this only."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESOLVE = [
    *("pip", "compile", "pyproject.toml", "--universal", "--python-version", "3.11", "--generate-hashes", "--upgrade"),
    *(
        "--no-emit-index-url",
        "--no-emit-find-links",
        "--no-annotate",
        "--quiet",
        "--custom-compile-command",
        "make lock",
    ),
]
LOCKS = {
    "requirements.lock": ["--group", "setup"],
    "requirements-dev.lock": ["--group", "setup", "--group", "dev", "--constraint", "requirements.lock"],
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, "uv>=0.9"], check=True)
        for name, options in LOCKS.items():
            print(f"Resolving {name}.", flush=True)
            subprocess.run([Path(folder, "bin", "uv"), *RESOLVE, *options, "-o", name], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
