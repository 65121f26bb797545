"""What mends the conversation, or asks to stop it, is heard while something else than an answer is waited for."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from tests.engine.minds import option, press, spoken
from tests.engine.scripts import CALM, ask, check, compiled, phase, say, topic
from tests.engine.watchers import MEET, MEETING, watcher, words

from heartrule.testing.talk import Talk

MODELS = pytest.mark.parametrize("model", [None, {"risk": CALM}], ids=["no model", "a model that fails"])
FORM: dict[str, Any] = {"form": "小表", "id": "small", "fields": [{"id": "a", "label": "怎么样", "type": "text"}]}
LEADS = {
    "再说一遍": "repeat",
    "没听懂": "clarify",
    "为什么问这个": "purpose",
    "我想停了": "stop",
    "今天先聊到这吧": "stop",
    "我得去开会了": "stop",
    "can we stop here": "stop",
}
KINDS = {"choice": option("选", "甲", "乙"), "press": press("我好了"), "form": {"type": "show_form", "form": "small"}}


def waiting(kind: str, model: Any = None, *watchers: Any) -> Talk:
    steps = topic("T", say("先看看。"), KINDS[kind], ask("一？", "a"))
    whole: dict[str, Any] = {
        "sessions": [{"session": "谈", "id": "talk", "phases": [phase("P", steps)]}],
        "skills": [MEETING],
        "awareness": list(watchers),
    }
    whole |= {"forms": [FORM]} if kind == "form" else {}
    return Talk(compiled(yaml.safe_dump(whole, allow_unicode=True, sort_keys=False)), model)


@MODELS
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("said", LEADS)
def test_it_is_met_and_what_waits_stands(model: Any, kind: str, said: str) -> None:
    talk = waiting(kind, model)
    before, at = talk.request, talk.at
    talk.say(said)
    keys = [key for key in (f"repair_{LEADS[said]}", f"choice_{LEADS[said]}") if key in talk._spoken]
    assert talk.said[0].splitlines()[0] in spoken(talk, *keys)
    assert (talk.request, talk.at) == (before, at)
    assert talk.happened("variable") == []
    check(talk)


@pytest.mark.parametrize("kind", KINDS)
def test_a_person_is_asked_for(kind: str) -> None:
    talk = waiting(kind)
    before = talk.request
    talk.say("我要找真人")
    assert "变不成真人" in talk.said[0]
    assert talk.request == before


@pytest.mark.parametrize("kind", KINDS)
def test_a_script_that_hears_it_comes_and_what_waits_stands_again(kind: str) -> None:
    talk = waiting(kind, None, watcher(MEET, at="answer", rules=words("喘不过气|走了")))
    before, at = talk.request, talk.at
    for said in ("我喘不过气", "我得走了"):
        talk.say(said)
        assert talk.at == "meet_ask"
        talk.say("好些了")
        assert (talk.request.kind, talk.at) == (before.kind, at)
    check(talk)


def test_a_form_may_still_be_left() -> None:
    talk = waiting("form")
    talk.say("不想填")
    assert talk.at == "T#3"
