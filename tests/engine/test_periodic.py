"""P2: which scripts are due and when the next one is, what is asked about them, and what it comes to."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tests.engine.looking import CALL, JUDGE, NO, NOTE, REF, YES, answers, looked, looking, talk
from tests.engine.minds import INTENT, judged

from heartrule.engine.session.io import Input, Who
from heartrule.engine.session.tasks import Task
from heartrule.engine.session.variables import SESSION
from heartrule.testing.talk import START, Talk


def after(**time: float) -> Any:
    return START + timedelta(**time)


# when


def test_nobody_is_looked_at_who_has_said_nothing() -> None:
    held = talk(looking(), model=NO)
    assert held.turn.wake_at is None
    assert held.look(hours=3) == ()


def test_time_is_counted_from_where_the_script_came_on() -> None:
    held = talk(looking(every="5m"), model=NO)
    held.say("还行", seconds=20)
    assert held.turn.wake_at == after(minutes=5)
    held.now = after(minutes=4, seconds=59)
    assert held.look() == ()
    assert len(held.look(seconds=1)) == 1
    assert [task.template for task in held.asked].count("periodic") == 1


def test_a_silence_is_looked_at_once() -> None:
    held = talk(looking(every="5m"), model=NO)
    held.say("还行")
    assert held.look(minutes=5)
    assert held.turn.wake_at is None
    assert held.look(hours=9) == ()
    held.say("我回来了", seconds=60)
    assert held.turn.wake_at == held.now, "it is long overdue by now"
    assert held.look()
    held.say("嗯", seconds=60)
    assert held.turn.wake_at == held.now + timedelta(minutes=4)


def test_turns_are_the_persons() -> None:
    held = talk(looking(every="3 turns"), looking("progress", every="2 turns"), model=NO)
    held.say("一")
    held.move(Input("timer"))
    held.move(Input("resume"))
    assert held.turn.wake_at is None
    held.say("二", "三")
    assert held.turn.wake_at == held.now
    assert [each.awareness for each in held.look()] == ["local/progress"]
    assert held.turn.wake_at is None
    held.say("四")
    assert [each.awareness for each in held.look()] == [REF]
    held.say("五")
    assert [each.awareness for each in held.look()] == ["local/progress"]


def test_the_timeout_of_a_question_comes_first_where_it_is_nearer() -> None:
    held = Talk(
        """
        sessions:
          - session: 谈
            id: talk
            awareness: [alliance]
            phases:
              - phase: P
                steps:
                  - topic: T
                    actions:
                      - {type: ask, content: 一？, output: [{get: a}]}
                      - {type: ask, content: 二？, timeout: 2m, output: [{get: b}]}
                      - {type: ask, content: 三？, timeout: 20m, output: [{get: c}]}
        awareness:
          - {awareness: alliance, id: alliance, priority: P2, every: 5m, condition: {judge: 累吗}, then: []}
        """
    )
    held.say("一", seconds=60)
    assert held.turn.wake_at == after(minutes=3)
    held.say("二", seconds=60)
    assert held.turn.wake_at == after(minutes=5)


@pytest.mark.parametrize("every", [None, "not a time"])
def test_five_minutes_where_nothing_readable_is_said(every: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The linter refuses such a script; a session that was pinned to one before goes on."""
    held = talk(looking(every="7m"), model=NO)
    monkeypatch.setitem(held.script.awareness[REF].__dict__, "every", every)
    held.say("还行")
    assert held.turn.wake_at == after(minutes=5)


def test_a_script_that_is_not_on_is_not_due() -> None:
    held = talk(looking(always=False), model=NO)
    held.say("还行")
    assert (held.turn.wake_at, held.look(hours=1)) == (None, ())


