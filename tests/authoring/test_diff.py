"""Two versions in words: each kind of change is said, in both languages, and nothing that changed goes unsaid."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

import pytest
import yaml
from tests.authoring.material import REGISTRY, shipped

from heartrule.authoring.diff.change import Change
from heartrule.authoring.diff.versions import changes_json, compared
from heartrule.authoring.yaml_writer import entry

TEXT = """\
# What this is
sessions:
  - session: Nights
    id: nights
    declare:
      - {var: mood, type: integer, range: [0, 10], define: how it feels}
    phases:
      - phase: One
        id: one
        steps:
          - topic: Sleep
            id: sleep
            actions:
              - {type: say, content: How are your nights.}
              - {type: ask, id: ask_sleep, question: How do you sleep., max_rounds: 3, output: [{get: mood, define: a}]}
          - topic: Mood
            id: mood
            actions:
              - {type: say, id: told, content: Now to your mood.}
              - {type: ask, id: ask_mood, question: How is it., output: [{get: mood}]}
skills:
  - {skill: Breathing, id: breathe, goal: Calm, actions: [{type: say, content: Breathe out slowly.}]}
"""
TOPICS = (0, "sessions", 0, "phases", 0, "steps")


def data() -> Any:
    return yaml.safe_load(TEXT)


def written(document: Any) -> str:
    return "\n".join(entry(key, value, 0) for key, value in document.items()) + "\n"


def changes(after: str, before: str = TEXT) -> list[Change]:
    return compared({"a.yaml": before}, {"a.yaml": after}, REGISTRY)


def said(after: str, before: str = TEXT) -> list[str]:
    return [each.says.en for each in changes(after, before)]


BREATH = "{type: say, content: Breathe out slowly.}"
SAID = [
    ("max_rounds: 3", "max_rounds: 2", "action ask_sleep in topic “Sleep”: asks at most 2 instead of 3 times"),
    ("max_rounds: 3,", "condition: mood > 3, max_rounds: 3,", "ask_sleep in topic “Sleep”: new condition: “mood > 3”"),
    ("How do you sleep.", "Well.", "question is now “Well.” instead of “How do you sleep.”"),
    ("topic: Sleep", "topic: Rest", "topic “Sleep” is now called “Rest”"),
    ("id: ask_mood", "id: ask_it", "action ask_mood in topic “Mood” is now called “ask_it”"),
    ("# What this is", "# What it is", "file a.yaml: new comment: “# What it is”"),
    ("topic: Mood", 'topic: "Mood"', "only the way it is written changed"),
    ("range: [0, 10]", "range: [0, 5]", "variable mood in session “Nights”: range"),
    (", output: [{get: mood}]", "", "no more output"),
    (f"[{BREATH}]", f"[{BREATH}, {{type: say, id: x, content: And in.}}]", "action x in technique “Breathing”: added"),
    (f"[{BREATH}]", f"[{BREATH}, {{type: say, id: x, content: Breathe out slowly.}}]", "copied from action say"),
    ("              - {type: say, content: How are your nights.}\n", "", "taken out; type “say”, content “How"),
]


@pytest.mark.parametrize(("old", "new", "words"), SAID)
def test_a_change_is_said_in_both_languages(old: str, new: str, words: str) -> None:
    found = changes(TEXT.replace(old, new, 1))
    assert any(words in each.says.en for each in found), [each.says.en for each in found]
    assert len(found) == (2 if "comment" in words else 1)
    assert all(any("\u4e00" <= letter <= "\u9fff" for letter in each.says.zh) for each in found)


def test_topics_and_actions_that_moved_are_said_to_have_moved() -> None:
    after = data()
    topics = after["sessions"][0]["phases"][0]["steps"]
    topics.reverse()
    assert said(written(after), written(data())) in (
        ["topic “Sleep” moved behind topic “Mood”"],
        ["topic “Mood” moved to the front"],
    )
    after = data()
    one, other = after["sessions"][0]["phases"][0]["steps"]
    moved = one["actions"].pop()
    moved["max_rounds"] = 2
    other["actions"].insert(1, moved)
    assert said(written(after), written(data())) == [
        "action ask_sleep moved from topic “Sleep” to topic “Mood”, behind action told",
        "action ask_sleep in topic “Mood”: asks at most 2 instead of 3 times",
    ]


SKILLS = """\
skills:
  - skill: Breathe
    id: breathe
    actions:
      - {type: say, id: in, content: In}  # slowly
      - {type: say, id: out, content: Out}
"""
WALK = """\
skills:
  - skill: Walk
    id: walk
    actions:
      - {type: say, id: step, content: Step}
