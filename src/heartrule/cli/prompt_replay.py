"""The prompts of a session that was held: worked out again from its records, and so the ones that were sent."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from heartrule.cli.faults import stop

if TYPE_CHECKING:
    from heartrule.cli.words import Words
    from heartrule.sessions import Settings
    from heartrule.sessions.replay import ReplayedTurn


def prompts_of(session: str, turn: int | None, where: Settings, words: Words) -> list[str]:
    """Each prompt of turn ``turn`` (of every one, without it), with a heading. Stops when there is none to be shown."""
    from heartrule.cli.keys import opened
    from heartrule.engine.installed_types import field_models
    from heartrule.language.projects.library import Library, library_root
    from heartrule.sessions.replay import replay
    from heartrule.sessions.replay_check import Differs, NotKept
    from heartrule.sessions.scripts import Scripts
    from heartrule.sessions.views import CannotRestore, NoSuchSession

    scripts = Scripts(Library([library_root(), *where.projects], field_models()))

    async def work() -> list[ReplayedTurn]:
        return [each async for each in replay(store, scripts, session, turn or 1, turn)]

    try:
        with opened(where, words) as store:
            found = asyncio.run(work())
    except NoSuchSession:
        raise stop(words("no_such_session", session=session)) from None
    except (Differs, NotKept, CannotRestore) as error:
        raise stop(words("prompts_not_again", reason=str(error))) from None
    if not found:
        raise stop(words("prompts_no_turn", turn=turn or 1))
    shown = [line for each in found for line in _written(each, words)]
    if not shown:
        raise stop(words("prompts_asked_nothing"))
    return shown


def _written(replayed: ReplayedTurn, words: Words) -> list[str]:
    lines = []
    for asked in replayed.asked:
        if asked.prompt is None:
            continue
        head = words("prompts_kept_head", turn=replayed.turn, task=asked.task.key, template=asked.prompt.template)
        note = [] if asked.exact else [words("prompts_reworded")]
        body = [f"[{message.role}]\n{message.text}" for message in asked.prompt.messages]
        lines.append("\n\n".join([f"──── {head}", *note, *body, ""]))
    return lines
