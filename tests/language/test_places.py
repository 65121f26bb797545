"""Where things are and which keys belong there: positions, paths in words, keys of the models."""

from __future__ import annotations

import pytest
from tests.language.material import ACTIONS, project, session
from tests.table import tabled

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings.words import words
from heartrule.language.nodes import Place, Project, Topic
from heartrule.language.nodes.script_file import File
from heartrule.language.shape.keys import keys, keys_at
from heartrule.language.shape.kinds import describe
from heartrule.language.texts.source import SourceMap, Spot

DATA = {
    "sessions": [
        {
            "session": "首次",
            "declare": [{"var": "年龄"}, {}],
            "awareness": ["a"],
            "phases": [
                {
                    "phase": "开场",
                    "transitions": [{"to": "end"}],
                    "steps": [
                        {"topic": "问候", "actions": [{"type": "say"}, {"type": "ask", "output": [{"get": "a"}]}]},
                        {"actions": [{"type": "user_option", "choices": [{"value": 1}]}]},
                    ],
                }
            ],
        },
        {"session": ["no text"]},
        {"session": "很\n长 " * 30},
    ],
    "awareness": [{"awareness": "危机", "condition": {"rules": {"explicit": [{}], "watch": [{}]}}, "then": [{}]}],
    "skills": [{"skill": 3, "parameters": [{"name": "次数"}]}],
    "global": [{"var": "a", "rules": [{}], "fields": [{"name": "b"}]}],
    "roles": [{"role": "ai", "name": "小禾"}],
}


class TestWords:
    @tabled(
        ("path", "zh", "en"),
        [
            ((), "", ""),
            (("sessions",), "", ""),
            (("sessions", 0), "会谈 首次", "session 首次"),
            (("sessions", 0, "session"), "会谈 首次", "session 首次"),
            (("sessions", 1), "第 2 个会谈", "session 2"),
            (("sessions", 0, "declare", 0), "会谈 首次 › 变量 年龄", "session 首次 › variable 年龄"),
            (("sessions", 0, "declare", 1), "会谈 首次 › 第 2 个变量", "session 首次 › variable 2"),
            (("sessions", 0, "awareness", 0), "会谈 首次 › 第 1 个意识", "session 首次 › awareness 1"),
            (
                ("sessions", 0, "phases", 0, "transitions", 0, "to"),
                "会谈 首次 › 阶段 开场 › 第 1 个跳转",
                "session 首次 › phase 开场 › transition 1",
            ),
            (
                ("sessions", 0, "phases", 0, "steps", 0, "actions", 1, "output", 0, "get"),
                "会谈 首次 › 阶段 开场 › 话题 问候 › 第 2 个动作 › 第 1 个输出",
                "session 首次 › phase 开场 › topic 问候 › action 2 › output 1",
            ),
            (
                ("sessions", 0, "phases", 0, "steps", 1, "actions", 0, "choices", 0),
                "会谈 首次 › 阶段 开场 › 第 2 个话题 › 第 1 个动作 › 第 1 个选项",
                "session 首次 › phase 开场 › topic 2 › action 1 › choice 1",
            ),
            (
                ("awareness", 0, "condition", "rules", "explicit", 0),
                "意识 危机 › 第 1 个明确规则",
                "awareness 危机 › explicit rule 1",
            ),
            (("awareness", 0, "then", 0), "意识 危机 › 第 1 个指令", "awareness 危机 › directive 1"),
            (("skills", 0, "parameters", 0), "技术 3 › 参数 次数", "skill 3 › parameter 次数"),
            (("global", 0, "rules", 0), "变量 a › 第 1 个规则", "variable a › rule 1"),
            (("global", 0, "fields", 0), "变量 a › 字段 b", "variable a › field b"),
            (("roles", 0), "角色 小禾", "role 小禾"),
            (("sessions", 9, "phases"), "", ""),
            (("nothing", "at", "all"), "", ""),
        ],
    )
    def test_of_a_path(self, path: tuple[str | int, ...], zh: str, en: str) -> None:
        assert words([DATA], (0, *path)) == Bilingual(zh, en)

    def test_long_names_are_cut_and_on_one_line(self) -> None:
        said = words([DATA], (0, "sessions", 2))
        assert len(said.zh) <= 43
        assert "\n" not in said.zh