"""


def test_what_went_to_another_file_has_moved_there_with_its_comments() -> None:
    both = SKILLS + WALK.removeprefix("skills:\n")
    before, after = {"a.yaml": both, "b.yaml": TEXT}, {"a.yaml": WALK, "b.yaml": TEXT, "c.yaml": SKILLS}
    found = compared(before, after, REGISTRY)
    assert [(each.kind, each.file) for each in found] == [("added", "c.yaml"), ("moved", "c.yaml")]
    assert found[1].says.en == "technique “Breathe” moved from file a.yaml to file c.yaml, to the front"
    assert found[1].says.zh == "技术“Breathe”从文件 a.yaml移到文件 c.yaml，最前面"


def test_a_topic_that_went_to_another_file_is_said_with_both_files() -> None:
    after = data()
    taken = after["sessions"][0]["phases"][0]["steps"].pop(0)
    other = {"sessions": [{"session": "Days", "id": "days", "phases": [{"phase": "Two", "id": "two", "steps": []}]}]}
    before = {"a.yaml": written(data()), "b.yaml": json.dumps(other)}
    other["sessions"][0]["phases"][0]["steps"].append(taken)  # type: ignore[index]
    found = compared(before, {"a.yaml": written(after), "b.yaml": json.dumps(other)}, REGISTRY)
    assert [each.says.en for each in found] == [
        "topic “Sleep” moved from phase “One” in file a.yaml to phase “Two” in file b.yaml, to the front"
    ]


def test_an_action_that_moves_into_a_new_topic_is_not_said_to_be_gone() -> None:
    after = data()
    topics = after["sessions"][0]["phases"][0]["steps"]
    topics.append({"topic": "Later", "id": "later", "actions": [topics[0]["actions"].pop()]})
    found = said(written(after), written(data()))
    assert any("ask_sleep moved from topic “Sleep” to topic “Later”" in each for each in found)
    assert any(each.startswith("topic “Later” in phase “One”: added (behind topic “Mood”)") for each in found)
    assert not any("taken out" in each for each in found)


def test_files_and_settings_are_said() -> None:
    before = {"a.yaml": TEXT, "project.yaml": "id: x\nname: X\n", "prompts/p.md": "One\nTwo\n"}
    after = {"b.yaml": TEXT, "project.yaml": "id: x\nname: Y\n", "prompts/p.md": "One\nThree\n", "n.md": "New\n"}
    assert [each.says.en for each in compared(before, after, REGISTRY)] == [
        "file a.yaml is now called b.yaml",
        "new file: n.md (4 characters)",
        "the project's settings: name is now “Y” instead of “X”",
        "file prompts/p.md: line 2: now “Three” instead of “Two”",
    ]


CHOICES = """\
sessions:
  - session: Nights
    id: nights
    declare:
      - {var: mood, type: enum, options: [a, b, c]}
    phases:
      - phase: One
        id: one
        steps:
          - topic: Sleep
            id: sleep
            actions:
              - type: user_option
                id: pick
                var: way
                choices:
                  - {value: a, label: First}
                  - {value: b, label: Second}
            transitions:
              - {to: one, condition: way == 'a'}
              - {to: one, condition: way == 'b'}
