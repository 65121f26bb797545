"""What the person has told already, wherever and under whatever question: it is not asked again."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from heartrule.engine.casefile import records
from heartrule.engine.session.variables import Value
from heartrule.engine.variables import dependencies
from heartrule.engine.work import Work
from heartrule.language.nodes import Get


def told_value(work: Work, name: str) -> Value | None:
    """The value that can be seen under this name, where the person's own words or hand stand behind it. What a script
    has set, and a default, nobody has told."""
    seen = work.variables.find(name, work.chain())
    if seen is None or seen[1].value is None or seen[1].strategy == "set":
        return None
    return seen[1] if seen[1].evidence or seen[1].strategy == "form" else None


def told_elsewhere(work: Work, name: str) -> bool:
    """Whether it was told in answer to something else than the running action, which may mean to ask it anew each time
    it is come to."""
    value = told_value(work, name)
    running = work.state.running
    here = running.action.id if running is not None and running.action is not None else ""
    return value is not None and value.source != here


def need_not_ask(work: Work, wanted: Sequence[Get]) -> bool:
    """Whether all of it was told elsewhere, or refused. What is about danger is asked in any case, and what grows with
    each telling unless it was refused."""
    refused = records.refused(work)
    return bool(wanted) and all(_may_pass(work, item, refused) for item in wanted)


def _may_pass(work: Work, item: Get, refused: Collection[str]) -> bool:
    rules = dependencies.rules_of(work, item)
    if rules.risk:
        return False
    return item.get in refused or (rules.update == "overwrite" and told_elsewhere(work, item.get))
