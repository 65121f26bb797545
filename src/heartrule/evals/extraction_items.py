"""Labelled rounds of ``ai_ask``: a dialogue, what is to be found out, and what a careful reader takes from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

from heartrule.engine.session.tasks import Line
from heartrule.evals import item_rows
from heartrule.evals.extraction_gold import exact

Kind = Literal["not_mentioned", "vague", "contradictory"]
"""Why a value must not be taken from what was said."""
KINDS: tuple[Kind, ...] = get_args(Kind)
AT = datetime(2026, 11, 20, 15, 0, tzinfo=UTC)
"""When an item is held that says nothing else: a Friday."""
_KNOWN = frozenset(
    {"id", "locale", "at", "dialogue", "begins", "brief", "output", "action", "before", "gold", "missing", "tags"}
)


@dataclass(frozen=True, slots=True)
class LabelledDialogue:
    """One item. ``dialogue`` ends in the answer that is read, which may be several messages. ``begins`` is the index of
    the line with which the action began; what stands before it was said earlier in the session. ``brief`` is the
    action's ``content`` and ``output`` its variables, as a script writes them, ``action`` what else a script may say of
    it. ``before`` holds values that were known. ``gold`` names every variable; what is None must not be written, and
    ``missing`` says why."""

    id: str
    line: int
    locale: str
    at: datetime
    dialogue: tuple[Line, ...] = field(repr=False)
    begins: int
    brief: str = field(repr=False)
    output: tuple[Mapping[str, Any], ...] = field(repr=False)
    action: Mapping[str, Any] = field(repr=False)
    before: Mapping[str, Any] = field(repr=False)
    gold: Mapping[str, Any] = field(repr=False)
    missing: Mapping[str, Kind]
    tags: tuple[str, ...]

    @property
    def answer(self) -> tuple[str, ...]:
        """The messages that are read: the last ones of the person."""
        return tuple(line.text for line in self.dialogue[self.asked + 1 :])

    @property
    def asked(self) -> int:
        """The index of the line that they answer."""
        return max(number for number, line in enumerate(self.dialogue) if line.speaker == "ai")


def load_items(path: Path) -> list[LabelledDialogue]:
    """The items in the order of the file. Raises ``BadFile``, which quotes none of it."""
    return item_rows.load_items([path], _item)


def _item(row: Mapping[str, Any], line: int) -> LabelledDialogue:
    need = partial(item_rows.need, line)
    for key in row:
        need(str(key)[:40], key in _KNOWN)
    need("id", item_rows.is_id(row.get("id")))
    need("brief", isinstance(row.get("brief"), str) and bool(row["brief"].strip()))
    for key, kind in (("output", list), ("gold", dict), ("missing", dict), ("action", dict), ("before", dict)):
        need(key, isinstance(row.get(key, kind()), kind))
    need("locale", row.get("locale", "zh-CN") in ("zh-CN", "en"))
    output, gold, missing = row.get("output", []), row.get("gold", {}), row.get("missing", {})
    need("output", bool(output) and all(_is_get(each) for each in output))
    need("gold", set(gold) == {each["get"] for each in output})
    need("gold", all(exact(value) for value in gold.values() if value is not None))
    need("missing", set(missing) == {name for name, value in gold.items() if value is None})
    need("missing", all(why in KINDS for why in missing.values()))
    tags = row.get("tags", [])
    need("tags", isinstance(tags, list) and all(isinstance(each, str) for each in tags))
    dialogue = _dialogue(row.get("dialogue"))
    need("dialogue", dialogue is not None)
    assert dialogue is not None
    last = max(number for number, each in enumerate(dialogue) if each.speaker == "ai")
    begins = row.get("begins", last)
    need("begins", type(begins) is int and 0 <= begins <= last and dialogue[begins].speaker == "ai")
    at = _moment(row.get("at"))
    need("at", at is not None)
    assert at is not None
    return LabelledDialogue(
        id=row["id"],
        line=line,
        locale=row.get("locale", "zh-CN"),
        at=at,
        dialogue=dialogue,
        begins=begins,
        brief=row["brief"],
        output=tuple(output),
        action=row.get("action", {}),
        before=row.get("before", {}),
        gold=gold,
        missing=missing,
        tags=tuple(tags),
    )


def _is_get(each: object) -> bool:
    return isinstance(each, Mapping) and isinstance(each.get("get"), str)


def _dialogue(rows: object) -> tuple[Line, ...] | None:
    """None unless somebody is asked and then answers."""
    if not isinstance(rows, list) or not all(isinstance(each, Mapping) for each in rows):
        return None
    if not all(each.get("speaker") in ("ai", "person") and _said(each.get("text")) for each in rows):
        return None
    lines = tuple(Line(each["speaker"], each["text"].strip()) for each in rows)
    speakers: Sequence[str] = [each.speaker for each in lines]
    return lines if "ai" in speakers and speakers[-1] == "person" else None


def _said(text: object) -> bool:
    return isinstance(text, str) and bool(text.strip())


def _moment(written: object) -> datetime | None:
    if written is None:
        return AT
    try:
        found = datetime.fromisoformat(str(written))
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
