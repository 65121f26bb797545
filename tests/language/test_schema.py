"""The JSON Schema that editors use says what the loader does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.language.material import ACTIONS

from heartrule.language.schema import json_schema
from heartrule.language.script_file import File

SCHEMA = json_schema(ACTIONS)


def parts(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for part in value.values():
            yield from parts(part)
    elif isinstance(value, list):
        for part in value:
            yield from parts(part)


def test_it_is_json_of_the_right_dialect() -> None:
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA


def test_the_top_level() -> None:
    assert set(SCHEMA["properties"]) == {field.alias or name for name, field in File.model_fields.items()}
    assert SCHEMA["additionalProperties"] is False
    assert SCHEMA["title"] == "HeartRule script"


def test_every_reference_leads_somewhere() -> None:
    for part in parts(SCHEMA):
        reference = part.get("$ref")
        if isinstance(reference, str):
            assert reference.startswith("#/$defs/")
            assert reference.removeprefix("#/$defs/") in SCHEMA["$defs"]


def test_actions_are_told_apart_by_type() -> None:
    action = SCHEMA["$defs"]["Action"]
    assert action["discriminator"]["propertyName"] == "type"
    assert set(action["discriminator"]["mapping"]) == set(ACTIONS) == set(action["properties"]["type"]["enum"])
    assert len(action["oneOf"]) == len(ACTIONS)


@pytest.mark.parametrize("kind", sorted(ACTIONS))
def test_each_action(kind: str) -> None:
    name = SCHEMA["$defs"]["Action"]["discriminator"]["mapping"][kind].removeprefix("#/$defs/")
    described = SCHEMA["$defs"][name]
    fields = ACTIONS[kind].model_fields
    assert described["properties"]["type"] == {"const": kind, "type": "string"}
    assert set(described["properties"]) == {field.alias or key for key, field in fields.items()}
    assert described["additionalProperties"] is False
    required = {field.alias or key for key, field in fields.items() if field.is_required()}
    assert set(described.get("required", [])) == required


def test_keys_are_those_of_yaml() -> None:
    text = json.dumps(SCHEMA["$defs"])
    for attribute in ("validate_", "in_", "as_", "not_", "global_"):
        assert f'"{attribute}"' not in text


def test_without_actions() -> None:
    assert json_schema({})["$defs"]["Action"]["oneOf"] == []


def test_the_head_of_a_project() -> None:
    assert "template_scheme" in SCHEMA["$defs"]["Project"]["properties"]
