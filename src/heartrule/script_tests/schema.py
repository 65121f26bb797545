"""The JSON Schema (draft 2020-12) of test files, for editors, made from the models that read them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from heartrule.language.bilingual import Bilingual
from heartrule.language.schema import NAME, VERSION
from heartrule.language.texts.plain import packaged_yaml
from heartrule.script_tests.case import BARE, TestFile

Json = dict[str, Any]
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(*, lang: str = "", url: str = "") -> Json:
    """As that of scripts: each key has words for hovering, in both languages or in ``lang`` alone, and ``url`` is the
    address it is found at."""
    made = TestFile.model_json_schema(by_alias=True)
    defs: Json = made.pop("$defs")
    for name, definition in {**defs, "TestFile": made}.items():
        definition.pop("description", None)
        own = {**_words()["Expect"], "expect": _words()["Step"]["expect"]} if name == "Start" else _words()[name]
        for key, described in definition.get("properties", {}).items():
            told = own.get(key)
            if told is not None:
                described["description"] = Bilingual(*told).localized(lang) if lang else "\n\n".join(told)
    turns = defs["Case"]["properties"]["turns"]
    turns["items"] = {"anyOf": [{"enum": sorted(BARE)}, turns["items"]]}
    whole = {**made, "title": "HeartRule tests", "$defs": defs}
    read: Json = _read_as_written(whole)
    return {"$schema": _DIALECT, "$id": url or f"{NAME}:test:{VERSION}", **read}


@cache
def _words() -> Mapping[str, Mapping[str, list[str]]]:
    found: Mapping[str, Mapping[str, list[str]]] = packaged_yaml("heartrule.script_tests", "descriptions.yaml")
    return found


def _read_as_written(value: Any) -> Any:
    """Where a text is wanted, a number may stand without quotes."""
    if isinstance(value, list):
        return [_read_as_written(each) for each in value]
    if not isinstance(value, dict):
        return value
    kept = {key: _read_as_written(each) for key, each in value.items()}
    if kept.get("type") == "string" and not {"enum", "const"} & set(kept):
        kept["type"] = ["string", "number"]
    return kept
