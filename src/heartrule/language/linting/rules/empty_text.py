"""W401: a key with nothing behind it, or a text that is empty, so that nothing is said or asked."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, get_args, get_origin

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.names import Names
from heartrule.language.nodes import Action, Node, Text


def check(view: View) -> Iterator[Finding]:
    for node in (*view.project.sessions, *(phase for session in view.project.sessions for phase in session.phases)):
        yield from _nothing(view, node)
    for body in view.bodies:
        yield from _nothing(view, body.steps)
    for node in (*view.project.awareness, *view.project.forms):
        yield from _nothing(view, node)
    for _, action in view.actions():
        for name in view.names.once(_blank, action):
            yield finding("W401", view.project.at(action, name), key=name)
        yield from _nothing(view, action)
        for index, choice in enumerate(action.peek("choices") or ()):
            if not choice.label.strip():
                yield finding("W401", view.project.at(action, "choices", index, "label"), key="label")


def _nothing(view: View, node: Node) -> Iterator[Finding]:
    for key in view.names.once(_bare, node):
        place = view.project.at(node, key)
        yield finding("W401", place, mend=view.without(place, safe=False), key=key)


def _blank(_: Names, action: Action) -> tuple[str, ...]:
    """The texts of an action that are empty."""
    texts = ((name, action.peek(name)) for name in _texts(type(action)) if name in action.model_fields_set)
    return tuple(name for name, text in texts if isinstance(text, str) and not text.strip())


def _bare(_: Names, node: Node) -> tuple[str, ...]:
    """Keys with nothing behind them, where null is no value that somebody may want."""
    fields = type(node).model_fields
    empty = sorted(name for name in node.model_fields_set - {"value", "default"} if node.peek(name) is None)
    return tuple(fields[name].alias or name for name in empty if name in fields)


@cache
def _texts(model: type[Action]) -> tuple[str, ...]:
    """The fields of an action that are said, asked, or told to a model."""
    return tuple(name for name, field in model.model_fields.items() if _is_text(field.rebuild_annotation()))


def _is_text(annotation: object) -> bool:
    if isinstance(annotation, Text):
        return True
    if get_origin(annotation) is Annotated:
        first, *marks = get_args(annotation)
        return _is_text(first) or any(isinstance(mark, Text) for mark in marks)
    return any(_is_text(part) for part in get_args(annotation))
