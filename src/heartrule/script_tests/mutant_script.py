"""A script without what a mutant takes away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from heartrule.language.compiling.script import Script
from heartrule.language.nodes import Node
from heartrule.script_tests.mutation import Mutant, Step


def mutated(script: Script, mutant: Mutant) -> Script | None:
    """``script`` otherwise as it is; None when it does not have what the mutant is of."""
    if mutant.root == "session":
        if mutant.ref != script.id:
            return None
        return replace(script, session=without(script.session, mutant.path))
    kept: Mapping[str, Mapping[str, Any]] = {
        "skill": script.skills,
        "awareness": script.awareness,
        "variable": script.variables,
        "form": script.forms,
    }
    nodes = kept[mutant.root]
    if mutant.ref not in nodes:
        return None
    changed = _changed(nodes, mutant.ref, mutant.path)
    match mutant.root:
        case "skill":
            return replace(script, skills=changed)
        case "awareness":
            return replace(script, awareness=changed)
        case "variable":
            return replace(script, variables=changed)
        case _:
            return replace(script, forms=changed)


def _changed(nodes: Mapping[str, Any], ref: str, path: Sequence[Step]) -> dict[str, Any]:
    if not path:
        return {key: node for key, node in nodes.items() if key != ref}
    return {key: without(node, path) if key == ref else node for key, node in nodes.items()}


def without(node: Any, path: Sequence[Step]) -> Any:
    """A copy of a node without what ``path`` leads to: an item of a list is left out, a field is as if it were not
    written."""
    name, *rest = path
    assert isinstance(node, Node)
    assert isinstance(name, str)
    value = getattr(node, name)
    if not rest:
        value = type(node).model_fields[name].get_default(call_default_factory=True)
    elif isinstance(index := rest[0], int):
        items = list(value)
        items[index : index + 1] = [without(items[index], rest[1:])] if rest[1:] else []
        value = items
    else:
        value = without(value, rest)
    return node.model_copy(update={name: value})
