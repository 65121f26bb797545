"""From the record to a report: read, put in order, and nothing made up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo
from typing import Any

from heartrule.engine.installed_types import traits_of
from heartrule.language import placeholders
from heartrule.language.compiling.script import Script
from heartrule.language.forms.reachable import reachable
from heartrule.language.forms.results import label
from heartrule.language.forms.scoring import band_of
from heartrule.language.labels import called
from heartrule.language.nodes import Action, Steps
from heartrule.language.nodes.forms import Form
from heartrule.locales import is_chinese
from heartrule.reporting.report import (
    Answer,
    Course,
    Exercise,
    FilledForm,
    HeldSession,
    Number,
    Point,
    Range,
    Report,
    Score,
    ShownForm,
)
from heartrule.sessions import CannotRestore, Sessions
from heartrule.sessions.forms import SUBMITTED, Result, results
from heartrule.store.recalls import RECALLED
from heartrule.store.records import EventRecord, MessageRecord, SessionRecord, VariableRecord

KINDS = (SUBMITTED, "form_shown", "marker")
OWN = ("text", "longtext")
"""Kinds of fields whose answers are the person's own words."""
COMPLETED = "completed"
"""How an action that came to its end is marked."""
PAGE = 500


async def of_session(sessions: Sessions, record: SessionRecord, zone: tzinfo, place: str) -> Report:
    """What one session came to, in its own language. ``place``: language and country of the numbers to call."""
    held, _ = await _held(sessions, record)
    return Report(
        locale=record.locale,
        zone=zone,
        made=sessions.clock.now(),
        one=True,
        held=(held,),
        courses=(),
        contacts=tuple(sessions.contacts(place)),
    )


async def of_person(sessions: Sessions, person: str, locale: str, zone: tzinfo, place: str) -> Report:
    """What all of a person's sessions came to, the last one first, and how their scores went."""
    found: list[tuple[HeldSession, Sequence[tuple[Result, Form | None]]]] = []
    before: str | None = None
    while True:
        some = await sessions.of_person(person, PAGE, before)
        found += [await _held(sessions, record) for record in some if record.seq > 0]
        if len(some) < PAGE:
            break
        before = some[-1].id
    handed_in = sorted((each for _, forms in found for each in forms), key=lambda each: each[0].at)
    return Report(
        locale=locale,
        zone=zone,
        made=sessions.clock.now(),
        one=False,
        held=tuple(held for held, _ in found),
        courses=courses(handed_in),
        contacts=tuple(sessions.contacts(place)),
    )


async def _held(sessions: Sessions, record: SessionRecord) -> tuple[HeldSession, Sequence[tuple[Result, Form | None]]]:
    """Of a session whose script cannot be read any more, what was handed in is told without it."""
    events = await sessions.store.events(record.id, KINDS)
    try:
        script: Script | None = await sessions.script_of(record)
    except CannotRestore:
        script = None
    told = [each for each in results(events) if not each.is_private]
    handed_in = [(each, script.forms.get(each.form) if script else None) for each in told]
    own = [(each, form) for each, form in handed_in if form is None or form.audience == "client"]
    shown = [each for each in events if each.kind == "form_shown" and each.data.get("mode") == "view"]
    messages = await sessions.store.messages(record.id, 0, 10_000) if script and shown else ()
    return (
        HeldSession(
            name=script.session.session if script else record.script,
            locale=record.locale,
            began=record.created_at,
            ended=record.ended_at,
            noted=tuple(_noted(script, shown, messages)) if script else (),
            filled=tuple(filled(*each) for each in own),
            exercises=tuple(_exercises(script, events)) if script else (),
            unfilled=tuple(unfilled(script, events)) if script else (),
            mine=tuple(mine(script, await sessions.store.variables(record.id))) if script else (),
        ),
        own,
    )


def mine(script: Script, kept: Sequence[VariableRecord]) -> Iterable[tuple[str, str]]:
    """What the script's ``summary`` names, as far as the person has said it; a change has both its ends."""
    values = {each.name: each.value for each in sorted(kept, key=lambda each: each.scope == "session")}
    labels = {each.var: each.label for each in (*script.variables.values(), *script.session.declare)}
    for item in script.session.summary:
        said = values.get(item.var)
        if said is None or said == "" or said == []:
            continue
        later = values.get(item.then) if item.then else None
        words = placeholders.format_value(said, script.locale)
        if later is not None:
            words = f"{words} → {placeholders.format_value(later, script.locale)}"
        yield called(item.label or labels.get(item.var), script.locale) or item.var, words


def closed(text: str) -> str:
    """The text of a script, where there is nothing left in it to be filled; else nothing."""
    return "" if any(True for _ in placeholders.names(text)) else text.strip()


def filled(result: Result, form: Form | None) -> FilledForm:
    return FilledForm(
        name=result.name,
        at=result.at,
        source=form.source if form else "",
        scores=tuple(
            Score(
                label=_called(result, name),
                value=value,
                band=result.bands.get(name, ""),
                limits=limits(form, name),
                ranges=ranges(form, name, value),
            )
            for name, value in result.scores.items()
        ),
        answers=tuple(_answers(result.values, form)),
    )


def _called(result: Result, score: str) -> str:
    """What a score is called, where it has a name of its own or others beside it."""
    called = result.labels.get(score, "")
    return called if called != score or len(result.scores) > 1 else ""


