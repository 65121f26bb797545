"""How well a session listens, in shares that say how sure they are, and what a model is fit for by them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from heartrule.evals.extraction_run import Came
from heartrule.evals.figures import Count
from heartrule.evals.listening_items import ChoiceItem, Item, ListeningItem, Refusal
from heartrule.evals.listening_session import Outcome
from heartrule.evals.session_run import ItemOutcome as HeardSession

Heard = HeardSession[Item, Outcome]
Part = Literal["beginnings", "refusals", "choices"]
PARTS: tuple[Part, ...] = get_args(Part)
Fit = Literal["leading", "wording", "script"]
"""``leading``: it may lead stretches of talk. ``wording``: it may word what the script asks, item by item. ``script``:
the script's own words are better."""
FITS: tuple[Fit, ...] = get_args(Fit)
LEAST = {"leading": 0.95, "wording": 0.80}
"""Of what was told, refused or chosen, the share that must be heard."""
MOST = {"leading": 0.02, "wording": 0.05}
"""Of what was not told, not refused or not chosen, the share that may be taken for it: the worse fault, because nobody
asks again."""
ENOUGH = 30
"""Cases of each kind without which nothing is said about a part."""
_NEAR, _PLAIN = "near", "plain"


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that can go right or wrong: ``id`` of the item, with the wanted thing behind a dot. ``due``: it should
    be passed over (told, refused, chosen); ``done``: it was."""

    id: str
    lang: str
    due: bool
    done: bool
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Measure:
    """``heard``: of what should be passed over, what is. ``taken``: of what should not, what is all the same."""

    label: str
    heard: Count
    taken: Count

    @property
    def fit(self) -> Fit | None:
        """By the shares themselves; None where there are too few cases."""
        if self.heard.of < ENOUGH or self.taken.of < ENOUGH or self.heard.share is None or self.taken.share is None:
            return None
        return fit(self.heard.share.value, self.taken.share.value)

    @property
    def sure(self) -> bool:
        """Whether the intervals lie on the same side of the thresholds as the shares."""
        heard, taken = self.heard.share, self.taken.share
        if heard is None or taken is None:
            return False
        return fit(heard.low, taken.high) == fit(heard.high, taken.low) == self.fit


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the measurement. ``langs``: the same of each language. ``more``: what else is worth knowing.
    ``heard`` and ``taken`` by tag; ``missed`` and ``wrong`` by id."""

    part: Part
    items: int
    all: Measure
    langs: list[Measure]
    more: list[Count]
    heard: list[Count]
    taken: list[Count]
    missed: list[str]
    wrong: list[str]


@dataclass(frozen=True, slots=True)
class Report:
    """``came``: what became of the prompts, by template. ``verdicts``: what the model is fit for, by language, the
    lowest of the parts that were measured; None where there are too few cases of one. ``unmeasured``: the parts that no
    file was given of."""

    sections: list[Section]
    came: dict[str, dict[Came, int]]
    stale: list[str]
    verdicts: dict[str, Fit | None]
    unmeasured: list[Part] = field(default_factory=list)


def fit(heard: float, taken: float) -> Fit:
    for name in ("leading", "wording"):
        if heard >= LEAST[name] and taken <= MOST[name]:
            return "leading" if name == "leading" else "wording"
    return "script"


def report(found: Sequence[Heard]) -> Report:
    """Everything that is told of the files."""
    sections = [section for part in PARTS if (section := _section(part, found)) is not None]
    names = list(dict.fromkeys(measure.label for section in sections for measure in section.langs))
    came: dict[str, Counter[Came]] = {}
    for each in found:
        for name, how in each.came.items():
            came.setdefault(name.removeprefix(f"{each.item.id}.").partition(".")[0], Counter())[how] += 1
    return Report(
        sections=sections,
        came={name: dict(counts) for name, counts in sorted(came.items())},
        stale=[name for each in found for name, how in each.came.items() if how == "stale"],
        verdicts={name: _lowest(sections, name) for name in names},
        unmeasured=[part for part in PARTS if part not in [section.part for section in sections]],
    )


def _lowest(sections: Sequence[Section], lang: str) -> Fit | None:
    fits = [measure.fit for section in sections for measure in section.langs if measure.label == lang]
    known = [each for each in fits if each is not None]
    return max(known, key=FITS.index) if known and len(known) == len(fits) else None


def _section(part: Part, found: Sequence[Heard]) -> Section | None:
    kind, cases, more = _READ[part]
    own = [each for each in found if isinstance(each.item, kind)]
    if not own:
        return None
    rows = [case for each in own for case in cases(each)]
    langs = list(dict.fromkeys(row.lang for row in rows))
    return Section(
        part=part,
        items=len(own),
        all=_measure("all", rows),
        langs=[_measure(lang, [row for row in rows if row.lang == lang]) for lang in langs],
        more=more(own),
        heard=_by_tag(row for row in rows if row.due),
        taken=_by_tag(row for row in rows if not row.due),
        missed=[row.id for row in rows if row.due and not row.done],
        wrong=[row.id for row in rows if not row.due and row.done],
    )


