"""The shipped projects as an author's workspace."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from heartrule.authoring.workspace import Workspace
from heartrule.engine.installed_types import field_models
from heartrule.language.projects.library import Library, library_root
from heartrule.language.projects.project import LoadedProject, read_texts

REGISTRY = field_models()


@cache
def _shipped() -> dict[str, LoadedProject]:
    return {project.id: project for project in Library([library_root()], REGISTRY).projects()}


@cache
def _texts(project: str) -> dict[str, str]:
    folder = Path(library_root()) / project
    return {name: raw.decode("utf-8") for name, raw in read_texts(folder)[0].items()}


def shipped_project(name: str) -> LoadedProject | None:
    return _shipped().get(name)


def shipped(project: str = "cbt") -> Workspace:
    return Workspace(dict(_texts(project)), REGISTRY, _shipped().get, project)


def alone(**files: str) -> Workspace:
    """Files by their name without ``.yaml``."""
    return Workspace({f"{name}.yaml": text for name, text in files.items()}, REGISTRY, _shipped().get)
