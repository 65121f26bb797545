"""Two versions made one: held against a merge that knows nothing of texts, trees or lists, only of names and fields."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from heartrule.authoring.editing import delete, insert, move, set_value
from heartrule.authoring.merging import merged, merged_text
from heartrule.authoring.splices import CannotEdit, comments, into, read, spliced

TEXT = """\
# Above all
sessions:
  - session: Nights
    id: nights   # behind an id
    goal: Sleep
    phases:
      - phase: One
        id: one
        steps:
          # About sleep
          - topic: Sleep
            id: sleep
            actions:
              - {type: say, id: hello, content: Hello}  # greeting
              # The question
              - type: ask
                id: ask_sleep
                question: How do you sleep  # it matters
                max_rounds: 3
                tone: calm
          - topic: Mood
            id: mood
            actions:
              - {type: say, id: told, content: Now to your mood}
              - {type: ask, id: ask_mood, question: How is it, max_rounds: 2}
              - {type: say, id: thanks, content: Thank you}
"""
LISTS = {"phases", "steps", "actions", "sessions"}
Flat = dict[tuple[str, str], Any]


def flat(data: Any, above: str = "", found: Flat | None = None) -> Flat:
    """Fields by the id of their node; that a node is there is a field of its own."""
    known: Flat = {} if found is None else found
    own = str(data.get("id", above))
    known[own, ""] = above
    for key, value in data.items():
        if key in LISTS:
            for each in value or ():
                flat(each, own, known)
        else:
            known[own, key] = value
    return known


def by_fields(base: Flat, ours: Flat, theirs: Flat) -> tuple[Flat, set[str]]:
    """The merge of reference: field by field, and a node that one took away and the other touched is as ours has it."""
    made: Flat = {}
    met: set[str] = set()
    nodes = {name for each in (base, ours, theirs) for name, _ in each}
    dead = set[str]()
    for name in sorted(nodes):
        was, own, other = (({k: v for (n, k), v in each.items() if n == name}) for each in (base, ours, theirs))
        if was and not (own and other):
            left = own or other
            touched = left and (left != was or grown(name, base, ours if own else theirs))
            if touched:
                met.add(name)
            if not own or not touched:
                dead.add(name)
                continue
        for key in {*was, *own, *other}:
            a, b, c = was.get(key), own.get(key), other.get(key)
            if was and not other:
                c = a
            value = c if a == b else b
            if b != c and a not in (b, c):
                met.add(name)
            if value is not None:
                made[name, key] = value
    return without(made, dead), met


def grown(name: str, base: Flat, now: Flat) -> bool:
    """Whether something within a node is another one."""
    return inner(name, base) != inner(name, now)


def inner(name: str, flat_: Flat) -> Flat:
    below = {n for (n, key), above in flat_.items() if key == "" and above == name}
    own = {each: value for each, value in flat_.items() if each[0] in below}
    for each in below:
        own |= inner(each, flat_)
    return own


def without(made: Flat, dead: set[str]) -> Flat:
    while True:
        more = {n for (n, key), above in made.items() if key == "" and above in dead} - dead
        if not more:
            return {each: value for each, value in made.items() if each[0] not in dead}
        dead |= more


def edited(text: str, random: Random, who: str) -> str:
    documents = read(text).documents
    topics = [(0, "sessions", 0, "phases", 0, "steps", n) for n in range(2)]
    topic = random.choice(topics)
    actions = into(documents, topic)["actions"]
    action = (*topic, "actions", random.randrange(len(actions)))
    kind = random.choice(["set", "set", "new", "key", "delete", "insert", "title"])
    try:
        if kind == "set":
            key = random.choice([k for k in into(documents, action) if k not in ("id", "type")])
            return spliced(text, set_value(text, (*action, key), f"{who}{random.randrange(3)}"))
        if kind == "new":
            return spliced(text, set_value(text, (*action, f"x_{random.randrange(3)}"), random.randrange(2)))
        if kind == "key":
            return spliced(text, set_value(text, (*action, "max_rounds"), None))
        if kind == "delete" and len(actions) > 1:
            return spliced(text, delete(text, action))
        if kind == "insert":
            name = f"{who}_{random.randrange(10**6)}"
            said = f"{{type: say, id: {name}, content: New}}"
            return spliced(text, insert(text, (*topic, "actions"), random.randrange(len(actions) + 1), said))
        return spliced(text, set_value(text, (*topic, "topic"), f"{who} {random.randrange(2)}"))
    except CannotEdit:
        return text


@pytest.mark.parametrize("seed", range(40))
def test_a_merge_is_what_a_merge_of_the_fields_is(seed: int) -> None:
    random = Random(seed)
    for _ in range(8):
        ours = theirs = TEXT
        for _ in range(random.randrange(1, 4)):
            ours, theirs = edited(ours, random, "lin"), edited(theirs, random, "wei")
        made = merged_text(TEXT, ours, theirs, "a.yaml")
        wanted, met = by_fields(*(flat(read(each).documents[0]) for each in (TEXT, ours, theirs)))
        found = [each for each in made.conflicts if each.path]
        assert flat(read(made.text).documents[0]) == wanted, (ours, theirs, made.text)
        assert bool(found) == bool(met), (met, found)
        assert spliced(ours, made.splices) == made.text
        assert "<<<<" not in made.text
        told = Counter[str]([each.ours or each.theirs for each in made.conflicts if not each.path])
        kept = comments(TEXT) & comments(ours) & comments(theirs)
        assert not kept - comments(made.text) - told


def merge(ours: str, theirs: str) -> tuple[str, list[tuple[Any, ...]]]:
    made = merged_text(TEXT, ours, theirs, "a.yaml")
    return made.text, [(each.path, each.base, each.ours, each.theirs) for each in made.conflicts]


def test_different_fields_of_one_action_go_together_though_they_stand_in_one_line() -> None:
    ours = TEXT.replace("question: How is it", "question: And your mood")
    theirs = TEXT.replace("max_rounds: 2}", "max_rounds: 4, tone: warm}")
    expected = ours.replace("max_rounds: 2}", "max_rounds: 4, tone: warm}")
    assert merge(ours, theirs) == (expected, [])


def test_one_field_changed_by_both_stays_ours_and_is_told() -> None:
    ours, theirs = (TEXT.replace("max_rounds: 3", f"max_rounds: {number}") for number in (2, 5))
    path = (0, "sessions", 0, "phases", 0, "steps", 0, "actions", 1, "max_rounds")
    assert merge(ours, theirs) == (ours, [(path, 3, 2, 5)])


def test_moving_and_editing_go_together() -> None:
    at = (0, "sessions", 0, "phases", 0, "steps")
    ours = spliced(TEXT, move(TEXT, (*at, 1), at, 0))
    theirs = TEXT.replace("tone: calm", "tone: warm  # warmer")
    text, met = merge(ours, theirs)
    assert met == []
    assert text == ours.replace("tone: calm", "tone: warm  # warmer")


def test_what_both_moved_elsewhere_is_told() -> None:
    at = (0, "sessions", 0, "phases", 0, "steps")
    third = "topic: Third\n            id: third\n            actions:\n              - {type: say, id: bye}\n"
    base = f"{TEXT}          - {third}"
    ours = spliced(base, move(base, (*at, 0, "actions", 0), (*at, 1, "actions"), 0))
    theirs = spliced(base, move(base, (*at, 0, "actions", 0), (*at, 2, "actions"), 0))
    assert merged_text(base, ours, theirs, "a.yaml").conflicts


def test_files_and_texts_that_are_no_data() -> None:
    base = {"a.md": "One\nTwo\nThree\n", "b.md": "x\n", "c.md": "x\n", "d.yaml": "a: [\n"}
    ours = {"a.md": "Eins\nTwo\nThree\n", "b.md": "y\n", "d.yaml": "a: [\n", "new.md": "1\n"}
    theirs = {"a.md": "One\nTwo\nDrei\n", "c.md": "x\n", "d.yaml": "a: [\nb: 1\n", "new.md": "2\n"}
    made = merged(base, ours, theirs)
    assert made.texts == {"a.md": "Eins\nTwo\nDrei\n", "b.md": "y\n", "d.yaml": "a: [\nb: 1\n", "new.md": "1\n"}
    assert {file: [(each.ours, each.theirs) for each in met] for file, met in made.conflicts.items()} == {
        "b.md": [("y\n", None)],
        "new.md": [("1\n", "2\n")],
    }
