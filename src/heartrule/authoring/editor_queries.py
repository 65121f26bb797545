"""What an editor of scripts may ask of a project's texts, by name: the same over HTTP and over the language server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from heartrule.authoring import conditions, form_preview, project_map, wire
from heartrule.authoring.dependencies import dependencies
from heartrule.authoring.error_recovery import readable
from heartrule.authoring.fields import fields, sorted_places
from heartrule.authoring.operations import operate
from heartrule.authoring.splices import GONE, CannotEdit
from heartrule.authoring.variables import variables
from heartrule.authoring.wire import Json
from heartrule.authoring.workspace import Registry, Snapshot, Workspace
from heartrule.language.bilingual import Bilingual


@dataclass(frozen=True, slots=True)
class EditorQuery:
    """``lang``: what is said is in Chinese (any ``zh…`` tag) or English."""

    workspace: Workspace
    registry: Registry
    lang: str
    params: Json

    @property
    def now(self) -> Snapshot:
        return self.workspace.now

    def text(self, name: str) -> str:
        return str(self.params.get(name) or "")


def _findings(asked: EditorQuery) -> Json:
    now = asked.now
    shown = []
    for found in now.findings:
        known = readable(now.texts[found.file], found.file) if found.file in now.texts else None
        places = sorted_places(now, found.file, known) if known is not None else []
        shown.append(wire.finding(now, found, asked.lang, wire.nearest(places, found.line, found.column)))
    return {"findings": shown}


def _map(asked: EditorQuery) -> Json:
    file = asked.text("file")
    if file and file not in asked.now.texts:
        raise CannotEdit(GONE)
    return project_map.mapped(asked.now, file or None)


def _fields(asked: EditorQuery) -> Json:
    path = asked.params.get("path")
    if not isinstance(path, list) or not path:
        raise CannotEdit(GONE)
    return fields(asked.now, asked.text("file"), tuple(path), asked.registry, asked.lang)


def _condition(asked: EditorQuery) -> Json:
    if "condition" not in asked.params:
        return conditions.split(asked.params.get("text"))
    try:
        made = conditions.joined(asked.params["condition"])
    except conditions.NoCondition as wrong:
        raise CannotEdit(Bilingual(f"这不是一个条件：{wrong}", f"That is no condition: {wrong}")) from None
    return {"tree": asked.params["condition"], "text": made if isinstance(made, str) else None, "value": made}


def _form(asked: EditorQuery) -> Json:
    answers = asked.params.get("answers")
    return form_preview.preview(asked.now, asked.text("form"), answers if isinstance(answers, dict) else {})


ASKED: Mapping[str, Callable[[EditorQuery], Any]] = {
    "findings": _findings,
    "map": _map,
    "fields": _fields,
    "variables": lambda asked: variables(asked.now),
    "dependencies": lambda asked: dependencies(asked.now),
    "operations": lambda asked: operate(asked.workspace, asked.params, asked.lang),
    "condition": _condition,
    "form": _form,
    "fhir": lambda asked: form_preview.to_fhir(asked.now, asked.text("form")),
}
"""Each raises ``CannotEdit`` with the reason, ``operations`` also ``TextMoved``."""
