"""What the language defines and this version does not execute is refused by name; so are spellings from elsewhere."""

from __future__ import annotations

import pytest
from tests.language.material import ACTIONS, SAY, loaded, only, session, skill

from heartrule.language import later, spellings
from heartrule.language.loader import load_project


def act(rest: str, kind: str = "ai_ask") -> str:
    return session(f"- type: {kind}\n  content: 你好\n  {rest}")


LATER = [
    ("knowledge", session(SAY, head="knowledge: [a.md]"), 3),
    ("memory", session(SAY, head="memory: {read: {enabled: true}}"), 3),
    ("memory", act("memory: {read: {enabled: true}}"), 10),
    *((f"type: {kind}", session(f"- {{type: {kind}, exercise: 呼吸, alt: a}}"), 8) for kind in sorted(later.TYPES)),
    ("picture", "roles:\n  - {role: ai, name: 小禾, picture: a.png}\n", 2),
]


@pytest.mark.parametrize(("name", "text", "line"), LATER, ids=[f"{name} {line}" for name, _, line in LATER])
def test_not_executed_yet(name: str, text: str, line: int) -> None:
    found = only(loaded(text).findings)
    assert (found.code, found.line) == ("E190", line)
    assert f"“{name}”" in found.message.zh
    assert f"“{name}”" in found.message.en


@pytest.mark.parametrize("key", ["knowledge", "memory", "debug", "defaults"])
def test_not_executed_yet_in_a_project(key: str) -> None:
    project, _, found = load_project(f"id: a\n{key}: {{a: b}}\n", "project.yaml")
    assert project is None
    assert only(found).code == "E190"
    assert only(found).line == 2


UNREADABLE = [
    ("- say: …", "type: say", session("- say: [你好, 再见]")),
    ("- call: …", "type: use_skill", session("- call: [呼吸, 放松]")),
    ("config", "content", session("- {type: say, content: 你好, config: 大声}")),
    ("target_variable", "output", session("- {type: ask, content: 问, target_variable: {a: b}}")),
    ("auto", "listen", "global:\n  - {var: a, auto: 有时}\n"),
    ("reply", "then", "awareness:\n  - {awareness: a, condition: {judge: b}, then: [], reply: [a]}\n"),
    ("input_parameters", "parameters", skill(SAY, head="input_parameters: {a: b}")),
    ("output_variables", "returns", skill(SAY, head="output_variables: [{a: b}]")),
    ("session", "sessions", "session: 你好\n"),
]


@pytest.mark.parametrize(("written", "form", "text"), UNREADABLE, ids=[f"{w} = {f}" for w, f, _ in UNREADABLE])
def test_another_spelling_that_is_written_so_that_it_cannot_be_read(written: str, form: str, text: str) -> None:
    found = only(loaded(text).findings, "E191")
    assert written in found.message.zh
    assert form in found.hint.en


def test_what_this_version_reads_is_in_neither_table() -> None:
    for kind in ACTIONS.values():
        keys = set(kind.model_fields)
        assert not keys & later.KEYS["actions"]
        assert not keys & set(spellings.KEYS["actions"])
    assert not set(ACTIONS) & later.TYPES
