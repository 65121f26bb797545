"""A compiled script holds everything that its session can reach, and comes back the same from its sources."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
from tests.language.material import ACTIONS, SAY, awareness, codes, session, skill, write

from heartrule.language.compiling.compiler import bundle, compile_sources
from heartrule.language.compiling.script import Script
from heartrule.language.findings import Refused
from heartrule.language.projects.library import Library

CALL = "- {type: use_skill, skill: %s}"


@pytest.fixture
def library(tmp_path: Path) -> Library:
    english = "  - {skill: Relaxing, id: relax_en, locale: en, translation_of: relax, actions: []}\n"
    return Library(
        [
            write(
                tmp_path,
                {
                    "home/project.yaml": "id: home\nlocale: zh-CN\nroles: [{role: ai, name: 小禾}]\n",
                    "home/first.yaml": session(CALL % "放松", head="id: first\nawareness: [resist]"),
                    "home/first_en.yaml": session(
                        CALL % "relax", head="id: first_en\nlocale: en\ntranslation_of: first", name="First"
                    ),
                    "home/far.yaml": session(CALL % "away/breath", head="id: far", name="远"),
                    "home/unused.yaml": skill(name="没用到"),
                    "home/skills.yaml": skill(CALL % "呼吸", name="放松", head="id: relax") + english,
                    "home/more.yaml": skill(name="呼吸", head="id: breath"),
                    "home/noticing.yaml": awareness(
                        "- {directive: CALL_TECHNIQUE, technique: 安抚}", head="id: resist"
                    ).replace("抗拒\n", "抗拒着\n", 1),
                    "home/always.yaml": awareness(head="id: alert\nalways: true").replace("抗拒\n", "警觉\n", 1),
                    "home/soothe.yaml": skill(name="安抚", head="id: soothe"),
                    "home/variables.yaml": "global: [{var: 年龄, type: integer}]\n",
                    "home/prompts/warm/ai_say.zh-CN.md": "你好",
                    "away/project.yaml": "id: away\n",
                    "away/a.yaml": skill(name="呼吸", head="id: breath"),
                    "away/b.yaml": skill(name="别的"),
                    "away/global.yaml": "global: [{var: 年龄}, {var: 城市}]\n",
                },
            )
        ],
        ACTIONS,
    )


def own(names: object) -> list[str]:
    return sorted(name for name in names if not str(name).startswith("safety/"))  # type: ignore[attr-defined]


def paths(script: Script) -> list[str]:
    return [f"{source.project}/{source.path}" for source in script.sources]


class TestReach:
    def test_skills(self, library: Library) -> None:
        assert own(library.script("home/first").skills) == ["home/breath", "home/relax", "home/soothe"]

    def test_awareness(self, library: Library) -> None:
        assert own(library.script("home/first").awareness) == ["home/alert", "home/resist"]
        assert own(library.script("home/far").awareness) == ["home/alert"]

    def test_sources(self, library: Library) -> None:
        assert paths(library.script("home/first")) == [
            *("home/always.yaml", "home/first.yaml", "home/more.yaml", "home/noticing.yaml", "home/project.yaml"),
            *("home/prompts/warm/ai_say.zh-CN.md", "home/skills.yaml", "home/soothe.yaml", "home/variables.yaml"),
        ]

    def test_other_projects(self, library: Library) -> None:
        script = library.script("home/far")
        assert own(script.skills) == ["away/breath"]
        assert [path for path in paths(script) if path.startswith("away/")] == [
            *("away/a.yaml", "away/global.yaml", "away/project.yaml"),
        ]
        assert script.variables["年龄"].type == "integer"
        assert "城市" in script.variables

    def test_translations(self, library: Library) -> None:
        script = library.script("home/first_en")
        assert own(script.skills) == ["home/breath", "home/relax", "home/relax_en"]

    def test_roles_and_templates(self, library: Library) -> None:
        script = library.script("home/first")
        assert script.roles["ai"].name == "小禾"
        assert script.templates == {"warm/ai_say.zh-CN.md": "你好"}

    @pytest.mark.parametrize(
        ("locale", "ai", "person"),
        [("zh-CN", "小禾", "来访者"), ("zh-TW", "小禾", "来访者"), ("en", "Xiaohe", None), ("fr", "小禾", None)],
    )
    def test_roles_by_language(self, tmp_path: Path, locale: str, ai: str, person: str | None) -> None:
        roles = "roles:\n  - {role: ai, name: Xiaohe, locale: en}\n  - {role: ai, name: 小禾}\n"
        head = f"id: talk\n{roles}  - {{role: person, name: 来访者, locale: zh-CN}}\n"
        write(tmp_path / "talk", {"project.yaml": head, "a.yaml": session(head=f"id: a\nlocale: {locale}")})
        found = Library([tmp_path / "talk"], ACTIONS).script("talk/a").roles
        assert found["ai"].name == ai
        assert (found["person"].name if "person" in found else None) == person

    def test_circles_end(self, tmp_path: Path) -> None:
        text = session(CALL % "甲") + skill(CALL[:-1] % "乙" + ", condition: x}", name="甲", head="declare: [{var: x}]")
        text += f"  - skill: 乙\n    actions:\n      {CALL % '甲'}\n"
        path = write(tmp_path, {"a.yaml": text}) / "a.yaml"
        assert len(own(Library([], ACTIONS).script(str(path)).skills)) == 2


class TestSkill:
    @pytest.mark.parametrize("reference", ["relax", "放松", "home/relax", "home/放松"])
    def test_by_id_name_and_project(self, library: Library, reference: str) -> None:
        found = library.script("home/first").skill(reference, "home")
        assert found is not None
        assert found[0] == "home/relax"
        assert found[1].skill == "放松"

    @pytest.mark.parametrize("reference", ["relax", "relax_en", "放松", "home/Relaxing"])
    def test_in_the_scripts_language(self, library: Library, reference: str) -> None:
        found = library.script("home/first_en").skill(reference, "home")
        assert found is not None
        assert found[0] == "home/relax_en"

    def test_where_there_is_no_translation(self, library: Library) -> None:
        found = library.script("home/first_en").skill("breath", "home")
        assert found is not None
        assert found[0] == "home/breath"

    @pytest.mark.parametrize(
        ("reference", "within"), [("nobody", "home"), ("relax", "away"), ("x/relax", "home"), ("", "home")]
    )
    def test_none(self, library: Library, reference: str, within: str) -> None:
        assert library.script("home/first").skill(reference, within) is None

    def test_of_the_safety_project(self, library: Library) -> None:
        chinese, english = library.script("home/first"), library.script("home/first_en")
        for reference, within in (
            ("crisis_support", "safety"),
            ("safety/crisis_support", "home"),
            ("crisis_support", "home"),
        ):
            found = chinese.skill(reference, within)
            assert found is not None
            assert found[0] == "safety/crisis_support"
            found = english.skill(reference, within)
            assert found is not None
            assert found[0] == "safety/crisis_support_en"


class TestWhatIsAlwaysLoaded:
    """What no project is named for and the own project lacks is of the project ``safety``."""

    @pytest.mark.parametrize("own", [True, False])
    def test_the_own_project_comes_first(self, tmp_path: Path, own: bool) -> None:
        files = {"home/project.yaml": "id: home\n", "home/a.yaml": session(CALL % "crisis_support", head="id: one")}
        if own:
            files["home/b.yaml"] = skill(name="自己的", head="id: crisis_support")
        found = Library([write(tmp_path, files)], ACTIONS).script("home/one").skill("crisis_support", "home")
        assert found is not None
        assert found[0] == ("home/crisis_support" if own else "safety/crisis_support")

    def test_awareness(self, tmp_path: Path) -> None:
        head = "id: one\nawareness: [suicide_risk]"
        calls = awareness("- {directive: CALL_TECHNIQUE, technique: crisis_support}", head="id: own\nalways: true")
        files = {"home/project.yaml": "id: home\n", "home/a.yaml": session(head=head), "home/b.yaml": calls}
        script = Library([write(tmp_path, files)], ACTIONS).script("home/one")
        found = script.noticing("suicide_risk", "home")
        assert found is not None
        assert found[0] == "safety/suicide_risk"
        assert script.noticing("nobody", "home") is None


class TestSources:
    @pytest.mark.parametrize("reference", ["home/first", "home/first_en", "home/far"])
    def test_the_same_script_comes_back(self, library: Library, reference: str) -> None:
        script = library.script(reference)
        again = compile_sources(script.sources, script.id, ACTIONS, library.safety)
        for field in fields(Script):
            assert getattr(again, field.name) == getattr(script, field.name), field.name

    def test_in_any_order(self, library: Library) -> None:
        script = library.script("home/far")
        again = compile_sources(script.sources[::-1], script.id, ACTIONS, library.safety)
        assert again.bundle == script.bundle
        assert own(again.skills) == own(script.skills)

    def test_without_the_library(self, library: Library, tmp_path: Path) -> None:
        script = library.script("home/first")
        write(tmp_path, {"home/first.yaml": "gone"})
        again = compile_sources(script.sources, script.id, ACTIONS, None)
        assert again.session == script.session
        assert own(again.skills) == sorted(again.skills)

    def test_what_can_no_longer_be_read(self, library: Library) -> None:
        script = library.script("home/first")
        few = {name: kind for name, kind in ACTIONS.items() if name != "use_skill"}
        with pytest.raises(Refused) as caught:
            compile_sources(script.sources, script.id, few, None)
        assert set(codes(list(caught.value.findings))) == {"E107"}

    @pytest.mark.parametrize("name", ["home/nobody", "nobody/first", "first", ""])
    def test_what_is_not_in_them(self, library: Library, name: str) -> None:
        with pytest.raises(Refused):
            compile_sources(library.script("home/first").sources, name, ACTIONS, None)

    def test_of_a_file_alone(self, tmp_path: Path, library: Library) -> None:
        path = write(tmp_path, {"x/a.yaml": session(SAY)}) / "x" / "a.yaml"
        script = library.script(str(path))
        again = compile_sources(script.sources, script.id, ACTIONS, library.safety)
        assert again.session == script.session
        assert again.id == script.id


class TestBundle:
    def test_names_the_content(self, library: Library) -> None:
        script = library.script("home/first")
        assert len(script.bundle) == 64
        assert bundle(script.sources) == script.bundle
        assert bundle(reversed(script.sources)) == script.bundle
        changed = (replace(script.sources[0], sha256="0" * 64), *script.sources[1:])
        assert bundle(changed) != script.bundle

    def test_does_not_change_with_what_is_not_reached(self, library: Library, tmp_path: Path) -> None:
        before = library.script("home/first").bundle
        write(tmp_path, {"home/unused.yaml": skill(name="改过了")})
        assert library.script("home/first").bundle == before
        write(tmp_path, {"home/more.yaml": skill(name="呼吸", head="id: breath\ngoal: 慢")})
        assert library.script("home/first").bundle != before


def test_scopes_are_in_the_script(tmp_path: Path, library: Library) -> None:
    text = session(
        "- {type: ask, content: 问, output: [{get: 会话目标}, {get: 心情}]}\n- {type: say, content: '{心情}'}",
        phase="milestone: '{心情}'",
    )
    path = write(tmp_path, {"a.yaml": text}) / "a.yaml"
    own = {"会话目标": "session", "心情": "phase"}
    # The form of a safety plan, which `safety` hands out in every session, keeps its answers in the session.
    assert library.script(str(path)).scopes == own | {"safety_plan_card": "session"}