def _measure(label: str, rows: Sequence[Case]) -> Measure:
    heard = Count.over("heard", (row.done for row in rows if row.due))
    return Measure(label, heard, Count.over("taken", (row.done for row in rows if not row.due)))


def _by_tag(rows: Iterable[Case]) -> list[Count]:
    given = list(rows)
    tags = sorted({tag for row in given for tag in row.tags})
    return [Count.over(tag, (row.done for row in given if tag in row.tags)) for tag in tags]


# Beginnings: a pair of item and wanted thing is a case. What was told only in part, and what was refused, has no goal.


def _told(each: Heard) -> Iterator[Case]:
    item = each.item
    assert isinstance(item, ListeningItem)
    for name, told in item.told.items():
        tags = item.tags_of.get(name, ())
        if told is True:
            yield Case(f"{item.id}.{name}", item.lang, due=True, done=name in each.outcome.known, tags=tags or (_NEAR,))
        elif told is False and "refused" not in tags:
            done = name in each.outcome.passed
            yield Case(f"{item.id}.{name}", item.lang, due=False, done=done, tags=tags or (_PLAIN,))


def _beginnings(found: Sequence[Heard]) -> list[Count]:
    items: list[tuple[Any, Heard]] = [(each.item, each) for each in found]
    half = [name in each.outcome.known for item, each in items for name, told in item.told.items() if told == "part"]
    refused = [
        name in each.outcome.passed for item, each in items for name, tags in item.tags_of.items() if "refused" in tags
    ]
    again = [item.told[each.outcome.asks] is True for item, each in items if each.outcome.asks]
    return [Count.over("half", half), Count.over("refused", refused), Count.over("again", again)]


# Refusals: an answer is a case. It is kept where nothing that it covers would be asked for any more, because it was
# refused, or because earlier words had told it; a refusal that was written down as the answer is not kept.


def _declined(each: Heard) -> Iterator[Case]:
    item = each.item
    assert isinstance(item, Refusal)
    if item.covers:
        yield Case(item.id, item.lang, due=True, done=_kept(item, each), tags=(item.kind,))
    if not item.declines and item.asked not in item.covers:
        # a part that was told is written down; that the rest is left alone is what they asked for
        lost = item.asked in each.outcome.refused and item.asked not in each.outcome.known
        yield Case(item.id, item.lang, due=False, done=lost, tags=(item.kind,))


def _kept(item: Refusal, each: Heard) -> bool:
    return all(name in each.outcome.refused or _before(item, each, name) for name in item.covers)


def _before(item: Refusal, each: Heard, name: str) -> bool:
    """Whether it is known, and not by the words that refuse it."""
    evidence = each.outcome.known.get(name)
    return evidence is not None and evidence not in item.dialogue[-1].text


def _refusals(found: Sequence[Heard]) -> list[Count]:
    items: list[tuple[Any, Heard]] = [(each.item, each) for each in found]
    covered = [(item, each) for item, each in items if item.covers]
    others = [
        name in each.outcome.refused
        for item, each in items
        for name in (wanted["name"] for wanted in item.wanted)
        if name not in item.covers and name != item.asked
    ]
    written = [
        any(name in each.outcome.known and not _before(item, each, name) for name in item.covers)
        for item, each in covered
    ]
    return [
        Count.over("question", (_kept(item, each) for item, each in covered if item.boundary is None)),
        Count.over("boundary", (_kept(item, each) for item, each in covered if item.boundary is not None)),
        Count.over("beyond", others),
        Count.over("written", written),
        Count.over("again", (each.outcome.asks in item.covers for item, each in covered)),
    ]


# Choices: typed words are a case where something is meant; where nothing, or something else, is picked, another.


def _chosen(each: Heard) -> Iterator[Case]:
    item, picked = each.item, each.outcome.picked
    assert isinstance(item, ChoiceItem)
    if item.gold is not None:
        yield Case(item.id, item.lang, due=True, done=picked == item.gold, tags=(item.kind,))
    yield Case(item.id, item.lang, due=False, done=picked is not None and picked != item.gold, tags=(item.kind,))


def _choices(found: Sequence[Heard]) -> list[Count]:
    items: list[tuple[Any, Heard]] = [(each.item, each) for each in found]
    return [Count.over("understood", (each.outcome.picked == item.gold for item, each in items))]


_READ: Mapping[Part, tuple[type, Callable[[Heard], Iterator[Case]], Callable[[Sequence[Heard]], list[Count]]]] = {
    "beginnings": (ListeningItem, _told, _beginnings),
    "refusals": (Refusal, _declined, _refusals),
    "choices": (ChoiceItem, _chosen, _choices),
}
