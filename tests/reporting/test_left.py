"""What was not talked about, not talked through, and not filled in is told as such."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml
from tests.engine.minds import option
from tests.engine.scripts import Node, ask, phase, say, topic
from tests.reporting.material import HELD, ONE

from heartrule.engine.io import FormAnswers, Input, Turn
from heartrule.reporting.gathering import left, unfilled
from heartrule.reporting.page import page
from heartrule.sessions.rows import event_rows
from heartrule.store.records import EventRecord
from heartrule.testing.talk import Talk, compile_text

FORM = {"form": "睡眠小表", "id": "f", "fields": [{"id": "q", "label": "睡得好吗", "type": "text"}]}


class Recorded(Talk):
    """A talk with all its events as they are stored."""

    def __init__(self, *topics: Node) -> None:
        self.rows: list[EventRecord] = []
        session = {"session": "谈话", "id": "talk", "phases": [phase("P", *topics)]}
        text = yaml.safe_dump({"sessions": [session], "forms": [FORM]}, allow_unicode=True, sort_keys=False)
        super().__init__(compile_text(text))

    def move(self, given: Input) -> Turn:
        turn = super().move(given)
        self.rows += event_rows(turn)
        return turn

    @property
    def left(self) -> list[str]:
        return list(left(self.script, self.rows))

    @property
    def unfilled(self) -> list[str]:
        return list(unfilled(self.script, self.rows))


def hard(name: str = "失去") -> Node:
    return topic(name, ask("那时怎样？", "那时"), id="hard", sensitive=True)


NEAR = topic("近况", ask("近来怎样？", "近况"), id="near")
PICKED = topic("再见", say("要停吗？"), option("停", "停下", "继续"), id="bye")


def test_who_leaves_a_hard_topic_out_has_not_talked_about_it() -> None:
    talk = Recorded(NEAR, hard(), PICKED)
    talk.say("还行")
    talk.choose("skip")
    assert talk.left == ["失去"]


def test_who_puts_it_off_and_talks_about_it_later_has() -> None:
    talk = Recorded(hard(), NEAR)
    talk.choose("later")
    talk.say("还行")
    talk.choose("go_on")
    assert talk.left == []
    talk.say("很难")
    assert talk.left == []


def test_a_topic_that_is_stopped_half_way_is_not_talked_through() -> None:
    talk = Recorded(NEAR, topic("以后", ask("以后呢？", "以后"), id="later"))
    talk.say("还行")
    assert talk.left == [], "it is under way"
    talk.move(Input("end"))
    assert talk.left == ["以后"]


def test_what_was_never_come_to_or_not_meant_for_them_is_not_told() -> None:
    talk = Recorded(NEAR, topic("别的", say("别的。"), id="other", condition="近况 == '好'"), PICKED, hard())
    talk.say("还行")
    talk.move(Input("end"))
    assert talk.left == ["再见"]


@pytest.mark.parametrize("how", ["words", "button"])
def test_a_form_that_is_put_away_is_told(how: str) -> None:
    talk = Recorded(
        topic("填表", say("填一下？"), {"type": "show_form", "form": "f", "id": "put"}, ask("还有？", "x"), id="t")
    )
    assert talk.unfilled == [], "it waits"
    form = talk.request.form
    assert form is not None
    talk.say("不想填") if how == "words" else talk.move(Input("form_cancel", form=FormAnswers(form.key, {})))
    assert talk.unfilled == ["睡眠小表"]


def test_a_form_that_is_handed_in_is_not() -> None:
    talk = Recorded(topic("填表", {"type": "show_form", "form": "f", "id": "put"}, ask("还有？", "x"), id="t"))
    form = talk.request.form
    assert form is not None
    talk.move(Input("form_submit", form=FormAnswers(form.key, {"q": "好"})))
    assert talk.unfilled == []


@pytest.mark.parametrize(
    ("locale", "told"),
    [
        ("zh-CN", ("没有谈完的：失去、以后", "没有填的：睡眠小表")),
        ("en", ("not to the end: 失去, 以后", "this time: 睡眠小表")),
    ],
)
def test_the_page_says_so(locale: str, told: tuple[str, str]) -> None:
    held = replace(HELD, left=("失去", "以后"), unfilled=("睡眠小表",))
    made = page(replace(ONE, locale=locale, held=(held,)))
    assert all(words in made for words in told)
    assert "没有谈到" not in page(ONE)
    assert "没有填" not in page(ONE)
