"""What is fastened to a node goes along with it: held against marks that only the test knows."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.authoring.material import REGISTRY
from tests.authoring.test_merge import TEXT, edited
from tests.chaos.teamwork import TOPICS, moved, nodes

from heartrule.authoring.diff.node_places import NodePlaces, Spot, is_node
from heartrule.authoring.node_edits import move
from heartrule.authoring.splices import parse_cached, spliced

FILE = "a.yaml"
ASK = (*TOPICS, 0, "actions", 1)


def carried(before: str, after: str, path: tuple[Any, ...]) -> tuple[Any, ...] | None:
    spot = NodePlaces({FILE: before}, {FILE: after}, REGISTRY).carried(Spot(FILE, path))
    return spot.path if spot is not None else None


@pytest.mark.parametrize("seed", range(60))
def test_each_node_is_found_where_it_went(seed: int) -> None:
    random, text = Random(seed), TEXT
    for _ in range(6):
        after = text
        for _ in range(random.randint(1, 3)):
            after = moved(after, random) if random.random() < 0.4 else edited(after, random, "lin")
        there = {name: path for path, name in nodes(after)}
        for path, name in nodes(text):
            assert carried(text, after, path) == there.get(name), (name, text, after)
        text = after


def test_a_node_without_an_id_is_known_by_its_content_and_its_neighbours() -> None:
    plain = TEXT.replace("id: hello, ", "").replace("id: told, ", "").replace("id: thanks, ", "")
    first, last = (*TOPICS, 0, "actions", 0), (*TOPICS, 1, "actions", 2)
    assert carried(plain, plain.replace("content: Hello", "content: Hello you"), first) == first
    put_before = spliced(plain, move(plain, last, (*TOPICS, 1, "actions"), 0))
    assert carried(plain, put_before, last) == (*TOPICS, 1, "actions", 0)
    elsewhere = spliced(plain, move(plain, last, (*TOPICS, 0, "actions"), 0))
    assert carried(plain, elsewhere, last) == (*TOPICS, 0, "actions", 0)
    assert carried(plain, elsewhere, first) == (*TOPICS, 0, "actions", 1)


def test_it_goes_along_into_another_file_and_with_a_new_name_of_its_file() -> None:
    head = "skills:\n  - skill: Rest\n    id: rest\n    goal: Rest\n    actions:\n"
    technique = f"{head}      - {{type: say, id: x, content: X}}\n"
    before = {FILE: TEXT, "b.yaml": "skills: []\n", "c.yaml": technique}
    after = {FILE: TEXT, "b.yaml": technique, "d.yaml": ""}
    carriage = NodePlaces(before, after, REGISTRY)
    assert carriage.carried(Spot("c.yaml", (0, "skills", 0, "actions", 0))) == Spot(
        "b.yaml", (0, "skills", 0, "actions", 0)
    )
    renamed = NodePlaces({FILE: TEXT}, {"new/name.yaml": TEXT.replace("tone: calm", "tone: warm")}, REGISTRY)
    assert renamed.carried(Spot(FILE, ASK)) == Spot("new/name.yaml", ASK)
    assert renamed.carried(Spot(FILE, ())) == Spot("new/name.yaml", ())


def test_what_is_gone_or_cannot_be_read_has_no_place() -> None:
    question = TEXT[TEXT.index("              # The question") : TEXT.index("          - topic: Mood")]
    assert carried(TEXT, TEXT.replace(question, ""), ASK) is None
    assert carried(TEXT, f"{TEXT}  - [", ASK) is None
    assert is_node(TEXT, ASK)
    assert not is_node(TEXT, (*ASK, "question"))
    assert not is_node(TEXT, (*TOPICS, 9))
    assert not is_node(TEXT, ())
    assert parse_cached(TEXT).documents
