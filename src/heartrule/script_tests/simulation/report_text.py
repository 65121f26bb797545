"""A report as people read it in a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from heartrule.script_tests.simulation.figures import Figures
from heartrule.script_tests.simulation.findings import Finding
from heartrule.script_tests.simulation.report import Report, Texts, cost_of
from heartrule.script_tests.simulation.simulated_session import SimulatedSession

SHOWN = 12
"""Rows of a list that may be long."""
_BAR = 20


def report_lines(report: Report, texts: Texts) -> Iterator[str]:
    found = report.figures
    yield texts("title", script=report.script.id)
    yield from (f"  {each}" for each in whom(report, texts))
    yield ""
    for who, figures in report.by_persona.items():
        yield summary(report.personas[who].name[texts.language], figures, texts)
    yield ""
    yield texts("dropoff_head")
    for phase in found.phases:
        share = phase.reached / max(1, found.sessions)
        bar = "█" * round(share * _BAR)
        yield f"  {bar:<{_BAR}} {share:>5.0%}  {phase.name}"
    if found.where:
        yield texts("where_head")
        yield from (
            "  " + texts("where_of", place=report.named(place), count=count) for place, count in found.where[:SHOWN]
        )
    yield ""
    yield safety(found, texts)
    if found.spent.calls:
        yield costs(found, texts)
    if report.stood_in:
        yield texts("stood_in", count=report.stood_in, of=report.moves)
    yield from _lists(report, texts)
    yield report.said(texts)


def whom(report: Report, texts: Texts) -> Iterator[str]:
    """What stood in the place of people and of the model."""
    lead = "lead_played" if report.plays else "lead"
    yield texts(lead, personas=len(report.personas), sessions=report.order.sessions, seed=report.order.seed)
    yield texts("model_mode", model=report.model) if report.model else texts("script_mode")
    if report.plays:
        yield texts("plays", model=report.plays)


def summary(name: str, figures: Figures, texts: Texts) -> str:
    outcomes = ", ".join(f"{texts.of('outcomes', each)} {count}" for each, count in figures.outcomes.items() if count)
    return "  " + texts(
        "summary", persona=name, outcomes=outcomes, rounds=middle(figures.rounds), minutes=minutes(figures)
    )


def middle(numbers: tuple[float, ...] | tuple[int, ...]) -> str:
    return f"{median(numbers):g}" if numbers else "–"


def minutes(figures: Figures) -> str:
    return f"{median(figures.seconds) / 60:.0f}" if figures.seconds else "–"


def safety(figures: Figures, texts: Texts) -> str:
    found = figures.safety
    return texts(
        "safety_line",
        voiced=found.voiced,
        answered=found.answered,
        in_doubt=found.in_doubt,
        false_alarms=found.false_alarms,
        unclaimed=texts("safety_line_unclaimed", unclaimed=found.unclaimed) if found.unclaimed else "",
    )


def costs(figures: Figures, texts: Texts) -> str:
    spent = figures.spent
    return texts(
        "costs",
        calls=f"{spent.calls:,}",
        failed=spent.failed,
        input=f"{spent.tokens_in:,}",
        output=f"{spent.tokens_out:,}",
        cost=cost_of(spent),
    )


def _lists(report: Report, texts: Texts) -> Iterator[str]:
    found = report.figures
    if found.misread:
        yield texts("misread_head")
        for place, reason, count, words in found.misread[:SHOWN]:
            why = texts.of("reasons", reason)
            yield "  " + texts("misread_of", place=report.named(place), reason=why, count=count, words=one_line(words))
    if found.findings:
        yield texts("findings_head")
        yield from (f"  {line(report, each, count, texts)}" for each, count in report.notable[: 2 * SHOWN])
    stuck = {each.session for each, _ in report.notable if each.kind == "stuck"}
    for held in report.sessions:
        if held.name in stuck:
            yield ""
            yield from transcript(held, texts)


def line(report: Report, finding: Finding, sessions: int, texts: Texts) -> str:
    """``sessions``: how many have it, of which the finding is one."""
    what = texts.of("stuck", finding.what) if finding.kind == "stuck" else one_line(finding.what)
    head = texts.of("findings", finding.kind, times=finding.times)
    where = report.called(finding.session, texts)
    more = texts("and_others", session=where, count=sessions - 1) if sessions > 1 else where
    return f"{head} · {more} · {report.named(finding.place)} · {what}"


def transcript(held: SimulatedSession, texts: Texts, last: int = 30) -> Iterator[str]:
    """The end of a conversation."""
    yield f"— {held.name} —"
    for each in held.exchanges[-last:]:
        if each.move is not None:
            yield f"  > {one_line(done(each.move.kind, each.move.words, each.move.seconds, texts))}"
        yield from (f"  < {one_line(said)}" for said in each.said)


def done(kind: str, words: str, seconds: float, texts: Texts) -> str:
    match kind:
        case "message":
            return words
        case "choice":
            return f"[{texts('chose')}] {words}"
        case "form":
            return f"[{texts('form')}] {words}"
        case "wait":
            return f"[{texts('silent', minutes=round(seconds / 60))}]"
        case other:
            return f"[{texts(other)}]"


def one_line(text: str, most: int = 100) -> str:
    """Without line breaks or anything a terminal would act on."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"
