"""Memory by rules: what is newest, weightiest, or shares most words with what is talked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from heartrule.memory.item import Item
from heartrule.memory.protocol import KeptItem, Memory, Wish
from heartrule.memory.terms import nearness, terms, weights

MOST = 300
"""Items that are held of a person in a project; beyond them the least important goes, of equal ones the oldest."""
RELATED, WEIGHTY, FRESH = 0.5, 0.3, 0.2
"""What nearness, importance and age count for when they are mixed."""


class Plain:
    """The implementation that comes with it."""

    def keep(
        self, held: Sequence[Item], item: Item, *, mode: Literal["recent", "important"], most: int | None
    ) -> KeptItem:
        mine = [each for each in held if each.session == item.session and each.place == item.place]
        same = next((each for each in mine if _is_of(each, item)), None)
        if same is not None:
            fields = {**same.fields, **item.fields} if item.entity else item.fields
            item = replace(item, id=same.id, fields=fields)
        left = [each for each in held if each.id != item.id]
        gone = [each.id for each in left if _is_said(each, item)]
        left = [each for each in left if each.id not in gone]
        if most is not None:
            others = [each for each in left if each.session == item.session and each.place == item.place]
            gone += [each.id for each in _worst_first([*others, item], mode)[: len(others) + 1 - most] if each != item]
            left = [each for each in left if each.id not in gone]
        gone += [each.id for each in _worst_first(left, "important")[: max(0, len(left) + 1 - MOST)]]
        return KeptItem(item, tuple(gone))

    def recall(self, held: Sequence[Item], wish: Wish) -> tuple[Item, ...]:
        fit = [
            each for each in held if (not wish.type or each.type == wish.type) and each.importance >= wish.importance
        ]
        fit = _each_once(fit)
        ranked = self._ranked(fit, wish)
        return tuple(sorted(ranked[: wish.most], key=_age))

    def _ranked(self, fit: Sequence[Item], wish: Wish) -> list[Item]:
        newest = sorted(fit, key=_age, reverse=True)
        if wish.mode == "recent":
            return newest
        if wish.mode == "important":
            return sorted(newest, key=lambda each: -each.importance)
        if wish.mode == "opening":
            return _opening(newest)
        near = _nearness(newest, wish.about)
        if wish.mode == "related":
            return sorted((each for each in newest if near[each.id] > 0), key=lambda each: -near[each.id])
        best = max(near.values(), default=0.0) or 1.0
        fresh = {each.id: 1 - at / len(newest) for at, each in enumerate(newest)}

        def score(each: Item) -> float:
            return RELATED * near[each.id] / best + WEIGHTY * each.importance + FRESH * fresh[each.id]

        return sorted(newest, key=lambda each: -score(each))


OPENING = ("summary", "homework", "preference", "profile", "goal")
"""What a session begins with, in the order in which there is room for it."""


def _opening(newest: Sequence[Item]) -> list[Item]:
    """The last session's summary, what was to be done, who the person is and what they would rather not speak of."""
    standing = [each for each in newest if not each.old and (each.kind != "summary" or each.type == "long")]
    once: dict[object, Item] = {}
    for each in standing:
        if each.kind in OPENING:
            once.setdefault((each.kind, "" if each.kind == "summary" else each.subject or each.content), each)
    return sorted(once.values(), key=lambda each: OPENING.index(each.kind))


def _is_of(one: Item, other: Item) -> bool:
    """Whether the newer says the same thing anew."""
    return _subject(one) == _subject(other)


def _subject(item: Item) -> tuple[object, ...]:
    return item.kind, item.type, item.names, item.entity, item.passes if not item.entity else 1


def _is_said(each: Item, item: Item) -> bool:
    """Whether it says nothing that the new one does not say in the same words. One of another session stays: either
    session may be removed."""
    return each.session == item.session and each.type == item.type and _words(each) == _words(item)


def _words(item: Item) -> tuple[object, ...]:
    return item.kind, item.content, item.entity, item.taken


def _each_once(items: Sequence[Item]) -> list[Item]:
    """Of those that say the same the newest; what is known of one person or thing made one."""
    found: dict[tuple[object, ...], Item] = {}
    for item in sorted(items, key=_age):
        key = (item.names, item.entity) if item.entity else _words(item)
        older = found.pop(key, None)
        if older is not None and item.entity:
            item = joined(older, item)
        found[key] = item
    return list(found.values())


def joined(older: Item, newer: Item) -> Item:
    """One item of two about the same: what the newer knows takes the place of what the older does."""
    fields = {**older.fields, **newer.fields}
    return replace(newer, fields=fields, older=(*older.older, older.id, *newer.older))


def _nearness(items: Sequence[Item], about: str) -> dict[str, float]:
    """Who is spoken of by name is nearest."""
    known = {each.id: terms(_text(each)) for each in items}
    weigh, wanted = weights(known.values()), terms(about)
    most, plain = 1 + sum(weigh.values()), about.casefold()
    named = {each.id: most for each in items if each.entity and each.entity.casefold() in plain}
    return {name: nearness(of, wanted, weigh) + named.get(name, 0.0) for name, of in known.items()}


def _text(item: Item) -> str:
    return "\n".join((item.content, item.quote, item.topic, item.entity))


def _age(item: Item) -> tuple[object, ...]:
    return item.at, item.session, item.message, item.id


def _worst_first(items: Sequence[Item], mode: Literal["recent", "important"]) -> list[Item]:
    oldest = sorted(items, key=_age)
    return oldest if mode == "recent" else sorted(oldest, key=lambda each: each.importance)


PLAIN: Memory = Plain()
