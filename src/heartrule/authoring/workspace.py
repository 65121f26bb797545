"""The texts of one project, saved or not, and what they mean. After a change only the changed file is read again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from heartrule.authoring.cells import Cells
from heartrule.language.findings import Finding, in_order
from heartrule.language.findings.severities import weighed
from heartrule.language.linting.rules import check
from heartrule.language.linting.view import View
from heartrule.language.names import Names
from heartrule.language.nodes import Action
from heartrule.language.projects.loader import LoadedFile
from heartrule.language.projects.project import PACKAGE_FILE, SAFETY, LoadedProject, belongs, load_texts
from heartrule.language.projects.requirements import parted

Registry = Mapping[str, type[Action]]
FORGET = 200
"""After so many changes what was worked out of nodes is let go, as most of them are no more."""
Others = Callable[[str], LoadedProject | None]


@dataclass(slots=True)
class Workspace:
    """``texts`` by their path in the project's folder; ``along`` those of the packages that lie in it, which nobody
    types in. ``others``: finds the projects that scripts may reach into."""

    texts: dict[str, str]
    registry: Registry
    others: Others
    name: str = "local"
    _files: dict[str, LoadedFile] = field(default_factory=dict)
    _known: Snapshot | None = None
    _cells: dict[str, Cells] = field(default_factory=dict)
    _names: Names = field(default_factory=Names)
    _typed: int = 0
    along: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.texts, along = parted(self.texts)
        self.along = {**self.along, **along}

    @property
    def whole(self) -> dict[str, str]:
        """Every file, those of packages too."""
        return {**self.texts, **self.along}

    def bring(self, along: Mapping[str, str]) -> None:
        """The packages that lie in it are these now."""
        if along != self.along:
            self.along, self._known = dict(along), None

    def write(self, path: str, text: str) -> None:
        """A file as it is now; a new one where there was none."""
        if self.texts.get(path) != text:
            self.texts[path] = text
            again = self._again(path, text)
            if again is not None:
                self._files[path] = again
            else:
                self._files.pop(path, None)
            self._known = None

    def _again(self, path: str, text: str) -> LoadedFile | None:
        """The file where no more of it has to be read again than a part; None where all of it has."""
        file, cells = self._files.get(path), self._cells.get(path)
        made = cells.typed(text, file, self.registry) if file is not None and cells is not None else None
        if made is None:
            self._cells.pop(path, None)
        return made

    def remove(self, path: str) -> None:
        if self.texts.pop(path, None) is not None:
            self._files.pop(path, None)
            self._known = None

    @property
    def files(self) -> dict[str, LoadedFile]:
        """The files that have been read, as they were read last."""
        return dict(self._files)

    @property
    def now(self) -> Snapshot:
        """What the texts mean as they are; made once for each state of them."""
        if self._known is None:
            own = {path: text for path, text in self.texts.items() if belongs(path) or path == PACKAGE_FILE}
            project = load_texts({**own, **self.along}, self.registry, self.name, self._files)
            self._files = dict(project.files)
            project.media = None
            self._typed += 1
            if self._typed % FORGET == 0:
                self._names = Names()
            self._known = Snapshot(project, self.others, dict(self.texts), names=self._names)
        return self._known

    def ready(self, path: str) -> None:
        """Somebody types in a file: make the next change of it quick."""
        file = self._files.get(path)
        if file is not None and path not in self._cells:
            cells = Cells.of(self.texts[path], file)
            if cells is not None:
                self._cells[path] = cells

    def edited(self, changes: Iterable[tuple[str, str]]) -> Workspace:
        """Another one with these files written; this one stays as it is."""
        made = Workspace(self.whole, self.registry, self.others, self.name, dict(self._files))
        made._known, made._names = self._known, self._names  # until something is written, they are the same
        for path, text in changes:
            made.write(path, text)
        return made


@dataclass(frozen=True, eq=False)
class Snapshot:
    """One state of a project. Nothing in it changes."""

    project: LoadedProject
    others: Others = field(repr=False)
    texts: Mapping[str, str] = field(repr=False)
    names: Names = field(default_factory=Names, repr=False)
    shown: dict[str, Any] = field(default_factory=dict, repr=False)
    """What was worked out of a file's lines."""

    @cached_property
    def view(self) -> View:
        return View(self.project, self.other, self.names)

    def other(self, project: str) -> LoadedProject | None:
        return self.project.finds(self.others)(project)

    @cached_property
    def elsewhere(self) -> tuple[LoadedProject, ...]:
        """Whose things are offered beside its own: what it requires, then what is always loaded."""
        safety = self.other(SAFETY)
        always = (safety,) if safety is not None and safety is not self.project else ()
        return (*self.project.required.values(), *always)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """All that lint says, in the order of files and lines."""
        checked = (each for each in check(self.project, self.other, self.names) if not self._is_stale(each))
        told = (*self.project.findings, *checked)
        return tuple(in_order(weighed(told, self.project.node.lint)))

    def _is_stale(self, found: Finding) -> bool:
        """Whether it is about what stood there before it could not be read."""
        file = self.project.files.get(found.file)
        return file is not None and any(first <= found.line <= last for first, last in file.stale)

    def findings_of(self, path: str) -> tuple[Finding, ...]:
        return tuple(found for found in self.findings if found.file == path)

    def lines(self, path: str) -> list[str]:
        """The lines of a file as positions count them."""
        known = self.project.maps.get(path)
        return known.lines if known is not None and known.lines else self.texts.get(path, "").split("\n")
