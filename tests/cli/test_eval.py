"""``heartrule eval batch``: from any labelled file to a table, over the wire, in both languages and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.evals.minds import mind

from heartrule.testing.openai_server import OpenAIServer

ROOT = Path(__file__).parents[2] / "bench" / "batch"
ROWS = [json.loads(line) for line in (ROOT / "said.jsonl").read_text(encoding="utf-8").splitlines()]
LABELS = {"睡得不好": "sleep", "责怪自己": "blame", "不想再谈": "leave", "有人可以依靠": "support"}
BY_TEXT = {row["text"]: row for row in ROWS}


def truth(words: str, question: str) -> bool:
    return any(part in question and bool(BY_TEXT[words][label]) for part, label in LABELS.items())


@pytest.fixture
def server(heartrule: Command) -> Iterator[OpenAIServer]:
    with OpenAIServer(mind(truth, up_to=8)) as served:
        heartrule.environment = {"HEARTRULE_LLM_BASE_URL": served.url, "HEARTRULE_LLM_MODEL": "stub"}
        yield served


SHIPPED = ("eval", "batch", str(ROOT / "said.jsonl"), "--questions", str(ROOT / "questions.yaml"))


def test_the_shipped_file(heartrule: Command, server: OpenAIServer) -> None:
    assert len(ROWS) >= 40
    assert len(BY_TEXT) == len(ROWS)
    ran = heartrule(*SHIPPED, "--sizes", "4,16", "--json")
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert [each["size"] for each in told["sizes"]] == [1, 4, 16]
    assert [each["items"] for each in told["sizes"]] == [len(ROWS) * 4] * 3
    assert [each["accuracy"]["value"] == 1.0 for each in told["sizes"]] == [True, True, False]
    assert (told["largest"], told["sizes"][2]["below"], told["sizes"][2]["recall"]["value"]) == (4, True, 0.0)
    assert "168/168" not in ran.stderr
    assert f"{len(ROWS) * 3}" in ran.stderr


def test_in_words(heartrule: Command, server: OpenAIServer) -> None:
    said = heartrule(*SHIPPED, "--sizes", "2", "--limit", "5")
    assert said.returncode == 0, said.stderr
    assert "每次 2 道：准确率 100.0% [" in said.stdout
    assert "不显著低于每次 1 道的最大数：2（共 20 题；" in said.stdout
    assert "5 段话，20 道题。" in said.stderr
    english = heartrule(*SHIPPED, "--sizes", "16", "--limit", "12", "--lang", "en")
    assert "significantly below size 1: 6 answers worse" in english.stdout or "size 16: accuracy" in english.stdout
    assert "Largest size that is not significantly below size 1" in english.stdout


def test_one_question_of_ones_own_and_a_cache(heartrule: Command, server: OpenAIServer) -> None:
    file, kept = heartrule.folder / "own.csv", heartrule.folder / "kept"
    file.write_text("话,判\n" + "".join(f"{row['text']},{row['blame']}\n" for row in ROWS[:6]), encoding="utf-8")
    command = ("eval", "batch", str(file), "--text", "话", "--label", "判", "--question", "来访者在责怪自己？")
    more = ("--sizes", "1,4", "--cache", str(kept), "--json")
    first = heartrule(*command, *more)
    assert first.returncode == 0, first.stderr
    assert len(server.bodies) == 12
    second = heartrule(*command, *more)
    assert len(server.bodies) == 12, "all of it was bought already"
    assert second.stdout == first.stdout


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (("--sizes", "1,zwei"), "--sizes"),
        (("--sizes", "0"), "--sizes"),
        (("--label", "nothing"), "nothing"),
        (("--text", "nothing"), "nothing"),
    ],
)
def test_what_cannot_be_done_is_said(heartrule: Command, server: OpenAIServer, more: tuple[str, ...], why: str) -> None:
    ran = heartrule("eval", "batch", str(ROOT / "said.jsonl"), "--question", "在吗？", "--label", "sleep", *more)
    assert ran.returncode == 2
    assert why in ran.stderr
    assert server.bodies == []


def test_without_a_model_there_is_nothing_to_judge(heartrule: Command) -> None:
    ran = heartrule(*SHIPPED)
    assert ran.returncode == 2
    assert "没有配置模型" in ran.stderr


def test_a_model_that_is_away_leaves_everything_unanswered(heartrule: Command) -> None:
    heartrule.environment = {"HEARTRULE_LLM_BASE_URL": "http://127.0.0.1:9/v1", "HEARTRULE_LLM_MODEL": "stub"}
    (heartrule.folder / "heartrule.toml").write_text("[llm]\ntime_scale = 0.01\n", encoding="utf-8")
    ran = heartrule(*SHIPPED, "--sizes", "2", "--limit", "1", "--json")
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert [each["unanswered"]["value"] for each in told["sizes"]] == [1.0, 1.0]
