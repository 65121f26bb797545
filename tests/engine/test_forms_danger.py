"""Danger in a form is heard as in a message: once more after it was gone through, late, and however it is written."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from tests.engine.scripts import ask, check, faults
from tests.engine.test_forms import FORM, YES_NO, in_crisis, key, send, talk, through, values

from heartrule.engine.forms.form_progress import KNOWN, FormProgress, remember, remembered
from heartrule.engine.forms.option_names import named
from heartrule.engine.session.io import Input, Who
from heartrule.engine.session.state import State
from heartrule.language.nodes.forms import Form
from heartrule.testing.talk import Talk

WORDS = "我不想活了"
REST = ask("还有吗？", "其他")


def skipped() -> Talk:
    held = talk(REST)
    held.say("跳过")
    return held


def handed_in() -> Talk:
    held = talk(REST)
    send(held, "form_submit", key(held), q1=0, q9=0)
    return held


def timed_out() -> Talk:
    held = talk(REST, timeout="10m", on_timeout="continue")
    held.wait(minutes=11)
    return held


def put_away() -> Talk:
    held = talk(REST)
    send(held, "form_cancel")
    return held


GONE = pytest.mark.parametrize("gone", [skipped, handed_in, timed_out, put_away])
KINDS = pytest.mark.parametrize("kind", ["form_draft", "form_submit", "form_cancel"])


def shown(held: Talk) -> str:
    """The key of the only form that was shown, though nobody waits for it."""
    (event,) = held.happened("form_shown")
    found: str = event.key
    return found


def after_words() -> Talk:
    """The form again, once the crisis technique that words in it had called was gone through."""
    held = talk(REST)
    send(held, "form_draft", note=WORDS)
    assert in_crisis(held)
    through(held)
    assert held.at == "fill"
    return held


# the same words again


def test_words_that_were_taken_out_and_are_written_anew_are_heard_anew() -> None:
    held = after_words()
    send(held, "form_draft", note=None)
    assert held.at == "fill"
    send(held, "form_draft", note=WORDS)
    assert in_crisis(held)


def test_words_that_gave_way_to_others_are_heard_when_they_come_back() -> None:
    held = after_words()
    send(held, "form_draft", note="今天好一点")
    assert held.at == "fill"
    send(held, "form_draft", note=f"其实{WORDS}")
    assert in_crisis(held)


def test_words_that_are_handed_in_are_heard_though_the_draft_of_them_was() -> None:
    held = after_words()
    send(held, "form_draft", note=f"{WORDS}，真的")
    assert held.at == "fill"
    send(held, "form_submit", q1=0, q9=0, note=WORDS)
    assert in_crisis(held)
    assert held.value("mood")["note"] == WORDS
    check(held)


def test_other_words_beside_those_that_were_heard_are_heard_too() -> None:
    held = after_words()
    send(held, "form_draft", note=f"{WORDS}。今晚就跳楼自杀")
    assert in_crisis(held)


# a form that nobody waits for


@GONE
@KINDS
def test_an_answer_in_a_form_that_waits_no_more_begins_the_crisis_technique(gone: Any, kind: str) -> None:
    held = gone()
    before = (held.value("mood"), len(held.happened("form_submitted")))
    held.state = State.model_validate_json(held.state.model_dump_json())
    send(held, kind, shown(held), q9=1)
    assert in_crisis(held)
    assert held.said
    assert (held.value("mood"), len(held.happened("form_submitted"))) == before
    answered = held.happened("form_answered")[-1]
    kept = {"q9": 1} if gone is timed_out else {}
    assert (answered.form, answered.key, answered.values) == ("local/mood", shown(held), kept)
    assert answered.unused is (gone is not timed_out)
    assert not faults(held)
    check(held)


@GONE
@KINDS
@pytest.mark.parametrize("which", ["its key", "no key", "another key"])
def test_words_in_a_form_that_waits_no_more_begin_it_too(gone: Any, kind: str, which: str) -> None:
    held = gone()
    send(held, kind, {"its key": shown(held), "no key": "", "another key": "f99"}[which], note=WORDS)
    assert in_crisis(held)


@GONE
@KINDS
def test_without_danger_it_says_nothing(gone: Any, kind: str) -> None:
    held = gone()
    waits = held.at
    said = send(held, kind, shown(held), q1=2, q9=0, note="累")
    is_late = gone is timed_out and kind == "form_submit"
    assert said == (["“心情表”我也收到了，记下了。\n还有吗？"] if is_late else [])
    assert held.at == waits


# in a question that is not shown

HIDING = {"fields": [FORM["fields"][0], {**FORM["fields"][1], "show_when": "q1 > 0"}, *FORM["fields"][2:]]}
"""The dangerous question is asked only of who has answered the first one with yes."""


def hiding(*behind: Any, **more: Any) -> Talk:
    return talk(*(behind or (REST,)), form={**HIDING, **more})


@KINDS
@pytest.mark.parametrize("waits", [True, False], ids=["waiting", "gone"])
def test_an_answer_of_danger_counts_though_its_question_is_not_shown(kind: str, waits: bool) -> None:
    """What shows it may come later, from another device, or have come when the form was still there."""
    held = hiding()
    one = key(held)
    if not waits:
        held.say("跳过")
    send(held, kind, one, q9=1)
    assert in_crisis(held)
    assert "mood" not in [event.name for event in held.happened("variable")]
    assert not faults(held)
    check(held)


@pytest.mark.parametrize("order", list(permutations((("q1", 1), ("q9", 1), ("q1", 0)))), ids=str)
def test_in_whatever_order_drafts_come_it_is_heard_once(order: tuple[tuple[str, int], ...]) -> None:
    held = hiding()
    begun = 0
    for name, answer in order:
        send(held, "form_draft", **{name: answer})
        if in_crisis(held):
            begun += 1
            through(held)
    assert begun == 1
    send(held, "form_submit", q1=1, since="2026-11-01")
    assert not in_crisis(held)
    assert held.value("mood")["q9"] == 1


def test_what_a_hidden_answer_else_orders_is_not_done_and_it_is_not_handed_in() -> None:
    orders = [{"field": "q9", "if": "q9 > 0", "directive": "SET_VAR", "var": "低落", "value": True}]
    held = hiding(on_answer=[*orders, *FORM["on_answer"]])
    send(held, "form_submit", q1=0, q9=1)
    assert in_crisis(held)
    assert held.value("低落") is None
    assert "q9" not in held.value("mood")


def test_a_hidden_answer_of_no_danger_calls_nothing() -> None:
    held = hiding()
    for kind in ("form_draft", "form_submit"):
        send(held, kind, q1=0, q9=0)
        assert not in_crisis(held)
    assert held.at != "fill"


@pytest.mark.parametrize("sent", [{"q9": 1}, {"note": WORDS}], ids=["answer", "words"])
def test_a_draft_of_an_earlier_showing_is_heard_while_the_form_is_shown_again(sent: dict[str, Any]) -> None:
    held = hiding({"type": "show_form", "id": "again", "form": "mood"}, REST)
    one = key(held)
    send(held, "form_cancel", one)
    assert held.at == "again"
    send(held, "form_draft", one, **sent)
    assert in_crisis(held)


def test_a_watch_word_in_one_is_heard_when_it_is_handed_in() -> None:
    held = skipped()
    assert send(held, "form_draft", shown(held), note="活着没意思") == []
    send(held, "form_submit", shown(held), note="活着没意思")
    assert held.state.running is not None
    assert held.state.running.project == "safety"


def test_what_was_acted_upon_before_it_was_handed_in_is_not_new_from_another_tab() -> None:
    held = talk(REST)
    one = key(held)
    send(held, "form_draft", one, q9=1)
    through(held)
    send(held, "form_submit", one, q1=0)
    assert held.at != "fill"
    assert send(held, "form_submit", one, q1=0, q9=1) == []
    assert not in_crisis(held)
    send(held, "form_submit", one, q1=0, q9=2)
    assert held.state.running is not None
    assert held.state.running.project == "safety"


def test_words_in_a_late_draft_are_not_heard_again_with_each_letter() -> None:
    held = skipped()
    one = shown(held)
    send(held, "form_draft", one, note=WORDS)
    for _ in range(12):
        if not in_crisis(held):
            break
        options = [choice.value for choice in held.request.choices]
        held.choose(next(each for each in ("safe", "go_on") if each in options)) if options else held.say("没有")
    assert not in_crisis(held)
    assert send(held, "form_draft", one, note=f"{WORDS}，真的") == []


def test_nothing_else_is_ordered_by_answers_that_nobody_waits_for() -> None:
    orders = [{"field": "q1", "if": "q1 > 1", "directive": "SET_VAR", "var": "低落", "value": True}]
    held = talk(REST, form={"on_answer": [*orders, *FORM["on_answer"]]})
    held.say("跳过")
    send(held, "form_submit", shown(held), q1=2, q9=1)
    assert in_crisis(held)
    assert held.value("低落") is None


@KINDS
@pytest.mark.parametrize("sent", [{"q9": 1}, {"note": WORDS}], ids=["answer", "words"])
def test_a_human_who_holds_the_session_is_told_of_it(kind: str, sent: dict[str, Any]) -> None:
    held = skipped()
    held.move(Input("takeover", who=Who("c1", "李老师")))
    send(held, kind, shown(held), **sent)
    assert held.state.human is not None
    assert held.state.human.danger == ["safety/suicide_risk"]
    assert len(held.happened("escalated")) == 1


def test_only_the_last_forms_are_known() -> None:
    state = State()
    for number in range(KNOWN + 5):
        remember(state, FormProgress(key=f"f{number}", form="local/mood", name="mood"))
    remember(state, FormProgress(key="f5", form="local/mood", name="mood", noticed=["x"]))
    assert len(state.forms) == KNOWN
    assert remembered(state, "f4").form == ""
    assert remembered(state, "").key == "f5"
    assert remembered(state, "f5").noticed == ["x"]
    assert remembered(State(), "").form == ""


# however it is written


@pytest.mark.parametrize(
    ("written", "meant"),
    [("有几天", 1), (" 常常 ", 2), ("１", 1), ("２", 2), (True, 1), ([2], 2), ("1", "1"), (1.0, 1.0)],
)
@KINDS
def test_an_answer_counts_for_the_option_that_it_plainly_names(kind: str, written: Any, meant: Any) -> None:
    held = talk()
    send(held, kind, q1=0, q9=written)
    assert in_crisis(held)
    if kind == "form_submit":
        assert held.value("mood")["q9"] == int(meant)
    elif kind == "form_draft":
        through(held)
        assert values(held)["q9"] == meant


@pytest.mark.parametrize("written", ["没有", "０", False, [0]])
def test_so_does_one_that_tells_of_no_danger(written: Any) -> None:
    held = talk()
    send(held, "form_submit", q1=0, q9=written)
    assert not in_crisis(held)
    assert held.value("mood")["q9"] == 0


@pytest.mark.parametrize("written", ["有", "有一点 1", 1.5, 7, [1, 2], {"value": 1}])
def test_one_that_names_none_is_refused(written: Any) -> None:
    held = talk()
    send(held, "form_submit", q1=0, q9=written)
    assert held.request.form is not None
    assert [problem[:2] for problem in held.request.form.problems] == [("q9", "not_an_option")]


def test_the_other_fields_are_read_as_before() -> None:
    held = talk()
    send(held, "form_submit", q1="有几天", q9=0)
    assert held.request.form is not None
    assert [problem[:2] for problem in held.request.form.problems] == [("q1", "not_an_option")]


def test_words_in_place_of_an_option_are_heard() -> None:
    held = talk()
    send(held, "form_draft", q1=WORDS)
    assert in_crisis(held)


def field(kind: str, *options: tuple[Any, str]) -> Any:
    given = [{"value": value, "label": label} for value, label in options]
    form = Form.model_validate(
        {"form": "F", "id": "f", "fields": [{"id": "q", "label": "Q", "type": kind, "options": given}]}
    )
    return form.by_id["q"]


@pytest.mark.parametrize(
    ("kind", "options", "written", "read"),
    [
        ("single", [("yes", "Yes"), ("no", "No")], "ＹＥＳ", "yes"),
        ("single", [("a", "Same"), ("b", "same")], "SAME", "SAME"),
        ("single", [(0, "never"), (3, "often")], True, 3),
        ("single", [(0, "never"), (2, "some"), (3, "often")], True, True),
        ("single", [(0, "never"), (2, "some"), (3, "often")], False, 0),
        ("multiple", [(0, "never"), (1, "some")], ["some", "０", "x"], [1, 0, "x"]),
        ("multiple", [(0, "never"), (1, "some")], "some", [1]),
    ],
)
def test_what_an_answer_names(kind: str, options: Any, written: Any, read: Any) -> None:
    asked = field(kind, *options)
    assert named(asked, written, [label for _, label in options]) == read


def test_an_answer_is_read_by_the_label_that_was_shown() -> None:
    options = [YES_NO[0], {"value": 1, "label": "{称呼}想过"}]
    held = talk(form={"fields": [FORM["fields"][0], {**FORM["fields"][1], "options": options}]})
    send(held, "form_draft", q9="小林想过")
    assert in_crisis(held)
