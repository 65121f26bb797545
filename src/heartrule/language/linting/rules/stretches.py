"""Stretches of talk. E434: about more rounds than at most. W435: ``rounds`` beside ``max_rounds``. W436: what is only
for a stretch, written where there is none. W437: a needed output that is sensitive."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Action, Get

_OF_A_STRETCH = ("rounds", "follow", "may_use", "literal")
_OF_AN_ITEM = ("question", "sensitive")


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        wanted = [(at, item) for at, item in enumerate(action.peek("output") or ()) if isinstance(item, Get)]
        if action.traits.asks != "model" or len(wanted) < 2:
            yield from _none(view, action, wanted)
            continue
        yield from _rounds(view, action)
        for at, item in wanted:
            if item.sensitive and (action.peek("required") if item.required is None else item.required):
                yield finding("W437", view.project.at(action, "output", at, "sensitive"), name=item.get)


def _none(view: View, action: Action, wanted: list[tuple[int, Get]]) -> Iterator[Finding]:
    written = type(action).model_fields if action.traits.asks == "model" else ()
    for key in _OF_A_STRETCH:
        if key in written and key in action.model_fields_set:
            place = view.project.at(action, key)
            yield finding("W436", place, mend=view.without(place, safe=False), key=key)
    for at, item in wanted:
        for key in _OF_AN_ITEM:
            if key in item.model_fields_set:
                place = view.project.at(action, "output", at, key)
                yield finding("W436", place, mend=view.without(place, safe=False), key=key)


def _rounds(view: View, action: Action) -> Iterator[Finding]:
    rounds = action.peek("rounds")
    if rounds is None:
        return
    if rounds.about > rounds.most:
        place = view.project.at(action, "rounds", value=True)
        yield finding("E434", place, about=rounds.about, most=rounds.most)
    if "max_rounds" in action.model_fields_set:
        place = view.project.at(action, "max_rounds")
        yield finding("W435", place, mend=view.without(place, safe=False))
