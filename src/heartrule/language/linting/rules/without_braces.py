"""W431: the bare name of a variable where a value is given on (``input: {listener: with_whom}``), which is those very
words, and braces without quotes, which YAML takes for a mapping."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Node, Place
from heartrule.language.nodes.forms import SetOnSubmit

_GIVEN = ("input", "values")


def check(view: View) -> Iterator[Finding]:
    for body, action in view.actions():
        for key in _GIVEN:
            given = action.peek(key)
            for name, value in given.items() if isinstance(given, Mapping) else ():
                place = view.project.at(action, key, name, value=True)
                bare = isinstance(value, str) and view.declaration(body, value) is not None
                yield from _told(view, place, value, bare)
    for node in view.ordering():
        known = {variable.var for variable in view.variables()}
        for keys, given in _orders(node):
            for name, value in given.items():
                place = view.project.at(node, *keys, name, value=True)
                yield from _told(view, place, value, isinstance(value, str) and value in known)
    for form in view.project.forms:
        own = {*form.by_id, *form.score_by_id, *(f"{score}.band" for score in form.score_by_id)}
        for order in form.on_submit:
            if isinstance(order, SetOnSubmit):
                place = view.project.at(order, "value", value=True)
                yield from _told(view, place, order.value, isinstance(order.value, str) and order.value in own)


def _orders(node: Node) -> Iterator[tuple[tuple[str | int, ...], Mapping[str, Any]]]:
    for keys, child in node.children():
        params = child.peek("params")
        if isinstance(params, Mapping):
            yield (*keys, "params"), params


def _told(view: View, place: Place, value: Any, bare: bool) -> Iterator[Finding]:
    if bare:
        mend = view.replaced(place, value, "{" + value + "}", safe=False)
        yield finding("W431", place, mend=mend, name=clip(value), meant="{" + clip(value) + "}")
    elif isinstance(value, dict) and len(value) == 1 and next(iter(value.values())) is None:
        name = str(next(iter(value)))
        mend = view.rewritten(place, r"\{\s*" + re.escape(name) + r"\s*\}", f'"{{{name}}}"'.replace("\\", r"\\"))
        yield finding("W431", place, mend=mend, name="{" + clip(name) + "}", meant='"{' + clip(name) + '}"')
