"""Folders of projects, and the scripts in them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from heartrule.language.compiling.compiler import compile_session
from heartrule.language.compiling.reach import Projects, Reach
from heartrule.language.compiling.script import Script
from heartrule.language.findings import Finding, Refused, clip, finding, in_order
from heartrule.language.gc_pause import uncollected
from heartrule.language.linting.rules import check
from heartrule.language.names import Names
from heartrule.language.nodes import Action, Place, Session
from heartrule.language.projects.media_files import media_in
from heartrule.language.projects.project import (
    PROJECT_FILE,
    SAFETY,
    LoadedProject,
    load_texts,
    read_file,
    read_knowledge,
    read_texts,
)
from heartrule.language.references import full, identity, in_locale, pick, speaks

Registry = Mapping[str, type[Action]]
_SCRIPT_FILE = re.compile(r"(?P<path>.+\.ya?ml)(?:#(?P<session>.+))?\Z", re.IGNORECASE)
_SLUG = re.compile(r"[^a-z0-9]+")
_LEVELS_UP = 6


@dataclass(frozen=True, slots=True)
class ListedSession:
    """A session as it is offered for choosing. ``id`` is full: ``project/session``; ``project`` what its project is
    called, empty where it has no name; ``translation_of`` the full id of the one that it says in another language,
    empty where it is none."""

    id: str
    name: str
    goal: str
    duration: str | None
    locale: str
    audience: str = ""
    project: str = ""
    translation_of: str = ""


def library_root() -> Path:
    """The folder with the projects we ship: in an installed package, else in the checkout."""
    installed = Path(__file__).parents[2] / "_library"
    return installed if installed.is_dir() else Path(__file__).parents[4] / "library"


class Library:
    """The projects under ``roots`` (a root is a project, or a folder of projects); of two with one id, the first. The
    project ``safety`` is always there: where no root has one, it is the one we ship.

    Projects are read when they are first asked for, and again when a file of theirs has changed; those we ship once for
    every library of a process.
    """

    _shipped: ClassVar[dict[Path, tuple[_Signature, LoadedProject]]] = {}
    _checked: ClassVar[dict[str, _CheckedProject]] = {}
    _names: ClassVar[Names] = Names()

    def __init__(self, roots: Iterable[Path | str], registry: Registry) -> None:
        self.roots = tuple(Path(root) for root in roots)
        self.registry = registry
        self._projects: dict[Path, tuple[_Signature, LoadedProject]] = {}
        self._scripts: dict[tuple[str, str | None], tuple[dict[Path, _Signature], Script]] = {}
        self._released: dict[str, LoadedProject] = {}
        self._only_signed = False

    def projects(self) -> list[LoadedProject]:
        """Every project, the safety project too; what is released stands in the place of a folder with its id."""
        shipped = library_root()
        folders = (each for each in self._folders() if not self._only_signed or each.parent == shipped)
        found = [self._load(folder) for folder in folders]
        in_folders = {project.id: project for project in reversed(found)}
        there = {name: self._released.get(name, project) for name, project in in_folders.items()}
        return [*(project for name, project in self._released.items() if name not in there), *there.values()][::-1]

    def release(self, released: Mapping[str, LoadedProject], *, only_signed: bool = False) -> None:
        """What is released, by its id, from now on. ``only_signed``: of folders only those that we ship count."""
        pictures = {project.id: project.media for project in self.projects() if project.id not in self._released}
        for project in released.values():
            project.media = project.media or pictures.get(project.id)
        self._released, self._only_signed = dict(released), only_signed
        self._scripts.clear()

    def script_in(self, home: LoadedProject, session: str, locale: str | None) -> Script:
        """The script of a session as ``home`` has it, which need not be what is offered; what it reaches elsewhere is
        ours. It is not checked again: what was published has been. Raises ``Refused`` for what cannot be read."""
        projects = {project.id: project for project in self.projects()}
        projects[home.id] = home
        _require_safety(projects)
        found = self._spoken(session, _choose(session, home, list(home.sessions), session), home, locale)
        script, reached = compile_session(found, home, projects.get, projects.get(SAFETY), self.names())
        wrong = [each for project in reached.projects.values() for each in project.findings if each.stops]
        if wrong or reached.missing:
            raise Refused(wrong or [finding("E301", found.place, name=session, known="")])
        return script

    def project(self, name: str) -> LoadedProject | None:
        """The project with the id ``name``."""
        return next((project for project in self.projects() if project.id == name), None)

    def folder(self, name: str) -> Path | None:
        """Where the project with the id ``name`` lies."""
        return next((folder for folder in self._folders() if self._load(folder).id == name), None)

    def names(self) -> Names:
        """For compiling one more script: what nodes of the projects that we ship read and write is known already."""
        return Names(self._names)

    @property
    def safety(self) -> LoadedProject | None:
        """The project whose awareness scripts and skills belong to every script."""
        return self.project(SAFETY)

    def scripts(self) -> list[ListedSession]:
        """Every session that can be read, in the order of projects and files; siblings in other languages too."""
        return [
            ListedSession(
                full(project.id, session),
                session.session,
                session.goal,
                session.duration,
                session.locale or project.node.locale,
                session.audience,
                project.node.name,
                f"{project.id}/{session.translation_of}" if session.translation_of else "",
            )
            for project in self.projects()
            for session in project.sessions
        ]

    def script(self, reference: str, locale: str | None = None) -> Script:
        """The script that ``reference`` means: ``project/session``, ``FILE.yaml`` or ``FILE.yaml#session``; with
        ``locale``, its sibling in that language. Raises ``Refused`` with everything that is wrong with it."""
        known = self._scripts.get((reference, locale))
        if known is not None and known[0] == self._signatures(known[0]):
            return known[1]
        with uncollected():
            return self._read(reference, locale)

    def _read(self, reference: str, locale: str | None) -> Script:
        projects = {project.id: project for project in self.projects()}
        _require_safety(projects)
        home, session, folders = self._find(reference, projects)
        session = self._spoken(reference, session, home, locale)
        projects[home.id] = home
        names = self.names()
        found = home.finds(projects.get)
        script, reached = compile_session(session, home, found, projects.get(SAFETY), names)
        if any(each.stops for each in self._findings(reached, home, found, names, stopping=True)):
            raise Refused(self._findings(reached, home, found, names))
        self._scripts[(reference, locale)] = (self._signatures(folders), script)
        return script

    # finding

    def _find(
        self, reference: str, projects: Mapping[str, LoadedProject]
    ) -> tuple[LoadedProject, Session, tuple[Path, ...]]:
        name, slash, rest = reference.partition("/")
        project = projects.get(name) if slash else None
        match = _SCRIPT_FILE.match(reference)
        if match is not None and (project is None or pick(project.sessions, rest) is None):
            return self._in_file(reference, Path(match["path"]), match["session"])
        if project is None:
            known = ", ".join(listed.id for listed in self.scripts()) or "—"
            raise Refused([finding("E303", Place(clip(reference), 1, 1), project=clip(name), known=known)])
        return project, _choose(reference, project, list(project.sessions), rest), ()

    def _in_file(
        self, reference: str, path: Path, wanted: str | None
    ) -> tuple[LoadedProject, Session, tuple[Path, ...]]:
        if not path.is_file():
            raise Refused([finding("E304", Place(reference, 1, 1), path=str(path))])
        folder = home_of(path)
        if folder is not None:
            project = self._load(folder)
            inside = path.resolve().relative_to(folder.resolve()).as_posix()
        else:
            raw, problem = read_file(path)
            if problem:
                raise Refused([finding("E017", Place(path.name, 1, 1), problem=problem)])
            project = load_texts({path.name: raw}, self.registry, ad_hoc(path))
            project.media = {}
            folder, inside = path, path.name
        file = project.files.get(inside)
        sessions = file.sessions if file is not None else []
        return project, _choose(reference, project, sessions, wanted, inside), (folder,)

    def _spoken(self, reference: str, session: Session, home: LoadedProject, locale: str | None) -> Session:
        if locale is None:
            return session
        sibling = in_locale(session, list(home.sessions), locale, home.node.locale)
        own = sibling.locale or home.node.locale
        if not speaks(own, locale):
            place = Place(clip(reference), 1, 1)
            raise Refused([finding("E305", place, name=session.session, locale=clip(locale), known=own)])
        return sibling

    def _findings(
        self, reached: Reach, home: LoadedProject, projects: Projects, names: Names, *, stopping: bool = False
    ) -> list[Finding]:
        """What is wrong in the files that a script reaches; in its whole project where a reference leads nowhere and
        files that could not be read may hold what is meant. ``stopping``: as far as it may keep it from being run."""
        findings: list[Finding] = []
        for project in {**reached.projects, home.id: home}.values():
            files = {path for owner, path in reached.files if owner == project.id}
            whole = bool(reached.missing) and not project.whole
            found = self._check(project, projects, names) if stopping else check(project, projects, names)
            checked = in_order([*project.findings, *found])
            findings += [found for found in checked if whole or found.file in files]
        return findings

    def _check(self, project: LoadedProject, projects: Projects, names: Names) -> Sequence[Finding]:
        """What the rules find that may keep it from being run; in a project that we ship once, as long as what it
        refers to stays the same."""
        if all(project is not ours for _, ours in self._shipped.values()):
            return check(project, projects, names, stopping=True)
        known = self._checked.get(project.id)
        if known is None or not known.holds(project, projects):
            asked: dict[str, LoadedProject | None] = {}

            def noted(name: str) -> LoadedProject | None:
                return asked.setdefault(name, projects(name))

            known = self._checked[project.id] = _CheckedProject(
                project, asked, check(project, noted, self._names, stopping=True)
            )
        return known.findings

    # reading

    def _folders(self) -> Iterator[Path]:
        shipped = library_root()
        own = list(dict.fromkeys(folder for root in self.roots for folder in projects_in(root)))
        yield from own
        if (shipped / SAFETY / PROJECT_FILE).is_file() and shipped / SAFETY not in own:
            yield shipped / SAFETY

    def _signatures(self, more: Iterable[Path]) -> dict[Path, _Signature]:
        return {folder: _signature(folder) for folder in (*more, *self._folders())}

    def _load(self, folder: Path) -> LoadedProject:
        ours = folder.parent == library_root()
        signature = (frozenset(self.registry.items()) if ours else None, _signature(folder))
        read = self._shipped if ours else self._projects
        known = read.get(folder)
        if known is not None and known[0] == signature:
            return known[1]
        texts, unread = read_texts(folder)
        project = load_texts(texts, self.registry, ad_hoc(folder / PROJECT_FILE))
        project.findings = [*unread, *project.findings]
        read_knowledge(project, folder)
        project.findings = in_order(project.findings)
        project.media = media_in(folder)
        if ours and known is not None:
            Library._names = Names()
        read[folder] = (signature, project)
        return project


def _require_safety(projects: Mapping[str, LoadedProject]) -> None:
    """No session runs beside a safety project that cannot be read whole: its numbers and rules would be missing."""
    safety = projects.get(SAFETY)
    if safety is None:
        raise Refused([finding("E303", Place(SAFETY, 1, 1), project=SAFETY, known=", ".join(projects) or "—")])
    broken = [found for found in safety.findings if found.stops]
    if broken:
        raise Refused(broken)


_Signature = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _CheckedProject:
    """What the rules found in a project, and the projects that they looked at on the way."""

    project: LoadedProject
    asked: Mapping[str, LoadedProject | None]
    findings: Sequence[Finding]

    def holds(self, project: LoadedProject, projects: Projects) -> bool:
        return self.project is project and all(projects(name) is found for name, found in self.asked.items())


def _choose(
    reference: str, project: LoadedProject, sessions: Sequence[Session], wanted: str | None, file: str = ""
) -> Session:
    session = pick(sessions, wanted) if wanted else _original(sessions)
    if session is not None:
        return session
    wrong = [found for found in project.findings if found.stops and file in ("", found.file)]
    if wrong:
        raise Refused(wrong)
    known = ", ".join(identity(session) for session in sessions) or "—"
    code = "E301" if wanted or not sessions else "E302"
    place = Place(file or clip(reference), 1, 1)
    raise Refused([finding(code, place, name=clip(wanted or reference), known=known)])


def ad_hoc(path: Path) -> str:
    """The id of a project that has no ``project.yaml``: its folder's name as a slug."""
    return _SLUG.sub("_", path.resolve().parent.name.lower()).strip("_") or "local"


