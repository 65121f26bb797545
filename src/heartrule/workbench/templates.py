"""What a new project can be made from: real scripts, a folder for each language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from heartrule.authoring.yaml_writer import scalar
from heartrule.language.bilingual import Bilingual
from heartrule.language.projects.project import PROJECT_FILE
from heartrule.language.references import speaks
from heartrule.language.texts.plain import packaged_yaml

_FOLDER = "starts"
_LOCALES = {"zh": "zh-CN", "en": "en"}
_SLUG = re.compile(r"[^a-z0-9]+")


class NoSuchTemplate(LookupError):
    """There is no template of that name."""


@dataclass(frozen=True, slots=True)
class Start:
    id: str
    name: Bilingual
    about: Bilingual
    locales: tuple[str, ...]


@cache
def templates() -> tuple[Start, ...]:
    """In the order of the list."""
    listed = packaged_yaml("heartrule.workbench", _FOLDER, "starts.yaml")
    return tuple(
        Start(each["id"], Bilingual(**each["name"]), Bilingual(**each["about"]), tuple(_LOCALES.values()))
        for each in listed
    )


def texts_of(template: str, locale: str, name: str) -> dict[str, str]:
    """The files of a project of that name. Raises ``NoSuchTemplate``."""
    if template not in {each.id for each in templates()}:
        raise NoSuchTemplate(template)
    language = next((short for short, tag in _LOCALES.items() if speaks(tag, locale)), "en")
    folder = files("heartrule.workbench").joinpath(_FOLDER, template, language)
    texts = {path: each.read_text(encoding="utf-8") for path, each in _files(folder)}
    head = f"id: {slug_of(name)}\nname: {scalar(name)}\nlocale: {_LOCALES[language]}\n"
    return {PROJECT_FILE: head, **texts}


def slug_of(name: str) -> str:
    """An id for a project of that name: its Latin letters and digits."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return _SLUG.sub("_", plain).strip("_")[:40] or "project"


def _files(folder: Traversable, above: str = "") -> Iterator[tuple[str, Traversable]]:
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_dir():
            yield from _files(each, f"{above}{each.name}/")
        elif each.name.endswith(".yaml"):
            yield f"{above}{each.name}", each
