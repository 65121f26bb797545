"""All projects that an author can open: their own, kept in the store, and those that lie in folders, to be read."""

from __future__ import annotations

import asyncio
import re
import threading
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Literal, TypeVar

from heartrule.authoring.workspace import Registry, Workspace
from heartrule.identity.principal import Principal
from heartrule.identity.rights import Action, Resource, may
from heartrule.language.projects.library import Library, library_root
from heartrule.language.projects.project import RISK_FILE, LoadedProject, read_file, read_texts
from heartrule.language.projects.requirements import FOLDER, LOCK
from heartrule.language.references import identity
from heartrule.language.texts.visible import visible
from heartrule.sessions.clock import Clock
from heartrule.store.projects import Author, DraftRecord, NoSuchProject, ProjectRecord, Projects, VersionRecord
from heartrule.store.teams import Teams

Origin = Literal["store", "folder", "library"]
R = TypeVar("R")
KEPT = 64
"""Projects that are kept read."""
FRESH = 2.0
"""Seconds that other projects are taken to be as they were."""
ALIVE = 120.0
"""Seconds since a tab last said something in which it counts as open."""
LARGEST = 2_000_000
MOST_FILES = 500
_SIGN = r"[^/\\:*?\"<>|\x00-\x1f]"
_PART = rf"(?!\.){_SIGN}+"
_PATH = re.compile(rf"{_PART}(?:/{_PART})*\Z")
_MISTAKEN = re.compile(
    r"(?:^|/)(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.[^/]*)?(?:/|\Z)|(?:^|/)\s|[\s.](?:/|\Z)", re.IGNORECASE
)
"""Names that some systems keep for devices, and blanks and dots at the edges that some take off."""


class ReadOnly(Exception):
    """A project that lies in a folder is changed there."""


class NotYours(Exception):
    """A project that somebody may open, and not do this to."""


class Packaged(Exception):
    """A file of a package that is required: it is looked at, and not written."""


class BadPath(ValueError):
    """No path of a file in a project, or too much in it."""


@dataclass(frozen=True, slots=True)
class Writer(Author):
    """Who writes scripts, and what they may."""

    principal: Principal = field(repr=False)


@dataclass(frozen=True, slots=True)
class ListedSession:
    """A session of a project."""

    id: str
    name: str
    file: str
    locale: str


@dataclass(frozen=True, slots=True)
class ListedProject:
    """A project as it is listed. ``version`` is 0, ``author`` and ``updated_at`` nothing where it lies in a folder.
    ``writable`` and ``mine`` are as they are for who asks."""

    id: str
    name: str
    origin: Origin
    slug: str
    version: int
    author: str
    updated_at: datetime | None
    scripts: tuple[ListedSession, ...] = field(repr=False)
    writable: bool = False
    mine: bool = False


@dataclass(slots=True)
class CachedProject:
    """A project that was read, as of a version; one at a time works with it."""

    workspace: Workspace = field(repr=False)
    version: object
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)


AT_ONCE = 2
LONG_AT_ONCE = 1
"""Questions that are worked on at once, and those among them that may take a minute (tests, scores), which never keep
the others waiting; visitors' words and sign-ins need threads as well."""


