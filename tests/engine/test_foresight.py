"""Conditions that a turn can come to are judged beside the reply; at the hook point nobody has to be asked again."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM, Data, Node, ai_ask, ai_say, asked, option, out, replied, tasks, think, values
from tests.engine.scripts import ask, only, phase, put, say, script, skill, topic, use

from heartrule.language.compiling.script import Script
from heartrule.testing.talk import Talk

FIRST = ask("怎么样？", "答")
ANSWERED = replied(values=values(答=("还行", "还行")))


def judge(question: str, **more: Any) -> Node:
    return {"condition": {"judge": question, **more}}


def held(*ids: int, confidence: Any = 0.9, evidence: Any = "") -> Data:
    return {"holds": [{"id": n, "confidence": confidence, "evidence": evidence} for n in ids], "values": []}


def hold(made: Script, perceived: Any, words: str = "还行", **table: Any) -> Talk:
    model = {"risk": CALM, "ask": ANSWERED, "perceive": perceived, "judge": {"verdicts": []}, **table}
    talk = Talk(made, model)
    talk.say(words)
    return talk


def foreseen(made: Script, **table: Any) -> list[str]:
    """The questions that the first answer's perception is asked."""
    return [line.partition(". ")[2] for task in tasks(hold(made, None, **table), "perceive") for line in _lines(task)]


def _lines(task: Any) -> list[str]:
    found: list[str] = task.values["judgements"].splitlines()
    return found


def verdicts(talk: Talk) -> list[tuple[str, bool, str, bool]]:
    return [(e.question, e.verdict, e.source, e.foreseen) for e in talk.happened("judged")]


def said(talk: Talk) -> list[str]:
    return [line for text in talk.said for line in text.splitlines()]


# what is perceived counts at the hook point


def test_a_foreseen_verdict_saves_the_call() -> None:
    talk = hold(only(FIRST, say("甲", **judge("累吗")), say("乙", **judge("烦吗")), ask("然后？", "x")), held(2))
    assert said(talk)[-2:] == ["乙", "然后？"]
    assert "甲" not in said(talk)
    assert tasks(talk, "judge") == []
    assert verdicts(talk) == [("累吗", False, "model", True), ("烦吗", True, "model", True)]


def test_an_ordinary_turn_is_one_checkpoint_of_three_calls() -> None:
    """Three judgements and five variables that are told in passing."""
    names = [f"事{n}" for n in range(5)]
    declared = [{"var": name, "type": "text", "define": f"第{name}件"} for name in names]
    conditions = [say(f"说{n}", **judge(f"第{n}题")) for n in range(3)]
    made = only(FIRST, *conditions, *(ask(f"{name}？", name) for name in names), declare=declared)
    rounds: list[list[str]] = []

    class Counted(Talk):
        def answered(self, tasks: Any) -> Any:
            rounds.append([task.template for task in tasks])
            return super().answered(tasks)

    talk = Counted(made, {"risk": CALM, "ask": ANSWERED, "perceive": held(1)})
    talk.say("还行")
    assert rounds == [["risk", "perceive", "ask"]]
    assert talk.at is not None
    assert said(talk)[-2:] == ["说0", "事0？"]


@pytest.mark.parametrize(("default", "spoken"), [(True, True), (False, False)])
def test_a_call_that_fails_gives_the_defaults(default: bool, spoken: bool) -> None:
    talk = hold(only(FIRST, say("甲", **judge("累吗", default=default)), ask("然后？", "x")), None)
    assert ("甲" in said(talk)) == spoken
    assert verdicts(talk) == [("累吗", default, "default", True)]
    assert tasks(talk, "judge") == []


def test_what_is_not_listed_does_not_hold_even_where_the_default_says_so() -> None:
    talk = hold(only(FIRST, say("甲", **judge("累吗", default=True)), ask("然后？", "x")), held())
    assert verdicts(talk) == [("累吗", False, "model", True)]


@pytest.mark.parametrize(("confidence", "threshold", "spoken"), [(0.9, 0.6, True), (0.5, 0.6, False), (0.5, 0.4, True)])
def test_the_threshold_counts(confidence: float, threshold: float, spoken: bool) -> None:
    made = only(FIRST, say("甲", **judge("累吗", threshold=threshold)), ask("然后？", "x"))
    assert ("甲" in said(hold(made, held(1, confidence=confidence)))) == spoken


def test_it_counts_in_the_turn_whose_words_it_judged_and_no_other() -> None:
    """The first answer does not end its question, so its verdict is lost."""
    made = only(FIRST, say("甲", **judge("累吗")), ask("然后？", "x"))
    talk = hold(made, [held(1), held()], ask=[replied(False, "怎么样呢？"), ANSWERED])
    assert said(talk) == ["怎么样呢？"]
    talk.say("还行")
    assert verdicts(talk) == [("累吗", False, "model", True)]


