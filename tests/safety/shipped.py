"""The safety project as it stands in the repository, read without the engine."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from heartrule.engine.awareness.risk_rules import RiskMatcher, matcher_for
from heartrule.evals.risk_figures import Found
from heartrule.evals.risk_items import Utterance
from heartrule.evals.risk_run import by_rules
from heartrule.language.nodes import Awareness, RiskRules

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "library" / "safety"


@cache
def read(name: str) -> Any:
    return yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))


def awareness() -> dict[str, Any]:
    (only,) = read("suicide.yaml")["awareness"]
    return dict(only)


FILES = ("suicide.yaml", "child.yaml", "harm_to_others.yaml", "danger.yaml", "ethics.yaml")


@cache
def scripts() -> dict[str, dict[str, Any]]:
    """Every P0 awareness script by its id."""
    return {node["id"]: node for name in FILES for node in read(name)["awareness"]}


@cache
def every_rules() -> dict[str, RiskRules]:
    return {name: RiskRules.model_validate(node["condition"]["rules"]) for name, node in scripts().items()}


def matchers() -> dict[str, RiskMatcher]:
    return {name: matcher_for(rules) for name, rules in every_rules().items()}


@cache
def rules() -> RiskRules:
    return RiskRules.model_validate(awareness()["condition"]["rules"])


def matcher() -> RiskMatcher:
    return matcher_for(rules())


@cache
def watching() -> Awareness:
    return Awareness.model_validate(awareness())


def heard(text: str) -> Found:
    """What is heard of one's own danger without a language model: by rules, and by the classifier beside them."""
    (found,) = by_rules(watching(), [Utterance("", text, "none")], lambda *_: None)
    return found.found


def skills(name: str = "crisis.yaml") -> dict[str, dict[str, Any]]:
    return {skill["id"]: skill for skill in read(name)["skills"]}


def sentences() -> list[tuple[str, str, str]]:
    """(kind, wanted level, text) of our own labelled sentences."""
    path = Path(__file__).with_name("risk_sentences.yaml")
    table = yaml.safe_load(path.read_text(encoding="utf-8"))
    return [(kind, level, text) for kind, levels in table.items() for level, texts in levels.items() for text in texts]


def said_without_a_model(action: dict[str, Any]) -> dict[str, Any]:
    """What a model may word has words of its own for when there is none."""
    if action["type"] not in ("ai_say", "ai_ask") or "fallback" not in action:
        return action
    plain = {"ai_say": "say", "ai_ask": "ask"}[action["type"]]
    return {**action, "type": plain, "content": action["fallback"]}