class Workbench:
    def __init__(self, projects: Projects, teams: Teams, library: Library, registry: Registry, clock: Clock) -> None:
        self.projects, self.teams, self.library, self.registry, self._clock = projects, teams, library, registry, clock
        self._kept: OrderedDict[str, CachedProject] = OrderedDict()
        self._others: tuple[float, Mapping[str, LoadedProject]] = (0.0, {})
        self._reading = threading.Lock()
        self._working, self._long = asyncio.Semaphore(AT_ONCE), asyncio.Semaphore(LONG_AT_ONCE)

    # which there are

    async def all(self, author: Writer) -> list[ListedProject]:
        """The author's own, what others share with them, those that they have a role in, then those in folders."""
        records = [*await self.projects.all(author.id), *await self.teams.shared_with(author.id)]
        own = {record.id: record for record in records}
        for each in author.principal.granted:
            if each.project not in own and (record := await self.projects.find(each.project)) is not None:
                own[each.project] = record
        shown = [await self.shown(each, author) for each in own.values() if await self._opens(each, author)]
        return [*shown, *(await asyncio.to_thread(self._folders))]

    async def find(self, project: str, author: Writer) -> ListedProject:
        """``NoSuchProject`` where there is none that they may open."""
        record = await self.record(project, author)
        if record is not None:
            return await self.shown(record, author)
        found = await asyncio.to_thread(self._folders)
        return next((each for each in found if each.id == project), None) or _none(project)

    async def _opens(self, record: ProjectRecord, author: Writer) -> bool:
        return may(author.principal, "script.read", await self.thing(record))

    async def record(self, project: str, author: Writer, action: Action = "script.read") -> ProjectRecord | None:
        """One of the store that they may do this to; None for one in a folder. Raises ``NoSuchProject`` where they may
        not even open it, else ``NotYours``."""
        if self._folder(project) is not None:
            return None
        record = await self.projects.find(project)
        thing = await self.thing(record) if record is not None else None
        if record is None or thing is None or not may(author.principal, "script.read", thing):
            raise NoSuchProject(project)
        if not may(author.principal, action, thing):
            raise NotYours(project)
        return record

    async def thing(self, record: ProjectRecord) -> Resource:
        """A project as rights are asked about it."""
        writers, readers = await self.teams.with_whom(record.id)
        return Resource(owner=record.owner, writers=writers, readers=readers, bench=record.id)

    async def shown(self, record: ProjectRecord, author: Writer) -> ListedProject:
        version = (await self.projects.versions(record.id, many=1))[0]
        workspace = await self.open(record.id, record)
        scripts, slug = await asyncio.to_thread(self._listed, workspace)
        return ListedProject(
            record.id,
            record.name,
            "store",
            slug,
            record.version,
            version.author.name,
            version.at,
            scripts,
            may(author.principal, "script.write", await self.thing(record)),
            record.owner == author.id,
        )

    def _folders(self) -> list[ListedProject]:
        found = []
        for project in self.library.projects():
            ours = self._place(project.id)
            origin: Origin = "library" if ours is not None and ours.parent == library_root() else "folder"
            name = project.node.name or project.id
            found.append(
                ListedProject(f"{origin}.{project.id}", name, origin, project.id, 0, "", None, _scripts(project))
            )
        return found

    def _listed(self, kept: CachedProject) -> tuple[tuple[ListedSession, ...], str]:
        with kept.lock:
            project = kept.workspace.now.project
            return _scripts(project), project.id

    def _folder(self, project: str) -> Path | None:
        origin, dot, slug = project.partition(".")
        return self._place(slug) if dot and origin in ("library", "folder") else None

    def _place(self, slug: str) -> Path | None:
        """The folder of a project."""
        return self.library.folder(slug)

    # texts

    async def texts(self, project: str, number: int | None = None) -> tuple[VersionRecord | None, dict[str, str]]:
        """All files of a version; of a folder, as they lie there."""
        folder = self._folder(project)
        if folder is None:
            return await self.projects.texts(project, number)
        return None, await asyncio.to_thread(read_folder, folder)

    async def open(self, project: str, record: ProjectRecord | None = None) -> CachedProject:
        """The project as it is saved now, read once for each version."""
        folder = self._folder(project)
        if folder is None and record is None:
            record = await self.projects.find(project)
        version: object = record.version if record is not None else None
        if folder is not None:
            version = await asyncio.to_thread(lambda: self.library.project(project.partition(".")[2]))
        known = self._kept.get(project)
        if known is not None and (known.version is version or (record is not None and known.version == version)):
            self._kept.move_to_end(project)
            return known
        _, texts = await self.texts(project)
        files = known.workspace.files if known is not None else {}
        before = known.workspace.texts if known is not None else {}
        same = {path: file for path, file in files.items() if before.get(path) == texts.get(path)}
        workspace = Workspace(texts, self.registry, self.other, project.partition(".")[2] or "local", same)
        kept = self._kept[project] = CachedProject(workspace, version)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return kept

    async def ask(
        self, project: str, typed: Mapping[str, str | None], work: Callable[[Workspace], R], *, long: bool = False
    ) -> R:
        """What ``work`` says of the project with what is typed laid over what is saved. ``long``: it may take a minute,
        on a copy, so that nobody who types in the project waits for it."""
        kept = await self.open(project)

        def worked() -> R:
            with kept.lock:
                if not (typed or long):
                    return work(kept.workspace)
                over = kept.workspace.edited((path, text) for path, text in typed.items() if text is not None)
                for path in (path for path, text in typed.items() if text is None):
                    over.remove(path)
            return work(over)

        async with self._long if long else self._working:
            return await asyncio.to_thread(worked)

    async def work(self, act: Callable[[], R]) -> R:
        """What takes long and is of no project that is kept, on a thread."""
        async with self._long:
            return await asyncio.to_thread(act)

    def other(self, project: str) -> LoadedProject | None:
        """A project in a folder that scripts may reach into."""
        at, known = self._others
        if time.monotonic() - at > FRESH:
            with self._reading:
                known = {each.id: each for each in self.library.projects()}
                self._others = (time.monotonic(), known)
        return known.get(project)

    # changes

    async def make(self, name: str, texts: Mapping[str, str], author: Writer, note: str) -> ProjectRecord:
        check(texts)
        return await self.projects.make(name, texts, author, note, self._clock.now())

    async def save(
        self,
        project: str,
        base: int,
        changes: Mapping[str, str | None],
        renames: Mapping[str, str],
        author: Writer,
        note: str,
    ) -> VersionRecord:
        """Raises ``Moved``, ``ReadOnly``, ``BadPath``, ``Packaged``."""
        if await self.record(project, author, "script.write") is None:
            raise ReadOnly(project)
        whole: dict[str, str | None] = {}
        if renames:
            _, texts = await self.projects.texts(project)
            for old, new in renames.items():
                if old not in texts:
                    raise BadPath(old)
                whole |= {new: texts[old], old: None}
        whole |= changes
        written = {path: text for path, text in whole.items() if text is not None}
        check(written)
        _, there = await self.projects.texts(project)
        if along := sorted(path for path in whole if path == LOCK or (LOCK in there and path.startswith(FOLDER))):
            raise Packaged(along[0])
        _alike(written, {path for path in there if path not in whole})
        return await self.projects.save(project, base, whole, author, note, self._clock.now())

    async def bring(
        self, project: str, base: int, texts: Mapping[str, str], author: Writer, note: str
    ) -> VersionRecord:
        """All texts as they are with other packages: a version like any other. Raises ``Moved``, ``ReadOnly``,
        ``BadPath``."""
        if await self.record(project, author, "script.write") is None:
            raise ReadOnly(project)
        check(texts)
        _, then = await self.projects.texts(project, base)
        changed = {path: texts.get(path) for path in {*then, *texts} if then.get(path) != texts.get(path)}
        return await self.projects.save(project, base, changed, author, note, self._clock.now())

    async def restore(self, project: str, number: int, author: Writer, note: str) -> VersionRecord:
        """A new version that is as an older one was."""
        record = await self.record(project, author, "script.write")
        if record is None:
            raise ReadOnly(project)
        _, then = await self.projects.texts(project, number)
        _, now = await self.projects.texts(project)
        changes: dict[str, str | None] = {**dict.fromkeys(now), **then}
        return await self.projects.save(project, record.version, changes, author, note, self._clock.now())

    # what is being typed

    async def draft(
        self, project: str, author: Writer, tab: str, base: int, texts: Mapping[str, str | None]
    ) -> tuple[datetime, list[DraftRecord]]:
        """Keeps what a tab holds; when, and the author's other tabs that are open or hold something."""
        check({path: text for path, text in texts.items() if text is not None})
        now = self._clock.now()
        found = await self.projects.draft(project, author.id, tab, base, texts, now)
        alive = (each for each in found if (now - each.at).total_seconds() < ALIVE or each.texts)
        return now, [each for each in alive if each.tab != tab]


