"""What comes back to mind before an action's first words: chosen once an entry, the same for all its prompts."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.engine.session.events import MemoryRead
from heartrule.engine.tasks import recollections
from heartrule.engine.tasks.prompt_context import fill, shown
from heartrule.engine.variables import memories
from heartrule.engine.work import Work
from heartrule.language.nodes import Action
from heartrule.language.nodes.memory import MemoryRead as Rules
from heartrule.language.nodes.memory import weight
from heartrule.memory.item import Item
from heartrule.memory.protocol import Wish
from heartrule.memory.time_words import past

MOST = 5
_ABOUT = ("content", "question", "goal", "topic_content")
LAST = 2
"""Messages of the person, the last ones, that say what is talked about."""


def entered(work: Work, action: Action) -> None:
    """The action of the running frame is about to begin."""
    found = memories.rules(work, action) if action.traits.recalls else None
    read = found.read if found is not None else None
    if read is None or not read.enabled:
        return
    _retrieve(work, _wish(work, action, read))


def mentioned(work: Work, said: str) -> None:
    """The person speaks of what was talked about before: what comes to mind for the running action's next words is
    looked for anew, by what they say."""
    if not memories.remembers(work.world.script, work.state.memory) or not past(said):
        return
    running = work.state.running
    action = work.action_at(running.action.index) if running is not None and running.action is not None else None
    if action is None:
        return
    if reads(work, action):
        read = memories.rules(work, action).read  # type: ignore[union-attr]
        most = read.top_k if read is not None and read.top_k else MOST
        _retrieve(work, Wish(about=said, mode="related", most=most))


def _retrieve(work: Work, wish: Wish) -> None:
    held = [each for each in memories.held(work.memories) if not _in_sight(work, each)]
    recalled = work.world.memory.recall(held, wish)
    recollections.keep(work.frame, [[*each.older, each.id] for each in recalled])
    work.emit(
        MemoryRead(
            action=work.frame.id,
            mode=wish.mode,
            looked=len(held),
            items=[each.id for each in recalled],
            types=[each.type for each in recalled],
        )
    )


def reads(work: Work, action: Action) -> bool:
    """Whether something may come back to mind before the action that is yet to come in the running topic."""
    found = memories.rules(work, action) if action.traits.recalls else None
    return found is not None and found.read is not None and bool(found.read.enabled)


def _in_sight(work: Work, item: Item) -> bool:
    """Whether the conversation that prompts show holds it still."""
    if item.session != work.world.session:
        return False
    first = next((message.number for message in shown(work)), 0)
    return item.message >= first


def _wish(work: Work, action: Action, read: Rules) -> Wish:
    return Wish(
        about="\n".join(filter(None, _about(work, action))),
        mode=read.mode or "mixed",
        type=read.type or "",
        importance=weight(read.importance, 0.0),
        most=read.top_k or MOST,
    )


def _about(work: Work, action: Action) -> Iterator[str]:
    for name in _ABOUT:
        yield fill(work, action.peek(name), unknown="")
    body = work.body()
    if body is not None:
        yield from (body.name, fill(work, body.goal, unknown=""))
    said = [message.text for message in shown(work) if message.sender == "person" and not message.withheld]
    yield from said[-LAST:]