def test_a_script_of_a_later_phase_begins_with_it() -> None:
    held = Talk(
        """
        sessions:
          - session: 谈
            id: talk
            phases:
              - {phase: P, steps: [{topic: T, actions: [{type: ask, content: 一？, output: [{get: a}]}]}]}
              - phase: Q
                awareness: {enable: [alliance]}
                steps: [{topic: U, actions: [{type: ask, content: 二？}, {type: ask, content: 三？}]}]
        awareness:
          - {awareness: alliance, id: alliance, priority: P2, every: 5m, condition: {judge: 累吗}, then: []}
        """
    )
    held.say("一", seconds=600)
    assert held.turn.wake_at is None
    held.say("二", seconds=60)
    assert held.turn.wake_at == after(minutes=15)


def test_nobody_looks_back_over_a_person_in_danger() -> None:
    held = talk(looking())
    held.say(INTENT["zh"])
    assert held.state.running is not None
    assert held.state.running.project == "safety"
    assert held.turn.wake_at is None
    assert held.look(minutes=30) == ()


def test_nor_while_a_human_speaks_with_them() -> None:
    held = talk(looking(), model=NO)
    held.say("还行")
    held.move(Input("takeover", who=Who("c1", "周老师")))
    held.say("你好")
    assert held.turn.wake_at is None
    assert held.look(minutes=30) == ()
    held.move(Input("hand_back", who=Who("c1", "周老师")))
    assert held.turn.wake_at is not None


def test_nor_after_the_end() -> None:
    held = talk(looking(), model=NO)
    held.say("还行")
    held.move(Input("end"))
    assert held.turn.wake_at is None
    assert held.look(minutes=30) == ()


# what is asked


def test_one_call_about_all_that_is_due() -> None:
    scripts = [looking(f"s{n}", every="1m", judge=f"第{n}件？") for n in range(3)]
    held = talk(*scripts, looking("later", every="9m"), looking("counted", condition="len(a) > 1"), model=NO)
    held.say("还行")
    found = held.look(minutes=6)
    assert [each.awareness for each in found] == ["local/counted", "local/s0", "local/s1", "local/s2"]
    (task,) = [task for task in held.asked if task.template == "periodic"]
    assert task.values["questions"] == "1. 第0件？\n2. 第1件？\n3. 第2件？"
    assert task.values["elapsed"] == "6"
    assert task.kind == "analyse", "whoever waits for words goes first"
    assert [line.text for line in task.context.history if line.speaker == "person"] == ["还行"]


def test_examples_and_values_stand_in_the_question() -> None:
    script = looking(judge="对{a}是不是厌烦了", examples={"hit": ["又来了"], "miss": ["还好"]})
    held = talk(script, model=NO)
    held.say("作业")
    held.look(minutes=5)
    assert held.asked[-1].values["questions"] == "1. 对作业是不是厌烦了\n   + 又来了\n   - 还好"


def test_as_many_as_one_call_is_asked_and_the_rest_at_once_afterwards() -> None:
    held = talk(*[looking(f"s{n:02}", every="1m") for n in range(14)], model=NO)
    held.say("还行")
    assert len(held.look(minutes=2)) == 12
    assert held.turn.wake_at == held.now
    assert [each.awareness for each in held.look()] == ["local/s12", "local/s13"]
    assert held.turn.wake_at is None


def test_without_a_provider_nobody_is_asked() -> None:
    held = talk(looking(rules={"explicit": [{"pattern": "烦", "reason": "烦了"}]}))
    held.say("很烦")
    assert [(each.verdict, each.source, each.evidence) for each in held.look(minutes=5)] == [("yes", "rules", "烦")]
    assert held.asked == []


# what it comes to