def limits(form: Form | None, name: str) -> tuple[Number, Number] | None:
    """The least and the most that a score can come to, where that is known."""
    score = form.score_by_id.get(name) if form else None
    found = reachable(form, score) if form and score else None
    if found is None or found.low is None or found.high is None:
        return None
    return found.low, found.high


def ranges(form: Form | None, name: str, value: Number | None = None) -> tuple[Range, ...]:
    """The bands of a score, and in which of them ``value`` falls."""
    score = form.score_by_id.get(name) if form else None
    if score is None:
        return ()
    here = band_of(score, value) if value is not None else None
    return tuple(Range(each.label, each.from_, each.to, each is here) for each in score.bands)


def better(form: Form | None, name: str) -> str:
    """Which end of a score is better, where its form says so."""
    score = form.score_by_id.get(name) if form else None
    return (score.better if score else None) or ""


def _answers(values: Mapping[str, Any], form: Form | None) -> Iterable[Answer]:
    zh = form is None or is_chinese(form.locale or "zh")
    for name, value in values.items():
        asked = form.by_id.get(name) if form else None
        told = label(asked, value) if asked else value
        words = placeholders.format_value(told, "zh-CN" if zh else "en")
        yield Answer(
            label=(closed(asked.label) if asked else "") or name,
            words=words,
            own=asked is not None and asked.type in OWN,
        )


def unfilled(script: Script, events: Sequence[EventRecord]) -> Iterable[str]:
    """Forms that were put before the person and left behind without being handed in, once each."""
    handed_in = {str(each.data["form"]) for each in events if each.kind == SUBMITTED}
    offered: dict[str, str] = {}
    waiting: dict[str | None, str] = {}
    for event in events:
        if event.kind == "form_shown" and event.data.get("mode") == "fill":
            waiting[event.action] = str(event.data["form"])
        elif event.kind == "marker" and event.data.get("edge") == "after" and event.action in waiting:
            form = script.forms.get(ref := waiting.pop(event.action))
            if form is not None and ref not in handed_in:
                offered[ref] = closed(form.form)
    return filter(None, offered.values())


def steps(script: Script, ref: str) -> Any:
    """The topic or the technique of this name."""
    if ref in script.skills:
        return script.skills[ref]
    return next((phase.topics[ref] for phase in script.session.phases if ref in phase.topics), None)


def _exercises(script: Script, events: Sequence[EventRecord]) -> Iterable[Exercise]:
    """Each once; one that was gone through to its end counts so, whatever came of it another time."""
    found: dict[str, bool] = {}
    for event in events:
        data = event.data
        if event.kind != "marker" or data.get("edge") != "after" or not traits_of(str(data.get("type"))).guides:
            continue
        node = steps(script, str(data["topic"]))
        guide = action(node, int(data["index"]), event.action)
        name = closed(str(getattr(guide, "exercise", ""))) or (closed(node.name) if node is not None else "")
        if name:
            found[name] = found.get(name, False) or data.get("outcome") == COMPLETED
    return [Exercise(name, whole) for name, whole in found.items()]


def action(node: Steps | None, index: int, name: str | None) -> Action | None:
    """The action of this id, else the one that stands at this place."""
    actions = node.actions if node is not None else []
    same = next((each for each in actions if each.id is not None and each.id == name), None)
    return same or (actions[index] if index < len(actions) else None)


def _noted(script: Script, shown: Sequence[EventRecord], messages: Sequence[MessageRecord]) -> Iterable[ShownForm]:
    """As it was read out: the words are those of the message, so that what was taken back is gone here too."""
    for event in shown:
        form = script.forms.get(str(event.data["form"]))
        said = next((each for each in messages if each.turn == event.turn and each.action == event.action), None)
        if form is None or form.audience == "counselor" or said is None or said.metadata.get(RECALLED):
            continue
        lines = tuple(noted_lines(form, said.text))
        if lines:
            yield ShownForm(form.form, closed(form.description), lines)


def noted_lines(form: Form, text: str) -> Iterable[tuple[str, str]]:
    """The lines below the form's name, each with its label; what goes over several lines stays together."""
    labels = [closed(each.label) for each in form.fields] + [closed(each.label) for each in form.scores]
    labels = [each for each in labels if each]
    found: list[tuple[str, str]] = []
    for line in text.split("\n")[1:]:
        own = next((each for each in labels if line.startswith((f"{each}：", f"{each}: "))), None)
        if own is not None:
            found.append((own, line[len(own) + 1 :].strip()))
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]}\n{line}")
        else:
            found.append(("", line))
    return found


def courses(handed_in: Iterable[tuple[Result, Form | None]]) -> tuple[Course, ...]:
    """How each score went; ``handed_in`` is oldest first. A form counts as the same in every language of it."""
    points: dict[tuple[str, str], list[Point]] = {}
    latest: dict[tuple[str, str], tuple[str, tuple[Range, ...], str, tuple[Number, Number] | None]] = {}
    for result, form in handed_in:
        ref = f"{result.form.partition('/')[0]}/{form.translation_of or form.id}" if form else result.form
        for name, value in result.scores.items():
            if value is None:
                continue
            key = (ref, name)
            points.setdefault(key, []).append(Point(result.at, value, result.bands.get(name, "")))
            called = _called(result, name)
            named = f"{result.name} · {called}" if called else result.name
            latest[key] = (named, ranges(form, name), better(form, name), limits(form, name))
    return tuple(Course(latest[key][0], tuple(found), *latest[key][1:]) for key, found in points.items())
