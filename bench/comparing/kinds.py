"""Of which kinds the edits are, and how many of each in three hundred."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bench.comparing.drawing import CONDITIONS, FRAME, LIMITS, Drawing, Drawn
from bench.comparing.material import Spot

Kind = Callable[[Drawing], Drawn | None]
_PLAIN = ("say", "ask", "ai_ask")


def _field(which: Callable[[Spot], bool]) -> Kind:
    return lambda drawing: drawing.field(which)


def _within(*keys: str) -> Callable[[Spot], bool]:
    return lambda spot: any(key in spot.path[len(spot.node) :] for key in keys)


def _last(*keys: str) -> Callable[[Spot], bool]:
    return lambda spot: spot.path[-1] in keys


def _item(*keys: str) -> Callable[[Spot], bool]:
    return lambda spot: len(spot.path) > 2 and spot.path[-2] in keys and isinstance(spot.path[-1], int)


def _in_file(*beginnings: str) -> Callable[[Spot], bool]:
    return lambda spot: spot.file.startswith(beginnings)


def _texts(*types: str) -> Callable[[Spot], bool]:
    return lambda spot: spot.type in types and spot.path[-1] in ("content", "question", "goal", "fallback", "follow")


def _deletable(spot: Spot) -> bool:
    return _item(
        "actions", "steps", "phases", "declare", "skills", "fields", "choices", "transitions", "output", "bands"
    )(spot)


def _among_items(spot: Spot) -> bool:
    return _item("steps", "declare", "fields", "choices", "transitions", "awareness", "skills", "output", "bands")(
        spot
    ) and isinstance(spot.value, dict)


KINDS: Mapping[str, tuple[int, Kind]] = {
    "words of say": (10, _field(_texts("say"))),
    "questions": (10, _field(_texts("ask", "ai_ask"))),
    "other actions": (18, _field(lambda spot: spot.kind == "actions" and spot.type not in _PLAIN)),
    "conditions": (14, _field(_last(*CONDITIONS))),
    "limits": (12, _field(_last(*LIMITS))),
    "choices and options": (8, _field(_within("choices", "options"))),
    "output": (8, _field(_within("output"))),
    "transitions": (6, _field(_within("transitions"))),
    "sessions, phases, topics": (12, _field(lambda spot: spot.kind in FRAME)),
    "variables": (10, _field(lambda spot: spot.kind in ("declare", "global"))),
    "techniques": (6, _field(lambda spot: spot.kind == "skills")),
    "awareness": (10, _field(lambda spot: spot.kind == "awareness")),
    "forms": (14, _field(lambda spot: spot.kind == "forms")),
    "templates": (6, _field(_in_file("prompts/"))),
    "project settings": (8, _field(_in_file("project.yaml"))),
    "a field new or gone": (12, lambda drawing: drawing.gone_or_new()),
    "an action moved in its list": (10, lambda drawing: drawing.moved(_item("actions"), far=False)),
    "an action moved elsewhere": (10, lambda drawing: drawing.moved(_item("actions"), far=True)),
    "topics, variables moved": (6, lambda drawing: drawing.moved(_item("steps", "declare", "skills"), far=False)),
    "to another file": (5, lambda drawing: drawing.carried()),
    "an action inserted": (13, lambda drawing: drawing.inserted(_item("actions"))),
    "something inserted": (13, lambda drawing: drawing.inserted(_among_items)),
    "deleted": (11, lambda drawing: drawing.deleted(_deletable)),
    "copied": (3, lambda drawing: drawing.copied()),
    "renamed": (9, lambda drawing: drawing.renamed()),
    "files": (3, lambda drawing: drawing.files()),
    "comments": (3, lambda drawing: drawing.comments()),
    "several at once": (50, lambda drawing: drawing.several(SINGLE)),
}
"""Three hundred in all."""
SINGLE = [kind for name, (_, kind) in KINDS.items() if name not in ("several at once", "renamed", "files", "comments")]
