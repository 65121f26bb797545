"""What was offered and not filled in is told as such."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml
from tests.engine.scripts import Node, ask, phase, say, topic
from tests.reporting.material import HELD, ONE

from heartrule.engine.session.io import FormAnswers, Input, Turn
from heartrule.reporting.page import page
from heartrule.reporting.report_data import unfilled
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
    def unfilled(self) -> list[str]:
        return list(unfilled(self.script, self.rows))


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
        ("zh-CN", ("没有填的：睡眠小表",)),
        ("en", ("this time: 睡眠小表",)),
    ],
)
def test_the_page_says_so(locale: str, told: tuple[str, ...]) -> None:
    held = replace(HELD, unfilled=("睡眠小表",))
    made = page(replace(ONE, locale=locale, held=(held,)))
    assert all(words in made for words in told)
    assert "没有填" not in page(ONE)
