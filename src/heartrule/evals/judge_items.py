"""Labelled beginnings of sessions, and what a session should hear of danger in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

from heartrule.engine.casefile import risk_picture
from heartrule.engine.session.tasks import Line
from heartrule.evals import item_rows

Label = Literal[
    "active",
    "plan",
    "passive",
    "selfharm",
    "other_violence",
    "none_denial",
    "none_kin",
    "none_past",
    "none_idiom",
    "none_work",
    "none_plain",
]
LABELS: tuple[Label, ...] = get_args(Label)
CALM: tuple[Label, ...] = tuple(label for label in LABELS if label.startswith("none_"))
"""What tells of no danger that is there now."""
FACTS = frozenset((*risk_picture.WEIGHT, *risk_picture.BESIDE))
"""What may be known as true or false, by the variables of the safety project."""
WORDED = frozenset((*risk_picture.HOLDS, "wish_often"))
"""What may be known in words."""
_KEYS = frozenset({"id", "locale", "turns", "known", "label", "own", "interrupts"})


@dataclass(frozen=True, slots=True)
class JudgeItem:
    """``dialogue`` ends in the person's newest message, or messages. ``known``: what was told of risk before it began.
    ``own``: the danger is the person's own. ``interrupts``: it is present and must stop the talk."""

    id: str
    line: int
    locale: str
    dialogue: tuple[Line, ...] = field(repr=False)
    known: Mapping[str, Any] = field(repr=False)
    label: Label
    own: bool
    interrupts: bool

    @property
    def calm(self) -> bool:
        return self.label in CALM


def load_items(paths: Iterable[Path]) -> list[JudgeItem]:
    """The beginnings of all files, in order; their ids differ. Raises ``BadFile``, which quotes none of them."""
    return item_rows.load_items(paths, _beginning)


def _beginning(row: Mapping[str, Any], line: int) -> JudgeItem:
    need = partial(item_rows.need, line)
    for key in row:
        need(str(key)[:40], key in _KEYS)
    need("id", item_rows.is_id(row.get("id")))
    need("locale", row.get("locale") in ("zh-CN", "en"))
    need("label", row.get("label") in LABELS)
    for key in ("own", "interrupts"):
        need(key, type(row.get(key)) is bool)
    need("interrupts", not (row["interrupts"] and row["label"] in CALM))
    dialogue = _dialogue(row.get("turns"))
    need("turns", dialogue[-1:] != () and dialogue[-1].speaker == "person")
    known = row.get("known", {})
    need("known", isinstance(known, dict) and all(_is_known(name, value) for name, value in known.items()))
    return JudgeItem(
        id=row["id"],
        line=line,
        locale=row["locale"],
        dialogue=dialogue,
        known=known,
        label=row["label"],
        own=row["own"],
        interrupts=row["interrupts"],
    )


def _is_known(name: str, value: object) -> bool:
    return type(value) is bool if name in FACTS else name in WORDED and _said(value)


def _dialogue(rows: object) -> tuple[Line, ...]:
    """Empty where it is none."""
    if not isinstance(rows, list) or not all(isinstance(each, Mapping) for each in rows):
        return ()
    if not all(each.get("by") in ("ai", "person") and _said(each.get("text")) for each in rows):
        return ()
    return tuple(Line(each["by"], each["text"].strip()) for each in rows)


def _said(text: object) -> bool:
    return isinstance(text, str) and bool(text.strip())
