"""The beginnings we ship for the judge: how many of each kind, and that a session asks about every one of them."""

from __future__ import annotations

from collections import Counter

from tests.evals.beginnings import quiet
from tests.evals.danger import SHIPPED

from heartrule.evals import extraction_answers, judge_items
from heartrule.evals.judge_items import LABELS
from heartrule.evals.judge_session import Session
from heartrule.evals.session_run import by_rules, unanswered

BEGINNINGS = judge_items.load_items([SHIPPED / "beginnings.jsonl"])


def test_there_are_enough_beginnings_of_every_kind() -> None:
    assert Counter(each.locale for each in BEGINNINGS) == {"zh-CN": 200, "en": 200}
    labels = Counter((each.locale, each.label) for each in BEGINNINGS)
    assert {label for _, label in labels} == set(LABELS)
    assert min(labels.values()) >= 8
    assert sum(each.calm for each in BEGINNINGS) == 200
    assert len({each.dialogue for each in BEGINNINGS}) == len(BEGINNINGS), "nobody says the same twice"


def test_a_label_agrees_with_what_should_come_of_it() -> None:
    for each in BEGINNINGS:
        assert each.own is not each.calm, each.id
        if each.label in ("active", "plan"):
            assert each.interrupts, each.id
        if each.label == "passive":
            assert not each.interrupts, each.id


def test_every_recorded_answer_belongs_to_what_is_asked_today() -> None:
    answers = extraction_answers.load_answers(SHIPPED / "answers.jsonl")
    left = unanswered([Session.of(each) for each in BEGINNINGS], answers, quiet)
    assert len(answers) == 379
    assert not left, sorted(left)[:3]


def test_the_judge_is_asked_wherever_rules_do_not_interrupt() -> None:
    some = BEGINNINGS[::8]
    ruled = by_rules([Session.of(each, "classifier") for each in some], quiet)
    open_ = {f"{each.item.id}.risk" for each in ruled if each.outcome.found != "explicit"}
    assert set(unanswered([Session.of(each) for each in some], {}, quiet)) == open_
    assert len(open_) >= len(some) / 2
