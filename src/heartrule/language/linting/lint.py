"""Checking files and folders without running anything."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from heartrule.language.findings import Finding, finding, in_order
from heartrule.language.findings.severities import weighed
from heartrule.language.linting.rules import check
from heartrule.language.nodes import Action, Place
from heartrule.language.projects.library import Library, ad_hoc, home_of, library_root, projects_in
from heartrule.language.projects.media_files import media_in
from heartrule.language.projects.project import (
    PROJECT_FILE,
    LoadedProject,
    load_texts,
    read_file,
    read_knowledge,
    read_texts,
)

Registry = Mapping[str, type[Action]]


@dataclass(frozen=True, slots=True)
class LintResult:
    """``files`` are those that were looked at, as paths from where lint was called."""

    files: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> int:
        return sum(found.severity == "error" for found in self.findings)

    @property
    def warnings(self) -> int:
        return len(self.findings) - self.errors


@dataclass(frozen=True, slots=True)
class _LintTarget:
    """A project to look at, the folder that its files are named from, and the one file that was asked for."""

    project: LoadedProject
    folder: Path
    only: str | None = None


def lint(paths: Iterable[Path | str], registry: Registry) -> list[Finding]:
    """Everything that is wrong at ``paths``: script files, project folders, or folders of projects. A file that belongs
    to a project is read with the whole project, and only its own findings are told. Findings name files as paths from
    where lint was called."""
    return list(lint_paths(paths, registry).findings)


def lint_paths(paths: Iterable[Path | str], registry: Registry) -> LintResult:
    """``lint``, with the files that were looked at."""
    asked = [each for path in paths for each in _asked(Path(path), registry)]
    library = Library([library_root()], registry)
    others = {project.id: project for project in library.projects()}
    others |= {each.project.id: each.project for each in asked}
    files: dict[str, None] = {}
    findings: list[Finding] = []
    for each in asked:
        projects = {**others, each.project.id: each.project}
        told = (*each.project.findings, *check(each.project, projects.get))
        for found in weighed(told, each.project.node.lint):
            if each.only in (None, found.file):
                findings.append(replace(found, file=(each.folder / found.file).as_posix()))
        files |= {(each.folder / name).as_posix(): None for name in each.project.sources if each.only in (None, name)}
    return LintResult(tuple(files), tuple(in_order(findings)))


def lint_text(text: bytes | str, registry: Registry, name: str = "script.yaml") -> list[Finding]:
    """Everything that is wrong with one script that stands alone."""
    project = load_texts({name: text}, registry)
    others = {other.id: other for other in Library([library_root()], registry).projects()}
    return in_order([*project.findings, *check(project, {**others, project.id: project}.get)])


def _asked(path: Path, registry: Registry) -> Iterator[_LintTarget]:
    if path.is_dir():
        for folder in projects_in(path) or [path]:
            yield _LintTarget(_read(folder, registry), folder)
        return
    home = home_of(path) if path.is_file() else None
    if home is not None:
        folder = home if path.is_absolute() else Path(os.path.relpath(home))
        yield _LintTarget(_read(home, registry), folder, path.resolve().relative_to(home).as_posix())
        return
    raw, problem = read_file(path)
    project = load_texts({} if problem else {path.name: raw}, registry, ad_hoc(path))
    project.media = {}
    if problem:
        project.findings = [finding("E017", Place(path.name, 1, 1), problem=problem)]
    yield _LintTarget(project, path.parent)


def _read(folder: Path, registry: Registry) -> LoadedProject:
    texts, unread = read_texts(folder)
    project = load_texts(texts, registry, ad_hoc(folder / PROJECT_FILE))
    project.findings = [*unread, *project.findings]
    read_knowledge(project, folder)
    project.media = media_in(folder)
    return project
