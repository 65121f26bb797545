"""A report as one page that needs nothing beside it: pictures, tables, and the conversations to read."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

from heartrule.script_tests.simulation import pictures
from heartrule.script_tests.simulation.element import Markup, tag
from heartrule.script_tests.simulation.figures import Figures, Topic
from heartrule.script_tests.simulation.findings import Finding
from heartrule.script_tests.simulation.pages_talk import anchor, talk
from heartrule.script_tests.simulation.pictures import Part, Row, Span
from heartrule.script_tests.simulation.report import Report, Texts, cost_of
from heartrule.script_tests.simulation.report_text import costs, line, middle, minutes, whom

FINDINGS = 40
"""Lines of what is to be looked at, at most."""


def page(report: Report, texts: Texts) -> str:
    title = texts("title", script=report.script.session.session)
    styles = (files("heartrule.script_tests.simulation") / "page.css").read_text(encoding="utf-8")
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", Markup(styles)),
    )
    body = tag("main", *_parts(report, texts, title))
    lang = "zh-CN" if texts.language == "zh" else "en"
    return "<!doctype html>\n" + tag("html", head, tag("body", body), lang=lang) + "\n"


def _parts(report: Report, texts: Texts, title: str) -> Iterator[Markup]:
    found = report.figures
    yield tag("h1", title)
    yield from (tag("p", each, class_="soft") for each in whom(report, texts))
    look = {"verdict_good": "verdict", "verdict_untried": "verdict soft", "verdict_bad": "verdict bad"}[report.verdict]
    yield tag("p", report.said(texts), class_=look, role="status")
    yield _facts(found, texts)
    if found.spent.calls:
        yield tag("p", costs(found, texts), class_="soft")
    if report.stood_in:
        yield tag("p", texts("stood_in", count=report.stood_in, of=report.moves), class_="soft")
    yield from _findings(report, texts)
    yield tag("div", tag("section", *_outcomes(report, texts)), tag("section", *_dropoff(report, texts)), class_="pair")
    yield from _each(report, texts)
    yield from _rounds(report, texts)
    yield from _misread(report, texts)
    yield tag("h2", texts("transcripts_head"))
    yield tag("p", texts("transcripts_lead"), class_="soft")
    yield from (talk(report, held, texts) for held in report.to_read)


def _facts(found: Figures, texts: Texts) -> Markup:
    safety = found.safety
    rows: list[tuple[str | int, str]] = [
        (found.sessions, texts("sessions")),
        (middle(found.rounds), texts("session_rounds")),
        (minutes(found), texts("session_minutes")),
        (f"{safety.answered}/{safety.voiced}", f"{texts('safety_voiced')} · {texts('safety_answered')}"),
        (safety.in_doubt, texts("safety_doubt")),
        (safety.false_alarms, texts("safety_alarms")),
        *([(safety.unclaimed, texts("safety_unclaimed"))] if safety.unclaimed else []),
    ]
    return tag("ul", *(tag("li", tag("b", number), tag("span", words)) for number, words in rows), class_="facts")


def _findings(report: Report, texts: Texts) -> Iterator[Markup]:
    yield tag("h2", texts("findings_head"))
    found = report.notable[:FINDINGS]
    if not found:
        yield tag("p", texts("findings_none"))
        return
    read = {held.name for held in report.to_read}
    shown = (
        tag("li", _finding(report, each, count, read, texts), class_="grave" if each.grave else None)
        for each, count in found
    )
    yield tag("ul", *shown, class_="flags card")


def _finding(report: Report, finding: Finding, sessions: int, read: set[str], texts: Texts) -> Markup:
    """A line that leads to its conversation, where that is on the page."""
    words = line(report, finding, sessions, texts)
    return tag("a", words, href=f"#{anchor(finding.session)}") if finding.session in read else tag("span", words)


def _outcomes(report: Report, texts: Texts) -> Iterator[Markup]:
    yield tag("h2", texts("outcome_head"))
    yield tag("p", texts("outcome_lead"), class_="soft")
    kinds = [each for each in report.figures.outcomes if report.figures.outcomes[each]]
    keys = (tag("li", tag("i", style=f"background: var(--{kind})"), texts.of("outcomes", kind)) for kind in kinds)
    rows = []
    for who, figures in report.by_persona.items():
        parts = [
            Part(count / figures.sessions, kind, f"{texts.of('outcomes', kind)} {count}")
            for kind, count in figures.outcomes.items()
            if count
        ]
        rows.append(Row(report.personas[who].name[texts.language], " · ".join(p.words for p in parts), tuple(parts)))
    drawn = pictures.bars("outcomes", texts("outcome_head"), rows)
    yield tag("figure", tag("ul", *keys, class_="legend"), drawn, _numbers(_persona_table(report, texts), texts))


def _persona_table(report: Report, texts: Texts) -> Markup:
    kinds = list(report.figures.outcomes)
    names = [texts.of("outcomes", kind) for kind in kinds]
    head = _head(
        texts("persona"), *names, texts("session_rounds"), texts("session_minutes"), texts("calls"), texts("cost")
    )
    rows = [
        _row(
            report.personas[who].name[texts.language],
            *(figures.outcomes[kind] for kind in kinds),
            middle(figures.rounds),
            minutes(figures),
            figures.spent.calls,
            cost_of(figures.spent),
        )
        for who, figures in report.by_persona.items()
    ]
    return tag("table", tag("thead", head), tag("tbody", *rows))


def _dropoff(report: Report, texts: Texts) -> Iterator[Markup]:
    found = report.figures
    yield tag("h2", texts("dropoff_head"))
    yield tag("p", texts("dropoff_lead"), class_="soft")
    drawn = pictures.bars("dropoff", texts("dropoff_head"), _phases(found, texts))
    where = (tag("li", texts("where_of", place=report.named(place), count=count)) for place, count in found.where[:20])
    stops = tag("details", tag("summary", texts("where_head")), tag("ul", *where)) if found.where else None
    yield tag("figure", drawn, stops)


def _each(report: Report, texts: Texts) -> Iterator[Markup]:
    if len(report.by_persona) > 1:
        yield tag("h2", texts("each_head"))
        yield tag("p", texts("each_lead"), class_="soft")
        yield tag("div", *(_of_persona(report, who, texts) for who in report.by_persona), class_="grid")


def _of_persona(report: Report, who: str, texts: Texts) -> Markup:
    persona = report.personas[who]
    name = persona.name[texts.language]
    drawn = pictures.bars(f"dropoff-{who}", name, _phases(report.by_persona[who], texts))
    return tag("figure", tag("h3", name), tag("p", persona.about[texts.language], class_="soft"), drawn)


def _phases(figures: Figures, texts: Texts) -> list[Row]:
    rows = []
    for phase in figures.phases:
        share = phase.reached / max(1, figures.sessions)
        words = texts("reached", share=f"{share:.0%}", count=phase.reached, of=figures.sessions)
        rows.append(Row(phase.name, words, (Part(share, "bar", words),), muted=phase.conditional))
    return rows


def _rounds(report: Report, texts: Texts) -> Iterator[Markup]:
    topics = [topic for topic in report.figures.topics if any(topic.rounds)]
    yield tag("h2", texts("rounds_head"))
    yield tag("p", texts("rounds_lead"), class_="soft")
    rows = [
        Span(topic.name, f"{topic.middle:g} ({len(topic.rounds)})", min(topic.rounds), topic.middle, max(topic.rounds))
        for topic in topics
    ]
    middle_row, most = (len(rows) + 1) // 2, max((row.most for row in rows), default=0)
    halves = [rows[:middle_row], rows[middle_row:]]
    drawn = [pictures.spans(f"rounds-{n}", texts("rounds_head"), half, most) for n, half in enumerate(halves) if half]
    yield tag("figure", tag("div", *drawn, class_="pair"), _numbers(_topic_table(report.figures.topics, texts), texts))


def _topic_table(topics: tuple[Topic, ...], texts: Texts) -> Markup:
    columns = [texts(key) for key in ("topic", "sessions", "rounds", "minutes", "calls", "cost", "lost", "unfinished")]
    rows = []
    for topic in topics:
        lost = ", ".join(f"{texts.of('outcomes', kind)} {count}" for kind, count in topic.lost.items())
        unfinished = (texts("unfinished_of", action=each, count=n) for each, n in sorted(topic.unfinished.items()))
        spoken = (len(topic.rounds), f"{topic.middle:g}", f"{topic.seconds / 60:.0f}")
        rows.append(_row(topic.name, *spoken, topic.spent.calls, cost_of(topic.spent), lost, ", ".join(unfinished)))
    return tag("table", tag("thead", _head(*columns)), tag("tbody", *rows))


def _misread(report: Report, texts: Texts) -> Iterator[Markup]:
    found = report.figures
    if not found.misread:
        return
    yield tag("h2", texts("misread_head"))
    yield tag("p", texts("misread_lead"), class_="soft")
    rows = (
        tag(
            "li",
            texts("misread_of", place=report.named(place), reason=texts.of("reasons", why), count=count, words=words),
        )
        for place, why, count, words in found.misread[:20]
    )
    yield tag("ul", *rows, class_="flags card")


def _numbers(table: Markup, texts: Texts) -> Markup:
    scroll = tag("div", table, class_="scroll", tabindex="0", role="region", aria_label=texts("numbers"))
    return tag("details", tag("summary", texts("numbers")), scroll)


def _head(first: str, *others: str) -> Markup:
    return tag("tr", tag("th", first, scope="col"), *(tag("th", each, scope="col", class_="n") for each in others))


def _row(first: str, *others: str | float) -> Markup:
    return tag("tr", tag("th", first, scope="row"), *(tag("td", each, class_="n") for each in others))
