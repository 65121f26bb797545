"""Wishes to be dead, explored where a model answers: what is taken, what turns to crisis support, and the way back."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM, judged, replied, values

from heartrule.classifiers import shipped
from heartrule.engine.session.classifier import Estimate
from heartrule.engine.session.tasks import Task
from heartrule.parsing.denials import denies, is_bare, parts_of
from heartrule.testing.talk import Talk

SCRIPT = """
sessions:
  - session: {name}
    id: talk
    locale: {locale}
    declare: [{{var: food, type: boolean, value: {long}}}]
    phases:
      - phase: one
        id: one
        steps:
          - topic: two questions
            id: questions
            actions:
              - {{type: ask, id: mood, content: "{mood}", output: [{{get: mood, type: text}}]}}
              - {{type: ask, id: sleep, content: "{sleep}", output: [{{get: sleep, type: text}}]}}
              - {{type: ask, id: food, condition: food == true, content: "1", output: [{{get: eaten, type: text}}]}}
              - {{type: ask, id: more, condition: food == true, content: "2", output: [{{get: drunk, type: text}}]}}
              - {{type: ask, id: work, condition: food == true, content: "3", output: [{{get: worked, type: text}}]}}
              - {{type: ask, id: rest, condition: food == true, content: "4", output: [{{get: rested, type: text}}]}}
              - {{type: ask, id: play, condition: food == true, content: "5", output: [{{get: played, type: text}}]}}
              - {{type: ask, id: sing, condition: food == true, content: "6", output: [{{get: sung, type: text}}]}}
              - {{type: ask, id: walk, condition: food == true, content: "7", output: [{{get: walked, type: text}}]}}
              - {{type: use_skill, id: look, skill: safety/second_look}}
              - {{type: say, id: end, content: "{{%risk_picture%}}|"}}
"""
STRETCH = """
sessions:
  - session: 谈
    id: talk
    phases:
      - phase: 一
        id: one
        steps:
          - topic: 一段
            id: t
            actions:
              - type: ai_ask
                id: trouble
                content: 弄清困扰
                output:
                  - {get: 起病, question: 什么时候开始的？}
                  - {get: 主诉, question: 怎么了？}
