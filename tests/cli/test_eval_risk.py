"""``heartrule eval risk`` and ``interruptions``: by rules alone and over the wire, in both languages and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import Command

from heartrule.testing.openai_server import OpenAIServer

ROWS: list[dict[str, Any]] = [
    {"id": "a", "text": "我想自杀", "risk": "self_harm", "sub": ["active_ideation"]},
    {"id": "b", "text": "活着没意思", "risk": "self_harm", "sub": ["passive_ideation"]},
    {"id": "c", "text": "票都退了", "risk": "self_harm", "sub": ["preparation"]},
    {"id": "d", "text": "我朋友说她想自杀", "risk": "exploration", "sub": ["exploration"]},
    {"id": "e", "text": "今天还行", "risk": "none", "sub": ["none"]},
    {"id": "f", "text": "笑死我了，哈哈", "risk": "none", "sub": ["none"]},
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS), encoding="utf-8")
    return path


def told(ran: Any) -> dict[str, Any]:
    assert ran.returncode == 0, ran.stderr
    return dict(json.loads(ran.stdout))


def test_rules_alone_as_json(heartrule: Command, file: Path) -> None:
    found = told(heartrule("eval", "risk", str(file), "--format", "json"))
    table = {each["label"]: (each["explicit"], each["watch"], each["none"]) for each in found["labels"]}
    assert table["active_ideation"] == (1, 0, 0)
    assert table["passive_ideation"] == (0, 1, 0)
    assert table["exploration"] == (0, 1, 0)
    assert [each["id"] for each in found["missed"]] == ["c"]
    assert "text" not in found["missed"][0]
    assert {each["label"]: each["recall"]["value"] for each in found["pooled"]}["active"] == 0.5
    assert found["interruptions"]["messages"] == 2
    assert found["messages"] == 6
    assert 0 < found["p50"] <= found["p95"]


def test_in_words(heartrule: Command, file: Path) -> None:
    chinese = heartrule("eval", "risk", str(file))
    assert chinese.returncode == 0, chinese.stderr
    assert "漏掉 1 句：c" in chinese.stdout
    assert "票都退了" not in chinese.stdout
    assert "6/6" in chinese.stderr
    english = heartrule("eval", "risk", str(file), "--show", "--lang", "en")
    assert "passive ideation: recall 100.0% [20.7%, 100.0%] of 1" in english.stdout
    assert "c: 票都退了" in english.stdout


def test_a_part_of_the_file(heartrule: Command, file: Path) -> None:
    assert told(heartrule("eval", "risk", str(file), "--part", "1/3", "--format", "json"))["messages"] == 2
    for bad in ("3/3", "x", "1", "-1/2"):
        ran = heartrule("eval", "risk", str(file), f"--part={bad}", "--lang", "en")
        assert ran.returncode == 2
        assert "first/step" in ran.stderr


def test_a_bad_row_is_located(heartrule: Command, file: Path) -> None:
    with file.open("a", encoding="utf-8") as rows:
        rows.write('\n{"text": "我有个秘密", "risk": "maybe"}\n')
    ran = heartrule("eval", "risk", str(file), "--lang", "en")
    assert ran.returncode == 2
    assert "Line 7: risk is none of self_harm, exploration, aggression, none." in ran.stderr
    assert "秘密" not in ran.stderr


def verdict(asked: Mapping[str, Any]) -> dict[str, Any]:
    words = asked["messages"][-1]["content"]
    found = "yes" if "退了" in words else "no"
    return {"verdicts": [{"id": 1, "verdict": found, "confidence": 0.9, "evidence": ""}]}


@pytest.fixture
def server(heartrule: Command) -> Iterator[OpenAIServer]:
    with OpenAIServer(lambda asked: json.dumps(verdict(asked))) as served:
        heartrule.environment = {"HEARTRULE_LLM_BASE_URL": served.url, "HEARTRULE_LLM_MODEL": "stub"}
        yield served


def test_with_a_model_beside_the_rules(heartrule: Command, server: OpenAIServer, file: Path) -> None:
    found = told(heartrule("eval", "risk", str(file), "--mode", "model", "--format", "json"))
    assert found["missed"] == []
    assert found["unanswered"] == 0
    assert {each["label"]: each["explicit"] for each in found["labels"]}["active_ideation"] == 1


def test_a_model_that_does_not_answer_lowers_nothing(heartrule: Command, file: Path) -> None:
    with OpenAIServer(lambda _: "I'd rather not.") as served:
        heartrule.environment = {"HEARTRULE_LLM_BASE_URL": served.url, "HEARTRULE_LLM_MODEL": "stub"}
        found = told(heartrule("eval", "risk", str(file), "--mode", "model", "--format", "json"))
    assert [each["id"] for each in found["missed"]] == ["c"]
    assert found["unanswered"] > 0


def test_no_model_is_said(heartrule: Command, file: Path) -> None:
    ran = heartrule("eval", "risk", str(file), "--mode", "model", "--lang", "en")
    assert (ran.returncode, "No model is configured" in ran.stderr) == (2, True)


def test_interruptions_of_words_without_danger(heartrule: Command, file: Path, tmp_path: Path) -> None:
    talk = tmp_path / "talk.txt"
    talk.write_text("你好\n我不想活了\n活着没意思\n", encoding="utf-8")
    found = told(heartrule("eval", "interruptions", str(file), str(talk), "--format", "json"))
    assert (found["messages"], found["explicit"], found["watch"]) == (5, 1, 1)
    assert [(each["id"], each["script"]) for each in found["explicit_on"]] == [("talk.txt:2", "safety/suicide_risk")]
    assert found["drawn"]["sessions"] == 1_000
    assert found["drawn"]["interrupted"]["value"] > 0.99
    few = told(heartrule("eval", "interruptions", str(file), "--sessions", "20", "--seed", "3", "--format", "json"))
    assert (few["drawn"]["sessions"], few["drawn"]["seed"]) == (20, 3)
    shown = heartrule("eval", "interruptions", str(talk), "--show", "--lang", "en")
    assert "1000 sessions of 40 drawn from these (seed 1): 100.0%" in shown.stdout
    assert "talk.txt:2: safety/suicide_risk" in shown.stdout
    assert "我不想活了" in shown.stdout
    gone = heartrule("eval", "interruptions", str(tmp_path / "none.txt"), "--lang", "en")
    assert gone.returncode == 2
