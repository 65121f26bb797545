"""The plan of a topic: its actions as they are really gone through, where those of the script have been changed.

A plan is plain data in the topic's frame (``TopicFrame.plan``). ``body`` makes a topic of it that all other code
reads as it reads the script's own. What has begun keeps its place in it, so that an index means one action as long as a
pass lasts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from heartrule.engine.installed_types import installed
from heartrule.engine.session.state import PlannedAction, TopicFrame
from heartrule.language.nodes import Action, Skill, Steps, Topic

MADE = 256
"""Bodies that are kept made."""
_BRACES = str.maketrans({"{": "｛", "}": "｝"})
_Body = TypeVar("_Body", Topic, Skill, Topic | Skill)
_made: dict[tuple[int, str, tuple[str, ...]], tuple[Any, Any]] = {}


def body(node: _Body, ref: str, plan: Sequence[PlannedAction]) -> _Body:
    """``node`` with the actions of ``plan``; made once for the same content. A plan that does not fit it any more
    is left out of account."""
    key = (id(node), ref, tuple(placed.model_dump_json() for placed in plan))
    known = _made.get(key)
    if known is not None and known[0] is node:
        made: _Body = known[1]
        return made
    if any(placed.written is not None and placed.written >= len(node.actions) for placed in plan):
        return node
    made = node.model_copy(update={"actions": [action(node, ref, placed) for placed in plan]})
    while len(_made) >= MADE:
        _made.pop(next(iter(_made)), None)
    _made[key] = (node, made)
    return made


def action(node: Steps, ref: str, placed: PlannedAction) -> Action:
    """The action that stands at a place. It keeps the id that it would have without the plan."""
    if placed.written is None:
        fields = installed()[placed.changes["type"]].fields
        return fields.model_validate({**_data(placed.changes), "id": placed.id})
    written = node.actions[placed.written]
    own = written.id or named(ref, placed.written)
    return written.model_copy(update={**_data(placed.changes), "id": own})


def named(ref: str, index: int) -> str:
    """What an action without an id is called."""
    return f"{ref}#{index + 1}"


def _data(changes: dict[str, Any]) -> dict[str, Any]:
    """Texts with braces that open nothing: a model's words name no variable."""
    return {name: value.translate(_BRACES) if isinstance(value, str) else value for name, value in changes.items()}


def authored(frame: TopicFrame, written: Steps | None, action: Action) -> Action | None:
    """The running action as somebody has written and approved it; None: a change has put it in."""
    placed = _running(frame)
    if placed is None or written is None:
        return action
    return None if placed.written is None else written.actions[placed.written]


def shortened(frame: TopicFrame, written: Steps | None) -> bool:
    """Whether a change has given the running action fewer rounds than it had."""
    placed = _running(frame)
    if placed is None or frame.action is None:
        return False
    if frame.action.planned or written is None or placed.written is None:
        return frame.action.planned
    own, now = written.actions[placed.written].peek("max_rounds"), placed.changes.get("max_rounds")
    return own is not None and now is not None and now < own


def _running(frame: TopicFrame) -> PlannedAction | None:
    """Where the running action stands in a plan; None without one."""
    if frame.plan is None or frame.action is None or frame.action.index >= len(frame.plan):
        return None
    return frame.plan[frame.action.index]


def as_written(node: Steps) -> list[PlannedAction]:
    return [PlannedAction(written=index) for index in range(len(node.actions))]


def ids(node: Steps | None, ref: str) -> list[str]:
    """The ids of a body's actions."""
    actions = node.actions if node is not None else []
    return [action.id or named(ref, index) for index, action in enumerate(actions)]
