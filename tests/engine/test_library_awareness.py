"""The awareness scripts that we ship: each hears its own examples, and what it calls is gone through to its end."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Any

import pytest

from heartrule.engine.awareness.risk_rules import matcher_for
from heartrule.engine.session.events import Escalated, Noticed
from heartrule.engine.session.tasks import Task
from heartrule.language.nodes import Awareness
from heartrule.testing.talk import Talk, shipped

SESSIONS = ("cbt/abc_intro", "cbt/abc_intro_en", "cbt/first_assessment")
HINTS = ("resistance", "off_topic", "not_understanding")
CALLED = {"overload": "settle", "wants_to_stop": "stop_or_stay", "asks_for_human": "reach_a_human"}


def _scripts() -> Iterator[tuple[str, Awareness]]:
    seen = {}
    for session in SESSIONS:
        seen |= {ref: node for ref, node in shipped(session).awareness.items() if ref.startswith("cbt/")}
    yield from sorted(seen.items())


WITH_RULES = [(ref, node) for ref, node in _scripts() if node.noticing and node.noticing.rules]


@pytest.mark.parametrize(("ref", "node"), WITH_RULES, ids=[ref for ref, _ in WITH_RULES])
def test_rules_hear_their_examples_and_nothing_that_they_are_to_pass(ref: str, node: Awareness) -> None:
    assert node.noticing is not None
    assert node.noticing.rules is not None
    matcher = matcher_for(node.noticing.rules)
    for rule in node.noticing.rules.all():
        assert rule.match, f"{ref}: a rule without an example"
        for text in rule.match:
            assert matcher.match(text).level is not None, text
        for text in rule.pass_:
            assert matcher.match(text).level is None, text
    for text in node.noticing.examples.miss:
        assert matcher.match(text).level is None, text


def _at_a_question(session: str, model: Any = None) -> Talk:
    """As far as the first ``ai_ask`` that waits for words."""
    return _to_a_question(Talk(shipped(session), model, reaches=["desk"]))


def _to_a_question(talk: Talk) -> Talk:
    for _ in range(20):
        running = talk.state.running
        assert running is not None
        assert running.action is not None
        if running.action.type == "ai_ask" and talk.request.kind == "message":
            return talk
        if talk.request.kind == "choice":
            talk.choose(talk.request.choices[0].value)
        else:
            talk.say("嗯")
    raise AssertionError("no question")


def _ref(talk: Talk) -> str:
    assert talk.state.running is not None
    return talk.state.running.ref


def _last(talk: Talk, name: str) -> Noticed:
    return next(e for e in reversed(talk.events) if isinstance(e, Noticed) and e.awareness == f"cbt/{name}")


@pytest.mark.parametrize("session", ["cbt/abc_intro", "cbt/abc_intro_en"])
@pytest.mark.parametrize("name", CALLED)
def test_without_a_model_rules_call_the_technique_and_it_leads_back(session: str, name: str) -> None:
    en = session.endswith("_en")
    name, technique = (f"{name}_en", f"cbt/{CALLED[name]}_en") if en else (name, f"cbt/{CALLED[name]}")
    talk = _at_a_question(session)
    talk.say("小林")  # now a number is asked for, which these words are not
    node = talk.script.awareness[f"cbt/{name}"]
    assert node.noticing is not None
    assert node.noticing.rules is not None
    at, topic = talk.at, _ref(talk)
    talk.say(node.noticing.rules.explicit[0].match[0])
    assert _last(talk, name).verdict == "yes"
    assert _ref(talk) == technique
    for value in ("tell", "rest", "again", "go_on"):
        while talk.request.kind == "choice" and value in [c.value for c in talk.request.choices]:
            talk.choose(value)
            if value != "again" or talk.value("稳下来了") != "again":
                break
        if talk.request.kind == "press":
            talk.say("我回来了")
    assert (talk.at, _ref(talk)) == (at, topic)
    assert not talk.state.suspended


def _holding(judge: str) -> Any:
    """A model that finds this one thing in what was said."""
    wanted = " ".join(judge.split())[:20]

    def perceive(task: Task) -> dict[str, Any]:
        lines = [line for part in ("watched", "judgements") for line in str(task.values[part]).split("\n")]
        numbers = [re.match(r"\d+", line) for line in lines if wanted in line]
        holds = [{"id": int(found[0]), "confidence": 0.9, "evidence": ""} for found in numbers if found]
        return {"holds": holds, "values": [], "notes": []}

    def reply(task: Task) -> dict[str, Any]:
        return {"EXIT": "NO", "progress_suggestion": "continue_needed", "values": {}, "content": "嗯，你再说说？"}

    nobody = {"verdicts": [{"id": n, "verdict": "no", "confidence": 0.9} for n in range(1, 6)]}
    opening = {"content": "说说看？"}
    return {"perceive": perceive, "listen": perceive, "ai_ask": reply, "ai_ask_open": opening, "risk": nobody}


def _judged(session: str, name: str) -> Talk:
    """A model has found this one in what was said."""
    noticing = shipped(session).awareness[f"cbt/{name}"].noticing
    assert noticing is not None
    talk = _at_a_question(session, _holding(noticing.judge))
    talk.say("这件事说来话长，我想想")
    found = _last(talk, name)
    assert (found.verdict, found.source, found.hook_point) == ("yes", "model", "answer")
    return talk


@pytest.mark.parametrize("name", CALLED)
def test_with_a_model_its_judgement_calls(name: str) -> None:
    assert _ref(_judged("cbt/abc_intro", name)) == f"cbt/{CALLED[name]}"


@pytest.mark.parametrize("name", HINTS)
def test_with_a_model_its_judgement_goes_into_the_next_prompt(name: str) -> None:
    talk = _judged("cbt/first_assessment", name)
    talk.model = {**_holding("没有"), **{k: v for k, v in _holding("没有").items() if k == "ai_ask"}}
    talk.say("那我再说一点")
    told = [t for t in talk.asked if t.template == "ai_ask"][-1].values["monitor_feedback"]
    node = talk.script.awareness[f"cbt/{name}"]
    assert node.then[0].text
    assert node.then[0].text[:12] in told


def _asking(session: str, *, reaches: Any = ("desk",), off: str = "") -> Talk:
    """Somebody has just asked for a human, at a question."""
    script = shipped(session)
    if off:
        node = script.project.model_copy(update={"directives": [off]})
        script = dataclasses.replace(script, project=node)
    talk = Talk(script, reaches=list(reaches))
    _to_a_question(talk)
    talk.say(ASKS[session])
    assert "/reach_a_human" in _ref(talk) or not reaches
    return talk


ASKS = {"cbt/abc_intro": "我要找真人", "cbt/abc_intro_en": "Can I talk to a human?"}
LEFT = {"cbt/abc_intro": "话留好了", "cbt/abc_intro_en": "Word is left"}
UNTOLD = {"cbt/abc_intro": "没能留出去", "cbt/abc_intro_en": "could not be left"}
NOBODY = {"cbt/abc_intro": "没有人值班", "cbt/abc_intro_en": "Nobody is on duty"}


def _names_a_number(talk: Talk) -> bool:
    return any(each.number in text for each in talk.script.helplines for text in talk.said)


def _desk(talk: Talk) -> list[tuple[str, bool]]:
    return [(event.to, bool(event.note)) for event in talk.events if isinstance(event, Escalated)]


@pytest.mark.parametrize("session", list(ASKS))
def test_who_asks_for_a_human_and_agrees_is_told_of_each_time(session: str) -> None:
    talk = _asking(session)
    talk.choose("tell")
    assert any(LEFT[session] in text for text in talk.said)
    assert _desk(talk) == [("desk", True)]
    talk.say(ASKS[session])
    assert "/reach_a_human" in _ref(talk), "an explicit request does not wait"
    talk.choose("tell")
    assert any(LEFT[session] in text for text in talk.said)
    assert _desk(talk) == [("desk", True)] * 2


@pytest.mark.parametrize("session", list(ASKS))
def test_word_is_not_said_to_be_left_where_it_was_not(session: str) -> None:
    talk = _asking(session, off="CALL_TECHNIQUE")
    talk.choose("tell")
    assert _desk(talk) == []
    assert not any(LEFT[session] in text for text in talk.said)
    assert any(UNTOLD[session] in text for text in talk.said)
    assert _names_a_number(talk)


@pytest.mark.parametrize("session", list(ASKS))
def test_where_nobody_is_on_duty_none_is_promised(session: str) -> None:
    talk = _asking(session, reaches=())
    assert talk.request.kind == "message"
    assert any(NOBODY[session] in text for text in talk.said)
    assert not any(LEFT[session] in text for text in talk.said)
    assert _desk(talk) == []


def test_who_declines_is_not_told_of() -> None:
    talk = _asking("cbt/abc_intro")
    talk.choose("no")
    assert not any(isinstance(event, Escalated) for event in talk.events)


@pytest.mark.parametrize("session", ["cbt/abc_intro", "cbt/abc_intro_en"])
@pytest.mark.parametrize("then", ["rest", "stop", "go_on"])
def test_who_has_not_settled_after_three_times_is_not_dropped_back(session: str, then: str) -> None:
    talk = _at_a_question(session)
    at = talk.at
    name = "overload_en" if session.endswith("_en") else "overload"
    node = talk.script.awareness[f"cbt/{name}"]
    assert node.noticing is not None
    assert node.noticing.rules is not None
    talk.say(node.noticing.rules.explicit[0].match[0])
    for _ in range(3):
        talk.choose("again")
    assert [choice.value for choice in talk.request.choices] == ["rest", "stop", "go_on"]
    assert _names_a_number(talk)
    talk.choose(then)
    if then == "rest":
        assert talk.request.kind == "press"
        talk.say("我回来了")
    assert talk.ended == (then == "stop")
    assert then == "stop" or talk.at == at


def _in_danger(talk: Talk) -> Talk:
    """Explicit words, then yes to every question, up to the choice."""
    talk.say("我不想活了，今晚就去")
    for _ in range(12):
        if talk.request.kind == "choice":
            return talk
        talk.say("有")
    raise AssertionError("the technique asks without end")


def _told(talk: Talk) -> list[str]:
    return [event.to for event in talk.events if isinstance(event, Escalated)]


def test_those_on_duty_are_told_of_danger_once_and_the_person_hears_of_it() -> None:
    talk = _in_danger(_to_a_question(Talk(shipped("cbt/abc_intro"))))
    assert _told(talk) == ["desk"]
    assert not any("发了提醒" in message.text for message in talk.history), "nobody is there to be told"
    talk = Talk(shipped("cbt/abc_intro"), reaches=["desk"])
    _in_danger(talk)
    assert _told(talk) == ["desk"]
    assert any("发了提醒" in message.text for message in talk.history)
    talk.choose("company")
    talk.say("难熬")
    assert _told(talk) == ["desk"]


@pytest.mark.parametrize(("answer", "told"), [("agreed", ["desk", "contact"]), ("declined", ["desk"])])
def test_their_contact_is_told_only_when_they_agree(answer: str, told: list[str]) -> None:
    talk = _in_danger(Talk(shipped("cbt/abc_intro"), reaches=["desk", "contact"]))
    assert [choice.value for choice in talk.request.choices] == ["agreed", "declined"]
    talk.choose(answer)
    assert _told(talk) == told
    assert [choice.value for choice in talk.request.choices] == ["company", "safe"]


def test_words_will_do_for_the_choice_about_the_contact() -> None:
    talk = _in_danger(Talk(shipped("cbt/abc_intro"), reaches=["desk", "contact"]))
    talk.say("不要告诉他")
    assert _told(talk) == ["desk"]
    talk = _in_danger(Talk(shipped("cbt/abc_intro"), reaches=["desk", "contact"]))
    talk.say("好的")
    assert _told(talk) == ["desk", "contact"]


def test_nothing_but_danger_is_told_while_it_is_handled() -> None:
    talk = Talk(shipped("cbt/abc_intro"), reaches=["desk"])
    talk.say("我不想活了")
    talk.say("我要找真人")
    assert _ref(talk).startswith("safety/")
    assert all(
        e.verdict == "no" or e.rest for e in talk.events if isinstance(e, Noticed) and e.awareness.startswith("cbt/")
    )
