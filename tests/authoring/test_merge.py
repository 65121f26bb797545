"""Two versions made one: held against a merge that knows nothing of texts, trees or lists, only of names and fields."""

from __future__ import annotations

import os
import re
from collections import Counter
from random import Random
from typing import Any

import pytest
from tests.authoring.fields import (
    FILES,
    TEXT,
    TWO_PHASES,
    edited,
    edited_anywhere,
    flat,
    held,
    held_in_files,
    moved,
    orders,
    taken_to_another_file,
)

from heartrule.authoring.merge import merged, merged_text
from heartrule.authoring.node_edits import delete, insert, move
from heartrule.authoring.splices import comments, parse_cached, spliced
from heartrule.workbench.draft_merge import merged_work

SEEDS = range(0, 60, 1 if "HEARTRULE_EDITS" in os.environ else 3)
"""Each of them in the long form (`make edits`)."""


@pytest.mark.parametrize("seed", SEEDS)
def test_a_merge_is_what_a_merge_of_the_fields_is(seed: int) -> None:
    random = Random(seed)
    for _ in range(8):
        ours = theirs = TEXT
        for _ in range(random.randrange(1, 4)):
            ours, theirs = edited(ours, random, "lin"), edited(theirs, random, "wei")
            if seed >= 20:
                ours, theirs = (moved(each, random) if random.random() < 0.4 else each for each in (ours, theirs))
        made = merged_text(TEXT, ours, theirs, "a.yaml")
        held(TEXT, ours, theirs, made)
        assert spliced(ours, made.splices) == made.text
        told = Counter[str]([each.ours or each.theirs for each in made.conflicts if not each.path])
        kept = comments(TEXT) & comments(ours) & comments(theirs)
        assert not kept - comments(made.text) - told


