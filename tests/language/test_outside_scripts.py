"""Twenty-four scripts as outsiders write them, who know of the language's ideas and not of its pages: loaded, looked
at, formatted, mended and held to their end."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.language.material import ACTIONS, SAY, codes, linted_whole, loaded, meaning, session, skill, write

from heartrule.engine.session.tasks import Task
from heartrule.language.formatting import formatted
from heartrule.language.linting.fixes import mend_paths
from heartrule.testing.talk import Talk, compile_text

SCRIPTS = {path.stem: path for path in sorted((Path(__file__).parent / "outside").glob("*.yaml"))}
REFUSED = {"camel": ["E108"], "couple": ["E103", "E115", "E193"], "phq9-form": ["E193"]}
"""What does not load, and why: a threshold of explaining in a question; a number where ``repeat`` needs its end, roles
in a session, an end of a topic that nothing here has; what is done with a form that is handed in."""
MISSING = {"awareness-risk": ["E203"], "pictures": ["E281", "E281"], "exam-anxiety": ["W259"]}
"""What they leave to the project that they came from: a technique, a host of pictures, a template scheme."""
HALVES = {
    "technique-socratic": session(
        "- {type: use_skill, skill: socratic_questioning, input: {目标想法: 我不行}}\n" + SAY
    ),
    "awareness-risk": session("- {type: ask, content: 最近怎么样？}\n" + SAY, head="awareness: [resistance_awareness]"),
    "variables": session("- {type: ask, content: 几岁？, output: [{get: 年龄}]}\n" + SAY),
}
"""A session around what is none."""
BESIDE = {
    "awareness-risk": {"comfort.yaml": skill(name="安抚", head="id: comfort")},
    "pictures": {"project.yaml": "id: local\nmedia_hosts: [example.org]\n"},
    "exam-anxiety": {"prompts/cbt_anxiety/spoken.zh-CN.yaml": "acknowledge: [嗯。]\n"},
}
ANSWERS = ["小林", "3", "还好", "上海", "7", "是", "嗯", "好", "no", "yes", "离开"] * 20
COMMENT = re.compile(r"(?:^|\s)(#[^\r\n]*)", re.MULTILINE)
good = pytest.mark.parametrize("name", [name for name in SCRIPTS if name not in REFUSED])


def written(name: str) -> str:
    return SCRIPTS[name].read_text(encoding="utf-8")


def ours(raw: bytes) -> bytes:
    after, errors = formatted(raw, "script.yaml", ACTIONS)
    assert errors == []
    return after


def model(task: Task) -> Any:
    """Nothing in particular, and no danger."""
    if task.template == "risk":
        return {"verdicts": [{"id": n, "verdict": "no", "confidence": 0.9, "evidence": ""} for n in range(1, 10)]}
    return _any(task.schema) if task.schema else {"content": "好的"}


def _any(schema: Mapping[str, Any], name: str = "") -> Any:
    if "enum" in schema:
        return next((each for each in ("no", "none") if each in schema["enum"]), schema["enum"][0])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return _any(schema[key][0], name)
    kind = schema.get("type")
    match kind[0] if isinstance(kind, list) else kind:
        case "object":
            return {key: _any(part, key) for key, part in schema.get("properties", {}).items()}
        case "array":
            return []
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return name in ("understood", "should_exit", "expressed_understanding")
    return "true" if name.upper() == "EXIT" else "好的"


def held(name: str, text: str, answered: Any = None) -> Talk:
    """The session to its end; a form is put away."""
    half, files = HALVES.get(name), BESIDE.get(name, {})
    talk = Talk(compile_text(half or text, files={**files, "half.yaml": text} if half else files), answered)
    for answer in ANSWERS:
        if talk.ended:
            break
        talk.say("跳过" if talk.request.kind == "form" else answer)
    return talk


def test_there_are_as_many_as_were_written() -> None:
    assert len(SCRIPTS) == 24
    assert {*REFUSED, *MISSING, *HALVES, *BESIDE} <= set(SCRIPTS)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_told_in_its_line_with_what_to_write(name: str) -> None:
    found = [each for each in loaded(written(name)).findings if each.stops]
    assert sorted(codes(found)) == REFUSED[name]
    lines = written(name).split("\n")
    for each in found:
        assert lines[each.line - 1].strip()
        assert each.hint.zh
        assert each.hint.en
    assert formatted(written(name).encode(), "script.yaml", ACTIONS)[0] == written(name).encode()


@good
def test_it_loads_and_lint_finds_no_more_than_there_is(name: str) -> None:
    found = linted_whole(written(name))
    assert [each for each in found if each.code in MISSING.get(name, [])] == [
        each for each in found if each.stops or each.code == "W259"
    ]
    assert codes(found).count("W194") <= 1
    after = codes(linted_whole(ours(written(name).encode())))
    assert sorted(after) == sorted(code for code in codes(found) if code not in ("W194", "W196", "W197"))


@good
def test_it_is_formatted_without_loss(name: str) -> None:
    text = written(name)
    after = ours(text.encode())
    assert [comment for comment in COMMENT.findall(text) if comment not in after.decode()] == []
    assert meaning(loaded(after)) == meaning(loaded(text))
    assert after.count(b"\n\n") >= text.count("\n\n")
    assert ours(after) == after
    marked = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    assert ours(marked) == b"\xef\xbb\xbf" + after.replace(b"\n", b"\r\n")


@good
@pytest.mark.parametrize("answered", [None, model], ids=["script", "model"])
def test_it_runs_to_its_end_and_says_the_same(name: str, answered: Any) -> None:
    text = written(name)
    talks = [held(name, each, answered) for each in (text, ours(text.encode()).decode())]
    assert [talk.ended for talk in talks] == [True, True]
    assert [each.text for each in talks[0].history] == [each.text for each in talks[1].history]
    assert len(talks[0].history) > 1


@pytest.mark.parametrize("name", [*REFUSED, *HALVES, "diabetes-followup", "hr-interview"])
def test_mends_bring_nothing_new(name: str, tmp_path: Path) -> None:
    write(tmp_path, {"script.yaml": written(name)})
    before = {each.code for each in linted_whole(written(name))}

    def put(path: Path, content: bytes) -> str:
        path.write_bytes(content)
        return ""

    mended = mend_paths([tmp_path / "script.yaml"], ACTIONS, put)
    assert mended.problems == {}
    assert {each.code for each in mended.left.findings if each.stops} <= before