class TestKeys:
    def test_are_written_as_in_yaml(self) -> None:
        assert "in" in keys_at(File, {}, ("sessions", 0, "phases", 0, "steps", 0, "for_each"), ACTIONS)
        assert "validate" in keys_at(File, {}, ("global", 0), ACTIONS)
        assert keys(Topic)[:2] == ["id", "goal"]

    @pytest.mark.parametrize(
        ("path", "expected"),
        [
            ((), {"sessions", "skills", "awareness", "global", "forms", "roles", "metadata"}),
            (("sessions", 0, "phases", 0, "transitions", 0), {"to", "condition"}),
            (("sessions", 0, "phases", 0, "awareness"), {"enable", "disable"}),
            (("sessions", 0, "phases", 0, "steps", 0, "repeat"), {"until", "max"}),
            (
                ("awareness", 0, "condition", "rules"),
                {"words", "others", "explicit", "wishes", "watch", "graver", "doubtful", "over", "mentions"},
            ),
            (("awareness", 0, "condition", "rules", "watch", 0), {"pattern", "reason", "unless", "match", "pass"}),
            (("skills", 0, "parameters", 0), {"name", "required", "default", "define"}),
            (("global", 0, "on_failure"), {"do", "max", "default"}),
            (("roles", 0), {"role", "locale", "name", "tone", "picture"}),
            (("nowhere",), set()),
        ],
    )
    def test_of_a_script(self, path: tuple[str | int, ...], expected: set[str]) -> None:
        assert set(keys_at(File, DATA, path, ACTIONS)) == expected

    @pytest.mark.parametrize("kind", sorted(ACTIONS))
    def test_of_actions(self, kind: str) -> None:
        data = {"skills": [{"actions": [{"type": kind}]}]}
        assert keys_at(File, data, ("skills", 0, "actions", 0), ACTIONS) == keys(ACTIONS[kind])

    def test_of_a_project(self) -> None:
        assert set(keys_at(Project, {}, (), {})) == {
            *(
                "id",
                "name",
                "domain",
                "lint",
                "media_hosts",
                "locale",
                "template_scheme",
                "instructions",
                "roles",
                "checks",
                "llm",
                "directives",
                "monitors",
                "monitoring",
                "strategies",
                "limits",
                "knowledge",
                "memory",
                "debug",
                "defaults",
            ),
        }


class TestPositions:
    def test_an_empty_map(self) -> None:
        empty = SourceMap()
        assert empty.key((0, "a")) == empty.value((0, "a")) == Spot(1, 1)
        assert empty.key(()) == Spot(1, 1)

    @pytest.mark.parametrize(
        ("spot", "offset", "place"),
        [
            (Spot(3, 10), 4, (3, 14)),
            (Spot(3, 10, "'"), 4, (3, 15)),
            (Spot(3, 10, '"'), 0, (3, 11)),
            (Spot(1, 4, ">"), 3, (1, 4)),
            (Spot(1, 4, "|"), 0, (2, 3)),
            (Spot(1, 4, "|"), 3, (2, 6)),
            (Spot(1, 4, "|"), 4, (3, 5)),
            (Spot(1, 4, "|"), 400, (1, 4)),
        ],
    )
    def test_within_a_text(self, spot: Spot, offset: int, place: tuple[int, int]) -> None:
        found = SourceMap(values={(0, "a"): spot}, lines=["a: |", "  one", "    two", ""]).within((0, "a"), offset)
        assert (found.line, found.column) == place

    def test_of_a_node(self) -> None:
        own = project({"a.yaml": session("- {type: say, content: 你好}")})
        step = next(iter(own.sessions)).phases[0].steps[0].actions[0]
        assert (own.at(step, "content").line, own.at(step, "content").column) == (8, 29)
        assert own.at(step, "content", value=True).column == 38
        assert own.within(step, 1, "content").column == 39
        assert own.at(step, "content").words == step.place.words
        assert own.at(step, "nothing").line == 8

    def test_of_a_node_from_elsewhere(self) -> None:
        own = project({"a.yaml": session()})
        node = Topic(topic="a", actions=[])
        node.put(Place("unknown.yaml", 7, 3))
        assert own.at(node, "topic") == own.within(node, 3, "topic") == node.place


@pytest.mark.parametrize(
    ("value", "zh", "en"),
    [
        ({"a": 1}, "一组字段", "a mapping"),
        ([1], "一个列表", "a list"),
        (None, "空", "nothing"),
        (True, "true", "true"),
        (3, "3", "3"),
        ("你好", "你好", "你好"),
        ("很" * 99, "很" * 29 + "…", "很" * 29 + "…"),
    ],
)
def test_values_in_words(value: object, zh: str, en: str) -> None:
    assert describe(value) == Bilingual(zh, en)
