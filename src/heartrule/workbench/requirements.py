"""What a project of the workbench requires: packages of the index that are taken along in its texts, changed for other
versions, and left out again. Nothing is kept here: a change is shown, then saved as a version like any other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pydantic import ValidationError

from heartrule.authoring.diff.change import Change
from heartrule.authoring.diff.versions import compared
from heartrule.authoring.node_edits import set_value, spliced
from heartrule.authoring.splices import CannotEdit
from heartrule.authoring.workspace import Registry
from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding
from heartrule.language.projects.places import PACKAGE_FILE
from heartrule.language.projects.requirements import (
    FOLDER,
    LOCK,
    by_folder,
    counts,
    order,
    other_than,
    parted,
    read_requires,
    suits,
)
from heartrule.packages.archive import BadPackage, Package
from heartrule.packages.capabilities import Capabilities
from heartrule.packages.index import Entry, Index
from heartrule.packages.install_plan import Lock, LockedPackage, NotInstalled, locked, resolve, verified_package
from heartrule.packages.manifest import Manifest, read_manifest

Texts = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Brought:
    """A package of a change. ``former``: what lies there now; ``gains``: what it may do and that may not;
    ``changes``: in words."""

    package: Package = field(repr=False)
    entry: Entry
    former: LockedPackage | None
    gains: Capabilities
    changes: tuple[Change, ...] = field(repr=False)

    @property
    def new_key(self) -> bool:
        """Signed by somebody else than what lies there."""
        return self.former is not None and self.former.key != self.package.key


@dataclass(frozen=True, slots=True)
class RequirementChange:
    """A change of what a project requires. ``gone``: packages that nobody requires any more; ``texts``: all of the
    project's as they would be."""

    brought: tuple[Brought, ...]
    gone: tuple[str, ...]
    texts: dict[str, str] = field(repr=False)

    @property
    def digests(self) -> dict[str, str]:
        return {each.entry.manifest.name: each.package.digest for each in self.brought}


@dataclass(frozen=True, slots=True)
class Requirement:
    """A package as a project requires it, or has it. ``wanted``: the range of ``package.yaml``, empty where others
    alone (``by``) require it; ``locked`` and ``manifest``: nothing where it is not there. ``newer``: the newest version
    of the index that may be taken in its place."""

    name: str
    wanted: str
    by: tuple[str, ...]
    locked: LockedPackage | None
    manifest: Manifest | None
    newer: Entry | None


class StillRequired(Exception):
    """Others that stay require it: ``by``."""

    def __init__(self, name: str, by: tuple[str, ...]) -> None:
        super().__init__(name)
        self.by = by


def requires_of(texts: Texts) -> dict[str, str]:
    return read_requires(texts[PACKAGE_FILE])[0] if PACKAGE_FILE in texts else {}


def lock_of(texts: Texts) -> Lock:
    """Raises ``NotInstalled``."""
    try:
        return Lock.model_validate_json(texts[LOCK]) if LOCK in texts else Lock()
    except ValidationError:
        raise NotInstalled(Bilingual(f"读不懂 {LOCK}。", f"{LOCK} cannot be read.")) from None


def standing(texts: Texts, index: Index | None) -> list[Requirement]:
    """Every package that is required or there, those of ``package.yaml`` first."""
    wanted, lock = requires_of(texts), lock_of(texts).packages
    needs = {name: each.requires for name, each in lock.items()}
    missing = sorted({other for each in needs.values() for other in each} - set(lock) - set(wanted))
    found = []
    for name in [*wanted, *(each for each in sorted(lock) if each not in wanted), *missing]:
        there = lock.get(name)
        by = tuple(sorted(other for other, each in needs.items() if name in each))
        ranges = [each[name] for each in needs.values() if name in each]
        newer = _newer(index, name, there, ranges if there else [*ranges, wanted.get(name, "")])
        found.append(Requirement(name, wanted.get(name, ""), by, there, _manifest(texts, there), newer))
    return found


def _newer(index: Index | None, name: str, there: LockedPackage | None, ranges: Iterable[str]) -> Entry | None:
    versions = index.versions(name, ",".join(filter(None, ranges))) if index is not None else []
    first = next(iter(versions), None)
    old = first is None or (there is not None and order(first.manifest.version) <= order(there.version))
    return None if old else first


def _manifest(texts: Texts, there: LockedPackage | None) -> Manifest | None:
    raw = texts.get(f"{FOLDER}{there.project}/{PACKAGE_FILE}") if there is not None else None
    return read_manifest(raw)[0] if raw is not None else None


def files_of(texts: Texts, name: str) -> dict[str, str] | None:
    """The files of a package that lies there; None where there is none of that name."""
    there = lock_of(texts).packages.get(name)
    if there is None:
        return None
    inside = f"{FOLDER}{there.project}/"
    return {path.removeprefix(inside): text for path, text in texts.items() if path.startswith(inside)}


