"""Our own YAML: by the rules of version 1.2, whoever reads it, through one function."""

from __future__ import annotations

import pytest
import yaml
from tests.house.tree import SOURCE, modules

from heartrule.language.texts.plain import packaged_yaml, read_yaml


@pytest.mark.parametrize(
    "word", ["no", "yes", "on", "off", "y", "N", "2026-01-01", "1:30", "0755", ".inf", "1_000", "="]
)
def test_what_only_the_older_version_reads_otherwise_is_text(word: str) -> None:
    assert read_yaml(f"{{a: {word}, {word}: b}}") == {"a": word, word: "b"}


@pytest.mark.parametrize(
    ("word", "value"),
    [("1", 1), ("-2", -2), ("0x1f", 31), ("0o17", 15), ("1.5", 1.5), ("true", True), ("null", None), ("~", None)],
)
def test_numbers_truth_and_nothing_are_what_they_are(word: str, value: object) -> None:
    assert read_yaml(f"[{word}, '{word}']") == [value, word]


def test_nothing_is_nothing_and_a_merge_is_one() -> None:
    assert read_yaml("") is None
    assert read_yaml("a: &x {b: 1}\nc: {<<: *x, d: }") == {"a": {"b": 1}, "c": {"b": 1, "d": None}}


def test_what_is_wrong_is_said_as_the_library_says_it() -> None:
    with pytest.raises(yaml.YAMLError):
        read_yaml("a: [")
    with pytest.raises(yaml.YAMLError):
        read_yaml("!!python/object/apply:os.system ['true']")


def test_files_of_packages_are_found() -> None:
    assert packaged_yaml("heartrule.cli", "texts", "en.yaml")["failed"]


def test_there_is_one_function_that_reads_it() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in modules(SOURCE)}
    asked = [path.parent.name for path, text in texts.items() if "yaml.load(" in text or "safe_load" in text]
    assert asked == ["texts"]
