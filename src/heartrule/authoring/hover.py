"""What an editor shows where the pointer rests: a key's meaning; of a name what it is, and where it is set and read."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.authoring import occurrences, paths
from heartrule.authoring.occurrences import Occurrence
from heartrule.authoring.positions import Position
from heartrule.authoring.workspace import Registry, Snapshot
from heartrule.language.bilingual import Bilingual
from heartrule.language.nodes import Variable
from heartrule.language.references import identity, pick
from heartrule.language.schema.hovers import hover, summary

_ROLES = {
    "declared": Bilingual("声明", "declared"),
    "written": Bilingual("写入", "set"),
    "read": Bilingual("读取", "read"),
    "named": Bilingual("用到", "used"),
}
_MOST = 4
"""Places of each kind that are named."""


def hover_text(snapshot: Snapshot, file: str, position: Position, registry: Registry, lang: str) -> str | None:
    """Markdown; None where there is nothing to say."""
    found = occurrences.at(snapshot, file, position)
    if found is not None:
        return "\n\n".join(_name(snapshot, found, lang))
    key = paths.key_at(snapshot.texts.get(file, ""), file, position, registry)
    if key is None:
        return None
    if key.key == "type" and isinstance(key.data, str) and (meant := summary(key.data)) is not None:
        return f"**{key.data}**\n\n{meant.localized(lang)}"
    said = next((said for model in key.models if (said := hover(model, key.key, key.action)) is not None), None)
    return f"**{key.key}**\n\n{said.localized(lang)}" if said is not None else None


def _name(snapshot: Snapshot, found: Occurrence, lang: str) -> Iterator[str]:
    thing = found.thing
    yield f"**{thing.name}** ({thing.kind})"
    if thing.kind == "variable":
        yield from _variable(snapshot, thing.name, lang)
    elif thing.kind == "skill" and (skill := pick(snapshot.project.skills, thing.name)) is not None:
        yield skill.goal
        if skill.parameters:
            yield ", ".join(f"`{each.name}`" for each in skill.parameters)
    elif thing.kind == "topic":
        topics = (t for s in snapshot.project.sessions for p in s.phases for t in p.steps if identity(t) == thing.name)
        yield from (topic.goal for topic in list(topics)[:1] if topic.goal)
    every = occurrences.occurrences_of(snapshot, thing)
    for role, said in _ROLES.items():
        own = [each for each in every if each.role == role]
        if own and not (role == "declared" and own == [found]):
            places = ", ".join(f"{each.file}:{each.range.start.line}" for each in own[:_MOST])
            yield f"{said.localized(lang)}: {places}{' …' if len(own) > _MOST else ''}"


def _variable(snapshot: Snapshot, name: str, lang: str) -> Iterator[str]:
    declared = next((each for each in snapshot.view.variables() if each.var == name), None)
    if declared is None:
        declared = snapshot.view.globals.get(name)
    if declared is not None:
        yield from _rules(declared, lang)


def _rules(variable: Variable, lang: str) -> Iterator[str]:
    if variable.define:
        yield variable.define
    kind = variable.type or "text"
    parts = [kind if not variable.options else " | ".join(map(str, variable.options))]
    if variable.range:
        parts.append(f"{variable.range[0]}–{variable.range[1]}")
    if variable.risk:
        parts.append("risk")
    yield f"`{', '.join(parts)}`"
