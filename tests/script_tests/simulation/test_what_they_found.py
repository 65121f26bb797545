"""What simulated visitors have brought to light in shipped scripts, so that it stays mended."""

from __future__ import annotations

import pytest

from heartrule.testing.talk import Talk, shipped


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Lin is fine", "Lin"),
        ("Sam will do.", "Sam"),
        ("Jo, please", "Jo"),
        ("you can call me Sam", "Sam"),
        ("Lin", "Lin"),
    ],
)
def test_a_name_in_a_sentence_is_the_name_alone(said: str, name: str) -> None:
    talk = Talk(shipped("cbt/abc_intro_en"))
    talk.say(said)
    assert talk.value("name") == name
    assert f"Good to meet you, {name}." in " ".join(talk.said)
