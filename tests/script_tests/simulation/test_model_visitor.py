"""Personas played by a model, and scripts answered by one: over the wire, from the loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.script_tests.simulation.material import SMALL, choice, persona, question, ruled

from heartrule.engine.session.tasks import Answer, Task
from heartrule.language.projects.library import library_root
from heartrule.llm.config import ConfigError
from heartrule.llm.provider import PromptMessage, Request
from heartrule.llm.settings import LlmSettings, ModelSettings
from heartrule.script_tests.simulation.blocking_models import BlockingModels, configured, for_personas
from heartrule.script_tests.simulation.model_visitor import PlayedVisitor
from heartrule.script_tests.simulation.open_question import OpenQuestion
from heartrule.script_tests.simulation.simulate import Order, hold
from heartrule.testing.counsellor import counsel
from heartrule.testing.openai_server import Body, OpenAIServer
from heartrule.testing.talk import compile_text

SCRIPT = compile_text(SMALL)
PLAYED = "扮演来访者"


class Table:
    """Answers what it is given, in order, and keeps what it was asked."""

    def __init__(self, *answers: object) -> None:
        self._answers = list(answers)
        self.asked: list[Task] = []

    def __call__(self, tasks: Sequence[Task]) -> dict[str, Answer]:
        self.asked += tasks
        data = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        (task,) = tasks
        return {task.key: Answer(task.key, "answered" if data else "failed", data)}  # type: ignore[arg-type]


def played(*answers: object, **changes: object) -> tuple[PlayedVisitor, Table]:
    table = Table(*answers)
    return PlayedVisitor(SCRIPT, ruled(persona(**changes)), table), table


def said(do: str, text: str = "", danger: object = False) -> dict[str, object]:
    return {"do": do, "text": text, "danger": danger}


def test_what_the_model_says_is_said() -> None:
    visitor, table = played(said("say", "  最近睡不好。 "))
    move = visitor.move(question("最近怎么样？"), ["你好。", "最近怎么样？"])
    assert (move.kind, move.words, move.danger, visitor.stood_in) == ("message", "最近睡不好。", False, 0)
    task = table.asked[0]
    assert (task.template, task.values["play"], task.values["asked"]) == ("visitor", "你照答。", "最近怎么样？")
    visitor.move(question("多久了？"), ["多久了？"])
    lines = [(line.speaker, line.text) for line in table.asked[1].context.history]
    assert lines == [("ai", "你好。"), ("ai", "最近怎么样？"), ("person", "最近睡不好。"), ("ai", "多久了？")]


@pytest.mark.parametrize(
    ("answer", "kind", "words", "parts"),
    [
        (said("choose", "接着"), "choice", "接着", False),
        (said("choose", "改天"), "choice", "改天", True),
        (said("say", "都行"), "message", "都行", False),
        (said("silent"), "wait", "", False),
        (said("leave"), "gone", "", False),
        (said("leave", "我走了"), "message", "我走了", True),
    ],
)
def test_every_move_can_be_made(answer: object, kind: str, words: str, parts: bool) -> None:
    visitor, table = played(answer)
    move = visitor.move(choice("选一个。", "接着", "改天"), ["选一个。"])
    assert (move.kind, move.words, move.parts, visitor.stood_in) == (kind, words, parts, 0)
    assert table.asked[0].values["options"] == "接着: 接着\n改天: 改天"


@pytest.mark.parametrize(
    "answer", [None, said("choose", "没有这一个"), said("say", "   "), said("dance", "嗯"), {"do": "say"}, {"x": 1}]
)
def test_what_cannot_be_done_is_done_by_the_rules_and_counted(answer: object) -> None:
    visitor, _ = played(answer)
    move = visitor.move(choice("选一个。", "接着"), ["选一个。"])
    assert (move.kind, move.words) in (("choice", "接着"), ("message", "接着"))
    assert visitor.stood_in == 1


def test_danger_is_what_the_player_says_it_is_and_comes_at_its_moment() -> None:
    danger = {"until": 0, "grave": 1, "rounds": [2, 2]}
    words = {"zh": {"danger": ["我想死"]}, "en": {"danger": ["x"]}}
    visitor, table = played(said("say", "我不想活了", True), said("say", "嗯"), danger=danger, words=words)
    assert visitor.move(question("怎么样？"), []).danger
    assert (table.asked[0].values["moment"], table.asked[0].values["grave"]) == ("yes", "yes")
    after = visitor.move(question("有念头吗？", type="boolean", safety=True), [])
    assert (after.danger, after.doubtful) == (False, True)
    assert table.asked[1].values["moment"] == ""


def test_forms_and_waiting_are_left_to_the_rules() -> None:
    visitor, table = played(said("say", "嗯"))
    assert visitor.move(OpenQuestion("none", ""), []).kind == "wait"
    assert table.asked == []


def test_words_are_cut_at_their_most() -> None:
    visitor, _ = played(said("say", "啊" * 5000))
    assert len(visitor.move(question("怎么样？"), []).words) == 2000


# over the wire


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    def answer(body: Body) -> str:
        text = str(body["messages"])
        if PLAYED in text:
            done = said("choose", "接着谈") if "接着: 接着谈" in text else said("say", "七分，最近睡不好")
            return json.dumps(done, ensure_ascii=False)
        messages = tuple(PromptMessage(each["role"], each["content"]) for each in body["messages"])
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
        return json.dumps(counsel(Request(messages, schema)), ensure_ascii=False)

    with OpenAIServer(answer) as opened:
        yield opened


def settings(server: OpenAIServer) -> LlmSettings:
    return LlmSettings(base_url=server.url, model="stub")


def order(tmp_path: Path, **changes: object) -> Order:
    (tmp_path / "project.yaml").write_text("id: local\n", encoding="utf-8")
    (tmp_path / "small.yaml").write_text(SMALL, encoding="utf-8")
    plain = Order(str(tmp_path / "small.yaml"), (library_root(),), ("cooperative",), 1)
    return replace(plain, **changes)  # type: ignore[arg-type]


def test_a_session_with_a_model_on_both_sides(tmp_path: Path, server: OpenAIServer) -> None:
    both = settings(server)
    held = hold(order(tmp_path, model=both, plays=for_personas(both, "player")), "cooperative", 1)
    asked = [str(body["messages"]) for body in server.bodies]
    assert held.outcome == "completed"
    assert held.stood_in == 0, [each.move for each in held.exchanges]
    assert any(each.move.words == "七分，最近睡不好" for each in held.exchanges if each.move)
    assert {body["model"] for body in server.bodies if PLAYED in str(body["messages"])} == {"player"}
    scripts = [each for each in asked if PLAYED not in each]
    assert sum(each.spent.calls for each in held.exchanges) == len(scripts) > 0
    assert all(find in "\n".join(asked) for find in ("问什么就答什么", "最近怎么样？"))


def test_a_player_that_fails_is_stood_in_for(tmp_path: Path) -> None:
    with OpenAIServer("no json at all") as broken:
        models = settings(broken)
        held = hold(order(tmp_path, plays=for_personas(models, "stub")), "cooperative", 1)
    assert held.outcome == "completed"
    assert held.stood_in > 0


def test_who_plays() -> None:
    two = LlmSettings(
        models=(
            ModelSettings(base_url="http://127.0.0.1:1/v1", model="a", name="first", tiers=("fast",)),
            ModelSettings(base_url="http://127.0.0.1:2/v1", model="b"),
        )
    )
    for wanted, model, base in (("first", "a", ":1/"), ("b", "b", ":2/"), ("other", "other", ":1/")):
        (only,) = for_personas(two, wanted).all_models
        assert (only.model, base in only.base_url, len(only.tiers)) == (model, True, 3)


def test_no_model_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BASE_URL", "MODEL", "API_KEY"):
        monkeypatch.delenv(f"HEARTRULE_LLM_{name}", raising=False)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError):
        configured(tmp_path)
    monkeypatch.setenv("HEARTRULE_LLM_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("HEARTRULE_LLM_MODEL", "a")
    assert configured(tmp_path).model == "a"


def test_it_is_closed_behind_a_session(tmp_path: Path, server: OpenAIServer) -> None:
    with BlockingModels(settings(server), SCRIPT) as answers:
        assert answers([]) == {}
