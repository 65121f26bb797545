"""What is known of a person before anything was said: values that the session was begun with, and such as its script
declares and nothing in it writes (seed 003 §4.2, "用户基础信息")."""

from __future__ import annotations

from heartrule.engine.session.variables import GLOBAL, SESSION
from heartrule.engine.variables.definitions import declared
from heartrule.engine.work import Work
from heartrule.language import placeholders
from heartrule.language.nodes import Variable
from heartrule.locales import is_chinese

MOST, LONGEST = 12, 80
"""Values that prompts show, and characters of each."""
NAMES = ("咨询师名", "用户名")
"""Variables of seed 003 that prompts say as the names of who speaks."""
_EMPTY: tuple[object, ...] = (None, "", [], {})


def prompt_line(work: Work) -> str:
    """On one line, each with its name."""
    known = {variable.var: variable for variable in declared(work)}
    held = {**work.variables.cells.get(GLOBAL, {}), **work.variables.cells.get(SESSION, {})}
    names = [
        name
        for name, value in held.items()
        if value.strategy == "set" and value.source in _BEGINNINGS and value.value not in _EMPTY
        if _counts(known, name)
    ]
    if names:
        names = [name for name in names if not _is_written(work, name)]
    zh, locale = is_chinese(work.world.script.locale), work.world.script.locale
    rows = [f"{name}={_line(placeholders.format_value(held[name].value, locale))}" for name in names[:MOST]]
    return ("；" if zh else "; ").join(rows)


_BEGINNINGS = ("start", "session")
"""What has written a value that nobody has touched since."""


def _counts(known: dict[str, Variable], name: str) -> bool:
    rules = known.get(name)
    return name not in NAMES and rules is not None and not rules.risk


def _is_written(work: Work, name: str) -> bool:
    """Whether the script writes it itself: what it keeps count with is nothing about the person."""
    script = work.world.script
    topics = (topic for phase in script.session.phases for topic in phase.steps)
    if any(name in body.written for body in (*topics, *script.skills.values())):
        return True
    return any(directive.var == name for each in script.awareness.values() for directive in each.directives())


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"
