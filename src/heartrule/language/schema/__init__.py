"""One JSON Schema (draft 2020-12) of script files, made from the models that the loader uses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from heartrule.language.bilingual import Bilingual
from heartrule.language.nodes import Action, Project
from heartrule.language.nodes.script_file import File
from heartrule.language.schema.hovers import hover, summary

Json = dict[str, Any]
Kind = Literal["script", "project"]
NAME, VERSION = "urn:heartrule:schema", 1
"""What a schema is called wherever it lies. The version grows when scripts that were good no longer are."""
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(registry: Mapping[str, type[Action]], of: Kind = "script", *, lang: str = "", url: str = "") -> Json:
    """The schema of a script file, or ``of`` a ``project.yaml``. Actions are told apart by ``type``; ``$defs/Project``
    describes ``project.yaml`` in either. Each key has words for hovering, in both languages or in ``lang`` alone.
    ``url`` is the address it is found at; without one it has a name that stays the same."""
    names = {model: _name(kind) for kind, model in registry.items()}
    models: list[type[BaseModel]] = [File, Project, Action, *names]
    made, top = models_json_schema([(model, "validation") for model in models], ref_template="#/$defs/{model}")
    defs: Json = top["$defs"]
    references = {model: made[(model, "validation")]["$ref"].rpartition("/")[2] for model in models}
    renamed = {references[model]: name for model, name in names.items()}
    defs = _renamed({renamed.get(key, key): value for key, value in defs.items()}, renamed)
    for kind, model in registry.items():
        _describe(defs[names[model]], kind, model)
        _explain(defs[names[model]], model, lang, kind)
        if (told := summary(kind)) is not None:
            defs[names[model]]["description"] = _spoken(told, lang)
    for part in _all([File, Project, *registry.values()]):
        for definition in defs.values():
            if definition.get("title") == part.__name__ and _keys(part) == set(definition.get("properties", {})):
                _explain(definition, part, lang)
    defs["Action"] = {
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"enum": sorted(registry)}},
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in names.values()],
        "discriminator": {
            "propertyName": "type",
            "mapping": {kind: f"#/$defs/{names[model]}" for kind, model in registry.items()},
        },
    }
    file = defs.pop(references[File])
    top, title = (file, "HeartRule script") if of == "script" else (defs["Project"], "project.yaml")
    return {"$schema": _DIALECT, "$id": url or f"{NAME}:{of}:{VERSION}", **top, "title": title, "$defs": defs}


def _all(models: Iterable[type[BaseModel]]) -> list[type[BaseModel]]:
    """These models and all below them."""
    found: dict[type[BaseModel], None] = {}
    queue: list[Any] = list(models)
    while queue:
        part = queue.pop()
        if isinstance(part, type) and issubclass(part, BaseModel):
            if part not in found:
                found[part] = None
                queue += [field.rebuild_annotation() for field in part.model_fields.values()]
        else:
            queue += get_args(part)
    return list(found)


def _keys(model: type[BaseModel]) -> set[str]:
    return {field.alias or name for name, field in model.model_fields.items()}


def _explain(definition: Json, model: type[BaseModel], lang: str, kind: str | None = None) -> None:
    """Words for each key; what the model says of itself in English is for programmers."""
    definition.pop("description", None)
    for key, described in definition.get("properties", {}).items():
        told = hover(model, key, kind)
        if told is not None:
            described["description"] = _spoken(told, lang)


def _spoken(told: Bilingual, lang: str) -> str:
    return told.localized(lang) if lang else f"{told.zh}\n\n{told.en}"


def _name(kind: str) -> str:
    """``ai_say`` → ``AiSay``."""
    return "".join(part.capitalize() for part in re.split(r"\W|_", kind))


def _describe(definition: Json, kind: str, model: type[Action]) -> None:
    definition["title"] = kind
    definition["properties"]["type"] = {"const": kind, "type": "string"}
    text = (model.__doc__ or "").strip()
    if text and text != (Action.__doc__ or "").strip():
        definition["description"] = text


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """``value`` with references to renamed definitions."""
    if isinstance(value, dict):
        return {
            key: f"#/$defs/{names.get(part.rpartition('/')[2], part.rpartition('/')[2])}"
            if key == "$ref" and isinstance(part, str)
            else _renamed(part, names)
            for key, part in value.items()
        }
    return [_renamed(part, names) for part in value] if isinstance(value, list) else value
