"""Which versions are installed where, and what a change of them would be.

Installed packages lie beside each other in a folder, each a project in a folder of its own; ``packages.lock.json``
says which they are, so that the same ones come on every machine.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from heartrule.language.bilingual import Bilingual, SaidError
from heartrule.language.projects.library import library_root, projects_in
from heartrule.language.projects.requirements import LOCK_FILE, Name, circle
from heartrule.language.references import SAFETY
from heartrule.packages.archive import BadPackage, Package
from heartrule.packages.builder import Registry, found_in
from heartrule.packages.capabilities import Capabilities
from heartrule.packages.index import Entry, Index
from heartrule.packages.manifest import order, suits

_TRIES = 5_000


class NotInstalled(SaidError):
    """Why something cannot be installed; nothing was changed."""


class LockedPackage(BaseModel):
    """``wanted``: asked for by name, not only because another one requires it. ``files``: the SHA-256 of each."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: str
    project: str
    digest: str
    key: str
    index: str
    wanted: str | None = None
    requires: dict[Name, str] = {}
    capabilities: Capabilities = Capabilities()
    files: dict[str, str] = {}


class Lock(BaseModel):
    model_config = ConfigDict(extra="forbid")

    packages: dict[Name, LockedPackage] = {}

    def text(self) -> str:
        return json.dumps(self.model_dump(mode="json"), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


@dataclass(frozen=True, slots=True)
class Step:
    """One package of a change. ``former`` is what is installed now; ``gains`` what the new one may do and that may
    not; ``edited`` the installed files that somebody has changed since."""

    package: Package
    entry: Entry
    former: LockedPackage | None
    gains: Capabilities
    edited: tuple[str, ...]

    @property
    def new_key(self) -> bool:
        """Signed by somebody else than what is installed."""
        return self.former is not None and self.former.key != self.package.key


def read_lock(folder: Path) -> Lock:
    path = folder / LOCK_FILE
    if not path.exists():
        return Lock()
    try:
        return Lock.model_validate_json(path.read_bytes())
    except (ValidationError, OSError):
        raise NotInstalled(Bilingual(f"读不懂 {path}。", f"{path} cannot be read.")) from None


def resolve(index: Index, wanted: Mapping[str, str], kept: Mapping[str, str] | None = None) -> dict[str, Entry]:
    """A version for each package wanted and each that these require, the newest that suit together, those asked for
    first; none that require each other in a circle. ``kept``: versions that are there stay where they suit. Raises
    ``NotInstalled`` with what is in the way."""
    tries = 0
    staying = kept or {}

    def choose(open_: list[tuple[str, str]], taken: dict[str, Entry]) -> dict[str, Entry] | None:
        nonlocal tries
        if not open_:
            return None if _circle(taken) else taken
        (name, range_), *rest = open_
        if name in taken:
            return choose(rest, taken) if suits(taken[name].manifest.version, range_) else None
        for entry in sorted(index.versions(name, range_), key=lambda each: each.manifest.version != staying.get(name)):
            tries += 1
            if tries > _TRIES:
                return None
            found = choose([*rest, *sorted(entry.manifest.requires.items())], {**taken, name: entry})
            if found is not None:
                return found
        return None

    found = choose(list(wanted.items()), {})
    if found is None:
        raise NotInstalled(_in_the_way(index, wanted))
    return found


def _circle(chosen: Mapping[str, Entry]) -> list[str]:
    return circle({name: each.manifest.requires for name, each in chosen.items()})


def _in_the_way(index: Index, wanted: Mapping[str, str]) -> Bilingual:
    """Why nothing suits: something that is not there, or only in other versions, as the newest ones ask for it; a
    circle; else who wants what."""
    newest: dict[str, Entry] = {}
    asked = [(name, range_, "") for name, range_ in wanted.items()]
    for name, range_, by in asked:
        suiting, known = index.versions(name, range_), [each.manifest.version for each in index.versions(name)]
        if not suiting:
            return _lacking(f"{name}{range_}", by, known)
        if name not in newest:
            newest[name] = suiting[0]
            asked += [(other, needed, name) for other, needed in sorted(suiting[0].manifest.requires.items())]
    if around := _circle(newest):
        told = " → ".join(around)
        return Bilingual(f"这几个包互相依赖，绕成了一圈：{told}", f"These require each other in a circle: {told}")
    wants = "; ".join(_wants(newest))
    return Bilingual(f"没有合得到一起的版本：{wants}", f"No versions go together: {wants}")


def _lacking(what: str, by: str, known: list[str]) -> Bilingual:
    whose = (f"（{by} 需要它）", f", which {by} requires,") if by else ("", "")
    if not known:
        return Bilingual(f"{what} 不在目录里{whose[0]}。", f"{what}{whose[1]} is not in the index.")
    has = ", ".join(known)
    return Bilingual(
        f"{what} 不在目录里{whose[0]}；有的版本：{has}",
        f"{what}{whose[1]} is not in the index; it has: {has}",
    )


def _wants(newest: Mapping[str, Entry]) -> Iterable[str]:
    for name, entry in newest.items():
        needs = ", ".join(f"{other}{needed}" for other, needed in sorted(entry.manifest.requires.items()))
        yield f"{name} {entry.manifest.version} → {needs or '–'}"


def plan(index: Index, folder: Path, chosen: Mapping[str, Entry], registry: Registry) -> list[Step]:
    """Each package that would be written, read and verified. Raises ``BadPackage``, ``BadIndex``, ``NotInstalled``."""
    lock, steps = read_lock(folder), []
    taken = {each.project: name for name, each in lock.packages.items()}
    for name, entry in chosen.items():
        former = lock.packages.get(name)
        edited = _edited(folder, former)
        if former is not None and former.digest == entry.digest and not edited:
            continue
        package = verified_package(index, entry, taken, registry)
        home = folder / package.about.project
        if former is None and home.exists():
            raise NotInstalled(Bilingual(f"{home} 已经有了，不是装的。", f"{home} is there and was not installed."))
        known = former.capabilities if former is not None else Capabilities()
        steps.append(Step(package, entry, former, package.about.capabilities.beyond(known), edited))
    return steps


def verified_package(index: Index, entry: Entry, taken: dict[str, str], registry: Registry) -> Package:
    """A version, read and verified. ``taken``: the ids of projects that are used already, and by which package; its own
    is put there. Raises ``BadPackage``, ``BadIndex``, ``NotInstalled``."""
    package, name = index.package(entry), entry.manifest.name
    verify(package, entry, registry)
    project = package.about.project
    if taken.setdefault(project, name) != name:
        raise NotInstalled(
            Bilingual(
                f"{name} 和 {taken[project]} 的项目编号相同：{project}",
                f"{name} and {taken[project]} have one project id: {project}",
            )
        )
    if project in _shipped():
        raise NotInstalled(
            Bilingual(
                f"{name} 想占用自带的项目 {project}，不装。",
                f"{name} would stand in for our own project {project}; it is not installed.",
            )
        )
    return package


def _shipped() -> set[str]:
    """Ids that no package may have: what we ship, the safety scripts above all, is replaced by nobody."""
    return {SAFETY, *(each.name for each in projects_in(library_root()))}


def verify(package: Package, entry: Entry, registry: Registry) -> None:
    """What the scripts may do is worked out here anew; a package that says less of itself is refused."""
    about, found = found_in(package.files, registry)
    if about is None:
        first = next((each for each in found if each.stops), None)
        raise BadPackage(Bilingual(f"里面的剧本读不了：{first}", f"Its scripts cannot be read: {first}"))
    told = package.about
    if about.manifest != told.manifest or about.project != told.project or about.manifest != entry.manifest:
        raise BadPackage(Bilingual("包说的自己和里面的不一样。", "It is not the package that it says it is."))
    hidden = about.capabilities.beyond(told.capabilities)
    if hidden != Capabilities():
        raise BadPackage(
            Bilingual(f"它没有说出自己能做的：{hidden}", f"It does not tell of all that it may do: {hidden}")
        )


def write(folder: Path, steps: Iterable[Step], wanted: Mapping[str, str], index: Index) -> Lock:
    """Put the packages there and write the lock. Each project's folder is changed at once: what was there is moved
    away first and comes back when writing fails."""
    lock = read_lock(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for step in steps:
        _put(folder / step.package.about.project, step.package.files)
        manifest = step.package.about.manifest
        former = step.former.wanted if step.former is not None else None
        lock.packages[manifest.name] = locked(step.package, index, wanted.get(manifest.name, former))
        _keep(folder, lock)
    return lock


def locked(package: Package, index: Index, wanted: str | None) -> LockedPackage:
    """What the lock says of a package."""
    manifest = package.about.manifest
    return LockedPackage(
        version=manifest.version,
        project=package.about.project,
        digest=package.digest,
        key=package.key,
        index=index.place,
        wanted=wanted,
        requires=manifest.requires,
        capabilities=package.about.capabilities,
        files=dict(package.about.files),
    )


def write_into(trial: Path, folder: Path, steps: Iterable[Step]) -> None:
    """In an empty folder, what would be in ``folder`` after the change: to be looked at before it is made."""
    for each in read_lock(folder).packages.values():
        shutil.copytree(folder / each.project, trial / each.project)
    for step in steps:
        _put(trial / step.package.about.project, step.package.files)


def outdated(index: Index, lock: Lock) -> dict[str, Entry]:
    """Of what was asked for by name, and what it requires, the newest versions that suit, where they are newer."""
    wanted = {name: each.wanted for name, each in lock.packages.items() if each.wanted is not None}
    return {
        name: entry
        for name, entry in resolve(index, wanted).items()
        if name not in lock.packages or order(entry.manifest.version) > order(lock.packages[name].version)
    }


def _edited(folder: Path, former: LockedPackage | None) -> tuple[str, ...]:
    if former is None:
        return ()
    home = folder / former.project
    return tuple(path for path, digest in former.files.items() if _digest(home / path) != digest)


def _digest(path: Path) -> str:
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _put(home: Path, files: Mapping[str, bytes]) -> None:
    fresh, old = home.with_name(f".{home.name}.new"), home.with_name(f".{home.name}.old")
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)
    for path, raw in files.items():
        (fresh / path).parent.mkdir(parents=True, exist_ok=True)
        (fresh / path).write_bytes(raw)
    if home.exists():
        home.rename(old)
    try:
        fresh.rename(home)
    except OSError:
        if old.exists():
            old.rename(home)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _keep(folder: Path, lock: Lock) -> None:
    beside = folder / f".{LOCK_FILE}.part"
    beside.write_text(lock.text(), encoding="utf-8")
    beside.replace(folder / LOCK_FILE)
