"""What the language defines and this version does not execute is refused by name; so are spellings from elsewhere."""

from __future__ import annotations

import pytest
from tests.language.material import ACTIONS, SAY, awareness, codes, loaded, only, session, skill

from heartrule.language import later, spellings
from heartrule.language.loader import load_project


def act(rest: str, kind: str = "ai_ask") -> str:
    return session(f"- type: {kind}\n  content: 你好\n  {rest}")


LATER = [
    ("knowledge", session(SAY, head="knowledge: [a.md]"), 3),
    ("memory", session(SAY, head="memory: {read: {enabled: true}}"), 3),
    ("sensitive", session(SAY, topic="sensitive: true"), 7),
    ("memory", act("memory: {read: {enabled: true}}"), 10),
    ("card", act("card: {title: a}"), 10),
    ("chart", act("chart: mood"), 10),
    ("audio", act("audio: a.mp3"), 10),
    ("verify: llm", act("verify: llm"), 10),
    ("when_known: confirm", act("when_known: confirm"), 10),
    *((f"type: {kind}", session(f"- {{type: {kind}, exercise: 呼吸, alt: a}}"), 8) for kind in sorted(later.TYPES)),
    ("confirm_change", "global:\n  - {var: a, confirm_change: true}\n", 2),
    ("depends_on", session(SAY, head="declare: [{var: a, depends_on: []}]"), 3),
    ("listen", act("output: [{get: a, listen: {mode: passive}}]"), 10),
    ("forms", "forms:\n  - {form: PHQ-9, fields: []}\n", 1),
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


def test_a_later_type_is_not_looked_at_further() -> None:
    text = session("- {type: show_form, form: phq9, mode: fill, nonsense: 1}")
    assert codes(loaded(text).findings) == ["E190"]


SPELLED = [
    ("stage", "phase", "sessions:\n  - session: a\n    phases:\n      - {stage: b, steps: []}\n"),
    ("topics", "steps", "sessions:\n  - session: a\n    phases:\n      - {phase: b, topics: []}\n"),
    ("session_id", "id", "sessions:\n  - {session: a, session_id: b, phases: []}\n"),
    ("session_name", "session", "sessions:\n  - {session_name: b, phases: []}\n"),
    ("phase_name", "phase", "sessions:\n  - session: a\n    phases:\n      - {phase_name: b, steps: []}\n"),
    ("entry_condition", "condition", session(SAY, phase="entry_condition: a")),
    ("topic_goal", "goal", session(SAY, topic="topic_goal: a")),
    ("goal", "topic", "sessions:\n  - {session: a, phases: [{phase: b, steps: [{goal: c, actions: []}]}]}\n"),
    ("action_type", "type", session("- {action_type: say, config: {content: 你好}}")),
    ("action_id", "id", session("- {type: say, content: 你好, action_id: a}")),
    ("content_template", "content", session("- {type: ai_say, content_template: 你好}")),
    ("question_template", "question", session("- {type: ai_ask, content: 问, question_template: 你好}")),
    ("prompt_template", "content", session("- {type: ai_think, prompt_template: 你好}")),
    ("say_goal", "goal", session("- {type: ai_say, content: 说, say_goal: 你好}")),
    ("target_variable", "output", session("- {type: ask, content: 问, target_variable: a}")),
    ("extract_to", "output", session("- {type: ask, content: 问, extract_to: a}")),
    ("exit_condition", "exit", session("- {type: ai_ask, content: 问, exit_condition: 够了}")),
    ("input_variables", "input", session("- {type: ai_think, content: 想, input_variables: [a]}")),
    ("timing_to", "to", session("- {type: use_skill, skill: a, timing_to: b}")),
    ("timing: NOW", "timing: now", session("- {type: use_skill, skill: a, timing: NOW}")),
    ("timing: AFTER_STAGE", "after_phase", session("- {type: use_skill, skill: a, timing: AFTER_STAGE}")),
    ("type: fill_form", "show_form", session("- {type: fill_form, form: a}")),
    ("type: think", "ai_think", session("- {type: think, content: a}")),
    ("A", "{value: A, label: …}", session("- {type: user_option, var: a, choices: [{A: 继续}]}")),
    ("auto", "listen", "global:\n  - {var: a, auto: true}\n"),
    ("update: auto", "listen", "global:\n  - {var: a, update: auto}\n"),
    ("topic", "skill", "skills:\n  - {topic: a, actions: []}\n"),
    ("technique_id", "id", "skills:\n  - {skill: a, technique_id: b, actions: []}\n"),
    ("input_parameters", "parameters", skill(SAY, head="input_parameters: []")),
    ("check_time", "at", awareness(head="check_time: always")),
    ("cancel_if", "expires", awareness(head="cancel_if: a")),
    ("session", "sessions", "session: {session_id: a, phases: []}\n"),
    ("metadata", "project.yaml", "metadata: {author: a}\n"),
    ("consciousness", "awareness", "consciousness: []\n"),
    ("rules", "awareness", "rules: []\n"),
    ("technique_id", "skills", "technique_id: a\n"),
]


@pytest.mark.parametrize(("written", "form", "text"), SPELLED, ids=[f"{w} = {f}" for w, f, _ in SPELLED])
def test_another_spelling(written: str, form: str, text: str) -> None:
    found = [each for each in loaded(text).findings if each.code == "E191"]
    assert written in only(found).message.zh
    assert form in only(found).hint.en


@pytest.mark.parametrize("key", sorted(spellings.ONE_KEY))
def test_one_key_actions(key: str) -> None:
    found = only(loaded(session(f"- {key}: 你好")).findings)
    assert found.code == "E191"
    assert found.line == 8
    assert spellings.ONE_KEY[key] in found.hint.zh


def test_what_is_missing_because_of_the_spelling_is_not_told() -> None:
    text = "sessions:\n  - session: a\n    phases:\n      - {stage: b, topics: []}\n"
    assert codes(loaded(text).findings) == ["E191", "E191"]


def test_what_this_version_reads_is_in_neither_table() -> None:
    for kind in ACTIONS.values():
        keys = set(kind.model_fields)
        assert not keys & later.KEYS["actions"]
        assert not keys & set(spellings.KEYS["actions"])
    assert not set(ACTIONS) & later.TYPES
