"""Test files on disk: where they lie, which scripts their cases are about, and what is wrong with either."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from heartrule.engine.installed_types import field_models
from heartrule.language.bilingual import Bilingual
from heartrule.language.compiling.script import Script
from heartrule.language.findings import Finding, Refused, clip, finding, in_order
from heartrule.language.nodes.node import Place
from heartrule.language.projects.library import Library, home_of, library_root, projects_in
from heartrule.language.projects.project import read_file
from heartrule.script_tests.case import Case
from heartrule.script_tests.case_files import Begun, ReadFile, parse_cases
from heartrule.script_tests.plausibility import senseless
from heartrule.script_tests.script_names import KnownScript
from heartrule.script_tests.tape import CASSETTES, SUFFIXES, YAML, cassette, damage, is_test_file

_FILE = re.compile(r"(?P<path>.+\.ya?ml)(?P<session>#.+)?\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Job:
    """A case to be run: the file it stands in and its place among that file's cases, so that any process can find it.
    ``reference`` is the script's, as the library reads it."""

    file: str
    index: int
    reference: str
    case: Case = field(repr=False)


@dataclass(frozen=True, slots=True)
class Unrun:
    """A test that cannot be run, or with an empty ``name`` a file that is wrong as such, and what is wrong."""

    file: str
    line: int
    name: str
    group: str
    findings: tuple[Finding, ...]


@dataclass(slots=True)
class Suite:
    """What there is at some paths: the files, the cases that can be run, what is wrong, and whatever that keeps from
    being run."""

    files: list[str] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    unrun: list[Unrun] = field(default_factory=list)

    @property
    def refused(self) -> bool:
        """Whether something is wrong that keeps a case from being run."""
        return any(found.stops for found in self.findings)


class Shelf:
    """The scripts that cases are about. ``projects``: folders beside the library's and a test file's own."""

    def __init__(self, projects: Sequence[Path] = ()) -> None:
        self._projects = tuple(projects)
        self._library = Library([], field_models())
        self._known: dict[int, KnownScript] = {}

    def reference(self, file: Path, case: Case, read: ReadFile) -> str | None:
        """What the library calls the script of a case; None when nothing says it."""
        said = case.script or read.script
        if said is None:
            beside = next((path for path in _beside(file) if path.is_file()), None)
            return None if beside is None else str(beside)
        match = _FILE.match(said)
        home = home_of(file)
        if match is not None:
            for folder in filter(None, (file.parent, home)):
                if (folder / match["path"]).is_file():
                    return f"{folder / match['path']}{match['session'] or ''}"
        if "/" in said or home is None:
            return said
        return f"{self._id(home)}/{said}"

    def script(self, file: Path, reference: str, locale: str | None = None) -> Script:
        """Raises ``Refused``."""
        home = home_of(file)
        self._library.roots = (*([home] if home else []), *self._projects, library_root())
        return self._library.script(reference, locale)

    def known(self, script: Script) -> KnownScript:
        return self._known.setdefault(id(script), KnownScript(script))

    def _id(self, home: Path) -> str:
        self._library.roots = (home,)
        return next(iter(self._library.projects())).id


def collect(paths: Iterable[Path], shelf: Shelf) -> Suite:
    """Every case at ``paths``: test files, projects, or folders of either, each file once, in the order of the paths
    and of their names."""
    suite = Suite()
    for file in dict.fromkeys(each for path in paths for each in files_at(path)):
        _take(suite, file, shelf)
    suite.findings = in_order(suite.findings)
    return suite


def files_at(path: Path) -> Iterator[Path]:
    """The test files at a path: itself, or in any folder below it those that are called so, and in a project's folder
    ``tests`` those that hold tests."""
    if path.is_file():
        yield path
        return
    for above, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _NOT_LOOKED_AT)
        yield from filter(is_test_file, (Path(above) / name for name in sorted(names)))


_NOT_LOOKED_AT = frozenset({CASSETTES, "node_modules", "__pycache__"})


def named(path: Path) -> Path:
    """The folder of a project of the library that a path names; the path itself when it leads somewhere."""
    if path.exists():
        return path
    found = next((each for each in projects_in(library_root()) if each.name == str(path)), path)
    return found.relative_to(Path.cwd()) if found.is_relative_to(Path.cwd()) else found


def _beside(file: Path) -> Iterator[Path]:
    for suffix in SUFFIXES:
        if file.name.endswith(suffix):
            stem = file.name.removesuffix(suffix)
            yield from (file.with_name(f"{stem}{ending}") for ending in YAML)


def _take(suite: Suite, path: Path, shelf: Shelf) -> None:
    shown = path.as_posix()
    raw, problem = read_file(path)
    if problem:
        unread = finding("E017", Place(shown, 1, 1), problem=problem)
        suite.findings.append(unread)
        suite.unrun.append(Unrun(shown, 1, "", "", (unread,)))
        return
    known = parse_cases(raw, shown)
    suite.files.append(shown)
    wrong = list(known.findings)
    runnable = known.runnable
    broken = damage(cassette(shown)) if any(case.by == "recorded" for case in runnable) else None
    for index, case in enumerate(known.cases):
        if case not in runnable:
            continue
        reference, found = _compiled(path, case, known, shelf)
        if broken is not None and case.by == "recorded":
            line, why = broken
            tape = cassette(shown).as_posix()
            found = [*found, finding("E713", case.place, file=tape, line=line, why=why)]
        wrong += found
        if reference is not None and not any(each.stops for each in found):
            suite.jobs.append(Job(shown, index, reference, case))
    suite.findings += wrong
    suite.unrun += _unrun(shown, known, [each for each in wrong if each.stops])


def _unrun(file: str, known: ReadFile, wrong: Sequence[Finding]) -> Iterator[Unrun]:
    """In the order in which they stand in the file."""
    by_test: dict[Begun | None, list[Finding]] = {}
    for each in in_order(wrong):
        by_test.setdefault(known.at(each.line), []).append(each)
    for begun, findings in by_test.items():
        line, name, group = (begun.line, begun.name, begun.group) if begun else (findings[0].line, "", "")
        yield Unrun(file, line, name, group, tuple(findings))


def _compiled(path: Path, case: Case, known: ReadFile, shelf: Shelf) -> tuple[str | None, list[Finding]]:
    reference = shelf.reference(path, case, known)
    if reference is None:
        return None, [finding("E711", case.place)]
    try:
        script = shelf.script(path, reference, case.locale)
    except Refused as refused:
        return None, [_refused(refused, known, case, reference)]
    return reference, senseless(known, case, shelf.known(script))


def _refused(refused: Refused, read: ReadFile, case: Case, reference: str) -> Finding:
    """Why the script cannot be loaded, told where it is named."""
    place = read.place(case, "script") if case.script else case.place
    first = next(found for found in refused.findings if found.stops)
    if first.code in _NOT_FOUND:
        return replace(first, file=place.file, line=place.line, column=place.column, path=_said(place))
    return finding("E710", place, script=clip(reference), why=_at(first))


_NOT_FOUND = ("E301", "E302", "E303", "E304", "E305")


def _said(place: Place) -> Bilingual:
    return Bilingual(place.words, place.words_en)


def _at(found: Finding) -> Bilingual:
    where = f"{found.file}:{found.line}"
    return Bilingual(f"{where} {found.message.zh}", f"{where} {found.message.en}")
