"""What came back to mind, as prompts tell it: a line each, the person's own words in quotation marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import ClassVar

from heartrule.engine.session.action_state import ActionState
from heartrule.engine.session.io import World
from heartrule.engine.session.state import ActionFrame
from heartrule.engine.tasks import references
from heartrule.engine.variables import memories
from heartrule.engine.work import Work
from heartrule.language import placeholders
from heartrule.locales import is_chinese
from heartrule.memory.item import Item
from heartrule.memory.plain import joined
from heartrule.memory.tokens_of import tokens_of

BUDGET = 600
"""Tokens that what came back to mind may cost in a prompt."""


class MemoryGroup(ActionState):
    """The ids of what came back, those together that are told as one."""

    section: ClassVar[str] = "recalled"

    groups: list[list[str]] = []
    asked: bool = False
    """It asks for what is remembered, whether or not anything came back."""


def keep(frame: ActionFrame, groups: list[list[str]]) -> None:
    """These have come back to mind for the action's next words."""
    kept = MemoryGroup.of(frame)
    kept.groups, kept.asked = groups, True


def prompt_part(work: Work) -> str:
    """Of the running action, what came back, and what the words of this turn refer to; empty where there is neither,
    and where it asks for nothing."""
    frame = work.state.running.action if work.state.running else None
    kept = MemoryGroup.of(frame) if frame is not None else None
    if kept is None or not kept.asked:
        return ""
    return "\n".join((*_came_back(work, kept.groups), *references.lines(work)))


def _came_back(work: Work, groups: Sequence[Sequence[str]]) -> Iterator[str]:
    if not groups:
        return iter(())
    known = {each.id: each for each in memories.held(work.memories)}
    found = [[known[name] for name in group if name in known] for group in groups]
    return _within(_line(work, reduce(joined, group)) for group in found if group)


def _within(lines: Iterable[str]) -> Iterator[str]:
    """As many as there is room for. They stand oldest first, so that the newest are kept."""
    kept, left = list[str](), BUDGET
    for line in reversed(list(lines)):
        left -= tokens_of(line)
        if left < 0:
            break
        kept.append(line)
    return reversed(kept)


def _line(work: Work, item: Item) -> str:
    head = f"{item.at:%Y-%m-%d}" + (f" {item.topic}" if item.topic else "")
    content = _fields(work.world, item) if item.fields else item.content
    taken = [work.spoken(f"memory_taken.{each}", 0) for each in item.taken]
    quote = (
        work.spoken("memory_quote", 0).replace("{quote}", item.quote)
        if item.quote and item.quote not in content
        else ""
    )
    behind = "; ".join([*taken, *([quote] if quote else [])])
    left, right = ("（", "）") if is_chinese(work.world.script.locale) else (" (", ")")
    return f"- [{head}] {content}" + (f"{left}{behind}{right}" if behind else "")


def _fields(world: World, item: Item) -> str:
    mark, locale = ("：", "zh-CN") if is_chinese(world.script.locale) else (": ", "en")
    known = [f"{name}{mark}{placeholders.format_value(value, locale)}" for name, value in item.fields.items()]
    return f"{item.entity}{mark}" + "; ".join(known)
