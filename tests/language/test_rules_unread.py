"""What lint says of answers and parameters that nothing reads, and of what no answer counts as."""

from __future__ import annotations

import pytest
from tests.language.material import awareness, codes, linted, linted_whole, loaded, session, skill

ASK = "- {type: ask, content: 还有呢？, output: [{get: 别的OUT}]}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (session(ASK.replace("OUT", "")), True),
        (session(ASK.replace("OUT", ", define: 别的解释")), False),
        (session(ASK.replace("OUT", ""), head="declare: [{var: 别的, define: 别的解释}]"), False),
        (session(ASK.replace("OUT", ""), head="declare: [{var: 别的}]"), True),
        (session(ASK.replace("OUT", ""), topic="declare: [{var: 别的, define: 别的解释}]"), True),
        (session(ASK.replace("OUT", "") + "\n- {type: say, content: '{别的}'}"), False),
        (skill(ASK.replace("OUT", ", define: 别的解释")), True),
        (skill(ASK.replace("OUT", ", define: 别的解释"), head="returns: [别的]"), False),
        (skill(ASK.replace("OUT", ", define: 别的解释, listen: anywhere")), None),
    ],
)
def test_an_answer_that_nothing_reads(text: str, told: bool | None) -> None:
    found = codes(linted_whole(text))
    if told is not None:
        assert ("W440" in found) is told


def test_it_is_said_why_it_is_no_result() -> None:
    (gone,) = [each for each in linted_whole(skill(ASK.replace("OUT", ", define: 它"))) if each.code == "W440"]
    (unsaid,) = [each for each in linted_whole(session(ASK.replace("OUT", ""))) if each.code == "W440"]
    assert "it goes with its topic" in gone.message.en
    assert "没有写它是什么" in unsaid.message.zh


@pytest.mark.parametrize(
    ("action", "head", "told"),
    [
        ("- {type: say, content: 你好}", "parameters: [{name: 念头}]", True),
        ("- {type: say, content: '{念头}'}", "parameters: [{name: 念头}]", False),
        ("- {type: say, content: 你好, condition: 念头 == '累'}", "parameters: [{name: 念头}]", False),
        ("- {type: say, content: 你好}", "parameters: [{name: 念头}]\nreturns: [念头]", False),
    ],
)
def test_a_parameter_that_nothing_reads(action: str, head: str, told: bool) -> None:
    assert ("W441" in codes(linted_whole(skill(action, head=head)))) is told


def watching(priority: str, judge: str) -> str:
    more = {"P1": "at: [topic_start]\n", "P2": "every: 5m\n"}.get(priority, "")
    return awareness(
        "- {directive: FEEDBACK, text: 慢一点}",
        head=f"priority: {priority}\nalways: true\n{more}",
        judge=f"是否跑题了, {judge}",
    )


@pytest.mark.parametrize("priority", ["P1", "P2"])
@pytest.mark.parametrize(("default", "counts"), [("true", "hit"), ("false", "miss")])
def test_a_default_says_what_no_answer_counts_as(priority: str, default: str, counts: str) -> None:
    file = loaded(watching(priority, f"default: {default}"))
    (node,) = file.awareness
    assert node.noticing is not None
    assert node.noticing.if_unanswered == counts
    assert codes(linted(watching(priority, f"default: {default}"))) == []


def test_danger_has_no_default_and_is_told_why() -> None:
    (found,) = linted(watching("P0", "default: false"))
    assert found.code == "E438"
    assert "由规则决定" in found.message.zh
    assert "the rules decide" in found.message.en
    assert found.mend is not None


def test_what_no_answer_counts_as_is_said_once() -> None:
    assert codes(linted(watching("P1", "default: false, if_unanswered: hit"))) == ["E439"]
