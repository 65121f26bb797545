"""The language server as an editor meets it: over standard input and output, with Chinese and emoji in the lines."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.lsp.client import Editor, editor

FIRST = """\
# 第一次
sessions:
  - session: 第一次
    id: first
    declare:
      - {var: 心情, type: integer, range: [0, 10], define: 现在的心情}
    phases:
      - phase: 开始
        id: begin
        steps:
          - topic: 问候
            id: hello
            actions:
              - {type: ask, id: mood, content: "🙂 心情几分？", output: [{get: 心情}]}
              - {type: say, id: told, content: "🙂🙂 你说是 {心情} 分。"}
              - type: use_skill
                id: calm
                skill: calm_down
            transitions:
              - {to: bye, condition: 心情 > 5}
          - topic: 再见
            id: bye
            actions:
              - {type: say, id: end, content: 再见。}
"""
SKILLS = """\
skills:
  - skill: 缓一缓
    id: calm_down
    goal: 先缓下来
    actions:
      - {type: say, id: breathe, content: "{心情} 分也好，先呼一口气。"}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project.yaml").write_text("id: mine\nname: 我的\nlocale: zh-CN\n", encoding="utf-8")
    (tmp_path / "first.yaml").write_text(FIRST, encoding="utf-8")
    (tmp_path / "skills.yaml").write_text(SKILLS, encoding="utf-8")
    return tmp_path


@pytest.fixture
def there(project: Path) -> Iterator[Editor]:
    with editor(project) as found:
        yield found


