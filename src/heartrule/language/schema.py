"""One JSON Schema (draft 2020-12) of script files, made from the models that the loader uses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from heartrule.language.nodes import Action, Project
from heartrule.language.script_file import File

Json = dict[str, Any]
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(registry: Mapping[str, type[Action]]) -> Json:
    """The schema of a script file. Actions are told apart by ``type``; ``$defs/Project`` describes ``project.yaml``."""
    names = {model: _name(kind) for kind, model in registry.items()}
    models: list[type[BaseModel]] = [File, Project, Action, *names]
    made, top = models_json_schema([(model, "validation") for model in models], ref_template="#/$defs/{model}")
    defs: Json = top["$defs"]
    references = {model: made[(model, "validation")]["$ref"].rpartition("/")[2] for model in models}
    renamed = {references[model]: name for model, name in names.items()}
    defs = _renamed({renamed.get(key, key): value for key, value in defs.items()}, renamed)
    for kind, model in registry.items():
        _describe(defs[names[model]], kind, model)
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
    return {"$schema": _DIALECT, **file, "title": "HeartRule script", "$defs": defs}


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
