"""Random documents and random operations through the language service: what is not touched stays byte for byte, the
data is what the operation on the data comes to, every comment is there, and undoing all gives the first bytes.

``HEARTRULE_DOCUMENTS=1000 HEARTRULE_OPERATIONS=100`` (``make edits``) is the long form."""

from __future__ import annotations

import copy
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest
from tests.authoring.material import REGISTRY, shipped_project

from heartrule.authoring.operations import operate
from heartrule.authoring.splices import CannotEdit, Splice, comments, into, parse_cached, spliced
from heartrule.authoring.wire import hash_of
from heartrule.authoring.workspace import Workspace
from heartrule.language.texts.source import Path

DOCUMENTS = int(os.environ.get("HEARTRULE_DOCUMENTS", "50"))
OPERATIONS = int(os.environ.get("HEARTRULE_OPERATIONS", "20"))
BATCHES = 10
TEXTS = [
    "plain",
    '"double: # no comment"',
    "'it''s \"so\"'",
    "你好，世界 🙂",
    '"{称呼}，你好"',
    "|-\n{room}  两行\n{room}  # 不是注释",
    ">-\n{room}  folded\n{room}  text",
]
LISTS = ("phases", "steps", "actions", "output", "choices", "declare", "skills", "sessions")
VALUES: list[Any] = [
    "plain",
    "yes",
    "12",
    12,
    2.5,
    True,
    "a: b # c",
    "多行\n文字",
    'it\'s "so"',
    "",
    " lead",
    "\ttab",
    "- dash",
    "\u2028",
    ["a", "b c"],
    [],
    {"get": "x", "define": "是 什么: 好"},
    [{"get": "a"}, {"get": "b", "type": "text"}],
    {},
]


class Writing:
    """A document with all the ways of writing that authors have."""

    def __init__(self, draw: random.Random) -> None:
        self.draw, self.number = draw, 0

    def text(self) -> str:
        parts = ["# head\n", "x-aside: kept\n" if self.draw.random() < 0.2 else "", "sessions:\n", self.session(2)]
        if self.draw.random() < 0.5:
            parts += ["\n", "skills:\n", self.skill(2)]
        text = "".join(parts)
        return text.rstrip("\n") if self.draw.random() < 0.2 else text

    def id(self) -> str:
        self.number += 1
        return f"n{self.number}"

    def aside(self, room: int) -> str:
        kind = self.draw.random()
        return f"{' ' * room}# note {self.id()}\n" if kind < 0.25 else "\n" if kind < 0.35 else ""

    def behind(self) -> str:
        return f"  # behind {self.id()}" if self.draw.random() < 0.15 else ""

    def value(self, room: int) -> str:
        return self.draw.choice(TEXTS).replace("{room}", " " * room)

    def some(self, make: Any, room: int, most: int = 3) -> str:
        return "".join(self.aside(room) + make(room) for _ in range(self.draw.randint(1, most)))

    def session(self, room: int) -> str:
        r = " " * room
        return (
            f"{r}- session: S{self.behind()}\n{r}  id: {self.id()}\n{r}  phases:\n{self.some(self.phase, room + 4, 2)}"
        )

    def phase(self, room: int) -> str:
        r = " " * room
        return f"{r}- phase: P\n{r}  id: {self.id()}\n{r}  steps:\n{self.some(self.topic, room + 4)}"

    def topic(self, room: int) -> str:
        r, inner = " " * room, room + (2 if self.draw.random() < 0.2 else 4)
        unknown = f"{r}  later_idea: {self.value(room + 2)}\n" if self.draw.random() < 0.2 else ""
        return f"{r}- topic: T\n{r}  id: {self.id()}\n{unknown}{r}  actions:\n{self.some(self.action, inner)}"

    def skill(self, room: int) -> str:
        r = " " * room
        return f"{r}- skill: K\n{r}  id: {self.id()}\n{r}  goal: g\n{r}  actions:\n{self.some(self.action, room + 4)}"

    def action(self, room: int) -> str:
        r = " " * room
        if self.draw.random() < 0.3:
            return f"{r}- {{type: say, id: {self.id()}, content: 'one: line'}}{self.behind()}\n"
        lines = [f"{r}- type: ask{self.behind()}\n", f"{r}  id: {self.id()}\n"]
        lines += [f"{r}  content: {self.value(room + 2)}\n"]
        if self.draw.random() < 0.4:
            lines += [f"{r}  skill: nowhere/{self.id()}\n"]
        if self.draw.random() < 0.6:
            flow = f"{r}  output: [{{get: a}}, {{get: b}}]{self.behind()}\n"
            block = f"{r}  output:\n{self.aside(room + 4)}{r}    - get: a\n{r}      type: text\n{r}    - {{get: b}}\n"
            lines += [self.draw.choice([flow, block, f"{r}  output: []\n"])]
        return "".join(lines)


