"""What a project requires of others. ``package.yaml`` names packages and ranges of versions; the packages lie in the
project's folder ``packages``, each a project in a folder of its own, as the lock beside them says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from hashlib import sha256
from typing import Annotated, Any, Generic, Protocol, TypeVar

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.nodes import Action, Place
from heartrule.language.projects.places import PACKAGE_FILE, belongs
from heartrule.language.references import SAFETY
from heartrule.language.shape import Shape
from heartrule.language.yaml import parse

FOLDER = "packages/"
LOCK_FILE = "packages.lock.json"
LOCK = FOLDER + LOCK_FILE
_KEPT = 128
"""Packages that are kept read, whichever projects they lie in."""

Texts = Mapping[str, bytes | str]
Registry = Mapping[str, type[Action]]


class Readable(Protocol):
    """A project as it was read."""

    id: str
    findings: list[Finding]


AnyProject = TypeVar("AnyProject", bound=Readable)
Load = Callable[[Texts, Registry], AnyProject]


def _range(value: str) -> str:
    try:
        SpecifierSet(value)
    except InvalidSpecifier:
        raise ValueError("a range of versions, such as >=1.2,<2") from None
    return value


Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$", max_length=64)]
Range = Annotated[str, AfterValidator(_range)]
"""Which versions will do, as in ``>=1.2,<2``."""


def order(version: str) -> Version:
    """Compares as versions do: 1.10.0 comes after 1.9.0."""
    return Version(version)


def suits(version: str, wanted: str) -> bool:
    return SpecifierSet(wanted).contains(Version(version))


def circle(requires: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Packages each of which requires the next one, and the last the first; empty where there are none."""
    graph = {name: [other for other in needs if other in requires] for name, needs in requires.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as found:
        return list(reversed(found.args[1]))
    return []


class Requires(BaseModel):
    """What is read of ``package.yaml`` as long as the project is no package itself."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    requires: dict[Name, Range] = {}


class _LockedPackage(BaseModel):
    model_config = ConfigDict(extra="ignore")

    version: Annotated[str, Field(pattern=r"^\d+\.\d+\.\d+$")]
    project: str
    requires: dict[Name, Range] = {}
    files: dict[str, str] = {}


class _Lock(BaseModel):
    model_config = ConfigDict(extra="ignore")

    packages: dict[Name, _LockedPackage] = {}


@dataclass(frozen=True, slots=True)
class ResolvedPackages(Generic[AnyProject]):
    """``projects``: the packages that can be relied on, by the id under which scripts name them."""

    projects: Mapping[str, AnyProject] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


def parted(texts: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """A project's own files, and those of the packages that lie in it with their lock."""
    along = {path: text for path, text in texts.items() if LOCK in texts and path.startswith(FOLDER)}
    return {path: text for path, text in texts.items() if path not in along}, along


def by_folder(along: Mapping[str, bytes | str]) -> dict[str, dict[str, bytes | str]]:
    """The files of each package that lies in a project, by its folder's name."""
    found: dict[str, dict[str, bytes | str]] = {}
    for path, text in along.items():
        folder, slash, inside = path.removeprefix(FOLDER).partition("/")
        if slash:
            found.setdefault(folder, {})[inside] = text
    return found


def versions_in(along: Mapping[str, bytes | str]) -> dict[str, tuple[str, str]]:
    """Of each package that lies in a project, by its folder's name: what it is called, and its version."""
    try:
        lock = _Lock.model_validate_json(_raw(along[LOCK])) if LOCK in along else _Lock()
    except ValidationError:
        return {}
    return {each.project: (name, each.version) for name, each in lock.packages.items()}


def read_requires(raw: bytes | str) -> tuple[dict[str, str], list[Finding], Shape]:
    """What ``package.yaml`` says is required, and what is wrong with how it says so."""
    parsed = parse(raw, PACKAGE_FILE)
    shape = Shape(parsed, {}, Requires)
    data = parsed.documents[0] if parsed.documents else None
    if not isinstance(data, dict):
        return {}, parsed.findings or [shape.found("E015", (0,))], shape
    try:
        return Requires.model_validate(data).requires, parsed.findings, shape
    except ValidationError as error:
        return {}, [*parsed.findings, *shape.findings(error, (0,))], shape


def required(texts: Texts, home: str, registry: Registry, load: Load[AnyProject]) -> ResolvedPackages[AnyProject]:
    """What a project with the id ``home`` takes along, and what is wrong with it. Packages that are not as the lock
    says are not relied on."""
    if PACKAGE_FILE not in texts and LOCK not in texts:
        return ResolvedPackages()
    return _Resolution(texts, home, registry, load).all()


class _Resolution(Generic[AnyProject]):
    def __init__(self, texts: Texts, home: str, registry: Registry, load: Load[AnyProject]) -> None:
        self._texts, self._home, self._registry, self._load = texts, home, registry, load
        self._wanted, self._found, self._shape = read_requires(texts.get(PACKAGE_FILE, "{}"))
        self._folders = by_folder({path: raw for path, raw in texts.items() if path.startswith(FOLDER)})
        self._projects: dict[str, AnyProject] = {}

    def all(self) -> ResolvedPackages[AnyProject]:
        try:
            lock = _Lock.model_validate_json(_raw(self._texts[LOCK])).packages if LOCK in self._texts else {}
        except ValidationError:
            return ResolvedPackages({}, (*self._found, finding("E017", Place(LOCK, 1, 1), problem=LOCK_FILE)))
        self._asked("", self._wanted, lock)
        for name, each in sorted(lock.items()):
            self._asked(name, each.requires, lock)
        if around := circle({name: each.requires for name, each in lock.items()}):
            self._say("E310", (around[0],), around=" → ".join(around))
        for name, each in sorted(lock.items()):
            self._take(name, each)
        for folder in sorted(set(self._folders) - {each.project for each in lock.values()}):
            self._say("E311", (), name=clip(folder), file=LOCK)
        return ResolvedPackages(self._projects, tuple(self._found))

    def _asked(self, by: str, requires: Mapping[str, str], lock: Mapping[str, _LockedPackage]) -> None:
        for name, wanted in sorted(requires.items()):
            there = lock.get(name)
            who = by or self._home
            if there is None:
                self._say("E308", (name, by), name=name, range=wanted, by=who)
            elif not suits(there.version, wanted):
                self._say("E309", (name, by), name=name, range=wanted, by=who, version=there.version)

    def _take(self, name: str, locked: _LockedPackage) -> None:
        if locked.project in (SAFETY, self._home, *self._projects):
            self._say("E312", (name,), name=name, project=clip(locked.project))
            return
        files = self._folders.get(locked.project, {})
        wrong = other_than(files, locked.files)
        if wrong is not None:
            self._say("E311", (name,), name=name, file=f"{FOLDER}{locked.project}/{wrong}")
            return
        project = _loaded(files, self._registry, self._load)
        broken = next((each for each in project.findings if each.stops), None)
        if broken is not None or project.id != locked.project:
            self._say("E313", (name,), name=name, problem=str(broken or project.id))
            return
        self._projects[locked.project] = project

    def _say(self, code: str, about: tuple[str, ...], **values: object) -> None:
        """At the first of the names that is required by the project itself, else at ``requires``."""
        keys = [("requires", each) for each in about if each in self._wanted]
        path = (0, *keys[0]) if keys else (0, "requires") if self._wanted else (0,)
        place = self._shape.place(path) if PACKAGE_FILE in self._texts else Place(LOCK, 1, 1)
        self._found.append(finding(code, place, mend=None, **values))


def counts(path: str) -> bool:
    """Whether a file of a package is taken along: its scripts, prompts and what they are told from, and what it is."""
    return path == PACKAGE_FILE or (belongs(path) and path.rpartition(".")[2] in ("yaml", "yml", "md", "txt"))


def other_than(files: Texts, listed: Mapping[str, str]) -> str | None:
    """The first file that is not what the lock lists; None where all are."""
    there = {path: sha256(_raw(raw)).hexdigest() for path, raw in files.items() if counts(path)}
    wanted = {path: digest for path, digest in listed.items() if counts(path)}
    return next((path for path in sorted({*there, *wanted}) if there.get(path) != wanted.get(path)), None)


_read: dict[object, Any] = {}


def _loaded(files: Texts, registry: Registry, load: Load[AnyProject]) -> AnyProject:
    """A package read, once for the same files and types of actions, whichever projects it lies in."""
    own = {path: raw for path, raw in files.items() if counts(path) and path != PACKAGE_FILE}
    digests = frozenset((path, sha256(_raw(raw)).digest()) for path, raw in own.items())
    key = (digests, frozenset(registry.items()))
    known: AnyProject | None = _read.get(key)
    if known is None:
        known = _read[key] = load(own, registry)
        while len(_read) > _KEPT:
            _read.pop(next(iter(_read)), None)
    return known


def _raw(raw: bytes | str) -> bytes:
    return raw if isinstance(raw, bytes) else raw.encode("utf-8", "surrogatepass")
