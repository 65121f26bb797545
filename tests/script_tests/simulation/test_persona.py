"""Personas: those that are shipped, and what is wrong with one of one's own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from tests.safety.shipped import matcher
from tests.script_tests.simulation.material import persona

from heartrule.parsing import fold
from heartrule.script_tests.simulation.persona import SHIPPED, BadPersona, find, shipped, spoken


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_persona_is_whole_in_both_languages(name: str) -> None:
    who = find(name)
    assert who is shipped(name)
    assert who.id == name
    for texts in (who.name, who.about, who.play):
        assert re.search("[一-鿿]", texts["zh"])
        assert not re.search("[一-鿿]", texts["en"])
    assert set(who.words["zh"]) == set(who.words["en"])


def test_they_differ_in_what_they_do() -> None:
    rates = {name: max(find(name).rates.by_deed.items(), key=lambda each: each[1])[0] for name in SHIPPED}
    assert (rates["confused"], rates["off_topic"], rates["hostile"]) == ("ask_back", "stray", "attack")
    assert rates["avoidant"] == "evade"
    assert rates["contradicting"] == "contradict"
    assert [name for name in SHIPPED if find(name).danger] == ["at_risk"]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_rules_hear_every_word_of_danger_and_nothing_else_that_visitors_say(language: str) -> None:
    heard, alarms = [], []
    for name in SHIPPED:
        for deed, words in find(name).words[language].items():  # type: ignore[index]
            for each in words:
                explicit = matcher().match(each).level == "explicit"
                (heard if deed == "danger" else alarms).append((each, explicit))
    assert len(heard) > 5
    assert [words for words, explicit in heard if not explicit] == []
    assert [words for words, explicit in alarms if explicit] == []
    assert len({fold(words) for words, _ in alarms}) > 30


def test_locales() -> None:
    assert [spoken(each) for each in ("zh-CN", "ZH", "en-GB", "de")] == ["zh", "zh", "en", "en"]


def test_one_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(persona(id="mine").model_dump(mode="json"), allow_unicode=True), encoding="utf-8")
    assert find(str(path)).id == "mine"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"rates": {"evade": 0.7, "refuse": 0.5}}, ":19: the rates add up to 1.2"),
        ({"rates": {"evade": 0.1}}, "words.zh has none for evade"),
        ({"danger": {}}, "words.zh has none for danger"),
        ({"name": {"zh": "甲"}}, "needed in en"),
        ({"agrees": 2}, ":4:9: error E105: “agrees” is 2"),
        ({"mood": 1}, ":10:1: error E101: There is no key “mood”"),
        ({"id": "Not one"}, ":8:5: error E114: The value of “id”"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, changes: dict[str, object], told: str) -> None:
    path = tmp_path / "mine.yaml"
    content = {**persona().model_dump(mode="json"), **changes}
    path.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
    with pytest.raises(BadPersona) as caught:
        find(str(path))
    assert re.match(r"mine\.yaml:\d+:", str(caught.value))
    assert told in str(caught.value)
    assert re.search("[\u4e00-\u9fff]", caught.value.said.zh)
    assert not re.search("[\u4e00-\u9fff]", caught.value.said.en)


def test_files_that_are_none(tmp_path: Path) -> None:
    broken, bytes_ = tmp_path / "broken.yaml", tmp_path / "bytes.yml"
    for number, text in enumerate(("null", "[]", '"x"', ".nan", "", "\0", "[" * 100_000)):
        (tmp_path / f"none{number}.yaml").write_text(text, encoding="utf-8")
    broken.write_text("id: a\nrates: {evade\n", encoding="utf-8")
    bytes_.write_bytes(b"\xff\xfe\x00")
    for name, told in (
        (str(broken), "broken.yaml:2:8: error"),
        (str(bytes_), "bytes.yml:1:1: error"),
        *((str(tmp_path / f"none{number}.yaml"), f"none{number}.yaml:1:") for number in range(7)),
        (str(tmp_path / "none.yaml"), "No such file"),
        ("cooperativ", "cooperative, terse"),
    ):
        with pytest.raises(BadPersona) as caught:
            find(name)
        assert told in str(caught.value)