"""


def test_a_part_that_is_new_is_said_with_its_place() -> None:
    new = "                  - {value: c, label: Third}\n"
    lines = CHOICES.splitlines(keepends=True)
    found = [said("".join([*lines[:at], new, *lines[at:]]), CHOICES) for at in (16, 17, 18)]
    assert found == [
        [f"action pick in topic “Sleep”: choices: added value “c”, label “Third” ({place})"]
        for place in ("to the front", "behind “a”", "behind “b”")
    ]


def test_a_part_is_called_as_it_was_and_by_its_number_where_it_has_no_name() -> None:
    assert said(CHOICES.replace("value: b", "value: z"), CHOICES) == [
        "action pick in topic “Sleep”: choices › “b” › value is now “z” instead of “b”"
    ]
    assert said(CHOICES.replace("way == 'b'", "way == 'z'"), CHOICES) == [
        "topic “Sleep”: transitions › item 2 “one” › condition is now “way == 'z'” instead of “way == 'b'”"
    ]


def test_all_fields_of_what_is_new_or_gone_are_said_and_long_texts_by_both_ends() -> None:
    long = "Word. " * 60
    told_of = [
        said(TEXT.replace(f"[{BREATH}]", f"[{BREATH}, {{type: say, id: x, content: {long}{end}, condition: a > {n}}}]"))
        for end, n in (("One", 1), ("Two", 1), ("One", 2), ("Some more", 1))
    ]
    assert len({each for (each,) in told_of}) == 4
    assert "Word. One” (363 characters), condition “a > 1”" in told_of[0][0]
    after = data()
    after["sessions"][0]["phases"][0]["steps"].append(
        {"topic": "Later", "id": "later", "goal": "Rest", "actions": [{"type": "say", "id": "y", "content": "Rest."}]}
    )
    assert said(written(after), written(data())) == [
        "topic “Later” in phase “One”: added (behind topic “Mood”); id “later”, goal “Rest”; it holds action y"
    ]


def test_what_is_put_in_the_place_of_a_nameless_part_is_said_in_one_sentence() -> None:
    assert said(CHOICES.replace("[a, b, c]", "[a, x, c]"), CHOICES) == [
        "variable mood in session “Nights”: options › item 2 is now “x” instead of “b”"
    ]
    assert said(CHOICES.replace("[a, b, c]", "[a, c, x]"), CHOICES) == [
        "variable mood in session “Nights”: from options taken out: “b”",
        "variable mood in session “Nights”: options: added “x” (behind “c”)",
    ]
    assert said(TEXT.replace("output: [{get: mood}]", "output: [{get: rest}]")) == [
        "action ask_mood in topic “Mood”: output › item 1 is now get “rest” instead of get “mood”"
    ]


def test_a_copy_is_said_with_its_own_name_and_place() -> None:
    after = data()
    topics = after["sessions"][0]["phases"][0]["steps"]
    topics.append({**copy.deepcopy(topics[0]), "id": "sleep_2"})
    assert said(written(after), written(data())) == [
        "topic “Sleep” in phase “One”, id “sleep_2”, copied from topic “Sleep” in phase “One” (behind topic “Mood”)"
    ]
    after = data()
    actions = after["sessions"][0]["phases"][0]["steps"][1]["actions"]
    actions.append({**copy.deepcopy(actions[0]), "id": "told_2"})
    assert said(written(after), written(data())) == [
        "action told_2 in topic “Mood”, copied from action told in topic “Mood” (behind action ask_mood)"
    ]


def test_what_differs_of_long_texts_is_said_to_its_end() -> None:
    texts = [TEXT.replace("How is it.", "Say it. " * 60 + end) for end in ("", "Now", "Later")]
    one, other = (said(each, TEXT)[0] for each in texts[1:])
    assert one != other


def test_a_file_that_cannot_be_read_is_compared_by_its_lines() -> None:
    (found,) = changes(TEXT.replace("goal: Calm", "goal: [Calm"))
    assert found.kind == "text"
    assert "goal: [Calm" in str(found.after)


def test_long_texts_are_shown_where_they_differ() -> None:
    long = "word " * 200
    before, after = TEXT.replace("How is it.", f"{long}old{long}"), TEXT.replace("How is it.", f"{long}new{long}")
    (one,) = said(after, before)
    assert "new" in one
    assert "old" in one
    assert len(one) < 400


def spots(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            found += spots(each, (*path, key))
    return found


def disturbed(document: Any, random: Random, marks: list[str]) -> Any:
    """Some edit: a value, a key, an item in, out, or elsewhere."""
    made = copy.deepcopy(document)
    path = random.choice(spots(made))
    above = made
    for part in path[:-1]:
        above = above[part]
    kind = random.choice(["set", "drop", "key", "move", "double"])
    value = above[path[-1]]
    mark = f"mark{len(marks)}_{random.randrange(10**6)}"
    if kind == "set" and not isinstance(value, dict | list):
        above[path[-1]] = mark
        marks.append(mark)
    elif kind == "drop":
        del above[path[-1]]
    elif kind == "key" and isinstance(value, dict):
        value[f"x_{len(marks)}"] = mark
        marks.append(mark)
    elif kind == "move" and isinstance(above, list) and len(above) > 1:
        above.insert(random.randrange(len(above)), above.pop(path[-1]))
    elif kind == "double" and isinstance(above, list):
        above.insert(random.randrange(len(above) + 1), copy.deepcopy(value))
    return made


def same(one: Any, other: Any) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@pytest.mark.parametrize("seed", range(60))
def test_whatever_differs_something_is_said_of(seed: int) -> None:
    random = Random(seed)
    for _ in range(5):
        before, after, marks = data(), data(), list[str]()
        for _ in range(random.randrange(1, 4)):
            after = disturbed(after, random, marks)
        old, new = written(before), written(after)
        found = changes(new, old)
        assert bool(found) == (old != new)
        assert (old != new) == any(each.says.zh and each.says.en for each in found)
        if not same(before, after):
            assert any(each.kind not in ("formatting", "comment") for each in found), (before, after)
        everything = json.dumps(changes_json(found), ensure_ascii=False)
        assert all(mark in everything for mark in marks if mark in new)
        values = json.dumps([[each.path, each.before, each.after, each.says] for each in found])
        for mark in [mark for mark in marks if mark in new]:
            assert mark in values
        assert not changes(new, new)


@pytest.mark.parametrize("file", ["first_assessment_en.yaml", "forms_phq9.yaml", "awareness.yaml", "project.yaml"])
def test_every_line_of_the_shipped_projects_that_is_taken_out_is_missed(file: str) -> None:
    texts = shipped("cbt").texts
    lines = texts[file].splitlines(keepends=True)
    for number in Random(file).sample(range(len(lines)), min(12, len(lines))):
        after = {**texts, file: "".join(lines[:number] + lines[number + 1 :])}
        assert compared(texts, after, REGISTRY)
    assert compared(texts, dict(texts), REGISTRY) == []