"""


def _script(**given: str) -> str:
    """``{long}`` is left to be filled: whether the talk goes on for a while."""
    return SCRIPT.format(**given, long="LONG")


SAID: dict[str, dict[str, str]] = {
    "zh": {
        "script": _script(name="试", locale="zh-CN", mood="今天心情怎么样？", sleep="睡得好吗？"),
        "mood": "低落，从五月开始的",
        "wish": "从五月开始就这么低落，要是第二天不用醒来也挺好的",
        "no": "没有",
        "plain": "没有，什么方式都没想过",
        "vague": "就是太累了",
        "yes": "有，想过的",
        "explicit": "我不想活了",
        "friend": "我姐",
        "suffix": "",
    },
    "en": {
        "script": _script(name="Try", locale="en", mood="How do you feel?", sleep="How did you sleep?"),
        "mood": "low since May",
        "wish": "I have been low since May, I wish I would not wake up tomorrow",
        "no": "no",
        "plain": "no, never",
        "vague": "I am just so tired",
        "yes": "yes",
        "explicit": "I want to kill myself",
        "friend": "my sister",
        "suffix": "_en",
    },
}
ORDER = ("wish_often", "suicidal_thoughts", "tried_ever")


@pytest.fixture(params=SAID)
def said(request: pytest.FixtureRequest) -> dict[str, str]:
    return SAID[request.param]


def reply(
    content: str, asks: str = "", end: str = "NO", declined: tuple[str, ...] = (), **found: Any
) -> dict[str, Any]:
    return {"values": values(**found), "asks": asks, "EXIT": end, "content": content, "declined": list(declined)}


class Mind:
    """A model that asks for the first open item, and takes the answers that it is told to take (``reads``: by the item
    that was asked for). It judges a passive wish where there is one."""

    def __init__(self, reads: dict[str, Any] | None = None, again: str | None = "no", **fails: bool) -> None:
        self.reads = reads or {}
        self.again = again
        self.fails = fails
        self.asking = ""
        self.tasks: list[Task] = []

    def __call__(self, task: Task) -> Any:
        self.tasks.append(task)
        if self.fails.get(task.template):
            return None
        match task.template:
            case "risk":
                last = task.context.history[-1].text
                return judged("passive", 0.9, last[-12:]) if "醒来也" in last or "not wake" in last else CALM
            case "stretch":
                return self._stretch(task)
            case "ask":
                return self._ask(task)
            case "denial":
                return self._read_again(task)
        return None

    def _read_again(self, task: Task) -> Any:
        """A second reading: ``again`` of every item, proved by the first clause that denies."""
        if self.again is None:
            return None
        parts = parts_of(task.values["answer"])
        quote = next((part for part in parts if denies(part) and not is_bare(part)), next(filter(denies, parts), ""))
        numbers = [int(line.partition(".")[0]) for line in task.values["items"].splitlines()]
        return {"answers": [{"id": number, "answer": self.again, "evidence": quote} for number in numbers]}

    def _stretch(self, task: Task) -> Any:
        found = {} if task.values.get("opening") else self._found(self.asking, task)
        wish = next(
            (line.text for line in task.context.history if "醒来也" in line.text or "not wake" in line.text), ""
        )
        if wish and not task.values.get("opening") and "wish_dead" in task.values["open"]:
            found["wish_dead"] = (True, wish)
        open_ = [name.strip(" *") for name in task.values["open"].replace("、", ",").split(",") if name.strip()]
        open_ = [name for name in open_ if name not in found and name != "wish_dead"]
        self.asking = open_[0] if open_ else ""
        if not self.asking:
            return reply("就到这里。", "", "YES", **found)
        return reply(f"{self.asking}?", self.asking, **found)

    def _found(self, name: str, task: Task) -> dict[str, Any]:
        words = task.context.history[-1].text
        given = self.reads.get(name, "yes" if name == "suicidal_thoughts" and words in ("yes", "有") else "no")
        if given is None:
            return {}
        return {name: (words if given == "words" else given == "yes", words)}

    def _ask(self, task: Task) -> Any:
        words = task.context.history[-1].text
        name, _, _ = (
            task.values["outputs"].removeprefix("- ").partition("：" if "：" in task.values["outputs"] else ":")
        )
        known = name.isidentifier() and words not in ("什么意思", "what do you mean?")
        return replied(values=values(**{name: (words, words)}) if known else {})


TEXTS = {"wish_often": "words", "protects": "words", "confidant": "words", "hinders": "words"}


def script(said: dict[str, str], *, long: bool = False) -> str:
    return said["script"].replace("LONG", str(long).lower())


def hold(said: dict[str, str], mind: Any = None, *, long: bool = False, **reads: Any) -> Talk:
    talk = Talk(script(said, long=long), mind or Mind(TEXTS | reads))
    talk.say(said["wish"])
    return talk


def until(talk: Talk, name: str) -> None:
    """Its question waits: a yes to thoughts this week and to a way, without which most is not asked for, and to earlier
    harm where the latest is wanted; a no to all else."""
    opens = {"means_at_hand": ("method_thought",), "harm_lately": ("tried_ever",)}.get(name, ())
    english = talk.script.locale == "en"
    for _ in range(20):
        if talk.said[-1] == f"{name}?":
            return
        yes = talk.said[-1].rstrip("?") in ("suicidal_thoughts", *opens)
        talk.say(("yes" if yes else "no") if english else "有" if yes else "没有")
    raise AssertionError(f"{name} was not asked for")


def running(talk: Talk) -> str:
    frame = talk.state.running
    return frame.ref.removeprefix("safety/").removesuffix("_en") if frame else ""


def explored(talk: Talk, said: dict[str, str]) -> Talk:
    """Everything is answered, and all of it with no."""
    for _ in range(30):
        if running(talk) != "explore_wishes":
            return talk
        talk.say(said["no"])
    raise AssertionError(talk.said)


# coming in


def test_a_passive_wish_is_explored_in_words_of_the_model(said: dict[str, str]) -> None:
    talk = hold(said)
    assert (running(talk), talk.at, talk.said) == ("explore_wishes", "wishes", ["wish_often?"])
    assert talk.happened("fault") == []


def test_the_question_that_waited_keeps_its_answer(said: dict[str, str]) -> None:
    assert hold(said).value("mood") == said["wish"]


def test_without_a_model_the_one_gentle_question_is_asked(said: dict[str, str]) -> None:
    wish = {"zh-CN": "活着没意思", "en": "I hope I don't wake up tomorrow"}
    talk = Talk(script(said))
    talk.say(wish["en" if said["suffix"] else "zh-CN"])
    assert (running(talk), talk.at) == ("safety_check", "thoughts")


def test_where_the_model_fails_it_is_too(said: dict[str, str]) -> None:
    talk = Talk(script(said), Mind(risk=True, stretch=True))
    talk.say("I hope I don't wake up tomorrow" if said["suffix"] else "活着没意思")
    assert running(talk) == "safety_check"


def test_where_it_fails_later_the_literal_questions_are_put(said: dict[str, str]) -> None:
    talk = hold(said, Mind(TEXTS, stretch=True))
    assert running(talk) == "explore_wishes"
    assert any(words in talk.said[-1] for words in ("有没有希望自己不用醒来", "wished you would not wake up"))


def test_explicit_words_are_no_wish_to_be_explored(said: dict[str, str]) -> None:
    talk = Talk(script(said), {"risk": judged("passive", 0.9, "x")})
    talk.say(said["explicit"])
    assert running(talk) == "crisis_support"


def test_the_model_s_yes_calls_the_crisis_technique_as_ever(said: dict[str, str]) -> None:
    talk = Talk(script(said), {"risk": judged("yes", 0.9, said["vague"][:4])})
    talk.say(said["vague"])
    assert running(talk) == "crisis_support"


def test_a_passive_verdict_lowers_no_rule() -> None:
    talk = Talk(script(SAID["zh"]), {"risk": judged("no")})
    talk.say("活着没意思")
    assert running(talk) == "explore_wishes", "a watch word is explored whatever the model says"


# a passing wish that is denied on asking

WARM = {"": "谢谢你不嫌我多问这一句", "_en": "thank you for not minding that I asked"}
DENIED = {"": "没有，就是随口一说", "_en": "no, it was just a figure of speech"}


class Denied(Mind):
    """Hears neither the wish nor thoughts in words that deny both."""

    def _stretch(self, task: Task) -> Any:
        words = task.context.history[-1].text
        if words not in DENIED.values():
            return reply("suicidal_thoughts?", "suicidal_thoughts")
        return reply("…", "", "YES", wish_dead=(False, words), suicidal_thoughts=(False, words))


def test_a_passing_wish_denied_is_gone_back_from_within_the_turn_in_the_model_s_words(
    said: dict[str, str],
) -> None:
    talk = hold(said, Denied(TEXTS))
    assert running(talk) == "explore_wishes"
    talk.say(DENIED[said["suffix"]])
    words = "\n".join(talk.said)
    assert (running(talk), talk.at) == ("questions", "sleep"), "back, behind the answer that was kept"
    assert talk.said[0].startswith("…"), "what the model says of it stands"
    assert WARM[said["suffix"]] not in words
    assert talk.said[-1].splitlines()[-1] in said["script"], "and the talk's own question is the last word"
    assert words.count("？") + words.count("?") == 1, "nothing else is asked"


def test_so_is_it_without_a_model(said: dict[str, str]) -> None:
    talk = Talk(script(said))
    talk.say("I hope I don't wake up tomorrow" if said["suffix"] else "活着没意思")
    talk.say(said["no"])
    words = "\n".join(talk.said)
    assert (running(talk), talk.at) == ("questions", "sleep")
    assert WARM[said["suffix"]] in words
    assert words.count("？") + words.count("?") == 1


# what turns to crisis support


NUMBERS = {"": "12356", "_en": "findahelpline.com"}


def answered(talk: Talk, said: dict[str, str], *yes: str) -> list[str]:
    """All that is said until the talk about wishes is over; yes to what is named, no to the rest."""
    words: list[str] = []
    while running(talk) == "explore_wishes":
        words += talk.said
        talk.say(said["yes"] if talk.said[-1].rstrip("?") in yes else said["no"])
    return [*words, *talk.said]


@pytest.mark.parametrize("name", ["method_thought", "means_at_hand"])
@pytest.mark.parametrize("thoughts", ["no", "yes"])
def test_a_way_or_a_thing_alone_is_talked_about_and_with_thoughts_numbers_are_given(
    said: dict[str, str], name: str, thoughts: str
) -> None:
    opens = {"means_at_hand": "method_thought"}.get(name, name) if thoughts == "yes" else name
    talk = hold(said, **{"suicidal_thoughts": thoughts, opens: "yes", name: "yes"})
    words = answered(talk, said, name, opens, *(("suicidal_thoughts",) if thoughts == "yes" else ()))
    assert running(talk) == "safety_plan"
    assert sum(NUMBERS[said["suffix"]] in each for each in words) == (1 if thoughts == "yes" else 0)


@pytest.mark.parametrize("name", ["harm_lately", "thoughts_now", "suicidal_plan", "suicidal_intent"])
def test_what_is_near_has_numbers_once_calls_those_on_duty_and_goes_on(said: dict[str, str], name: str) -> None:
    opens = {"harm_lately": ("tried_ever",), "suicidal_plan": ("suicidal_thoughts", "method_thought")}
    before = opens.get(name, ("suicidal_thoughts",))
    talk = hold(said, **dict.fromkeys((name, *before), "yes"))
    words = answered(talk, said, name, *before)
    assert sum(NUMBERS[said["suffix"]] in each for each in words) == 1
    assert words.count(f"{name}?") == 1, "what was answered is not asked again"
    assert [event.to for event in talk.happened("escalated")] == ["desk"]
    assert running(talk) == "safety_plan"
    assert talk.state.handled.times == 0


def test_what_does_not_say_behind_the_numbers_is_left_and_goes_on(said: dict[str, str]) -> None:
    talk = hold(said, suicidal_thoughts="yes", method_thought="yes", suicidal_intent=None)
    for _ in range(30):
        if running(talk) != "explore_wishes":
            break
        asked = talk.said[-1].rstrip("?")
        yes = asked in ("suicidal_thoughts", "method_thought")
        talk.say(said["vague"] if asked == "suicidal_intent" else said["yes"] if yes else said["no"])
    assert running(talk) == "safety_plan"
    assert talk.value("suicidal_intent") is None, "not ruled out"


def test_what_the_judge_reads_in_the_answers_is_being_talked_about(said: dict[str, str]) -> None:
    class Sure(Mind):
        def __call__(self, task: Task) -> Any:
            if task.template == "risk" and self.asking:
                return judged("yes", 0.99, task.context.history[-1].text[-12:])
            return super().__call__(task)

    talk = hold(said, Sure(TEXTS))
    talk.say(said["no"])
    assert running(talk) == "explore_wishes"


def test_what_the_judge_is_not_sure_of_is_for_the_talk_to_ask_about(said: dict[str, str]) -> None:
    """ "I can't move", of somebody on the floor, was taken for a possible emergency and led out of the talk."""

    class Unsure(Mind):
        def __call__(self, task: Task) -> Any:
            if task.template == "risk" and self.asking:
                unsure = {"verdict": "unknown", "confidence": 0.5, "evidence": task.context.history[-1].text[-12:]}
                return {"verdicts": [{"id": number} | unsure for number in range(1, 8)]}
            return super().__call__(task)

    talk = hold(said, Unsure(TEXTS))
    talk.say(said["no"])
    assert running(talk) == "explore_wishes"


def test_without_thoughts_neither_is_asked(said: dict[str, str]) -> None:
    talk = explored(hold(said), said)
    assert talk.value("suicidal_intent") is None
    assert talk.value("suicidal_plan") is None


def test_the_model_asks_about_danger_in_the_order_in_which_the_talk_comes_to_it(said: dict[str, str]) -> None:
    """What was said decides ("it is all arranged"); every one of them is still asked."""

    class Arranged(Mind):
        def _stretch(self, task: Task) -> Any:
            if task.values.get("opening") or "means_at_hand" not in task.values["open"]:
                return super()._stretch(task)
            super()._stretch(task)
            self.asking = "means_at_hand"
            return reply("means_at_hand?", "means_at_hand")

    talk = hold(said, Arranged(TEXTS))
    talk.say(said["no"])
    assert talk.said == ["means_at_hand?"]
    assert not [event for event in talk.happened("replied") if event.redone]
    explored(talk, said)
    assert all(talk.value(name) is False for name in ("suicidal_thoughts", "tried_ever", "means_at_hand"))


def test_older_harm_is_noted_and_goes_on(said: dict[str, str]) -> None:
    talk = hold(said, tried_ever="yes")
    until(talk, "tried_ever")
    talk.say(said["yes"])
    assert running(talk) == "explore_wishes"
    assert talk.value("tried_ever") is True


def test_what_does_not_say_is_asked_for_once_more_and_then_not_ruled_out(said: dict[str, str]) -> None:
    talk = hold(said, method_thought=None)
    until(talk, "method_thought")
    talk.say(said["vague"])
    assert (running(talk), talk.said) == ("explore_wishes", ["method_thought?"])
    talk.say(said["vague"])
    goes_on_behind_numbers(talk, said)


def test_a_refusal_of_what_is_close_rules_nothing_out(said: dict[str, str]) -> None:
    talk = hold(said)
    until(talk, "method_thought")
    talk.say("skip" if said["suffix"] else "跳过")
    goes_on_behind_numbers(talk, said)


def goes_on_behind_numbers(talk: Talk, said: dict[str, str]) -> None:
    """Once, and with the next question: what was not ruled out is not asked a third time."""
    assert running(talk) == "explore_wishes"
    assert talk.value("near_said") is True
    assert "112" in talk.said[0] if said["suffix"] else "12356" in talk.said[0]
    assert talk.said[-1] not in ("method_thought?", talk.said[0])
    talk.say(said["no"])
    assert running(talk) == "explore_wishes"
    assert "112" not in talk.said[0]
    assert "12356" not in talk.said[0]


def test_half_a_no_is_none() -> None:
    """The model reads a no in words that hedge."""
    talk = hold(SAID["zh"])
    until(talk, "method_thought")
    talk.say("没有吧，有时候会闪一下")
    assert talk.value("method_thought") is None


@pytest.mark.parametrize(
    ("words", "again", "counts"),
    [
        ("没有。\n不好意思让你担心了。安排的是她的学费，被子都弹好了，那是给女儿的", "no", True),
        ("没有，刚才说过了。她明年上学要用的，早晚要备的", "no", True),
        ("没有。可要是我手一停，这一屋子的料就废了", "no", True),
        ("这个也说过了，没有", "no", True),
        ("没有。可要是我手一停，这一屋子的料就废了", None, False),  # nobody reads it again
        ("没有。药都收好放床头了", "no", False),  # the classifier hears it, whatever two readings say
        ("没有。想死的时候另说", "no", False),  # the rules hear it
        ("没有，早就决定了，不用想", "unclear", False),
        ("没有，只是有时候", "unclear", False),
        ("有过，现在没有", "yes", False),
        ("没有吧", "no", False),  # no denial by itself
        ("学费是明年要用的，早晚要备", "no", False),
    ],
)
def test_a_no_that_code_does_not_take_for_one_is_read_once_more(words: str, again: str | None, counts: bool) -> None:
    """Judged conversations broke off because a no that was explained was asked for three times."""
    mind = Mind(TEXTS, again)
    talk = Talk(script(SAID["zh"]), mind, classifiers={"own_danger": shipped()})
    talk.say(SAID["zh"]["wish"])
    until(talk, "method_thought")
    talk.say(words)
    assert (talk.value("method_thought") is False) is counts
    if counts and words.startswith("没有。可"):
        (verified,) = talk.happened("verified")
        assert (verified.asked, verified.dropped) == (["method_thought"], {})


@pytest.mark.parametrize(
    "words",
    ["mate u just asked that. nah", "just the question. already said nah", "nope, told u", "i said naw naw not to die"],
)
def test_a_no_as_the_young_write_it_is_one_by_itself(words: str) -> None:
    """A played conversation: "nah" four times, and asked once more for it each time."""
    talk = Talk(script(SAID["en"]), Mind(TEXTS, "no"), classifiers={"own_danger": shipped()})
    talk.say(SAID["en"]["wish"])
    until(talk, "method_thought")
    talk.say(words)
    assert talk.value("method_thought") is False


@pytest.mark.parametrize(
    ("words", "counts"),
    [
        ("没有想怎么去", True),
        ("没有想怎么去，说过了", True),
        ("没想怎么去，药在床头", False),
        ("不是\n我不是那个\n没有想怎么去", True),
        ("没有不想", False),
        ("不知道", False),
    ],
)
def test_a_denial_that_says_of_what_counts_though_no_pattern_reads_it(words: str, counts: bool) -> None:
    """A judged conversation: 没有想怎么去 was not taken, and the way was asked for three times."""

    class Takes(Mind):
        def _found(self, name: str, task: Task) -> dict[str, Any]:
            last = task.context.history[-1].text
            return {name: (False, last)} if name == "method_thought" else super()._found(name, task)

    talk = hold(SAID["zh"], Takes(TEXTS, "no" if counts else "unclear"))
    until(talk, "method_thought")
    talk.say(words)
    assert (talk.value("method_thought") is False) is counts


def test_a_mere_no_denies_what_was_asked_and_nothing_else() -> None:
    class Eager(Mind):
        def _found(self, name: str, task: Task) -> dict[str, Any]:
            words = task.context.history[-1].text
            no = dict.fromkeys(("means_at_hand", "harm_lately"), (False, words))
            return super()._found(name, task) | (no if name == "method_thought" else {})

    talk = hold(SAID["zh"], Eager(TEXTS))
    until(talk, "method_thought")
    talk.say("没有")
    assert talk.value("method_thought") is False
    assert talk.value("means_at_hand") is None
    assert talk.value("harm_lately") is None


def test_explicit_words_within_it_call_the_crisis_technique(said: dict[str, str]) -> None:
    talk = hold(said)
    talk.say(said["explicit"])
    assert running(talk) == "crisis_support"


def test_what_is_close_is_asked_before_what_is_easy() -> None:
    class Easy(Mind):
        def _stretch(self, task: Task) -> Any:
            if task.values.get("opening"):
                return {"asks": "wish_often", "content": "wish_often?"}
            if task.values.get("mend"):
                return super()._stretch(task)
            return reply("protects?", "protects", wish_often=("没有", "没有"))

    talk = hold(SAID["zh"], Easy(TEXTS))
    talk.say("没有")
    assert talk.said == ["suicidal_thoughts?"]


# going on


def test_nothing_close_leads_to_the_offer_of_a_plan_and_back(said: dict[str, str]) -> None:
    talk = explored(hold(said), said)
    assert (running(talk), talk.at) == ("safety_plan", "offer")
    talk.say(said["no"])
    assert (running(talk), talk.at) == ("questions", "sleep"), "mood was answered in the words that interrupted"
    assert talk.happened("fault") == []


def test_the_same_wish_is_not_explored_twice(said: dict[str, str]) -> None:
    talk = explored(hold(said, long=True), said)
    for _ in range(7):
        talk.say(said["no"])
        assert running(talk) == "questions"
    talk.say(said["wish"])
    assert running(talk) == "safety_follow_up"


class Hears:
    """A classifier that hears danger in one sentence."""

    name = "test-1"

    def __init__(self, said: str) -> None:
        self.said = said

    def estimate(self, text: str) -> Estimate:
        return Estimate(1.0, raised=True, likely=True, evidence=text[:20]) if text == self.said else Estimate(0.0)


SEVEN = "Seven. Jean would still not have sat there looking at the back row."


@pytest.mark.parametrize(
    ("judgement", "comes"), [(CALM, "questions"), (None, "safety_follow_up"), (judged("no", 0.4), "safety_follow_up")]
)
def test_what_a_classifier_alone_hears_after_it_is_left_to_a_sure_judge(
    said: dict[str, str], judgement: Any, comes: str
) -> None:
    class Judge(Mind):
        def __call__(self, task: Task) -> Any:
            seven = task.template == "risk" and task.context.history[-1].text == SEVEN
            return judgement if seven else super().__call__(task)

    talk = Talk(script(said, long=True), Judge(TEXTS), classifiers={"own_danger": Hears(SEVEN)})
    talk.say(said["wish"])
    explored(talk, said)
    for _ in range(7):
        talk.say(said["no"])
    talk.say(SEVEN)
    assert running(talk) == comes


def test_what_the_judge_quotes_from_before_is_no_news() -> None:
    said = SAID["zh"]
    old = said["wish"][-8:]

    class Stale(Mind):
        def __call__(self, task: Task) -> Any:
            return judged("passive", 0.9, old) if task.template == "risk" else super().__call__(task)

    talk = explored(hold(said, Stale(TEXTS), long=True), said)
    for _ in range(6):
        talk.say("没有")
        assert running(talk) == "questions"


def test_a_led_stretch_is_gone_back_to_in_words_of_the_model() -> None:
    class Two(Mind):
        def _stretch(self, task: Task) -> Any:
            if "弄清困扰" not in task.values["content"]:
                return super()._stretch(task)
            if task.values.get("returning"):
                return {"asks": "主诉", "content": "我们回到刚才：怎么了？"}
            return reply("怎么了？", "主诉", 起病=("五月", "从五月开始"))

    mind = Two(TEXTS)
    talk = Talk(STRETCH, mind)
    talk.say("从五月开始的，要是第二天不用醒来也挺好的")
    assert talk.value("起病") == "五月"
    explored(talk, SAID["zh"])
    talk.say("没有")
    assert talk.said[-1] == "我们回到刚才：怎么了？"
    assert "什么时候开始" not in "".join(talk.said)


# the second look, and the picture


def at_the_end(talk: Talk, said: dict[str, str]) -> Talk:
    talk.say(said["no"])
    while running(talk) == "questions":
        talk.say(said["mood"])
    return talk


def test_the_second_look_waits_until_the_talk_is_a_while_ago(said: dict[str, str]) -> None:
    talk = explored(hold(said), said)
    at_the_end(talk, said)
    assert talk.state.ended


def test_the_second_look_asks_before_the_end(said: dict[str, str]) -> None:
    talk = at_the_end(explored(hold(said, long=True), said), said)
    assert (running(talk), talk.at) == ("second_look", "look")
    talk.say(said["no"])
    assert talk.at == "tonight"
    talk.say(said["friend"])
    assert talk.state.ended


def test_a_yes_to_the_second_look_asks_whether_it_is_heavier(said: dict[str, str]) -> None:
    talk = at_the_end(explored(hold(said, long=True), said), said)
    talk.say("有" if not said["suffix"] else "yes")
    assert (running(talk), talk.at) == ("safety_follow_up", "heavier")


def test_without_a_wish_there_is_no_second_look(said: dict[str, str]) -> None:
    talk = Talk(script(said))
    talk.say(said["mood"])
    talk.say(said["mood"])
    assert talk.state.ended
    assert talk.said[-1] == "|"


def test_the_picture_says_what_was_found_and_what_was_not_asked(said: dict[str, str]) -> None:
    talk = hold(said, tried_ever="yes")
    while running(talk) == "explore_wishes":
        talk.say(said["yes"] if talk.said[-1] == "tried_ever?" else said["no"])
    at_the_end(talk, said)
    words = talk.said[-1]
    assert ("中" in words) if not said["suffix"] else ("moderate" in words)
    assert ("手边有工具" in words) if not said["suffix"] else ("means at hand" in words)


def test_the_judge_is_told_what_is_known(said: dict[str, str]) -> None:
    mind = Mind(TEXTS | {"tried_ever": "yes"})
    talk = hold(said, mind)
    while running(talk) == "explore_wishes":
        talk.say(said["yes"] if talk.said[-1] == "tried_ever?" else said["no"])
    last = next(task for task in reversed(mind.tasks) if task.template == "risk")
    assert last.values["exploring"] == "yes"
    talk.say(said["no"])
    talk.say(said["mood"])
    last = next(task for task in reversed(mind.tasks) if task.template == "risk")
    assert last.values["known"]
    assert last.values["exploring"] == ""
    assert len(last.context.history) <= 12


DOUBTFUL = {"zh": "别的也瞎想，累了嘛", "en": "my mind wanders, I get tired"}


class Doubts(Mind):
    """A model that hears a wish where there is none, and is not sure of anything afterwards."""

    def __call__(self, task: Task) -> Any:
        last = task.context.history[-1].text
        if task.template == "risk" and last in DOUBTFUL.values():
            return judged("unknown", 0.5, last[:12])
        if task.template == "stretch":
            denied = values(wish_dead=(False, last), suicidal_thoughts=(False, last))
            opening = task.values.get("opening")
            return {
                "values": {} if opening else denied,
                "asks": "wish_dead" if opening else "",
                "EXIT": "NO" if opening else "YES",
                "content": "?" if opening else ".",
            }
        return super().__call__(task)


def test_a_doubt_after_a_plain_no_asks_nothing_more(said: dict[str, str]) -> None:
    talk = Talk(script(said, long=True), Doubts(TEXTS))
    talk.say(said["wish"])
    assert running(talk) == "explore_wishes"
    talk.say(said["no"])
    assert running(talk) == "questions", "one plain no"
    talk.say(DOUBTFUL["en" if said["suffix"] else "zh"])
    assert running(talk) == "questions"
    talk.say(said["explicit"])
    assert running(talk) == "crisis_support", "explicit words are heard as ever"


@pytest.mark.parametrize(("heavier", "goes_to"), [(False, "questions"), (True, "explore_wishes")])
def test_whether_it_is_heavier_is_asked_once_in_words_of_the_model(
    said: dict[str, str], heavier: bool, goes_to: str
) -> None:
    name = "heavier" if said["suffix"] else "变重了"

    class Once(Mind):
        def __call__(self, task: Task) -> Any:
            if task.template == "ai_ask_open":
                return {"content": "回来了吗？"}
            if task.template == "ai_ask" and name in str(task.values):
                words = task.context.history[-1].text
                return replied(values=values(**{name: (heavier, words)}), EXIT="YES")
            return super().__call__(task)

    talk = explored(hold(said, Once(TEXTS), long=True), said)
    for _ in range(7):
        talk.say(said["no"])
    talk.say(said["wish"])
    assert (running(talk), talk.said[-1]) == ("safety_follow_up", "回来了吗？")
    talk.say("第三遍了，没有，都没有还什么更重的" if not heavier else "更重了")
    assert running(talk) == goes_to


@pytest.mark.parametrize(
    ("lang", "words", "quotes", "counts"),
    [
        (
            "en",
            "1. I've thought of killing myself, for weeks. 2. No intent. 3. No plan. 4. Never tried.",
            "2. No intent.",
            True,
        ),
        ("zh", "想过自杀，几个星期了。没打算，没计划，也没试过。想谈离婚的事", "没打算", True),
        ("zh", "可以。先说清楚：我想过死，有一个月了，没有打算，没有计划，手边也没有，以前没有。", "没有打算", True),
        ("zh", "想过自杀。没打算，没计划，药都准备好了，今晚就走", "没打算", False),
        ("zh", "想过自杀。没打算，没计划，可能哪天吧", "没打算", False),
        ("zh", "想过自杀。没打算吧，没计划，也没试过", "没打算吧", False),
        ("zh", "想过自杀，没打算", "没打算", True),
        (
            "en",
            "I've thought of killing myself. No intent, no plan, the pills are ready for tonight.",
            "No intent",
            False,
        ),
    ],
)
def test_who_sets_out_several_at_once_is_not_asked_for_each(lang: str, words: str, quotes: str, counts: bool) -> None:
    """A played dialogue: five numbered points, and each was asked for once more; she left at the third."""

    class Takes(Mind):
        def _found(self, name: str, task: Task) -> dict[str, Any]:
            return super()._found(name, task) | {
                "suicidal_thoughts": (True, words[:12]),
                "suicidal_intent": (False, quotes),
            }

    said = SAID[lang]
    led = STRETCH.replace("    id: talk\n", f"    id: talk\n    locale: {'en' if lang == 'en' else 'zh-CN'}\n")
    talk = Talk(led, Takes(TEXTS, "no" if counts else "unclear"), classifiers={"own_danger": shipped()})
    talk.say(words)
    if running(talk) != "explore_wishes":
        assert not counts
        return
    talk.say(said["no"])
    assert (talk.value("suicidal_intent") is False) is counts


def test_a_named_denial_counts_for_what_was_asked_whoever_stands_beside_it() -> None:
    """A played dialogue: four times whether he meant to do it, because "I go, and what becomes of her" sounds of it."""

    class Takes(Mind):
        def _found(self, name: str, task: Task) -> dict[str, Any]:
            if name != "suicidal_intent":
                return super()._found(name, task)
            return {name: (False, "没打算")}

    talk = Talk(script(SAID["zh"]), Takes(TEXTS | {"suicidal_thoughts": "yes"}), classifiers={"own_danger": shipped()})
    talk.say(SAID["zh"]["wish"])
    while talk.said[-1] != "suicidal_intent?":
        assert running(talk) == "explore_wishes"
        talk.say("有" if talk.said[-1] == "suicidal_thoughts?" else "没有")
    talk.say("说过了 没打算 老伴还在 我走了她咋整")
    assert talk.value("suicidal_intent") is False


def test_half_and_half_behind_the_numbers_is_let_be_and_the_talk_goes_on() -> None:
    """A played dialogue: "half and half", twice, and then whether he meant to act in other words; he left."""

    class Half(Mind):
        def _stretch(self, task: Task) -> Any:
            if self.asking != "thoughts_now" or task.values.get("returning"):
                return super()._stretch(task)
            self.asking = "protects"
            left = ["thoughts_now", "suicidal_intent", "suicidal_plan", "method_thought"]
            return reply("protects?", "protects") | {"unknown": left}

    talk = hold(SAID["zh"], Half(TEXTS | dict.fromkeys(("suicidal_thoughts", "tried_ever", "harm_lately"), "yes")))
    for _ in range(14):
        if talk.said[-1] == "thoughts_now?":
            break
        talk.say("有" if talk.said[-1] in ("suicidal_thoughts?", "tried_ever?", "harm_lately?") else "没有")
    assert talk.value("near_said") is True
    talk.say("一半一半")
    assert (running(talk), talk.said) == ("explore_wishes", ["protects?"])
    assert talk.value("thoughts_now") is None, "not ruled out"


def test_a_plain_no_with_a_reproach_behind_it_is_a_no() -> None:
    """A played dialogue: it was asked for three times."""
    talk = hold(SAID["en"], method_thought="yes")
    until(talk, "means_at_hand")
    talk.say("No. Forgive me, but I have answered that, and you said you would not ask it again.")
    assert talk.value("means_at_hand") is False


def test_not_now_counts_for_now_though_it_was_said_before() -> None:
    """A played dialogue: "just that one night / not right now" was asked for a fourth time."""

    class Takes(Mind):
        def _found(self, name: str, task: Task) -> dict[str, Any]:
            return {name: (False, "这会儿没有")} if name == "thoughts_now" else super()._found(name, task)

    talk = hold(SAID["zh"], Takes(TEXTS))
    until(talk, "thoughts_now")
    talk.say("刚说过啦 就那一晚上\n这会儿没有")
    assert talk.value("thoughts_now") is False


def test_just_behind_the_talk_a_doubt_asks_nobody_whether_it_is_heavier(said: dict[str, str]) -> None:
    """A played dialogue: ten minutes after all of it. "I've barely moved my boots." """

    class Doubts(Mind):
        def __call__(self, task: Task) -> Any:
            if task.template == "risk" and not self.asking:
                return judged("passive", 0.9, task.context.history[-1].text[-8:])
            return super().__call__(task)

    talk = explored(hold(said, Doubts(TEXTS)), said)
    while running(talk) != "questions":
        talk.choose(talk.request.choices[-1].value) if talk.request.choices else talk.say(said["no"])
    talk.say("just so tired of it all" if said["suffix"] else "就是觉得没劲")
    assert running(talk) != "safety_follow_up"


def test_without_thoughts_only_the_past_is_asked_and_what_is_told_counts_all_the_same(said: dict[str, str]) -> None:
    """As the published screener goes on: of a way, means and this moment nobody is asked who has not thought of it this
    week; what is told of them counts all the same."""
    talk = hold(said)
    asked = []
    while running(talk) == "explore_wishes" and len(asked) < 20:
        asked.append(talk.said[-1].rstrip("?"))
        talk.say(said["no"])
    assert not {"method_thought", "means_at_hand", "thoughts_now", "suicidal_intent"} & set(asked[2:])
    assert "tried_ever" in asked
    assert "harm_lately" not in asked, "never, and so not lately"

    class Told(Mind):
        def _found(self, name: str, task: Task) -> dict[str, Any]:
            words = task.context.history[-1].text
            return super()._found(name, task) | ({"method_thought": (True, words)} if name == "tried_ever" else {})

    talk = hold(said, Told(TEXTS))
    while talk.said[-1] != "tried_ever?":
        talk.say(said["no"])
    talk.say(said["yes"])
    assert talk.value("method_thought") is True


def test_what_the_judge_is_certain_of_once_all_was_talked_about_is_never_led_into_nothing() -> None:
    """All that the talk asks is known then: it is taken up again with what was told now."""

    class Certain(Mind):
        certain = False

        def __call__(self, task: Task) -> Any:
            if task.template == "risk" and self.certain:
                return judged("yes", 0.99, task.context.history[-1].text)
            return super().__call__(task)

    mind = Certain(TEXTS | dict.fromkeys(("suicidal_thoughts", "tried_ever", "harm_lately"), "yes"))
    talk = Talk(STRETCH, mind)
    talk.say(SAID["zh"]["wish"])
    for _ in range(40):
        if talk.state.handled.explored and running(talk) == "t":
            break
        talk.say("没有" if talk.said[-1] not in ("suicidal_thoughts?", "tried_ever?", "harm_lately?") else "有")
    assert talk.value("near_said") is True
    mind.certain = True
    talk.say("柜子里的我都拿出来摆好了")
    assert (running(talk), talk.at) == ("explore_wishes", "more")
    assert talk.said[-1]


@pytest.mark.parametrize("leaves", [False, True])
def test_who_goes_is_offered_no_plan(said: dict[str, str], leaves: bool) -> None:
    """A played dialogue: he sat in the shop, too tired to type, said good-bye, and was offered a plan."""
    talk = hold(said, hinders="words")
    goes = {"zh": "没有。先不说了，走了", "en": "no. I'm off now"}["en" if said["suffix"] else "zh"]
    for _ in range(30):
        if running(talk) != "explore_wishes":
            break
        talk.say(goes if leaves else said["no"])
    assert ("safety_plan" in running(talk)) is not leaves


def test_behind_a_figure_of_speech_the_question_stands_without_words_about_coming_back(said: dict[str, str]) -> None:
    """A played dialogue: "lol no, just how I talk", and then "There is no rush, one thing at a time. Back to where"."""

    class Idiom(Mind):
        def _stretch(self, task: Task) -> Any:
            words = task.context.history[-1].text
            if task.values.get("opening"):
                return reply("?", "suicidal_thoughts")
            return reply(".", "", "YES", wish_dead=(False, words), suicidal_thoughts=(False, words))

    talk = hold(said, Idiom())
    talk.say(said["no"])
    asked = "睡得好吗？" if not said["suffix"] else "How did you sleep?"
    assert talk.said == [".", asked]


@pytest.mark.parametrize("stops", ["没有，今天就到这儿吧", "no, let's stop here"])
def test_who_answers_and_wants_to_stop_has_answered(stops: str) -> None:
    """A played dialogue: "no plan, and good-bye" was offered the plan again behind the words about stopping."""
    talk = hold(SAID["en" if stops.isascii() else "zh"])
    until(talk, "method_thought")
    talk.say(stops)
    assert talk.value("method_thought") is False
    assert "12356" in talk.said[0] or "988" in talk.said[0]
    assert talk.said[-1] != "method_thought?"
