"""The table: what judges said of conversations, and what these cost, side beside side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from bench.conversations.effort import MOST_CALLS, MOST_ROUNDS, Effort, effort
from bench.conversations.intervals import bootstrap, wilson
from bench.conversations.judgement import ITEMS, PREFERENCES, TENTHS, Judgement, Verdict
from bench.conversations.record import Record

SIDES = ("ours", "plain")
DASH = "–"


@dataclass(frozen=True, slots=True)
class Held:
    """One conversation, and all that judges said of it."""

    record: Record
    effort: Effort
    verdicts: Sequence[Verdict] = field(default_factory=list)

    @property
    def side(self) -> str:
        return str(self.record.about["side"])

    @property
    def totals(self) -> list[int]:
        return [verdict.items.total for verdict in self.verdicts]


def held(folders: Iterable[Path], judgements: Sequence[Judgement], key: Mapping[str, str]) -> list[Held]:
    """``key``: the folder that each code stands for."""
    verdicts: dict[Path, list[Verdict]] = defaultdict(list)
    for judgement in judgements:
        for verdict in judgement.verdicts:
            if verdict.code in key:
                verdicts[Path(key[verdict.code]).resolve()].append(verdict)
    found = []
    for folder in folders:
        record = Record.read(folder)
        found.append(Held(record, effort(record), verdicts[folder.resolve()]))
    return found


def table(conversations: Sequence[Held], judgements: Sequence[Judgement], key: Mapping[str, str]) -> str:
    """In Markdown."""
    sides = {side: [each for each in conversations if each.side == side] for side in SIDES}
    sections = [_each(conversations), _judged(sides), _preferred(judgements, key), _spent(sides), _repeated(sides)]
    return "\n".join("\n".join(section) for section in sections)


def _each(conversations: Sequence[Held]) -> Iterator[str]:
    yield "## Each conversation\n"
    yield "| sheet | side | judges, of 66 | asked again | boundaries kept | messages | calls a turn | over |"
    yield "|---|---|---|---|---|---|---|---|"
    for each in sorted(conversations, key=lambda one: (one.record.about["sheet"], one.side)):
        again = _list(len(verdict.asked_again) for verdict in each.verdicts)
        kept = _list(_kept(verdict) for verdict in each.verdicts)
        about = each.record.about
        yield (
            f"| {about['sheet']} | {each.side} | {_list(each.totals)} | {again} | {kept} "
            f"| {each.effort.messages} | {each.effort.calls:.2f} | {about.get('over', 'not over')} |"
        )
    yield ""


def _judged(sides: Mapping[str, Sequence[Held]]) -> Iterator[str]:
    yield "## What judges gave (means; 95 % intervals by bootstrap over conversations)\n"
    yield "| | ours | plain |"
    yield "|---|---|---|"

    def row(name: str, of: Callable[[Verdict], float]) -> str:
        return f"| {name} | {' | '.join(_interval(sides[side], of) for side in SIDES)} |"

    for item in ITEMS:
        yield row(item, lambda verdict, item=item: verdict.items.rated[item])  # type: ignore[misc]
    yield row("**of 66**", lambda verdict: verdict.items.total)
    yield f"| lowest mean of an item | {' | '.join(_lowest(sides[side]) for side in SIDES)} |"
    yield f"| two judges apart by, of 66 | {' | '.join(_apart(sides[side]) for side in SIDES)} |"
    for name in TENTHS:
        yield row(f"{name.replace('_', ' ')}, of 10", lambda verdict, name=name: verdict.tenth(name))  # type: ignore[misc]
    yield row("facts asked again", lambda verdict: len(verdict.asked_again))
    yield f"| boundaries kept | {' | '.join(_share(sides[side], _boundaries) for side in SIDES)} |"
    yield f"| own words at choices understood | {' | '.join(_share(sides[side], _choices) for side in SIDES)} |"
    yield ""


def _preferred(judgements: Sequence[Judgement], key: Mapping[str, str]) -> Iterator[str]:
    yield "## Preferred (share of those who preferred either; 95 % by Wilson, and by bootstrap over pairs)\n"
    yield "| | ours | plain | neither | share ours | Wilson | bootstrap |"
    yield "|---|---|---|---|---|---|---|"
    for name in PREFERENCES:
        pairs: dict[frozenset[str], list[float]] = defaultdict(list)
        neither = 0
        for each in judgements:
            codes = frozenset(verdict.code for verdict in each.verdicts)
            if each.preferred is None or {_side(code, key) for code in codes} != set(SIDES):
                continue
            code = each.preferred_code(name)
            if code is None:
                neither += 1
            else:
                pairs[codes].append(float(_side(code, key) == "ours"))
        wins = [win for pair in pairs.values() for win in pair]
        ours = round(sum(wins))
        low, high = wilson(ours, len(wins))
        least, most = bootstrap(list(pairs.values()))
        share = f"{ours / len(wins):.0%} | {low:.0%}–{high:.0%} | {least:.0%}–{most:.0%}" if wins else "– | – | –"
        yield f"| {name} | {ours} | {len(wins) - ours} | {neither} | {share} |"
    yield ""


def _side(code: str, key: Mapping[str, str]) -> str:
    """Of a conversation that is known; the empty string of any other."""
    return str(Record.read(Path(key[code])).about["side"]) if code in key else ""


def _spent(sides: Mapping[str, Sequence[Held]]) -> Iterator[str]:
    yield "## What it took (means of conversations)\n"
    yield "| | ours | plain |"
    yield "|---|---|---|"
    rows: Sequence[tuple[str, Callable[[Effort], float], str]] = (
        ("messages of the visitor", lambda one: one.messages, ".1f"),
        ("calls a turn", lambda one: one.calls, ".2f"),
        ("calls a turn that more words made void", lambda one: one.void, ".2f"),
        ("calls beside the turns", lambda one: one.beside, ".1f"),
        ("round trips a turn", lambda one: one.rounds, ".2f"),
        (f"turns with ≤ {MOST_CALLS} calls and {MOST_ROUNDS} round trip", lambda one: one.within, ".0%"),
        ("replies made once more", lambda one: one.again, ".1f"),
        ("prompt tokens a turn", lambda one: one.prompt, ",.0f"),
        ("the same, what repeats counted a tenth", lambda one: one.discounted, ",.0f"),
    )
    for name, of, form in rows:
        yield f"| {name} | {' | '.join(_mean([of(each.effort) for each in sides[side]], form) for side in SIDES)} |"
    yield ""


def _repeated(sides: Mapping[str, Sequence[Held]]) -> Iterator[str]:
    yield "## Of a prompt, the share that stood at the beginning of an earlier one\n"
    yield "| kind of call | ours | plain |"
    yield "|---|---|---|"
    kinds = dict.fromkeys(kind for side in SIDES for each in sides[side] for kind in each.effort.repeated)
    for kind in kinds:
        shares = (
            [each.effort.repeated[kind] for each in sides[side] if kind in each.effort.repeated] for side in SIDES
        )
        yield f"| {kind} | {' | '.join(_mean(values, '.0%') for values in shares)} |"
    yield ""


def _interval(conversations: Sequence[Held], of: Callable[[Verdict], float]) -> str:
    groups = [[float(of(verdict)) for verdict in each.verdicts] for each in conversations]
    values = [value for group in groups for value in group]
    if not values:
        return DASH
    low, high = bootstrap(groups)
    return f"{fmean(values):.1f} ({low:.1f}–{high:.1f})"


def _lowest(conversations: Sequence[Held]) -> str:
    verdicts = [verdict for each in conversations for verdict in each.verdicts]
    if not verdicts:
        return DASH
    mean, item = min((fmean(verdict.items.rated[item] for verdict in verdicts), item) for item in ITEMS)
    return f"{mean:.1f} ({item})"


def _apart(conversations: Sequence[Held]) -> str:
    apart = [max(each.totals) - min(each.totals) for each in conversations if len(each.totals) > 1]
    return _mean(apart, ".1f")


def _boundaries(verdict: Verdict) -> list[bool]:
    return [boundary.kept for boundary in verdict.boundaries]


def _choices(verdict: Verdict) -> list[bool]:
    return [choice.understood for choice in verdict.words_at_choices]


def _share(conversations: Sequence[Held], of: Callable[[Verdict], list[bool]]) -> str:
    found = [each for one in conversations for verdict in one.verdicts for each in of(verdict)]
    return f"{sum(found)} of {len(found)}" if found else DASH


def _kept(verdict: Verdict) -> str:
    return f"{sum(_boundaries(verdict))}/{len(verdict.boundaries)}"


def _list(values: Iterable[object]) -> str:
    return ", ".join(str(value) for value in values) or DASH


def _mean(values: Sequence[float], form: str) -> str:
    return format(fmean(values), form) if values else DASH
