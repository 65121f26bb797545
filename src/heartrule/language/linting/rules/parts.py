"""W419: a part that a name has not: ``{phq9.totl}`` of a form, ``{心情.强度}`` where the mood is a number."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, clip, finding, mends
from heartrule.language.linting.view import Body, View, nearest
from heartrule.language.names import COUNTERS, SCOPES, VERSIONS, NameUse, Write, aliases
from heartrule.language.nodes import Node
from heartrule.language.nodes.forms import Form

_WHOLE = ("text", "integer", "number", "boolean", "enum", "date")
"""What has no parts."""
_BARE = Bilingual("它没有分项，直接写名字。", "It has no parts: write the bare name.")
_ITEM = Bilingual(
    "它是一个列表，每一项才有分项：写 for_each 里 as 的名字。",
    "It is a list; its items have parts: write the name after `as` of for_each.",
)


def check(view: View) -> Iterator[Finding]:
    if not view.project.whole:
        return
    known = {variable.var for variable in view.variables()} | set(view.globals)
    for body in view.bodies:
        items = set(aliases(body.steps))
        for node in (body.steps, *body.steps.actions):
            own = items | set(aliases(node))
            for read in view.names.reads(node):
                if read.head not in own and read.name not in COUNTERS and "." in read.name:
                    yield from _part(view, body, read)
            for write in view.names.writes(node):
                yield from _no_item(view, node, write, own, known)
                found = view.declaration(body, write.name.partition(".")[0]) if "." in write.name else None
                if found is not None and write.head not in own and found[1].type in (*_WHOLE, "list"):
                    head, _, part = write.name.partition(".")
                    place = view.project.at(node, *write.keys, value=True)
                    advice = _ITEM if found[1].type == "list" else _BARE
                    yield finding("W419", place, name=clip(head), part=clip(part), advice=advice)


def _no_item(view: View, node: Node, write: Write, items: set[str], known: set[str]) -> Iterator[Finding]:
    """What is written to a part of a name that nothing else knows, where a list is gone through."""
    head, dot, part = write.name.partition(".")
    if dot and items and head not in items | known and head not in SCOPES:
        place = view.project.at(node, *write.keys, value=True)
        meant = f"{min(items)}.{part}"
        mend = view.replaced(place, write.name, meant, safe=False)
        advice = Bilingual(
            f"每一项叫“{min(items)}”：写 {meant}。", f"The items are called “{min(items)}”: write {meant}."
        )
        yield finding("W419", place, mend=mend, name=clip(head), part=clip(part), advice=advice)


def _part(view: View, body: Body, read: NameUse) -> Iterator[Finding]:
    name = read.name
    while name.partition(".")[0] in SCOPES and name != read.head:
        name = name.partition(".")[2]
    part = name.partition(".")[2]
    form = view.answered(body, read.head)
    if form is not None and part:
        if not _has(form, part):
            yield _told(view, read, part, _parts(form))
        return
    found = view.declaration(body, read.head)
    if found is None or not part:
        return
    first, rules = part.partition(".")[0], found[1]
    if first == VERSIONS and rules.update == "versioned":
        return
    if rules.type in _WHOLE:
        yield _told(view, read, part, [])
    elif rules.type == "list" and rules.fields and first in {field.name for field in rules.fields}:
        place = view.project.within(read.node, read.offset, *read.keys)
        yield finding("W419", place, name=clip(read.head), part=clip(part), advice=_ITEM)
    elif rules.type == "object" and rules.fields and first not in _fields(view, read.head, rules.fields):
        yield _told(view, read, first, [field.name for field in rules.fields])


def _has(form: Form, part: str) -> bool:
    head, _, rest = part.partition(".")
    if head in form.score_by_id:
        return rest in ("", "band")
    return head in form.by_id and form.by_id[head].asked and not rest


def _parts(form: Form) -> list[str]:
    answers = [field.id for field in form.fields if field.asked]
    return [*answers, *(name for score in form.score_by_id for name in (score, f"{score}.band"))]


def _fields(view: View, name: str, fields: object) -> set[str]:
    """Those that are declared, and those that something writes."""
    known = {field.name for field in fields} if isinstance(fields, list) else set()
    for _, action in view.actions():
        for write in view.names.writes(action):
            head, _, rest = write.name.partition(".")
            if head == name and rest:
                known.add(rest.partition(".")[0])
    return known


def _told(view: View, read: NameUse, part: str, known: list[str]) -> Finding:
    place = view.project.within(read.node, read.offset, *read.keys)
    near = mends.one_near(part, known)
    whole = f"{read.name[: len(read.name) - len(part)]}{near}" if read.name.endswith(part) else None
    mend = view.replaced(place, read.name, whole, safe=False, inside=True) if near and whole else None
    advice = (
        nearest(part, known)
        if known
        else Bilingual("它没有分项，直接写名字。", "It has no parts: write the bare name.")
    )
    return finding("W419", place, mend=mend, name=clip(read.head), part=clip(part), advice=advice)