def projects_in(root: Path) -> list[Path]:
    """The project folders at a root: itself, or those directly in it."""
    if (root / PROJECT_FILE).is_file():
        return [root]
    try:
        return sorted(folder for folder in root.iterdir() if (folder / PROJECT_FILE).is_file())
    except OSError:
        return []


def home_of(path: Path) -> Path | None:
    """The folder of the project that a file belongs to."""
    above = path.resolve().parents
    return next((folder for folder in above[:_LEVELS_UP] if (folder / PROJECT_FILE).is_file()), None)


def _original(sessions: Sequence[Session]) -> Session | None:
    """The session that is meant when none is named: the only one that is no sibling of another."""
    originals = [session for session in sessions if session.translation_of is None] or list(sessions)
    return originals[0] if len(originals) == 1 else None


def _signature(folder: Path) -> _Signature:
    """Changes whenever a file in a project's folder does."""
    if folder.is_file():
        stat = folder.stat()
        return (stat.st_mtime_ns, stat.st_size)
    found: list[object] = []
    stack = [str(folder)]
    while stack:
        try:
            with os.scandir(stack.pop()) as entries:
                for entry in entries:
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        stack.append(entry.path)
                    else:
                        stat = entry.stat()
                        found.append((entry.path, stat.st_mtime_ns, stat.st_size))
        except OSError:
            continue
    return tuple(sorted(map(str, found)))
