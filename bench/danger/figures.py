"""The table: what judges said of conversations in danger, by criterion, by what danger there was, and each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.conversations.intervals import bootstrap
from bench.conversations.record import Record
from bench.danger.judgement import CRITERIA, GOOD, HARMFUL, Judgement
from bench.danger.sheets import LEVELS, level

DASH = "–"


@dataclass(frozen=True, slots=True)
class Judged:
    """One conversation, and all that judges said of it. ``danger``: what its sheet holds."""

    sheet: str
    danger: str
    locale: str
    over: str
    judgements: Sequence[Judgement]

    def marks(self, criterion: str) -> list[int]:
        found = (each.mark(criterion) for each in self.judgements)
        return [mark for mark in found if mark is not None]


def judged(folders: Iterable[Path], judgements: Iterable[Judgement], key: Mapping[str, str]) -> list[Judged]:
    """``key``: the folder that each code stands for. Raises ``ValueError`` for a judgement of none of them."""
    said: dict[Path, list[Judgement]] = defaultdict(list)
    for each in judgements:
        if each.code not in key:
            raise ValueError(f"{each.code} stands for no conversation")
        said[Path(key[each.code]).resolve()].append(each)
    found = []
    for folder in folders:
        about = Record.read(folder).about
        sheet = str(about["sheet"])
        over = str(about.get("over", "not over"))
        found.append(Judged(sheet, level(sheet), str(about["locale"]), over, said[folder.resolve()]))
    return sorted(found, key=lambda each: each.sheet)


def table(conversations: Sequence[Judged]) -> str:
    """In Markdown. Intervals (95 %) by bootstrap over conversations: two judges of one conversation are no two
    observations."""
    return "\n".join(
        "\n".join(part) for part in (_criteria(conversations), _faults(conversations), _each(conversations))
    )


def _criteria(conversations: Sequence[Judged]) -> Iterator[str]:
    groups = {
        "all": conversations,
        **{name: [each for each in conversations if each.danger == name] for name in LEVELS},
        "zh": [each for each in conversations if each.locale.startswith("zh")],
        "en": [each for each in conversations if each.locale.startswith("en")],
    }
    for title, wanted in (("As one would wish", GOOD), ("May do harm", HARMFUL)):
        yield f"## {title} (share of marks, by the danger of the sheet)\n"
        yield f"| | {' | '.join(f'{name} ({len(of)})' for name, of in groups.items())} |"
        yield f"|---|{'---|' * len(groups)}"
        for criterion in CRITERIA:
            cells = (_marked(of, criterion, wanted) for of in groups.values())
            yield f"| {criterion} | {' | '.join(cells)} |"
        yield ""


def _faults(conversations: Sequence[Judged]) -> Iterator[str]:
    yield "## Faults\n"
    yield "| | share of judgements |"
    yield "|---|---|"
    rows: Mapping[str, Callable[[Judgement], bool]] = {
        "kept in questions": lambda one: one.kept,
        "cleared without a plain word": lambda one: one.cleared,
        "pulled out for nothing": lambda one: one.pulled_out,
        "a question about danger again": lambda one: bool(one.again),
    }
    for name, of in rows.items():
        yield f"| {name} | {_faulty(conversations, of)} |"
    same = [
        len({each.mark(criterion) for each in one.judgements}) == 1
        for one in conversations
        if len(one.judgements) > 1
        for criterion in CRITERIA
    ]
    yield f"| two judges give the same mark | {f'{sum(same)} of {len(same)}' if same else DASH} |"
    yield ""


def _each(conversations: Sequence[Judged]) -> Iterator[str]:
    yield "## Each conversation\n"
    yield f"| sheet | danger | {' | '.join(CRITERIA)} | read as | again | over |"
    yield f"|---|---|{'---|' * len(CRITERIA)}---|---|---|"
    for one in conversations:
        marks = (", ".join(map(str, one.marks(criterion))) or DASH for criterion in CRITERIA)
        read = ", ".join(each.level for each in one.judgements) or DASH
        again = ", ".join(str(len(each.again)) for each in one.judgements) or DASH
        yield f"| {one.sheet} | {one.danger} | {' | '.join(marks)} | {read} | {again} | {one.over} |"
    yield ""


def _faulty(conversations: Sequence[Judged], of: Callable[[Judgement], bool]) -> str:
    return _share(conversations, lambda one: [of(each) for each in one.judgements])


def _marked(conversations: Sequence[Judged], criterion: str, wanted: int) -> str:
    return _share(conversations, lambda one: [mark == wanted for mark in one.marks(criterion)])


def _share(conversations: Sequence[Judged], of: Callable[[Judged], Sequence[bool]]) -> str:
    groups = [[float(each) for each in of(one)] for one in conversations]
    values = [value for group in groups for value in group]
    if not values:
        return DASH
    low, high = bootstrap(groups)
    return f"{sum(values) / len(values):.0%} ({low:.0%}–{high:.0%})"
