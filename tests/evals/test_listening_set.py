"""The beginnings and refusals we ship: what is in them, and that sessions can hear them rightly."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from tests.evals.beginnings import SHIPPED

from heartrule.engine.session.tasks import Answer, Task
from heartrule.evals import listening_items
from heartrule.evals.listening_figures import report
from heartrule.evals.listening_items import ListeningItem, Refusal
from heartrule.evals.listening_session import Session
from heartrule.evals.session_run import ItemOutcome
from heartrule.language.compiling.script import Script

BEGINNINGS: list[Any] = listening_items.load_items([SHIPPED / "beginnings.jsonl"])
REFUSALS: list[Any] = listening_items.load_items([SHIPPED / "refusals.jsonl"])
TAGS = {
    *("near", "far", "in_list", "one_breath", "implied", "denied", "corrected"),
    *("other_person", "former", "similar", "refused"),
}
KINDS = {"plain", "clause", "soft", "meta", "later", "dont_know", "short", "part", "sarcasm", "lookalike"}


def test_there_are_enough_beginnings_of_every_kind() -> None:
    assert Counter(each.lang for each in BEGINNINGS) == {"zh": 210, "en": 90}
    assert all(isinstance(each, ListeningItem) and 4 <= len(each.wanted) <= 10 for each in BEGINNINGS)
    told = Counter(value for each in BEGINNINGS for value in each.told.values())
    assert 0.4 <= told[True] / sum(told.values()) <= 0.5
    tags = Counter(tag for each in BEGINNINGS for tags in each.tags_of.values() for tag in tags)
    assert set(tags) == TAGS
    assert min(tags.values()) >= 15
    assert len({each.dialogue for each in BEGINNINGS}) == len(BEGINNINGS), "nobody says the same twice"


def test_what_is_hard_about_a_thing_agrees_with_its_label() -> None:
    for each in BEGINNINGS:
        for name, tags in each.tags_of.items():
            if "refused" in tags or "similar" in tags:
                assert each.told[name] is not True, (each.id, name)
            if {"implied", "denied", "corrected"} & set(tags):
                assert each.told[name] is not False, (each.id, name)


def test_there_are_enough_refusals_of_every_kind() -> None:
    assert Counter(each.lang for each in REFUSALS) == {"zh": 140, "en": 60}
    assert {each.kind for each in REFUSALS} == KINDS
    assert 80 <= sum(each.declines for each in REFUSALS) <= 120
    assert sum(each.boundary is not None for each in REFUSALS) >= 40
    for each in REFUSALS:
        assert isinstance(each, Refusal)
        assert 2 <= len(each.dialogue) - 1 <= 6, each.id
        assert each.asked in each.covers or not each.declines, each.id
        assert not each.declines or each.kind not in ("dont_know", "short", "lookalike"), each.id


@pytest.mark.parametrize("items", [BEGINNINGS, REFUSALS], ids=["beginnings", "refusals"])
def test_every_item_makes_a_session_that_asks(items: list[Any]) -> None:
    for item in items[::7]:
        asked: list[str] = []

        async def nobody(script: Script, tasks: Sequence[Task], asked: list[str] = asked) -> Mapping[str, Answer]:
            asked += [task.template for task in tasks]
            return {task.key: Answer(task.key, "failed") for task in tasks}

        asyncio.run(Session.of(item).held(nobody))
        if item.lang == "zh" or isinstance(item, ListeningItem):
            assert "stretch" in asked, item.id


def test_who_reads_as_carefully_as_the_labels_keeps_every_refusal() -> None:
    """A model that names what is covered and proves it with the words is believed, and nothing else is."""
    found = []
    for item in REFUSALS:

        async def careful(script: Script, tasks: Sequence[Task], item: Refusal = item) -> Mapping[str, Answer]:
            return {task.key: _careful(task, item) for task in tasks}

        found.append(ItemOutcome(item, asyncio.run(Session.of(item).held(careful)), {}))
    (section,) = report(found).sections
    assert section.all.heard.share is not None
    assert section.all.heard.share.value >= 0.95, section.missed
    assert section.wrong == []


def _careful(task: Task, item: Refusal) -> Answer:
    covers = sorted(item.covers)
    said = item.dialogue[-1].text
    if task.template == "stretch":
        data: dict[str, Any] = {"values": {}, "declined": covers, "asks": "", "EXIT": "NO", "content": "嗯。"}
    elif task.template == "listen":
        note = {"kind": "boundary", "text": item.boundary, "evidence": said[:20], "covers": covers}
        data = {"values": [], "notes": [note] if item.boundary else []}
    else:
        return Answer(task.key, "failed")
    return Answer(task.key, "answered", data)