def _none(project: str) -> ListedProject:
    raise NoSuchProject(project)


def read_folder(folder: Path) -> dict[str, str]:
    """The files of a project that lies there, its tests and risk files too."""
    texts = {path: raw.decode("utf-8", "replace") for path, raw in read_texts(folder)[0].items()}
    aside = (path for ending in (".test.yaml", RISK_FILE) for path in sorted((folder / "tests").glob(f"*{ending}")))
    for path in islice(aside, MOST_FILES):
        raw, problem = read_file(path)
        if not problem:
            texts[f"tests/{path.name}"] = raw.decode("utf-8", "replace")
    return texts


def _scripts(project: LoadedProject) -> tuple[ListedSession, ...]:
    return tuple(
        ListedSession(identity(each), each.session, each.place.file, each.locale or project.node.locale)
        for each in project.sessions
    )


def _alike(written: Mapping[str, str], there: Collection[str]) -> None:
    """One name in two cases is one file on many systems. What was there before stays. Raises ``BadPath``."""
    known = {_folded(path): path for path in there}
    for path in written:
        if path not in there and known.setdefault(_folded(path), path) != path:
            raise BadPath(path)


def _folded(path: str) -> str:
    return unicodedata.normalize("NFKC", path).casefold()


def check(texts: Mapping[str, str]) -> None:
    """Raises ``BadPath``."""
    if len(texts) > MOST_FILES:
        raise BadPath(f"> {MOST_FILES} files")
    for path, text in texts.items():
        if len(path) > 200 or _PATH.match(path) is None or _MISTAKEN.search(path) or visible(path) != path:
            raise BadPath(visible(path[:200]))
        if len(text) > LARGEST:
            raise BadPath(f"{path}: > {LARGEST}")
