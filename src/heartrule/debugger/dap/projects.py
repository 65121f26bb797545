"""The project that a file on disk belongs to, as an editor has saved it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from heartrule.debugger.texts import Text
from heartrule.language.projects.library import home_of
from heartrule.language.projects.project import read_file, read_texts
from heartrule.language.yaml import parse


class Unopened(Exception):
    """The file cannot be read."""


@dataclass(frozen=True, slots=True)
class OpenedProject:
    """``folder`` None: nowhere on this machine, as far as is known."""

    texts: Mapping[str, str] = field(repr=False)
    folder: Path | None
    file: Path | None

    @classmethod
    def nowhere(cls, text: Text) -> OpenedProject:
        return cls(text.files, None, None)

    def only(self, program: str) -> str:
        """The session that is meant where only the file is named: its id where it is the only one of the file."""
        name = Path(program).resolve()
        if self.folder is None or not name.is_relative_to(self.folder):
            return ""
        documents = parse(self.texts.get(name.relative_to(self.folder).as_posix(), ""), name.name).documents
        own = [
            each["id"]
            for document in documents
            if isinstance(document, dict)
            for each in document.get("sessions") or ()
            if isinstance(each, dict) and isinstance(each.get("id"), str)
        ]
        return own[0] if own else ""


def opened(file: Path) -> OpenedProject:
    """Raises ``Unopened``."""
    path = file.resolve()
    if not path.is_file():
        raise Unopened(f"{file}: no such file")
    folder = home_of(path)
    if folder is None:
        raw, problem = read_file(path)
        if problem:
            raise Unopened(f"{file}: {problem}")
        return OpenedProject({path.name: raw.decode("utf-8", "replace")}, path.parent, path)
    texts, _ = read_texts(folder)
    return OpenedProject({name: raw.decode("utf-8", "replace") for name, raw in texts.items()}, folder.resolve(), path)
