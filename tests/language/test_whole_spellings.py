"""Whole scripts as others write them: block scalars, anchors, keys in quotes, comments and blank lines everywhere."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from tests.language.material import ACTIONS, SAY, codes, linted_whole, loaded, meaning, session

from heartrule.language.formatting import formatted
from heartrule.language.formatting.id_numbers import Ids
from heartrule.testing.talk import Talk, compile_text

WHOLE = sorted((Path(__file__).parent / "spellings" / "whole").glob("*.yaml"))
FINDINGS = {
    "nested-criteria": {"W194": 1, "W196": 7, "W220": 1, "W221": 1},
    "nested-mood": {"W194": 1, "W233": 3},
    "nested-sleep": {"W194": 1, "W233": 2},
    "onekey-evening": {"W194": 1, "W233": 4, "W249": 1},
    "onekey-journey": {"W194": 1, "W196": 5, "W221": 4},
    "onekey-stress": {"W194": 1, "W233": 3},
    "rules-watching": {"W194": 1, "W236": 4},
    "technique-grounding": {"W194": 1},
}
"""What is true of them: values that a later topic reads are not declared, rules are enabled by no session;
notes and settings of other engines do nothing, and questions are instructions to a model."""
ANSWERS = ["小林", "A", "很累", "还好", "A", "有一点", "好", "可以", "嗯", "做完了"] * 3
COMMENT = re.compile(r"(?:^|\s)(#[^\r\n]*)", re.MULTILINE)


@pytest.fixture(params=WHOLE, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


def written(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def ours(raw: bytes) -> bytes:
    after, errors = formatted(raw, "script.yaml", ACTIONS)
    assert errors == []
    return after


def blank(text: str) -> int:
    return sum(not line.strip() for line in text.splitlines())


def talk(path: Path, text: str) -> Talk:
    if not path.stem.startswith("technique"):
        return Talk(compile_text(text))
    call = session("- {type: use_skill, skill: grounding, input: {对象: 小林}}\n" + SAY)
    return Talk(compile_text(call, files={"technique.yaml": text}))


def test_they_are_all_looked_at() -> None:
    assert {path.stem for path in WHOLE} == set(FINDINGS)


def test_it_is_found_what_there_is_to_find(path: Path) -> None:
    assert Counter(codes(linted_whole(written(path)))) == FINDINGS[path.stem]


def test_in_our_spelling_it_is_found_to_be_the_same(path: Path) -> None:
    after = ours(path.read_bytes())
    assert Counter(codes(linted_whole(after))) == {
        code: times for code, times in FINDINGS[path.stem].items() if code not in ("W194", "W196")
    }


def test_no_comment_and_no_blank_line_is_lost(path: Path) -> None:
    text = written(path)
    after = ours(text.encode()).decode()
    comments = COMMENT.findall(text)
    assert {comment for comment in comments if after.count(comment) < text.count(comment)} == set()
    if "W196" not in FINDINGS[path.stem]:
        assert sorted(COMMENT.findall(after)) == sorted(comments)
    assert blank(after) >= blank(text), after
    assert ours(after.encode()).decode() == after


def test_line_ends_and_the_mark_stay(path: Path) -> None:
    plain = ours(path.read_bytes()).decode()
    marked = b"\xef\xbb\xbf" + written(path).replace("\n", "\r\n").encode()
    assert ours(marked) == b"\xef\xbb\xbf" + plain.replace("\n", "\r\n").encode()


def test_it_means_the_same(path: Path) -> None:
    before, after = loaded(written(path)), loaded(ours(path.read_bytes()))
    assert meaning(before)
    assert meaning(after) == meaning(before)


def test_ids_are_given_once(path: Path) -> None:
    ids = Ids()
    after, errors = formatted(path.read_bytes(), "script.yaml", ACTIONS, ids)
    assert errors == []
    again = Ids()
    again.see(after.decode())
    assert formatted(after, "script.yaml", ACTIONS, again) == (after, [])


def test_it_runs_to_its_end_and_says_the_same(path: Path) -> None:
    talks = [talk(path, text) for text in (written(path), ours(path.read_bytes()).decode())]
    for each in talks:
        each.play(ANSWERS)
        assert each.ended
    assert [each.text for each in talks[0].history] == [each.text for each in talks[1].history]
    assert len(talks[0].history) > 4
