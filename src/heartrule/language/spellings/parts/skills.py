"""Techniques: ``- topic:`` under ``skills``, ``technique_id``, ``input_parameters``, ``output_variables``."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import clip
from heartrule.language.spellings.parts import outputs
from heartrule.language.spellings.parts.rewrite import Made, Refusal, SpelledMapping, both
from heartrule.language.texts.page import scalar
from heartrule.language.texts.text_edits import Edit
from heartrule.language.texts.tree import Entry, Tree

NAMES = {
    "technique": "skill",
    "technique_name": "skill",
    "skill_name": "skill",
    "topic_name": "skill",
    "technique_id": "id",
    "skill_id": "id",
    "topic_id": "id",
    "technique_goal": "goal",
    "topic_goal": "goal",
}
NAMED = ("skill", "id", "goal")
"""What the topic in a technique may be called otherwise than the technique: the technique's own counts."""
PARAMETER = {
    "variable": "name",
    "var": "name",
    "parameter": "name",
    "description": "define",
    "default_value": "default",
    "value": "default",
}
_RETURNED = {"name": "var", "variable": "var", "description": "define"}


def spelled(here: SpelledMapping) -> Made:
    body = here.get("topic")
    if body is not None and body.value.kind == "mapping":
        yield from _body(here, body)
        return
    names = dict(NAMES)
    if not here.get("skill", "technique", "technique_name"):
        plain = here.get("topic") or (here.get("goal") if here.get("actions") else None)
        if plain is not None:
            names[plain.name] = "skill"
            yield from _open(here)
    named = ("skill", "topic", *(key for key, form in NAMES.items() if form == "skill"))
    if not here.get(*named) and (called := here.get("name", "title")):
        names[called.name] = "skill"
    id_ = here.get("technique_id", "skill_id")
    if "name" in names or "title" in names:
        pass
    elif id_ is not None and not here.get(*named):
        yield here.page.before(here.node, id_, "skill: ", (id_.value.start, id_.value.end))
    yield from here.rename(names)
    if (given := here.get("input_parameters", "params")) is not None and given.value.kind in ("list", "scalar"):
        if here.get("parameters"):
            yield both(given, "parameters")
        else:
            value = given.value
            edits = [*outputs.names(here.page, value, "name"), *outputs.keys(here.page, value, PARAMETER)]
            yield [*here.page.rename(given, "parameters"), *edits]
    if (back := here.get("output_variables")) is not None:
        yield from _returns(here, back)


def parameter(here: SpelledMapping) -> Made:
    """An item of ``parameters``."""
    yield from here.rename(PARAMETER)


def _body(here: SpelledMapping, body: Entry) -> Made:
    """``topic: {actions: …}``: what stands in it belongs to the technique itself. What the technique says too is told,
    unless it says the same, and left out; what only names it becomes a comment."""
    forms = {**NAMES, "topic": "skill"}
    taken = {forms.get(entry.name, entry.name): entry for entry in here.node.entries if entry is not body}
    twice = [entry for entry in body.value.entries if forms.get(entry.name, entry.name) in taken]
    for entry in twice:
        only = len(body.value.entries) == 1
        without = here.page.remove(here.node, body) if only else here.page.remove(body.value, entry)
        own = taken[forms.get(entry.name, entry.name)]
        named = forms.get(entry.name) in NAMED and "\n" not in (entry.value.text() or "\n") and not body.value.flow
        if entry.value.text() is not None and entry.value.text() == own.value.text():
            yield without
        elif named:
            values = {"written": clip(entry.name), "own": own.name}
            at = entry.key.start
            yield Refusal(at, "W195", values, without=[Edit(at, at, ("# ",))])
        else:
            yield both(entry, own.name)._replace(without=without)
    lifted = None if twice else here.page.hoist(here.node, body)
    if lifted:
        yield lifted


def _returns(here: SpelledMapping, back: Entry) -> Made:
    if here.get("returns"):
        yield both(back, "returns")
        return
    items = back.value.items
    named = [item.get("name", "variable", "var") for item in items]
    texts = [entry.value.text() for entry in named if entry]
    if back.value.kind != "list" or not any(item.kind == "mapping" for item in items):
        yield here.page.rename(back, "returns")
    elif len(texts) == len(items) and all(texts) and not here.get("declare"):
        edits = [*here.page.rename(back, "declare"), *outputs.keys(here.page, back.value, _RETURNED)]
        returns = f"returns: [{', '.join(scalar(text) for text in texts)}]"
        yield [*here.page.before(here.node, back, returns), *edits]


_DECLARED = {"var": "name", "value": "default"}


def _open(here: SpelledMapping) -> Made:
    """A technique that is a topic among others: what it declares may be given to it, and all that it finds out comes
    back to whoever calls it."""
    if here.get("parameters", "params", "input_parameters", "returns", "output_variables"):
        return
    declared, actions = here.get("declare"), here.get("actions")
    items = declared.value.items if declared else ()
    fit = [
        item for item in items if item.get("var") and not {e.name for e in item.entries} - {"var", "value", "define"}
    ]
    names = [item.get("var") for item in items]
    found = [entry.value.text() for entry in names if entry]
    for action in actions.value.items if actions else ():
        found += [text for text in _written(action) if text]
    back = [scalar(name) for name in dict.fromkeys(found) if name and "#" not in name]
    returns = f"returns: [{', '.join(back)}]"
    edits: list[Edit] = []
    at = declared or actions
    if declared and items and len(fit) == len(items):
        edits = [*here.page.rename(declared, "parameters"), *outputs.keys(here.page, declared.value, _DECLARED)]
    elif at and not items and (given := dict.fromkeys(_given(here))):
        held = ", ".join(f"{{name: {scalar(name)}}}" for name in given)
        edits = here.page.before(here.node, at, f"parameters: [{held}]")
    if at and back:
        edits += here.page.before(here.node, at, returns)
    if edits:
        yield _joined(edits)


def _given(here: SpelledMapping) -> Iterator[str]:
    """What calls in the same document give to the technique."""
    name = here.text("topic", "goal")
    stack = [here.above[0][1]] if here.above else []
    while stack:
        node = stack.pop()
        stack += [*node.items, *(entry.value for entry in node.entries)]
        given, called = node.get("input"), node.get("call", "skill")
        if given and called and called.value.text() == name:
            for item in given.value.items:
                if (set_ := item.get("set", "name", "var")) and (text := set_.value.text()):
                    yield text


def _joined(edits: list[Edit]) -> list[Edit]:
    """With edits at one place made one."""
    made: list[Edit] = []
    for edit in sorted(edits, key=lambda each: (each.start, each.end)):
        if made and made[-1].start == edit.start:
            made[-1] = Edit(edit.start, max(edit.end, made[-1].end), (*made[-1].pieces, *edit.pieces))
        else:
            made.append(edit)
    return made


def _written(action: Tree) -> Iterator[str | None]:
    """The variables that an action writes for whoever comes behind."""
    for key in ("tolist", "target_variable", "extract_to", "user_option", "set"):
        if entry := action.get(key):
            yield entry.value.text()
    output = action.get("output")
    for item in output.value.items if output else ():
        if named := item.get("get" if action.get("call") is None else "set", "set"):
            yield named.value.text()
    for key in ("config",):
        if entry := action.get(key):
            yield from _written(entry.value)
