"""A merge of reference, which knows nothing of texts, trees or lists, only of names, fields and what stands before
what; and edits as authors make them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

from heartrule.authoring.data_merge import Conflict
from heartrule.authoring.merge import Merged, MergedText, Texts
from heartrule.authoring.node_edits import delete, insert, move, set_value
from heartrule.authoring.splices import CannotEdit, into, parse_cached, spliced

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
TOPICS = (0, "sessions", 0, "phases", 0, "steps")
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


def orders(data: Any, found: dict[str, list[str]] | None = None) -> dict[str, list[str]]:
    """By the id of a node those of what stands in it."""
    known = {} if found is None else found
    for key in LISTS & data.keys():
        for each in data[key] or ():
            known.setdefault(str(data.get("id", "")), []).append(str(each["id"]))
            orders(each, known)
    return known


def clashes(base: list[str], ours: list[str], theirs: list[str], made: list[str]) -> bool:
    """Whether both put what they have in another order, each otherwise. Fails where the order in ``made`` is not that
    of ours then; and else where two stand otherwise than one of them alone, or both alike, has put them."""
    common = set(base) & set(ours) & set(theirs) & set(made)
    was, own, other, now = ([name for name in each if name in common] for each in (base, ours, theirs, made))
    if own not in (was, other) and other != was:
        assert now == own
        return True
    both = [
        [name for name in each if name in ours and name in theirs and name in made] for each in (ours, theirs, made)
    ]
    if own == other and both[0] != both[1]:  # what both have put there, each elsewhere
        assert both[2] == both[0]
        return True
    assert now == (other if own == was else own)
    alone = [ours, theirs] if was == own == other else []
    for one in made:
        for two in made:
            together = [each for each in (ours, theirs) if one in each and two in each]
            for each in alone or (together if len(together) == 2 else ()):
                agreed = len({each.index(one) < each.index(two) for each in together}) == 1
                if one in each and two in each and agreed:
                    assert (each.index(one) < each.index(two)) == (made.index(one) < made.index(two)), (one, two)
    return False


def held(base: str, ours: str, theirs: str, made: MergedText) -> None:
    """Fails where a merge says anything else than that of reference, or tells of conflicts where that has none, or of
    none where it has some."""
    data = [parse_cached(each).documents[0] for each in (base, ours, theirs, made.text)]
    agrees(data, made.conflicts, "\n=====\n".join([base, ours, theirs, made.text, str(made.conflicts)]))
    assert "<<<<" not in made.text


def held_in_files(base: Texts, ours: Texts, theirs: Texts, made: Merged) -> None:
    """The same of several files. Each is a node of its own in which the others stand."""
    versions = [base, ours, theirs, made.texts]
    conflicts = [each for found in made.conflicts.values() for each in found]
    shown = "\n=====\n".join(f"# {file}\n{text}" for each in versions for file, text in sorted(each.items()))
    data = [{"sessions": [_file(file, text) for file, text in sorted(each.items())]} for each in versions]
    agrees(data, conflicts, f"{shown}\n=====\n{conflicts}")


def _file(file: str, text: str) -> Any:
    return {"id": file, **(parse_cached(text).documents[0] or {})}


def agrees(data: Sequence[Any], conflicts: Sequence[Conflict], shown: str) -> None:
    """The base, ours, theirs and what was made of them."""
    wanted, met = by_fields(*map(flat, data[:3]))
    assert flat(data[3]) == wanted, shown
    known = [orders(each) for each in data]
    clash = [clashes(*(each.get(name, []) for each in known)) for name in known[3]]
    found = [each for each in conflicts if each.path]
    assert bool(found) == (bool(met) or any(clash)), f"{met}\n=====\n{shown}"


def edited(text: str, random: Random, who: str) -> str:
    documents = parse_cached(text).documents
    topics = [(*TOPICS, n) for n in range(len(into(documents, TOPICS)))]
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


def moved(text: str, random: Random) -> str:
    """An action elsewhere, in the same topic or in another."""
    topics = into(parse_cached(text).documents, TOPICS)
    source, target = random.randrange(len(topics)), random.randrange(len(topics))
    actions, there = topics[source]["actions"], topics[target]["actions"]
    if len(actions) < 2:
        return text
    path = (*TOPICS, source, "actions", random.randrange(len(actions)))
    try:
        return spliced(text, move(text, path, (*TOPICS, target, "actions"), random.randrange(len(there) + 1)))
    except CannotEdit:
        return text


TWO_PHASES = (
    TEXT
    + """\
      - phase: Two
        id: two
        steps:
          - topic: Third
            id: third
            actions:
              - {type: say, id: bye, content: Good bye}
          - topic: Fourth
            id: fourth
            actions:
              - {type: say, id: late, content: It is late}
              - {type: ask, id: again, question: When do we meet again}