@pytest.mark.parametrize(
    ("answer", "more", "expected"),
    [
        (judged("yes", 0.9, "你没在听"), {}, ("yes", "model", "", "你没在听")),
        (judged("yes", 0.9, ""), {}, ("yes", "model", "", None)),
        (judged(True, 0.9, ""), {}, ("yes", "model", "", None)),
        (judged("yes", 0.4, ""), {}, ("no", "model", "below threshold", None)),
        (judged("yes", 0.4, ""), {"threshold": 0.3}, ("yes", "model", "", None)),
        (judged("yes", 0.9, "我恨你"), {}, ("unknown", "model", "the quote is not the person's", None)),
        (judged("no"), {}, ("no", "model", "", None)),
        (judged("unknown"), {}, ("unknown", "model", "", None)),
        (judged("maybe"), {}, ("unknown", "default", "unanswered", None)),
        (judged("yes", "high"), {}, ("unknown", "default", "unanswered", None)),
        ({"verdicts": "?"}, {}, ("unknown", "default", "unanswered", None)),
        ({}, {"if_unanswered": "hit"}, ("yes", "default", "unanswered", None)),
        ({}, {"if_unanswered": "miss"}, ("no", "default", "unanswered", None)),
        ({}, {"if_unanswered": "unknown"}, ("unknown", "default", "unanswered", None)),
    ],
)
def test_the_models_word(answer: Any, more: Any, expected: tuple[Any, ...]) -> None:
    held = talk(looking(**more), model=lambda task: answer)
    held.say("我说了你没在听")
    (found,) = held.look(minutes=5)
    assert (found.verdict, found.source, found.reason, found.evidence) == expected


RULES = {
    "explicit": [{"pattern": "没在听", "reason": "直说"}],
    "watch": [{"pattern": "算了", "reason": "灰心"}],
}


@pytest.mark.parametrize(
    ("said", "answer", "expected"),
    [
        ("你没在听", NO, ("yes", "rules", "直说")),
        ("算了吧", NO, ("watch", "rules", "灰心")),
        ("算了吧", YES, ("yes", "model", "")),
        ("还行", NO, ("no", "model", "")),
        ("你没在听", None, ("yes", "rules", "直说")),
        ("算了吧", None, ("watch", "rules", "灰心")),
        ("还行", None, ("no", "rules", "")),
    ],
)
def test_rules_only_raise(said: str, answer: Any, expected: tuple[str, ...]) -> None:
    held = talk(looking(rules=RULES), model=answer)
    held.say(said)
    (found,) = held.look(minutes=5)
    assert (found.verdict, found.source, found.reason) == expected


def test_a_model_that_fails_leaves_it_to_the_rules_then_to_the_script() -> None:
    held = talk(looking(rules=RULES), looking("other", if_unanswered="hit"), model=lambda task: None)
    held.say("算了吧")
    assert [(each.verdict, each.source) for each in held.look(minutes=5)] == [("watch", "rules"), ("yes", "default")]


def test_rules_read_what_was_said_since_the_last_look() -> None:
    held = talk(looking(rules=RULES, then=[NOTE]))
    held.say("算了吧")
    held.look(minutes=5)
    held.say("还行")
    held.look(minutes=5)
    assert [verdict for verdict, _, _ in looked(held)] == ["watch", "no"]


@pytest.mark.parametrize(
    ("condition", "said", "answer", "expected"),
    [
        ("len(a) > 3", "长长的回答", NO, ("yes", "rules")),
        ("len(a) > 3", "短", YES, ("no", "rules")),
        ("nowhere > 3", "短", NO, ("no", "rules")),
        ({"not": "len(a) > 3"}, "短", NO, ("yes", "rules")),
        ({"all": ["len(a) > 3", {"judge": JUDGE}]}, "长长的回答", YES, ("yes", "model")),
        ({"all": ["len(a) > 3", {"judge": JUDGE}]}, "长长的回答", NO, ("no", "model")),
        ({"any": ["len(a) > 3", {"judge": JUDGE, "threshold": 0.95}]}, "短", YES, ("no", "model")),
        ({"all": [{"judge": JUDGE, "default": True}]}, "短", {}, ("yes", "default")),
        ({"all": [{"judge": JUDGE, "default": True}]}, "短", None, ("yes", "default")),
        ({"any": [{"judge": JUDGE}]}, "短", None, ("no", "default")),
    ],
)
def test_any_other_condition(condition: Any, said: str, answer: Any, expected: tuple[str, str]) -> None:
    held = talk(looking(condition=condition), model=None if answer is None else lambda task: answer)
    held.say(said)
    (found,) = held.look(minutes=5)
    assert (found.verdict, found.source) == expected
    pure = isinstance(condition, str) or "not" in condition
    assert [task.template for task in held.asked].count("periodic") == (0 if pure or answer is None else 1)