def taken_along(
    index: Index, texts: Texts, home: str, registry: Registry, exactly: Mapping[str, str] | None = None
) -> RequirementChange:
    """What is required and is not there, or not as the lock says; ``exactly``: by name the version of a package that
    is to be there, which is put into ``package.yaml``. What is there and suits stays. Raises ``NotInstalled``,
    ``BadIndex``, ``BadPackage``."""
    own, along = parted(texts)
    for name, version in (exactly or {}).items():
        own[PACKAGE_FILE] = _requiring(own.get(PACKAGE_FILE), name, version)
    wanted, lock = requires_of(own), lock_of(texts).packages
    told = {**wanted, **{name: f"=={version}" for name, version in (exactly or {}).items()}}
    chosen = resolve(index, told, {name: each.version for name, each in lock.items()})
    files = by_folder(along)
    ids = {home: "", **{each.project: name for name, each in lock.items() if name in chosen}}
    brought, after = [], Lock()
    for name, entry in sorted(chosen.items()):
        former = lock.get(name)
        there = {path: str(text) for path, text in files.get(former.project if former else "", {}).items()}
        if former is not None and former.digest == entry.digest and other_than(there, former.files) is None:
            after.packages[name] = former.model_copy(update={"wanted": wanted.get(name)})
            own |= {f"{FOLDER}{former.project}/{path}": text for path, text in there.items()}
            continue
        package = verified_package(index, entry, ids, registry)
        fresh = texts_in(package)
        known = former.capabilities if former is not None else Capabilities()
        changes = tuple(compared(there, fresh, registry)) if former is not None else ()
        brought.append(Brought(package, entry, former, package.about.capabilities.beyond(known), changes))
        after.packages[name] = locked(package, index, wanted.get(name))
        own |= {f"{FOLDER}{package.about.project}/{path}": text for path, text in fresh.items()}
    if after.packages:
        own[LOCK] = after.text()
    return RequirementChange(tuple(brought), tuple(sorted(set(lock) - set(chosen))), own)


def left_out(texts: Texts, name: str) -> dict[str, str]:
    """All texts without a package, and without what only it requires. Raises ``StillRequired``, ``NotInstalled``."""
    own, along = parted(texts)
    if name in requires_of(own):
        said = _requiring(own.pop(PACKAGE_FILE), name, None)
        own |= {PACKAGE_FILE: said} if said.strip() else {}
    lock, reached = lock_of(texts), set[str]()
    open_ = list(requires_of(own))
    while open_:
        each = open_.pop()
        if each not in reached:
            reached.add(each)
            open_ += lock.packages[each].requires if each in lock.packages else ()
    if name in reached:
        by = (other for other in reached if other in lock.packages and name in lock.packages[other].requires)
        raise StillRequired(name, tuple(sorted(by)))
    lock.packages = {each: there for each, there in lock.packages.items() if each in reached}
    folders = {each.project for each in lock.packages.values()}
    own |= {path: text for path, text in along.items() if path.removeprefix(FOLDER).partition("/")[0] in folders}
    if lock.packages:
        own[LOCK] = lock.text()
    return own


def worse(before: Iterable[Finding], after: Iterable[Finding]) -> list[Finding]:
    """Errors that were not there before, wherever they stand now."""
    known = {(each.file, each.code, str(each.message)) for each in before}
    return [each for each in after if each.stops and (each.file, each.code, str(each.message)) not in known]


def texts_in(package: Package) -> dict[str, str]:
    """What is taken along of a package: no pictures or sounds, and no tests. Raises ``BadPackage``."""
    try:
        return {path: raw.decode() for path, raw in package.files.items() if counts(path)}
    except UnicodeDecodeError:
        raise BadPackage(Bilingual("包里有不是 UTF-8 的文本。", "A text of the package is not in UTF-8.")) from None


def _requiring(text: str | None, name: str, version: str | None) -> str:
    """``package.yaml`` with a package required in ``version`` and what is compatible with it, or not any more. A range
    that suits stays as it is written. Raises ``NotInstalled`` where the file cannot be edited."""
    known = read_requires(text)[0] if text is not None else {}
    if version is not None and name in known and suits(version, known[name]):
        return text or ""
    if not (text or "").strip():
        return f'requires:\n  {name}: "{compatible(version)}"\n' if version is not None else ""
    after = {key: value for key, value in known.items() if key != name}
    try:
        if version is not None and known:
            return spliced(text or "", set_value(text or "", (0, "requires", name), compatible(version)))
        if version is not None:
            return spliced(text or "", set_value(text or "", (0, "requires"), {name: compatible(version)}))
        return spliced(text or "", set_value(text or "", (0, "requires", name) if after else (0, "requires"), None))
    except CannotEdit:
        raise NotInstalled(
            Bilingual(
                f"{PACKAGE_FILE} 改不了，请先把它改到能读。",
                f"{PACKAGE_FILE} cannot be edited; make it readable first.",
            )
        ) from None


def compatible(version: str) -> str:
    """The versions that semantic versioning takes for compatible with one."""
    major, minor, _ = version.split(".")
    return f">={version},<{int(major) + 1}" if major != "0" else f">={version},<0.{int(minor) + 1}"
