"""What a turn may be reminded of: found before it begins, of what is remembered beside the turns; which of it comes to
mind is the engine's to say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from heartrule.engine.session.events import Ended, PhaseChanged, TopicChanged
from heartrule.engine.session.io import Input, Turn
from heartrule.engine.session.state import State
from heartrule.engine.variables.memories import REFERRED
from heartrule.language.compiling.script import Script
from heartrule.memory import people
from heartrule.memory.embeddings import Embedder
from heartrule.memory.score_comparison import SCORES
from heartrule.memory.time_words import past
from heartrule.sessions.person_memory import STANDING, wanted
from heartrule.sessions.state_cache import TurnStart
from heartrule.store.memories import SCOPE
from heartrule.store.recollections import Recollection
from heartrule.store.records import VariableRecord
from heartrule.store.store import Store

MOST = 8
"""Found for a turn, beside what stands."""
PEOPLE = {"entity": 24}
"""Looked through for whom a pronoun means, those who were told of last."""
EVERY = 10
"""Turns after which a session is remembered anew though no topic has ended: what leaves the window is found by then."""
IN_SIGHT = 28
"""Messages that prompts show anyway."""
_ABOUT = ("content", "question", "goal", "topic_content")


def is_due(turn: Turn) -> bool:
    """Whether something of the session has come to an end, or enough was said."""
    over = any(
        isinstance(each, Ended)
        or (isinstance(each, PhaseChanged) and each.state == "left")
        or (isinstance(each, TopicChanged) and each.state in ("completed", "skipped"))
        for each in turn.events
    )
    return over or turn.state.seq % EVERY == 0


async def reminded(
    store: Store,
    embedder: Embedder | None,
    script: Script,
    session: str,
    session_state: TurnStart,
    given: Input,
    now: datetime,
) -> list[VariableRecord]:
    """As they stand among the variables, with what actions have left to be remembered."""
    said = " ".join(each.text for each in given.words)
    query = "\n".join(filter(None, (said, *_aims(script, session_state.state))))
    meaning = await embedder.vector(said) if embedder is not None and said and past(said) else None
    what = wanted(query, now, meaning=meaning)
    in_sight = replace(what.query, without=session, since=max(1, session_state.state.messages - IN_SIGHT))
    most = MOST + (2 * SCORES if what.query.compared else 0)
    whom = PEOPLE if people.has_pronoun(said) else {}
    found = await store.recollections.remind(session, replace(what, query=in_sight), most, STANDING, whom)
    return [*found.left, *(_record(each) for each in found.found)]


def _aims(script: Script, state: State) -> Iterator[str]:
    """What the running action and the next are about, in the script's words."""
    running = state.running
    if running is None or state.phase is None:
        return
    phases = script.session.phases
    phase = phases[state.phase.index] if state.phase.index < len(phases) else None
    topic = phase.topics.get(running.ref) if phase is not None else None
    body = script.skills.get(running.ref) if running.kind == "skill" else topic
    if body is None:
        return
    yield body.name
    at = running.action.index if running.action is not None else 0
    for action in body.actions[at : at + 2]:
        for name in _ABOUT:
            text = action.peek(name)
            if isinstance(text, str):
                yield text


def _record(found: Recollection) -> VariableRecord:
    item = found.item
    only = (item.kind, found.ways) in (("entity", ("standing",)), ("score", ("time",)))
    return VariableRecord(
        scope=SCOPE,
        scope_key=REFERRED if only else item.type,
        name=item.id,
        value=item.data(),
        type=item.type,
        updated_at=item.at,
        updated_by=item.action,
        strategy=SCOPE,
        evidence=item.quote or None,
    )
