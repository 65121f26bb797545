"""A report as one HTML file that needs nothing else: no script, nothing from elsewhere, good on a phone and on A4.

Whatever comes from a person, a script or a form is text in it and never markup.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from string import Template

from heartrule.reporting.curve import drawn
from heartrule.reporting.report import Course, FilledForm, HeldSession, Range, Report, Score, ShownForm
from heartrule.reporting.words import ReportWords

Html = Iterator[str]
OURS = "HeartRule"
"""The source of forms in our own words needs no telling."""


def page(report: Report) -> str:
    """The whole document."""
    words = ReportWords(report.locale, report.zone)
    body = "\n".join(_body(report, words))
    return Template(_file("page.html")).substitute(
        lang=words.tag, title=escape(title(report)), policy=policy(), style=_style(), body=body
    )


def title(report: Report) -> str:
    words = ReportWords(report.locale, report.zone)
    return f"{words('title')} · {report.held[0].name}" if report.one and report.held else words("title_all")


@cache
def policy() -> str:
    """What such a page may do: look as it does, and nothing else."""
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


@cache
def _style() -> str:
    return _file("report.css")


@cache
def _file(name: str) -> str:
    return files("heartrule.reporting").joinpath(name).read_text(encoding="utf-8")


def language(report: Report) -> str:
    return ReportWords(report.locale, report.zone).tag


def file_name(report: Report) -> str:
    """Without an ending; of whom it is does not stand in it."""
    words = ReportWords(report.locale, report.zone)
    if not report.one or not report.held:
        return f"{words('file_all')} {report.made.astimezone(report.zone):%Y-%m-%d}"
    return f"{words('file')} {report.held[0].began.astimezone(report.zone):%Y-%m-%d}"


def _body(report: Report, words: ReportWords) -> Html:
    only = report.held[0] if report.one and report.held else None
    yield f"<header><h1>{_own(only.name, only.locale, words) if only else words('title_all')}</h1>"
    if only:
        yield f'<p class="soft">{words("title")} · {_time(only, words)}</p>'
    yield f'<div class="limits"><p>{words("limits")}</p>'
    near = " · ".join(f"{escape(each.name)} <b>{escape(each.number)}</b>" for each in report.contacts)
    yield f"<p>{words('help')}{words('colon')}{near}</p></div></header>"
    if only:
        yield from _held(only, words)
    yield from _courses(report.courses, words)
    if not report.one:
        yield from _sessions(report.held, words)
    yield from _help(report, words)
    yield f"<footer><p>{words('made', made=words.moment(report.made))}</p></footer>"


def _own(text: str, locale: str, words: ReportWords) -> str:
    """Words of a script, in the script's own language where that is another."""
    same = locale.partition("-")[0].lower() == words.language
    return escape(text) if same else f'<span lang="{escape(locale)}">{escape(text)}</span>'


def _time(held: HeldSession, words: ReportWords) -> str:
    began = words.day(held.began)
    if held.ended is None:
        return words("going_on", began=began)
    ended = words.day(held.ended)
    return words("when", began=began) if began == ended else words("from_to", began=began, ended=ended)


def _held(held: HeldSession, words: ReportWords) -> Html:
    for noted in held.noted:
        yield from _noted(noted)
    if held.mine:
        yield f"<section><h2>{words('mine')}</h2><dl>"
        yield from (f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in held.mine)
        yield "</dl></section>"
    if held.unfilled:
        yield f"<p>{words('unfilled')}{words('colon')}{escape(words('comma').join(held.unfilled))}</p>"
    scored = [each for each in held.filled if each.scores]
    if scored:
        yield f"<section><h2>{words('scores')}</h2><p>{words('means')}</p>"
        for filled in scored:
            yield from _scored(filled, words)
        yield "</section>"
    if held.filled:
        yield f"<section><h2>{words('answers')}</h2>"
        for filled in held.filled:
            yield from _answers(filled, words)
        yield "</section>"
    if held.exercises:
        yield f"<section><h2>{words('exercises')}</h2><ul>"
        for each in held.exercises:
            how = words("whole" if each.whole else "part")
            yield f'<li>{escape(each.name)} <span class="soft">({how})</span></li>'
        yield "</ul></section>"


def _noted(noted: ShownForm) -> Html:
    yield f"<section><h2>{escape(noted.name)}</h2>"
    if noted.description:
        yield f'<p class="soft">{escape(noted.description)}</p>'
    yield "<dl>"
    for label, text in noted.lines:
        yield f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" if label else f"<dd>{escape(text)}</dd>"
    yield "</dl></section>"


