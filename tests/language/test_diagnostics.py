"""Every diagnostic is a document: its failing example gives its code at the marked line, its mended one does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.language.material import linted_whole, project

from heartrule import language as module
from heartrule.language.findings import Finding, finding
from heartrule.language.findings.documents import Example, codes, diagnostic
from heartrule.language.linting.rules import check
from heartrule.language.nodes import Place

LANGUAGE = Path(module.__file__).parent
WITHOUT_EXAMPLE = {
    "E002",
    "E003",
    "E004",
    "W005",
    "E010",
    "E011",
    "E017",
    "E018",
    "E114",
    "E301",
    "E302",
    "E303",
    "E304",
    "E305",
    "W307",
    "E309",
    "E310",
    "E311",
    "E312",
    "E313",
}
"""What a file in UTF-8 with a few lines cannot show; these have tests of their own."""
SLOT = re.compile(r"\{\w+\}")


def found_in(example: Example) -> list[Finding]:
    if len(example.files) == 1:
        return linted_whole(example.files[0][1])
    own = project(dict(example.files))
    return [*own.findings, *check(own, {own.id: own}.get)]


def marked(example: Example, code: str) -> list[int]:
    lines = example.files[0][1].split("\n")
    return [number for number, line in enumerate(lines, 1) if f"# ← {code}" in line]


@pytest.mark.parametrize("code", [code for code in codes() if code not in WITHOUT_EXAMPLE])
def test_the_failing_example_fails_where_it_says(code: str) -> None:
    example = diagnostic(code).failing
    lines = marked(example, code)
    assert lines, "no line is marked"
    assert [each.line for each in found_in(example) if each.code == code] == lines


@pytest.mark.parametrize("code", [code for code in codes() if code not in WITHOUT_EXAMPLE])
def test_the_failing_example_has_no_other_error(code: str) -> None:
    others = [each for each in found_in(diagnostic(code).failing) if each.stops and each.code != code]
    assert not others


@pytest.mark.parametrize("code", codes())
def test_the_mended_example_is_clean(code: str) -> None:
    assert found_in(diagnostic(code).mended) == []


@pytest.mark.parametrize("code", codes())
def test_both_languages_are_there(code: str) -> None:
    kind = diagnostic(code)
    for said in (kind.message, kind.mend):
        assert said.zh.strip()
        assert said.en.strip()
        assert not re.search("[\u4e00-\u9fff]", said.en.replace("【…】", ""))
    assert set(SLOT.findall(kind.message.zh)) == set(SLOT.findall(kind.message.en))
    assert set(SLOT.findall(kind.mend.zh)) == set(SLOT.findall(kind.mend.en))


@pytest.mark.parametrize("code", [code for code in codes() if code not in WITHOUT_EXAMPLE])
def test_every_slot_is_filled(code: str) -> None:
    kind = diagnostic(code)
    slots = set(SLOT.findall(kind.message.en + kind.mend.en))
    for each in found_in(kind.failing):
        if each.code == code:
            for lang in ("zh", "en"):
                told = each.localized(lang)
                assert not slots & set(SLOT.findall(told.message + told.hint))


@pytest.mark.parametrize("code", codes())
def test_severity_follows_the_letter(code: str) -> None:
    assert diagnostic(code).severity == ("error" if code.startswith("E") else "warning")


def test_numbers_are_used_once() -> None:
    numbers = [code[1:] for code in codes()]
    assert len(set(numbers)) == len(numbers)


def test_every_code_that_is_used_has_a_document_and_the_other_way_round() -> None:
    used: set[str] = set()
    for path in LANGUAGE.rglob("*.py"):
        used |= set(re.findall(r'"([EW]\d{3})"', path.read_text(encoding="utf-8")))
    assert used == set(codes())


def test_names_are_words() -> None:
    for code in codes():
        assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", diagnostic(code).name)


def test_an_unknown_code_is_an_error() -> None:
    with pytest.raises(LookupError, match="E999"):
        finding("E999", Place())


def test_values_are_inserted_once() -> None:
    found = finding("E101", Place("a.yaml", 1, 1), key="{advice}", advice="x")
    assert found.message.en == "There is no key “{advice}” here"
