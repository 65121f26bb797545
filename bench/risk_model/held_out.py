"""Every author's sentences as they are read by a classifier that was trained without them, and by the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from bench.risk_model.data import Row, authors, everyday, own, posts, prose, said
from bench.risk_model.training import Seen, seen, trained

from heartrule.engine.awareness.linear import LinearClassifier, language
from heartrule.engine.awareness.risk_rules import Risk, RiskMatcher, matcher_for
from heartrule.engine.awareness.risk_text import normalise
from heartrule.engine.installed_types import field_models
from heartrule.language.nodes import Awareness
from heartrule.language.projects.library import Library


@dataclass(frozen=True, slots=True)
class Heard:
    """``score`` is the classifier's, ``ruled`` what the rules on suicide and self-harm found."""

    row: Row
    score: float
    ruled: Risk

    @property
    def language(self) -> str:
        return language(normalise(self.row.text))


@cache
def node() -> Awareness:
    """The script on suicide and self-harm as it stands."""
    safety = Library([], field_models()).safety
    assert safety is not None
    return next(each for each in safety.awareness if each.id == "suicide_risk")


def rules() -> RiskMatcher:
    noticing = node().noticing
    assert noticing is not None
    assert noticing.rules is not None
    return matcher_for(noticing.rules)


def everything() -> tuple[Seen, list[str]]:
    """All rows, authors' and posts', and the authors' names."""
    known = authors()
    return seen(
        [*(row for rows in known.values() for row in rows), *posts(), *said(), *own(), *everyday(), *prose()]
    ), list(known)


def left_out(whole: Seen, names: Sequence[str]) -> Iterator[Heard]:
    """Each author in turn, whose rows the classifier has not seen."""
    for name in names:
        yield from _without(whole, [number for number, row in enumerate(whole.rows) if row.author == name])


def fourths(whole: Seen, source: str) -> Iterator[Heard]:
    """The last of every four rows of a source, which the classifier has not seen. The rules on the forum's posts were
    never tuned on these."""
    theirs = [number for number, row in enumerate(whole.rows) if row.author == source]
    yield from _without(whole, theirs[3::4])


def _without(whole: Seen, out: Sequence[int]) -> Iterator[Heard]:
    hidden = set(out)
    chosen = [number for number in range(len(whole.rows)) if number not in hidden]
    yield from read_by(LinearClassifier(trained(whole, chosen, "", {})), [whole.rows[number] for number in out])


def read_by(classifier: LinearClassifier, rows: Sequence[Row]) -> Iterator[Heard]:
    for row in rows:
        yield Heard(row, classifier.score(normalise(row.text)), rules().match(row.text))
