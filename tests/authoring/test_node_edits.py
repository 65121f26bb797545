"""Visual edits on shipped scripts and a crooked one: only what is touched changes, and it means what it should."""

from __future__ import annotations

import copy
import itertools
import os
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from tests.authoring.material import shipped

from heartrule.authoring import node_edits
from heartrule.authoring.node_edits import CannotEdit, Splice
from heartrule.language.texts.source import Path
from heartrule.language.yaml import parse

OPERATIONS = int(os.environ.get("HEARTRULE_EDITS", "12"))
CROOKED = """\
# A head that stays.
sessions:
  - session: "Quoted: 'so'"   # behind the name
    id: crooked


    phases:
      - phase: One
        id: one
        steps:
          # above the first topic
          - topic: A
            id: a
            actions:
              # above the first action
              - type: say
                id: hello
                content: |
                  Two lines,

                  # that is no comment
                  and a third.
              # above the second
              - {type: say, id: flow, content: 'it''s "one" line'}  # behind it

              - type: ask
                id: third
                content: >-
                  folded
                  text
                output: [{get: 心情, type: text}]
          - topic: B
            id: b
            actions:
            - type: say
              id: outdented
              content: "a \\u00e9 and 🙂"
"""


def read(text: str) -> list[Any]:
    parsed = parse(text, "")
    assert not parsed.findings
    return parsed.documents


def inside(data: Any, path: Path) -> Any:
    for part in path:
        data = data[part]
    return data


