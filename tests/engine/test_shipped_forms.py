"""The forms we ship, filled in the engine: what they leave behind, and where item 9 leads."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from tests.engine.scripts import ask, faults, say

from heartrule.engine.session.io import FormAnswers, Input
from heartrule.language.projects.library import library_root
from heartrule.testing.talk import Talk, compile_text

PHQ9 = {f"q{number}": 1 for number in range(1, 9)}
WHOLE: dict[str, dict[str, Any]] = {
    "phq9": {**PHQ9, "q9": 0, "difficulty": 1},
    "gad7": {f"q{number}": 3 for number in range(1, 8)},
    "phq4": {f"q{number}": 1 for number in range(1, 5)},
    "mood": {"mood": 2},
    "thought_record": {
        "situation": "a",
        "feeling": "b",
        "strength": 80,
        "thought": "c",
        "belief": 90,
        "check": True,
        "other": "d",
        "other_belief": 60,
        "strength_after": 40,
    },
    "session_feedback": {"heard": 5, "mine": 4, "way": 4, "took": 3, "better": "e"},
}
RECORD = {"情境": "a", "感受": "b", "强度": 80, "念头": "c", "相信程度": 90, "替代想法": "d", "之后的强度": 40}
LEFT: dict[str, dict[str, Any]] = {
    "phq9": {"PHQ9总分": 8, "PHQ9程度": {"zh-CN": "轻度", "en": "Mild"}},
    "gad7": {"GAD7总分": 21, "GAD7程度": {"zh-CN": "重度", "en": "Severe"}},
    "phq4": {"PHQ4总分": 4, "PHQ4程度": {"zh-CN": "轻度", "en": "Mild"}},
    "mood": {"心情": 2},
    "thought_record": {"思维记录": [RECORD]},
    "session_feedback": {"会谈反馈": 16, "会谈反馈意见": "e"},
}


def talk(form: str, locale: str, mode: str = "fill") -> Talk:
    shows = {"type": "show_form", "id": "fill", "form": f"cbt/{form}", "mode": mode}
    topic = {"topic": "T", "id": "t", "actions": [say("…"), shows, ask("?", "其他")]}
    session = {"session": "S", "id": "s", "locale": locale, "phases": [{"phase": "P", "id": "p", "steps": [topic]}]}
    return Talk(compile_text(yaml.safe_dump({"sessions": [session]}, allow_unicode=True)))


def send(held: Talk, kind: str, **values: Any) -> None:
    held.move(Input(kind, form=FormAnswers("", values)))  # type: ignore[arg-type]


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
@pytest.mark.parametrize("form", list(WHOLE))
def test_what_a_form_leaves_behind(form: str, locale: str) -> None:
    held = talk(form, locale)
    asked = held.request.form
    assert asked is not None
    assert asked.id == f"cbt/{form}{'_en' if locale == 'en' else ''}"
    send(held, "form_submit", **WHOLE[form])
    assert faults(held) == []
    assert held.request.kind == "message"
    for name, expected in LEFT[form].items():
        wanted = expected[locale] if isinstance(expected, dict) else expected
        assert held.value(name) == wanted


@pytest.mark.parametrize("kind", ["form_draft", "form_submit", "form_cancel"])
@pytest.mark.parametrize(("form", "locale"), [("phq9", "zh-CN"), ("phq9", "en")])
def test_item_9_begins_crisis_support_in_that_very_turn(form: str, locale: str, kind: str) -> None:
    held = talk(form, locale)
    send(held, kind, **({**PHQ9, "q9": 1} if kind == "form_submit" else {"q9": 1}))
    running = held.state.running
    assert running is not None
    assert (running.ref or "").startswith("safety/crisis_support")
    assert held.said
    assert faults(held) == []


def test_item_9_answered_with_not_at_all_begins_nothing() -> None:
    held = talk("phq9", "zh-CN")
    send(held, "form_draft", q9=0)
    assert held.state.running is not None
    assert held.state.running.ref != "safety/crisis_support"
    assert held.said == []


@pytest.mark.parametrize("form", ["counselor_notes", "session_report"])
def test_what_is_not_for_the_person_to_fill_goes_on(form: str) -> None:
    held = talk(form, "zh-CN", mode="counselor" if form == "counselor_notes" else "view")
    assert held.request.kind == "message"
    assert faults(held) == []


def test_each_shipped_session_asks_at_its_very_end_and_holds_nobody() -> None:
    """What happens then is held by the library's own conversations."""
    read = yaml.safe_load
    files = [read(path.read_text(encoding="utf-8")) for path in sorted((library_root() / "cbt").glob("*.yaml"))]
    sessions = [each for file in files for each in file.get("sessions", [])]
    assert len(sessions) >= 9
    for session in sessions:
        topics = [topic for phase in session["phases"] for topic in phase["steps"]]
        last = [topic["actions"][-1] for topic in topics if topic.get("actions")]
        asked = [each for each in last if each.get("form") == f"session_feedback{'_en' * (session['locale'] == 'en')}"]
        assert asked, session["id"]
        for each in asked:
            assert (each["timeout"], each["on_timeout"]) == ("30m", "continue")
            assert "safety.wish == false" in each["condition"], "nobody is asked for marks who told of wishes to die"
