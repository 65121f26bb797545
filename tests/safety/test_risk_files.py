"""The utterances of our own in bench/risk: what is heard of them does not fall, and nothing harmless interrupts."""

from __future__ import annotations

from functools import cache

from tests.safety.shipped import ROOT, awareness, every_rules
from tests.table import tabled

from heartrule.engine.awareness.risk_rules import matcher_for
from heartrule.evals.risk_figures import GROUPS, Found
from heartrule.evals.risk_items import Utterance, load_utterances
from heartrule.evals.risk_run import by_rules
from heartrule.language.nodes import Awareness

FILES = ("said.jsonl", "said_later.jsonl")


@cache
def heard(name: str) -> list[tuple[Utterance, Found]]:
    rows = load_utterances(ROOT / "bench" / "risk" / name)
    node = Awareness.model_validate(awareness())
    return [(each.row, each.found) for each in by_rules(node, rows, lambda *_: None)]


def share(found: list[Found]) -> float:
    return sum(each != "none" for each in found) / len(found)


@tabled(
    ("name", "active", "passive", "all_of_it"),
    [("said.jsonl", 0.87, 0.96, 0.91), ("said_later.jsonl", 0.8, 0.84, 0.84)],
)
def test_what_is_heard_does_not_fall(name: str, active: float, passive: float, all_of_it: float) -> None:
    rows = heard(name)
    assert share([found for row, found in rows if GROUPS["active"] & set(row.sub)]) > active
    assert share([found for row, found in rows if GROUPS["passive"] & set(row.sub)]) > passive
    assert share([found for row, found in rows if row.risk == "self_harm"]) > all_of_it


@tabled("name", FILES)
def test_few_harmless_ones_are_asked_about(name: str) -> None:
    assert share([found for row, found in heard(name) if row.risk == "none"]) < 0.12


@tabled("name", FILES)
def test_nothing_harmless_interrupts(name: str) -> None:
    interrupted = [
        (script, row.id)
        for script, rules in every_rules().items()
        for row, _ in heard(name)
        if row.risk == "none" and script != "wants_diagnosis" and matcher_for(rules).match(row.text).level == "explicit"
    ]
    assert interrupted == []
