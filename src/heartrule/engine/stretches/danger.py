"""What in a stretch is about danger (marked ``risk``): asked before everything that is not needed, in the order in
which the talk comes to it; an answer to it that does not say is asked for once more before it counts as not ruled
out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from heartrule.engine.awareness import crisis
from heartrule.engine.extraction.extraction import ExtractionResult
from heartrule.engine.session.moves import PersonInput
from heartrule.engine.stretches.coverage import Coverage
from heartrule.engine.variables import dependencies, scopes
from heartrule.engine.variables.evidence import alarming, gets
from heartrule.engine.work import Work
from heartrule.language.nodes import Get

UNCLEAR = 2
"""Answers to one question about danger that do not say; then it counts as not ruled out."""


def is_about_danger(work: Work, item: Get) -> bool:
    return bool(dependencies.rules_of(work, item).risk)


def names(work: Work, action: Any) -> list[str]:
    """The outputs of a stretch that are about danger."""
    return [item.get for item in gets(action.output) if is_about_danger(work, item)]


def comes_first(work: Work, action: Any, asks: str, coverage: Coverage) -> str:
    """What about danger is still open and must be asked before ``asks``, an output of the stretch; empty where nothing
    is. Which of them comes first is the model's to tell from what was said ("it is all arranged")."""
    order = [item.get for item in gets(action.output)]
    about = [item.get for item in coverage.required if is_about_danger(work, item)]
    first = next(iter(about), "")
    if not first or asks not in order or asks in about:
        return ""
    needed = any(item.get == asks for item in coverage.required)
    return "" if needed and order.index(asks) < order.index(first) else first


def cannot_be_told(work: Work, action: Any, unknown: Collection[str]) -> list[str]:
    """What about danger was just asked for, and is beyond what they can tell (``unknown``), where thoughts of ending
    their life were told before: nothing is gained by a second question, and numbers come at once."""
    asking = str(work.frame.asking or "")
    told = scopes.lookup(work, crisis.THOUGHTS) is True
    return [asking] if told and asking in unknown and asking in names(work, action) else []


def alarms(
    work: Work,
    action: Any,
    heard: PersonInput,
    found: ExtractionResult,
    declined: Collection[str],
    asked: Mapping[str, int],
) -> bool:
    """Whether something comes before the reply. In the talk about wishes these are numbers, once, and it goes on:
    behind a yes to what is near, a refusal of what is about danger, and an answer to it that does not say, for the
    second time. Elsewhere it is the crisis technique, behind any yes."""
    about = names(work, action)
    told = {name for name in about if name in found.found and alarming(found.found[name].value)}
    if told and crisis.comes_before(work):
        return True
    if crisis.numbers_given(work):
        return False
    asking = str(work.frame.asking or "")
    if asking not in about or asking in found.found:
        return False
    return heard.repair in ("skip", "stop") or asking in declined or asked.get(asking, 0) >= UNCLEAR
