"""The script model: immutable nodes that know their children and their place."""

from __future__ import annotations

import pytest
from pydantic import ValidationError
from tests.language.material import loaded, session

from heartrule.language.expressions import Expression
from heartrule.language.nodes import (
    NOWHERE,
    ForEach,
    Node,
    Phase,
    Place,
    Repeat,
    Session,
    Skill,
    Topic,
    Transition,
)
from heartrule.language.nodes.conditions import All, Any_, Judge, Not, expressions, judges
from heartrule.language.nodes.script_file import File


def topic(**fields: object) -> Topic:
    return Topic.model_validate({"topic": "a", "actions": [], **fields})


class TestNodes:
    def test_children_come_in_the_order_of_the_fields(self) -> None:
        node = topic(
            repeat={"until": "b"},
            declare=[{"var": "c"}, {"var": "d"}],
            for_each={"in": "e", "as": "f"},
            transitions=[{"to": "end"}],
        )
        found = [(keys, type(child).__name__) for keys, child in node.children()]
        assert found == [
            (("repeat",), "Repeat"),
            (("declare", 0), "Variable"),
            (("declare", 1), "Variable"),
            (("for_each",), "ForEach"),
            (("transitions", 0), "Transition"),
        ]

    def test_keys_are_those_of_yaml(self) -> None:
        file = File.model_validate({"global": [{"var": "a"}]})
        assert [keys for keys, _ in file.children()] == [("global", 0)]

    def test_of_a_loaded_session(self) -> None:
        node: Node = loaded(session()).sessions[0]
        seen = []
        while True:
            below = list(node.children())
            if not below:
                break
            keys, node = below[0]
            seen.append(keys)
        assert seen == [("phases", 0), ("steps", 0), ("actions", 0)]

    def test_nothing_can_be_changed(self) -> None:
        with pytest.raises(ValidationError):
            topic().topic = "b"  # type: ignore[misc]

    def test_a_place_is_put_once_it_is_known(self) -> None:
        node = topic()
        assert node.place is NOWHERE
        node.put(Place("a.yaml", 3, 5, "话题 a", "topic a", (0, "steps", 0)))
        assert (node.place.file, node.place.line, node.place.column) == ("a.yaml", 3, 5)
        assert topic().place is NOWHERE

    def test_the_place_is_no_part_of_what_a_node_says(self) -> None:
        one, other = topic(), topic()
        other.put(Place("a.yaml", 1, 1))
        assert one.model_dump() == other.model_dump()

    def test_peek(self) -> None:
        assert topic(id="x").peek("id") == "x"
        assert topic().peek("nothing") is None
        assert topic().peek("model_fields") is None

    def test_names(self) -> None:
        assert topic().name == "a"
        assert Skill(skill="b", actions=[]).name == "b"
        assert Session(session="c", phases=[]).name == "c"

    @pytest.mark.parametrize("model", [Topic, Repeat, ForEach, Transition])
    def test_other_keys_are_refused(self, model: type[Node]) -> None:
        with pytest.raises(ValidationError) as caught:
            model.model_validate({"nonsense": 1})
        assert any(each["type"] == "extra_forbidden" for each in caught.value.errors())

    def test_errors_do_not_show_what_was_written(self) -> None:
        with pytest.raises(ValidationError) as caught:
            topic(goal=["very secret"])
        assert "very secret" not in str(caught.value)


class TestConditions:
    @staticmethod
    def condition(written: object) -> object:
        return topic(condition=written).condition

    @pytest.mark.parametrize(
        ("written", "kind"),
        [
            ("a > 1", Expression),
            (True, Expression),
            (3, Expression),
            ({"judge": "a"}, Judge),
            ({"all": ["a"]}, All),
            ({"any": ["a"]}, Any_),
            ({"not": "a"}, Not),
        ],
    )
    def test_kinds(self, written: object, kind: type) -> None:
        assert isinstance(self.condition(written), kind)

    def test_truth_becomes_an_expression(self) -> None:
        found = self.condition(True)
        assert isinstance(found, Expression)
        assert found.source == "true"

    def test_defaults_of_a_question(self) -> None:
        assert self.condition({"judge": "a"}) == Judge(judge="a", default=False, threshold=0.6)

    @pytest.mark.parametrize(
        "written",
        [
            "a > 1",
            {"judge": "a", "default": True, "threshold": 0.5},
            {"all": ["a", {"any": ["b", {"not": "c"}]}]},
        ],
    )
    def test_it_is_written_as_it_was_read(self, written: object) -> None:
        assert topic(condition=written).model_dump(by_alias=True)["condition"] == written

    def test_what_is_in_it(self) -> None:
        found = self.condition({"all": ["a", {"any": [{"judge": "q"}, {"not": "b"}]}, {"not": {"judge": "r"}}]})
        assert [(keys, each.source) for keys, each in expressions(found)] == [
            (("all", 0), "a"),
            (("all", 1, "any", 1, "not"), "b"),
        ]
        assert [(keys, each.judge) for keys, each in judges(found)] == [
            (("all", 1, "any", 0), "q"),
            (("all", 2, "not"), "r"),
        ]

    def test_nothing_is_in_nothing(self) -> None:
        assert list(expressions(None)) == list(judges(None)) == []

    @pytest.mark.parametrize("written", [{}, [], {"a": 1}, {"all": []}, {"judge": "a", "all": ["b"]}])
    def test_bad_ones(self, written: object) -> None:
        with pytest.raises(ValidationError):
            self.condition(written)


def test_a_copy_knows_its_own_topics() -> None:
    phase = Phase(phase="一", steps=[Topic(topic="甲", actions=[])])
    assert [*reversed(phase.topics)] == ["甲"]
    more = phase.model_copy(update={"steps": [*phase.steps, Topic(topic="乙", actions=[])]})
    assert [*reversed(more.topics)] == ["甲", "乙"]
    assert [*reversed(phase.topics)] == ["甲"]
