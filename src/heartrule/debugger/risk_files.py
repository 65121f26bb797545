"""Labelled sentences put before the awareness scripts of a debug session: what each hears without a language model, by
rules and by the classifier that it names, as a session would; which it misses, and which it raises wrongly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from heartrule.classifiers import OWN_DANGER, Classifiers
from heartrule.debugger.awareness_view import reachable
from heartrule.debugger.session import DebugSession
from heartrule.engine.awareness.awareness import read_along
from heartrule.engine.awareness.risk_rules import RiskMatcher, matcher_for
from heartrule.engine.session.awareness_results import Verdict
from heartrule.evals.risk_items import Utterance
from heartrule.language.nodes import Awareness, RiskRules

Level = Literal["explicit", "watch", "none"]


@dataclass(frozen=True, slots=True)
class SentenceResult:
    """What one sentence got. ``reason`` and ``evidence``: of the rule or classifier that decided, also where it was
    taken back (``doubted``: what stands around it makes it hardly the person's own and present). ``score``: the
    classifier's estimate from 0 to 1, where the script names one."""

    row: Utterance = field(repr=False)
    level: Level
    source: str
    reason: str = field(repr=False)
    evidence: str = field(repr=False)
    about: str
    doubted: bool
    score: float | None


@dataclass(frozen=True, slots=True)
class LabelCount:
    """How often the sentences of a label got what."""

    label: str
    explicit: int
    watch: int
    none: int


@dataclass(frozen=True, slots=True)
class ScriptResult:
    """One script. ``wanted``: the labels that it is to hear; ``missed``: sentences of those that it did not;
    ``wrong``: sentences without danger and without such a label that it did. ``by_model``: it has neither rules nor a
    classifier, so that nothing was put before it."""

    awareness: str
    name: str
    priority: str
    by_model: bool
    wanted: tuple[str, ...]
    counts: tuple[LabelCount, ...]
    missed: tuple[SentenceResult, ...] = field(repr=False)
    wrong: tuple[SentenceResult, ...] = field(repr=False)


def labels(rows: Sequence[Utterance]) -> dict[str, int]:
    """How many sentences have each label: the kind of risk, and the finer ones."""
    found = Counter(label for row in rows for label in _labels(row))
    return dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))


def listened(
    session: DebugSession,
    rows: Sequence[Utterance],
    known: Collection[str],
    awareness: str = "",
    wanted: Sequence[str] = (),
) -> list[ScriptResult]:
    """By all scripts that the session can reach, or by this one. ``known``: the labels of the whole file, of which
    ``rows`` may be a part. ``wanted``: what is to be heard; without it the labels that a script is named by, else
    ``self_harm`` for those that the classifier of one's own danger reads along with."""
    present = session.classifiers
    return [
        _by(ref, node, rows, tuple(wanted) or _meant(ref, node, known), present)
        for ref, node in reachable(session).items()
        if awareness in ("", ref)
    ]


def _meant(ref: str, node: Awareness, known: Collection[str]) -> tuple[str, ...]:
    named = tuple(each for each in dict.fromkeys((ref, ref.partition("/")[2], node.awareness)) if each in known)
    own = node.noticing is not None and node.noticing.classifier == OWN_DANGER
    return named or (("self_harm",) if own else ())


def _by(
    ref: str, node: Awareness, rows: Sequence[Utterance], wanted: tuple[str, ...], present: Classifiers
) -> ScriptResult:
    noticing = node.noticing
    named = (ref, node.awareness, node.priority)
    if noticing is None or (noticing.rules is None and noticing.classifier is None):
        return ScriptResult(*named, True, wanted, (), (), ())
    matcher = matcher_for(noticing.rules or RiskRules())
    heard = [_hear(ref, node, matcher, row, present) for row in rows]
    aimed = [not {*wanted}.isdisjoint(_labels(each.row)) for each in heard]
    missed = tuple(each for each, its in zip(heard, aimed, strict=True) if its and each.level == "none")
    wrong = tuple(
        each for each, its in zip(heard, aimed, strict=True) if not its and each.row.risk == "none" != each.level
    )
    return ScriptResult(*named, False, wanted, tuple(_counted(heard)), missed, wrong)


def _hear(ref: str, node: Awareness, matcher: RiskMatcher, row: Utterance, present: Classifiers) -> SentenceResult:
    match = matcher.match(row.text)
    level: Literal["yes", "watch", "no"] = "yes" if match.level == "explicit" else match.level or "no"
    ruled = Verdict(ref, node, level, "rules", match.reason, match.evidence, about=match.about, doubted=match.doubted)
    found = read_along(ruled, present, row.text)
    classifier = present.get((node.noticing.classifier if node.noticing is not None else None) or "")
    got: Level = "explicit" if found.verdict == "yes" else "watch" if found.verdict == "watch" else "none"
    return SentenceResult(
        row,
        got,
        found.source,
        found.reason,
        found.evidence or match.evidence,
        found.about,
        match.doubted,
        round(classifier.estimate(row.text).score, 2) if classifier is not None else None,
    )


def _counted(heard: Sequence[SentenceResult]) -> Iterator[LabelCount]:
    for label in labels([each.row for each in heard]):
        got = Counter(each.level for each in heard if label in _labels(each.row))
        yield LabelCount(label, got["explicit"], got["watch"], got["none"])


def _labels(row: Utterance) -> tuple[str, ...]:
    return tuple(dict.fromkeys((row.risk, *row.sub)))
