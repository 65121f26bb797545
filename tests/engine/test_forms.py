"""Forms as they are filled: drafts, submissions, what follows at once, and what stays of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import yaml
from tests.engine.scripts import Node, ask, check, faults, say

from heartrule.engine.session.io import FormAnswers, Input, Who
from heartrule.engine.session.state import State
from heartrule.testing.talk import Talk, compile_text

YES_NO = [{"value": 0, "label": "没有"}, {"value": 1, "label": "有几天"}, {"value": 2, "label": "常常"}]
FORM: Node = {
    "form": "心情表",
    "id": "mood",
    "description": "{称呼}，最近两周：",
    "fields": [
        {"id": "q1", "label": "提不起劲", "type": "single", "required": True, "options": YES_NO},
        {"id": "q9", "label": "不如死掉", "type": "single", "required": True, "options": YES_NO},
        {"id": "since", "label": "{称呼}从哪天起？", "type": "date", "show_when": "q1 > 0"},
        {"id": "note", "label": "想说的", "type": "longtext", "max_length": 30},
    ],
    "scores": [
        {
            "id": "total",
            "label": "总分",
            "sum": ["q1", "q9"],
            "bands": [{"from": 0, "to": 1, "label": "轻"}, {"from": 2, "to": 4, "label": "重"}],
        }
    ],
    "on_answer": [{"field": "q9", "if": "q9 > 0", "directive": "CALL_TECHNIQUE", "technique": "safety/crisis_support"}],
    "on_submit": [
        {"set": "心情总分", "value": "{total}"},
        {"set": "心情的话", "value": "{称呼}：{q1.label}，{total.band}"},
    ],
}
SHOWN = "{mood.total}／{mood.total.band}／{mood.q1}／{心情总分}／{心情的话}"


PROJECT = "id: local\ndirectives: [END_SESSION, SET_VAR, CALL_TECHNIQUE]\n"


def talk(*behind: Node, form: Node | None = None, locale: str = "zh-CN", model: Any = None, **action: Any) -> Talk:
    actions = [
        say("填一下吧"),
        {"type": "show_form", "id": "fill", "form": "mood", **action},
        *(behind or (say(SHOWN), ask("还有吗？", "其他"))),
    ]
    topic = {"topic": "T", "id": "t", "actions": actions}
    whole = {
        "forms": [{**FORM, **(form or {})}],
        "sessions": [
            {
                "session": "谈话",
                "id": "talk",
                "locale": locale,
                "declare": [
                    {"var": "称呼", "value": "小林"},
                    {"var": "心情总分", "type": "integer"},
                    {"var": "心情的话"},
                    {"var": "低落", "type": "boolean"},
                ],
                "phases": [{"phase": "P", "id": "p", "steps": [topic]}],
            }
        ],
    }
    text = yaml.safe_dump(whole, allow_unicode=True, sort_keys=False)
    return Talk(compile_text(text, files={"project.yaml": PROJECT}), model)


def send(held: Talk, kind: str, key: str = "", /, **values: Any) -> list[str]:
    held.move(Input(kind, form=FormAnswers(key, values)))  # type: ignore[arg-type]
    return held.said


def key(held: Talk) -> str:
    assert held.request.form is not None
    return held.request.form.key


def values(held: Talk) -> dict[str, Any]:
    assert held.request.form is not None
    return dict(held.request.form.values)


def in_crisis(held: Talk) -> bool:
    return held.state.running is not None and held.state.running.ref == "safety/crisis_support"


def through(held: Talk) -> None:
    """The crisis technique, to its end."""
    for _ in range(12):
        if held.at == "fill":
            return
        values = [choice.value for choice in held.request.choices]
        held.choose(next(each for each in ("safe", "go_on") if each in values)) if values else held.say("没有")
    pytest.fail(f"still at {held.at}")


# shown and kept


def test_a_form_is_asked_for_with_its_whole_definition_and_its_texts_filled() -> None:
    held = talk()
    asked = held.request.form
    assert held.said == ["填一下吧"]
    assert held.request.kind == "form"
    assert asked is not None
    assert (asked.id, asked.name, asked.required, dict(asked.values)) == ("local/mood", "心情表", False, {})
    assert asked.shown["description"] == "小林，最近两周："
    first, _, since, note = asked.shown["fields"]
    assert first == {"id": "q1", "type": "single", "label": "提不起劲", "required": True, "options": YES_NO}
    assert since == {"id": "since", "type": "date", "label": "小林从哪天起？"}
    assert note["max_length"] == 30
    assert asked.hidden == ("since",)


def test_a_draft_is_kept_says_nothing_and_asks_nobody() -> None:
    held = talk(model=lambda task: pytest.fail(f"{task.template} was asked"))
    told = len(held.history)
    assert send(held, "form_draft", q1=1) == []
    assert send(held, "form_draft", note="还行") == []
    assert values(held) == {"q1": 1, "note": "还行"}
    assert held.request.form is not None
    assert held.request.form.hidden == ()
    assert (len(held.history), held.state.heard, held.turn.after) == (told, 0, ())
    send(held, "form_draft", q1=None)
    assert values(held) == {"note": "还行"}
    check(held)


def test_a_draft_survives_that_everything_is_written_down_and_loaded() -> None:
    held = talk()
    send(held, "form_draft", q1=2)
    held.state = State.model_validate_json(held.state.model_dump_json())
    send(held, "form_submit", q9=0)
    assert held.value("心情总分") == 2


def test_what_was_answered_is_no_part_of_what_is_printed() -> None:
    held = talk()
    send(held, "form_draft", note="只写在表里")
    send(held, "form_submit", q1=0, q9=0)
    shown = " ".join(map(repr, (*held.events, held.state, held.request, FormAnswers("f", {"note": "只写在表里"}))))
    assert "只写在表里" not in shown
    assert "form_submitted" in {event.kind for event in held.events}


# handed in


def test_what_is_handed_in_is_scored_written_and_can_be_read_at_once() -> None:
    held = talk()
    send(held, "form_submit", q1=2, q9=0, since="2026-11-01", note="累")
    assert held.said[0] == "2／重／2／2／小林：常常，重"
    written = held.variables.cells["session", ""]["mood"]
    assert written.strategy == "form"
    assert written.value == {"q1": 2, "q9": 0, "since": "2026-11-01", "note": "累", "total": 2, "total.band": "重"}
    (event,) = held.happened("form_submitted")
    assert (event.name, event.scores, event.bands, event.labels) == (
        "心情表",
        {"total": 2},
        {"total": "重"},
        {"total": "总分"},
    )
    assert [m.text for m in held.history if m.sender == "person"] == ["（填好了“心情表”）"]
    assert held.at == "t#4"
    check(held)


def test_what_is_hidden_is_not_handed_in() -> None:
    held = talk()
    send(held, "form_draft", q1=1, since="2026-11-01")
    send(held, "form_submit", q1=0, q9=0)
    assert held.value("mood") == {"q1": 0, "q9": 0, "total": 0, "total.band": "轻"}


def test_a_submission_with_problems_says_where_loses_nothing_and_goes_no_further() -> None:
    held = talk()
    long = "长" * 31
    send(held, "form_submit", q1=7, note=long, other="x")
    assert held.said == []
    assert held.at == "fill"
    assert values(held) == {"q1": 7, "note": long}
    assert held.request.form is not None
    problems = [(field, code) for field, code, _ in held.request.form.problems]
    assert problems == [("q1", "not_an_option"), ("q9", "required"), ("note", "too_long"), ("", "unknown_field")]
    assert all(message for _, _, message in held.request.form.problems)
    assert held.value("mood") is None
    assert not held.happened("form_submitted")
    send(held, "form_submit", q1=0, q9=0, note="短")
    assert held.value("心情总分") == 0


def test_problems_are_told_in_the_language_of_the_session() -> None:
    told = {}
    for locale in ("zh-CN", "en"):
        held = talk(locale=locale)
        send(held, "form_submit", q1=0)
        assert held.request.form is not None
        told[locale] = held.request.form.problems[0][2]
    assert told == {"zh-CN": "这一项需要填写", "en": "This needs an answer"}


def test_a_submission_that_comes_twice_counts_once() -> None:
    held = talk()
    one = key(held)
    send(held, "form_submit", one, q1=0, q9=0)
    before = len(held.happened("variable"))
    for kind in ("form_submit", "form_draft", "form_cancel"):
        assert send(held, kind, one, q1=2, q9=0) == []
    assert len(held.happened("variable")) == before
    assert len(held.happened("form_submitted")) == 1
    assert [event.unused for event in held.happened("form_answered")] == [False, True, True, True]
    assert held.at == "t#4"


def test_a_submission_for_the_last_showing_is_none_for_this_one() -> None:
    again = {"type": "show_form", "id": "again", "form": "mood"}
    held = talk(again, ask("还有吗？", "其他"))
    one = key(held)
    send(held, "form_submit", one, q1=0, q9=0)
    assert held.at == "again"
    assert values(held) == {}
    send(held, "form_submit", one, q1=2, q9=0)
    assert held.at == "again"
    assert values(held) == {}
    send(held, "form_submit", key(held), q1=2, q9=0)
    assert held.value("心情总分") == 2


def test_two_devices_fill_one_form() -> None:
    held = talk()
    one = key(held)
    send(held, "form_draft", one, q1=1)
    send(held, "form_draft", one, q9=0)
    send(held, "form_submit", one)
    assert held.value("心情总分") == 1


# put away


def test_a_form_that_is_put_away_writes_nothing() -> None:
    held = talk(ask("还有吗？", "其他"))
    send(held, "form_cancel", q1=2)
    assert held.said == ["还有吗？"]
    assert held.value("mood") is None
    assert [m.text for m in held.history if m.sender == "person"] == ["（先不填“心情表”）"]
    assert not faults(held)


def test_one_that_is_required_is_asked_for_once_more_and_then_let_go() -> None:
    held = talk(ask("还有吗？", "其他"), required=True)
    send(held, "form_cancel")
    assert held.at == "fill"
    assert len(held.said) == 1
    assert held.request.form is not None
    assert held.request.form.required
    send(held, "form_cancel")
    assert held.at != "fill"
    assert held.state.running is not None
    assert held.state.running.unfinished == ["fill"]


@pytest.mark.parametrize(("words", "stays"), [("今天好冷", True), ("跳过", False), ("什么意思", True)])
def test_words_fill_in_nothing_and_are_answered(words: str, stays: bool) -> None:
    held = talk(ask("还有吗？", "其他"))
    send(held, "form_draft", q1=1)
    held.say(words)
    assert held.said
    assert (held.at == "fill") is stays
    assert words in [m.text for m in held.history]
    if stays:
        assert values(held) == {"q1": 1}
    check(held)


def test_one_that_is_required_is_not_skipped_by_the_first_word_either() -> None:
    held = talk(ask("还有吗？", "其他"), required=True)
    held.say("跳过")
    assert held.at == "fill"
    held.say("跳过")
    assert held.at != "fill"
    assert held.state.running is not None
    assert held.state.running.unfinished == ["fill"]


# danger comes first


@pytest.mark.parametrize("kind", ["form_draft", "form_submit", "form_cancel"])
@pytest.mark.parametrize("model", [None, {}], ids=["script mode", "failing model"])
def test_an_answer_that_tells_of_danger_begins_the_crisis_technique_in_that_turn(kind: str, model: Any) -> None:
    held = talk(model=model)
    send(held, "form_draft", q1=1)
    send(held, kind, q9=1)
    assert in_crisis(held)
    assert held.said
    assert not any("mood" in text or "／" in text for text in held.said)
    (called,) = held.happened("directive")
    assert (called.directive, called.cause, called.refused) == ("CALL_TECHNIQUE", "form local/mood", "")
    assert (held.value("mood") is not None) is (kind == "form_submit")
    check(held)


def test_it_counts_before_what_is_wrong_with_the_rest() -> None:
    held = talk()
    send(held, "form_submit", q9=2)
    assert in_crisis(held)
    assert [frame.ref for frame in held.state.suspended] == ["t"]


def test_the_form_is_there_again_afterwards_with_all_that_was_answered() -> None:
    held = talk()
    one = key(held)
    send(held, "form_draft", q1=2, q9=1)
    through(held)
    assert held.at == "fill"
    assert key(held) == one
    assert values(held) == {"q1": 2, "q9": 1}
    calls = len(held.happened("directive"))
    send(held, "form_submit", one)
    assert not in_crisis(held)
    assert len(held.happened("directive")) == calls
    assert held.value("心情总分") == 3


def test_a_graver_answer_calls_once_more_and_the_same_one_does_not() -> None:
    held = talk()
    send(held, "form_draft", q9=1)
    through(held)
    send(held, "form_draft", q9=1, note="嗯")
    assert held.at == "fill"
    send(held, "form_draft", q9=2)
    assert held.state.running is not None
    assert held.state.running.project == "safety"


def test_what_is_still_sent_during_the_crisis_technique_is_kept() -> None:
    held = talk()
    one = key(held)
    send(held, "form_draft", one, q9=1)
    waits = held.at
    for kind in ("form_draft", "form_submit", "form_cancel"):
        assert send(held, kind, one, q1=2) == []
        assert held.at == waits
    through(held)
    assert values(held) == {"q9": 1, "q1": 2}


@pytest.mark.parametrize("kind", ["form_draft", "form_submit", "form_cancel"])
def test_words_of_explicit_intent_in_a_field_begin_it_too(kind: str) -> None:
    held = talk()
    send(held, kind, note="我不想活了")
    assert in_crisis(held)
    (noticed,) = [event for event in held.happened("awareness") if event.awareness == "safety/suicide_risk"]
    assert noticed.verdict == "yes"
    assert noticed.acted


def test_the_same_words_are_not_heard_again_with_each_letter() -> None:
    held = talk()
    send(held, "form_draft", note="我不想活了")
    through(held)
    assert held.at == "fill"
    send(held, "form_draft", note="我不想活了，真的")
    assert held.at == "fill"


def test_a_watch_word_waits_until_the_form_is_handed_in() -> None:
    held = talk(ask("还有吗？", "其他"))
    send(held, "form_draft", note="活着没意思")
    assert held.at == "fill"
    send(held, "form_submit", q1=0, q9=0)
    assert held.state.running is not None
    assert held.state.running.project == "safety"
    assert held.value("心情总分") == 0


def test_the_crisis_technique_leaves_no_room_for_a_gentle_question() -> None:
    held = talk()
    send(held, "form_submit", q1=0, q9=1, note="活着没意思")
    assert in_crisis(held)
    assert [frame.ref for frame in held.state.suspended] == ["t"]


def test_with_explicit_words_it_begins_once() -> None:
    held = talk()
    send(held, "form_cancel", q9=2, note="我不想活了")
    assert in_crisis(held)
    assert [frame.ref for frame in held.state.suspended] == ["t"]


def test_nothing_ends_the_session_in_danger() -> None:
    ending = [{"directive": "END_SESSION", "reason": "填完了"}]
    held = talk(form={"on_submit": ending})
    send(held, "form_submit", q1=0, q9=1)
    assert in_crisis(held)
    assert [event.refused for event in held.happened("directive") if event.directive == "END_SESSION"] == [
        "safety comes first"
    ]
    calm = talk(form={"on_submit": ending})
    send(calm, "form_submit", q1=0, q9=0)
    assert calm.ended


def test_a_form_that_a_human_is_told_of_is_kept_and_the_danger_in_it_is_not_lost() -> None:
    held = talk()
    one = key(held)
    held.move(Input("takeover", who=Who("c1", "李老师")))
    send(held, "form_draft", one, q1=1)
    assert not held.happened("escalated")
    send(held, "form_submit", one, q9=1)
    assert held.state.human is not None
    assert held.state.human.danger == ["safety/suicide_risk"]
    assert len(held.happened("escalated")) == 1
    held.move(Input("hand_back", who=Who("c1", "李老师")))
    assert in_crisis(held)
    assert held.value("mood") is None


# what else a form may order


def test_what_an_answer_orders_is_done_at_once_and_once() -> None:
    orders = [{"field": "q1", "if": "q1 > 1", "directive": "SET_VAR", "var": "低落", "value": True}]
    held = talk(form={"on_answer": orders})
    send(held, "form_draft", q1=1)
    assert held.value("低落") is None
    send(held, "form_draft", q1=2)
    assert held.value("低落") is True
    send(held, "form_draft", q9=0)
    assert len(held.happened("directive")) == 1
    send(held, "form_draft", q1=0)
    send(held, "form_draft", q1=2)
    assert len(held.happened("directive")) == 2


def test_a_technique_is_called_when_it_is_handed_in_and_the_session_goes_on_behind_it() -> None:
    form = {"on_submit": [{"directive": "CALL_TECHNIQUE", "technique": "safety/safety_check", "if": "total >= 2"}]}
    held = talk(ask("还有吗？", "其他"), form=form)
    send(held, "form_submit", q1=1, q9=0)
    assert held.said[-1].endswith("还有吗？")
    other = talk(ask("还有吗？", "其他"), form=form)
    send(other, "form_submit", q1=2, q9=0)
    assert other.state.running is not None
    assert other.state.running.ref == "safety/safety_check"


# the other modes


def test_values_fill_in_beforehand() -> None:
    held = talk(values={"q1": 1, "note": "{称呼}说的", "other": 3})
    assert values(held) == {"q1": 1, "note": "小林说的"}


def test_view_shows_what_was_handed_in_and_waits_for_nothing() -> None:
    view = {"type": "show_form", "id": "view", "form": "mood", "mode": "view"}
    held = talk(view, ask("还有吗？", "其他"))
    send(held, "form_submit", q1=2, q9=0, note="累")
    assert held.said[0].splitlines()[1:] == [
        "心情表",
        "提不起劲：常常",
        "不如死掉：没有",
        "想说的：累",
        "总分：2（重）",
    ]
    assert held.at == "t#4"


def test_one_for_the_counsellor_never_keeps_the_person_waiting() -> None:
    held = talk(mode="counselor")
    assert held.at == "t#4"
    (shown,) = held.happened("form_shown")
    assert (shown.mode, shown.form) == ("counselor", "local/mood")


def test_a_form_that_the_script_no_longer_has_is_passed_over() -> None:
    held = Talk(replace(talk().script, forms={}))
    assert faults(held) == ["no such form: mood"]
    assert held.at == "t#4"


def test_time_runs_out_for_a_form_as_for_a_question() -> None:
    held = talk(ask("还有吗？", "其他"), timeout="10m", on_timeout="continue")
    held.wait(minutes=6)
    send(held, "form_draft", q1=1)
    held.wait(minutes=5)
    assert held.at != "fill"
    assert held.value("mood") is None


def test_what_has_been_told_is_not_asked_in_a_form() -> None:
    """A field is left out where something is known of it, and asked where nothing is."""
    held = talk(known_as={"note": "{称呼}", "since": "{心情的话}"})
    request = held.request.form
    assert request is not None
    assert [each["id"] for each in request.shown["fields"]] == ["q1", "q9", "since"]
    assert send(held, "form_submit", key(held), q1=0, q9=0)[0].startswith("0／轻")
