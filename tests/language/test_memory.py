"""``memory``: what it may hold, where it may stand, and which of several counts."""

from __future__ import annotations

import pytest
from tests.language.material import SAY, checked, linted, loaded, only, session

from heartrule.language.nodes.memory import MemoryRules, is_used, merged, weight
from heartrule.language.projects.loader import load_project
from heartrule.testing.talk import compile_text

ASK = "- {type: ai_ask, content: 问, question: 好吗？, output: [{get: a, define: 答案}], memory: %s}"
ON = "{write: {enabled: true}}"


@pytest.mark.parametrize(
    "said",
    [
        "{}",
        "{read: {}, write: {}}",
        "{write: {enabled: true, type: short, importance: high, mode: important, top_k: 20}}",
        "{write: {enabled: true, importance: 0.4}, read: {enabled: true, importance: low, mode: related, top_k: 1}}",
        "{write: {enabled: true, type: structured}, read: {enabled: true, type: long, mode: mixed}}",
    ],
)
def test_it_is_good(said: str) -> None:
    assert [str(each) for each in linted(session(ASK % said))] == []


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("true", "E103"),
        ("{read: true}", "E103"),
        ("{remember: {}}", "E101"),
        ("{read: {enable: true}}", "E101"),
        ("{read: {enabled: 3}}", "E103"),
        ("{read: {type: forever}}", "E104"),
        ("{read: {mode: near}}", "E104"),
        ("{write: {mode: related}}", "E104"),
        ("{write: {importance: huge}}", "E104"),
        ("{write: {importance: 2}}", "E104"),
        ("{read: {top_k: 0}}", "E105"),
        ("{write: {top_k: 21}}", "E105"),
    ],
)
def test_it_is_bad(said: str, code: str) -> None:
    assert only([each for each in loaded(session(ASK % said)).findings if each.stops]).code == code


@pytest.mark.parametrize("text", [f"memory: {ON}", f"defaults: {{debug: full, memory: {ON}}}"])
def test_a_project_may_say_it(text: str) -> None:
    project, _, found = load_project(f"id: a\n{text}\n", "project.yaml")
    assert found == []
    assert project is not None
    assert is_used([project.memory, project.defaults.memory])


def test_the_innermost_that_is_written_counts_key_by_key() -> None:
    inner = MemoryRules.model_validate({"write": {"type": "long"}, "read": {"enabled": False}})
    outer = MemoryRules.model_validate(
        {"write": {"enabled": True, "type": "mid", "top_k": 2}, "read": {"enabled": True, "mode": "recent"}}
    )
    found = merged([inner, None, outer])
    assert found.write is not None
    assert (found.write.enabled, found.write.type, found.write.top_k) == (True, "long", 2)
    assert found.read is not None
    assert (found.read.enabled, found.read.mode, found.read.top_k) == (False, "recent", None)
    assert not is_used([None, inner])


@pytest.mark.parametrize(("said", "found"), [(None, 0.3), ("low", 0.2), ("medium", 0.5), ("high", 0.8), (0.77, 0.77)])
def test_how_much_it_matters(said: object, found: float) -> None:
    assert weight(said, 0.3) == found  # type: ignore[arg-type]


BLOCK = f"- {{type: parallel_actions, actions: [{(ASK % ON).removeprefix('- ')}]}}"


@pytest.mark.parametrize(
    ("text", "used"),
    [
        (session(SAY), False),
        (session(ASK % "{write: {enabled: false}}"), False),
        (session(ASK % ON), True),
        (session(BLOCK), True),
        (session(SAY, head=f"memory: {ON}"), True),
        (session(SAY, topic=f"memory: {ON}"), True),
        (session(SAY, phase=f"memory: {ON}"), True),
    ],
)
def test_whether_a_script_remembers_anything(text: str, used: bool) -> None:
    assert compile_text(text).remembers is used


def test_it_means_nothing_on_an_action_that_finds_out_nothing() -> None:
    found = only(linted(session(SAY.removesuffix("}") + ", memory: {write: {enabled: true}}}")), "W268")
    assert "write" in found.message.en
    assert "ai_ask" in found.message.zh
    think = "- {type: ai_think, content: 想, output: [{get: a}], memory: {write: {top_k: 1}, read: {enabled: true}}}"
    assert [each.code for each in linted(session(think)) if each.code == "W268"] == ["W268"]


def test_recalling_what_nothing_has_written() -> None:
    reading = session(ASK % "{read: {enabled: true}}")
    assert only(linted(reading), "W269").line == 8
    assert "W269" not in [each.code for each in linted(session(ASK % "{read: {enabled: false}}"))]
    project = f"id: a\ndefaults: {{memory: {ON}}}\n"
    assert [str(each) for each in checked({"project.yaml": project, "a.yaml": reading}) if each.code == "W269"] == []
