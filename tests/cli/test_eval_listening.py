"""``heartrule eval listening``: rules, recorded answers and a model over the wire, in both languages and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import Command
from tests.evals.beginnings import beginning, choosing, refusal, reply

from heartrule.testing.openai_server import OpenAIServer

TOLD = {"称呼": True, "睡几小时": True, "同住": False}
ROWS: list[dict[str, Any]] = [
    beginning("问怎么称呼你？", "答叫我阿宁", "问阿宁，睡得怎么样？", "答三四个小时，有个秘密", told=TOLD),
    refusal("跟谁住？", "家里的不想说", declines=True, covers=["同住"]),
    choosing("可以，开始吧", "开始"),
]
NOTHING = '{"values": [], "notes": []}'
KNOWN = reply({"称呼": ("阿宁", "叫我阿宁"), "睡几小时": (3, "三四个小时")})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS), encoding="utf-8")
    return path


def told(ran: Any) -> dict[str, Any]:
    assert ran.returncode == 0, ran.stderr
    return dict(json.loads(ran.stdout))


def section(found: Mapping[str, Any], part: str) -> Mapping[str, Any]:
    return next(each for each in found["sections"] if each["part"] == part)


def test_rules_alone(heartrule: Command, file: Path) -> None:
    found = told(heartrule("eval", "listening", str(file), "--mode", "rules", "--format", "json"))
    assert [each["part"] for each in found["sections"]] == ["beginnings", "refusals", "choices"]
    assert (found["came"], found["interval"]) == ({}, "Wilson, 95 %")
    assert found["thresholds"]["least"] == {"leading": 0.95, "wording": 0.8}
    assert section(found, "choices")["all"]["heard"]["count"] == 1
    assert section(found, "beginnings")["all"]["fit"] is None
    english = heartrule("eval", "listening", str(file), "--mode", "rules", "--lang", "en")
    assert "these are the figures of script mode, and no verdict" in english.stdout
    chinese = heartrule("eval", "listening", str(file), "--mode", "rules", "--lang", "zh")
    assert "没有问模型" in chinese.stdout
    assert "秘密" not in chinese.stdout + english.stdout


# recorded answers


@pytest.fixture
def given(tmp_path: Path) -> Path:
    folder = tmp_path / "answers"
    folder.mkdir()
    for name, text in {
        "one.stretch": KNOWN,
        "one.listen": NOTHING,
        "no.stretch": reply(declined=["同住"]),
        "no.listen": NOTHING,
    }.items():
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
    return folder


def test_prompts_are_given_out_and_answers_taken_in(heartrule: Command, file: Path, given: Path) -> None:
    prompts, out = file.parent / "prompts", file.parent / "answers.jsonl"
    ran = heartrule("eval", "listening", str(file), "--prompts", str(prompts), "--lang", "en")
    assert ran.returncode == 0, ran.stderr
    names = {path.stem for path in prompts.iterdir()}
    assert {"one.stretch", "one.listen", "no.stretch", "no.listen"} <= names
    assert "来访者：叫我阿宁" in (prompts / "one.stretch.txt").read_text(encoding="utf-8")

    record = ("--record", str(given), "--prompts", str(prompts), "--out", str(out))
    ran = heartrule("eval", "listening", str(file), *record, "--lang", "zh")
    assert (ran.returncode, "里有 4 条回答" in ran.stdout) == (0, True), ran.stderr
    found = told(heartrule("eval", "listening", str(file), "--answers", str(out), "--format", "json"))
    assert section(found, "beginnings")["all"]["heard"]["count"] == 2
    assert section(found, "beginnings")["wrong"] == []
    assert section(found, "refusals")["missed"] == []
    assert found["came"]["stretch"] == {"read": 2}


def test_only_what_is_not_answered_is_given_out(heartrule: Command, file: Path, given: Path) -> None:
    out, more = file.parent / "answers.jsonl", file.parent / "more"
    (given / "no.listen.json").unlink()
    ran = heartrule("eval", "listening", str(file), "--record", str(given), "--out", str(out), "--lang", "en")
    assert "no.listen" in ran.stdout
    ran = heartrule("eval", "listening", str(file), "--answers", str(out), "--prompts", str(more), "--lang", "en")
    assert ran.returncode == 0, ran.stderr
    names = {path.stem for path in more.iterdir()}
    assert "no.listen" in names
    assert "one.stretch" not in names
    (given / "no.listen.json").write_text(NOTHING, encoding="utf-8")
    ran = heartrule("eval", "listening", str(file), "--answers", str(out), "--record", str(given), "--out", str(out))
    assert ran.returncode == 0, ran.stderr
    ids = {json.loads(line)["id"] for line in out.read_text(encoding="utf-8").splitlines()}
    assert ids == {"one.stretch", "one.listen", "no.stretch", "no.listen"}, "what was there stays"


def test_an_answer_to_another_prompt_is_stale(heartrule: Command, file: Path, given: Path) -> None:
    out = file.parent / "answers.jsonl"
    assert heartrule("eval", "listening", str(file), "--record", str(given), "--out", str(out)).returncode == 0
    file.write_text(file.read_text(encoding="utf-8").replace("怎么称呼你", "该怎么称呼你"), encoding="utf-8")
    found = told(heartrule("eval", "listening", str(file), "--answers", str(out), "--format", "json"))
    assert set(found["stale"]) == {"one.stretch", "one.listen"}
    english = heartrule("eval", "listening", str(file), "--answers", str(out), "--lang", "en")
    assert "2 answers belong to another prompt than is asked now" in english.stdout
    assert "zh: too few items for a verdict" in english.stdout


def test_a_verdict_is_said_in_both_languages(heartrule: Command, tmp_path: Path) -> None:
    file, given, out = tmp_path / "many.jsonl", tmp_path / "answers", tmp_path / "answers.jsonl"
    given.mkdir()
    rows = [ROWS[0] | {"id": f"b{number}"} for number in range(30)]
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    for row in rows:
        (given / f"{row['id']}.stretch.json").write_text(KNOWN, encoding="utf-8")
    assert heartrule("eval", "listening", str(file), "--record", str(given), "--out", str(out)).returncode == 0
    english = heartrule("eval", "listening", str(file), "--answers", str(out), "--lang", "en").stdout
    assert "told, and skipped or confirmed: 100.0% [94.0%, 100.0%] 60/60 (goal ≥ 95%)" in english
    assert "zh: this model may lead the conversation (leading). The intervals reach beyond" in english
    assert "Not measured, and not part of the verdict: Refusals, Typed choices" in english
    chinese = heartrule("eval", "listening", str(file), "--answers", str(out), "--lang", "zh", "--show").stdout
    assert "说过的，跳过或只确认：100.0% [94.0%, 100.0%] 60/60（目标 ≥ 95%）" in chinese
    assert "zh：这个模型可以带领谈话。区间跨过了门槛" in chinese
    assert "没有量、不在结论里的：拒绝, 对选项打的字" in chinese
    deaf = heartrule("eval", "listening", str(file), "--answers", str(_empty(tmp_path)), "--lang", "en").stdout
    assert "zh: this model should not be used" in deaf
    assert "b0.称呼 b0.睡几小时" in deaf
    assert "…" in deaf


def _empty(folder: Path) -> Path:
    path = folder / "none.jsonl"
    path.write_text("", encoding="utf-8")
    return path


# a model


def mind(asked: Mapping[str, Any]) -> str:
    words = "\n".join(each["content"] for each in asked["messages"])
    if '"notes"' in words:
        return NOTHING
    return KNOWN if "叫我阿宁" in words else reply(declined=["同住"])


@pytest.fixture
def server(heartrule: Command) -> Iterator[OpenAIServer]:
    with OpenAIServer(mind) as served:
        heartrule.environment = {"HEARTRULE_LLM_BASE_URL": served.url, "HEARTRULE_LLM_MODEL": "stub"}
        yield served


def test_with_a_model(heartrule: Command, server: OpenAIServer, file: Path) -> None:
    found = told(heartrule("eval", "listening", str(file), "--format", "json", "--parallel", "1"))
    assert section(found, "beginnings")["missed"] == []
    assert section(found, "refusals")["missed"] == []
    assert found["came"]["stretch"] == {"read": 2}
    assert len(server.bodies) >= 4


def test_nothing_is_asked_where_prompts_are_only_written(heartrule: Command, server: OpenAIServer, file: Path) -> None:
    assert heartrule("eval", "listening", str(file), "--prompts", str(file.parent / "prompts")).returncode == 0
    assert heartrule("eval", "listening", str(file), "--mode", "rules").returncode == 0
    assert server.bodies == []


def test_no_model_is_said(heartrule: Command, file: Path) -> None:
    ran = heartrule("eval", "listening", str(file), "--lang", "en")
    assert (ran.returncode, "No model is configured" in ran.stderr) == (2, True)


# what is wrong


@pytest.mark.parametrize(
    ("change", "zh", "en"),
    [
        ({"told": {}}, "第 4 行的 told 不合", "Line 4: told is not as"),
        (
            {"wanted": [{"name": "称呼", "type": "grade"}, {"name": "分"}], "told": {"称呼": True, "分": False}},
            "第 4 行的变量或动作编不成脚本（E",
            "Line 4: its variables or action",
        ),
    ],
)
def test_a_bad_item_is_located(heartrule: Command, file: Path, change: dict[str, Any], zh: str, en: str) -> None:
    with file.open("a", encoding="utf-8") as rows:
        rows.write("\n" + json.dumps({**ROWS[0], "id": "bad", **change}, ensure_ascii=False) + "\n")
    for lang, said in (("zh", zh), ("en", en)):
        ran = heartrule("eval", "listening", str(file), "--mode", "rules", "--lang", lang)
        assert (ran.returncode, said in ran.stderr) == (2, True), ran.stderr
        assert "秘密" not in ran.stderr


def test_options_that_do_not_agree(heartrule: Command, file: Path) -> None:
    ran = heartrule("eval", "listening", str(file), "--record", "x", "--lang", "en")
    assert (ran.returncode, "--record DIR and --out FILE go together." in ran.stderr) == (2, True)
    for options in (("--answers", "x"), ("--prompts", "x"), ("--record", "x", "--out", "y")):
        ran = heartrule("eval", "listening", str(file), "--mode", "rules", *options, "--lang", "zh")
        assert (ran.returncode, "--mode rules 不和" in ran.stderr) == (2, True)


def test_a_place_that_cannot_be_written(heartrule: Command, file: Path, given: Path) -> None:
    blocked = file.parent / "blocked"
    blocked.write_text("", encoding="utf-8")
    ran = heartrule("eval", "listening", str(file), "--prompts", str(blocked), "--lang", "en")
    assert (ran.returncode, "cannot be written" in ran.stderr) == (2, True), ran.stderr
    record = ("--record", str(given), "--out", str(blocked / "answers.jsonl"))
    ran = heartrule("eval", "listening", str(file), *record, "--lang", "zh")
    assert (ran.returncode, "写不了" in ran.stderr) == (2, True), ran.stderr
