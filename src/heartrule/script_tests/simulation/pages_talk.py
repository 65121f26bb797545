"""A conversation as the page shows it: who said what, where, and what was noticed in between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from heartrule.script_tests.simulation.element import Markup, tag
from heartrule.script_tests.simulation.findings import Finding
from heartrule.script_tests.simulation.report import Report, Texts
from heartrule.script_tests.simulation.report_text import done
from heartrule.script_tests.simulation.simulated_session import Exchange, SimulatedSession

NAMED_BY_WORDS = ("answer", "danger")


def talk(report: Report, held: SimulatedSession, texts: Texts) -> Markup:
    flagged = [each for each in report.figures.findings if each.session == held.name]
    name = report.called(held.name, texts)
    told = texts("told_of", outcome=texts.of("outcomes", held.outcome), rounds=held.rounds)
    marks = " · ".join(dict.fromkeys(_short(each, texts) for each in flagged))
    head = tag("summary", tag("strong", name), " ", tag("small", told, f" · {marks}" if marks else ""))
    by_turn: dict[int, list[Finding]] = {}
    for each in flagged:
        by_turn.setdefault(each.turn, []).append(each)
    turns = (_turn(report, each, before, by_turn.get(n, []), texts) for n, (before, each) in enumerate(_paired(held)))
    end = None if held.outcome in ("left", "stuck") else tag("p", texts("ended"), class_="soft")
    return tag("details", head, tag("ol", *turns, class_="turns"), end, class_="talk", id=anchor(held.name))


def anchor(session: str) -> str:
    return f"session-{session.replace(' ', '-')}"


def _paired(held: SimulatedSession) -> Iterator[tuple[Exchange | None, Exchange]]:
    before = None
    for each in held.exchanges:
        yield before, each
        before = each


def _turn(report: Report, each: Exchange, before: Exchange | None, flagged: list[Finding], texts: Texts) -> Markup:
    parts: list[Markup] = []
    move = each.move
    if move is not None:
        if move.kind in ("message", "choice", "form"):
            parts.append(
                tag("p", done(move.kind, move.words, move.seconds, texts), class_="mine", lang=report.script.locale)
            )
            if move.deed not in NAMED_BY_WORDS:
                parts.append(tag("p", texts.of("deeds", move.deed), class_="note"))
        else:
            parts.append(tag("p", done(move.kind, move.words, move.seconds, texts), class_="note"))
    parts += [tag("p", _short(finding, texts), class_="flag") for finding in flagged]
    where = replace(each.after, action="")
    if where.phase and (before is None or where != replace(before.after, action="")):
        parts.append(tag("p", report.named(where), " · ", texts("at", minutes=round(each.at / 60)), class_="place"))
    parts += [tag("p", said, class_="said", lang=report.script.locale) for said in each.said]
    return tag("li", *parts)


def _short(finding: Finding, texts: Texts) -> str:
    if finding.kind == "stuck":
        return f"{texts.of('findings', 'stuck')}: {texts.of('stuck', finding.what)}"
    return texts.of("findings", finding.kind, times=finding.times)