def place(text: str, near: str, inside: str, units: int = 0) -> dict[str, int]:
    """The position of ``inside`` in the line that holds ``near``, as the protocol counts."""
    number, line = next((n, line) for n, line in enumerate(text.split("\n")) if near in line)
    before = line[: line.index(inside, line.index(near))]
    return {"line": number, "character": len(before.encode("utf-16-le")) // 2 + units}


def at(uri: str, *where: Any) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": place(FIRST, *where)}


def settled(there: Editor, uri: str, codes: set[str]) -> list[dict[str, Any]]:
    until = time.monotonic() + 30
    while {each["code"] for each in there.findings.get(uri, [{"code": None}])} != codes:
        assert time.monotonic() < until, there.findings.get(uri)
        time.sleep(0.05)
    return there.findings[uri]


def test_findings_come_with_each_change_and_are_mended_by_one_click(there: Editor, project: Path) -> None:
    uri = there.open(project / "first.yaml")
    settled(there, uri, set())
    edit = {"range": {"start": place(FIRST, "skill: calm_down", "down"), "end": place(FIRST, "calm_down", "down", 4)}}
    changes = [{**edit, "text": "dwon"}]
    there.tell("textDocument/didChange", textDocument={"uri": uri, "version": 2}, contentChanges=changes)
    (found,) = settled(there, uri, {"E203"})
    (mend,) = there.ask(
        "textDocument/codeAction", textDocument={"uri": uri}, range=found["range"], context={"diagnostics": [found]}
    )
    ((_, edits),) = mend["edit"]["changes"].items()
    assert [each["newText"] for each in edits] == ["calm_down"]
    assert edits[0]["range"]["start"] == place(FIRST, "skill: calm_down", "calm_down")


def test_a_name_is_led_to_where_it_is_declared_and_everywhere_it_stands(there: Editor, project: Path) -> None:
    uri = there.open(project / "first.yaml")
    where = at(uri, "你说是", "心情")
    (definition,) = there.ask("textDocument/definition", **where)
    assert definition["range"]["start"] == place(FIRST, "var: 心情", "心情")
    places = there.ask("textDocument/references", **where, context={"includeDeclaration": True})
    assert len(places) == 5
    assert {each["uri"].rpartition("/")[2] for each in places} == {"first.yaml", "skills.yaml"}
    (skill,) = there.ask("textDocument/definition", **at(uri, "skill: calm_down", "calm"))
    assert skill["uri"].endswith("skills.yaml")
    (topic,) = there.ask("textDocument/definition", **at(uri, "to: bye", "bye"))
    assert topic["range"]["start"] == place(FIRST, "id: bye", "bye")


def test_a_name_is_changed_in_all_files_behind_emoji_too(there: Editor, project: Path) -> None:
    uri = there.open(project / "first.yaml")
    where = at(uri, "你说是", "心情")
    assert there.ask("textDocument/prepareRename", **where)["placeholder"] == "心情"
    edit = there.ask("textDocument/rename", **where, newName="情绪分")
    texts = {"first.yaml": FIRST, "skills.yaml": SKILLS}
    for file, changes in edit["changes"].items():
        name = file.rpartition("/")[2]
        lines = [line.encode("utf-16-le") for line in texts[name].split("\n")]
        for each in sorted(changes, key=lambda one: one["range"]["start"]["character"], reverse=True):
            start, end = (each["range"][end]["character"] * 2 for end in ("start", "end"))
            number = each["range"]["start"]["line"]
            lines[number] = lines[number][:start] + each["newText"].encode("utf-16-le") + lines[number][end:]
        texts[name] = "\n".join(line.decode("utf-16-le") for line in lines)
    assert texts["first.yaml"] == FIRST.replace("{心情}", "{情绪分}").replace("var: 心情", "var: 情绪分").replace(
        "get: 心情", "get: 情绪分"
    ).replace("condition: 心情", "condition: 情绪分")
    assert texts["skills.yaml"] == SKILLS.replace("心情", "情绪分")
    with pytest.raises(LookupError, match="cannot be a name"):
        there.ask("textDocument/rename", **where, newName="a b")


def test_what_may_be_written_is_offered_where_it_may_be(there: Editor, project: Path) -> None:
    uri = there.open(project / "first.yaml")

    def offered(*where: Any) -> set[str]:
        return {each["label"] for each in there.ask("textDocument/completion", **at(uri, *where))}

    assert "calm_down" in offered("skill: calm_down", "calm")
    assert {"心情"} <= offered("你说是 {", "心情")
    assert {"say", "ai_ask", "use_skill"} <= offered("- type: use_skill", "use_skill")
    lines = FIRST.replace("                skill: calm_down\n", "                skill: calm_down\n                \n")
    there.tell("textDocument/didChange", textDocument={"uri": uri, "version": 2}, contentChanges=[{"text": lines}])
    number = next(n for n, line in enumerate(lines.split("\n")) if line.strip() == "" and n > 5)
    found = there.ask("textDocument/completion", textDocument={"uri": uri}, position={"line": number, "character": 16})
    keys = {each["label"] for each in found}
    assert {"input", "output", "condition"} <= keys
    assert "skill" not in keys


def test_a_key_and_a_name_are_explained_and_the_file_is_outlined(there: Editor, project: Path) -> None:
    uri = there.open(project / "first.yaml")
    told = there.ask("textDocument/hover", **at(uri, "你说是", "心情"))["contents"]["value"]
    assert "现在的心情" in told
    assert "first.yaml:6" in told
    assert there.ask("textDocument/hover", **at(uri, "phases:", "phases"))["contents"]["value"]
    (session,) = there.ask("textDocument/documentSymbol", textDocument={"uri": uri})
    (phase,) = session["children"]
    assert [topic["name"] for topic in phase["children"]] == ["问候", "再见"]
    assert [action["name"] for action in phase["children"][0]["children"]] == ["mood", "told", "calm"]
    folds = there.ask("textDocument/foldingRange", textDocument={"uri": uri})
    assert {"startLine": 2, "endLine": FIRST.rstrip().count("\n")} in [
        {key: each[key] for key in ("startLine", "endLine")} for each in folds
    ]


def test_what_cannot_be_read_is_a_finding_and_no_end(there: Editor, project: Path) -> None:
    uri = there.open(project / "first.yaml")
    broken = [{"text": "sessions:\n  - session: [\n\t x"}]
    there.tell("textDocument/didChange", textDocument={"uri": uri, "version": 2}, contentChanges=broken)
    assert there.ask("textDocument/documentSymbol", textDocument={"uri": uri}) in ([], None)
    assert there.findings[uri]
    there.tell("textDocument/didChange", textDocument={"uri": uri, "version": 3}, contentChanges=[{"text": FIRST}])
    settled(there, uri, set())
