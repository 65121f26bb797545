"""``heartrule prompts render``: the exact prompts of the states that a script comes to."""

from __future__ import annotations

import pytest
from tests.cli.command import Command

RENDER = ("prompts", "render")


def heads(out: str) -> list[str]:
    return [line.removeprefix("──── ") for line in out.splitlines() if line.startswith("──── ")]


def test_one_action(heartrule: Command) -> None:
    ran = heartrule(*RENDER, "cbt/first_assessment", "--action", "trouble", "--lang", "en")
    assert ran.returncode == 0
    risk, own = heads(ran.stdout)[:2]
    assert " · trouble · default/zh-CN/risk.md@" in risk
    assert " · trouble · default/zh-CN/stretch.md@" in own, "a bare number holds nothing else to listen for"
    assert "[system]\n你是小禾" in ran.stdout
    assert "- 主诉：" in ran.stdout
    assert "- EXIT：" in ran.stdout


def test_the_persons_words_lead_the_way(heartrule: Command) -> None:
    lines = heartrule.folder / "said.txt"
    lines.write_text("1\n晓晓\n\n最近什么都提不起劲\n早上四点就醒\n", encoding="utf-8")
    ran = heartrule(*RENDER, "cbt/first_assessment", "--action", "trouble", "--answers", str(lines), "--lang", "zh")
    assert "来访者：最近什么都提不起劲" in ran.stdout
    assert "来访者：早上四点就醒" in ran.stdout
    assert heads(ran.stdout)[0].startswith("第 4 句")


def test_every_prompt_of_a_walk_in_the_other_language(heartrule: Command) -> None:
    ran = heartrule(*RENDER, "cbt/abc_intro", "--locale", "en")
    found = heads(ran.stdout)
    assert len(found) > 10
    assert all("default/en/" in head for head in found)
    assert any("ai_say_open" in head and "en_explain" in head for head in found)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("cbt/first_assessment", "--action", "nobody"), 1),
        (("cbt/nothing",), 1),
        (("cbt/abc_intro", "--answers", "not_there.txt"), 2),
    ],
)
def test_what_cannot_be_shown_is_said(heartrule: Command, arguments: tuple[str, ...], code: int) -> None:
    ran = heartrule(*RENDER, *arguments, "--lang", "en")
    assert ran.returncode == code
    assert ran.stderr.strip()
    assert "Traceback" not in ran.stderr
    assert heads(ran.stdout) == []


def test_nothing_is_kept(heartrule: Command) -> None:
    before = sorted(heartrule.folder.rglob("*"))
    assert heartrule(*RENDER, "cbt/abc_intro").returncode == 0
    assert sorted(heartrule.folder.rglob("*")) == before
