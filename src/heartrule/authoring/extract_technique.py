"""Actions of a topic made a technique of their own, and called in their place. They keep their lines and comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from heartrule.authoring import items
from heartrule.authoring.splices import (
    GONE,
    ONE_LINE,
    CannotEdit,
    Splice,
    comments,
    least,
    parse_cached,
    same,
    spliced,
    tree_at,
)
from heartrule.authoring.workspace import Snapshot
from heartrule.authoring.yaml_writer import scalar
from heartrule.language.bilingual import Bilingual
from heartrule.language.linting.view import Body
from heartrule.language.nodes import Get
from heartrule.language.texts.page import Page
from heartrule.language.texts.source import Path

_TAKEN = Bilingual("已经有叫这个名字的技术了。", "There is a technique of that name already.")
_NO_ID = Bilingual("技术的标识只能用英文字母、数字、- 和 _。", "A technique's id takes ASCII letters, digits, - and _.")
_NEEDED = Bilingual(
    "这几步里有话题自己声明的变量，别的步骤也用到它；先把它的声明移到阶段或会谈里。",
    "These actions share a variable that the topic declares with its other actions; move its declaration to the phase "
    "or the session first.",
)
_ID = re.compile(r"[A-Za-z0-9_-]+\Z")


@dataclass(frozen=True, slots=True)
class ExtractTechniqueRequest:
    """The items ``first`` to ``last`` (both in it) of the list of actions at ``path``."""

    path: Path
    first: int
    last: int
    id: str
    name: str
    goal: str


def extracted(snapshot: Snapshot, file: str, text: str, asked: ExtractTechniqueRequest) -> list[Splice]:
    """The edits on one file: a call in place of the actions, and the technique with them. What the rest of the topic
    reads of what they set is given back."""
    if asked.path[-1] != "actions" or asked.last < asked.first:
        raise CannotEdit(GONE)
    if _ID.match(asked.id) is None:
        raise CannotEdit(_NO_ID)
    if any(asked.id in (skill.id, skill.skill) for skill in snapshot.project.skills):
        raise CannotEdit(_TAKEN)
    page, found = items.list_at(text, asked.path, asked.last)
    if found.flow or not found.items:
        raise CannotEdit(ONE_LINE)
    given, returned = _names(snapshot, file, asked)
    start = items.begin(page, found, asked.first)
    end = items.end(page, found, asked.last)
    column = page.column(items.dash(page, found, asked.first))
    call = items.on_lines(text, start, _call(asked, column, given, returned))
    block = text[start:end]
    after = text[:start] + call.lstrip("\n" if start == 0 else "") + text[end:]
    after = _with_technique(after, asked, items.shifted(block, 8 - column), given, returned)
    _check(text, after, asked)
    return least(text, after)


def _call(asked: ExtractTechniqueRequest, column: int, given: list[str], returned: list[str]) -> str:
    room = " " * (column + 2)
    lines = [f"{' ' * column}- type: use_skill", f"{room}id: {asked.id}_call", f"{room}skill: {asked.id}"]
    if given:
        lines += [f"{room}input:", *(f"{room}  {scalar(name)}: {scalar('{' + name + '}')}" for name in given)]
    if returned:
        lines += [f"{room}output:", *(f"{room}  - {{get: {scalar(name)}, set: {scalar(name)}}}" for name in returned)]
    return "\n".join(lines) + "\n"


def _with_technique(
    text: str, asked: ExtractTechniqueRequest, block: str, given: list[str], returned: list[str]
) -> str:
    """The text with the technique in it, behind the others of its file or at its end."""
    documents = parse_cached(text).documents
    number = int(asked.path[0])
    head = [f"skill: {scalar(asked.name)}", f"id: {asked.id}", f"goal: {scalar(asked.goal)}"]
    if given:
        head += ["parameters:", *(f"  - {{name: {scalar(name)}, required: true}}" for name in given)]
    if returned:
        head += [f"returns: [{', '.join(map(scalar, returned))}]"]
    head.append("actions:")
    lines = "\n".join(f"    {line}" for line in head).replace("    ", "  - ", 1)
    whole = f"{lines}\n{block.rstrip(chr(10))}\n"
    if documents[number].get("skills"):
        page, found = items.list_at(text, (number, "skills"))
        if found.flow:
            raise CannotEdit(ONE_LINE)
        by = page.column(items.dash(page, found, 0)) - 2
        return spliced(text, [items.put_lines(page, found, len(found.items), items.shifted(whole, by))])
    tree = tree_at(text, (number,))
    if tree.flow or "skills" in documents[number]:
        raise CannotEdit(ONE_LINE)
    last = tree.entries[-1]
    at = Page(text).next_line(max(last.value.end, last.key.end))
    return spliced(text, [Splice(at, at, items.on_lines(text, at, f"\nskills:\n{whole}"))])


def _names(snapshot: Snapshot, file: str, asked: ExtractTechniqueRequest) -> tuple[list[str], list[str]]:
    """What the actions are given of the topic's own variables, and what of theirs the topic reads afterwards."""
    body = _body(snapshot, file, asked.path[:-1])
    if body is None:
        return [], []
    names, actions = snapshot.view.names, body.steps.actions
    inside, outside = actions[asked.first : asked.last + 1], [*actions[: asked.first], *actions[asked.last + 1 :]]

    def parts(own: Any) -> Iterator[Any]:
        for action in own:
            yield action
            yield from action.peek("actions") or ()

    read_in = [each.head for action in parts(inside) for each in names.reads(action)]
    set_in = [each.head for action in parts(inside) for each in names.writes(action)]
    local = {variable.var for variable in body.steps.declare if (variable.scope or "topic") == "topic"}
    local |= {each.as_ for each in [body.steps.peek("for_each")] if each is not None}
    outer = {each.head for each in (*names.reads(body.steps), *(r for a in parts(outside) for r in names.reads(a)))}
    given = [name for name in dict.fromkeys(read_in) if name in local and name not in set_in]
    shared = [name for name in dict.fromkeys(set_in) if name in local]
    if any(name in outer or name in read_in for name in shared):
        raise CannotEdit(_NEEDED)
    return given, [name for name in dict.fromkeys(_got(inside, names)) if name in outer and name not in local]


