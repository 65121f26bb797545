"""Techniques: ``- topic:`` under ``skills``, ``technique_id``, ``input_parameters``, ``output_variables``."""

from __future__ import annotations

from heartrule.language.findings import clip
from heartrule.language.page import scalar
from heartrule.language.rewriting import Edit
from heartrule.language.spelled import outputs
from heartrule.language.spelled.found import Made, Refusal, Spelled, both
from heartrule.language.tree import Entry

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
PARAMETER = {"variable": "name", "var": "name", "description": "define"}
_RETURNED = {"name": "var", "variable": "var", "description": "define"}


def spelled(here: Spelled) -> Made:
    body = here.get("topic")
    if body is not None and body.value.kind == "mapping":
        yield from _body(here, body)
        return
    names = dict(NAMES) if here.get("skill", "technique", "technique_name") else {**NAMES, "topic": "skill"}
    id_ = here.get("technique_id", "skill_id")
    if id_ is not None and not here.get("skill", "topic", *(key for key, form in NAMES.items() if form == "skill")):
        yield here.page.before(here.node, id_, "skill: ", (id_.value.start, id_.value.end))
    yield from here.rename(names)
    if (given := here.get("input_parameters")) is not None and given.value.kind in ("list", "scalar"):
        if here.get("parameters"):
            yield both(given, "parameters")
        else:
            value = given.value
            edits = [*outputs.names(here.page, value, "name"), *outputs.keys(here.page, value, PARAMETER)]
            yield [*here.page.rename(given, "parameters"), *edits]
    if (back := here.get("output_variables")) is not None:
        yield from _returns(here, back)


def _body(here: Spelled, body: Entry) -> Made:
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


def _returns(here: Spelled, back: Entry) -> Made:
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
