"""What a reference means, and who speaks which language."""

from __future__ import annotations

import pytest

from heartrule.language.nodes import Skill
from heartrule.language.references import full, identity, in_locale, pick, speaks, split


def skill(name: str, id: str | None = None, locale: str | None = None, of: str | None = None) -> Skill:  # noqa: A002
    return Skill(skill=name, id=id, locale=locale, translation_of=of, actions=[])


class TestPick:
    NODES = (
        skill("呼吸", "breath"),
        skill("放松", "relax"),
        skill("放松", "relax_short"),
        skill("散步"),
        skill("relax", "odd"),
    )

    @pytest.mark.parametrize(
        ("reference", "found"),
        [
            ("breath", "breath"),
            ("呼吸", "breath"),
            ("散步", None),
            ("relax", "relax"),
            ("relax_short", "relax_short"),
            ("odd", "odd"),
        ],
    )
    def test_found(self, reference: str, found: str | None) -> None:
        node = pick(self.NODES, reference)
        assert node is not None
        assert node.id == found

    @pytest.mark.parametrize("reference", ["放松", "nobody", "", "Breath"])
    def test_not_found(self, reference: str) -> None:
        assert pick(self.NODES, reference) is None

    def test_an_id_goes_before_a_name(self) -> None:
        nodes = (skill("breath", "a"), skill("呼吸", "breath"))
        node = pick(nodes, "breath")
        assert node is nodes[1]

    def test_among_none(self) -> None:
        assert pick([], "a") is None


class TestNames:
    def test_identity(self) -> None:
        assert identity(skill("呼吸", "breath")) == "breath"
        assert identity(skill("呼吸")) == "呼吸"
        assert full("home", skill("呼吸", "breath")) == "home/breath"
        assert full("home", skill("呼吸")) == "home/呼吸"

    @pytest.mark.parametrize(
        ("reference", "parts"),
        [
            ("breath", ("home", "breath")),
            ("away/breath", ("away", "breath")),
            ("away/a/b", ("away", "a/b")),
            ("/breath", ("", "breath")),
            ("", ("home", "")),
        ],
    )
    def test_split(self, reference: str, parts: tuple[str, str]) -> None:
        assert split(reference, "home") == parts


class TestLanguages:
    @pytest.mark.parametrize(
        ("tag", "wanted"), [("zh-CN", "zh-CN"), ("zh", "zh-CN"), ("zh-TW", "zh-CN"), ("en_US", "en-GB"), ("EN", "en")]
    )
    def test_speaks(self, tag: str, wanted: str) -> None:
        assert speaks(tag, wanted)

    @pytest.mark.parametrize(("tag", "wanted"), [("en", "zh-CN"), (None, "en"), ("", "en"), ("eng", "en")])
    def test_does_not(self, tag: str | None, wanted: str) -> None:
        assert not speaks(tag, wanted)

    FAMILY = (
        skill("呼吸", "breath", "zh-CN"),
        skill("Breathing", "breath_en", "en", "breath"),
        skill("呼吸（台灣）", "breath_tw", "zh-TW", "breath"),
        skill("别的", "other", "en"),
    )

    @pytest.mark.parametrize(
        ("start", "locale", "found"),
        [
            (0, "zh-CN", "breath"),
            (0, "zh-TW", "breath_tw"),
            (0, "en", "breath_en"),
            (0, "en-AU", "breath_en"),
            (0, "fr", "breath"),
            (1, "zh-CN", "breath"),
            (1, "en", "breath_en"),
            (1, "fr", "breath_en"),
            (2, "zh-HK", "breath_tw"),
            (0, "zh-HK", "breath"),
            (3, "zh-CN", "other"),
        ],
    )
    def test_in_locale(self, start: int, locale: str, found: str) -> None:
        assert in_locale(self.FAMILY[start], self.FAMILY, locale).id == found

    def test_those_without_a_language_speak_the_projects(self) -> None:
        plain, english = skill("呼吸", "breath"), skill("Breathing", "breath_en", "en", "breath")
        both = (plain, english)
        assert in_locale(english, both, "zh-CN", "zh-CN") is plain
        assert in_locale(english, both, "zh-CN") is english
        assert in_locale(plain, both, "en", "zh-CN") is english
        assert in_locale(plain, both, "zh-CN", "zh-CN") is plain

    def test_of_nodes_without_ids(self) -> None:
        plain, english = skill("呼吸"), skill("Breathing", None, "en", "呼吸")
        assert in_locale(plain, (plain, english), "en", "zh-CN") is english
