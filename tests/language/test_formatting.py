"""``heartrule fmt`` on texts: same meaning, every comment, and a second run changes nothing."""

from __future__ import annotations

import os
import re
from pathlib import Path
from random import Random

import pytest
from tests.language.material import ACTIONS, SAY, awareness, codes, linted, loaded, meaning, session, skill, write
from tests.language.written_elsewhere import Elsewhere

from heartrule.language.formatting import format_paths, formatted
from heartrule.language.formatting.id_numbers import Ids
from heartrule.language.projects.library import library_root
from heartrule.language.yaml import parse

SPELLINGS = Path(__file__).parent / "spellings"
DOCUMENTS = int(os.environ.get("HEARTRULE_FMT", "50"))
COMMENT = re.compile(r"# c\d+;")


def fmt(text: str, *, ids: bool = False) -> str:
    known = Ids() if ids else None
    if known:
        known.see(text)
    after, errors = formatted(text.encode(), "script.yaml", ACTIONS, known)
    assert errors == []
    return after.decode()


@pytest.mark.parametrize("part", range(10))
def test_documents_by_chance(part: int) -> None:
    for seed in range(part, DOCUMENTS, 10):
        made = Elsewhere(seed)
        text, meant = made.documents()
        assert parse(text, "a").findings == [], text
        after = fmt(text)
        parsed = parse(after, "a")
        assert parsed.findings == [], f"{seed}\n{text}\n{after}"
        assert parsed.documents == meant, f"{seed}\n{text}\n{after}"
        comments = COMMENT.findall(after)
        assert sorted(comments) == sorted(COMMENT.findall(text)), f"{seed}\n{text}\n{after}"
        assert len(comments) == made.comments
        assert blank(after) >= blank(text), f"{seed}\n{text}\n{after}"
        assert fmt(after) == after
        marked = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
        assert formatted(marked, "a", ACTIONS)[0] == b"\xef\xbb\xbf" + after.replace("\n", "\r\n").encode()
        assert "W194" not in codes(loaded(after).findings)


@pytest.mark.parametrize("part", range(4))
def test_documents_by_chance_with_ids(part: int) -> None:
    for seed in range(part, DOCUMENTS // 4, 4):
        text, _ = Elsewhere(seed).document()
        after = fmt(text, ids=True)
        assert fmt(after, ids=True) == after
        assert sorted(COMMENT.findall(after)) == sorted(COMMENT.findall(text))
        assert "E201" not in codes(linted(after))
        for node in (*loaded(after).sessions, *loaded(after).skills, *loaded(after).awareness):
            assert node.id
            assert all(topic.id for phase in node.peek("phases") or () for topic in phase.steps)


def test_what_we_ship_is_in_our_spelling() -> None:
    made = format_paths([library_root()], ACTIONS)
    assert len(made) > 5
    assert [each.path for each in made if each.changed or each.findings] == []


@pytest.mark.parametrize("path", sorted(SPELLINGS.glob("*.ours.yaml")), ids=lambda path: path.stem)
def test_ours_is_not_touched(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert fmt(text) == text


def test_line_ends_and_byte_order_mark_stay() -> None:
    text = (SPELLINGS / "target_variable.yaml").read_text(encoding="utf-8")
    ours = (SPELLINGS / "target_variable.ours.yaml").read_text(encoding="utf-8")
    raw = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    after, errors = formatted(raw, "a.yaml", ACTIONS)
    assert errors == []
    assert after == b"\xef\xbb\xbf" + ours.replace("\n", "\r\n").encode()
    numbered, _ = formatted(raw, "a.yaml", ACTIONS, Ids())
    assert b"\n" not in numbered.replace(b"\r\n", b"")


def blank(text: str) -> int:
    return sum(not line.strip() for line in text.splitlines())


@pytest.mark.parametrize("path", sorted(SPELLINGS.glob("*.yaml")), ids=lambda path: path.stem)
@pytest.mark.parametrize("ends", ["lf", "crlf"])
def test_every_blank_line_and_comment_stays(path: Path, ends: str) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    text = "".join(f"\n{_indent(line)}# c{n};\n{line}\n" for n, line in enumerate(lines))
    assert parse(text, "a").findings == []
    raw = text.encode() if ends == "lf" else b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    after, errors = formatted(raw, "a.yaml", ACTIONS)
    assert errors == []
    assert blank(after.decode("utf-8-sig")) >= blank(text), after.decode()
    assert sorted(set(COMMENT.findall(after.decode()))) == sorted(COMMENT.findall(text))
    assert formatted(after, "a.yaml", ACTIONS) == (after, [])
    twins = path.with_name(path.stem.removesuffix(".ours") + ".ours.yaml").read_text(encoding="utf-8").splitlines()
    if not any(sign in text for sign in ("|", ">-")):
        kept = [line.split(" #")[0].strip() for line in after.decode("utf-8-sig").splitlines()]
        assert [line for line in kept if line and not line.startswith("#")] == [
            line.split(" #")[0].strip() for line in twins if line.strip() and not line.strip().startswith("#")
        ]


@pytest.mark.parametrize(
    "text",
    [
        "technique_id: a\n\ntechnique_name: b\n\ntopic:\n\n  topic_goal: c\n\n  actions:\n\n    - say: 好\n",
        "technique_id: a\n\ntopic:\n  topic_id: a\n\n  actions:\n    - say:\n\n        content: 好\n",
        session("- config:\n\n    content: 好\n\n  action_type: say\n\n- say: 好"),
        session("- action_type: say\n\n  config:\n\n\n    content: |\n      好\n\n      的\n\n- say: 好"),
        session("- {action_type: say, config: {\n\n    content: 好}}"),
        awareness(head="check_time:\n\n  - 话题开始\n\n  - 话题结束"),
    ],
)
def test_as_many_blank_lines_as_before(text: str) -> None:
    after = fmt(text)
    assert after != text
    assert blank(after) == blank(text), after
    assert fmt(after) == after
    assert meaning(loaded(after)) == meaning(loaded(text))


def test_a_text_that_keeps_its_blank_lines_gets_no_more_of_them() -> None:
    text = session("- say: |+\n    好\n\n- action_type: say\n  config:\n\n    content: 好")
    assert meaning(loaded(fmt(text))) == meaning(loaded(text))


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" "))]


