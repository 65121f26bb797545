"""The set of dialogues we ship: what is in it, that it can be answered rightly, and what a model made of it."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from tests.evals.dialogues import SHIPPED, recorded, told

from heartrule.evals import extraction_answers, extraction_items, extraction_run
from heartrule.evals.extraction_answers import NOTE
from heartrule.evals.extraction_figures import Report, report
from heartrule.evals.extraction_items import LabelledDialogue
from heartrule.evals.extraction_round import Round

ANSWERS = SHIPPED.with_name("answers.jsonl")
LEAST = 0.90
TYPES = {"text", "integer", "number", "boolean", "enum", "date", "list", "object"}
TAGS = {
    *("first", "diary", "abc", "family", "sleep", "work", "study", "relationship", "medication"),
    *("number_words", "range", "relative_date", "paraphrase", "implied", "list", "object", "correction", "digression"),
    *("refusal", "third_person", "dialect", "typo", "burst", "two_in_one", "earlier", "denial", "pattern"),
}
ITEMS = extraction_items.load_items(SHIPPED)


def quiet(done: int, of: int) -> None:
    pass


@pytest.fixture(scope="module")
def rounds() -> list[Round]:
    return [Round.of(item) for item in ITEMS]


def empty(item: LabelledDialogue) -> bool:
    return any(gold is None for gold in item.gold.values())


def test_there_is_enough_of_everything() -> None:
    assert len(ITEMS) >= 110
    assert {each.get("type", "text") for item in ITEMS for each in item.output} == TYPES
    assert {tag for item in ITEMS for tag in item.tags} == TAGS
    assert 0.2 <= sum(map(empty, ITEMS)) / len(ITEMS) <= 0.3
    why = Counter(kind for item in ITEMS for kind in item.missing.values())
    assert min(why[kind] for kind in extraction_items.KINDS) >= 8
    assert len({item.answer for item in ITEMS}) == len(ITEMS), "nothing is said twice"


def test_every_item_is_asked_by_a_session(rounds: list[Round]) -> None:
    for held in rounds:
        prompt = extraction_answers.prompt_of(held)
        assert prompt is not None, held.item.id
        text = extraction_answers.as_text(prompt)
        assert all(line in text for said in held.item.answer for line in said.splitlines()), held.item.id
        assert all(f"- {each['get']}" in text for each in held.item.output), held.item.id


def test_whoever_reads_as_carefully_as_the_gold_is_right_everywhere(rounds: list[Round]) -> None:
    """No item asks for what the engine cannot hold: a range that its value breaks, a form that no answer has."""
    full = [held for held in rounds if not empty(held.item)]
    answers = {name: each for held in full for name, each in recorded(held, told(held.item)).items()}
    found = asyncio.run(extraction_run.by_answers(full, answers, quiet))
    assert [(each.item.id, dict(each.verdicts)) for each in found if not each.success] == []


def test_whoever_finds_nothing_is_right_nowhere_but_where_nothing_is(rounds: list[Round]) -> None:
    full = [held for held in rounds if not empty(held.item) and not held.item.before]
    answers = {name: each for held in full for name, each in recorded(held, '{"EXIT": "NO", "content": ""}').items()}
    found = report(asyncio.run(extraction_run.by_answers(full, answers, quiet)))
    assert {each.strategy for each in found.faults} <= {"", "rules"}
    assert found.successes <= len(full) / 10, "rules read a plain number or date by themselves"
    assert found.values.missed > found.values.wrong


def test_rules_alone_read_some_of_it(rounds: list[Round]) -> None:
    """The figure of docs/evaluation.md."""
    found = report(extraction_run.by_rules(rounds, quiet))
    assert found.success is not None
    assert 0.25 <= found.success.value <= 0.6, found.successes
    assert found.values.invented <= 6, [(each.id, each.held) for each in found.faults if each.verdict == "invented"]
    assert found.came == {"rules": len(ITEMS)}


def recorded_report(rounds: list[Round]) -> Report:
    answers = extraction_answers.load_answers(ANSWERS)
    return report(asyncio.run(extraction_run.by_answers(rounds, answers, quiet)))


@pytest.mark.skipif(not ANSWERS.exists(), reason="no answers of a model have been recorded yet")
def test_a_model_that_saw_only_the_prompts_is_right_at_once(rounds: list[Round]) -> None:
    found = recorded_report(rounds)
    assert found.stale == [], "the prompt has changed since: render, have it answered and record again"
    assert found.came == {"read": len(ITEMS)}, found.came
    assert found.success is not None
    assert found.success.value >= LEAST, [(each.id, each.name, each.verdict) for each in found.faults]


@pytest.mark.skipif(not ANSWERS.exists(), reason="no answers of a model have been recorded yet")
def test_the_answers_say_whose_they_are() -> None:
    lines = ANSWERS.read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(ITEMS)
    assert all(NOTE in line for line in lines)
