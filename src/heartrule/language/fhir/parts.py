"""Parts of FHIR's JSON, read without trust: what is not of the kind that is asked for is not there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from heartrule.language.nodes import Node
from heartrule.language.nodes.forms import LOINC, Code

Resource = dict[str, Any]
OWN = "urn:heartrule:form"
CORE = "http://hl7.org/fhir/StructureDefinition/"
SDC = "http://hl7.org/fhir/uv/sdc/StructureDefinition/"
ORDINAL = f"{CORE}ordinalValue"
WEIGHTS = (ORDINAL, f"{CORE}itemWeight", f"{CORE}questionnaire-ordinalValue")
CALCULATED = f"{SDC}sdc-questionnaire-calculatedExpression"


def text(resource: Any, key: str) -> str:
    value = resource.get(key) if isinstance(resource, Mapping) else None
    return value if isinstance(value, str) else ""


def number(resource: Any, key: str) -> int | float | None:
    """A finite number; a whole one as int."""
    value = resource.get(key) if isinstance(resource, Mapping) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not -(10**12) <= value <= 10**12:
        return None
    return int(value) if float(value).is_integer() else value


def those(resource: Any, key: str) -> list[Resource]:
    """The mappings in a list."""
    value = resource.get(key) if isinstance(resource, Mapping) else None
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def extension(resource: Any, *urls: str) -> Resource:
    """The first extension with one of these addresses; empty where there is none."""
    return next((each for each in those(resource, "extension") if each.get("url") in urls), {})


def code_of(resource: Any) -> Resource | None:
    """The first coding of ``code`` as a form writes it."""
    return next((made for each in those(resource, "code") if (made := coded(each)) is not None), None)


def coded(coding: Any) -> Resource | None:
    """A coding with a code and a system, as a form writes it."""
    system, code, display = (text(coding, key) for key in ("system", "code", "display"))
    if not system or not code:
        return None
    return {
        **({"system": system} if system != LOINC else {}),
        "code": code,
        **({"display": display} if display else {}),
    }


def coding(code: Code) -> Resource:
    return {"system": code.system, "code": code.code, **({"display": code.display} if code.display else {})}


def difference(original: Mapping[str, Any], made: Mapping[str, Any]) -> Resource:
    """What turns ``made`` into ``original``: keys with another value, and None for those that are not there."""
    changed = {key: value for key, value in original.items() if key not in made or not same(made[key], value)}
    return {**changed, **{key: None for key in made if key not in original}}


def same(one: Any, other: Any) -> bool:
    """Equal as JSON; true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same(left, right) for left, right in zip(one, other, strict=True))
    return (type(one) is type(other) and bool(one == other)) or _numbers(one, other)


def _numbers(one: Any, other: Any) -> bool:
    return isinstance(one, int | float) and isinstance(other, int | float) and one == other


def merged(made: Mapping[str, Any], kept: Mapping[str, Any] | None) -> Resource:
    """``made`` with what was kept; keys with a dot are notes of our own."""
    both = {**made, **{key: value for key, value in (kept or {}).items() if not key.startswith(".")}}
    return {key: value for key, value in both.items() if value is not None}


def with_rest(made: Resource, rest: Mapping[str, Any]) -> Resource:
    """``made`` with our own extension, which holds what FHIR has no place for."""
    if not rest:
        return made
    own = {"url": OWN, "valueString": json.dumps(rest, ensure_ascii=False, sort_keys=True)}
    return {**made, "extension": [*made.get("extension", []), own]}


def rest_of(resource: Any) -> Resource:
    """What our own extension holds; empty where there is none, or none that can be read."""
    try:
        found = json.loads(text(extension(resource, OWN), "valueString") or "{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def overlaid(data: Mapping[str, Any], rest: Mapping[str, Any]) -> Resource:
    """``data`` with what our own extension says; None takes a key away."""
    return {key: value for key, value in {**data, **rest}.items() if value is not None}


def leftover(own: Mapping[str, Any], again: Mapping[str, Any]) -> Resource:
    """What turns ``again``, which was read back, into ``own``."""
    return {
        **{key: value for key, value in own.items() if key not in again or not same(again[key], value)},
        **{key: None for key in again if key not in own},
    }


def dump(node: Node) -> Resource:
    """A node of a form as it is written in YAML, without what stands there by default and what came with it."""
    written: Resource = _without(node.model_dump(by_alias=True, exclude_defaults=True, mode="json"))
    return written


def _without(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without(part) for key, part in value.items() if key != "fhir"}
    return [_without(part) for part in value] if isinstance(value, list) else value
