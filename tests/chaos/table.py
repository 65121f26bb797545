"""The fault matrix as people read it, and what of it is not as it must be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.chaos.tally import Cell, Tally

MOST_CALLS = 4
"""Calls that one task may cost, whatever is wrong: one try and three retries."""
WHILE_OPEN = 1.0
"""Seconds within which a turn is answered while nobody is fit to be asked."""
TWICE = "duplicate_chunk"
"""The one kind that may put words into an answer twice: the wire does not number its pieces."""
ENOUGH, AT_RATE = 0.95, 0.2
"""The share of turns that get a model's answer with two providers at this rate of faults."""
STALLED = 0.9
"""The same where providers fall silent: one try with each, ten seconds long, fills the twenty of a turn, so that a
fifth of a fifth is lost whatever is done, and more while one of them is left alone after several silences
(``stall_after``: 0.934 of 137 turns in twelve sessions)."""


def markdown(found: Mapping[Cell, Tally]) -> str:
    rates = sorted({cell.rate for cell in found})
    kinds = list(dict.fromkeys(cell.kind for cell in found))
    counts = sorted({cell.providers for cell in found})
    heads = [f"{count}×, {rate:.0%}" for count in counts for rate in rates]
    lines = [
        f"| fault | {' | '.join(heads)} | slowest | calls a turn | most a task | breaker opens in turn | then at most |"
    ]
    lines.append("|---|" + "--:|" * (len(heads) + 5))
    for kind in kinds:
        own = {cell: tally for cell, tally in found.items() if cell.kind == kind}
        shares = [f"{own[Cell(kind, rate, count)].share:.1%}" for count in counts for rate in rates]
        worst = [tally for cell, tally in own.items() if cell.rate == rates[-1]]
        opened = [tally.opened for tally in worst if tally.opened is not None]
        cells = [
            f"{max(tally.slowest for tally in own.values()):.1f} s",
            f"{max(tally.calls / tally.turns for tally in own.values()):.1f}",
            str(max(tally.most for tally in own.values())),
            str(max(opened)) if opened else "–",
            f"{max(tally.while_open for tally in own.values()):.2f} s" if opened else "–",
        ]
        lines.append(f"| {kind} | {' | '.join(shares)} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", *sums(found), ""])


def sums(found: Mapping[Cell, Tally]) -> Iterator[str]:
    all_ = list(found.values())
    budget = all_[0].budget

    def sum_of(name: str) -> int:
        return sum(int(getattr(tally, name)) for tally in all_)

    twice = sum(tally.doubled for cell, tally in found.items() if cell.kind == TWICE)
    yield (
        f"{sum_of('sessions')} sessions, {sum_of('turns')} turns, {sum_of('calls')} calls of which {sum_of('faults')}"
        f" failed. Stuck: {sum_of('stuck')}. Words lost or doubled in {sum_of('garbled')} sessions. Turns without an"
        f" answer: {sum_of('silent')}, beyond their budget of {budget:.0f} s: {sum_of('late')}. Calls that are on no"
        f" record: {sum_of('calls') - sum_of('recorded')}. Answers in which words stand twice or are torn:"
        f" {sum_of('doubled')}, of which {twice} where a server sent a piece twice, which no client can tell from a"
        f" word that was meant twice."
    )


def shortfalls(found: Mapping[Cell, Tally]) -> list[str]:
    """What must not be, one line each."""
    return [
        f"{c.kind}, {c.rate:.0%}, {c.providers} provider(s): {what}" for c, t in found.items() for what in _wrong(c, t)
    ]


def _wrong(cell: Cell, tally: Tally) -> Iterator[str]:
    if tally.stuck:
        yield f"{tally.stuck} of {tally.sessions} sessions did not end"
    if tally.garbled:
        yield f"words lost or doubled in {tally.garbled} sessions"
    if tally.silent:
        yield f"{tally.silent} turns without an answer"
    if tally.late:
        yield f"{tally.late} turns took longer than {tally.budget:.0f} s, the slowest {tally.slowest:.1f} s"
    if tally.most > MOST_CALLS:
        yield f"{tally.most} calls for one task"
    if tally.calls != tally.recorded:
        yield f"{tally.calls} calls were made and {tally.recorded} are on record"
    if tally.while_open > WHILE_OPEN:
        yield f"a turn took {tally.while_open:.2f} s while nobody was fit to be asked"
    if tally.doubled and cell.kind != TWICE:
        yield f"{tally.doubled} answers are torn"
    if (
        cell.providers > 1
        and cell.rate == AT_RATE
        and tally.share < (STALLED if cell.kind.startswith("stall") else ENOUGH)
    ):
        yield f"only {tally.share:.1%} of turns got a model's answer"