def test_a_question_that_reads_otherwise_by_then_is_asked_anew() -> None:
    made = only(FIRST, put("词", "累"), say("甲", **judge("{词}吗")), ask("然后？", "x"))
    yes = {"verdicts": [{"id": 1, "verdict": True, "confidence": 0.9, "evidence": "还行"}]}
    talk = hold(made, held(1), judge=yes)
    (serial,) = tasks(talk, "judge")
    assert serial.values["questions"] == "1. 累吗"
    (event,) = talk.happened("judged")
    assert (event.verdict, event.foreseen, event.evidence) == (True, False, "还行")


def test_a_pass_that_nobody_spoke_in_is_judged_by_itself() -> None:
    """``until`` is read after every pass; what was foreseen is true of the first."""
    steps = (ask("怎么样？", "答", condition="topic.attempts <= 1"), say("讲"))
    made = script(phase("P", topic("甲", *steps, repeat={"until": {"judge": "懂了吗"}, "max": 5}), topic("乙", FIRST)))
    no = {"verdicts": [{"id": 1, "verdict": False, "confidence": 1}]}
    yes = {"verdicts": [{"id": 1, "verdict": True, "confidence": 1}]}
    talk = hold(made, held(), judge=[no, yes])
    assert [(e.verdict, e.foreseen) for e in talk.happened("judged")] == [(False, True), (False, False), (True, False)]


def test_the_proof_is_kept_and_one_that_was_never_said_is_refused() -> None:
    made = only(FIRST, say("甲", **judge("累吗")), ask("然后？", "x"))
    good = hold(made, held(1, evidence="还行"))
    assert [e.evidence for e in good.happened("judged")] == ["还行"]
    made_up = hold(made, [held(1, evidence="累得很"), held(1, evidence="累得很")])
    assert verdicts(made_up) == [("累吗", False, "default", True)]
    assert [e.refused for e in made_up.happened("perceived")] == [1]


def test_what_came_back_unusable_is_asked_once_more_and_alone() -> None:
    made = only(FIRST, say("甲", **judge("累吗")), say("乙", **judge("烦吗")), ask("然后？", "x"))
    first = {"holds": [*held(1)["holds"], {"id": 2, "confidence": "很", "evidence": ""}], "values": []}
    talk = hold(made, [first, held(1)])
    assert [_lines(task) for task in tasks(talk, "perceive")] == [["1. 累吗", "2. 烦吗"], ["1. 烦吗"]]
    assert [verdict for _, verdict, _, _ in verdicts(talk)] == [True, True]
    (event,) = talk.happened("perceived")
    assert (event.calls, event.again, event.refused) == (1, 1, 0)


# what is foreseen


@pytest.mark.parametrize(
    ("after", "questions"),
    [
        ([say("甲", **judge("1")), ask("x？", "x"), say("乙", **judge("2"))], ["1"]),
        ([ask("x？", "x", **judge("1")), ask("y？", "y", **judge("2")), ask("z？", "z")], ["1", "2"]),
        ([say("甲"), say("乙", **judge("1")), ask("x？", "x")], ["1"]),
        ([option("选", "好"), say("乙", **judge("1"))], []),
        ([ai_say("讲", require_acknowledgment=False), say("乙", **judge("1")), ask("x？", "x")], ["1"]),
        ([ai_say("讲"), say("乙", **judge("1"))], []),
        ([ai_say("讲", require_acknowledgment=False, max_rounds=2), say("乙", **judge("1"))], []),
        ([think("想", "想到"), say("乙", **judge("1")), ask("x？", "x")], ["1"]),
        ([use("技"), say("乙", **judge("1"))], []),
        ([say("甲", **judge("1")), say("乙", **judge("1"))], ["1"]),
    ],
)
def test_the_actions_that_follow(after: list[Node], questions: list[str]) -> None:
    made = only(FIRST, *after, skills=[skill("技", ask("y？", "y"))])
    table = {"ai_say_open": {"content": "讲。"}, "ai_think": {"values": {}}}
    assert foreseen(made, **table) == questions


@pytest.mark.parametrize(
    ("condition", "questions"),
    [
        ({"all": ["n > 5", {"judge": "1"}]}, []),
        ({"all": ["n > 1", {"judge": "1"}]}, ["1"]),
        ({"any": ["n > 1", {"judge": "1"}]}, []),
        ({"any": ["n > 5", {"judge": "1"}]}, ["1"]),
        ({"not": {"any": ["n > 1", {"judge": "1"}]}}, []),
        ({"not": {"judge": "1"}}, ["1"]),
        ({"all": ["答 == '好'", {"judge": "1"}]}, ["1"]),
        ({"all": ["m > 5", {"judge": "1"}]}, ["1"]),
        ({"all": ["topic.attempts > 5", {"judge": "1"}]}, ["1"]),
        ({"all": ["没有 > 5", {"judge": "1"}]}, ["1"]),
        ({"all": [{"judge": "1"}, {"any": [{"judge": "2"}, "n > 1"]}]}, ["1"]),
    ],
)
def test_only_what_can_still_make_a_difference(condition: Any, questions: list[str]) -> None:
    """``n`` stands still; what this answer or the script on the way may write does not."""
    made = only(put("n", 3), put("m", 3), FIRST, put("m", 9), say("甲", condition=condition), ask("然后？", "x"))
    assert foreseen(made) == questions


