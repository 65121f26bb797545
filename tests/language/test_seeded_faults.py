"""Sixty and more faults of authors, each in a good script: found in the right line, and mended by the mend."""

from __future__ import annotations

import pytest
from tests.language.faults import GOOD, SETS, Looked, faults, faults_of, looked
from tests.language.material import linted_whole

from heartrule.language.linting.fixes import mended

LEAST = 60
SHARE = 0.95


@pytest.fixture(scope="module")
def all_looked() -> list[Looked]:
    return [looked(fault) for fault in faults()]


@pytest.mark.parametrize("lang", sorted(GOOD))
def test_the_good_scripts_are_good(lang: str) -> None:
    assert linted_whole(GOOD[lang].read_text(encoding="utf-8")) == []


def test_there_are_enough_and_each_has_a_name_of_its_own(all_looked: list[Looked]) -> None:
    names = [each.fault.name for each in all_looked]
    assert len(names) >= LEAST
    assert len(set(names)) == len(names)
    texts = {path.read_text(encoding="utf-8") for path in GOOD.values()}
    assert not texts & {each.fault.text for each in all_looked}


def test_they_are_found_in_the_right_line(all_looked: list[Looked]) -> None:
    missed = [f"{each.fault.name} (line {each.fault.line})" for each in all_looked if not each.found]
    assert len(missed) <= len(all_looked) * (1 - SHARE), missed


def test_every_mend_mends(all_looked: list[Looked]) -> None:
    assert [each.fault.name for each in all_looked if each.mended is False] == []
    assert sum(each.mended is True for each in all_looked) >= LEAST // 2


def test_what_is_safe_settles_and_keeps_every_comment() -> None:
    for fault in faults_of(SETS[0]):
        raw = commented(fault.text).encode()
        comments = raw.count("# 说明".encode())
        for _ in range(5):
            raw, done = mended(raw, linted_whole(raw))
            if not done:
                break
        assert not done, fault.name
        assert raw.count("# 说明".encode()) == comments, fault.name
        assert mended(raw, linted_whole(raw)) == (raw, []), fault.name


def commented(text: str) -> str:
    """A comment behind every line that ends in a plain value, and one before it."""
    lines = []
    for line in text.split("\n"):
        plain = line.rstrip()[-1:] not in ("", "|", '"', "'") and "#" not in line and ": " in line
        indent = line[: len(line) - len(line.lstrip(" -"))].replace("-", " ")
        lines += [f"{indent}# 说明", f"{line}  # 说明"] if plain and not line.startswith("\t") else [line]
    return "\n".join(lines)
