"""Dependencies that lead in a circle, or to nothing."""

from __future__ import annotations

import pytest
from tests.language.material import codes, linted, session, skill


def variables(*rows: str) -> str:
    return "global:\n" + "".join(f"  - {{{row}}}\n" for row in rows)


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (("var: a", "var: b, depends_on: [{var: a}]"), []),
        (("var: a, depends_on: [{var: a}]",), ["E270"]),
        (("var: a, depends_on: [{var: b}]", "var: b, depends_on: [{var: a}]"), ["E270", "E270"]),
        (
            (
                "var: a, depends_on: [{var: b}]",
                "var: b, depends_on: [{var: c, condition: c == 1}]",
                "var: c, depends_on: [{var: d, condition: a > 1}]",
                "var: d",
            ),
            ["E270"] * 3,
        ),
        (("var: a, depends_on: [{var: b}]", "var: b, depends_on: [{var: c}]", "var: c"), []),
        (("var: a, depends_on: [{var: x}]",), ["E271"]),
        (("var: a", "var: b, depends_on: [{var: a, condition: a == 1 and x == 2}]"), ["E271"]),
        (("var: a", "var: b, depends_on: [{var: session.a, condition: session.a == 1}]"), []),
        (("var: a", "var: b, depends_on: [{var: a, condition: topic.attempts > 1}]"), []),
    ],
)
def test_declared(rows: tuple[str, ...], found: list[str]) -> None:
    assert codes(linted(variables(*rows))) == found


def test_a_circle_is_told_with_its_names() -> None:
    (first, _) = linted(variables("var: a, depends_on: [{var: b}]", "var: b, depends_on: [{var: a}]"))
    assert "a → b → a" in first.message.zh
    assert "a → b → a" in first.message.en
    assert (first.line, first.severity) == (2, "error")


OUTPUT = "- {{type: ask, content: 问, output: [{{get: 甲}}, {{get: 乙, depends_on: [{{var: {0}}}]}}]}}"


@pytest.mark.parametrize(("name", "found"), [("甲", []), ("乙", ["E270"]), ("丙", ["E271"])])
def test_outputs(name: str, found: list[str]) -> None:
    assert codes(linted(session(OUTPUT.format(name)))) == found
    assert codes(linted(skill(OUTPUT.format(name)))) == found


def test_a_declaration_and_an_output_may_make_a_circle() -> None:
    text = session(OUTPUT.format("丙"), head="declare: [{var: 丙, depends_on: [{var: 乙}]}]")
    assert codes(linted(text)) == ["E270", "E270"]


def test_a_condition_that_is_none_is_refused() -> None:
    assert codes(linted(variables("var: a", "var: b, depends_on: [{var: a, condition: 'a =='}]"))) == ["E110"]
