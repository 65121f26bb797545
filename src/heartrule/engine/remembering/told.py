"""What came back to mind, as prompts tell it: a line each, the person's own words in quotation marks."""

from __future__ import annotations

from functools import reduce

from heartrule.engine.remembering import items
from heartrule.engine.work import Work
from heartrule.language import placeholders
from heartrule.memory.item import Item
from heartrule.memory.plain import joined

RECALLED = "recalled"
"""Under this name an action's memory keeps the ids of what came back."""


def told(work: Work) -> str:
    """Of the running action; empty where nothing came back, and where it asks for nothing."""
    frame = work.state.running.action if work.state.running else None
    groups = frame.memory.get(RECALLED) if frame is not None else None
    if not groups:
        return ""
    known = {each.id: each for each in items.held(work)}
    found = [[known[name] for name in group if name in known] for group in groups]
    return "\n".join(_line(work, reduce(joined, group)) for group in found if group)


def _line(work: Work, item: Item) -> str:
    head = f"{item.at:%Y-%m-%d}" + (f" {item.topic}" if item.topic else "")
    content = _fields(work, item) if item.fields else item.content
    taken = [work.spoken(f"memory_taken.{each}", 0) for each in item.taken]
    quote = (
        work.spoken("memory_quote", 0).replace("{quote}", item.quote)
        if item.quote and item.quote not in content
        else ""
    )
    behind = "; ".join([*taken, *([quote] if quote else [])])
    left, right = ("（", "）") if work.world.script.locale.startswith("zh") else (" (", ")")
    return f"- [{head}] {content}" + (f"{left}{behind}{right}" if behind else "")


def _fields(work: Work, item: Item) -> str:
    mark, locale = ("：", "zh-CN") if work.world.script.locale.startswith("zh") else (": ", "en")
    known = [f"{name}{mark}{placeholders.format_value(value, locale)}" for name, value in item.fields.items()]
    return f"{item.entity}{mark}" + "; ".join(known)
