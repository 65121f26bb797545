"""Labelled beginnings of sessions, refusals and typed choices: what a session should have heard in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

from heartrule.engine.session.tasks import Line
from heartrule.evals import item_rows

Lang = Literal["zh", "en"]
ToldLabel = Literal[True, False, "part"]
_KEYS = {
    "beginning": frozenset({"id", "lang", "dialogue", "wanted", "told", "tags", "tags_of"}),
    "refusal": frozenset({"id", "lang", "kind", "dialogue", "question", "text", "wanted", "gold"}),
    "choosing": frozenset({"id", "lang", "kind", "said_before", "choices", "text", "gold", "rest"}),
}
_GOLD = frozenset({"declines", "boundary", "covers"})


@dataclass(frozen=True, slots=True)
class ListeningItem:
    """``dialogue`` ends in the person's newest message. ``wanted``: what the session still wants, each with the
    ``name`` that a script would ``get`` it by. ``told`` says of each whether the person has told it, ``tags_of`` what
    is hard about it; a thing tagged ``refused`` was not told, and is not to be asked either."""

    id: str
    line: int
    lang: Lang
    dialogue: tuple[Line, ...] = field(repr=False)
    wanted: tuple[Mapping[str, Any], ...] = field(repr=False)
    told: Mapping[str, ToldLabel]
    tags_of: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Refusal:
    """``dialogue`` ends in the question and the ``text`` that answers it; the first of ``wanted`` is what was asked.
    ``declines``: this question is over, whatever it was answered. ``covers``: the names that are not to be asked for
    any more, by this refusal or by the boundary that it draws."""

    id: str
    line: int
    lang: Lang
    kind: str
    dialogue: tuple[Line, ...] = field(repr=False)
    wanted: tuple[Mapping[str, Any], ...] = field(repr=False)
    declines: bool
    boundary: str | None = field(repr=False)
    covers: frozenset[str]

    @property
    def asked(self) -> str:
        return str(self.wanted[0]["name"])


@dataclass(frozen=True, slots=True)
class ChoiceItem:
    """``choices``: pairs of value and label. ``text`` as it was typed, ``gold`` the value that is meant, if any is."""

    id: str
    line: int
    lang: Lang
    kind: str
    before: str = field(repr=False)
    choices: tuple[tuple[str, str], ...] = field(repr=False)
    text: str = field(repr=False)
    gold: str | None


Item = ListeningItem | Refusal | ChoiceItem


def load_items(paths: Iterable[Path]) -> list[Item]:
    """The items of all files, in order; their ids differ. Raises ``BadFile``, which quotes none of them."""
    return item_rows.load_items(paths, _item)


def _item(row: Mapping[str, Any], line: int) -> Item:
    need = partial(item_rows.need, line)
    kind = "beginning" if "told" in row else "choosing" if "choices" in row else "refusal"
    for key in row:
        need(str(key)[:40], key in _KEYS[kind])
    need("id", item_rows.is_id(row.get("id")))
    need("lang", row.get("lang") in ("zh", "en"))
    if kind == "beginning":
        return _beginning(row, line, need)
    return _choosing(row, line, need) if kind == "choosing" else _refusal(row, line, need)


def _beginning(row: Mapping[str, Any], line: int, need: Callable[[str, bool], None]) -> ListeningItem:
    dialogue, wanted = _dialogue(row.get("dialogue")), _wanted(row.get("wanted"))
    need("dialogue", dialogue[-1:] != () and dialogue[-1].speaker == "person" and dialogue[0].speaker == "ai")
    need("wanted", len(wanted) > 1)
    names = {each["name"] for each in wanted}
    told, tags = row["told"], row.get("tags_of", {})
    need("told", isinstance(told, dict) and set(told) == names)
    need("told", all(each is True or each is False or each == "part" for each in told.values()))
    need("tags_of", isinstance(tags, dict) and set(tags) <= names and all(map(_texts, tags.values())))
    return ListeningItem(
        id=row["id"],
        line=line,
        lang=row["lang"],
        dialogue=dialogue,
        wanted=wanted,
        told=told,
        tags_of={name: tuple(each) for name, each in tags.items()},
    )


def _refusal(row: Mapping[str, Any], line: int, need: Callable[[str, bool], None]) -> Refusal:
    dialogue, wanted, gold = _dialogue(row.get("dialogue")), _wanted(row.get("wanted")), row.get("gold")
    need("dialogue", len(dialogue) > 0 and dialogue[0].speaker == dialogue[-1].speaker == "ai")
    need("question", row.get("question") == (dialogue[-1].text if dialogue else None))
    need("wanted", len(wanted) > 1)
    need("text", _said(row.get("text")))
    need("gold", isinstance(gold, Mapping) and set(gold) == _GOLD)
    assert isinstance(gold, Mapping)
    covers, names = gold["covers"], {each["name"] for each in wanted}
    need("gold", type(gold["declines"]) is bool and (gold["boundary"] is None or _said(gold["boundary"])))
    need("gold", _texts(covers) and set(covers) <= names)
    return Refusal(
        id=row["id"],
        line=line,
        lang=row["lang"],
        kind=str(row.get("kind", "")),
        dialogue=(*dialogue, Line("person", row["text"].strip())),
        wanted=wanted,
        declines=gold["declines"],
        boundary=gold["boundary"],
        covers=frozenset(covers),
    )


def _choosing(row: Mapping[str, Any], line: int, need: Callable[[str, bool], None]) -> ChoiceItem:
    given = row["choices"]
    need("choices", isinstance(given, list) and bool(given) and all(map(_is_choice, given)))
    choices = tuple((str(each["value"]), str(each["label"])) for each in given)
    for key in ("said_before", "text"):
        need(key, _said(row.get(key)))
    gold = row.get("gold")
    need("gold", gold is None or gold in [value for value, _ in choices])
    return ChoiceItem(
        id=row["id"],
        line=line,
        lang=row["lang"],
        kind=str(row.get("kind", "")),
        before=row["said_before"].strip(),
        choices=choices,
        text=row["text"].strip(),
        gold=gold,
    )


def _dialogue(rows: object) -> tuple[Line, ...]:
    """Empty where it is none."""
    if not isinstance(rows, list) or not all(isinstance(each, Mapping) for each in rows):
        return ()
    if not all(each.get("speaker") in ("ai", "person") and _said(each.get("text")) for each in rows):
        return ()
    return tuple(Line(each["speaker"], each["text"].strip()) for each in rows)


def _wanted(rows: object) -> tuple[Mapping[str, Any], ...]:
    if not isinstance(rows, list) or not all(isinstance(each, Mapping) and _said(each.get("name")) for each in rows):
        return ()
    names: Sequence[str] = [each["name"] for each in rows]
    return tuple(rows) if len(set(names)) == len(names) else ()


def _is_choice(each: object) -> bool:
    return isinstance(each, Mapping) and _said(each.get("value")) and _said(each.get("label"))


def _texts(given: object) -> bool:
    return isinstance(given, list) and all(isinstance(each, str) for each in given)


def _said(text: object) -> bool:
    return isinstance(text, str) and bool(text.strip())