def _got(inside: Any, names: Any) -> Iterator[str]:
    """What is asked for, and declared by nothing: a technique keeps that to itself unless it gives it back."""
    for action in inside:
        for item in action.peek("output") or ():
            if isinstance(item, Get):
                yield item.get
        yield from (each.head for each in names.writes(action) if each.rules is None)


def _body(snapshot: Snapshot, file: str, path: Path) -> Body | None:
    own = (body for body in snapshot.view.bodies if body.steps.place.file == file and body.steps.place.path == path)
    return next(own, None)


def _check(before: str, after: str, asked: ExtractTechniqueRequest) -> None:
    """The actions are the technique's, and nothing else is another."""
    old, new = parse_cached(before), parse_cached(after)
    number = int(asked.path[0])
    try:
        moved = _at(old.documents, asked.path)[asked.first : asked.last + 1]
        own = new.documents[number]["skills"][-1]
        rest = _at(new.documents, asked.path)
    except (KeyError, IndexError, TypeError):
        raise CannotEdit(ONE_LINE) from None
    kept = [*_at(old.documents, asked.path)[: asked.first], *_at(old.documents, asked.path)[asked.last + 1 :]]
    fine = not any(found.stops for found in new.findings) and own["id"] == asked.id and same(own["actions"], moved)
    if (
        not fine
        or not same([*rest[: asked.first], *rest[asked.first + 1 :]], kept)
        or comments(before) != comments(after)
    ):
        raise CannotEdit(ONE_LINE)


def _at(documents: Any, path: Path) -> Any:
    data = documents
    for part in path:
        data = data[part]
    return data