def lists(data: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of all lists of mappings."""
    if isinstance(data, list):
        if path[1:] and data and all(isinstance(item, dict) for item in data):
            yield path
        for index, item in enumerate(data):
            yield from lists(item, (*path, index))
    elif isinstance(data, dict):
        for key, item in data.items():
            yield from lists(item, (*path, key))


def comments(text: str) -> Counter[str]:
    return Counter(line.strip() for line in text.split("\n") if line.lstrip().startswith("#"))


def undone(text: str, splices: list[Splice]) -> list[Splice]:
    """What takes the splices back, on the text that they made."""
    back, by = list[Splice](), 0
    for each in sorted(splices, key=lambda splice: (splice.start, splice.end)):
        back.append(Splice(each.start + by, each.start + by + len(each.text), text[each.start : each.end]))
        by += len(each.text) - (each.end - each.start)
    return back


def operated(text: str, draw: random.Random) -> tuple[list[Splice], list[Any]] | None:
    """A random operation, and the same one done on the data; None where it was refused."""
    data = read(text)
    wanted = copy.deepcopy(data)
    deep = [path for path in lists(data) if path[-1] in ("actions", "output", "choices", "declare", "then", "fields")]
    path = draw.choice(deep or list(lists(data)))
    items = inside(data, path)
    index, own = draw.randrange(len(items)), inside(wanted, path)
    try:
        match draw.choice(["delete", "duplicate", "move", "insert", "set", "unset", "new"]):
            case "delete":
                splices = node_edits.delete(text, (*path, index))
                del own[index]
            case "duplicate":
                splices = node_edits.duplicate(text, (*path, index))
                own.insert(index + 1, copy.deepcopy(own[index]))
            case "move":
                to = draw.randrange(len(items) + 1)
                splices = node_edits.move(text, (*path, index), path, to)
                item = own[index]
                own[index] = None
                own.insert(to, item)
                own.remove(None)
            case "insert":
                splices = node_edits.insert(text, path, index, "type: say\nid: put_in\ncontent: |\n  one\n  two\n")
                own.insert(index, {"type": "say", "id": "put_in", "content": "one\ntwo\n"})
            case "unset":
                key = draw.choice(list(items[index]))
                splices = node_edits.set_value(text, (*path, index, key), None)
                del own[index][key]
            case "new":
                splices = node_edits.set_value(text, (*path, index, "note"), "新的 value: with 'signs' #")
                own[index]["note"] = "新的 value: with 'signs' #"
            case _:
                key = draw.choice([key for key, value in items[index].items() if isinstance(value, str)])
                value = draw.choice(["plain", "yes", "12", "a: b", "多行\n文字\n", 'he said "so"', "it's", ""])
                splices = node_edits.set_value(text, (*path, index, key), value)
                own[index][key] = value
    except (CannotEdit, IndexError):
        return None
    return splices, wanted


@pytest.mark.parametrize("name", [*sorted(shipped().texts), "crooked"])
def test_any_row_of_edits_means_what_it_should_and_can_be_taken_back(name: str) -> None:
    if not name.endswith(".yaml") and name != "crooked":
        pytest.skip("no script")
    first = text = CROOKED if name == "crooked" else shipped().texts[name]
    draw, made, back = random.Random(name), 0, list[list[Splice]]()
    if not list(lists(read(text))):
        pytest.skip("holds no list of mappings")
    for _ in range(OPERATIONS):
        if not list(lists(read(text))):
            break
        done = operated(text, draw)
        if done is None:
            continue
        splices, wanted = done
        after = node_edits.spliced(text, splices)
        assert read(after) == wanted
        outside = "".join(text[a.end : b.start] for a, b in _between(text, splices))
        assert outside == "".join(after[a.end : b.start] for a, b in _between(after, undone(text, splices)))
        back.append(undone(text, splices))
        text, made = after, made + 1
    assert made > OPERATIONS // 4
    for splices in reversed(back):
        text = node_edits.spliced(text, splices)
    assert text == first


def _between(text: str, splices: list[Splice]) -> Iterator[tuple[Splice, Splice]]:
    """What stands before, between and behind the splices."""
    row = [
        Splice(0, 0, ""),
        *sorted(splices, key=lambda each: (each.start, each.end)),
        Splice(len(text), len(text), ""),
    ]
    yield from itertools.pairwise(row)


def test_a_moved_item_takes_its_comment_and_leaves_the_others() -> None:
    path: Path = (0, "sessions", 0, "phases", 0, "steps", 0, "actions")
    after = node_edits.spliced(CROOKED, node_edits.move(CROOKED, (*path, 1), path, 0))
    assert after.index("# above the second") < after.index("id: flow") < after.index("id: hello")
    assert "# behind it" in after
    assert comments(after) == comments(CROOKED)


def test_to_a_list_further_out_the_lines_are_shifted() -> None:
    source: Path = (0, "sessions", 0, "phases", 0, "steps", 0, "actions", 0)
    target: Path = (0, "sessions", 0, "phases", 0, "steps", 1, "actions")
    after = node_edits.spliced(CROOKED, node_edits.move(CROOKED, source, target, 1))
    assert (
        "\n            - type: say\n              id: hello\n              content: |\n                Two lines,"
        in after
    )
    assert inside(read(after), (*target, 1))["content"] == inside(read(CROOKED), source)["content"]


def test_a_value_keeps_its_quotes_and_a_copy_gets_its_own_id() -> None:
    path: Path = (0, "sessions", 0, "phases", 0, "steps", 1, "actions", 0)
    assert 'content: "say"' in node_edits.spliced(CROOKED, node_edits.set_value(CROOKED, (*path, "content"), "say"))
    after = node_edits.spliced(CROOKED, node_edits.duplicate(CROOKED, path, ("id", "second")))
    assert [each["id"] for each in inside(read(after), path[:-1])] == ["outdented", "second"]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a: &x [1]\nb: *x\n", (0, "a")),
        ("a: 1\n  b: broken\n", (0, "a")),
        ("list: [&a {a: 1}, *a]\n", (0, "list", 0)),
        ("list:\n  - a: 1\n", (0, "list", 7)),
    ],
)
def test_what_cannot_be_done_on_the_text_is_refused_with_the_reason(text: str, path: Path) -> None:
    with pytest.raises(CannotEdit) as refused:
        node_edits.delete(text, path) if isinstance(path[-1], int) else node_edits.set_value(text, path, "x")
    assert refused.value.why.zh
    assert refused.value.why.en