def test_where_the_topic_ends_its_own_conditions_come_in_their_order() -> None:
    jump = [{"to": "丙", "condition": {"judge": "转"}}]
    first = topic("甲", FIRST, repeat={"until": {"judge": "够"}, "max": 3}, done_when={"judge": "成"}, transitions=jump)
    rest = [
        topic("乙", say("乙"), condition={"judge": "乙"}),
        topic("丙", say("丙", **judge("丙一")), ask("x？", "x", **judge("丙二")), ask("y？", "y")),
        topic("丁", say("丁"), condition={"judge": "丁"}),
    ]
    assert foreseen(script(phase("P", first, *rest))) == ["够", "成", "转", "乙", "丙一", "丙二"]


def test_a_way_that_is_taken_in_any_case_is_followed_no_further() -> None:
    jump = [{"to": "乙", "condition": {"judge": "转"}}, {"to": "end"}]
    made = script(phase("P", topic("甲", FIRST, transitions=jump), topic("乙", say("乙"), condition={"judge": "乙"})))
    assert foreseen(made) == ["转"]


def test_at_the_end_of_a_phase_the_next_one_follows() -> None:
    jump = [{"to": "end", "condition": {"judge": "转"}}]
    one = phase("P", topic("甲", FIRST), transitions=jump)
    two = phase("Q", topic("乙", say("乙")), condition={"judge": "Q"})
    three = phase("R", topic("丙", say("丙"), condition={"judge": "丙"}), topic("丁", ask("x？", "x", **judge("丁"))))
    four = phase("S", topic("戊", say("戊")), condition={"judge": "S"})
    assert foreseen(script(one, two, three, four)) == ["转", "Q", "丙", "丁"]


def test_a_technique_goes_back_to_its_caller() -> None:
    made = only(
        use("技"),
        say("甲", **judge("1")),
        ask("x？", "x"),
        skills=[skill("技", FIRST, done_when={"judge": "成"})],
    )
    talk = hold(made, held(2))
    assert _lines(tasks(talk, "perceive")[0]) == ["1. 成", "2. 1"]
    assert said(talk)[-2:] == ["甲", "x？"]
    assert tasks(talk, "judge") == []


def test_a_list_that_is_gone_through_cannot_be_foreseen() -> None:
    each = {"in": "人们", "as": "人"}
    made = script(
        phase("P", topic("甲", FIRST), topic("乙", say("{人}"), for_each=each, condition={"judge": "{人}亲吗"})),
        declare=[{"var": "人们", "type": "list", "value": ["妈妈"]}],
    )
    assert foreseen(made) == []


def test_no_more_than_a_dozen_and_in_as_many_calls_as_their_number_asks_for() -> None:
    made = only(FIRST, *(say(f"说{n}", **judge(f"第{n}题")) for n in range(20)), ask("然后？", "x"))
    talk = hold(made, held(1))
    assert [len(_lines(task)) for task in tasks(talk, "perceive")] == [12]
    assert len(tasks(talk, "judge")) == 8


# when nothing is foreseen


@pytest.mark.parametrize(("words", "asked_for"), [("再说一遍", 0), ("什么意思", 0), ("跳过", 1), ("还行", 1)])
def test_who_asks_back_has_not_come_to_any_hook_point(words: str, asked_for: int) -> None:
    talk = hold(only(FIRST, say("甲", **judge("累吗")), ask("然后？", "x")), held(), words)
    assert len(tasks(talk, "perceive")) == asked_for


def test_nothing_to_perceive_no_call() -> None:
    talk = hold(only(FIRST, ask("然后？", "x")), held())
    assert tasks(talk, "perceive") == []
    assert talk.happened("perceived") == []


def test_late_words_come_to_no_hook_point() -> None:
    talk = hold(only(FIRST, ask("然后？", "x"), say("甲", **judge("累吗")), ask("还有？", "y")), held(1))
    talk.say("补一句", after=1)
    assert tasks(talk, "perceive") == []


def test_without_a_model_the_defaults_hold() -> None:
    talk = Talk(only(FIRST, say("甲", **judge("累吗", default=True)), ask("然后？", "x")))
    talk.say("还行")
    assert "甲" in said(talk)
    assert verdicts(talk) == [("累吗", True, "default", False)]


def test_in_the_crisis_technique_nobody_perceives() -> None:
    made = only(ai_ask("聊", "答", question="聊什么？"), say("甲", **judge("累吗")), ask("然后？", "x"))
    talk = hold(made, held(1), "我不想活了", ai_ask=asked())
    talk.say("没有")
    assert tasks(talk, "perceive") == []
    out(talk)
