"""``heartrule eval extract``: rules, recorded answers and a model over the wire, in both languages and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import Command

from heartrule.testing.openai_server import OpenAIServer

SCORE = {"get": "分", "type": "integer", "define": "心情几分", "range": [0, 10]}
ROWS: list[dict[str, Any]] = [
    {"id": "six", "said": "就6分", "gold": {"分": 6}, "tags": ["plain"]},
    {"id": "old", "said": "六分吧，昨天才三分", "gold": {"分": 6}, "tags": ["two"]},
    {"id": "dunno", "said": "说不上来，有个秘密", "gold": {"分": None}, "missing": {"分": "vague"}, "tags": ["vague"]},
]


def item(row: Mapping[str, Any]) -> dict[str, Any]:
    talk = [{"speaker": "ai", "text": "今天心情几分？"}, {"speaker": "person", "text": row["said"]}]
    rest = {key: value for key, value in row.items() if key != "said"}
    return {"brief": "请来访者给心情打分。", "output": [SCORE], "dialogue": talk, **rest}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(json.dumps(item(row), ensure_ascii=False) for row in ROWS), encoding="utf-8")
    return path


def reply(value: int | None, evidence: str = "") -> str:
    values = {} if value is None else {"分": {"value": value, "evidence": evidence}}
    return json.dumps(
        {"EXIT": "NO", "values": values, "content": "嗯。", "exit_reason": "还没问完"}, ensure_ascii=False
    )


def told(ran: Any) -> dict[str, Any]:
    assert ran.returncode == 0, ran.stderr
    return dict(json.loads(ran.stdout))


def test_rules_alone_as_json(heartrule: Command, file: Path) -> None:
    found = told(heartrule("eval", "extract", str(file), "--mode", "rules", "--format", "json"))
    assert (found["items"], found["successes"], found["came"]) == (3, 2, {"rules": 3})
    assert found["interval"] == "Wilson, 95 %"
    assert found["values"]["missed"] == 1
    assert [each["label"] for each in found["types"]] == ["integer"]
    assert [(each["id"], each["verdict"]) for each in found["faults"]] == [("old", "missed")]
    assert "gold" not in found["faults"][0]
    assert found["tags"][0] == {"tag": "plain", "items": 1, "success": found["tags"][0]["success"]}


def test_in_words(heartrule: Command, file: Path) -> None:
    chinese = heartrule("eval", "extract", str(file), "--mode", "rules", "--lang", "zh")
    assert chinese.returncode == 0, chinese.stderr
    assert "一次就全对：66.7% [20.8%, 93.9%]，3 条里 2 条" in chinese.stdout
    assert "漏掉 1 个：old.分" in chinese.stdout
    assert "无中生有 0 个：–" in chinese.stdout
    assert "含糊" in chinese.stdout
    assert "秘密" not in chinese.stdout
    assert "3/3" in chinese.stderr
    english = heartrule("eval", "extract", str(file), "--mode", "rules", "--show", "--lang", "en")
    assert "right at the first attempt: 66.7% [20.8%, 93.9%], 2 of 3 items" in english.stdout
    assert "first attempts: without a model 3" in english.stdout
    assert "old.分: 6 ← null" in english.stdout
    assert "where nothing is to be taken, because it is" in english.stdout


def test_what_is_to_be_held_is_shown_in_json_where_it_is_wanted(heartrule: Command, file: Path) -> None:
    found = told(heartrule("eval", "extract", str(file), "--mode", "rules", "--format", "json", "--show"))
    assert (found["faults"][0]["gold"], found["faults"][0]["held"]) == (6, None)


# recorded answers


@pytest.fixture
def given(tmp_path: Path) -> Path:
    folder = tmp_path / "answers"
    folder.mkdir()
    (folder / "six.json").write_text(reply(6, "就6分"), encoding="utf-8")
    (folder / "old.json").write_text(reply(3, "昨天才三分"), encoding="utf-8")
    (folder / "dunno.json").write_text("说不上来。", encoding="utf-8")
    return folder


def test_prompts_are_given_out_and_answers_taken_in(heartrule: Command, file: Path, given: Path) -> None:
    prompts, out = file.parent / "prompts", file.parent / "answers.jsonl"
    ran = heartrule("eval", "extract", str(file), "--render", str(prompts), "--lang", "en")
    assert (ran.returncode, f"3 prompts in {prompts}" in ran.stdout) == (0, True), ran.stderr
    assert sorted(path.name for path in prompts.iterdir()) == ["dunno.txt", "old.txt", "six.txt"]
    assert "来访者：就6分" in (prompts / "six.txt").read_text(encoding="utf-8")

    record = ("--record", str(given), "--prompts", str(prompts), "--out", str(out))
    ran = heartrule("eval", "extract", str(file), *record, "--lang", "zh")
    assert (ran.returncode, "里有 3 条回答，共 3 条" in ran.stdout) == (0, True), ran.stderr
    assert "recorded from a language model" in out.read_text(encoding="utf-8")

    found = told(heartrule("eval", "extract", str(file), "--answers", str(out), "--format", "json"))
    assert (found["successes"], found["came"]) == (1, {"read": 2, "unread": 1})
    assert {(each["id"], each["verdict"], each["strategy"]) for each in found["faults"]} == {("old", "wrong", "json")}


def test_who_has_not_answered_is_told(heartrule: Command, file: Path, given: Path) -> None:
    (given / "old.json").unlink()
    prompts, out = file.parent / "prompts", file.parent / "answers.jsonl"
    assert heartrule("eval", "extract", str(file), "--render", str(prompts)).returncode == 0
    path = prompts / "six.txt"
    path.write_text(path.read_text(encoding="utf-8") + "！", encoding="utf-8")
    record = ("--record", str(given), "--prompts", str(prompts), "--out", str(out))
    ran = heartrule("eval", "extract", str(file), *record, "--lang", "en")
    assert ran.returncode == 0, ran.stderr
    assert "1 of 3 answers" in ran.stdout
    assert "without an answer 1: old" in ran.stdout
    assert "left out 1, whose prompt is another by now: six" in ran.stdout
    chinese = heartrule("eval", "extract", str(file), *record, "--lang", "zh").stdout
    assert "没有回答的 1 条：old" in chinese
    assert "没有收的 1 条：six" in chinese


def test_an_answer_to_another_prompt_is_stale(heartrule: Command, file: Path, given: Path) -> None:
    out = file.parent / "answers.jsonl"
    assert heartrule("eval", "extract", str(file), "--record", str(given), "--out", str(out)).returncode == 0
    file.write_text(file.read_text(encoding="utf-8").replace("今天心情几分", "此刻心情几分"), encoding="utf-8")
    found = told(heartrule("eval", "extract", str(file), "--answers", str(out), "--format", "json"))
    assert (found["successes"], found["came"]) == (0, {"stale": 3})
    assert found["stale"] == ["six", "old", "dunno"]
    english = heartrule("eval", "extract", str(file), "--answers", str(out), "--lang", "en")
    assert "3 answers belong to another prompt than is asked now and count as none: six old dunno" in english.stdout
    chinese = heartrule("eval", "extract", str(file), "--answers", str(out), "--lang", "zh")
    assert "3 条回答对不上现在的提示词，按没有回答算" in chinese.stdout


# a model


def mind(asked: Mapping[str, Any]) -> str:
    words = asked["messages"][-1]["content"]
    return reply(None) if "说不上来" in words else reply(6, "六分吧" if "六分吧" in words else "就6分")


@pytest.fixture
def server(heartrule: Command) -> Iterator[OpenAIServer]:
    with OpenAIServer(mind) as served:
        heartrule.environment = {"HEARTRULE_LLM_BASE_URL": served.url, "HEARTRULE_LLM_MODEL": "stub"}
        yield served


def test_with_a_model(heartrule: Command, server: OpenAIServer, file: Path) -> None:
    found = told(heartrule("eval", "extract", str(file), "--format", "json", "--parallel", "1"))
    assert (found["successes"], found["came"], found["faults"]) == (3, {"read": 3}, [])
    assert [each["label"] for each in found["strategies"]] == ["json"]
    assert len(server.bodies) == 3


def test_nothing_is_asked_where_prompts_are_only_written(heartrule: Command, server: OpenAIServer, file: Path) -> None:
    assert heartrule("eval", "extract", str(file), "--render", str(file.parent / "prompts")).returncode == 0
    assert heartrule("eval", "extract", str(file), "--mode", "rules").returncode == 0
    assert server.bodies == []


def test_no_model_is_said(heartrule: Command, file: Path) -> None:
    ran = heartrule("eval", "extract", str(file), "--lang", "en")
    assert (ran.returncode, "No model is configured" in ran.stderr) == (2, True)


# what is wrong


@pytest.mark.parametrize(
    ("change", "zh", "en"),
    [
        ({"gold": {}}, "第 4 行的 gold 不合", "Line 4: gold is not as"),
        ({"dialogue": []}, "第 4 行的 dialogue 不合", "Line 4: dialogue is not as"),
        (
            {"output": [{**SCORE, "type": "grade"}]},
            "第 4 行的变量或动作编不成脚本（E",
            "Line 4: its variables or action",
        ),
    ],
)
def test_a_bad_item_is_located(heartrule: Command, file: Path, change: dict[str, Any], zh: str, en: str) -> None:
    bad = item({"id": "bad", "said": "有个秘密", "gold": {"分": 1}}) | change
    with file.open("a", encoding="utf-8") as rows:
        rows.write("\n" + json.dumps(bad, ensure_ascii=False) + "\n")
    for lang, said in (("zh", zh), ("en", en)):
        ran = heartrule("eval", "extract", str(file), "--mode", "rules", "--lang", lang)
        assert (ran.returncode, said in ran.stderr) == (2, True), ran.stderr
        assert "秘密" not in ran.stderr


def test_a_bad_answer_is_located(heartrule: Command, file: Path) -> None:
    path = file.parent / "answers.jsonl"
    path.write_text('{"id": "six"}\n', encoding="utf-8")
    for lang, said in (("zh", "第 1 行：一条回答要有"), ("en", "Line 1: an answer has the texts")):
        ran = heartrule("eval", "extract", str(file), "--answers", str(path), "--lang", lang)
        assert (ran.returncode, said in ran.stderr) == (2, True), ran.stderr
    ran = heartrule("eval", "extract", str(file), "--answers", str(path.with_name("none")), "--lang", "en")
    assert (ran.returncode, "cannot be read" in ran.stderr) == (2, True)


def test_options_that_do_not_agree(heartrule: Command, file: Path) -> None:
    for options in (("--record", "x"), ("--out", "x")):
        ran = heartrule("eval", "extract", str(file), *options, "--lang", "en")
        assert (ran.returncode, "--record DIR and --out FILE go together." in ran.stderr) == (2, True)
    ran = heartrule("eval", "extract", str(file), "--mode", "rules", "--answers", "x", "--lang", "zh")
    assert (ran.returncode, "--mode rules 不读 --answers" in ran.stderr) == (2, True)


def test_a_place_that_cannot_be_written(heartrule: Command, file: Path, given: Path) -> None:
    blocked = file.parent / "blocked"
    blocked.write_text("", encoding="utf-8")
    ran = heartrule("eval", "extract", str(file), "--render", str(blocked), "--lang", "en")
    assert (ran.returncode, "cannot be written" in ran.stderr) == (2, True), ran.stderr
    record = ("--record", str(given), "--out", str(blocked / "answers.jsonl"))
    ran = heartrule("eval", "extract", str(file), *record, "--lang", "zh")
    assert (ran.returncode, "写不了" in ran.stderr) == (2, True), ran.stderr