def lists(data: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(data, list):
        if path[1:] and path[-1] in LISTS:
            yield path
        for index, item in enumerate(data):
            yield from lists(item, (*path, index))
    elif isinstance(data, dict):
        for key, item in data.items():
            yield from lists(item, (*path, key))


def drawn(data: list[Any], draw: random.Random) -> tuple[dict[str, Any], list[Any]] | None:
    """An operation, and what the data is behind it."""
    known, wanted = list(lists(data)), copy.deepcopy(data)
    path = draw.choice(known)
    own = into(wanted, path)
    kind = draw.choice(["delete", "duplicate", "move", "across", "insert", "set", "set", "new", "unset"])
    if kind == "insert":
        index, item = draw.randint(0, len(own)), draw.choice([{"type": "say", "content": "多\n行"}, {"get": "新"}])
        own.insert(index, copy.deepcopy(item))
        return {"kind": "insert", "path": [*path], "index": index, "item": item}, wanted
    if not own:
        return None
    index = draw.randrange(len(own))
    if kind == "delete":
        del own[index]
        return {"kind": "delete", "path": [*path, index]}, wanted
    if kind == "duplicate":
        own.insert(index + 1, copy.deepcopy(own[index]))
        return {"kind": "duplicate", "path": [*path, index]}, wanted
    if kind in ("move", "across"):
        others = [each for each in known if each[-1] == path[-1] and each[: len(path) + 1] != (*path, index)]
        to = path if kind == "move" or not others else draw.choice(others)
        target = into(wanted, to)
        at, item = draw.randint(0, len(target)), own[index]
        mark: dict[str, Any] = {}
        own[index] = mark
        target.insert(at, item)
        own[:] = [each for each in own if each is not mark]
        return {"kind": "move", "path": [*path, index], "to": [*to], "index": at}, wanted
    item = own[index]
    if not isinstance(item, dict):
        return None
    fixed = {"phases", "steps", "actions"}
    keys = [key for key in item if key not in fixed]
    if not keys:
        return None
    if kind == "unset":
        key = draw.choice(keys)
        del item[key]
        return {"kind": "set", "path": [*path, index, key], "value": None}, wanted
    key = "note" if kind == "new" else draw.choice(keys)
    item[key] = copy.deepcopy(draw.choice(VALUES))
    return {"kind": "set", "path": [*path, index, key], "value": item[key]}, wanted


def offsets(text: str, edits: list[Any]) -> list[Splice]:
    lines = text.split("\n")
    begins = [0]
    for line in lines:
        begins.append(begins[-1] + len(line) + 1)

    def at(place: Any) -> int:
        units = lines[place["line"]].encode("utf-16-le")[: place["character"] * 2]
        return begins[place["line"]] + len(units.decode("utf-16-le"))

    return [Splice(at(each["range"]["start"]), at(each["range"]["end"]), each["newText"]) for each in edits]


def undone(text: str, splices: list[Splice]) -> list[Splice]:
    back, by = list[Splice](), 0
    for each in sorted(splices, key=lambda splice: (splice.start, splice.end)):
        back.append(Splice(each.start + by, each.start + by + len(each.text), text[each.start : each.end]))
        by += len(each.text) - (each.end - each.start)
    return back


def same_names(kind: str, read_data: Any, wanted: Any) -> bool:
    """A copy has a name of its own."""
    if kind != "duplicate":
        return bool(read_data == wanted)
    return plain(read_data) == plain(wanted)


def plain(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: plain(value) for key, value in data.items() if key not in ("id", "get", "var")}
    return [plain(each) for each in data] if isinstance(data, list) else data


@pytest.mark.parametrize("batch", range(BATCHES))
def test_any_operations_on_any_document(batch: int) -> None:
    done = 0
    for number in range(batch, DOCUMENTS, BATCHES):
        draw = random.Random(number)
        first = text = Writing(draw).text()
        back: list[list[Splice]] = []
        for _ in range(OPERATIONS):
            data = parse_cached(text).documents
            if not any(lists(data)):
                break
            asked = drawn(data, draw)
            if asked is None:
                continue
            operation, wanted = asked
            workspace = Workspace({"a.yaml": text}, REGISTRY, shipped_project)
            try:
                made = operate(workspace, {"file": "a.yaml", "base": hash_of(text), "operation": operation})
            except CannotEdit:
                continue
            splices = offsets(text, made["edit"]["changes"].get("a.yaml", []))
            after = spliced(text, splices)
            assert hash_of(after) == made["hash"]
            assert same_names(operation["kind"], parse_cached(after).documents, wanted), (number, operation)
            lost = comments(text) - comments(after)
            gone = "".join(text[each.start : each.end] for each in splices)
            dropping = operation["kind"] == "delete" or isinstance(operation.get("value"), list | dict | None)
            assert not lost or (dropping and all(each in gone for each in lost)), (number, operation, lost)
            back.append(undone(text, splices))
            text, done = after, done + 1
        for splices in reversed(back):
            text = spliced(text, splices)
        assert text == first
    assert done > DOCUMENTS * OPERATIONS / BATCHES / 3
