"""The techniques held on the engine: who may leave, who stays, and what is said on the way."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.safety.shipped import sentences, skills

from heartrule import parsing
from heartrule.language.nodes import VariableRules
from heartrule.testing.talk import Talk

SCRIPT = """
sessions:
  - session: {name}
    id: talk
    locale: {locale}
    phases:
      - phase: one
        id: one
        steps:
          - topic: two questions
            id: questions
            actions:
              - {{type: ask, id: mood, content: "{mood}", output: [{{get: mood, type: text}}]}}
              - {{type: ask, id: sleep, content: "{sleep}", output: [{{get: sleep, type: text}}]}}
"""
ZH = SCRIPT.format(name="试", locale="zh-CN", mood="今天心情怎么样？", sleep="睡得好吗？")
EN = SCRIPT.format(name="Try", locale="en", mood="How do you feel?", sleep="How did you sleep?")
LANGUAGES = {
    "zh": {
        "script": ZH,
        "intent": "我不想活了",
        "watch": "活着没意思",
        "yes": "有",
        "no": "没有",
        "unclear": "不知道",
        "words": "我好难受",
        "safe": "我是安全的",
        "number": "12356",
        "suffix": "",
    },
    "en": {
        "script": EN,
        "intent": "I want to die",
        "watch": "there's no point in living",
        "yes": "yes",
        "no": "no",
        "unclear": "I don't know",
        "words": "it hurts so much",
        "safe": "I am safe",
        "number": "988",
        "suffix": "_en",
    },
}


@pytest.fixture(params=LANGUAGES)
def said(request: pytest.FixtureRequest) -> dict[str, str]:
    return dict(LANGUAGES[request.param])


def running(talk: Talk) -> str:
    frame = talk.state.running
    return frame.ref.removeprefix("safety/").removesuffix("_en") if frame else ""


def in_crisis(said: dict[str, str], model: Any = None) -> Talk:
    talk = Talk(said["script"], model)
    talk.say(said["intent"])
    return talk


# coming in


def test_intent_interrupts_and_shows_the_numbers_at_once(said: dict[str, str]) -> None:
    talk = in_crisis(said)
    assert (running(talk), talk.at) == ("crisis_support", "thoughts")
    assert any(said["number"] in text for text in talk.said)
    assert "{" not in "".join(talk.said)


@pytest.mark.parametrize(
    "burst", [("我", "不想活了"), ("我不想", "活了"), ("今天很累", "睡不着", "不想活了"), ("我\n不想活了",)]
)
def test_intent_in_a_burst(burst: tuple[str, ...]) -> None:
    talk = Talk(ZH)
    talk.say(*burst)
    assert running(talk) == "crisis_support"


def test_the_message_that_interrupts_is_no_answer(said: dict[str, str]) -> None:
    assert in_crisis(said).value("mood") is None


@pytest.mark.parametrize("model", [None, {}], ids=["no model", "model that fails"])
def test_the_words_are_the_same_with_and_without_a_model(said: dict[str, str], model: Any) -> None:
    heard = []
    for each in (None, model):
        talk = in_crisis(said, each)
        heard.append(list(talk.said))
        for answer in (said["yes"], said["no"]):
            heard[-1] += talk.say(answer)
    assert heard[0] == heard[1]


# going out


def test_plain_noes_and_safe_hand_back(said: dict[str, str]) -> None:
    talk = in_crisis(said)
    for asked in ("hurt", "means"):
        talk.say(said["no"])
        assert talk.at == asked
    talk.say(said["no"])
    assert [choice.value for choice in talk.request.choices] == ["company", "safe"]
    talk.choose("safe")
    assert talk.at == "landing", "a breath first"
    talk.choose("go_on")
    assert talk.at == "mood"
    assert talk.said[-1].splitlines()[-1] in said["script"], "the question is asked again"
    assert talk.happened("fault") == []


def answer(talk: Talk, said: dict[str, str], **given: str) -> list[str]:
    """One pass of the technique: these answers to its questions, no to all others (``danger``: being hurt, and what is
    at hand). What it asked, in order."""
    given |= {asked: given["danger"] for asked in ("hurt", "means") if "danger" in given and asked not in given}
    asked: list[str] = []
    while talk.request.kind == "message":
        asked.append((talk.at or "").removesuffix("_again"))
        talk.say(said["words"] if asked[-1] in ("listen", "support") else said[given.get(asked[-1], "no")])
    return asked


def leaves(talk: Talk, said: dict[str, str], choice: str, **given: str) -> bool:
    answer(talk, said, **given)
    talk.choose(choice)
    if talk.at == "landing":
        talk.choose("go_on")
    return running(talk) != "crisis_support"


@pytest.mark.parametrize("thoughts", ["no", "yes", "unclear", "words"])
@pytest.mark.parametrize("danger", ["no", "yes", "unclear", "words"])
@pytest.mark.parametrize("choice", ["safe", "company"])
def test_nothing_but_no_danger_and_safe_leads_out(
    said: dict[str, str], thoughts: str, danger: str, choice: str
) -> None:
    assert leaves(in_crisis(said), said, choice, thoughts=thoughts, danger=danger) == (
        (danger, choice) == ("no", "safe")
    ), "and neither intent nor plan"


@pytest.mark.parametrize("thoughts", ["yes", "unclear", "words"])
@pytest.mark.parametrize("intent", ["no", "yes", "unclear", "words"])
@pytest.mark.parametrize("plan", ["no", "yes", "unclear", "words"])
def test_with_thoughts_neither_intent_nor_plan_leads_out(
    said: dict[str, str], thoughts: str, intent: str, plan: str
) -> None:
    out = leaves(in_crisis(said), said, "safe", thoughts=thoughts, intent=intent, plan=plan)
    assert out == ((intent, plan) == ("no", "no"))


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ({}, ["thoughts", "hurt", "means"]),
        ({"thoughts": "yes"}, ["thoughts", "intent", "plan", "hurt", "means", "support"]),
        ({"thoughts": "unclear"}, ["thoughts", "intent", "plan", "hurt", "means", "support"]),
        ({"thoughts": "yes", "intent": "yes"}, ["thoughts", "intent", "plan", "hurt", "means", "time", "past"]),
        ({"thoughts": "yes", "plan": "yes"}, ["thoughts", "intent", "plan", "hurt", "means", "time", "past"]),
        ({"thoughts": "yes", "danger": "yes"}, ["thoughts", "intent", "plan", "hurt"]),
        ({"thoughts": "yes", "means": "yes"}, ["thoughts", "intent", "plan", "hurt", "means"]),
    ],
)
def test_each_is_asked_once_and_only_while_there_is_reason(
    said: dict[str, str], given: dict[str, str], asked: list[str]
) -> None:
    assert answer(in_crisis(said), said, **given) == asked


@pytest.mark.parametrize(
    "given", [{"intent": "yes"}, {"plan": "yes"}, {"danger": "yes"}, {"time": "yes", "plan": "words"}]
)
def test_call_now_is_for_intent_plan_time_and_danger(said: dict[str, str], given: dict[str, str]) -> None:
    urgent = {"zh-CN": "请现在就打", "en": "Please call"}
    for told, wanted in ((given, True), ({}, False)):
        talk = Talk(said["script"])
        talk.say(said["watch"])
        before = len(talk.history)
        talk.say(said["yes"])
        answer(talk, said, **told)
        spoken = "\n".join(message.text for message in talk.history[before:] if message.sender == "ai")
        assert (urgent[talk.script.locale] in spoken) == wanted
        assert said["number"] in spoken


def test_the_whole_block_of_numbers_is_shown_once(said: dict[str, str]) -> None:
    talk = in_crisis(said)
    answer(talk, said, thoughts="yes", intent="yes", plan="unclear")
    talk.choose("safe")
    answer(talk, said, intent="yes")
    talk.choose("company")
    answer(talk, said)
    talk.choose("company")
    blocks = [m for m in talk.history if m.sender == "ai" and m.text.count("\n") >= 4 and said["number"] in m.text]
    assert len(blocks) == 1


def test_what_was_answered_with_no_is_not_asked_again(said: dict[str, str]) -> None:
    talk = in_crisis(said)
    answer(talk, said, thoughts="yes", hurt="unclear")
    talk.choose("safe")
    assert talk.at == "hurt_again"
    question = "弄伤" if said["number"] == "12356" else "hurt"
    assert question in talk.said[-1], "the question that is open is named"
    talk.say(said["no"])
    talk.choose("safe")
    assert talk.at == "landing"


def test_company_keeps_on_and_listens(said: dict[str, str]) -> None:
    talk = in_crisis(said)
    assert not leaves(talk, said, "company")
    assert talk.at == "listen"
    talk.say(said["words"])
    assert talk.request.kind == "choice", "what was answered stands"
    talk.choose("safe")
    talk.choose("go_on")
    assert talk.at == "mood"


def test_many_passes_stay_and_do_not_read_alike(said: dict[str, str]) -> None:
    talk = in_crisis(said)
    passes: list[str] = []
    spoken: list[str] = []
    for _ in range(12):
        while talk.at not in ("choice", "stand"):
            spoken += talk.say(said["words"] if talk.at in ("listen", "support") else said["yes"])
        spoken += talk.choose("company")
        passes.append("\n".join(spoken))
        spoken = []
        assert running(talk) == "crisis_support"
    assert all(one != other for one, other in itertools.pairwise(passes))


def test_an_unclear_answer_is_not_asked_twice_in_a_row(said: dict[str, str]) -> None:
    talk = in_crisis(said)
    for question in ("intent", "plan", "hurt", "means", "time", "past", "support", "choice"):
        talk.say(said["unclear"])
        assert talk.at == question


def test_present_danger_is_met_with_the_numbers(said: dict[str, str]) -> None:
    talk = in_crisis(said)
    talk.say(said["no"])
    talk.say(said["yes"])
    assert any(said["number"] in text for text in talk.said)


def test_further_hits_do_not_begin_again(said: dict[str, str]) -> None:
    talk = in_crisis(said)
    first = talk.state.running
    assert first is not None
    talk.say(said["intent"])
    assert running(talk) == "crisis_support"
    assert talk.state.running is not None
    assert talk.state.running.key == first.key
    assert talk.at == "intent"
    assert [topic.ref for topic in talk.state.suspended] == ["questions"]


REPLIES = ["yes", "no", "no", "unclear", "words", "intent", "watch"]
PRESSES = ("safe", "company", "go_on", "talk")


@given(st.sampled_from(sorted(LANGUAGES)), st.lists(st.sampled_from([*REPLIES, *PRESSES, "safe"]), max_size=40))
@settings(max_examples=80, deadline=None)
def test_whoever_left_had_said_no_and_safe(language: str, moves: list[str]) -> None:
    said = LANGUAGES[language]
    talk = in_crisis(said)
    last: dict[str, str] = {}
    for move in moves:
        asked = (talk.at or "").removesuffix("_again")
        offered = {choice.value for choice in talk.request.choices} if talk.request.kind == "choice" else set()
        if move in offered:
            talk.choose(move)
        elif move in PRESSES:
            continue
        else:
            talk.say(said.get(move, move))
        last[asked] = move
        if move == "intent" or (asked, move) == ("time", "yes"):
            last |= dict.fromkeys(("thoughts", "intent", "plan"), "yes")
        if running(talk) != "crisis_support":
            if talk.state.handled.open:
                assert asked == "stand", "left without being cleared, by an exit that says so"
                return
            last["choice"] = last.pop("stand", last.get("choice", ""))
            assert last == last | {"hurt": "no", "means": "no", "choice": "safe"}
            assert last["thoughts"] == "no" or (last["intent"], last["plan"]) == ("no", "no")
            return


def test_intent_said_while_choosing_keeps_the_technique(said: dict[str, str]) -> None:
    talk = in_crisis(said)
    answer(talk, said)
    talk.say(said["intent"])
    answer(talk, said)
    talk.choose("safe")
    assert running(talk) == "crisis_support"


# the gentle question


def test_a_watch_word_is_asked_about_and_the_answer_is_kept(said: dict[str, str]) -> None:
    talk = Talk(said["script"])
    talk.say(said["watch"])
    assert (running(talk), talk.at) == ("safety_check", "thoughts")
    assert talk.value("mood") == said["watch"]
    talk.say(said["no"])
    assert any(said["number"] in text for text in talk.said)
    assert talk.at == "sleep"


@pytest.mark.parametrize("answer", ["yes", "unclear", "words"])
def test_yes_or_unclear_leads_to_crisis_without_asking_the_same_again(said: dict[str, str], answer: str) -> None:
    talk = Talk(said["script"])
    talk.say(said["watch"])
    talk.say(said[answer])
    assert (running(talk), talk.at) == ("crisis_support", "intent")
    numbers = any(said["number"] in text for text in talk.said)
    assert numbers == (answer == "yes"), "the same danger, the same numbers; what is unclear is asked about gently"
    assert leaves(talk, said, "safe"), "neither intent nor plan nor danger"


def test_intent_during_the_gentle_question_takes_its_place(said: dict[str, str]) -> None:
    talk = Talk(said["script"])
    talk.say(said["watch"])
    talk.say(said["intent"])
    assert (running(talk), talk.at) == ("crisis_support", "thoughts")


# nobody could judge


SAFE = {
    "zh": [
        "是的",
        "是",
        "嗯",
        "安全",
        "我很安全",
        "我没事",
        "没有想伤害自己",
        "没有伤害自己的念头",
        "挺好的",
        "我挺好的，谢谢",
        "是的，我很安全",
        "没事，别担心",
        "没有，我很安全",
        "没有自杀的想法",
    ],
    "en": [
        "yes",
        "yeah",
        "safe",
        "I'm safe",
        "I am fine",
        "I'm okay, thanks",
        "Yes, I'm safe right now",
        "no, I'm fine",
        "I don't want to hurt myself",
        "I'm not going to hurt myself",
    ],
}
NOT_PLAINLY_SAFE = {
    "zh": [
        "我不安全",
        "不安全",
        "不知道",
        "没有",
        "不是",
        "安全吧",
        "应该安全",
        "我没事但是很难受",
        "还好",
        "说不清",
        "算安全吗",
        "有",
        "不太安全",
        "没事才怪",
        "安全又怎样",
        "没有安全感",
        "我不是没事",
        "什么意思",
        "现在安全，但是一会儿不一定",
        "好的",
        "可以",
        "嗯……",
        "会",
        "活着没意思",
        "家里安全吗",
    ],
    "en": [
        "no",
        "not safe",
        "I'm not safe",
        "I don't know",
        "maybe",
        "kind of",
        "I guess",
        "I'm fine but tired",
        "ok",
        "no thoughts",
        "not really",
        "why",
        "safe?",
        "I'm unsafe",
        "not fine",
        "I'm okay I guess",
        "never safe",
        "I have a bad feeling",
        "I don't feel safe",
    ],
}


def unsure(language: str) -> Talk:
    talk = Talk(LANGUAGES[language]["script"], {})
    talk.say("嗯")
    assert (running(talk), talk.at, talk.request.kind) == ("safety_unsure", "safe", "message")
    return talk


def test_a_failed_model_shows_numbers_and_asks_once(said: dict[str, str]) -> None:
    talk = unsure("en" if said["suffix"] else "zh")
    assert any(said["number"] in text for text in talk.said)
    talk.say(said["safe"])
    assert running(talk) == "questions"


def test_it_does_not_say_that_the_words_were_not_understood() -> None:
    """They may well have been understood and stored: only the check was not done."""
    for language in LANGUAGES:
        spoken = " ".join(unsure(language).said).casefold()
        assert not [each for each in ("听懂", "没懂", "understand", "take in") if each in spoken]


@pytest.mark.parametrize(("language", "answer"), [(key, each) for key, all_ in SAFE.items() for each in all_])
def test_whoever_is_plainly_safe_goes_on(language: str, answer: str) -> None:
    talk = unsure(language)
    talk.say(answer)
    assert running(talk) == "questions"


@pytest.mark.parametrize(
    ("language", "answer"), [(key, each) for key, all_ in NOT_PLAINLY_SAFE.items() for each in all_]
)
def test_anything_else_is_stayed_with(language: str, answer: str) -> None:
    talk = unsure(language)
    talk.say(answer)
    assert running(talk) != "questions"


@pytest.mark.parametrize("answer", ["我不安全", "不安全", "不知道", "没有", "有"])
def test_not_safe_leads_to_crisis_at_once(answer: str) -> None:
    talk = unsure("zh")
    talk.say(answer)
    assert (running(talk), talk.at) == ("crisis_support", "thoughts")


def test_the_same_language_throughout() -> None:
    talk = in_crisis(LANGUAGES["en"])
    talk.say("yes")
    talk.say("yes")
    talk.choose("company")
    spoken = " ".join(message.text for message in talk.history if message.sender == "ai")
    assert not [sign for sign in spoken if "\u4e00" <= sign <= "\u9fff"]


# a no, and that it was only said


ONLY_SAID = {
    "zh": [
        "没有，就是一时气话",
        "没有，我就随口说说",
        "没有，我就是随口一说",
        "没有，只是说说而已",
        "没有没有，就是句气话",
        "没有的，我刚才就是随口说的",
        "没有，就是发发牢骚",
        "没有。我只是吐吐槽",
        "没有\n就是气话",
        "真的没有，就是口头禅",
        "没有啦，那是夸张的说法",
        "没有这种想法，就是一时气话而已",
        "没有，就是气头上说说，别担心",
        "不是，我就随便说说",
        "没有，打个比方而已",
    ],
    "en": [
        "no, it was just a figure of speech",
        "No. It was just a figure of speech.",
        "no, just a figure of speech",
        "no, it's only an expression",
        "No, I was just venting",
        "nope, just venting a bit",
        "no, I didn't mean it literally",
        "No, I don't. I didn't mean it like that.",
        "no - just exaggerating",
        "no no, it's just something I say",
        "No, I was just blowing off steam, don't worry",
    ],
}
MORE_THAN_SAID = {
    "zh": [
        "没有，但是有时候会想",
        "没有，就是一时气话，但是有时候也会想",
        "没有，就是一时气话，不过最近常常想",
        "没有，不是气话",
        "没有，那不是随口说说",
        "没有，我不是随口说说的",
        "没有，我真的说的",
        "没有，就是一时想说的气话吗",
        "没有，就是随口说说？",
        "没有，就是想睡着不醒来",
        "没有，就是太累了",
        "没有，哈哈，骗你的",
        "没有，就是一时冲动",
        "没有，一时没想",
        "没有，就是想想而已",
        "没有吧，就是气话",
        "应该没有，随口说说",
        "不全是气话",
        "就是一时气话",
        "随口说说",
        "没有……就是气话……吧",
        "有，就是一时气话",
        "没有，气话也是真话",
        "没有，就是随口说说我想死",
        "没有，说说怎么了",
    ],
    "en": [
        "no, but sometimes I think about it",
        "no, it was just a figure of speech, but I'm tired of living",
        "no, it was not a figure of speech",
        "no, it was not just venting",
        "no, I just want to sleep forever",
        "no, just thoughts",
        "not really, just venting",
        "no, I didn't mean it until today",
        "no, I guess it was a figure of speech",
        "no, was it a figure of speech?",
        "it was just a figure of speech",
        "no, I just say I want to die",
        "no, I was only thinking",
        "yes, but it was just venting",
    ],
}


@pytest.mark.parametrize(("language", "answer"), [(key, each) for key, all_ in ONLY_SAID.items() for each in all_])
def test_a_no_and_that_it_was_only_said_is_a_plain_no(language: str, answer: str) -> None:
    said = LANGUAGES[language]
    talk = in_crisis(said)
    talk.say(answer)
    assert talk.at == "hurt"
    thoughts = "有自杀念头" if language == "zh" else "thoughts"
    assert talk.value(thoughts) is False
    talk.say(answer)
    talk.say(answer)
    assert talk.request.kind == "choice"
    talk.choose("safe")
    assert talk.at == "landing", "all were plain noes"


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_such_no_alone_does_not_lead_out(language: str) -> None:
    said, answer = LANGUAGES[language], ONLY_SAID[language][0]
    for two in (said["unclear"], said["yes"]):
        talk = in_crisis(said)
        talk.say(answer)
        while talk.request.kind == "message":
            talk.say(two)
        talk.choose("safe")
        assert talk.at != "landing"
    talk = in_crisis(said)
    for _ in range(3):
        talk.say(answer)
    talk.choose("company")
    assert running(talk) == "crisis_support"


@pytest.mark.parametrize(("language", "answer"), [(key, each) for key, all_ in MORE_THAN_SAID.items() for each in all_])
def test_a_no_with_anything_else_is_not_plain(language: str, answer: str) -> None:
    talk = in_crisis(LANGUAGES[language])
    talk.say(answer)
    assert running(talk) == "crisis_support"
    assert talk.value("有自杀念头" if language == "zh" else "thoughts") is not False


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_gentle_question_takes_it_for_a_no_too(language: str) -> None:
    said = LANGUAGES[language]
    talk = Talk(said["script"])
    talk.say(said["watch"])
    talk.say(ONLY_SAID[language][0])
    assert running(talk) == "questions"


def test_no_sentence_about_death_becomes_a_no_behind_a_no() -> None:
    told = sorted({text for kind, level, text in sentences() if level != "none"})
    for language, no in (("zh", "没有，"), ("en", "no, ")):
        name = "crisis.yaml" if language == "zh" else "crisis.en.yaml"
        (skill,) = [each for key, each in skills(name).items() if key.startswith("crisis_support")]
        variable = next(each for each in skill["declare"] if each.get("risk"))
        rules = VariableRules.model_validate({"type": "boolean", "rules": variable["rules"]})
        for text in told:
            for words in (
                text,
                no + text,
                f"{no}{ONLY_SAID[language][0]}，{text}",
                f"{ONLY_SAID[language][0]}\n{text}",
            ):
                read = parsing.parse_value(rules, words)
                assert read is None or read.value is not False, words
