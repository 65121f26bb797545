"""Editors are told of test files what the reader takes, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jsonschema_rs import Draft202012Validator, meta
from tests.cli.command import Command, prepared
from tests.house.tree import ROOT
from tests.script_tests.material import cases, file_of

from heartrule.language.yaml import parse
from heartrule.script_tests.schema import json_schema

SCHEMA = Draft202012Validator(json_schema())
FILES = sorted((ROOT / "examples" / "testing" / "tests").glob("*.test.yaml"))


def fits(text: str) -> bool:
    return SCHEMA.is_valid(parse(text, "a.test.yaml").documents[0])


def test_it_is_a_schema() -> None:
    meta.validate(json_schema())
    assert json_schema()["$id"] == "urn:heartrule:schema:test:1"
    assert json_schema(url="https://example.org/t.json")["$id"] == "https://example.org/t.json"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_tests_that_run_fit_it(path: Path) -> None:
    assert fits(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "turns",
    [
        "- start",
        "- say: 3\n  expect: [{ended: true}, {at: 4}]",
        "- start: {expect: {ended: true}}",
        "- fill: {a: [1]}\n  submit: false",
        "- say: 好\n  expect: {directive: [END_SESSION, {directive: SET_VAR, var: x}], not: {at: x}}",
        "- reconnect:\n  expect: {exit: {class: off_topic}, submitted: {form: a, scores: {b: null}}}",
        "- seay: 好",
        "- say: 好\n  expect: {endet: true}",
        "- say: 好\n  expect: {request: coice}",
        "- say: 好\n  expect: {calls: -1}",
        "- say: {a: b}",
        "- recconect",
    ],
)
def test_it_takes_what_the_reader_takes(turns: str) -> None:
    text = file_of(turns)
    wrong = [each for each in cases(text).findings if each.stops]
    assert fits(text) == (not wrong)


@pytest.mark.parametrize("lang", ["", "zh", "en"])
def test_every_key_is_explained(lang: str) -> None:
    made = json_schema(lang=lang)
    for name, definition in {**made["$defs"], "TestFile": made}.items():
        for key, described in definition.get("properties", {}).items():
            told = described.get("description", "")
            assert told, (name, key)
            assert bool(re.search("[\u4e00-\u9fff]", told)) == (lang != "en"), (name, key)


def test_the_command_prints_it(tmp_path: Path) -> None:
    command: Command = prepared(tmp_path)
    assert '"HeartRule tests"' in command("schema", "test").stdout
    assert '"HeartRule script"' in command("schema").stdout
