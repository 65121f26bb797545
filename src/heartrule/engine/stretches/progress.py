"""Where a stretch stands, as its prompt says it: what is open, how long it has gone on, and what the session has before
and behind it (seed 000 §5.2.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from heartrule.engine.stretches.coverage import Coverage, is_required
from heartrule.engine.stretches.danger import is_about_danger
from heartrule.engine.stretches.talk import Talk
from heartrule.engine.variables import elapsed_time, topic_context
from heartrule.engine.work import Work, identity
from heartrule.language.lengths import length
from heartrule.locales import is_chinese

SHOWN = 12
"""Topics of each kind that are named at most."""


def open_items(work: Work, action: Any, coverage: Coverage) -> str:
    """What may be asked for, what is needed with a star."""
    names = [f"*{item.get}" if is_required(action, item) else item.get for item in coverage.open]
    return _joined(work, names)


def closed_items(work: Work, coverage: Coverage) -> str:
    return _joined(work, [*coverage.known, *coverage.refused, *coverage.let_be])


def place(work: Work) -> str:
    """Which topics are done, planned and put aside, and why."""
    if work.state.phase is None:
        return ""
    done = [*_phases(work, work.state.left), *_names(topic_context.prompt_value(work, "completed_topics"))]
    aside = [f"{frame.name}（{frame.suspended}）" if frame.suspended else frame.name for frame in work.state.suspended]
    rows = [
        ("done", done),
        ("planned", [*_names(topic_context.prompt_value(work, "planned_topics")), *_ahead(work)]),
        ("aside", aside),
    ]
    return _rows(work, rows)


def pace(work: Work, about: int, most: int, talk: Talk, coverage: Coverage) -> str:
    """How far the stretch and the session have come, and the one thing that follows from it."""
    left, needed = most - work.frame.round, len(coverage.required)
    late = work.frame.round >= about or elapsed_time.short(work) is not None
    given = {
        "round": str(work.frame.round),
        "about": str(about),
        "most": str(most),
        "minutes": str(round((work.elapsed("session") or 0) / 60)),
        "of": _planned_minutes(work),
        "in_a_row": str(talk.in_a_row),
        "left": str(left),
        "needed": str(needed),
    }
    said = work.spoken("stretch.pace", 0)
    if given["of"]:
        said += work.spoken("stretch.pace_time", 0)
    if next_thing := _next_thing(talk, left, needed, late=late, danger=_is_open_about_danger(work, coverage)):
        said += work.spoken(f"stretch.pace_{next_thing}", 0)
    if talk.questions > 1:
        said += work.spoken("stretch.pace_questions", 0)
    for name, value in given.items():
        said = said.replace(f"{{{name}}}", value)
    return said


def _is_open_about_danger(work: Work, coverage: Coverage) -> bool:
    return any(is_about_danger(work, item) for item in coverage.required)


def _next_thing(talk: Talk, left: int, needed: int, *, late: bool, danger: bool) -> str:
    """What comes first: the thought that is hot, then what must still be known where the turns just suffice for it,
    then the time. Of the last turn its own rule says all; while danger is asked about, nothing is put before that."""
    if left <= 0 or (danger and left > needed):
        return ""
    if talk.hot and not danger:
        return "hot"
    if needed and left <= needed:
        return "needed"
    if late:
        return "late" if needed else "close"
    return "list" if talk.in_a_row > 1 else ""


def _planned_minutes(work: Work) -> str:
    announced = work.world.script.session.duration
    span = length(announced) if announced else None
    return str(round(span.total_seconds() / 60)) if span is not None else ""


def _phases(work: Work, refs: list[str]) -> list[str]:
    return [phase.phase for phase in work.world.script.session.phases if identity(phase) in refs]


def _ahead(work: Work) -> Iterator[str]:
    for phase in work.world.script.session.phases[work.phase_frame.index + 1 :]:
        if phase.condition is None:
            yield phase.phase


def _names(told: str | None) -> list[str]:
    return [told] if told else []


def _rows(work: Work, rows: list[tuple[str, list[str]]]) -> str:
    colon, semicolon = ("：", "；") if is_chinese(work.world.script.locale) else (": ", "; ")
    return semicolon.join(
        f"{work.spoken(f'stretch.{key}', 0)}{colon}{_joined(work, names[-SHOWN:])}" for key, names in rows if names
    )


def _joined(work: Work, names: list[str]) -> str:
    return ("、" if is_chinese(work.world.script.locale) else ", ").join(names)
