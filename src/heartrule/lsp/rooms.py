"""What a language server works on: files by their address. A room is one project that somebody else keeps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import quote, unquote, urlparse

from heartrule.authoring.workspace import Workspace
from heartrule.language.projects.requirements import parted

SCHEME = "heartrule"


class Open(Protocol):
    """A file of a project: ``name`` is its path in the project."""

    workspace: Workspace
    name: str

    def uri(self, file: str) -> str: ...


class Projects(Protocol):
    """Finds files, and is told what is typed in them."""

    def at(self, uri: str, text: str | None = None) -> Open | None:
        """The file behind an address; ``text`` is what it holds now."""

    def closed(self, uri: str) -> None:
        """What was typed and not saved is forgotten."""

    def asked(self, params: Mapping[str, object]) -> Workspace | None:
        """The project that a question of ours is about."""


@dataclass(slots=True)
class InRoom:
    workspace: Workspace = field(repr=False)
    name: str

    def uri(self, file: str) -> str:
        return f"{SCHEME}:///{quote(file)}"


@dataclass(slots=True)
class Room:
    """One project: ``saved`` are its files as they are kept."""

    workspace: Workspace = field(repr=False)
    saved: Mapping[str, str] = field(repr=False)
    typed: set[str] = field(default_factory=set)

    def at(self, uri: str, text: str | None = None) -> InRoom | None:
        parsed = urlparse(uri)
        name = unquote(parsed.path).lstrip("/")
        if parsed.scheme != SCHEME or not name:
            return None
        if text is not None:
            self.typed.add(name)
            self.workspace.write(name, text)
        return InRoom(self.workspace, name)

    def closed(self, uri: str) -> None:
        found = self.at(uri)
        if found is None:
            return
        self.typed.discard(found.name)
        if found.name in self.saved:
            self.workspace.write(found.name, self.saved[found.name])
        else:
            self.workspace.remove(found.name)

    def keep(self, saved: Mapping[str, str]) -> None:
        """The files as they are kept now; those that are open stay as they are typed."""
        saved, along = parted(saved)
        self.workspace.bring(along)
        for name in self.saved:
            if name not in saved and name not in self.typed:
                self.workspace.remove(name)
        self.saved = saved
        for name, text in saved.items():
            if name not in self.typed:
                self.workspace.write(name, text)

    def asked(self, params: Mapping[str, object]) -> Workspace | None:
        return self.workspace


def files_of(found: Open) -> Iterator[str]:
    yield from sorted(found.workspace.texts)
