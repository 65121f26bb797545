"""What is remembered, as a turn holds it: beside the variables, in cells of its own.

``("memory", "mid")``, ``"long"`` and ``"structured"`` are cells by type; what is remembered for short lies under the
key of its topic, and goes with that. ``("memory", "referred")`` holds what only the words of this turn may refer to:
people, and scores of a time that is named.
"""

from __future__ import annotations

from collections.abc import Callable

from heartrule.engine.session.variables import ScopeKey, Value, Variables
from heartrule.engine.work import SAFETY, Work
from heartrule.language.compiling.script import Script
from heartrule.language.nodes import Action
from heartrule.language.nodes.memory import MemoryPolicy, MemoryRules, is_used, merged
from heartrule.memory.item import Item

SCOPE = "memory"
STRATEGY = "memory"
REFERRED = "referred"


def held(memories: Variables) -> list[Item]:
    """All that may come back to mind, whatever its type. What no version of ours has written is left out."""
    return _items(memories, lambda where: where != (SCOPE, REFERRED))


def referred(memories: Variables) -> list[Item]:
    """What the words of this turn may refer to, besides what is held."""
    return _items(memories, lambda where: where == (SCOPE, REFERRED))


def _items(memories: Variables, which: Callable[[ScopeKey], bool]) -> list[Item]:
    cells = (cell for where, cell in memories.cells.items() if which(where))
    found = (_item(name, value) for cell in cells for name, value in cell.items())
    return [each for each in found if each is not None]


def _item(name: str, value: Value) -> Item | None:
    try:
        known = {**value.value, "names": tuple(value.value["names"]), "taken": tuple(value.value["taken"])}
        quote = value.evidence or ""
        return Item(id=name, type=value.type, quote=quote, at=value.updated_at, action=value.source, **known)
    except (KeyError, TypeError):
        return None


def put(work: Work, item: Item) -> None:
    value = Value(item.data(), item.type, item.at, item.action, SCOPE, STRATEGY, item.quote or None)
    work.memories.put(_where(work, item.type), item.id, value)


def drop(memories: Variables, names: tuple[str, ...]) -> None:
    for where in list(memories.cells):
        for name in names:
            memories.drop(where, name)


def close(memories: Variables, key: str) -> None:
    """A topic is over, and what was remembered for as long as it took."""
    if (SCOPE, key) in memories.cells:
        memories.clean((SCOPE, key))


def _where(work: Work, kind: str) -> ScopeKey:
    return SCOPE, work.running.key if kind == "short" else kind


def remembers(script: Script, policy: MemoryPolicy | None) -> bool:
    """Whether anything of the session uses the memory: its script, or what whoever began it wants."""
    return script.remembers or (policy is not None and is_used([policy, *policy.actions.values()]))


def rules(work: Work, action: Action) -> MemoryRules | None:
    """What holds for the action that runs: what whoever began the session wants, its own, its topic's, its phase's,
    the session's, the project's, key by key. None where nothing is remembered: in a script that does not say so, and
    in the safety project."""
    script = work.world.script
    if not remembers(script, work.state.memory) or work.running.project == SAFETY:
        return None
    topic, project = work.script_node(work.running), script.project
    layers = [
        *(work.state.memory.of(action.type) if work.state.memory else ()),
        action.memory,
        topic.memory if topic is not None else None,
    ]
    layers += [work.phase.memory] if work.state.phase is not None else []
    return merged([*layers, script.session.memory, project.memory, project.defaults.memory])
