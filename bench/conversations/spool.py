"""A folder in which one party asks and another answers: numbered files, whole as soon as they are there."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path

LOOKS = 0.1
"""Seconds between two looks for an answer."""
WITHDRAWN = ".withdrawn"


@dataclass(frozen=True, slots=True)
class Spool:
    """``asked`` and ``answered`` are how the names of questions and answers end."""

    folder: Path
    asked: str
    answered: str

    def put(self, text: str) -> int:
        """Asks. Returns the number of the question."""
        self.folder.mkdir(parents=True, exist_ok=True)
        number = max(self.numbers(), default=0) + 1
        written(self._file(number, self.asked), text)
        return number

    def numbers(self) -> list[int]:
        names = (path.name for path in self.folder.glob(f"*{self.asked}"))
        return sorted(int(name.split(".", 1)[0]) for name in names)

    def waiting(self) -> list[int]:
        """What nobody has answered yet, and is still wanted."""
        closed = (self.answered, WITHDRAWN)
        return [number for number in self.numbers() if not any(self._file(number, end).exists() for end in closed)]

    def question(self, number: int) -> str:
        return self._file(number, self.asked).read_text(encoding="utf-8")

    def answer(self, number: int, text: str) -> None:
        written(self._file(number, self.answered), text)

    def withdraw(self, number: int) -> None:
        """Nobody waits for this answer any longer."""
        written(self._file(number, WITHDRAWN), "")

    def mark(self, number: int, mark: str) -> bool:
        """Whether the question bore the mark already; now it does."""
        file = self._file(number, mark)
        known = file.exists()
        file.touch()
        return known

    async def answer_of(self, number: int) -> str:
        """Waits as long as it takes."""
        file = self._file(number, self.answered)
        while not file.exists():  # noqa: ASYNC110  (another process writes it)
            await asyncio.sleep(LOOKS)
        return file.read_text(encoding="utf-8")

    def _file(self, number: int, end: str) -> Path:
        return self.folder / f"{number:04}{end}"


def written(file: Path, text: str) -> None:
    """Under another name first: whoever looks for the file never finds half of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    half = file.with_name(f".{file.name}.{os.getpid()}")
    half.write_text(text, encoding="utf-8")
    half.replace(file)


def of_model(folder: Path) -> Spool:
    return Spool(folder / "model", ".request.json", ".answer.txt")


def of_visitor(folder: Path) -> Spool:
    return Spool(folder / "visitor", ".page.txt", ".said.txt")
