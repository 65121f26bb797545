"""What may be written at a caret: keys of the mapping it is in, values of the key it is behind, names of variables
within braces and conditions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from heartrule.authoring import paths
from heartrule.authoring.positions import Position, Range
from heartrule.authoring.workspace import Registry, Snapshot
from heartrule.language.linting.view import Body
from heartrule.language.nodes import Skill
from heartrule.language.references import identity
from heartrule.language.schema.hovers import hover, summary
from heartrule.language.texts.source import Path
from heartrule.language.yaml import parse

Kind = Literal["key", "value", "variable", "skill", "awareness", "form", "topic", "type"]
_SHORT = 300
"""Lines that are read as a whole."""
_MARK = "heartrule_caret"
_PLACEHOLDER = re.compile(r"\{\s*([^{}%|\s]*)$")
_WORD = re.compile(r"[^\s:,\[\]{}\"']*$")
_KEYED = re.compile(r"^(?P<lead>[\s-]*)(?P<key>[\w]+):\s+(?P<value>.*)$")
_INLINE = re.compile(r"[{,]\s*(?P<key>\w+):\s+(?P<value>[^,{}\[\]]*)$")
_CONDITIONS = ("condition", "done_when", "until", "expr", "validate")
_NAMED_SKILL = re.compile(r"\b(?:skill|technique):\s*[\"']?([^\s\"',}#]+)")
_NAMES = ("var", "get", "tolist", "rest", "variable")
_COUNTERS = (
    "safety.handled",
    "safety.wish",
    "topic.attempts",
    "topic.exit",
    "phase.elapsed",
    "session.elapsed",
    "session.model",
    "session.human",
    "session.leaving",
)


@dataclass(frozen=True, slots=True)
class Completion:
    """``range``: what is replaced by ``text``. ``detail`` is short, ``about`` a sentence."""

    kind: Kind
    text: str
    range: Range
    detail: str = ""
    about: str = ""


def completions(
    snapshot: Snapshot, file: str, position: Position, registry: Registry, lang: str
) -> tuple[Completion, ...]:
    """What may stand at a caret, the likelier first; nothing where all is open."""
    lines = snapshot.texts.get(file, "").split("\n")
    if not 0 < position.line <= len(lines):
        return ()
    line = lines[position.line - 1].rstrip("\r")
    before = line[: position.column - 1]
    braced = _PLACEHOLDER.search(before)
    if braced is not None and not before.rstrip().endswith(": {"):
        return tuple(_variables(snapshot, file, position, _back(position, len(braced[1]))))
    keyed = _INLINE.search(before) or _KEYED.match(before)
    if keyed is not None:
        return tuple(_values(snapshot, file, position, keyed["key"], keyed["value"], lines, registry, lang))
    word = _WORD.search(before)
    length = len(word[0]) if word else 0
    if before[: len(before) - length].strip(" -"):
        return ()
    item = before.strip().startswith("-") and _listed(lines, position.line)
    if item:
        return tuple(_items(snapshot, file, position, item, before.split("-", 1)[1].strip(), lines, registry, lang))
    return tuple(_keys(snapshot, lines, file, position, length, registry, lang))


def _back(position: Position, length: int) -> Range:
    return Range(Position(position.line, position.column - length), position)


def _variables(snapshot: Snapshot, file: str, position: Position, range_: Range) -> Iterator[Completion]:
    body = _body(snapshot, file, position)
    seen: dict[str, Completion] = {}
    if body is not None:
        for scope, variable in body.declared():
            seen.setdefault(variable.var, Completion("variable", variable.var, range_, scope, variable.define or ""))
        if isinstance(body.steps, Skill):
            for parameter in body.steps.parameters:
                seen.setdefault(parameter.name, Completion("variable", parameter.name, range_, "parameter"))
        for name in sorted(snapshot.view.names_in(body)):
            seen.setdefault(name, Completion("variable", name, range_, "topic"))
    for name, variable in snapshot.view.globals.items():
        seen.setdefault(name, Completion("variable", name, range_, variable.scope or "global", variable.define or ""))
    if body is None:
        for variable in snapshot.view.variables():
            seen.setdefault(variable.var, Completion("variable", variable.var, range_, "", variable.define or ""))
    yield from seen.values()


def _body(snapshot: Snapshot, file: str, position: Position) -> Body | None:
    """What a place is in: the last topic or skill that begins above it."""
    own = [b for b in snapshot.view.bodies if b.steps.place.file == file and b.steps.place.line <= position.line]
    return max(own, key=lambda body: body.steps.place.line, default=None)


def _values(
    snapshot: Snapshot,
    file: str,
    position: Position,
    key: str,
    typed: str,
    lines: list[str],
    registry: Registry,
    lang: str,
) -> Iterator[Completion]:
    word = _WORD.search(typed)
    range_ = _back(position, len(word[0]) if word else 0)
    if key in _CONDITIONS:
        yield from _variables(snapshot, file, position, range_)
        yield from (Completion("variable", name, range_, "") for name in _COUNTERS)
        return
    if typed and word and word[0] != typed:
        return
    if key == "type" and _is_action(lines, file, position, registry):
        for kind in registry:
            about = summary(kind)
            yield Completion("type", kind, range_, "", about.localized(lang) if about else "")
    elif key == "get" and (skill := _called(snapshot, lines, position)) is not None:
        yield from (Completion("variable", name, range_, skill.name) for name in skill.returns)
    elif key in _NAMES:
        yield from _variables(snapshot, file, position, range_)
    elif key in ("skill", "technique", "without_model"):
        yield from _shelf(snapshot, "skill", range_)
    elif key == "form":
        yield from _shelf(snapshot, "form", range_)
    elif key == "awareness":
        yield from _shelf(snapshot, "awareness", range_)
    elif key in ("to", "topic"):
        yield from _targets(snapshot, file, position, range_)
    elif key == "template_scheme":
        for name in sorted({path.partition("/")[0] for path in snapshot.project.schemes if "/" in path}):
            yield Completion("value", name, range_, "prompts/")
    else:
        yield from _literals(lines, file, position, key, range_, registry)


def _shelf(snapshot: Snapshot, kind: Literal["skill", "form", "awareness"], range_: Range) -> Iterator[Completion]:
    for project in (snapshot.project, *snapshot.elsewhere):
        nodes: Any = {"skill": project.skills, "form": project.forms, "awareness": project.awareness}[kind]
        for node in nodes:
            name = identity(node)
            text = name if project is snapshot.project else f"{project.id}/{name}"
            yield Completion(kind, text, range_, node.name, node.peek("goal") or "")


def _targets(snapshot: Snapshot, file: str, position: Position, range_: Range) -> Iterator[Completion]:
    for session in snapshot.project.sessions:
        if session.place.file != file:
            continue
        phases = [phase for phase in session.phases if phase.place.line <= position.line]
        for topic in phases[-1].steps if phases else []:
            yield Completion("topic", identity(topic), range_, topic.topic, topic.goal)
        for phase in session.phases:
            yield Completion("topic", identity(phase), range_, phase.phase, phase.goal)
    yield Completion("topic", "end", range_)


def _literals(
    lines: list[str], file: str, position: Position, key: str, range_: Range, registry: Registry
) -> Iterator[Completion]:
    """Values of a key that may only be one of a few."""
    found = _at(lines, file, position, f"{key}: null", registry)
    for model in found[1] if found else ():
        field = next((f for name, f in model.model_fields.items() if key in (f.alias, name)), None)
        for value in dict.fromkeys(_allowed(field.rebuild_annotation()) if field is not None else ()):
            yield Completion("value", value, range_, key)


def _allowed(annotation: Any) -> Iterator[str]:
    if get_origin(annotation) is Literal:
        yield from map(str, get_args(annotation))
    elif annotation is bool:
        yield from ("true", "false")
    else:
        for part in get_args(annotation):
            yield from _allowed(part)


def _items(
    snapshot: Snapshot,
    file: str,
    position: Position,
    key: str,
    typed: str,
    lines: list[str],
    registry: Registry,
    lang: str,
) -> Iterator[Completion]:
    """Items of lists of names; else the keys that an item begins with."""
    range_ = _back(position, len(typed))
    if key in ("awareness", "enable", "disable"):
        yield from _shelf(snapshot, "awareness", range_)
    elif key == "may_use":
        yield from _shelf(snapshot, "skill", range_)
    elif key == "topics":
        yield from _targets(snapshot, file, position, range_)
    else:
        yield from _keys(snapshot, lines, file, position, len(typed), registry, lang)


def _listed(lines: list[str], number: int) -> str:
    """The key whose list an item that is written stands in."""
    own = lines[number - 1]
    column = len(own) - len(own.lstrip())
    for line in reversed(lines[: number - 1]):
        inner = line.lstrip()
        if not inner or inner.startswith("#"):
            continue
        indent = len(line) - len(inner)
        if indent < column or (indent == column and not inner.startswith("-")):
            found = re.match(r"(?:-\s+)*(\w+):\s*(?:#.*)?$", inner)
            return found[1] if found else ""
    return ""


def _keys(
    snapshot: Snapshot, lines: list[str], file: str, position: Position, length: int, registry: Registry, lang: str
) -> Iterator[Completion]:
    found = _at(lines, file, position, f"{_MARK}: null", registry)
    if found is None:
        return
    if len(found[0]) > 1 and found[0][-2] in ("input", "params"):
        yield from _parameters(snapshot, lines, position, _back(position, length), found[2])
        return
    range_, present = _back(position, length), found[2]
    seen = set[str]()
    for model in found[1]:
        for name, field in model.model_fields.items():
            key = field.alias or name
            if key in present or key in seen:
                continue
            seen.add(key)
            about = hover(model, key, found[3])
            yield Completion("key", key, range_, model.__name__, about.localized(lang) if about else "")


def _parameters(
    snapshot: Snapshot, lines: list[str], position: Position, range_: Range, present: set[str]
) -> Iterator[Completion]:
    """What the technique takes that is called here."""
    skill = _called(snapshot, lines, position)
    for parameter in skill.parameters if skill is not None else ():
        if parameter.name not in present:
            detail = "required" if parameter.required else "parameter"
            yield Completion("key", parameter.name, range_, detail, parameter.define)


def _called(snapshot: Snapshot, lines: list[str], position: Position) -> Skill | None:
    """The technique that is named in the item around a line."""
    column = len(lines[position.line - 1])
    for above in range(position.line - 1, -1, -1):
        inner = lines[above].lstrip(" ")
        if inner.startswith("- ") and len(lines[above]) - len(inner) < column:
            own = lines[above : above + 40]
            end = next((at for at, line in enumerate(own[1:], 1) if _ends(line, len(lines[above]) - len(inner))), 40)
            named = _NAMED_SKILL.search("\n".join(own[:end]))
            return snapshot.view.skill(named[1], snapshot.project.node.locale) if named is not None else None
        column = min(column, len(lines[above]) - len(inner)) if inner else column
    return None


def _ends(line: str, column: int) -> bool:
    """Whether an item whose dash stands at a column ends before this line."""
    return bool(line.strip()) and len(line) - len(line.lstrip(" ")) <= column


def _is_action(lines: list[str], file: str, position: Position, registry: Registry) -> bool:
    found = _at(lines, file, position, "type: null", registry)
    return found is not None and any("type" in model.model_fields for model in found[1])


def _near(lines: list[str], number: int) -> list[str]:
    """The lines that tell what a line stands in: those that lead to it, and all of the two items around it. The others
    are empty, so that every line keeps its number."""
    if len(lines) < _SHORT:
        return lines
    leads, items, column = list[int](), list[tuple[int, int]](), len(lines[number - 1])
    for above in range(number - 1, -1, -1):
        line = lines[above]
        inner = line.lstrip(" ")
        if not inner or inner.startswith("#") or len(line) - len(inner) >= column:
            continue
        column = len(line) - len(inner)
        leads.append(above)
        if inner.startswith("- "):
            items.append((above, column))
    first, indent = items[min(1, len(items) - 1)] if items else (0, -1)
    last = number
    while last < len(lines):
        inner = lines[last].lstrip(" ")
        if inner and not inner.startswith("#") and len(lines[last]) - len(inner) <= indent:
            break
        last += 1
    kept = {*leads, *range(first, last)}
    return [line if at in kept else "" for at, line in enumerate(lines)]


def _at(
    lines: list[str], file: str, position: Position, instead: str, registry: Registry
) -> tuple[Path, list[type[BaseModel]], set[str], str | None] | None:
    """Reads the file with ``instead`` in place of what is typed on this line: the path of that key, the models that its
    mapping may be of, the keys that are there already, and the type of the action."""
    line = lines[position.line - 1]
    inner = line.lstrip(" ")
    lead = len(line) - len(inner)
    while inner.startswith("- "):
        rest = inner[2:].lstrip(" ")
        lead, inner = lead + len(inner) - len(rest), rest
    if inner.rstrip() == "-":
        lead, inner = lead + 2, ""
    indent = line[:lead] if line[:lead].strip() else " " * max(lead, 0)
    if "-" in line[: lead + 1] and not line[:lead].strip(" -"):
        indent = line[:lead].ljust(lead)
    if not inner.strip() and lead == len(line):
        indent = " " * (position.column - 1) if "-" not in line else line.ljust(lead)
    whole = [*lines[: position.line - 1], f"{indent}{instead}", *lines[position.line :]]
    parsed = parse("\n".join(_near(whole, position.line)), file)
    key = instead.partition(":")[0]
    path = next(
        (path for path, spot in parsed.map.keys.items() if path and path[-1] == key and spot.line == position.line),
        None,
    )
    if path is None:
        return None
    found = paths.spelled(parsed, path, registry)
    above: Any = parsed.documents[path[0]] if isinstance(path[0], int) else None
    for part in path[1:-1]:
        above = above[part]
    present = {str(each) for each in above if each != key} if isinstance(above, dict) else set()
    return path, list(found.models), present, found.action
