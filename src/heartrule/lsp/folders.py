"""The projects that an editor has open: their files as they lie on the disk, with what is typed in place of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlparse
from urllib.request import url2pathname

from heartrule.authoring.workspace import Registry, Workspace
from heartrule.language.projects.library import Library, ad_hoc, home_of, library_root
from heartrule.language.projects.project import PROJECT_FILE, LoadedProject, read_texts


@dataclass(slots=True)
class Open:
    """A file of a project that is open: ``name`` is its path in the project's folder."""

    workspace: Workspace = field(repr=False)
    folder: Path
    name: str

    def uri(self, file: str) -> str:
        return (self.folder / file).as_uri()


@dataclass(slots=True)
class Folders:
    """Each project is read once, and from then on as the editor says."""

    registry: Registry
    _projects: dict[Path, Workspace] = field(default_factory=dict)
    _others: dict[str, LoadedProject] | None = None

    def at(self, uri: str, text: str | None = None) -> Open | None:
        """The file behind an address; ``text`` is what it holds now. None for what is no file of this machine."""
        path = path_of(uri)
        if path is None:
            return None
        home = home_of(path) if path.is_file() else home_of(path.parent / PROJECT_FILE)
        folder = home or path.parent
        workspace = self._workspace(folder, path, alone=home is None)
        name = path.relative_to(folder).as_posix()
        if text is not None:
            workspace.write(name, text)
        return Open(workspace, folder, name)

    def closed(self, uri: str) -> None:
        """What was typed and not saved is forgotten; what lies on the disk counts again."""
        found = self.at(uri)
        if found is None:
            return
        path = found.folder / found.name
        if path.is_file():
            found.workspace.write(found.name, path.read_text(encoding="utf-8", errors="replace"))
        else:
            found.workspace.remove(found.name)

    def asked(self, params: Mapping[str, object]) -> Workspace | None:
        """The project of the file at ``uri``."""
        found = self.at(str(params.get("uri", "")))
        return found.workspace if found is not None else None

    def _workspace(self, folder: Path, path: Path, *, alone: bool) -> Workspace:
        known = self._projects.get(path if alone else folder)
        if known is None:
            texts = (
                {} if alone else {name: raw.decode("utf-8", "replace") for name, raw in read_texts(folder)[0].items()}
            )
            name = ad_hoc(folder / PROJECT_FILE) if not alone else ad_hoc(path)
            known = self._projects[path if alone else folder] = Workspace(texts, self.registry, self._other, name)
        return known

    def _other(self, project: str) -> LoadedProject | None:
        if self._others is None:
            self._others = {each.id: each for each in Library([library_root()], self.registry).projects()}
        return self._others.get(project)


def path_of(uri: str) -> Path | None:
    parsed = urlparse(uri)
    return Path(url2pathname(unquote(parsed.path))) if parsed.scheme == "file" else None
