"""``heartrule simulate``: figures and pages, and what it fails for."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from tests.cli.command import Command, prepared
from tests.script_tests.simulation.material import SMALL, persona

from heartrule.testing.openai_server import Body, OpenAIServer

WORDS = {"zh": {"danger": ["今天的云很好看"]}, "en": {"danger": ["the clouds look nice today"]}}


@pytest.fixture
def heartrule(tmp_path: Path) -> Command:
    (tmp_path / "small.yaml").write_text(SMALL, encoding="utf-8")
    return prepared(tmp_path)


def mine(command: Command, name: str, **changes: object) -> str:
    """A persona of one's own, as a file."""
    content = {**persona(id=name).model_dump(mode="json"), **changes}
    (command.folder / f"{name}.yaml").write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
    return f"{name}.yaml"


def plain(*more: str) -> list[str]:
    return ["simulate", "small.yaml", "-n", "2", "--parallel", "1", *more]


def test_figures_in_the_terminal(heartrule: Command) -> None:
    ran = heartrule(*plain("--persona", "cooperative", "--persona", "at_risk"))
    assert ran.returncode == 0, ran.stderr
    assert "肯谈的：" in ran.stdout
    assert re.search("没有卡住，说到危险的 [1-9]\\d* 次都当场接住了。", ran.stdout)
    assert "4/4 场" in ran.stderr
    english = heartrule(*plain("--persona", "terse", "--lang", "en"))
    assert "Terse: completed" in english.stdout
    assert "Nobody spoke of danger, so whether it is answered was not tried" in english.stdout


def test_json_is_the_same_each_time(heartrule: Command) -> None:
    one, again, other = (
        heartrule(*plain("--persona", "avoidant", "--format", "json", "--seed", seed)).stdout for seed in "112"
    )
    assert one == again != other
    told = json.loads(one)
    assert told["script"].endswith("/small")
    assert (told["seed"], told["sessions_each"], told["failed"]) == (1, 2, False)
    assert [each["session"] for each in told["sessions"]] == ["avoidant 1", "avoidant 2"]
    assert told["figures"]["phases"][0] == {"phase": "opening", "conditional": False, "reached": 2}


def test_a_page_is_written(heartrule: Command) -> None:
    ran = heartrule(*plain("--persona", "terse", "--html", "seen.html"))
    assert (ran.returncode, "seen.html" in ran.stderr) == (0, True)
    assert "<!doctype html>" in (heartrule.folder / "seen.html").read_text(encoding="utf-8")


def test_danger_that_is_not_answered_fails(heartrule: Command) -> None:
    deaf = mine(heartrule, "veiled", danger={"until": 0.5, "again": 0, "grave": 0, "rounds": [1, 1]}, words=WORDS)
    ran = heartrule(*plain("--persona", deaf, "--format", "json"))
    assert ran.returncode == 1
    told = json.loads(ran.stdout)
    assert told["failed"] is True
    assert {each["kind"] for each in told["findings"]} == {"danger_unanswered"}
    shown = heartrule(*plain("--persona", deaf))
    assert shown.returncode == 1
    assert "说到危险，没有当场接住" in shown.stdout


def test_a_session_that_is_stuck_fails_and_is_shown(heartrule: Command) -> None:
    words = {"zh": {"evade": ["说不好"]}, "en": {"evade": ["hm"]}}
    never = mine(heartrule, "never", rates={"evade": 1}, words=words)
    ran = heartrule(*plain("--persona", never, "--turns", "5"))
    assert ran.returncode == 1
    assert "卡住" in ran.stdout
    assert "  > 说不好" in ran.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["small.yaml", "--persona", "nobody"], "cooperative, terse"),
        (["small.yaml", "--persona", "bad.yaml"], "bad.yaml:1:1: 错误 E102: 缺少字段“name”"),
        (["none/such"], "none/such"),
        (["broken.yaml"], "broken.yaml:1:25"),
        (["small.yaml", "--mode", "model"], "没有配置语言模型"),
        (["small.yaml", "--persona-model", "x"], "没有配置语言模型"),
        (
            ["small.yaml", "-n", "1", "--persona", "terse", "--parallel", "1", "--html", "no/such/folder.html"],
            "no/such",
        ),
    ],
)
def test_what_cannot_be_done_ends_with_two(heartrule: Command, arguments: list[str], told: str) -> None:
    (heartrule.folder / "bad.yaml").write_text("id: bad\n", encoding="utf-8")
    (heartrule.folder / "broken.yaml").write_text("sessions: [{session: 一, phasen: []}]\n", encoding="utf-8")
    ran = heartrule("simulate", *arguments)
    assert ran.returncode == 2
    assert told in ran.stderr + ran.stdout


def test_a_model_plays_and_another_answers(heartrule: Command) -> None:
    def answer(body: Body) -> str:
        offered = "接着: 接着谈" in str(body["messages"])
        return json.dumps(
            {"do": "choose" if offered else "say", "text": "接着" if offered else "七分", "danger": False}
        )

    with OpenAIServer(answer) as server:
        heartrule.environment = {"HEARTRULE_LLM_BASE_URL": server.url, "HEARTRULE_LLM_MODEL": "stub"}
        ran = heartrule(*plain("-n", "1", "--persona", "terse", "--persona-model", "player", "--format", "json"))
        assert ran.returncode == 0, ran.stderr
        told = json.loads(ran.stdout)
        assert (told["model"], told["persona_model"], told["figures"]["spent"]["calls"]) == ("", "player", 0)
        assert {body["model"] for body in server.bodies} == {"player"}
        whole = heartrule(*plain("-n", "1", "--persona", "terse", "--mode", "model", "--lang", "en"))
        assert "stub" in whole.stdout
        assert "model calls" in whole.stdout


@pytest.mark.parametrize(("lang", "said"), [("zh", "mine.yaml:1:1: 错误 E101"), ("en", "mine.yaml:1:1: error E101")])
def test_what_is_wrong_with_a_persona_is_told_in_ones_own_language(heartrule: Command, lang: str, said: str) -> None:
    (heartrule.folder / "small.yaml").write_text(SMALL, encoding="utf-8")
    (heartrule.folder / "mine.yaml").write_text("mood: 1\n", encoding="utf-8")
    ran = heartrule("simulate", "small.yaml", "--persona", "mine.yaml", "--lang", lang)
    assert ran.returncode == 2
    assert said in ran.stderr