@pytest.mark.parametrize("seed", SEEDS[: 2 * len(SEEDS) // 3])
def test_whatever_is_moved_taken_out_and_edited_nothing_is_lost_untold_or_stands_twice(seed: int) -> None:
    random = Random(seed)
    for _ in range(6):
        ours = theirs = TWO_PHASES
        for _ in range(random.randrange(1, 5)):
            ours, theirs = edited_anywhere(ours, random, "lin"), edited_anywhere(theirs, random, "wei")
        made = merged_text(TWO_PHASES, ours, theirs, "a.yaml")
        base, mine, yours, now = (
            {key: value for key, value in flat(parse_cached(text).documents[0]).items() if key[1]}
            for text in (TWO_PHASES, ours, theirs, made.text)
        )
        assert all(now.get(key) == value for key, value in mine.items() if base.get(key) != value), (ours, theirs)
        told = str([(each.base, each.ours, each.theirs) for each in made.conflicts])
        lost = [value for key, value in yours.items() if base.get(key) != value != now.get(key)]
        assert all(str(value) in told for value in lost), (lost, ours, theirs)
        ids = Counter(re.findall(r"\bid: (\w+)", made.text))
        assert max(ids.values()) == 1, (ids, ours, theirs)
        take = [("a.yaml", number) for number, each in enumerate(made.conflicts) if each.path]
        found = merged_work({"a.yaml": TWO_PHASES}, {"a.yaml": ours}, {"a.yaml": theirs}, take)
        assert all(each.taken for each in found.conflicts if each.conflict.path)


@pytest.mark.parametrize("seed", SEEDS[: 2 * len(SEEDS) // 3])
def test_a_merge_of_files_is_what_a_merge_of_the_fields_is_wherever_nodes_went(seed: int) -> None:
    random = Random(seed)
    for _ in range(6):
        ours = theirs = FILES
        for _ in range(random.randrange(1, 4)):
            ours, theirs = (
                {file: edited(text, random, who) if random.random() < 0.5 else text for file, text in each.items()}
                for each, who in ((ours, "lin"), (theirs, "wei"))
            )
            ours, theirs = (
                taken_to_another_file(each, random) if random.random() < 0.5 else each for each in (ours, theirs)
            )
        held_in_files(FILES, ours, theirs, merged(FILES, ours, theirs))


SKILLS = """\
skills:
  - skill: Breathe
    id: breathe
    actions:
      - {type: say, id: in, content: In}  # slowly
      - {type: say, id: out, content: Out}
  - skill: Walk
    id: walk
    actions:
      - {type: say, id: step, content: Step}
"""
BREATHE, WALK = (
    "skills:\n" + SKILLS[start:end]
    for start, end in ((8, SKILLS.index("  - skill: Walk")), (SKILLS.index("  - skill: Walk"), None))
)


def test_what_one_put_into_a_new_file_is_there_with_what_the_other_changed_of_it() -> None:
    base, moved_there = {"a.yaml": SKILLS}, {"a.yaml": WALK, "c.yaml": BREATHE}
    changed = {"a.yaml": SKILLS.replace("content: In", "content: Breathe in").replace("Step", "One step")}
    wanted = {
        "a.yaml": WALK.replace("Step", "One step"),
        "c.yaml": BREATHE.replace("content: In", "content: Breathe in"),
    }
    for ours, theirs in ((moved_there, changed), (changed, moved_there)):
        made = merged(base, ours, theirs)
        texts = {file: text.replace('"Breathe in"', "Breathe in") for file, text in made.texts.items()}
        assert (texts, made.conflicts) == (wanted, {})


def test_what_one_put_into_another_file_and_the_other_took_out_is_told_and_can_be_decided() -> None:
    base, theirs = {"a.yaml": SKILLS}, {"a.yaml": WALK, "c.yaml": BREATHE}
    ours: dict[str, str | None] = {"a.yaml": WALK}
    found = merged_work(base, ours, theirs, [])
    (met,) = found.conflicts
    assert (met.file, met.conflict.kind, found.texts) == ("a.yaml", "gone", {"c.yaml": None})
    taken = merged_work(base, ours, theirs, [(met.file, met.number)])
    assert taken.texts == {}
    assert [each.taken for each in taken.conflicts] == [True]


def test_where_two_put_one_node_into_different_files_ours_stands_and_it_is_told_where_ours_has_it() -> None:
    base = {"a.yaml": SKILLS}
    ours, theirs = {"a.yaml": WALK, "b.yaml": BREATHE}, {"a.yaml": WALK, "c.yaml": BREATHE}
    made = merged(base, ours, theirs)
    assert made.texts["b.yaml"] == BREATHE
    assert "breathe" not in made.texts["a.yaml"] + made.texts.get("c.yaml", "")
    assert [(file, each.kind) for file, found in made.conflicts.items() for each in found] == [("b.yaml", "place")]
    found = merged_work(base, dict(ours), theirs, [("b.yaml", 0)])
    assert found.texts.get("c.yaml", theirs["c.yaml"]) == BREATHE
    assert "breathe" not in (found.texts.get("b.yaml") or "")


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


def test_an_action_that_one_moved_to_another_topic_is_there_with_what_the_other_changed_of_it() -> None:
    at = (0, "sessions", 0, "phases", 0, "steps")
    ours = spliced(TEXT, move(TEXT, (*at, 0, "actions", 1), (*at, 1, "actions"), 1))
    theirs = TEXT.replace("max_rounds: 3", "max_rounds: 5").replace("content: Hello", "content: Good evening")
    for mine, yours in ((ours, theirs), (theirs, ours)):
        text, met = merge(mine, yours)
        assert met == []
        moved_there = text.replace("Good evening", "Hello").replace("max_rounds: 5", "max_rounds: 3")
        assert flat(parse_cached(moved_there).documents[0]) == flat(parse_cached(ours).documents[0])
        assert "max_rounds: 5" in text
        assert "Good evening" in text


def taking(ours: str, theirs: str, *numbers: int) -> tuple[Any, list[bool]]:
    """The actions by topic where theirs is taken of some conflicts, and of which it could be."""
    found = merged_work({"a.yaml": TEXT}, {"a.yaml": ours}, {"a.yaml": theirs}, [("a.yaml", each) for each in numbers])
    text = found.texts.get("a.yaml", theirs)
    assert text is not None
    return orders(parse_cached(text).documents[0]), [each.taken for each in found.conflicts]


def test_theirs_is_taken_at_the_node_that_it_is_about_whatever_was_put_before_it() -> None:
    at = (0, "sessions", 0, "phases", 0, "steps", 1, "actions")
    ours = TEXT.replace("max_rounds: 2", "max_rounds: 3")
    theirs = spliced(TEXT, insert(TEXT, at, 0, "{type: say, id: first, content: First}"))
    theirs = theirs.replace("max_rounds: 2", "max_rounds: 4")
    found = merged_work({"a.yaml": TEXT}, {"a.yaml": ours}, {"a.yaml": theirs}, [("a.yaml", 0)])
    assert [(each.conflict.path, each.taken) for each in found.conflicts] == [((*at, 2, "max_rounds"), True)]
    assert found.texts == {}


def test_theirs_is_taken_of_what_was_taken_out_and_of_what_was_moved() -> None:
    at = (0, "sessions", 0, "phases", 0, "steps")
    out = spliced(TEXT, delete(TEXT, (*at, 1, "actions", 0)))
    changed = TEXT.replace("Now to your mood", "And now your mood")
    assert taking(out, changed) == ({**orders(parse_cached(out).documents[0])}, [False])
    assert taking(out, changed, 0) == (orders(parse_cached(TEXT).documents[0]), [True])
    assert taking(changed, out, 0) == (orders(parse_cached(out).documents[0]), [True])
    third = "- topic: Third\n            id: third\n            actions:\n              - {type: say, id: bye}\n"
    base = f"{TEXT}          {third}"
    mine, yours = (spliced(base, move(base, (*at, 0, "actions", 0), (*at, n, "actions"), 0)) for n in (1, 2))
    for take, there in ((set(), mine), ({("a.yaml", 0)}, yours)):
        found = merged_work({"a.yaml": base}, {"a.yaml": mine}, {"a.yaml": yours}, take)
        (met,) = found.conflicts
        assert (met.conflict.kind, met.conflict.base, met.conflict.ours, met.conflict.theirs) == (
            *("place", "Sleep", "Mood", "Third"),
        )
        text = found.texts.get("a.yaml", yours)
        assert text is not None
        assert orders(parse_cached(text).documents[0]) == orders(parse_cached(there).documents[0])


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
