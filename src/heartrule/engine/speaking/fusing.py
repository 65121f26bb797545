"""Fused transitions: where it is certain what the model will be asked to open next, the reply that ends this action
opens it too, as a person would, and no further call is waited for.

It is certain where the next action is a question in the model's words, follows at once, under no condition, and reads
nothing that this one writes. If code then decides otherwise than the model, the opening is left out and made anew; how
often that happens is recorded.
"""

from __future__ import annotations

from dataclasses import dataclass

from heartrule.engine.adapting import strategies
from heartrule.engine.calling.prompting import ahead, fill
from heartrule.engine.events import Fused
from heartrule.engine.remembering import recalling
from heartrule.engine.scoping.scopes import lookup
from heartrule.engine.understanding.extraction import gets
from heartrule.engine.watching import joints
from heartrule.engine.work import Work
from heartrule.language import placeholders
from heartrule.language.nodes import Action, Set

SHOWN = 600
"""Characters of the next action's brief that a prompt shows."""
_BRIEFS = ("content", "topic_content", "follow_up", "tone")


@dataclass(frozen=True, slots=True)
class Opening:
    """The words that have opened an action before it was entered, by its index in the topic ``topic``."""

    topic: str
    index: int
    words: str


def following(work: Work) -> str:
    """What the next action is about, for the prompt of the running one; empty where it is not certain."""
    action = _next(work)
    if action is None:
        return ""
    how = strategies.told_of(work, work.running.key, action.id or f"{work.running.ref}#{work.frame.index + 2}")
    brief = " ".join(fill(work, action.peek("content")).split())[:SHOWN]
    if not how:
        return brief
    return f"{brief}（{how}）" if work.world.script.locale.startswith("zh") else f"{brief} ({how})"


def told(work: Work) -> dict[str, str]:
    """What comes next, as prompts show it: the script's own words, or what the reply that ends this may open."""
    brief = following(work)
    return {"following": brief, "next": "" if brief else ahead(work)}


def _next(work: Work) -> Action | None:
    """The action that certainly comes next, and is opened by the model."""
    body, frame = work.body(), work.running.action
    if body is None or frame is None or frame.index + 1 >= len(body.actions) or not work.model:
        return None
    if work.state.pending:  # something that was noticed may come before it
        return None
    running, action = body.actions[frame.index], body.actions[frame.index + 1]
    if action.condition is not None or action.type != "ai_ask" or action.peek("question"):
        return None
    if action.peek("review") or _is_known(work, action) or recalling.reads(work, action):
        return None
    return None if _reads(action) & _writes(running) else action


def _is_known(work: Work, action: Action) -> bool:
    """Whether it may be passed over, or begin by a word of its own, because its answers are known."""
    wanted = gets(action.peek("output") or [])
    known = [lookup(work, item.get) is not None for item in wanted]
    when = action.peek("when_known")
    return (when == "skip" and all(known)) or (when == "confirm" and any(known))


def _reads(action: Action) -> set[str]:
    texts = [action.peek(name) for name in _BRIEFS]
    return {place.name.partition(".")[0] for text in texts if text for place in placeholders.names(text)}


def _writes(action: Action) -> set[str]:
    output = action.peek("output") or []
    names = {item.set if isinstance(item, Set) else item.get for item in output} | {action.peek("tolist") or ""}
    return {name.partition(".")[0] for name in names}


def certain(work: Work, wished: bool) -> bool:
    """Whether the reply may open the next action: the model meant to (``wished``) and nothing comes between."""
    if not wished or work.interrupted or _next(work) is None:
        return False
    return not joints.impending(work, f"after {work.frame.type}", "before ai_ask")


def hand_on(work: Work, words: str, *, opened: bool) -> None:
    """The running action ends with these words; ``opened``: they open the next one as well."""
    frame = work.frame
    work.emit(Fused(action=frame.id, kept=opened))
    if opened:
        work.opening = Opening(work.running.key, frame.index + 1, words)


def taken(work: Work) -> str:
    """The words by which the action that is entered has been opened already."""
    opening, work.opening = work.opening, None
    if opening is None or (opening.topic, opening.index) != (work.running.key, work.frame.index):
        return ""
    return opening.words
