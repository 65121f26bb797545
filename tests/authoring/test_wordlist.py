"""The words that an awareness script hears without a model, as a list that anybody can write."""

from __future__ import annotations

from typing import Any

import pytest
from tests.authoring.material import REGISTRY, alone

from heartrule.authoring.fields import fields
from heartrule.authoring.operations import operate
from heartrule.authoring.splices import CannotEdit, parse_cached
from heartrule.authoring.workspace import Workspace
from heartrule.engine.awareness.risk_rules import matcher_for
from heartrule.language.nodes import RiskRules
from heartrule.workbench.blocks import blocks

PATH = [0, "awareness", 0, "condition"]
WATCHER = """\
awareness:
  - awareness: 担心安眠药
    id: pills
    priority: P1
    at: [answer]
    condition:
      judge: 来访者是不是担心安眠药  # 问模型的
{rules}    then:
      - {{directive: FEEDBACK, text: 说说安眠药。}}
"""


def watcher(rules: str = "") -> Workspace:
    return alone(watcher=WATCHER.format(rules=rules))


def told(workspace: Workspace) -> Any:
    shown = fields(workspace.now, "watcher.yaml", (0, "awareness", 0), REGISTRY, "zh-CN")["fields"]
    return next(each for each in shown if each["key"] == "condition")["words"]


def write(workspace: Workspace, *words: str, lang: str = "zh-CN") -> Any:
    """The condition behind it."""
    operation = {"kind": "words", "path": PATH, "words": list(words)}
    answer = operate(workspace, {"file": "watcher.yaml", "operation": operation}, lang)
    lines = workspace.texts["watcher.yaml"].split("\n")
    for edit in reversed(answer["edit"]["changes"].get("watcher.yaml", [])):
        start, end = edit["range"]["start"], edit["range"]["end"]
        before, after = lines[start["line"]][: start["character"]], lines[end["line"]][end["character"] :]
        lines[start["line"] : end["line"] + 1] = (before + edit["newText"] + after).split("\n")
    workspace.write("watcher.yaml", "\n".join(lines))
    assert not [each for each in workspace.now.findings if each.stops]
    return parse_cached(workspace.texts["watcher.yaml"]).documents[0]["awareness"][0]["condition"]


def heard(condition: Any, text: str) -> bool:
    return matcher_for(RiskRules.model_validate(condition["rules"])).match(text).level == "explicit"


def test_words_are_written_heard_and_read_back_and_gone_when_none_is_left() -> None:
    workspace = watcher()
    assert told(workspace) == {"plain": [], "patterns": []}
    condition = write(workspace, "安眠药", " 怕上瘾 ", "", "安眠药")
    assert condition["rules"] == {"explicit": [{"pattern": ["安眠药", "怕上瘾"], "reason": "说到这些词"}]}
    assert told(workspace)["plain"] == ["安眠药", "怕上瘾"]
    assert heard(condition, "我怕吃安眠药，怕上瘾")
    assert not heard(condition, "我睡得很好")
    assert "# 问模型的" in workspace.texts["watcher.yaml"]
    assert "rules" not in write(workspace)


@pytest.mark.parametrize(
    ("word", "said", "other"),
    [
        ("a.b(c)|[d]", "他说 a.b(c)|[d] 了", "axb(c)"),
        ("I'm TIRED", "i'm tired of it", "im tired"),
        ("安眠藥", "安眠药", "药"),
        ("ＡＢＣ", "abc", "ab c"),
        ("x <y>", "say x <y>", "x y"),
        ("想 歇", "我想……歇", "想着歇"),
        ("50%?", "50%?", "50"),
    ],
)
def test_a_word_means_itself_whatever_signs_are_in_it(word: str, said: str, other: str) -> None:
    workspace = watcher()
    condition = write(workspace, word, lang="en")
    assert heard(condition, said)
    assert not heard(condition, other)
    (kept,) = told(workspace)["plain"]
    assert write(workspace, kept) == condition


def test_rules_that_are_plain_words_are_shown_and_each_keeps_its_reason() -> None:
    workspace = watcher(
        "      rules:\n        explicit:\n"
        "          - {pattern: 想歇|太累了, reason: 说累了, match: [我想歇一歇]}\n"
        "          - {pattern: [停一下], reason: 要停}\n"
    )
    assert told(workspace)["plain"] == ["想歇", "太累了", "停一下"]
    assert write(workspace, "太累了", "停一下", "算了")["rules"]["explicit"] == [
        {"pattern": ["太累了"], "reason": "说累了"},
        {"pattern": ["停一下", "算了"], "reason": "要停"},
    ]


@pytest.mark.parametrize(
    "rules",
    [
        "explicit: [{pattern: '吃.{0,4}药', reason: 药}]",
        "explicit: [{pattern: 药, reason: 药, unless: 中药}]",
        "{explicit: [{pattern: 药, reason: 药}], watch: [{pattern: 片, reason: 片}]}",
        "{explicit: [{pattern: <药>, reason: 药}], words: {药: [安眠药]}}",
        "explicit: [{pattern: '药|', reason: 药}]",
    ],
)
def test_rules_that_are_more_than_words_are_shown_and_left_alone(rules: str) -> None:
    workspace = watcher(f"      rules:\n        {rules}\n" if rules[0] != "{" else f"      rules: {rules}\n")
    shown = told(workspace)
    assert shown["plain"] is None
    assert shown["patterns"]
    with pytest.raises(CannotEdit):
        write(workspace, "药")


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
def test_a_new_awareness_script_hears_no_words_that_nobody_wrote(locale: str) -> None:
    item = next(each for each in blocks() if each.id == "awareness").item(locale)
    assert "rules" not in parse_cached(item).documents[0]["condition"]