"""
)


def edited_anywhere(text: str, random: Random, who: str) -> str:
    """One edit of a topic or an action, with words that nobody else writes."""
    documents, phases = parse_cached(text).documents, TOPICS[:-2]
    held_in = into(documents, phases)
    topics = [(*phases, at, "steps", n) for at, phase in enumerate(held_in) for n in range(len(phase["steps"]))]
    topic, unlike = random.choice(topics), f"{who}{random.randrange(10**6)}"
    actions = into(documents, topic)["actions"]
    action = (*topic, "actions", random.randrange(len(actions) or 1))
    other = random.choice(topics)
    there = random.randrange(len(held_in)), random.randrange(3)
    splices: dict[str, Any] = {
        "topic moved": lambda: move(text, topic, (*phases, there[0], "steps"), there[1]),
        "topic out": lambda: delete(text, topic),
        "topic in": lambda: insert(
            text, topic[:-1], 0, f"topic: {unlike}\nid: {unlike}\nactions:\n  - {{type: say, id: {unlike}a}}"
        ),
        "title": lambda: set_value(text, (*topic, "topic"), unlike),
        "moved": lambda: move(text, action, (*other, "actions"), random.randrange(2)),
        "words": lambda: set_value(text, (*action, "content"), unlike),
    }
    try:
        return spliced(text, splices[random.choice([*splices, "words", "words"])]())
    except (CannotEdit, IndexError):
        return text


OTHER = """\
# The other file
sessions:
  - session: Days
    id: days
    goal: Getting up
    phases:
      - phase: Light
        id: light
        steps:
          - topic: Morning
            id: morning
            actions:
              - {type: say, id: wake, content: Good morning}  # early
              - {type: ask, id: ask_day, question: How was the day, max_rounds: 2}
          - topic: Evening
            id: evening
            actions:
              - {type: say, id: rest, content: Rest now}
"""
FILES = {"a.yaml": TEXT, "b.yaml": OTHER}


def taken_to_another_file(texts: Texts, random: Random) -> Texts:
    """An action or a topic put into another file, with all that is written of it."""
    source, target = random.sample(sorted(texts), 2)
    held_in, there = (
        into(parse_cached(texts[source]).documents, TOPICS),
        into(parse_cached(texts[target]).documents, TOPICS),
    )
    if random.random() < 0.4 and len(held_in) > 1:
        path, to = (*TOPICS, random.randrange(len(held_in))), TOPICS
    else:
        topic = random.randrange(len(held_in))
        if len(held_in[topic]["actions"]) < 2 or not there:
            return texts
        path = (*TOPICS, topic, "actions", random.randrange(len(held_in[topic]["actions"])))
        to = (*TOPICS, random.randrange(len(there)), "actions")
    item = json.dumps(into(parse_cached(texts[source]).documents, path), ensure_ascii=False)
    at = random.randrange(len(into(parse_cached(texts[target]).documents, to)) + 1)
    try:
        return {
            **texts,
            source: spliced(texts[source], delete(texts[source], path)),
            target: spliced(texts[target], insert(texts[target], to, at, item)),
        }
    except CannotEdit:
        return texts
