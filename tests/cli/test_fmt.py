"""``heartrule fmt``."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.cli.command import SCRIPT, Command

OLD = """\
# 见面
sessions:
  - session: 见面
    phases:
      - stage: 开场  # 第一阶段
        topics:

          - topic: 称呼
            actions:
              - say: 你好。
"""
NEW = """\
# 见面
sessions:
  - session: 见面
    phases:
      - phase: 开场  # 第一阶段
        steps:

          - topic: 称呼
            actions:
              - type: say
                content: 你好。
"""


@pytest.fixture
def old(heartrule: Command) -> Path:
    path = heartrule.folder / "old.yaml"
    path.write_text(OLD, encoding="utf-8")
    return path


def test_a_file_is_rewritten_and_then_left_alone(heartrule: Command, old: Path) -> None:
    ran = heartrule("fmt", "old.yaml")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines() == ["改写了 old.yaml", "1 个文件，1 个不是标准写法。"]
    assert old.read_text(encoding="utf-8") == NEW
    before = old.stat().st_mtime_ns
    assert heartrule("fmt", "old.yaml").stdout.strip() == "1 个文件，0 个不是标准写法。"
    assert old.stat().st_mtime_ns == before


def test_without_paths_it_is_what_is_here(heartrule: Command, old: Path) -> None:
    assert heartrule("fmt").returncode == 0
    assert old.read_text(encoding="utf-8") == NEW
    assert (heartrule.folder / "hello.yaml").read_text(encoding="utf-8") == SCRIPT


def test_checking_names_the_files_and_writes_nothing(heartrule: Command, old: Path) -> None:
    ran = heartrule("fmt", "--check")
    assert ran.returncode == 1
    assert ran.stdout.splitlines() == ["会改写 old.yaml", "2 个文件，1 个不是标准写法。"]
    assert old.read_text(encoding="utf-8") == OLD
    heartrule("fmt")
    assert heartrule("fmt", "--check").returncode == 0


def test_ids(heartrule: Command, old: Path) -> None:
    assert heartrule("fmt", "--ids", "old.yaml").returncode == 0
    text = old.read_text(encoding="utf-8")
    assert [line.strip() for line in text.splitlines() if "id:" in line] == ["id: s1", "id: p1", "id: t1", "id: a1"]
    assert heartrule("fmt", "--ids", "--check", "old.yaml").returncode == 0
    assert heartrule("lint", "old.yaml").stdout.strip() == "1 个文件，没有问题。"


def test_a_file_with_errors_is_not_touched_and_the_others_are(heartrule: Command, old: Path) -> None:
    wrong = heartrule.folder / "wrong.yaml"
    wrong.write_text(OLD.replace("- say: 你好。", "- sya: 你好。"), encoding="utf-8")
    ran = heartrule("fmt")
    assert ran.returncode == 1
    assert "wrong.yaml:10:" in ran.stderr
    assert "没有碰" in ran.stderr
    assert "sya" in wrong.read_text(encoding="utf-8")
    assert "stage" in wrong.read_text(encoding="utf-8")
    assert old.read_text(encoding="utf-8") == NEW


def test_in_english(heartrule: Command, old: Path) -> None:
    ran = heartrule("fmt", "--lang", "en", "old.yaml")
    assert ran.stdout.splitlines() == ["Rewrote old.yaml", "1 file(s), 1 of them not in our spelling."]


def test_rights_and_links_stay(heartrule: Command, old: Path) -> None:
    old.chmod(0o640)
    link = heartrule.folder / "link.yml"
    link.symlink_to(old)
    assert heartrule("fmt", "link.yml").returncode == 0
    assert link.is_symlink()
    assert old.read_text(encoding="utf-8") == NEW
    assert old.stat().st_mode & 0o777 == 0o640


def test_what_cannot_be_written_stays_whole(heartrule: Command, old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    ran = heartrule("fmt", "old.yaml")
    assert ran.returncode == 1
    assert "No space left" in ran.stderr
    assert old.read_text(encoding="utf-8") == OLD
    assert sorted(path.name for path in heartrule.folder.iterdir() if path.is_file()) == ["hello.yaml", "old.yaml"]


def test_where_there_is_nothing(heartrule: Command) -> None:
    (heartrule.folder / "empty").mkdir()
    ran = heartrule("fmt", "empty")
    assert ran.returncode == 1
    assert ran.stderr.strip()


def test_a_file_that_is_not_there(heartrule: Command) -> None:
    ran = heartrule("fmt", "none.yaml")
    assert ran.returncode == 1
    assert "none.yaml" in ran.stderr
