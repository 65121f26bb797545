"""Which keys a mapping at some place of a script may have, read off the models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel

from heartrule.language.nodes import Action
from heartrule.language.texts.source import Path


def keys(model: type[BaseModel]) -> list[str]:
    """The keys of a model as they are written in YAML."""
    return [field.alias or name for name, field in model.model_fields.items()]


def keys_at(root: type[BaseModel], document: Any, path: Path, registry: Mapping[str, type[Action]]) -> list[str]:
    """The keys of the mapping at ``path`` of a document that ``root`` describes; those of every model it might be."""
    return list(dict.fromkeys(key for model in models_at(root, document, path, registry) for key in keys(model)))


def models_at(
    root: type[BaseModel], document: Any, path: Path, registry: Mapping[str, type[Action]]
) -> list[type[BaseModel]]:
    """The models that the mapping at ``path`` of a document may be of."""
    models: list[type[BaseModel]] = [root]
    data = document
    for part in path:
        data = _into(data, part)
        if isinstance(part, str):
            fields = [(field.alias or name, field) for model in models for name, field in model.model_fields.items()]
            models = [found for key, field in fields if key == part for found in _models(field.rebuild_annotation())]
        if models == [Action] and isinstance(data, dict):
            known = registry.get(str(data.get("type")))
            models = [known] if known is not None else [Action]
    return models


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    elif get_origin(annotation) is Annotated:
        yield from _models(get_args(annotation)[0])
    else:
        for part in get_args(annotation):
            yield from _models(part)


def _into(data: Any, part: str | int) -> Any:
    try:
        return data[part]
    except (KeyError, IndexError, TypeError):
        return None