def test_a_quote_within_a_condition_is_kept() -> None:
    held = talk(looking(condition={"all": [{"judge": JUDGE}]}), model=judged("yes", 0.8, "没在听"))
    held.say("你没在听")
    (found,) = held.look(minutes=5)
    assert (found.evidence, found.confidence) == ("没在听", 0.8)


def test_every_question_has_its_own_answer() -> None:
    def model(task: Task) -> Any:
        return {
            "verdicts": [
                {"id": 2, "verdict": "yes", "confidence": 1, "evidence": ""},
                {"id": 2, "verdict": "no", "confidence": 1, "evidence": ""},
                {"id": 7, "verdict": "yes", "confidence": 1, "evidence": ""},
                {"id": 1, "verdict": "no"},
            ]
        }

    held = talk(looking("one", judge="一？"), looking("two", judge="二？"), model=model)
    held.say("还行")
    assert [(each.awareness, each.verdict) for each in held.look(minutes=5)] == [
        ("local/one", "no"),
        ("local/two", "yes"),
    ]


# cooling down, and the end


def test_a_script_rests_after_a_hit() -> None:
    held = talk(looking(every="1m", cooldown="10m", then=[NOTE]), model=YES)
    held.say("一", seconds=0)
    held.look(minutes=1)
    held.say("二", seconds=0)
    assert held.turn.wake_at == after(minutes=11)
    assert held.look(minutes=9) == ()
    assert held.look(minutes=1)


def test_a_script_rests_for_turns() -> None:
    held = talk(looking(every="1 turns", cooldown="3 turns", then=[NOTE]), model=YES)
    held.say("一")
    assert held.look()
    held.say("二")
    assert held.turn.wake_at is None
    held.say("三")
    held.say("四")
    assert held.look() == ()
    held.say("五")
    assert held.look()


@pytest.mark.parametrize(
    ("expires", "looks"),
    [({"times": 1}, 1), ({"times": 2}, 2), ({"after": "7m"}, 1), ({"condition": "session.elapsed > 400"}, 1), ({}, 3)],
)
def test_a_script_watches_no_more(expires: Any, looks: int) -> None:
    held = talk(looking(every="5m", expires=expires, then=[NOTE]), model=YES)
    for words in ("一", "二", "三"):
        held.say(words, seconds=0)
        held.look(minutes=5)
    assert len(looked(held)) == looks


def test_what_is_remembered_of_it_is_small_and_goes_when_it_is_off() -> None:
    held = Talk(
        """
        sessions:
          - session: 谈
            id: talk
            phases:
              - phase: P
                awareness: {enable: [alliance]}
                steps: [{topic: T, actions: [{type: ask, content: 一？, output: [{get: a}]}]}]
              - {phase: Q, steps: [{topic: U, actions: [{type: ask, content: 二？, output: [{get: b}]}]}]}
        awareness:
          - {awareness: alliance, id: alliance, priority: P2, every: 5m, condition: {judge: 累吗}, then: []}
        """
    )
    assert list(held.state.periodic) == [REF]
    held.say("一")
    assert held.state.periodic == {}


def test_a_session_without_such_scripts_is_as_before() -> None:
    held = talk()
    held.say("一")
    assert (held.state.periodic, held.state.pending, held.turn.wake_at) == ({}, [], None)
    assert SESSION in held.variables.cells


def test_the_models_of_these_tests_are_calm_otherwise() -> None:
    held = talk(looking(then=[CALL]), model=YES)
    held.say("还行")
    assert [event.verdict for event in held.happened("awareness") if event.priority == "P0"][:1] == ["no"]
    assert answers(YES)(held.asked[0]) is not None
