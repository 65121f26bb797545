"""Forms that are left to the counsellor: the person is kept by none, and what is handed in is the script's from its
next step on, without a word and without moving the session."""

from __future__ import annotations

from typing import Any

import yaml
from tests.engine.scripts import Node, ask, faults, say
from tests.engine.test_forms import FORM, PROJECT

from heartrule.engine.forms.counsellor_forms import DESK, PRIVATE
from heartrule.engine.session.io import CounsellorsForm, Input, Who
from heartrule.testing.talk import Talk, compile_text

WHO = Who("c-1", "王老师")
GOOD = {"q1": 2, "q9": 0, "note": "比上次好，不如从前那样想死"}
TOLD = "{mood.total}／{心情的话}"


def talk(*behind: Node, form: Node | None = None, **action: Any) -> Talk:
    left = {"type": "show_form", "id": "left", "form": "mood", "mode": "counselor", "values": {"q9": 0}, **action}
    actions = [left, ask("今天怎么样？", "今天"), *(behind or (say(TOLD), ask("还有吗？", "其他")))]
    declared: list[Node] = [
        {"var": "称呼", "value": "小林"},
        {"var": "心情总分", "type": "integer"},
        {"var": "心情的话"},
    ]
    phase = {"phase": "P", "id": "p", "steps": [{"topic": "T", "id": "t", "actions": actions}]}
    whole = {
        "forms": [{**FORM, "audience": "counselor", **(form or {})}],
        "sessions": [
            {"session": "谈话", "id": "talk", "locale": "zh-CN", "declare": declared, "phases": [phase]},
        ],
    }
    text = yaml.safe_dump(whole, allow_unicode=True, sort_keys=False)
    return Talk(compile_text(text, files={"project.yaml": PROJECT}))


def hand_in(held: Talk, values: dict[str, Any] | None = None, **more: Any) -> None:
    (shown,) = [each for each in held.happened("form_shown") if each.mode == "counselor"]
    filled = {"key": shown.key, "form": shown.form, "name": shown.name, "values": GOOD if values is None else values}
    held.move(Input("counsel_form", who=WHO, filled=CounsellorsForm(**{**filled, **more})))


def test_the_person_is_asked_the_next_thing_and_the_desk_finds_what_it_needs() -> None:
    held = talk()
    assert held.said == ["今天怎么样？"]
    (shown,) = held.happened("form_shown")
    assert (shown.mode, shown.form, shown.name, shown.answers) == ("counselor", "local/mood", "mood", {"q9": 0})
    assert shown.texts == {"description": "小林，最近两周：", "since.label.0": "小林从哪天起？"}
    assert "小林" not in repr(shown)


def test_what_is_handed_in_is_the_scripts_from_its_next_step_on_without_a_word() -> None:
    held = talk()
    before = held.request
    messages = held.state.messages
    hand_in(held)
    assert held.said == []
    assert held.state.messages == messages
    assert held.request == before
    (done,) = held.happened("form_submitted")
    assert (done.by, done.audience, done.scores, done.bands) == ("c-1", "counselor", {"total": 2}, {"total": "重"})
    assert held.say("还好")[0] == "2／小林：常常，重"


def test_danger_in_it_is_not_the_persons_and_what_it_orders_is_left_to_the_counsellor() -> None:
    ends = {"directive": "END_SESSION", "if": "total > 0"}
    held = talk(form={"on_submit": [*FORM["on_submit"], ends]})
    hand_in(held, {**GOOD, "q9": 2})
    assert held.state.running is not None
    assert held.state.running.ref == "t"
    assert not held.ended
    assert held.happened("awareness") == []
    (order,) = held.happened("directive")
    assert (order.directive, order.refused) == ("END_SESSION", "left to the counsellor")


def test_whose_values_they_are_says_whether_the_person_may_see_them() -> None:
    for audience, source in (("counselor", PRIVATE), ("client", DESK), ("report", DESK)):
        held = talk(form={"audience": audience})
        hand_in(held)
        cells = [cell for cell in held.variables.cells.values() if "mood" in cell]
        assert [cell["mood"].source for cell in cells] == [source]
        assert held.value("心情总分") == 2


def test_what_cannot_be_handed_in_is_not() -> None:
    for values, more in (({"q1": 2}, {}), ({**GOOD, "q1": 9}, {}), (None, {"form": "local/gone"})):
        held = talk()
        hand_in(held, values, **more)
        assert held.happened("form_submitted") == []
        assert faults(held)
        assert held.value("mood") is None


def test_a_session_that_is_over_takes_it_and_stays_over() -> None:
    held = talk(say("再见"))
    held.say("还好")
    assert held.ended
    hand_in(held)
    assert held.ended
    assert held.said == []
    assert held.value("心情总分") == 2
    assert held.request.kind == "none"


def test_a_form_that_the_person_is_filling_meanwhile_goes_on() -> None:
    held = talk({"type": "show_form", "id": "own", "form": "mood"}, ask("还有吗？", "其他"))
    held.say("还好")
    own = held.request.form
    assert own is not None
    hand_in(held)
    assert held.request.form == own
