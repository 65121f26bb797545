"""The JSON Schema that editors use says what the loader does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.language.material import ACTIONS

from heartrule.language.nodes import Project
from heartrule.language.nodes.script_file import File
from heartrule.language.schema import _all, _keys, hovers, json_schema

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
    assert described["properties"]["type"].items() >= {"const": kind, "type": "string"}.items()
    assert set(described["properties"]) == {field.alias or key for key, field in fields.items()}
    assert described["additionalProperties"] is False
    required = {field.alias or key for key, field in fields.items() if field.is_required()}
    assert set(described.get("required", [])) == required


def test_every_key_has_words_for_hovering_in_both_languages() -> None:
    silent = [
        f"{name}.{key}"
        for name, part in (("File", SCHEMA), *SCHEMA["$defs"].items())
        if name != "Action"
        for key, described in part.get("properties", {}).items()
        if key != "type" and len(described.get("description", "").split("\n\n")) != 2
    ]
    assert silent == [], "language/schema/descriptions.yaml, or docs/actions.yaml for actions, has no text for these"


def test_no_words_are_left_over() -> None:
    models = yaml.safe_load((Path(hovers.__file__).parent / "descriptions.yaml").read_text(encoding="utf-8"))["models"]
    known: dict[str, set[str]] = {}
    for model in _all([File, Project, *ACTIONS.values()]):
        for each in model.__mro__:
            known.setdefault(each.__name__, set()).update(_keys(model))
    assert {
        f"{name}.{key}" for name, keys in models.items() for key in keys if key not in known.get(name, set())
    } == set()


@pytest.mark.parametrize(("lang", "shown"), [("zh", "会谈的名字。"), ("en", "The name of the session.")])
def test_in_one_language(lang: str, shown: str) -> None:
    assert json_schema(ACTIONS, lang=lang)["$defs"]["Session"]["properties"]["session"]["description"] == shown


def test_what_it_is_called() -> None:
    assert SCHEMA["$id"] == "urn:heartrule:schema:script:1"
    assert json_schema(ACTIONS, "project")["$id"] == "urn:heartrule:schema:project:1"
    assert json_schema(ACTIONS, url="https://a.example/s.json")["$id"] == "https://a.example/s.json"


def test_of_a_project() -> None:
    made = json_schema(ACTIONS, "project")
    assert set(made["properties"]) == {field.alias or name for name, field in Project.model_fields.items()}
    assert made["required"] == ["id"]
    assert made["additionalProperties"] is False


def test_keys_are_those_of_yaml() -> None:
    text = json.dumps(SCHEMA["$defs"])
    for attribute in ("validate_", "in_", "as_", "not_", "global_"):
        assert f'"{attribute}"' not in text


def test_without_actions() -> None:
    assert json_schema({})["$defs"]["Action"]["oneOf"] == []


def test_the_head_of_a_project() -> None:
    assert "template_scheme" in SCHEMA["$defs"]["Project"]["properties"]