def test_a_text_that_does_not_load_is_left_as_it_is() -> None:
    text = session("- say: 你好\n- {type: say, contnt: 你好}")
    after, errors = formatted(text.encode(), "script.yaml", ACTIONS)
    assert after == text.encode()
    assert codes(errors) == ["E101"]
    assert {each.line for each in errors} == {9}


def test_bytes_that_are_no_text_are_left_as_they_are() -> None:
    after, errors = formatted(b"a: \xc3\x28", "script.yaml", ACTIONS)
    assert after == b"a: \xc3\x28"
    assert codes(errors) == ["E003"]


class TestIds:
    def test_each_gets_one_and_those_that_are_there_stay(self) -> None:
        text = session(
            "- {type: say, id: a1, content: 一}\n- type: say\n  content: 二  # 二", topic="id: t1", after=skill()
        )
        after = fmt(text, ids=True)
        file = loaded(after)
        found = file.sessions[0]
        topic = found.phases[0].steps[0]
        assert (found.id, found.phases[0].id, topic.id) == ("s1", "p1", "t1")
        assert [action.id for action in topic.actions] == ["a1", "a2"]
        assert file.skills[0].id == "k1"
        assert "# 二" in after

    def test_they_are_unique_in_a_project(self, tmp_path: Path) -> None:
        write(tmp_path, {"project.yaml": "id: mine\n", "a.yaml": session(name="甲"), "b.yaml": session(name="乙")})
        made = format_paths([tmp_path], ACTIONS, ids=True)
        assert [each.path.name for each in made] == ["a.yaml", "b.yaml"]
        assert [loaded(each.after).sessions[0].id for each in made] == ["s1", "s2"]

    def test_what_a_translation_calls_by_its_name_keeps_being_called_so(self) -> None:
        text = skill(SAY) + skill(
            SAY, name="Breathing", head="id: en\nlocale: en\ntranslation_of: 呼吸练习"
        ).removeprefix("skills:\n")
        skills = loaded(fmt(text, ids=True)).skills
        assert [each.id for each in skills] == [None, "en"]

    def test_without_a_name_there_is_nothing_to_do(self) -> None:
        assert fmt("", ids=True) == ""
        assert fmt("sessions: []\n", ids=True) == "sessions: []\n"


class TestPaths:
    def test_one_file_of_a_project(self, tmp_path: Path) -> None:
        old = session("- say: 你好")
        write(tmp_path, {"project.yaml": "id: mine\n", "a.yaml": old, "b.yaml": old, "prompts/x.yaml": "say: a\n"})
        assert [each.path.name for each in format_paths([tmp_path / "b.yaml"], ACTIONS)] == ["b.yaml"]
        assert [each.path.name for each in format_paths([tmp_path], ACTIONS)] == ["a.yaml", "b.yaml"]

    def test_a_file_that_is_not_there(self, tmp_path: Path) -> None:
        made = format_paths([tmp_path / "none.yaml"], ACTIONS)
        assert codes(list(made[0].findings)) == ["E017"]
        assert not made[0].changed

    def test_named_twice_it_is_done_once(self, tmp_path: Path) -> None:
        write(tmp_path, {"a.yaml": session("- say: 你好")})
        assert len(format_paths([tmp_path, tmp_path / "a.yaml"], ACTIONS)) == 1


PIECES = (
    "  ",
    "\n  - ",
    "\n    ",
    ": ",
    "- ",
    "{",
    "}",
    "[",
    "]",
    ",",
    "# x",
    "'",
    '"',
    "|\n",
    "*a",
    "&a ",
    "? ",
    "\t",
    "\r\n",
)
KEYS = ("config:", "call:", "say:", "topic:", "session:", "rule:", "input:", "open_rule: x", "timing: NOW", "if: 1")


def damaged(seed: int) -> str:
    """A document in which something is missing, moved or too much."""
    random = Random(seed)
    text, _ = Elsewhere(seed).document()
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(text) + 1)
        what = random.random()
        if what < 0.5:
            text = text[:at] + random.choice(PIECES + KEYS) + text[at:]
        elif what < 0.75:
            text = text[:at] + text[at + random.randint(1, 25) :]
        else:
            lines = text.split("\n")
            line = lines.pop(random.randrange(len(lines)))
            text = "\n".join([*lines[: len(lines) // 2], line, *lines[len(lines) // 2 :]])
    return text


@pytest.mark.parametrize("part", range(4))
def test_a_damaged_document_is_refused_at_a_place_or_formatted_without_loss(part: int) -> None:
    for seed in range(part, DOCUMENTS * 2, 4):
        text = damaged(seed)
        lines = text.count("\n") + 1
        found = loaded(text).findings
        assert all(1 <= each.line <= lines + 1 and each.column >= 1 for each in found), text
        after, errors = formatted(text.encode(), "script.yaml", ACTIONS)
        assert bool(errors) == any(each.stops for each in found)
        if not errors:
            assert formatted(after, "script.yaml", ACTIONS) == (after, []), text
            assert sorted(COMMENT.findall(after.decode())) == sorted(COMMENT.findall(text)), text
