"""Spellings from elsewhere that cannot be read are refused by name; what a project says of debugging."""

from __future__ import annotations

import pytest
from tests.language.material import ACTIONS, SAY, loaded, only, session, skill

from heartrule.language import spellings
from heartrule.language.projects.loader import load_project


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("name: 甲", "none"),
        ("debug: summary", "summary"),
        ("defaults: {debug: full}", "full"),
        ("debug: none\ndefaults: {debug: full}", "none"),
        ("defaults: {}", "none"),
    ],
)
def test_how_much_may_be_seen_of_a_project_s_sessions(text: str, level: str) -> None:
    project, _, found = load_project(f"id: a\n{text}\n", "project.yaml")
    assert found == []
    assert project is not None
    assert project.debugged == level


@pytest.mark.parametrize("text", ["debug: everything", "defaults: {debug: 1}"])
def test_how_much_may_be_seen_is_one_of_three(text: str) -> None:
    _, _, found = load_project(f"id: a\n{text}\n", "project.yaml")
    assert only(found).code in ("E104", "E103")


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


def test_what_this_version_reads_is_no_other_spelling() -> None:
    for kind in ACTIONS.values():
        assert not set(kind.model_fields) & set(spellings.KEYS["actions"])
