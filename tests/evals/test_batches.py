"""Questions in calls of every size, against a model over the wire that is known to answer worse when asked much."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

from tests.evals.minds import asked, mind

from heartrule.engine.session.batch_limits import BatchLimits
from heartrule.engine.tasks import checkpoint
from heartrule.engine.tasks.checkpoint import Judgement
from heartrule.evals.answer_cache import AnswerCache
from heartrule.evals.batches import Batches, Plan, ordered, task
from heartrule.evals.figures import Size, largest
from heartrule.evals.labelled_files import LabelledUtterance
from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.prompt import render
from heartrule.llm.providers.openai_wire import OpenAIWire
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.testing.openai_server import Body, OpenAIServer

FILLERS = tuple(f"别的{n}？" for n in range(16))
PLAN = Plan("zh-CN", fillers=FILLERS)
ROWS = [LabelledUtterance(f"第{n}句", "", {"单数？": n % 2 == 1, "小？": n < 10}) for n in range(20)]


def truth(words: str, question: str) -> bool:
    number = int(words.strip("第句"))
    return {"单数？": number % 2 == 1, "小？": number < 10}.get(question, False)


def sizes(server: OpenAIServer, plan: Plan = PLAN, kept: AnswerCache | None = None, told: object = None) -> list[Size]:
    async def run() -> list[Size]:
        model = Model([OpenAIWire(server.url, "stub")], Policy().persevering())
        batches = Batches(model, plan, kept or AnswerCache(None))
        if callable(told):
            batches.told = told
        try:
            return await batches.run(ROWS)
        finally:
            await model.aclose()

    return asyncio.run(run())


def test_a_model_that_loses_track_is_found_out() -> None:
    with OpenAIServer(mind(truth, up_to=4), latency=0) as server:
        found = sizes(server)
        sent = [len(asked(body)) for body in server.bodies]
    assert [each.size for each in found] == [1, 2, 4, 8, 16]
    assert [each.accuracy.value for each in found] == [1.0, 1.0, 1.0, 0.5, 0.5]
    assert [each.below for each in found] == [False, False, False, True, True]
    assert largest(found) == 4
    assert [each.calls for each in found] == [40, 20, 20, 20, 20]
    assert {n: sent.count(n) for n in set(sent)} == {1: 40, 2: 20, 4: 20, 8: 20, 16: 20}
    assert [each.items for each in found] == [40] * 5, "others stand beside them, and are not scored"
    assert all(each.tokens_in > 0 and each.untold == 0 for each in found)


def test_a_model_that_does_not_lose_track_may_be_asked_most() -> None:
    with OpenAIServer(mind(truth)) as server:
        assert largest(sizes(server)) == 16


def test_what_nobody_answered_is_wrong_and_said_to_be_unanswered() -> None:
    with OpenAIServer(lambda body: '{"other": 1}' if len(asked(body)) == 2 else mind(truth)(body)) as server:
        found = sizes(server, replace(PLAN, sizes=(1, 2)))
    assert [each.unanswered.value for each in found] == [0.0, 1.0]
    assert [each.accuracy.value for each in found] == [1.0, 0.0]
    assert found[1].tries > found[1].calls == 20, "it was asked again before it was given up"


def test_what_cannot_be_used_is_asked_once_more() -> None:
    """A quotation that nobody said makes a judgement unusable, as in a turn."""

    def answer(body: Body) -> str:
        data = json.loads(mind(truth)(body))
        first = len(asked(body)) == 4
        return json.dumps({"holds": [{**one, "evidence": "没说过的话" if first else ""} for one in data["holds"]]})

    with OpenAIServer(answer) as server:
        found = sizes(server, replace(PLAN, sizes=(1, 4)))
    assert found[1].accuracy.value == 1.0
    assert found[1].calls == 20 + sum(any(row.answers.values()) for row in ROWS)


def test_a_break_is_gone_on_from_and_what_was_bought_is_not_bought_again(tmp_path: Path) -> None:
    with OpenAIServer(mind(truth, up_to=2)) as server:
        whole = sizes(server)
        path = tmp_path / "answers"
        kept = sizes(server, replace(PLAN, sizes=(1, 2)), AnswerCache(path))
        before = len(server.bodies)
        again = sizes(server, PLAN, AnswerCache(path))
        bought = len(server.bodies) - before
        sizes(server, replace(PLAN, asked="another model"), AnswerCache(path))
        assert len(server.bodies) - before - bought == 120, "another model has not answered yet"
    assert bought == 60
    assert [each.accuracy for each in again] == [each.accuracy for each in whole]
    assert (again[0].tokens_in, again[0].p50) == (kept[0].tokens_in, kept[0].p50), "what was spent is kept as well"


def test_progress_is_told_to_the_end() -> None:
    heard: list[tuple[int, int]] = []
    with OpenAIServer(mind(truth)) as server:
        sizes(server, replace(PLAN, sizes=(1, 2)), told=lambda done, all_: heard.append((done, all_)))
    assert heard == [(n, 40) for n in range(1, 41)]


def test_the_order_is_of_chance_and_always_the_same() -> None:
    own = ["甲？", "乙？", "丙？"]
    found = [ordered(own, number, 8, PLAN) for number in range(20)]
    assert found == [ordered(own, number, 8, PLAN) for number in range(20)]
    assert len({each.index("甲？") for each in found}) > 3
    assert all(len(each) == 8 and set(own) < set(each) for each in found)
    assert found != [ordered(own, number, 8, replace(PLAN, seed=1)) for number in range(20)]


def test_too_few_others_leave_a_call_less_than_full() -> None:
    assert sorted(ordered(["甲？"], 0, 8, replace(PLAN, fillers=("乙？", "甲？")))) == ["乙？", "甲？"]


def test_a_faint_judgement_is_a_no() -> None:
    def faint(_: object) -> dict[str, object]:
        return {"holds": [{"id": 1, "confidence": 0.4, "evidence": ""}]}

    async def run() -> list[Size]:
        model = Model([ScriptedProvider(faint)])
        return await Batches(model, replace(PLAN, sizes=(1,)), AnswerCache(None)).run(
            [LabelledUtterance("嗯", "", {"甲？": False})]
        )

    (found,) = asyncio.run(run())
    assert found.accuracy.value == 1.0


def test_the_prompt_holds_what_a_turn_shows_and_no_more() -> None:
    (call,) = checkpoint.calls([Judgement("甲？")], BatchLimits())
    prompt = render(task(call, LabelledUtterance("很难过", "怎么了？", {"甲？": True}), "zh-CN"))
    assert "perceive" in prompt.template
    user = prompt.messages[-1].text
    assert "怎么了？" in user
    assert "很难过" in user
    assert "1. 甲？" in user
    assert "{%" not in user