def _scored(filled: FilledForm, words: ReportWords) -> Html:
    yield _headed(filled, words)
    for score in filled.scores:
        yield from _score(score, filled.name, words)
    if filled.source not in ("", OURS):
        yield f'<p class="soft">{escape(words("source", source=filled.source))}</p>'


def _headed(filled: FilledForm, words: ReportWords) -> str:
    return f'<h3>{escape(filled.name)} <span class="soft">{words.day(filled.at)}</span></h3>'


def _score(score: Score, name: str, words: ReportWords) -> Html:
    called = score.label or words("score")
    if score.value is None:
        yield f"<p>{escape(called)}{words('colon')}{words('unanswered')}</p>"
        return
    band = f" · {escape(score.band)}" if score.band else ""
    limits = words("limits_of", low=_number(score.limits[0]), high=_number(score.limits[1])) if score.limits else ""
    yield f'<p>{escape(called)}{words("colon")}<span class="value">{_number(score.value)}</span>{limits}{band}</p>'
    if score.ranges:
        yield from _ranges(score.ranges, words("bands", name=score.label or name), words)


def _ranges(ranges: Sequence[Range], caption: str, words: ReportWords) -> Html:
    yield f"<table><caption>{escape(caption)}</caption><thead><tr>"
    yield f'<th scope="col">{words("range")}</th><th scope="col">{words("called")}</th></tr></thead><tbody>'
    for each in ranges:
        between = words("between", low=_number(each.low), high=_number(each.high))
        mark = f' <span class="soft">({words("here")})</span>' if each.here else ""
        kind = ' class="here"' if each.here else ""
        yield f'<tr{kind}><th scope="row">{between}</th><td>{escape(each.label)}{mark}</td></tr>'
    yield "</tbody></table>"


def _answers(filled: FilledForm, words: ReportWords) -> Html:
    yield _headed(filled, words)
    chosen = [each for each in filled.answers if not each.own]
    if chosen:
        yield '<table class="answers"><tbody>'
        yield from (f'<tr><th scope="row">{escape(each.label)}</th><td>{escape(each.words)}</td></tr>'
                    for each in chosen)  # fmt: skip
        yield "</tbody></table>"
    for each in filled.answers:
        if each.own:
            yield f"<h4>{escape(each.label)}</h4><blockquote>{escape(each.words)}</blockquote>"


def _courses(courses: Sequence[Course], words: ReportWords) -> Html:
    told = [each for each in courses if len(each.points) > 1]
    if not told:
        return
    yield f"<section><h2>{words('courses')}</h2><p>{words('means')}</p>"
    for course in told:
        values = [point.value for point in course.points]
        said = words(
            "drawn", name=course.name, count=len(values), first=_number(values[0]), last=_number(values[-1]),
            low=_number(min(values)), high=_number(max(values)),
        )  # fmt: skip
        days = (words.day(course.points[0].at), words.day(course.points[-1].at))
        direction = f'<p class="soft">{words(f"better_{course.better}")}</p>' if course.better else ""
        yield f"<h3>{escape(course.name)}</h3>{direction}{drawn(course, said, days)}"
        yield f'<table><thead><tr><th scope="col">{words("date")}</th><th scope="col">{words("score")}</th>'
        yield f'<th scope="col">{words("band")}</th></tr></thead><tbody>'
        yield from (f'<tr><th scope="row">{words.day(point.at)}</th><td>{_number(point.value)}</td>'
                    f"<td>{escape(point.band)}</td></tr>" for point in course.points)  # fmt: skip
        yield "</tbody></table>"
    yield "</section>"


def _sessions(held: Sequence[HeldSession], words: ReportWords) -> Html:
    if not held:
        return
    yield f"<section><h2>{words('sessions')}</h2>"
    for each in held:
        yield f"<h3>{_own(each.name, each.locale, words)}</h3>"
        yield f'<p class="soft">{_time(each, words)}</p>'
    yield "</section>"


def _help(report: Report, words: ReportWords) -> Html:
    yield f'<section class="help"><h2>{words("help")}</h2><p>{words("help_text")}</p><ul class="numbers">'
    for each in report.contacts:
        note = f' <span class="soft">({escape(each.note)})</span>' if each.note else ""
        yield f"<li><b>{escape(each.number)}</b> {escape(each.name)}{note}</li>"
    yield "</ul></section>"


def _number(value: float) -> str:
    return f"{value:g}"
