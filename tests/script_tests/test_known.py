"""What a test may call the parts of a script."""

from __future__ import annotations

import pytest
from tests.script_tests.material import hello, screened

from heartrule.script_tests.script_names import KnownScript, head
from heartrule.testing.talk import shipped

HELLO = KnownScript(hello())
SCREENED = KnownScript(screened())


@pytest.mark.parametrize(
    ("reference", "phases", "topics", "actions"),
    [
        ("opening", {"opening"}, set(), []),
        ("开场", {"opening"}, set(), []),
        ("score", set(), {"score"}, []),
        ("打分", set(), {"score"}, []),
        ("rest", set(), {"local/rest"}, []),
        ("歇一歇", set(), {"local/rest"}, []),
        ("local/rest", set(), {"local/rest"}, []),
        ("crisis_support", set(), {"safety/crisis_support"}, []),
        ("safety/crisis_support", set(), {"safety/crisis_support"}, []),
        ("ask_score", set(), set(), [("score", "ask_score")]),
        ("score/ask_score", set(), set(), [("score", "ask_score")]),
        ("打分/ask_score", set(), set(), [("score", "ask_score")]),
        ("rest/rested", set(), set(), [("local/rest", "rested")]),
        ("local/rest/rested", set(), set(), [("local/rest", "rested")]),
        ("name#1", set(), set(), [("name", "name#1")]),
        ("name/ask_score", set(), set(), []),
        ("nobody", set(), set(), []),
        ("", set(), set(), []),
    ],
)
def test_places(reference: str, phases: set[str], topics: set[str], actions: list[tuple[str, str]]) -> None:
    assert HELLO.phases(reference) == phases
    assert HELLO.topics(reference) == topics
    assert [(spot.topic, spot.action) for spot in HELLO.actions(reference)] == actions
    assert HELLO.has_place(reference) == bool(phases or topics or actions)


@pytest.mark.parametrize(
    ("name", "has"),
    [
        ("称呼", True),
        ("session.称呼", True),
        ("global.称呼", True),
        ("频率", True),
        ("备注", True),
        ("家人.职业", True),
        ("session.家人.职业", True),
        ("职业", False),
        ("session", False),
        ("没有", False),
    ],
)
def test_variables(name: str, has: bool) -> None:
    assert HELLO.has_variable(name) is has


NAMES = ["心情总分", "feel", "feel.total", "feel.total.band", "成员.职业", "到几", "数了", "气氛"]


@pytest.mark.parametrize("name", NAMES)
def test_variables_of_forms_items_parameters_and_phases(name: str) -> None:
    assert SCREENED.has_variable(name)


def test_heads() -> None:
    assert [head(name) for name in ("a", "a.b", "session.a", "session.a.b", "topic")] == ["a", "a", "a", "a", "topic"]


def test_awareness_and_forms() -> None:
    assert HELLO.awareness("tired") == HELLO.awareness("累了") == HELLO.awareness("local/tired") == {"local/tired"}
    assert HELLO.awareness("suicide_risk") == {"safety/suicide_risk"}
    assert HELLO.awareness("nobody") == set()
    assert SCREENED.forms("feel") == SCREENED.forms("local/feel") == SCREENED.forms("心情表") == {"local/feel"}
    assert SCREENED.forms("nobody") == set()


def test_where_it_begins() -> None:
    def begins(reference: str) -> tuple[str, str] | None:
        spot = SCREENED.beginning(reference)
        return None if spot is None else (spot.topic, spot.action)

    assert begins("count") == ("local/count", "local/count#1")
    assert begins("crisis_support/count") == ("safety/crisis_support", "count")
    assert begins("each") == ("each", "about")
    assert begins("job") == ("each", "job")
    assert begins("nobody") is None


def test_a_script_that_we_ship_is_known_whole() -> None:
    known = KnownScript(shipped("cbt/abc_intro"))
    for spot in known.spots:
        assert spot in known.actions(spot.action)
        assert spot in known.actions(f"{spot.topic}/{spot.action}")
    for topic in known.listed_topics:
        assert known.topics(topic) == {topic}
    for ref in known.listed_skills:
        assert ref in known.topics(ref)
    for ref in known.listed_awareness:
        assert known.awareness(ref) == {ref}


def test_what_names_a_variable() -> None:
    kinds = [type(node).__name__ for node in HELLO.about("强度")]
    assert len(kinds) == 2
    assert "Session" in kinds
    assert HELLO.about("没有") == ()


def test_a_form_answers_under_its_name_unless_that_is_declared() -> None:
    assert [form.id for form in SCREENED.answered("feel")] == ["feel"]
    assert SCREENED.answered("心情总分") == []
    assert SCREENED.answered("没有") == []


@pytest.mark.parametrize(("name", "there"), [("认识了", True), ("认识", False), ("", False)])
def test_milestones(name: str, there: bool) -> None:
    assert HELLO.has_milestone(name) is there
