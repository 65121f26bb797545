"""What is kept of a conversation: who held it, what was said, when its turns were, what was asked of the model."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from bench.conversations.sheet import FOLDER, Sheet
from bench.conversations.spool import written

Who = Literal["counsellor", "visitor"]
MOST = 150
"""Messages of the visitor, after which a conversation is broken off."""


@dataclass(frozen=True, slots=True)
class Said:
    """``choices``: labels that could be picked below these words. ``filled``: questions and answers of a form that was
    handed in with them."""

    who: Who
    turn: int
    text: str
    choices: Sequence[str] = ()
    filled: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a model. Seconds on one clock with the turns'. ``turn`` 0: beside the turns. ``kind`` is the prompt's
    template, ``form`` which form of it (``mended``, …), ``instead``: it takes the place of a call whose answer did not
    stand. ``speaks``: its words are shown to the person."""

    number: int
    turn: int
    began: float
    ended: float
    answered: bool
    kind: str = ""
    speaks: bool = False
    instead: bool = False
    form: str = "first"
    mended: bool = False

    @property
    def again(self) -> bool:
        """A reply that is made once more: for its form, or because what it asked may not be asked (``mended``)."""
        return self.mended or (self.speaks and (self.instead or self.form != "first"))


@dataclass(frozen=True, slots=True)
class Span:
    """When a turn of the visitor began and ended."""

    turn: int
    began: float
    ended: float


@dataclass(slots=True)
class Record:
    """Written anew after every turn."""

    folder: Path
    about: dict[str, Any]
    said: list[Said] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)

    @classmethod
    def begun(cls, folder: Path, side: Literal["ours", "plain"], sheet: Sheet, **about: Any) -> Record:
        """Raises ``FileExistsError`` where a conversation has been held already: none is ever played over."""
        if (folder / "about.json").exists():
            raise FileExistsError(f"{folder}: a conversation is here already")
        told = {
            "commit": commit(),
            "side": side,
            "sheet": sheet.name,
            "sum": sheet.sum,
            "locale": sheet.locale,
            **about,
        }
        record = cls(folder, told)
        written(folder / "sheet.md", f"{sheet.playing.strip()}\n\n{sheet.text}\n")
        record.keep()
        return record

    @classmethod
    def read(cls, folder: Path) -> Record:
        def lines(name: str) -> list[dict[str, Any]]:
            file = folder / name
            return [json.loads(each) for each in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []

        said = [
            Said(**{**each, "filled": [(question, answer) for question, answer in each["filled"]]})
            for each in lines("said.jsonl")
        ]
        return cls(
            folder,
            json.loads((folder / "about.json").read_text(encoding="utf-8")),
            said,
            [Span(**each) for each in lines("turns.jsonl")],
            [Call(**each) for each in lines("calls.jsonl")],
        )

    def keep(self) -> None:
        written(self.folder / "about.json", json.dumps(self.about, ensure_ascii=False, indent=1) + "\n")
        parts: Mapping[str, Sequence[Any]] = {"said": self.said, "turns": self.spans, "calls": self.calls}
        for name, rows in parts.items():
            lines = "".join(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows)
            written(self.folder / f"{name}.jsonl", lines)

    def over(self, reason: str) -> None:
        """Nothing more is said."""
        self.about["over"] = reason
        self.keep()
        written(self.folder / "over.txt", f"{reason}\n")

    def close(self) -> None:
        """Nothing more is asked of the model either."""
        self.keep()
        written(self.folder / "model" / "closed", "")

    @property
    def messages(self) -> int:
        """How often the visitor has said something."""
        return sum(each.who == "visitor" for each in self.said)


def commit() -> str:
    """Of the tree that is played with; empty where there is none."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    ran = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    return ran.stdout.strip()


def over(folder: Path) -> str | None:
    """Why the conversation is over, when it is."""
    file = folder / "over.txt"
    return file.read_text(encoding="utf-8").strip() if file.exists() else None


def closed(folder: Path) -> bool:
    return (folder / "model" / "closed").exists()
