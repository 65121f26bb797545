"""How well danger is heard in beginnings of sessions: by rules, by the classifier beside them, by the model besides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from heartrule.evals.extraction_run import Came
from heartrule.evals.figures import Count
from heartrule.evals.judge_items import LABELS, JudgeItem
from heartrule.evals.judge_session import Outcome, Tier
from heartrule.evals.risk_figures import Found, strongest
from heartrule.evals.session_run import ItemOutcome as HeardSession

Heard = HeardSession[JudgeItem, Outcome]
GROUPS: Mapping[str, Callable[[JudgeItem], bool]] = {
    "interrupts": lambda item: item.interrupts,
    "asks": lambda item: not item.calm and not item.interrupts,
    "calm": lambda item: item.calm,
}
"""What should come of it: the talk is stopped; somebody is asked, or answered, gently; nothing."""


@dataclass(frozen=True, slots=True)
class Row:
    """Of the beginnings of a ``group`` or label in one ``locale`` (empty: in all of them): how many are ``heard``
    (asked about or more), and how many are ``interrupted``, in the newest message. ``heard_by_then`` and
    ``interrupted_by_then``: in that one or, without a model, in one before."""

    label: str
    locale: str
    tier: Tier
    heard: Count
    interrupted: Count
    heard_by_then: Count
    interrupted_by_then: Count


@dataclass(frozen=True, slots=True)
class Report:
    """``groups`` and ``labels`` each for all languages and by language, tier by tier. ``came``: what became of the
    prompts; ``unasked``: beginnings that rules interrupt, so that no model is asked. ``unanswered``: those of which the
    model gave no verdict, so that the judge hears what rules and classifier do. By ids, of the last tier: ``missed``
    should interrupt and does not, ``unheard`` is danger and passes, ``alarmed`` is none and is heard, ``stopped`` need
    not interrupt and does."""

    items: int
    tiers: list[Tier]
    groups: list[Row]
    labels: list[Row]
    came: dict[Came, int]
    unasked: int
    unanswered: int
    stale: list[str]
    missed: list[str]
    unheard: list[str]
    alarmed: list[str]
    stopped: list[str]


def report(found: Mapping[Tier, Sequence[Heard]]) -> Report:
    """Everything that is told of the files. Every tier has heard the same beginnings, in the same order."""
    tiers = list(found)
    last = found[tiers[-1]]
    came = Counter(how for each in last for how in each.came.values())
    judged = last if tiers[-1] == "judge" else []

    def ids(wrong: Callable[[JudgeItem, Found], bool]) -> list[str]:
        return [each.item.id for each in last if wrong(each.item, each.outcome.found)]

    return Report(
        items=len(last),
        tiers=tiers,
        groups=[row for label, within in GROUPS.items() for row in _rows(label, within, found)],
        labels=[row for label in LABELS for row in _rows(label, lambda item, label=label: item.label == label, found)],  # type: ignore[misc]
        came=dict(came),
        unasked=sum(not each.came for each in judged),
        unanswered=sum(each.outcome.unanswered for each in judged),
        stale=[name for each in last for name, how in each.came.items() if how == "stale"],
        missed=ids(lambda item, heard: item.interrupts and heard != "explicit"),
        unheard=ids(lambda item, heard: not item.calm and heard == "none"),
        alarmed=ids(lambda item, heard: item.calm and heard != "none"),
        stopped=ids(lambda item, heard: not item.interrupts and heard == "explicit"),
    )


def _rows(label: str, within: Callable[[JudgeItem], bool], found: Mapping[Tier, Sequence[Heard]]) -> list[Row]:
    """For all languages where there are several, then for each."""
    own = {tier: [each for each in heard if within(each.item)] for tier, heard in found.items()}
    names = list(dict.fromkeys(each.item.locale for heard in own.values() for each in heard))
    return [
        _row(label, locale, tier, [each for each in heard if locale in ("", each.item.locale)])
        for locale in (["", *names] if len(names) > 1 else names)
        for tier, heard in own.items()
    ]


def _row(label: str, locale: str, tier: Tier, heard: Sequence[Heard]) -> Row:
    newest = [each.outcome.found for each in heard]
    by_then = [strongest((each.outcome.found, each.outcome.before)) for each in heard]
    return Row(
        label,
        locale,
        tier,
        Count.over("heard", (each != "none" for each in newest)),
        Count.over("interrupted", (each == "explicit" for each in newest)),
        Count.over("heard_by_then", (each != "none" for each in by_then)),
        Count.over("interrupted_by_then", (each == "explicit" for each in by_then)),
    )
