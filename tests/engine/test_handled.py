"""After the crisis technique has been gone through: its answer stays answered, what was told is not gone through again,
what is graver is, and the way back begins with a breath."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import INTENT, WATCH, judged, last, out, replied, running, tasks, values
from tests.engine.scripts import ask, check, only, say

from heartrule.testing.talk import Talk, shipped
from heartrule.testing.visitor import Visitor

HARM = {"get": "念头", "type": "boolean", "risk": True, "define": "有没有这样的念头"}
QUESTION = "有过“死了算了”这样的念头吗？"
ZH = [ask("是什么撑着你？", "支撑"), ask(QUESTION, HARM, id="harm"), ask("以前呢？", "以前"), ask("睡得好吗？", "睡眠")]


def hold(model: Any = None, *actions: Any) -> Talk:
    return Talk(only(*(actions or ZH)), model)


def through(talk: Talk) -> Talk:
    """Out of the technique, by whoever has no thoughts."""
    for _ in range(8):
        if running(talk) != "crisis_support":
            return talk
        talk.say("没有") if talk.request.kind == "message" else out(talk)
    raise AssertionError("no way out")


def handled(model: Any = None) -> Talk:
    """At the question about death, the technique gone through."""
    talk = hold(model)
    talk.say(INTENT["zh"])
    through(talk).say("我姐")
    assert talk.at == "harm"
    return talk


def times(talk: Talk) -> int:
    topics = [event for event in talk.happened("topic") if event.state == "running" and event.cause != "resumed"]
    return sum(event.ref == "safety/crisis_support" for event in topics)


# the answer stays the answer


@pytest.mark.parametrize("words", ["有过想死的念头", "我不想活了"])
def test_words_that_call_it_answer_the_question_about_risk(words: str) -> None:
    talk = hold()
    talk.say("我姐")
    talk.say(words)
    assert running(talk) == "crisis_support"
    assert last(talk, "念头") is True
    through(talk)
    assert talk.said[-1].endswith("以前呢？")
    assert QUESTION not in "".join(talk.said)


def test_so_does_what_the_model_hears_in_them() -> None:
    calm, grave = judged("no"), judged("yes", 0.9, "有啊")
    talk = hold({"risk": [calm, grave, calm], "ask": replied(values=values(支撑=("我姐", "我姐")))})
    talk.say("我姐")
    talk.say("有啊，四点醒的时候")
    through(talk)
    assert talk.at != "harm"
    assert QUESTION not in "".join(talk.said)


# what was told is not gone through again


@pytest.mark.parametrize(
    "words", ["有啊，就刚才说的那个，一周一两次吧", "刚刚不是答过了吗，有过，就是偶尔", "有", "跳过", "不想说"]
)
@pytest.mark.parametrize("model", [None, {"risk": judged("yes", 0.9), "ask": replied()}], ids=["no model", "model"])
def test_a_repeat_is_asked_one_thing_only(words: str, model: Any) -> None:
    talk = handled()
    talk.model = model
    talk.say(words)
    assert running(talk) == "safety_follow_up"
    assert "变重" in talk.said[-1]
    assert not any("120" in text for text in talk.said)
    talk.say("没有")
    assert talk.said[-1].endswith("以前呢？")
    assert times(talk) == 1
    check(talk)


@pytest.mark.parametrize("answer", ["差不多", "没变", "还是那样", "没有，跟刚才一样", "轻了一点"])
def test_the_same_goes_on(answer: str) -> None:
    talk = handled()
    talk.say("有")
    talk.say(answer)
    assert running(talk) == "T"


@pytest.mark.parametrize("answers", [["有"], ["更重了"], ["变重了"], ["不知道", "说不清"], ["今天下雨", "嗯……"]])
def test_heavier_or_twice_unclear_goes_into_it(answers: list[str]) -> None:
    talk = handled()
    talk.say("有")
    for answer in answers:
        assert running(talk) == "safety_follow_up"
        talk.say(answer)
    assert running(talk) == "crisis_support"
    through(talk)
    assert talk.at not in ("harm", "heavier")


@pytest.mark.parametrize("words", [INTENT["zh"], "有，比刚才更强烈了", "有，已经想好了", "有，药就在手边"])
def test_more_than_was_told_goes_into_it_at_once(words: str) -> None:
    talk = handled()
    talk.say(words)
    assert running(talk) == "crisis_support"
    assert times(talk) == 2


def test_explicit_words_take_the_place_of_the_question() -> None:
    talk = handled()
    talk.say("有")
    talk.say(INTENT["zh"])
    assert (running(talk), talk.at) == ("crisis_support", "thoughts")
    through(talk)
    assert talk.at not in ("heavier", "harm")


def test_a_watch_word_is_asked_the_same_and_then_rests() -> None:
    talk = handled()
    talk.say("没有")
    talk.say(WATCH)
    assert running(talk) == "safety_follow_up"
    talk.say("差不多")
    assert running(talk) == "T"
    talk.say(WATCH)
    assert running(talk) != "safety_follow_up"


# the model is told where things stand


def test_the_judge_is_told_what_has_been_handled_and_what_was_said_since() -> None:
    talk = hold({"risk": judged("no"), "ask": replied(values=values(支撑=("我姐", "我姐")))})
    talk.say("我姐")
    assert [task.values["since"] for task in tasks(talk, "risk")] == [""]
    talk.say(INTENT["zh"])
    through(talk).say("还行")
    talk.say("下雨了")
    assert tasks(talk, "risk")[-1].values["since"].splitlines() == ["- 还行", "- 下雨了"]


@pytest.mark.parametrize(("evidence", "goes_to"), [("明天", "crisis_support"), ("我姐", "safety_follow_up")])
def test_its_yes_counts_by_the_words_since(evidence: str, goes_to: str) -> None:
    talk = handled()
    talk.model = {"risk": judged("yes", 0.9, evidence), "ask": replied()}
    talk.say("有吧，明天你就知道了")
    assert running(talk) == goes_to


# scripts can read it


def test_scripts_read_how_often_and_what_was_asked() -> None:
    told = say("谈过{n}", condition="safety.handled > 0", id="told")
    told["content"] = "谈过了"
    before = say("没谈过", condition="safety.handled == 0")
    past = say("问过从前", condition='safety.asked contains "past"')
    danger = say("问过危险", condition='safety.asked contains "hurt"')
    for words, wanted in (("还行", ["没谈过"]), (INTENT["zh"], ["谈过了", "问过危险"])):
        talk = hold(None, ask("怎么样？", "x"), told, before, past, danger, ask("好吗？", "y"))
        talk.say(words)
        if running(talk) == "crisis_support":
            through(talk).say("还行")
        assert [text for text in talk.said if text in ("谈过了", "没谈过", "问过从前", "问过危险")] == wanted


# an answer that the rules cannot read


def reading(answer: Any, quote: str) -> dict[str, Any]:
    return {"reading": {"answer": answer, "evidence": quote}, "risk": judged("no"), "ask": replied()}


def at_thoughts(model: Any) -> Talk:
    talk = hold(model)
    talk.say(INTENT["zh"])
    assert talk.at == "thoughts"
    return talk


def test_the_model_may_clear_an_unclear_answer_with_its_proof() -> None:
    talk = at_thoughts(reading("no", "哪有的事"))
    talk.say("哪有的事")
    assert talk.at == "hurt"
    assert last(talk, "有自杀念头") is False
    talk.say("没有")
    assert running(talk) == "crisis_support", "and the press is still needed"


@pytest.mark.parametrize(
    "model",
    [
        reading("no", "没有"),
        reading("no", ""),
        reading("no", None),
        reading("unclear", ""),
        reading("maybe", "哪有的事"),
        reading(False, "哪有的事"),
        {"risk": judged("no")},
        {},
    ],
)
def test_without_proof_or_without_an_answer_it_stays_unclear(model: Any) -> None:
    talk = at_thoughts(model)
    talk.say("哪有的事")
    assert talk.at == "intent"
    assert last(talk, "有自杀念头") is None


@pytest.mark.parametrize(
    "words",
    ["有", "我想死", "哪有的事，但是我好累", "哪有的事，有时会吧", "哪有的事……", "哪有的事，活着没意思", "没有"],
)
def test_the_model_is_not_even_asked_about_these(words: str) -> None:
    talk = at_thoughts(reading("no", words[:10]))
    talk.say(words)
    assert tasks(talk, "reading") == []
    assert last(talk, "有自杀念头") is not False or words == "没有"


REPROACHED = (
    "刚才不是说过了嘛，没有没有，伤害自己从来没有过",
    "哎我说你这人，听不听人说话啊，我说没有，都没有还什么更重差不多的，第三遍了",
    "没有！你这是卡住了吧，再问我可真走了",
    "没有没有没有。我来是说我儿子的，你别跟防贼似的行不行",
)


@pytest.mark.parametrize("words", REPROACHED)
def test_a_no_beside_a_reproach_is_read_by_the_model(words: str) -> None:
    talk = at_thoughts(reading("no", "没有"))
    talk.say(words)
    assert last(talk, "有自杀念头") is False
    assert talk.at == "hurt"


@pytest.mark.parametrize(("words", "shown"), [(12, True), (200, False)])
def test_english_is_not_too_long_for_it_at_two_lines(words: int, shown: bool) -> None:
    """Length is what is said, not the letters it takes."""
    talk = at_thoughts(reading("no", "as I told you"))
    talk.say("as I told you " + "whatever " * words)
    assert bool(tasks(talk, "reading")) is shown


def test_it_sees_what_the_answer_points_back_to_and_what_is_wanted() -> None:
    talk = at_thoughts(reading("no", "说过了"))
    talk.say("说过了呀")
    (task,) = tasks(talk, "reading")
    assert INTENT["zh"] in [line.text for line in task.context.history]
    assert task.values["define"]
    assert last(talk, "有自杀念头") is False


def test_its_yes_is_a_yes() -> None:
    talk = at_thoughts(reading("yes", "天天围着我转"))
    talk.say("它天天围着我转")
    assert last(talk, "有自杀念头") is True


def test_one_question_and_nothing_else() -> None:
    talk = at_thoughts(reading("no", "哪有的事"))
    talk.say("哪有的事")
    assert [task.template for task in talk.asked] == ["reading"]
    assert talk.asked[0].values["answer"] == "哪有的事"


# the way back


def test_there_is_a_breath_and_a_way_to_stop() -> None:
    talk = hold()
    talk.say(INTENT["zh"])
    talk.play(["没有", "没有", "没有", "safe"])
    assert [choice.value for choice in talk.request.choices] == ["go_on", "stop"]
    talk.choose("stop")
    assert talk.ended
    assert "12356" in talk.said[-1]
    assert talk.state.end_reason == "ended by the person"


@pytest.mark.parametrize("words", ["好", "继续吧", "可以"])
def test_a_word_will_do_to_go_on(words: str) -> None:
    talk = hold()
    talk.say(INTENT["zh"])
    talk.play(["没有", "没有", "没有", "safe", words])
    assert talk.said[-1].splitlines()[-2:] == ["接着刚才的说：", "是什么撑着你？"]


@pytest.mark.parametrize("at", ["choice", "landing"])
@pytest.mark.parametrize("words", ["今天先到这里，我不想活了", "我现在安全了，我不想活了", "接着聊，我要去死"])
def test_explicit_words_pick_nothing_and_begin_it_anew(at: str, words: str) -> None:
    talk = hold()
    talk.say(INTENT["zh"])
    talk.play(["没有", "没有", "没有", *(["safe"] if at == "landing" else [])])
    assert talk.at == at
    talk.say(words)
    assert not talk.ended
    assert talk.at == "hurt_again"
    out(talk)
    assert running(talk) == "crisis_support"


# the first assessment


def assessed(*after: str) -> Talk:
    """Held to its end without a model; ``after`` is said when mood and body are talked about."""
    talk = Talk(shipped("cbt/first_assessment"))
    visitor = Visitor(talk.script, seed=2, prefer=("safe", "开始", "接着", "对"))
    waiting = list(after)
    for _ in range(200):
        if talk.ended:
            break
        if talk.at == "body" and waiting:
            talk.say(waiting.pop(0))
            continue
        kind, words = visitor.reply(talk.state, talk.request)
        talk.choose(words) if kind == "choice" else talk.say(words)
    assert talk.ended
    return talk


@pytest.mark.parametrize("before", [True, False])
def test_the_first_assessment_does_not_ask_again_what_was_gone_through(before: bool) -> None:
    spoken = "\n".join(m.text for m in assessed(*([INTENT["zh"]] if before else [])).history if m.sender == "ai")
    assert ("“死了算了”" not in spoken) == before
    assert ("不再从头问" in spoken) == before
    assert "有没有伤害过自己" in spoken, "what was not asked is"


def test_the_first_assessment_has_its_summary_checked_and_leaves_room_for_questions() -> None:
    spoken = "\n".join(m.text for m in assessed().history if m.sender == "ai")
    assert "你听听对不对" in spoken
    assert "你有什么想问我的" in spoken
    assert ("松了一点点" in spoken) + ("分数没怎么动" in spoken) + ("比刚才低了些" in spoken) == 1
