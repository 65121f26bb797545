"""What the command lines of the benches of conversations have in common: strip, check, and how they end."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

BAD = 1
"""What a command ends with that could not be done, or has found something that cannot be read."""
Run = Callable[[argparse.Namespace], int]


class Commands:
    """Of ``python -m NAME``, one after the other."""

    def __init__(self, name: str, about: str | None) -> None:
        self._parser = argparse.ArgumentParser(prog=f"python -m {name}", description=about)
        self._commands = self._parser.add_subparsers(required=True, metavar="COMMAND")

    def add(self, name: str, run: Run, about: str) -> argparse.ArgumentParser:
        made = self._commands.add_parser(name, help=about, description=about)
        made.set_defaults(run=run)
        return made

    def strip(self, run: Run) -> argparse.ArgumentParser:
        made = self.add("strip", run, "write transcripts that do not tell whose they are")
        made.add_argument("folders", nargs="+", type=Path, metavar="DIR")
        made.add_argument("--out", type=Path, required=True)
        made.add_argument("--seed", required=True, help="names the transcripts; whoever judges does not know it")
        made.add_argument("--key", type=Path, required=True, help="the file that says what the names stand for")
        return made

    def check(self, read: Callable[[Path], object]) -> None:
        """``read`` raises ``ValueError`` where judges' answers cannot be read."""

        def run(given: argparse.Namespace) -> int:
            return max(map(_good(read), given.files), default=0)

        made = self.add("check", run, "say whether judges' answers can be read")
        made.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def figures(self, run: Run, *, required: bool) -> None:
        made = self.add("figures", run, "print the table")
        made.add_argument("folders", nargs="+", type=Path, metavar="DIR")
        made.add_argument("--judgements", type=Path, required=required, help="the folder of the judges' answers")
        made.add_argument("--key", type=Path, required=required)

    def run(self, arguments: Sequence[str] | None, *refusals: type[Exception]) -> int:
        """What is in ``refusals`` is told, and so is a file that is not there or a value that is none."""
        given = self._parser.parse_args(arguments)
        try:
            found: int = given.run(given)
        except (FileNotFoundError, ValueError, *refusals) as error:
            print(error, file=sys.stderr)
            return BAD
        return found


def _good(read: Callable[[Path], object]) -> Callable[[Path], int]:
    def tried(file: Path) -> int:
        try:
            read(file)
        except ValueError as error:
            print(f"{file}: {error}")
            return BAD
        print(f"{file}: good")
        return 0

    return tried
