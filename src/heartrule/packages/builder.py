"""A folder of a project → its package."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from heartrule.language.findings import Finding, Refused, finding
from heartrule.language.nodes import Action, Place
from heartrule.language.projects.project import PACKAGE_FILE, PROJECT_FILE, belongs, load_texts, read_file, read_texts
from heartrule.language.projects.requirements import LOCK
from heartrule.packages.archive import KINDS, About, pack
from heartrule.packages.capabilities import capabilities
from heartrule.packages.manifest import Manifest, read_manifest

Registry = Mapping[str, type[Action]]


def make(folder: Path, registry: Registry, key: Ed25519PrivateKey) -> tuple[Manifest, bytes]:
    """The package of the project in ``folder``, signed. Raises ``Refused`` with what is wrong with its files, and
    ``BadPackage`` for files that may not be in one."""
    raw, problem = read_file(folder / PACKAGE_FILE)
    if problem:
        raise Refused([finding("E017", Place(PACKAGE_FILE, 1, 1), problem=problem)])
    manifest, found = read_manifest(raw)
    texts, unread = read_texts(folder)
    project = load_texts(texts, registry)
    wrong = [*found, *unread, *project.findings]
    if PROJECT_FILE not in texts:
        wrong.append(finding("E017", Place(PROJECT_FILE, 1, 1), problem="not there"))
    if manifest is None or any(each.stops for each in wrong):
        raise Refused([each for each in wrong if each.stops])
    about = About(project=project.id, manifest=manifest, capabilities=capabilities(project), files={})
    return manifest, pack(about, _files(folder), key)


def found_in(files: Mapping[str, bytes], registry: Registry) -> tuple[About | None, list[Finding]]:
    """What the files of a package say of themselves, read anew; None where they cannot be read."""
    manifest, found = read_manifest(files.get(PACKAGE_FILE, b""))
    project = load_texts({path: raw for path, raw in files.items() if _is_text(path)}, registry)
    found = [*found, *project.findings]
    if manifest is None or PROJECT_FILE not in files or any(each.stops for each in found):
        return None, found
    return About(project=project.id, manifest=manifest, capabilities=capabilities(project), files={}), found


def _is_text(path: str) -> bool:
    return belongs(path) and path.rpartition(".")[2] in ("yaml", "yml", "md", "txt")


def _files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in _kept(folder)}


def _kept(folder: Path) -> Iterator[Path]:
    """Every file of the project, nothing hidden, nothing behind a link, nothing of a kind that no package holds, and no
    package that lies in it: those are required by name."""
    for above, folders, names in os.walk(folder):
        here = Path(above)
        taken = ("packages",) if here == folder and (folder / LOCK).is_file() else ()
        folders[:] = sorted(
            each for each in folders if not each.startswith((".", "__", *taken)) and not (here / each).is_symlink()
        )
        for name in sorted(names):
            path = here / name
            if not name.startswith(".") and path.suffix.lower() in KINDS and path.is_file() and not path.is_symlink():
                yield path
