"""``python -m bench.comparing``: edits described in words, and read back. ``README.md`` is the protocol."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.comparing.scoring import faults, read_answers, scored
from bench.comparing.sheets import write


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.comparing", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    made = commands.add_parser("write", help="draw 300 edits, and write what readers are given")
    made.add_argument("--out", type=Path, required=True)
    made.add_argument("--seed", type=int, required=True)
    made.add_argument("--key", type=Path, help="the folder of key.json; by default beside --out")
    made.add_argument("--only", type=int, nargs="+", help="the numbers of items, for a look")
    made.add_argument("--workers", type=int, default=0, help="processes; by default one a core")
    counted = commands.add_parser("score", help="count what readers chose")
    counted.add_argument("folder", type=Path)
    counted.add_argument("--key", type=Path)
    given = parser.parse_args(arguments)
    return _write(given) if given.command == "write" else _score(given)


def key_folder(folder: Path, key: Path | None) -> Path:
    """Beside the reader's folder, so that nobody meets it there."""
    return key or folder.with_name(f"{folder.resolve().name}-key")


def _write(given: argparse.Namespace) -> int:
    key = key_folder(given.out, given.key)
    items = write(given.out, key, given.seed, given.only, given.workers)
    found = faults(json.loads((key / "key.json").read_text(encoding="utf-8")))
    print(f"{len(items)} edits in {given.out}, the key in {key}; {len(found)} faults without a reader")
    print("\n".join(found))
    return 0


def _score(given: argparse.Namespace) -> int:
    key = json.loads((key_folder(given.folder, given.key) / "key.json").read_text(encoding="utf-8"))
    print(scored(read_answers(given.folder), key))
    return 1 if faults(key) else 0


if __name__ == "__main__":
    sys.exit(main())
